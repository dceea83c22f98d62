r"""Regression trees on histograms: each feature is replaced by the number of its bin, at most 255 of them.

What a cut needs are the number and the sum of the targets on its left. Both are running sums over the bins of
a histogram of the node, so a cut is searched in d times 255 steps, however many rows there are; filling the
histograms takes one pass over the rows of a node, and only over those of the smaller of two siblings: the
histogram of the other one is that of the parent minus this one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.trees._tree import (
    EQUAL_GAINS,
    Tree,
    by_columns,
    checked_depth,
    checked_leaf,
    grow_tree,
    presort,
)

NOISE = 1e-20  # relative to the mean square: a gain for each row that is rounding
MOST_BINS = 255  # a bin number fits in a byte

Bins = NDArray[np.uint8]
Grower = Callable[[Array], tuple[Tree, Indices]]


# -- binning -----------------------------------------------------------------------------------------------


def bin_edges(X: Array, bins: int = MOST_BINS) -> list[Array]:
    """Return the inner edges between the bins of each feature, ascending; none of a constant feature.

    Where a feature has no more different values than bins, each value has a bin of its own, with the edges
    half way between; else the bins hold about equally many points.
    """
    bins = _check.count(bins, "bins", "one cut needs two bins", least=2)
    if bins > MOST_BINS:
        raise ValueError(f"bins must be at most {MOST_BINS}, got {bins}; a bin's number is kept in a byte")
    return [_edges_of(np.sort(x), bins) for x in X.T]


def _edges_of(x: Array, bins: int) -> Array:
    """Return the edges between the bins of sorted values."""
    steps = np.flatnonzero(x[:-1] < x[1:])  # the places between different values
    if len(steps) >= bins:
        steps = np.arange(1, bins) * len(x) // bins - 1
    low, high = x[steps], x[steps + 1]
    half = low / 2 + high / 2
    edges = np.unique(np.where(half < high, half, low))
    return np.asarray(edges[edges < x[-1]])


def binned(X: Array, edges: list[Array]) -> Bins:
    """Return the bin of each entry, shape (n, d): the number of edges below it."""
    columns = [np.searchsorted(cuts, x).astype(np.uint8) for cuts, x in zip(edges, X.T, strict=True)]
    return np.ascontiguousarray(np.column_stack(columns))


# -- growing -----------------------------------------------------------------------------------------------


@jit
def _fill(B: Any, z: Any, rows: Any, H: Any) -> None:
    """Count some rows and add up their targets, bin by bin."""
    H.fill(0.0)
    for i in rows:
        for j in range(B.shape[1]):
            H[j, B[i, j], 0] += 1.0
            H[j, B[i, j], 1] += z[i]


@jit
def _subtract(H: Any, part: Any) -> None:
    """Take the histogram of some rows out of another."""
    for j in range(H.shape[0]):
        for q in range(H.shape[1]):
            H[j, q, 0] -= part[j, q, 0]
            H[j, q, 1] -= part[j, q, 1]


@jit
def _search(H: Any, size: Any, total: Any, min_leaf: Any, noise: Any) -> Any:
    """Return feature (-1 if there is none) and last left bin of the best cut, and its left size and sum."""
    mean, bar = total / size, noise
    feature, cut, left_size, left_sum = -1, 0, 0.0, 0.0
    for j in range(H.shape[0]):
        below, s = 0.0, 0.0
        for q in range(H.shape[1]):
            below += H[j, q, 0]
            s += H[j, q, 1]
            c, allowed = s - below * mean, min_leaf <= below <= size - min_leaf
            if allowed and H[j, q, 0] > 0.0 and c * c > bar * (below * (size - below)):
                bar = c * c / (below * (size - below)) * (1.0 + EQUAL_GAINS)
                feature, cut, left_size, left_sum = j, q, below, s
    return feature, cut, left_size, left_sum


@jit
def _split(B: Any, rows: Any, j: Any, cut: Any, spare: Any) -> None:
    """Put the rows whose bin of feature j is not above the cut before the others."""
    a, b = 0, 0
    for r in range(rows.size):
        i = rows[r]
        left = 1 if B[i, j] <= cut else 0
        rows[a] = i  # written on either side, kept on one: no branch to guess
        spare[b] = i
        a += left
        b += 1 - left
    for r in range(b):
        rows[a + r] = spare[r]


@jit
def _grow(
    B: Any,
    z: Any,
    rows: Any,
    H: Any,
    depth: Any,
    min_leaf: Any,
    noise: Any,
    feature: Any,
    cut: Any,
    child: Any,
    total: Any,
    count: Any,
    leaf: Any,
) -> Any:
    """Grow a tree on the rows; write its arrays, with bins for thresholds, and return the number of nodes."""
    spare = np.empty(rows.size, np.int32)
    pending = np.zeros((depth + 2, 5), np.int64)  # node, start, stop, level, histogram: last in, first out
    pending[0, 2], nodes, waiting = rows.size, 1, 1
    _fill(B, z, rows, H[0])
    while waiting > 0:
        waiting -= 1
        node, start, stop = pending[waiting, 0], pending[waiting, 1], pending[waiting, 2]
        level, slot = pending[waiting, 3], pending[waiting, 4]
        if level < depth and stop - start >= 2 * min_leaf:
            feature[node], cut[node], size, below = _search(
                H[slot], stop - start, total[node], min_leaf, noise
            )
        if feature[node] < 0:
            for i in rows[start:stop]:
                leaf[i] = node
            continue
        middle = start + int(size)
        _split(B, rows[start:stop], feature[node], cut[node], spare)
        left, right = nodes, nodes + 1
        child[0, node], child[1, node], nodes = left, right, nodes + 2
        count[left], count[right] = middle - start, stop - middle
        total[left], total[right] = below, total[node] - below
        small, large = (left, start, middle), (right, middle, stop)
        if middle - start > stop - middle:
            small, large = large, small
        if level + 1 < depth:
            _fill(B, z, rows[small[1] : small[2]], H[level + 1])
            _subtract(H[slot], H[level + 1])  # the parent's becomes that of the larger child
        for part, its in ((large, slot), (small, level + 1)):
            pending[waiting, 0], pending[waiting, 1], pending[waiting, 2] = part
            pending[waiting, 3], pending[waiting, 4] = level + 1, its
            waiting += 1
    return nodes


def grow_histogram_tree(
    B: Bins, z: Array, edges: list[Array], *, depth: int, min_leaf: int
) -> tuple[Tree, Indices]:
    """Grow a tree whose thresholds are edges of bins, and say where each row ends; nothing is checked.

    With a bin for each value the points end in the same leaves as in the tree of :func:`regression_tree`, but
    for two things: a node stays whole where no cut lowers the error, and a threshold lies between neighbours
    among all points, not among those of the node. The tree is a function of the points, not of their bins.
    """
    bins, most = max(len(cuts) for cuts in edges) + 1, 2 * min(len(B), 2**depth) - 1
    feature, cut, child = np.full(most, -1), np.zeros(most, dtype=np.intp), np.full((2, most), -1)
    total, count, leaf = np.zeros(most), np.zeros(most, dtype=np.intp), np.zeros(len(B), dtype=np.intp)
    mean, count[0] = z.mean(), len(z)
    z = z - mean  # the sums over bins then lose no digits
    noise = NOISE * float(np.mean(z**2))
    H = np.empty((depth + 1, B.shape[1], bins, 2))  # a node of level l uses one of the histograms 0 to l
    rows = np.arange(len(B), dtype=np.int32)
    nodes = _grow(B, z, rows, H, depth, min_leaf, noise, feature, cut, child, total, count, leaf)
    threshold = [edges[j][q] if j >= 0 else np.nan for j, q in zip(feature[:nodes], cut, strict=False)]
    tree = Tree(
        feature=feature[:nodes],
        threshold=np.array(threshold),
        left=child[0, :nodes],
        right=child[1, :nodes],
        value=total[:nodes] / count[:nodes] + mean,
        count=count[:nodes],
    )
    return tree, leaf


# -- many trees on the same points -------------------------------------------------------------------------


def tree_grower(X: ArrayLike, *, depth: int, min_leaf: int, bins: int | None) -> tuple[Array, Grower]:
    """Prepare points for many trees: sort them once, or put them into bins.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    bins : int, optional
        The most bins of a feature, from 2 to 255; None for thresholds between all values.

    Returns
    -------
    X : array of shape (n, d)
        The points, checked, by columns.
    grow : callable
        ``grow(z)`` fits a tree to the targets z, which it does not check, and returns it with the leaf of
        each point.

    References
    ----------
    Ke and others, *LightGBM: a highly efficient gradient boosting decision tree*, 2017.

    Examples
    --------
    >>> X, grow = tree_grower([[1.0], [2.0], [3.0]], depth=1, min_leaf=1, bins=255)
    >>> tree, leaf = grow(np.array([0.0, 0.0, 6.0]))
    >>> leaf, tree.threshold[0], tree.value[leaf]
    (array([1, 1, 2]), np.float64(2.5), array([0., 0., 6.]))
    """
    points, depth, min_leaf = by_columns(X), checked_depth(depth), checked_leaf(min_leaf)
    if bins is None:
        order = presort(points)
        return points, lambda z: grow_tree(points, z, order, depth=depth, min_leaf=min_leaf)
    edges = bin_edges(points, bins)
    B = binned(points, edges)
    return points, lambda z: grow_histogram_tree(B, z, edges, depth=depth, min_leaf=min_leaf)
