r"""Forests: trees of bootstrap samples, random features and random thresholds, and their votes."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.base import BaseEstimator

from lecturekit import _check
from lecturekit._estimators import Voter, new_points, seeded, training_set
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.losses import zero_one
from lecturekit.trees._tree import Order, Tree, checked_limits, grow_tree, presort


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest:
    """Trees whose mean is taken.

    Attributes
    ----------
    trees : tuple of Tree
        The trees.
    out_of_bag : array of shape (n, k)
        For each training point the mean of the trees that did not see it; NaN if all did.
    left_out : array of shape (n,)
        How many trees did not see it.
    """

    trees: tuple[Tree, ...] = field(repr=False)
    out_of_bag: Array = field(repr=False)
    left_out: Indices = field(repr=False)

    def __call__(self, X: Array) -> Array:
        """Return the mean of the trees at each row of ``X``, shape (m, k)."""
        X = np.ascontiguousarray(X)
        return np.asarray(sum(tree(X) for tree in self.trees) / len(self.trees))


def resampled_order(order: Order, counts: Indices) -> Order:
    """Return the order of a sample in which row i occurs ``counts[i]`` times, without sorting again."""
    return np.stack([np.repeat(rows, counts[rows]) for rows in order])


def grow_forest(
    X: Array,
    z: Array,
    *,
    n_trees: int,
    depth: int | None = None,
    min_leaf: int = 1,
    features: int | None = None,
    bootstrap: bool = True,
    random_cuts: bool = False,
    rng: np.random.Generator,
) -> Forest:
    r"""Grow trees, each on its own draw of n of the n points with replacement or, without, on all of them.

    A draw leaves a point out with probability :math:`(1-\frac1n)^n\approx e^{-1}`; for these points the tree
    is as good as new, so that the mean of the trees that did not see a point is an honest prediction of it.
    """
    X, n, trees = np.asfortranarray(X), len(X), []
    n_trees = _check.count(n_trees, "n_trees", "a forest has at least one tree")
    how = checked_limits(depth, min_leaf, features) | {"random_cuts": random_cuts}
    order, total, left_out = presort(X), np.zeros_like(z), np.zeros(n, dtype=np.intp)
    for each in rng.spawn(n_trees):
        counts = np.bincount(each.integers(n, size=n), minlength=n) if bootstrap else np.ones(n, np.intp)
        tree, _ = grow_tree(X, z, resampled_order(order, counts), rng=each, **how)
        out = np.flatnonzero(counts == 0)
        if out.size:
            total[out] += tree(X[out])
            left_out[out] += 1
        trees.append(tree)
    with np.errstate(invalid="ignore"):  # 0 / 0 is NaN: every tree saw the point
        return Forest(trees=tuple(trees), out_of_bag=total / left_out[:, None], left_out=left_out)


# -- estimators --------------------------------------------------------------------------------------------


class RandomForest(Voter, BaseEstimator):  # type: ignore[misc]
    r"""A random forest for classes: bootstrap samples, and a few random features at each node.

    The trees minimise the Gini impurity, which is the squared error of columns of zeros and ones; they vote
    with the shares of the classes in their leaves.

    Parameters
    ----------
    n_trees : int
        How many trees.
    depth : int, optional
        The most cuts on a way down; by default any number.
    min_leaf : int
        The fewest rows in a leaf.
    features : int, optional
        How many features a node looks at; by default :math:`\sqrt d`, rounded.
    random_state : int or Generator
        The seed.

    Attributes
    ----------
    classes_ : array of shape (c,)
        The labels.
    forest_ : Forest
        The trees and their predictions out of bag: ``trees``, ``out_of_bag`` and ``left_out``.
    oob_error_ : float
        The error rate out of bag, honest without a test set; NaN if every tree saw every point.

    References
    ----------
    Breiman, *Random forests*, 2001.

    Examples
    --------
    >>> from lecturekit import data
    >>> X, y = data.rings(200, rng=0)
    >>> model = RandomForest().fit(X, y)
    >>> model.score(X, y), model.oob_error_ < 0.05
    (1.0, True)
    """

    def __init__(
        self,
        n_trees: int = 100,
        *,
        depth: int | None = None,
        min_leaf: int = 1,
        features: int | None = None,
        random_state: np.random.Generator | int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.depth = depth
        self.min_leaf = min_leaf
        self.features = features
        self.random_state = random_state

    def _grow(self, X: ArrayLike, y: ArrayLike, *, extra: bool) -> Array:
        """Grow a forest, with random thresholds in place of samples if ``extra``; return the labels."""
        points, labels = training_set(self, X, y)
        self.forest_ = grow_forest(
            points,
            self._votes(labels),
            n_trees=self.n_trees,
            depth=self.depth,
            min_leaf=self.min_leaf,
            features=round(np.sqrt(points.shape[1])) if self.features is None else self.features,
            bootstrap=not extra,
            random_cuts=extra,
            rng=seeded(self.random_state),
        )
        return np.asarray(labels)

    def fit(self, X: ArrayLike, y: ArrayLike) -> "RandomForest":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        labels = self._grow(X, y, extra=False)
        out = self.forest_.left_out > 0
        voted = self.classes_[self.forest_.out_of_bag[out].argmax(axis=1)]
        self.oob_error_ = float(zero_one(voted, labels[out]).mean()) if out.any() else float("nan")
        return self

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the mean shares of the classes in the leaves, shape (m, c)."""
        points = new_points(self, X)
        return self.forest_(points)


class ExtraTrees(RandomForest):
    r"""Extremely randomised trees for classes: a node draws one threshold a feature and keeps the best cut.

    Every tree sees all points, so that nothing is out of bag. Parameters and attributes are those of
    :class:`RandomForest`, but for the error out of bag.

    References
    ----------
    Geurts, Ernst and Wehenkel, *Extremely randomized trees*, 2006.

    Examples
    --------
    >>> from lecturekit import data
    >>> X, y = data.rings(200, rng=0)
    >>> ExtraTrees().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.95
    True
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> "ExtraTrees":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        self._grow(X, y, extra=True)
        return self
