"""The multi-task lasso: one task is the lasso, turned targets turn the weights, weak duality."""

from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model as sk

from lecturekit.penalized import (
    block_soft_threshold,
    dual_point,
    dual_value,
    kkt_violation,
    lam_max,
    lasso,
    lasso_path,
    multitask_lasso,
    multitask_lasso_path,
    multitask_lasso_steps,
    penalized_objective,
)
from tests.support.penalty_oracles import ROUNDING, SKLEARN, TIGHT, centred, problem, seeds

EXACT = 1e-12
OPTIMAL = 1e-4  # the root of a gap of 1e-12, for targets of size ten, and some room

small = settings(max_examples=6)
truths = st.booleans()
shapes = st.sampled_from([(15, 6), (5, 9), (1, 3), (7, 1), (12, 30)])
each_intercept = pytest.mark.parametrize("intercept", [True, False])


@pytest.mark.jit
@small
@given(seed=seeds, shape=shapes, intercept=truths)
def test_every_iterate_is_weakly_dual_and_none_is_worse(
    seed: int, shape: tuple[int, int], intercept: bool
) -> None:
    X, Y = problem(seed, *shape, k=2)
    own, scale = {"intercept": intercept}, float(np.sum(Y**2)) / len(Y)
    best = multitask_lasso(X, Y, 0.1, tol=EXACT, **own)
    values = []
    for epoch, at in enumerate(islice(multitask_lasso_steps(X, Y, 0.1, **own), 8)):
        u = dual_point(at.w, X, Y, 0.1, **own)
        assert at.n_iter == epoch
        assert at.primal == pytest.approx(penalized_objective(at.w, X, Y, 0.1, **own), abs=ROUNDING)
        assert at.dual == pytest.approx(dual_value(u, X, Y, 0.1, **own), abs=1e-9 * (1 + scale))
        assert at.dual <= best.primal + ROUNDING * scale
        assert at.primal >= best.dual - ROUNDING * scale
        assert at.gap >= at.primal - best.primal - ROUNDING * scale
        values.append(at.primal)
    assert all(after <= before + ROUNDING * scale for before, after in pairwise(values))


@pytest.mark.jit
def test_an_epoch_minimises_over_one_row_after_the_other() -> None:
    X, Y = problem(1, 8, 3, k=2)
    Z, V = centred(X, Y, True)
    W = np.zeros((3, 2))
    for at in islice(multitask_lasso_steps(X, Y, 0.1), 3):
        assert np.allclose(at.w, W, atol=EXACT)
        for j in range(3):
            W[j] = 0.0
            q = Z[:, j] @ Z[:, j] / 8
            W[j] = block_soft_threshold(Z[:, j] @ (V - Z @ W) / 8, 0.1) / q


@pytest.mark.jit
def test_steps_lead_to_the_fit_and_leave_zero_columns_at_zero() -> None:
    X, Y = problem(2, k=2)
    wide = np.column_stack([np.zeros(15), X, np.full(15, 0.1)])
    at = next(islice(multitask_lasso_steps(wide, Y, 0.1), 300, None))
    found = multitask_lasso(wide, Y, 0.1, tol=EXACT)
    assert at.gap <= 1e-10
    assert np.allclose(at.w, found.w, atol=OPTIMAL)
    assert not np.any(at.w[[0, -1]])
    assert not np.any(found.w[[0, -1]])


@pytest.mark.jit
@small
@given(seed=seeds, shape=shapes, intercept=truths, lam=st.sampled_from([0.05, 0.2, 0.5]))
def test_fit_is_optimal_and_certified(seed: int, shape: tuple[int, int], intercept: bool, lam: float) -> None:
    X, Y = problem(seed, *shape, k=3)
    _, V = centred(X, Y, intercept)
    own, scale = {"intercept": intercept}, float(np.sum(V**2)) / (2 * len(Y))
    found = multitask_lasso(X, Y, lam, tol=1e-10, **own)
    assert found.converged
    assert -ROUNDING * (1 + scale) <= found.gap <= 1e-10 * scale
    assert found.w.shape == (shape[1], 3)
    assert found.primal == pytest.approx(penalized_objective(found.w, X, Y, lam, **own))
    assert kkt_violation(found.w, X, Y, lam, **own) <= OPTIMAL * (1 + scale)
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
    own: Any = {"intercept": intercept, "tol": EXACT}
    one, alone = multitask_lasso(X, Y, 0.2, **own), lasso(X, Y[:, 0], 0.2, **own)
    assert np.allclose(one.w[:, 0], alone.w, atol=OPTIMAL)
    assert one.primal == pytest.approx(alone.primal)
    assert one.b[0] == pytest.approx(alone.b, abs=OPTIMAL)
    path, plain = multitask_lasso_path(X, Y, [0.5, 0.2], **own), lasso_path(X, Y[:, 0], [0.5, 0.2], **own)
    assert np.allclose(path.W[:, :, 0], plain.W, atol=OPTIMAL)
    assert lam_max(X, Y) == pytest.approx(lam_max(X, Y[:, 0]))


