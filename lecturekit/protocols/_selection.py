"""Choosing among models, and testing the choice on data that had no part in it.

The score by which a model was chosen flatters it. What comes out of :func:`select` is tested on a part kept
in a :class:`Vault`, a safe that opens once, or in the outer folds of :func:`nested_cross_validate`. A test
set that is looked at twice is a validation set: the second model was chosen knowing how the first one did.
The vault makes the rule mechanical; it is a reminder, not a lock against its owner.

References
----------
Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, *The reusable holdout: preserving validity in adaptive data
analysis*, 2015. Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.2.
Varma and Simon, *Bias in error estimation when using cross-validation for model selection*, 2006.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import delayed
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from lecturekit._typing import Array, ArrayLike, Indices
from lecturekit.protocols._splits import Split, ThreeParts, check_splits, holdout
from lecturekit.protocols._validation import (
    Metric,
    error_rate,
    evaluate,
    in_parallel,
    measure,
    observations,
    predictions,
    rows,
    train,
    trial,
)

# -- a test set that opens once ----------------------------------------------------------------------------


class VaultError(RuntimeError):
    """The test set was used before."""


class Vault:
    """A test set that is handed out once, or used once to evaluate, and refused ever after.

    Parameters
    ----------
    X, y
        Inputs and targets of the test set: those of :func:`train`.

    Examples
    --------
    >>> vault = Vault([[0.0], [1.0]], [-1, 1])
    >>> X, y = vault.open("the final model")
    >>> vault.open("a better one")
    Traceback (most recent call last):
    lecturekit.protocols._selection.VaultError: the test set was used for 'the final model'; report that ...
    >>> vault.log
    (('opened', 'the final model'), ('refused', 'a better one'))
    """

    def __init__(self, X: Any, y: Any) -> None:
        X, y = observations(X, y)
        whole = np.arange(len(y))
        self._contents = [(rows(X, whole), rows(y, whole))]  # copies, so that nobody else holds them
        self._log: list[tuple[str, str]] = []

    @classmethod
    def split(
        cls, X: Any, y: Any, test: float = 0.25, *, rng: np.random.Generator | int
    ) -> tuple[Any, Any, "Vault"]:
        """Set a random share aside: return what is left, ``X`` and ``y``, and the vault.

        Where observations have relatives, split with :func:`~lecturekit.protocols.group_kfold` and lock its
        test part away.
        """
        X, y = observations(X, y)
        train, kept = holdout(len(y), test, rng=rng)
        return rows(X, train), rows(y, train), cls(rows(X, kept), rows(y, kept))

    @property
    def opened(self) -> bool:
        """Whether the test set has been used."""
        return not self._contents

    @property
    def _use(self) -> str:
        """What the test set was used for."""
        return next(purpose for event, purpose in self._log if event == "opened")

    @property
    def log(self) -> tuple[tuple[str, str], ...]:
        """What happened, in order, as pairs of "opened", "failed" or "refused" and the purpose."""
        return tuple(self._log)

    def open(self, purpose: str) -> tuple[Any, Any]:
        """Hand out inputs and targets, for a purpose that is written down; the second time it refuses."""
        try:
            contents = self._contents.pop()
        except IndexError:
            self._log.append(("refused", purpose))
            raise VaultError(
                f"the test set was used for {self._use!r}; report that result, or test on new data: "
                "a model chosen after looking is not tested by looking again"
            ) from None
        self._log.append(("opened", purpose))
        return contents

    def evaluate(
        self,
        model: Any,
        metric: Callable[[Any, Any], float],
        purpose: str = "the final model",
        *,
        response: str = "predict",
    ) -> float:
        """Return the metric of a trained model on the test set, which stays inside.

        Model and metric get copies. A failure costs nothing and tells nothing of what the metric saw.
        """
        X, y = self.open(purpose)
        whole, value = np.arange(len(y)), None
        try:
            value = _told(metric, rows(y, whole), predictions(model, rows(X, whole), response))
        finally:
            if value is None:
                self._contents.append((X, y))
                self._log[-1] = ("failed", purpose)
        return value

    def __reduce__(self) -> Any:
        raise TypeError("a Vault must not be copied or pickled, for each copy would open; pass it as it is")

    def __repr__(self) -> str:
        return f"Vault({f'used for {self._use!r}' if self.opened else 'closed'})"


def _told(metric: Callable[[Any, Any], float], y: Any, predicted: Any) -> float:
    """Return the metric, or fail without its message, which may hold the result or the targets."""
    try:
        return measure(metric, y, predicted)
    except Exception as error:
        kind = type(error).__name__
    raise ValueError(
        f"metric must return one finite number on the test set, got {kind}, whose message may tell the "
        "result and is withheld; try model and metric on training data"
    )


# -- model selection ---------------------------------------------------------------------------------------


def grid(estimator: Any, **values: Sequence[Any]) -> dict[str, Any]:
    """Return copies of an estimator with all combinations of parameters, each under a name that says which.

    Parameters
    ----------
    estimator : estimator
        What to vary.
    **values
        For each parameter the values to try; of a step in a pipeline as ``step__parameter``.

    Examples
    --------
    >>> from lecturekit.linear import Ridge
    >>> grid(Ridge(), lam=[0.1, 1.0])
    {'lam=0.1': Ridge(), 'lam=1.0': Ridge(lam=1.0)}
    """
    found = {}
    for chosen in ParameterGrid(values):
        name = ", ".join(f"{key}={value}" for key, value in chosen.items())
        if name in found:
            raise ValueError(
                f"values must print differently, got {name!r:.60} twice; name the candidates yourself"
            )
        found[name] = clone(estimator).set_params(**chosen)
    return found


def _candidates(candidates: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return learners by name; those without a name are numbered."""
    named = candidates if isinstance(candidates, Mapping) else dict(enumerate(candidates))
    if not named:
        raise ValueError("candidates must hold at least one learner, got none")
    by_name = {str(name): learner for name, learner in named.items()}
    if len(by_name) < len(named):
        raise ValueError(f"candidates must have names that differ as strings, got {list(named)!r:.60}")
    return by_name


