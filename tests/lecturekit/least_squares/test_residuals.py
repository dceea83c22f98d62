"""What is read from residuals: projections, leave-one-out by refitting, all orders by enumeration."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit import least_squares
from lecturekit._typing import Array
from lecturekit.least_squares import durbin_watson, hat_matrix, leverages, ols, runs_test, studentized, vif
from tests.support.oracles import responses

each_intercept = pytest.mark.parametrize("intercept", [False, True])


def design(X: Array, intercept: bool) -> Array:
    return np.column_stack([np.ones(len(X)), X]) if intercept else X


@given(seed=st.integers(0, 500), n=st.integers(1, 7), d=st.integers(1, 7), rank=st.integers(0, 7))
def test_compact_svd(seed: int, n: int, d: int, rank: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))
    U, s, V = least_squares.compact_svd(A)
    r = min(n, d, rank)
    assert (U.shape, s.shape, V.shape) == ((n, r), (r,), (d, r))
    assert np.allclose(U.T @ U, np.eye(r))
    assert np.allclose(V.T @ V, np.eye(r))
    assert np.allclose(U * s @ V.T, A)
    assert np.all(np.diff(s) <= 0)


@each_intercept
@pytest.mark.parametrize("seed", range(5))
def test_hat_matrix_is_the_projection(intercept: bool, seed: int) -> None:
    X, y = responses(seed, 20, 3)
    A = design(X, intercept)
    H = hat_matrix(X, fit_intercept=intercept)
    assert np.allclose(H, A @ np.linalg.inv(A.T @ A) @ A.T)
    assert np.allclose(H, H.T)
    assert np.allclose(H @ H, H)
    assert np.allclose(H @ A, A)
    assert np.isclose(np.trace(H), 3 + intercept)
    fit = ols(X, y, fit_intercept=intercept)
    assert np.allclose(y - H @ y, fit.residuals)
    assert np.allclose(leverages(X, fit_intercept=intercept), np.diag(H))


@each_intercept
def test_dependent_columns_add_nothing(intercept: bool) -> None:
    X, _ = responses(1, 20, 3)
    twice = np.column_stack([X, X @ [1.0, 2.0, 3.0], np.full(20, 0.1)])
    H = hat_matrix(X, fit_intercept=True)
    assert np.allclose(hat_matrix(twice, fit_intercept=intercept), H)
    assert np.isclose(leverages(twice, fit_intercept=intercept).sum(), 4)


@each_intercept
def test_standard_errors_and_studentized_by_the_formula(intercept: bool) -> None:
    X, y = responses(2, 20, 3)
    A = design(X, intercept)
    e = ols(X, y, fit_intercept=intercept).residuals
    sigma2 = e @ e / (20 - A.shape[1])
    wanted = np.sqrt(sigma2 * np.diag(np.linalg.inv(A.T @ A)))
    assert np.allclose(least_squares.standard_errors(X, y, fit_intercept=intercept), wanted)
    scaled = least_squares.standard_errors(X * [1e12, 1, 1e-12], y, fit_intercept=False) * [1e12, 1, 1e-12]
    assert np.allclose(scaled, least_squares.standard_errors(X, y, fit_intercept=False))
    X, y = responses(5, 20, 3)
    h = leverages(X, fit_intercept=intercept)
    e = ols(X, y, fit_intercept=intercept).residuals
    s = np.sqrt(e @ e / (20 - 3 - intercept))
    assert np.allclose(studentized(X, y, fit_intercept=intercept), e / (s * np.sqrt(1 - h)))


@each_intercept
def test_external_residuals_are_those_of_fits_without_the_point(intercept: bool) -> None:
    X, y = responses(6, 20, 3)
    found = studentized(X, y, external=True, fit_intercept=intercept)
    A = design(X, intercept)
    for i in range(20):
        rest = np.arange(20) != i
        fit = ols(X[rest], y[rest], fit_intercept=intercept)
        variance = fit.residuals @ fit.residuals / (19 - A.shape[1])
        spread = 1 + A[i] @ np.linalg.inv(A[rest].T @ A[rest]) @ A[i]
        assert np.isclose(found[i], (y[i] - X[i] @ fit.w - fit.b) / np.sqrt(variance * spread))


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=20).filter(any))
def test_durbin_watson_lies_between_0_and_4(e: list[float]) -> None:
    scale = np.max(np.abs(e))
    steps = sum((later / scale - earlier / scale) ** 2 for earlier, later in pairwise(e))
    by_hand = steps / sum((value / scale) ** 2 for value in e)
    assert 0 <= durbin_watson(e) <= 4
    assert np.isclose(durbin_watson(e), by_hand)
    assert type(durbin_watson(e)) is float
    for size in (1e-200, 1e200):  # it has no unit
        assert np.isclose(durbin_watson(np.array([1.0, -2.0, 3.0]) * size), (9 + 25) / 14)


@pytest.mark.parametrize(("above", "below"), [(3, 4), (2, 5), (1, 6), (1, 2)])
def test_runs_in_all_orders(above: int, below: int) -> None:
    signs = [1.0] * above + [-1.0] * below
    tests = [runs_test(order) for order in permutations(signs)]
    runs = np.array([t.runs for t in tests])
    assert np.isclose(runs.mean(), tests[0].expected)
    assert np.allclose([t.z for t in tests], (runs - runs.mean()) / runs.std())
    assert np.allclose([t.pvalue for t in tests], [2 * stats.norm.sf(abs(t.z)) for t in tests])


def test_runs_are_counted() -> None:
    result = runs_test([2.0, 1.0, 0.0, -3.0, -1.0, 0.5, 0.0])
    assert result.runs == 3
    assert result.expected == 1 + 2 * 3 * 2 / 5
    assert [type(v) for v in (result.runs, result.expected, result.z, result.pvalue)] == [int] + 3 * [float]


@given(seed=st.integers(0, 500), d=st.integers(2, 6))
def test_vif_is_the_diagonal_of_the_inverse_correlations(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, d)) @ rng.normal(size=(d, d)) + 5
    assert np.allclose(vif(X), np.diag(np.linalg.inv(np.corrcoef(X.T))), rtol=1e-6)
    for j in range(d):
        fit = ols(np.delete(X, j, axis=1), X[:, j])
        share = 1 - fit.residuals @ fit.residuals / np.sum((X[:, j] - X[:, j].mean()) ** 2)
        assert np.isclose(vif(X)[j], 1 / (1 - share), rtol=1e-6)


def test_vif_does_not_depend_on_units_and_of_dependent_columns_is_infinite() -> None:
    X, _ = responses(10, 20, 3)
    assert np.allclose(vif(X * [1e-9, 1, 1e9] + [0, 1, 1e9]), vif(X), rtol=1e-4)
    factors = vif(np.column_stack([X, X[:, 0] + 2 * X[:, 1]]))
    assert np.isinf(factors).tolist() == [True, True, False, True]
    assert np.all(np.isinf(vif(X[:3])))
    assert vif(X[:, :1]).tolist() == [1.0]


@given(seed=st.integers(0, 500), n=st.integers(1, 6), d=st.integers(1, 6))
def test_condition_number(seed: int, n: int, d: int) -> None:
    X, _ = responses(seed, n, d)
    found = least_squares.condition_number(X)
    assert np.isinf(found) if n < d else np.isclose(found, np.linalg.cond(X), rtol=1e-6)
    assert type(found) is float
