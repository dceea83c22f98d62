r"""Duality for penalised least squares: objectives, dual points, gaps and optimality conditions.

The notation is that of :mod:`lecturekit.penalized`. Every vector u with
:math:`\lvert\langle x_j,u\rangle\rvert\le n\lambda\rho` for all columns :math:`x_j` of the centred X is a
certificate: :math:`P(w)\ge D(u)=\tfrac1n\langle u,y\rangle-\tfrac1{2n}\lVert u\rVert^2` whatever w is. With
:math:`\rho<1` no u is excluded, and D loses
:math:`\sum_j(\lvert\langle x_j,u\rangle\rvert/n-\lambda\rho)_+^2/(2\lambda(1-\rho))`. That is the dual of the
lasso on the data with d more rows :math:`\sqrt{n\lambda(1-\rho)}\,I`, at its best in these rows.

Penalties of the weights: thresholds, objectives, dual points and what a penalised fit returns.

With points X of shape (n, d), weights w and an intercept b that is not penalised, the objective is
:math:`P(w)=\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\,\Omega(w)` with
:math:`\Omega(w)=\rho\lVert w\rVert_1+\tfrac{1-\rho}2\lVert w\rVert^2`, the elastic net. The lasso is
:math:`\rho=1`, ridge regression :math:`\rho=0`. For K tasks, Y has K columns, w has K, and in place of
:math:`\lvert w_j\rvert` stands the norm of a row. The best b for given weights is
:math:`\bar y-\langle\bar x,w\rangle`: so centre X and y, and forget about b.

Centred data: how an intercept that is not penalised leaves a problem.

For given weights w the best intercept is :math:`b=\bar y-\langle\bar x,w\rangle`. Put in, it turns
:math:`y-Xw-b` into :math:`(y-\bar y)-(X-\bar x)w`: subtract the means, solve without an intercept, compute b.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices

# -- centred data ------------------------------------------------------------------------------------------

CONSTANT = 8 * float(np.finfo(np.float64).eps)  # a column that varies less, relative to its mean, is constant
FAR = 10.0  # means that exceed the spread by more are subtracted beforehand: else they would cost digits
ROWS = 10  # so many rows tell how large a spread is


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

    X: Array = field(repr=False)
    shift: Array | None = field(repr=False)
    Y: Array = field(repr=False)
    x_mean: Array = field(repr=False)
    y_mean: Any = field(repr=False)

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


def centre(X: Any, y: Any, *, fit_intercept: bool = True, copy: bool = True) -> Centred:
    """Check the data and centre them.

    A column that is constant but for rounding becomes exactly zero.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,) or (n, k)
        The targets.
    fit_intercept : bool
        Whether there is an intercept.
    copy : bool
        Whether to subtract the means from the points, which come in Fortran order then, column after
        column. If not, the points stay where they are, unless a mean is so large that it would cost digits.

    Examples
    --------
    >>> data = centre([[1.0, 5.0], [3.0, 5.0]], [10.0, 20.0])
    >>> data.X.tolist(), data.Y.tolist(), data.intercept(np.array([5.0, 0.0]))
    ([[-1.0, 0.0], [1.0, 0.0]], [-5.0, 5.0], 5.0)
    """
    X = _check.matrix(X, copy=False, finite=not fit_intercept).astype(np.float64, copy=False)
    Y = _check.vector(y, len(X), "y") if np.ndim(y) < 2 else _check.matrix(y, "Y")
    if len(Y) != len(X):
        raise ValueError(f"Y must have {len(X)} rows, got {len(Y)}; give one row a point")
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
    spread = np.abs(np.subtract(X[:ROWS], mean, order="C")).max(axis=0)
    return bool(np.any(np.abs(mean) > FAR * spread))


def _shifted(X: Array, mean: Array) -> Array:
    """Return the points minus their means, by columns."""
    Z = np.empty(X.shape, order="F")
    np.subtract(X, mean, out=Z)
    spread = np.einsum("ij,ij->j", Z, Z)
    # the mean of n equal numbers may be wrong in the last digits, more so the larger n is
    doubtful = np.flatnonzero(spread <= len(Z) * (len(Z) * CONSTANT * mean) ** 2)
    Z[:, doubtful[np.ptp(X[:, doubtful], axis=0) <= CONSTANT * np.abs(mean[doubtful])]] = 0.0
    return Z


# -- thresholds, results -----------------------------------------------------------------------------------

# -- thresholds --------------------------------------------------------------------------------------------


def soft_threshold(z: Any, t: Any) -> Any:
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
    return np.sign(z) * np.maximum(np.abs(z) - t, 0.0)


def block_soft_threshold(Z: Any, t: Any) -> Array:
    r"""Shorten each row of a matrix by t, and no further than to zero.

    A row becomes :math:`\max(1-t/\lVert z\rVert,0)\,z`, the minimiser of
    :math:`\tfrac12\lVert w-z\rVert^2+t\lVert w\rVert`.

    Parameters
    ----------
    Z : array of shape (..., k)
        One or more vectors.
    t : float
        By how much to shorten them, >= 0.

    References
    ----------
    Yuan and Lin, *Model selection and estimation in regression with grouped variables*, 2006.

    Examples
    --------
    >>> block_soft_threshold(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0)
    array([[2.4, 3.2],
           [0. , 0. ]])
    """
    Z = np.asarray(Z, dtype=np.float64)
    length = np.linalg.norm(Z, axis=-1, keepdims=True)
    return np.asarray(Z * (np.maximum(length - t, 0.0) / np.where(length > 0, length, 1.0)))


def penalty_sizes(W: Array) -> Array:
    """Return the absolute value of each weight, or the norm of each row.

    Parameters
    ----------
    W : array of shape (d,) or (d, k)
        The weights.

    Examples
    --------
    >>> penalty_sizes(np.array([-2.0, 3.0])), penalty_sizes(np.array([[3.0, 4.0]]))
    (array([2., 3.]), array([5.]))
    """
    return np.abs(W) if W.ndim == 1 else np.sqrt(np.einsum("jk,jk->j", W, W))


# -- results -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class PenalizedIterate:
    """A solver on its way.

    Attributes
    ----------
    n_iter : int
        Epochs so far: visits to every feature (of a working set).
    w : array of shape (d,) or (d, k)
        The weights; the solver goes on writing into them.
    primal, dual : float
        The objective, and a bound that no weights go below.
    """

    n_iter: int
    w: Array = field(repr=False)
    primal: float
    dual: float

    @property
    def gap(self) -> float:
        """The duality gap, by which the objective is at most above its minimum."""
        return self.primal - self.dual


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
        return np.flatnonzero(penalty_sizes(self.w))


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


def shares(lam: Any, l1_ratio: Any) -> tuple[float, float]:
    """Return the factors of the 1-norm and of half the squared 2-norm.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    l1_ratio : float
        The share of the 1-norm, from 0 to 1.

    Examples
    --------
    >>> shares(4.0, 0.25)
    (1.0, 3.0)
    """
    lam = _check.nonnegative(lam, "lam", "a penalty does not reward large weights")
    l1_ratio = _check.nonnegative(l1_ratio, "l1_ratio", "it is the share of the 1-norm")
    if l1_ratio > 1:
        raise ValueError(f"l1_ratio must be at most 1, got {l1_ratio:g}; it is the share of the 1-norm")
    return lam * l1_ratio, lam * (1 - l1_ratio)


def falling(lams: Any, largest: float, n: int, least: float) -> Array:
    """Return penalties from the largest to the smallest: those given, or a logarithmic grid.

    Parameters
    ----------
    lams : array of shape (m,) or None
        The penalties, each > 0.
    largest : float
        The largest penalty of the grid.
    n : int
        The number of penalties of the grid.
    least : float
        The smallest penalty of the grid, as a share of the largest.

    Examples
    --------
    >>> falling(None, 8.0, 3, 0.25), falling([1.0, 5.0], 8.0, 3, 0.25)
    (array([8., 4., 2.]), array([5., 1.]))
    """
    n = _check.count(n, "n", "a path has at least one penalty")
    least = _check.positive(least, "least", "it is the smallest penalty as a share of the largest")
    if lams is None:
        # where y is constant every penalty gives zero weights, and the grid needs some scale
        return np.asarray(np.geomspace(1.0, least, n) * (largest if largest > 0 else 1.0))
    lams = _check.line(lams, "lams")
    if lams.size == 0 or lams.min() <= 0:
        raise ValueError(f"lams must be one or more numbers > 0, got {lams[:5]}; for lam = 0 call ridge")
    return np.sort(lams)[::-1]


# -- the driver --------------------------------------------------------------------------------------------


def solve(
    steps: Iterable[PenalizedIterate],
    data: Centred,
    lam: float,
    l1_ratio: float,
    *,
    tol: float,
    max_iter: int,
) -> Penalized:
    r"""Run a solver until its gap is at most ``tol`` times :math:`\lVert y\rVert^2/(2n)`, y being centred.

    Parameters
    ----------
    steps : iterable of PenalizedIterate
        The solver.
    data : Centred
        The data, for the scale and the intercept.
    lam, l1_ratio : float
        The penalty.
    tol : float
        The gap to reach, in units of the objective of a constant prediction.
    max_iter : int
        The most epochs.

    Examples
    --------
    >>> from lecturekit.penalized import centre
    >>> from lecturekit.penalized import lasso_steps
    >>> X, y = [[1.0], [-1.0]], [1.0, -1.0]
    >>> found = solve(lasso_steps(X, y, 0.5), centre(X, y), 0.5, 1.0, tol=1e-8, max_iter=100)
    >>> found.w, found.gap, found.n_iter
    (array([0.5]), 0.0, 1)
    """
    enough = tol * data.scale
    trace = []
    for at in steps:
        trace.append((at.n_iter, at.primal, at.dual))
        if at.gap <= enough or at.n_iter >= max_iter:
            break
    return Penalized(
        w=at.w.copy(),
        b=data.intercept(at.w),
        lam=lam,
        l1_ratio=l1_ratio,
        primal=at.primal,
        dual=at.dual,
        n_iter=at.n_iter,
        converged=at.gap <= enough,
        trace=np.array(trace),
    )


# -- duality and optimality --------------------------------------------------------------------------------


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
        The factors of the penalty, see :func:`lecturekit.penalized.shares`.

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
    primal = rr / 2 + l1 * float(penalty_sizes(W).sum()) + l2 / 2 * ww
    largest = float(penalty_sizes(C - l2 * W if l2 > 0 else C).max())
    most = l1 / largest if largest > 0 else np.inf
    best = ry / (rr + l2 * ww) if rr + l2 * ww > 0 else 0.0
    scale = min(max(best, -most), most)
    if l2 == 0:
        return primal, scale * ry - scale**2 * rr / 2, scale
    length = penalty_sizes(C)

    def value(s: float) -> float:
        excess = np.maximum(abs(s) * length - l1, 0.0)
        return s * ry - s**2 * rr / 2 - float(excess @ excess) / (2 * l2)

    dual, scale = max((value(s), s) for s in (scale, 1.0))
    return primal, dual, scale


def _weights(w: Any, data: Centred) -> Array:
    """Return the weights, one for each feature and task."""
    return _check.shaped(w, (data.X.shape[1], *data.Y.shape[1:]), "w", "a feature and task")


def penalized_objective(
    w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, fit_intercept: bool = True
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
    data = centre(X, y, fit_intercept=fit_intercept)
    W = _weights(w, data)
    R = data.Y - data.X @ W
    return (
        float(np.vdot(R, R)) / (2 * len(R))
        + l1 * float(penalty_sizes(W).sum())
        + l2 / 2 * float(np.vdot(W, W))
    )


def dual_point(
    w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, fit_intercept: bool = True
) -> Array:
    r"""Return a dual point u: the residual of w, scaled to be feasible.

    Parameters
    ----------
    w, X, y, lam, l1_ratio, fit_intercept
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
    data = centre(X, y, fit_intercept=fit_intercept)
    W = _weights(w, data)
    R = data.Y - data.X @ W
    return np.asarray(certificate(W, data.correlations(R), *residual_sums(R, data.Y), l1, l2)[2] * R)


