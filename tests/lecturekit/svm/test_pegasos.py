"""Pegasos: the steps of the paper and the bound of the theorem."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from lecturekit import data, descent, svm
from lecturekit._typing import Array
from tests.support.oracles import box_dual

TWO = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])  # F(w) = lam/2 w^2 + max(0, 1 - w)


def two_point_minimum(lam: float) -> float:
    """Return the least value of lam/2 w^2 + max(0, 1 - w), which is at min(1, 1/lam)."""
    w = min(1.0, 1 / lam)
    return lam / 2 * w**2 + max(0.0, 1 - w)


def cloud(seed: int, n: int = 60) -> data.Sample:
    return data.two_gaussians(n, rng=seed)


def least(X: Array, y: Array, lam: float) -> float:
    """Return the least value of the objective, which is that of the dual without a bias."""
    return lam * box_dual(X @ X.T, y, np.full(len(y), 1 / (len(y) * lam)))


def test_subgradient_descent_keeps_the_best_point() -> None:
    X, y = cloud(1)
    lam = 0.05
    result = descent.subgradient_descent(
        lambda w: svm.hinge_objective(w, X, y, lam),
        lambda w: svm.hinge_subgradient(w, X, y, lam),
        np.zeros(2),
        step=descent.InverseStep(lam),
        n_iter=3000,
    )
    assert np.any(np.diff(result.trace) > 0)
    assert svm.hinge_objective(result.w, X, y, lam) == result.trace.min()
    assert -1e-9 <= result.trace.min() - least(X, y, lam) <= 0.01
    assert not result.converged


@given(seed=st.integers(0, 1000))
def test_hinge_subgradient(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = cloud(seed, 20)
    w, u, lam = rng.normal(size=2), rng.normal(size=2), 0.3
    g = svm.hinge_subgradient(w, X, y, lam)
    line = svm.hinge_objective(w, X, y, lam) + g @ (u - w) + lam / 2 * (u - w) @ (u - w)
    assert svm.hinge_objective(u, X, y, lam) >= line - 1e-12  # strongly convex
    if np.min(np.abs(y * (X @ w) - 1)) > 1e-3:  # no kink near: the gradient
        slope = approx_fprime(w, lambda v: svm.hinge_objective(v, X, y, lam), 1e-7)
        assert np.allclose(slope, g, atol=1e-5)


def literal_pegasos(X: Array, y: Array, lam: float, picks: Any, radius: float) -> tuple[Array, list[Array]]:
    """Run Pegasos as it is written in the paper and keep every point."""
    w: Array = np.zeros(X.shape[1])
    visited: list[Array] = []
    for t, i in enumerate(picks, start=1):
        visited.append(w)
        eta = 1 / (lam * t)
        w = w - eta * (lam * w - (y[i] * X[i] if y[i] * (w @ X[i]) < 1 else 0))
        w = w * min(1, radius / max(float(np.linalg.norm(w)), 1e-300))
    return w, visited


@pytest.mark.parametrize("project", [False, True])
def test_pegasos_takes_the_steps_of_the_paper(project: bool) -> None:
    X, y = cloud(2)
    lam, rng = 0.1, np.random.default_rng(5)
    picks = np.random.default_rng(5).integers(60, size=50)
    radius = 1 / np.sqrt(lam) if project else np.inf
    at = next(svm.pegasos_steps(X, y, lam, rng=rng, every=50, project=project))
    w, visited = literal_pegasos(X, y, lam, picks, radius)
    assert at.n_iter == 50
    assert np.allclose(at.w, w, atol=1e-12)
    assert np.allclose(at.mean, np.mean(visited, axis=0), atol=1e-12)


@pytest.mark.parametrize("average", [False, True])
def test_pegasos_returns_what_it_was_asked_for(average: bool) -> None:
    X, y = cloud(3)
    result = svm.pegasos(X, y, 0.1, rng=4, n_iter=150, average=average)
    for at in islice(svm.pegasos_steps(X, y, 0.1, rng=4), 150):
        wanted = at.mean if average else at.w
    assert np.allclose(result.w, wanted)
    assert result.n_iter == 150
    assert [n for n, _ in result.trace] == [60, 120, 150]
    assert result.objective == result.trace[-1][1] == svm.hinge_objective(result.w, X, y, 0.1)
    assert type(result.objective) is float


@pytest.mark.compiled
@pytest.mark.claim("DUAL-21")
@pytest.mark.parametrize("lam", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("n_iter", [10, 100, 1000])
def test_mean_error_is_below_the_bound(lam: float, n_iter: int) -> None:
    values = [svm.pegasos(*TWO, lam, rng=seed, n_iter=n_iter).objective for seed in range(50)]
    bound = 2 * (1 + np.log(n_iter)) / (lam * n_iter)  # R = 1
    error = np.mean(values) - two_point_minimum(lam)
    assert 0 <= error <= bound
