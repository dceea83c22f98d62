"""The sine experiment: closed form against quadrature, an adaptive integral and simulation."""

import numpy as np
import pytest
from scipy.integrate import dblquad

from lecturekit.bias_variance import decompose, polynomial_draws, sine_experiment

NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
TARGET = np.sin(np.pi * NODES)


def line(x: float, z: float) -> tuple[float, float]:
    """Return slope and intercept through two points of the sine."""
    slope = np.pi * np.cos(np.pi * x) if x == z else (np.sin(np.pi * x) - np.sin(np.pi * z)) / (x - z)
    return slope, np.sin(np.pi * x) - slope * x


@pytest.mark.parametrize(("n", "degree", "nodes"), [(1, 0, 20), (2, 0, 20), (5, 0, 20), (2, 1, 60)])
def test_quadrature_gives_the_closed_forms(n: int, degree: int, nodes: int) -> None:
    found, exact = sine_experiment(n, degree, nodes=nodes), sine_experiment(n, degree)
    for name in ("slope", "slope_var", "intercept_var"):
        assert getattr(found, name) == pytest.approx(getattr(exact, name), abs=1e-12)
    if degree == 0:
        assert (exact.bias, exact.var) == (0.5, 1 / (2 * n))


def test_adaptive_integration_gives_the_closed_form_and_lines_known_values() -> None:
    exact = sine_experiment(2, 1)
    wanted = (exact.slope, exact.slope_var + exact.slope**2, exact.intercept_var)
    parts = (lambda a, b: a, lambda a, b: a * a, lambda a, b: b * b)
    for part, value in zip(parts, wanted, strict=True):
        integral, _ = dblquad(lambda x, z, part=part: part(*line(x, z)) / 4, -1, 1, -1, 1, epsabs=1e-9)
        assert integral == pytest.approx(value, abs=1e-8)
    lines = [sine_experiment(n, 1) for n in (2, 3, 4, 5)]
    assert [round(line.bias, 4) for line in lines] == [0.2067, 0.1964, 0.1987, 0.1993]
    assert [round(line.var, 4) for line in lines] == [1.6763, 0.7121, 0.3557, 0.2077]


@pytest.mark.parametrize(("n", "nodes"), [(3, 60), (4, 28), (5, 18), (6, 14), (7, 11), (8, 10), (9, 9)])
def test_more_nodes_change_nothing_in_four_decimals(n: int, nodes: int) -> None:
    found, rough = sine_experiment(n, 1), sine_experiment(n, 1, nodes=nodes)
    assert found.total == pytest.approx(rough.total, abs=3e-5)
    assert found.bias > 0.5 - 3 / np.pi**2  # that of the best line


@pytest.mark.parametrize(("n", "degree"), [(2, 0), (2, 1), (3, 1), (4, 1), (5, 0), (5, 1), (12, 1)])
def test_simulation_agrees_within_four_standard_errors(n: int, degree: int) -> None:
    draws = polynomial_draws(lambda x: np.sin(np.pi * x), n, degree, n_sets=40_000, rng=n, chunk=2000)
    found = decompose((draw.fits(NODES) for draw in draws), TARGET, weights=WEIGHTS)
    exact = sine_experiment(n, degree)
    assert abs(found.total - exact.total) < 4 * found.se
    assert found.bias == pytest.approx(exact.bias, abs=0.02)
    assert found.mean_fit[::8] == pytest.approx(exact.mean_fit(NODES[::8]), abs=0.03)
    assert np.allclose(found.var_x, exact.var_x(NODES), rtol=0.06)


def test_averages_over_x_are_those_of_the_pointwise_values() -> None:
    for n, degree in ((2, 1), (5, 1), (3, 0)):
        found = sine_experiment(n, degree)
        assert found.var == pytest.approx(found.var_x(NODES) @ WEIGHTS / 2)
        assert found.bias == pytest.approx((found.mean_fit(NODES) - TARGET) ** 2 @ WEIGHTS / 2)
        assert found.total == found.bias + found.var
