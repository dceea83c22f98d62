r"""The area under the ROC curve as an estimate: its variance, and whether two areas differ.

With P positive and N negative points the area is the share of the pairs that are in the right order,
:math:`A=\frac1{PN}\sum_{i,j}\psi(s_i^+,s_j^-)` with :math:`\psi=1,\tfrac12,0` where the positive score is
above, at, below the negative one. The *placement* of a positive point is its share of right pairs,
:math:`V_i=\frac1N\sum_j\psi(s_i^+,s_j^-)`, and :math:`W_j=\frac1P\sum_i\psi(s_i^+,s_j^-)` that of a negative.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array, Mask

__all__ = ["DeLong", "delong", "delong_variance", "hanley_mcneil"]

Counts = NDArray[np.int64]


def hanley_mcneil(auc: float, n_pos: int, n_neg: int) -> float:
    r"""Return the variance of an area under the ROC curve from the area and the counts alone.

    It is :math:`\frac{A(1-A)+(P-1)(Q_1-A^2)+(N-1)(Q_2-A^2)}{PN}`, exact with :math:`Q_1` the probability that
    two positives are both above one negative and :math:`Q_2` that one positive is above two negatives;
    :math:`Q_1=A/(2-A)` and :math:`Q_2=2A^2/(1+A)` are their values when the scores are exponential.

    Parameters
    ----------
    auc : float
        The area.
    n_pos, n_neg : int
        Numbers of positive and negative points.

    References
    ----------
    Hanley and McNeil, *The meaning and use of the area under a receiver operating characteristic (ROC)
    curve*, 1982.

    Examples
    --------
    Scores without any information, whose area is 1/2, have the variance (P + N + 1)/(12 PN) of Mann and
    Whitney:

    >>> round(hanley_mcneil(0.5, 20, 30) * (12 * 20 * 30), 10)
    51.0
    """
    A = _check.probability(auc, "auc")
    n_pos = _check.count(n_pos, "n_pos", "an area needs a positive point")
    n_neg = _check.count(n_neg, "n_neg", "an area needs a negative point")
    Q1, Q2 = A / (2 - A), 2 * A**2 / (1 + A)
    return (A * (1 - A) + (n_pos - 1) * (Q1 - A**2) + (n_neg - 1) * (Q2 - A**2)) / (n_pos * n_neg)


# -- placements --------------------------------------------------------------------------------------------


def _classes(y: Any) -> Mask:
    """Return which points are positive; there must be two of each class."""
    positive = _check.positives(y, None, both=False)
    n_pos = int(np.count_nonzero(positive))
    if min(n_pos, len(positive) - n_pos) < 2:
        raise ValueError(
            f"y must hold at least two points of each class, got {n_pos} positive and "
            f"{len(positive) - n_pos} negative; one point says nothing about the spread"
        )
    return positive


def _right_pairs(positive: Mask, score: Array) -> tuple[Counts, Counts]:
    """Return twice the right pairs of each positive and of each negative point; a tie is half right."""
    order = np.argsort(score)  # ties: runs of equal scores are counted as a whole
    is_pos, s = positive[order], score[order]
    n, n_pos = len(s), int(np.count_nonzero(positive))
    before = np.append(0, np.cumsum(~is_pos))  # of the i lowest scores, so many are negatives
    new = s[1:] != s[:-1]
    if np.all(new):
        below, above = 2 * before[:-1], 2 * (np.arange(n) - before[:-1])
    else:  # a run of equal scores goes from first to last: what is before counts twice, what is in it once
        edges = np.flatnonzero(np.concatenate([[True], new, [True]]))
        first, last = edges[:-1], edges[1:]
        below = np.repeat(before[first] + before[last], last - first)
        above = np.repeat(first + last, last - first) - below
    right = np.empty(n, dtype=np.int64)
    right[order] = np.where(is_pos, below, 2 * n_pos - above)
    return right[positive], right[~positive]


def _variance(rows: Counts, columns: Counts) -> float:
    """Return DeLong's variance of the mean of halved counts per pair; exactly zero if they do not vary."""
    parts = ((rows, len(columns)), (columns, len(rows)))
    return sum(
        float(np.var(own, ddof=1)) / (4 * others**2 * len(own)) if own.min() < own.max() else 0.0
        for own, others in parts
    )


def _area(rows: Counts, columns: Counts) -> float:
    """Return the share of right pairs."""
    return float(rows.sum() / (2 * len(rows) * len(columns)))


