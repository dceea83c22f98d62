"""The losses of boosting: slopes and curvatures by differences, constants and leaves by an optimiser."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize_scalar

from lecturekit._typing import Array
from lecturekit.boosting import AbsoluteError, BoostingLoss, ExponentialError, LogisticError, SquaredError

FOUND = 1e-6  # what Brent's method reaches in the place of a minimum
LOSSES = [SquaredError(), AbsoluteError(), LogisticError(), ExponentialError()]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
each_smooth = pytest.mark.parametrize("loss", LOSSES[:1] + LOSSES[2:], ids=repr)
seeds = st.integers(0, 10**6)


def sample(loss: BoostingLoss, seed: int, n: int = 11) -> tuple[Array, Array]:
    """Draw scores and targets, labels where the loss is one of labels; an odd number has one median."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    y = np.where(np.arange(n) % 3 == seed % 3, 1.0, -1.0) if isinstance(loss, LogisticError) else y
    return rng.normal(size=n), y


@pytest.mark.claim("BOOST-07")
@each_loss
@given(seed=seeds)
def test_slope_is_the_derivative(loss: BoostingLoss, seed: int) -> None:
    r, y = sample(loss, seed)
    assert check_grad(lambda r: loss(r, y).sum(), lambda r: loss.derivative(r, y), r) < 1e-4
    assert np.all(loss(r / 2, y) <= (loss(r, y) + loss(0 * r, y)) / 2 + 1e-12)  # it is convex


@each_loss
def test_curvature_is_the_derivative_of_the_slope(loss: BoostingLoss) -> None:
    (r, y), t = sample(loss, 3), 1e-5
    difference = (loss.derivative(r + t, y) - loss.derivative(r - t, y)) / (2 * t)
    assert np.allclose(loss.curvature(r, y), difference, atol=1e-6)


@pytest.mark.claim("BOOST-08")
@each_loss
@given(seed=seeds)
def test_start_is_the_best_constant(loss: BoostingLoss, seed: int) -> None:
    _, y = sample(loss, seed)
    best = minimize_scalar(lambda c: loss(np.full(len(y), c), y).sum(), bracket=(-1, 1), tol=1e-12)
    assert loss.start(y) == pytest.approx(best.x, abs=FOUND)


@pytest.mark.claim("BOOST-08")
@pytest.mark.parametrize("loss", LOSSES[:2], ids=repr)
@given(seed=seeds)
def test_leaves_have_the_best_values(loss: BoostingLoss, seed: int) -> None:
    f, y = sample(loss, seed, 21)
    leaf = np.repeat([4, 1, 2], 7)[np.random.default_rng(seed).permutation(21)]
    values = loss.leaf_values(f, y, leaf, 6)
    assert values[[0, 3, 5]].tolist() == [0.0, 0.0, 0.0]
    for node in (1, 2, 4):
        inside = leaf == node
        residuals = y[inside] - f[inside]
        mean_or_median = np.mean(residuals) if type(loss) is SquaredError else np.median(residuals)
        assert values[node] == pytest.approx(mean_or_median)

        def total(c: float, rows: Any = inside) -> float:
            return float(loss(f[rows] + c, y[rows]).sum())

        assert total(values[node]) <= minimize_scalar(total, bracket=(-1, 1), tol=1e-12).fun + 1e-9


@each_smooth
@given(seed=seeds)
def test_newton_steps_repeated_lead_to_the_best_value(loss: BoostingLoss, seed: int) -> None:
    f, y = sample(loss, seed)
    leaf, c = np.zeros(len(y), dtype=np.intp), 0.0
    for _ in range(50):
        c += float(np.clip(loss.leaf_values(f + c, y, leaf, 1)[0], -1, 1))
    best = minimize_scalar(lambda c: loss(f + c, y).sum(), bracket=(-1, 1), tol=1e-12)
    assert c == pytest.approx(best.x, abs=FOUND)


@each_smooth
def test_a_leaf_of_one_class_has_a_finite_step(loss: BoostingLoss) -> None:
    leaf = np.zeros(2, dtype=np.intp)
    assert 0 < loss.leaf_values(np.zeros(2), np.ones(2), leaf, 1)[0] < 5
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert np.isfinite(loss.leaf_values(np.full(2, 800.0), np.ones(2), leaf, 1)[0])


def test_the_loss_falls_for_ever_along_a_function_that_is_always_right() -> None:
    y = np.array([1.0, -1.0, 1.0])
    H = np.array([y, -2 * y, 0 * y, [1.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    for loss in LOSSES[2:]:
        assert loss.endless(H, y).tolist() == [True, True, False, True, False]
        assert np.all(np.diff([loss(c * H[3], y).sum() for c in (0.0, 1.0, 10.0, 30.0)]) < 0)
    assert not LOSSES[0].endless(H, y).any()
    # a score beyond all digits
    assert ExponentialError()(np.array([-1e4]), np.array([1.0]))[0] == np.inf
    assert LogisticError()(np.array([-1e4]), np.array([1.0]))[0] == pytest.approx(1e4)
