"""What to train and to test on: one split, when it is sound, and the many splits of cross-validation.

Splits are positions. Whoever makes them sees a number, classes or groups, never the data. Random ones ask for
a generator or a seed, so that the same splits can be given to two competitors.

Cross-validation tests each observation, or each late one, as often as the others. Where observations belong
together, as those of one patient or of one stretch of time, a random split puts relatives on both sides;
:func:`group_kfold` and :func:`time_ordered` keep them apart.

References
----------
Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.2 (hold-out).
Kaufman, Rosset, Perlich and Stitelman, *Leakage in data mining*, 2012 (what no split may share). Stone,
*Cross-validatory choice and assessment of statistical predictions*, 1974. Kohavi, *A study of
cross-validation and bootstrap for accuracy estimation and model selection*, 1995 (strata). Kim, *Estimating
classification error rate: repeated cross-validation, repeated hold-out and bootstrap*, 2009. Dietterich,
*Approximate statistical tests for comparing supervised classification learning algorithms*, 1998 (five times
two). Graham, *Bounds on multiprocessing timing anomalies*, 1969 (the rule that balances groups). Hyndman and
Athanasopoulos, *Forecasting: Principles and Practice*, 2021, section 5.10 (time).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from lecturekit import _check
from lecturekit._typing import ArrayLike, Indices

Rng = np.random.Generator | int


# -- what splits are ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """Two lists of positions; ``train, test = split`` takes them apart.

    Attributes
    ----------
    train, test : array of int
        Where the observations to train on are, and those to test on.
    """

    train: Indices
    test: Indices

    def __iter__(self) -> Iterator[Indices]:
        return iter((self.train, self.test))

    def __repr__(self) -> str:
        return f"Split({len(self.train)} to train, {len(self.test)} to test)"


@dataclass(frozen=True, kw_only=True, eq=False)
class ThreeParts:
    """Positions of the observations to train on, to choose by, and to test on.

    Attributes
    ----------
    train, val, test : array of int
        The three parts, disjoint.
    """

    train: Indices
    val: Indices
    test: Indices

    def __post_init__(self) -> None:
        positions, times = np.unique(np.concatenate([np.unique(part) for part in self]), return_counts=True)
        if np.any(times > 1):
            raise ValueError(
                f"the three parts must not share an observation, got {int(positions[times > 1][0])} in two; "
                "take it out of one"
            )

    @property
    def trainval(self) -> Indices:
        """All that is not for testing, in rising order."""
        return np.sort(np.concatenate([self.train, self.val]))

    def __iter__(self) -> Iterator[Indices]:
        return iter((self.train, self.val, self.test))

    def __repr__(self) -> str:
        return f"ThreeParts({len(self.train)} to train, {len(self.val)} to choose, {len(self.test)} to test)"


@dataclass(frozen=True, kw_only=True, eq=False)
class Folds(Sequence[Split]):
    """Splits that test on one part each and train on all the rest, which is written out only when asked for.

    Attributes
    ----------
    n : int
        Number of observations.
    parts : sequence of arrays of int
        The test parts, in order.
    """

    n: int
    parts: Sequence[Indices]

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, item: int) -> Split: ...

    @overload
    def __getitem__(self, item: slice) -> "Folds": ...

    def __getitem__(self, item: int | slice) -> "Split | Folds":
        if isinstance(item, slice):
            return Folds(n=self.n, parts=self.parts[item])
        test = self.parts[item]
        train = np.ones(self.n, dtype=bool)
        train[test] = False
        return Split(train=np.flatnonzero(train), test=test)

    def __repr__(self) -> str:
        return f"Folds({len(self)} splits of {self.n} observations)"


# -- the border --------------------------------------------------------------------------------------------


def check_splits(splits: Sequence[Split], n: int, *, groups: ArrayLike | None = None) -> Sequence[Split]:
    """Return the splits if each is sound: no observation, and no group, is both trained and tested on.

    Both parts must hold whole numbers from 0 to n - 1 and at least one of them. No observation is tested
    twice in a split; it may be trained on twice, as in a bootstrap sample. Folds must be those of n
    observations.
    """
    n = _check.count(n, "n", "count the observations")
    owners = None if groups is None else _check.labels(groups, "groups", "group")
    if owners is not None and len(owners) != n:
        raise ValueError(f"groups must have one entry an observation, got {len(owners)} for {n}")
    if len(splits) == 0:
        raise ValueError("splits must hold at least one split, got none")
    if isinstance(splits, Folds) and splits.n != n:
        raise ValueError(
            f"splits must be of {n} observations, got folds of {splits.n}; make them for this data set"
        )
    for number, (train, test) in enumerate(splits):
        _check_split(number, np.asarray(train), np.asarray(test), n)
        if owners is not None:
            shared = np.intersect1d(owners[train], owners[test])
            if len(shared):
                raise ValueError(
                    f"split {number} must not share a group, got {shared.tolist()[0]!r} on both sides; "
                    "split with group_kfold"
                )
    return splits


def _check_split(number: int, train: Indices, test: Indices, n: int) -> None:
    """Refuse a split with a bad or a shared position."""
    for name, part in (("train", train), ("test", test)):
        if part.ndim != 1 or part.size == 0 or part.dtype.kind not in "iu":
            raise ValueError(
                f"{name} of split {number} must be a vector of positions, got shape {part.shape} and type "
                f"{part.dtype}; turn a mask into positions with numpy.flatnonzero"
            )
        if part.min() < 0 or part.max() >= n:
            bad = int(part.min()) if part.min() < 0 else int(part.max())
            raise ValueError(
                f"{name} of split {number} must hold positions from 0 to {n - 1}, got {bad}; "
                "make the splits for this data set"
            )
    seen = np.zeros(n, dtype=bool)
    seen[train] = True
    if np.any(seen[test]):
        raise ValueError(
            f"split {number} must not share an observation, got {int(test[seen[test]][0])} on both sides; "
            "take it out of one"
        )
    if len(np.unique(test)) < len(test):
        raise ValueError(f"test of split {number} must hold each observation once, got one twice")


# -- one split ---------------------------------------------------------------------------------------------


def _size(share: float, n: int, name: str) -> int:
    """Return how many of n observations a share is, rounded."""
    return round(_check.fraction(share, name, "it is the share of the observations that go there") * n)


def holdout(n: int, test: float = 0.25, *, rng: Rng) -> Split:
    """Set a random part aside for testing.

    Parameters
    ----------
    n : int
        Number of observations.
    test : float
        Share of the observations to test on, rounded to whole ones.
    rng : Generator or int
        The source of randomness, or its seed.

    Examples
    --------
    >>> split = holdout(8, rng=0)
    >>> split, sorted([*split.train, *split.test]) == list(range(8))
    (Split(6 to train, 2 to test), True)
    """
    n = _check.count(n, "n", "there must be something to train on and something to test on", least=2)
    m = _size(test, n, "test")
    if not 0 < m < n:
        raise ValueError(
            f"test must leave both parts non-empty, got {m} of {n} for testing; change the share"
        )
    order = _check.generator(rng).permutation(n)
    return Split(train=np.sort(order[m:]), test=np.sort(order[:m]))


def train_val_test(n: int, val: float = 0.2, test: float = 0.2, *, rng: Rng) -> ThreeParts:
    """Split at random into a part to train on, one to choose a model by, and one to test the choice on.

    Parameters are those of :func:`holdout`; ``val`` is a share like ``test``.

    Examples
    --------
    >>> parts = train_val_test(10, val=0.1, test=0.2, rng=0)
    >>> parts, len(parts.trainval)
    (ThreeParts(7 to train, 1 to choose, 2 to test), 8)
    """
    n = _check.count(n, "n", "each of the three parts needs an observation", least=3)
    v, t = _size(val, n, "val"), _size(test, n, "test")
    if min(v, t, n - v - t) < 1:
        raise ValueError(
            f"val and test must leave all three parts non-empty, got {v} and {t} of {n}; change the shares"
        )
    order = _check.generator(rng).permutation(n)
    cut = np.split(order, [t, t + v])
    return ThreeParts(train=np.sort(cut[2]), val=np.sort(cut[1]), test=np.sort(cut[0]))


# -- every observation is tested ---------------------------------------------------------------------------


def _folds(k: object, n: int, what: str) -> int:
    """Return a number of folds from 2 to n."""
    k = _check.count(k, "k", "one part to train on and one to test on is the least", least=2)
    if k > n:
        raise ValueError(f"k must be at most the number of {what}, got k={k} for {n}; take fewer folds")
    return k


def _dealt(order: Indices, k: int) -> list[Indices]:
    """Deal positions out like cards to k parts, each then in rising order."""
    return [np.sort(order[part::k]) for part in range(k)]


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

    Parameters are those of :func:`kfold`, without k and rng.

    Examples
    --------
    >>> [(split.train.tolist(), split.test.tolist()) for split in leave_one_out(3)]
    [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    """
    n = _check.count(n, "n", "there must be something to train on and something to test on", least=2)
    return Folds(n=n, parts=np.arange(n)[:, None])  # type: ignore[arg-type]


