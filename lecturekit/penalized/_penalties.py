r"""What the penalised fits share: centred data, thresholds, results and duality.

For given weights w the best intercept is :math:`b=\bar y-\langle\bar x,w\rangle`. Put in, it turns
:math:`y-Xw-b` into :math:`(y-\bar y)-(X-\bar x)w`: subtract the means, solve without an intercept, compute b.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices

# -- centred data ------------------------------------------------------------------------------------------

CONSTANT = 8 * float(np.finfo(np.float64).eps)  # a column that varies less, relative to its mean, is constant
FAR_MEAN = 10.0  # means that exceed the spread by more are subtracted beforehand: else they would cost digits
SPREAD_ROWS = 10  # so many rows tell how large a spread is


@dataclass(frozen=True, kw_only=True, eq=False)
class Centred:
    """Points and targets of mean zero, and the means that they had; without an intercept these are zero.

    Attributes
    ----------
    X : array of shape (n, d)
        The points; ``X - shift`` has columns of mean zero.
    shift : array of shape (d,), optional
        What is still to be subtracted; None if nothing is.
    Y : array of shape (n,) or (n, k)
        The targets.
    x_mean : array of shape (d,)
        The means of the points.
    y_mean : float or array of shape (k,)
        The means of the targets.
    """

    X: Array
    shift: Array | None
    Y: Array
    x_mean: Array
    y_mean: Any

    @cached_property
    def scale(self) -> float:
        """The objective of the best constant prediction, half the mean square of the targets."""
        return float(np.vdot(self.Y, self.Y)) / (2 * len(self.Y))

    def intercept(self, W: Array) -> Any:
        """Return the intercept that belongs to weights."""
        b = self.y_mean - self.x_mean @ W
        return float(b) if np.ndim(b) == 0 else b

    def correlations(self, R: Array) -> Array:
        r"""Return :math:`\langle x_j,R\rangle/n` for each centred column.

        Residuals have mean zero if there is an intercept, so what is still to be subtracted does not matter.
        """
        return np.asarray(self.X.T @ R / len(R))

    def columns(self, features: Indices) -> Array:
        """Return a copy of some centred columns."""
        by_column = self.X.flags.f_contiguous
        taken = np.take(self.X.T, features, axis=0).T if by_column else np.take(self.X, features, axis=1)
        if self.shift is not None:
            taken -= self.shift[features]
        return np.asarray(taken)


def centre(
    X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True, copy: bool = True, name: str = "y"
) -> Centred:
    """Check the data and centre them; a column that is constant but for rounding becomes exactly zero.

    ``copy`` asks for points minus their means, in Fortran order. Without it the points stay where they are,
    unless a mean is so large that it would cost digits. ``name`` is what the caller calls the targets.
    """
    X = _check.matrix(X, copy=False, finite=not fit_intercept).astype(np.float64, copy=False)
    Y = _check.vector(y, len(X), name) if np.ndim(y) < 2 else _check.matrix(y, name)
    if len(Y) != len(X):
        raise ValueError(f"{name} must have {len(X)} rows, got {len(Y)}; give one row a point")
    Y = Y.astype(np.float64, copy=False)
    if not fit_intercept:
        X = np.asfortranarray(X) if copy or not X.flags.forc else X
        return Centred(X=X, shift=None, Y=Y, x_mean=np.zeros(X.shape[1]), y_mean=np.zeros(Y.shape[1:]))
    x_mean, y_mean = _means(X), Y.mean(axis=0)
    shift: Array | None = x_mean
    if copy or not X.flags.forc or _far_from_zero(X, x_mean):
        X, shift = _shifted(X, x_mean), None
    return Centred(X=X, shift=shift, Y=Y - y_mean, x_mean=x_mean, y_mean=y_mean)


def _means(X: Array) -> Array:
    """Return the means of the columns; a number that is not finite would show in them."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(len(X)) @ X / len(X)  # a product takes half as long as X.mean
    if not np.all(np.isfinite(mean)):
        _check.matrix(X)
    return np.asarray(mean)


