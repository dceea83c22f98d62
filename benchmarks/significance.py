"""The contest of DeLong's test: one sort a curve against scipy's mid-ranks and against all pairs."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.stats import rankdata

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.significance import delong

__all__ = ["contests", "delong_contest", "judge", "sample", "warm_up"]

SECTION = "DeLong's test of two curves"
TIED = 2  # digits of a score with many ties
CLOSE = 1e-10  # relative: variances of a million placements, summed in another order

Tester = Callable[[], Array]


def sample(n: int, tied: bool) -> tuple[Array, Array, Array]:
    """Draw labels, three in ten positive, and two correlated scores, rounded if there shall be ties."""
    rng = np.random.default_rng(n)
    y = np.where(rng.random(n) < 0.3, 1.0, -1.0)
    f, g = y / 2 + rng.standard_normal(n) + rng.standard_normal((2, n))
    return (y, f.round(TIED), g.round(TIED)) if tied else (y, f, g)


def one_sort(y: Array, f: Array, g: Array) -> Array:
    """Return the areas and the variance of their difference by our function."""
    test = delong(y, f, g)
    return np.array([test.auc_f, test.auc_g, test.variance])


def summary(rows: Array, columns: Array) -> Array:
    """Return areas and variance from the placements of positives and negatives, one row a curve."""
    variance = sum(np.var(V[0] - V[1], ddof=1) / V.shape[1] for V in (rows, columns))
    return np.append(rows.mean(axis=1), variance)


def mid_ranks(y: Array, *scores: Array) -> Array:
    """Compute the same by three rankings a curve, as Sun and Xu do, with scipy's rankdata."""
    positive = y > 0
    P, N = np.count_nonzero(positive), np.count_nonzero(~positive)
    rows, columns = np.empty((2, P)), np.empty((2, N))
    for k, score in enumerate(scores):
        ranks = rankdata(score)
        rows[k] = (ranks[positive] - rankdata(score[positive])) / N
        columns[k] = 1 - (ranks[~positive] - rankdata(score[~positive])) / P
    return summary(rows, columns)


def all_pairs(y: Array, *scores: Array) -> Array:
    """Compute the same by comparing every positive with every negative point."""
    tables = []
    for score in scores:
        positive, negative = score[y > 0][:, None], score[y < 0]
        tables.append((positive > negative) + 0.5 * (positive == negative))
    return summary(np.array([t.mean(axis=1) for t in tables]), np.array([t.mean(axis=0) for t in tables]))


def judge(answer: Array, truth: Array) -> Quality:
    """Judge areas and variance by their greatest relative distance from the truth.

    Examples
    --------
    >>> judge(np.array([0.5, 0.5, 0.02]), np.array([0.5, 0.5, 0.01])).gap
    1.0
    """
    return Quality(objective=float(answer[-1]), gap=float(np.max(np.abs(answer / truth - 1))), kkt=None)


def delong_contest(n: int, tied: bool, pairs: bool, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare our test with mid-ranks, and with all pairs where they fit into memory."""
    y, f, g = sample(n, tied)
    peers: dict[str, Tester] = {"scipy's mid-ranks": partial(mid_ranks, y, f, g)}
    if pairs:
        peers["all pairs"] = partial(all_pairs, y, f, g)
    truth = (all_pairs if pairs else mid_ranks)(y, f, g)
    runs: dict[str, Tester] = {**peers, "one sort": partial(one_sort, y, f, g)}
    timed = interleaved(runs, repeats)
    entries = {
        name: Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer, truth))
        for name, one in timed.items()
    }
    return [
        Comparison(
            section=SECTION,
            problem=f"n = {n}, {'ties' if tied else 'no ties'}",
            certificate="error",
            rounds=repeats,
            ours=entries["one sort"],
            peer=entries[peer],
            equal=entries["one sort"].quality.gap <= CLOSE,
            aim=aim,
        )
        for peer in peers
    ]


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    delong_contest(200, True, True, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    for n, repeats in ((4000, 15), (100_000, 15), (1_000_000, 7)):
        for tied in (False, True):
            yield Contest(
                name=f"DeLong, n={n}, {'ties' if tied else 'no ties'}",
                quick=n <= 100_000,
                run=lambda n=n, t=tied, k=repeats: delong_contest(  # type: ignore[misc]
                    n, t, n <= 4000, k, 2.0
                ),
            )
