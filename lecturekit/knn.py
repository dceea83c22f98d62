"""Nearest neighbours as scikit-learn estimators: training is remembering, predicting is searching."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit._typing import Array
from lecturekit._votes import Voter
from lecturekit.neighbors import ball_tree, kd_tree

__all__ = ["KNN", "KNNRegressor"]


class _Neighbors(BaseEstimator):  # type: ignore[misc]
    """A learner that remembers its points."""

    def __init__(
        self, k: int = 5, *, metric: str = "euclidean", search: str = "kd", leaf_size: int = 16
    ) -> None:
        self.k = k
        self.metric = metric
        self.search = search
        self.leaf_size = leaf_size

    def _remember(self, X: Array, targets: Array) -> None:
        """Arrange the points for the search."""
        if self.search not in ("brute", "kd", "ball"):
            raise ValueError(f"search must be 'brute', 'kd' or 'ball', got {self.search!r}; all agree")
        leaf_size = len(X) if self.search == "brute" else self.leaf_size
        build = ball_tree if self.search == "ball" else kd_tree
        self.tree_, self.targets_ = build(X, leaf_size=leaf_size, metric=self.metric), targets

    def _mean(self, X: Any) -> Array:
        """Return the mean targets of the k training points nearest to each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.targets_[self.tree_.query(X, self.k).indices].mean(axis=1))


class KNN(Voter, _Neighbors):
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

    def fit(self, X: Any, y: Any) -> "KNN":
        """Remember points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._remember(X, self._votes(y))
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the shares of the classes among the neighbours, shape (m, c)."""
        return self._mean(X)


class KNNRegressor(RegressorMixin, _Neighbors):  # type: ignore[misc]
    r"""Regression by the mean :math:`\frac1k\sum_{i\in N_k(x)}y_i` of the k nearest training points.

    Parameters
    ----------
    k : int
        How many neighbours are averaged.
    metric : str
        One of ``lecturekit.neighbors.METRICS``.
    search : "kd", "ball" or "brute"
        How the neighbours are found; the answer is the same.
    leaf_size : int
        Nodes of the tree with more points are divided.

    Attributes
    ----------
    tree_ : NeighborTree
        The training points, ready for queries.
    targets_ : array of shape (n,)
        Their targets.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 2.3.2.

    Examples
    --------
    >>> KNNRegressor(2).fit([[0.0], [1.0], [5.0]], [1.0, 2.0, 9.0]).predict([[0.4], [4.0]])
    array([1.5, 5.5])
    """

    def fit(self, X: Any, y: Any) -> "KNNRegressor":
        """Remember points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self._remember(X, np.asarray(y, np.float64))
        return self

    def predict(self, X: Any) -> Array:
        """Return the mean target of the neighbours of each row."""
        return self._mean(X)
