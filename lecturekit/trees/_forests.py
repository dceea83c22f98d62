r"""Forests: the mean of many deep trees that were made to differ.

A deep tree has little bias and much variance. The mean of B trees with variance :math:`\sigma^2` each and
correlation :math:`\rho` between any two has the variance :math:`\rho\sigma^2+\frac{1-\rho}B\sigma^2`, and the
bias of one. More trees lower the second part; randomness in the samples (bootstrap), in the features that a
node looks at and in the thresholds lowers the correlation in the first.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit import _check
from lecturekit._estimators import Voter
from lecturekit._typing import Array, Indices
from lecturekit.losses import squared, zero_one
from lecturekit.trees._tree import Tree, presort, regression_tree, resampled_order


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest:
    """Trees whose mean is taken.

    Attributes
    ----------
    trees : tuple of Tree
        The trees.
    out_of_bag : array of shape (n,) or (n, k)
        For each training point the mean of the trees that did not see it; NaN if all did.
    left_out : array of shape (n,)
        How many trees did not see it.
    """

    trees: tuple[Tree, ...] = field(repr=False)
    out_of_bag: Array = field(repr=False)
    left_out: Indices = field(repr=False)

    def __call__(self, X: Any) -> Array:
        """Return the mean of the trees at each row of ``X``, shape (m,) or (m, k)."""
        X = np.ascontiguousarray(X, dtype=np.float64)
        return np.asarray(sum(tree(X) for tree in self.trees) / len(self.trees))


def grow_forest(
    X: Any,
    z: Any,
    *,
    n_trees: int = 100,
    depth: int | None = None,
    min_leaf: int = 1,
    features: int | None = None,
    bootstrap: bool = True,
    random_cuts: bool = False,
    rng: np.random.Generator | int,
) -> Forest:
    r"""Grow many regression trees, each on its own draw of n of the n points with replacement.

    A draw leaves a point out with probability :math:`(1-\frac1n)^n\approx e^{-1}`; for these points the tree
    is as good as new, so that the mean of the trees that did not see a point is an honest prediction of it.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    z : array of shape (n,) or (n, k)
        The targets; for classes, one column of zeros and ones each.
    n_trees : int
        How many trees.
    depth, min_leaf, features, random_cuts
        The shape of a tree and its randomness, as in :func:`lecturekit.trees.regression_tree`.
    bootstrap : bool
        Draw the points of each tree; otherwise each sees all points.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Breiman, *Random forests*, 2001.

    Examples
    --------
    The mean of many trees is nearer to the truth than one tree, and out of bag it shows on the training set:

    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((200, 2))
    >>> z = X.sum(axis=1) + rng.normal(size=200)
    >>> one, many = grow_forest(X, z, n_trees=1, rng=1), grow_forest(X, z, n_trees=100, rng=1)
    >>> bool(np.nanmean((one.out_of_bag - z) ** 2) > 1.3 * np.nanmean((many.out_of_bag - z) ** 2))
    True
    """
    X = np.asfortranarray(_check.matrix(X), dtype=np.float64)
    z, n = np.asarray(z, dtype=np.float64), len(X)
    n_trees = _check.count(n_trees, "n_trees", "a forest has at least one tree")
    order, trees = presort(X), []
    total, left_out = np.zeros_like(z), np.zeros(n, dtype=np.intp)
    for each in _check.generator(rng).spawn(n_trees):
        counts = np.bincount(each.integers(n, size=n), minlength=n) if bootstrap else np.ones(n, np.intp)
        tree = regression_tree(
            X,
            z,
            depth=depth,
            min_leaf=min_leaf,
            features=features,
            random_cuts=random_cuts,
            order=resampled_order(order, counts),
            rng=each,
        )
        out = np.flatnonzero(counts == 0)
        total[out] += tree(X[out])
        left_out[out] += 1
        trees.append(tree)
    with np.errstate(invalid="ignore"):  # 0 / 0 is NaN: every tree saw the point
        out_of_bag = (total.T / left_out).T
    return Forest(trees=tuple(trees), out_of_bag=out_of_bag, left_out=left_out)


# -- estimators ----------------------------------------------------------------------------------------------


class _Forest(BaseEstimator):  # type: ignore[misc]
    """An estimator that remembers a forest."""

    def __init__(
        self,
        n_trees: int = 100,
        *,
        depth: int | None = None,
        min_leaf: int = 1,
        features: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.depth = depth
        self.min_leaf = min_leaf
        self.features = features
        self.random_state = random_state

    def _grow(self, X: Array, z: Array, features: float, *, extra: bool) -> None:
        """Grow the forest; ``features`` is how many to look at unless the parameter says it."""
        self.forest_ = grow_forest(
            X,
            z,
            n_trees=self.n_trees,
            depth=self.depth,
            min_leaf=self.min_leaf,
            features=max(1, round(features)) if self.features is None else self.features,
            bootstrap=not extra,
            random_cuts=extra,
            rng=self.random_state,
        )

    def _mean(self, X: Any) -> Array:
        """Return the mean of the trees at each row."""
        check_is_fitted(self)
        return self.forest_(validate_data(self, X, dtype=np.float64, reset=False))

    def _honest_mean(self, losses: Array) -> float:
        """Return the mean loss of the points that some tree left out; NaN if there are none."""
        kept = losses[self.forest_.left_out > 0]
        return float(kept.mean()) if kept.size else float("nan")


class _Classifier(Voter, _Forest):
    """A forest that votes: the mean of the shares of the classes in the leaves."""

    def predict_proba(self, X: Any) -> Array:
        """Return the mean shares of the classes in the leaves, shape (m, c)."""
        return self._mean(X)


class _Regressor(RegressorMixin, _Forest):  # type: ignore[misc]
    """A forest of means."""

    def predict(self, X: Any) -> Array:
        """Return the mean of the trees at each row."""
        return self._mean(X)


class RandomForest(_Classifier):
    r"""A random forest for classes: bootstrap samples, and a few random features at each node.

    The trees minimise the Gini impurity, which is the squared error of columns of zeros and ones.

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
    random_state : int
        The seed.

    Attributes
    ----------
    classes_ : array of shape (c,)
        The labels.
    forest_ : Forest
        The trees and their predictions out of bag.
    oob_error_ : float
        The error rate out of bag, honest without a test set.

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

    def fit(self, X: Any, y: Any) -> "RandomForest":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._grow(X, self._votes(y), np.sqrt(X.shape[1]), extra=False)
        voted = self.classes_[self.forest_.out_of_bag.argmax(axis=1)]
        self.oob_error_ = self._honest_mean(zero_one(voted, y))
        return self


