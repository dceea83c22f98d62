r"""Bias and variance: what a learner returns on average, how much it scatters around that, and what follows.

A learner turns a random data set D into a function :math:`g^{D}`. For squared error the expected error at x
is

.. math:: \sigma^2+(\bar g(x)-f(x))^2+\operatorname{Var}_D g^{D}(x),\qquad \bar g(x)=\mathbb E_Dg^{D}(x):

noise, squared bias and variance. *Squared error* computes the split from fits, and in closed form for linear
smoothers; *votes* does so for 0-1 loss. *Many fits at once* draws and fits data sets a chunk at a time,
because a loop over data sets spends most of its time on calls. *Constants and lines fitted to a sine* have
bias and variance without simulation. *Learning curves* are the expected errors in the sample and outside it,
against the size of the sample, simulated or, for *least squares, exactly*.

References
----------
Geman, Bienenstock and Doursat, *Neural networks and the bias/variance dilemma*, 1992. Hastie, Tibshirani and
Friedman, *The Elements of Statistical Learning*, 2009: smoothers in sections 3.4.1 and 7.3. Domingos, *A
unified bias-variance decomposition*, 2000: votes. Björck, *Numerical Methods for Least Squares Problems*,
1996: corrected normal equations in section 2.9. Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*,
2012: the sine in section 2.3, learning curves in 2.3.2, least squares in exercise 3.4. Mardia, Kent and
Bibby, *Multivariate Analysis*, 1979: the mean of an inverted Wishart matrix in section 3.8.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import ceil, comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from scipy.special import sici
from scipy.stats import binom

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, PointFunction
from lecturekit.losses import squared
from lecturekit.protocols import train

__all__ = [
    "Decomposition",
    "Draw",
    "LearningCurve",
    "OLSErrors",
    "SineExperiment",
    "VoteDecomposition",
    "decompose",
    "learning_curve",
    "majority",
    "ols_errors",
    "polynomial_curve",
    "polynomial_draws",
    "polynomial_fits",
    "ridge_smoother",
    "sine_experiment",
    "smoother_decomposition",
    "vote_decomposition",
]

# -- squared error -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Decomposition:
    """Noise, squared bias and variance of a learner.

    Attributes
    ----------
    bias : float
        The squared bias, averaged over the points.
    var : float
        The variance over the data sets, averaged over the points.
    noise : float
        The variance of the labels' noise.
    se : float
        The standard error of ``bias + var`` that comes from having drawn finitely many data sets.
    n_sets : int
        The number of data sets; zero where the expectation was computed.
    bias_x, var_x, mean_fit : array of shape (m,)
        Squared bias, variance and average fit at each point.
    """

    bias: float
    var: float
    noise: float
    se: float
    n_sets: int
    bias_x: Array = field(repr=False)
    var_x: Array = field(repr=False)
    mean_fit: Array = field(repr=False)

    @property
    def total(self) -> float:
        """The expected squared error on new labels, noise + bias + variance."""
        return self.noise + self.bias + self.var


def _shares(weights: ArrayLike | None, m: int, each: str = "point") -> Array:
    """Return weights that sum to one."""
    if weights is None:
        return np.full(m, 1 / max(m, 1))
    array = _check.vector(weights, m, "weights", each)
    if np.min(array) < 0 or array.sum() == 0:
        raise ValueError(f"weights must be >= 0 with a positive sum, got a smallest of {array.min():.3g}")
    return np.asarray(array / array.sum())


def _decomposition(
    bias_x: Array, var_x: Array, mean_fit: Array, weights: Array, sigma: float, se: float, n_sets: int
) -> Decomposition:
    """Average over the points."""
    return Decomposition(
        bias=float(bias_x @ weights),
        var=float(var_x @ weights),
        noise=sigma**2,
        se=se,
        n_sets=n_sets,
        bias_x=bias_x,
        var_x=var_x,
        mean_fit=mean_fit,
    )


def decompose(
    fits: Any, f: ArrayLike, *, weights: ArrayLike | None = None, sigma: float = 0.0
) -> Decomposition:
    r"""Split the mean squared error of K fits at m points into squared bias and variance.

    With :math:`\bar g(x)=\frac1K\sum_kg_k(x)` the split
    :math:`\frac1K\sum_k(g_k(x)-f(x))^2=(\bar g(x)-f(x))^2+\frac1K\sum_k(g_k(x)-\bar g(x))^2`
    is exact for every K. As estimates of the expectations the first part is too large, and the second too
    small, by :math:`\frac1K\operatorname{Var}_Dg^{D}(x)` on average.

    Parameters
    ----------
    fits : array of shape (K, m), or an iterator of arrays of shapes (B, m)
        The predictions of the fits, one fit a row. Chunks from an iterator are never held together.
    f : array of shape (m,)
        The target at the points.
    weights : array of shape (m,), optional
        Weights of the points in averages over x; equal by default. They are divided by their sum.
    sigma : float
        The standard deviation of the labels' noise.

    Examples
    --------
    Two fits that are off by 1 and 3 at the only point: the mean is off by 2, and each is 1 away from it.

    >>> decompose([[1.0], [3.0]], [0.0])
    Decomposition(bias=4.0, var=1.0, noise=0.0, se=4.0, n_sets=2)
    """
    f = _check.line(f, "f")
    share = _shares(weights, len(f), "point of f")
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    count, mean, squares = 0, np.zeros(len(f) + 1), np.zeros(len(f) + 1)
    for chunk in fits if isinstance(fits, Iterator) else [fits]:
        part = _check.matrix(chunk, "fits", copy=False)
        if part.shape[1] != len(f):
            raise ValueError(
                f"fits must have a column for each of the {len(f)} points of f, got {part.shape[1]}"
            )
        part = np.column_stack([part, (part - f) ** 2 @ share])  # the error of each fit goes along
        middle = part.mean(axis=0)
        away, count = middle - mean, count + len(part)
        mean = mean + away * len(part) / count
        squares += np.sum((part - middle) ** 2, axis=0) + away**2 * len(part) * (count - len(part)) / count
    if count == 0:
        raise ValueError("fits must hold at least one fit, got an empty iterator; draw data sets")
    average, var_x = mean[:-1], squares[:-1] / count
    se = float(np.sqrt(squares[-1] / max(count - 1, 1) / count))
    return _decomposition((average - f) ** 2, var_x, average, share, sigma, se, count)


def ridge_smoother(
    X: ArrayLike, lam: float = 0.0, *, at: ArrayLike | None = None, fit_intercept: bool = True
) -> Array:
    r"""Return the matrix S that turns targets into predictions of ridge regression: :math:`\hat g=Sy`.

    The weights minimise :math:`\frac1{2n}\lVert y-Xw-b\rVert^2+\frac\lambda2\lVert w\rVert^2`. The solution
    is linear in y, so for a fixed design K data sets, the rows of Y, cost one product: ``Y @ S.T``. S has
    shape (m, n).

    Parameters
    ----------
    X : array of shape (n, d)
        The inputs, without a column of ones.
    lam : float
        The strength of the penalty; zero is least squares (of least norm where it is not unique).
    at : array of shape (m, d), optional
        Where to predict; at the inputs by default, and then S is the hat matrix.
    fit_intercept : bool
        Whether to fit b, which is not penalised.

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
    mean = X.mean(axis=0) if fit_intercept else np.zeros(X.shape[1])
    U, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    kept = s > max(X.shape) * np.finfo(np.float64).eps * s[0]
    shrink = s[kept] / (s[kept] ** 2 + len(X) * lam)
    S = ((Z - mean) @ Vt[kept].T * shrink) @ U[:, kept].T
    return np.asarray(S + 1 / len(X) if fit_intercept else S)


