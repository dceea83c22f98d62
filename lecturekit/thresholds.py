r"""All thresholds of a score at once: ROC, precision-recall and DET curves from one table of counts.

A score calls a point positive where :math:`s(x)\ge\theta`. Lowering :math:`\theta` past one distinct score
after the other gives all the decisions the score can make, and :func:`cumulative_counts` counts the true and
the false positives of each. Every curve here is a ratio of those counts.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._typing import Array, Mask

__all__ = [
    "Counts",
    "DetCurve",
    "PrCurve",
    "RocCurve",
    "auc",
    "average_precision",
    "cumulative_counts",
    "det_curve",
    "pr_curve",
    "roc_curve",
]

ENDS = 1e-4  # by how much a curve may miss its ends: computed from densities it never quite reaches them
ROUNDING = 1e-9  # by how much a rate may leave [0, 1] or fall: sums of many small terms do


# -- the counts ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts:
    """The confusion counts of all decisions of a score, the strictest first.

    Attributes
    ----------
    thresholds : array of shape (k + 1,)
        Infinity, then the k distinct scores, falling: a point is called positive from the threshold up.
    tp, fp : array of shape (k + 1,)
        True and false positives; they start at 0 and end at all positives and all negatives.
    """

    thresholds: Array = field(repr=False)
    tp: NDArray[np.intp] = field(repr=False)
    fp: NDArray[np.intp] = field(repr=False)

    @property
    def n_pos(self) -> int:
        """The number of positives."""
        return int(self.tp[-1])

    @property
    def n_neg(self) -> int:
        """The number of negatives."""
        return int(self.fp[-1])

    @property
    def fn(self) -> NDArray[np.intp]:
        """False negatives."""
        return np.asarray(self.tp[-1] - self.tp)

    @property
    def tn(self) -> NDArray[np.intp]:
        """True negatives."""
        return np.asarray(self.fp[-1] - self.fp)


def _scored(y: Any, score: Any) -> tuple[Mask, Array]:
    """Return which observations are positive, and the scores."""
    positive = _check.positives(y, None)
    return positive, _check.vector(score, len(positive), "score", copy=False)


def cumulative_counts(y: Any, score: Any) -> Counts:
    r"""Count true and false positives at every threshold, in :math:`O(n\log n)`.

    Objects with equal scores pass the threshold together, so the order within them does not matter.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Fawcett, *An introduction to ROC analysis*, 2006, algorithm 1.

    Examples
    --------
    >>> counts = cumulative_counts([1, -1, 1, -1], [0.9, 0.5, 0.5, 0.1])
    >>> counts.thresholds.tolist(), counts.tp.tolist(), counts.fp.tolist()
    ([inf, 0.9, 0.5, 0.1], [0, 1, 2, 2], [0, 0, 1, 2])
    """
    positive, score = _scored(y, score)
    rising = np.sort(score)
    first = np.append(0, np.flatnonzero(rising[1:] != rising[:-1]) + 1)  # of each group of equal scores
    distinct, called = rising[first], len(score) - first
    found = np.bincount(np.searchsorted(distinct, np.sort(score[positive])), minlength=len(first))
    tp = np.cumsum(found[::-1])
    return Counts(
        thresholds=np.append(np.inf, distinct[::-1]),
        tp=np.append(0, tp),
        fp=np.append(0, called[::-1] - tp),
    )


# -- curves --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class RocCurve:
    """The rates of true and false positives over all thresholds, from (0, 0) to (1, 1).

    A single operating point is a curve of three: calling nothing and everything positive are always there.

    Attributes
    ----------
    fpr, tpr : array of shape (k + 1,)
        The rates, rising from 0 to 1.
    thresholds : array of shape (k + 1,)
        The thresholds, falling from infinity.
    """

    fpr: Array = field(repr=False)
    tpr: Array = field(repr=False)
    thresholds: Array = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what is no curve from (0, 0) to (1, 1)."""
        for name, rate in (("fpr", self.fpr), ("tpr", self.tpr)):
            if np.ndim(rate) != 1 or len(rate) != len(self.thresholds) or len(rate) < 2:
                raise ValueError(
                    f"{name} must be a vector with an entry a threshold, got shape {np.shape(rate)} and "
                    f"{len(self.thresholds)} thresholds; give at least the two ends"
                )
            if not np.all(np.diff(rate) >= -ROUNDING):
                raise ValueError(f"{name} must not fall or be NaN; sort the points by falling threshold")
            if max(abs(rate[0]), abs(rate[-1] - 1)) > ENDS:
                raise ValueError(
                    f"{name} must go from 0 to 1, got {rate[0]:g} to {rate[-1]:g}; add the ends, "
                    "where nothing and where everything is called positive"
                )

    @property
    def auc(self) -> float:
        """The area under the curve, by trapezoids."""
        return float(np.diff(self.fpr) @ (self.tpr[1:] + self.tpr[:-1])) / 2

    def __repr__(self) -> str:
        """Show the size and the area."""
        return f"{type(self).__name__}({len(self.fpr)} points, auc={self.auc:.4g})"


