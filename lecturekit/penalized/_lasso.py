r"""The lasso and the elastic net by coordinate descent.

One weight at a time: with the residual r, :math:`c_j=\langle x_j,r\rangle/n` and
:math:`q_j=\lVert x_j\rVert^2/n`, the best value of :math:`w_j` is
:math:`S(c_j+q_jw_j,\lambda\rho)/(q_j+\lambda(1-\rho))`, S being the soft threshold. :func:`lasso` does that
for few features, a working set, on their Gram matrix; between epochs it solves the linear system that the
weights obey as long as no sign changes.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg.lapack import dposv

from lecturekit import _check
from lecturekit._jit import fast_jit, jit
from lecturekit._typing import Array, ArrayLike
from lecturekit.penalized._penalties import (
    Path,
    Penalized,
    centre,
    falling,
    largest_penalty,
    shares,
    stopping,
)
from lecturekit.penalized._ridge import ridge
from lecturekit.penalized._solver import GAP_EPOCHS, Epochs, FeatureSet, descend


@fast_jit
def _epoch(X: Any, square: Any, w: Any, r: Any, l1: Any, l2: Any) -> None:
    """Minimise over one weight after the other, keeping the residual r = y - Xw."""
    n = r.size
    for j in range(w.size):
        if square[j] == 0.0:
            continue  # a zero column: no weight is better than zero
        total = 0.0
        for i in range(n):
            total += X[i, j] * r[i]
        z = total / n + square[j] * w[j]
        new = np.sign(z) * max(abs(z) - l1, 0.0) / (square[j] + l2)
        step = new - w[j]
        if step != 0.0:
            w[j] = new
            for i in range(n):
                r[i] -= step * X[i, j]


@jit
def _gram_epochs(G: Any, w: Any, g: Any, l1: Any, l2: Any, epochs: Any) -> None:
    """Minimise over one weight after the other, keeping g = X'(y - Xw) / n, with G = X'X / n."""
    for _ in range(epochs):
        for j in range(w.size):
            if G[j, j] == 0.0:
                continue  # a zero column: no weight is better than zero
            z = g[j] + G[j, j] * w[j]
            new = np.sign(z) * max(abs(z) - l1, 0.0) / (G[j, j] + l2)
            step = new - w[j]
            if step != 0.0:
                w[j] = new
                for k in range(w.size):
                    g[k] -= step * G[j, k]


@jit
def _shift(G: Any, w: Any, g: Any, features: Any, steps: Any) -> None:
    """Change some weights, keeping g."""
    for s in range(features.size):
        j = features[s]
        w[j] += steps[s]
        for k in range(g.size):
            g[k] -= steps[s] * G[j, k]


def _newton(G: Array, w: Array, g: Array, l1: float, l2: float) -> None:
    """Move the weights that are not zero to their common optimum; one that meets zero stays there."""
    share = 0.0
    while share < 1.0 and np.any(w):
        support = np.flatnonzero(w)
        at, sign = w[support], np.sign(w[support])
        inside = G[support][:, support]
        inside.flat[:: len(support) + 1] += l2
        _, step, failure = dposv(inside, g[support] - l2 * at - l1 * sign)
        if failure:
            return  # linearly dependent features: leave it to the epochs
        crossing = np.divide(-at, step, out=np.full(len(at), np.inf), where=at * step < 0)
        first = int(np.argmin(crossing))
        share = min(1.0, float(crossing[first]))
        _shift(G, w, g, support, share * step)
        if share < 1.0:
            w[support[first]] = 0.0


def _epochs(l1: float, l2: float) -> Epochs:
    """Return the epochs of a working set."""

    def gram(G: Array, w: Array, g: Array) -> None:
        signs = np.sign(w)
        _gram_epochs(G, w, g, l1, l2, GAP_EPOCHS)
        if np.array_equal(signs, np.sign(w)):
            _newton(G, w, g, l1, l2)

    def columns(X: Array, square: Array, w: Array, r: Array) -> None:
        _epoch(X, square, w, r, l1, l2)

    return Epochs(gram, columns)


def elastic_net(
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    l1_ratio: float,
    *,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Penalized:
    r"""Minimise the squared error plus a mixture of the penalties of the lasso and of ridge regression.

    The objective is
    :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda(\rho\lVert w\rVert_1+\tfrac{1-\rho}2\lVert w\rVert^2)`;
    b is not penalised. With :math:`\rho=1` it is the lasso, with :math:`\rho=0` ridge regression, which has a
    closed form and is solved by it. :math:`\lambda=0` is least squares, see :func:`lasso`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The targets.
    lam : float
        The penalty, >= 0.
    l1_ratio : float
        The share :math:`\rho` of the 1-norm, from 0 to 1.
    fit_intercept : bool
        Whether there is an intercept b.
    tol : float
        Stop when the duality gap is at most this times :math:`\lVert y-\bar y\rVert^2/(2n)`, the objective of
        the constant prediction (without an intercept :math:`\lVert y\rVert^2/(2n)`).
    max_iter : int
        The most epochs, rounded up to the next look at the gap.

    References
    ----------
    Zou and Hastie, *Regularization and variable selection via the elastic net*, 2005.

    Examples
    --------
    Of two equal columns the lasso may take either; the elastic net shares the weight between them.

    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> elastic_net(np.column_stack([x, x]), 2 * x, 0.1, 0.5).w.round(3)
    array([0.928, 0.928])
    """
    l1, l2 = shares(lam, l1_ratio)
    tol, max_iter = stopping(tol, max_iter)
    y = y if np.ndim(y) == 1 else _check.line(y, "y")
    if l1 == 0:
        return replace(ridge(X, y, lam, fit_intercept=fit_intercept), l1_ratio=l1_ratio)
    data = centre(X, y, fit_intercept=fit_intercept, copy=False)
    w, epochs = np.zeros(data.X.shape[1]), _epochs(l1, l2)
    return descend(FeatureSet(data), w, lam, l1_ratio, epochs, tol=tol, max_iter=max_iter)


def lasso(
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    *,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Penalized:
    r"""Minimise :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\lVert w\rVert_1`; b is not penalised.

    With :math:`\lambda=0` nothing is penalised, and it returns the least-squares solution with the shortest w
    in the 2-norm, as ridge regression does. That is not the limit of the lasso for :math:`\lambda\to0` where
    there are several such solutions: the limit is one that is shortest in the 1-norm. From :func:`lam_max` on
    all weights are zero.

    Parameters are among those of :func:`elastic_net`.

    References
    ----------
    Tibshirani, *Regression shrinkage and selection via the lasso*, 1996.

    Examples
    --------
    Thirty points, a hundred features, two of which matter:

    >>> X = np.random.default_rng(0).normal(size=(30, 100))
    >>> found = lasso(X, 3 * X[:, 7] - 2 * X[:, 42] + 1, 0.5)
    >>> found.support, found.w[[7, 42]].round(2), round(found.b, 2), found.gap < 1e-7
    (array([ 7, 42]), array([ 2.23, -1.17]), 1.14, True)
    """
    return elastic_net(X, y, lam, 1.0, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter)


def elastic_net_path(
    X: ArrayLike,
    y: ArrayLike,
    l1_ratio: float,
    lams: ArrayLike | None = None,
    *,
    n: int = 100,
    least: float = 1e-3,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Path:
    r"""Solve the elastic net for a falling sequence of penalties, each from the solution before.

    Parameters are those of :func:`elastic_net`, with l1_ratio > 0, but for the penalties.

    Parameters
    ----------
    lams : array of shape (m,), optional
        The penalties, each > 0; they are taken from the largest to the smallest. By default ``n`` of them,
        evenly spaced on the logarithmic scale from :func:`lam_max` to ``least`` times it.
    n : int
        The number of penalties, where none are given.
    least : float
        The smallest penalty as a share of the largest, where none are given.

    References
    ----------
    Friedman, Hastie and Tibshirani, *Regularization paths for generalized linear models via coordinate
    descent*, 2010.

    Examples
    --------
    >>> path = elastic_net_path([[1.0], [-1.0]], [3.0, -3.0], 0.5, n=3, least=0.25)
    >>> path.lams, path.W[:, 0]
    (array([6. , 3. , 1.5]), array([0.        , 0.6       , 1.28571429]))
    """
    tol, max_iter = stopping(tol, max_iter)
    y = y if np.ndim(y) == 1 else _check.line(y, "y")
    data = centre(X, y, fit_intercept=fit_intercept, copy=False)
    largest = largest_penalty(data, l1_ratio)
    chosen, w, fits = FeatureSet(data), np.zeros(data.X.shape[1]), []
    for lam in falling(lams, largest, n, least).tolist():
        epochs = _epochs(*shares(lam, l1_ratio))
        fits.append(descend(chosen, w, lam, l1_ratio, epochs, tol=tol, max_iter=max_iter))
    return Path.of(fits)


def lasso_path(
    X: ArrayLike,
    y: ArrayLike,
    lams: ArrayLike | None = None,
    *,
    n: int = 100,
    least: float = 1e-3,
    fit_intercept: bool = True,
    tol: float = 1e-8,
    max_iter: int = 100_000,
) -> Path:
    r"""Solve the lasso for a falling sequence of penalties, each from the solution before.

    Parameters are among those of :func:`elastic_net_path`.

    Examples
    --------
    >>> path = lasso_path([[1.0], [-1.0]], [3.0, -3.0], n=3, least=0.25)
    >>> path.lams, path.W[:, 0]
    (array([3.  , 1.5 , 0.75]), array([0.  , 1.5 , 2.25]))
    """
    return elastic_net_path(
        X, y, 1.0, lams, n=n, least=least, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter
    )
