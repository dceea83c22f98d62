"""SMO against SLSQP, scikit-learn and the theorems: feasible, rising and weakly dual throughout."""

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from lecturekit import data, svm
from lecturekit._typing import Array
from lecturekit.kernels import RBF, EditDistance, Linear
from lecturekit.svm import smo_steps
from lecturekit.svm._smo import GramRows
from tests.support.oracles import gram, overlapping, slsqp_dual

ROUNDING = 1e-12  # relative to the sum of the costs: sums of a few dozen products
SOLVED = 1e-9  # the residual to which small problems are solved exactly
FROM_SOLVED = 1e-6  # scores and bias follow from a residual of 1e-9 with a condition number below 1e3
SLSQP = 1e-6  # relative: what SLSQP reaches on two dozen variables
SINGLE = 1e-4  # relative: float32 rows are right to 6e-8, and a sum over the multipliers loses some digits
TINY_CACHE = 1e-6  # megabytes: less than a row, so the least is kept, which is two rows

small = settings(max_examples=10)  # each example solves a problem, also as plain Python
seeds = st.integers(0, 10**6)


def problem(seed: int, n: int = 24) -> tuple[Array, Array, Array]:
    """Draw a Gram matrix, labels and costs that differ from point to point."""
    X, y = overlapping(seed, n)
    return gram(X), y, np.random.default_rng(seed).uniform(0.2, 5.0, n)


def steps(K: Array, y: Array, C: Array) -> Iterator[tuple[svm.Iterate, svm.Iterate]]:
    """Yield the iterates before and after each of the first thirty steps."""
    both = pairwise(islice(smo_steps(K, y, C), 31))
    return ((before, after) for before, after in both if after.n_iter > before.n_iter)


def decision(found: svm.SVMDual) -> Array:
    return np.asarray(found.f + found.b)


# -- at every step -------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.claim("SOLV-06")
@small
@given(seed=seeds)
def test_every_iterate_is_feasible_better_and_weakly_dual(seed: int) -> None:
    K, y, C = problem(seed, 14)
    duals = []
    best = slsqp_dual(K, y, C)
    for at in islice(smo_steps(K, y, C, tol=1e-6), 500):
        assert np.all((at.alpha >= 0) & (at.alpha <= C))
        assert abs(at.alpha @ y) <= ROUNDING * C.sum()
        assert np.allclose(at.f, K @ (at.alpha * y), atol=ROUNDING * C.sum())
        assert np.isclose(at.dual, svm.dual_objective(at.alpha, at.f, y))
        assert at.violation == svm.kkt_residual(at.alpha, at.f, y, C)
        assert at.dual <= best + SLSQP * best
        b = svm.bias(at.alpha, at.f, y, C)
        assert svm.duality_gap(at.alpha, at.f, y, C, b) >= -ROUNDING * C.sum()
        duals.append(at.dual)
    assert all(after >= before for before, after in pairwise(duals))
    assert at.violation <= 1e-6


@pytest.mark.jit
@pytest.mark.claim("SOLV-05")
@small
@given(seed=seeds)
def test_each_step_is_the_best_along_its_pair(seed: int) -> None:
    K, y, C = problem(seed, 10)
    for before, after in steps(K, y, C):
        moved = np.flatnonzero(before.alpha != after.alpha)
        assert len(moved) == 2
        direction = np.zeros(len(y))
        direction[moved] = y[moved] * np.array([1.0, -1.0])  # keeps sum alpha_i y_i
        for t in np.linspace(-1, 1, 41) * C.max():
            alpha = before.alpha + t * direction
            if np.all((alpha >= 0) & (alpha <= C)):
                value = svm.dual_objective(alpha, K @ (alpha * y), y)
                assert value <= after.dual + ROUNDING * C.sum()


