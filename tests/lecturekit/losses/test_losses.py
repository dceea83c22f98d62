"""Losses against finite differences, the 0-1 loss that they bound, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.metrics import hinge_loss, log_loss

from lecturekit import data, losses
from lecturekit.losses import (
    SURROGATES,
    BatchGradient,
    Exponential,
    Hinge,
    Logistic,
    MarginLoss,
    PerceptronLoss,
)

NATURAL = Logistic(base=np.e)
ALL = (*SURROGATES, NATURAL, PerceptronLoss())
KINKS = {"Hinge": 1.0, "PerceptronLoss": 0.0}
each_loss = pytest.mark.parametrize("loss", ALL, ids=repr)
GRID = np.linspace(-20, 20, 4001)
margin = st.floats(-50, 50)


def cloud(seed: int, n: int = 40) -> data.Sample:
    return data.two_gaussians(n, rng=seed)


@given(s=st.floats(-30, 30))
def test_sigmoid_and_logit(s: float) -> None:
    p = losses.sigmoid(s)
    assert np.isclose(p, 1 / (1 + np.exp(-s)), rtol=1e-14)
    assert np.isclose(p + losses.sigmoid(-s), 1)
    assert np.isclose(losses.logit(losses.sigmoid(-abs(s))), -abs(s))
    assert np.isclose(losses.logit(p), np.log(p / (1 - p)), atol=1e-9)


def test_sigmoid_does_not_overflow() -> None:
    assert (losses.sigmoid([-1e4, 1e4]).tolist(), losses.sigmoid(3.0).shape) == ([0.0, 1.0], ())
    assert losses.logit(np.zeros((2, 0))).shape == (2, 0)


@given(M=margin)
def test_values_are_the_formulas(M: float) -> None:
    formulas = {
        losses.Squared(): (1 - M) ** 2,
        Hinge(): max(0.0, 1 - M),
        losses.Sigmoid(): 2 / (1 + np.exp(M)),
        Logistic(): np.log2(1 + np.exp(-M)),
        NATURAL: np.log(1 + np.exp(-M)),
        Exponential(): np.exp(-M),
        PerceptronLoss(): max(0.0, -M),
    }
    assert set(formulas) == set(ALL)
    for loss, value in formulas.items():
        assert np.isclose(loss(M), value, rtol=1e-12, atol=1e-12)
        assert loss(M) >= (M < 0) or not loss.bounds_zero_one
    assert [float(loss(0.0)) for loss in SURROGATES] == [1.0] * 5


@each_loss
def test_what_is_called_a_bound_or_convex_is_so_and_other_losses_are_not(loss: MarginLoss) -> None:
    values = loss(GRID)
    assert bool(np.all(values >= (GRID < 0))) is loss.bounds_zero_one
    chords = (values[2:] + values[:-2]) / 2 - values[1:-1]
    assert bool(np.all(chords >= -1e-9 * np.maximum(1, values[1:-1]))) is loss.convex
    for M in (0.5, [0.5], [[0.5, -1.0]]):
        assert loss(M).shape == loss.derivative(M).shape == np.shape(M)


@pytest.mark.parametrize(("base", "bound"), [(1.5, True), (2.0, True), (2.0 + 1e-6, False), (10.0, False)])
def test_logistic_bounds_up_to_base_two(base: float, bound: bool) -> None:
    assert Logistic(base=base).bounds_zero_one is bound
    assert bool(Logistic(base=base)(-1e-9) >= 1) is bound


def test_extreme_margins_do_not_warn_and_losses_print_and_compare() -> None:
    for loss in ALL:
        assert not np.any(np.isnan(loss([-1e3, 1e3])))
        assert not np.any(np.isnan(loss.derivative([-1e3, 1e3])))
    assert Logistic()(-1e3) == pytest.approx(1e3 / np.log(2))
    assert Exponential()(-1e3) == np.inf
    assert repr(Logistic()) == "Logistic(base=2.0)"
    assert Logistic(base=2) == Logistic() != NATURAL
    assert Hinge() == Hinge()
    assert len(set(ALL)) == len(ALL)


@each_loss
@given(M=st.floats(-8, 8))
def test_derivative(loss: MarginLoss, M: float) -> None:
    if abs(M - KINKS.get(type(loss).__name__, np.inf)) > 1e-3:
        slope = (loss(M + 1e-5) - loss(M - 1e-5)) / 2e-5
        assert np.isclose(loss.derivative(M), slope, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("loss", "kink", "value"), [(Hinge(), 1.0, 0.0), (PerceptronLoss(), 0.0, -1.0)])
def test_subderivative_at_the_kink(loss: MarginLoss, kink: float, value: float) -> None:
    g = loss.derivative(kink)
    assert g == value
    assert np.all(loss(GRID) >= loss(kink) + g * (GRID - kink))


def test_margins_and_risks_against_scikit_learn() -> None:
    X, y = cloud(1)
    w, b = np.array([0.5, -2.0]), 0.25
    assert np.array_equal(losses.margins(w, X, y, b), [y[i] * (w @ X[i] + b) for i in range(len(y))])
    assert losses.margins([2.0], [[1.0]], [-1]).tolist() == [-2.0]  # one class is enough
    X, y = cloud(2, 100)
    w = np.array([0.7, -0.3])
    score = X @ w
    assert np.isclose(losses.empirical_risk(Hinge(), w, X, y), hinge_loss(y, score))
    assert np.isclose(losses.empirical_risk(NATURAL, w, X, y), log_loss(y, losses.sigmoid(score)))
    assert np.isclose(losses.empirical_risk(losses.Squared(), w, X, y), np.mean((y - score) ** 2))
    assert type(losses.empirical_risk(Hinge(), w, X, y)) is float


@each_loss
@given(seed=st.integers(0, 200))
def test_gradient_of_rows_is_that_of_their_risk(loss: MarginLoss, seed: int) -> None:
    X, y = cloud(seed, 12)
    rng = np.random.default_rng(seed)
    w, rows = rng.normal(size=2), rng.choice(12, size=5, replace=False)
    gradient = BatchGradient(loss, X, y)
    assert np.allclose(np.mean([gradient(w, np.array([i])) for i in range(12)], axis=0), gradient(w))
    near = np.abs(losses.margins(w, X, y) - KINKS.get(type(loss).__name__, np.inf))
    for part, slope in ((rows, gradient(w, rows)), (slice(None), gradient(w))):
        if near[part].min() > 1e-4:
            finite = approx_fprime(w, lambda v, part=part: losses.empirical_risk(loss, v, X[part], y[part]))
            assert np.allclose(finite, slope, rtol=1e-5, atol=1e-5 * (1 + np.linalg.norm(slope)))


def test_batch_gradient_keeps_its_data_and_prints_short() -> None:
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, -1.0])
    gradient = BatchGradient(Hinge(), X, y)
    X[:] = 0
    assert gradient(np.array([1.0])).tolist() == [1.0]
    assert repr(gradient) == "BatchGradient(loss=Hinge())"