def delong_variance(y: Any, score: Any) -> float:
    r"""Return DeLong's estimate of the variance of the area under the ROC curve, in O(n log n).

    It is :math:`\frac1P\operatorname{var}(V)+\frac1N\operatorname{var}(W)` with the sample variances of the
    placements of the positive and of the negative points, and needs no assumption about the scores. Up to a
    term of smaller order, A less its mean is the sum of two independent means, one over the positives and one
    over the negatives, so their variances add.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, at least two of each.
    score : array of shape (n,)
        Scores; higher means more positive.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, *Comparing the areas under two or more correlated receiver operating
    characteristic curves: a nonparametric approach*, 1988.

    Examples
    --------
    The placements of the positives are 1/2 and 1, as are those of the negatives:

    >>> delong_variance([-1, -1, 1, 1], [0.1, 0.4, 0.3, 0.8])
    0.125
    """
    positive = _classes(y)
    return _variance(*_right_pairs(positive, _check.vector(score, len(positive), "score")))


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLong:
    """Two areas under ROC curves of the same points, and whether they differ.

    Attributes
    ----------
    auc_f, auc_g : float
        The two areas.
    variance_f, variance_g : float
        Their estimated variances.
    variance : float
        The estimated variance of their difference, which allows for their correlation.
    pvalue : float
        Two-sided, by the normal law.
    """

    auc_f: float
    auc_g: float
    variance_f: float
    variance_g: float
    variance: float
    pvalue: float

    @property
    def difference(self) -> float:
        """The first area minus the second."""
        return self.auc_f - self.auc_g

    @property
    def covariance(self) -> float:
        """The estimated covariance of the two areas."""
        return (self.variance_f + self.variance_g - self.variance) / 2

    @property
    def statistic(self) -> float:
        """The difference divided by its estimated standard deviation; 0 if the areas are equal."""
        return self.difference / float(np.sqrt(self.variance)) if self.difference else 0.0

    def interval(self, level: float = 0.05) -> tuple[float, float]:
        """Return the interval of confidence 1 - level for the difference of the areas."""
        half = -float(special.ndtri(_check.level(level) / 2)) * float(np.sqrt(self.variance))
        return self.difference - half, self.difference + half


def delong(y: Any, score_f: Any, score_g: Any) -> DeLong:
    r"""Test whether two scores of the same points have the same area under the ROC curve, in O(n log n).

    The difference of the areas is a mean of differences of placements, so its variance is that of
    :func:`delong_variance` with :math:`V^f-V^g` and :math:`W^f-W^g` in place of V and W. The p-value is that
    of the normal law, which holds for many points of both classes: with ten of each and areas near 1 the test
    hardly ever rejects. One sort a score gives all placements.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, at least two of each.
    score_f, score_g : array of shape (n,)
        The two scores; higher means more positive.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, *Comparing the areas under two or more correlated receiver operating
    characteristic curves: a nonparametric approach*, 1988. Sun and Xu, *Fast implementation of DeLong's
    algorithm*, 2014.

    Examples
    --------
    Scores that only stretch each other order all pairs alike, so there is nothing to tell apart:

    >>> y, f = np.array([-1, -1, 1, 1]), np.array([0.1, 0.4, 0.3, 0.8])
    >>> test = delong(y, f, np.exp(f))
    >>> test.auc_f, test.auc_g, test.variance, test.pvalue
    (0.75, 0.75, 0.0, 1.0)
    """
    positive = _classes(y)
    f = _right_pairs(positive, _check.vector(score_f, len(positive), "score_f"))
    g = _right_pairs(positive, _check.vector(score_g, len(positive), "score_g"))
    auc_f, auc_g, variance = _area(*f), _area(*g), _variance(f[0] - g[0], f[1] - g[1])
    if variance == 0 and auc_f != auc_g:
        raise ValueError(
            f"score_f and score_g must not differ alike on all points, got areas {auc_f:g} and {auc_g:g} "
            "and no variance; shuffle labels or collect more points: the normal law does not apply"
        )
    z = abs(auc_f - auc_g) / np.sqrt(variance) if variance else 0.0
    return DeLong(
        auc_f=auc_f,
        auc_g=auc_g,
        variance_f=_variance(*f),
        variance_g=_variance(*g),
        variance=variance,
        pvalue=float(2 * special.ndtr(-z)),
    )
