"""Coordinate ascent against L-BFGS-B on the box, scikit-learn, and its own kernel and sparse versions."""

from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lecturekit import data, svm
from lecturekit._typing import Array
from lecturekit.kernels import RBF, EditDistance
from lecturekit.svm import Iterate, scda_kernel, scda_kernel_steps, scda_linear, scda_linear_steps
from tests.support.oracles import box_dual, overlapping

ROUNDING = 1e-11  # relative to the sum of the costs: scores and weights are sums over hundreds of steps
SOLVED = 1e-9  # the residual to which small problems are solved exactly
FROM_SOLVED = 1e-6  # scores and weights follow from a residual of 1e-9 with a condition number below 1e3
BOX = 1e-8  # relative: what L-BFGS-B reaches on two dozen variables
SINGLE = 1e-4  # relative: float32 entries are right to 6e-8, and a sum over the multipliers loses digits

small = settings(max_examples=10)  # each example solves a problem, also as plain Python
seeds = st.integers(0, 10**6)
Steps = Callable[..., Iterator[Iterate]]
Solver = Callable[..., svm.SVMDual]


def weights(found: svm.SVMDual) -> Array:
    """Return the weights, which a linear solver has."""
    assert found.w is not None
    return found.w


each_way = pytest.mark.parametrize(
    "steps",
    [
        lambda X, *rest, **options: scda_kernel_steps(X @ X.T, *rest, **options),
        scda_linear_steps,
        lambda X, *rest, **options: scda_linear_steps(sparse.csr_array(X), *rest, **options),
    ],
    ids=["kernel", "linear", "sparse"],
)
each_solver = pytest.mark.parametrize(
    "solver",
    [
        lambda X, *rest, **options: scda_kernel(X @ X.T, *rest, **options),
        scda_linear,
        lambda X, *rest, **options: scda_linear(sparse.csr_array(X), *rest, **options),
    ],
    ids=["kernel", "linear", "sparse"],
)


def problem(seed: int, n: int = 20) -> tuple[Array, Array, Array]:
    """Draw points with a constant feature, labels and costs that differ from point to point."""
    X, y = overlapping(seed, n)
    return np.column_stack([X, np.ones(n)]), y, np.random.default_rng(seed).uniform(0.2, 3.0, n)


# -- at every step -------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.claim("SOLV-11")
@each_way
@small
@given(seed=seeds)
def test_every_iterate_is_feasible_better_and_weakly_dual(steps: Steps, seed: int) -> None:
    X, y, C = problem(seed)
    best = box_dual(X @ X.T, y, C)
    duals: list[float] = []
    for at in islice(steps(X, y, C, rng=seed), 12):
        assert np.all((at.alpha >= 0) & (at.alpha <= C))
        f = X @ (X.T @ (at.alpha * y))
        assert np.allclose(at.f, f, atol=ROUNDING * C.sum())
        assert np.isclose(at.dual, svm.dual_objective(at.alpha, f, y))
        assert at.dual <= best * (1 + BOX)
        assert svm.duality_gap(at.alpha, f, y, C) >= -ROUNDING * C.sum()
        if len(duals) < 3:  # later fewer points are looked at, so that epochs are shorter
            assert at.n_iter == len(duals)
        if at.w is None:
            assert at.violation == svm.box_residual(at.alpha, at.f, y, C)
        duals.append(at.dual)
    assert all(after >= before - ROUNDING * C.sum() for before, after in pairwise(duals))
    assert duals[1] > duals[0] == 0


@pytest.mark.jit
@pytest.mark.claim("SOLV-17")
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@small
@given(seed=seeds)
def test_weights_are_the_sum_of_the_points(store: Callable[[Array], Any], seed: int) -> None:
    X, y, _ = problem(seed)
    for at in islice(scda_linear_steps(store(X), y, 0.05, rng=seed), 6):  # a small cost: clipped everywhere
        assert at.w is not None
        assert np.allclose(at.w, X.T @ (at.alpha * y), atol=ROUNDING)
    assert np.any(at.alpha == 0.05)


@pytest.mark.jit
@pytest.mark.claim("SOLV-13")
@small
@given(seed=seeds, C=st.sampled_from([0.1, 1.0, 50.0]))
def test_a_single_point_moves_to_the_best_place_of_the_box(seed: int, C: float) -> None:
    k = float(np.random.default_rng(seed).uniform(0.05, 5))
    start, after = islice(scda_kernel_steps([[k]], [1], C), 2)
    grid = np.linspace(0, C, 1001)
    assert start.violation == 1.0
    assert after.dual >= np.max(grid - k * grid**2 / 2) - ROUNDING
    linear = list(islice(scda_linear_steps([[np.sqrt(k)]], [1], C), 2))[1]
    assert np.isclose(linear.alpha[0], after.alpha[0])
    assert np.isclose(linear.alpha[0], min(1 / k, C))


