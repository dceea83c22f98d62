"""The contests of isotonic regression: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import calibration
from benchmarks.calibration import certificate, pool_contest, sample, score_contest


@pytest.mark.parametrize("kind", calibration.KINDS)
def test_all_are_right(kind: str) -> None:
    peers = pool_contest(kind, 2000, 1, 1.2)
    assert [one.peer.name for one in peers] == ["scipy", "scikit-learn"]
    for one in peers:
        assert one.equal
        assert max(one.ours.quality.gap, one.peer.quality.gap) < calibration.CLOSE
        assert one.ours.quality.objective == pytest.approx(one.peer.quality.objective)
        assert (one.aim, one.certificate) == (1.2, "residual")


def test_scores_in_any_order() -> None:
    (one,) = score_contest(2000, 1, None)
    assert one.equal
    assert one.peer.quality.gap < calibration.CLOSE


def test_a_wrong_fit_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "pav", lambda y, w: np.full(len(y), y.mean()))
    assert not any(one.equal for one in pool_contest("outcomes", 200, 1, None))


def test_certificate_finds_each_kind_of_fault_and_samples_have_their_weights() -> None:
    y = np.array([0.0, 1.0, 0.0, 1.0])
    assert certificate(y, None, np.array([0.0, 0.5, 0.5, 1.0])) == 0
    assert certificate(y, None, y) == 1  # it falls
    assert certificate(y, None, np.full(4, 0.5)) == 0.5 / 4  # it should rise at once
    assert certificate(y, None, np.array([0.0, 0.0, 0.5, 1.0])) == 1 / 4  # it rises too late
    assert certificate(y, None, np.zeros(4)) == 2 / 4  # the mean is off
    for kind in calibration.KINDS:
        y, w = sample(50, kind)
        assert (w is None) is (kind != "weighted outcomes")
        assert (np.diff(y) < 0).any() is np.bool_(kind != "nothing to pool")
