"""Thresholds against brute force and Moreau's identity; the grid of penalties; the driver of the solvers."""

from collections.abc import Iterator
from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from lecturekit._typing import Array
from lecturekit.penalized import (
    Path,
    Penalized,
    PenalizedIterate,
    block_soft_threshold,
    centre,
    falling,
    penalty_sizes,
    shares,
    soft_threshold,
    solve,
)
from tests.support.penalty_oracles import seeds

EXACT = 1e-13
GOLDEN = 1e-7  # a search of the minimum of a parabola finds it to the root of the rounding

numbers = st.floats(-10, 10)
levels = st.floats(0, 5)


# -- thresholds ----------------------------------------------------------------------------------------------


@given(z=numbers, t=levels)
def test_soft_threshold_is_the_minimiser(z: float, t: float) -> None:
    found = minimize_scalar(
        lambda w: (w - z) ** 2 / 2 + t * abs(w), bounds=(-11, 11), options={"xatol": 1e-10}
    )
    w = float(soft_threshold(z, t))
    assert abs(w - found.x) <= 20 * GOLDEN
    assert (w - z) ** 2 / 2 + t * abs(w) <= found.fun + EXACT


@given(z=numbers, t=levels)
def test_what_the_threshold_takes_is_the_projection_on_the_interval(z: float, t: float) -> None:
    assert np.isclose(z - soft_threshold(z, t), np.clip(z, -t, t), atol=EXACT)  # Moreau's identity


@given(z=numbers, v=numbers, t=levels)
def test_soft_threshold_brings_points_no_further_apart(z: float, v: float, t: float) -> None:
    assert abs(soft_threshold(z, t) - soft_threshold(v, t)) <= abs(z - v) + EXACT


def test_soft_threshold_of_arrays() -> None:
    z, t = np.array([[-3.0, 0.5], [2.0, -1.0]]), np.array([1.0, 0.25])
    assert soft_threshold(z, t).tolist() == [[-2.0, 0.25], [1.0, -0.75]]
    assert np.array_equal(soft_threshold(z, 0.0), z)


