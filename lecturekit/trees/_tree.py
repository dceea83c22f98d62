r"""Decision stumps and regression trees, grown by sweeps over the rows in ascending order of each feature.

Moving the threshold of a stump past row i changes its weighted error by :math:`\pm w_iy_i`; moving that of a
cut changes the sum c of the centred targets on its left by :math:`z_i-\bar z`. A stable partition of the
orders hands them on to the two children of a node: nothing is sorted twice.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike, Indices

# -- stumps ------------------------------------------------------------------------------------------------

EQUAL_ERRORS = 1e-12  # errors this close are equal: they are sums of n numbers that add up to one

Order = NDArray[np.int32]  # shape (d, n): row j lists the points in ascending order of feature j


@dataclass(frozen=True, kw_only=True)
class Stump:
    """A decision stump: ``sign`` where ``x[feature] > threshold``, ``-sign`` elsewhere.

    Attributes
    ----------
    feature : int
        The feature it looks at.
    threshold : float
        What the feature is compared with; minus infinity in a constant stump.
    sign : float
        The answer above the threshold, -1 or +1.

    Examples
    --------
    >>> stump = Stump(feature=0, threshold=1.5, sign=1.0)
    >>> stump([[1.0], [2.0]])
    array([-1.,  1.])
    """

    feature: int
    threshold: float
    sign: float

    def __call__(self, X: ArrayLike) -> Array:
        """Return the answers -1 and +1 for the rows of ``X``, shape (m,)."""
        x = _check.matrix(X, copy=False, finite=False)[:, self.feature]
        return np.where(x > self.threshold, self.sign, -self.sign)


def presort(X: Array) -> Order:
    """Sort the points by each feature: row j lists them in ascending order of feature j."""
    return np.argsort(X.T, axis=1, kind="stable").astype(np.int32)


def by_columns(X: ArrayLike) -> Array:
    """Return points as doubles by columns (Fortran order)."""
    return np.asfortranarray(_check.matrix(X, copy=False), dtype=np.float64)


def _middle(low: float, high: float) -> float:
    """Return the number half way between two neighbouring values, the low one if there is none."""
    half = low / 2 + high / 2  # the sum could overflow
    return half if low < half < high else low


@jit
def _sweep(columns: Any, order: Any, wy: Any) -> Any:
    """Return the edge that is farthest from zero, with the feature and the place it comes after."""
    start = -0.5 * wy.sum()
    best, feature, place = start, 0, -1  # all points are right of minus infinity
    bar = abs(start) + EQUAL_ERRORS
    for j in range(order.shape[0]):
        x, rows, edge = columns[j], order[j], start
        for r in range(rows.size - 1):
            edge += wy[rows[r]]
            if abs(edge) > bar and x[rows[r]] < x[rows[r + 1]]:
                best, feature, place, bar = edge, j, r, abs(edge) + EQUAL_ERRORS
    return best, feature, place


def stump_finder(X: ArrayLike) -> tuple[Array, Callable[[Array], Stump]]:
    r"""Sort points once, to find the best stumps for many weights.

    Weights with sum one and the sign +1 give the error
    :math:`\sum_{x_{ij}\le t,\,y_i=1}w_i+\sum_{x_{ij}>t,\,y_i=-1}w_i=\tfrac12+e` with the edge
    :math:`e=\sum_{x_{ij}\le t}w_iy_i-\tfrac12\sum_iw_iy_i`, and the sign -1 gives :math:`\tfrac12-e`: the
    best stump is where e is farthest from zero.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.

    Returns
    -------
    X : array of shape (n, d)
        The points, checked, by columns.
    find : callable
        ``find(wy)`` returns the :func:`best_stump` for weights with sum one times labels; it checks nothing.

    Examples
    --------
    >>> X, find = stump_finder([[1.0], [2.0], [3.0]])
    >>> find(np.array([-0.25, -0.5, 0.25]))
    Stump(feature=0, threshold=2.5, sign=1.0)
    """
    points = by_columns(X)
    order = presort(points)

    def find(wy: Array) -> Stump:
        edge, j, r = _sweep(points.T, order, wy)
        threshold = -np.inf if r < 0 else _middle(points[order[j, r], j], points[order[j, r + 1], j])
        return Stump(feature=int(j), threshold=float(threshold), sign=1.0 if edge <= 0 else -1.0)

    return points, find


def best_stump(X: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> Stump:
    r"""Return the stump with the least weighted error :math:`\sum_iw_i[h(x_i)\ne y_i]`.

    The thresholds lie half way between neighbouring values of a feature. Of stumps that are equally good,
    up to rounding, a constant one goes first, then the lower feature, then the lower threshold.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels -1 and +1.
    weights : array of shape (n,), optional
        The weights of the points, not below zero; by default all are equal.

    References
    ----------
    Iba and Langley, *Induction of one-level decision trees*, 1992.

    Examples
    --------
    A heavy point decides on which side of it the threshold lies:

    >>> X, y = [[1.0], [2.0], [3.0]], [-1, 1, -1]
    >>> best_stump(X, y, [1.0, 2.0, 3.0]), best_stump(X, y, [3.0, 2.0, 1.0])
    (Stump(feature=0, threshold=2.5, sign=-1.0), Stump(feature=0, threshold=1.5, sign=1.0))
    """
    points, find = stump_finder(X)
    signs = _check.signs(y, len(points), both=False)
    w = np.ones(len(points)) if weights is None else _check.vector(weights, len(points), "weights")
    if w.min() < 0 or w.sum() <= 0:
        raise ValueError(
            f"weights must be >= 0 and not all zero, got a smallest of {w.min():g}; "
            "a weight says how much a point matters"
        )
    return find(w * signs / w.sum())


# -- trees -------------------------------------------------------------------------------------------------

EQUAL_GAINS = 1e-10  # relative: gains this close are equal; the one met first is taken
PURE = 1e-28  # relative to the mean square of the targets: a variance that is rounding
NO_DRAWS = np.empty(0)
DEEP = 2**31 - 1  # a depth that no tree reaches


@dataclass(frozen=True, kw_only=True, eq=False)
class Tree:
    """A tree of cuts; the nodes are numbered from the root, a node before those below it, left before right.

    Attributes
    ----------
    feature : array of shape (nodes,)
        The feature that a node looks at, -1 in a leaf.
    threshold : array of shape (nodes,)
        Rows with ``x[feature] <= threshold`` go left; NaN in a leaf.
    left, right : arrays of shape (nodes,)
        The numbers of the two children, -1 in a leaf.
    value : array of shape (nodes,) or (nodes, k)
        The mean target of the training rows in a node; what the tree answers is the value of the leaf.
    count : array of shape (nodes,)
        The number of training rows in a node.
    """

    feature: Indices = field(repr=False)
    threshold: Array = field(repr=False)
    left: Indices = field(repr=False)
    right: Indices = field(repr=False)
    value: Array = field(repr=False)
    count: Indices = field(repr=False)

    @property
    def leaves(self) -> Indices:
        """The numbers of the leaves."""
        return np.flatnonzero(self.feature < 0)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @property
    def depth(self) -> int:
        """The most cuts on a way from the root to a leaf."""
        level = np.zeros(len(self.feature), dtype=np.intp)
        for node in np.flatnonzero(self.feature >= 0):  # parents come before their children
            level[[self.left[node], self.right[node]]] = level[node] + 1
        return int(level.max())

    def apply(self, X: ArrayLike) -> Indices:
        """Return the leaf of each row of ``X``, shape (m,)."""
        points = np.ascontiguousarray(_check.matrix(X, copy=False, finite=False), dtype=np.float64)
        if points.shape[1] <= self.feature.max():
            raise ValueError(
                f"X must be a matrix with more than {self.feature.max()} columns, got shape {points.shape}; "
                "give the features that the tree was grown on"
            )
        return np.asarray(_descend(points, self.feature, self.threshold, self.left, self.right))

    def __call__(self, X: ArrayLike) -> Array:
        """Return the value of each row's leaf, shape (m,) or (m, k)."""
        return np.asarray(self.value[self.apply(X)])

    def with_values(self, value: Array) -> "Tree":
        """Return the same cuts with other values."""
        return replace(self, value=value)


