"""The dual's objectives and certificates against brute force, weak duality and the KKT conditions."""

from collections.abc import Iterator
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import svm
from lecturekit._typing import Array
from lecturekit.svm import Iterate, smo
from lecturekit.svm._dual import solve
from tests.support.oracles import feasible, gram, overlapping

ROUNDING = 1e-12  # relative: sums of a few dozen products, each right to 1e-16
SOLVED = 1e-9  # the residual to which small problems are solved exactly
FROM_SOLVED = 1e-6  # multipliers and scores follow from a residual of 1e-9 with a condition number below 1e3

TWO = np.array([-1.0, 1.0])
seeds = st.integers(0, 10**6)


def draw(seed: int, n: int = 12) -> tuple[Array, Array, Array, Array]:
    """Return a random problem (K, y, C) and a feasible point of it."""
    rng = np.random.default_rng(seed)
    X, y = overlapping(seed, n)
    C = rng.uniform(0.1, 3.0, n)
    return gram(X), y, C, feasible(y, C, rng)


def scores(K: Array, alpha: Array, y: Array) -> Array:
    return np.asarray(K @ (alpha * y))


# -- objectives ----------------------------------------------------------------------------------------------


@pytest.mark.claim("SOLV-01")
@given(seed=seeds)
def test_dual_objective_is_the_double_sum(seed: int) -> None:
    K, y, _, alpha = draw(seed, 6)
    n = range(6)
    double = sum(alpha[i] * alpha[j] * y[i] * y[j] * K[i, j] for i in n for j in n)
    assert np.isclose(svm.dual_objective(alpha, scores(K, alpha, y), y), sum(alpha) - double / 2)


@given(seed=seeds, b=st.floats(-3, 3))
def test_primal_objective_is_that_of_the_weights(seed: int, b: float) -> None:
    X, y = overlapping(seed, 10)
    rng = np.random.default_rng(seed)
    alpha, C = rng.uniform(0, 1, 10), rng.uniform(0.1, 2, 10)
    w = X.T @ (alpha * y)
    wanted = w @ w / 2 + sum(c * max(0.0, 1 - s * (w @ x + b)) for x, s, c in zip(X, y, C, strict=True))
    assert np.isclose(svm.primal_objective(alpha, X @ w, y, C, b), wanted)


@pytest.mark.claim("DUAL-24")
@given(seed=seeds, b=st.floats(-5, 5))
def test_weak_duality_for_every_bias_at_every_feasible_point(seed: int, b: float) -> None:
    K, y, C, alpha = draw(seed)
    f, other = scores(K, alpha, y), feasible(y, C, np.random.default_rng(seed + 1))
    dual = svm.dual_objective(alpha, f, y)
    assert svm.duality_gap(alpha, f, y, C, b) == svm.primal_objective(alpha, f, y, C, b) - dual
    assert svm.duality_gap(alpha, f, y, C) == svm.duality_gap(alpha, f, y, C, 0.0)
    for any_alpha in (alpha, other):  # any dual value is below any primal value
        primal = svm.primal_objective(any_alpha, scores(K, any_alpha, y), y, C, b)
        assert dual <= primal + ROUNDING * np.sum(C)


# -- residuals -----------------------------------------------------------------------------------------------


@pytest.mark.claim("DUAL-30")
@given(seed=seeds)
def test_kkt_residual_is_the_steepest_pair(seed: int) -> None:
    K, y, C, alpha = draw(seed)
    f, dual = scores(K, alpha, y), svm.dual_objective(alpha, scores(K, alpha, y), y)
    t = 1e-6  # a difference quotient of a quadratic is off by t times its curvature, which is at most 4
    slopes, quotients = [0.0], [0.0]
    for i in range(len(y)):
        for j in range(len(y)):
            rises = alpha[i] < C[i] if y[i] > 0 else alpha[i] > 0
            falls = alpha[j] > 0 if y[j] > 0 else alpha[j] < C[j]
            if rises and falls:
                slopes.append((y[i] - f[i]) - (y[j] - f[j]))
            moved = alpha.copy()
            moved[i] += t * y[i]
            moved[j] -= t * y[j]
            if i != j and np.all((moved >= 0) & (moved <= C)):
                quotients.append((svm.dual_objective(moved, scores(K, moved, y), y) - dual) / t)
    assert np.isclose(svm.kkt_residual(alpha, f, y, C), max(slopes), rtol=ROUNDING)
    assert abs(svm.kkt_residual(alpha, f, y, C) - max(quotients)) <= 1e-4


