"""The splits of cross-validation: each observation, or each late one, is tested as often as the others.

Where observations belong together, as those of one patient or of one stretch of time, a random split puts
relatives on both sides; :func:`group_kfold` and :func:`time_ordered` keep them apart.
"""

import numpy as np

from lecturekit import _check
from lecturekit._typing import Indices
from lecturekit.splits import Folds, Split

__all__ = [
    "five_by_two",
    "group_kfold",
    "kfold",
    "leave_one_out",
    "repeated_kfold",
    "stratified_kfold",
    "time_ordered",
]

Rng = np.random.Generator | int


def _folds(k: object, n: int, what: str) -> int:
    """Return a number of folds from 2 to n."""
    k = _check.count(k, "k", "one part to train on and one to test on is the least", least=2)
    if k > n:
        raise ValueError(f"k must be at most the number of {what}, got k={k} for {n}; take fewer folds")
    return k


def _dealt(order: Indices, k: int) -> list[Indices]:
    """Deal positions out like cards to k parts, each then in rising order."""
    return [np.sort(order[part::k]) for part in range(k)]


# -- every observation is tested -----------------------------------------------------------------------------


def kfold(n: int, k: int, *, rng: Rng) -> Folds:
    """Split at random into k parts whose sizes differ by at most one; each is the test part once.

    Parameters
    ----------
    n : int
        Number of observations.
    k : int
        Number of parts, from 2 to n.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Stone, *Cross-validatory choice and assessment of statistical predictions*, 1974.

    Examples
    --------
    >>> folds = kfold(10, 3, rng=0)
    >>> [len(split.test) for split in folds], sorted(np.concatenate(folds.parts)) == list(range(10))
    ([4, 3, 3], True)
    """
    n = _check.count(n, "n", "there must be something to train on and something to test on", least=2)
    k = _folds(k, n, "observations")
    return Folds(n=n, parts=_dealt(_check.generator(rng).permutation(n), k))


def leave_one_out(n: int) -> Folds:
    """Test on each observation alone: n splits, each with n - 1 observations to train on.

    Parameters
    ----------
    n : int
        Number of observations.

    References
    ----------
    Stone, *Cross-validatory choice and assessment of statistical predictions*, 1974.

    Examples
    --------
    >>> [(split.train.tolist(), split.test.tolist()) for split in leave_one_out(3)]
    [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    """
    n = _check.count(n, "n", "there must be something to train on and something to test on", least=2)
    return Folds(n=n, parts=np.arange(n)[:, None])  # type: ignore[arg-type]


def stratified_kfold(y: object, k: int, *, rng: Rng) -> Folds:
    """Split at random into k parts in which every class has its share, to within one observation.

    Parameters
    ----------
    y : array of shape (n,)
        The classes, each with at least k members.
    k : int
        Number of parts.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Kohavi, *A study of cross-validation and bootstrap for accuracy estimation and model selection*, 1995.

    Examples
    --------
    >>> y = np.array([1] * 4 + [-1] * 8)
    >>> [int(np.sum(y[split.test] == 1)) for split in stratified_kfold(y, 4, rng=0)]
    [1, 1, 1, 1]
    """
    y = _check.labels(y, "y", "class")
    k = _folds(k, len(y), "observations")
    rng = _check.generator(rng)
    classes, member, sizes = np.unique(y, return_inverse=True, return_counts=True)
    if sizes.min() < k:
        rare = classes.tolist()[sizes.argmin()]
        raise ValueError(
            f"y must have at least k={k} observations of every class, got {sizes.min()} of {rare!r}; "
            "take fewer folds, or kfold where y is no class"
        )
    # Class after class, dealt in turn: both the members of a class and the sizes of parts differ by one.
    order = np.concatenate([rng.permutation(np.flatnonzero(member == c)) for c in range(len(classes))])
    return Folds(n=len(y), parts=_dealt(order, k))