def smoother_decomposition(
    S: ArrayLike,
    f: ArrayLike,
    sigma: float,
    *,
    f_at: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Decomposition:
    r"""Return the exact split for a linear smoother :math:`\hat g=Sy` with fixed inputs and random labels.

    With :math:`y=f+\varepsilon`, noise of mean zero and variance :math:`\sigma^2` without correlations, the
    average fit is :math:`Sf` and the variance at point i is :math:`\sigma^2\sum_jS_{ij}^2`. At the inputs
    themselves the averages are :math:`\frac1n\lVert(I-S)f\rVert^2` and
    :math:`\frac{\sigma^2}n\operatorname{tr}SS^\top`.

    Parameters
    ----------
    S : array of shape (m, n)
        The smoother, for instance :func:`ridge_smoother`.
    f : array of shape (n,)
        The target at the inputs.
    sigma : float
        The standard deviation of the noise.
    f_at : array of shape (m,), optional
        The target where S predicts; at the inputs by default.
    weights
        Those of :func:`decompose`.

    Examples
    --------
    The mean of n labels as a prediction: no bias on a constant target, variance sigma^2 / n.

    >>> smoother_decomposition(np.full((4, 4), 0.25), np.ones(4), sigma=2.0)
    Decomposition(bias=0.0, var=1.0, noise=4.0, se=0.0, n_sets=0)
    """
    S = _check.matrix(S, "S")
    f = _check.vector(f, S.shape[1], "f")
    truth = _check.vector(f if f_at is None else f_at, len(S), "f_at")
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    mean, var_x = S @ f, sigma**2 * np.sum(S**2, axis=1)
    return _decomposition((mean - truth) ** 2, var_x, mean, _shares(weights, len(S)), sigma, 0.0, 0)


# -- votes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class VoteDecomposition:
    """The parts of an expected 0-1 loss, in which variance may help.

    Attributes
    ----------
    bias : float
        The share of points at which the majority of the fits is wrong.
    var_unbiased, var_biased : float
        How often a fit deviates from the majority, averaged over all points but counted only where the
        majority is right, and where it is wrong.
    noise : float
        What flipped labels add: the mean over x of N(x) (2 P[the fit is right] - 1).
    bias_x, var_x, main : array of shape (m,)
        Bias (0 or 1), variance and main prediction (the vote of the majority) at each point.
    """

    bias: float
    var_unbiased: float
    var_biased: float
    noise: float
    bias_x: Array = field(repr=False)
    var_x: Array = field(repr=False)
    main: Array = field(repr=False)

    @property
    def total(self) -> float:
        """The expected 0-1 loss, where variance costs if the majority is right, and helps if it is wrong."""
        return self.noise + self.bias + self.var_unbiased - self.var_biased


def vote_decomposition(
    votes: ArrayLike, y: ArrayLike, *, weights: ArrayLike | None = None, flip: float = 0.0
) -> VoteDecomposition:
    r"""Split the mean 0-1 loss of K classifiers at m points, two classes.

    At a point let :math:`\hat y` be the vote of the majority, :math:`B=[\hat y\ne y]`, and V the share of
    fits that differ from :math:`\hat y`. Their error rate is B + V where B = 0 and B - V where B = 1.

    Parameters
    ----------
    votes : array of shape (K, m)
        The predicted labels -1 and +1, one fit a row.
    y : array of shape (m,)
        The right labels, -1 and +1.
    weights
        Those of :func:`decompose`.
    flip : float
        The probability, below one half, that a label is seen with the wrong sign.

    Examples
    --------
    Three fits at two points whose label is +1. Where the majority is wrong, variance lowers the loss:

    >>> vote_decomposition([[1, -1], [1, -1], [-1, 1]], [1, 1]).total  # (1/3 + 2/3) / 2
    0.5
    """
    votes = _check.matrix(votes, "votes")
    if not np.all(np.abs(votes) == 1):
        raise ValueError("votes must contain only -1 and +1; map 0/1 votes with 2*votes - 1")
    y = _check.signs(y, votes.shape[1], both=False)
    share = _shares(weights, len(y))
    flip = _check.probability(flip, "flip")
    main = np.where(votes.sum(axis=0) >= 0, 1.0, -1.0)  # a tie may be broken either way
    bias_x, var_x = (main != y).astype(np.float64), np.mean(votes != main, axis=0)
    wrong = np.mean(votes != y, axis=0)
    return VoteDecomposition(
        bias=float(bias_x @ share),
        var_unbiased=float((1 - bias_x) * var_x @ share),
        var_biased=float(bias_x * var_x @ share),
        noise=float(flip * (1 - 2 * wrong) @ share),
        bias_x=bias_x,
        var_x=var_x,
        main=main,
    )


def majority(p: float, m: int) -> float:
    r"""Return the probability that more than half of m independent votes are right, each with probability p.

    Parameters
    ----------
    p : float
        The probability that a vote is right.
    m : int
        The number of votes, odd.

    Examples
    --------
    Votes that are mostly wrong get worse by averaging:

    >>> round(majority(0.4, 1), 3), round(majority(0.4, 21), 3), round(majority(0.6, 21), 3)
    (0.4, 0.174, 0.826)
    """
    p = _check.probability(p, "p")
    m = _check.count(m, "m", "there must be a vote")
    if m % 2 == 0:
        raise ValueError(f"m must be odd, got {m}; an even number of votes may tie")
    return float(binom.sf(m // 2, m, p))


# -- many fits at once -------------------------------------------------------------------------------------

SETS_AT_A_TIME = 200  # their powers fit into the processor's cache
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


def _interval(values: Array, name: str) -> Array:
    """Require numbers from -1 to 1, where Chebyshev's polynomials are at most one."""
    worst = float(np.max(np.abs(values), initial=0.0))
    if worst > 1:
        raise ValueError(f"{name} must lie in [-1, 1], got {worst:g} in absolute value; shift and scale it")
    return values


def polynomial_fits(
    X: ArrayLike, y: ArrayLike, degree: int, at: ArrayLike, *, chunk: int = SETS_AT_A_TIME
) -> Array:
    r"""Fit a polynomial to each of K data sets by least squares and predict at m points.

    Set k minimises :math:`\sum_i(y_{ki}-g_k(x_{ki}))^2` over polynomials of the given degree; where that
    leaves a choice, the coefficients in Chebyshev's polynomials are the shortest. Row k of the
    (K, m) array that is returned holds the predictions of the k-th fit.

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
    chunk: int = SETS_AT_A_TIME,
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
    n_sets : int
        How many data sets to draw.
    rng : Generator or int
        The source of randomness, or its seed.
    sigma : float
        The standard deviation of the noise.
    degree, chunk
        Those of :func:`polynomial_fits`.

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


# -- constants and lines fitted to a sine ------------------------------------------------------------------

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
        moments = _quadrature(n, degree, nodes)
    elif degree == 0:
        moments = 0.0, 0.0, 1 / (2 * n)
    elif n == 2:
        moments = _two_points()
    else:
        most = max(m for m in range(2, 100) if comb(m + n - 1, n) <= TUPLES)
        moments = _quadrature(n, degree, most)
    slope, square, var = moments  # the intercept has mean zero
    return SineExperiment(n=n, degree=degree, slope=slope, slope_var=square - slope**2, intercept_var=var)


# -- learning curves ---------------------------------------------------------------------------------------

Sampler: TypeAlias = Callable[[int, np.random.Generator], tuple[Array, Array]]
"""Draws a data set: from a size and a generator to X and y."""


QUADRATURE_NODES = 64  # of the integral over x: exact for squares of polynomials up to degree 63


@dataclass(frozen=True, kw_only=True, eq=False)
class LearningCurve:
    """Mean errors over many data sets of each size.

    Attributes
    ----------
    sizes : array of shape (s,)
        The sizes of the training sets.
    e_in, e_out : array of shape (s,)
        The mean error on the training set and on new points.
    se_in, se_out : array of shape (s,)
        Their standard errors.
    n_sets : int
        Data sets a size.
    """

    sizes: Array
    e_in: Array = field(repr=False)
    e_out: Array = field(repr=False)
    se_in: Array = field(repr=False)
    se_out: Array = field(repr=False)
    n_sets: int


def _curve(sizes: list[int], errors: ArrayLike) -> LearningCurve:
    """Average errors of shape (sizes, sets, 2) over the sets."""
    errors = np.asarray(errors)
    n_sets = errors.shape[1]
    spread = errors.std(axis=1, ddof=min(1, n_sets - 1)) / np.sqrt(n_sets)
    (e_in, e_out), (se_in, se_out) = errors.mean(axis=1).T, spread.T
    return LearningCurve(
        sizes=np.array(sizes), e_in=e_in, e_out=e_out, se_in=se_in, se_out=se_out, n_sets=n_sets
    )


def _sizes(values: ArrayLike, name: str, why: str = "a data set needs a point", least: int = 1) -> list[int]:
    """Return sizes of data sets, at least one."""
    found = [_check.count(one, name, why, least=least) for one in np.atleast_1d(values).tolist()]
    if not found:
        raise ValueError(f"{name} must hold at least one size, got none; name the sizes of data sets")
    return found


def learning_curve(
    sample: Sampler,
    learner: Any,
    sizes: Sequence[int],
    *,
    n_sets: int,
    rng: np.random.Generator | int,
    n_test: int = 1000,
    loss: Callable[[Array, Array], Array] = squared,
) -> LearningCurve:
    r"""Simulate the learning curves of any learner.

    For each size n and each of ``n_sets`` data sets of that size the learner is fitted, and its mean loss is
    taken on the data set and on ``n_test`` fresh points. Sizes and sets have generators of their own.

    Parameters
    ----------
    sample : callable
        ``sample(n, rng)`` returns X of shape (n, d) and y of shape (n,).
    learner : callable or estimator
        A function from X and y to a predictor, which maps points to predictions, or an estimator with
        ``fit`` and ``predict``.
    sizes : sequence of int
        The sizes of the training sets.
    n_sets : int
        Data sets a size.
    rng : Generator or int
        The source of randomness, or its seed.
    n_test : int
        Fresh points for each data set.
    loss : callable
        From labels and predictions to losses; the squared error by default.

    Examples
    --------
    The mean of n labels with noise of variance 1 has the errors 1 - 1/n and 1 + 1/n:

    >>> def sample(n, rng):
    ...     return np.zeros((n, 1)), rng.standard_normal(n)
    >>> def mean(X, y):
    ...     return lambda Z: np.full(len(Z), y.mean())
    >>> curve = learning_curve(sample, mean, [4], n_sets=2000, rng=0)
    >>> bool(abs(curve.e_in[0] - 0.75) < 0.05), bool(abs(curve.e_out[0] - 1.25) < 0.05)
    (True, True)
    """
    n_sets = _check.count(n_sets, "n_sets", "draw at least one data set")
    n_test = _check.count(n_test, "n_test", "test on at least one point")
    sizes, errors = _sizes(sizes, "sizes"), []
    for n, source in zip(sizes, _check.generator(rng).spawn(len(sizes)), strict=True):
        pairs = []
        for stream in source.spawn(n_sets):
            X, y = sample(n, stream)
            model = train(learner, X, y)
            predict = getattr(model, "predict", model)
            Z, z = sample(n_test, stream)
            pairs.append([np.mean(loss(y, predict(X))), np.mean(loss(z, predict(Z)))])
        errors.append(pairs)
    return _curve(sizes, errors)


def polynomial_curve(
    f: PointFunction,
    degree: int,
    sizes: Sequence[int],
    *,
    n_sets: int,
    rng: np.random.Generator | int,
    sigma: float = 0.0,
) -> LearningCurve:
    r"""Simulate the learning curves of polynomials on :math:`y=f(x)+\sigma\varepsilon`, x uniform on [-1, 1].

    Many data sets are fitted in one go, and the error outside is integrated instead of sampled:
    :math:`E_{\text{out}}=\sigma^2+\frac12\int_{-1}^1(g(x)-f(x))^2dx`. With noise and a degree q > 0 its mean
    over data sets is infinite for :math:`q<n\le2q+1`; what is simulated there estimates nothing.

    Parameters
    ----------
    f, degree, n_sets, sigma
        Those of :func:`polynomial_draws`.
    sizes, rng
        Those of :func:`learning_curve`.

    Examples
    --------
    A model that contains the target: :math:`\sigma^2(1-2/n)` in the sample.

    >>> curve = polynomial_curve(lambda x: 1 + x, 1, [8], n_sets=20_000, rng=0, sigma=1.0)
    >>> bool(abs(curve.e_in[0] - 0.75) < 0.02)
    True
    """
    n_sets = _check.count(n_sets, "n_sets", "draw at least one data set")
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    sizes, errors = _sizes(sizes, "sizes"), []
    for n, source in zip(sizes, _check.generator(rng).spawn(len(sizes)), strict=True):
        pairs = [
            [np.mean(draw.residuals() ** 2, axis=1), (draw.fits(nodes) - f(nodes)) ** 2 @ weights / 2]
            for draw in polynomial_draws(f, n, degree, n_sets=n_sets, rng=source, sigma=sigma)
        ]
        errors.append(np.concatenate(pairs, axis=1).T + np.array([0.0, sigma**2]))
    return _curve(sizes, errors)


# -- least squares, exactly --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OLSErrors:
    """Expected errors of least squares with d inputs and an intercept, where the truth is linear.

    Attributes
    ----------
    n : array of shape (s,)
        The sizes of the training sets.
    e_in : array of shape (s,)
        On the training set itself.
    e_same : array of shape (s,)
        On fresh labels at the inputs of the training set.
    e_fresh : array of shape (s,)
        On fresh labels at fresh inputs, all normal; infinite where n is d + 1 or d + 2, if d > 0.
    """

    n: Array
    e_in: Array
    e_same: Array
    e_fresh: Array


def ols_errors(n: ArrayLike, d: int, *, sigma: float = 1.0) -> OLSErrors:
    r"""Return the expected errors of ordinary least squares on n points.

    Let :math:`y=b+\langle w,x\rangle+\varepsilon` with noise of mean zero and variance :math:`\sigma^2`, not
    correlated, whatever the inputs, and let the n x (d+1) matrix of inputs with a leading one have full
    rank. Then

    .. math:: \mathbb E E_{\text{in}}&=\sigma^2\Bigl(1-\frac{d+1}n\Bigr),\quad
              \mathbb E E_{\text{same}}=\sigma^2\Bigl(1+\frac{d+1}n\Bigr),\\
              \mathbb E E_{\text{fresh}}&=\sigma^2\Bigl(1+\frac1n\Bigr)\frac{n-2}{n-d-2},

    the last for inputs drawn independently from one normal law with an invertible covariance matrix.

    Parameters
    ----------
    n : int or array of shape (s,)
        Sizes of training sets, at least d + 1.
    d : int
        The number of inputs, without the leading one.
    sigma : float
        The standard deviation of the noise.

    Examples
    --------
    Twenty points, ten inputs: fresh inputs cost more than the error at the old ones tells.

    >>> errors = ols_errors([20], 10)
    >>> [e.round(4).tolist() for e in (errors.e_in, errors.e_same, errors.e_fresh)]
    [[0.45], [1.55], [2.3625]]
    """
    d = _check.count(d, "d", "zero fits a constant", least=0)
    sigma = _check.positive(sigma, "sigma", "without noise the fit is exact")
    why = "with fewer points than weights the fit is not unique"
    size = np.array(_sizes(n, "n", why, least=d + 1), dtype=np.float64)
    left = size - d - 2  # degrees of freedom of a chi-squared variable, minus two
    inflated = np.divide(size - 2, left, out=np.full(len(size), np.inf), where=left > 0)
    if d == 0:
        inflated = np.ones(len(size))  # only a mean: no inverse is taken
    return OLSErrors(
        n=size,
        e_in=sigma**2 * (1 - (d + 1) / size),
        e_same=sigma**2 * (1 + (d + 1) / size),
        e_fresh=sigma**2 * (1 + 1 / size) * inflated,
    )
