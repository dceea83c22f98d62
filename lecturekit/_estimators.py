"""What classifiers by vote share: classes as columns of zeros and ones, whose means are probabilities.

What the linear and the kernel classifiers share: any labels, and several classes as several problems.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from lecturekit._typing import Array

__all__ = [
    "OneVersusRest",
    "Voter",
]

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
        check_classification_targets(y)
        self.classes_ = np.unique(y)
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
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return np.asarray(np.eye(len(self.classes_))[codes])

    def predict(self, X: Any) -> Array:
        """Return the class with the most votes for each row."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
