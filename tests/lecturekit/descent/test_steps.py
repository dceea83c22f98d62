"""Step sizes: their formulas, their sums, and the exact step against a line search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from lecturekit.descent import ConstantStep, InverseStep, PowerStep, SqrtStep, exact_step


@given(t=st.integers(1, 10**6), size=st.floats(1e-3, 1e3))
def test_power_step_has_the_others_as_special_cases(t: int, size: float) -> None:
    assert PowerStep(size, 0)(t) == ConstantStep(size)(t)
    assert np.isclose(PowerStep(1 / size, 1)(t), InverseStep(size)(t))
    assert np.isclose(PowerStep(size, 0.5)(t), SqrtStep(size)(t))
    assert type(PowerStep(1, 2)(t)) is float


def test_power_step_prints_and_compares() -> None:
    assert repr(PowerStep(1, 2)) == "PowerStep(eta=1.0, power=2.0)"
    assert PowerStep(1, 2) == PowerStep(1.0, 2.0) != PowerStep(1, 1)


@pytest.mark.parametrize(
    ("power", "steps_diverge", "squares_converge"),
    [(0.0, True, False), (0.5, True, False), (0.75, True, True), (1.0, True, True), (2.0, False, True)],
)
def test_conditions_of_robbins_and_monro(power: float, steps_diverge: bool, squares_converge: bool) -> None:
    eta = np.array([PowerStep(1.0, power)(t) for t in range(1, 2**14)])
    late = eta[2**13 :], eta[2**10 : 2**11]  # a sum that diverges gains no less from the later octave
    assert bool(late[0].sum() > 0.99 * late[1].sum()) is steps_diverge
    assert bool(np.sum(late[0] ** 2) < 0.99 * np.sum(late[1] ** 2)) is squares_converge


@given(seed=st.integers(0, 1000))
def test_exact_step_is_the_best_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 3))
    H, c, w = A @ A.T + 0.1 * np.eye(3), rng.normal(size=3), rng.normal(size=3)
    g = H @ w - c
    found = minimize_scalar(lambda eta: 0.5 * (w - eta * g) @ H @ (w - eta * g) - c @ (w - eta * g))
    assert np.isclose(exact_step(g, H), found.x, rtol=1e-5)
    assert abs((H @ (w - exact_step(g, H) * g) - c) @ g) < 1e-9 * (
        g @ g
    )  # the new gradient is at right angles
    assert type(exact_step(g, H)) is float


def test_exact_step_may_meet_curvature_in_its_direction_only() -> None:
    assert exact_step([1.0, 0.0], np.diag([4.0, -1.0])) == 0.25


@pytest.mark.parametrize(("g", "bend"), [([0.0, 0.0], "0"), ([0.0, 2.0], "-4")])
def test_exact_step_needs_a_lowest_point(g: list[float], bend: str) -> None:
    with pytest.raises(ValueError, match=f"g'Hg must be > 0, got {bend}; the objective has no lowest point"):
        exact_step(g, np.diag([4.0, -1.0]))
