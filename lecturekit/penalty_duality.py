r"""Duality for penalised least squares: objectives, dual points, gaps and optimality conditions.

The notation is that of :mod:`lecturekit.penalties`. Every vector u with
:math:`\lvert\langle x_j,u\rangle\rvert\le n\lambda\rho` for all columns :math:`x_j` of the centred X is a
certificate: :math:`P(w)\ge D(u)=\tfrac1n\langle u,y\rangle-\tfrac1{2n}\lVert u\rVert^2` whatever w is. With
:math:`\rho<1` no u is excluded, and D loses
:math:`\sum_j(\lvert\langle x_j,u\rangle\rvert/n-\lambda\rho)_+^2/(2\lambda(1-\rho))`. That is the dual of the
lasso on the data with d more rows :math:`\sqrt{n\lambda(1-\rho)}\,I`, at its best in these rows.
"""

from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.centring import Centred, centre
from lecturekit.penalties import penalty_sizes as sizes
from lecturekit.penalties import shares

__all__ = [
    "certificate",
    "dual_point",
    "dual_value",
    "kkt_violation",
    "lam_max",
    "largest_penalty",
    "penalized_objective",
    "residual_sums",
]


def residual_sums(R: Array, Y: Array) -> tuple[float, float]:
    r"""Return :math:`\lVert R\rVert^2/n` and :math:`\langle R,Y\rangle/n`.

    Parameters
    ----------
    R, Y : arrays of shape (n,) or (n, k)
        Residuals and targets.

    Examples
    --------
    >>> residual_sums(np.array([1.0, -1.0]), np.array([3.0, -3.0]))
    (1.0, 3.0)
    """
    return float(np.vdot(R, R)) / len(R), float(np.vdot(R, Y)) / len(R)


def certificate(W: Array, C: Array, rr: float, ry: float, l1: float, l2: float) -> tuple[float, float, float]:
    r"""Return the objective, the dual value of :math:`u=sR`, and s, R being the residual.

    For the lasso, s is the best factor for which u is feasible. For the elastic net the same factor on the
    augmented data, whose residual must be feasible there, competes with :math:`s=1`.

    Parameters
    ----------
    W : array of shape (d,) or (d, k)
        The weights.
    C : array of shape (d,) or (d, k)
        :math:`X^\top R/n`.
    rr, ry : float
        The sums of :func:`residual_sums`.
    l1, l2 : float
        The factors of the penalty, see :func:`lecturekit.penalties.shares`.

    References
    ----------
    Fercoq, Gramfort and Salmon, *Mind the duality gap: safer rules for the lasso*, 2015.

    Examples
    --------
    One feature, least squares at w = 1, the lasso's optimum at w = 0.5:

    >>> X, y, w = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), np.array([0.5])
    >>> R = y - X @ w
    >>> certificate(w, X.T @ R / 2, *residual_sums(R, y), 0.5, 0.0)
    (0.375, 0.375, 1.0)
    """
    ww = float(np.vdot(W, W))
    primal = rr / 2 + l1 * float(sizes(W).sum()) + l2 / 2 * ww
    largest = float(sizes(C - l2 * W if l2 > 0 else C).max())
    most = l1 / largest if largest > 0 else np.inf
    best = ry / (rr + l2 * ww) if rr + l2 * ww > 0 else 0.0
    scale = min(max(best, -most), most)
    if l2 == 0:
        return primal, scale * ry - scale**2 * rr / 2, scale
    length = sizes(C)

    def value(s: float) -> float:
        excess = np.maximum(abs(s) * length - l1, 0.0)
        return s * ry - s**2 * rr / 2 - float(excess @ excess) / (2 * l2)

    dual, scale = max((value(s), s) for s in (scale, 1.0))
    return primal, dual, scale


def _weights(w: Any, data: Centred) -> Array:
    """Return the weights, one for each feature and task."""
    return _check.shaped(w, (data.X.shape[1], *data.Y.shape[1:]), "w", "a feature and task")


