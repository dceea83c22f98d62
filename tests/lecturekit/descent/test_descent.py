"""Step sizes, gradient and sub-gradient descent against known minima."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import descent
from lecturekit.descent import ConstantStep, InverseStep, PowerStep

ONE = ConstantStep(0.5)


@given(t=st.integers(1, 10**6), size=st.floats(1e-3, 1e3), power=st.floats(0, 3))
def test_step_sizes(t: int, size: float, power: float) -> None:
    assert ConstantStep(size)(t) == size == PowerStep(size, 0)(t)
    assert np.isclose(InverseStep(size)(t) * size * t, 1)
    assert np.isclose(PowerStep(size, power)(t) * t**power, size)
    assert type(PowerStep(1, 2)(t)) is float
    assert repr(InverseStep(0.5)) == "InverseStep(lam=0.5)"
    assert repr(PowerStep(1, 2)) == "PowerStep(eta=1.0, power=2.0)"
    assert ConstantStep(1) == ConstantStep(1.0) != ConstantStep(2.0)


@given(seed=st.integers(0, 1000))
def test_gradient_descent_solves_a_linear_system(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(4, 4))
    A, c = A @ A.T + np.eye(4), rng.normal(size=4)
    step = ConstantStep(1 / np.linalg.eigvalsh(A)[-1])
    result = descent.gradient_descent(lambda w: A @ w - c, np.zeros(4), step=step, tol=1e-9)
    assert result.converged
    assert result.trace[-1] <= 1e-9
    assert len(result.trace) == result.n_iter + 1
    assert np.allclose(result.w, np.linalg.solve(A, c), atol=1e-7)


def test_gradient_descent_says_when_it_was_stopped_and_ties_go_to_the_later_point() -> None:
    result = descent.gradient_descent(lambda w: w, [1.0], step=ConstantStep(0.1), max_iter=3)
    assert (result.converged, result.n_iter) == (False, 3)
    assert np.allclose(result.trace, 0.9 ** np.arange(4))
    result = descent.subgradient_descent(lambda w: 0.0, np.ones_like, [0.0], step=ConstantStep(1.0), n_iter=3)
    assert result.w.tolist() == [-3.0]


@pytest.mark.parametrize(("value", "steps"), [(np.nan, 0), (np.inf, 2)])
def test_objective_that_is_not_finite_is_an_error(value: float, steps: int) -> None:
    values = iter([1.0] * steps + [value])
    message = f"objective must stay finite, got {value} after {steps} steps; take smaller steps"
    with pytest.raises(FloatingPointError, match=re.escape(message)):
        descent.subgradient_descent(lambda w: next(values), lambda w: w, [1.0], step=ONE, n_iter=5)


DRIVERS = {
    "gradient_descent": lambda w0: descent.gradient_descent(lambda w: w, w0, step=ONE),
    "sgd": lambda w0: descent.sgd(lambda w, rows: w, 3, w0, step=ONE, n_iter=3, rng=0),
    "newton": lambda w0: descent.newton(lambda w: w, lambda w: np.eye(2), w0),
}


@pytest.mark.parametrize("name", DRIVERS)
def test_start_is_not_changed(name: str) -> None:
    w0 = np.array([1.0, 2.0])
    DRIVERS[name](w0)
    assert w0.tolist() == [1.0, 2.0]
