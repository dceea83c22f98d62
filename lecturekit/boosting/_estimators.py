"""Boosting as scikit-learn estimators: thin shells around the functions."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from lecturekit._estimators import OneVersusRest, Voter, classes_of, new_points, training_set
from lecturekit._typing import Array, ArrayLike
from lecturekit.boosting._losses import AbsoluteError, BoostingLoss, SquaredError
from lecturekit.boosting._rounds import adaboost, gradient_boosting, multiclass_boosting

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

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], list("aabba")
    >>> AdaBoost(rounds=1).fit(X, y).score(X, y), AdaBoost(rounds=3).fit(X, y).score(X, y)
    (0.8, 1.0)
    """

    def __init__(self, rounds: int = 50) -> None:
        self.rounds = rounds

    def fit(self, X: ArrayLike, y: ArrayLike) -> "AdaBoost":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        points, labels = training_set(self, X, y)
        self._find_classes(labels)
        self.models_ = self._solve_each(labels, lambda sign: adaboost(points, sign, self.rounds))
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the sums :math:`\sum_m\alpha_mh^m`: shape (m,) for two classes, else (m, k)."""
        points = new_points(self, X)
        return self._squeeze([model.decision(points) for model in self.models_]).T


class GradientBoosting(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Regression by gradient boosting of trees.

    Parameters are those of :func:`gradient_boosting`, but ``loss`` is "squared" or "absolute".

    Attributes
    ----------
    model_ : Additive
        What was found.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "GradientBoosting":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        points, targets = training_set(self, X, y, y_numeric=True)
        if self.loss not in LOSSES:
            raise ValueError(
                f"loss must be 'squared' or 'absolute', got {self.loss!r}; pass others to gradient_boosting"
            )
        how = {name: value for name, value in self.get_params().items() if name != "loss"}
        self.model_ = gradient_boosting(points, targets, loss=LOSSES[self.loss], **how)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return the predictions, shape (m,)."""
        points = new_points(self, X)
        return self.model_(points)


class GradientBoostingClassifier(Voter, BaseEstimator):  # type: ignore[misc]
    """Classification by gradient boosting of trees: K - 1 functions for K classes.

    Parameters are those of :func:`multiclass_boosting`.

    Attributes
    ----------
    classes_ : array of shape (C,)
        The labels; the last one is the reference.
    model_ : Multiclass
        What was found.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "GradientBoostingClassifier":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        points, labels = training_set(self, X, y)
        classes_of(self, labels)
        self.model_ = multiclass_boosting(points, labels, **self.get_params())
        self.classes_ = self.model_.classes
        return self

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probabilities of the classes, shape (m, C)."""
        points = new_points(self, X)
        return self.model_.probabilities(points)

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the log-odds of the second of two classes, (m,), or of all against the last one, (m, C)."""
        points = new_points(self, X)
        F = self.model_.scores(points)
        return -F[:, 0] if len(self.classes_) == 2 else np.column_stack([F, np.zeros(len(F))])
