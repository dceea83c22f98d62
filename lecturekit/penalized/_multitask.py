r"""The multi-task lasso: several targets that share their features.

The objective is :math:`\tfrac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert`, where :math:`w_j`
is row j of W: a feature enters for all tasks or for none. The best row, all others fixed, is
:math:`S(c_j+q_jw_j,\lambda)/q_j` with :math:`c_j=x_j^\top R/n`, :math:`q_j=\lVert x_j\rVert^2/n` and the
block soft threshold S.
"""

from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import fast_jit, jit
from lecturekit._typing import Array, ArrayLike
from lecturekit.penalized._penalties import Penalized, centre, shares, stopping
from lecturekit.penalized._ridge import ridge
from lecturekit.penalized._solver import GAP_EPOCHS, Epochs, FeatureSet, descend


@jit
def _move(z: Any, old: Any, lam: Any, q: Any) -> Any:
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
            if _move(z, W[j], lam, G[j, j]):
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
        if _move(z, W[j], lam, square[j]):
            for k in range(z.size):
                W[j, k] += z[k]
                for i in range(n):
                    R[i, k] -= z[k] * X[i, j]


def _epochs(lam: float) -> Epochs:
    """Return the epochs of a working set."""

    def gram(G: Array, W: Array, g: Array) -> None:
        _gram_epochs(G, W, g, lam, GAP_EPOCHS)

    def columns(X: Array, square: Array, W: Array, R: Array) -> None:
        _epoch(X, square, W, R, lam)

    return Epochs(gram, columns)


def multitask_lasso(
    X: ArrayLike,
    Y: ArrayLike,
    lam: float,
    *,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Penalized:
    r"""Minimise :math:`\tfrac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert` over W and b.

    With :math:`\lambda=0` it is least squares, of several solutions the one with the shortest W, as for
    :func:`lasso`; with one task it is the lasso.

    Parameters are among those of :func:`elastic_net`, but for the targets.

    Parameters
    ----------
    Y : array of shape (n, k)
        The targets, one column a task; each may have an intercept.

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
    tol, max_iter = stopping(tol, max_iter)
    Y = _check.matrix(Y, "Y")
    if lam == 0:
        return ridge(X, Y, 0.0, fit_intercept=fit_intercept)
    data = centre(X, Y, fit_intercept=fit_intercept, copy=False, name="Y")
    W = np.zeros((data.X.shape[1], data.Y.shape[1]))
    return descend(FeatureSet(data), W, lam, 1.0, _epochs(lam), tol=tol, max_iter=max_iter)
