"""Calibration as scikit-learn estimators: curves from scores to probabilities, and classifiers with one."""

from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.utils import assert_all_finite, indexable
from sklearn.utils.validation import check_is_fitted, column_or_1d

from lecturekit import _check
from lecturekit._estimators import classes_of, naming, seeded, unmasked
from lecturekit._typing import Array, ArrayLike, Indices, Mask
from lecturekit.calibration._isotonic import isotonic
from lecturekit.calibration._platt import platt
from lecturekit.protocols import Folds, stratified_kfold

CERTAIN = 36.0  # log-odds beyond it are cut; 1 - 1/(1+exp(-36)) is about the last digit of 1 in doubles


def _coded(model: object, y: Any) -> Any:
    """Return labels as a vector, whatever they are, the classes, and the position of each label's class."""
    unmasked(y, "y", numbers=False)
    with naming("y", model):
        labels = column_or_1d(y, warn=True)
        assert_all_finite(labels, input_name="y")
    return labels, *classes_of(model, labels)


# -- curves from scores to probabilities -------------------------------------------------------------------


class _Calibrator(TransformerMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of one feature, the score, whose probabilities are a curve of it."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_class = False
        tags.target_tags.required = True
        return tags

    def _outcomes(self, y: ArrayLike) -> Array:
        """Remember the two labels and return 1 for the larger one, 0 for the other."""
        _, self.classes_, codes = _coded(self, y)
        if len(self.classes_) != 2:
            raise ValueError(
                f"y must contain two classes, got {len(self.classes_)} class(es), "
                f"{self.classes_[:5].tolist()}; take a stratified sample, or one class against the rest"
            )
        return np.asarray(codes, dtype=np.float64)

    def transform(self, score: ArrayLike) -> Array:
        """Return the probability of the larger label for each score: shape (m,)."""
        check_is_fitted(self)
        return np.asarray(self.curve_(score))

    def predict_proba(self, score: ArrayLike) -> Array:
        """Return the probabilities of both labels: shape (m, 2)."""
        p = self.transform(score)
        return np.column_stack([1 - p, p])

    def predict(self, score: ArrayLike) -> Array:
        """Return the more probable label for each score."""
        p = self.transform(score)
        return np.asarray(self.classes_[(p > 0.5).astype(np.intp)])


class Platt(_Calibrator):
    r"""Platt's scaling: probabilities are :math:`1/(1+e^{Af+B})` for a score f.

    Parameters
    ----------
    smooth : bool
        Whether the targets are a little inside 0 and 1.

    Attributes
    ----------
    classes_ : array of shape (2,)
        The labels; the larger one is the positive class.
    curve_ : PlattFit
        What was fitted.
    A_, B_ : float
        Its parameters.
    n_iter_ : int
        Newton steps, at least one.

    Examples
    --------
    >>> model = Platt().fit([-2.0, -1.0, 1.0, 2.0], ["no", "no", "yes", "yes"])
    >>> model.transform([0.0, 1.0]).round(3), model.predict([0.5])
    (array([0.5  , 0.662]), array(['yes'], dtype='<U3'))
    """

    def __init__(self, *, smooth: bool = True) -> None:
        self.smooth = smooth

    def fit(self, score: ArrayLike, y: ArrayLike) -> "Platt":
        """Learn from scores and labels, both of shape (n,)."""
        self.curve_ = platt(score, self._outcomes(y), smooth=self.smooth)
        self.A_, self.B_, self.n_iter_ = self.curve_.A, self.curve_.B, max(1, self.curve_.n_iter)
        return self


class Isotonic(_Calibrator):
    r"""Isotonic regression: probabilities are a non-decreasing function of the score.

    Parameters
    ----------
    prior : float
        The weight of a made-up positive below all scores and a negative above them; with 0 the probabilities
        at the ends are often 0 and 1, and one surprise makes the log-loss infinite.

    Attributes
    ----------
    classes_ : array of shape (2,)
        The labels; the larger one is the positive class.
    curve_ : MonotoneFit
        What was fitted.

    Examples
    --------
    >>> model = Isotonic().fit([1.0, 2.0, 3.0, 4.0], [-1, 1, -1, 1])
    >>> model.transform([0.0, 2.5, 5.0])
    array([0. , 0.5, 1. ])
    """

    def __init__(self, *, prior: float = 0.0) -> None:
        self.prior = prior

    def fit(self, score: ArrayLike, y: ArrayLike) -> "Isotonic":
        """Learn from scores and labels, both of shape (n,)."""
        self.curve_ = isotonic(score, self._outcomes(y), prior=self.prior)
        return self


# -- a classifier with its curve ---------------------------------------------------------------------------


def _held_out(codes: Indices, share: float, rng: np.random.Generator) -> Mask:
    """Choose a share of each class, at least one observation and not all."""
    held = np.zeros(len(codes), dtype=bool)
    for label in range(codes.max() + 1):
        where = rng.permutation(np.flatnonzero(codes == label))
        held[where[: min(max(round(share * len(where)), 1), len(where) - 1)]] = True
    return held


def _rows(X: Any, chosen: Indices) -> Any:
    """Return the chosen rows of an array, a sparse matrix, a data frame or a list."""
    if isinstance(X, list | tuple):
        return [X[i] for i in chosen]
    return X.iloc[chosen] if hasattr(X, "iloc") else X[chosen]


def _scores(model: Any, X: Any, problems: int) -> Array:
    """Return scores of shape (m, problems), one problem for two classes: decision values or log-odds."""
    if hasattr(model, "decision_function"):
        values = np.asarray(model.decision_function(X), dtype=np.float64)
        scores: Array = values[:, None] if values.ndim == 1 else values
    else:
        scores = _log_odds(model, X)
    if scores.shape[1] != problems or (problems > 1 and _of_pairs(model)):
        raise ValueError(
            f"estimator must give one score a class, got {scores.shape[1]} scores, perhaps of pairs, for "
            f"{problems} problem(s); an SVC needs decision_function_shape='ovr'"
        )
    return scores


def _of_pairs(model: Any) -> bool:
    """Whether the decision values of a model, or of one inside it, are those of pairs of classes."""
    names = model.get_params().items()
    return any(name.endswith("decision_function_shape") and value == "ovo" for name, value in names)


def _log_odds(model: Any, X: Any) -> Array:
    """Return the log-odds of the second of two classes, or of each against the rest, cut at +-36."""
    with np.errstate(divide="ignore"):
        if hasattr(model, "predict_log_proba"):  # which does not round the nearly certain to 1
            logs = np.asarray(model.predict_log_proba(X), dtype=np.float64)
        else:
            logs = np.log(np.asarray(model.predict_proba(X), dtype=np.float64))
    if logs.shape[1] == 2:
        return np.clip(logs[:, 1:] - logs[:, :1], -CERTAIN, CERTAIN)
    rest = [logsumexp(np.delete(logs, one, axis=1), axis=1) for one in range(logs.shape[1])]
    return np.asarray(np.clip(logs - np.column_stack(rest), -CERTAIN, CERTAIN))


class Calibrated(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""A classifier with a curve from its scores to probabilities, learned from unseen observations.

    With ``folds`` None a share of each class is held out: the classifier learns from the rest, and the curve
    from the scores of what was held out. Otherwise each fold is scored by a classifier that learned from the
    other folds, the curve learns from all these scores, and the classifier is fitted again to everything. The
    curve then belongs to classifiers that learned from a little less than the one it is used with.

    The score is the decision function or, if there is none, the logarithm of the odds, cut at -36 and 36,
    about where doubles cease to tell probabilities from 1. With more than two classes each is calibrated
    against the rest and the probabilities of a point are divided by their sum.

    Parameters
    ----------
    estimator : classifier
        What to calibrate; it is cloned, never changed.
    method : {"platt", "isotonic"} or calibrator
        The curve; an object like ``Isotonic(prior=1.0)`` is cloned.
    share : float
        The share of the observations held out for the curve, between 0 and 1.
    folds : int, optional
        The number of folds, at least 2, in place of a share.
    random_state : int or Generator
        The seed of the split.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    estimator_ : classifier
        The fitted classifier.
    calibrators_ : list
        The fitted curves: one for two classes, else one a class.
    fitted_on_, calibrated_on_ : array of positions
        The observations from which the classifier and the curve learned; with folds both are all.

    Examples
    --------
    >>> from lecturekit import data, svm
    >>> X, y = data.two_gaussians(200, rng=0, gap=2.0)
    >>> model = Calibrated(svm.LinearSVC(), share=0.4).fit(X, y)
    >>> np.intersect1d(model.fitted_on_, model.calibrated_on_).size
    0
    """

    def __init__(
        self,
        estimator: Any,
        *,
        method: Any = "platt",
        share: float = 0.25,
        folds: int | None = None,
        random_state: np.random.Generator | int = 0,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.share = share
        self.folds = folds
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = getattr(self.estimator, "__sklearn_tags__", None)
        if inner is not None:
            tags.input_tags = inner().input_tags
            tags.classifier_tags.multi_class = inner().classifier_tags.multi_class
        return tags

    def _curve(self) -> Any:
        """Return an unfitted calibrator."""
        named = {"platt": Platt(), "isotonic": Isotonic()}
        if isinstance(self.method, str) and self.method in named:
            return named[self.method]
        if isinstance(self.method, _Calibrator):
            return clone(self.method)
        raise ValueError(
            f"method must be 'platt', 'isotonic' or a calibrator, got {self.method!r}; "
            "for example Isotonic(prior=1.0)"
        )

    def fit(self, X: Any, y: Any) -> "Calibrated":
        """Learn from points ``X`` of shape (n, d) and labels ``y`` of shape (n,)."""
        curve, rng = self._curve(), seeded(self.random_state)
        labels, self.classes_, codes = _coded(self, y)
        if X is None:
            raise ValueError("X must hold a point for each label, got None; pass what the classifier takes")
        with naming("X and y", self):
            X, _ = indexable(X, labels)
        least = 2 if self.folds is None else _check.count(self.folds, "folds", "hold something out", least=2)
        rarest = int(np.bincount(codes).min())
        if len(self.classes_) < 2 or rarest < least:
            raise ValueError(
                f"y must contain at least two classes with at least {least} observations each, got "
                f"{len(self.classes_)} class(es), the rarest with {rarest}; each side of a split needs every "
                "class: get more data, or merge classes"
            )
        if self.folds is None:
            held = _held_out(codes, _check.fraction(self.share, "share", "both sides need observations"), rng)
            self.fitted_on_, self.calibrated_on_ = np.flatnonzero(~held), np.flatnonzero(held)
            self.estimator_ = self._learned(X, labels, self.fitted_on_)
            scores = _scores(self.estimator_, _rows(X, self.calibrated_on_), self._problems())
        else:
            self.fitted_on_ = self.calibrated_on_ = np.arange(len(labels))
            scores = self._out_of_fold(X, labels, stratified_kfold(codes, least, rng=rng))
            self.estimator_ = clone(self.estimator).fit(X, labels)
        codes = codes[self.calibrated_on_]
        positive = range(1, 2) if len(self.classes_) == 2 else range(len(self.classes_))
        self.calibrators_ = [
            clone(curve).fit(column, codes == label) for column, label in zip(scores.T, positive, strict=True)
        ]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _problems(self) -> int:
        """Return the number of curves: one for two classes, else one a class."""
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _learned(self, X: Any, labels: Any, chosen: Indices) -> Any:
        """Return a classifier that learned from the chosen observations."""
        return clone(self.estimator).fit(_rows(X, chosen), labels[chosen])

    def _out_of_fold(self, X: Any, labels: Any, folds: Folds) -> Array:
        """Return the scores of each fold by a classifier that learned from the others."""
        scores = np.empty((len(labels), self._problems()))
        for others, inside in folds:
            model = self._learned(X, labels, others)
            scores[inside] = _scores(model, _rows(X, inside), self._problems())
        return scores

    def predict_proba(self, X: Any) -> Array:
        """Return the probabilities of the classes: shape (m, k)."""
        check_is_fitted(self)
        scores = _scores(self.estimator_, X, self._problems())
        P = np.column_stack([one.transform(s) for one, s in zip(self.calibrators_, scores.T, strict=True)])
        if P.shape[1] == 1:
            return np.hstack([1 - P, P])
        total = P.sum(axis=1, keepdims=True)
        return np.where(total > 0, P / np.where(total > 0, total, 1), 1 / P.shape[1])  # all 0: no preference

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row."""
        chosen = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[chosen])


def calibrate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    rng: np.random.Generator | int,
    method: Any = "platt",
    share: float = 0.25,
    folds: int | None = None,
) -> Calibrated:
    r"""Fit a classifier, and to scores of observations it has not seen the curve to probabilities.

    The classifier is cloned and fitted again, so that no score the curve learns from comes from a model that
    had seen the observation. ``X`` are the points, shape (n, d), and ``y`` their labels, shape (n,); ``rng``
    is the generator of the split, or its seed; other parameters are those of :class:`Calibrated`.

    Examples
    --------
    >>> from lecturekit import data, metrics, svm
    >>> X, y = data.two_gaussians(400, rng=0, gap=2.0)
    >>> new, truth = data.two_gaussians(400, rng=1, gap=2.0)
    >>> model = calibrate(svm.LinearSVC(), X, y, rng=2)
    >>> metrics.ece(truth, model.predict_proba(new)[:, 1], bins=5) < 0.06
    True
    """
    _check.generator(rng)  # here it has its own name
    model = Calibrated(estimator, method=method, share=share, folds=folds, random_state=rng)
    return model.fit(X, y)