@dataclass(frozen=True, kw_only=True, eq=False)
class Selection:
    """The model that did best on the validation parts.

    Attributes
    ----------
    names : tuple of str
        The candidates.
    scores : array of shape (c, k)
        The metric of candidate i on validation part j.
    best : int
        Which candidate was chosen: the first with the best mean.
    model : object
        It, trained: a fitted estimator, or a predictor.
    retrained : bool
        Whether it was trained once more, on training and validation parts together.
    """

    names: tuple[str, ...]
    scores: Array
    best: int
    model: Any
    retrained: bool

    @property
    def means(self) -> Array:
        """Mean score of each candidate over the validation parts."""
        return np.asarray(self.scores.mean(axis=1))

    @property
    def name(self) -> str:
        """The name of the chosen candidate."""
        return self.names[self.best]

    @property
    def score(self) -> float:
        """Its mean validation score, which flatters what was trained for it, because it was chosen for it."""
        return float(self.means[self.best])

    def __repr__(self) -> str:
        return f"Selection({self.name!r} of {len(self.names)}, validation score {self.score:.4g})"


def select(
    candidates: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    splits: Split | ThreeParts | Sequence[Split],
    metric: Metric = error_rate,
    *,
    groups: ArrayLike | None = None,
    retrain: bool = True,
    largest: bool = False,
    response: str = "predict",
    n_jobs: int | None = None,
    progress: bool = False,
) -> Selection:
    r"""Train every candidate, compare them on validation data, and return the best one, trained.

    For every i let :math:`g_i=A_i[\mathcal D_{\text{trn}}]`. The choice is the i for which the metric of
    :math:`g_i` on :math:`\mathcal D_{\text{val}}`, or its mean over several such pairs of parts, is best.
    With retraining the result is :math:`A_i[\mathcal D_{\text{trn}}\cup\mathcal D_{\text{val}}]`, without
    it the very :math:`g_i` that was measured.

    Parameters
    ----------
    candidates : mapping from names to learners, or a sequence of learners
        What to choose from, as :func:`grid` makes it.
    X, y, metric, groups, response, n_jobs, progress
        Those of :func:`cross_validate`.
    splits : Split, ThreeParts or sequence of Split
        What to train on and to validate on. Of three parts the third is not touched.
    retrain : bool
        Whether to train the chosen one on both parts. Without it there must be a single split.
    largest : bool
        Whether the largest score is the best one; by default it is the smallest.

    Examples
    --------
    >>> from lecturekit import data
    >>> from lecturekit.linear import Ridge
    >>> from lecturekit.protocols import mean_squared_error, train_val_test
    >>> X, y = data.diabetes()[:2]
    >>> parts = train_val_test(len(y), rng=0)
    >>> select(grid(Ridge(), lam=[1e-3, 1e3]), X, y, parts, mean_squared_error).name
    'lam=0.001'
    """
    X, y = observations(X, y)
    if isinstance(splits, ThreeParts):
        splits = Split(train=splits.train, test=splits.val)
    if isinstance(splits, Split):
        splits = [splits]
    check_splits(splits, len(y), groups=groups)
    if not retrain and len(splits) > 1:
        raise ValueError(
            f"retrain must be True with several splits, got {len(splits)}; each of them trained another model"
        )
    learners = _candidates(candidates)
    tasks = (
        delayed(trial)(learner, X, y, split, metric, response, not retrain)
        for learner in learners.values()
        for split in splits
    )
    total = len(learners) * len(splits)
    found = in_parallel(tasks, total, n_jobs=n_jobs, progress=progress, unit=" trainings")
    scores = np.array([value for value, _ in found]).reshape(len(learners), -1)
    means = scores.mean(axis=1)
    best = int(means.argmax() if largest else means.argmin())
    model = found[best][1]  # without retraining there is one split, so one trial a candidate
    if retrain:
        used = np.unique(np.concatenate([part for split in splits for part in split]))
        model = train([*learners.values()][best], rows(X, used), rows(y, used))
    return Selection(names=tuple(learners), scores=scores, best=best, model=model, retrained=retrain)


