r"""Least squares: the weights that make the mean squared residual smallest.

The problem is :math:`\min_{b, w} \frac1n \sum_i v_i (w^\top x_i + b - y_i)^2` with weights :math:`v_i \ge 0`
that are one unless said otherwise. What the residuals tell is in :mod:`lecturekit.residuals`, whose names are
found here too.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.linalg import qr, solve_triangular

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.residuals import (
    RunsTest,
    compact_svd,
    condition_number,
    durbin_watson,
    hat_matrix,
    leverages,
    runs_test,
    standard_errors,
    studentized,
    vif,
)

__all__ = [
    "LeastSquares",
    "RunsTest",
    "compact_svd",
    "condition_number",
    "durbin_watson",
    "hat_matrix",
    "in_sample_error",
    "leverages",
    "ols",
    "pseudo_inverse",
    "runs_test",
    "squared_gradient",
    "standard_errors",
    "studentized",
    "vif",
    "weighted_ls",
]

ROUNDING = 10 * float(np.finfo(np.float64).eps)  # relative size, a dimension, of what rounding leaves of zero


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastSquares:
    r"""The answer to a least-squares problem.

    Attributes
    ----------
    w : array of shape (d,)
        The weights; of all best ones those of least norm.
    b : float
        The intercept, zero if none was asked for.
    rank : int
        Rank of the design, in which the column of ones counts.
    unique : bool
        Whether no other weights fit as well: the columns of the design are independent.
    residuals : array of shape (n,)
        What is left over, :math:`y_i - w^\top x_i - b`.
    gap : float
        Norm of the gradient of the objective at the answer, which is zero but for rounding.
    n_iter : int
        One: the answer is computed in one go.
    trace : array of shape (1,)
        The gap.
    """

    w: Array = field(repr=False)
    b: float
    rank: int
    unique: bool
    residuals: Array = field(repr=False)
    gap: float
    n_iter: int = 1
    trace: Array = field(repr=False)


def _pair(X: object, y: object) -> tuple[Array, Array]:
    """Return points and responses of one length, in double precision."""
    X = _check.matrix(X).astype(np.float64)
    return X, _check.vector(y, len(X), "y").astype(np.float64)


# -- the objective -----------------------------------------------------------------------------------------


def in_sample_error(w: object, X: object, y: object, b: float = 0.0) -> float:
    r"""Return the mean squared residual :math:`E_{in}(w) = \frac1n \lVert Xw + b - y\rVert^2`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        The responses.
    b : float
        The intercept; leave it zero if X has a column of ones.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning from Data*, 2012, section 3.2.

    Examples
    --------
    >>> in_sample_error([2.0], [[1.0], [2.0]], [2.0, 7.0])
    4.5
    """
    X, y = _pair(X, y)
    w = _check.vector(w, X.shape[1], "w")
    residuals = X @ w + b - y
    return float(residuals @ residuals / len(y))


def squared_gradient(w: object, X: object, y: object) -> Array:
    r"""Return the gradient of the mean squared residual, :math:`\frac2n X^\top (Xw - y)`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X : array of shape (n, d)
        The points, as they are: for an intercept give them a column of ones.
    y : array of shape (n,)
        The responses.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning from Data*, 2012, section 3.2.

    Examples
    --------
    Each point pulls in proportion to its error; here the errors are 0 and -3.

    >>> squared_gradient([2.0], [[1.0], [2.0]], [2.0, 7.0])
    array([-6.])
    """
    X, y = _pair(X, y)
    w = _check.vector(w, X.shape[1], "w")
    return np.asarray(2 / len(y) * (X.T @ (X @ w - y)))


# -- the minimum -------------------------------------------------------------------------------------------


def pseudo_inverse(X: object) -> Array:
    r"""Return the Moore-Penrose inverse :math:`X^\dagger = V D^{-1} U^\top` from the compact SVD of X.

    It is :math:`(X^\top X)^{-1} X^\top` when the columns are independent. In every case :math:`X^\dagger y`
    is, of all the vectors that make :math:`\lVert Xw - y\rVert` smallest, the one of least norm.

    Parameters
    ----------
    X : array of shape (n, d)
        Any matrix.

    Returns
    -------
    array of shape (d, n)
        The pseudo-inverse.

    References
    ----------
    Penrose, A generalized inverse for matrices, 1955.

    Examples
    --------
    Two equal columns have no inverse; the pseudo-inverse shares the weight between them.

    >>> np.round(pseudo_inverse([[1.0, 1.0], [1.0, 1.0]]), 12)
    array([[0.25, 0.25],
           [0.25, 0.25]])
    """
    U, s, V = compact_svd(_check.matrix(X))
    return np.asarray(V / s @ U.T)


def _by_svd(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from the singular values of X."""
    U, s, V = compact_svd(X)
    return V @ (U.T @ y / s), len(s)


