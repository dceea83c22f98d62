"""The perceptron: the pseudo-code of the lecture, the theorem on its updates, and brute force over lines."""

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from lecturekit._typing import Array
from lecturekit.perceptron import Update, mistake_bound, pla, pla_steps, pocket, vc_bound
from tests.support.oracles import overlapping

RELATIVE = 1e-6  # SLSQP and non-negative least squares find the same shortest weights to six digits

# Two lines per number would be optimal; visiting in turn never finds one (see ERR-71).
CIRCLE_X, CIRCLE_Y = np.array([[-3.0], [-3.0], [-3.0], [0.0]]), np.array([-1, -1, 1, 1])


def augmented(X: Array) -> Array:
    return np.column_stack([np.ones(len(X)), X])


def separable(seed: int, n: int = 30) -> tuple[Array, Array]:
    """Draw points on both sides of a line, none closer than 0.2 to it."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    height = 0.2 + X @ [1.0, -1.0]
    far = np.abs(height) > 0.2
    return X[far], np.sign(height[far])


def visiting_in_turn(Z: Array, y: Array, most: int) -> tuple[Array, list[int], list[int]]:
    """Run the pseudo-code: go through the points again and again, until a pass changes nothing."""
    log: list[int] = []
    sweeps: list[int] = []
    w, sweep, changed = np.zeros(Z.shape[1]), 0, True
    while changed and len(log) < most:
        sweep, changed = sweep + 1, False
        for i in range(len(y)):
            if np.sign(w @ Z[i]) != y[i] and len(log) < most:
                w, changed = w + y[i] * Z[i], True
                log.append(i)
                sweeps.append(sweep)
    return w, log, sweeps


def fewest_errors_on_the_line(x: Array, y: Array) -> float:
    """Try every threshold between two points, and both directions."""
    places = np.sort(np.concatenate([x - 0.5, x + 0.5]))
    return min(float(np.mean(sign * (x - place) * y <= 0)) for place in places for sign in (-1, 1))


@pytest.mark.claim("LIN-31")
@pytest.mark.parametrize("seed", range(5))
def test_updates_are_those_of_the_pseudo_code(seed: int) -> None:
    for X, y in (separable(seed), overlapping(seed)):
        w, log, sweeps = visiting_in_turn(augmented(X), y, most=200)
        result = pla(X, y, max_updates=200)
        assert result.log.tolist() == log
        assert np.array_equal(np.append(result.b, result.w), w)
        assert [update.sweep for update in islice(pla_steps(X, y), 200)] == sweeps


@pytest.mark.parametrize("order", ["cyclic", "random"])
@pytest.mark.parametrize("intercept", [True, False])
def test_every_update_repairs_a_misclassified_point(order: str, intercept: bool) -> None:
    X, y = overlapping(1)
    Z = augmented(X) if intercept else X
    result = pla(X, y, order=order, rng=3, max_updates=300, fit_intercept=intercept)
    assert result.n_iter == len(result.log) == 300
    assert result.path.shape == (301, Z.shape[1])
    for t, i in enumerate(result.log):
        assert y[i] * (Z[i] @ result.path[t]) <= 0
        assert np.array_equal(result.path[t + 1], result.path[t] + y[i] * Z[i])
    assert np.allclose(result.trace, [np.mean(y * (Z @ v) <= 0) for v in result.path])
    assert not result.converged
    assert result.gap == result.trace[-1] > 0
    assert np.array_equal(np.append(result.b, result.w) if intercept else result.w, result.path[-1])
    assert intercept or result.b == 0.0


def test_generator_and_driver_say_the_same_and_random_visits_reach_every_wrong_point() -> None:
    X, y = separable(7)
    updates = list(pla_steps(X, y, order="random", rng=5))
    result = pla(X, y, order="random", rng=5)
    assert [u.n_iter for u in updates] == list(range(1, result.n_iter + 1))
    assert [u.i for u in updates] == result.log.tolist()
    assert [u.error for u in updates] == result.trace[1:].tolist()
    assert all(u.sweep == 1 for u in updates)
    assert np.array_equal(updates[-1].w, result.w)
    assert updates[-1].b == result.b
    assert isinstance(updates[0], Update)
    X, y = overlapping(2, 10)
    first = {next(pla_steps(X, y, order="random", rng=seed)).i for seed in range(200)}
    assert first == set(range(10))  # at weights zero all are misclassified


@pytest.mark.claim("LIN-31")
def test_an_update_may_leave_its_point_wrong_and_the_error_may_rise() -> None:
    update = next(pla_steps([[1.0]], [1], fit_intercept=False, w0=[-10.0]))
    assert (update.w.tolist(), update.error) == ([-9.0], 1.0)
    X, y = overlapping(3)
    assert np.any(np.diff(pla(X, y, max_updates=100).trace) > 0)


def test_weights_to_start_from() -> None:
    X, y = separable(4)
    solved = pla(X, y)
    again = pla(X, y, w0=np.append(solved.b, solved.w))
    assert (again.n_iter, again.converged, again.path.shape) == (0, True, (1, 3))
    assert list(pla_steps(X, y, w0=np.append(solved.b, solved.w))) == []


@pytest.mark.claim("LIN-40")
def test_linear_regression_is_a_good_start() -> None:
    warm = cold = 0
    for seed in range(20):
        X, y = separable(seed, 100)
        start = np.linalg.lstsq(augmented(X), y, rcond=None)[0]
        warm += pla(X, y, w0=20 * start).n_iter
        cold += pla(X, y).n_iter
    assert warm < cold


@pytest.mark.claim("LIN-30")
def test_a_point_on_the_boundary_counts_as_wrong() -> None:
    assert pla([[1.0], [-1.0]], [1, -1]).trace[0] == 1.0  # weights zero have every point on the boundary
    result = pla([[0.0], [1.0]], [-1, 1], w0=[0.0, 1.0])  # right on 1, and 0 is on the boundary
    assert result.trace[0] == 0.5
    assert result.converged
    assert result.b < 0 < result.b + result.w[0]


@pytest.mark.claim("LIN-32")
@pytest.mark.parametrize("seed", range(20))
def test_updates_are_at_most_the_bound(seed: int) -> None:
    X, y = separable(seed)
    bound = mistake_bound(X, y).bound
    for order in ("cyclic", "random"):
        result = pla(X, y, order=order, rng=seed)
        assert result.converged
        assert np.all(y * (X @ result.w + result.b) > 0)
        assert result.n_iter <= bound
    assert pla(X, y, fit_intercept=False, max_updates=1).n_iter == 1


@pytest.mark.claim("LIN-32")
def test_inequalities_of_the_proof_hold_at_every_update() -> None:
    X, y = separable(3)
    found, result = mistake_bound(X, y), pla(X, y)
    t = np.arange(result.n_iter + 1)
    assert np.all(result.path @ found.v >= t * (1 - RELATIVE))  # each update adds at least one
    assert np.all(np.sum(result.path**2, axis=1) <= t * found.R**2 * (1 + RELATIVE))  # and R^2 at the most


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("intercept", [True, False])
def test_shortest_weights_are_those_of_a_general_optimiser(seed: int, intercept: bool) -> None:
    X, y = separable(seed)
    if not intercept:
        y = np.sign(X @ [1.0, -1.0])
    Z = augmented(X) if intercept else X
    found = mistake_bound(X, y, fit_intercept=intercept)
    oracle = minimize(
        lambda v: v @ v,
        found.v * 2,
        jac=lambda v: 2 * v,
        constraints={"type": "ineq", "fun": lambda v: y * (Z @ v) - 1, "jac": lambda v: y[:, None] * Z},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert np.allclose(found.v, oracle.x, rtol=RELATIVE, atol=RELATIVE * found.B)
    assert np.isclose(found.B, np.sqrt(oracle.fun), rtol=RELATIVE)
    assert pytest.approx(np.linalg.norm(Z, axis=1).max()) == found.R
    assert np.min(y * (Z @ found.v)) >= 1 - RELATIVE
    assert found.bound == pytest.approx((found.R * found.B) ** 2)


def test_bound_knows_no_unit_and_is_large_where_the_gap_is_narrow() -> None:
    X = np.array([[-1.0, 0.5], [1.0, 0.2], [2.0, -0.3]])
    plain = mistake_bound(X, [-1, 1, 1], fit_intercept=False)
    for scale in (1e-6, 1e6):
        found = mistake_bound(scale * X, [-1, 1, 1], fit_intercept=False)
        assert found.bound == pytest.approx(plain.bound)
        assert scale * found.B == pytest.approx(plain.B)
    for gap in (1e-2, 1e-4):
        exact = np.hypot(2 / gap, 1)  # w = 2/gap, b = -1
        assert pytest.approx(exact, rel=RELATIVE) == mistake_bound([[0.0], [gap]], [-1, 1]).B


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=7, unique=True))
def test_bound_holds_for_every_separable_labelling(points: list[tuple[int, int]]) -> None:
    X = np.array(points, dtype=float)
    for y in islice(product([-1.0, 1.0], repeat=len(X)), 1, 6):
        try:
            bound = mistake_bound(X, y).bound
        except ValueError:
            assert pla(X, y, max_updates=2000).n_iter == 2000
        else:
            result = pla(X, y)
            assert result.converged
            assert result.n_iter <= bound * (1 + RELATIVE)


@pytest.mark.claim("LIN-39")
@given(st.integers(0, 10**6), st.sampled_from(["random", "cyclic"]))
def test_pocket_never_gets_worse_and_is_the_best_so_far(seed: int, order: str) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, size=(12, 2)).astype(float), rng.choice([-1.0, 1.0], size=12)
    kept = pocket(X, y, n_iter=60, rng=seed, order=order)
    walk = pla(X, y, order=order, rng=seed, max_updates=60)
    assert np.array_equal(kept.log, walk.log)
    assert np.array_equal(kept.trace, np.minimum.accumulate(walk.trace))
    errors = [np.mean(y * (augmented(X) @ v) <= 0) for v in kept.path]
    assert np.allclose(errors, kept.trace)
    changed = np.any(np.diff(kept.path, axis=0) != 0, axis=1)
    assert np.array_equal(changed, np.diff(kept.trace) < 0)  # of equally good weights the first ones stay
    assert np.array_equal(kept.path[-1], np.append(kept.b, kept.w))
    assert kept.gap == kept.trace[-1]
    assert kept.converged == (kept.gap == 0)


@pytest.mark.claim("LIN-38")
def test_pocket_needs_random_visits() -> None:
    best = fewest_errors_on_the_line(CIRCLE_X[:, 0], CIRCLE_Y)
    assert best == 0.25
    assert pocket(CIRCLE_X, CIRCLE_Y, n_iter=4000, order="cyclic").gap > best
    assert all(pocket(CIRCLE_X, CIRCLE_Y, n_iter=4000, rng=seed).gap == best for seed in range(5))


def test_pocket_stops_where_nothing_is_wrong() -> None:
    X, y = separable(5)
    result = pocket(X, y, n_iter=10_000, rng=0)
    assert result.converged
    assert result.n_iter < 10_000
    assert pocket(X, y, n_iter=5, rng=0, w0=result.path[-1]).n_iter == 0


@pytest.mark.claim("LIN-34")
@pytest.mark.parametrize(("n", "d_vc", "delta"), [(10, 1, 0.5), (1000, 3, 0.05), (10**6, 11, 1e-3)])
def test_bound_on_the_error_is_its_formula(n: int, d_vc: int, delta: float) -> None:
    eps = vc_bound(n, d_vc, delta)
    assert 4 * ((2 * n) ** d_vc + 1) * np.exp(-n * eps**2 / 8) == pytest.approx(delta)
    assert eps < vc_bound(n, 1000 * d_vc, delta) < np.inf  # where the power overflows
