r"""Boosting: many weak functions, added one at a time, as functions and as scikit-learn estimators.

This module gathers the names of :mod:`lecturekit.trees`, :mod:`lecturekit.trees` and
:mod:`lecturekit.trees` (the weak functions), :mod:`lecturekit.boosting`,
:mod:`lecturekit.boosting`, :mod:`lecturekit.boosting` and :mod:`lecturekit.boosting` (additive
models). The estimators are thin shells around the functions.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit._estimators import OneVersusRest
from lecturekit._typing import Array
from lecturekit.boosting._losses import (
    AbsoluteError,
    BoostingLoss,
    SquaredError,
)
from lecturekit.boosting._rounds import (
    adaboost,
    gradient_boosting,
    multiclass_boosting,
)

LOSSES: dict[str, BoostingLoss] = {"squared": SquaredError(), "absolute": AbsoluteError()}


class AdaBoost(OneVersusRest):
    """Discrete AdaBoost with decision stumps; more than two classes one against the rest.

    Parameters
    ----------
    rounds : int
        The most rounds.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    models_ : list of AdaBoosted
        What was found: one for two classes, else one a class.
    gap_ : float
        The largest bound of the training error of any of the problems.
    n_iter_ : int
        The most rounds of any of the problems.

    References
    ----------
    Freund and Schapire, *A decision-theoretic generalization of on-line learning and an application to
    boosting*, 1997.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], list("aabba")
    >>> AdaBoost(rounds=1).fit(X, y).score(X, y), AdaBoost(rounds=3).fit(X, y).score(X, y)
    (0.8, 1.0)
    """

    def __init__(self, rounds: int = 50) -> None:
        self.rounds = rounds

    def fit(self, X: Any, y: Any) -> "AdaBoost":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._find_classes(y)
        self.models_ = self._solve_each(y, lambda sign: adaboost(X, sign, self.rounds))
        return self

    def decision_function(self, X: Any) -> Array:
        r"""Return the sums :math:`\sum_m\alpha_mh^m`: shape (m,) for two classes, else (m, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._squeeze([model.decision(X) for model in self.models_]).T


class GradientBoosting(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Regression by gradient boosting of trees.

    Parameters
    ----------
    loss : "squared" or "absolute"
        The loss.
    rounds : int
        The number of trees.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    learning_rate : float
        The share of each step that is made.
    bins : int, optional
        Look for thresholds between that many bins of each feature, up to 255, not between all its values:
        much faster with many points.

    Attributes
    ----------
    model_ : Additive
        What was found.

    References
    ----------
    Friedman, *Greedy function approximation: a gradient boosting machine*, 2001.

    Examples
    --------
    One value in error moves the squared error's constant, not that of the absolute error:

    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 1.0, 1.0, 101.0]
    >>> [GradientBoosting(loss, rounds=1).fit(X, y).model_.start for loss in ("squared", "absolute")]
    [21.0, 1.0]
    """

    def __init__(
        self,
        loss: str = "squared",
        *,
        rounds: int = 100,
        depth: int = 3,
        learning_rate: float = 0.1,
        min_leaf: int = 1,
        bins: int | None = None,
    ) -> None:
        self.loss = loss
        self.rounds = rounds
        self.depth = depth
        self.learning_rate = learning_rate
        self.min_leaf = min_leaf
        self.bins = bins

    def fit(self, X: Any, y: Any) -> "GradientBoosting":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        if self.loss not in LOSSES:
            raise ValueError(
                f"loss must be 'squared' or 'absolute', got {self.loss!r}; pass others to gradient_boosting"
            )
        how = {name: value for name, value in self.get_params().items() if name != "loss"}
        self.model_ = gradient_boosting(X, y, loss=LOSSES[self.loss], **how)
        return self

    def predict(self, X: Any) -> Array:
        """Return the predictions, shape (m,)."""
        check_is_fitted(self)
        return self.model_(validate_data(self, X, dtype=np.float64, reset=False))


class GradientBoostingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classification by gradient boosting of trees: K - 1 functions for K classes.

    Parameters
    ----------
    rounds : int
        The number of rounds, each with K - 1 trees.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    learning_rate : float
        The share of each step that is made.
    bins : int, optional
        Look for thresholds between that many bins of each feature, up to 255, not between all its values.

    Attributes
    ----------
    classes_ : array of shape (C,)
        The labels; the last one is the reference.
    model_ : Multiclass
        What was found.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 10.10.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    >>> model = GradientBoostingClassifier(depth=2).fit(X, y)
    >>> model.score(X, y), model.predict_proba([[0.0]]).round(2)
    (1.0, array([[1., 0., 0.]]))
    """

    def __init__(
        self,
        *,
        rounds: int = 100,
        depth: int = 3,
        learning_rate: float = 0.1,
        min_leaf: int = 1,
        bins: int | None = None,
    ) -> None:
        self.rounds = rounds
        self.depth = depth
        self.learning_rate = learning_rate
        self.min_leaf = min_leaf
        self.bins = bins

    def fit(self, X: Any, y: Any) -> "GradientBoostingClassifier":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.model_ = multiclass_boosting(X, y, **self.get_params())
        self.classes_ = self.model_.classes
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the probabilities of the classes, shape (m, C)."""
        check_is_fitted(self)
        return self.model_.probabilities(validate_data(self, X, dtype=np.float64, reset=False))

    def decision_function(self, X: Any) -> Array:
        """Return the log-odds of the second of two classes, (m,), or of all against the last one, (m, C)."""
        check_is_fitted(self)
        F = self.model_.scores(validate_data(self, X, dtype=np.float64, reset=False))
        return -F[:, 0] if len(self.classes_) == 2 else np.column_stack([F, np.zeros(len(F))])

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row, shape (m,)."""
        P = self.predict_proba(X)
        return np.asarray(self.classes_[P.argmax(axis=1)])
