r"""The perceptron: whether a hyperplane can split two classes, and the algorithms that look for one.

A perceptron says :math:`\operatorname{sign}(\langle w, x\rangle + b)`. With a one in front of every
point, :math:`z = (1, x)` and :math:`v = (b, w)`, that is :math:`\operatorname{sign}\langle v, z\rangle`. A
point counts as misclassified when :math:`y\langle v,z\rangle\le0`, so a point on the boundary does too, and
from :math:`v=0` all points do.

Separability comes first. Classes are *separable* when some weights v have :math:`y_i\langle v, z_i\rangle>0`
for all i. That is a system of linear inequalities, so a linear programme decides it, whatever the dimension;
how many of the :math:`2^n` labellings of n points are separable was counted by Cover. Then come the
perceptron and the pocket algorithm, which repair one misclassified point at a time, and their guarantees.

References
----------
Cover, *Geometrical and statistical properties of systems of linear inequalities*, 1965; Rosenblatt, *The
perceptron: a probabilistic model for information storage and organization in the brain*, 1958; Novikoff, *On
convergence proofs on perceptrons*, 1962.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import comb
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import linprog, nnls

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices, Mask

__all__ = [
    "PLA",
    "MistakeBound",
    "Update",
    "column_basis",
    "cover_count",
    "is_separable",
    "mistake_bound",
    "pla",
    "pla_steps",
    "pocket",
    "separable_probability",
    "separated_points",
    "signed_points",
    "vc_bound",
]

# -- separability ------------------------------------------------------------------------------------------

ANSWERS = {0: True, 2: False}  # by the solver's status: solved, no solution; a third one would be its failure
MARGIN_ROUNDING = 1e-6  # by which the margin of the widest separation may fall short of one, by rounding
NEVER_ZERO = 1e-200  # instead of zero, to divide by
HALF = 0.5  # between 0 and 1, the two values that the programme of `separated_points` gives a point


def signed_points(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the rows :math:`a_i = y_i\,(1, x_i)`: weights v have point i right if :math:`a_i^\top v>0`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels -1 and +1.
    fit_intercept : bool
        Whether to put a one in front; else the rows are :math:`y_i\,x_i`.

    Examples
    --------
    >>> signed_points([[2.0], [3.0]], [1, -1])
    array([[ 1.,  2.],
           [-1., -3.]])
    """
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    y = _check.signs(y, len(X), both=False)
    return np.asarray(y[:, None] * (np.column_stack([np.ones(len(X)), X]) if fit_intercept else X))


def column_basis(A: ArrayLike) -> Array:
    r"""Return orthonormal columns that span what the columns of A span; where A is zero, a column of zeros.

    What hyperplanes can do depends on that span only; a programme in terms of the basis does not suffer from
    columns in very different units, with a large mean, or that depend on each other.

    Parameters
    ----------
    A : array of shape (n, p)
        Any columns.

    References
    ----------
    Golub and Van Loan, *Matrix Computations*, 2013, section 2.4.

    Examples
    --------
    >>> column_basis([[1.0, 1e9], [1.0, 1e9], [1.0, 1e9]]).round(3).tolist()
    [[-0.577], [-0.577], [-0.577]]
    """
    A = _check.matrix(A, "A").astype(np.float64)
    largest = np.abs(A).max(axis=0)
    U, s, _ = np.linalg.svd(A / np.where(largest > 0, largest, 1.0), full_matrices=False)
    kept = s > max(A.shape) * np.finfo(np.float64).eps * s[0]
    return np.asarray((U * kept)[:, : max(1, kept.sum())])


def _same_length(A: Any) -> sparse.csr_array:
    """Divide every row by its largest entry, which does not change on which side of a hyperplane it is."""
    A = sparse.csr_array(A)
    largest = abs(A).max(axis=1).toarray().ravel()
    return sparse.csr_array(sparse.diags_array(1 / np.where(largest > 0, largest, 1.0)) @ A)


