r"""Scores of probabilities: Brier, its decomposition, log-loss, and how far they can be taken at their word.

All take the outcome, -1/+1 or 0/1, and the probability :math:`p_i` given to the positive class; below,
:math:`t_i` is 1 for a positive and 0 for a negative. First the scores, then what bins of the forecast tell.

References
----------
Brier, *Verification of forecasts expressed in terms of probability*, 1950. Good, *Rational decisions*, 1952
(log-loss). Guo, Pleiss, Sun and Weinberger, *On calibration of modern neural networks*, 2017 (reliability).
Stephenson, Coelho and Jolliffe, *Two extra components in the Brier score decomposition*, 2008.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.losses import squared

SUM_TOL = 1e-6  # by how much the probabilities of a point may miss 1: single precision does


def _outcomes(y: ArrayLike, p: ArrayLike) -> tuple[Array, Array]:
    """Return outcomes 0/1 and their probabilities."""
    t = _check.positives(y, None, both=False).astype(np.float64)
    return t, _check.probabilities(p, len(t))


def brier(y: ArrayLike, p: ArrayLike) -> float:
    r"""Return the mean squared error of probabilities, :math:`\tfrac1n\sum_i(p_i-t_i)^2`.

    It is between 0 and 1, and 1/4 for a coin.

    Parameters
    ----------
    y : array of shape (n,)
        Outcomes, -1/+1 or 0/1.
    p : array of shape (n,)
        Probabilities of the positive class.

    Examples
    --------
    It is proper: no constant forecast beats the base rate, here 3/4.

    >>> y = [1, 1, 1, -1]
    >>> [brier(y, 4 * [p]) for p in (0.5, 0.75, 1.0)]
    [0.25, 0.1875, 0.25]
    """
    t, p = _outcomes(y, p)
    return float(np.mean(squared(p, t)))


def brier_classes(y: ArrayLike, P: ArrayLike, *, labels: Sequence[Any] | None = None) -> float:
    r"""Return Brier's score for several classes, :math:`\tfrac1n\sum_i\sum_c([y_i=c]-P_{ic})^2`.

    It is between 0 and 2, and for two classes twice :func:`brier`.

    Parameters
    ----------
    y : array of shape (n,)
        The true classes.
    P : array of shape (n, K)
        Probabilities, one column a class; rows sum to 1.
    labels : sequence of length K, optional
        The class of each column; by default the classes that occur, sorted.

    Examples
    --------
    >>> p = np.array([0.9, 0.3])
    >>> two = brier_classes([1, 0], np.column_stack([1 - p, p]))
    >>> round(two, 12), round(2 * brier([1, 0], p), 12)
    (0.1, 0.1)
    """
    P, truth = _check.matrix(P, "P").astype(np.float64), _check.labels(y, "y", "class")
    columns = np.unique(truth) if labels is None else _check.labels(labels, "labels", "class")
    if len(np.unique(columns)) < len(columns):
        raise ValueError(f"labels must differ, got {columns.tolist()}; name each class once")
    if P.shape != (len(truth), len(columns)):
        raise ValueError(
            f"P must have shape ({len(truth)}, {len(columns)}), got {P.shape}; give a row an observation and "
            "a column a class, and labels if a class does not occur"
        )
    off = float(np.max(np.abs(P.sum(axis=1) - 1)))
    if P.min() < 0 or off > SUM_TOL:
        raise ValueError(
            f"rows of P must be >= 0 and sum to 1, got a smallest entry of {P.min():g} and a sum off by "
            f"{off:g}; pass probabilities"
        )
    hits = truth[:, None] == columns
    if not np.all(hits.any(axis=1)):
        raise ValueError(f"y must hold only the labels {columns.tolist()}; add the others to labels")
    return float(np.mean(np.sum((hits - P) ** 2, axis=1)))


def log_loss(y: ArrayLike, p: ArrayLike) -> float:
    r"""Return the mean surprise, :math:`-\tfrac1n\sum_i(t_i\log p_i+(1-t_i)\log(1-p_i))`.

    It is minus the mean log-likelihood, and infinite if an outcome was called impossible.

    Parameters are those of :func:`brier`.

    Examples
    --------
    >>> round(log_loss([1, -1], [0.5, 0.5]), 6), log_loss([1], [0.0])
    (0.693147, inf)
    """
    t, p = _outcomes(y, p)
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log(np.where(t == 1, p, 1 - p)))) + 0.0  # no -0.0


# -- bins --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class ReliabilityCurve:
    """Forecast and frequency in bins of the forecast; bins without observations are left out.

    Attributes
    ----------
    mean_predicted, frequency : array of shape (k,)
        The mean forecast and the share of positives in each bin.
    count : array of shape (k,)
        The number of observations in each bin.
    """

    mean_predicted: Array
    frequency: Array
    count: Indices

    @property
    def ece(self) -> float:
        """The expected calibration error, the mean distance of forecast and frequency, weighted by count."""
        return float(self.count @ np.abs(self.mean_predicted - self.frequency)) / float(self.count.sum())


def _bins(p: Array, bins: Any, strategy: str) -> Indices:
    """Return the number of each forecast's bin, leaving out empty bins."""
    bins = _check.count(bins, "bins", "a curve needs at least one bin")
    if strategy not in ("uniform", "quantile"):
        raise ValueError(f"strategy must be 'uniform' or 'quantile', got {strategy!r}; name one of them")
    edges = np.linspace(0, 1, bins + 1)
    if strategy == "quantile":
        edges = np.unique(np.quantile(p, edges))  # ties make bins of no width
    inner = np.searchsorted(edges[1:-1], p, side="left")
    return np.unique(inner, return_inverse=True)[1]


