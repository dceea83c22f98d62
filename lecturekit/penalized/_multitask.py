r"""The multi-task lasso: several targets that share their features.

The objective is :math:`\tfrac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert`, where :math:`w_j`
is row j of W: a feature enters for all tasks or for none. The best row, all others fixed, is
:math:`S(c_j+q_jw_j,\lambda)/q_j` with :math:`c_j=x_j^\top R/n`, :math:`q_j=\lVert x_j\rVert^2/n` and the
block soft threshold S.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import fast_jit, jit
from lecturekit._typing import Array
from lecturekit.penalized._penalties import (
    Path,
    Penalized,
    PenalizedIterate,
    centre,
    certificate,
    falling,
    largest_penalty,
    residual_sums,
    shares,
    solve,
)
from lecturekit.penalized._ridge import ridge
from lecturekit.penalized._solver import CHUNK, Epochs, FeatureSet, working_set_steps


@jit
def _shrunk(z: Any, old: Any, lam: Any, q: Any) -> Any:
    """Turn z into the best row minus the old one, in place; return whether they differ."""
    square = 0.0
    for k in range(z.size):
        square += z[k] * z[k]
    shrink = max(1.0 - lam / np.sqrt(square), 0.0) / q if square > 0.0 else 0.0
    moved = False
    for k in range(z.size):
        z[k] = shrink * z[k] - old[k]
        moved = moved or z[k] != 0.0
    return moved


@jit
def _gram_epochs(G: Any, W: Any, g: Any, lam: Any, epochs: Any) -> None:
    """Minimise over one row after the other, keeping g = X'(Y - XW) / n, with G = X'X / n."""
    z = np.empty(W.shape[1])
    for _ in range(epochs):
        for j in range(W.shape[0]):
            for k in range(z.size):
                z[k] = g[j, k] + G[j, j] * W[j, k]
            if _shrunk(z, W[j], lam, G[j, j]):
                for k in range(z.size):
                    W[j, k] += z[k]
                for i in range(W.shape[0]):
                    for k in range(z.size):
                        g[i, k] -= G[j, i] * z[k]


@fast_jit
def _epoch(X: Any, square: Any, W: Any, R: Any, lam: Any) -> None:
    """Minimise over one row after the other, keeping the residual R = Y - XW."""
    n, z = X.shape[0], np.empty(W.shape[1])
    for j in range(W.shape[0]):
        if square[j] == 0.0:
            continue  # a zero column: no weight is better than zero
        for k in range(z.size):
            total = 0.0
            for i in range(n):
                total += X[i, j] * R[i, k]
            z[k] = total / n + square[j] * W[j, k]
        if _shrunk(z, W[j], lam, square[j]):
            for k in range(z.size):
                W[j, k] += z[k]
                for i in range(n):
                    R[i, k] -= z[k] * X[i, j]


def _epochs(lam: float) -> Epochs:
    """Return the epochs of a working set."""

    def gram(G: Array, W: Array, g: Array) -> None:
        _gram_epochs(G, W, g, lam, CHUNK)

    def columns(X: Array, square: Array, W: Array, R: Array) -> None:
        _epoch(X, square, W, R, lam)

    return Epochs(gram=gram, columns=columns)


def multitask_lasso_steps(
    X: Any, Y: Any, lam: float, *, fit_intercept: bool = True
) -> Iterator[PenalizedIterate]:
    """Yield the iterates of block coordinate descent: the first at zero, then one an epoch, without end.

    Parameters are those of :func:`multitask_lasso`.

    Examples
    --------
    >>> steps = multitask_lasso_steps([[1.0], [-1.0]], [[3.0, 4.0], [-3.0, -4.0]], 2.5)
    >>> start, first = next(steps), next(steps)
    >>> start.gap > 0, first.w
    (True, array([[1.5, 2. ]]))
    """
    shares(lam, 1.0)
    data = centre(X, _targets(Y), fit_intercept=fit_intercept)
    n, d = data.X.shape
    square = np.einsum("ij,ij->j", data.X, data.X) / n
    W, R, epochs = np.zeros((d, data.Y.shape[1])), np.array(data.Y, order="F"), 0
    while True:
        primal, dual, _ = certificate(W, data.correlations(R), *residual_sums(R, data.Y), lam, 0.0)
        yield PenalizedIterate(n_iter=epochs, w=W, primal=primal, dual=dual)
        _epoch(data.X, square, W, R, lam)
        epochs += 1


def _targets(Y: Any) -> Array:
    """Return targets with one column a task."""
    return _check.matrix(Y, "Y")


def multitask_lasso(
    X: Any, Y: Any, lam: float, *, fit_intercept: bool = True, tol: float = 1e-8, max_iter: int = 100_000
) -> Penalized:
    r"""Minimise :math:`\tfrac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert` over W and b.

    With :math:`\lambda=0` it is least squares, of several solutions the one with the shortest W, as for
    :func:`lecturekit.penalized.lasso`; with one task it is the lasso.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    Y : array of shape (n, k)
        The targets, one column a task.
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether each task has an intercept.
    tol : float
        Stop when the duality gap is at most this times :math:`\lVert Y-\bar Y\rVert_F^2/(2n)`.
    max_iter : int
        The most epochs, rounded up to the next look at the gap.

    References
    ----------
    Obozinski, Taskar and Jordan, *Joint covariate selection and joint subspace selection for multiple
    classification problems*, 2010.

    Examples
    --------
    Both tasks use the same two features, though with other weights:

    >>> X = np.random.default_rng(0).normal(size=(20, 6))
    >>> Y = np.column_stack([3 * X[:, 1] + X[:, 4], X[:, 1] - 3 * X[:, 4]])
    >>> found = multitask_lasso(X, Y, 0.5)
    >>> found.support, found.w.shape, found.gap < 1e-6
    (array([1, 4]), (6, 2), True)
    """
    shares(lam, 1.0)
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one epoch")
    if lam == 0:
        return ridge(X, _targets(Y), 0.0, fit_intercept=fit_intercept)
    data = centre(X, _targets(Y), fit_intercept=fit_intercept, copy=False)
    W = np.zeros((data.X.shape[1], data.Y.shape[1]))
    return _descend(FeatureSet(data), W, lam, tol=tol, max_iter=max_iter)


def _descend(chosen: FeatureSet, W: Array, lam: float, *, tol: float, max_iter: int) -> Penalized:
    """Solve for one penalty from given weights and a given working set."""
    enough = tol * chosen.data.scale
    steps = working_set_steps(chosen, W, lam, 0.0, _epochs(lam), enough=enough, max_iter=max_iter)
    return solve(steps, chosen.data, lam, 1.0, tol=tol, max_iter=max_iter)


def multitask_lasso_path(
    X: Any,
    Y: Any,
    lams: Any = None,
    *,
    n: int = 100,
    least: float = 1e-3,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Path:
    r"""Solve the multi-task lasso for a falling sequence of penalties, each from the solution before.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    Y : array of shape (n, k)
        The targets.
    lams, n, least
        The penalties, as for :func:`lecturekit.penalized.elastic_net_path`.
    intercept, tol, max_iter
        As for :func:`multitask_lasso`, for each penalty.

    References
    ----------
    Obozinski, Taskar and Jordan, *Joint covariate selection and joint subspace selection for multiple
    classification problems*, 2010.

    Examples
    --------
    >>> path = multitask_lasso_path([[1.0], [-1.0]], [[3.0, 4.0], [-3.0, -4.0]], [5.0, 2.5])
    >>> path.W.shape, path.W[:, 0].tolist()
    ((2, 1, 2), [[0.0, 0.0], [1.5, 2.0]])
    """
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one epoch")
    data = centre(X, _targets(Y), fit_intercept=fit_intercept, copy=False)
    lams = falling(lams, largest_penalty(data, 1.0), n, least)
    W: Array = np.zeros((data.X.shape[1], data.Y.shape[1]))
    chosen, fits = FeatureSet(data), []
    for lam in lams:
        fits.append(_descend(chosen, W, float(lam), tol=tol, max_iter=max_iter))
        W = fits[-1].w.copy()
    return Path.of(fits)
