r"""Decision stumps: classifiers that look at one feature and compare it with one threshold.

A stump answers :math:`h(x)=s` where :math:`x_j>t` and :math:`-s` elsewhere, with :math:`s=\pm1`. With the
rows in ascending order of feature j, moving the threshold past a row changes the weighted error by
:math:`\pm w_iy_i`: one sweep over the sorted rows finds the best threshold of the feature.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array

__all__ = ["Order", "Stump", "best_stump", "middle", "presort", "search_stump"]

TIE = 1e-12  # errors this close are equal: they are sums of n numbers that add up to one

Order = NDArray[np.int32]  # shape (d, n): row j lists the points in ascending order of feature j


@dataclass(frozen=True, kw_only=True)
class Stump:
    """A decision stump: ``sign`` where ``x[feature] > threshold``, ``-sign`` elsewhere.

    Attributes
    ----------
    feature : int
        The feature it looks at.
    threshold : float
        What the feature is compared with; minus infinity in a constant stump.
    sign : float
        The answer above the threshold, -1 or +1.

    Examples
    --------
    >>> stump = Stump(feature=0, threshold=1.5, sign=1.0)
    >>> stump([[1.0], [2.0]])
    array([-1.,  1.])
    """

    feature: int
    threshold: float
    sign: float

    def __call__(self, X: Any) -> Array:
        """Return the answers -1 and +1 for the rows of ``X``, shape (m,)."""
        return np.where(np.asarray(X)[:, self.feature] > self.threshold, self.sign, -self.sign)


def presort(X: Any) -> Order:
    """Sort the points by each feature.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.

    Returns
    -------
    array of shape (d, n)
        Row j lists the points in ascending order of feature j, equal ones in any order.

    Examples
    --------
    >>> presort([[3.0, 0.0], [1.0, 5.0], [2.0, 6.0]])
    array([[1, 2, 0],
           [0, 1, 2]], dtype=int32)
    """
    X = _check.matrix(X, copy=False)
    return np.argsort(X.T, axis=1, kind="stable").astype(np.int32)


def middle(low: float, high: float) -> float:
    """Return the threshold half way between two neighbouring values: not below the low, below the high one.

    Parameters
    ----------
    low, high : float
        The two values, low < high.

    Examples
    --------
    Where no number lies between the two, the threshold is the low one, which ``x > threshold`` leaves below:

    >>> middle(1.0, 2.0), middle(1.0, np.nextafter(1.0, 2.0))
    (1.5, 1.0)
    """
    half = low / 2 + high / 2  # the sum could overflow
    return half if low < half < high else low


@jit
def _sweep(columns: Any, order: Any, wy: Any) -> Any:
    """Return the edge that is farthest from zero, with the feature and the place it comes after."""
    start = -0.5 * wy.sum()
    best, feature, place, bar = start, 0, -1, abs(start) + TIE  # all points are right of minus infinity
    for j in range(order.shape[0]):
        x, rows, edge = columns[j], order[j], start
        for r in range(rows.size - 1):
            edge += wy[rows[r]]
            if abs(edge) > bar and x[rows[r]] < x[rows[r + 1]]:
                best, feature, place, bar = edge, j, r, abs(edge) + TIE
    return best, feature, place


def search_stump(X: Array, order: Order, wy: Array) -> Stump:
    r"""Find the stump with the least weighted error; nothing is checked.

    Weights with sum one and the sign +1 give the error
    :math:`\sum_{x_{ij}\le t,\,y_i=1}w_i+\sum_{x_{ij}>t,\,y_i=-1}w_i=\tfrac12+e` with the edge
    :math:`e=\sum_{x_{ij}\le t}w_iy_i-\tfrac12\sum_iw_iy_i`, and the sign -1 gives :math:`\tfrac12-e`: the
    best stump is where e is farthest from zero.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, doubles by columns (Fortran order).
    order : array of shape (d, n)
        The order of the points, by :func:`presort`.
    wy : array of shape (n,)
        The weights times the labels; the weights add up to one.

    Examples
    --------
    >>> X = np.asfortranarray([[1.0], [2.0], [3.0]])
    >>> search_stump(X, presort(X), np.array([-0.25, -0.5, 0.25]))
    Stump(feature=0, threshold=2.5, sign=1.0)
    """
    edge, j, r = _sweep(X.T, order, wy)
    threshold = -np.inf if r < 0 else middle(X[order[j, r], j], X[order[j, r + 1], j])
    return Stump(feature=int(j), threshold=float(threshold), sign=1.0 if edge <= 0 else -1.0)


def best_stump(X: Any, y: Any, weights: Any = None, *, order: Any = None) -> Stump:
    r"""Return the stump with the least weighted error :math:`\sum_iw_i[h(x_i)\ne y_i]`.

    The thresholds lie half way between neighbouring values of a feature. Of stumps that are equally good,
    up to rounding, a constant one goes first, then the lower feature, then the lower threshold.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels -1 and +1.
    weights : array of shape (n,), optional
        The weights of the points, not below zero; by default all are equal.
    order : array of shape (d, n), optional
        The order of the points, by :func:`presort`, where it is known.

    References
    ----------
    Iba and Langley, *Induction of one-level decision trees*, 1992.

    Examples
    --------
    A heavy point decides on which side of it the threshold lies:

    >>> X, y = [[1.0], [2.0], [3.0]], [-1, 1, -1]
    >>> best_stump(X, y, [1.0, 2.0, 3.0])
    Stump(feature=0, threshold=2.5, sign=-1.0)
    >>> best_stump(X, y, [3.0, 2.0, 1.0])
    Stump(feature=0, threshold=1.5, sign=1.0)
    """
    X = np.asfortranarray(_check.matrix(X, copy=False), dtype=np.float64)
    y = _check.signs(y, len(X), both=False)
    w = np.ones(len(X)) if weights is None else _check.vector(weights, len(X), "weights")
    if w.min() < 0 or w.sum() <= 0:
        raise ValueError(
            f"weights must be >= 0 and not all zero, got a smallest of {w.min():g}; "
            "a weight says how much a point matters"
        )
    order = presort(X) if order is None else np.asarray(order, dtype=np.int32)
    if order.shape != X.T.shape or not np.array_equal(np.sort(order[0]), np.arange(len(X))):
        raise ValueError(
            f"order must list the rows by each feature, shape {X.T.shape}, got shape {order.shape}; "
            "use presort(X)"
        )
    return search_stump(X, order, w * y / w.sum())
