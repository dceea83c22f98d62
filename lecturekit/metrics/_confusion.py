r"""Confusion matrices: which class was taken for which, and every measure that is a ratio of those counts.

Rows are the truth and columns the prediction, in the order of the labels. With two classes the last label is
the positive one, and the matrix is :math:`\begin{pmatrix}TN&FP\\FN&TP\end{pmatrix}`. :class:`Confusion` holds
it with its measures; :func:`confusion` counts it.

References
----------
Japkowicz and Shah, *Evaluating Learning Algorithms*, 2011, chapter 3.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

ALIASES: dict[str, tuple[str, ...]] = {
    "accuracy": (),
    "error": ("error rate",),
    "precision": ("positive predictive value", "ppv"),
    "recall": ("sensitivity", "true positive rate", "tpr", "hit rate"),
    "specificity": ("true negative rate", "tnr"),
    "fpr": ("false positive rate", "fallout", "false alarm rate"),
    "fnr": ("false negative rate", "miss rate"),
    "npv": ("negative predictive value",),
    "fdr": ("false discovery rate",),
    "for_": ("false omission rate",),
    "prevalence": ("base rate",),
    "f_score": ("f measure", "f1"),
    "g_mean": (),
    "g_mean_precision": ("fowlkes mallows index",),
    "balanced_accuracy": (),
    "lr_plus": ("positive likelihood ratio", "lr+"),
    "lr_minus": ("negative likelihood ratio", "lr-"),
    "diagnostic_odds": ("diagnostic odds ratio",),
}
"""The measures of :class:`Confusion`, and the other names they go by."""

FAMILIAR = ((-1, 1), (0, 1))  # labels of which one may be missing from the data


@dataclass(frozen=True, kw_only=True, eq=False)
class Confusion:
    r"""The table of truth against prediction, with its measures.

    With :math:`n_{ij}` observations of class i predicted as class j the accuracy is
    :math:`\sum_in_{ii}/\sum_{ij}n_{ij}`. The other measures are ratios of the four counts of two classes. A
    positive count over zero is infinite; zero over zero is what ``zero_division`` says, and one minus that
    for the rates of errors, so that FPR = 1 - specificity, FNR = 1 - recall and so on hold always.

    Attributes
    ----------
    counts : array of shape (K, K)
        Observations of class i (row) predicted as class j (column).
    labels : tuple
        The classes, in the order of rows and columns; of two the last one is positive.
    zero_division : float, optional
        The value of 0/0 in precision, recall, specificity and NPV; ``None`` raises ``ZeroDivisionError``.

    Examples
    --------
    Posterior odds are prior odds times the likelihood ratio:

    >>> table = confusion_of_counts(tp=45, fn=5, fp=10, tn=40)
    >>> odds = table.prevalence / (1 - table.prevalence)
    >>> round(odds * table.lr_plus, 6), table.tp / table.fp
    (4.5, 4.5)
    """

    counts: NDArray[np.intp]
    labels: tuple[Any, ...]
    zero_division: float | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not (self.zero_division is None or self.zero_division != self.zero_division):  # NaN is a choice
            _check.probability(self.zero_division, "zero_division")

    # -- any number of classes

    @property
    def n(self) -> int:
        """The number of observations."""
        return int(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """The share of observations predicted rightly."""
        return float(np.trace(self.counts)) / self.n

    @property
    def error(self) -> float:
        """The error rate, the share of observations predicted wrongly."""
        return (self.n - int(np.trace(self.counts))) / self.n

    @property
    def recalls(self) -> Array:
        """The share of each class that was found."""
        pairs = zip(np.diag(self.counts), self.counts.sum(axis=1), strict=True)
        return np.array([self._ratio(right, of, "recall") for right, of in pairs])

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes."""
        return float(self.recalls.mean())

    @property
    def g_mean(self) -> float:
        """The geometric mean of the recalls; of two classes, of sensitivity and specificity."""
        return float(np.prod(self.recalls) ** (1 / len(self.labels)))

    def one_versus_rest(self, label: Any) -> "Confusion":
        """Return the table of two classes: ``label``, which is positive, and the rest."""
        if label not in self.labels:
            raise ValueError(f"label must be one of {list(self.labels)}, got {label!r}; name a class")
        k = self.labels.index(label)
        tp = int(self.counts[k, k])
        fn, fp = int(self.counts[k].sum()) - tp, int(self.counts[:, k].sum()) - tp
        return confusion_of_counts(
            tp=tp, fn=fn, fp=fp, tn=self.n - tp - fn - fp, zero_division=self.zero_division
        )

    # -- two classes: the counts

    def _count(self, truth: int, prediction: int) -> int:
        """Return an entry of the table of two classes."""
        if len(self.labels) != 2:
            raise ValueError(
                f"this measure needs two classes, got {len(self.labels)}; use one_versus_rest(label)"
            )
        return int(self.counts[truth, prediction])

    @property
    def tp(self) -> int:
        """True positives, positive and predicted so."""
        return self._count(1, 1)

    @property
    def fn(self) -> int:
        """False negatives, positive but predicted negative."""
        return self._count(1, 0)

    @property
    def fp(self) -> int:
        """False positives, negative but predicted positive."""
        return self._count(0, 1)

    @property
    def tn(self) -> int:
        """True negatives, negative and predicted so."""
        return self._count(0, 0)

    # -- two classes: the measures

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return (self.tp + self.fn) / self.n

    @property
    def precision(self) -> float:
        """TP / (TP + FP), which share of the alarms is right."""
        return self._ratio(self.tp, self.tp + self.fp, "precision")

    @property
    def recall(self) -> float:
        """TP / (TP + FN), which share of the positives is found."""
        return self._ratio(self.tp, self.tp + self.fn, "recall")

    @property
    def specificity(self) -> float:
        """TN / (TN + FP), which share of the negatives is left alone."""
        return self._ratio(self.tn, self.tn + self.fp, "specificity")

    @property
    def fpr(self) -> float:
        """FP / (TN + FP), which share of the negatives is taken for positive."""
        return self._error_rate(self.fp, self.tn + self.fp, "fpr")

    @property
    def fnr(self) -> float:
        """FN / (TP + FN), which share of the positives is missed."""
        return self._error_rate(self.fn, self.tp + self.fn, "fnr")

    @property
    def npv(self) -> float:
        """TN / (TN + FN), which share of the negative predictions is right."""
        return self._ratio(self.tn, self.tn + self.fn, "npv")

    @property
    def fdr(self) -> float:
        """FP / (TP + FP), which share of the alarms is false."""
        return self._error_rate(self.fp, self.tp + self.fp, "fdr")

    @property
    def for_(self) -> float:
        """FN / (TN + FN), which share of the negative predictions is false."""
        return self._error_rate(self.fn, self.tn + self.fn, "for_")

    @property
    def lr_plus(self) -> float:
        """Sensitivity / (1 - specificity), the factor by which a positive prediction multiplies the odds."""
        return self._ratio(self.tp * (self.tn + self.fp), self.fp * (self.tp + self.fn), "lr_plus")

    @property
    def lr_minus(self) -> float:
        """(1 - sensitivity) / specificity, the factor by which a negative prediction multiplies the odds."""
        return self._ratio(self.fn * (self.tn + self.fp), self.tn * (self.tp + self.fn), "lr_minus")

    @property
    def diagnostic_odds(self) -> float:
        """TP TN / (FP FN), the ratio of the two likelihood ratios."""
        return self._ratio(self.tp * self.tn, self.fp * self.fn, "diagnostic_odds")

    @property
    def g_mean_precision(self) -> float:
        """The geometric mean of recall and precision."""
        return float(np.sqrt(self.recall * self.precision))

    @property
    def f_score(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f_beta(1.0)

    def f_beta(self, beta: float) -> float:
        r"""Return the weighted harmonic mean of precision, with weight 1, and recall, with ``beta`` squared.

        In counts it is :math:`(1+\beta^2)TP/((1+\beta^2)TP+\beta^2FN+FP)`, which is 0/0 only where there are
        neither positives nor positive predictions.
        """
        beta = _check.positive(beta, "beta", "0.5 favours precision, 2 recall")
        weight = 1 / (1 + beta * beta)  # of precision; beta squared may overflow or vanish
        wrong = (1 - weight) * self.fn + weight * self.fp if self.tp else self.fn + self.fp
        return self._ratio(self.tp, self.tp + wrong, "f_beta")

    def measure(self, name: str) -> float:
        """Return a measure by any of the names in ``ALIASES``, however they are spaced or hyphenated."""
        for key, aliases in ALIASES.items():
            if _plain(name) in map(_plain, (key, *aliases)):
                return float(getattr(self, key))
        raise ValueError(f"name must be that of a measure, got {name!r}; ALIASES lists them")

    def _ratio(self, above: float, below: float, name: str) -> float:
        """Divide; a positive number over zero is infinite, 0/0 is what the user said."""
        if below == 0 and above == 0:
            if self.zero_division is None:
                raise ZeroDivisionError(f"{name} is 0/0 here; say what it shall be, as in zero_division=0.0")
            return float(self.zero_division)
        return float(above) / float(below) if below else np.inf

    def _error_rate(self, wrong: int, of: int, name: str) -> float:
        """Divide; where it is 0/0 the rate of errors is one minus that of right answers."""
        value = self.zero_division
        return self._ratio(wrong, of, name) if of or value is None else 1 - float(value)


def _plain(name: str) -> str:
    """Return a name without spaces, underscores and hyphens; the minus of LR- stays."""
    return re.sub(r"[\s_]|-(?=\w)", "", name.lower())


def confusion_of_counts(
    *, tp: int, fn: int, fp: int, tn: int, zero_division: float | None = None
) -> Confusion:
    """Make the table of two classes from its four counts.

    Parameters
    ----------
    tp, fn, fp, tn : int
        True positives, false negatives, false positives, true negatives.
    zero_division : float, optional
        As in :func:`confusion`.

    Examples
    --------
    >>> table = confusion_of_counts(tp=5, fn=5, fp=1, tn=9)
    >>> table.recall, round(table.precision, 3), round(table.f_beta(2), 4)
    (0.5, 0.833, 0.5435)
    """
    given = {"tn": tn, "fp": fp, "fn": fn, "tp": tp}
    four = [_check.count(value, name, "it counts observations", least=0) for name, value in given.items()]
    if sum(four) == 0:
        raise ValueError("the four counts must not all be zero, got none; count at least one observation")
    return Confusion(counts=np.array(four).reshape(2, 2), labels=(-1, 1), zero_division=zero_division)


def confusion(
    y: ArrayLike, yhat: ArrayLike, *, labels: Sequence[Any] | None = None, zero_division: float | None = None
) -> Confusion:
    r"""Count how often an observation of class i was predicted as class j.

    Parameters
    ----------
    y : array of shape (n,)
        The true classes: numbers or strings.
    yhat : array of shape (n,)
        The predicted classes, not scores.
    labels : sequence, optional
        The classes in the order wanted; by default those that occur, sorted. Of two the last one is positive,
        which is +1 among -1/+1 and 1 among 0/1, even if only one of them occurs.
    zero_division : float, optional
        The value of 0/0 in the measures: a share, or ``nan``; by default 0/0 raises ``ZeroDivisionError``.

    Examples
    --------
    Ninety-nine in a hundred are right, and no positive is found:

    >>> table = confusion([1] + 99 * [-1], 100 * [-1], zero_division=0.0)
    >>> table.counts.tolist(), table.accuracy, table.recall, table.precision
    ([[99, 0], [1, 0]], 0.99, 0.0, 0.0)
    """
    truth, prediction = _classes(y, "y"), _classes(yhat, "yhat")
    if len(truth) != len(prediction):
        raise ValueError(
            f"y and yhat must have the same length, got {len(truth)} and {len(prediction)}; "
            "give one prediction an observation"
        )
    if (truth.dtype.kind == "U") != (prediction.dtype.kind == "U"):
        raise ValueError("y and yhat must both hold numbers or both strings, got one of each; convert one")
    if labels is None and {_coding(truth), _coding(prediction)} == set(FAMILIAR):
        raise ValueError(
            "y and yhat must have the same labels, got -1/+1 and 0/1; map 0/1 with 2*y - 1, "
            "or name all three classes in labels"
        )
    names = _occurring(truth, prediction) if labels is None else _classes(labels, "labels")
    if len(np.unique(names)) < len(names):
        raise ValueError(f"labels must differ, got {names.tolist()}; name each class once")
    order = np.argsort(names, kind="stable")
    i, j = _positions(truth, names, order, "y"), _positions(prediction, names, order, "yhat")
    K = len(names)
    counts = np.bincount(K * i + j, minlength=K * K).reshape(K, K)
    return Confusion(counts=counts, labels=tuple(names.tolist()), zero_division=zero_division)


def _classes(value: Any, name: str) -> NDArray[Any]:
    """Return a vector of whole numbers or of strings."""
    array = _check.labels(value, name, "class")
    if array.dtype.kind in "bu":
        array = array.astype(np.int64)  # which has room for -1
    if array.dtype.kind not in "ifU":
        raise ValueError(f"{name} must hold numbers or strings, got {array.dtype}; convert it")
    if array.dtype.kind == "f" and np.any(strange := ~np.isfinite(array) | (array != np.rint(array))):
        raise ValueError(
            f"{name} must hold classes, got {array[strange][0]:g}; compare scores with a threshold first"
        )
    return array


def _coding(values: NDArray[Any]) -> tuple[int, int] | None:
    """Return which of the two familiar codings has been used, if the values tell."""
    fits = [pair for pair in FAMILIAR if values.dtype.kind != "U" and np.all(np.isin(values, pair))]
    return fits[0] if len(fits) == 1 else None


def _occurring(truth: NDArray[Any], prediction: NDArray[Any]) -> NDArray[Any]:
    """Return the classes that occur, sorted; -1/+1 and 0/1 even if only one of them occurs."""
    names = np.union1d(truth, prediction)
    for pair in FAMILIAR:
        if names.dtype.kind != "U" and np.all(np.isin(names, pair)):
            return np.array(pair, dtype=names.dtype)
    return names


def _positions(values: NDArray[Any], names: NDArray[Any], order: NDArray[np.intp], name: str) -> Any:
    """Return the positions of classes among the names."""
    place = np.minimum(np.searchsorted(names, values, sorter=order), len(names) - 1)
    found = order[place]
    strange = names[found] != values
    if np.any(strange):
        stranger = values[strange].tolist()[0]
        raise ValueError(
            f"{name} must hold only the labels {names.tolist()}, got {stranger!r}; add it to labels"
        )
    return found