class RandomForestRegressor(_Regressor):
    r"""A random forest for numbers: bootstrap samples, and a third of the features at each node.

    Parameters
    ----------
    n_trees : int
        How many trees.
    depth : int, optional
        The most cuts on a way down; by default any number.
    min_leaf : int
        The fewest rows in a leaf.
    features : int, optional
        How many features a node looks at; by default d / 3, rounded.
    random_state : int
        The seed.

    Attributes
    ----------
    forest_ : Forest
        The trees and their predictions out of bag.
    oob_error_ : float
        The mean squared error out of bag.

    References
    ----------
    Breiman, *Random forests*, 2001.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((300, 1))
    >>> y = np.sin(6 * X[:, 0])
    >>> RandomForestRegressor().fit(X, y).oob_error_ < 0.001
    True
    """

    def fit(self, X: Any, y: Any) -> "RandomForestRegressor":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self._grow(X, np.asarray(y, np.float64), X.shape[1] / 3, extra=False)
        self.oob_error_ = self._honest_mean(squared(self.forest_.out_of_bag, y))
        return self


class ExtraTrees(_Classifier):
    r"""Extremely randomised trees for classes: a node draws one threshold a feature and keeps the best cut.

    Every tree sees all points, so that nothing is out of bag.

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
    random_state : int
        The seed.

    Attributes
    ----------
    classes_ : array of shape (c,)
        The labels.
    forest_ : Forest
        The trees.

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

    def fit(self, X: Any, y: Any) -> "ExtraTrees":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._grow(X, self._votes(y), np.sqrt(X.shape[1]), extra=True)
        return self


class ExtraTreesRegressor(_Regressor):
    r"""Extremely randomised trees for numbers: a node draws one threshold a feature and keeps the best cut.

    Every tree sees all points, so that nothing is out of bag.

    Parameters
    ----------
    n_trees : int
        How many trees.
    depth : int, optional
        The most cuts on a way down; by default any number.
    min_leaf : int
        The fewest rows in a leaf.
    features : int, optional
        How many features a node looks at; by default all.
    random_state : int
        The seed.

    Attributes
    ----------
    forest_ : Forest
        The trees.

    References
    ----------
    Geurts, Ernst and Wehenkel, *Extremely randomized trees*, 2006.

    Examples
    --------
    The mean of many random steps is nearly smooth:

    >>> X = np.linspace(0, 1, 11)[:, None]
    >>> model = ExtraTreesRegressor(1000).fit(X, X[:, 0])
    >>> model.predict([[0.5], [0.55]]).round(1)
    array([0.5, 0.5])
    """

    def fit(self, X: Any, y: Any) -> "ExtraTreesRegressor":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self._grow(X, np.asarray(y, np.float64), X.shape[1], extra=True)
        return self
