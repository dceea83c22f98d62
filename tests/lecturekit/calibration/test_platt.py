"""Platt's scaling: finite differences, other minimisers, theorems on sign and existence, extreme scores."""

from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, check_grad, minimize

from lecturekit._typing import Array
from lecturekit.calibration import platt, platt_gradient, platt_loss, platt_steps, platt_targets
from lecturekit.logistic import logistic

seeds = st.integers(0, 10**6)


def scores(seed: int, n: int = 40) -> tuple[Array, Array]:
    """Draw scores of two overlapping classes, both of which occur."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < rng.uniform(0.1, 0.9), 1, -1)
    y[:2] = 1, -1
    return rng.normal(size=n) + rng.uniform(-1, 2) * y, y


@given(seeds)
def test_gradient_is_the_derivative(seed: int) -> None:
    rng = np.random.default_rng(seed)
    score, t, v = rng.normal(size=9), rng.random(9), rng.normal(size=2)
    assert check_grad(platt_loss, platt_gradient, v, score, t) < 1e-6


def test_loss_is_the_cross_entropy_and_targets_are_the_rule_of_succession() -> None:
    score, t, (A, B) = np.array([-1.0, 0.5, 2.0]), np.array([0.0, 0.3, 1.0]), (-2.0, 0.7)
    p = 1 / (1 + np.exp(A * score + B))
    assert platt_loss([A, B], score, t) == pytest.approx(-np.mean(t * np.log(p) + (1 - t) * np.log(1 - p)))
    assert np.isfinite(platt_loss([-1e6, 0.0], score, t))
    assert platt_targets([1, -1, 1, 1, -1]).tolist() == [4 / 5, 1 / 4, 4 / 5, 4 / 5, 1 / 4]
    assert platt_targets([1, 0]).tolist() == [2 / 3, 1 / 3]


@pytest.mark.claim("CAL-02")
@given(seeds, st.booleans())
def test_minimum_is_the_one_of_other_methods(seed: int, smooth: bool) -> None:
    score, y = scores(seed)
    t = platt_targets(y) if smooth else (y == 1).astype(float)
    if not smooth and (score[y > 0].min() >= score[y < 0].max()):
        return
    fit = platt(score, y, smooth=smooth)
    assert fit.converged
    assert np.max(np.abs(platt_gradient([fit.A, fit.B], score, t))) < 1e-8
    there = minimize(platt_loss, [0.0, 0.0], (score, t), jac=platt_gradient, method="BFGS")
    assert platt_loss([fit.A, fit.B], score, t) <= there.fun + 1e-14
    assert np.allclose([fit.A, fit.B], there.x, atol=2e-2, rtol=2e-2)


@pytest.mark.claim("CAL-02")
def test_known_curve_is_recovered() -> None:
    rng = np.random.default_rng(0)
    score = rng.uniform(-3, 3, 200_000)
    fit = platt(score, np.where(rng.random(len(score)) < 1 / (1 + np.exp(-1.7 * score + 0.6)), 1, -1))
    assert np.allclose([fit.A, fit.B], [-1.7, 0.6], atol=0.03)


@given(seeds)
def test_without_smoothing_it_is_logistic_regression_and_the_slope_has_its_sign(seed: int) -> None:
    score, y = scores(seed)
    if score[y > 0].min() >= score[y < 0].max() or score[y < 0].min() >= score[y > 0].max():
        return
    fit, theirs = platt(score, y, smooth=False), logistic(score[:, None], y)
    assert np.allclose([-fit.A, -fit.B], [theirs.w[0], theirs.b], rtol=1e-6, atol=1e-6)
    score, y = scores(seed)
    assert np.sign(platt(score, y).A) == np.sign(score[y < 0].mean() - score[y > 0].mean())


@pytest.mark.claim("CAL-02")
@pytest.mark.parametrize("n", [1, 10, 1000])
def test_separated_scores_have_a_finite_fit(n: int) -> None:
    fit = platt(np.repeat([-1.0, 1.0], n), np.repeat([-1, 1], n))  # the curve can meet both targets
    assert fit([-1.0, 1.0]) == pytest.approx([1 / (n + 2), (n + 1) / (n + 2)])


@given(seeds, st.sampled_from([1e-200, 1e-9, 1.0, 1e9, 1e150]), st.sampled_from([0.0, 100.0]))
def test_probabilities_do_not_depend_on_the_scale(seed: int, scale: float, shift: float) -> None:
    score, y = scores(seed)
    moved = scale * (score + shift)
    assert np.allclose(platt(moved, y)(moved), platt(score, y)(score), atol=1e-7)


def test_one_score_far_out_does_not_stop_it_and_a_constant_one_gives_the_mean() -> None:
    score, y = scores(4, 200)
    score[0] = -1e6  # a positive
    fit = platt(score, y)
    assert fit.converged
    t = platt_targets(y)
    best = minimize(platt_loss, [0.0, 0.0], (score, t), method="Nelder-Mead", options={"xatol": 1e-12}).fun
    assert platt_loss([fit.A, fit.B], score, t) <= best + 1e-9
    for value in (0.0, 0.1, 1e9):
        fit = platt(np.full(4, value), [1, 1, 1, -1])
        assert fit.A == 0
        assert fit([value, 5.0]) == pytest.approx([(3 * 0.8 + 1 / 3) / 4] * 2)
        assert fit.converged
    assert platt([2.0, 2.0, 2.0], [1, 1, -1], smooth=False)([2.0]) == pytest.approx([2 / 3])


@pytest.mark.parametrize("score", [[0.0, 5e-324], [0.0, 9e-301], [1e308, -1e308], [1.5e308, 1.7e308]])
def test_scores_out_of_reach_are_refused(score: list[float]) -> None:
    with pytest.raises(ValueError, match="multiply the scores by a number"):
        platt(score, [1, -1])
    assert platt([1e308, 1e308], [1, -1])([1e308]).tolist() == [0.5]  # constant: no slope to learn
    assert platt([0.0, 1e300], [1, -1])([0.0, 1e300]) == pytest.approx([2 / 3, 1 / 3])


def test_as_low_as_rounding_allows_is_converged() -> None:
    for seed in (1, 2, 7):  # scores over twenty orders of magnitude
        rng = np.random.default_rng(seed)
        x = rng.standard_t(5, size=25)
        y = np.where(rng.random(25) < 0.5, 1, -1)
        y[:2] = 1, -1
        fit = platt(np.sinh(50 * x / np.abs(x).max()), y, smooth=False)
        assert fit.converged
        assert 1e-20 < fit.gap < 1e-15


@given(seeds)
def test_loss_falls_and_steps_end(seed: int) -> None:
    score, y = scores(seed)
    steps = list(islice(platt_steps(score, y), 100))
    assert len(steps) < 30
    assert [one.n_iter for one in steps] == list(range(len(steps)))
    assert all(b.loss <= a.loss + 1e-15 for a, b in pairwise(steps))
    assert all(one.loss - steps[-1].loss <= 2 * one.gap + 1e-14 for one in steps[-2:])


def test_full_steps_would_go_too_far_and_tolerance_and_most_steps_end_them() -> None:
    score, y = np.sinh(np.linspace(-5, 3, 60)), np.where(np.arange(60) < 2, -1, 1)
    t = platt_targets(y)
    steps = list(islice(platt_steps(score, y), 60))
    assert all(b.loss <= a.loss + 1e-15 for a, b in pairwise(steps))
    v, losses = np.array([steps[0].A, steps[0].B]), []
    for _ in range(6):
        losses.append(platt_loss(v, score, t))
        hessian = approx_fprime(v, platt_gradient, 1e-7, score, t)
        v = v - np.linalg.solve(hessian, platt_gradient(v, score, t))
    assert losses[-1] > 1 > losses[0] > steps[-1].loss
    score, y = scores(1)
    few = platt(score, y, max_iter=1)
    assert (few.n_iter, few.converged, len(few.trace)) == (1, False, 2)
    loose = platt(score, y, tol=1e-3)
    assert loose.gap <= 1e-3 < loose.trace[-2]
    assert "trace" not in repr(loose)
