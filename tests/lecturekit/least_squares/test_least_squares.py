"""Least squares against the theorems that define it, numpy's solver and scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad
from sklearn.linear_model import LinearRegression

from lecturekit._typing import Array
from lecturekit.least_squares import in_sample_error, ols, pseudo_inverse, squared_gradient, weighted_ls
from tests.support.oracles import responses

ROUTES = ("svd", "qr", "normal")
each_route = pytest.mark.parametrize("route", ROUTES)


def deficient(seed: int, n: int = 12, d: int = 5, rank: int = 3) -> Array:
    """Draw a matrix of the given rank."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)))


@given(seed=st.integers(0, 1000))
def test_error_is_the_mean_of_the_squares(seed: int) -> None:
    X, y = responses(seed, 7, 3)
    w = np.random.default_rng(seed).normal(size=3)
    by_hand = np.mean([(sum(w[j] * X[i, j] for j in range(3)) + 0.5 - y[i]) ** 2 for i in range(7)])
    assert np.isclose(in_sample_error(w, X, y, 0.5), by_hand)
    assert type(in_sample_error(w, X, y)) is float


@given(seed=st.integers(0, 1000), n=st.integers(1, 9), d=st.integers(1, 5))
def test_gradient(seed: int, n: int, d: int) -> None:
    X, y = responses(seed, n, d)
    w = np.random.default_rng(seed).normal(size=d)
    assert check_grad(in_sample_error, squared_gradient, w, X, y) < 1e-4
    step = 1e-3 * np.ones(d)  # a central difference is exact on a parabola
    slope = (in_sample_error(w + step, X, y) - in_sample_error(w - step, X, y)) / 2
    assert np.isclose(slope, squared_gradient(w, X, y) @ step)


@given(seed=st.integers(0, 1000), n=st.integers(1, 8), d=st.integers(1, 8), rank=st.integers(0, 8))
def test_pseudo_inverse_has_the_four_properties_of_penrose(seed: int, n: int, d: int, rank: int) -> None:
    X = deficient(seed, n, d, rank)
    P = pseudo_inverse(X)
    assert P.shape == (d, n)
    scale = np.linalg.norm(X) * np.linalg.norm(P)
    assert np.allclose(X @ P @ X, X, atol=1e-10 * scale * np.linalg.norm(X))
    assert np.allclose(P @ X @ P, P, atol=1e-10 * scale * np.linalg.norm(P))
    assert np.allclose(X @ P, (X @ P).T, atol=1e-10 * scale)
    assert np.allclose(P @ X, (P @ X).T, atol=1e-10 * scale)


@each_route
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("shape", [(30, 4), (5, 4), (4, 1), (1, 1), (3, 8)])
def test_equals_the_other_libraries(route: str, intercept: bool, shape: tuple[int, int]) -> None:
    X, y = responses(3, *shape)
    fit = ols(X, y, fit_intercept=intercept, route=route)  # type: ignore[arg-type]
    peer = LinearRegression(fit_intercept=intercept).fit(X, y)
    assert np.allclose(fit.w, peer.coef_, atol=1e-8)
    assert np.isclose(fit.b, peer.intercept_, atol=1e-8)
    if not intercept:
        w, _, rank, _ = np.linalg.lstsq(X, y)
        assert np.allclose(fit.w, w, atol=1e-8)
        assert fit.rank == rank
        assert fit.b == 0
    assert fit.rank == np.linalg.matrix_rank(np.column_stack([np.ones(len(X)), X])[:, 1 - intercept :])
    assert fit.unique == (fit.rank == shape[1] + intercept)
    assert np.allclose(fit.residuals, y - X @ fit.w - fit.b)


