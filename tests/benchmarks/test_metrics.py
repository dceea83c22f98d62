"""The contests of the measures: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import metrics
from benchmarks.metrics import exact, judge, metric_contest, sample


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("kind", metrics.KINDS)
def test_both_are_right(kind: str, tied: bool) -> None:
    (one,) = metric_contest(kind, 2000, tied, 1, 3.0)
    assert one.equal
    assert max(one.ours.quality.gap, one.peer.quality.gap) < metrics.CLOSE
    assert (one.aim, one.certificate) == (3.0, "error")


def test_a_wrong_answer_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "auc", lambda y, score: 0.5)
    (one,) = metric_contest("AUC", 2000, False, 1, None)
    assert not one.equal
    assert judge(np.zeros(2), np.zeros(3)).gap == 1.0


def test_truth_by_hand_and_samples_have_ties_where_they_shall() -> None:
    y, score = np.array([1, 0, 1, 0]), np.array([3.0, 2.0, 2.0, 1.0])
    assert exact("AUC", y, score).tolist() == [0.875]
    assert exact("ROC curve", y, score).tolist() == [0, 0, 0.5, 1, 0, 0.5, 1, 1]
    assert exact("average precision", y, score)[0] == pytest.approx(1 / 2 + 1 / 3)
    for tied in (False, True):
        y, score = sample(5000, tied)
        assert (len(np.unique(score)) < 1000) is tied
        assert np.mean(y) == pytest.approx(0.3, abs=0.03)
