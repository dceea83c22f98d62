"""Batched fits against a loop of library calls, the smoother against scikit-learn and the trace theorem."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Chebyshev
from numpy.polynomial.chebyshev import chebvander
from scipy.interpolate import BarycentricInterpolator
from sklearn.linear_model import LinearRegression, Ridge

from lecturekit import bias_variance
from lecturekit._typing import Array
from lecturekit.bias_variance import polynomial_draws, polynomial_fits, ridge_smoother

CLOSE = 1e-9  # relative to the largest prediction of a set: condition numbers up to 1e5 times rounding
SEEDS = st.integers(0, 10**6)
GRID = np.linspace(-1, 1, 9)


def looped(X: Array, y: Array, degree: int, at: Array) -> Array:
    """Fit one data set after the other by the SVD."""
    return np.array([Chebyshev.fit(*pair, degree, domain=[-1, 1])(at) for pair in zip(X, y, strict=True)])


def same(one: Array, other: Array) -> bool:
    """Whether predictions agree, each set relative to its largest."""
    return bool(np.all(np.abs(one - other) <= CLOSE * np.abs(other).max(axis=1, keepdims=True)))


def data_sets(seed: int, n: int, n_sets: int = 12) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n_sets, n))
    return X, np.sin(np.pi * X) + 0.3 * rng.standard_normal(X.shape)


@settings(max_examples=25)
@given(seed=SEEDS, degree=st.integers(0, 8), spare=st.integers(2, 30))
def test_batched_fits_are_those_of_a_loop_in_any_chunks(seed: int, degree: int, spare: int) -> None:
    X, y = data_sets(seed, degree + 1 + spare)
    for chunk in (1, 5, 12, 100):
        assert same(polynomial_fits(X, y, degree, GRID, chunk=chunk), looped(X, y, degree, GRID))


def test_few_points_are_interpolated_with_the_shortest_coefficients() -> None:
    X, y = data_sets(1, 3)
    at_inputs = np.array([polynomial_fits(X[k : k + 1], y[k : k + 1], 6, X[k])[0] for k in range(len(X))])
    assert np.allclose(at_inputs, y)
    shortest = np.array([np.linalg.pinv(chebvander(x, 6)) @ t for x, t in zip(X, y, strict=True)])
    assert np.allclose(polynomial_fits(X, y, 6, GRID), shortest @ chebvander(GRID, 6).T)


def test_repeated_points_are_noticed_and_nearly_equal_ones_keep_their_digits() -> None:
    X, y = data_sets(2, 30)
    X[3] = np.where(np.arange(30) < 15, -0.5, 0.25)  # two places, four coefficients
    X[5] = 0.1  # one place: an exactly singular matrix
    y[3] = X[3]  # no residual gives it away
    fits = polynomial_fits(X, y, 3, GRID)
    for k in (3, 5):
        coef = np.linalg.pinv(chebvander(X[k], 3)) @ y[k]
        assert np.allclose(fits[k], chebvander(GRID, 3) @ coef)
    others = np.delete(np.arange(len(X)), [3, 5])
    assert same(fits[others], looped(X[others], y[others], 3, GRID))
    X, y = np.array([[0.3, 0.3 + 1e-7, -0.5, 0.7]]), np.array([[1.0, -1.0, 0.0, 2.0]])
    exact = BarycentricInterpolator(X[0], y[0])(GRID)
    assert np.allclose(polynomial_fits(X, y, 3, GRID), exact, rtol=1e-7)  # half the digits of 1e-7 remain


def test_draws_are_data_sets_and_their_fits_and_a_seed_repeats_them() -> None:
    draws = list(polynomial_draws(np.exp, 7, 2, n_sets=450, rng=0, sigma=0.5))
    assert [draw.X.shape for draw in draws] == [(200, 7), (200, 7), (50, 7)]
    assert [draw.coef.shape[0] for draw in draws] == [200, 200, 50]
    for draw in draws:
        assert np.all(np.abs(draw.X) <= 1)
        assert same(draw.fits(GRID), looped(draw.X, draw.y, 2, GRID))
        inside = np.array([Chebyshev(c)(x) for c, x in zip(draw.coef, draw.X, strict=True)])
        assert np.allclose(draw.residuals(), draw.y - inside)
    noise = np.concatenate([draw.y - np.exp(draw.X) for draw in draws])
    assert (noise.std(), noise.mean()) == (pytest.approx(0.5, abs=0.03), pytest.approx(0, abs=0.04))
    one, other = (list(polynomial_draws(np.exp, 5, 1, n_sets=300, rng=4)) for _ in range(2))
    assert all(np.array_equal(a.coef, b.coef) for a, b in zip(one, other, strict=True))
    assert all(np.array_equal(draw.y, np.exp(draw.X)) for draw in one)  # without noise labels are exact


@settings(max_examples=25)
@given(seed=SEEDS, lam=st.sampled_from([0.0, 0.01, 1.0]), intercept=st.booleans())
def test_smoother_predicts_as_scikit_learn(seed: int, lam: float, intercept: bool) -> None:
    rng = np.random.default_rng(seed)
    X, Z, y = rng.normal(size=(20, 4)) + 1, rng.normal(size=(7, 4)), rng.normal(size=20)
    peer = Ridge(alpha=20 * lam) if lam else LinearRegression()
    peer.set_params(fit_intercept=intercept).fit(X, y)
    assert np.allclose(ridge_smoother(X, lam, at=Z, fit_intercept=intercept) @ y, peer.predict(Z))
    assert np.allclose(ridge_smoother(X, lam, fit_intercept=intercept) @ y, peer.predict(X))


def test_dependent_columns_are_counted_once() -> None:
    X = np.random.default_rng(0).normal(size=(15, 2))
    assert np.allclose(ridge_smoother(np.column_stack([X, X[:, 0]])), ridge_smoother(X))
    assert np.allclose(ridge_smoother(np.ones((4, 2))), 0.25)  # constant columns leave the mean


def test_condition_is_a_bound_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bound the nearly singular set is wrong, so the bound is what saves it."""
    X, y = data_sets(2, 30)
    X[3] = np.where(np.arange(30) < 15, -0.5, 0.25) + 3e-7 * X[3]
    right = polynomial_fits(X, y, 3, GRID)
    assert same(right[3:4], looped(X[3:4], y[3:4], 3, GRID))
    monkeypatch.setattr(bias_variance, "CONDITION", np.inf)
    assert not same(polynomial_fits(X, y, 3, GRID)[3:4], right[3:4])