def _far_from_zero(X: Array, mean: Array) -> bool:
    """Whether a mean is large, compared with how far the first entries of the column are from it."""
    spread = np.abs(np.subtract(X[:SPREAD_ROWS], mean, order="C")).max(axis=0)
    return bool(np.any(np.abs(mean) > FAR_MEAN * spread))


def _shifted(X: Array, mean: Array) -> Array:
    """Return the points minus their means, by columns."""
    Z = np.empty(X.shape, order="F")
    np.subtract(X, mean, out=Z)
    spread = np.einsum("ij,ij->j", Z, Z)
    # the mean of n equal numbers may be wrong in the last digits, more so the larger n is
    doubtful = np.flatnonzero(spread <= len(Z) * (len(Z) * CONSTANT * mean) ** 2)
    Z[:, doubtful[np.ptp(X[:, doubtful], axis=0) <= CONSTANT * np.abs(mean[doubtful])]] = 0.0
    return Z


# -- thresholds --------------------------------------------------------------------------------------------


def soft_threshold(z: ArrayLike, t: ArrayLike) -> Any:
    r"""Pull a number towards zero by t, and no further than to zero.

    It is :math:`\operatorname{sign}(z)\max(\lvert z\rvert-t,0)`, the minimiser of
    :math:`\tfrac12(w-z)^2+t\lvert w\rvert`.

    Parameters
    ----------
    z : float or array
        What the weight would be without a penalty.
    t : float or array
        How far it is pulled towards zero, >= 0.

    References
    ----------
    Donoho and Johnstone, *Ideal spatial adaptation by wavelet shrinkage*, 1994.

    Examples
    --------
    >>> soft_threshold(np.array([-3.0, 0.5, 2.0]), 1.0)
    array([-2.,  0.,  1.])
    """
    z = _check.shaped(z, np.shape(z), "z", "a weight")
    t = _check.shaped(t, np.shape(t), "t", "a weight")
    return np.sign(z) * np.maximum(np.abs(z) - t, 0.0)


def sizes(W: Array) -> Array:
    """Return the absolute value of each weight, or the norm of each row."""
    return np.abs(W) if W.ndim == 1 else np.sqrt(np.einsum("jk,jk->j", W, W))


# -- results -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Penalized:
    """A penalised fit with its certificate.

    Attributes
    ----------
    w : array of shape (d,), or (d, k) for k tasks
        The weights.
    b : float, or array of shape (k,)
        The intercept.
    lam, l1_ratio : float
        The penalty.
    primal, dual : float
        The objective, and a bound that no weights go below.
    n_iter : int
        Epochs of coordinate descent; 0 for a closed form.
    converged : bool
        Whether the gap reached the tolerance.
    trace : array of shape (m, 3)
        Epochs, primal and dual on the way, one row a check.
    """

    w: Array = field(repr=False)
    b: Any
    lam: float
    l1_ratio: float
    primal: float
    dual: float
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)

    @property
    def gap(self) -> float:
        """The duality gap, by which the objective is at most above its minimum."""
        return self.primal - self.dual

    @property
    def support(self) -> Indices:
        """The features whose weight is not zero."""
        return np.flatnonzero(sizes(self.w))


