"""Ridge regression against its normal equations and the shortest least-squares solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit._typing import Array
from lecturekit.penalized import penalized_objective, ridge, ridge_path
from tests.support.penalty_oracles import ROUNDING, centred, problem, seeds

EXACT = 1e-8  # weights of size one; condition numbers below 1e4

lams = st.floats(1e-3, 1e3)
truths = st.booleans()
shapes = st.sampled_from([(15, 6), (4, 9), (1, 3), (7, 1)])
tasks = st.sampled_from([0, 1, 3])


def normal_equations(X: Array, y: Array, lam: float, intercept: bool) -> Array:
    X, y = centred(X, y, intercept)
    n, d = X.shape
    return np.asarray(np.linalg.solve(X.T @ X / n + lam * np.eye(d), X.T @ y / n))


@given(seed=seeds, shape=shapes, k=tasks, lam=lams, intercept=truths)
def test_weights_solve_the_normal_equations(
    seed: int, shape: tuple[int, int], k: int, lam: float, intercept: bool
) -> None:
    X, y = problem(seed, *shape, k=k)
    found = ridge(X, y, lam, fit_intercept=intercept)
    assert found.w.shape == (shape[1], *y.shape[1:])
    assert np.allclose(found.w, normal_equations(X, y, lam, intercept), atol=EXACT)
    b = y.mean(axis=0) - X.mean(axis=0) @ found.w if intercept else np.zeros(y.shape[1:])
    assert np.shape(found.b) == y.shape[1:]
    assert np.allclose(found.b, b)


@given(seed=seeds, k=tasks, lam=lams, intercept=truths)
def test_certificate_is_tight(seed: int, k: int, lam: float, intercept: bool) -> None:
    X, y = problem(seed, k=k)
    found, scale = ridge(X, y, lam, fit_intercept=intercept), float(np.sum(y**2))
    assert abs(found.gap) <= ROUNDING * scale
    assert found.primal == pytest.approx(penalized_objective(found.w, X, y, lam, 0, fit_intercept=intercept))
    assert (found.lam, found.l1_ratio, found.n_iter, found.converged) == (lam, 0.0, 0, True)
    assert found.trace.tolist() == [[0.0, found.primal, found.dual]]


@given(seed=seeds, shape=shapes, k=tasks, intercept=truths)
def test_without_a_penalty_it_is_the_shortest_least_squares_solution(
    seed: int, shape: tuple[int, int], k: int, intercept: bool
) -> None:
    X, y = problem(seed, *shape, k=k)
    Z, v = centred(X, y, intercept)
    shortest = np.linalg.lstsq(Z, v, rcond=1e-10)[0]
    found = ridge(X, y, 0.0, fit_intercept=intercept)
    assert np.allclose(found.w, shortest, atol=EXACT)
    assert abs(found.gap) <= ROUNDING * np.sum(y**2)
    assert np.allclose(ridge(X, y, 1e-11, fit_intercept=intercept).w, shortest, atol=1e-3)  # its limit


@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_zero_and_constant_columns_get_no_weight(lam: float) -> None:
    X, y = problem(3)
    wide = np.column_stack([X, np.zeros(15), np.full(15, 0.1)])
    found, without = ridge(wide, y, lam), ridge(X, y, lam)
    assert np.allclose(found.w[6:], 0.0, atol=1e-14)
    assert np.allclose(found.w[:6], without.w)
    assert found.b == pytest.approx(without.b)
    equal = ridge(np.ones((3, 2)), [1.0, 2.0, 6.0], lam)
    assert (equal.w.tolist(), equal.b) == ([0.0, 0.0], pytest.approx(3.0))
    assert equal.gap == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("k", [0, 2])
@pytest.mark.parametrize("intercept", [True, False])
def test_path_is_made_of_single_fits_in_the_order_given(k: int, intercept: bool) -> None:
    X, y = problem(4, k=k)
    given_ones = [0.5, 3.0, 0.0, 0.01]
    path = ridge_path(X, y, given_ones, fit_intercept=intercept)
    fits = [ridge(X, y, lam, fit_intercept=intercept) for lam in given_ones]
    assert path.lams.tolist() == given_ones
    assert np.allclose(path.W, [fit.w for fit in fits])
    assert np.allclose(path.b, [fit.b for fit in fits])
    assert np.allclose(path.gap, 0.0, atol=ROUNDING * np.sum(y**2))
    assert path.converged
    assert path.n_iter == 0


def test_default_path_leads_from_nearly_zero_to_nearly_least_squares() -> None:
    X, y = problem(5, n=60)
    path = ridge_path(X, y, n=7)
    ols = ridge(X, y, 0.0).w
    largest = np.linalg.norm(X - X.mean(axis=0), 2) ** 2 / len(X)
    assert np.allclose(path.lams, np.geomspace(1e2, 1e-4, 7) * largest)
    assert np.linalg.norm(path.W[0]) < 0.02 * np.linalg.norm(ols)
    assert np.linalg.norm(path.W[-1] - ols) < 0.02 * np.linalg.norm(ols)
    assert len(ridge_path(X, y).lams) == 100
    equal = ridge_path(np.ones((3, 2)), [1.0, 2.0, 6.0], n=2)  # without a scale of its own
    assert (equal.lams.tolist(), equal.W.tolist()) == ([1e2, 1e-4], [[0.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize("shape", [(20, 6), (6, 20)])
@pytest.mark.parametrize("k", [0, 2])
def test_linear_system_and_decomposition_agree(shape: tuple[int, int], k: int) -> None:
    X, Y = problem(6, *shape, k=k)
    for lam in (1e-2, 1.0):
        quick, path = ridge(X, Y, lam), ridge_path(X, Y, [lam])  # a path is always by the decomposition
        assert np.allclose(quick.w, path.W[0], rtol=1e-10, atol=1e-12)
        assert abs(quick.gap) <= ROUNDING * float(np.sum(Y**2))
    sharp = ridge(X, Y, 1e-14)  # too small for the system: the decomposition is used
    assert np.array_equal(sharp.w, ridge_path(X, Y, [1e-14]).W[0])
