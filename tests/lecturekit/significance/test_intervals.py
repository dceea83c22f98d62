"""Error bars: the formulas, coverage by summing over all counts, scipy's intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit.significance import clopper_pearson, standard_error, wilson

counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(kn=counts)
def test_standard_error_is_that_of_the_losses(kn: tuple[int, int]) -> None:
    k, n = kn
    losses = np.repeat([1.0, 0.0], [k, n - k])
    assert np.isclose(standard_error(k, n), losses.std() / np.sqrt(n))
    if n > 1:
        assert np.isclose(standard_error(k, n, unbiased=True), losses.std(ddof=1) / np.sqrt(n))


@given(kn=counts, level=st.floats(1e-6, 0.5))
def test_intervals_are_those_of_scipy(kn: tuple[int, int], level: float) -> None:
    k, n = kn
    for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "exact")):
        peer = stats.binomtest(k, n).proportion_ci(1 - level, method=theirs)
        assert np.allclose(ours(k, n, level), (peer.low, peer.high), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
@given(kn=counts, level=st.floats(1e-6, 0.5))
def test_intervals_hold_the_estimate_and_turn_round(interval, kn, level) -> None:  # type: ignore[no-untyped-def]
    k, n = kn
    low, high = interval(k, n, level)
    assert 0 <= low <= k / n + 1e-12
    assert max(low, k / n - 1e-12) < high <= 1
    assert np.allclose((1 - high, 1 - low), interval(n - k, n, level), atol=1e-12)


def coverage(interval, n: int, p: float) -> float:  # type: ignore[no-untyped-def]
    """Sum the probabilities of the counts whose interval holds p."""
    ends = np.array([interval(k, n) for k in range(n + 1)])
    return float(stats.binom(n, p).pmf(np.arange(n + 1)) @ ((ends[:, 0] <= p) & (p <= ends[:, 1])))


@pytest.mark.parametrize("n", [5, 20, 60])
def test_exact_interval_covers_at_least_as_promised(n: int) -> None:
    rates = np.linspace(0.005, 0.995, 67)
    exact, score = (np.array([coverage(which, n, p) for p in rates]) for which in (clopper_pearson, wilson))
    assert exact.min() >= 0.95 > score.min()  # which promises this on average only
    assert abs(score.mean() - 0.95) < abs(exact.mean() - 0.95)
