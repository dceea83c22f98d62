r"""Penalties of the weights: thresholds, objectives, dual points and what a penalised fit returns.

With points X of shape (n, d), weights w and an intercept b that is not penalised, the objective is
:math:`P(w)=\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\,\Omega(w)` with
:math:`\Omega(w)=\rho\lVert w\rVert_1+\tfrac{1-\rho}2\lVert w\rVert^2`, the elastic net. The lasso is
:math:`\rho=1`, ridge regression :math:`\rho=0`. For K tasks, Y has K columns, w has K, and in place of
:math:`\lvert w_j\rvert` stands the norm of a row. The best b for given weights is
:math:`\bar y-\langle\bar x,w\rangle`: so centre X and y, and forget about b.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices
from lecturekit.centring import Centred

__all__ = [
    "Path",
    "Penalized",
    "PenalizedIterate",
    "block_soft_threshold",
    "falling",
    "penalty_sizes",
    "shares",
    "soft_threshold",
    "solve",
]


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
    >>> from lecturekit.centring import centre
    >>> from lecturekit.lasso import lasso_steps
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
