"""The lasso and the elastic net: optimality, duality, scikit-learn, corners, paths."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model as sk

from lecturekit import data, features, penalized
from lecturekit._typing import Array
from lecturekit.penalized import (
    elastic_net,
    elastic_net_path,
    lam_max,
    lasso,
    penalized_objective,
    soft_threshold,
)
from lecturekit.penalized._lasso import _epoch, _newton
from lecturekit.penalized._solver import GAP_EPOCHS
from tests.support import penalty_oracles
from tests.support.penalty_oracles import LBFGS, ROUNDING, SKLEARN, TIGHT, centred, problem, seeds, violation

EXACT = 1e-12  # the tolerance of fits that are compared
OPTIMAL = 1e-5  # violation of the optimality conditions that a gap of 1e-12 leaves: its root, and some room

small = settings(max_examples=6)  # each example solves a problem, also as plain Python
ratios = st.sampled_from([0.1, 0.5, 1.0])
truths = st.booleans()
shapes = st.sampled_from([(15, 6), (5, 9), (1, 3), (7, 1), (12, 30)])
each_intercept = pytest.mark.parametrize("intercept", [True, False])
each_ratio = pytest.mark.parametrize("l1_ratio", [0.5, 1.0])


def hard_quadratic() -> tuple[Array, Array]:
    """Return 100 points with 64 correlated features: squares and products of the diabetes measurements."""
    table = data.diabetes()
    Phi = features.polynomial(features.Standardizer.fit(table.X)(table.X), 2, constant=False)
    names = features.monomial_names(10, 2, constant=False)
    Phi = Phi[:, [j for j, name in enumerate(names) if name != "x2^2"]]
    rows = np.random.default_rng([3, 3]).permutation(len(Phi))[:100]
    return features.Standardizer.fit(Phi[rows])(Phi[rows]), table.y[rows]


# -- one epoch -----------------------------------------------------------------------------------------------
@pytest.mark.jit
@each_ratio
def test_an_epoch_minimises_over_one_weight_after_the_other(l1_ratio: float) -> None:
    X, y = problem(1, 8, 3)
    Z, v = centred(np.column_stack([np.zeros(8), X]), y, True)
    square, l1, l2 = np.mean(Z**2, axis=0), 0.01 * l1_ratio, 0.01 * (1 - l1_ratio)
    w, r, expected, values = np.zeros(4), v.copy(), np.zeros(4), []
    for _ in range(3):
        _epoch(np.asfortranarray(Z), square, w, r, l1, l2)
        for j in range(1, 4):  # a column of zeros keeps its weight of zero
            expected[j] = 0.0
            expected[j] = soft_threshold(Z[:, j] @ (v - Z @ expected) / 8, l1) / (square[j] + l2)
        assert np.allclose(w, expected, atol=EXACT)
        assert np.allclose(r, v - Z @ w, atol=EXACT)
        values.append(penalized_objective(w[1:], X, y, 0.01, l1_ratio))
    assert np.all(np.diff(values) < 0)


# -- the fits ------------------------------------------------------------------------------------------------
@pytest.mark.jit
@small
@given(seed=seeds, shape=shapes, l1_ratio=ratios, intercept=truths, lam=st.sampled_from([0.003, 0.05, 0.5]))
def test_fit_is_optimal_and_certified(
    seed: int, shape: tuple[int, int], l1_ratio: float, intercept: bool, lam: float
) -> None:
    X, y = problem(seed, *shape)
    _, v = centred(X, y, intercept)
    own, scale = {"fit_intercept": intercept}, float(v @ v) / (2 * len(y))
    found = elastic_net(X, y, lam, l1_ratio, tol=1e-10, **own)
    best = penalty_oracles.best_objective(X, y, lam, l1_ratio, intercept)
    assert found.converged
    assert found.gap <= 1e-10 * scale
    assert found.gap >= found.primal - best - LBFGS * (1 + scale)
    assert found.primal == pytest.approx(best, abs=LBFGS * (1 + scale))
    assert found.primal == pytest.approx(penalized_objective(found.w, X, y, lam, l1_ratio, **own))
    assert violation(found.w, X, y, lam, l1_ratio, intercept) <= 1e-4 * (1 + scale)
    assert found.b == pytest.approx(y.mean() - X.mean(axis=0) @ found.w if intercept else 0.0)
    assert (found.lam, found.l1_ratio) == (lam, l1_ratio)
    assert found.trace[-1].tolist() == [found.n_iter, found.primal, found.dual]
    assert np.all(found.trace[:, 2] <= found.primal + ROUNDING * (1 + scale))
    assert found.support.tolist() == np.flatnonzero(found.w).tolist()


@pytest.mark.jit
@each_intercept
@pytest.mark.parametrize(("n", "d"), [(40, 8), (12, 20)])
def test_same_weights_as_scikit_learn(n: int, d: int, intercept: bool) -> None:
    X, y = problem(4, n, d)
    own: Any = {"tol": 1e-13, "fit_intercept": intercept}
    for lam in (0.1, 0.5):
        theirs = sk.Lasso(alpha=lam, fit_intercept=intercept, **TIGHT).fit(X, y)
        ours = lasso(X, y, lam, **own)
        assert np.allclose(ours.w, theirs.coef_, atol=SKLEARN)
        assert ours.b == pytest.approx(theirs.intercept_, abs=10 * SKLEARN)
        mixed = sk.ElasticNet(alpha=lam, l1_ratio=0.3, fit_intercept=intercept, **TIGHT).fit(X, y)
        assert np.allclose(elastic_net(X, y, lam, 0.3, **own).w, mixed.coef_, atol=SKLEARN)


# -- the penalties at both ends ------------------------------------------------------------------------------
@pytest.mark.jit
@small
@given(seed=seeds, shape=shapes, l1_ratio=ratios, intercept=truths)
def test_weights_leave_zero_just_below_the_largest_penalty(
    seed: int, shape: tuple[int, int], l1_ratio: float, intercept: bool
) -> None:
    X, y = problem(seed, *shape)
    own = {"fit_intercept": intercept}
    top = lam_max(X, y, l1_ratio, **own)
    if shape[0] == 1 and intercept:
        assert top == 0.0  # a single point is predicted by the intercept alone
        return
    for lam in (top, 1.1 * top):
        assert not np.any(elastic_net(X, y, lam, l1_ratio, **own).w)
    assert elastic_net(X, y, 0.99 * top, l1_ratio, tol=EXACT, **own).support.size >= 1


@each_intercept
@pytest.mark.parametrize("lam", [0.0, 0.2])
def test_share_of_zero_is_ridge_regression_and_of_one_the_lasso(lam: float, intercept: bool) -> None:
    X, y = problem(7)
    closed = penalized.ridge(X, y, lam, fit_intercept=intercept)
    found = elastic_net(X, y, lam, 0.0, fit_intercept=intercept)
    assert np.array_equal(found.w, closed.w)
    assert (found.b, found.l1_ratio, found.n_iter) == (closed.b, 0.0, 0)
    one = elastic_net(X, y, lam, 1.0, fit_intercept=intercept)
    assert np.array_equal(one.w, lasso(X, y, lam, fit_intercept=intercept).w)
    assert one.l1_ratio == 1.0
    near = elastic_net(X, y, 0.2, 1e-7, fit_intercept=intercept, tol=1e-13)
    assert np.allclose(near.w, penalized.ridge(X, y, 0.2, fit_intercept=intercept).w, atol=1e-5)


@each_intercept
@pytest.mark.parametrize("shape", [(15, 6), (5, 9)])
def test_without_a_penalty_it_is_the_shortest_least_squares(shape: tuple[int, int], intercept: bool) -> None:
    X, y = problem(9, *shape)
    Z, v = centred(X, y, intercept)
    found = lasso(X, y, 0.0, fit_intercept=intercept)
    assert np.allclose(found.w, np.linalg.lstsq(Z, v, rcond=1e-10)[0])
    assert found.converged
    assert found.gap == pytest.approx(0.0, abs=1e-10)
    assert (found.lam, found.l1_ratio) == (0.0, 1.0)


@pytest.mark.jit
@pytest.mark.parametrize("lam", [1e-3, 1.0])
def test_correlated_features_are_solved(lam: float) -> None:
    X, y = hard_quadratic()
    found = lasso(X, y, lam)
    assert found.converged
    assert violation(found.w, X, y, lam) <= 1e-2 * lam


# -- corners -------------------------------------------------------------------------------------------------
@pytest.mark.jit
@each_ratio
def test_zero_and_constant_columns_get_no_weight(l1_ratio: float) -> None:
    X, y = problem(11)
    wide = np.column_stack([np.zeros(15), X, np.full(15, 0.1)])
    found, without = (elastic_net(Z, y, 1e-4, l1_ratio, tol=EXACT) for Z in (wide, X))
    assert found.w[0] == found.w[-1] == 0.0
    assert np.allclose(found.w[1:-1], without.w, atol=OPTIMAL)
    assert found.b == pytest.approx(without.b)


@pytest.mark.jit
@pytest.mark.parametrize("sign", [1, -1])
def test_equal_or_opposite_columns_fit_as_one_does(sign: int) -> None:
    X, y = problem(13, d=3)
    twice, once = np.column_stack([X, sign * X]), lasso(X, y, 0.05, tol=EXACT)
    found = lasso(twice, y, 0.05, tol=EXACT)
    assert found.converged
    assert found.primal == pytest.approx(once.primal, rel=1e-10)
    assert np.allclose(found.w[:3] + sign * found.w[3:], once.w, atol=OPTIMAL)
    net = elastic_net(twice, y, 0.05, 0.5, tol=1e-14)
    assert np.allclose(net.w[:3], sign * net.w[3:], atol=1e-6)  # strictly convex: the weight is shared


@pytest.mark.jit
@each_ratio
def test_constant_targets_need_no_weights(l1_ratio: float) -> None:
    X, _ = problem(14)
    found = elastic_net(X, np.full(15, 0.1), 1e-3, l1_ratio)
    assert not np.any(found.w)
    assert found.b == pytest.approx(0.1)
    path = elastic_net_path(X, np.full(15, 7.0), l1_ratio, n=3)
    assert not np.any(path.W)
    assert np.allclose(path.b, 7.0)
    assert path.converged


@pytest.mark.jit
def test_memory_order_changes_nothing_and_arguments_are_left_alone() -> None:
    X, y = problem(16, 12, 20)
    kept = X.copy(), y.copy()
    for intercept in (True, False):
        fits = [
            lasso(Z, y, 0.2, fit_intercept=intercept, tol=EXACT).w
            for Z in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X.tolist())
        ]
        assert all(np.allclose(w, fits[0], atol=OPTIMAL) for w in fits)
    assert np.array_equal(X, kept[0])
    assert np.array_equal(y, kept[1])


@pytest.mark.jit
def test_solver_gives_up_after_the_most_epochs_and_the_path_says_so() -> None:
    X, y = hard_quadratic()
    found = lasso(X, y, 1e-2, tol=1e-12, max_iter=20)
    assert not found.converged
    assert 20 <= found.n_iter <= 30
    assert found.gap > 0
    path = penalized.lasso_path(X, y, [10.0, 1e-2], tol=1e-12, max_iter=20)
    assert not path.converged
    assert path.gap[1] > 0
    assert np.isfinite(path.W).all()
    assert GAP_EPOCHS <= path.n_iter <= 60


@pytest.mark.jit
@pytest.mark.parametrize("share", [1.0, 1 - 1e-16, 1 - 1e-12])
def test_tolerance_that_rounding_does_not_allow_ends(share: float) -> None:
    for seed in range(12):
        X, y = problem(seed, 3, 9)
        found = lasso(X.round(1), y, share * lam_max(X.round(1), y), tol=1e-300, max_iter=20)
        assert np.allclose(found.w, 0.0, atol=1e-10)


@pytest.mark.jit
@pytest.mark.parametrize("seed", [20, 45, 76, 96, 104, 121])  # in most of them rounding leaves a rest
def test_weight_that_meets_zero_on_the_way_stays_there(seed: int) -> None:
    X, y = problem(seed, 30, 4)
    Z, v = centred(X, y, True)
    G, c = Z.T @ Z / 30, Z.T @ v / 30
    w = np.array([0.3, 2.0, -1.0, 1.0]) * np.sign(np.linalg.solve(G, c)) * [-1, 1, 1, -1]  # wrong signs
    g = c - G @ w
    before, signs = penalized_objective(w, X, y, 0.05), np.sign(w)
    _newton(G, w, g, 0.05, 0.0)
    on = w != 0
    assert penalized_objective(w, X, y, 0.05) < before
    assert not np.all(on)
    assert np.array_equal(np.sign(w[on]), signs[on])  # no weight crossed zero, not even by rounding
    assert np.allclose(g, c - G @ w)
    assert np.allclose(g[on], 0.05 * np.sign(w[on]))


@pytest.mark.jit
@pytest.mark.parametrize(("G", "at"), [(np.eye(2), [0.0, 0.0]), (np.ones((2, 2)), [1.0, 2.0])])
def test_no_weights_and_those_of_dependent_features_are_left_alone(G: Array, at: list[float]) -> None:
    w, g = np.array(at), np.array([0.1, -0.2])
    _newton(G, w, g, 0.5, 0.0)
    assert w.tolist() == at
    assert g.tolist() == [0.1, -0.2]


# -- paths ---------------------------------------------------------------------------------------------------
@pytest.mark.jit
@each_intercept
@each_ratio
def test_path_is_made_of_single_fits(l1_ratio: float, intercept: bool) -> None:
    X, y = problem(17, 12, 20)
    own: Any = {"fit_intercept": intercept, "tol": EXACT}
    path = elastic_net_path(X, y, l1_ratio, [0.1, 1.0, 0.3], **own)
    assert path.lams.tolist() == [1.0, 0.3, 0.1]
    assert path.converged
    for i, lam in enumerate(path.lams):
        single = elastic_net(X, y, float(lam), l1_ratio, **own)
        assert np.allclose(path.W[i], single.w, atol=10 * OPTIMAL)
        assert path.b[i] == pytest.approx(single.b, abs=10 * OPTIMAL)
        assert 0 <= path.gap[i] + ROUNDING <= EXACT * float(y @ y)


@pytest.mark.jit
def test_default_path_starts_where_the_first_weight_does() -> None:
    X, y = problem(18)
    path, top = penalized.lasso_path(X, y, n=5, least=1e-2), lam_max(X, y)
    assert np.allclose(path.lams, np.geomspace(top, 1e-2 * top, 5))
    assert not np.any(path.W[0])
    assert np.all(np.any(path.W[1:], axis=1))
    losses = [penalized_objective(w, X, y, 0.0) for w in path.W]
    lengths = np.abs(path.W).sum(axis=1)
    assert np.all(np.diff(losses) < 0)  # a smaller penalty fits better and has longer weights
    assert np.all(np.diff(lengths) > 0)
    defaults = penalized.lasso_path(X, y).lams, penalized.elastic_net_path(X, y, 1.0).lams
    assert np.allclose(defaults, np.geomspace(top, 1e-3 * top, 100))
