r"""Bias and variance: what a learner returns on average, and how much it scatters around that.

A learner turns a random data set D into a function :math:`g^{D}`. For squared error the expected error at x
is :math:`\sigma^2+(\bar g(x)-f(x))^2+\operatorname{Var}_D g^{D}(x)` with the average
:math:`\bar g(x)=\mathbb E_Dg^{D}(x)`: noise, squared bias and variance. This module computes the split from
fits, in closed form for linear smoothers, and for votes under 0-1 loss. The names of
:mod:`lecturekit.batched`, :mod:`lecturekit.learning_curves` and :mod:`lecturekit.sine` are found here too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import binom

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.batched import polynomial_draws, polynomial_fits, ridge_smoother
from lecturekit.learning_curves import LearningCurve, OLSErrors, learning_curve, ols_errors, polynomial_curve
from lecturekit.sine import SineExperiment, sine_experiment

__all__ = [
    "Decomposition",
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


# -- squared error -------------------------------------------------------------------------------------------


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


def decompose(fits: Any, f: Any, *, weights: Any = None, sigma: float = 0.0) -> Decomposition:
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

    References
    ----------
    Geman, Bienenstock and Doursat, *Neural networks and the bias/variance dilemma*, 1992.

    Examples
    --------
    Two fits that are off by 1 and 3 at the only point: the mean is off by 2, and each is 1 away from it.

    >>> decompose([[1.0], [3.0]], [0.0])
    Decomposition(bias=4.0, var=1.0, noise=0.0, se=4.0, n_sets=2)
    """
    f = _check.line(f, "f")
    weights = _shares(weights, len(f))
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    count, mean, squares = 0, np.zeros(len(f) + 1), np.zeros(len(f) + 1)
    for chunk in _chunks(fits):
        part = _check.matrix(chunk, "fits", copy=False)
        if part.shape[1] != len(f):
            raise ValueError(
                f"fits must have a column for each of the {len(f)} points of f, got {part.shape[1]}"
            )
        part = np.column_stack([part, (part - f) ** 2 @ weights])  # the error of each fit goes along
        middle = part.mean(axis=0)
        away, count = middle - mean, count + len(part)
        mean = mean + away * len(part) / count
        squares += np.sum((part - middle) ** 2, axis=0) + away**2 * len(part) * (count - len(part)) / count
    if count == 0:
        raise ValueError("fits must hold at least one fit, got an empty iterator; draw data sets")
    average, var_x = mean[:-1], squares[:-1] / count
    se = float(np.sqrt(squares[-1] / max(count - 1, 1) / count))
    return _decomposition((average - f) ** 2, var_x, average, weights, sigma, se, count)


def _chunks(fits: Any) -> Iterable[Any]:
    """Return an iterator's chunks, or everything as one chunk."""
    return fits if isinstance(fits, Iterator) else [fits]


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


def _shares(weights: Any, m: int) -> Array:
    """Return weights that sum to one."""
    if weights is None:
        return np.full(m, 1 / m)
    array = _check.vector(weights, m, "weights")
    if np.min(array) < 0 or array.sum() == 0:
        raise ValueError(f"weights must be >= 0 with a positive sum, got a smallest of {array.min():.3g}")
    return np.asarray(array / array.sum())


def smoother_decomposition(
    S: Any, f: Any, sigma: float, *, f_at: Any = None, weights: Any = None
) -> Decomposition:
    r"""Return the exact split for a linear smoother :math:`\hat g=Sy` with fixed inputs and random labels.

    With :math:`y=f+\varepsilon`, noise of mean zero and variance :math:`\sigma^2` without correlations, the
    average fit is :math:`Sf` and the variance at point i is :math:`\sigma^2\sum_jS_{ij}^2`. At the inputs
    themselves the averages are :math:`\frac1n\lVert(I-S)f\rVert^2` and
    :math:`\frac{\sigma^2}n\operatorname{tr}SS^\top`.

    Parameters
    ----------
    S : array of shape (m, n)
        The smoother, for instance :func:`lecturekit.batched.ridge_smoother`.
    f : array of shape (n,)
        The target at the inputs.
    sigma : float
        The standard deviation of the noise.
    f_at : array of shape (m,), optional
        The target where S predicts; at the inputs by default.
    weights : array of shape (m,), optional
        Weights of the points in averages; equal by default.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.3.

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


# -- 0-1 loss ------------------------------------------------------------------------------------------------


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


def vote_decomposition(votes: Any, y: Any, *, weights: Any = None, flip: float = 0.0) -> VoteDecomposition:
    r"""Split the mean 0-1 loss of K classifiers at m points, two classes.

    At a point let :math:`\hat y` be the vote of the majority, :math:`B=[\hat y\ne y]`, and V the share of
    fits that differ from :math:`\hat y`. Their error rate is B + V where B = 0 and B - V where B = 1.

    Parameters
    ----------
    votes : array of shape (K, m)
        The predicted labels -1 and +1, one fit a row.
    y : array of shape (m,)
        The right labels, -1 and +1.
    weights : array of shape (m,), optional
        Weights of the points in averages; equal by default.
    flip : float
        The probability, below one half, that a label is seen with the wrong sign.

    References
    ----------
    Domingos, *A unified bias-variance decomposition*, 2000.

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
    weights = _shares(weights, len(y))
    flip = _check.probability(flip, "flip")
    main = np.where(votes.sum(axis=0) >= 0, 1.0, -1.0)  # a tie may be broken either way
    bias_x, var_x = (main != y).astype(np.float64), np.mean(votes != main, axis=0)
    wrong = np.mean(votes != y, axis=0)
    return VoteDecomposition(
        bias=float(bias_x @ weights),
        var_unbiased=float((1 - bias_x) * var_x @ weights),
        var_biased=float(bias_x * var_x @ weights),
        noise=float(flip * (1 - 2 * wrong) @ weights),
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
