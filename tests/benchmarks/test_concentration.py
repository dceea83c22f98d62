"""The contests of coin flips: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import concentration
from benchmarks.concentration import BUDGET, at_once, by_law, counted, flip_contest, judge, looped
from lecturekit.bounds import poisson_binomial_pmf


@pytest.mark.parametrize("alike", [True, False])
def test_all_simulate_the_same_law(alike: bool) -> None:
    found = flip_contest(30, 3000, 1, {"loop": 3.0}, alike=alike)
    assert all(one.equal for one in found)
    assert [one.aim for one in found] == [3.0, None, None]
    assert [one.peer.name for one in found] == ["loop", "one array", "binomial" if alike else BUDGET]
    assert ("flips of different" if not alike else "ours flips none") in found[0].problem


def test_chunks_are_the_flips_of_one_array() -> None:
    p = np.linspace(0, 1, 30)
    assert np.array_equal(counted(p, 5000), at_once(p, 5000))
    assert np.array_equal(counted(p, 50), looped(p, 50))


def test_a_wrong_law_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concentration, "counted", lambda p, n: counted(np.minimum(1.1 * p, 1), n))
    assert not any(one.equal for one in flip_contest(100, 3000, 1, {}))


def test_standard_errors_count_and_the_budget_is_per_hundred_flips() -> None:
    law = poisson_binomial_pmf(np.full(9, 0.5))
    assert judge(by_law(np.full(9, 0.5), 4000), law).gap < concentration.ERRORS
    assert judge(np.full(4000, 9.0), law).gap > 50
    for m, repetitions in ((100, 400), (50, 800)):
        *_, one = flip_contest(m, repetitions, 1, {BUDGET: 1.0}, alike=False)
        assert one.peer.seconds == pytest.approx(500e-9 * 400)
        assert one.aim == 1.0
