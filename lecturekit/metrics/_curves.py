r"""Curves over all thresholds of a score, and where to operate it: ROC, precision-recall, hull, costs.

A score calls a point positive where :math:`s(x)\ge\theta`. Lowering :math:`\theta` past one distinct score
after the other gives all the decisions the score can make; :func:`cumulative_counts` counts the true and the
false positives of each, and every curve here is a ratio of those counts.

A positive that is missed costs :math:`\lambda_+` and a false alarm :math:`\lambda_-`. If a share :math:`p_+`
is positive and :math:`p_-=1-p_+` negative, the expected loss at a point of the ROC curve is
:math:`\lambda_+p_+(1-TPR)+\lambda_-p_-\,FPR`, so all points of a line of slope
:math:`\lambda_-p_-/(\lambda_+p_+)` lose the same. The hull of the curve has the best point for every pair of
costs, :func:`iso_loss` that of one pair; :func:`cost_curve` and :func:`lc_index` are about all pairs.

References
----------
Fawcett, *An introduction to ROC analysis*, 2006 (counts and ROC curve). Davis and Goadrich, *The relationship
between precision-recall and ROC curves*, 2006. Hanley and McNeil, *The meaning and use of the area under a
receiver operating characteristic (ROC) curve*, 1982. Manning, Raghavan and Schütze, *Introduction to
Information Retrieval*, 2008, section 8.4 (average precision). Webb and Copsey, *Statistical Pattern
Recognition*, 2011, section 9.2 (expected loss). Provost and Fawcett, *Robust classification for imprecise
environments*, 2001 (hull and iso-loss lines). Drummond and Holte, *Cost curves: an improved method for
visualizing classifier performance*, 2006. Adams and Hand, *Comparing classifiers when the misallocation costs
are uncertain*, 1999 (LC index).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike, Indices, Mask

CURVE_ENDS = 1e-4  # by how much a curve may miss its ends: from densities it never quite reaches them
RATE_ROUNDING = 1e-9  # by how much a rate may leave [0, 1] or fall: sums of many small terms do
STRAIGHT = 1e-14  # a turn below this is rounding: ten million observations make turns of 4e-14 and more
EQUAL_COSTS = 1e-12  # losses that differ by less, as a share of the cheaper way to give up, are equal


# -- the counts --------------------------------------------------------------------------------------------


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


def _scored(y: ArrayLike, score: ArrayLike) -> tuple[Mask, Array]:
    """Return which observations are positive, and the scores."""
    positive = _check.positives(y, None)
    return positive, _check.vector(score, len(positive), "score", copy=False)


def cumulative_counts(y: ArrayLike, score: ArrayLike) -> Counts:
    r"""Count true and false positives at every threshold, in :math:`O(n\log n)`.

    Objects with equal scores pass the threshold together, so the order within them does not matter.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, with both classes.
    score : array of shape (n,)
        Scores, higher for what is more likely positive.

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


# -- curves ------------------------------------------------------------------------------------------------


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
        for name, rate in (("fpr", self.fpr), ("tpr", self.tpr)):
            if np.ndim(rate) != 1 or len(rate) != len(self.thresholds) or len(rate) < 2:
                raise ValueError(
                    f"{name} must be a vector with an entry a threshold, got shape {np.shape(rate)} and "
                    f"{len(self.thresholds)} thresholds; give at least the two ends"
                )
            if not np.all(np.diff(rate) >= -RATE_ROUNDING):
                raise ValueError(f"{name} must not fall or be NaN; sort the points by falling threshold")
            if max(abs(rate[0]), abs(rate[-1] - 1)) > CURVE_ENDS:
                raise ValueError(
                    f"{name} must go from 0 to 1, got {rate[0]:g} to {rate[-1]:g}; add the ends, "
                    "where nothing and where everything is called positive"
                )

    @property
    def auc(self) -> float:
        """The area under the curve, by trapezoids."""
        return float(np.diff(self.fpr) @ (self.tpr[1:] + self.tpr[:-1])) / 2

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.fpr)} points, auc={self.auc:.4g})"


