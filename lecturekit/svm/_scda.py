r"""Stochastic coordinate dual ascent: the SVM without a bias, one multiplier at a time.

Without a bias the dual has no equality constraint,
:math:`\max_{0\le\alpha_i\le C_i}\ \sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jK_{ij}`, and one
coordinate can move alone: with the scores :math:`f_i=\sum_j\alpha_jy_jK_{ij}` the best value of
:math:`\alpha_i` is :math:`\alpha_i+(1-y_if_i)/K_{ii}`, clipped to :math:`[0,C_i]`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy import sparse

from lecturekit import _check
from lecturekit._jit import fast_jit, jit
from lecturekit._typing import ArrayLike
from lecturekit.svm._dual import INEXACT, Iterate, SVMDual, box_violation, costs, dual_value, solve
from lecturekit.svm._smo import GramRows

VISITS = 100_000  # visits to points between two reports
EVERYBODY = (np.inf, -np.inf)  # no slope is beyond these bounds: nobody is put aside
ROWS_FETCHED = 256  # rows fetched at once where the Gram matrix does not fit


# -- with a kernel -----------------------------------------------------------------------------------------


@jit
def _kernel_epoch(
    rows: Any, slot: Any, diagonal: Any, y: Any, C: Any, alpha: Any, f: Any, order: Any
) -> None:
    """Maximise over one multiplier after the other, in the given order."""
    for i in order:
        slope = 1.0 - y[i] * f[i]
        # where k(x, x) = 0 the objective is alpha_i plus a constant
        new = min(max(alpha[i] + slope / diagonal[i], 0.0), C[i]) if diagonal[i] > 0.0 else C[i]
        step = (new - alpha[i]) * y[i]
        alpha[i] = new
        if step != 0.0:
            row = rows[slot[i]]
            for k in range(f.size):
                f[k] += step * row[k]


def scda_kernel_steps(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    rng: np.random.Generator | int = 0,
    cache_mb: float = 500.0,
) -> Iterator[Iterate]:
    """Yield the iterates of kernel SCDA: the first at zero, then one an epoch, without end.

    Parameters are those of :func:`scda_kernel`.

    Examples
    --------
    >>> steps = scda_kernel_steps([[1, -1], [-1, 1]], [1, -1], C=10.0)
    >>> next(steps).dual, next(steps).dual
    (0.0, 0.5)
    """
    rows = GramRows(K_or_kernel, X, cache_mb=cache_mb)
    rng, y = _check.generator(rng), _check.signs(y, len(rows), both=False)
    C = costs(C, y)
    alpha, f, epoch = np.zeros(len(y)), np.zeros(len(y)), 0
    block = min(ROWS_FETCHED, len(rows.values))
    while True:
        yield Iterate(
            n_iter=epoch,
            kernel_values=rows.computed,
            dual=dual_value(alpha, f, y),
            violation=box_violation(alpha, f, y, C),
            alpha=alpha,
            scores=lambda: f,
        )
        order = rng.permutation(len(y))
        for start in range(0, len(y), block):
            part = order[start : start + block]
            rows.fetch(part)
            _kernel_epoch(rows.values, rows.slot, rows.diagonal, y, C, alpha, f, part)
        epoch += 1


def scda_kernel(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    tol: float = 1e-3,
    max_iter: int = 10_000,
    class_weight: Mapping[int, float] | str | None = None,
    rng: np.random.Generator | int = 0,
    cache_mb: float = 500.0,
    verbose: bool = False,
    callback: Callable[[Iterate], object] | None = None,
) -> SVMDual:
    """Solve the dual of the SVM without a bias by coordinate ascent with a kernel.

    Parameters are those of :func:`smo`, but one class is enough, ``tol`` bounds the admissible slopes of the
    dual (:func:`box_residual`), ``max_iter`` counts epochs, and ``callback`` sees every iterate. The random
    orders come from ``rng``, a Generator or a seed.

    Examples
    --------
    A bias can be had by adding one to the kernel; it is then penalised like the other weights.

    >>> X = np.array([[-1.0], [1.0]])
    >>> result = scda_kernel(X @ X.T + 1, [-1, 1], C=10.0)
    >>> result.alpha.round(3), result.converged
    (array([0.5, 0.5]), True)
    """
    y = _check.signs(y, None, both=False)
    C = costs(C, y, class_weight)
    steps = scda_kernel_steps(K_or_kernel, y, C, X=X, rng=rng, cache_mb=cache_mb)
    return solve(steps, y, C, tol=tol, max_iter=max_iter, with_bias=False, verbose=verbose, callback=callback)


# -- with explicit features --------------------------------------------------------------------------------


@fast_jit
def _score(w: Any, entries: Any, columns: Any, start: Any) -> Any:
    """Return the inner product of w and a row; a dense row has no column numbers."""
    total = 0.0
    if columns is None:
        for k in range(entries.size):
            total += w[k] * entries[k]
    else:
        for k in range(entries.size):
            total += w[columns[start + k]] * entries[k]
    return total


@fast_jit
def _add(w: Any, step: Any, entries: Any, columns: Any, start: Any) -> None:
    """Add a multiple of a row to w."""
    if columns is None:
        for k in range(entries.size):
            w[k] += step * entries[k]
    else:
        for k in range(entries.size):
            w[columns[start + k]] += step * entries[k]


@jit
def _linear_epoch(
    values: Any,
    columns: Any,
    starts: Any,
    square: Any,
    y: Any,
    C: Any,
    alpha: Any,
    w: Any,
    order: Any,
    bounds: Any,
) -> Any:
    """Maximise over the multipliers in order, keeping w = sum alpha_i y_i x_i; put aside those that stay."""
    top, bottom = bounds
    highest, lowest, active, s = -np.inf, np.inf, order.size, 0
    while s < active:
        i = order[s]
        entries = values[starts[i] : starts[i + 1]]
        slope = 1.0 - y[i] * _score(w, entries, columns, starts[i])
        if (alpha[i] == 0.0 and slope < bottom) or (alpha[i] == C[i] and slope > top):
            active -= 1  # shrink: look at the others first
            order[s], order[active] = order[active], order[s]
            continue
        s += 1
        if (alpha[i] == 0.0 and slope < 0.0) or (alpha[i] == C[i] and slope > 0.0):
            slope = 0.0  # pushed against the box: best where it is
        highest, lowest = max(highest, slope), min(lowest, slope)
        if slope != 0.0:
            new = min(max(alpha[i] + slope / square[i], 0.0), C[i]) if square[i] > 0.0 else C[i]
            _add(w, (new - alpha[i]) * y[i], entries, columns, starts[i])  # the clipped change
            alpha[i] = new
    return active, highest, lowest


@jit
def _linear_epochs(
    values: Any,
    columns: Any,
    starts: Any,
    square: Any,
    y: Any,
    C: Any,
    alpha: Any,
    w: Any,
    order: Any,
    active: Any,
    bounds: Any,
    tol: Any,
    shrinking: Any,
    draws: Any,
    most: Any,
) -> Any:
    """Run epochs in random order over fewer and fewer points until they are done or the random draws are."""
    epochs, drawn, highest, lowest = 0, 0, np.inf, -np.inf
    while epochs < most and drawn + active <= draws.size and highest - lowest > tol:
        for s in range(active):  # shuffle
            r = s + int(draws[drawn + s] * (active - s))
            order[s], order[r] = order[r], order[s]
        drawn, epochs = drawn + active, epochs + 1
        active, highest, lowest = _linear_epoch(
            values, columns, starts, square, y, C, alpha, w, order[:active], bounds
        )
        if shrinking:
            bounds = (highest if highest > 0.0 else np.inf, lowest if lowest < 0.0 else -np.inf)
    return epochs, active, bounds, highest - lowest


def _storage(X: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Return the matrix, its entries, their columns (none if dense), where rows start, and their squares."""
    if not sparse.issparse(X):
        X = np.ascontiguousarray(_check.matrix(X, copy=False))  # it may be large, and nobody writes to it
        return X, X.ravel(), None, np.arange(0, X.size + 1, X.shape[1]), np.einsum("ij,ij->i", X, X)
    X = sparse.csr_array(X)
    _check.matrix(X.data[None, :] if X.nnz else np.zeros((1, 1)), "X", copy=False)
    X = X.astype(np.float64, copy=False)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()  # an entry stored in two parts would enter the square of the row in two parts
    return X, X.data, X.indices, X.indptr, np.asarray(X.multiply(X).sum(axis=1))