# -- the choice is a part of the learner -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Nested:
    """How well "choose a model, then train it" does.

    Attributes
    ----------
    scores : array of shape (k,)
        The metric of the model chosen in each outer training part, on its outer test part.
    chosen : tuple of str
        Which one it was.
    inner : array of shape (k,)
        The score by which it was chosen, which flatters it.
    n_test : array of shape (k,)
        Sizes of the outer test parts.
    """

    scores: Array = field(repr=False)
    chosen: tuple[str, ...]
    inner: Array = field(repr=False)
    n_test: Indices = field(repr=False)

    @property
    def mean(self) -> float:
        """Mean over the outer splits."""
        return float(self.scores.mean())

    def __repr__(self) -> str:
        return f"Nested(mean={self.mean:.4g}, chosen by {self.inner.mean():.4g}, {len(self.scores)} splits)"


def _outer(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    split: Split,
    inner: Callable[[Indices], Any],
    groups: Any,
    options: Any,
) -> tuple[float, str, float]:
    """Choose in the training part, measure on the test part."""
    fit, test = split
    metric, response = options["metric"], options["response"]
    own = None if groups is None else np.asarray(groups)[fit]
    found = select(learners, rows(X, fit), rows(y, fit), inner(fit), groups=own, n_jobs=1, **options)
    return (
        evaluate(found.model, rows(X, test), rows(y, test), metric, response=response),
        found.name,
        found.score,
    )


def nested_cross_validate(
    candidates: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    outer: Sequence[Split],
    inner: Callable[[Indices], Any],
    metric: Metric = error_rate,
    *,
    groups: ArrayLike | None = None,
    largest: bool = False,
    response: str = "predict",
    n_jobs: int | None = None,
    progress: bool = False,
) -> Nested:
    r"""Cross-validate the whole procedure of choosing a model: the choice is made anew in each training part.

    For every outer split the candidates are compared by inner splits *of its training part*; the best one is
    trained on that part and measured on the outer test part, which had no say in the choice.

    Parameters are those of :func:`select`, but for the splits:

    outer : sequence of Split
        Where to measure.
    inner : callable
        Takes the positions of an outer training part and returns splits of it that count from 0:
        ``lambda train: kfold(len(train), 5, rng=0)``, or ``lambda train: group_kfold(groups[train], 5)``.

    Examples
    --------
    Coin flips again, and fifty learners that guess. The best of them looks better than it is:

    >>> from lecturekit.protocols import kfold
    >>> def guesser(seed):
    ...     return lambda X, y: lambda Z: np.sign(Z @ np.random.default_rng(seed).normal(size=Z.shape[1]))
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 5)), rng.choice([-1, 1], size=60)
    >>> learners = [guesser(seed) for seed in range(50)]
    >>> nested_cross_validate(learners, X, y, kfold(60, 5, rng=1), lambda train: kfold(len(train), 5, rng=2))
    Nested(mean=0.6333, chosen by 0.4098, 5 splits)
    """
    X, y = observations(X, y)
    check_splits(outer, len(y), groups=groups)
    learners = _candidates(candidates)
    options = {"metric": metric, "largest": largest, "response": response}
    tasks = (delayed(_outer)(learners, X, y, split, inner, groups, options) for split in outer)
    found = in_parallel(tasks, len(outer), n_jobs=n_jobs, progress=progress, unit=" splits")
    return Nested(
        scores=np.array([value for value, _, _ in found]),
        chosen=tuple(name for _, name, _ in found),
        inner=np.array([value for _, _, value in found]),
        n_test=np.array([len(test) for _, test in outer]),
    )
