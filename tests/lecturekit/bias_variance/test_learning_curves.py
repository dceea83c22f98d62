"""Learning curves against exact formulas, and these against the linear algebra they come from."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from lecturekit._typing import Array
from lecturekit.bias_variance import learning_curve, ols_errors, polynomial_curve, ridge_smoother
from lecturekit.losses import zero_one


def near(found: Array, se: Array, exact: Any) -> bool:
    """Whether means are within four standard errors of their expectation."""
    return bool(np.all(np.abs(found - exact) < 4 * se))


def gaussian(n: int, rng: np.random.Generator, d: int = 3) -> tuple[Array, Array]:
    X = rng.normal(size=(n, d)) @ np.triu(np.ones((d, d))) + 5.0  # correlated, not centred
    return X, 1.0 + X.sum(axis=1) + 0.5 * rng.standard_normal(n)


def least_squares(X: Array, y: Array) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    w = np.linalg.lstsq(A, y, rcond=None)[0]
    return lambda Z: np.column_stack([np.ones(len(Z)), Z]) @ w


def test_least_squares_has_its_exact_errors_as_a_function_or_an_estimator() -> None:
    curve = learning_curve(gaussian, least_squares, [8, 20], n_sets=1500, rng=0, n_test=200)
    exact = ols_errors([8, 20], 3, sigma=0.5)
    assert near(curve.e_in, curve.se_in, exact.e_in)
    assert near(curve.e_out, curve.se_out, exact.e_fresh)
    assert not near(curve.e_out[:1], curve.se_out[:1], exact.e_same[:1])
    assert (curve.sizes.tolist(), curve.n_sets) == ([8, 20], 1500)
    model = LinearRegression()
    curves = [learning_curve(gaussian, one, [8], n_sets=5, rng=2) for one in (model, least_squares)]
    assert curves[0].e_out == pytest.approx(curves[1].e_out)
    assert not hasattr(model, "coef_")
    single, both = (learning_curve(gaussian, least_squares, n, n_sets=1, rng=1) for n in ([8], [8, 20]))
    assert single.se_in == single.se_out == 0
    assert both.e_out[0] == single.e_out[0]


def test_another_loss() -> None:
    def sample(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.normal(size=(n, 1))
        return X, np.where(rng.random(n) < 0.2, -1, 1) * np.sign(X[:, 0])

    curve = learning_curve(sample, KNeighborsClassifier(1), [100], n_sets=40, rng=0, loss=zero_one)
    assert curve.e_in[0] == 0
    assert curve.e_out[0] == pytest.approx(2 * 0.2 * 0.8, abs=0.05)  # Cover and Hart


def test_polynomial_curve_is_the_curve_of_polynomials() -> None:
    def sample(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.uniform(-1, 1, (n, 1))
        return X, np.cos(3 * X[:, 0]) + 0.4 * rng.standard_normal(n)

    def quadratic(X: Array, y: Array) -> Any:
        c = np.polyfit(X[:, 0], y, 2)
        return lambda Z: np.polyval(c, Z[:, 0])

    slow = learning_curve(sample, quadratic, [12], n_sets=600, rng=0)
    quick = polynomial_curve(lambda x: np.cos(3 * x), 2, [12], n_sets=6000, rng=1, sigma=0.4)
    assert near(slow.e_in, slow.se_in + quick.se_in, quick.e_in)
    assert near(slow.e_out, slow.se_out + quick.se_out, quick.e_out)
    assert np.all(quick.e_in < quick.e_out)
    # polynomials that contain the target have the exact error inside
    curve = polynomial_curve(lambda x: x**3 - x, 3, [8, 30], n_sets=4000, rng=0, sigma=0.5)
    assert near(curve.e_in, curve.se_in, 0.25 * (1 - 4 / curve.sizes))


@given(d=st.integers(0, 8), spare=st.integers(0, 30), sigma=st.floats(0.1, 3))
def test_exact_errors_are_traces(d: int, spare: int, sigma: float) -> None:
    n = d + 1 + spare
    found = ols_errors(n, d, sigma=sigma)
    H = ridge_smoother(np.random.default_rng(n).normal(size=(n, d)) if d else np.ones((n, 1)))
    rest = np.eye(n) - H
    assert found.e_in[0] == pytest.approx(sigma**2 * np.trace(rest.T @ rest) / n, abs=1e-9)
    assert found.e_same[0] == pytest.approx(sigma**2 * (1 + np.trace(H.T @ H) / n), abs=1e-9)


def test_fresh_inputs_by_the_inverse_chi_squared_which_is_infinite_near_interpolation() -> None:
    for n, d in ((5, 1), (20, 10), (40, 3)):
        inverse = chi2(n - d).expect(lambda z: 1 / z)  # E of a diagonal entry of the inverted Wishart matrix
        assert ols_errors(n, d).e_fresh[0] == pytest.approx((1 + 1 / n) * (1 + d * inverse), rel=1e-6)
    assert ols_errors([4, 5, 6], 3).e_fresh.tolist() == [np.inf, np.inf, pytest.approx(14 / 3)]
    assert ols_errors([1, 2], 0, sigma=2.0).e_fresh.tolist() == [8.0, 6.0]  # a mean inverts nothing
