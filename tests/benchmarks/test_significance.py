"""The contest of DeLong's test: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import significance
from benchmarks.significance import all_pairs, delong_contest, judge, mid_ranks, one_sort, sample


@pytest.mark.parametrize("tied", [False, True])
def test_all_ways_agree(tied: bool) -> None:
    y, f, g = sample(700, tied)
    truth = all_pairs(y, f, g)
    assert judge(mid_ranks(y, f, g), truth).gap < significance.CLOSE
    assert judge(one_sort(y, f, g), truth).gap < significance.CLOSE


@pytest.mark.parametrize("pairs", [False, True])
def test_contest_has_a_comparison_for_each_peer(pairs: bool) -> None:
    found = delong_contest(700, True, pairs, 1, 2.0)
    assert [one.peer.name for one in found] == ["scipy's mid-ranks", "all pairs"][: 1 + pairs]
    assert all(one.equal for one in found)
    assert {(one.aim, one.certificate) for one in found} == {(2.0, "error")}


def test_a_wrong_answer_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significance, "one_sort", lambda y, f, g: mid_ranks(y, f, g) * (1 + 1e-9))
    assert not any(one.equal for one in delong_contest(700, False, True, 1, None))


def test_samples_have_ties_where_they_shall() -> None:
    for tied in (False, True):
        y, f, g = sample(5000, tied)
        assert (len(np.unique(f)) < 1500) is (len(np.unique(g)) < 1500) is tied
        assert np.mean(y > 0) == pytest.approx(0.3, abs=0.03)