@pytest.mark.jit
@pytest.mark.claim("SOLV-04")
@small
@given(seed=seeds)
def test_a_step_takes_the_steepest_point_and_its_best_partner(seed: int) -> None:
    K, y, C = problem(seed, 10)
    for before, after in steps(K, y, C):
        g = y - before.f
        rise = np.where(y > 0, before.alpha < C, before.alpha > 0)
        fall = np.where(y > 0, before.alpha > 0, before.alpha < C)
        top = g[rise].max()
        slope = np.where(fall, np.maximum(top - g, 0), 0.0)
        first = np.flatnonzero(rise & (g >= top - ROUNDING))
        curvature = np.diag(K) + K[first[0], first[0]] - 2 * K[first[0]]
        gain = slope**2 / np.maximum(curvature, 1e-12)
        i, j = np.flatnonzero(before.alpha != after.alpha)
        i, j = (i, j) if i in first else (j, i)
        assert i in first
        assert fall[j]
        if len(first) == 1:
            assert gain[j] >= gain.max() * (1 - 1e-5)  # gains are compared in single precision


# -- at the end ----------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.claim("DUAL-24")
@small
@given(seed=seeds)
def test_optimum_is_that_of_slsqp(seed: int) -> None:
    K, y, C = problem(seed)
    before = K.copy(), y.copy(), C.copy()
    found = svm.smo(K, y, C, tol=SOLVED)
    assert all(np.array_equal(a, b) for a, b in zip((K, y, C), before, strict=True))
    assert found.converged
    assert np.isclose(found.dual, slsqp_dual(K, y, C), rtol=SLSQP)
    assert -ROUNDING * C.sum() <= found.gap <= SOLVED * C.sum()
    other = svm.smo(4 * K, -y, C / 4, tol=SOLVED)  # other names of the classes, and another scale
    assert np.allclose(decision(other), -decision(found), atol=FROM_SOLVED)


@pytest.mark.jit
@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_solution_is_that_of_scikit_learn(seed: int, C: float) -> None:
    X, y = overlapping(seed, 40)
    K = gram(X)
    found = svm.smo(K, y, C, tol=SOLVED)
    theirs = SVC(kernel="precomputed", C=C, tol=1e-10).fit(K, y)
    alpha = np.zeros(40)
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
    assert np.isclose(found.dual, svm.dual_objective(alpha, K @ (alpha * y), y), rtol=ROUNDING * 1e3)
    assert np.allclose(found.f, theirs.decision_function(K) - theirs.intercept_, atol=FROM_SOLVED)
    lower, upper = found.b_interval
    assert min(lower, upper) - FROM_SOLVED <= theirs.intercept_[0] <= max(lower, upper) + FROM_SOLVED
    if np.any((found.alpha > 0) & (found.alpha < C)):
        assert np.allclose(decision(found), theirs.decision_function(K), atol=FROM_SOLVED)


@pytest.mark.parametrize("weight", [{-1: 3.0}, {-1: 2.0, 1: 5.0}, "balanced"])
def test_class_weights_are_costs(weight: Any) -> None:
    X, y = overlapping(1)
    found = svm.smo(gram(X[4:]), y[4:], 0.7, class_weight=weight, tol=SOLVED)
    same = svm.smo(gram(X[4:]), y[4:], svm.costs(0.7, y[4:], weight), tol=SOLVED)
    assert np.array_equal(found.alpha, same.alpha)


# -- corners -------------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("distance", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("C", [1e-6, 0.3, 1e6])
def test_two_points_have_a_closed_form(distance: float, C: float) -> None:
    found = svm.smo([[0, 0], [0, distance**2]], [-1, 1], C, tol=SOLVED)
    assert np.allclose(found.alpha, min(2 / distance**2, C), rtol=ROUNDING)
    assert not np.any(np.signbit(svm.smo(np.eye(4), [-1, 1, 1, 1], C).alpha))


@pytest.mark.jit
def test_problems_solved_by_hand() -> None:
    X = np.array([[-1.0], [1.0]])
    found = svm.smo(X @ X.T, [-1.0, 1.0], 0.25)  # no free support vector: the bias is an interval
    assert (found.alpha.tolist(), found.b_interval) == ([0.25, 0.25], (-0.5, 0.5))
    assert (found.b, found.primal, found.dual) == (0.0, 0.375, 0.375)
    for C in (1e-8, 1.0, 1e8):  # one place with both labels costs both points
        found = svm.smo(np.ones((2, 2)), [1, -1], C)
        assert np.allclose(found.alpha, C)
        assert np.isclose(found.dual, 2 * C)
        assert np.isclose(found.gap, 0, atol=ROUNDING * C)
    X, y = overlapping(2, 12)
    found = svm.smo(gram(np.vstack([X, X])), np.append(y, -y), 1.0, tol=SOLVED)
    assert found.converged
    assert found.gap <= SOLVED * 24
    assert np.isclose(found.dual, 24)  # f = 0 is best, and every point pays its cost


