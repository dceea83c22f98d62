"""Weak duality, the dual by brute force, and the largest penalty."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from lecturekit._typing import Array
from lecturekit.penalized import dual_point, dual_value, lam_max, penalized_objective
from lecturekit.penalized._penalties import certificate, residual_sums
from tests.support.penalty_oracles import ROUNDING, centred, objective, problem, seeds, violation

BRUTE = 1e-6  # relative: a search of minima, one weight at a time

ratios = st.sampled_from([0.01, 0.5, 0.9, 1.0])
tasks = st.sampled_from([0, 1, 3])
truths = st.booleans()
small = settings(max_examples=15)  # each example searches some minima


def weights_for(seed: int, X: Array, y: Array) -> Array:
    """Draw weights, about half of them (or of the rows) zero."""
    rng, d = np.random.default_rng(seed + 1), X.shape[1]
    return rng.normal(size=(d, *y.shape[1:])) * (rng.random((d,) + (1,) * (y.ndim - 1)) < 0.5)


@small
@given(seed=seeds, k=tasks, l1_ratio=st.floats(0, 1), intercept=truths)
def test_objective_is_the_formula(seed: int, k: int, l1_ratio: float, intercept: bool) -> None:
    X, y = problem(seed, k=k)
    w = weights_for(seed, X, y)
    ours = penalized_objective(w, X, y, 0.3, l1_ratio, fit_intercept=intercept)
    assert ours == pytest.approx(objective(w, X, y, 0.3, l1_ratio, intercept))


@given(seed=seeds, k=tasks, l1_ratio=st.floats(0, 1), intercept=truths, size=st.floats(0, 3))
def test_weak_duality(seed: int, k: int, l1_ratio: float, intercept: bool, size: float) -> None:
    X, y = problem(seed, k=k)
    w = weights_for(seed, X, y)
    u = size * np.random.default_rng(seed + 2).normal(size=y.shape)
    Z, v = centred(X, u, intercept)
    largest = np.max(np.linalg.norm((Z.T @ v / len(X)).reshape(6, -1), axis=1))
    u = u * min(1.0, 0.3 * l1_ratio / largest) if largest > 0 and seed % 2 else u  # feasible, or any
    own = {"fit_intercept": intercept}
    assert dual_value(u, X, y, 0.3, l1_ratio, **own) <= penalized_objective(w, X, y, 0.3, l1_ratio, **own)


@small
@given(seed=seeds, l1_ratio=st.sampled_from([0.0, 0.5, 0.9]), intercept=truths)
def test_dual_value_is_the_minimum_of_the_lagrangian(seed: int, l1_ratio: float, intercept: bool) -> None:
    X, y = problem(seed)
    Z, v = centred(X, y, intercept)
    rng = np.random.default_rng(seed + 3)
    u, lam = rng.normal(size=len(y)), 0.3
    u = u - u.mean() if intercept else u
    value = float(u @ v - u @ u / 2) / len(u)
    for c in Z.T @ u / len(u):  # minimise Omega(w) - <Xw, u> / n, one weight after the other

        def term(w: float, c: float = float(c)) -> float:
            return lam * (l1_ratio * abs(w) + (1 - l1_ratio) / 2 * w**2) - c * w

        value += min(0.0, minimize_scalar(term, bounds=(-200, 200), options={"xatol": 1e-9}).fun)
    assert dual_value(u, X, y, lam, l1_ratio, fit_intercept=intercept) == pytest.approx(value, rel=BRUTE)


def test_infeasible_points_bound_nothing() -> None:
    X, y = problem(3)
    u = dual_point(np.zeros(6), X, y, 0.1)
    assert dual_value(u, X, y, 0.1) > 0
    assert dual_value(1.001 * u, X, y, 0.1) == -np.inf
    assert dual_value(1.001 * u, X, y, 0.1, 0.99) > -np.inf
    assert dual_value(u + 5.0, X, y, 0.1) == pytest.approx(dual_value(u, X, y, 0.1))  # its mean is subtracted


@small
@given(seed=seeds, k=tasks, l1_ratio=ratios, intercept=truths)
def test_dual_point_is_feasible_and_no_higher(seed: int, k: int, l1_ratio: float, intercept: bool) -> None:
    X, y = problem(seed, k=k)
    w, own = weights_for(seed, X, y), {"fit_intercept": intercept}
    u = dual_point(w, X, y, 0.1, l1_ratio, **own)
    value = dual_value(u, X, y, 0.1, l1_ratio, **own)
    assert -np.inf < value <= penalized_objective(w, X, y, 0.1, l1_ratio, **own)
    if l1_ratio == 1:
        Z, v = centred(X, u, intercept)
        products = np.linalg.norm((Z.T @ v).reshape(6, -1), axis=1)
        assert products.max() <= len(X) * 0.1 * (1 + ROUNDING)
        others = [dual_value(s * u, X, y, 0.1, **own) for s in np.linspace(-1.5, 1.5, 31)]
        assert value >= max(others) - ROUNDING * abs(value)  # the best multiple of the residual


@small
@given(seed=seeds, k=tasks, l1_ratio=ratios)
def test_certificate_is_what_the_public_functions_say(seed: int, k: int, l1_ratio: float) -> None:
    X, y = problem(seed, k=k)
    w = weights_for(seed, X, y)
    Z, v = centred(X, y, True)
    R = v - Z @ w
    primal, dual, s = certificate(
        w, Z.T @ R / len(X), *residual_sums(R, v), 0.1 * l1_ratio, 0.1 * (1 - l1_ratio)
    )
    u = dual_point(w, X, y, 0.1, l1_ratio)
    assert np.allclose(u, s * R)
    assert primal == pytest.approx(penalized_objective(w, X, y, 0.1, l1_ratio))
    assert dual == pytest.approx(dual_value(u, X, y, 0.1, l1_ratio), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
def test_residual_of_zero_has_a_dual_point(l1_ratio: float) -> None:
    X, w = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 4.0]]), np.array([1.0, -2.0])
    assert not np.any(dual_point(w, X, X @ w, 0.1, l1_ratio, fit_intercept=False))
    assert not np.any(dual_point([0.0, 0.0], X, np.ones(3), 0.1, l1_ratio))
    assert dual_value(np.zeros(3), X, np.ones(3), 0.1, l1_ratio) == 0.0


@small
@given(seed=seeds, k=tasks, l1_ratio=ratios, intercept=truths)
def test_zero_is_optimal_from_lam_max_on(seed: int, k: int, l1_ratio: float, intercept: bool) -> None:
    X, y = problem(seed, k=k)
    own = {"fit_intercept": intercept}
    zero, top = np.zeros((6, *y.shape[1:])), lam_max(X, y, l1_ratio, **own)
    Z, v = centred(X, y, intercept)
    products = np.linalg.norm((Z.T @ v).reshape(6, -1), axis=1)
    assert top == pytest.approx(products.max() / len(X) / l1_ratio)
    assert violation(zero, X, y, top * (1 + 1e-12), l1_ratio, intercept) == 0
    assert violation(zero, X, y, top * 0.999, l1_ratio, intercept) > 1e-4 * top * l1_ratio
