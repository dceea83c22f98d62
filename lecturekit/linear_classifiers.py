"""Linear classifiers as scikit-learn estimators: thin shells around the functions that fit them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit._one_versus_rest import OneVersusRest
from lecturekit._typing import Array
from lecturekit.logistic import Logistic, logistic
from lecturekit.perceptron import PLA, pla, pocket
from lecturekit.softmax import softmax, softmax_regression

__all__ = ["LogisticRegression", "Perceptron", "Pocket", "SoftmaxRegression"]

Solver = Callable[[Array, Array], PLA | Logistic]


class _Linear(OneVersusRest):
    """A classifier with a weight a feature and an intercept, for each of its problems."""

    def _learn(self, X: Any, y: Any, solve: Solver) -> None:
        """Solve the problems of the classes and keep their weights."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._find_classes(y)
        found = self._solve_each(y, lambda sign: solve(X, sign))
        self.w_ = self._squeeze([solution.w for solution in found])
        self.b_ = self._squeeze([solution.b for solution in found])

    def decision_function(self, X: Any) -> Array:
        """Return the scores: shape (m,) for two classes, else (m, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.w_.T + self.b_)


class Perceptron(_Linear):
    """A perceptron, trained by the perceptron algorithm.

    Parameters
    ----------
    order : "cyclic" or "random"
        Visit the points in turn or at random.
    max_updates : int
        The most updates; on data that are not separable all of them are made, and :class:`Pocket` is better.
    intercept : bool
        Whether there is an intercept.
    random_state : int
        The seed of the random visits.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    w_ : array of shape (d,) or (k, d)
        The weights.
    b_ : float or array of shape (k,)
        The intercepts.
    gap_ : float
        The largest error rate on the training points of any of the problems.
    n_iter_ : int
        The most updates of any of the problems.

    References
    ----------
    Rosenblatt, *The perceptron: a probabilistic model for information storage and organization in the brain*,
    1958.

    Examples
    --------
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [-2.0, 0.0]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron().fit(X, y)
    >>> model.score(X, y), model.gap_
    (1.0, 0.0)
    """

    def __init__(
        self,
        *,
        order: str = "cyclic",
        max_updates: int = 10_000,
        intercept: bool = True,
        random_state: int = 0,
    ) -> None:
        self.order = order
        self.max_updates = max_updates
        self.intercept = intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Perceptron":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {"order": self.order, "max_updates": self.max_updates, "intercept": self.intercept}
        self._learn(X, y, lambda X, sign: pla(X, sign, rng=self.random_state, **options))
        return self


class Pocket(_Linear):
    """A perceptron, trained by the pocket algorithm with random visits.

    Parameters
    ----------
    max_updates : int
        The number of updates; fewer are made where all points are right before.
    intercept : bool
        Whether there is an intercept.
    random_state : int
        The seed of the random visits.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    w_ : array of shape (d,) or (k, d)
        The weights.
    b_ : float or array of shape (k,)
        The intercepts.
    gap_ : float
        The largest error rate on the training points of any of the problems.
    n_iter_ : int
        The most updates of any of the problems.

    References
    ----------
    Gallant, *Perceptron-based learning algorithms*, 1990.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]
    >>> Pocket().fit(X, y).score(X, y)
    0.75
    """

    def __init__(self, *, max_updates: int = 10_000, intercept: bool = True, random_state: int = 0) -> None:
        self.max_updates = max_updates
        self.intercept = intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Pocket":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {"n_iter": self.max_updates, "intercept": self.intercept}
        self._learn(X, y, lambda X, sign: pocket(X, sign, rng=self.random_state, **options))
        return self


class LogisticRegression(_Linear):
    r"""Logistic regression, trained by Newton's method; more than two classes one against the rest.

    Each problem minimises
    :math:`\frac1n\sum_i\log(1+e^{-y_i(\langle w,x_i\rangle+b)})+\frac\lambda2\lVert w\rVert^2`.

    Parameters
    ----------
    lam : float
        The strength of the penalty, at least 0; the intercept is not penalised.
    tol : float
        Stop when no entry of the gradient is larger than this.
    max_iter : int
        The most Newton steps.
    intercept : bool
        Whether there is an intercept.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    w_ : array of shape (d,) or (k, d)
        The weights.
    b_ : float or array of shape (k,)
        The intercepts.
    gap_ : float
        The largest entry of a gradient, without the sign, where the solver stopped.
    n_iter_ : int
        The most steps of any of the problems.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 4.4.

    Examples
    --------
    >>> X, y = [[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], list("nnyyyn")
    >>> LogisticRegression(lam=0.0).fit(X, y).predict_proba([[0.0], [1.0]]).round(4)
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    def __init__(
        self, lam: float = 1e-3, *, tol: float = 1e-8, max_iter: int = 100, intercept: bool = True
    ) -> None:
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter
        self.intercept = intercept

    def fit(self, X: Any, y: Any) -> "LogisticRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {
            "lam": self.lam,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "intercept": self.intercept,
        }
        self._learn(X, y, lambda X, sign: logistic(X, sign, **options))
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the probabilities, shape (m, k); those of several classes are scaled to a sum of one."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return softmax(np.column_stack([np.zeros(len(scores)), scores]))
        return softmax(-np.logaddexp(0.0, -scores))  # the logarithms of the sigmoids


class SoftmaxRegression(OneVersusRest):
    r"""Softmax regression, trained by L-BFGS: all classes in one problem.

    It minimises :math:`-\frac1n\sum_i\log t_{iy_i}+\frac\lambda2\sum_k\lVert w_k\rVert^2` with the
    probabilities :math:`t_{ik}` in proportion to :math:`e^{\langle w_k,x_i\rangle+b_k}`.

    Parameters
    ----------
    lam : float
        The strength of the penalty, at least 0; the intercepts are not penalised.
    tol : float
        Stop when no entry of the gradient is larger than this.
    max_iter : int
        The most steps.
    intercept : bool
        Whether there are intercepts.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    w_ : array of shape (k, d)
        The weights.
    b_ : array of shape (k,)
        The intercepts.
    gap_ : float
        The largest entry of the gradient, without the sign, where the solver stopped.
    n_iter_ : int
        Steps taken.

    References
    ----------
    Bishop, *Pattern Recognition and Machine Learning*, 2006, section 4.3.4.

    Examples
    --------
    >>> from lecturekit import data
    >>> X, y = data.digits(0, 1, 2)
    >>> SoftmaxRegression().fit(X, y).score(X, y) > 0.99
    True
    """

    def __init__(
        self, lam: float = 1e-3, *, tol: float = 1e-6, max_iter: int = 10_000, intercept: bool = True
    ) -> None:
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter
        self.intercept = intercept

    def fit(self, X: Any, y: Any) -> "SoftmaxRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._find_classes(y)
        found = softmax_regression(
            X, y, lam=self.lam, tol=self.tol, max_iter=self.max_iter, intercept=self.intercept
        )
        self.w_, self.b_, self.gap_, self.n_iter_ = found.W, found.b, found.gap, max(1, found.n_iter)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return the scores: shape (m, k), for two classes the differences, shape (m,)."""
        scores = self._scores(X)
        return np.asarray(scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict_proba(self, X: Any) -> Array:
        """Return the probabilities, shape (m, k)."""
        return softmax(self._scores(X))

    def _scores(self, X: Any) -> Array:
        """Return the scores of all classes, shape (m, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.w_.T + self.b_)
