r"""Ridge regression in closed form.

With the singular value decomposition :math:`X=\sum_ks_k\,u_kv_k^\top` of the centred points the minimiser of
:math:`\tfrac1{2n}\lVert y-Xw\rVert^2+\tfrac\lambda2\lVert w\rVert^2` is
:math:`w=\sum_k\frac{s_k}{s_k^2+n\lambda}\langle u_k,y\rangle v_k`: it shrinks most where the data say least.
One penalty that is not small needs no decomposition: the system
:math:`(X^\top X+n\lambda I)w=X^\top y` is quicker.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike
from lecturekit.penalized._penalties import Centred, Path, Penalized, centre, certificate, residual_sums

WELL_CONDITIONED = 1e6  # the largest condition number of a linear system: it costs six of sixteen digits


class _Spectrum(NamedTuple):
    """Centred data and the singular value decomposition of the points, without what is only rounding."""

    data: Centred
    U: Array
    s: Array
    Vt: Array

    @classmethod
    def of(cls, data: Centred) -> "_Spectrum":
        """Decompose the points."""
        U, s, Vt = np.linalg.svd(data.X, full_matrices=False)
        kept = s > max(data.X.shape) * np.finfo(np.float64).eps * s[0]
        return cls(data, U[:, kept], s[kept], Vt[kept])

    def fit(self, lam: float) -> Penalized:
        """Return the minimiser for a penalty, with its certificate."""
        data, n = self.data, len(self.data.X)
        shrunk = self.s / (self.s**2 + n * lam)
        w = self.Vt.T @ (shrunk * (self.U.T @ data.Y).T).T
        if lam > 0:
            return _certified(w, data, lam)
        R = data.Y - data.X @ w
        u = R - self.U @ (self.U.T @ R)  # without a penalty u must be orthogonal to every column
        primal, dual = float(np.vdot(R, R)) / (2 * n), float(np.vdot(u, data.Y) - np.vdot(u, u) / 2) / n
        return _result(w, data, lam, primal, dual)


def _direct(data: Centred, lam: float) -> Array:
    """Return the minimiser by a linear system, the smaller of two: quicker, if it is well conditioned."""
    X, (n, d) = data.X, data.X.shape
    if d <= n:
        return np.asarray(solve(X.T @ X + n * lam * np.eye(d), X.T @ data.Y, assume_a="pos"))
    return np.asarray(X.T @ solve(X @ X.T + n * lam * np.eye(n), data.Y, assume_a="pos"))


def _certified(w: Array, data: Centred, lam: float) -> Penalized:
    """Add the duality gap to weights."""
    R = data.Y - data.X @ w
    primal, dual, _ = certificate(w, data.correlations(R), *residual_sums(R, data.Y), 0.0, lam)
    return _result(w, data, lam, primal, dual)


def _result(w: Array, data: Centred, lam: float, primal: float, dual: float) -> Penalized:
    """Put a result together."""
    return Penalized(
        w=w,
        b=data.intercept(w),
        lam=lam,
        l1_ratio=0.0,
        primal=primal,
        dual=dual,
        n_iter=0,
        converged=True,
        trace=np.array([(0, primal, dual)]),
    )


def ridge(X: ArrayLike, y: ArrayLike, lam: float, *, fit_intercept: bool = True) -> Penalized:
    r"""Minimise :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\tfrac\lambda2\lVert w\rVert^2`; b is not penalised.

    With :math:`\lambda=0` it is least squares; of several minimisers it returns the one with the shortest w,
    which is also the limit for :math:`\lambda\to0`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,), or (n, k) for k tasks
        The targets.
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether there is an intercept b.

    References
    ----------
    Hoerl and Kennard, *Ridge regression: biased estimation for nonorthogonal problems*, 1970; Hastie,
    Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 3.4.1.

    Examples
    --------
    The gradient is zero:

    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 2.0, 1.0])
    >>> found = ridge(X, y, 0.5)
    >>> residual = y - X @ found.w - found.b
    >>> bool(np.isclose(X[:, 0] @ residual / 3, 0.5 * found.w[0])), bool(np.isclose(residual.sum(), 0))
    (True, True)
    """
    lam = _check.nonnegative(lam, "lam", "a penalty does not reward large weights")
    data = centre(X, y, fit_intercept=fit_intercept)
    if lam > 0 and float(np.vdot(data.X, data.X)) <= WELL_CONDITIONED * len(data.X) * lam:
        return _certified(_direct(data, lam), data, lam)
    return _Spectrum.of(data).fit(lam)


def ridge_path(
    X: ArrayLike, y: ArrayLike, lams: ArrayLike | None = None, *, n: int = 100, fit_intercept: bool = True
) -> Path:
    r"""Solve ridge regression for many penalties with one decomposition.

    Parameters are those of :func:`ridge`, but for the penalties.

    Parameters
    ----------
    lams : array of shape (m,), optional
        The penalties, in any order; by default ``n`` of them, evenly spaced on the logarithmic scale from
        :math:`10^2` to :math:`10^{-4}` times the largest :math:`s_k^2/n`, with the singular values
        :math:`s_k` of the centred X, where weights are nearly zero and nearly those of least squares.
    n : int
        The number of penalties, where none are given.

    Examples
    --------
    Weights shrink as the penalty grows, and none becomes zero:

    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 2.0, 1.0])
    >>> ridge_path(X, y, [10.0, 1.0, 0.0]).W[:, 0].round(3)
    array([0.031, 0.2  , 0.5  ])
    """
    n = _check.count(n, "n", "a path has at least one penalty")
    spectrum = _Spectrum.of(centre(X, y, fit_intercept=fit_intercept))
    if lams is None:
        largest = float(spectrum.s[0]) ** 2 / len(spectrum.data.X) if spectrum.s.size else 1.0
        lams = np.geomspace(1e2, 1e-4, n) * largest
    lams = _check.line(lams, "lams")
    if lams.size == 0 or lams.min() < 0:
        raise ValueError(f"lams must be one or more numbers >= 0, got {lams[:5]}; a penalty does not reward")
    return Path.of([spectrum.fit(lam) for lam in lams.tolist()])
