"""The contests of ROC curves, AUC and average precision against those of scikit-learn."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics as sk

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.metrics import auc, average_precision, roc_curve

__all__ = ["contests", "exact", "judge", "metric_contest", "sample", "warm_up"]

KINDS = ("ROC curve", "AUC", "average precision")
TIED = 2  # digits of a score with many ties
CLOSE = 1e-12  # sums of a million ratios in another order

Solver = Callable[[], Array]


def sample(n: int, tied: bool) -> tuple[Any, Array]:
    """Draw labels 0 and 1, the latter three in ten, and scores, rounded if there shall be ties."""
    rng = np.random.default_rng(n)
    y = (rng.random(n) < 0.3).astype(np.int64)
    score = rng.standard_normal(n) + y
    return y, score.round(TIED) if tied else score


def exact(kind: str, y: Any, score: Array) -> Array:
    """Compute the answer in another way: by ranks, or by counting every distinct score.

    Examples
    --------
    >>> exact("AUC", np.array([1, 0, 1]), np.array([3.0, 2.0, 1.0])).tolist()
    [0.5]
    """
    pos, neg = int(np.sum(y)), int(np.sum(1 - y))
    if kind == "AUC":
        return np.array([(rankdata(score)[y == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)])
    _, place = np.unique(-score, return_inverse=True)
    tp, fp = (np.cumsum(np.bincount(place[y == label], minlength=place.max() + 1)) for label in (1, 0))
    if kind == "ROC curve":
        return np.concatenate([[0], fp / neg, [0], tp / pos])
    return np.array([np.sum(np.diff(tp, prepend=0) / pos * tp / (tp + fp))])


def solvers(kind: str, y: Any, score: Array) -> tuple[Solver, Solver]:
    """Return our function and that of scikit-learn, each with its answer as one vector."""
    if kind == "AUC":
        return (
            lambda: np.array([auc(y, score)]),
            lambda: np.array([sk.roc_auc_score(y, score)]),
        )
    if kind == "average precision":
        return (
            lambda: np.array([average_precision(y, score)]),
            lambda: np.array([sk.average_precision_score(y, score)]),
        )

    def ours() -> Array:
        curve = roc_curve(y, score)
        return np.concatenate([curve.fpr, curve.tpr])

    return ours, lambda: np.concatenate(sk.roc_curve(y, score, drop_intermediate=False)[:2])


def judge(answer: Array, truth: Array) -> Quality:
    """Judge an answer by its greatest distance from the truth.

    Examples
    --------
    >>> judge(np.array([0.5, 0.7]), np.array([0.5, 0.6])).gap < 0.11
    True
    """
    same = answer.shape == truth.shape
    apart = float(np.max(np.abs(answer - truth))) if same else 1.0
    return Quality(objective=float(answer[-1]), gap=apart, kkt=None)


def metric_contest(kind: str, n: int, tied: bool, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare a function of ours with that of scikit-learn."""
    y, score = sample(n, tied)
    truth = exact(kind, y, score)
    ours, peer = solvers(kind, y, score)
    timed = interleaved({"peer": peer, "ours": ours}, repeats)
    entries: Mapping[str, Entry] = {
        side: Entry(
            name=name,
            seconds=float(f"{timed[side].seconds:.3g}"),
            quality=judge(timed[side].answer, truth),
        )
        for side, name in (("ours", "lecturekit"), ("peer", "scikit-learn"))
    }
    return [
        Comparison(
            section=f"{kind[0].upper()}{kind[1:]} against scikit-learn's",
            problem=f"n = {n}, {'ties' if tied else 'no ties'}",
            certificate="error",
            rounds=repeats,
            ours=entries["ours"],
            peer=entries["peer"],
            equal=entries["ours"].quality.gap <= CLOSE,
            aim=aim,
        )
    ]


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    for kind in KINDS:
        metric_contest(kind, 100, True, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    for kind in KINDS:
        for n, repeats in ((100_000, 15), (1_000_000, 5)):
            for tied in (False, True):
                yield Contest(
                    name=f"{kind}, n={n}, {'ties' if tied else 'no ties'}",
                    quick=n == 100_000,
                    run=partial(metric_contest, kind, n, tied, repeats, 5.0 if kind == "AUC" else 3.0),
                )
