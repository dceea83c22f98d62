"""The contests of coins: flips, a chunk at a time, and counts that are drawn from their law without flips."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.bounds import poisson_binomial_pmf, simulate_counts

__all__ = ["contests", "flip_contest", "warm_up"]

SECTION = "Simulation: coin flips"
BUDGET_NS = 500  # for a repetition of a hundred flips
BUDGET = f"{BUDGET_NS} ns per 100 flips"
ERRORS = 4.5  # standard errors by which a simulated law may be off: one run in ten thousand exceeds them

Simulation = Callable[[], Array]


def looped(p: Array, repetitions: int) -> Array:
    """Flip the coins of one repetition after the other."""
    rng, counts = np.random.default_rng(0), np.empty(repetitions)
    for k in range(repetitions):
        counts[k] = np.count_nonzero(rng.random(len(p)) < p)
    return counts


def at_once(p: Array, repetitions: int) -> Array:
    """Flip all coins of all repetitions in one array."""
    heads = np.random.default_rng(0).random((repetitions, len(p))) < p
    return np.asarray(np.count_nonzero(heads, axis=1), dtype=np.float64)


def by_law(p: Array, repetitions: int) -> Array:
    """Draw the counts, not the flips, by NumPy's binomial; the probabilities must be equal."""
    return np.asarray(np.random.default_rng(0).binomial(len(p), p[0], repetitions), dtype=np.float64)


def counted(p: Array, repetitions: int) -> Array:
    """Count as the package does: different coins are flipped, coins that are alike are drawn by their law."""
    return simulate_counts(p, repetitions, rng=0)


def judge(counts: Array, law: Array) -> Quality:
    """Judge counts by how far the frequencies of large ones are from the exact law, in standard errors.

    The objective is the share of counts that are at least one deviation above the mean.

    Examples
    --------
    Ninety heads in a hundred flips of a fair coin:

    >>> counts = np.repeat([0.0, 1.0], [10, 90])
    >>> judge(counts, np.array([0.5, 0.5])).gap
    8.0
    """
    k = np.arange(len(law))
    mean = law @ k
    limit = mean + np.sqrt(law @ (k - mean) ** 2)
    exact, share = float(law[k >= limit].sum()), float(np.mean(counts >= limit))
    error = float(np.sqrt(exact * (1 - exact) / len(counts)))
    return Quality(objective=share, gap=abs(share - exact) / error, kkt=None)


def flip_contest(
    m: int, repetitions: int, repeats: int, aims: Mapping[str, float], *, alike: bool = True
) -> list[Comparison]:
    """Compare our counts with a loop, one array and, where the coins are alike, NumPy's binomial.

    Different coins are flipped; then the last peer is a clock that allows half a microsecond for a hundred
    flips. Coins that are alike are not: their counts are drawn from the binomial law, and no clock is set.
    """
    p = np.full(m, 0.5) if alike else np.linspace(0.1, 0.9, m)
    problem = f"{repetitions} counts of {m} fair coins, from their law (ours flips none)"
    if not alike:
        problem = f"{repetitions} times {m} flips of different coins"
    runs: dict[str, Simulation] = {
        "simulate_counts": partial(counted, p, repetitions),
        "loop": partial(looped, p, repetitions),
        "one array": partial(at_once, p, repetitions),
    }
    if alike:
        runs["binomial"] = partial(by_law, p, repetitions)
    timed = interleaved(runs, repeats)
    law = poisson_binomial_pmf(p)
    ours, *others = (
        Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer, law))
        for name, one in timed.items()
    )
    if not alike:
        allowed = float(f"{BUDGET_NS * 1e-9 * repetitions * m / 100:.3g}")
        exact = Quality(objective=ours.quality.objective, gap=0.0, kkt=None)
        others.append(Entry(name=BUDGET, seconds=allowed, quality=exact))
    return [
        Comparison(
            section=SECTION,
            problem=problem,
            certificate="standard errors",
            rounds=repeats,
            ours=ours,
            peer=peer,
            equal=max(ours.quality.gap, peer.quality.gap) <= ERRORS,
            aim=aims.get(peer.name),
        )
        for peer in others
    ]


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    for alike in (True, False):
        flip_contest(10, 20, 1, {}, alike=alike)


def contests() -> Iterator[Contest]:
    """Yield the programme."""
    yield Contest(
        name="flips of different coins",
        quick=True,
        run=lambda: flip_contest(100, 200_000, 7, {"loop": 3.0, BUDGET: 1.0}, alike=False),
    )
    yield Contest(
        name="counts of fair coins",
        quick=True,
        run=lambda: flip_contest(100, 200_000, 7, {"loop": 15.0, "one array": 3.0}),
    )
