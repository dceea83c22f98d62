"""What the estimators share: the border to scikit-learn, several classes as several problems, and votes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

__all__ = [
    "OneVersusRest",
    "Voter",
    "classes_of",
    "naming",
    "new_points",
    "seeded",
    "training_set",
    "unmasked",
]

# -- input -------------------------------------------------------------------------------------------------


@contextmanager
def naming(names: str, model: object) -> Iterator[None]:
    """Let a message of scikit-learn begin with the arguments that it is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{names} must suit {type(model).__name__}; {error}") from None


def unmasked(value: Any, name: str, *, numbers: bool) -> None:
    """Refuse what scikit-learn takes for numbers although it is none: masked entries, dates and texts."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries, got some; drop or impute them")
    try:
        held = np.asarray(value).dtype
    except ValueError:  # rows of different lengths, of which scikit-learn says so
        return
    if numbers and held.kind in "MmSU":
        raise ValueError(f"{name} must hold numbers, got {held}; convert them first")


def training_set(model: Any, X: Any, y: Any, **how: Any) -> Any:
    """Return points and targets to learn from; ``how`` is that of scikit-learn's ``validate_data``."""
    unmasked(X, "X", numbers=True)
    unmasked(y, "y", numbers=how.get("y_numeric", False))
    with naming("X and y", model):
        return validate_data(model, X, y, **({"dtype": np.float64} | how))


def new_points(model: Any, X: Any, **how: Any) -> Any:
    """Return points to predict by a fitted model; ``how`` is that of scikit-learn's ``validate_data``.

    Call it before anything that ``fit`` set is read.
    """
    check_is_fitted(model)
    unmasked(X, "X", numbers=True)
    with naming("X", model):
        return validate_data(model, X, reset=False, **({"dtype": np.float64} | how))


def classes_of(model: object, y: Any) -> Any:
    """Return the classes of labels in order, and the position of each label's class among them."""
    with naming("y", model):
        check_classification_targets(y)
        return np.unique(y, return_inverse=True)


def seeded(random_state: object) -> np.random.Generator:
    """Return the generator of an estimator; a whole number is a seed."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    why = "pass a seed or numpy.random.default_rng(seed)"
    return np.random.default_rng(_check.count(random_state, "random_state", why, least=0))


# -- one class against the rest ----------------------------------------------------------------------------


class _Solution(Protocol):
    """What a solver tells about its answer."""

    @property
    def n_iter(self) -> int:
        """Steps taken."""

    @property
    def gap(self) -> float:
        """How far from optimal at the most."""


S = TypeVar("S", bound=_Solution)


class OneVersusRest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Two classes as one problem of -1 against +1, more classes as one problem each against the rest."""

    def _find_classes(self, y: Array) -> None:
        """Remember the labels, of which there must be two."""
        self.classes_, _ = classes_of(self, y)
        if len(self.classes_) < 2:
            raise ValueError(f"y must contain at least two classes, got one class: {self.classes_[0]!r}")

    def _solve_each(self, y: Array, solve: Callable[[Array], S]) -> list[S]:
        """Solve the problems of the classes and remember the most steps and the worst certificate."""
        positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        solutions = [solve(np.where(y == label, 1.0, -1.0)) for label in positive]
        self.n_iter_ = max(1, *(solution.n_iter for solution in solutions))
        self.gap_ = max(solution.gap for solution in solutions)
        return solutions

    def _squeeze(self, values: list[Any]) -> Array:
        """Return one entry a class, or the single entry of two classes."""
        return np.asarray(values[0] if len(values) == 1 else values)

    def predict(self, X: Any) -> Array:
        """Return the class of each row: the sign of the score, or the class with the largest one."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[chosen])


# -- votes -------------------------------------------------------------------------------------------------


class Voter(ClassifierMixin):  # type: ignore[misc]
    """A classifier that takes the class with the largest share of the votes, the first of several."""

    def _votes(self, y: Array) -> Array:
        """Remember the classes; return 1 in the column of its class for each label and 0 elsewhere."""
        self.classes_, codes = classes_of(self, y)
        return np.asarray(np.eye(len(self.classes_))[codes])

    def predict(self, X: ArrayLike) -> Array:
        """Return the class with the most votes for each row."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