@jit
def _descend(X: Any, feature: Any, threshold: Any, left: Any, right: Any) -> Any:
    """Send the rows down the tree."""
    leaf = np.empty(X.shape[0], np.intp)
    for i in range(X.shape[0]):
        node = 0
        while feature[node] >= 0:
            node = left[node] if X[i, feature[node]] <= threshold[node] else right[node]
        leaf[i] = node
    return leaf


# -- growing -----------------------------------------------------------------------------------------------


@jit
def _describe(Z: Any, rows: Any, mean: Any) -> Any:
    """Write the means of the targets of some rows and return the sum of their variances."""
    variance = 0.0
    for q in range(mean.size):
        for i in rows:
            mean[q] += Z[q, i]
        mean[q] /= rows.size
        for i in rows:
            variance += (Z[q, i] - mean[q]) ** 2
    return variance / rows.size


@jit
def _best_cut(x: Any, rows: Any, Z: Any, mean: Any, score: Any, first: Any, last: Any, best: Any) -> Any:
    """Return gain / m and place of the best cut, from first on and before last; -1 if none is better."""
    m, place = rows.size, -1
    for q in range(mean.size):
        c = 0.0
        for r in range(last):
            c += Z[q, rows[r]] - mean[q]
            score[r] = c * c if q == 0 else score[r] + c * c
    bar = best * (1.0 + EQUAL_GAINS)
    for r in range(first, last):
        if score[r] > bar * ((r + 1.0) * (m - r - 1.0)) and x[rows[r]] < x[rows[r + 1]]:
            best, place = score[r] / ((r + 1.0) * (m - r - 1.0)), r
            bar = best * (1.0 + EQUAL_GAINS)
    return best, place


