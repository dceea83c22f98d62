"""The contests of the simulations: who is judged equal. No test here takes a time."""

from typing import Any

import numpy as np
import pytest

from benchmarks import monte_carlo
from benchmarks.monte_carlo import fixed_contest, random_contest


@pytest.mark.parametrize("contest", [random_contest, fixed_contest])
def test_ours_and_the_loops_give_the_same_fits(contest: Any) -> None:
    found = contest(30, 25, 4, 1, 3.0)
    assert all(one.equal for one in found)
    assert all(one.aim == 3.0 for one in found)
    for one in found:
        assert one.ours.quality.objective == pytest.approx(one.peer.quality.objective, rel=1e-6)


def test_wrong_fits_are_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monte_carlo, "smoothed", lambda A, Y, at: 1.001 * monte_carlo.looped_ridge(A, Y, at))
    (one,) = fixed_contest(30, 25, 4, 1, None)
    assert not one.equal
    assert one.ours.quality.gap == pytest.approx(0.001)


def test_loops_fit_the_sine() -> None:
    X, y = monte_carlo.data_sets(20, 60)
    for loop in (monte_carlo.looped_svd, monte_carlo.looped_normal):
        assert np.mean((loop(X, y, 5) - np.sin(np.pi * monte_carlo.NODES)) ** 2) < 0.05
