"""Power: summed over all tables, simulated, and each number of points against its power."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lecturekit import significance
from lecturekit.significance import paired_binomial, paired_n, paired_power, two_sample_power, two_sample_z


@pytest.mark.parametrize(("p1", "p2", "n"), [(0.3, 0.5, 80), (0.2, 0.2, 150), (0.1, 0.25, 120)])
def test_two_sample_power_is_near_the_sum_over_all_counts(p1: float, p2: float, n: int) -> None:
    k = range(n + 1)
    law = np.outer(stats.binom(n, p1).pmf(k), stats.binom(n, p2).pmf(k))
    rejects = np.array([[two_sample_z(i, n, j, n).pvalue <= 0.05 for j in k] for i in k])
    assert abs(two_sample_power(p1, p2, n) - law[rejects].sum()) < 0.02


@given(st.floats(0, 1), st.integers(1, 10**6), st.floats(1e-4, 0.5))
def test_power_without_a_difference_is_the_level(p: float, n: int, level: float) -> None:
    power = two_sample_power(p, p, n, level=level)
    assert np.isclose(power, level) if 1e-9 < p < 1 - 1e-9 else power in (0.0, pytest.approx(level))


def test_power_of_certain_outcomes() -> None:
    assert two_sample_power(0.0, 0.0, 10) == two_sample_power(1.0, 1.0, 10) == 0.0
    assert (two_sample_power(0.0, 1.0, 10), paired_power(0.0, 0.0, 1000)) == (1.0, 0.0)
    assert two_sample_power(1.0, 0.0, 1) == 0.0  # one point each: z is at most sqrt(2)


@given(st.floats(0.01, 0.6), st.floats(0.01, 0.6), st.floats(0.1, 0.99), st.sampled_from([0.01, 0.05]))
def test_smallest_number_of_points_for_the_z_test(p1: float, p2: float, power: float, level: float) -> None:
    if abs(p1 - p2) < 1e-3:
        return
    n = significance.two_sample_n(p1, p2, power=power, level=level)
    assert two_sample_power(p1, p2, n, level=level) >= power
    assert n == 1 or two_sample_power(p1, p2, n - 1, level=level) < power
    z0, z1, mean = stats.norm.isf(level / 2), stats.norm.ppf(power), (p1 + p2) / 2
    root = z0 * np.sqrt(2 * mean * (1 - mean)) + z1 * np.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    assert n <= np.ceil((root / (p1 - p2)) ** 2) + 1  # the usual formula, which leaves out the far tail


def brute_power(p_b: float, p_c: float, n: int, level: float) -> float:
    """Sum the probabilities of all tables that the exact test rejects."""
    tables = [(b, c, n - b - c) for b in range(n + 1) for c in range(n + 1 - b)]
    rejected = [table for table in tables if paired_binomial(*table[:2]).pvalue <= level]
    return float(np.sum([stats.multinomial.pmf(table, n, [p_b, p_c, 1 - p_b - p_c]) for table in rejected]))


@pytest.mark.parametrize("level", [0.01, 0.05, 0.5])
@pytest.mark.parametrize(("p_b", "p_c"), [(0.1, 0.3), (0.2, 0.2), (0.3, 0.7), (0.25, 0.0), (1.0, 0.0)])
@pytest.mark.parametrize("n", [1, 7, 25])
def test_paired_power_is_the_sum_over_all_tables(p_b: float, p_c: float, n: int, level: float) -> None:
    assert np.isclose(paired_power(p_b, p_c, n, level=level), brute_power(p_b, p_c, n, level), atol=1e-12)


def test_paired_power_at_the_level_itself() -> None:
    # 2 * 2^-m is the level exactly: rejected at b = 0
    for m in (2, 3, 6):
        assert np.isclose(paired_power(1.0, 0.0, m, level=2.0 ** (1 - m)), 1.0)
        assert np.isclose(paired_power(1.0, 0.0, m - 1, level=2.0 ** (1 - m)), 0.0)
    for low, high in ((1, 4), (2, 5), (1, 9), (3, 8), (30, 50)):
        level, n = paired_binomial(low, high).pvalue, low + high
        wanted = stats.binom.cdf(low, n, 0.3) + stats.binom.cdf(low, n, 0.7)
        assert np.isclose(paired_power(0.3, 0.7, n, level=level), wanted)


@pytest.mark.parametrize(("n", "least"), [(200, 0.02), (5000, 0.04), (400_000, 0.048)])
def test_the_exact_test_keeps_its_level_and_nearly_uses_it_up(n: int, least: float) -> None:
    assert least < paired_power(0.05, 0.05, n) <= 0.05


@settings(max_examples=25)
@given(st.floats(0.0, 0.3), st.floats(0.0, 0.3), st.floats(0.1, 0.99), st.sampled_from([0.01, 0.05]))
def test_number_of_points_for_the_paired_test(p_b: float, p_c: float, power: float, level: float) -> None:
    if abs(p_b - p_c) < 0.01:
        return
    n = paired_n(p_b, p_c, power=power, level=level)
    assert paired_power(p_b, p_c, n, level=level) >= power
    assert n == 1 or paired_power(p_b, p_c, n - 1, level=level) < power