@given(seed=seeds)
def test_box_residual_is_the_steepest_admissible_coordinate(seed: int) -> None:
    K, y, C, alpha = draw(seed)
    f = scores(K, alpha, y)
    slopes = [0.0]
    for i in range(len(y)):
        slope = 1 - y[i] * f[i]
        if (slope > 0 and alpha[i] < C[i]) or (slope < 0 and alpha[i] > 0):
            slopes.append(abs(slope))
    assert svm.box_residual(alpha, f, y, C) == max(slopes)


@pytest.mark.claim("DUAL-29")
@given(seed=seeds)
def test_residual_zero_means_gap_zero(seed: int) -> None:
    K, y, C, _ = draw(seed)
    found = smo(K, y, C, tol=SOLVED)
    assert svm.kkt_residual(found.alpha, found.f, y, C) <= SOLVED, "smo must stop on the residual"
    # every point fails by at most the residual times its cost
    assert found.gap <= SOLVED * np.sum(C)


# -- the bias ------------------------------------------------------------------------------------------------


@pytest.mark.claim("SOLV-07")
@given(seed=seeds, C=st.sampled_from([0.05, 0.3, 1.0, 20.0]))
def test_biases_of_the_interval_minimise_the_primal(seed: int, C: float) -> None:
    X, y = overlapping(seed, 12)
    found = smo(gram(X), y, C, tol=SOLVED)
    lower, upper = found.b_interval
    grid = np.linspace(-4, 4, 81)
    values = [svm.primal_objective(found.alpha, found.f, y, C, b) for b in grid]
    assert found.primal <= min(values) + FROM_SOLVED
    for b in np.linspace(lower, upper, 5):
        assert np.isclose(svm.primal_objective(found.alpha, found.f, y, C, b), found.primal, atol=FROM_SOLVED)
    for b in (min(lower, upper) - 0.1, max(lower, upper) + 0.1):  # and no other does
        assert svm.primal_objective(found.alpha, found.f, y, C, b) > found.primal + FROM_SOLVED


@pytest.mark.claim("DUAL-31")
def test_free_support_vectors_agree_on_the_bias_and_bound_ones_do_not() -> None:
    X, y = overlapping(0, 60)
    found = smo(X @ X.T, y, 0.1, tol=SOLVED)
    free = (found.alpha > 0) & (found.alpha < 0.1)
    bound = found.alpha == 0.1
    assert np.allclose((y - found.f)[free], found.b, atol=FROM_SOLVED)
    assert np.max(np.abs((y - found.f)[bound] - found.b)) > 1
    assert not np.isclose(np.mean((y - found.f)[found.alpha > 0]), found.b, atol=0.01)


@pytest.mark.parametrize(
    ("alpha", "f", "y", "C", "b"),
    [
        ([0.25, 0.25], [-0.5, 0.7], [-1, 1], 0.25, -0.1),  # none is free: the middle of the interval
        ([0, 0.5, 0.25, 1], [9, 0.5, -0.75, 9], [1, 1, -1, -1], 1.0, 0.125),  # the mean over the free ones
        ([0, 0], [0, 0.5], [1, 1], 1.0, 1.0),  # one class: its only bound
        ([0, 0], [0, 0.5], [-1, -1], 1.0, -1.5),
    ],
)
def test_bias_by_hand(alpha: Any, f: Any, y: Any, C: float, b: float) -> None:
    assert np.isclose(svm.bias(alpha, f, y, C), b, rtol=ROUNDING)