def scda_linear_steps(
    X: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    tol: float = 1e-3,
    rng: np.random.Generator | int = 0,
    shrinking: bool = True,
    visits: int = 1,
    max_iter: int = 10_000,
) -> Iterator[Iterate]:
    """Yield the iterates of linear SCDA: the first at zero, then one every n visits to points, without end.

    The violation of an iterate is the range of the slopes met in the epoch behind it; where that is at most
    ``tol`` it is replaced by the exact residual over all points, so that no solver stops too early.

    Parameters are those of :func:`scda_linear`; with ``visits`` above n a report comes after that many.

    Examples
    --------
    >>> steps = scda_linear_steps([[1], [-1]], [1, -1], C=10.0)
    >>> next(steps).dual, next(steps).dual
    (0.0, 0.5)
    """
    tol = _check.positive(tol, "tol", INEXACT)
    visits = _check.count(visits, "visits", "report after at least one visit")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one epoch")
    X, values, columns, starts, square = _storage(X)
    rng, y = _check.generator(rng), _check.signs(y, X.shape[0], both=False)
    C = costs(C, y)
    alpha, w, order = np.zeros(len(y)), np.zeros(X.shape[1]), np.arange(len(y))
    active, bounds, epochs, violation = len(y), EVERYBODY, 0, 1.0
    while True:
        yield Iterate(
            n_iter=epochs,
            kernel_values=0,
            dual=float(alpha.sum() - 0.5 * w @ w),
            violation=violation,
            alpha=alpha,
            scores=lambda: X @ w,
            w=w,
        )
        draws = rng.random(max(visits, len(y)))
        problem, left = (values, columns, starts, square, y, C), max_iter - epochs
        more, active, bounds, violation = _linear_epochs(
            *problem, alpha, w, order, active, bounds, tol, shrinking, draws, left
        )
        epochs += more
        if violation <= tol or epochs >= max_iter:
            violation, active, bounds = box_violation(alpha, X @ w, y, C), len(y), EVERYBODY


