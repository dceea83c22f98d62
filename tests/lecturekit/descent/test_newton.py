"""Newton's method: one step for a quadratic, digits that double, and a refusal where there is no minimum."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from lecturekit import data, descent
from lecturekit._typing import Array
from lecturekit.losses import BatchGradient, Logistic, empirical_risk, sigmoid

NATURAL = Logistic(base=np.e)


def logistic_hessian(w: Array, X: Array) -> Array:
    """Return the second derivative of the mean natural-log logistic loss."""
    p = sigmoid(X @ w)
    return np.asarray((X.T * (p * (1 - p))) @ X / len(X))


@pytest.mark.claim("LIN-18")
@given(seed=st.integers(0, 500))
def test_least_squares_takes_one_step_from_anywhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, w0 = rng.normal(size=(12, 3)) * [1, 10, 100], rng.normal(size=12), rng.normal(size=3) * [100, 10, 1]
    H = 2 / 12 * X.T @ X
    steps = descent.newton_steps(lambda w: 2 / 12 * X.T @ (X @ w - y), lambda w: H, w0)
    (start, g), (w, _) = islice(steps, 2)
    assert np.allclose(w, np.linalg.lstsq(X, y, rcond=None)[0], rtol=1e-8, atol=1e-8)
    v = w - start
    assert -(v @ g) / np.linalg.norm(v) / np.linalg.norm(g) < 0.99  # not the direction of the gradient


def test_logistic_regression_and_stopping_where_the_error_is_about_squared() -> None:
    X, y = data.two_gaussians(100, rng=0, gap=1.5)
    result = descent.newton(BatchGradient(NATURAL, X, y), lambda w: logistic_hessian(w, X), np.zeros(2))
    found = minimize(lambda w: empirical_risk(NATURAL, w, X, y), np.zeros(2), tol=1e-12)
    assert result.converged
    assert result.trace[-1] <= 1e-10
    assert len(result.trace) == result.n_iter + 1 <= 10
    assert np.allclose(result.w, found.x, atol=1e-5)
    short = descent.newton(lambda w: np.exp(w) - 2, lambda w: np.exp(w)[:, None], [0.0], max_iter=2)
    assert (short.converged, short.n_iter, len(short.trace)) == (False, 2, 3)
    result = descent.newton(lambda w: np.exp(w) - 2, lambda w: np.exp(w)[:, None], [0.0], tol=1e-14)
    error = result.trace[1:6]
    assert np.all(error[1:] <= error[:-1] ** 2)
    there = descent.newton(lambda w: w, lambda w: np.full((1, 1), np.nan), [0.0])  # without the hessian
    assert (there.converged, there.n_iter) == (True, 0)


@pytest.mark.parametrize(("entries", "shown"), [([1.0, -2.0], "-2"), ([1.0, 0.0], "0"), ([0.0, 0.0], "0")])
def test_a_hessian_that_is_not_positive_definite_is_refused(entries: list[float], shown: str) -> None:
    message = f"positive definite, got a smallest eigenvalue of {shown} in step 1; add a ridge"
    with pytest.raises(np.linalg.LinAlgError, match=message):
        descent.newton(lambda w: w, lambda w: np.diag(entries), [1.0, 1.0])


@given(seed=st.integers(0, 200))
def test_dependent_columns_are_noticed_in_spite_of_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(10, 2))
    X = np.column_stack([X, X @ rng.normal(size=2)])
    with pytest.raises(np.linalg.LinAlgError, match="hessian must be positive definite"):
        descent.newton(lambda w: X.T @ (X @ w - 1), lambda w: X.T @ X, np.zeros(3))