def _means(index: Indices, p: Array, t: Array) -> tuple[Indices, Array, Array]:
    """Return count, mean forecast and frequency of each bin."""
    count = np.bincount(index)
    return count, np.bincount(index, p) / count, np.bincount(index, t) / count


def reliability_curve(
    y: ArrayLike, p: ArrayLike, *, bins: int = 10, strategy: str = "uniform"
) -> ReliabilityCurve:
    r"""Compare forecasts with frequencies: of what was given 0.7, how much came true.

    Bins contain their upper edge; the first contains both.

    Parameters
    ----------
    y, p : array of shape (n,)
        Those of :func:`brier`.
    bins : int
        The number of bins.
    strategy : {"uniform", "quantile"}
        Bins of equal width over [0, 1], or of equal count as far as ties allow.

    Examples
    --------
    >>> curve = reliability_curve([1, 1, -1, -1], [0.9, 0.9, 0.9, 0.1], bins=5)
    >>> curve.mean_predicted.round(2).tolist(), curve.frequency.round(2).tolist(), curve.count.tolist()
    ([0.1, 0.9], [0.0, 0.67], [1, 3])
    >>> round(curve.ece, 3)
    0.2
    """
    t, p = _outcomes(y, p)
    count, forecast, frequency = _means(_bins(p, bins, strategy), p, t)
    return ReliabilityCurve(mean_predicted=forecast, frequency=frequency, count=count)


def ece(y: ArrayLike, p: ArrayLike, *, bins: int = 10, strategy: str = "uniform") -> float:
    r"""Return the expected calibration error, :math:`\sum_k\tfrac{n_k}n|\bar p_k-\bar t_k|` over the bins.

    Parameters are those of :func:`reliability_curve`.

    Examples
    --------
    A forecast of the base rate is calibrated, and of no use:

    >>> ece([1, -1, -1, -1], 4 * [0.25])
    0.0
    """
    return reliability_curve(y, p, bins=bins, strategy=strategy).ece


@dataclass(frozen=True, kw_only=True, eq=False)
class BrierDecomposition:
    r"""Brier's score in parts: reliability - resolution + uncertainty + within_variance - within_covariance.

    Attributes
    ----------
    reliability : float
        The mean squared distance of forecast and frequency over bins; 0 is best.
    resolution : float
        The mean squared distance of the frequencies of the bins and the base rate; large is good.
    uncertainty : float
        The variance of the outcome: the score of a forecast of the base rate.
    within_variance, within_covariance : float
        The variance of the forecasts within bins, and twice their covariance with the outcomes; both are 0
        if each bin has one forecast.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    @property
    def brier(self) -> float:
        """The Brier score, the sum of the parts with their signs."""
        within = self.within_variance - self.within_covariance
        return self.reliability - self.resolution + self.uncertainty + within


def brier_decomposition(
    y: ArrayLike, p: ArrayLike, bins: int | None = None, *, strategy: str = "uniform"
) -> BrierDecomposition:
    r"""Decompose Brier's score.

    With :math:`n_k` observations, mean forecast :math:`\bar p_k` and frequency :math:`\bar t_k` in bin k,
    reliability is :math:`\tfrac1n\sum_kn_k(\bar p_k-\bar t_k)^2` and resolution
    :math:`\tfrac1n\sum_kn_k(\bar t_k-\bar t)^2`; uncertainty is :math:`\bar t(1-\bar t)`. The rest is
    what the bins hide, and the parts sum to the score exactly.

    Parameters are those of :func:`reliability_curve`; without ``bins`` each different forecast is a bin.

    Examples
    --------
    >>> parts = brier_decomposition([1, 1, 1, -1], 4 * [0.75])
    >>> parts.reliability, parts.resolution, parts.uncertainty
    (0.0, 0.0, 0.1875)
    """
    t, p = _outcomes(y, p)
    index = np.unique(p, return_inverse=True)[1] if bins is None else _bins(p, bins, strategy)
    count, forecast, frequency = _means(index, p, t)
    share, base = count / len(t), float(t.mean())
    spread = p - forecast[index]
    return BrierDecomposition(
        reliability=float(share @ (forecast - frequency) ** 2),
        resolution=float(share @ (frequency - base) ** 2),
        uncertainty=base * (1 - base),
        within_variance=float(np.mean(spread**2)),
        within_covariance=float(2 * np.mean(spread * (t - frequency[index]))),
    )
