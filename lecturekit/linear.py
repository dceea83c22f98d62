r"""Linear models as scikit-learn estimators: thin shells around the functions that fit them.

The regressors are here; the classifiers of :mod:`lecturekit.linear` are found here too. What is
minimised is said in :mod:`lecturekit.least_squares` and :mod:`lecturekit.penalized`; the penalty is called
``lam`` and its scale is that of scikit-learn's ``alpha`` in ``Lasso`` and ``ElasticNet``.

Linear classifiers as scikit-learn estimators: thin shells around the functions that fit them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit._estimators import OneVersusRest
from lecturekit._typing import Array
from lecturekit.least_squares import LeastSquares, ols
from lecturekit.logistic import Logistic, logistic, softmax, softmax_regression
from lecturekit.penalized import Penalized, elastic_net, lasso, multitask_lasso, ridge
from lecturekit.perceptron import PLA, pla, pocket

__all__ = [
    "ElasticNet",
    "Lasso",
    "LinearRegression",
    "LogisticRegression",
    "MultiTaskLasso",
    "Perceptron",
    "Pocket",
    "Ridge",
    "SoftmaxRegression",
]

# -- classifiers -------------------------------------------------------------------------------------------

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
    fit_intercept : bool
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
        fit_intercept: bool = True,
        random_state: int = 0,
    ) -> None:
        self.order = order
        self.max_updates = max_updates
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Perceptron":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {
            "order": self.order,
            "max_updates": self.max_updates,
            "fit_intercept": self.fit_intercept,
        }
        self._learn(X, y, lambda X, sign: pla(X, sign, rng=self.random_state, **options))
        return self


class Pocket(_Linear):
    """A perceptron, trained by the pocket algorithm with random visits.

    Parameters
    ----------
    max_updates : int
        The number of updates; fewer are made where all points are right before.
    fit_intercept : bool
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

    def __init__(
        self, *, max_updates: int = 10_000, fit_intercept: bool = True, random_state: int = 0
    ) -> None:
        self.max_updates = max_updates
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Pocket":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {"n_iter": self.max_updates, "fit_intercept": self.fit_intercept}
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
    fit_intercept : bool
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
        self, lam: float = 1e-3, *, tol: float = 1e-8, max_iter: int = 100, fit_intercept: bool = True
    ) -> None:
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> "LogisticRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {
            "lam": self.lam,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "fit_intercept": self.fit_intercept,
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
    fit_intercept : bool
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
        self, lam: float = 1e-3, *, tol: float = 1e-6, max_iter: int = 10_000, fit_intercept: bool = True
    ) -> None:
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> "SoftmaxRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        self._find_classes(y)
        found = softmax_regression(
            X, y, lam=self.lam, tol=self.tol, max_iter=self.max_iter, fit_intercept=self.fit_intercept
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


# -- regression --------------------------------------------------------------------------------------------


class _Regressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A weight a feature and an intercept."""

    def _numbers(self, X: Any, y: Any, *, tasks: bool = False) -> tuple[Array, Array]:
        """Check points and targets."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, multi_output=tasks)
        return X, y.astype(np.float64, copy=False)

    def _keep(self, fit: LeastSquares | Penalized) -> None:
        """Remember what was found."""
        self.w_, self.b_ = fit.w, fit.b
        self.gap_, self.n_iter_ = fit.gap, max(1, fit.n_iter)

    def predict(self, X: Any) -> Array:
        """Return the predictions: shape (m,), or (m, k) for k tasks."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.w_ + self.b_)


class LinearRegression(_Regressor):
    r"""Least squares: minimises :math:`\frac1n\sum_i(y_i-\langle w,x_i\rangle-b)^2` by the SVD.

    Parameters
    ----------
    fit_intercept : bool
        Whether there is an intercept b.

    Attributes
    ----------
    w_ : array of shape (d,)
        The weights; of several solutions the shortest.
    b_ : float
        The intercept.
    gap_ : float
        The norm of the gradient, zero but for rounding.
    n_iter_ : int
        One.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning from Data*, 2012, section 3.2.

    Examples
    --------
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.w_.round(12), round(model.b_, 12), model.predict([[10.0]]).round(12)
    (array([2.]), 1.0, array([21.]))
    """

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> "LinearRegression":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(ols(*self._numbers(X, y), fit_intercept=self.fit_intercept))
        return self


class Ridge(_Regressor):
    r"""Ridge regression: least squares with the penalty :math:`\frac\lambda2\lVert w\rVert^2`.

    Minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2+\frac\lambda2\lVert w\rVert^2`.
    scikit-learn's ``Ridge`` has another scale: its ``alpha`` is :math:`n\lambda`.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether there is an intercept b, which is not penalised.

    Attributes
    ----------
    w_ : array of shape (d,)
        The weights.
    b_ : float
        The intercept.
    gap_ : float
        The duality gap, zero but for rounding.
    n_iter_ : int
        One.

    References
    ----------
    Hoerl and Kennard, *Ridge regression: biased estimation for nonorthogonal problems*, 1970.

    Examples
    --------
    Three centred points, least squares at w = 2; here :math:`w=2\cdot\frac{2/3}{2/3+\lambda}`.

    >>> Ridge(lam=2 / 3).fit([[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0]).w_.round(12)
    array([1.])
    """

    def __init__(self, lam: float = 0.1, *, fit_intercept: bool = True) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> "Ridge":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(ridge(*self._numbers(X, y), self.lam, fit_intercept=self.fit_intercept))
        return self


class Lasso(_Regressor):
    r"""The lasso: minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2+\lambda\lVert w\rVert_1`.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether there is an intercept b, which is not penalised.
    tol : float
        Stop when the duality gap is at most this times the objective of the constant prediction.
    max_iter : int
        The most epochs of coordinate descent.

    Attributes
    ----------
    w_ : array of shape (d,)
        The weights, many of them exactly zero where the penalty is large.
    b_ : float
        The intercept.
    gap_ : float
        The duality gap.
    n_iter_ : int
        Epochs of coordinate descent.

    References
    ----------
    Tibshirani, *Regression shrinkage and selection via the lasso*, 1996.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 8))
    >>> np.flatnonzero(Lasso(lam=0.5).fit(X, 3 * X[:, 2] - 2 * X[:, 5]).w_)
    array([2, 5])
    """

    def __init__(
        self, lam: float = 0.1, *, fit_intercept: bool = True, tol: float = 1e-8, max_iter: int = 100_000
    ) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> "Lasso":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        options: Any = {"fit_intercept": self.fit_intercept, "tol": self.tol, "max_iter": self.max_iter}
        self._keep(lasso(*self._numbers(X, y), self.lam, **options))
        return self


class ElasticNet(_Regressor):
    r"""The elastic net: least squares with both penalties.

    Minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2` plus the penalty
    :math:`\lambda(\rho\lVert w\rVert_1+\frac{1-\rho}2\lVert w\rVert^2)`.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    l1_ratio : float
        The share :math:`\rho` of the 1-norm, from 0 to 1.
    fit_intercept : bool
        Whether there is an intercept b, which is not penalised.
    tol : float
        Stop when the duality gap is at most this times the objective of the constant prediction.
    max_iter : int
        The most epochs of coordinate descent.

    Attributes
    ----------
    w_ : array of shape (d,)
        The weights.
    b_ : float
        The intercept.
    gap_ : float
        The duality gap.
    n_iter_ : int
        Epochs of coordinate descent.

    References
    ----------
    Zou and Hastie, *Regularization and variable selection via the elastic net*, 2005.

    Examples
    --------
    Two equal columns share the weight:

    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> ElasticNet(lam=0.1).fit(np.column_stack([x, x]), 2 * x).w_.round(3)
    array([0.928, 0.928])
    """

    def __init__(
        self,
        lam: float = 0.1,
        l1_ratio: float = 0.5,
        *,
        fit_intercept: bool = True,
        tol: float = 1e-8,
        max_iter: int = 100_000,
    ) -> None:
        self.lam = lam
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> "ElasticNet":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        options: Any = {"fit_intercept": self.fit_intercept, "tol": self.tol, "max_iter": self.max_iter}
        self._keep(elastic_net(*self._numbers(X, y), self.lam, self.l1_ratio, **options))
        return self


class MultiTaskLasso(MultiOutputMixin, _Regressor):  # type: ignore[misc]
    r"""The multi-task lasso, which chooses features for all tasks together.

    Minimises :math:`\frac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert`. The penalty is the
    sum of the norms
    of the rows of W, so that a feature serves all tasks or none.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether there is an intercept a task, which is not penalised.
    tol : float
        Stop when the duality gap is at most this times the objective of the constant prediction.
    max_iter : int
        The most epochs of coordinate descent.

    Attributes
    ----------
    w_ : array of shape (d, k), or (d,) for a single task given as a vector
        The weights.
    b_ : array of shape (k,), or float
        The intercepts.
    gap_ : float
        The duality gap.
    n_iter_ : int
        Epochs of coordinate descent.

    References
    ----------
    Obozinski, Taskar and Jordan, *Joint covariate selection and joint subspace selection for multiple
    classification problems*, 2010.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 8))
    >>> Y = np.column_stack([X[:, 2], X[:, 2] + X[:, 5]])
    >>> W = MultiTaskLasso(lam=0.2).fit(X, Y).w_
    >>> np.flatnonzero(W[:, 0]), np.flatnonzero(W[:, 1])
    (array([2, 5]), array([2, 5]))
    """

    def __init__(
        self, lam: float = 0.1, *, fit_intercept: bool = True, tol: float = 1e-8, max_iter: int = 100_000
    ) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, Y: Any) -> "MultiTaskLasso":
        """Learn from points ``X`` of shape (n, d) and targets ``Y`` of shape (n, k)."""
        options: Any = {"fit_intercept": self.fit_intercept, "tol": self.tol, "max_iter": self.max_iter}
        X, Y = self._numbers(X, Y, tasks=True)
        solve = lasso if Y.ndim == 1 else multitask_lasso  # with one task they are the same
        self._keep(solve(X, Y, self.lam, **options))
        return self