@dataclass(frozen=True, kw_only=True, eq=False)
class Path:
    """The fits for a falling sequence of penalties.

    Attributes
    ----------
    lams : array of shape (m,)
        The penalties.
    W : array of shape (m, d), or (m, d, k)
        The weights.
    b : array of shape (m,), or (m, k)
        The intercepts.
    gap : array of shape (m,)
        The duality gaps.
    n_iter : int
        Epochs of all fits.
    converged : bool
        Whether every gap reached the tolerance.
    """

    lams: Array = field(repr=False)
    W: Array = field(repr=False)
    b: Array = field(repr=False)
    gap: Array = field(repr=False)
    n_iter: int
    converged: bool

    @classmethod
    def of(cls, fits: Sequence[Penalized]) -> "Path":
        """Put the fits of a path together."""
        return cls(
            lams=np.array([fit.lam for fit in fits]),
            W=np.array([fit.w for fit in fits]),
            b=np.array([fit.b for fit in fits]),
            gap=np.array([fit.gap for fit in fits]),
            n_iter=sum(fit.n_iter for fit in fits),
            converged=all(fit.converged for fit in fits),
        )


# -- the border --------------------------------------------------------------------------------------------


def shares(lam: object, l1_ratio: object) -> tuple[float, float]:
    """Return the factors of the 1-norm and of half the squared 2-norm."""
    lam = _check.nonnegative(lam, "lam", "a penalty does not reward large weights")
    l1_ratio = _check.nonnegative(l1_ratio, "l1_ratio", "it is the share of the 1-norm")
    if l1_ratio > 1:
        raise ValueError(f"l1_ratio must be at most 1, got {l1_ratio:g}; it is the share of the 1-norm")
    return lam * l1_ratio, lam * (1 - l1_ratio)


def stopping(tol: object, max_iter: object) -> tuple[float, int]:
    """Return the gap to reach and the most epochs."""
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    return tol, _check.count(max_iter, "max_iter", "allow at least one epoch")


def falling(lams: ArrayLike | None, largest: float, n: int, least: float) -> Array:
    """Return penalties from the largest to the smallest: those given, or a logarithmic grid."""
    n = _check.count(n, "n", "a path has at least one penalty")
    least = _check.positive(least, "least", "it is the smallest penalty as a share of the largest")
    if lams is None:
        # where y is constant every penalty gives zero weights, and the grid needs some scale
        return np.asarray(np.geomspace(1.0, least, n) * (largest if largest > 0 else 1.0))
    lams = _check.line(lams, "lams")
    if lams.size == 0 or lams.min() <= 0:
        raise ValueError(f"lams must be one or more numbers > 0, got {lams[:5]}; for lam = 0 call ridge")
    return np.sort(lams)[::-1]


# -- duality -----------------------------------------------------------------------------------------------


def residual_sums(R: Array, Y: Array) -> tuple[float, float]:
    r"""Return :math:`\lVert R\rVert^2/n` and :math:`\langle R,Y\rangle/n`."""
    return float(np.vdot(R, R)) / len(R), float(np.vdot(R, Y)) / len(R)


def certificate(W: Array, C: Array, rr: float, ry: float, l1: float, l2: float) -> tuple[float, float, float]:
    r"""Return the objective, the dual value of :math:`u=sR`, and s, R being the residual.

    For the lasso, s is the best factor for which u is feasible. For the elastic net the same factor on the
    augmented data, whose residual must be feasible there, competes with :math:`s=1`. C is
    :math:`X^\top R/n`, rr and ry are the sums of :func:`residual_sums`, l1 and l2 those of :func:`shares`.
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


def _residual(w: ArrayLike, data: Centred) -> tuple[Array, Array]:
    """Return the weights, one for each feature and task, and what they leave of the targets."""
    W = _check.shaped(w, (data.X.shape[1], *data.Y.shape[1:]), "w", "a feature and task")
    return W, data.Y - data.X @ W


def penalized_objective(
    w: ArrayLike,
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    l1_ratio: float = 1.0,
    *,
    fit_intercept: bool = True,
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
    fit_intercept : bool
        Whether there is an intercept.

    Examples
    --------
    >>> penalized_objective([0.5], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.375
    """
    l1, l2 = shares(lam, l1_ratio)
    W, R = _residual(w, centre(X, y, fit_intercept=fit_intercept))
    return float(np.vdot(R, R)) / (2 * len(R)) + l1 * float(sizes(W).sum()) + l2 / 2 * float(np.vdot(W, W))