def separated_points(A: Any) -> Mask:
    r"""Tell which points some weights have strictly on their right side while no point is on its wrong side.

    All true: the classes are separable. All false: they overlap, and the logistic risk has a minimum.
    Anything between is *quasi-complete* separation: some points can be pushed away for ever while the others
    stay on the boundary, and the logistic risk has no minimum either.

    By Gordan's theorem point i cannot be pushed away exactly if it takes part in a balance
    :math:`\sum_i u_i a_i = 0` with :math:`u\ge0` and :math:`u_i>0`. Balances may be added and scaled up, so
    the linear programme :math:`\max\sum_i\min(1,u_i)` over them ends with :math:`u_i\ge1` for every such
    point and :math:`u_i=0` for the others.

    Parameters
    ----------
    A : array or sparse array of shape (n, p)
        The rows :math:`a_i`, as :func:`signed_points` returns them.

    References
    ----------
    Albert and Anderson, *On the existence of maximum likelihood estimates in logistic regression models*,
    1984.

    Examples
    --------
    Two points of different classes share the place 0; the third can be told from them.

    >>> separated_points(signed_points([[0.0], [0.0], [1.0]], [-1, 1, 1]))
    array([False, False,  True])
    """
    columns = _same_length(A if sparse.issparse(A) else column_basis(A)).T
    p, n = columns.shape
    balance = linprog(  # u is the sum of a part below one, which counts, and a rest
        np.repeat([-1.0, 0.0], n),
        A_eq=sparse.hstack([columns, columns], format="csr"),
        b_eq=np.zeros(p),
        bounds=np.repeat([[0.0, 1.0], [0.0, np.inf]], n, axis=0),
        method="highs",
    )
    return np.asarray(balance.x[:n] < HALF)


def is_separable(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> bool:
    r"""Tell whether a hyperplane has all points of the two classes strictly on their sides.

    It has if and only if the inequalities :math:`y_i(\langle w,x_i\rangle+b)\ge1` have a solution.

    Parameters are those of :func:`signed_points`; with an intercept the hyperplane may miss the origin, and
    one class alone is separable.

    References
    ----------
    Mangasarian, *Linear and nonlinear separation of patterns by linear programming*, 1965.

    Examples
    --------
    A line can do "or" but not "exclusive or".

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> is_separable(corners, [-1, 1, 1, 1]), is_separable(corners, [-1, 1, 1, -1])
    (True, False)
    """
    A = _same_length(column_basis(signed_points(X, y, fit_intercept=fit_intercept)))
    n, p = A.shape
    found = linprog(np.zeros(p), A_ub=-A, b_ub=-np.ones(n), bounds=(None, None), method="highs")
    return ANSWERS[found.status]  # whether weights with <a_i, v> >= 1 for all i were found


def cover_count(n: int, d: int, *, fit_intercept: bool = True) -> int:
    r"""Count the labellings of n points in general position that a hyperplane separates.

    .. math:: C(n, d) = 2\sum_{k=0}^{d}\binom{n-1}{k}

    Parameters
    ----------
    n : int
        The number of points.
    d : int
        The dimension of their space.
    fit_intercept : bool
        Whether hyperplanes may miss the origin; if not, the sum ends at d - 1.

    Examples
    --------
    Of the 16 labellings of four points in the plane the two of "exclusive or" cannot be separated.

    >>> cover_count(3, 2), cover_count(4, 2)
    (8, 14)
    """
    n = _check.count(n, "n", "count at least one point")
    d = _check.count(d, "d", "points need at least one coordinate")
    return 2 * sum(comb(n - 1, k) for k in range(d + 1 if fit_intercept else d))


def separable_probability(n: int, d: int, *, fit_intercept: bool = True) -> float:
    r"""Return the probability that fair coins label n points in general position separably.

    It is 1 up to n = d + 1, exactly one half at n = 2(d + 1), and falls the more steeply around there the
    larger d is.

    Parameters are those of :func:`cover_count`; without an intercept d + 1 becomes d.

    Examples
    --------
    >>> separable_probability(3, 2), separable_probability(6, 2), separable_probability(60, 2) < 1e-14
    (1.0, 0.5, True)
    """
    separable = cover_count(n, d, fit_intercept=fit_intercept)
    return float(separable / 2 ** int(n))  # Python's powers have any length: NumPy's would overflow


# -- the algorithms ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Update:
    """One update of the perceptron algorithm.

    Attributes
    ----------
    n_iter : int
        Which update it is, from 1.
    sweep : int
        In which pass through the data it happened, from 1; random visits have no passes and say 1.
    i : int
        The point that was misclassified.
    w : array of shape (d,)
        The weights after the update.
    b : float
        The intercept after the update.
    error : float
        The error rate on the points after the update.
    """

    n_iter: int
    sweep: int
    i: int
    w: Array
    b: float
    error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PLA:
    """What the perceptron or the pocket algorithm found.

    Attributes
    ----------
    w : array of shape (d,)
        The weights: the last ones of the perceptron algorithm, the best ones of the pocket algorithm.
    b : float
        The intercept.
    n_iter : int
        The number of updates.
    converged : bool
        Whether no point is misclassified any more.
    trace : array of shape (n_iter + 1,)
        The error rate on the points at the start and after every update.
    log : array of shape (n_iter,)
        The points that the updates were for.
    path : array of shape (n_iter + 1, p)
        The weights at the start and after every update, the intercept in front (if there is one: p = d + 1).
    """

    w: Array = field(repr=False)
    b: float
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)
    log: Indices = field(repr=False)
    path: Array = field(repr=False)

    @property
    def gap(self) -> float:
        """The error rate on the training points."""
        return float(self.trace[-1])