# -- costs ---------------------------------------------------------------------------------------------------


def test_costs_are_one_a_point() -> None:
    y, C = np.array([-1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])
    assert svm.costs(2, y).tolist() == [2, 2, 2]
    svm.costs(C, y)[0] = 9.0
    assert svm.costs(C, y).tolist() == [1, 2, 3]  # the first were a copy
    assert svm.costs(2.0, y, {-1: 3.0}).tolist() == [6, 2, 2]
    assert svm.costs(2.0, y, {1: 5.0}).tolist() == [2, 10, 10]
    assert svm.costs([1.0, 2.0, 3.0], y, {-1: 2.0, 1: 10.0}).tolist() == [2, 20, 30]


@given(y=hnp.arrays(np.float64, st.integers(2, 20), elements=st.sampled_from([-1.0, 1.0])))
def test_balanced_classes_weigh_the_same(y: Array) -> None:
    C = svm.costs(1.5, y, "balanced")
    sums = {float(np.sum(C[y == sign]).round(9)) for sign in np.unique(y)}
    assert sums == {round(1.5 * len(y) / 2, 9)}


# -- the driver ----------------------------------------------------------------------------------------------


def fake_steps(violations: list[float], w: Array | None = None) -> Iterator[Iterate]:
    """Yield iterates with the given violations, ten steps apart, all in the same array."""
    alpha = np.zeros(2)
    same: Any = {"alpha": alpha, "scores": lambda: alpha * TWO, "w": w}
    for k, violation in enumerate(violations):
        alpha += 0.1
        yield Iterate(n_iter=10 * k, kernel_values=7 * k, dual=float(k), violation=violation, **same)


def drive(violations: list[float], max_iter: int = 1000, **options: Any) -> svm.SVMDual:
    return solve(fake_steps(violations), TWO, np.ones(2), tol=1e-3, max_iter=max_iter, **options)


def test_driver_stops_at_the_tolerance_or_at_the_last_step_and_says_which() -> None:
    seen: list[float] = []
    found = drive([2.0, 0.1, 1e-3, 0.0], with_bias=False, callback=lambda at: seen.append(at.violation))
    assert seen == [2.0, 0.1, 1e-3]
    assert (found.converged, found.violation, found.n_iter, found.w) == (True, 1e-3, 20, None)
    assert (found.b, found.b_interval) == (0.0, (0.0, 0.0))
    assert found.trace == ((0, 0, 0.0, 2.0), (10, 7, 1.0, 0.1), (20, 14, 2.0, 1e-3))
    assert np.allclose(found.alpha, 0.3)
    cut = drive([2.0, 0.5, 0.1, 0.0], max_iter=10)
    assert (cut.converged, cut.n_iter, cut.violation) == (False, 10, 0.5)
    assert not drive([2.0, 0.5]).converged  # a solver that ends by itself


def test_driver_keeps_copies_and_computes_the_certificate() -> None:
    w = np.ones(3)
    steps = fake_steps([2.0, 0.0], w)
    found = solve(steps, TWO, np.ones(2), tol=1e-3, max_iter=5000)
    w[0] = 9.0
    assert found.w is not None
    assert found.w.tolist() == [1, 1, 1]
    assert np.isclose(found.b, svm.bias(found.alpha, found.f, TWO, 1.0))
    assert found.b_interval == svm.bias_interval(found.alpha, found.f, TWO, 1.0)
    assert found.primal == svm.primal_objective(found.alpha, found.f, TWO, 1.0, found.b)
    assert found.gap == found.primal - found.dual
    assert found.support.tolist() == [0, 1]


def test_progress_goes_to_stderr_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    drive([2.0, 0.0])
    assert capsys.readouterr() == ("", "")
    drive([2.0, 0.0], verbose=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "violation=0.00e+00" in err
    assert "10 steps" in err