def penalized_objective(
    w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, intercept: bool = True
) -> float:
    r"""Return the objective of weights, with the best intercept.

    It is
    :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda(\rho\lVert w\rVert_1+\tfrac{1-\rho}2\lVert w\rVert^2)`.

    Parameters
    ----------
    w : array of shape (d,) or (d, k)
        The weights; for k tasks the 1-norm becomes the sum of the norms of the rows.
    X : array of shape (n, d)
        The points.
    y : array of shape (n,) or (n, k)
        The targets.
    lam : float
        The penalty, >= 0.
    l1_ratio : float
        The share of the 1-norm.
    intercept : bool
        Whether there is an intercept.

    Examples
    --------
    >>> penalized_objective([0.5], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.375
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, intercept=intercept)
    W = _weights(w, data)
    R = data.Y - data.X @ W
    return float(np.vdot(R, R)) / (2 * len(R)) + l1 * float(sizes(W).sum()) + l2 / 2 * float(np.vdot(W, W))


def dual_point(w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, intercept: bool = True) -> Array:
    r"""Return a dual point u: the residual of w, scaled to be feasible.

    Parameters
    ----------
    w, X, y, lam, l1_ratio, intercept
        As for :func:`penalized_objective`, with lam > 0.

    References
    ----------
    Fercoq, Gramfort and Salmon, *Mind the duality gap: safer rules for the lasso*, 2015.

    Examples
    --------
    No column of X has an inner product with u above :math:`n\lambda`, and D(u) stays below P(w):

    >>> X, y, w = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), np.array([0.2])
    >>> u = dual_point(w, X, y, 0.5)
    >>> float(X[:, 0] @ u), dual_value(u, X, y, 0.5) <= penalized_objective(w, X, y, 0.5)
    (1.0, True)
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, intercept=intercept)
    W = _weights(w, data)
    R = data.Y - data.X @ W
    return np.asarray(certificate(W, data.correlations(R), *residual_sums(R, data.Y), l1, l2)[2] * R)


def dual_value(u: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, intercept: bool = True) -> float:
    r"""Return the dual objective :math:`D(u)`, minus infinity where u is not feasible (beyond rounding).

    Parameters
    ----------
    u : array of shape (n,) or (n, k)
        The dual point; with an intercept its sum must be zero, and its mean is subtracted.
    X, y, lam, l1_ratio, intercept
        As for :func:`penalized_objective`.

    Examples
    --------
    >>> dual_value([0.5, -0.5], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.375
    >>> dual_value([1.0, -1.0], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    -inf
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, intercept=intercept)
    U = _check.shaped(u, data.Y.shape, "u", "a target")
    U = U - U.mean(axis=0) if intercept else U
    n = len(U)
    value = float(np.vdot(U, data.Y) - np.vdot(U, U) / 2) / n
    lengths = sizes(data.X.T @ U / n)
    rounding = 1e-12 * float(np.linalg.norm(data.X, axis=0).max() * np.linalg.norm(U)) / n
    excess = np.maximum(lengths - l1, 0.0)
    if l2 == 0:
        return value if excess.max() <= rounding else -np.inf
    return value - float(excess @ excess) / (2 * l2)


def kkt_violation(
    w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, intercept: bool = True
) -> float:
    r"""Return by how much the optimality conditions fail: the distance of 0 from the sub-differential.

    With :math:`c_j=\langle x_j,r\rangle/n-\lambda(1-\rho)w_j` they are
    :math:`c_j=\lambda\rho\operatorname{sign}w_j` where :math:`w_j\ne0` and
    :math:`\lvert c_j\rvert\le\lambda\rho` elsewhere; this is the largest failure.

    Parameters
    ----------
    w, X, y, lam, l1_ratio, intercept
        As for :func:`penalized_objective`.

    References
    ----------
    Tibshirani, *The lasso problem and uniqueness*, 2013.

    Examples
    --------
    >>> kkt_violation([0.5], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.0
    >>> kkt_violation([0.0], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.5
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, intercept=intercept)
    W = _weights(w, data)
    C = data.X.T @ (data.Y - data.X @ W) / len(data.X) - l2 * W
    length = sizes(W)
    direction = W / np.where(length > 0, length, 1.0).reshape(-1, *[1] * (W.ndim - 1))
    failure = np.where(length > 0, sizes(C - l1 * direction), np.maximum(sizes(C) - l1, 0.0))
    return float(failure.max())


def lam_max(X: Any, y: Any, l1_ratio: float = 1.0, *, intercept: bool = True) -> float:
    r"""Return the least penalty at which all weights are zero.

    It is :math:`\max_j\lvert\langle x_j,y\rangle\rvert/(n\rho)`, where X and y are centred if there is an
    intercept. Ridge regression, :math:`\rho=0`, has no such penalty.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,) or (n, k)
        The targets.
    l1_ratio : float
        The share of the 1-norm, > 0.
    intercept : bool
        Whether there is an intercept.

    Examples
    --------
    >>> lam_max([[1.0], [-1.0]], [3.0, -3.0]), lam_max([[1.0], [-1.0]], [3.0, -3.0], l1_ratio=0.5)
    (3.0, 6.0)
    """
    shares(1.0, l1_ratio)
    return largest_penalty(centre(X, y, intercept=intercept, copy=False), l1_ratio)


def largest_penalty(data: Centred, l1_ratio: float) -> float:
    """Return :func:`lam_max` of centred data.

    Parameters
    ----------
    data : Centred
        The data.
    l1_ratio : float
        The share of the 1-norm, > 0.

    Examples
    --------
    >>> largest_penalty(centre([[1.0], [-1.0]], [3.0, -3.0]), 1.0)
    3.0
    """
    if l1_ratio == 0:
        raise ValueError("l1_ratio must be > 0, got 0; in ridge regression no penalty makes weights zero")
    return float(sizes(data.correlations(data.Y)).max()) / l1_ratio
