r"""Osuna's method: the SVM dual as a sequence of small ones over a working set of points.

All multipliers outside the working set :math:`S` stay where they are; the dual over the multipliers in
:math:`S` is solved by SMO on the small matrix :math:`K_{SS}`. The set always holds the pair that violates the
KKT conditions most, so every round raises the objective.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices, Mask
from lecturekit.svm._dual import INEXACT, Iterate, SVMDual, costs, solve
from lecturekit.svm._smo import ROWS_AT_ONCE, GramRows, ascend, stand

INNER_SHARE = 0.1  # solve the small problem to this share of the violation at hand: finer would be undone
STEPS_A_POINT = 20  # and give up on it after so many steps a point of the set


def _newcomers(rank: Array, allowed: Mask, count: int) -> Indices:
    """Return the positions of the largest entries of ``rank`` among those allowed, ties in their order."""
    candidates = np.flatnonzero(allowed)
    return candidates[np.argsort(-rank[candidates], kind="stable")[:count]]


def _renew(kept: Indices, beta: Array, g: Array, low: Array, high: Array, size: int) -> Indices:
    """Return the next set: the worst violators of both sides, then points of the last, free ones first."""
    half = max(size // 4, 1)
    outside = np.full(len(g), True)
    up = _newcomers(g, beta < high, half)
    outside[up] = False
    down = _newcomers(-g, (beta > low) & outside, half)
    outside[down] = False
    kept = kept[outside[kept]]
    free_first = np.argsort((beta[kept] <= low[kept]) | (beta[kept] >= high[kept]), kind="stable")
    return np.concatenate([up, down, kept[free_first]])[:size]


def osuna_steps(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    tol: float = 1e-3,
    size: int = 512,
    cache_mb: float = 500.0,
) -> Iterator[Iterate]:
    """Yield the iterates of Osuna's method: the first at zero, then one for every working set.

    Parameters are those of :func:`osuna`; the sequence ends when no pair violates by more than ``tol``.

    Examples
    --------
    With a working set of two points the method is SMO:

    >>> X = np.array([[-2.0], [-1.0], [1.0]])
    >>> duals = [at.dual for at in osuna_steps(X @ X.T, [-1, -1, 1], C=10.0, size=2)]
    >>> bool(np.all(np.diff(duals) > 0)), round(duals[-1], 6)
    (True, 0.5)
    """
    tol = _check.positive(tol, "tol", INEXACT)
    size = _check.count(size, "size", "a working set needs a pair of points", least=2)
    rows = GramRows(K_or_kernel, X, cache_mb=cache_mb)
    y = _check.signs(y, len(rows))
    C = costs(C, y)
    size = min(size, len(rows.values), len(y))
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    beta, g, rounds, kept = np.zeros(len(y)), y.copy(), 0, np.empty(0, dtype=np.intp)
    while True:
        at = stand(rounds, rows, beta, g, y, C)
        yield at
        if at.violation <= tol:
            return
        kept = _renew(kept, beta, g, low, high, size)
        rows.fetch(kept)
        places = rows.slot[kept]
        new, here = beta[kept], np.arange(len(kept))
        part_of_K, enough = rows.values[np.ix_(places, kept)], max(INNER_SHARE * at.violation, tol / 2)
        point = rows.diagonal[kept], new, g[kept], low[kept], high[kept]
        ascend(part_of_K, here, np.zeros_like(here), *point, enough, STEPS_A_POINT * len(kept))
        moved = (new - beta[kept]).astype(rows.values.dtype)
        for start in range(0, len(kept), ROWS_AT_ONCE):  # no second copy of many rows
            part = slice(start, start + ROWS_AT_ONCE)
            g -= moved[part] @ rows.values[places[part]]
        beta[kept] = new
        rounds += 1


def osuna(
    K_or_kernel: Any,
    y: ArrayLike,
    C: ArrayLike,
    *,
    X: Any = None,
    tol: float = 1e-3,
    max_iter: int = 100_000,
    class_weight: Mapping[int, float] | str | None = None,
    size: int = 512,
    cache_mb: float = 500.0,
    verbose: bool = False,
    callback: Callable[[Iterate], object] | None = None,
) -> SVMDual:
    """Solve the SVM dual over working sets.

    Parameters are those of :func:`smo`; ``size`` is the number of points in a working set, ``max_iter`` the
    most working sets, and ``callback`` sees the iterate after each of them.

    References
    ----------
    Osuna, Freund and Girosi, *An improved training algorithm for support vector machines*, 1997.

    Examples
    --------
    >>> from lecturekit import data
    >>> from lecturekit.kernels import RBF
    >>> from lecturekit.svm import smo
    >>> X, y = data.two_gaussians(60, rng=0)
    >>> small = osuna(RBF(), y, 1.0, X=X, size=10, tol=1e-8)
    >>> bool(np.isclose(small.dual, smo(RBF()(X), y, 1.0, tol=1e-8).dual))
    True
    """
    y = _check.signs(y, None)
    C = costs(C, y, class_weight)
    steps = osuna_steps(K_or_kernel, y, C, X=X, tol=tol, size=size, cache_mb=cache_mb)
    return solve(steps, y, C, tol=tol, max_iter=max_iter, verbose=verbose, callback=callback)
