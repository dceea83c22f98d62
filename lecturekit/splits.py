"""A part to train on and a part to test on: what a split is, when it is sound, and the single hold-out.

Splits are positions. Whoever makes them sees a number, classes or groups, never the data. Random ones ask for
a generator or a seed, so that the same splits can be given to two competitors. Cross-validation's many splits
are in :mod:`lecturekit.folds`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from lecturekit import _check
from lecturekit._typing import Indices

__all__ = ["Folds", "Split", "ThreeParts", "check_splits", "holdout", "train_val_test"]

Rng = np.random.Generator | int


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """Two lists of positions; ``train, test = split`` takes them apart.

    Attributes
    ----------
    train : array of int
        Where the observations to train on are.
    test : array of int
        Where those to test on are.
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


# -- the border ----------------------------------------------------------------------------------------------


def check_splits(splits: Sequence[Split], n: int, *, groups: object = None) -> Sequence[Split]:
    """Return the splits if each is sound: no observation, and no group, is both trained and tested on.

    Both parts must hold whole numbers from 0 to n - 1 and at least one of them. No observation is tested
    twice in a split; it may be trained on twice, as in a bootstrap sample. Folds must be those of n
    observations.

    Parameters
    ----------
    splits : sequence of Split, or of pairs (train, test)
        The splits.
    n : int
        Number of observations.
    groups : array of shape (n,), optional
        The patient, author or site that each observation comes from.

    References
    ----------
    Kaufman, Rosset, Perlich and Stitelman, *Leakage in data mining*, 2012.

    Examples
    --------
    >>> check_splits([Split(train=np.array([0, 1]), test=np.array([1, 2]))], 3)
    Traceback (most recent call last):
    ValueError: split 0 must not share an observation, got 1 on both sides; take it out of one
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


# -- one split -----------------------------------------------------------------------------------------------


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

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.2.

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

    Parameters
    ----------
    n : int
        Number of observations.
    val, test : float
        Shares of the observations, rounded to whole ones.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.2.

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
