r"""Train on one part, measure on another: once, for every split of a cross-validation, or in closed form.

A *learner* is an estimator with ``fit``, which is cloned and never changed, or a function that takes X and y
and returns a predictor. A *metric* is a function of targets and predictions, the score of a whole test part.

A *linear smoother* has the fitted values :math:`\hat y=Sy` with a matrix S that does not depend on y. If
putting the i-th observation back with its prediction as target leaves the fitted value there as it was, then
the residual without it is :math:`y_i-\hat g^{\neg i}(x_i)=(y_i-\hat y_i)/(1-S_{ii})`: one fit tells what n
fits would. That is so for least squares, for ridge regression with or without a kernel, and for averages
whose weights are a kernel of fixed width, but not for the average of the k nearest points.

References
----------
Stone, *Cross-validatory choice and assessment of statistical predictions*, 1974. Hastie, Tibshirani and
Friedman, *The Elements of Statistical Learning*, 2009, section 7.10 (smoothers). Allen, *The relationship
between variable selection and data augmentation and a method for prediction*, 1974 (least squares). Golub,
Heath and Wahba, *Generalized cross-validation as a method for choosing a good ridge parameter*, 1979.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from tqdm import tqdm

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.least_squares import leverages, ols
from lecturekit.losses import squared
from lecturekit.protocols._splits import Split, check_splits

# -- leave-one-out without refitting -----------------------------------------------------------------------

FREE_ROUNDING = 100 * float(np.finfo(np.float64).eps)  # what is left of 1 - S_ii where it should be zero


def _left_out(residuals: Array, weights: Array) -> Array:
    """Divide residuals by what the targets have no say in; no observation may fix its own fitted value."""
    free = 1 - weights
    near = np.min(np.abs(np.atleast_2d(free)), axis=0)
    worst = int(np.argmin(near))
    if near[worst] <= len(residuals.T) * FREE_ROUNDING:
        raise ValueError(
            f"every observation must be predictable from the others, got a weight S_ii of 1 at {worst}; "
            "drop that observation, or penalise"
        )
    return np.asarray(residuals / free)


def loo_residuals(S: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the residual of each observation under the fit without it, :math:`(y-Sy)_i/(1-S_{ii})`.

    The formula is right when the fitted value at a point does not change if an observation is added there on
    which the fit already agrees. A weight :math:`S_{ii}=1` leaves nothing to divide by.

    Parameters
    ----------
    S : array of shape (n, n)
        The smoother: fitted values are ``S @ y``.
    y : array of shape (n,)
        The targets.

    Examples
    --------
    The mean of the others, left out by hand:

    >>> y = np.array([1.0, 2.0, 6.0])
    >>> loo_residuals(np.full((3, 3), 1 / 3), y)
    array([-3. , -1.5,  4.5])
    >>> y - np.array([(2.0 + 6.0) / 2, (1.0 + 6.0) / 2, (1.0 + 2.0) / 2])
    array([-3. , -1.5,  4.5])
    """
    S = _check.matrix(S, "S").astype(np.float64)
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"S must be square, got shape {S.shape}; take the smoother at the training points")
    y = _check.vector(y, len(S), "y").astype(np.float64)
    return _left_out(y - S @ y, np.diag(S))