def roc_curve(y: ArrayLike, score: ArrayLike) -> RocCurve:
    """Return the ROC curve: the rate of true against that of false positives.

    Parameters are those of :func:`cumulative_counts`.

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
        return f"PrCurve({len(self.recall)} points, average_precision={self.average_precision:.4g})"


def pr_curve(y: ArrayLike, score: ArrayLike) -> PrCurve:
    """Return the precision-recall curve; it has no point where nothing is called positive.

    Parameters are those of :func:`cumulative_counts`.

    Examples
    --------
    >>> curve = pr_curve([1, -1, -1, -1, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> curve.recall.tolist(), curve.precision.round(2).tolist(), curve.average_precision
    ([0.5, 0.5, 0.5, 0.5, 1.0], [1.0, 0.5, 0.33, 0.25, 0.4], 0.7)
    """
    counts = cumulative_counts(y, score)
    tp, fp = counts.tp[1:], counts.fp[1:]
    return PrCurve(precision=tp / (tp + fp), recall=tp / counts.n_pos, thresholds=counts.thresholds[1:])


# -- numbers -----------------------------------------------------------------------------------------------


def auc(y: ArrayLike, score: ArrayLike) -> float:
    r"""Return the area under the ROC curve, as the share of pairs ranked rightly.

    It is :math:`P(s(x_+)>s(x_-))+\tfrac12P(s(x_+)=s(x_-))` over the pairs of a positive and a negative:
    the Mann-Whitney statistic divided by their number. For each positive the negatives below it, and those up
    to it, are found in the sorted scores.

    Parameters are those of :func:`cumulative_counts`.

    Examples
    --------
    >>> auc([1, 1, -1, -1], [0.9, 0.4, 0.6, 0.1]), auc([1, -1], [0.5, 0.5])
    (0.75, 0.5)
    """
    positive, score = _scored(y, score)
    above, below = np.sort(score[positive]), np.sort(score[~positive])
    twice = np.searchsorted(below, above, "left").sum() + np.searchsorted(below, above, "right").sum()
    return int(twice) / (2 * len(above) * len(below))


def average_precision(y: ArrayLike, score: ArrayLike) -> float:
    r"""Return the average precision, :math:`\sum_k(R_k-R_{k-1})P_k` over the thresholds.

    Parameters are those of :func:`cumulative_counts`.

    Examples
    --------
    >>> average_precision([1, -1, -1, -1, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    0.7
    """
    return pr_curve(y, score).average_precision


# -- the hull ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RocHull(RocCurve):
    """The upper convex hull of a ROC curve: its corners, which are points of the curve.

    Attributes
    ----------
    fpr, tpr, thresholds : array of shape (h,)
        The corners, from (0, 0) to (1, 1).
    index : array of shape (h,)
        Which points of the curve they are.
    """

    index: Indices = field(repr=False)


@jit
def _hull(x: Any, y: Any, straight: float) -> Any:
    """Return the corners of the least concave curve above points that go to the right."""
    kept = np.empty(x.size, np.int64)
    m = 0
    for k in range(x.size):
        while m > 1:
            i, j = kept[m - 2], kept[m - 1]
            turn = (x[j] - x[i]) * (y[k] - y[i]) - (y[j] - y[i]) * (x[k] - x[i])
            if turn < -straight:  # to the right: j is a corner
                break
            m -= 1
        kept[m] = k
        m += 1
    return kept[:m]


def roc_hull(curve: RocCurve) -> RocHull:
    """Return the upper convex hull of a ROC curve, in linear time.

    Whatever the costs, the expected loss is least at one of its corners; the points of its edges are reached,
    in expectation, by drawing lots between two thresholds.

    Parameters
    ----------
    curve : RocCurve
        The curve.

    Examples
    --------
    >>> hull = roc_hull(roc_curve([1, -1, 1, -1], [0.9, 0.7, 0.6, 0.1]))
    >>> hull.index.tolist(), hull.fpr.tolist(), hull.tpr.tolist()
    ([0, 1, 3, 4], [0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    index = _hull(np.asarray(curve.fpr, np.float64), np.asarray(curve.tpr, np.float64), STRAIGHT)
    return RocHull(
        fpr=curve.fpr[index], tpr=curve.tpr[index], thresholds=curve.thresholds[index], index=index
    )


# -- one pair of costs -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OperatingPoint:
    """The point of a ROC curve with the least expected loss.

    Attributes
    ----------
    index : int
        Its place on the curve.
    threshold : float
        Call positive from this score up; infinity says never.
    fpr, tpr, loss, slope : float
        Its rates, the expected loss there, and the slope of the lines of equal loss.
    """

    index: int
    threshold: float
    fpr: float
    tpr: float
    loss: float
    slope: float

    def line(self, fpr: ArrayLike) -> Array:
        """Return the rates of true positives at which the loss is the same, for given ``fpr``."""
        return np.asarray(self.tpr + self.slope * (_check.numbers(fpr, "fpr") - self.fpr))


def _weights(cost_fp: float, cost_fn: float, prevalence: float) -> tuple[float, float]:
    """Return what the rates of false positives and of false negatives are multiplied by in the loss."""
    p = _share(prevalence)
    fp = _check.positive(cost_fp, "cost_fp", "if false alarms cost nothing, call everything positive")
    fn = _check.positive(cost_fn, "cost_fn", "if misses cost nothing, call everything negative")
    return fp * (1 - p), fn * p


def _share(prevalence: float) -> float:
    """Return the share of positives, which leaves room for both classes."""
    p = _check.probability(prevalence, "prevalence")
    if p in (0.0, 1.0):
        raise ValueError(f"prevalence must be above 0 and below 1, got {p:g}; one class leaves no choice")
    return p


def expected_loss(fpr: ArrayLike, tpr: ArrayLike, cost_fp: float, cost_fn: float, prevalence: float) -> Array:
    r"""Return the expected loss at points of the ROC plane.

    It is :math:`\lambda_+p_+(1-TPR)+\lambda_-p_-\,FPR`.

    Parameters
    ----------
    fpr, tpr : array
        The rates.
    cost_fp, cost_fn : float
        The costs :math:`\lambda_-` of a false positive and :math:`\lambda_+` of a false negative.
    prevalence : float
        The share :math:`p_+` of positives where the score is used.

    Examples
    --------
    >>> expected_loss([0.0, 0.1, 1.0], [0.0, 0.8, 1.0], 1, 5, 0.25).round(3).tolist()
    [1.25, 0.325, 0.75]
    """
    fp, fn = _weights(cost_fp, cost_fn, prevalence)
    fpr, tpr = _rate(fpr, "fpr"), _rate(tpr, "tpr")
    if fpr.shape != tpr.shape:
        raise ValueError(
            f"fpr and tpr must have one shape, got {fpr.shape} and {tpr.shape}; give pairs of rates"
        )
    return np.asarray(fp * fpr + fn * (1 - tpr))


def _rate(value: ArrayLike, name: str) -> Array:
    """Return rates, which lie in [0, 1] up to rounding."""
    rate = _check.numbers(value, name)
    strange = (rate < -RATE_ROUNDING) | (rate > 1 + RATE_ROUNDING)
    if np.any(strange):
        raise ValueError(f"{name} must lie between 0 and 1, got {rate[strange][0]:g}; it is a share")
    return rate


def iso_loss(curve: RocCurve, cost_fp: float, cost_fn: float, prevalence: float) -> OperatingPoint:
    r"""Find the point of a ROC curve that the highest iso-loss line touches.

    Push a line of slope :math:`\lambda_-p_-/(\lambda_+p_+)` up and to the left: where it last meets the curve
    the expected loss is least. Of several such points the first is taken, which calls the fewest positive.

    Parameters are those of :func:`expected_loss`, with a ``curve`` in place of the rates. The prevalence need
    not be that of the sample.

    Examples
    --------
    >>> curve = roc_curve([1, -1, 1, -1], [0.9, 0.7, 0.6, 0.1])
    >>> point = iso_loss(curve, cost_fp=1, cost_fn=5, prevalence=0.5)
    >>> point.threshold, point.loss, point.slope
    (0.6, 0.25, 0.2)
    """
    fp, fn = _weights(cost_fp, cost_fn, prevalence)
    losses = expected_loss(curve.fpr, curve.tpr, cost_fp, cost_fn, prevalence)
    k = int(np.flatnonzero(losses <= losses.min() + EQUAL_COSTS * min(fp, fn))[0])
    return OperatingPoint(
        index=k,
        threshold=float(curve.thresholds[k]),
        fpr=float(curve.fpr[k]),
        tpr=float(curve.tpr[k]),
        loss=float(losses[k]),
        slope=fp / fn,
    )


# -- all costs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class CostCurve:
    r"""The least expected loss against the cost of a miss, where the two costs sum to one.

    Attributes
    ----------
    lam : array of shape (m,)
        The costs :math:`\lambda_+` at which the best threshold changes, from 0 to 1.
    loss : array of shape (m,)
        The loss there; between them it is linear.
    """

    lam: Array = field(repr=False)
    loss: Array = field(repr=False)

    def at(self, lam: ArrayLike) -> Array:
        """Return the loss at any cost of a miss between 0 and 1."""
        return np.asarray(np.interp(_check.numbers(lam, "lam"), self.lam, self.loss))


def cost_curve(curve: RocCurve, prevalence: float) -> CostCurve:
    r"""Return the least loss :math:`\min_k\{\lambda p_+(1-TPR_k)+(1-\lambda)p_-FPR_k\}` for all costs.

    It is the lower envelope of straight lines, one a point of the curve; only the corners of the hull
    contribute, and an edge of slope m changes the line at :math:`(1-\lambda)p_-/(\lambda p_+)=m`. (Drummond
    and Holte have the same corners on other axes, scaled to run from 0 to 1 whatever the shares.)

    Parameters
    ----------
    curve : RocCurve
        The curve.
    prevalence : float
        The share of positives where the score is used.

    Examples
    --------
    >>> cost = cost_curve(roc_curve([1, 1, -1, -1], [0.9, 0.4, 0.6, 0.1]), 0.5)
    >>> cost.lam.tolist(), cost.loss.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.125, 0.0])
    """
    p, hull = _share(prevalence), roc_hull(curve)
    right, up = (1 - p) * np.diff(hull.fpr), p * np.diff(hull.tpr)
    lam = right / (right + up)
    loss = lam * p * (1 - hull.tpr[:-1]) + (1 - lam) * (1 - p) * hull.fpr[:-1]
    lam, first = np.unique(np.concatenate([[0.0], lam, [1.0]]), return_index=True)
    return CostCurve(lam=lam, loss=np.concatenate([[0.0], loss, [0.0]])[first])


@dataclass(frozen=True)
class Triangular:
    r"""The distribution function of a triangular density on [low, high] with its peak at ``mode``.

    Parameters
    ----------
    low, mode, high : float
        Between 0 and 1, in this order.

    Examples
    --------
    >>> Triangular()(np.array([0.0, 0.25, 0.5, 1.0])).tolist()
    [0.0, 0.125, 0.5, 1.0]
    """

    low: float = 0.0
    mode: float = 0.5
    high: float = 1.0

    def __post_init__(self) -> None:
        for name in ("low", "mode", "high"):
            _check.probability(getattr(self, name), name)
        if not (self.low <= self.mode <= self.high and self.low < self.high):
            raise ValueError(
                f"low, mode and high must rise within [0, 1], got {self.low:g}, {self.mode:g} and "
                f"{self.high:g}; they are shares of the cost"
            )

    def __call__(self, lam: Array) -> Array:
        """Return the probability of a share up to ``lam``."""
        x, width = np.clip(lam, self.low, self.high), self.high - self.low
        up, down = self.mode - self.low, self.high - self.mode
        rising = (x - self.low) ** 2 / (width * up) if up else 0.0
        falling = 1 - (self.high - x) ** 2 / (width * down) if down else 1.0
        return np.asarray(np.where(x < self.mode, rising, falling))


@dataclass(frozen=True, kw_only=True, eq=False)
class LcIndex:
    r"""The comparison of two scores over all costs.

    Attributes
    ----------
    value : float
        The LC index, from -1 to 1: positive if the first score is better over more of the likely costs.
    lam : array of shape (m + 1,)
        The costs of a miss between which the better score stays the same.
    sign : array of shape (m,)
        +1 where the first is better, -1 where the second is, 0 where they lose the same.
    """

    value: float
    lam: Array = field(repr=False)
    sign: Array = field(repr=False)


def lc_index(
    first: RocCurve,
    second: RocCurve,
    prevalence: float,
    *,
    weight: Callable[[Array], Array] = Triangular(),  # noqa: B008  (it is frozen)
) -> LcIndex:
    r"""Compare two scores under uncertain costs: :math:`\int_0^1L(\lambda)\,p(\lambda)\,d\lambda`.

    The costs are :math:`\lambda` of a miss and :math:`1-\lambda` of a false alarm, and :math:`L(\lambda)` is
    +1 where the first score at its best threshold loses less than the second at its own, -1 where it loses
    more and 0 where they lose the same. The losses are piecewise linear, so the integral is exact.

    Parameters
    ----------
    first, second : RocCurve
        The curves.
    prevalence : float
        The share of positives.
    weight : callable
        The distribution function of :math:`\lambda` (not its density): :class:`Triangular` by default.

    Examples
    --------
    A curve that is above another one at every cost has the index 1:

    >>> y = [1, 1, -1, -1]
    >>> good, bad = roc_curve(y, [4, 3, 2, 1]), roc_curve(y, [4, 2, 3, 1])
    >>> lc_index(good, bad, 0.5).value, lc_index(bad, good, 0.5).value, lc_index(bad, bad, 0.5).value
    (1.0, -1.0, 0.0)
    """
    costs = cost_curve(first, prevalence), cost_curve(second, prevalence)
    lam = np.union1d(costs[0].lam, costs[1].lam)
    ahead = costs[1].at(lam) - costs[0].at(lam)
    cross = np.flatnonzero(ahead[:-1] * ahead[1:] < 0)  # within a piece both are linear
    share = ahead[cross] / (ahead[cross] - ahead[cross + 1])
    lam = np.union1d(lam, lam[cross] + share * np.diff(lam)[cross])
    middle = (lam[1:] + lam[:-1]) / 2
    ahead = costs[1].at(middle) - costs[0].at(middle)
    sign = np.where(np.abs(ahead) > EQUAL_COSTS * min(prevalence, 1 - prevalence), np.sign(ahead), 0.0)
    mass = np.diff(np.asarray(weight(lam), np.float64))
    if not (np.all(mass >= -EQUAL_COSTS) and abs(mass.sum() - 1) <= 1e-9):
        raise ValueError(
            f"weight must rise by 1 from 0 to 1, got {mass.sum():g}; pass a distribution function, no density"
        )
    return LcIndex(value=float(sign @ mass), lam=lam, sign=sign)