class _Step(NamedTuple):
    """An update, with the weights in one piece."""

    sweep: int
    i: int
    v: Array
    error: float


def _split(v: Array, fit_intercept: bool) -> tuple[Array, float]:
    """Return the weights and the intercept."""
    return (v[1:], float(v[0])) if fit_intercept else (v, 0.0)


def _problem(X: ArrayLike, y: ArrayLike, fit_intercept: bool, w0: ArrayLike | None) -> tuple[Array, Array]:
    """Check the arguments; return the signed points and the first weights."""
    A = signed_points(X, y, fit_intercept=fit_intercept)
    if w0 is None:
        return A, np.zeros(A.shape[1])
    return A, _check.vector(w0, A.shape[1], "w0", "weight, the intercept in front").astype(np.float64)


def _updates(A: Array, v: Array, order: str, rng: np.random.Generator | int | None) -> Iterator[_Step]:
    """Yield updates until no point is misclassified."""
    if order not in ("cyclic", "random"):
        raise ValueError(f"order must be 'cyclic' or 'random', got {order!r}")
    draw = _check.generator(rng).choice if order == "random" else None  # type: ignore[arg-type]
    sweep, i = 1, -1
    wrong = np.flatnonzero(A @ v <= 0)
    while wrong.size:
        if draw is not None:  # visiting points at random until one is wrong
            i = int(draw(wrong))
        elif wrong[-1] > i:  # visiting them in turn: the next wrong one of this pass
            i = int(wrong[np.searchsorted(wrong, i, side="right")])
        else:
            sweep, i = sweep + 1, int(wrong[0])
        v = v + A[i]
        wrong = np.flatnonzero(A @ v <= 0)
        yield _Step(sweep, i, v, wrong.size / len(A))