@pytest.mark.jit
@pytest.mark.claim("SOLV-10")
def test_an_epoch_maximises_over_one_multiplier_after_the_other() -> None:
    X, y, C = problem(3, 8)
    Q = np.outer(y, y) * (X @ X.T)
    rng = np.random.default_rng(5)
    alpha = np.zeros(8)
    for at in islice(scda_kernel_steps(X @ X.T, y, C, rng=5), 1, 6):
        for i in rng.permutation(8):
            others = 1 - Q[i] @ alpha + Q[i, i] * alpha[i]
            alpha[i] = np.clip(others / Q[i, i], 0, C[i])  # the top of the parabola, or the nearer end
        assert np.allclose(at.alpha, alpha, atol=ROUNDING)


@pytest.mark.claim("SOLV-12")
def test_slope_is_the_derivative_of_the_dual() -> None:
    X, y, C = problem(1, 6)
    K, t = X @ X.T, 1e-6
    alpha = C / 2
    f = K @ (alpha * y)
    for i in range(6):
        up, down = alpha.copy(), alpha.copy()
        up[i] += t
        down[i] -= t
        values = [svm.dual_objective(a, K @ (a * y), y) for a in (up, down)]
        assert np.isclose((values[0] - values[1]) / (2 * t), 1 - y[i] * f[i], atol=1e-6)


# -- at the end ----------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.claim("SOLV-09")
@each_solver
@pytest.mark.parametrize("both", [True, False])
@small
@given(seed=seeds)
def test_optimum_is_that_of_the_box_problem(solver: Solver, both: bool, seed: int) -> None:
    X, y, C = problem(seed)
    y = y if both else np.abs(y)  # without a bias one class is enough
    before = X.copy(), y.copy(), C.copy()
    found = solver(X, y, C, tol=SOLVED, rng=seed, max_iter=100_000)  # one problem of 400 takes 24,000 epochs
    assert all(np.array_equal(a, b) for a, b in zip((X, y, C), before, strict=True))
    assert found.converged
    assert np.isclose(found.dual, box_dual(X @ X.T, y, C), rtol=BOX)
    assert svm.box_residual(found.alpha, found.f, y, C) <= SOLVED
    assert -ROUNDING * C.sum() <= found.gap <= SOLVED * C.sum() + ROUNDING * C.sum()
    assert (found.b, found.b_interval) == (0.0, (0.0, 0.0))


@pytest.mark.jit
@pytest.mark.claim("SOLV-16")
@small
@given(seed=seeds)
def test_linear_kernel_and_sparse_versions_agree(seed: int) -> None:
    X, y, C = problem(seed)
    X[np.abs(X) < 0.5] = 0
    by_matrix = scda_kernel(X @ X.T, y, C, tol=SOLVED)
    dense = scda_linear(X, y, C, tol=SOLVED)
    assert np.allclose(dense.f, by_matrix.f, atol=FROM_SOLVED)
    for form in (sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix):
        thin = scda_linear(form(X), y, C, tol=SOLVED)
        assert np.allclose(thin.alpha, dense.alpha, atol=ROUNDING * 100)
        assert np.allclose(weights(thin), weights(dense), atol=FROM_SOLVED)


@pytest.mark.jit
@small
@given(seed=seeds)
def test_shrinking_does_not_change_the_answer(seed: int) -> None:
    X, y, C = problem(seed, 30)
    with_it, without = (scda_linear(X, y, C, tol=SOLVED, shrinking=s) for s in (True, False))
    assert with_it.converged
    assert without.converged
    assert np.allclose(weights(with_it), weights(without), atol=FROM_SOLVED)


@each_solver
def test_class_weights_are_costs_and_random_orders_come_from_rng(solver: Solver) -> None:
    X, y, C = problem(2)
    weighted = solver(X, y, 0.5, class_weight={1: 4.0}, tol=SOLVED)
    assert np.allclose(weighted.f, solver(X, y, np.where(y > 0, 2.0, 0.5), tol=SOLVED).f, atol=FROM_SOLVED)
    one, same = solver(X, y, C, rng=3), solver(X, y, C, rng=np.random.default_rng(3))
    assert np.array_equal(one.alpha, same.alpha)
    assert not np.array_equal(one.alpha, solver(X, y, C, rng=4).alpha)


# -- corners -------------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.claim("SOLV-14")
@each_solver
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_zero_row_pays_its_cost(solver: Solver, place: int) -> None:
    X = np.array([[1.0, 1.0], [-1.0, 0.5], [2.0, 1.0]])
    X[place] = 0
    found = solver(X, np.array([1.0, -1.0, 1.0]), 2.0, tol=SOLVED)
    assert found.alpha[place] == 2.0
    assert abs(found.gap) <= SOLVED * 6
    twice = solver(np.ones((2, 1)), np.array([1.0, -1.0]), 0.5, tol=SOLVED)  # one place with both labels
    assert np.isclose(twice.primal, 1.0)