def dual_point(
    w: ArrayLike,
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    l1_ratio: float = 1.0,
    *,
    fit_intercept: bool = True,
) -> Array:
    r"""Return a dual point u: the residual of w, scaled to be feasible.

    Parameters are those of :func:`penalized_objective`, with lam > 0.

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
    data = centre(X, y, fit_intercept=fit_intercept)
    W, R = _residual(w, data)
    return np.asarray(certificate(W, data.correlations(R), *residual_sums(R, data.Y), l1, l2)[2] * R)


def dual_value(
    u: ArrayLike,
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    l1_ratio: float = 1.0,
    *,
    fit_intercept: bool = True,
) -> float:
    r"""Return the dual objective :math:`D(u)`, minus infinity where u is not feasible (beyond rounding).

    Feasible is u with :math:`\lvert\langle x_j,u\rangle\rvert\le n\lambda\rho` for all columns :math:`x_j` of
    the centred X, and then :math:`P(w)\ge D(u)=\tfrac1n\langle u,y\rangle-\tfrac1{2n}\lVert u\rVert^2` for
    all w. With :math:`\rho<1` no u is excluded, and D loses
    :math:`\sum_j(\lvert\langle x_j,u\rangle\rvert/n-\lambda\rho)_+^2/(2\lambda(1-\rho))`. That is the dual of
    the lasso on the data with d more rows :math:`\sqrt{n\lambda(1-\rho)}\,I`, at its best in these rows.

    Parameters are those of :func:`penalized_objective`, with a dual point in place of w.

    Parameters
    ----------
    u : array of shape (n,) or (n, k)
        The dual point; with an intercept its sum must be zero, and its mean is subtracted.

    Examples
    --------
    >>> X, y = [[1.0], [-1.0]], [1.0, -1.0]
    >>> dual_value([0.5, -0.5], X, y, 0.5), dual_value([1.0, -1.0], X, y, 0.5)
    (0.375, -inf)
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, fit_intercept=fit_intercept)
    U = _check.shaped(u, data.Y.shape, "u", "a target")
    U = U - U.mean(axis=0) if fit_intercept else U
    n = len(U)
    value = float(np.vdot(U, data.Y) - np.vdot(U, U) / 2) / n
    lengths = sizes(data.X.T @ U / n)
    rounding = 1e-12 * float(np.linalg.norm(data.X, axis=0).max() * np.linalg.norm(U)) / n
    excess = np.maximum(lengths - l1, 0.0)
    if l2 == 0:
        return value if excess.max() <= rounding else -np.inf
    return value - float(excess @ excess) / (2 * l2)


def lam_max(X: ArrayLike, y: ArrayLike, l1_ratio: float = 1.0, *, fit_intercept: bool = True) -> float:
    r"""Return the least penalty at which all weights are zero.

    It is :math:`\max_j\lvert\langle x_j,y\rangle\rvert/(n\rho)`, where X and y are centred if there is an
    intercept. Ridge regression, :math:`\rho=0`, has no such penalty.

    Parameters are among those of :func:`penalized_objective`, with l1_ratio > 0.

    Examples
    --------
    >>> lam_max([[1.0], [-1.0]], [3.0, -3.0]), lam_max([[1.0], [-1.0]], [3.0, -3.0], l1_ratio=0.5)
    (3.0, 6.0)
    """
    return largest_penalty(centre(X, y, fit_intercept=fit_intercept, copy=False), l1_ratio)


def largest_penalty(data: Centred, l1_ratio: float) -> float:
    """Return :func:`lam_max` of centred data."""
    share, _ = shares(1.0, l1_ratio)
    if share == 0:
        raise ValueError("l1_ratio must be > 0, got 0; in ridge regression no penalty makes weights zero")
    return float(sizes(data.correlations(data.Y)).max()) / share
