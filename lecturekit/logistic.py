r"""Logistic regression for two classes and softmax regression for more: linear scores made probabilities.

The model of two classes is :math:`P(y\mid x)=\sigma(y\,(\langle w,x\rangle+b))` for labels :math:`y=\pm1`,
with :math:`\sigma(s)=1/(1+e^{-s})`: the score is the logarithm of the odds. Minus the logarithm of the
likelihood, divided by n, is the logistic risk :math:`\frac1n\sum_i\log(1+e^{-M_i})` of the margins
:math:`M_i=y_i(\langle w,x_i\rangle+b)`, and Newton's method finds its minimum.

Of more classes every one has its own score :math:`s_k=\langle w_k,x\rangle+b_k`, and the probabilities are
:math:`t_k=e^{s_k}/\sum_je^{s_j}`. Adding the same vector to all :math:`w_k` changes none of them. Minus the
logarithm of the likelihood, divided by n, is the cross-entropy; L-BFGS finds its minimum.

References
----------
Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, section 3.3; Bishop, *Pattern Recognition and
Machine Learning*, 2006, section 4.3.4; Hastie, Tibshirani and Friedman, *The Elements of Statistical
Learning*, 2009, section 4.4.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_solve, cholesky
from scipy.linalg.blas import dsyrk
from scipy.optimize import OptimizeResult, minimize
from scipy.special import expit

from lecturekit import _check
from lecturekit._newton import damped
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.perceptron import column_basis, separated_points, signed_points

__all__ = [
    "LogisticFit",
    "LogisticIterate",
    "SoftmaxFit",
    "cross_entropy",
    "logistic",
    "logistic_gradient",
    "logistic_hessian",
    "logistic_risk",
    "logistic_steps",
    "softmax",
    "softmax_gradient",
    "softmax_regression",
]

WEIGHTED_BYTES = 400_000  # of rows that are weighted at a time: they stay in the cache till multiplied
MOVING = 0.1  # change of a margin in the last step that casts doubt on a minimum; without one it is about 1
EPS = float(np.finfo(np.float64).eps)
CORRECTIONS = 10  # steps that L-BFGS remembers
MOST_TRIALS = 20  # evaluations a step, the most that the line search of L-BFGS-B makes
SUM_ROUNDING = 1e-9  # by which the sum of a row of probabilities may miss one

NO_MINIMUM = (
    "X and y must overlap where lam = 0, but a hyperplane tells {k} of {n} points from the other class, so "
    "that larger weights are always better; take lam > 0"
)
SEPARABLE_CLASSES = (
    "X and y must overlap where lam = 0, but some points can be told from another class by a hyperplane, so "
    "that larger weights are always better; take lam > 0"
)


# -- the logistic risk -------------------------------------------------------------------------------------


def _design(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> tuple[Array, Array, Array]:
    """Check weights, points and labels."""
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    return _check.vector(w, X.shape[1], "w", "column of X"), X, _check.signs(y, len(X), both=False)


def _softplus(M: Array) -> Array:
    """Return log(1 + e^-M) without overflow."""
    return np.log1p(np.exp(-np.abs(M))) - np.minimum(M, 0)


def logistic_risk(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> float:
    r"""Return the mean of :math:`\log(1+e^{-M_i})` over the margins :math:`M_i=y_i\langle w,x_i\rangle`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X : array of shape (n, d)
        The points; put a column of ones in front for an intercept.
    y : array of shape (n,)
        Labels -1 and +1.

    Examples
    --------
    Weights zero say one half to everything, at a cost of log 2 a point.

    >>> round(float(np.exp(logistic_risk([0.0], [[1.0], [2.0]], [1, -1]))), 6)
    2.0
    """
    w, X, y = _design(w, X, y)
    return float(np.mean(_softplus(y * (X @ w))))


def logistic_gradient(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the gradient of the logistic risk, :math:`-\frac1n\sum_iy_ix_i\,\sigma(-M_i)`.

    Parameters are those of :func:`logistic_risk`.

    Examples
    --------
    >>> logistic_gradient([0.0], [[1.0], [2.0]], [1, -1])
    array([0.25])
    """
    w, X, y = _design(w, X, y)
    return np.asarray(-(y * expit(-y * (X @ w))) @ X / len(X))


