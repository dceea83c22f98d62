"""The contests of boosting: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import boosting
from benchmarks.boosting import adaboost_contest, exact_contest, histogram_contest
from lecturekit._typing import Array


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the contests, whose rules do not depend on their length."""
    monkeypatch.setattr(boosting, "ROUNDS", 15)


def test_exact_trees_are_the_same() -> None:
    (one,) = exact_contest(300, 1, 8.0)
    assert one.equal
    assert one.ours.quality.gap == pytest.approx(one.peer.quality.gap)
    assert (one.aim, one.certificate) == (8.0, "MSE")


@pytest.mark.compiled
def test_adaboost_and_histograms_reach_what_their_peers_reach() -> None:
    boosting.warm_up()
    assert set(boosting.labelled(200).y) == {-1.0, 1.0}
    (one,) = adaboost_contest(1000, 30, 1, 20.0)
    assert one.equal
    assert one.ours.quality.gap <= one.peer.quality.gap < 1
    assert one.ours.quality.objective == pytest.approx(one.peer.quality.objective, abs=0.05)
    assert f"{one.ours.quality.objective:.3f} / {one.peer.quality.objective:.3f}" in one.problem
    (one,) = histogram_contest(1000, 1, None)
    assert one.equal
    assert one.ours.quality.gap == pytest.approx(one.peer.quality.gap, rel=0.1)


@pytest.mark.compiled
def test_less_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(problem: object, *how: object) -> Array:
        return np.zeros(300)

    monkeypatch.setattr(boosting, "ours", nothing)
    monkeypatch.setattr(boosting, "our_adaboost", nothing)
    assert not exact_contest(300, 1, None)[0].equal
    assert not histogram_contest(300, 1, None)[0].equal
    (one,) = adaboost_contest(300, 3, 1, None)
    assert (one.equal, one.ours.quality.objective, one.ours.quality.gap) == (False, 0.5, 1.0)
