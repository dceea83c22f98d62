r"""Constants and lines fitted to a sine: bias and variance without simulation."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import sici

from lecturekit import _check
from lecturekit._typing import Array

__all__ = ["SineExperiment", "sine_experiment"]

TUPLES = 60_000  # data sets of a quadrature: enough for four decimals, and a fraction of a second
MOST_POINTS = 12  # beyond, so many tuples leave too few nodes a point


@dataclass(frozen=True, kw_only=True, eq=False)
class SineExperiment:
    r"""Constants or lines fitted to n exact values of :math:`\sin\pi x`, with x uniform on [-1, 1].

    By symmetry the intercept has mean zero and is uncorrelated with the slope, so three numbers say it all.

    Attributes
    ----------
    n, degree : int
        Points a data set; 0 for constants, 1 for lines.
    slope, slope_var : float
        Mean and variance of the slope over the data sets.
    intercept_var : float
        The variance of the intercept.
    """

    n: int
    degree: int
    slope: float
    slope_var: float
    intercept_var: float

    @property
    def bias(self) -> float:
        r"""The squared bias :math:`\frac12-\frac2\pi\bar a+\frac13\bar a^2`, averaged over x."""
        return float(0.5 - 2 * self.slope / np.pi + self.slope**2 / 3)

    @property
    def var(self) -> float:
        """The variance, averaged over x, whose square has the mean 1/3."""
        return self.slope_var / 3 + self.intercept_var

    @property
    def total(self) -> float:
        """The expected error."""
        return self.bias + self.var

    def mean_fit(self, x: Array) -> Array:
        """Return the average fit at points x."""
        return self.slope * np.asarray(x)

    def var_x(self, x: Array) -> Array:
        """Return the variance of the fit at points x."""
        return np.asarray(self.slope_var * np.asarray(x) ** 2 + self.intercept_var)


def sine_experiment(n: int, degree: int, *, nodes: int | None = None) -> SineExperiment:
    r"""Compute bias and variance of constants or lines on n exact points of :math:`\sin\pi x`.

    Constants have the closed form :math:`\operatorname{Var}b=\frac1{2n}`, and so have lines through two
    points, for instance :math:`\mathbb E\,a=\operatorname{Cin}(2\pi)/\pi`. For more points the expectation
    over n uniform inputs is a Gauss-Legendre quadrature over all multisets of nodes.

    Parameters
    ----------
    n : int
        Points a data set: at least one for a constant, two for a line, and 12 at most for a line.
    degree : int
        0 for constants, 1 for lines.
    nodes : int, optional
        Nodes a point: asks for the quadrature even where there is a closed form. By default as many as
        60,000 multisets allow, which is right to four decimals.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, section 2.3.

    Examples
    --------
    With two points the constant wins, with five the line:

    >>> [[round(sine_experiment(n, degree).total, 2) for degree in (0, 1)] for n in (2, 5)]
    [[0.75, 1.88], [0.6, 0.41]]
    """
    degree = _check.count(degree, "degree", "0 is for constants, 1 for lines", least=0)
    if degree > 1:
        raise ValueError(f"degree must be 0 or 1, got {degree}; simulate others with polynomial_draws")
    n = _check.count(n, "n", "a line needs two points, a constant one", least=degree + 1)
    if degree == 1 and n > MOST_POINTS:
        raise ValueError(f"n must be at most {MOST_POINTS} for lines, got {n}; use polynomial_draws")
    if nodes is not None:
        nodes = _check.count(nodes, "nodes", "a quadrature needs at least two nodes", least=2)
        slope, slope_square, intercept_square = _quadrature(n, degree, nodes)
    elif degree == 0:
        slope, slope_square, intercept_square = 0.0, 0.0, 1 / (2 * n)
    elif n == 2:
        slope, slope_square, intercept_square = _two_points()
    else:
        most = max(m for m in range(2, 100) if comb(m + n - 1, n) <= TUPLES)
        slope, slope_square, intercept_square = _quadrature(n, degree, most)
    return SineExperiment(
        n=n, degree=degree, slope=slope, slope_var=slope_square - slope**2, intercept_var=intercept_square
    )


def _two_points() -> tuple[float, float, float]:
    """Return E a, E a^2 and E b^2 of the line through two points, by the sine and cosine integrals."""
    (si2, ci2), (si4, ci4) = sici(2 * np.pi), sici(4 * np.pi)
    cin2 = np.euler_gamma + np.log(2 * np.pi) - ci2
    cin4 = np.euler_gamma + np.log(4 * np.pi) - ci4
    intercept = 2 / 3 + np.pi * si2 / 3 - cin4 / 2 + si4 / (2 * np.pi) + cin4 / (4 * np.pi**2)
    return float(cin2 / np.pi), float(np.pi * si2 - cin4 / 2), float(intercept)


def _quadrature(n: int, degree: int, nodes: int) -> tuple[float, float, float]:
    """Return E a, E a^2 and E b^2 by a product rule: each multiset of nodes once, with its multiplicity."""
    x, weight = np.polynomial.legendre.leggauss(nodes)
    index = np.array(list(combinations_with_replacement(range(nodes), n)))
    repeats = shares = np.ones(len(index))
    for j in range(1, n):  # n! divided by the factorials of how often each node occurs
        repeats = np.where(index[:, j] == index[:, j - 1], repeats + 1, 1)
        shares = shares * (j + 1) / repeats
    shares = shares * np.prod(weight[index] / 2, axis=1)
    X = x[index]
    y, middle = np.sin(np.pi * X), X.mean(axis=1)
    away = X - middle[:, None]
    squares = np.sum(away**2, axis=1)
    equal = index[:, 0] == index[:, -1]  # where all points meet, the line is the tangent
    slope = np.sum(away * y, axis=1) / np.where(equal, 1.0, squares)
    slope = degree * np.where(equal, np.pi * np.cos(np.pi * X[:, 0]), slope)
    intercept = y.mean(axis=1) - slope * middle
    return float(shares @ slope), float(shares @ slope**2), float(shares @ intercept**2)