@pytest.mark.jit
@pytest.mark.claim("DUAL-29")
def test_large_cost_is_the_hard_margin() -> None:
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [-1.0, -1.0, 1.0, 1.0]
    found = svm.smo(X @ X.T, y, 1e9, tol=SOLVED)
    assert np.allclose(found.alpha, [0, 0.5, 0.5, 0])
    assert np.allclose(decision(found), X[:, 0])


@pytest.mark.jit
@pytest.mark.parametrize("C", [0.5, 10.0])
def test_indefinite_matrix_ends_in_a_feasible_point(C: float) -> None:
    K = EditDistance()(data.words("ab", 3))
    K = K - 0.5 * np.eye(len(K))  # now the diagonal is 1/2 and off-diagonal entries are larger
    y = np.where(np.arange(len(K)) % 2 == 0, 1.0, -1.0)
    found = svm.smo(K, y, C, max_iter=20_000)
    assert np.all((found.alpha >= 0) & (found.alpha <= C))
    assert abs(found.alpha @ y) <= 1e-6
    assert found.dual >= 0
    assert found.converged == (found.violation <= 1e-3)


# -- stopping ------------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("max_iter", [1, 5, 30, 1003])
def test_last_step_is_respected_and_the_violation_is_honest(max_iter: int) -> None:
    X, y = overlapping(1, 60)
    K, C, seen = X @ X.T, np.full(60, 1e5), []
    report = lambda at: seen.append((at.n_iter, at.kernel_values, at.dual, at.violation))  # noqa: E731
    found = svm.smo(K, y, C, tol=1e-12, max_iter=max_iter, callback=report)
    assert (found.n_iter, found.converged, found.trace) == (max_iter, False, tuple(seen))
    assert seen[0] == (0, 0, 0.0, 2.0)
    assert np.isclose(found.violation, svm.kkt_residual(found.alpha, K @ (found.alpha * y), y, C))
    assert found.gap > 0


@pytest.mark.jit
@pytest.mark.parametrize("pairs", [1, 2, 7])
@pytest.mark.parametrize("left_out", [-1, 0, 1, 2])
def test_every_report_comes_once_up_to_the_last_step_allowed(pairs: int, left_out: int) -> None:
    K, y, C = problem(3)
    *_, late, end = smo_steps(K, y, C, tol=1e-3, pairs=1)
    assert late.violation > 1e-3 >= end.violation, "the rule changed: see 'when SMO stops' in CONTRIBUTING.md"
    max_iter = end.n_iter - left_out  # with 0 the last step allowed is the last one needed
    taken = min(end.n_iter, max_iter)
    *early, last = smo_steps(K, y, C, pairs=pairs, max_iter=max_iter)
    assert [at.n_iter for at in early] == list(range(0, taken, pairs))
    assert last.n_iter == taken
    found = svm.smo(K, y, C, max_iter=max_iter)
    assert (found.n_iter, found.converged) == (taken, left_out <= 0)


# -- rows of the Gram matrix ---------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("rows", [0, 2, 3, 5, 11])
@pytest.mark.parametrize("seed", range(2))
def test_a_small_cache_gives_the_same_answer(seed: int, rows: int) -> None:
    X, y = overlapping(seed, 24)
    X = X.round(seed)  # with ties, once
    found = svm.smo(RBF(gamma=0.5), y, 2.0, X=X, tol=SOLVED, cache_mb=TINY_CACHE + rows * 24 * 8 / 1e6)
    whole = svm.smo(gram(X), y, 2.0, tol=SOLVED)
    assert found.converged
    assert np.isclose(found.dual, whole.dual)
    assert np.allclose(decision(found), decision(whole), atol=FROM_SOLVED)


@pytest.mark.claim("SOLV-06")
def test_rows_are_computed_once_when_they_fit_and_only_if_asked_for() -> None:
    X, y = overlapping(0, 200)
    X = X + 3 * y[:, None]  # far apart: few support vectors
    found = svm.smo(RBF(gamma=0.5), y, 1.0, X=X)
    computed = found.trace[-1][1]
    assert computed % 200 == 0
    assert 0 < computed <= 200 * 200
    easy = svm.smo(Linear(), y, 1.0, X=X)
    assert easy.trace[-1][1] < 200 * 200
    assert svm.smo(gram(X), y, 1.0).trace[-1][1] == 0


