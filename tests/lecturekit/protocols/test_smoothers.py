"""Leave-one-out in closed form against leaving one out."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from lecturekit import kernels, penalized
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
    S = ridge_smoother(X, 0.0, fit_intercept=intercept)
    assert np.allclose(loo_residuals(S, y), slow)
    assert np.allclose(ridge_loo(X, y, [0.0], fit_intercept=intercept)[0], slow)


def test_least_squares_with_dependent_columns() -> None:
    X, y = draw(1)
    doubled = np.column_stack([X, X[:, 0] - X[:, 1]])
    assert np.allclose(ols_loo(doubled, y), ols_loo(X, y))


@pytest.mark.parametrize("intercept", [True, False])
@given(seeds, st.sampled_from([(12, 3), (6, 8)]))
def test_ridge_for_all_penalties(intercept: bool, seed: int, shape: tuple[int, int]) -> None:
    X, y = draw(seed, *shape)
    lams = [0.01, 0.5, 20.0]

    def learner(lam: float) -> Any:
        def fit(A: Array, b: Array) -> Any:
            found = penalized.ridge(A, b, lam, fit_intercept=intercept)
            return lambda Z: Z @ found.w + found.b

        return fit

    slow = np.array([by_hand(X, y, learner(lam)) for lam in lams])
    assert np.allclose(ridge_loo(X, y, lams, fit_intercept=intercept), slow)


def test_the_penalty_of_fewer_observations_counts() -> None:
    X, y = draw(3)
    n = len(y)
    wrong = loo_residuals(ridge_smoother(X, 0.5), y)  # n times lam, where n - 1 are left
    assert not np.allclose(wrong, ridge_loo(X, y, [0.5])[0], rtol=1e-3)
    assert np.allclose(loo_residuals(ridge_smoother(X, 0.5 * (n - 1) / n), y), ridge_loo(X, y, [0.5])[0])


def test_points_that_are_all_equal_leave_the_mean() -> None:
    y = np.array([1.0, 2.0, 6.0])
    assert np.allclose(ridge_loo(np.ones((3, 2)), y, [1.0])[0], [-3.0, -1.5, 4.5])


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
