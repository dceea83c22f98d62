"""Isotonic regression: its certificate, brute force, scipy and scikit-learn, and the likelihood."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression

from lecturekit._typing import Array
from lecturekit.calibration import MonotoneFit, _isotonic, isotonic, pav

CLOSE = 1e-12  # sums in another order
seeds = st.integers(0, 10**6)


def values(seed: int) -> tuple[Array, Array]:
    """Draw values, with ties now and then, and weights."""
    rng, n = np.random.default_rng(seed), 1 + seed % 40
    y = rng.integers(0, 3, n).astype(float) if seed % 2 else rng.normal(size=n) + 0.05 * np.arange(n)
    return y, rng.uniform(0.2, 3, n)


def minimum_by_max_min(y: Array, w: Array) -> Array:
    """Solve by the formula max over j <= i of min over k >= i of the mean from j to k."""
    n = len(y)
    mean = {(j, k): np.average(y[j:k], weights=w[j:k]) for j in range(n) for k in range(j + 1, n + 1)}
    rows = [[min(mean[j, k] for k in range(i + 1, n + 1)) for j in range(i + 1)] for i in range(n)]
    return np.array([max(row) for row in rows])


@pytest.mark.jit
@pytest.mark.claim("CAL-05")
@given(seeds)
def test_fit_has_the_certificate_of_a_minimum(seed: int) -> None:
    y, w = values(seed)
    m = pav(y, w)
    assert np.all(np.diff(m) >= 0)  # exactly
    push = np.cumsum(w * (y - m))  # multipliers of m_i <= m_(i+1): >= 0, and 0 where the fit rises
    assert np.all(push >= -CLOSE * len(y))
    assert np.allclose(push[:-1][np.diff(m) > 0], 0, atol=CLOSE * len(y))
    assert push[-1] == pytest.approx(0, abs=CLOSE * len(y))


@given(seeds)
def test_fit_is_what_brute_force_and_scipy_find(seed: int) -> None:
    y, w = values(seed)
    assert np.allclose(pav(y, w), minimum_by_max_min(y, w), atol=CLOSE)
    assert np.allclose(pav(y, w), isotonic_regression(y, weights=w).x, atol=CLOSE)
    assert np.allclose(pav(y), isotonic_regression(y).x, atol=CLOSE)


@given(seeds, st.sampled_from([1e-300, 1e-150, 1e150, 1e300]), st.sampled_from([1e-300, 1e300]))
@example(1, 0.0, 1.0)
def test_scale_does_not_matter(seed: int, scale: float, of_weights: float) -> None:
    y, w = values(seed)
    assert np.allclose(pav(scale * y, of_weights * w), scale * pav(y, w), rtol=1e-9, atol=1e-14 * scale)


@given(seeds, st.sampled_from([1e-139, 1e-90, 1e130]), st.sampled_from([1e-139, 1e-45, 1e130]))
def test_products_of_values_and_weights_do_not_underflow(seed: int, unit: float, of_weights: float) -> None:
    y, w = values(seed)
    w[0] *= 1e-90
    assert np.allclose(pav(unit * y, of_weights * w), unit * isotonic_regression(y, weights=w).x, atol=0)


def test_sorted_reversed_single_and_constant_and_input_is_left_alone() -> None:
    x = np.linspace(-1, 1, 9)
    assert np.array_equal(pav(x), x)
    assert np.array_equal(pav(x, np.linspace(0.1, 0.7, 9)), x)  # to the last digit
    assert np.allclose(pav(x[::-1]), 0)
    assert (pav([3.0]).tolist(), pav([2, 2, 2]).tolist()) == ([3.0], [2.0, 2.0, 2.0])
    assert pav(np.array([2.0, 1.0], dtype=np.float32)).dtype == np.float64
    fit = pav([7.6, 7.8999999999999995, 7.3], [2.2, 6.8, 6.8])  # the last two: 7.6 less a last digit
    assert np.all(np.diff(fit) >= 0)  # although rounding says otherwise
    assert np.allclose(fit, 7.6)
    y, w = np.array([3.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0])
    pav(y, w)
    isotonic(y, y, weights=w)
    assert (y.tolist(), w.tolist()) == ([3, 1, 2], [1, 2, 5])


@pytest.mark.claim("CAL-05")
@given(seeds)
def test_fit_maximises_the_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 15).astype(float)

    def log_likelihood(m: Array) -> float:
        with np.errstate(divide="ignore"):
            return float(np.sum(np.log(np.where(y == 1, m, 1 - m))))

    best = log_likelihood(pav(y))
    for _ in range(30):
        other = np.sort(np.clip(pav(y) + rng.normal(size=15) * rng.choice([0.01, 0.3]), 0, 1))
        assert log_likelihood(other) <= best + CLOSE


@pytest.mark.claim("CAL-04")
@given(seeds)
def test_function_of_the_score_is_that_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    score, y, w = rng.normal(size=30).round(1), rng.integers(0, 2, 30), rng.uniform(0.5, 2, 30)
    fit, new = isotonic(score, y, weights=w), rng.normal(size=50)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(score, y, sample_weight=w)
    assert np.allclose(fit(new), theirs.predict(new))
    assert np.allclose(fit(score), fit.step(score))  # both are the fit at the scores
    assert np.all(np.diff(fit.step(np.sort(new))) >= 0)


def test_equal_scores_have_one_value_in_any_order_and_knots_are_the_ends_of_blocks() -> None:
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        fit = isotonic(np.array([1.0, 1.0, 2.0, 2.0])[order], np.array([0, 1, 1, 1])[order])
        assert fit([1.0, 1.5, 2.0]).tolist() == [0.5, 0.75, 1.0]
        assert fit.step([1.4, 1.6]).tolist() == [0.5, 1.0]
    fit = isotonic(np.arange(10), [0, 0, 0, 0, 1, 0, 1, 1, 1, 1])
    assert (fit.knots.tolist(), fit.n_blocks) == ([0, 3, 4, 5, 6, 9], 3)
    assert fit.values.tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert isotonic([3.0, 3.0], [1, 0])([0.0, 3.0]).tolist() == [0.5, 0.5]
    flat = isotonic([1.0, 2.0], [1, 0])
    assert (flat.n_blocks, flat([0.0]).tolist()) == (1, [0.5])


@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
def test_prior_keeps_away_from_certainty_and_adds_to_two_counts(prior: float) -> None:
    score, y = np.arange(12.0), np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1])
    fit = isotonic(score, y, prior=prior)
    assert fit.values[[0, -1]] == pytest.approx([prior / (4 + prior), 6 / (6 + prior)])
    assert np.all(np.diff(fit.values) >= 0)


def test_prior_has_the_unit_of_the_weights_and_scores_may_be_neighbours_or_huge() -> None:
    for unit in (1e-200, 1e-150, 1.0, 1e150):
        fit = isotonic([1, 2, 3, 4], [0, 0, 1, 1], weights=np.full(4, unit), prior=unit)
        assert fit.values == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert isotonic([1, 2], [-1, 1]).values.tolist() == [-1, 1]  # without one any values will do
    near = [1.0, np.nextafter(1.0, 2.0)], [0.0, 5e-324], [-1e-323, -5e-324]
    for s in (*near, [-1e308, 1e308], [0.0, 1e-310, 1.0], [-1e308, 0.0, 1e308]):
        y = np.linspace(0, 1, len(s))
        fit = isotonic(s, y)
        assert fit(s).tolist() == fit.step(s).tolist() == y.tolist()
    assert isotonic([-1e308, 1e308], [0, 1])([-5e307, 0.0, 5e307]).tolist() == [0.25, 0.5, 0.75]
    assert isotonic([0.0, 1e-310], [0, 1])([5e-311]) == pytest.approx([0.5])
    tied = isotonic([1, 1, 2, 3], [1e308, 1e308, 1.2e308, -1.7e308])
    assert tied([1.0, 2.0]) == pytest.approx(np.full(2, 0.375e308))
    assert isotonic([1, 2], [-1.7e308, 1.7e308])([1.5]).tolist() == [0]


@given(seeds)
def test_values_never_fall_between_the_scores(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fit = isotonic(rng.normal(size=20), rng.normal(size=20))
    dense = np.sort([*rng.normal(size=200), *fit.knots])
    assert np.all(np.diff(fit(dense)) >= 0)
    assert np.allclose(fit(dense), np.interp(dense, fit.knots, fit.values))


def test_unsafe_values_take_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isotonic, "SAFE_SQUARES", (0.0, 0.0))
    assert (pav([1.0, 3.0, 1.0, 4.0]).tolist(), pav([0.0, 0.0]).tolist()) == ([1, 2, 2, 4], [0, 0])
    assert isinstance(isotonic([1, 2], [0, 1]), MonotoneFit)
