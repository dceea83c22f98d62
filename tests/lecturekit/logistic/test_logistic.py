"""Logistic regression: finite differences, closed forms, scikit-learn, and data without a minimum."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, check_grad, minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from lecturekit import logistic as module
from lecturekit._typing import Array
from lecturekit.logistic import logistic, logistic_gradient, logistic_hessian, logistic_risk, logistic_steps
from tests.support.oracles import overlapping

DIFFERENCES = 1e-6  # finite differences are right to about half of the digits
SOLVED = 1e-8  # weights that follow from gradients of 1e-10
# Overlapping classes with two points far out: a full Newton step goes too far, and the next one farther.
FAR_X = np.array([[9, -9], [-2, -6], [-7, 0], [-200, 600], [0, 0], [-500, 700], [-8, -3], [-5, -2]])
FAR_Y = np.array([-1, 1, -1, -1, -1, 1, 1, 1])
LINE, QUASI = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0.0], [0.0], [1.0], [2.0]])


def augmented(X: Array) -> Array:
    return np.column_stack([np.ones(len(X)), X])


@pytest.mark.claim("LIN-44")
@given(st.integers(0, 10**6))
def test_gradient_and_hessian_are_derivatives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, w = rng.normal(size=(8, 3)), rng.choice([-1.0, 1.0], size=8), rng.normal(size=3) * 3
    assert check_grad(logistic_risk, logistic_gradient, w, X, y) < DIFFERENCES
    slopes = approx_fprime(w, logistic_gradient, 1e-7, X, y)
    assert np.allclose(logistic_hessian(w, X, y), slopes, atol=DIFFERENCES)


@pytest.mark.claim("LIN-43")
def test_risk_is_minus_the_mean_log_likelihood() -> None:
    X, y = overlapping(0)
    w = np.array([0.7, -0.4])
    likelihood = np.prod(expit(X[y > 0] @ w)) * np.prod(expit(-(X[y < 0] @ w)))
    assert logistic_risk(w, X, y) == pytest.approx(-np.log(likelihood) / len(y))


def test_far_from_the_boundary_nothing_overflows_and_one_class_is_enough() -> None:
    X, y = np.array([[1e4], [1e4]]), np.array([1.0, -1.0])
    assert logistic_risk([1.0], X, y) == pytest.approx(5000.0)
    assert logistic_gradient([1.0], X, y) == pytest.approx([5000.0])
    assert logistic_hessian([1.0], X, y) == pytest.approx(0.0)
    single = np.ones((3, 2), dtype=np.float32)
    assert logistic_risk([1.0, 0.5], single, [1, 1, 1]) == pytest.approx(np.log1p(np.exp(-1.5)))
    assert logistic_gradient([0.0, 0.0], single, [1, 1, 1]).dtype == np.float64


@pytest.mark.claim("LIN-43")
@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_minimum_is_that_of_scikit_learn(lam: float, intercept: bool) -> None:
    X, y = overlapping(1, 60)
    ours = logistic(X, y, lam=lam, fit_intercept=intercept)
    theirs = LogisticRegression(
        C=1 / (lam * len(y)), fit_intercept=intercept, solver="newton-cholesky", tol=1e-12
    ).fit(X, y)
    assert ours.converged
    assert np.allclose(ours.w, theirs.coef_[0], atol=SOLVED)
    assert np.isclose(ours.b, np.ravel(theirs.intercept_)[0], atol=SOLVED)


def test_minimum_without_a_penalty_is_that_of_an_optimiser_for_any_kind_of_numbers() -> None:
    X, y = overlapping(2, 50)
    Z = augmented(X)
    oracle = minimize(logistic_risk, np.zeros(3), (Z, y), jac=logistic_gradient, options={"gtol": 1e-10})
    ours = logistic(X, y)
    assert np.allclose([ours.b, *ours.w], oracle.x, atol=1e-6)
    assert np.max(np.abs(logistic_gradient([ours.b, *ours.w], Z, y))) <= 1e-10
    assert ours.gap == ours.trace[-1] <= 1e-10
    assert ours.objectives[-1] == pytest.approx(oracle.fun)
    rng = np.random.default_rng(3)
    whole, signs = rng.integers(-5, 6, size=(40, 3)), np.tile([-1, 1], 20)
    expected, before = logistic(whole.astype(float), signs), whole.copy()
    for same in (whole, whole.astype(np.float32), np.asfortranarray(whole, dtype=float)):
        assert np.allclose(logistic(same, signs).w, expected.w, atol=SOLVED)
    assert np.array_equal(whole, before)


def test_blocks_of_rows_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = overlapping(4, 50)
    whole = logistic(X, y)
    for size in (7 * 8 * 3, 1):
        monkeypatch.setattr(module, "WEIGHTED_BYTES", size)
        assert np.allclose(logistic(X, y).w, whole.w, atol=SOLVED)


@pytest.mark.parametrize("intercept", [True, False])
def test_a_step_is_weighted_least_squares(intercept: bool) -> None:
    X, y = overlapping(5)
    Z = augmented(X) if intercept else X
    before, after = list(islice(logistic_steps(X, y, fit_intercept=intercept), 3))[1:]
    v = np.append(before.b, before.w) if intercept else before.w
    p = expit(Z @ v)
    weight, target = np.sqrt(p * (1 - p)), Z @ v + ((y > 0) - p) / (p * (1 - p))
    expected = np.linalg.lstsq(weight[:, None] * Z, weight * target, rcond=None)[0]
    assert np.allclose(np.append(after.b, after.w) if intercept else after.w, expected)
    assert after.moved == pytest.approx(np.max(np.abs(Z @ (expected - v))))


@pytest.mark.parametrize("lam", [0.0, 1e-6, 1e-2])
def test_objective_never_rises_where_full_steps_go_too_far(lam: float) -> None:
    fit = logistic(FAR_X, FAR_Y, lam=lam)
    assert fit.converged
    assert np.all(np.diff(fit.objectives) <= 0)
    assert fit.objectives[-1] < 0.5


@given(st.integers(0, 10**6), st.sampled_from([1e-8, 1e-4, 1.0]))
def test_any_data_have_a_minimum_with_a_penalty(seed: int, lam: float) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.standard_t(2, size=(12, 3)), rng.permutation(np.tile([-1.0, 1.0], 6))
    fit = logistic(X, y, lam=lam)
    assert fit.converged
    assert np.all(np.diff(fit.objectives) <= 1e-15)
    total = logistic_risk([fit.b, *fit.w], augmented(X), y) + lam / 2 * fit.w @ fit.w
    assert fit.objectives[-1] == pytest.approx(total)
    slope = logistic_gradient([fit.b, *fit.w], augmented(X), y) + lam * np.append(0, fit.w)
    assert np.max(np.abs(slope)) <= 2e-10


def test_steps_end_at_once_or_when_they_run_out_or_where_rounding_does_not_let_the_gradient_shrink() -> None:
    fit = logistic(*overlapping(7), tol=1e-300)
    assert not fit.converged
    assert fit.n_iter < 20
    assert fit.gap < 1e-15
    fit = logistic(*overlapping(8), max_iter=1)
    assert (fit.n_iter, fit.converged, len(fit.trace), len(fit.objectives)) == (1, False, 2, 2)
    fit = logistic([[1.0], [1.0], [-1.0], [-1.0]], [1, -1, 1, -1])  # the start is the minimum
    assert (fit.n_iter, fit.converged, fit.w[0], fit.b) == (0, True, 0.0, 0.0)


@pytest.mark.parametrize(
    ("X", "y", "options", "told"),
    [(LINE, [-1, -1, 1, 1], {"tol": tol}, "4 of 4 points.*take lam > 0") for tol in (1e-10, 1e-3)]
    + [
        (scale * QUASI, [-1, 1, 1, 1], {"tol": tol * min(1.0, scale)}, "2 of 4 points")
        for scale in (1e-3, 1.0, 1e3)
        for tol in (1e-10, 1e-3, 0.1)
    ]
    + [(QUASI, [-1, 1, 1, 1], {"max_iter": 3}, "2 of 4 points")]  # seen also when the steps run out
    + [(np.random.default_rng(0).normal(size=(4, 6)), [-1, 1, -1, 1], {}, "4 of 4 points")],
)
def test_separable_and_quasi_separable_classes_have_no_minimum_without_a_penalty(
    X: Array, y: list[int], options: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=f"a hyperplane tells {told}"):
        logistic(X, y, **options)
    assert logistic(X, y, lam=1e-6).converged


def test_weights_that_separate_are_proof_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "separated_points", lambda A: pytest.fail("no programme is needed"))
    X = np.random.default_rng(0).normal(size=(200, 3))
    with pytest.raises(ValueError, match="a hyperplane tells 200 of 200 points"):
        logistic(X, np.where(X @ [1, -2, 1] > 0, 1, -1))


def test_overlap_with_large_margins_or_a_loose_tolerance_is_not_taken_for_separation() -> None:
    x = np.append(np.linspace(-40, 40, 41), [1.0, -1.0])
    fit = logistic(x[:, None], np.append(np.where(x[:41] > 0, 1.0, -1.0), [-1.0, 1.0]))
    assert fit.converged
    assert np.max(np.abs(x * fit.w[0])) > 20
    assert logistic(*overlapping(11), tol=0.1).converged


@pytest.mark.parametrize("copy", [np.ones((30, 1)), 0.0])
def test_dependent_columns_are_refused_without_a_penalty(copy: Array | float) -> None:
    X, y = overlapping(12)
    wide = np.hstack([X, copy + (0 if np.ndim(copy) else X[:, :1] - 2 * X[:, 1:])])
    with pytest.raises(ValueError, match=r"the columns of X must be independent where lam = 0"):
        logistic(wide, y)
    fit = logistic(wide, y, lam=0.01)
    assert fit.converged


@pytest.mark.parametrize("seed", range(20))
def test_dependence_is_seen_through_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), np.tile([-1.0, 1.0], 20)
    wide = np.column_stack([X, X @ rng.normal(size=3)])  # its last pivot is of either sign
    with pytest.raises(ValueError, match="the columns of X must be independent"):
        logistic(wide, y)


def test_units_far_apart_are_no_dependence() -> None:
    X, y = overlapping(13)
    fit = logistic(X * [1e-6, 1e6], y, tol=1e-6)
    assert fit.converged
    assert np.allclose(fit.w * [1e-6, 1e6], logistic(X, y).w, rtol=1e-4)