@pytest.mark.jit
@small
@given(seed=seeds)
def test_turned_targets_turn_the_weights(seed: int) -> None:
    X, Y = problem(seed, k=3)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    found, turned = multitask_lasso(X, Y, 0.2, tol=EXACT), multitask_lasso(X, Y @ Q, 0.2, tol=EXACT)
    assert np.allclose(turned.w, found.w @ Q, atol=OPTIMAL)
    assert turned.support.tolist() == found.support.tolist()


@pytest.mark.jit
@each_intercept
def test_weights_leave_zero_just_below_the_largest_penalty(intercept: bool) -> None:
    X, Y = problem(5, k=3)
    top = lam_max(X, Y, fit_intercept=intercept)
    assert not np.any(multitask_lasso(X, Y, top, fit_intercept=intercept).w)
    assert multitask_lasso(X, Y, 0.99 * top, fit_intercept=intercept, tol=EXACT).support.size >= 1


@each_intercept
@pytest.mark.parametrize("shape", [(15, 6), (5, 9)])
def test_without_a_penalty_it_is_the_shortest_least_squares_solution(
    shape: tuple[int, int], intercept: bool
) -> None:
    X, Y = problem(6, *shape, k=2)
    found = multitask_lasso(X, Y, 0.0, fit_intercept=intercept)
    assert np.allclose(found.w, np.linalg.lstsq(*centred(X, Y, intercept), rcond=1e-10)[0])
    assert found.converged


@pytest.mark.jit
def test_equal_columns_fit_as_one_does() -> None:
    X, Y = problem(7, d=3, k=2)
    once, twice = (multitask_lasso(Z, Y, 0.05, tol=EXACT) for Z in (X, np.column_stack([X, X])))
    assert twice.converged
    assert np.allclose(twice.w[:3] + twice.w[3:], once.w, atol=OPTIMAL)


@pytest.mark.jit
def test_constant_targets_need_no_weights() -> None:
    X, _ = problem(8)
    found = multitask_lasso(X, np.tile([1.0, 7.0], (15, 1)), 0.1)
    assert not np.any(found.w)
    assert np.allclose(found.b, [1.0, 7.0])
    mixed = multitask_lasso(X, np.column_stack([X[:, 0], np.ones(15)]), 0.1, tol=EXACT)
    assert not np.any(mixed.w[:, 1])  # a task that needs none has none
    assert mixed.w[0, 0] > 0


@pytest.mark.jit
def test_solver_gives_up_after_the_most_epochs() -> None:
    X, Y = problem(9, 20, 19, k=2)
    found = multitask_lasso(X, Y, 1e-5, tol=1e-14, max_iter=5)
    assert not found.converged
    assert 5 <= found.n_iter <= 20


# -- paths ---------------------------------------------------------------------------------------------------


@pytest.mark.jit
@each_intercept
def test_path_is_made_of_single_fits(intercept: bool) -> None:
    X, Y = problem(10, 12, 16, k=2)
    own: Any = {"intercept": intercept, "tol": EXACT}
    path = multitask_lasso_path(X, Y, [0.2, 1.0, 0.4], **own)
    assert path.lams.tolist() == [1.0, 0.4, 0.2]
    assert (path.W.shape, path.b.shape) == ((3, 16, 2), (3, 2))
    assert path.converged
    for i, lam in enumerate(path.lams):
        single = multitask_lasso(X, Y, float(lam), **own)
        assert np.allclose(path.W[i], single.w, atol=10 * OPTIMAL)
        assert np.allclose(path.b[i], single.b, atol=10 * OPTIMAL)


@pytest.mark.jit
def test_default_path_starts_where_the_first_row_does() -> None:
    X, Y = problem(11, k=2)
    path, top = multitask_lasso_path(X, Y, n=4, least=1e-2), lam_max(X, Y)
    assert np.allclose(path.lams, np.geomspace(top, 1e-2 * top, 4))
    assert not np.any(path.W[0])
    assert np.all(np.any(path.W[1:], axis=(1, 2)))
    lengths = np.linalg.norm(path.W, axis=2).sum(axis=1)
    assert np.all(np.diff(lengths) > 0)
