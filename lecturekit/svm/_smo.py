r"""Sequential minimal optimisation: the dual of the SVM, two multipliers at a time.

In the signed multipliers :math:`\beta_i = y_i\alpha_i` the dual is
:math:`\max\ \sum_i y_i\beta_i - \tfrac12\beta^\top K\beta` with :math:`\sum_i\beta_i=0` and
:math:`\beta_i\in[\ell_i,u_i]`, where the interval is :math:`[0,C_i]` for :math:`y_i=+1` and
:math:`[-C_i,0]` for :math:`y_i=-1`. Its gradient is :math:`g = y - K\beta`. A step moves :math:`t` from
:math:`\beta_j` to :math:`\beta_i`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import fast_jit, jit
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.kernels import Kernel
from lecturekit.svm._dual import INEXACT, Iterate, SVMDual, costs, dual_value, kkt_violation, solve

OPTIMAL, GOING = -1, -2  # verdicts of `ascend`; zero and above name a missing row
FORBIDDEN = -1e30  # added to a gradient that may not be followed
FLAT_CURVATURE = 1e-12  # curvature below which a pair counts as flat, as in libsvm
LANES = 64  # partial maxima side by side
ROWS_AT_ONCE = 32  # rows computed in one matrix product: a missing one and the likely next ones


# -- the inner loop ----------------------------------------------------------------------------------------


@fast_jit
def _argmax(values: Any, mask: Any) -> Any:
    """Return where values + mask is largest.

    The compiler does not vectorise a maximum, but it does vectorise LANES maxima side by side.
    """
    lanes = np.full(LANES, values[0] + mask[0])
    whole = values.size // LANES * LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] = max(lanes[lane], values[start + lane] + mask[start + lane])
    at: Any = np.argmax(lanes)
    best = lanes[at]
    for k in range(whole, values.size):
        if values[k] + mask[k] > best:
            at, best = k, values[k] + mask[k]
    if best == values[0] + mask[0]:
        return 0
    while values[at] + mask[at] != best:
        at += LANES
    return at


@fast_jit
def _gains(gain: Any, g: Any, may_fall: Any, diagonal: Any, row: Any, g_i: Any, k_ii: Any) -> None:
    """Fill in what a step with partner k would add to the objective (times two), zero if it would not."""
    for k in range(g.size):
        slope = max(g_i - g[k] + may_fall[k], 0.0)
        gain[k] = np.float32(slope * slope) / np.float32(
            max(k_ii + diagonal[k] - 2.0 * row[k], FLAT_CURVATURE)
        )


@fast_jit
def _move(g: Any, t: Any, row_i: Any, row_j: Any) -> None:
    """Update the gradient after moving t from beta_j to beta_i."""
    for k in range(g.size):
        g[k] -= t * (row_i[k] - row_j[k])


@jit
def ascend(
    rows: Any,
    slot: Any,
    used: Any,
    diagonal: Any,
    beta: Any,
    g: Any,
    low: Any,
    high: Any,
    tol: Any,
    steps: Any,
) -> Any:
    """Take SMO steps in place; return how many, and OPTIMAL, GOING, or the point whose row is missing.

    Row ``slot[i]`` of ``rows`` belongs to point i, which has none if that is -1; ``used`` counts their uses.
    The box is from ``low`` to ``high``, a violation up to ``tol``, in the unit of the gradient, counts as
    optimal (:func:`osuna_steps` relies on it), and at most ``steps`` steps are taken.
    """
    gain, plain = np.empty(g.size, np.float32), np.zeros(g.size, np.float32)
    may_rise = np.where(beta < high, 0.0, FORBIDDEN)
    may_fall = np.where(beta > low, 0.0, FORBIDDEN)
    for step in range(steps):
        i = _argmax(g, may_rise)  # the steepest way up
        if slot[i] < 0:
            return step, i
        row_i = rows[slot[i]]
        _gains(gain, g, may_fall, diagonal, row_i, g[i], diagonal[i])
        j = _argmax(gain, plain)  # the partner with the largest gain
        if gain[j] == 0:  # all gains vanish in single precision: the steepest way down instead
            j = _argmax(-g, may_fall)
        if g[i] - g[j] <= tol and g[i] - g[_argmax(-g, may_fall)] <= tol:
            return step, OPTIMAL
        if slot[j] < 0:
            return step, j
        curvature = max(diagonal[i] + diagonal[j] - 2.0 * row_i[j], FLAT_CURVATURE)
        t = min((g[i] - g[j]) / curvature, high[i] - beta[i], beta[j] - low[j])
        beta[i] = high[i] if t == high[i] - beta[i] else beta[i] + t  # exactly onto the bound
        beta[j] = low[j] if t == beta[j] - low[j] else beta[j] - t
        _move(g, t, row_i, rows[slot[j]])
        for k in (i, j):
            used[slot[k]] += 1
            may_rise[k] = 0.0 if beta[k] < high[k] else FORBIDDEN
            may_fall[k] = 0.0 if beta[k] > low[k] else FORBIDDEN
    return steps, GOING


# -- rows of the Gram matrix -------------------------------------------------------------------------------


class GramRows:
    """Rows of a Gram matrix: all of a given matrix, or of a kernel those that were asked for, while they fit.

    The row of point i is ``values[slot[i]]``, or missing if ``slot[i]`` is -1; at least two rows are kept.
    """

    def __init__(self, K_or_kernel: Any, X: Any = None, *, cache_mb: float = 500.0) -> None:
        cache_mb = _check.positive(cache_mb, "cache_mb", "two rows are kept in any case")
        if isinstance(K_or_kernel, Kernel):
            if X is None:
                raise ValueError(
                    "X must be given with a kernel, got None; pass the points, or their Gram matrix"
                )
            self._points = K_or_kernel._points(X, "X")
            self._row_function = K_or_kernel.row_function(self._points)
            n = len(self._points)
            self.diagonal = K_or_kernel.diagonal(self._points).astype(np.float64)
            self._dtype = np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64
            room = int(cache_mb * 1e6 / (n * np.dtype(self._dtype).itemsize))
            self.values = np.empty((min(max(room, 2), n), n), dtype=self._dtype)
            self.slot = np.full(n, -1)
        else:
            self.values = np.ascontiguousarray(_check.square(K_or_kernel, "K"))
            n = len(self.values)
            self.diagonal = np.diag(self.values).astype(np.float64)
            self.slot = np.arange(n)
        if np.any(self.diagonal < 0):
            raise ValueError(
                f"the kernel must be positive definite, got k(x, x) = {self.diagonal.min():.3g} for some x; "
                "its Gram matrix has a negative eigenvalue"
            )
        self.used = np.zeros(len(self.values), dtype=np.int64)
        self._owner = np.full(len(self.values), -1)
        self._filled = 0
        self.computed = 0

    def __len__(self) -> int:
        return len(self.slot)

    @property
    def full(self) -> bool:
        """Whether a new row would take the place of another."""
        return self._filled == len(self.values)

    def fetch(self, wanted: Indices) -> None:
        """Compute the rows of the wanted points that are missing; the least used rows make room."""
        missing = wanted[self.slot[wanted] < 0]
        if missing.size == 0:
            return
        free = np.arange(self._filled, min(self._filled + missing.size, len(self.values)))
        if free.size < missing.size:
            merit = self.used.copy()
            merit[self.slot[wanted[self.slot[wanted] >= 0]]] = np.iinfo(np.int64).max  # wanted now: must stay
            merit[free] = np.iinfo(np.int64).max
            evicted = _largest(-merit, missing.size - free.size)
            self.slot[self._owner[evicted]] = -1
            free = np.concatenate([free, evicted])
        for start in range(0, missing.size, ROWS_AT_ONCE):  # no second copy of many rows
            part = slice(start, start + ROWS_AT_ONCE)
            self.values[free[part]] = self._row_function(missing[part])
        self.slot[missing], self._owner[free] = free, missing  # a new row inherits the merit of the old one
        self._filled = max(self._filled, int(free.max()) + 1)
        self.computed += missing.size * len(self)


def _largest(values: Any, count: int) -> Indices:
    """Return where the largest values are, in ascending order; of equal ones some, evenly spaced."""
    if count == 1:
        return np.array([np.argmax(values)])
    least = np.partition(values, len(values) - count)[len(values) - count]
    chosen, equal = values > least, np.flatnonzero(values == least)
    missing = count - np.count_nonzero(chosen)
    chosen[equal[np.arange(missing) * len(equal) // missing]] = True
    return np.flatnonzero(chosen)


@fast_jit
def _violations(g: Any, beta: Any, low: Any, high: Any) -> Any:
    """Return by how much each point violates the KKT conditions together with its worst partner."""
    top, bottom = FORBIDDEN, -FORBIDDEN
    for k in range(g.size):
        top = max(top, g[k]) if beta[k] < high[k] else top
        bottom = min(bottom, g[k]) if beta[k] > low[k] else bottom
    violation = np.zeros(g.size)
    for k in range(g.size):
        down = top - g[k] if beta[k] > low[k] else 0.0
        up = g[k] - bottom if beta[k] < high[k] else 0.0
        violation[k] = max(down, up)
    return violation


def _likely(missing: int, rows: GramRows, beta: Array, g: Array, low: Array, high: Array) -> Indices:
    """Return the missing point, the worst violators without a row, and the first of the next pair."""
    if rows.full:  # a guess must not cost a row that is in use
        chosen = np.array([missing])
    else:
        violation = _violations(g, beta, low, high)
        violation[rows.slot >= 0] = 0.0
        violation[missing] = np.inf
        count = min(ROWS_AT_ONCE, len(rows.values) // 2, len(g))
        chosen = _largest(violation, count)
        chosen = chosen[violation[chosen] > 0]
    first = _argmax(g, np.where(beta < high, 0.0, FORBIDDEN))  # its row must not make room for its partner
    return chosen if first == missing else np.append(chosen, first)


# -- the solver --------------------------------------------------------------------------------------------


def stand(n_iter: int, rows: GramRows, beta: Array, g: Array, y: Array, C: Array) -> Iterate:
    """Describe where a solver in the signed multipliers stands."""
    alpha, f = np.abs(beta), y - g
    return Iterate(
        n_iter=n_iter,
        kernel_values=rows.computed,
        dual=dual_value(alpha, f, y),
        violation=kkt_violation(alpha, f, y, C),
        alpha=alpha,
        scores=lambda: f,
    )


def smo_steps(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    tol: float = 1e-3,
    pairs: int = 1,
    max_iter: int = 10_000_000,
    cache_mb: float = 500.0,
) -> Iterator[Iterate]:
    """Yield the iterates of SMO, the first before any step and then one every ``pairs`` steps.

    Parameters are those of :func:`smo`; the sequence ends when no pair violates by more than ``tol``.

    Examples
    --------
    The dual objective never falls:

    >>> duals = [at.dual for at in smo_steps([[4, 2, -2], [2, 1, -1], [-2, -1, 1]], [-1, -1, 1], C=10.0)]
    >>> bool(np.all(np.diff(duals) >= 0)), round(duals[-1], 6)
    (True, 0.5)
    """
    tol = _check.positive(tol, "tol", INEXACT)
    pairs = _check.count(pairs, "pairs", "report after at least one step")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    rows = GramRows(K_or_kernel, X, cache_mb=cache_mb)
    y = _check.signs(y, len(rows))
    C = costs(C, y)
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    beta, g, n_iter, verdict = np.zeros(len(y)), y.copy(), 0, GOING
    while True:
        yield stand(n_iter, rows, beta, g, y, C)
        before, left = n_iter, min(pairs, max_iter - n_iter)
        while left > 0 and verdict != OPTIMAL:
            taken, verdict = ascend(
                rows.values, rows.slot, rows.used, rows.diagonal, beta, g, low, high, tol, left
            )
            n_iter, left = n_iter + taken, left - taken
            if verdict >= 0:
                rows.fetch(_likely(verdict, rows, beta, g, low, high))
        if n_iter == before:  # optimal, or the last step that is allowed was taken
            return


def smo(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    tol: float = 1e-3,
    max_iter: int = 10_000_000,
    class_weight: Mapping[int, float] | str | None = None,
    cache_mb: float = 500.0,
    verbose: bool = False,
    callback: Callable[[Iterate], object] | None = None,
) -> SVMDual:
    r"""Solve the SVM dual by sequential minimal optimisation.

    In each step :math:`i` is the point whose signed multiplier :math:`\beta_i=y_i\alpha_i` may rise and has
    the steepest gradient :math:`g_i = y_i - f_i`; :math:`j` is the partner that may fall and promises the
    largest gain :math:`(g_i-g_j)^2/(K_{ii}+K_{jj}-2K_{ij})`; the step
    :math:`t=(g_i-g_j)/(K_{ii}+K_{jj}-2K_{ij})` is cut at the box. An indefinite matrix is not refused, except
    for a negative diagonal: the steps still raise the objective and end, but nothing is optimal then.

    Parameters
    ----------
    K_or_kernel : array of shape (n, n) or Kernel
        The Gram matrix, or a kernel together with ``X``. With a kernel, rows are computed when first needed
        and at most ``cache_mb`` of them are kept.
    y : array of shape (n,)
        Labels -1 and +1, both present.
    C, class_weight
        The cost of violating the margin, as :func:`costs` takes it.
    X : array of shape (n, d), optional
        The points, for a kernel. float32 points halve the memory and the time, at about five correct digits.
    tol : float
        Stop when the KKT conditions are violated by at most this much.
    max_iter, cache_mb : int and float
        The most pairs to move, and the most megabytes of kernel rows to keep.
    verbose, callback : bool, and callable or None
        Show progress, and call with an iterate every n steps, or every 1000 if that is more.

    References
    ----------
    Platt, *Fast training of support vector machines using sequential minimal optimization*, 1998; Fan, Chen
    and Lin, *Working set selection using second order information for training SVM*, 2005.

    Examples
    --------
    Points at -1 and +1: the boundary is 0, the slope 1, and primal and dual agree.

    >>> X = np.array([[-1.0], [1.0]])
    >>> result = smo(X @ X.T, [-1, 1], C=10.0)
    >>> result.alpha, result.b, result.gap
    (array([0.5, 0.5]), 0.0, 0.0)
    """
    y = _check.signs(y, None)
    C = costs(C, y, class_weight)
    pairs = max(len(y), 1000)
    steps = smo_steps(K_or_kernel, y, C, X=X, tol=tol, pairs=pairs, max_iter=max_iter, cache_mb=cache_mb)
    return solve(steps, y, C, tol=tol, max_iter=max_iter, verbose=verbose, callback=callback)
