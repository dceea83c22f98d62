"""Error bars: the formulas, coverage by summing over all counts, scipy's intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit.significance import clopper_pearson, standard_error, wilson

counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
each_interval = pytest.mark.parametrize("interval", [wilson, clopper_pearson])


@given(kn=counts)
def test_standard_error_is_that_of_the_losses(kn: tuple[int, int]) -> None:
    k, n = kn
    losses = np.repeat([1.0, 0.0], [k, n - k])
    assert np.isclose(standard_error(k, n), losses.std() / np.sqrt(n))
    if n > 1:
        assert np.isclose(standard_error(k, n, unbiased=True), losses.std(ddof=1) / np.sqrt(n))


@pytest.mark.parametrize(("n", "p"), [(2, 0.3), (20, 0.1), (50, 0.5)])
def test_mean_of_the_squared_standard_error(n: int, p: float) -> None:
    law = stats.binom(n, p).pmf(np.arange(n + 1))
    plain, unbiased = (
        law @ [standard_error(k, n, unbiased=u) ** 2 for k in range(n + 1)] for u in (False, True)
    )
    assert np.isclose(unbiased, p * (1 - p) / n)
    assert np.isclose(plain, unbiased * (n - 1) / n)


@given(kn=counts, level=st.floats(1e-6, 0.5))
def test_intervals_are_those_of_scipy(kn: tuple[int, int], level: float) -> None:
    k, n = kn
    for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "exact")):
        peer = stats.binomtest(k, n).proportion_ci(1 - level, method=theirs)
        assert np.allclose(ours(k, n, level), (peer.low, peer.high), rtol=1e-6, atol=1e-12)


@each_interval
@given(kn=counts, level=st.floats(1e-6, 0.5))
def test_intervals_hold_the_estimate_and_turn_round(interval, kn, level) -> None:  # type: ignore[no-untyped-def]
    k, n = kn
    low, high = interval(k, n, level)
    assert 0 <= low <= k / n + 1e-12
    assert k / n - 1e-12 <= high <= 1
    assert low < high
    turned = interval(n - k, n, level)
    assert np.allclose((1 - high, 1 - low), turned, atol=1e-12)


@pytest.mark.parametrize(("k", "n"), [(0, 20), (3, 20), (8, 800), (20, 20)])
def test_wilson_ends_are_just_not_rejected(k: int, n: int) -> None:
    z2 = stats.norm.isf(0.05) ** 2
    for p in wilson(k, n, 0.1):
        inside = 0 < p < 1
        assert not inside or np.isclose((k / n - p) ** 2, z2 * p * (1 - p) / n)


def coverage(interval, n: int, p: float) -> float:  # type: ignore[no-untyped-def]
    """Sum the probabilities of the counts whose interval holds p."""
    ends = np.array([interval(k, n) for k in range(n + 1)])
    return float(stats.binom(n, p).pmf(np.arange(n + 1)) @ ((ends[:, 0] <= p) & (p <= ends[:, 1])))


@pytest.mark.parametrize("n", [5, 20, 60])
def test_exact_interval_covers_at_least_as_promised(n: int) -> None:
    rates = np.linspace(0.005, 0.995, 67)
    exact = np.array([coverage(clopper_pearson, n, p) for p in rates])
    score = np.array([coverage(wilson, n, p) for p in rates])
    assert exact.min() >= 0.95
    assert score.min() < 0.95  # it promises this on average only
    assert abs(score.mean() - 0.95) < abs(exact.mean() - 0.95)