@jit
def _place_of(x: Any, rows: Any, threshold: Any) -> Any:
    """Return the last place whose row is not above the threshold, by bisection."""
    low, high = 0, rows.size - 1  # not above; above
    while high - low > 1:
        half = (low + high) // 2
        if x[rows[half]] <= threshold:
            low = half
        else:
            high = half
    return low


@jit
def _split(
    order: Any, start: Any, stop: Any, j: Any, middle: Any, to_left: Any, spare: Any, several: Any
) -> None:
    """Put the rows left of a cut of feature j before those right of it, in the orders of the features."""
    for r in range(start, stop):
        to_left[order[j, r]] = 1 if r < middle else 0
    for f in range(order.shape[0] if several else 1):
        rows, a, b = order[f], start, 0
        for r in range(start, stop):
            i = rows[r]
            rows[a] = i  # written on either side, kept on one: no branch to guess
            spare[b] = i
            a += to_left[i]
            b += 1 - to_left[i]
        for r in range(b):
            rows[a + r] = spare[r]


@jit
def _search(
    columns: Any,
    Z: Any,
    order: Any,
    start: Any,
    stop: Any,
    mean: Any,
    score: Any,
    min_leaf: Any,
    features: Any,
    candidates: Any,
    shuffle: Any,
    uniform: Any,
) -> Any:
    """Return feature, place and threshold of the best cut of a node; the place is -1 if there is none."""
    d, m = order.shape[0], stop - start
    best, feature, place, threshold = -1.0, -1, -1, np.nan
    for s in range(d):
        if s >= features and place >= 0:
            break
        if shuffle.size > 0:
            swap = s + int(shuffle[s] * (d - s))
            candidates[s], candidates[swap] = candidates[swap], candidates[s]
        j = candidates[s]
        x, rows = columns[j], order[j, start:stop]
        first, last, at = min_leaf - 1, m - min_leaf, np.nan
        if uniform.size > 0:
            at = x[rows[0]] + uniform[s] * (x[rows[m - 1]] - x[rows[0]])
            r = _place_of(x, rows, at)
            first, last = max(first, r), min(last, r + 1)
        best, found = _best_cut(x, rows, Z, mean, score, first, last, best)
        if found >= 0:
            low, high = x[rows[found]], x[rows[found + 1]]
            half = at if uniform.size > 0 else low / 2.0 + high / 2.0
            feature, place, threshold = j, found, half if low <= half < high else low
    return feature, place, threshold


@jit
def _grow(
    columns: Any,
    Z: Any,
    order: Any,
    depth: Any,
    min_leaf: Any,
    features: Any,
    shuffles: Any,
    cuts: Any,
    feature: Any,
    threshold: Any,
    child: Any,
    value: Any,
    count: Any,
    leaf: Any,
    candidates: Any,
) -> Any:
    """Grow a tree on the rows of ``order``, which is used up; write its arrays, return how many nodes."""
    d, m = order.shape
    score, to_left, spare = np.empty(m), np.empty(Z.shape[1], np.int32), np.empty(m, np.int32)
    pending = np.zeros((feature.size + 1, 5), np.int64)  # start, stop, level, parent, side: a stack
    pending[0, 1] = m
    nodes, waiting, tried, noise = 0, 1, 0, 0.0
    while waiting > 0:
        waiting -= 1
        start, stop, level = pending[waiting, 0], pending[waiting, 1], pending[waiting, 2]
        node, nodes, place = nodes, nodes + 1, -1
        if node > 0:
            child[pending[waiting, 4], pending[waiting, 3]] = node
        count[node] = stop - start
        mean = value[node]
        variance = _describe(Z, order[0, start:stop], mean)
        if node == 0:
            noise = PURE * variance
            for q in range(mean.size):
                noise += PURE * mean[q] ** 2
        if level < depth and stop - start >= 2 * min_leaf and variance > noise:
            shuffle, uniform = shuffles[tried * d : tried * d + d], cuts[tried * d : tried * d + d]
            j, place, at = _search(
                columns, Z, order, start, stop, mean, score, min_leaf, features, candidates, shuffle, uniform
            )
            tried += 1
        if place < 0:
            for i in order[0, start:stop]:
                leaf[i] = node
        else:
            feature[node], threshold[node], middle = j, at, start + place + 1
            _split(order, start, stop, j, middle, to_left, spare, level + 1 < depth)
            for side in (1, 0):  # the left child is next
                pending[waiting, 0], pending[waiting, 1] = (middle, stop) if side == 1 else (start, middle)
                pending[waiting, 2], pending[waiting, 3], pending[waiting, 4] = level + 1, node, side
                waiting += 1
    return nodes


