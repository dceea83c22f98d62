"""Cross-validation's splits: every property that their definitions promise, and scikit-learn's splitters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection
from sklearn.dummy import DummyClassifier

from lecturekit import protocols
from lecturekit.protocols import Folds, group_kfold, kfold, leave_one_out, stratified_kfold, time_ordered
from lecturekit.protocols._splits import check_splits

seeds = st.integers(0, 10**6)


def is_partition(folds: Folds) -> bool:
    """Whether the test parts are disjoint and cover everything, and each is trained against the rest."""
    tested = np.sort(np.concatenate([split.test for split in folds]))
    rest = all(len(s.train) + len(s.test) == folds.n and not np.isin(s.train, s.test).any() for s in folds)
    return rest and np.array_equal(tested, np.arange(folds.n))


@given(st.integers(2, 40), st.data(), seeds)
def test_kfold_is_a_partition_into_equal_parts(n: int, data: st.DataObject, seed: int) -> None:
    k = data.draw(st.integers(2, n))
    folds = kfold(n, k, rng=seed)
    assert len(folds) == k
    assert np.ptp([len(part) for part in folds.parts]) <= 1
    assert is_partition(folds)
    check_splits(folds, n)


@pytest.mark.claim("EVAL-16")
def test_as_many_folds_as_observations_leave_one_out() -> None:
    left = sorted(int(part[0]) for part in kfold(9, 9, rng=0).parts)
    assert left == [int(part[0]) for part in leave_one_out(9).parts] == list(range(9))
    for i, split in enumerate(leave_one_out(9)):
        assert split.train.tolist() == [j for j in range(9) if j != i]


def test_kfold_is_random_and_repeatable() -> None:
    y = np.repeat([0, 1], 10)
    plain = [kfold(20, 4, rng=seed).parts[0] for seed in (1, 1, 2)]
    strata = [stratified_kfold(y, 4, rng=seed).parts[0] for seed in (1, 1, 2)]
    for first, again, other in (plain, strata):
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)
    halves = [kfold(6, 2, rng=seed)[0].test for seed in range(2000)]
    together = np.mean([np.isin([1, 2], half).sum() != 1 for half in halves])
    assert together == pytest.approx(2 / 5, abs=0.04)  # of the other five, two share the part


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=60), st.integers(2, 4), seeds)
def test_strata_have_their_shares(y: list[str], k: int, seed: int) -> None:
    counts = {c: y.count(c) for c in set(y)}
    if min(counts.values()) < k:
        with pytest.raises(ValueError, match=f"y must have at least k={k} observations of every class"):
            stratified_kfold(y, k, rng=seed)
        return
    folds, labels = stratified_kfold(y, k, rng=seed), np.array(y)
    assert is_partition(folds)
    assert np.ptp([len(part) for part in folds.parts]) <= 1
    for c, total in counts.items():
        found = [int(np.sum(labels[part] == c)) for part in folds.parts]
        assert set(found) <= {total // k, -(-total // k)}


@given(st.integers(4, 30), st.integers(2, 4), st.integers(1, 4), seeds)
def test_each_repetition_is_a_partition(n: int, k: int, times: int, seed: int) -> None:
    folds = protocols.repeated_kfold(n, k, times, rng=seed)
    assert len(folds) == k * times
    assert all(is_partition(folds[k * i : k * i + k]) for i in range(times))
    assert n < 20 or len({tuple(folds.parts[k * i]) for i in range(times)}) == times  # they differ


@given(st.integers(2, 31), seeds)
def test_five_by_two_trains_and_tests_on_both_halves(n: int, seed: int) -> None:
    folds = protocols.five_by_two(n, rng=seed)
    assert len(folds) == 10
    for one, other in zip(folds[::2], folds[1::2], strict=True):
        assert all(map(np.array_equal, (one.train, one.test), (other.test, other.train)))
        assert abs(len(one.train) - len(one.test)) <= 1


@given(st.lists(st.integers(0, 8), min_size=2, max_size=60), st.data())
def test_groups_stay_whole(groups: list[int], data: st.DataObject) -> None:
    names = set(groups)
    if len(names) < 2:
        with pytest.raises(ValueError, match="k must be at most the number of groups, got k=2 for 1"):
            group_kfold(groups, 2)
        return
    k = data.draw(st.integers(2, len(names)))
    folds = group_kfold(groups, k)
    assert is_partition(folds)
    check_splits(folds, len(groups), groups=groups)
    sizes, largest = [len(part) for part in folds.parts], max(groups.count(name) for name in names)
    assert max(sizes) - min(sizes) <= largest  # the rule: the last group went to the smallest part
    peer = model_selection.GroupKFold(k).split(groups, groups=groups)
    assert sorted(sizes) == sorted(len(test) for _, test in peer)


def test_groups_may_be_strings_objects_and_days() -> None:
    days = np.array(["2024-01-01", "2024-01-02", "2024-01-01"], dtype="datetime64[D]")
    for groups in (["b", "a", "b"], np.array(["b", "a", "b"], dtype=object), days, [True, False, True]):
        assert [part.tolist() for part in group_kfold(groups, 2).parts] == [[0, 2], [1]]


@given(st.integers(2, 60), st.integers(1, 8), st.integers(0, 4))
def test_time_runs_forward(n: int, k: int, gap: int) -> None:
    size = n // (k + 1)
    if size == 0 or gap >= n - k * size:
        with pytest.raises(ValueError, match="k and gap must leave something to train on and to test on"):
            time_ordered(n, k, gap=gap)
        return
    splits = time_ordered(n, k, gap=gap)
    check_splits(splits, n)
    assert all(split.train.max() + gap < split.test.min() for split in splits)
    assert splits[-1].test[-1] == n - 1
    if k > 1:
        peer = model_selection.TimeSeriesSplit(k, gap=gap).split(np.zeros(n))
        for ours, theirs in zip(splits, peer, strict=True):
            assert all(map(np.array_equal, ours, theirs))


def test_splits_are_what_scikit_learn_takes() -> None:
    for splits in (kfold(7, 3, rng=0), leave_one_out(7), time_ordered(7, 2)):
        found = model_selection.cross_validate(DummyClassifier(), np.zeros((7, 1)), np.ones(7), cv=splits)
        assert len(found["test_score"]) == len(splits)