def _by_qr(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from two QR factorisations, the first with pivots."""
    Q, R, order = qr(X, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int(np.count_nonzero(size > max(X.shape) * ROUNDING * size[0]))
    if rank == 0:  # nothing is left to factor
        return np.zeros(X.shape[1]), 0
    # X[:, order] = Q [R_1; 0] with R_1 of shape (rank, d). With R_1' = Z T the least-norm u with R_1 u = c is
    # Z T^-T c, since it lies in the row space of R_1.
    Z, T = qr(R[:rank].T, mode="economic")
    w = np.empty(X.shape[1])
    w[order] = Z @ solve_triangular(T, Q[:, :rank].T @ y, trans="T")
    return w, rank


def _by_normal_equations(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from the eigenvalues of X'X, the squares of those of X."""
    values, V = np.linalg.eigh(X.T @ X)
    kept = values > max(X.shape) * ROUNDING * values[-1]
    V = V[:, kept]
    return V @ (V.T @ (X.T @ y) / values[kept]), int(np.count_nonzero(kept))


ROUTES = {"svd": _by_svd, "qr": _by_qr, "normal": _by_normal_equations}


def _weights(weights: object, n: int) -> Array:
    """Return one weight a point; none may be negative, and some must be positive."""
    if weights is None:
        return np.ones(n)
    v = _check.vector(weights, n, "weights").astype(np.float64)
    if np.any(v < 0) or not np.any(v > 0):
        raise ValueError(
            f"weights must be >= 0 and not all zero, got a smallest of {v.min():g} and a largest of "
            f"{v.max():g}; give each point one over its noise variance"
        )
    return v


def ols(
    X: object,
    y: object,
    *,
    intercept: bool = True,
    route: Literal["svd", "qr", "normal"] = "svd",
    weights: object = None,
) -> LeastSquares:
    r"""Fit a linear function by (weighted) least squares, in one go.

    Minimises :math:`\frac1n\sum_i v_i(w^\top x_i + b - y_i)^2`. If many weights do, the answer is the one of
    least :math:`\lVert w\rVert`; the intercept is not counted in that norm: it is found by taking the
    (weighted) means off X and y first. With ``intercept=False`` the answer is :math:`X^\dagger y`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The responses.
    intercept : bool
        Whether to fit b, or to keep it zero.
    route : "svd", "qr" or "normal"
        How: singular values; QR factors, which need half the work; or the normal equations
        :math:`X^\top X w = X^\top y`, which are quickest for many points but lose twice the digits, so that
        singular values below about :math:`10^{-8}` of the largest count as zero.
    weights : array of shape (n,), optional
        The weight :math:`v_i \ge 0` of each point's squared residual.

    References
    ----------
    Golub and Van Loan, *Matrix Computations*, 2013, chapter 5.

    Examples
    --------
    >>> fit = ols([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> np.round(fit.w, 12), round(fit.b, 12), fit.unique
    (array([2.]), 1.0, True)

    The same column twice: the slope is shared, since that makes the norm least.

    >>> fit = ols([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [1.0, 3.0, 5.0], route="qr")
    >>> np.round(fit.w, 12), fit.rank, fit.unique
    (array([1., 1.]), 2, False)
    """
    X, y = _pair(X, y)
    v = _weights(weights, len(X))
    if route not in ROUTES:
        raise ValueError(f'route must be "svd", "qr" or "normal", got {route!r}; "svd" is the safe one')
    counted = v > 0  # a point without weight takes no part, not even in deciding what is constant
    A, c, share = X[counted], y[counted], v[counted]
    x_mean, y_mean = np.zeros(X.shape[1]), 0.0
    if intercept:
        x_mean, y_mean = np.average(A, axis=0, weights=share), float(np.average(c, weights=share))
        x_mean = np.where(np.ptp(A, axis=0) == 0, A[0], x_mean)  # exact, so that nothing is left of it
        A, c = A - x_mean, c - y_mean
        A = A - np.average(A, axis=0, weights=share)  # once more: it removes the rounding of a large mean
    root = np.sqrt(share)
    w, rank = ROUTES[route](root[:, None] * A, root * c)
    b = float(y_mean - x_mean @ w)
    residuals = y - X @ w - b
    slope = 2 / len(y) * (v * residuals)
    gap = float(np.hypot(np.linalg.norm(X.T @ slope), slope.sum() if intercept else 0.0))
    return LeastSquares(
        w=w,
        b=b,
        rank=rank + intercept,
        unique=rank == X.shape[1],
        residuals=residuals,
        gap=gap,
        trace=np.array([gap]),
    )


def weighted_ls(X: object, y: object, weights: object, *, intercept: bool = True) -> LeastSquares:
    r"""Fit by least squares in which the point i counts :math:`v_i` times.

    With noise of variance :math:`\sigma_i^2` the best linear unbiased choice is
    :math:`v_i \propto 1/\sigma_i^2`: dividing row i by :math:`\sigma_i` makes the noise equal again.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The responses.
    weights : array of shape (n,)
        The weight :math:`v_i \ge 0` of each point's squared residual.
    intercept : bool
        Whether to fit b, or to keep it zero.

    References
    ----------
    Aitken, On least squares and linear combination of observations, 1936.

    Examples
    --------
    A weight of two is the same as having the point twice:

    >>> twice = ols([[0.0], [1.0], [2.0], [2.0]], [0.0, 1.0, 5.0, 5.0])
    >>> bool(np.allclose(weighted_ls([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0], [1, 1, 2]).w, twice.w))
    True
    """
    return ols(X, y, intercept=intercept, weights=_weights(weights, len(_check.matrix(X))))
