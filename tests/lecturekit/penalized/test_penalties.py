"""The soft threshold against brute force and Moreau's identity; the grid of penalties; paths put together."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from lecturekit.penalized import Path, ridge, soft_threshold
from lecturekit.penalized._penalties import falling

EXACT = 1e-13
GOLDEN = 1e-7  # a search of the minimum of a parabola finds it to the root of the rounding


@given(z=st.floats(-10, 10), t=st.floats(0, 5))
def test_soft_threshold_is_the_minimiser_and_takes_the_projection_on_the_interval(z: float, t: float) -> None:
    def value(w: float) -> float:
        return (w - z) ** 2 / 2 + t * abs(w)

    found = minimize_scalar(value, bounds=(-11, 11), options={"xatol": 1e-10})
    w = float(soft_threshold(z, t))
    assert abs(w - found.x) <= 20 * GOLDEN
    assert value(w) <= found.fun + EXACT
    assert np.isclose(z - w, np.clip(z, -t, t), atol=EXACT)  # Moreau's identity


def test_soft_threshold_of_arrays_and_a_grid_that_falls_evenly_on_the_logarithmic_scale() -> None:
    z, t = np.array([[-3.0, 0.5], [2.0, -1.0]]), np.array([1.0, 0.25])
    assert soft_threshold(z, t).tolist() == [[-2.0, 0.25], [1.0, -0.75]]
    assert np.array_equal(soft_threshold(z, 0.0), z)
    grid = falling(None, 7.0, 5, 1e-2)
    assert np.allclose(grid[[0, -1]], [7.0, 0.07])
    assert np.allclose(np.diff(np.log(grid)), np.log(1e-2) / 4)
    assert falling(None, 7.0, 1, 1e-2).tolist() == [7.0]
    assert falling(None, 0.0, 3, 0.25).tolist() == [1.0, 0.5, 0.25]  # constant targets: any scale will do


def test_path_puts_fits_together() -> None:
    closed = ridge([[1.0, 0.0], [-1.0, 0.0]], [1.0, -1.0], 1.0)
    first = replace(closed, b=5.0, primal=1.5, dual=1.0, n_iter=10)
    second = replace(closed, w=np.array([0, -2.0]), lam=0.5, primal=1.25, dual=1.0, n_iter=7, converged=False)
    assert (first.gap, second.support.tolist()) == (0.5, [1])
    path = Path.of([first, second])
    assert (path.lams.tolist(), path.b.tolist(), path.gap.tolist()) == ([1.0, 0.5], [5.0, 0.0], [0.5, 0.25])
    assert path.W.tolist() == [[0.5, 0.0], [0.0, -2.0]]
    assert (path.n_iter, path.converged, Path.of([first]).converged) == (17, False, True)
