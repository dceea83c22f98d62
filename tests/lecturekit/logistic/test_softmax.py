"""Softmax regression: finite differences, logistic regression for two classes, and scikit-learn."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.special import log_softmax
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from lecturekit._typing import Array
from lecturekit.logistic import cross_entropy, logistic, softmax, softmax_gradient, softmax_regression
from tests.support.oracles import overlapping, three_clouds

DIFFERENCES = 1e-6  # finite differences are right to about half of the digits
SOLVED = 1e-6  # weights that follow from gradients of 1e-8
TIGHT = 1e-8  # below, the objective falls by less than its last digit, and a line search goes on by chance
CLOUDS = three_clouds(noise=1.0, side=1.5)  # which overlap


def drawn(seed: int) -> tuple[Array, Array, Array]:
    """Draw weights, points and one-hot labels of four classes."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4, 3)) * 2, rng.normal(size=(7, 3)), np.eye(4)[rng.integers(4, size=7)]


@given(st.integers(0, 10**6))
def test_probabilities_do_not_see_a_shift(seed: int) -> None:
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(5, 4)) * 50
    T = softmax(S)
    assert np.allclose(T.sum(axis=1), 1)
    assert np.all(T >= 0)
    assert np.allclose(softmax(S + rng.normal(size=(5, 1)) * 1e3), T, atol=1e-10)
    assert np.allclose(np.log(np.maximum(T, 1e-300)), np.maximum(log_softmax(S, axis=1), np.log(1e-300)))


@pytest.mark.claim("LIN-46")
@given(st.integers(0, 10**6))
def test_gradient_is_the_derivative_and_weights_may_be_shifted_together(seed: int) -> None:
    W, X, Y = drawn(seed)

    def risk(flat: Array) -> float:
        return cross_entropy(flat.reshape(W.shape), X, Y)

    def gradient(flat: Array) -> Array:
        return softmax_gradient(flat.reshape(W.shape), X, Y).ravel()

    assert check_grad(risk, gradient, W.ravel()) < DIFFERENCES
    W, X, Y = drawn(seed)
    shifted = W + np.random.default_rng(seed).normal(size=3)
    assert cross_entropy(shifted, X, Y) == pytest.approx(cross_entropy(W, X, Y))
    assert np.allclose(softmax_gradient(shifted, X, Y), softmax_gradient(W, X, Y))
    assert np.allclose(softmax_gradient(W, X, Y).sum(axis=0), 0)


@pytest.mark.claim("LIN-45")
def test_cross_entropy_is_minus_the_mean_log_likelihood_of_the_chosen_classes() -> None:
    W, X, Y = drawn(1)
    chosen = softmax(X @ W.T)[np.arange(7), Y.argmax(axis=1)]
    assert cross_entropy(W, X, Y) == pytest.approx(-np.log(np.prod(chosen)) / 7)


def test_large_scores_do_not_overflow() -> None:
    assert cross_entropy([[1e3], [-1e3]], [[1.0]], [[0, 1]]) == pytest.approx(2000.0)
    assert np.allclose(softmax_gradient([[1e3], [-1e3]], [[1.0]], [[0, 1]]), [[1.0], [-1.0]])


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    ("C", "lam", "places"), [(np.inf, 0.0, 1e-5), (1000 / 60, 1e-3, SOLVED), (1 / 6, 0.1, SOLVED)]
)
def test_minimum_is_that_of_scikit_learn(C: float, lam: float, places: float, intercept: bool) -> None:
    X, y = CLOUDS
    ours = softmax_regression(X, y, lam=lam, fit_intercept=intercept, tol=TIGHT)
    theirs = LogisticRegression(C=C, fit_intercept=intercept, solver="newton-cholesky", tol=1e-12).fit(X, y)
    assert ours.converged
    assert np.allclose(ours.W, theirs.coef_ - np.mean(theirs.coef_, axis=0), atol=places)
    assert np.allclose(ours.b, theirs.intercept_ - np.mean(theirs.intercept_), atol=places)
    Y = np.eye(3)[y]
    risk = cross_entropy(np.column_stack([ours.b, ours.W]), np.column_stack([np.ones(60), X]), Y)
    assert ours.objective == pytest.approx(risk + lam / 2 * np.sum(ours.W**2))


@pytest.mark.claim("LIN-46")
@pytest.mark.parametrize("lam", [0.0, 0.02])
def test_two_classes_are_logistic_regression(lam: float) -> None:
    X, y = overlapping(0, 40)
    both = softmax_regression(X, y, lam=lam, tol=TIGHT)
    one = logistic(X, y, lam=lam / 2)
    assert both.classes.tolist() == [-1, 1]
    assert np.allclose(both.W[1] - both.W[0], one.w, atol=SOLVED)
    assert np.isclose(both.b[1] - both.b[0], one.b, atol=SOLVED)


def test_rows_sum_to_zero_and_the_trace_ends_at_the_gap() -> None:
    X, y = CLOUDS
    fit = softmax_regression(X, y)
    assert np.allclose(fit.W.sum(axis=0), 0, atol=1e-12)
    assert np.isclose(fit.b.sum(), 0, atol=1e-12)
    V, Z, Y = np.column_stack([fit.b, fit.W]), np.column_stack([np.ones(60), X]), np.eye(3)[y]
    slope = softmax_gradient(V, Z, Y) + 1e-3 * np.column_stack([np.zeros(3), fit.W])
    assert fit.gap == fit.trace[-1] == pytest.approx(np.max(np.abs(slope)))
    assert fit.gap <= 1e-6
    start = softmax_gradient(0 * V, Z, Y)
    assert fit.trace[0] == pytest.approx(np.max(np.abs(start)))
    assert len(fit.trace) == fit.n_iter + 1


@pytest.mark.parametrize("names", [np.array(["ash", "oak", "yew"]), np.array([7.5, 2.0, 30.0])])
def test_labels_may_be_anything(names: Any) -> None:
    X, y = CLOUDS
    fit = softmax_regression(X, names[y])
    assert fit.classes.tolist() == sorted(names.tolist())
    plain = softmax_regression(X, y)
    assert np.allclose(fit.W, plain.W[np.argsort(names)], atol=1e-5)


def test_too_few_steps_are_admitted_and_one_class_apart_is_enough_to_have_none() -> None:
    fit = softmax_regression(*CLOUDS, max_iter=2)
    assert (fit.n_iter, fit.converged, len(fit.trace)) == (2, False, 3)
    fit = softmax_regression([[1.0], [1.0], [-1.0], [-1.0]], [0, 1, 0, 1])
    assert (fit.n_iter, fit.converged, len(fit.trace)) == (0, True, 1)
    assert not fit.W.any()
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="can be told from another class by a hyperplane"):
        softmax_regression(X, y, lam=0.0)
    assert softmax_regression(X[y > 0], y[y > 0], lam=0.0).converged  # the other two overlap
    assert softmax_regression(X, y, lam=1e-4).converged