def repeated_kfold(n: int, k: int, times: int, *, rng: Rng) -> Folds:
    """Split into k parts again and again: ``k * times`` splits, those of one repetition together.

    Parameters
    ----------
    n : int
        Number of observations.
    k : int
        Number of parts, from 2 to n.
    times : int
        Repetitions.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Kim, *Estimating classification error rate: repeated cross-validation, repeated hold-out and bootstrap*,
    2009.

    Examples
    --------
    >>> folds = repeated_kfold(6, 3, 2, rng=0)
    >>> len(folds), np.bincount(np.concatenate(folds.parts)).tolist()
    (6, [2, 2, 2, 2, 2, 2])
    """
    times = _check.count(times, "times", "split at least once")
    rng = _check.generator(rng)
    parts: list[Indices] = []
    for _ in range(times):
        parts += kfold(n, k, rng=rng).parts
    return Folds(n=n, parts=parts)


def five_by_two(n: int, *, rng: Rng) -> Folds:
    """Halve at random five times; each half is trained on once and tested on once: ten splits.

    Splits 2i and 2i + 1 are the two directions of halving i, so ten scores in the shape (5, 2) are what
    :func:`lecturekit.significance.five_by_two_cv` takes.

    Parameters
    ----------
    n : int
        Number of observations.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Dietterich, *Approximate statistical tests for comparing supervised classification learning algorithms*,
    1998.

    Examples
    --------
    >>> folds = five_by_two(6, rng=0)
    >>> len(folds), bool(np.array_equal(folds[0].train, folds[1].test))
    (10, True)
    """
    return repeated_kfold(n, 2, 5, rng=rng)


# -- observations that belong together -----------------------------------------------------------------------


def group_kfold(groups: object, k: int) -> Folds:
    """Split into k parts of nearly equal size that keep each group whole.

    The groups, the largest first, go one by one to the part that is smallest so far. Nothing is random.
    With as many parts as groups each group is left out once.

    Parameters
    ----------
    groups : array of shape (n,)
        The patient, author or site that each observation comes from: numbers or strings.
    k : int
        Number of parts, at most that of the groups.

    References
    ----------
    Graham, *Bounds on multiprocessing timing anomalies*, 1969 (the rule that balances the parts).

    Examples
    --------
    >>> patient = np.array(["a", "a", "a", "b", "b", "c"])
    >>> [patient[split.test].tolist() for split in group_kfold(patient, 2)]
    [['a', 'a', 'a'], ['b', 'b', 'c']]
    """
    groups = _check.labels(groups, "groups", "group")
    names, member, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    k = _folds(k, len(names), "groups")
    load, part = np.zeros(k, dtype=np.intp), np.empty(len(names), dtype=np.intp)
    for group in np.argsort(-sizes, kind="stable"):
        part[group] = load.argmin()
        load[part[group]] += sizes[group]
    return Folds(n=len(groups), parts=[np.flatnonzero(part[member] == j) for j in range(k)])


def time_ordered(n: int, k: int, *, gap: int = 0) -> tuple[Split, ...]:
    """Test on k successive blocks, each time training only on what came before.

    The blocks are the last k of k + 1, of n // (k + 1) observations each; what is left over goes to the first
    training part. Nothing is random.

    Parameters
    ----------
    n : int
        Number of observations, which must be in the order of time.
    k : int
        Number of splits.
    gap : int
        How many observations just before the block to leave out, where neighbours know of each other.

    References
    ----------
    Hyndman and Athanasopoulos, *Forecasting: Principles and Practice*, 2021, section 5.10.

    Examples
    --------
    >>> [(split.train.tolist(), split.test.tolist()) for split in time_ordered(6, 2)]
    [([0, 1], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    """
    n = _check.count(n, "n", "there must be something to train on and something to test on", least=2)
    k = _check.count(k, "k", "test on at least one block")
    gap = _check.count(gap, "gap", "it counts observations to leave out", least=0)
    size = n // (k + 1)
    first = n - k * size  # where the first block to test on begins
    if size < 1 or gap >= first:
        raise ValueError(
            f"k and gap must leave something to train on and to test on, got k={k} and gap={gap} for n={n}; "
            "take fewer splits or a smaller gap"
        )
    starts = range(first, n, size)
    return tuple(Split(train=np.arange(s - gap), test=np.arange(s, s + size)) for s in starts)