@pytest.mark.jit
def test_nothing_but_a_zero_and_entries_stored_in_parts() -> None:
    for found in (scda_kernel([[0.0]], [1], 2.0), scda_linear([[0.0]], [-1], 2.0)):
        assert (found.alpha.tolist(), found.gap, found.converged) == ([2.0], 0.0, True)
    empty = scda_linear(sparse.csr_array((2, 3)), [1, -1], 2.0)
    assert empty.alpha.tolist() == [2, 2]
    parts = sparse.csr_array((np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 2))
    assert np.allclose(scda_linear(parts, [1, -1], 10.0).alpha, 0.25)
    assert parts.nnz == 4  # the caller's matrix is left alone


@each_solver
@pytest.mark.parametrize(("C", "dual"), [(1e-9, 4e-9), (1e6, 0.5)])
def test_tiny_and_huge_costs(solver: Solver, C: float, dual: float) -> None:
    X, y = np.array([[-2.0], [-1.0], [1.0], [3.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    found = solver(X, y, C, tol=SOLVED)
    assert np.isclose(found.dual, dual, atol=0)  # all at C, or the hard margin w = 1
    assert abs(found.gap) <= SOLVED * 4 * max(C, 1) ** 0.5


def test_strings_and_an_indefinite_matrix_which_ends_in_a_feasible_point() -> None:
    words = data.words("ab", 3)
    y = np.array([1.0 if word.count("a") > word.count("b") else -1.0 for word in words])
    by_kernel = scda_kernel(EditDistance(), y, 1.0, X=words, tol=SOLVED)
    assert np.allclose(by_kernel.f, scda_kernel(EditDistance()(words), y, 1.0, tol=SOLVED).f)
    K = EditDistance()(words) - 0.5 * np.eye(15)
    found = scda_kernel(K, np.where(np.arange(15) % 2, 1, -1), 3.0, max_iter=200)
    assert np.all((found.alpha >= 0) & (found.alpha <= 3))
    assert found.converged == (found.violation <= 1e-3)


@pytest.mark.jit
@pytest.mark.claim("SOLV-15")
@pytest.mark.parametrize("room", [0, 3, 100])
def test_a_small_cache_gives_the_same_answer(room: int) -> None:
    X, y, C = problem(room)
    found = scda_kernel(RBF(), y, C, X=X, tol=SOLVED, cache_mb=1e-6 + room * 20 * 8 / 1e6)
    assert np.allclose(found.alpha, scda_kernel(RBF()(X), y, C, tol=SOLVED).alpha)
    epochs, computed = found.trace[-1][:2]
    assert computed <= 20 * 20 * (1 if room == 100 else epochs)


@pytest.mark.jit
def test_single_precision() -> None:
    X, y, C = problem(4)
    X32 = X.astype(np.float32)
    double = scda_linear(X, y, C, tol=1e-5)
    for found in (scda_linear(X32, y, C, tol=1e-4), scda_linear(sparse.csr_array(X32), y, C, tol=1e-4)):
        assert found.converged
        assert np.isclose(found.dual, double.dual, rtol=SINGLE)
    rows = scda_kernel(RBF(), y, C, X=X32, tol=1e-4)
    assert np.isclose(rows.dual, scda_kernel(RBF(), y, C, X=X, tol=1e-4).dual, rtol=SINGLE)


# -- stopping ------------------------------------------------------------------------------------------------


@pytest.mark.jit
@each_solver
@pytest.mark.parametrize("max_iter", [1, 3, 10])
def test_last_epoch_is_respected_and_the_violation_is_honest(solver: Solver, max_iter: int) -> None:
    X, y, _ = problem(5)
    found = solver(X, y, 10.0, tol=1e-13, max_iter=max_iter)
    assert (found.converged, found.n_iter) == (False, max_iter)
    f = X @ (X.T @ (found.alpha * y))
    assert np.isclose(found.violation, svm.box_residual(found.alpha, f, y, 10.0))
    assert found.gap > 0


def test_linear_steps_may_report_after_many_visits() -> None:
    steps = scda_linear_steps(*problem(5), visits=200, tol=1e-13, shrinking=False)
    assert [at.n_iter for at in islice(steps, 3)] == [0, 10, 20]  # twenty points: ten epochs


@each_solver
def test_callback_and_progress(solver: Solver, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[float] = []
    found = solver(*problem(1), verbose=True, callback=lambda at: seen.append(at.violation))
    assert seen == [entry[3] for entry in found.trace]
    assert seen[0] == 1.0
    assert "violation" in capsys.readouterr().err
