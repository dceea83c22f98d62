"""The multi-task lasso: optimality, scikit-learn, one task is the lasso."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model as sk

from lecturekit.penalized import lam_max, lasso, multitask_lasso, penalized_objective
from lecturekit.penalized._multitask import _epoch
from tests.support.penalty_oracles import ROUNDING, SKLEARN, TIGHT, centred, problem, seeds, violation

EXACT = 1e-12
OPTIMAL = 1e-4  # the root of a gap of 1e-12, for targets of size ten, and some room

small = settings(max_examples=6)
truths = st.booleans()
shapes = st.sampled_from([(15, 6), (5, 9), (1, 3), (7, 1), (12, 30)])
each_intercept = pytest.mark.parametrize("intercept", [True, False])


@pytest.mark.jit
def test_an_epoch_minimises_over_one_row_after_the_other() -> None:
    X, Y = problem(1, 8, 3, k=2)
    Z, V = centred(np.column_stack([np.zeros(8), X]), Y, True)
    square = np.mean(Z**2, axis=0)
    W, R, expected = np.zeros((4, 2)), np.array(V, order="F"), np.zeros((4, 2))
    for _ in range(3):
        _epoch(np.asfortranarray(Z), square, W, R, 0.3)
        for j in range(1, 4):  # a column of zeros keeps its row of zeros
            expected[j] = 0.0
            z = Z[:, j] @ (V - Z @ expected) / 8
            expected[j] = np.maximum(1 - 0.3 / np.linalg.norm(z), 0) * z / square[j]  # block soft threshold
        assert np.allclose(W, expected, atol=EXACT)
        assert np.allclose(R, V - Z @ W, atol=EXACT)


@pytest.mark.jit
@small
@given(seed=seeds, shape=shapes, intercept=truths, lam=st.sampled_from([0.05, 0.2, 0.5]))
def test_fit_is_optimal_and_certified(seed: int, shape: tuple[int, int], intercept: bool, lam: float) -> None:
    X, Y = problem(seed, *shape, k=3)
    _, V = centred(X, Y, intercept)
    own, scale = {"fit_intercept": intercept}, float(np.sum(V**2)) / (2 * len(Y))
    found = multitask_lasso(X, Y, lam, tol=1e-10, **own)
    assert found.converged
    assert -ROUNDING * (1 + scale) <= found.gap <= 1e-10 * scale
    assert found.w.shape == (shape[1], 3)
    assert found.primal == pytest.approx(penalized_objective(found.w, X, Y, lam, **own))
    assert violation(found.w, X, Y, lam, 1.0, intercept) <= OPTIMAL * (1 + scale)
    wanted = Y.mean(axis=0) - X.mean(axis=0) @ found.w if intercept else np.zeros(3)
    assert np.allclose(found.b, wanted)
    assert found.trace[-1].tolist() == [found.n_iter, found.primal, found.dual]
    assert found.support.tolist() == np.flatnonzero(np.any(found.w, axis=1)).tolist()
    assert np.all(np.all(found.w[found.support] != 0, axis=1))  # a feature enters for all tasks or for none


@pytest.mark.jit
@each_intercept
@pytest.mark.parametrize(("n", "d"), [(40, 10), (15, 25)])
def test_same_weights_as_scikit_learn(n: int, d: int, intercept: bool) -> None:
    X, Y = problem(3, n, d, k=3)
    theirs = sk.MultiTaskLasso(alpha=0.2, fit_intercept=intercept, **TIGHT).fit(X, Y)
    ours = multitask_lasso(X, Y, 0.2, fit_intercept=intercept, tol=1e-13)
    assert np.allclose(ours.w, theirs.coef_.T, atol=SKLEARN)
    assert np.allclose(ours.b, theirs.intercept_, atol=10 * SKLEARN)


@pytest.mark.jit
@each_intercept
def test_one_task_is_the_lasso(intercept: bool) -> None:
    X, Y = problem(4, 12, 16, k=1)
    own: Any = {"fit_intercept": intercept, "tol": EXACT}
    one, alone = multitask_lasso(X, Y, 0.2, **own), lasso(X, Y[:, 0], 0.2, **own)
    assert np.allclose(one.w[:, 0], alone.w, atol=OPTIMAL)
    assert one.primal == pytest.approx(alone.primal)
    assert one.b[0] == pytest.approx(alone.b, abs=OPTIMAL)
    assert lam_max(X, Y) == pytest.approx(lam_max(X, Y[:, 0]))


@each_intercept
@pytest.mark.parametrize("shape", [(15, 6), (5, 9)])
def test_without_a_penalty_it_is_the_shortest_least_squares(shape: tuple[int, int], intercept: bool) -> None:
    X, Y = problem(6, *shape, k=2)
    found = multitask_lasso(X, Y, 0.0, fit_intercept=intercept)
    assert np.allclose(found.w, np.linalg.lstsq(*centred(X, Y, intercept), rcond=1e-10)[0])
    assert found.converged


@pytest.mark.jit
def test_equal_columns_fit_as_one_does_and_zero_columns_and_constant_targets_as_none() -> None:
    X, Y = problem(7, d=3, k=2)
    wide = np.column_stack([X, X, np.zeros(15), np.full(15, 0.1)])
    once, twice = (multitask_lasso(Z, Y, 0.05, tol=EXACT) for Z in (X, wide))
    assert twice.converged
    assert np.allclose(twice.w[:3] + twice.w[3:6], once.w, atol=OPTIMAL)
    assert not np.any(twice.w[6:])
    flat = multitask_lasso(X, np.tile([1.0, 7.0], (15, 1)), 0.1)
    assert not np.any(flat.w)
    assert np.allclose(flat.b, [1.0, 7.0])
    mixed = multitask_lasso(X, np.column_stack([X[:, 0], np.ones(15)]), 0.1, tol=EXACT)
    assert not np.any(mixed.w[:, 1])  # a task that needs none has none
    assert mixed.w[0, 0] > 0


@pytest.mark.jit
def test_solver_gives_up_after_the_most_epochs() -> None:
    X, Y = problem(9, 20, 19, k=2)
    found = multitask_lasso(X, Y, 1e-5, tol=1e-14, max_iter=5)
    assert not found.converged
    assert 5 <= found.n_iter <= 20