@given(seed=seeds, t=levels)
def test_block_soft_threshold_is_the_minimiser(seed: int, t: float) -> None:
    z = np.random.default_rng(seed).normal(size=3) * 3
    w = block_soft_threshold(z, t)

    def value(w: Array) -> float:
        return float(np.sum((w - z) ** 2) / 2 + t * np.linalg.norm(w))

    found = minimize(value, z, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    assert value(w) <= found.fun + EXACT
    assert np.allclose(w, found.x, atol=1e-4)


@given(seed=seeds, t=levels)
def test_what_the_block_threshold_takes_is_the_projection_on_the_ball(seed: int, t: float) -> None:
    Z = np.random.default_rng(seed).normal(size=(5, 3)) * 3
    taken = Z - block_soft_threshold(Z, t)
    length = np.linalg.norm(Z, axis=1, keepdims=True)
    assert np.allclose(taken, Z * np.minimum(1.0, t / length), atol=EXACT)


@given(z=st.lists(numbers, min_size=1, max_size=5), t=levels)
def test_rows_of_one_entry_are_numbers(z: list[float], t: float) -> None:
    column = np.array(z)[:, None]
    assert np.allclose(block_soft_threshold(column, t), soft_threshold(column, t), atol=EXACT)


def test_row_of_zeros_stays_zero() -> None:
    assert block_soft_threshold(np.zeros((2, 3)), 0.0).tolist() == np.zeros((2, 3)).tolist()


def test_sizes_are_absolute_values_or_norms_of_rows() -> None:
    W = np.random.default_rng(0).normal(size=(4, 3))
    assert np.allclose(penalty_sizes(W), np.linalg.norm(W, axis=1))
    assert np.array_equal(penalty_sizes(W[:, 0]), np.abs(W[:, 0]))


# -- the border ----------------------------------------------------------------------------------------------


@given(lam=st.floats(0, 100), l1_ratio=st.floats(0, 1))
def test_shares_add_up_to_the_penalty(lam: float, l1_ratio: float) -> None:
    l1, l2 = shares(lam, l1_ratio)
    assert min(l1, l2) >= 0
    assert l1 + l2 == pytest.approx(lam)
    assert l1 == lam * l1_ratio


def test_grid_falls_evenly_on_the_logarithmic_scale() -> None:
    grid = falling(None, 7.0, 5, 1e-2)
    assert np.isclose(grid[0], 7.0)
    assert np.isclose(grid[-1], 0.07)
    assert np.allclose(np.diff(np.log(grid)), np.log(1e-2) / 4)
    assert falling(None, 7.0, 1, 1e-2).tolist() == [7.0]
    assert falling(None, 0.0, 3, 0.25).tolist() == [1.0, 0.5, 0.25]  # constant targets: any scale will do


def test_given_penalties_are_sorted_to_fall() -> None:
    given_ones = np.array([0.1, 3.0, 1.0])
    assert falling(given_ones, 7.0, 5, 1e-2).tolist() == [3.0, 1.0, 0.1]
    assert given_ones.tolist() == [0.1, 3.0, 1.0]


# -- results and the driver ----------------------------------------------------------------------------------


def halving(w: Array) -> Iterator[PenalizedIterate]:
    """Yield iterates whose gap is 1, 1/2, 1/4, ..., every third epoch, writing into the weights."""
    for i in count():
        w[:] = i
        yield PenalizedIterate(n_iter=3 * i, w=w, primal=2.0**-i, dual=0.0)


def test_driver_stops_at_the_first_gap_that_is_small_enough() -> None:
    data = centre([[1.0], [3.0]], [0.0, 8.0])  # the scale is 16 / 2
    w = np.zeros(1)
    found = solve(halving(w), data, 0.5, 0.25, tol=2.0**-6, max_iter=100)  # 8 / 64 = 1 / 8
    assert found.converged
    assert (found.n_iter, found.gap, found.primal, found.dual) == (9, 0.125, 0.125, 0.0)
    assert found.trace.tolist() == [[0, 1.0, 0.0], [3, 0.5, 0.0], [6, 0.25, 0.0], [9, 0.125, 0.0]]
    assert (found.lam, found.l1_ratio) == (0.5, 0.25)
    w[:] = 99.0
    assert found.w.tolist() == [3.0]  # a copy
    assert found.b == 4.0 - 2.0 * 3.0


def test_driver_gives_up_after_the_most_epochs() -> None:
    found = solve(halving(np.zeros(1)), centre([[1.0], [3.0]], [0.0, 8.0]), 0.5, 1.0, tol=1e-9, max_iter=4)
    assert not found.converged
    assert (found.n_iter, found.gap) == (6, 0.25)


def test_driver_keeps_the_last_iterate_of_a_solver_that_ends() -> None:
    steps = islice(halving(np.zeros(1)), 2)
    found = solve(steps, centre([[1.0], [3.0]], [0.0, 8.0]), 0.5, 1.0, tol=1e-9, max_iter=100)
    assert (found.n_iter, found.gap, found.converged) == (3, 0.5, False)


def fit(w: list[float], b: float, lam: float, gap: float, n_iter: int, converged: bool) -> Penalized:
    return Penalized(
        w=np.array(w),
        b=b,
        lam=lam,
        l1_ratio=1.0,
        primal=1.0 + gap,
        dual=1.0,
        n_iter=n_iter,
        converged=converged,
        trace=np.zeros((1, 3)),
    )


def test_path_puts_fits_together() -> None:
    fits = [fit([0.0, 1.0], 5.0, 2.0, 0.5, 10, True), fit([-3.0, 1.0], 6.0, 1.0, 0.25, 7, False)]
    path = Path.of(fits)
    assert path.lams.tolist() == [2.0, 1.0]
    assert path.W.tolist() == [[0.0, 1.0], [-3.0, 1.0]]
    assert path.b.tolist() == [5.0, 6.0]
    assert path.gap.tolist() == [0.5, 0.25]
    assert (path.n_iter, path.converged) == (17, False)
    assert Path.of(fits[:1]).converged


def test_support_and_gap() -> None:
    found = fit([0.0, -2.0, 0.0, 1e-300], 0.0, 1.0, 0.5, 1, True)
    assert found.support.tolist() == [1, 3]
    assert found.gap == 0.5
    at = next(islice(halving(np.zeros(1)), 2, None))
    assert at.gap == 0.25
