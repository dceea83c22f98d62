"""The dual of the support vector machine: objectives, certificates, the bias, and the driver of its solvers.

Everything here takes the scores instead of the kernel matrix, because every solver keeps them up to date.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

import numpy as np
from tqdm import tqdm

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices

INEXACT = "an exact solution is not to be had in floating point"  # why a tolerance may not be zero

# -- what a solver yields and returns ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Iterate:
    r"""Where a solver stands.

    Attributes
    ----------
    n_iter, kernel_values : int
        Steps taken, in the solver's own unit, and kernel values computed so far.
    dual, violation : float
        The dual objective, and how far it is from optimal: :func:`kkt_residual` with a bias,
        :func:`box_residual` without.
    alpha : array of shape (n,)
        The multipliers. They are the solver's own array: copy what you want to keep.
    scores : callable
        Returns the scores f, which a linear solver computes only when asked.
    w : array of shape (d,), optional
        The weights, for a linear solver.
    """

    n_iter: int
    kernel_values: int
    dual: float
    violation: float
    alpha: Array = field(repr=False)
    scores: Callable[[], Array] = field(repr=False)
    w: Array | None = field(default=None, repr=False)

    @property
    def f(self) -> Array:
        """The scores, without the bias."""
        return self.scores()


@dataclass(frozen=True, kw_only=True, eq=False)
class SVMDual:
    r"""A solution of the dual, with the certificate that says how good it is.

    Attributes
    ----------
    alpha, f : arrays of shape (n,)
        The multipliers, and the scores of the training points without the bias.
    b : float
        The bias; zero for solvers without one.
    b_interval : pair of float
        All biases that are optimal together with ``alpha``; when some multiplier is free it shrinks to one
        point, about which the ends may cross by as much as the violation.
    primal, dual, violation : float
        The two objectives, and the residual on which the solver stopped.
    converged : bool
        Whether the residual reached the tolerance.
    n_iter : int
        Steps taken, in the solver's own unit.
    trace : tuple of (n_iter, kernel_values, dual, violation)
        The history, one entry for each time the solver reported.
    w : array of shape (d,), optional
        The weights, from a linear solver.
    """

    alpha: Array = field(repr=False)
    f: Array = field(repr=False)
    b: float
    b_interval: tuple[float, float] = field(repr=False)
    primal: float
    dual: float
    violation: float
    converged: bool
    n_iter: int
    trace: tuple[tuple[int, int, float, float], ...] = field(repr=False)
    w: Array | None = field(default=None, repr=False)

    @property
    def gap(self) -> float:
        """The primal minus the dual objective, which bounds how far the primal one is from its minimum."""
        return self.primal - self.dual

    @property
    def support(self) -> Indices:
        """Positions of the support vectors."""
        return np.flatnonzero(self.alpha > 0)


# -- costs -------------------------------------------------------------------------------------------------


def _one_each(C: ArrayLike, n: int) -> Array:
    """Return one positive cost for each of n points."""
    each = np.full(n, _check.real(C, "C")) if np.ndim(C) == 0 else np.array(_check.vector(C, n, "C"))
    if np.any(each <= 0):
        raise ValueError(f"C must be > 0, got {each.min():g}; a point without cost should be left out")
    return each


def costs(C: ArrayLike, y: ArrayLike, class_weight: Mapping[int, float] | str | None = None) -> Array:
    r"""Return one cost a point: C times the weight of the point's class.

    Parameters
    ----------
    C : float or array of shape (n,)
        The cost of violating the margin, > 0.
    y : array of shape (n,)
        Labels -1 and +1.
    class_weight : mapping or "balanced", optional
        Weights of the classes -1 and +1; "balanced" takes :math:`n/(2N_\pm)`, so that both classes weigh
        the same in the sum.

    Examples
    --------
    >>> costs(1.0, [-1, 1, 1, 1], "balanced")
    array([2.        , 0.66666667, 0.66666667, 0.66666667])
    """
    y = _check.signs(y, None, both=False)
    each = _one_each(C, len(y))
    if class_weight is None:
        return each
    if class_weight == "balanced":
        weight = {label: len(y) / (2 * max(int(np.sum(y == label)), 1)) for label in (-1, 1)}
    elif isinstance(class_weight, Mapping) and set(class_weight) <= {-1, 1}:
        weight = {-1: 1.0, 1: 1.0} | dict(class_weight)
    else:
        raise ValueError(
            f'class_weight must be None, "balanced" or a mapping of -1 and +1 to weights, '
            f"got {class_weight!r}"
        )
    for label, value in weight.items():
        _check.positive(value, f"class_weight[{label}]", "a class without weight should be left out")
    return np.asarray(each * np.where(y > 0, weight[1], weight[-1]))


# -- for the solvers, whose arrays were checked when they came in ------------------------------------------


def dual_value(alpha: Array, f: Array, y: Array) -> float:
    """Return the dual objective."""
    return float(np.sum(alpha) - 0.5 * np.sum(alpha * y * f))


def bias_bounds(alpha: Array, f: Array, y: Array, C: Array) -> tuple[float, float]:
    """Return the bounds on the bias: a y_i alpha_i that may rise bounds it below, one that may fall above."""
    can_grow, can_shrink = alpha < C, alpha > 0
    rise, fall = np.where(y > 0, can_grow, can_shrink), np.where(y > 0, can_shrink, can_grow)
    lower = float(np.max(y - f, where=rise, initial=-np.inf))
    upper = float(np.min(y - f, where=fall, initial=np.inf))
    return lower, upper


def kkt_violation(alpha: Array, f: Array, y: Array, C: Array) -> float:
    """Return how far the bounds on the bias cross."""
    lower, upper = bias_bounds(alpha, f, y, C)
    return max(lower - upper, 0.0)


def box_violation(alpha: Array, f: Array, y: Array, C: Array) -> float:
    """Return the largest admissible slope of the dual without a bias."""
    slope = 1 - y * f
    admissible = np.where(slope > 0, alpha < C, alpha > 0)
    return float(np.max(np.abs(slope), where=admissible, initial=0.0))


# -- objectives and certificates ---------------------------------------------------------------------------


def _checked(
    alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike = 1.0
) -> tuple[Array, Array, Array, Array]:
    """Return multipliers, scores, labels and costs as arrays of one length."""
    y = _check.signs(y, None, both=False)
    alpha = _check.vector(alpha, len(y), "alpha", "label of y")
    return alpha, _check.vector(f, len(y), "f", "label of y"), y, _one_each(C, len(y))


def dual_objective(alpha: ArrayLike, f: ArrayLike, y: ArrayLike) -> float:
    r"""Return :math:`\sum_i\alpha_i - \tfrac12\sum_i\alpha_i y_i f_i`.

    Parameters
    ----------
    alpha, f, y : arrays of shape (n,)
        Multipliers, scores without the bias, labels -1 and +1.

    Examples
    --------
    Two points at -1 and +1 with multipliers 1/2 each:

    >>> dual_objective([0.5, 0.5], [-1, 1], [-1, 1])
    0.5
    """
    return dual_value(*_checked(alpha, f, y)[:3])


def primal_objective(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike, b: float = 0.0) -> float:
    r"""Return :math:`\tfrac12\lVert w\rVert^2 + \sum_i C_i\max(0, 1 - y_i(f_i + b))`.

    The weights are :math:`w=\sum_i\alpha_iy_i\phi(x_i)`, so :math:`\lVert w\rVert^2=\sum_i\alpha_iy_if_i`.

    Parameters are those of :func:`dual_objective`, the ``C`` of :func:`costs`, and the bias ``b``.

    Examples
    --------
    At the optimum it equals the dual objective:

    >>> primal_objective([0.5, 0.5], [-1, 1], [-1, 1], C=10.0)
    0.5
    """
    alpha, f, y, C = _checked(alpha, f, y, C)
    slack = np.maximum(0, 1 - y * (f + _check.real(b, "b")))
    return float(0.5 * np.sum(alpha * y * f) + np.sum(C * slack))


def duality_gap(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike, b: float = 0.0) -> float:
    r"""Return primal minus dual objective; for feasible :math:`\alpha` it is never negative.

    Parameters are those of :func:`primal_objective`.

    Examples
    --------
    Weak duality at the feasible point zero: nothing learned, every point pays its cost.

    >>> duality_gap([0, 0], [0, 0], [-1, 1], C=10.0)
    20.0
    """
    return primal_objective(alpha, f, y, C, b) - dual_objective(alpha, f, y)


def bias_interval(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike) -> tuple[float, float]:
    r"""Return the largest lower and the smallest upper bound that the KKT conditions put on the bias.

    A multiplier that may rise in :math:`y_i\alpha_i` asks for :math:`b\ge y_i-f_i`, one that may fall for
    :math:`b\le y_i-f_i`. At an optimum the two bounds leave room for at least one b; before that they cross.

    Parameters are those of :func:`primal_objective`.

    Examples
    --------
    Both multipliers at the bound C = 1/4: every bias between -1/2 and 1/2 is optimal.

    >>> bias_interval([0.25, 0.25], [-0.5, 0.5], [-1, 1], C=0.25)
    (-0.5, 0.5)
    """
    return bias_bounds(*_checked(alpha, f, y, C))


def kkt_residual(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike) -> float:
    r"""Return by how much the KKT conditions fail: how far the bounds on the bias cross.

    It is :math:`\max_{i\,\text{may rise}}(y_i-f_i) - \min_{j\,\text{may fall}}(y_j-f_j)`, or zero when that
    is negative; libsvm stops on the same number.

    Parameters are those of :func:`primal_objective`.

    References
    ----------
    Keerthi, Shevade, Bhattacharyya and Murthy, *Improvements to Platt's SMO algorithm*, 2001.

    Examples
    --------
    >>> kkt_residual([0, 0], [0, 0], [-1, 1], C=10.0)
    2.0
    """
    return kkt_violation(*_checked(alpha, f, y, C))


def box_residual(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike) -> float:
    r"""Return the KKT residual of the problem without a bias: the largest admissible slope of the dual.

    The slope in coordinate i is :math:`1-y_if_i`; at :math:`\alpha_i=0` only a positive one counts, at
    :math:`\alpha_i=C_i` only a negative one.

    Parameters are those of :func:`primal_objective`.

    Examples
    --------
    >>> box_residual([0, 0], [0, 0], [-1, 1], C=10.0)
    1.0
    """
    return box_violation(*_checked(alpha, f, y, C))


def bias(alpha: ArrayLike, f: ArrayLike, y: ArrayLike, C: ArrayLike) -> float:
    r"""Recover the bias: the mean of :math:`y_i-f_i` over free multipliers, else the middle of the interval.

    Parameters are those of :func:`primal_objective`.

    Examples
    --------
    >>> bias([0.5, 0.5], [-2, 0], [-1, 1], C=10.0)
    1.0
    """
    alpha, f, y, C = _checked(alpha, f, y, C)
    free = (alpha > 0) & (alpha < C)
    if np.any(free):
        return float(np.mean((y - f)[free]))
    ends = np.array(bias_bounds(alpha, f, y, C))
    return float(np.mean(ends[np.isfinite(ends)]))  # with one class only, one end is infinite


# -- the driver --------------------------------------------------------------------------------------------


def solve(
    steps: Iterator[Iterate],
    y: Array,
    C: Array,
    *,
    tol: float,
    max_iter: int,
    with_bias: bool = True,
    verbose: bool = False,
    callback: Callable[[Iterate], object] | None = None,
) -> SVMDual:
    """Run a solver until its residual is at most ``tol`` and return the solution with its certificate."""
    tol = _check.positive(tol, "tol", INEXACT)
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    trace = []
    with tqdm(unit=" steps") if verbose else nullcontext() as bar:
        for at in steps:
            trace.append((at.n_iter, at.kernel_values, at.dual, at.violation))
            if bar is not None:
                bar.update(at.n_iter - bar.n)
                bar.set_postfix(violation=f"{at.violation:.2e}", dual=f"{at.dual:.6g}")
            if callback is not None:
                callback(at)
            solved = at.violation <= tol
            if solved or at.n_iter >= max_iter:
                break
    f = at.f.copy()
    b = bias(at.alpha, f, y, C) if with_bias else 0.0
    return SVMDual(
        alpha=at.alpha.copy(),
        f=f,
        w=None if at.w is None else at.w.copy(),
        b=b,
        b_interval=bias_bounds(at.alpha, f, y, C) if with_bias else (0.0, 0.0),
        primal=primal_objective(at.alpha, f, y, C, b),
        dual=at.dual,
        violation=at.violation,
        converged=solved,
        n_iter=at.n_iter,
        trace=tuple(trace),
    )
