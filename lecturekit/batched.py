r"""Many data sets fitted in one go, for simulations that ask what a learner returns *on average*.

A loop over data sets spends most of its time on calls. Here a chunk of data sets is fitted by a few calls;
where the inputs do not change from set to set even that is one matrix, computed once.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from lecturekit import _check
from lecturekit._typing import Array, PointFunction

__all__ = ["Draw", "polynomial_draws", "polynomial_fits", "ridge_smoother"]

CHUNK = 200  # data sets at a time: their powers fit into the processor's cache
CONDITION = 1e10  # of the normal equations: one correction then brings the error to rounding


class Draw(NamedTuple):
    """A chunk of data sets, ``X`` and ``y`` of shape (B, n), and the fitted Chebyshev coefficients (B, p)."""

    X: Array
    y: Array
    coef: Array

    def fits(self, at: Array) -> Array:
        """Return the predictions at m points of [-1, 1], shape (B, m)."""
        return np.asarray(self.coef @ chebvander(at, self.coef.shape[1] - 1).T)

    def residuals(self) -> Array:
        """Return what the fits leave of the targets, shape (B, n)."""
        powers = _chebyshev(self.X, self.coef.shape[1] - 1)
        return np.asarray(self.y - np.einsum("kj,jkn->kn", self.coef, powers))


# -- inputs that change from set to set ----------------------------------------------------------------------


def _chebyshev(X: Array, degree: int) -> Array:
    """Return T_0(X), ..., T_degree(X), stacked, by the recurrence T_{j+1} = 2 x T_j - T_{j-1}."""
    powers = np.empty((degree + 1, *X.shape))
    powers[0] = 1.0
    powers[1:2] = X
    for j in range(2, degree + 1):
        np.multiply(powers[j - 1], X, out=powers[j])
        powers[j] *= 2.0
        powers[j] -= powers[j - 2]
    return powers


def _gram(powers: Array) -> Array:
    """Return A'A for all sets from 2 p + 1 sums each: T_i T_j = (T_{i+j} + T_{|i-j|}) / 2."""
    degree, index = len(powers) - 1, np.arange(len(powers))
    low = powers.sum(axis=2).T
    high = 2 * np.einsum("kn,jkn->kj", powers[-1], powers[1:]) - low[:, :degree][:, ::-1]
    sums = np.hstack([low, high])
    plus, minus = np.add.outer(index, index), np.abs(np.subtract.outer(index, index))
    return np.asarray((sums[:, plus] + sums[:, minus]) / 2)


def _inverted(G: Array) -> Array:
    """Invert positive definite matrices, all at once, by Gauss-Jordan steps; singular ones are not finite."""
    A = G.transpose(1, 2, 0).copy()  # the sets last: every step is long then
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for j in range(len(A)):
            column, row = A[:, j].copy(), A[j] / A[j, j]
            corner = 1.0 / A[j, j]
            A -= column[:, None] * row
            A[j], A[:, j], A[j, j] = row, -corner * column, corner
    return np.asarray(A.transpose(2, 0, 1))


def _solved(inverse: Array, powers: Array, y: Array) -> Array:
    """Return (A'A)^-1 A'y for all sets."""
    return np.asarray((inverse @ np.einsum("jkn,kn->kj", powers, y)[..., None])[..., 0])


def _coefficients(X: Array, y: Array, degree: int) -> Array:
    """Fit a chunk: normal equations, one correction, and the SVD where they are nearly singular."""
    powers = _chebyshev(X, degree)
    inverse = _inverted(_gram(powers))
    # A'A has eigenvalues up to n p and down to 1 / (p times the largest entry of its inverse)
    good = X.shape[1] * np.max(np.abs(inverse), axis=(1, 2)) <= CONDITION
    inverse[~good] = 0.0
    coef = _solved(inverse, powers, y)
    coef += _solved(inverse, powers, y - np.einsum("kj,jkn->kn", coef, powers))
    for k in np.flatnonzero(~good):  # too few points, or points too close together
        coef[k] = np.linalg.lstsq(powers[:, k].T, y[k], rcond=None)[0]
    return coef


def polynomial_fits(X: Any, y: Any, degree: int, at: Any, *, chunk: int = CHUNK) -> Array:
    r"""Fit a polynomial to each of K data sets by least squares and predict at m points.

    Set k minimises :math:`\sum_i(y_{ki}-g_k(x_{ki}))^2` over polynomials of the given degree; where that
    leaves a choice, the coefficients in Chebyshev's polynomials are the shortest.

    Parameters
    ----------
    X : array of shape (K, n)
        The inputs of the data sets, one set a row, in [-1, 1].
    y : array of shape (K, n)
        The targets.
    degree : int
        The degree of the polynomials.
    at : array of shape (m,)
        Where to predict, in [-1, 1].
    chunk : int
        How many data sets to fit at a time.

    Returns
    -------
    array of shape (K, m)
        Row k holds the predictions of the k-th fit.

    References
    ----------
    Björck, *Numerical Methods for Least Squares Problems*, 1996, section 2.9 (corrected normal equations).

    Examples
    --------
    Three data sets on the same parabola give it back:

    >>> X = np.random.default_rng(0).uniform(-1, 1, (3, 20))
    >>> polynomial_fits(X, X**2, 2, [0.5]).round(12).tolist()
    [[0.25], [0.25], [0.25]]
    """
    X = _interval(_check.matrix(X, copy=False), "X")
    y = _check.matrix(y, "y", copy=False)
    if y.shape != X.shape:
        raise ValueError(f"y must have the shape of X {X.shape}, got {y.shape}; give one target an input")
    degree = _check.count(degree, "degree", "zero fits constants", least=0)
    at = _interval(_check.line(at, "at"), "at")
    chunk = _check.count(chunk, "chunk", "fit at least one data set at a time")
    fits = np.empty((len(X), len(at)))
    for start in range(0, len(X), chunk):
        part = slice(start, start + chunk)
        fits[part] = Draw(X[part], y[part], _coefficients(X[part], y[part], degree)).fits(at)
    return fits


