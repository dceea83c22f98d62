"""Splits: what they hold, when they are refused, and the two that are made by one shuffle."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit.protocols import Folds, holdout, train_val_test
from lecturekit.protocols._splits import check_splits

seeds = st.integers(0, 10**6)


@given(st.integers(2, 60), st.floats(0.05, 0.95), seeds)
def test_holdout_splits_disjointly(n: int, share: float, seed: int) -> None:
    m = round(share * n)
    if not 0 < m < n:
        with pytest.raises(ValueError, match="test must leave both parts non-empty"):
            holdout(n, share, rng=seed)
        return
    split = holdout(n, share, rng=seed)
    assert len(split.test) == m
    assert sorted(np.concatenate([*split])) == list(range(n))
    assert all(np.all(np.diff(part) > 0) for part in split)
    assert np.array_equal(split.test, holdout(n, share, rng=seed).test)


@given(st.integers(10, 60), seeds)
def test_three_parts_are_disjoint(n: int, seed: int) -> None:
    parts = train_val_test(n, 0.1, 0.3, rng=seed)
    assert (len(parts.val), len(parts.test)) == (round(0.1 * n), round(0.3 * n))
    assert sorted(np.concatenate([*parts])) == list(range(n))
    assert parts.trainval.tolist() == sorted([*parts.train, *parts.val])


def chances(draw: Callable[[int], list[np.ndarray]], n: int) -> np.ndarray:
    """Return how often each observation is in each part, as a share of 2000 draws."""
    counts = np.zeros((len(draw(0)), n))
    for seed in range(2000):
        for j, part in enumerate(draw(seed)):
            counts[j, part] += 1
    return counts / 2000


def test_every_observation_has_the_same_chances() -> None:
    held = chances(lambda seed: list(holdout(8, 0.25, rng=seed)), 8)
    assert np.abs(held - [[0.75], [0.25]]).max() < 0.05
    three = chances(lambda seed: list(train_val_test(10, 0.2, 0.3, rng=seed)), 10)
    assert np.abs(three - [[0.5], [0.2], [0.3]]).max() < 0.05


def test_folds_are_a_sequence_that_writes_out_the_rest_on_demand() -> None:
    folds = Folds(n=5, parts=[np.array([0, 3]), np.array([1])])
    assert (len(folds), repr(folds)) == (2, "Folds(2 splits of 5 observations)")
    assert repr(folds[0]) == "Split(3 to train, 2 to test)"
    assert repr(train_val_test(10, rng=0)) == "ThreeParts(6 to train, 2 to choose, 2 to test)"
    assert (folds[0].train.tolist(), folds[-1].train.tolist()) == ([1, 2, 4], [0, 2, 3, 4])
    assert [split.test.tolist() for split in folds[1:]] == [[1]]
    assert isinstance(folds[1:], Folds)
    with pytest.raises(IndexError):
        folds[2]
    pairs: Any = [([0, 0, 2], [1]), ([1], [0, 2])]
    assert check_splits(pairs, 3) is pairs  # pairs and bootstrap samples are sound
