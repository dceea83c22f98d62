"""Leave-one-out in closed form against leaving one out."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, Ridge

from lecturekit import kernels
from lecturekit._typing import Array
from lecturekit.bias_variance import ridge_smoother
from lecturekit.protocols import loo_residuals, ols_loo, ridge_loo

seeds = st.integers(0, 10**6)


def draw(seed: int, n: int = 12, d: int = 3) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 4.0, rng.normal(size=n) + 2.0


def by_hand(X: Array, y: Array, learner: Any) -> Array:
    """Return what is left of each target by the predictor of the others: ``learner(X, y)`` predicts."""
    keep = ~np.eye(len(y), dtype=bool)
    return np.array([y[i] - learner(X[keep[i]], y[keep[i]])(X[i : i + 1])[0] for i in range(len(y))])


@pytest.mark.claim("EVAL-12")
@pytest.mark.parametrize("intercept", [True, False])
@given(seeds)
def test_least_squares(intercept: bool, seed: int) -> None:
    X, y = draw(seed)
    slow = by_hand(X, y, lambda A, b: LinearRegression(fit_intercept=intercept).fit(A, b).predict)
    assert np.allclose(ols_loo(X, y, fit_intercept=intercept), slow)
    assert np.allclose(loo_residuals(ridge_smoother(X, 0.0, fit_intercept=intercept), y), slow)
    assert np.allclose(ridge_loo(X, y, [0.0], fit_intercept=intercept)[0], slow)


@pytest.mark.parametrize("intercept", [True, False])
@given(seeds, st.sampled_from([(12, 3), (6, 8)]))
def test_ridge_for_all_penalties(intercept: bool, seed: int, shape: tuple[int, int]) -> None:
    X, y = draw(seed, *shape)
    lams = [0.01, 0.5, 20.0]
    for lam, found in zip(lams, ridge_loo(X, y, lams, fit_intercept=intercept), strict=True):
        peer = Ridge(lam * (len(y) - 1), fit_intercept=intercept)
        assert np.allclose(found, by_hand(X, y, lambda A, b, peer=peer: peer.fit(A, b).predict))


def test_dependent_columns_do_not_matter_and_points_that_are_all_equal_leave_the_mean() -> None:
    X, y = draw(1)
    assert np.allclose(ols_loo(np.column_stack([X, X[:, 0] - X[:, 1]]), y), ols_loo(X, y))
    assert np.allclose(ridge_loo(np.ones((3, 2)), [1.0, 2.0, 6.0], [1.0])[0], [-3.0, -1.5, 4.5])


@given(seeds)
def test_kernel_ridge_and_local_means(seed: int) -> None:
    X, y = draw(seed, 9, 2)
    k = kernels.RBF(0.3)
    K, lam = k(X), 0.7

    def ridge(A: Array, b: Array) -> Any:
        c = np.linalg.solve(k(A) + lam * np.eye(len(b)), b)
        return lambda Z: k(Z, A) @ c

    def local_mean(A: Array, b: Array) -> Any:
        return lambda Z: k(Z, A) @ b / k(Z, A).sum(axis=1)

    S = np.linalg.solve(K + lam * np.eye(9), K)
    assert np.allclose(loo_residuals(S, y), by_hand(X, y, ridge))
    assert np.allclose(loo_residuals(K / K.sum(axis=1, keepdims=True), y), by_hand(X, y, local_mean))


def test_a_weight_above_one_is_no_obstacle() -> None:
    """Nothing forbids it: the mean of the others, written with any weight s of the point itself."""
    y, s = np.array([1.0, 2.0, 6.0]), 1.5
    S = np.full((3, 3), (1 - s) / 2) + (s - (1 - s) / 2) * np.eye(3)
    assert np.allclose(loo_residuals(S, y), [-3.0, -1.5, 4.5])


def test_a_smoother_that_is_not_stable_is_not_covered() -> None:
    """Three nearest neighbours, the point itself among them: without it another point moves in."""
    X, y = draw(6, 9, 1)

    def nearest(A: Array, b: Array) -> Any:
        return lambda Z: b[np.argsort(np.abs(A[:, 0] - Z))[:, :3]].mean(axis=1)

    order = np.argsort(np.abs(X - X.T), axis=1)[:, :3]
    S = np.zeros((9, 9))
    np.put_along_axis(S, order, 1 / 3, axis=1)
    assert not np.allclose(loo_residuals(S, y), by_hand(X, y, nearest))