def polynomial_draws(
    f: PointFunction,
    n: int,
    degree: int,
    *,
    n_sets: int,
    rng: np.random.Generator | int,
    sigma: float = 0.0,
    chunk: int = CHUNK,
) -> Iterator[Draw]:
    r"""Yield chunks of data sets, :math:`y=f(x)+\sigma\varepsilon` with uniform x, and their polynomial fits.

    The inputs are uniform on [-1, 1], the noise :math:`\varepsilon` is standard normal. Nothing is kept from
    chunk to chunk, so a million data sets need no more memory than a few hundred.

    Parameters
    ----------
    f : callable
        The target, evaluated on an array of any shape.
    n : int
        Points a data set.
    degree : int
        The degree of the polynomials.
    n_sets : int
        How many data sets to draw.
    rng : Generator or int
        The source of randomness, or its seed.
    sigma : float
        The standard deviation of the noise.
    chunk : int
        How many data sets to fit at a time.

    Examples
    --------
    The mean of two exact values of :math:`\sin\pi x` has variance 1/4:

    >>> draws = polynomial_draws(lambda x: np.sin(np.pi * x), 2, 0, n_sets=100_000, rng=0)
    >>> constants = np.concatenate([draw.coef[:, 0] for draw in draws])
    >>> bool(abs(constants.var() - 0.25) < 0.005)
    True
    """
    n = _check.count(n, "n", "a data set needs a point")
    degree = _check.count(degree, "degree", "zero fits constants", least=0)
    n_sets = _check.count(n_sets, "n_sets", "draw at least one data set")
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    chunk = _check.count(chunk, "chunk", "fit at least one data set at a time")
    rng = _check.generator(rng)
    for number in range(ceil(n_sets / chunk)):
        X = rng.uniform(-1.0, 1.0, (min(chunk, n_sets - number * chunk), n))
        y = f(X) if sigma == 0 else f(X) + sigma * rng.standard_normal(X.shape)
        yield Draw(X, y, _coefficients(X, y, degree))


def _interval(values: Array, name: str) -> Array:
    """Require numbers from -1 to 1, where Chebyshev's polynomials are at most one."""
    worst = float(np.max(np.abs(values), initial=0.0))
    if worst > 1:
        raise ValueError(f"{name} must lie in [-1, 1], got {worst:g} in absolute value; shift and scale it")
    return values


# -- inputs that stay the same -------------------------------------------------------------------------------


def ridge_smoother(X: Any, lam: float = 0.0, *, at: Any = None, intercept: bool = True) -> Array:
    r"""Return the matrix S that turns targets into predictions of ridge regression: :math:`\hat g=Sy`.

    The weights minimise :math:`\frac1{2n}\lVert y-Xw-b\rVert^2+\frac\lambda2\lVert w\rVert^2`. The solution
    is linear in y, so for a fixed design K data sets, the rows of Y, cost one product: ``Y @ S.T``.

    Parameters
    ----------
    X : array of shape (n, d)
        The inputs, without a column of ones.
    lam : float
        The strength of the penalty; zero is least squares (of least norm where it is not unique).
    at : array of shape (m, d), optional
        Where to predict; at the inputs by default, and then S is the hat matrix.
    intercept : bool
        Whether to fit b, which is not penalised.

    Returns
    -------
    array of shape (m, n)
        The smoother.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 3.4.1.

    Examples
    --------
    The trace of the hat matrix counts the parameters; the penalty makes them fewer:

    >>> X = np.random.default_rng(0).normal(size=(30, 4))
    >>> float(np.trace(ridge_smoother(X)).round(6)), bool(np.trace(ridge_smoother(X, 1.0)) < 4)
    (5.0, True)
    """
    X = _check.matrix(X)
    lam = _check.nonnegative(lam, "lam", "a negative penalty rewards large weights")
    Z = X if at is None else _check.matrix(at, "at")
    _check.same_width(X, Z)
    mean = X.mean(axis=0) if intercept else np.zeros(X.shape[1])
    U, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    kept = s > max(X.shape) * np.finfo(np.float64).eps * s[0]
    shrink = s[kept] / (s[kept] ** 2 + len(X) * lam)
    S = ((Z - mean) @ Vt[kept].T * shrink) @ U[:, kept].T
    return np.asarray(S + 1 / len(X) if intercept else S)