def dual_value(
    u: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, fit_intercept: bool = True
) -> float:
    r"""Return the dual objective :math:`D(u)`, minus infinity where u is not feasible (beyond rounding).

    Parameters
    ----------
    u : array of shape (n,) or (n, k)
        The dual point; with an intercept its sum must be zero, and its mean is subtracted.
    X, y, lam, l1_ratio, fit_intercept
        As for :func:`penalized_objective`.

    Examples
    --------
    >>> dual_value([0.5, -0.5], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    0.375
    >>> dual_value([1.0, -1.0], [[1.0], [-1.0]], [1.0, -1.0], 0.5)
    -inf
    """
    l1, l2 = shares(lam, l1_ratio)
    data = centre(X, y, fit_intercept=fit_intercept)
    U = _check.shaped(u, data.Y.shape, "u", "a target")
    U = U - U.mean(axis=0) if fit_intercept else U
    n = len(U)
    value = float(np.vdot(U, data.Y) - np.vdot(U, U) / 2) / n
    lengths = penalty_sizes(data.X.T @ U / n)
    rounding = 1e-12 * float(np.linalg.norm(data.X, axis=0).max() * np.linalg.norm(U)) / n
    excess = np.maximum(lengths - l1, 0.0)
    if l2 == 0:
        return value if excess.max() <= rounding else -np.inf
    return value - float(excess @ excess) / (2 * l2)


