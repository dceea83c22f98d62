r"""Softmax regression: logistic regression for more than two classes.

Every class k has its own score :math:`s_k=\langle w_k,x\rangle+b_k`, and the probabilities are
:math:`t_k=e^{s_k}/\sum_je^{s_j}`. Adding the same vector to all :math:`w_k` changes none of them. Minus the
logarithm of the likelihood, divided by n, is the cross-entropy.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import OptimizeResult, minimize

from lecturekit import _check
from lecturekit._typing import Array, Indices
from lecturekit.separability import column_basis, separated_points

__all__ = ["Softmax", "cross_entropy", "softmax", "softmax_gradient", "softmax_regression"]

CORRECTIONS = 10  # steps that L-BFGS remembers
MOST_TRIALS = 20  # evaluations a step, the most that the line search of L-BFGS-B makes
WHOLE = 1e-9  # by which the sum of a row of probabilities may miss one

NO_MINIMUM = (
    "X and y must overlap where lam = 0, but some points can be told from another class by a hyperplane, so "
    "that larger weights are always better; take lam > 0"
)


# -- the risk ----------------------------------------------------------------------------------------------


def softmax(S: Any) -> Array:
    r"""Return the probabilities :math:`e^{s_k}/\sum_je^{s_j}` of every row of scores.

    Parameters
    ----------
    S : array of shape (n, K)
        The scores, one row a point.

    References
    ----------
    Bridle, *Probabilistic interpretation of feedforward classification network outputs*, 1990.

    Examples
    --------
    Only differences of scores matter, so large ones do no harm.

    >>> softmax([[0.0, np.log(3)], [1000.0, 1000.0]])
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    S = _check.matrix(S, "S").astype(np.float64)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return np.asarray(E / E.sum(axis=1, keepdims=True))


def _checked(W: Any, X: Any, Y: Any) -> tuple[Array, Array, Array]:
    """Check weights, points and one-hot labels."""
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    W, Y = _check.matrix(W, "W"), _check.matrix(Y, "Y")
    if W.shape[1] != X.shape[1] or Y.shape != (len(X), len(W)):
        raise ValueError(
            f"W must have shape (K, {X.shape[1]}) and Y ({len(X)}, K), got {W.shape} and {Y.shape}; "
            "give one row of W and one column of Y a class"
        )
    if np.any(Y < 0) or np.any(np.abs(Y.sum(axis=1) - 1) > WHOLE):
        raise ValueError(
            "Y must hold one-hot labels, got a row that is no distribution; see features.one_hot"
        )
    return W, X, Y


def cross_entropy(W: Any, X: Any, Y: Any) -> float:
    r"""Return :math:`-\frac1n\sum_i\sum_kY_{ik}\log t_{ik}` with the softmax probabilities t.

    Parameters
    ----------
    W : array of shape (K, d)
        The weights, one row a class.
    X : array of shape (n, d)
        The points; put a column of ones in front for intercepts.
    Y : array of shape (n, K)
        The labels, one-hot: row i has a one in the column of its class.

    References
    ----------
    Bishop, *Pattern Recognition and Machine Learning*, 2006, section 4.3.4.

    Examples
    --------
    Weights zero give every one of K classes the same probability, at a cost of log K a point.

    >>> round(float(np.exp(cross_entropy(np.zeros((4, 2)), np.ones((3, 2)), np.eye(4)[:3]))), 6)
    4.0
    """
    W, X, Y = _checked(W, X, Y)
    S = X @ W.T
    S = S - S.max(axis=1, keepdims=True)
    return float(np.mean(np.log(np.exp(S).sum(axis=1)) - np.sum(Y * S, axis=1)))


def softmax_gradient(W: Any, X: Any, Y: Any) -> Array:
    r"""Return the gradient of the cross-entropy; its row k is :math:`\frac1n\sum_i(t_{ik}-Y_{ik})\,x_i`.

    Parameters are those of :func:`cross_entropy`.

    Examples
    --------
    >>> softmax_gradient(np.zeros((2, 1)), [[1.0], [3.0]], [[1, 0], [1, 0]])
    array([[-1.],
           [ 1.]])
    """
    W, X, Y = _checked(W, X, Y)
    return np.asarray((softmax(X @ W.T) - Y).T @ X / len(X))


# -- fitting it --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Softmax:
    r"""A fitted softmax regression.

    Attributes
    ----------
    W : array of shape (K, d)
        The weights, one row a class; the rows sum to zero.
    b : array of shape (K,)
        The intercepts, which sum to zero; all zero if none were asked for.
    classes : array of shape (K,)
        The labels, sorted.
    objective : float
        The penalised cross-entropy.
    n_iter : int
        Steps taken.
    converged : bool
        Whether the gradient reached the tolerance.
    trace : array of shape (n_iter + 1,)
        The largest entry of the gradient, without the sign, at the start and after every step.
    """

    W: Array = field(repr=False)
    b: Array = field(repr=False)
    classes: Any = field(repr=False)
    objective: float
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)

    @property
    def gap(self) -> float:
        """The largest entry of the gradient without its sign, which is zero at the minimum and only there."""
        return float(self.trace[-1])


