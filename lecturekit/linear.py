r"""Linear models as scikit-learn estimators: thin shells around the functions that fit them.

Classifiers take any labels; those with one score treat more than two classes as one problem each against the
rest. What is minimised is said, and the works are cited, in :mod:`lecturekit.perceptron`,
:mod:`lecturekit.logistic`, :mod:`lecturekit.least_squares` and :mod:`lecturekit.penalized`. The penalty is
called ``lam``; its scale is that of scikit-learn's ``alpha`` in ``Lasso`` and ``ElasticNet``.

What a fitted estimator remembers:

- ``classes_``: the labels of a classifier, sorted, shape (k,);
- ``w_`` and ``b_``: the weights, shape (d,), and the intercept; one row and one entry a class where there are
  more than two (of :class:`SoftmaxRegression` always), one column and one entry a task where Y is a matrix;
- ``gap_``: the certificate, how far from optimal the solution is at the most, of several problems the worst;
- ``n_iter_``: the steps taken, of several problems the most.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from lecturekit import _check
from lecturekit._estimators import OneVersusRest, new_points, seeded, training_set
from lecturekit._typing import Array, ArrayLike
from lecturekit.least_squares import LeastSquares, ols
from lecturekit.logistic import LogisticFit, logistic, softmax, softmax_regression
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

Solver = Callable[[Array, Array], PLA | LogisticFit]


class _Linear(OneVersusRest):
    """A classifier with a weight a feature and an intercept, for each of its problems."""

    def _learn(self, X: Any, y: Any, solve: Solver) -> None:
        """Solve the problems of the classes and keep their weights."""
        X, y = training_set(self, X, y)
        self._find_classes(y)
        found = self._solve_each(y, lambda sign: solve(X, sign))
        self.w_ = self._squeeze([solution.w for solution in found])
        self.b_ = self._squeeze([solution.b for solution in found])

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores: shape (m,) for two classes, else (m, k)."""
        return np.asarray(new_points(self, X) @ self.w_.T + self.b_)


class Perceptron(_Linear):
    """A perceptron, trained by the perceptron algorithm.

    ``gap_`` is the error rate on the training points, ``n_iter_`` counts updates.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "Perceptron":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        options: Any = {
            "order": self.order,
            "max_updates": self.max_updates,
            "fit_intercept": self.fit_intercept,
        }
        self._learn(X, y, lambda X, sign: pla(X, sign, rng=seeded(self.random_state), **options))
        return self


class Pocket(_Linear):
    """A perceptron, trained by the pocket algorithm with random visits.

    ``gap_`` is the error rate on the training points, ``n_iter_`` counts updates.

    Parameters are among those of :class:`Perceptron`; it stops before if all points are right.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "Pocket":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        n_iter = _check.count(self.max_updates, "max_updates", "allow at least one update")
        options: Any = {"n_iter": n_iter, "fit_intercept": self.fit_intercept}
        self._learn(X, y, lambda X, sign: pocket(X, sign, rng=seeded(self.random_state), **options))
        return self


class LogisticRegression(_Linear):
    r"""Logistic regression, trained by Newton's method; more than two classes one against the rest.

    Each problem minimises
    :math:`\frac1n\sum_i\log(1+e^{-y_i(\langle w,x_i\rangle+b)})+\frac\lambda2\lVert w\rVert^2`.

    ``gap_`` is the largest entry of the gradient, without the sign.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "LogisticRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        self._learn(X, y, lambda X, sign: logistic(X, sign, **self.get_params()))
        return self

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probabilities, shape (m, k); those of several classes are scaled to a sum of one."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return softmax(np.column_stack([np.zeros(len(scores)), scores]))
        return softmax(-np.logaddexp(0.0, -scores))  # the logarithms of the sigmoids


class SoftmaxRegression(OneVersusRest):
    r"""Softmax regression, trained by L-BFGS: all classes in one problem.

    It minimises :math:`-\frac1n\sum_i\log t_{iy_i}+\frac\lambda2\sum_k\lVert w_k\rVert^2` with the
    probabilities :math:`t_{ik}` in proportion to :math:`e^{\langle w_k,x_i\rangle+b_k}`.

    ``gap_`` is the largest entry of the gradient, without the sign.

    Parameters are those of :class:`LogisticRegression`.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "SoftmaxRegression":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        points, labels = training_set(self, X, y)
        self._find_classes(labels)
        found = softmax_regression(points, labels, **self.get_params())
        self.w_, self.b_, self.gap_, self.n_iter_ = found.W, found.b, found.gap, max(1, found.n_iter)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the scores: shape (m, k), for two classes the differences, shape (m,)."""
        scores = self._scores(X)
        return np.asarray(scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probabilities, shape (m, k)."""
        return softmax(self._scores(X))

    def _scores(self, X: Any) -> Array:
        """Return the scores of all classes, shape (m, k)."""
        return np.asarray(new_points(self, X) @ self.w_.T + self.b_)