def grow_tree(
    X: Array,
    z: Array,
    order: Order,
    *,
    depth: int | None = None,
    min_leaf: int = 1,
    features: int | None = None,
    random_cuts: bool = False,
    rng: np.random.Generator | None = None,
) -> tuple[Tree, Indices]:
    """Grow the tree of :func:`regression_tree` on the rows of an order, which may list a row several times.

    Return it with the leaf of each row, -1 where the order leaves it out. Nothing is checked; ``X`` is by
    columns (Fortran order), the order stays as it is, and without ``rng`` nothing is drawn.
    """
    d, m = order.shape
    depth, features = DEEP if depth is None else depth, d if features is None else features
    tries = min(m, 2 ** min(depth, 40))  # each is a cut, or a leaf of two rows or more
    shuffles = NO_DRAWS if rng is None or features >= d else rng.random(tries * d)
    cuts = NO_DRAWS if rng is None or not random_cuts else rng.random(tries * d)
    Z = np.ascontiguousarray(z.T.reshape(-1, len(z)), dtype=np.float64)
    most = 2 * tries - 1
    feature, threshold, child = np.full(most, -1), np.full(most, np.nan), np.full((2, most), -1)
    value, count, leaf = np.zeros((most, len(Z))), np.zeros(most, dtype=np.intp), np.full(len(X), -1)
    limits, arrays = (depth, min_leaf, features), (feature, threshold, child, value, count, leaf)
    nodes = _grow(X.T, Z, order.copy(), *limits, shuffles, cuts, *arrays, np.arange(d))
    tree = Tree(
        feature=feature[:nodes],
        threshold=threshold[:nodes],
        left=child[0, :nodes],
        right=child[1, :nodes],
        value=value[:nodes, 0] if z.ndim == 1 else value[:nodes],
        count=count[:nodes],
    )
    return tree, leaf


def checked_depth(depth: int) -> int:
    """Return the most cuts on a way down."""
    return _check.count(depth, "depth", "a tree of depth 1 makes one cut")


def checked_leaf(min_leaf: int) -> int:
    """Return the fewest rows in a leaf."""
    return _check.count(min_leaf, "min_leaf", "a leaf has a mean, and so a row")


def checked_limits(depth: int | None, min_leaf: int, features: int | None) -> dict[str, Any]:
    """Return how a tree may grow."""
    return {
        "depth": None if depth is None else checked_depth(depth),
        "min_leaf": checked_leaf(min_leaf),
        "features": None if features is None else _check.count(features, "features", "look at one at least"),
    }


def regression_tree(
    X: ArrayLike,
    z: ArrayLike,
    *,
    depth: int | None = None,
    min_leaf: int = 1,
    features: int | None = None,
    random_cuts: bool = False,
    rng: np.random.Generator | int = 0,
) -> Tree:
    r"""Fit a regression tree: cut by cut the greatest fall of :math:`\sum_i(z_i-h(x_i))^2`.

    A node is cut unless it is as deep as allowed, too small, or all its targets are equal. Thresholds lie
    half way between neighbouring values. Of cuts that are equally good, up to rounding, the lower feature
    goes first, then the lower threshold. With one column of zeros and ones a class, the squared error is the
    Gini impurity, and the values are the shares of the classes.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    z : array of shape (n,) or (n, k)
        The targets; errors of k targets are added.
    depth : int, optional
        The most cuts on a way down; by default any number.
    min_leaf : int
        The fewest rows in a leaf.
    features : int, optional
        How many features, drawn at random, a node looks at; it looks at more if none of them can be cut.
        By default all.
    random_cuts : bool
        Draw one threshold a feature, uniform between the extremes of the node, in place of the best one.
    rng : Generator or int
        The source of the random features and thresholds, or its seed.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*, 1984.

    Examples
    --------
    >>> X, z = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 9.0]
    >>> tree = regression_tree(X, z, depth=1)
    >>> tree.threshold[0], tree([[0.5], [2.5]])
    (np.float64(1.5), array([1., 7.]))
    """
    points = by_columns(X)
    targets = _check.matrix(z, "z") if np.ndim(z) == 2 else _check.vector(z, len(points), "z")
    if len(targets) != len(points):
        raise ValueError(f"z must have {len(points)} rows, got {len(targets)}; give one row a point")
    how = checked_limits(depth, min_leaf, features) | {"random_cuts": random_cuts}
    return grow_tree(points, targets, presort(points), rng=_check.generator(rng), **how)[0]