def kkt_violation(
    w: Any, X: Any, y: Any, lam: float, l1_ratio: float = 1.0, *, fit_intercept: bool = True
) -> float:
    r"""Return by how much the optimality conditions fail: the distance of 0 from the sub-differential.

    With :math:`c_j=\langle x_j,r\rangle/n-\lambda(1-\rho)w_j` they are
    :math:`c_j=\lambda\rho\operatorname{sign}w_j` where :math:`w_j\ne0` and
    :math:`\lvert c_j\rvert\le\lambda\rho` elsewhere; this is the largest failure.

    Parameters
    ----------
    w, X, y, lam, l1_ratio, fit_intercept
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
    data = centre(X, y, fit_intercept=fit_intercept)
    W = _weights(w, data)
    C = data.X.T @ (data.Y - data.X @ W) / len(data.X) - l2 * W
    length = penalty_sizes(W)
    direction = W / np.where(length > 0, length, 1.0).reshape(-1, *[1] * (W.ndim - 1))
    failure = np.where(length > 0, penalty_sizes(C - l1 * direction), np.maximum(penalty_sizes(C) - l1, 0.0))
    return float(failure.max())


def lam_max(X: Any, y: Any, l1_ratio: float = 1.0, *, fit_intercept: bool = True) -> float:
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
    fit_intercept : bool
        Whether there is an intercept.

    Examples
    --------
    >>> lam_max([[1.0], [-1.0]], [3.0, -3.0]), lam_max([[1.0], [-1.0]], [3.0, -3.0], l1_ratio=0.5)
    (3.0, 6.0)
    """
    shares(1.0, l1_ratio)
    return largest_penalty(centre(X, y, fit_intercept=fit_intercept, copy=False), l1_ratio)


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
    return float(penalty_sizes(data.correlations(data.Y)).max()) / l1_ratio
