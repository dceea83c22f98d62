"""Centred data: what is subtracted, what is copied, and the intercept that follows."""

import numpy as np
import pytest

from lecturekit._typing import Array
from lecturekit.penalized._penalties import Centred, centre
from tests.support.penalty_oracles import problem

EXACT = 1e-12

each_copy = pytest.mark.parametrize("copy", [True, False])
each_order = pytest.mark.parametrize("order", ["C", "F"])


def all_columns(data: Centred) -> Array:
    return data.columns(np.arange(data.X.shape[1]))


@each_copy
@each_order
@pytest.mark.parametrize("k", [0, 3])
def test_centred_columns_and_their_correlations(copy: bool, order: str, k: int) -> None:
    X, Y = problem(1, k=k)
    X = np.array(X, order=order)  # type: ignore[call-overload]
    data = centre(X, Y, copy=copy)
    Z, V = X - X.mean(axis=0), Y - Y.mean(axis=0)
    assert np.allclose(all_columns(data), Z, atol=EXACT)
    assert np.allclose(data.Y, V, atol=EXACT)
    R = np.random.default_rng(0).normal(size=V.shape)
    R -= R.mean(axis=0)  # as residuals do
    assert np.allclose(data.correlations(R), Z.T @ R / len(X), atol=EXACT)
    assert data.scale == pytest.approx(np.sum(V**2) / (2 * len(X)))
    assert np.allclose(data.columns(np.array([4, 1])), Z[:, [4, 1]], atol=EXACT)
    W = np.ones((6, k)) if k else np.ones(6)
    assert np.allclose(data.intercept(W), Y.mean(axis=0) - X.mean(axis=0) @ W)
    assert isinstance(data.intercept(W), np.ndarray if k else float)
    if copy:
        assert data.shift is None
        assert data.X.flags.f_contiguous
    else:
        assert data.shift is not None
        assert np.shares_memory(data.X, X)


@each_copy
@each_order
def test_without_an_intercept_nothing_is_subtracted(copy: bool, order: str) -> None:
    X, Y = problem(2, k=2)
    X = np.array(X, order=order)  # type: ignore[call-overload]
    data = centre(X, Y, fit_intercept=False, copy=copy)
    assert data.shift is None
    assert np.array_equal(data.X, X)
    assert np.array_equal(data.Y, Y)
    assert data.X.flags.f_contiguous or not copy
    assert np.array_equal(data.intercept(np.ones((6, 2))), [0.0, 0.0])
    assert centre(X, Y[:, 0], fit_intercept=False).intercept(np.ones(6)) == 0.0


@pytest.mark.parametrize("intercept", [True, False])
def test_points_with_gaps_in_memory_are_copied(intercept: bool) -> None:
    X, y = problem(3, n=30)
    data = centre(X[::2], y[::2], fit_intercept=intercept, copy=False)
    assert data.X.flags.forc
    assert data.shift is None
    assert np.allclose(data.X, X[::2] - intercept * X[::2].mean(axis=0))


@each_copy
@pytest.mark.parametrize("value", [0.1, -1e9 / 3, 0.0, 1e-200])
@pytest.mark.parametrize("n", [1, 7, 150])
def test_constant_column_becomes_exactly_zero(copy: bool, value: float, n: int) -> None:
    X = np.column_stack([np.arange(float(n)), np.full(n, value)])
    assert not np.any(all_columns(centre(X, np.arange(float(n)), copy=copy))[:, 1])


def test_small_variations_and_means_far_from_zero_cost_no_digits() -> None:
    x = 1.0 + 1e-12 * np.array([-1.0, 0.0, 1.0])
    assert np.allclose(centre(x[:, None], [1.0, 2.0, 3.0]).X[:, 0], x - 1.0, rtol=1e-3, atol=0)
    X, y = problem(4)
    far = centre(X + 1e9, y, copy=False)
    assert far.shift is None
    shifted = (X + 1e9) - 1e9  # what is left of the points after rounding
    assert np.allclose(far.correlations(y), (shifted - shifted.mean(axis=0)).T @ y / len(y), atol=1e-6)
    for kind in (np.float32, np.int64):  # and all is double precision
        data = centre(np.array([[1, 2], [3, 5]], dtype=kind), np.array([1, 2], dtype=kind))
        assert data.X.dtype == data.Y.dtype == np.float64


@each_copy
@pytest.mark.parametrize("intercept", [True, False])
def test_arguments_are_left_alone(copy: bool, intercept: bool) -> None:
    X, y = problem(5)
    kept = X.copy(), y.copy()
    data = centre(X, y, fit_intercept=intercept, copy=copy)
    taken = all_columns(data)
    taken += 1.0
    data.Y[:] = 0.0
    assert np.array_equal(X, kept[0])
    assert np.array_equal(y, kept[1])