def ols_loo(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the leave-one-out residuals of least squares, :math:`e_i/(1-h_{ii})`, from one fit.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The targets.
    fit_intercept : bool
        Whether there is an intercept.

    Examples
    --------
    Through two of three points there is one line; the third misses it by

    >>> ols_loo([[0.0], [1.0], [2.0]], [0.0, 0.0, 3.0]).round(12)
    array([ 3. , -1.5,  3. ])
    """
    X = _check.matrix(X).astype(np.float64)
    y = _check.vector(y, len(X), "y").astype(np.float64)
    fit = ols(X, y, fit_intercept=fit_intercept)
    return _left_out(y - X @ fit.w - fit.b, leverages(X, fit_intercept=fit_intercept))


def ridge_loo(X: ArrayLike, y: ArrayLike, lams: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the leave-one-out residuals of ridge regression for many penalties from one decomposition.

    The fit without observation i minimises
    :math:`\tfrac1{2(n-1)}\sum_{j\ne i}(y_j-\langle w,x_j\rangle-b)^2+\tfrac\lambda2\lVert w\rVert^2`, as
    :func:`lecturekit.penalized.ridge` does on n - 1 observations. So the smoother of all n has
    :math:`(n-1)\lambda`, not :math:`n\lambda`, beside the squared singular values.

    Parameters are those of :func:`ols_loo`, and the penalties ``lams`` >= 0 of shape (m,). The intercept is
    not penalised.

    Returns
    -------
    array of shape (m, n)
        One row a penalty; the mean of its squares is the leave-one-out error.

    Examples
    --------
    >>> from lecturekit.penalized import ridge
    >>> X, y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([0.0, 2.0, 1.0, 3.0])
    >>> fit = ridge(X[1:], y[1:], 0.5)  # without the first
    >>> bool(np.isclose(ridge_loo(X, y, [0.5])[0, 0], y[0] - X[0] @ fit.w - fit.b))
    True
    """
    A: Array = _check.matrix(X).astype(np.float64)
    n = len(A)
    y = _check.vector(y, n, "y").astype(np.float64)
    lams = _check.line(lams, "lams")
    if lams.size == 0:
        raise ValueError("lams must hold at least one penalty, got none")
    if np.any(lams < 0):
        raise ValueError(f"lams must be numbers >= 0, got {lams.min():g}; a penalty does not reward weights")
    if fit_intercept:
        A, y = A - A.mean(axis=0), y - y.mean()
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    kept = s > max(A.shape) * np.finfo(np.float64).eps * s[0]
    U, s = U[:, kept], s[kept]
    shrink = s**2 / (s**2 + (n - 1) * lams[:, None])  # one row a penalty
    weights = shrink @ (U**2).T + (1 / n if fit_intercept else 0.0)
    return _left_out(y - (shrink * (U.T @ y)) @ U.T, weights)


# -- cross-validation --------------------------------------------------------------------------------------

Metric = Callable[[Any, Any], float]


def observations(X: Any, y: Any) -> tuple[Any, Any]:
    """Return inputs whose rows can be taken and as many targets, none of them missing.

    Entries of X may be missing: whether a learner can cope is the learner's business, and one that imputes
    must do so inside the protocol.
    """
    X = X.tocsr() if hasattr(X, "tocsr") else X if hasattr(X, "shape") else np.asarray(X)
    y = _check.present(y, "y")
    if y.ndim == 0 or len(X.shape) == 0 or X.shape[0] != len(y):
        raise ValueError(
            f"X and y must have the same length, got {X.shape[0] if X.shape else 'one object'} and "
            f"{len(y) if y.ndim else 'one target'}; give one target an observation"
        )
    return X, y


def rows(X: Any, index: Indices) -> Any:
    """Return the chosen rows of an array, a sparse matrix or a table, copied."""
    return _safe_indexing(X, index)


# -- metrics -----------------------------------------------------------------------------------------------


def _kinds(array: NDArray[Any]) -> set[bool | str]:
    """Return whether entries are text (or both), or NumPy's letter for what are no numbers either."""
    if array.dtype.kind == "O":
        return {isinstance(item, str) for item in array.flat}
    return {array.dtype.kind in "US" if array.dtype.kind in "USbiuf" else array.dtype.kind}


def _alike(y: ArrayLike, predicted: ArrayLike) -> tuple[Any, Any]:
    """Return targets and predictions one by one, never all with all."""
    y, predicted = _check.present(y, "y"), _check.present(predicted, "predicted")
    if y.shape != predicted.shape or y.size == 0 or _kinds(y) != _kinds(predicted):
        raise ValueError(
            f"y and predicted must be alike, got shapes {y.shape} and {predicted.shape} and types "
            f"{y.dtype} and {predicted.dtype}; predict one target an observation, as it is in y"
        )
    return y, predicted


def error_rate(y: ArrayLike, predicted: ArrayLike) -> float:
    r"""Return the error rate, the share of wrong classes: the mean of the 0-1 loss :math:`[y\ne\hat y]`.

    Parameters
    ----------
    y, predicted : array of shape (m,)
        Classes and predicted classes.

    Examples
    --------
    >>> error_rate(np.array([1, 1, -1, -1]), np.array([1, -1, -1, -1]))
    0.25
    """
    y, predicted = _alike(y, predicted)
    return float(np.mean(y != predicted))


def mean_squared_error(y: ArrayLike, predicted: ArrayLike) -> float:
    r"""Return the mean of :math:`(y-\hat y)^2`.

    Parameters are those of :func:`error_rate`, with targets in place of classes.

    Examples
    --------
    >>> mean_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    2.0
    """
    y, predicted = _alike(y, predicted)
    return float(np.mean(squared(predicted, y)))


# -- one model ---------------------------------------------------------------------------------------------


def train(learner: Any, X: Any, y: Any) -> Any:
    r"""Return :math:`g=A[\mathcal D]`: a fitted copy of an estimator, or what a learning function returns.

    Parameters
    ----------
    learner : estimator or callable
        The learning algorithm A.
    X : array, sparse matrix or table with n rows
        The inputs.
    y : array of shape (n,)
        The targets.

    Examples
    --------
    >>> g = train(lambda X, y: lambda Z: np.full(len(Z), y.mean()), np.zeros((2, 1)), np.array([1.0, 3.0]))
    >>> g(np.zeros((1, 1)))
    array([2.])
    """
    if hasattr(learner, "fit"):
        return clone(learner).fit(X, y)
    if not callable(learner):
        raise TypeError(
            f"learner must be an estimator with fit or a function of X and y, got {learner!r:.60}"
        )
    return learner(X, y)


def evaluate(model: Any, X: Any, y: Any, metric: Metric, *, response: str = "predict") -> float:
    """Return the metric of a trained model on the given observations.

    Parameters
    ----------
    model : fitted estimator or callable
        What predicts.
    X, y
        Those of :func:`train`.
    metric : callable
        ``metric(y, predicted)`` returns one number.
    response : str
        Which method of the estimator predicts: "predict", "decision_function" or "predict_proba"; where the
        latter has two columns the metric gets the second, the probability of the positive class, and one
        column is refused.

    Examples
    --------
    >>> evaluate(np.sign, np.array([-2.0, 3.0, 5.0]), np.array([-1, 1, -1]), error_rate).__round__(3)
    0.333
    """
    return measure(metric, y, predictions(model, X, response))


def predictions(model: Any, X: Any, response: str = "predict") -> Any:
    """Return what a model predicts; of two columns of probabilities the second."""
    predicted = getattr(model, response)(X) if hasattr(model, response) else _called(model, X, response)
    if response == "predict_proba" and np.ndim(predicted) == 2:
        if predicted.shape[1] == 1:
            raise ValueError(
                "predict_proba must tell two classes or more, got one column: all that was trained on was of "
                "one class; use stratified_kfold"
            )
        return predicted[:, 1] if predicted.shape[1] == 2 else predicted
    return predicted


def measure(metric: Metric, y: Any, predicted: Any) -> float:
    """Return the metric of predictions, which must be one finite number."""
    value = metric(y, predicted)
    if np.ndim(value) != 0 or not np.isfinite(value):
        raise ValueError(
            f"metric must return one finite number, got {value!r:.60} on {len(y)} observations; "
            "average losses, and see that the test part has what the metric needs"
        )
    return float(value)


def _called(model: Any, X: Any, response: str) -> Any:
    """Return the predictions of a function."""
    if not callable(model):
        raise TypeError(f"model must have the method {response} or be a function of X, got {model!r:.60}")
    return model(X)


# -- many splits -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossValidation:
    """What a metric says on each split.

    Attributes
    ----------
    scores : array of shape (k,)
        The metric on each test part.
    n_test : array of shape (k,)
        Sizes of the test parts.
    """

    scores: Array = field(repr=False)
    n_test: Indices = field(repr=False)

    @property
    def mean(self) -> float:
        """Mean over the splits, each with the same weight."""
        return float(self.scores.mean())

    @property
    def pooled(self) -> float:
        """Mean over the tested observations, another number where test parts differ in size."""
        return float(np.average(self.scores, weights=self.n_test))

    @property
    def std(self) -> float:
        """Standard deviation of the scores; over the root of k it is *not* the standard error of the mean."""
        return float(self.scores.std(ddof=1)) if len(self.scores) > 1 else float("nan")

    def __repr__(self) -> str:
        return f"CrossValidation(mean={self.mean:.4g}, {len(self.scores)} splits)"


def in_parallel(
    tasks: Iterable[Any], total: int, *, n_jobs: int | None, progress: bool, unit: str
) -> list[Any]:
    """Run joblib's tasks, here or where its present backend runs them, and return the results in order.

    The backend "multiprocessing" cannot hand results out one by one and is refused by joblib.
    """
    results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    return list(tqdm(results, total=total, unit=unit, disable=not progress))


def trial(
    learner: Any, X: Any, y: Any, split: Split, metric: Metric, response: str, keep: bool = False
) -> tuple[float, Any]:
    """Train on one side of a split, measure on the other, and keep what was trained if asked to."""
    fit, test = split
    model = train(learner, rows(X, fit), rows(y, fit))
    value = evaluate(model, rows(X, test), rows(y, test), metric, response=response)
    return value, model if keep else None


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    splits: Sequence[Split],
    metric: Metric = error_rate,
    *,
    groups: ArrayLike | None = None,
    response: str = "predict",
    n_jobs: int | None = None,
    progress: bool = False,
) -> CrossValidation:
    r"""Train on the training part of every split and measure on its test part.

    For split k with parts :math:`\mathcal D\setminus\mathcal D_k` and :math:`\mathcal D_k` the score is the
    metric of :math:`g^{-k}=A[\mathcal D\setminus\mathcal D_k]` on :math:`\mathcal D_k`. The splits may run on
    several cores or, inside ``joblib.parallel_config("dask")``, on a cluster: the scores of a learner that is
    deterministic, or has a seed of its own, are the same.

    Parameters
    ----------
    estimator : estimator or callable
        The learner. All it learns must be learned inside: scaling and the choice of features belong to it.
    X, y, metric, response
        Those of :func:`evaluate`; the metric is the error rate by default.
    splits : sequence of Split
        What to train and to test on.
    groups : array of shape (n,), optional
        If given, splits with a group on both sides are refused.
    n_jobs : int, optional
        Splits at a time: -1 for one a core; by default one, or what ``joblib.parallel_config`` says.
    progress : bool
        Whether to show a bar.

    Examples
    --------
    Labels that are coin flips cannot be predicted, whatever the training error says:

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from lecturekit.protocols import kfold
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(200, 5)), rng.choice([-1, 1], size=200)
    >>> nearest = KNeighborsClassifier(1)
    >>> error_rate(y, nearest.fit(X, y).predict(X)), cross_validate(nearest, X, y, kfold(200, 10, rng=1)).mean
    (0.0, 0.485)
    """
    X, y = observations(X, y)
    splits = check_splits(splits, len(y), groups=groups)
    tasks = (delayed(trial)(estimator, X, y, split, metric, response) for split in splits)
    found = in_parallel(tasks, len(splits), n_jobs=n_jobs, progress=progress, unit=" splits")
    scores = np.array([value for value, _ in found])
    return CrossValidation(scores=scores, n_test=np.array([len(test) for _, test in splits]))