# -- regression --------------------------------------------------------------------------------------------


class _Regressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A weight a feature and an intercept."""

    def _numbers(self, X: Any, y: Any, *, tasks: bool = False) -> tuple[Array, Array]:
        """Check points and targets."""
        X, y = training_set(self, X, y, y_numeric=True, multi_output=tasks)
        return X, y.astype(np.float64, copy=False)

    def _keep(self, fit: LeastSquares | Penalized) -> None:
        """Remember what was found."""
        self.w_, self.b_ = fit.w, fit.b
        self.gap_, self.n_iter_ = fit.gap, max(1, fit.n_iter)

    def predict(self, X: ArrayLike) -> Array:
        """Return the predictions: shape (m,), or (m, k) for k tasks."""
        return np.asarray(new_points(self, X) @ self.w_ + self.b_)


class LinearRegression(_Regressor):
    r"""Least squares: minimises :math:`\frac1n\sum_i(y_i-\langle w,x_i\rangle-b)^2` by the SVD.

    ``gap_`` is the norm of the gradient, zero but for rounding; of several solutions it finds the shortest.

    Parameters
    ----------
    fit_intercept : bool
        Whether there is an intercept b.

    Examples
    --------
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.w_.round(12), round(model.b_, 12), model.predict([[10.0]]).round(12)
    (array([2.]), 1.0, array([21.]))
    """

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike) -> "LinearRegression":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(ols(*self._numbers(X, y), **self.get_params()))
        return self


class Ridge(_Regressor):
    r"""Ridge regression: least squares with the penalty :math:`\frac\lambda2\lVert w\rVert^2`.

    Minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2+\frac\lambda2\lVert w\rVert^2`.
    scikit-learn's ``Ridge`` has another scale: its ``alpha`` is :math:`n\lambda`.

    ``gap_`` is the duality gap, zero but for rounding.

    Parameters
    ----------
    lam : float
        The penalty, >= 0.
    fit_intercept : bool
        Whether there is an intercept b, which is not penalised.

    Examples
    --------
    Three centred points, least squares at w = 2; here :math:`w=2\cdot\frac{2/3}{2/3+\lambda}`.

    >>> Ridge(lam=2 / 3).fit([[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0]).w_.round(12)
    array([1.])
    """

    def __init__(self, lam: float = 0.1, *, fit_intercept: bool = True) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike) -> "Ridge":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(ridge(*self._numbers(X, y), **self.get_params()))
        return self


class Lasso(_Regressor):
    r"""The lasso: minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2+\lambda\lVert w\rVert_1`.

    ``gap_`` is the duality gap, ``n_iter_`` counts epochs of coordinate descent.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "Lasso":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(lasso(*self._numbers(X, y), **self.get_params()))
        return self


class ElasticNet(_Regressor):
    r"""The elastic net: least squares with both penalties.

    Minimises :math:`\frac1{2n}\sum_i(y_i-\langle w,x_i\rangle-b)^2` plus the penalty
    :math:`\lambda(\rho\lVert w\rVert_1+\frac{1-\rho}2\lVert w\rVert^2)`.

    ``gap_`` is the duality gap, ``n_iter_`` counts epochs of coordinate descent.

    Parameters are those of :class:`Lasso`, and one more.

    Parameters
    ----------
    l1_ratio : float
        The share :math:`\rho` of the 1-norm, from 0 to 1.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "ElasticNet":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n,)."""
        self._keep(elastic_net(*self._numbers(X, y), **self.get_params()))
        return self


class MultiTaskLasso(MultiOutputMixin, _Regressor):  # type: ignore[misc]
    r"""The multi-task lasso, which chooses features for all tasks together.

    Minimises :math:`\frac1{2n}\lVert Y-XW-b\rVert_F^2+\lambda\sum_j\lVert w_j\rVert`. The penalty is the
    sum of the norms of the rows of W, so that a feature serves all tasks or none.

    ``gap_`` is the duality gap, ``n_iter_`` counts epochs of coordinate descent.

    Parameters are those of :class:`Lasso`; there may be an intercept a task. A vector of targets is one task.

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

    def fit(self, X: ArrayLike, y: ArrayLike) -> "MultiTaskLasso":
        """Learn from points ``X`` of shape (n, d) and targets ``y`` of shape (n, k)."""
        X, y = self._numbers(X, y, tasks=True)
        solve = lasso if y.ndim == 1 else multitask_lasso  # with one task they are the same
        self._keep(solve(X, y, **self.get_params()))
        return self
