"""Support vector machines as scikit-learn estimators: thin shells around the solvers."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.class_weight import compute_sample_weight

from lecturekit import _check
from lecturekit._estimators import OneVersusRest, new_points, seeded, training_set
from lecturekit._typing import Array
from lecturekit.kernels import RBF, Kernel
from lecturekit.svm._dual import SVMDual
from lecturekit.svm._scda import scda_linear
from lecturekit.svm._smo import smo

FLOATS: Any = [np.float64, np.float32]  # the types of points that stay as they are


class _Costs(OneVersusRest):
    """Classes whose points have costs."""

    def _fit(self, y: Array, solve: Callable[[Array, Array], SVMDual]) -> list[SVMDual]:
        """Solve the problems of the classes with per-sample costs, and keep the multipliers."""
        self._find_classes(y)
        C = _check.positive(self.C, "C", "it is the cost of an error")
        each = C * compute_sample_weight(self.class_weight, y)
        found = self._solve_each(y, lambda sign: solve(sign, each))
        self.alpha_ = self._squeeze([solution.alpha for solution in found])
        self.support_ = np.flatnonzero(np.any(np.atleast_2d(self.alpha_) > 0, axis=0))
        return found


class SVC(_Costs):
    r"""A support vector classifier with a kernel and a bias, trained by SMO.

    Parameters
    ----------
    kernel : Kernel, optional
        The kernel; by default Gaussian, :math:`\gamma = 1/(d\,v)` with the variance v of the entries.
    C, tol, class_weight, max_iter, cache_mb, verbose
        Those of :func:`smo`; the weights belong to the classes by their own names.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    alpha_, b_ : array of shape (n,) and float, or arrays of shape (k, n) and (k,)
        The multipliers and the bias, or those of each class against the rest.
    support_, gap_ : array and float
        Positions of the points that carry a multiplier in any of the problems; the largest duality gap.

    References
    ----------
    Cortes and Vapnik, *Support-vector networks*, 1995.

    Examples
    --------
    Two rings, which no line separates:

    >>> from lecturekit import data
    >>> X, y = data.rings(100, rng=0)
    >>> SVC().fit(X, y).score(X, y)
    1.0
    """

    def __init__(
        self,
        kernel: Kernel | None = None,
        C: float = 1.0,
        *,
        tol: float = 1e-3,
        class_weight: Mapping[Any, float] | str | None = None,
        max_iter: int = 10_000_000,
        cache_mb: float = 500.0,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.cache_mb = cache_mb
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> "SVC":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        X, y = training_set(self, X, y, dtype=FLOATS)
        variance = float(X.var())
        self.kernel_ = self.kernel or RBF(gamma=1 / (X.shape[1] * variance) if variance > 0 else 1.0)
        names = ("tol", "max_iter", "cache_mb", "verbose")
        options: Any = {name: getattr(self, name) for name in names}
        found = self._fit(y, lambda sign, C: smo(self.kernel_, sign, C, X=X, **options))
        signed = np.array([np.where(y == c, 1.0, -1.0) for c in self.classes_[-len(found) :]])
        self.b_ = self._squeeze([solution.b for solution in found])
        self.X_ = X[self.support_]
        self.beta_ = (np.atleast_2d(self.alpha_) * signed)[:, self.support_]
        return self

    def decision_function(self, X: Any) -> Array:
        """Return the scores: shape (m,) for two classes, else (m, k)."""
        X = new_points(self, X, dtype=FLOATS)
        K = self.kernel_(X, self.X_) if len(self.X_) else np.zeros((len(X), 0))  # a large tol: no step taken
        scores = K @ self.beta_.T + self.b_
        return np.asarray(scores[:, 0] if len(self.beta_) == 1 else scores)


class LinearSVC(_Costs):
    r"""A linear support vector classifier, trained by dual coordinate ascent (:func:`scda_linear`).

    The bias is the weight of a constant feature s, so it is penalised: the objective is
    :math:`\tfrac12(\lVert w\rVert^2+b^2/s^2)+C\sum_i\max(0,1-y_i(\langle w,x_i\rangle+b))`.

    Parameters
    ----------
    C, tol, class_weight, max_iter, verbose
        Those of :func:`scda_linear`; the weights belong to the classes by their own names.
    fit_intercept : bool
        Whether there is a bias.
    intercept_scaling : float
        The constant feature s; the larger, the weaker the penalty on the bias.
    random_state : int
        The seed of the random orders.

    Attributes
    ----------
    w_ : array of shape (d,) or (k, d)
        The weights, or those of each class against the rest.
    classes_, alpha_, b_, support_, gap_
        Those of :class:`SVC`.

    Examples
    --------
    >>> from lecturekit import data
    >>> X, y = data.two_gaussians(200, rng=0, gap=4.0)
    >>> LinearSVC().fit(X, y).score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-3,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Mapping[Any, float] | str | None = None,
        max_iter: int = 10_000,
        random_state: int = 0,
        verbose: bool = False,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any) -> "LinearSVC":
        """Learn from points ``X`` of shape (n, d), dense or sparse, and labels ``y`` of shape (n,)."""
        X, y = training_set(self, X, y, accept_sparse="csr", dtype=FLOATS)
        s = _check.positive(self.intercept_scaling, "intercept_scaling", "it is the constant feature")
        wide = self._with_constant(X, s) if self.fit_intercept else X
        options: Any = {name: getattr(self, name) for name in ("tol", "max_iter", "verbose")}
        found = self._fit(
            y, lambda sign, C: scda_linear(wide, sign, C, rng=seeded(self.random_state), **options)
        )
        w = np.array([solution.w for solution in found])
        w, b = (w[:, :-1], s * w[:, -1]) if self.fit_intercept else (w, np.zeros(len(found)))
        self.w_, self.b_ = self._squeeze(list(w)), self._squeeze(list(b))
        return self

    @staticmethod
    def _with_constant(X: Any, s: float) -> Any:
        """Append a constant column."""
        column = np.full((X.shape[0], 1), s, dtype=X.dtype)
        return sparse.hstack([X, column], format="csr") if sparse.issparse(X) else np.hstack([X, column])

    def decision_function(self, X: Any) -> Array:
        """Return the scores: shape (m,) for two classes, else (m, k)."""
        X = new_points(self, X, accept_sparse="csr", dtype=FLOATS)
        return np.asarray(X @ self.w_.T + self.b_)