@each_route
@pytest.mark.parametrize("intercept", [False, True])
@given(seed=st.integers(0, 500))
def test_nothing_fits_better_and_nothing_as_good_is_shorter(route: str, intercept: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = deficient(seed), rng.normal(size=12)
    fit = ols(X, y, fit_intercept=intercept, route=route)  # type: ignore[arg-type]
    least = in_sample_error(fit.w, X, y, fit.b)
    assert fit.rank == 3 + intercept
    assert not fit.unique
    nudge = rng.normal(size=5)
    assert in_sample_error(fit.w + 0.1 * nudge, X, y, fit.b + 0.1 * intercept) >= least
    free = np.linalg.svd(X)[2][3:]  # directions that change no fitted value
    other = fit.w + free.T @ rng.normal(size=2)
    assert np.isclose(in_sample_error(other, X, y, fit.b), least)
    assert np.linalg.norm(other) > np.linalg.norm(fit.w)
    assert np.allclose(free @ fit.w, 0, atol=1e-8)


@each_route
def test_certificate(route: str) -> None:
    X, y = responses(4)
    fit = ols(X, y, route=route)  # type: ignore[arg-type]
    assert 0 <= fit.gap < 1e-11
    assert (fit.n_iter, fit.trace.tolist()) == (1, [fit.gap])
    A = np.column_stack([np.ones(30), X])
    gradient = squared_gradient(np.append(fit.b, fit.w), A, y)
    assert np.isclose(np.linalg.norm(gradient), fit.gap, atol=1e-12)


@pytest.mark.parametrize("intercept", [False, True])
def test_the_gap_is_the_gradient_of_the_weighted_problem(intercept: bool) -> None:
    X, y = responses(5, 200, 2)
    X = X * [1e6, 1.0]  # so large a column that the gradient is visible
    v = np.random.default_rng(5).uniform(0.5, 2, 200)
    fit = ols(X, y, weights=v, fit_intercept=intercept, route="normal")
    A = np.column_stack([np.ones(200), X])[:, 1 - intercept :]
    by_hand = 2 / 200 * A.T @ (v * fit.residuals)
    assert np.isclose(fit.gap, np.linalg.norm(by_hand), rtol=1e-6)


@each_route
def test_constant_columns_get_no_weight_whatever_the_points_weigh(route: str) -> None:
    X, y = responses(6)
    alone = ols(np.full((30, 1), 0.1), y, route=route)  # type: ignore[arg-type]
    assert alone.w.tolist() == [0.0]
    assert np.isclose(alone.b, y.mean())
    assert alone.rank == 1
    padded = ols(np.column_stack([X, np.full(30, 0.1)]), y, route=route)  # type: ignore[arg-type]
    assert np.allclose(padded.w, np.append(ols(X, y).w, 0), atol=1e-12)
    assert not padded.unique
    rng = np.random.default_rng(13)
    for _ in range(600):  # in one of a hundred the mean, taken off twice, leaves something
        v = rng.exponential(size=31)
        v[-1] = 0.0
        x = np.append(np.full(30, rng.random()), 5.0)  # constant where it counts
        fit = ols(x[:, None], rng.normal(size=31), weights=v, route=route)  # type: ignore[arg-type]
        assert (fit.w.tolist(), fit.rank) == ([0.0], 1)


@each_route
@pytest.mark.parametrize("n", range(2, 9))
def test_rank_of_few_points_far_from_the_origin(route: str, n: int) -> None:
    for seed in range(20):
        X, y = responses(seed, n, 9)
        fit = ols(X + 1e3, y, route=route)  # type: ignore[arg-type]
        assert fit.rank == n
        assert np.allclose(fit.residuals, 0, atol=1e-6)


def test_a_distant_mean_and_float32_cost_no_digits_but_by_the_normal_equations() -> None:
    X, y = responses(7)
    assert np.allclose(ols(X + 1e6, y).w, ols(X, y).w, rtol=1e-8)
    X, w = np.vander(np.linspace(0, 1, 20), 9), np.ones(9)
    fits = {route: ols(X, X @ w, fit_intercept=False, route=route) for route in ROUTES}  # type: ignore[arg-type]
    lost = {route: np.linalg.norm(fit.w - w) for route, fit in fits.items()}
    assert max(lost["svd"], lost["qr"]) < 1e-8 < lost["normal"]
    X, y = (a.astype(np.float32) for a in responses(8))
    copies = X.copy(), y.copy()
    assert np.array_equal(ols(X, y).w, ols(X.astype(np.float64), y.astype(np.float64)).w)
    assert np.array_equal(X, copies[0])
    assert np.array_equal(y, copies[1])


@each_route
@pytest.mark.parametrize("intercept", [False, True])
@given(seed=st.integers(0, 500))
def test_a_whole_weight_repeats_the_point(route: str, intercept: bool, seed: int) -> None:
    X, y = responses(seed, 12, 2)
    v = np.random.default_rng(seed).integers(0, 4, size=12)
    v[:4] = 1
    rows = np.repeat(np.arange(12), v)
    fit = ols(X, y, weights=v, fit_intercept=intercept, route=route)  # type: ignore[arg-type]
    repeated = ols(X[rows], y[rows], fit_intercept=intercept)
    assert np.allclose(fit.w, repeated.w, atol=1e-7)
    assert np.isclose(fit.b, repeated.b, atol=1e-7)
    assert len(fit.residuals) == 12


def test_weights_as_in_scikit_learn() -> None:
    X, y = responses(10)
    v = np.random.default_rng(10).exponential(size=30)
    fit = weighted_ls(X, y, v)
    peer = LinearRegression().fit(X, y, sample_weight=v)
    assert np.allclose(fit.w, peer.coef_)
    assert np.isclose(fit.b, peer.intercept_)
    assert np.allclose(weighted_ls(X, y, 1e-200 * v).w, fit.w)
    through = LinearRegression(fit_intercept=False).fit(X, y, sample_weight=v)
    assert np.allclose(weighted_ls(X, y, v, fit_intercept=False).w, through.coef_)
