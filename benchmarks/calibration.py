"""The contests of isotonic regression: pooling against scipy and scikit-learn, and with the sorting."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression
from sklearn.isotonic import isotonic_regression as sk_isotonic_regression

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.calibration import isotonic, pav

__all__ = ["certificate", "contests", "pool_contest", "sample", "score_contest", "warm_up"]

POOL = "Isotonic regression: pool adjacent violators"
SCORES = "Isotonic regression: from scores in any order"
KINDS = ("outcomes", "normal noise", "weighted outcomes", "nothing to pool")  # the last: only memory counts
CLOSE = 1e-12  # the rounding of a mean of a million numbers

Solver = Callable[[], Array]


def sample(n: int, kind: str) -> tuple[Array, Array | None]:
    """Draw values in the order of their scores, and weights where there shall be some."""
    rng = np.random.default_rng(n)
    chance = np.sort(rng.random(n))
    if kind == "nothing to pool":
        return chance, None
    if kind == "normal noise":
        return chance + rng.standard_normal(n), None
    y = (rng.random(n) < chance).astype(np.float64)
    return y, rng.uniform(0.5, 2.0, n) if kind == "weighted outcomes" else None


def certificate(y: Array, w: Array | None, m: Array) -> float:
    """Return by how much a fit misses the conditions of a minimum, per unit of weight.

    The fit must not fall; the sums of the residuals from the left must not be negative, and zero where it
    rises and at the end.

    Examples
    --------
    >>> certificate(np.array([1.0, 0.0]), None, np.array([0.5, 0.5]))
    0.0
    >>> certificate(np.array([1.0, 0.0]), None, np.array([1.0, 1.0]))
    0.5
    """
    w = np.ones(len(y)) if w is None else w
    push, rise = np.cumsum(w * (y - m)), np.diff(m)
    slack = np.abs(push[:-1][rise > 0]).max(initial=abs(push[-1]))
    return float(max(0.0, -rise.min(initial=0.0), max(-push.min(), slack) / w.sum()))


def solvers(y: Array, w: Array | None) -> Mapping[str, Solver]:
    """Return our function and those of scipy and scikit-learn."""
    return {
        "lecturekit": lambda: pav(y, w),
        "scipy": lambda: np.asarray(isotonic_regression(y, weights=w).x),
        "scikit-learn": lambda: np.asarray(sk_isotonic_regression(y, sample_weight=w)),
    }


def compared(
    section: str,
    problem: str,
    runs: Mapping[str, Solver],
    judge: Callable[[Array], Quality],
    repeats: int,
    aims: Mapping[str, float | None],
) -> list[Comparison]:
    """Compare our function with each of the others."""
    timed = interleaved(runs, repeats)
    entries = {
        name: Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer))
        for name, one in timed.items()
    }
    return [
        Comparison(
            section=section,
            problem=problem,
            certificate="residual",
            rounds=repeats,
            ours=entries["lecturekit"],
            peer=entries[name],
            equal=entries["lecturekit"].quality.gap <= CLOSE,
            aim=aim,
        )
        for name, aim in aims.items()
    ]


def judged(y: Array, w: Array | None, m: Array) -> Quality:
    """Judge a fit by its squared error and its certificate."""
    error = float(np.average((y - m) ** 2, weights=w))
    return Quality(objective=error, gap=certificate(y, w, m), kkt=None)


def pool_contest(kind: str, n: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare the pooling of values that are in order."""
    y, w = sample(n, kind)
    runs, aims = solvers(y, w), {"scipy": aim, "scikit-learn": aim}
    return compared(POOL, f"{kind}, n = {n}", runs, partial(judged, y, w), repeats, aims)


def score_contest(n: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare fitting a function of scores that are not sorted, and evaluating it where it was fitted."""
    y, _ = sample(n, "outcomes")
    order = np.random.default_rng(0).permutation(n)
    score, y = np.linspace(-3, 3, n)[order], y[order]
    runs: Mapping[str, Solver] = {
        "lecturekit": lambda: isotonic(score, y)(score),
        "scikit-learn": lambda: np.asarray(IsotonicRegression().fit(score, y).predict(score)),
    }
    back = np.argsort(score, kind="stable")
    return compared(
        SCORES,
        f"outcomes, n = {n}",
        runs,
        lambda m: judged(y[back], None, m[back]),
        repeats,
        {"scikit-learn": aim},
    )


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    for kind in KINDS:
        pool_contest(kind, 100, 1, None)
    score_contest(100, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    for n, repeats in ((100_000, 25), (1_000_000, 7)):
        for kind in KINDS:
            yield Contest(
                name=f"pooling, {kind}, n={n}",
                quick=n == 100_000,
                run=partial(pool_contest, kind, n, repeats, 1.0 if kind == KINDS[-1] else 1.2),
            )
        yield Contest(name=f"scores, n={n}", quick=n == 100_000, run=partial(score_contest, n, repeats, 1.2))
