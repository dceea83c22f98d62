"""A safe for the test set, which opens once.

A test set that is looked at twice is a validation set: the second model was chosen knowing how the first one
did. A vault makes the rule mechanical. It is a reminder, not a lock against its owner.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from lecturekit.splits import holdout
from lecturekit.validation import measure, observations, predictions, rows

__all__ = ["Vault", "VaultError"]


class VaultError(RuntimeError):
    """The test set was used before.

    Examples
    --------
    >>> issubclass(VaultError, RuntimeError)
    True
    """


class Vault:
    """A test set that is handed out once, or used once to evaluate, and refused ever after.

    Parameters
    ----------
    X : array of shape (m, d), table or sparse matrix
        The inputs of the test set.
    y : array of shape (m,)
        Its targets.

    References
    ----------
    Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, *The reusable holdout: preserving validity in adaptive
    data analysis*, 2015.

    Examples
    --------
    >>> vault = Vault([[0.0], [1.0]], [-1, 1])
    >>> X, y = vault.open("the final model")
    >>> vault.open("a better one")
    Traceback (most recent call last):
    lecturekit.vault.VaultError: the test set was used for 'the final model'; report that result, or test ...
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

        Where observations have relatives, split with :func:`lecturekit.folds.group_kfold` and lock its test
        part away.
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