def pla_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    order: str = "cyclic",
    rng: np.random.Generator | int | None = None,
    fit_intercept: bool = True,
    w0: ArrayLike | None = None,
) -> Iterator[Update]:
    r"""Yield the updates :math:`w\leftarrow w+y_ix_i,\ b\leftarrow b+y_i` of the perceptron algorithm.

    The generator ends when no point is misclassified. On data that are not separable it has no end.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels -1 and +1.
    order : "cyclic" or "random"
        Visit the points in turn, or every time a point drawn at random. A visit to a point that is right
        changes nothing, so a random visit amounts to drawing one of the misclassified points.
    rng : Generator or int, optional
        The source of the random visits, or its seed.
    fit_intercept : bool
        Whether there is an intercept.
    w0 : array of shape (d + 1,), optional
        The first weights, the intercept in front, or of shape (d,) without it; by default zero.

    Examples
    --------
    At the start both points count as misclassified; two updates are enough.

    >>> for u in pla_steps([[1.0], [-1.0]], [1, -1]):
    ...     print(u.n_iter, u.i, u.w, u.b, u.error)
    1 0 [1.] 1.0 0.5
    2 1 [2.] 0.0 0.0
    """
    A, v = _problem(X, y, fit_intercept, w0)
    for n_iter, step in enumerate(_updates(A, v, order, rng), start=1):
        w, b = _split(step.v, fit_intercept)
        yield Update(n_iter=n_iter, sweep=step.sweep, i=step.i, w=w, b=b, error=step.error)


def _run(A: Array, v: Array, steps: Iterator[_Step], fit_intercept: bool, *, keep_best: bool) -> PLA:
    """Follow the updates and return the last weights or the best ones."""
    error = float(np.mean(A @ v <= 0))
    path, trace, log = [v], [error], []
    for step in steps:
        if not keep_best or step.error < error:
            v, error = step.v, step.error
        path.append(v)
        trace.append(error)
        log.append(step.i)
    w, b = _split(v, fit_intercept)
    return PLA(
        w=w,
        b=b,
        n_iter=len(log),
        converged=error == 0,
        trace=np.array(trace),
        log=np.array(log, dtype=np.intp),
        path=np.array(path),
    )


def pla(
    X: ArrayLike,
    y: ArrayLike,
    *,
    order: str = "cyclic",
    rng: np.random.Generator | int | None = None,
    max_updates: int = 100_000,
    fit_intercept: bool = True,
    w0: ArrayLike | None = None,
) -> PLA:
    r"""Learn a perceptron: add :math:`y_i(1, x_i)` for a misclassified point, until none is left.

    On separable data it stops after at most :math:`(RB)^2` updates, see :func:`mistake_bound`. On other data
    it never does, and the weights after the last update need not be good ones: use :func:`pocket`.

    Parameters are those of :func:`pla_steps`, and one more.

    Parameters
    ----------
    max_updates : int
        The most updates to make.

    Examples
    --------
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [-2.0, 0.0]], [1, 1, -1, -1]
    >>> result = pla(X, y)
    >>> result.converged, result.gap, result.n_iter <= mistake_bound(X, y).bound
    (True, 0.0, True)
    """
    max_updates = _check.count(max_updates, "max_updates", "allow at least one update")
    A, v = _problem(X, y, fit_intercept, w0)
    return _run(A, v, islice(_updates(A, v, order, rng), max_updates), fit_intercept, keep_best=False)


def pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_iter: int,
    rng: np.random.Generator | int | None = None,
    order: str = "random",
    fit_intercept: bool = True,
    w0: ArrayLike | None = None,
) -> PLA:
    r"""Run the perceptron algorithm and keep, in the pocket, the weights with the fewest errors so far.

    With random visits the pocket holds weights with the fewest possible errors with a probability that tends
    to one as the updates go on; no number of updates is sure to be enough, and with cyclic visits the
    algorithm may run in a circle that misses them for ever.

    Parameters are those of :func:`pla_steps`, and one more; visits are random unless said otherwise.

    Parameters
    ----------
    n_iter : int
        The number of updates; fewer are made if a perfect perceptron is found.

    References
    ----------
    Gallant, *Perceptron-based learning algorithms*, 1990.

    Examples
    --------
    No threshold on the line is right on these four points; the best ones make a single error.

    >>> result = pocket([[1.0], [2.0], [3.0], [4.0]], [-1, 1, -1, 1], n_iter=50, rng=0)
    >>> result.gap, bool(np.all(np.diff(result.trace) <= 0))
    (0.25, True)
    """
    n_iter = _check.count(n_iter, "n_iter", "allow at least one update")
    A, v = _problem(X, y, fit_intercept, w0)
    return _run(A, v, islice(_updates(A, v, order, rng), n_iter), fit_intercept, keep_best=True)


