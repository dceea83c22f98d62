"""Isotonic regression: the non-decreasing function nearest to the data, by pooling adjacent violators."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike

SAFE_SQUARES = (1e-60, 1e60)  # sums of them whose values times weights stay in the range of doubles
WEIGHT_RANGE = 1e100  # then what a product loses to underflow is nothing beside the largest value
HUGE = 1e300  # beyond it differences may overflow


@jit
def _pool(y: Array, w: Array | None) -> Array:
    """Pool adjacent violators: a stack of blocks with their sums and weights, the last one in hand."""
    n, m = y.size, 0
    total, weight, first = np.empty(n), np.empty(n), np.empty(n, np.int64)
    u = 1.0 if w is None else w[0]
    s, start = u * y[0], 0
    for i in range(1, n):
        v = 1.0 if w is None else w[i]
        if s < y[i] * u:  # the mean s/u is below y_i: a new block
            total[m], weight[m], first[m] = s, u, start
            m += 1
            s, u, start = v * y[i], v, i
        else:
            s += v * y[i]
            u += v
            while m > 0 and total[m - 1] * u >= s * weight[m - 1]:  # means in the wrong order
                m -= 1
                s, u, start = s + total[m], u + weight[m], first[m]
    total[m], weight[m], first[m] = s, u, start
    stop, mean = n, np.inf
    while m >= 0:  # spread the means from the right: block m begins at place m or later, so none is lost
        start = first[m]
        if stop == start + 1:
            mean = min(mean, y[start])
            total[start] = mean
        else:
            mean = min(mean, total[m] / weight[m])  # rounding must not undo the order
            total[start:stop] = mean
        stop, m = start, m - 1
    return total


def _moderate(value: Any, n: int, name: str, each: str = "point") -> tuple[Array, float]:
    """Return doubles whose squares neither over- nor underflow, and by what they were divided for that."""
    with np.errstate(over="ignore", invalid="ignore"):
        plain = type(value) is np.ndarray and value.dtype == np.float64 and value.shape == (n,)
        if plain and value.flags.c_contiguous and SAFE_SQUARES[0] < float(value @ value) < SAFE_SQUARES[1]:
            return value, 1.0  # they are finite, too
        array = np.ascontiguousarray(_check.vector(value, n, name, each, copy=False), dtype=np.float64)
        if SAFE_SQUARES[0] < float(array @ array) < SAFE_SQUARES[1]:
            return array, 1.0
    scale = float(np.max(np.abs(array))) or 1.0
    return np.asarray(array / scale), scale


def _positive(weights: ArrayLike, n: int) -> tuple[Array, float]:
    """Return weights, and by what they were divided."""
    w, scale = _moderate(weights, n, "weights", "value of y")
    low, high = float(w.min()), float(w.max())
    if low * WEIGHT_RANGE <= high or low <= 0:
        raise ValueError(
            f"weights must be > 0 and within a factor of {WEIGHT_RANGE:g}, got {scale * low:g} and "
            f"{scale * high:g}; leave out points that count for nothing"
        )
    return w, scale


def pav(y: ArrayLike, weights: ArrayLike | None = None) -> Array:
    r"""Return the non-decreasing sequence nearest to y: pool adjacent violators.

    .. math:: \min_{m_1\le\dots\le m_n}\ \sum_iw_i(y_i-m_i)^2

    Takes time proportional to n, for values that are in the order of their scores.

    Parameters
    ----------
    y : array of shape (n,)
        The values, in order.
    weights : array of shape (n,), optional
        Their weights, above zero; by default all the same.

    References
    ----------
    Ayer, Brunk, Ewing, Reid and Silverman, *An empirical distribution function for sampling with incomplete
    information*, 1955.

    Examples
    --------
    The neighbours 3 and 1 are in the wrong order, and so they share their mean.

    >>> pav([1, 3, 1, 4]), pav([1, 3, 1, 4], weights=[1, 3, 1, 1])
    (array([1., 2., 2., 4.]), array([1. , 2.5, 2.5, 4. ]))
    """
    n = max(np.size(y), 1)
    values, scale = _moderate(y, n, "y")
    fit = _pool(values, None if weights is None else _positive(weights, n)[0])
    if scale != 1.0:
        fit *= scale
    return fit


def _tame(values: Array) -> tuple[Array, float]:
    """Return values whose differences do not overflow, and by what they were multiplied for that."""
    shrink = 0.25 if np.max(np.abs(values)) > HUGE else 1.0
    return values * shrink, shrink


@dataclass(frozen=True, kw_only=True, eq=False)
class MonotoneFit:
    """A non-decreasing function of a score; call it to evaluate.

    Attributes
    ----------
    knots : array of shape (k,)
        Scores in increasing order: the first and the last of each block.
    values : array of shape (k,)
        The fit there.
    """

    knots: Array
    values: Array

    def __call__(self, score: ArrayLike) -> Array:
        """Return the fit: constant on blocks and outside, linear from one block to the next."""
        x = np.clip(_check.line(score, "score"), self.knots[0], self.knots[-1])
        if len(self.knots) == 1:
            return np.full(len(x), self.values[0])
        after = np.minimum(np.searchsorted(self.knots, x, side="right"), len(self.knots) - 1)
        k, h = _tame(self.knots)
        v, g = _tame(self.values)
        share = (x * h - k[after - 1]) / (k[after] - k[after - 1])  # a slope might overflow, a share cannot
        between = (v[after - 1] + share * (v[after] - v[after - 1])) / g
        below = np.minimum(between, self.values[after])
        return np.asarray(np.where(x == self.knots[-1], self.values[-1], below))

    def step(self, score: ArrayLike) -> Array:
        """Return the fit as a step function, which jumps midway between blocks."""
        left, right = self.knots[:-1], self.knots[1:]
        middle = np.minimum(left / 2 + right / 2, np.nextafter(right, -np.inf))  # even between neighbours
        return np.asarray(self.values[np.searchsorted(middle, _check.line(score, "score"))])

    @property
    def n_blocks(self) -> int:
        """The number of different values."""
        return 1 + int(np.count_nonzero(self.values[1:] > self.values[:-1]))


def isotonic(
    score: ArrayLike, y: ArrayLike, *, weights: ArrayLike | None = None, prior: float = 0.0
) -> MonotoneFit:
    r"""Fit the non-decreasing function m of a score that minimises :math:`\sum_iw_i(y_i-m(s_i))^2`.

    Objects with the same score have the same value. Sorting takes time :math:`O(n\log n)`, the rest O(n).

    Parameters
    ----------
    score : array of shape (n,)
        The scores, in any order.
    y : array of shape (n,)
        The values; for probabilities the outcomes, 0 or 1 (not -1 or 1).
    weights : array of shape (n,), optional
        Weights above zero; by default all the same.
    prior : float
        The weight of two made-up outcomes, a 1 below all scores and a 0 above them, which keep probabilities
        away from 0 and 1; in the units of the weights, or 1 for that of an observation. Then y must lie
        between 0 and 1.

    Examples
    --------
    >>> fit = isotonic([0.1, 0.4, 0.3, 0.2], [0, 1, 0, 1])
    >>> fit.knots, fit.values
    (array([0.1, 0.2, 0.3, 0.4]), array([0. , 0.5, 0.5, 1. ]))
    >>> fit([0.0, 0.15, 0.25, 9.0])
    array([0.  , 0.25, 0.5 , 1.  ])
    """
    values, unit = _moderate(y, max(np.size(y), 1), "y")
    s = _check.vector(score, len(values), "score", "value of y")
    prior = _check.nonnegative(prior, "prior", "it is the weight of the made-up outcomes")
    w, of_weights = (np.ones(len(s)), 1.0) if weights is None else _positive(weights, len(s))
    if prior > 0 and (values.min() < 0 or unit * values.max() > 1):
        worst = unit * (values.min() if values.min() < 0 else values.max())
        raise ValueError(
            f"y must lie between 0 and 1 where prior > 0, got {worst:g}; the made-up outcomes are 0 and 1: "
            "code labels as 0 and 1, or take prior=0"
        )
    order = np.argsort(s)  # ties, if there are any, keep their order in the next
    if np.any(s[order[1:]] == s[order[:-1]]):
        order = np.argsort(s, kind="stable")
    s, values, w = s[order].astype(np.float64, copy=False), values[order], w[order]
    first = np.flatnonzero(np.append(True, s[1:] > s[:-1]))  # of each group of equal scores
    group = np.add.reduceat(w, first)
    mean = np.add.reduceat(w * values, first) / group
    if prior > 0:
        extra = [prior / of_weights]
        fitted = pav(np.concatenate([[1.0], unit * mean, [0.0]]), np.concatenate([extra, group, extra]))[1:-1]
    else:
        fitted = unit * pav(mean, group)
    jump = fitted[1:] > fitted[:-1]
    end = np.append(True, jump) | np.append(jump, True)
    return MonotoneFit(knots=s[first][end], values=fitted[end])