def _codes(y: Any, n: int) -> tuple[Any, Indices]:
    """Return the sorted classes and the position among them of every label."""
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise ValueError(f"y must have shape ({n},), got {labels.shape}; give one label a point")
    if labels.dtype.kind == "f" and np.any(np.isnan(labels)):
        raise ValueError("y must not contain NaN; drop the points without a label")
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y must contain at least two classes, got one class: {classes[0]!r}")
    return classes, codes


def _comparisons(Z: Array, codes: Indices, K: int) -> sparse.coo_array:
    """Return a row for every point and every other class: times the weights it is s_y - s_k."""
    point, other = np.nonzero(np.arange(K) != codes[:, None])
    m, p = len(point), Z.shape[1]
    row, feature = np.repeat(np.arange(m), p), np.tile(np.arange(p), m)
    column = np.stack([np.repeat(codes[point] * p, p), np.repeat(other * p, p)]) + feature
    values = np.stack([Z[point].ravel(), -Z[point].ravel()])
    return sparse.coo_array((values.ravel(), (np.tile(row, 2), column.ravel())), shape=(m, K * p))


def softmax_regression(
    X: Any,
    y: Any,
    *,
    lam: float = 1e-3,
    intercept: bool = True,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> Softmax:
    r"""Minimise the penalised cross-entropy by L-BFGS.

    .. math:: \min_{W,b}\ -\frac1n\sum_i\log t_{iy_i}+\frac\lambda2\sum_k\lVert w_k\rVert^2

    Two classes are logistic regression with :math:`w=w_2-w_1` and half the penalty,
    :math:`\lambda\lVert w_1\rVert^2/2+\lambda\lVert w_2\rVert^2/2=\tfrac\lambda2\lVert w\rVert^2/2`, because
    the minimum has :math:`w_1=-w_2`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels of any kind, of at least two classes.
    lam : float
        The strength of the penalty, at least 0; the intercepts are not penalised. Of many classes some points
        can often be told from some class by a hyperplane; without a penalty there is no minimum then, and a
        linear programme asks for it first, which takes a while for many points.
    intercept : bool
        Whether there are intercepts.
    tol : float
        Stop when no entry of the gradient is larger than this.
    max_iter : int
        The most steps.

    References
    ----------
    Liu and Nocedal, *On the limited memory BFGS method for large scale optimization*, 1989.

    Examples
    --------
    Three groups whose members say a, b or c in different shares; the model finds the shares.

    >>> group = np.repeat(np.eye(3), 4, axis=0)
    >>> fit = softmax_regression(group, list("aabcabbcabcc"), lam=0.0, tol=1e-9)
    >>> softmax(group[::4] @ fit.W.T + fit.b).round(4)
    array([[0.5 , 0.25, 0.25],
           [0.25, 0.5 , 0.25],
           [0.25, 0.25, 0.5 ]])
    """
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    lam = _check.nonnegative(lam, "lam", "it is the strength of the penalty")
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    classes, codes = _codes(y, len(X))
    n, K, c = len(X), len(classes), int(intercept)
    Z = np.column_stack([np.ones((n, c)), X])
    if lam == 0 and np.any(separated_points(_comparisons(column_basis(Z), codes, K))):
        raise ValueError(NO_MINIMUM)
    penalty, points, gaps = np.repeat([0.0, lam], [c, X.shape[1]]), np.arange(n), []

    def value(flat: Array) -> tuple[float, Array]:
        V = flat.reshape(K, -1)
        T = V @ Z.T
        T -= T.max(axis=0)
        own = T[codes, points].sum()
        np.exp(T, out=T)
        total = T.sum(axis=0)
        T /= total
        T[codes, points] -= 1
        G = T @ Z / n + penalty * V
        gaps.append(float(np.max(np.abs(G))))
        return float((np.log(total).sum() - own) / n + np.sum(penalty * V**2) / 2), G.ravel()

    def note(intermediate_result: OptimizeResult) -> None:
        trace.append(gaps[-1])

    trace = [float("inf")]
    found = minimize(
        value,
        np.zeros(K * Z.shape[1]),
        jac=True,
        method="L-BFGS-B",
        callback=note,
        options={
            "gtol": tol,
            "ftol": 0.0,
            "maxiter": max_iter,
            "maxfun": MOST_TRIALS * max_iter,
            "maxcor": CORRECTIONS,
        },
    )
    V, trace[0] = found.x.reshape(K, -1), gaps[0]
    return Softmax(
        W=V[:, c:],
        b=V[:, 0] if intercept else np.zeros(K),
        classes=classes,
        objective=float(found.fun),
        n_iter=int(found.nit),
        converged=trace[-1] <= tol,
        trace=np.array(trace),
    )