def logistic_hessian(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the matrix of second derivatives, :math:`\frac1n\sum_i\sigma(M_i)\sigma(-M_i)\,x_ix_i^\top`.

    Parameters are those of :func:`logistic_risk`; the labels cancel.

    Examples
    --------
    >>> logistic_hessian([0.0], [[1.0], [2.0]], [1, -1])
    array([[0.625]])
    """
    w, X, y = _design(w, X, y)
    M = y * (X @ w)
    return np.asarray((X.T * (expit(M) * expit(-M))) @ X / len(X))


# -- Newton's method ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class LogisticIterate:
    r"""Where Newton's method stands.

    Attributes
    ----------
    n_iter : int
        Steps taken so far.
    objective : float
        The penalised risk.
    gap : float
        The largest entry of its gradient, without the sign.
    moved : float
        The largest change of a margin in the last step.
    w : array of shape (d,)
        The weights.
    b : float
        The intercept.
    """

    n_iter: int
    objective: float
    gap: float
    moved: float
    w: Array = field(repr=False)
    b: float


@dataclass(frozen=True, kw_only=True, eq=False)
class LogisticFit:
    r"""A fitted logistic regression.

    Attributes
    ----------
    w : array of shape (d,)
        The weights.
    b : float
        The intercept, zero if none was asked for.
    n_iter : int
        Newton steps taken.
    converged : bool
        Whether the gradient reached the tolerance.
    trace : array of shape (n_iter + 1,)
        The largest entry of the gradient, without the sign, at the start and after every step.
    objectives : array of shape (n_iter + 1,)
        The penalised risk at the start and after every step; but for rounding it never rises.
    """

    w: Array = field(repr=False)
    b: float
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)
    objectives: Array = field(repr=False)

    @property
    def gap(self) -> float:
        """The largest entry of the gradient without its sign, which is zero at the minimum and only there."""
        return float(self.trace[-1])


def _weighted_square(X: Array, root: Array, fit_intercept: int) -> Array:
    """Return the upper triangle of the sum of root_i^2 z_i z_i^T, where z_i = (1, x_i) or x_i."""
    p = X.shape[1] + fit_intercept
    square, rows = np.zeros((p, p), order="F"), max(1, WEIGHTED_BYTES // (8 * p))
    block = np.empty((min(rows, len(X)), p))
    for start in range(0, len(X), rows):
        part = root[start : start + rows, None]
        weighted = block[: len(part)]
        np.multiply(X[start : start + rows], part, out=weighted[:, fit_intercept:])
        weighted[:, :fit_intercept] = part
        square = dsyrk(1.0, weighted.T, beta=1.0, c=square, overwrite_c=True)  # half of a full product
    return square


def _newton_step(H: Array, g: Array) -> Array | None:
    """Solve H step = -g from the upper triangle of H, or return None where H is singular but for rounding."""
    try:
        factor = cholesky(H, check_finite=False)
    except LinAlgError:
        return None
    # the square of pivot j is the part of H_jj that the columns before it leave unexplained
    if not np.all(np.diag(factor) ** 2 > len(g) * EPS * np.diag(H)):
        return None
    return np.asarray(-cho_solve((factor, False), g, check_finite=False))


def _refuse(X: Array, y: Array, lam: float, fit_intercept: bool) -> None:
    """Raise what is wrong if the classes can be separated, at least some points from the others."""
    if lam == 0:
        separated = separated_points(signed_points(X, y, fit_intercept=fit_intercept))
        if np.any(separated):
            raise ValueError(NO_MINIMUM.format(k=separated.sum(), n=len(y)))


def logistic_steps(
    X: ArrayLike, y: ArrayLike, *, lam: float = 0.0, fit_intercept: bool = True
) -> Iterator[LogisticIterate]:
    r"""Yield the iterates of Newton's method on the penalised logistic risk, the first at zero.

    A step solves :math:`H\,s=-g`, and is halved until the objective falls. Solving for :math:`v+s` instead of
    s would be a least-squares problem with weights :math:`\sigma(M_i)\sigma(-M_i)`: the method is also called
    iteratively reweighted least squares. The generator ends where rounding keeps the gradient from shrinking.

    Parameters are those of :func:`logistic`.

    Examples
    --------
    Near the minimum the number of correct digits doubles in every step.

    >>> steps = logistic_steps([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1])
    >>> ["%.0e" % it.gap for it in islice(steps, 5)]
    ['2e-01', '2e-02', '9e-04', '1e-06', '4e-12']
    """
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    y, lam = _check.signs(y, len(X)), _check.nonnegative(lam, "lam", "it is the strength of the penalty")
    n, c = len(X), int(fit_intercept)
    penalty = np.repeat([0.0, lam], [c, X.shape[1]])

    def value(v: Array, M: Array) -> float:
        return float(np.mean(_softplus(M)) + penalty @ v**2 / 2)

    def along(v: Array, M: Array, step: Array, dM: Array, t: float) -> float:
        return value(v + t * step, M + t * dM)

    v, M, moved, lowest = np.zeros(len(penalty)), np.zeros(n), np.inf, np.inf
    objective, n_iter = value(v, M), 0
    while True:
        wrong = expit(-M)
        pull = -y * wrong / n
        g = np.append(np.full(c, pull.sum()), pull @ X) + penalty * v
        gap = float(np.max(np.abs(g)))
        if gap >= lowest:
            return
        if lam == 0 and np.all(M > 0):
            raise ValueError(NO_MINIMUM.format(k=n, n=n))
        b = float(v[0]) if fit_intercept else 0.0
        yield LogisticIterate(n_iter=n_iter, objective=objective, gap=gap, moved=moved, w=v[c:], b=b)
        H = _weighted_square(X, np.sqrt(wrong * (1 - wrong) / n), c)
        H.flat[:: len(v) + 1] += penalty
        step = _newton_step(H, g)
        if step is None:
            _refuse(X, y, lam, fit_intercept)
            raise ValueError(f"the columns of X must be independent where lam = {lam:g}; take a larger lam")
        dM = y * (X @ step[c:] + (step[0] if fit_intercept else 0.0))
        t = damped(partial(along, v, M, step, dM), objective, -float(g @ step))
        if t is None:
            t, lowest = 1.0, gap  # the objective cannot judge: the gradient must shrink
        v, M, moved = v + t * step, M + t * dM, float(np.max(np.abs(t * dM)))
        objective, n_iter = value(v, M), n_iter + 1


def logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lam: float = 0.0,
    fit_intercept: bool = True,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> LogisticFit:
    r"""Minimise the penalised logistic risk by Newton's method.

    .. math:: \min_{w,b}\ \frac1n\sum_i\log(1+e^{-y_i(\langle w,x_i\rangle+b)})+\frac\lambda2\lVert w\rVert^2

    Without a penalty there is a minimum only if the classes overlap. Where a hyperplane has some points
    strictly on their right side and no point on its wrong side, larger weights along it are always better.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels -1 and +1.
    lam : float
        The strength of the penalty, at least 0; the intercept is not penalised.
    fit_intercept : bool
        Whether there is an intercept.
    tol : float
        Stop when no entry of the gradient is larger than this.
    max_iter : int
        The most Newton steps.

    Examples
    --------
    The only feature is whether a coin was red. Of the red ones two in three fell heads, of the others one in
    three, and that is what the fitted model says.

    >>> red, heads = np.array([[1.0], [1], [1], [0], [0], [0]]), [1, 1, -1, 1, -1, -1]
    >>> fit = logistic(red, heads)
    >>> expit(red @ fit.w + fit.b).round(4)
    array([0.6667, 0.6667, 0.6667, 0.3333, 0.3333, 0.3333])
    """
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    iterates: list[LogisticIterate] = []
    for iterate in islice(logistic_steps(X, y, lam=lam, fit_intercept=fit_intercept), max_iter + 1):
        iterates.append(iterate)
        if iterate.gap <= tol:
            break
    last = iterates[-1]
    if last.moved > MOVING:
        _refuse(np.asarray(X), np.asarray(y), lam, fit_intercept)
    return LogisticFit(
        w=last.w,
        b=last.b,
        n_iter=last.n_iter,
        converged=last.gap <= tol,
        trace=np.array([one.gap for one in iterates]),
        objectives=np.array([one.objective for one in iterates]),
    )


# -- softmax and cross-entropy -----------------------------------------------------------------------------


def softmax(S: ArrayLike) -> Array:
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


def _checked(W: ArrayLike, X: ArrayLike, Y: ArrayLike) -> tuple[Array, Array, Array]:
    """Check weights, points and one-hot labels."""
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    W, Y = _check.matrix(W, "W"), _check.matrix(Y, "Y")
    if W.shape[1] != X.shape[1] or Y.shape != (len(X), len(W)):
        raise ValueError(
            f"W must have shape (K, {X.shape[1]}) and Y ({len(X)}, K), got {W.shape} and {Y.shape}; "
            "give one row of W and one column of Y a class"
        )
    if np.any(Y < 0) or np.any(np.abs(Y.sum(axis=1) - 1) > SUM_ROUNDING):
        raise ValueError(
            "Y must hold one-hot labels, got a row that is no distribution; see features.one_hot"
        )
    return W, X, Y


def cross_entropy(W: ArrayLike, X: ArrayLike, Y: ArrayLike) -> float:
    r"""Return :math:`-\frac1n\sum_i\sum_kY_{ik}\log t_{ik}` with the softmax probabilities t.

    Parameters
    ----------
    W : array of shape (K, d)
        The weights, one row a class.
    X : array of shape (n, d)
        The points; put a column of ones in front for intercepts.
    Y : array of shape (n, K)
        The labels, one-hot: row i has a one in the column of its class.

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


def softmax_gradient(W: ArrayLike, X: ArrayLike, Y: ArrayLike) -> Array:
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


# -- L-BFGS ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftmaxFit:
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


def _codes(y: ArrayLike, n: int) -> tuple[Any, Indices]:
    """Return the sorted classes and the position among them of every label."""
    labels = _check.labels(y, "y", "class")
    if len(labels) != n:
        raise ValueError(f"y must have shape ({n},), got {labels.shape}; give one label a point")
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
    X: ArrayLike,
    y: ArrayLike,
    *,
    lam: float = 1e-3,
    fit_intercept: bool = True,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> SoftmaxFit:
    r"""Minimise the penalised cross-entropy by L-BFGS.

    .. math:: \min_{W,b}\ -\frac1n\sum_i\log t_{iy_i}+\frac\lambda2\sum_k\lVert w_k\rVert^2

    Two classes are logistic regression with :math:`w=w_2-w_1` and half the penalty,
    :math:`\lambda\lVert w_1\rVert^2/2+\lambda\lVert w_2\rVert^2/2=\tfrac\lambda2\lVert w\rVert^2/2`, because
    the minimum has :math:`w_1=-w_2`.

    Parameters are those of :func:`logistic`, but for two.

    Parameters
    ----------
    y : array of shape (n,)
        Labels of any kind, of at least two classes.
    lam : float
        The strength of the penalty, at least 0; the intercepts are not penalised. Of many classes some points
        can often be told from some class by a hyperplane; without a penalty there is no minimum then, and a
        linear programme asks for it first, which takes a while for many points.

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
    n, K, c = len(X), len(classes), int(fit_intercept)
    Z = np.column_stack([np.ones((n, c)), X])
    if lam == 0 and np.any(separated_points(_comparisons(column_basis(Z), codes, K))):
        raise ValueError(SEPARABLE_CLASSES)
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
    return SoftmaxFit(
        W=V[:, c:],
        b=V[:, 0] if fit_intercept else np.zeros(K),
        classes=classes,
        objective=float(found.fun),
        n_iter=int(found.nit),
        converged=trace[-1] <= tol,
        trace=np.array(trace),
    )