def stratified_kfold(y: ArrayLike, k: int, *, rng: Rng) -> Folds:
    """Split at random into k parts in which every class has its share, to within one observation.

    Parameters are those of :func:`kfold`, with the classes ``y`` of shape (n,), each with k members or more,
    in place of n.

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

    Parameters are those of :func:`kfold`, and the number of ``times``.

    Examples
    --------
    >>> folds = repeated_kfold(6, 3, 2, rng=0)
    >>> len(folds), np.bincount(np.concatenate(folds.parts)).tolist()
    (6, [2, 2, 2, 2, 2, 2])
    """
    times = _check.count(times, "times", "split at least once")
    rng = _check.generator(rng)
    return Folds(n=n, parts=[part for _ in range(times) for part in kfold(n, k, rng=rng).parts])


def five_by_two(n: int, *, rng: Rng) -> Folds:
    """Halve at random five times; each half is trained on once and tested on once: ten splits.

    Splits 2i and 2i + 1 are the two directions of halving i, so ten scores in the shape (5, 2) are what
    :func:`lecturekit.significance.five_by_two_cv` takes.

    Parameters are those of :func:`kfold`, with k = 2.

    Examples
    --------
    >>> folds = five_by_two(6, rng=0)
    >>> len(folds), bool(np.array_equal(folds[0].train, folds[1].test))
    (10, True)
    """
    return repeated_kfold(n, 2, 5, rng=rng)


# -- observations that belong together ---------------------------------------------------------------------


def group_kfold(groups: ArrayLike, k: int) -> Folds:
    """Split into k parts of nearly equal size that keep each group whole.

    The groups, the largest first, go one by one to the part that is smallest so far. Nothing is random.
    With as many parts as groups each group is left out once.

    Parameters
    ----------
    groups : array of shape (n,)
        The patient, author or site that each observation comes from: numbers or strings.
    k : int
        Number of parts, at most that of the groups.

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
