r"""Nearest neighbours: the k points of a sample nearest to a query, found without looking at all of them.

A tree halves the points again and again and remembers where each part lies: in a box (KD-tree) or in a ball.
If the k best points so far are nearer than any point of a part could be, the part is skipped. With radius r a
part around a box is at least :math:`\min_{z\in\text{box}}\|q-z\|-r` away from a query q. Equal distances are
ordered by the position in the sample, so every search returns the same points.

Sections: the search; the trees; the classifier :class:`KNN`, whose training is remembering.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from lecturekit import _check
from lecturekit._estimators import Voter, new_points, training_set
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike, Indices

__all__ = ["KNN", "METRICS", "NeighborTree", "Neighbors", "ball_tree", "brute", "kd_tree"]

# the root of the sum of squares, the sum of sizes, the largest size of the differences
METRICS = ("euclidean", "manhattan", "chebyshev")

SURE = 1e-10  # relative: more than rounding can change a distance in fewer than 100,000 dimensions
SHORTEST, LONGEST = 1e-150, 1e150  # squares of shorter differences vanish, those of longer ones overflow
DEEPEST = 64  # halving more points than memory holds takes fewer levels


# -- the search --------------------------------------------------------------------------------------------


@jit
def _to_box(q: Any, low: Any, high: Any, v: int, metric: int) -> float:
    """Return the distance from q to the box with corners low[v], high[v]; if they are equal, to a point."""
    total = 0.0
    for j in range(q.size):
        gap = max(low[v, j] - q[j], q[j] - high[v, j], 0.0)
        if metric == 0:
            total += gap * gap
        elif metric == 1:
            total += gap
        else:
            total = max(total, gap)
    return math.sqrt(total) if metric == 0 else total


@jit
def _insert(best: Any, who: Any, distance: float, i: int) -> None:
    """Put point i at its place in the list of the nearest; the last drops out."""
    r = best.size - 1
    while r > 0 and (distance < best[r - 1] or (distance == best[r - 1] and i < who[r - 1])):
        best[r], who[r] = best[r - 1], who[r - 1]
        r -= 1
    best[r], who[r] = distance, i


@jit
def _search(
    Q: Any,
    k: int,
    points: Any,
    index: Any,
    slices: Any,
    children: Any,
    low: Any,
    high: Any,
    radius: Any,
    metric: int,
) -> Any:
    """Visit, for each query, the nodes that may hold one of its k nearest points, the nearer child first."""
    distances, indices = np.full((len(Q), k), np.inf), np.full((len(Q), k), len(points))
    computed = np.zeros(len(Q), np.int64)
    node, least = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST)  # a stack: nodes and their least distances
    for a in range(len(Q)):
        q, best, who = Q[a], distances[a], indices[a]
        node[0], least[0], top = 0, 0.0, 0
        while top >= 0:
            v, bound = node[top], least[top]
            top -= 1
            if bound > best[k - 1]:  # an equal distance is near enough: the index may be lower
                continue
            near, far = children[v, 0], children[v, 1]
            if near < 0:
                for i in range(slices[v, 0], slices[v, 1]):
                    distance, worst = _to_box(q, points, points, i, metric), best[k - 1]
                    if distance < worst or (distance == worst and index[i] < who[k - 1]):
                        _insert(best, who, distance, index[i])
                computed[a] += slices[v, 1] - slices[v, 0]
            else:
                at_near = (1 - SURE) * _to_box(q, low, high, near, metric) - radius[near]
                at_far = (1 - SURE) * _to_box(q, low, high, far, metric) - radius[far]
                if at_far < at_near:
                    near, far, at_near, at_far = far, near, at_far, at_near
                node[top + 1], least[top + 1] = far, at_far
                node[top + 2], least[top + 2] = near, at_near
                computed[a] += 2
                top += 2
    return distances, indices, computed


@dataclass(frozen=True, kw_only=True, eq=False)
class Neighbors:
    """The nearest points of queries.

    Attributes
    ----------
    distances : array of shape (m, k)
        How far they are, from near to far.
    indices : array of shape (m, k)
        Which points of the sample they are.
    n_distances : array of shape (m,)
        How many distances were computed for each query: to points, and to boxes or centres of balls.
    """

    distances: Array = field(repr=False)
    indices: Indices = field(repr=False)
    n_distances: Indices


# -- the trees ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class NeighborTree:
    r"""A binary tree over points, whose nodes know where their points lie.

    The points of node v are at most ``radius[v]`` away from the box between the corners ``low[v]`` and
    ``high[v]``. In a KD-tree the radius is zero; in a ball tree both corners are the centre.

    Attributes
    ----------
    metric : str
        How distances are measured.
    points : array of shape (n, d)
        The points, ordered so that those of a node are neighbours in memory.
    index : array of shape (n,)
        Where they were in the sample.
    slices : array of shape (v, 2)
        The points of a node are ``points[start:stop]``.
    children : array of shape (v, 2)
        The numbers of the two children, -1 at a leaf; node 0 is the root.
    low, high : array of shape (v, d)
        The corners of the boxes.
    radius : array of shape (v,)
        The radii of the balls.
    """

    metric: str
    points: Array = field(repr=False)
    index: Indices = field(repr=False)
    slices: Indices = field(repr=False)
    children: Indices = field(repr=False)
    low: Array = field(repr=False)
    high: Array = field(repr=False)
    radius: Array = field(repr=False)

    @property
    def leaves(self) -> Indices:
        """The numbers of the nodes that are not divided."""
        return np.flatnonzero(self.children[:, 0] < 0)

    def query(self, Q: ArrayLike, k: int = 1) -> Neighbors:
        """Return the k points nearest to each row of ``Q``, shape (m, d)."""
        asked = _points(Q, "Q")
        n, d = self.points.shape
        if asked.shape[1] != d:
            raise ValueError(f"Q must have {d} columns, got {asked.shape[1]}; measure the same features")
        if _check.count(k, "k", "ask for at least one neighbour") > n:
            raise ValueError(f"k must be at most the number n = {n} of points, got {k}; ask for fewer")
        tree = self.points, self.index, self.slices, self.children, self.low, self.high, self.radius
        distances, indices, n_distances = _search(asked, k, *tree, METRICS.index(self.metric))
        return Neighbors(distances=distances, indices=indices, n_distances=n_distances)


def _points(value: ArrayLike, name: str) -> Array:
    """Return points, row by row as doubles, whose distances can be computed."""
    points = np.ascontiguousarray(_check.matrix(value, name), np.float64)
    size = np.max(np.abs(points))
    if size > LONGEST:
        raise ValueError(f"{name} must be at most {LONGEST:g} in size, got {size:g}; scale the features")
    return points


def _grow(sample: ArrayLike, leaf_size: int, metric: str, ball: bool) -> NeighborTree:
    """Halve the points at the median of the coordinate in which they spread most, down to small leaves."""
    X = _points(sample, "X")
    leaf_size = _check.count(leaf_size, "leaf_size", "a leaf holds at least one point")
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}; scale X for others")
    index = np.arange(len(X))
    slices: list[tuple[int, int]] = []
    children: list[tuple[int, int]] = []
    regions: list[tuple[Array, Array, float]] = []

    def node(start: int, stop: int) -> int:
        """Append a node and all that is below it; return its number."""
        v, points = len(slices), X[index[start:stop]]
        slices.append((start, stop))
        children.append((-1, -1))
        regions.append(_ball(points, metric) if ball else _box(points))
        if stop - start > leaf_size:
            half = (stop - start) // 2
            order = np.argsort(points[:, np.argmax(np.ptp(points, axis=0))], kind="stable")
            index[start:stop] = index[start:stop][order]
            children[v] = node(start, start + half), node(start + half, stop)
        return v

    node(0, len(X))
    low, high, radius = map(np.array, zip(*regions, strict=True))
    return NeighborTree(
        metric=metric,
        points=X[index],
        index=index,
        slices=np.array(slices),
        children=np.array(children),
        low=low,
        high=high,
        radius=radius,
    )


def _box(points: Array) -> tuple[Array, Array, float]:
    """Return the smallest box around points."""
    return points.min(axis=0), points.max(axis=0), 0.0


def _ball(points: Array, metric: str) -> tuple[Array, Array, float]:
    """Return the ball around the mean of points that reaches to the farthest."""
    centre = points.mean(axis=0)
    order = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}[metric]
    farthest = float(np.linalg.norm(points - centre, order, axis=1).max())
    return centre, centre, (1 + SURE) * farthest + SHORTEST


def kd_tree(X: ArrayLike, *, leaf_size: int = 16, metric: str = "euclidean") -> NeighborTree:
    """Build a KD-tree: each node is the smallest box around its points, halved across its longest side.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    leaf_size : int
        Nodes with more points are divided.
    metric : str
        One of ``METRICS``.

    References
    ----------
    Friedman, Bentley and Finkel, *An algorithm for finding best matches in logarithmic expected time*, 1977.

    Examples
    --------
    Of ten thousand points a query looks at few:

    >>> X = np.random.default_rng(0).random((10_000, 2))
    >>> found, slow = kd_tree(X).query(X[:5], 3), brute(X, X[:5], 3)
    >>> np.array_equal(found.indices, slow.indices), bool(np.all(found.n_distances < 150))
    (True, True)
    """
    return _grow(X, leaf_size, metric, ball=False)


def ball_tree(X: ArrayLike, *, leaf_size: int = 16, metric: str = "euclidean") -> NeighborTree:
    """Build a ball tree: each node is a ball around the mean of its points, which reaches to the farthest.

    A ball bounds distances by the triangle inequality alone, so it needs no coordinates to measure with.
    Parameters are those of :func:`kd_tree`.

    References
    ----------
    Omohundro, *Five balltree construction algorithms*, 1989.

    Examples
    --------
    >>> tree = ball_tree([[0.0], [1.0], [5.0], [6.0]], leaf_size=2)
    >>> tree.low[tree.leaves].tolist(), tree.query([[2.0]], 2).indices.tolist()
    ([[0.5], [5.5]], [[1, 0]])
    """
    return _grow(X, leaf_size, metric, ball=True)


def brute(X: ArrayLike, Q: ArrayLike, k: int = 1, metric: str = "euclidean") -> Neighbors:
    """Find the k nearest points of each query by computing all distances: a tree of a single leaf.

    ``Q`` holds the queries, shape (m, d), and k is at most n; other parameters are those of :func:`kd_tree`.

    Examples
    --------
    Equal distances are ordered by position:

    >>> found = brute([[1.0], [-1.0], [3.0]], [[0.0]], 2)
    >>> found.indices.tolist(), found.distances.tolist(), found.n_distances.tolist()
    ([[0, 1]], [[1.0, 1.0]], [3])
    """
    return kd_tree(X, leaf_size=max(np.size(X), 1), metric=metric).query(Q, k)


# -- the classifier ----------------------------------------------------------------------------------------


class KNN(Voter, BaseEstimator):  # type: ignore[misc]
    r"""A classifier by vote: the class that most of the k nearest training points have.

    The probability of a class is its share :math:`\frac1k\sum_{i\in N_k(x)}[y_i=c]` among the neighbours; of
    classes with equally many votes the first in ``classes_`` is taken.

    Parameters
    ----------
    k : int
        How many neighbours vote.
    metric : str
        One of ``lecturekit.neighbors.METRICS``.
    search : "kd", "ball" or "brute"
        How the neighbours are found; the answer is the same.
    leaf_size : int
        Nodes of the tree with more points are divided.

    Attributes
    ----------
    classes_ : array of shape (c,)
        The labels.
    tree_ : NeighborTree
        The training points, ready for queries.
    targets_ : array of shape (n, c)
        The votes of the training points: 1 for their class, 0 for the others.

    References
    ----------
    Cover and Hart, *Nearest neighbor pattern classification*, 1967.

    Examples
    --------
    Two rings, which no line separates:

    >>> from lecturekit import data
    >>> X, y = data.rings(200, rng=0)
    >>> KNN(3).fit(X[::2], y[::2]).score(X[1::2], y[1::2])
    1.0
    """

    def __init__(
        self, k: int = 5, *, metric: str = "euclidean", search: str = "kd", leaf_size: int = 16
    ) -> None:
        self.k = k
        self.metric = metric
        self.search = search
        self.leaf_size = leaf_size

    def fit(self, X: ArrayLike, y: ArrayLike) -> "KNN":
        """Remember points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        points, labels = training_set(self, X, y)
        _check.count(self.k, "k", "ask for at least one neighbour")
        if self.search not in ("brute", "kd", "ball"):
            raise ValueError(f"search must be 'brute', 'kd' or 'ball', got {self.search!r}; all agree")
        leaf_size = len(points) if self.search == "brute" else self.leaf_size
        build = ball_tree if self.search == "ball" else kd_tree
        self.targets_ = self._votes(labels)
        self.tree_ = build(points, leaf_size=leaf_size, metric=self.metric)
        return self

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the shares of the classes among the neighbours, shape (m, c)."""
        points = new_points(self, X)
        return np.asarray(self.targets_[self.tree_.query(points, self.k).indices].mean(axis=1))