def filled(rows: GramRows) -> dict[int, Array]:
    """Return the rows that are at hand, by point."""
    return {int(i): rows.values[rows.slot[i]] for i in np.flatnonzero(rows.slot >= 0)}


def cache_of(n: int, room: int) -> tuple[GramRows, Array]:
    X = np.random.default_rng(n).normal(size=(n, 2))
    return GramRows(RBF(), X, cache_mb=(room + 0.5) * n * 8 / 1e6), RBF()(X)


@given(wishes=st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True), max_size=12))
def test_cache_holds_what_was_wanted_last_and_never_more_than_it_may(wishes: list[list[int]]) -> None:
    rows, K = cache_of(10, 4)
    computed = 0
    for wish in wishes:
        computed += 10 * int(np.sum(rows.slot[wish] < 0))
        rows.fetch(np.array(wish))
        held = filled(rows)
        assert set(wish) <= held.keys()
        assert len(held) <= len(rows.values) == 4
        assert rows.full == (len(held) == 4)
        assert len({int(rows.slot[i]) for i in held}) == len(held)
        assert all(np.allclose(row, K[i]) for i, row in held.items())
        assert rows.computed == computed
        rows.used[rows.slot[wish]] += 1


def test_the_least_used_row_makes_room_and_leaves_its_merit() -> None:
    rows, _ = cache_of(10, 3)
    rows.fetch(np.array([0, 1, 2]))
    rows.used[rows.slot[[0, 1, 2]]] = [5, 2, 9]
    rows.fetch(np.array([7]))
    assert filled(rows).keys() == {0, 2, 7}
    rows.fetch(np.array([0, 7, 8]))  # 2 has merits, but 0 and 7 are wanted
    assert filled(rows).keys() == {0, 7, 8}
    rows.used[rows.slot[[0, 7, 8]]] = [5, 4, 9]
    rows.fetch(np.array([1]))  # 7 goes
    rows.used[rows.slot[1]] += 2  # from 4 to 6: used twice since, it outlives the old merits of 0
    rows.fetch(np.array([3]))
    assert filled(rows).keys() == {8, 1, 3}


def test_memory_is_bounded_whatever_the_number_of_points_and_a_matrix_is_there_from_the_start() -> None:
    X = np.zeros((20_000, 1))
    rows = GramRows(RBF(), X, cache_mb=8.0)
    assert rows.values.nbytes == 50 * 20_000 * 8 <= 8e6
    assert (rows.computed, len(rows)) == (0, 20_000)
    assert GramRows(RBF(), X.astype(np.float32), cache_mb=8.0).values.shape == (100, 20_000)
    assert GramRows(RBF(), X, cache_mb=TINY_CACHE).values.shape == (2, 20_000)
    assert GramRows(RBF(), X[:3]).values.shape == (3, 3)  # no more rows than points
    assert GramRows(RBF(), X[:1], cache_mb=TINY_CACHE).values.shape == (1, 1)
    K = np.asfortranarray(np.array([[2.0, 1.0], [1.0, 3.0]]))
    rows = GramRows(K)
    rows.fetch(np.array([0, 1]))
    assert rows.values.flags.c_contiguous
    assert (rows.values.tolist(), rows.diagonal.tolist()) == (K.tolist(), [2, 3])
    assert (rows.slot.tolist(), rows.computed, len(rows)) == ([0, 1], 0, 2)


@pytest.mark.jit
def test_single_precision_points_give_single_precision_rows() -> None:
    X, y = overlapping(4, 40)
    assert GramRows(RBF(), X.astype(np.float32)).values.dtype == np.float32
    single = svm.smo(RBF(gamma=0.5), y, 2.0, X=X.astype(np.float32), tol=1e-4)
    double = svm.smo(RBF(gamma=0.5), y, 2.0, X=X, tol=1e-4)
    assert single.converged
    assert np.isclose(single.dual, double.dual, rtol=SINGLE)
    assert svm.smo(gram(X).astype(np.float32), y, 2.0, tol=1e-4).converged
