"""Exact tails against enumeration, SciPy and rational arithmetic; simulated ones against the exact ones."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit import bounds
from lecturekit._typing import Array, Indices, Mask
from lecturekit.bounds import binomial_deviation, binomial_tail, poisson_binomial_tail, simulate_counts

PROBABILITIES = st.just(0.0) | st.floats(1e-300, 1)  # SciPy's law overflows where p has no reciprocal
each_tail = pytest.mark.parametrize(("side", "strict"), [*product(("upper", "lower"), (True, False))])


def beyond(counts: Indices, t: float, side: str, strict: bool) -> Mask:
    """Say which counts are beyond a threshold."""
    if side == "upper":
        return counts > t if strict else counts >= t
    return counts < t if strict else counts <= t


@each_tail
@given(m=st.integers(1, 12), p=PROBABILITIES, t=st.integers(-6, 30).map(lambda k: k / 2))
def test_binomial_tail_sums_the_law(side: str, strict: bool, m: int, p: float, t: float) -> None:
    k = np.arange(m + 1)
    wanted = stats.binom.pmf(k, m, p)[beyond(k, t, side, strict)].sum()
    assert binomial_tail(t, m, p, side=side, strict=strict) == pytest.approx(wanted, rel=1e-9, abs=1e-300)


def test_far_tails_keep_their_digits() -> None:
    p = Fraction(0.1)  # the float, exactly
    exact = sum(math.comb(400, k) * p**k * (1 - p) ** (400 - k) for k in range(300, 401))
    assert binomial_tail(300, 400, 0.1) == pytest.approx(float(exact), rel=1e-10)
    assert float(exact) < 1e-200
    low = sum(math.comb(400, k) * p ** (400 - k) * (1 - p) ** k for k in range(101))
    assert binomial_tail(100, 400, 0.9, side="lower") == pytest.approx(float(low), rel=1e-10)


@pytest.mark.parametrize("t", [1.1 * 100, 110, 110 - 1e-9])
def test_a_threshold_that_is_whole_but_for_rounding_is_whole(t: float) -> None:
    assert 1.1 * 100 > 110
    assert binomial_tail(t, 200, 0.5) == binomial_tail(110, 200, 0.5)
    assert binomial_tail(t, 200, 0.5, strict=True) == binomial_tail(111, 200, 0.5)
    low = poisson_binomial_tail(t, [0.5] * 200, side="lower", strict=True)
    assert low == pytest.approx(binomial_tail(109, 200, 0.5, side="lower"))


@pytest.mark.parametrize("sides", [1, 2])
@given(m=st.integers(1, 40), tenths=st.integers(0, 10), hundredths=st.integers(1, 100))
def test_deviation_sums_the_law(sides: int, m: int, tenths: int, hundredths: int) -> None:
    k = np.arange(m + 1)
    off = 10 * k - tenths * m  # 10 m times the deviation, in whole numbers
    counted = 10 * (off if sides == 1 else np.abs(off)) >= hundredths * m
    wanted = stats.binom.pmf(k, m, tenths / 10)[counted].sum()
    found = binomial_deviation(m, tenths / 10, hundredths / 100, sides=sides)
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("sides", [1, 2])
@given(m=st.integers(1, 60), k=st.integers(0, 60), digits=st.integers(2, 15))
def test_small_deviations_leave_the_centre_out(sides: int, m: int, k: int, digits: int) -> None:
    k, counts = min(k, m), np.arange(m + 1)
    wanted = stats.binom.pmf(counts, m, k / m)[counts > k if sides == 1 else counts != k].sum()
    assert binomial_deviation(m, k / m, 10.0**-digits, sides=sides) == pytest.approx(wanted, abs=1e-12)


def test_deviations_at_the_ends_counts_beyond_all_and_large_counts_which_are_not_rounded() -> None:
    assert binomial_deviation(2, 0.5, 1e-10) == 0.5
    assert binomial_deviation(1, 1e-10, 5e-11) == 1  # 0 is off by 1e-10
    assert binomial_deviation(10**6, 0.5, 4e-10) == pytest.approx(1 - stats.binom.pmf(500_000, 10**6, 0.5))
    assert binomial_deviation(5, 0.4, 1e-300) <= 1  # below rounding
    assert binomial_deviation(5, 0.4, 1e300) == binomial_deviation(5, 0.4, 1e300, sides=1) == 0
    assert binomial_deviation(5, 0.4, 0.6) == pytest.approx(0.4**5)
    assert binomial_deviation(5, 0.4, 0.4) == pytest.approx(binomial_tail(4, 5, 0.4) + 0.6**5)
    assert binomial_tail(6, 5, 0.4) == poisson_binomial_tail(6, [0.4] * 5) == 0
    assert binomial_tail(-1, 5, 0.4, side="lower") == poisson_binomial_tail(-1, [0.4], side="lower") == 0
    assert binomial_tail(0, 5, 0.4) == binomial_tail(5, 5, 0.4, side="lower") == 1
    many = 10**9
    between = binomial_tail(many // 2 + 0.4, many, 0.5)
    assert between == binomial_tail(many // 2 + 1, many, 0.5) < binomial_tail(many // 2, many, 0.5)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_poisson_binomial_law_by_enumeration(p: list[float]) -> None:
    wanted = np.zeros(len(p) + 1)
    for flips in product((0, 1), repeat=len(p)):
        wanted[sum(flips)] += np.prod([q if flip else 1 - q for flip, q in zip(flips, p, strict=True)])
    assert bounds.poisson_binomial_pmf(p) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_poisson_binomial_moments(p: list[float]) -> None:
    q, k, mean = bounds.poisson_binomial_pmf(p), np.arange(len(p) + 1), sum(p)
    assert q.sum() == pytest.approx(1)
    assert q @ k == pytest.approx(mean)
    assert q @ (k - mean) ** 2 == pytest.approx(sum(chance * (1 - chance) for chance in p), abs=1e-12)


@each_tail
@given(m=st.integers(1, 30), p=st.floats(0.001, 0.999), t=st.floats(-3, 33))
def test_equal_chances_are_binomial(side: str, strict: bool, m: int, p: float, t: float) -> None:
    found = poisson_binomial_tail(t, [p] * m, side=side, strict=strict)
    assert found == pytest.approx(binomial_tail(t, m, p, side=side, strict=strict), rel=1e-9)


def test_small_probabilities_keep_their_digits_and_inputs_are_left_alone() -> None:
    p = np.full(80, 1e-3)
    assert poisson_binomial_tail(80, p) == pytest.approx(1e-240)
    simulate_counts(p, 3, rng=0)
    assert np.all(p == 1e-3)


@pytest.mark.parametrize(
    "p", [np.linspace(0.05, 0.6, 12), np.full(40, 0.2), np.repeat([0.3, 0.1, 0.9], [30, 26, 4])], ids=len
)
def test_counts_have_the_poisson_binomial_law(p: Array) -> None:
    expected = 40_000 * bounds.poisson_binomial_pmf(p)
    found = np.bincount(simulate_counts(p, 40_000, rng=1).astype(int), minlength=len(expected))
    common = expected > 20
    statistic = np.sum((found - expected)[common] ** 2 / expected[common])
    assert statistic < stats.chi2.isf(1e-4, common.sum())


@pytest.mark.parametrize("repetitions", [1, 7, 8, 20])
def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch, repetitions: int) -> None:
    def simulated() -> list[Array]:
        means = bounds.simulate_means(lambda rng, shape: rng.random(shape), 5, repetitions, rng=3)
        return [simulate_counts(np.full(5, 0.3), repetitions, rng=3), means]

    whole = simulated()
    for size in (23, 2):  # four samples of five, less than one
        monkeypatch.setattr(bounds, "AT_A_TIME", size)
        counts, means = simulated()
        assert np.array_equal(counts, whole[0])
        assert np.allclose(means, whole[1], rtol=1e-14, atol=0)  # the same numbers, but for the last bit


def test_means_are_means() -> None:
    rng, same = np.random.default_rng(4), np.random.default_rng(4)
    means = bounds.simulate_means(lambda rng, shape: rng.normal(size=shape), 6, 50, rng=rng)
    assert means == pytest.approx(same.normal(size=(50, 6)).mean(axis=1))