def roc_curve(y: Any, score: Any) -> RocCurve:
    """Return the ROC curve: the rate of true against that of false positives.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Fawcett, *An introduction to ROC analysis*, 2006.

    Examples
    --------
    >>> curve = roc_curve([1, 1, -1, -1], [0.9, 0.4, 0.6, 0.1])
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.auc
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    counts = cumulative_counts(y, score)
    return RocCurve(fpr=counts.fp / counts.n_neg, tpr=counts.tp / counts.n_pos, thresholds=counts.thresholds)


@dataclass(frozen=True, kw_only=True, eq=False)
class PrCurve:
    """Precision against recall over all thresholds at which something is called positive.

    Attributes
    ----------
    precision, recall : array of shape (k,)
        The share of positives among what is called positive, and the share of the positives found, rising.
    thresholds : array of shape (k,)
        The distinct scores, falling.
    """

    precision: Array = field(repr=False)
    recall: Array = field(repr=False)
    thresholds: Array = field(repr=False)

    @property
    def average_precision(self) -> float:
        """The mean precision weighted by the gain in recall, the area under the steps of the curve."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)

    @property
    def prevalence(self) -> float:
        """The share of positives, which is the precision of calling everything positive."""
        return float(self.precision[-1])

    def __repr__(self) -> str:
        """Show the size and the mean precision."""
        return f"PrCurve({len(self.recall)} points, average_precision={self.average_precision:.4g})"


def pr_curve(y: Any, score: Any) -> PrCurve:
    """Return the precision-recall curve; it has no point where nothing is called positive.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Davis and Goadrich, *The relationship between precision-recall and ROC curves*, 2006.

    Examples
    --------
    >>> curve = pr_curve([1, -1, -1, -1, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> curve.recall.tolist(), curve.precision.round(2).tolist(), curve.average_precision
    ([0.5, 0.5, 0.5, 0.5, 1.0], [1.0, 0.5, 0.33, 0.25, 0.4], 0.7)
    """
    counts = cumulative_counts(y, score)
    tp, fp = counts.tp[1:], counts.fp[1:]
    return PrCurve(precision=tp / (tp + fp), recall=tp / counts.n_pos, thresholds=counts.thresholds[1:])


@dataclass(frozen=True, kw_only=True, eq=False)
class DetCurve:
    """The rates of misses and of false alarms over all thresholds.

    Attributes
    ----------
    fpr, fnr : array of shape (k + 1,)
        The rates of false alarms, rising, and of misses, falling.
    thresholds : array of shape (k + 1,)
        The thresholds, falling from infinity.
    """

    fpr: Array = field(repr=False)
    fnr: Array = field(repr=False)
    thresholds: Array = field(repr=False)


def det_curve(y: Any, score: Any) -> DetCurve:
    """Return the detection error trade-off: misses against false alarms, often drawn on probit axes.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Martin, Doddington, Kamm, Ordowski and Przybocki, *The DET curve in assessment of detection task
    performance*, 1997.

    Examples
    --------
    >>> det_curve([1, 1, -1, -1], [0.9, 0.4, 0.6, 0.1]).fnr.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    counts = cumulative_counts(y, score)
    return DetCurve(fpr=counts.fp / counts.n_neg, fnr=counts.fn / counts.n_pos, thresholds=counts.thresholds)


# -- numbers -------------------------------------------------------------------------------------------------


def auc(y: Any, score: Any) -> float:
    r"""Return the area under the ROC curve, as the share of pairs ranked rightly.

    It is :math:`P(s(x_+)>s(x_-))+\tfrac12P(s(x_+)=s(x_-))` over the pairs of a positive and a negative:
    the Mann-Whitney statistic divided by their number. For each positive the negatives below it, and those up
    to it, are found in the sorted scores.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Hanley and McNeil, *The meaning and use of the area under a receiver operating characteristic (ROC)
    curve*, 1982.

    Examples
    --------
    >>> auc([1, 1, -1, -1], [0.9, 0.4, 0.6, 0.1]), auc([1, -1], [0.5, 0.5])
    (0.75, 0.5)
    """
    positive, score = _scored(y, score)
    above, below = np.sort(score[positive]), np.sort(score[~positive])
    twice = np.searchsorted(below, above, "left").sum() + np.searchsorted(below, above, "right").sum()
    return int(twice) / (2 * len(above) * len(below))


def average_precision(y: Any, score: Any) -> float:
    r"""Return the average precision, :math:`\sum_k(R_k-R_{k-1})P_k` over the thresholds.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

    References
    ----------
    Manning, Raghavan and Schütze, *Introduction to Information Retrieval*, 2008, section 8.4.

    Examples
    --------
    >>> average_precision([1, -1, -1, -1, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    0.7
    """
    return pr_curve(y, score).average_precision