# -- guarantees --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class MistakeBound:
    r"""How many updates the perceptron algorithm can need on separable data.

    Attributes
    ----------
    R : float
        The length of the longest point, the leading one included.
    B : float
        The length of the shortest weights, the intercept included, with :math:`y_i\langle v,z_i\rangle\ge1`.
    v : array of shape (p,)
        Those weights, the intercept in front if there is one.
    """

    R: float
    B: float
    v: Array = field(repr=False)

    @property
    def bound(self) -> float:
        r"""The bound :math:`(RB)^2` on the number of updates that start from zero."""
        return (self.R * self.B) ** 2


def mistake_bound(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> MistakeBound:
    r"""Bound the updates of the perceptron algorithm on separable data by :math:`(RB)^2`.

    Here :math:`z_i=(1,x_i)`, :math:`R=\max_i\lVert z_i\rVert` and
    :math:`B=\min\{\lVert v\rVert: y_i\langle v,z_i\rangle\ge1\}`. For the minimal v the vector
    :math:`v/\lVert v\rVert^2` is the point closest to zero in the convex hull of the :math:`y_iz_i`, which
    non-negative least squares finds.

    Parameters are those of :func:`signed_points`; the classes must be separable.

    References
    ----------
    Lawson and Hanson, *Solving Least Squares Problems*, 1974, chapter 23.

    Examples
    --------
    Two points at -1 and +1: :math:`R=\sqrt2`, and :math:`w=1, b=0` is the shortest.

    >>> found = mistake_bound([[-1.0], [1.0]], [-1, 1])
    >>> round(found.R, 6), round(found.B, 6), round(found.bound, 6)
    (1.414214, 1.0, 2.0)
    """
    A = signed_points(X, y, fit_intercept=fit_intercept)
    R = float(np.linalg.norm(A, axis=1).max())
    unit = A / max(R, NEVER_ZERO)
    # the weights u of the closest point of the hull, up to a factor: min |sum u_i a_i|^2 + (sum u_i - 1)^2
    u, _ = nnls(np.vstack([unit.T, np.ones(len(A))]), np.append(np.zeros(A.shape[1]), 1.0))
    closest = unit.T @ (u / u.sum())
    v = closest / max(float(closest @ closest), NEVER_ZERO) / max(R, NEVER_ZERO)
    if np.min(A @ v) < 1 - MARGIN_ROUNDING:
        raise ValueError("X and y must be separable by a hyperplane, but they are not; there is no bound")
    return MistakeBound(R=R, B=float(np.linalg.norm(v)), v=v)


def vc_bound(n: int, d_vc: int, delta: float) -> float:
    r"""Bound how far the error may exceed the training error, for all classifiers of a class at once.

    With probability at least :math:`1-\delta` over n training points
    :math:`E_{out}\le E_{in}+\sqrt{\tfrac8n\log\tfrac{4((2n)^{d_{vc}}+1)}\delta}`. Hyperplanes in d dimensions
    have :math:`d_{vc}=d+1`.

    Parameters
    ----------
    n : int
        The number of training points.
    d_vc : int
        The Vapnik-Chervonenkis dimension of the class.
    delta : float
        The probability that the bound may fail, above 0.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, theorem 2.5.

    Examples
    --------
    For three weights a thousand points say little, a hundred times as many something.

    >>> round(vc_bound(1000, 3, 0.1), 2), round(vc_bound(100_000, 3, 0.1), 2)
    (0.46, 0.06)
    """
    n = _check.count(n, "n", "learn from at least one point")
    d_vc = _check.count(d_vc, "d_vc", "a class that shatters one point has dimension 1")
    delta = _check.positive(delta, "delta", "it is the probability that the bound fails")
    growth = np.logaddexp(d_vc * np.log(2 * n), 0.0)  # log((2n)^d_vc + 1)
    return float(np.sqrt(8 / n * (growth + np.log(4 / delta))))