def scda_linear(
    X: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    tol: float = 1e-3,
    max_iter: int = 10_000,
    class_weight: Mapping[int, float] | str | None = None,
    rng: np.random.Generator | int = 0,
    shrinking: bool = True,
    verbose: bool = False,
    callback: Callable[[Iterate], object] | None = None,
) -> SVMDual:
    r"""Solve the linear SVM without a bias by dual coordinate ascent.

    The primal is :math:`\tfrac12\lVert w\rVert^2+\sum_iC_i\max(0,1-y_i\langle w,x_i\rangle)`. The weights
    :math:`w=\sum_i\alpha_iy_ix_i` are kept up to date, so a step costs one inner product, whatever n is.

    Parameters are those of :func:`scda_kernel`, but ``X`` holds the points, dense or sparse, of shape (n, d);
    a sparse array is used by rows. With ``shrinking``, points that sit at a bound and are pushed against it
    are left out until the others are done.

    References
    ----------
    Hsieh, Chang, Lin, Keerthi and Sundararajan, *A dual coordinate descent method for large-scale linear
    SVM*, 2008.

    Examples
    --------
    The same solution as coordinate ascent on the Gram matrix:

    >>> X = np.array([[-1.0, 0.5], [1.0, 0.3], [0.2, -1.0]])
    >>> y = np.array([-1.0, 1.0, 1.0])
    >>> linear, kernel = scda_linear(X, y, 1.0, tol=1e-9), scda_kernel(X @ X.T, y, 1.0, tol=1e-9)
    >>> bool(np.allclose(linear.alpha, kernel.alpha)), bool(np.allclose(linear.w, X.T @ (linear.alpha * y)))
    (True, True)
    """
    y = _check.signs(y, None, both=False)
    C = costs(C, y, class_weight)
    steps = scda_linear_steps(
        X, y, C, tol=tol, rng=rng, shrinking=shrinking, visits=VISITS, max_iter=max_iter
    )
    return solve(steps, y, C, tol=tol, max_iter=max_iter, with_bias=False, verbose=verbose, callback=callback)
