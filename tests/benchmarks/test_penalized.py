"""The contests of penalised regression: who is judged equal. No test here takes a time."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks import penalized
from benchmarks.penalized import GAP, LOOSER, Regression, correlated, judge, judge_path, lasso_contest
from benchmarks.report import Comparison
from lecturekit._typing import Array
from lecturekit.penalized import lam_max, lasso, lasso_path

TALL, WIDE = correlated(60, 10), correlated(20, 40)


def equal_peers(found: list[Comparison]) -> list[str]:
    """Return who is compared, if all reach the gap and are judged equal."""
    for one in found:
        assert one.equal
        assert one.certificate == "gap"
        assert max(one.ours.quality.gap, one.peer.quality.gap) <= 1.1 * GAP
        assert one.ours.quality.objective == pytest.approx(one.peer.quality.objective, rel=1e-6)
    return [one.peer.name for one in found]


def test_gap_is_what_the_solver_certifies_and_a_path_is_judged_by_its_worst_fit() -> None:
    lam = 0.1 * lam_max(TALL.X, TALL.Y)
    found = lasso(TALL.X, TALL.Y, lam, tol=1e-3)
    quality = judge(TALL, lam, 1.0, found.w)
    assert quality.objective == pytest.approx(found.primal)
    assert quality.gap * np.var(TALL.Y) / 2 == pytest.approx(found.gap, abs=1e-12)
    assert judge(TALL, lam, 1.0, 0.9 * found.w).gap > 1e-3 > quality.gap
    X, y = TALL.X - TALL.X.mean(axis=0), TALL.Y - TALL.Y.mean()
    same = Regression(name="same", X=X, Y=y)
    path = lasso_path(X, y, n=4, tol=1e-10, fit_intercept=False)
    assert judge_path(same, path.lams, path.W).gap <= 2e-10
    spoilt = path.W.copy()
    spoilt[2] *= 0.5
    assert judge_path(same, path.lams, spoilt).gap == judge(same, float(path.lams[2]), 1.0, spoilt[2]).gap


@pytest.mark.parametrize(("reached", "expected"), [(0.5, LOOSER[0]), (1e-9, LOOSER[3]), (0.0, LOOSER[-1])])
def test_peer_gets_the_loosest_tolerance_that_reaches_the_gap(reached: float, expected: float) -> None:
    lam = 0.1 * lam_max(TALL.X, TALL.Y)
    best, tried = lasso(TALL.X, TALL.Y, lam, tol=1e-12).w, []

    def solve(tol: float) -> Array:
        tried.append(tol)
        good = reached == 0.5 or (reached == 1e-9 and len(tried) > 3)
        return best if good else 0 * best

    assert penalized.tolerance(solve, lambda w: judge(TALL, lam, 1.0, w)) == tried[-1] == expected
    assert all(after < before for before, after in pairwise(LOOSER))


@pytest.mark.parametrize("share", [0.1, 0.01])
def test_lasso_contest_reaches_the_gap(share: float) -> None:
    tall = lasso_contest(TALL, share, 1, {"Lasso": 1.5})
    assert equal_peers(tall) == ["Lasso", "celer", "Lasso, Gram"]
    assert [one.aim for one in tall] == [1.5, None, None]
    assert equal_peers(lasso_contest(WIDE, share, 1, {})) == ["Lasso", "celer"]


def test_other_contests_reach_the_gap() -> None:
    net = penalized.net_contest(WIDE, 0.1, 0.5, 1, {"ElasticNet": 1.0})
    assert equal_peers(net) == ["ElasticNet", "celer"]
    tasks = penalized.multitask_contest(correlated(20, 30, tasks=3), 0.1, 1, {})
    assert equal_peers(tasks) == ["MultiTaskLasso"]
    assert equal_peers(penalized.path_contest(TALL, 0.1, 4, 1, {})) == ["sklearn.lasso_path"]


def test_early_stop_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(penalized, "lasso", lambda X, y, lam, tol: lasso(X, y, lam, tol=1e-2))
    assert not any(one.equal for one in lasso_contest(WIDE, 0.01, 1, {}))


def test_real_data_are_standardised() -> None:
    for problem, shape in ((penalized.diabetes(), (442, 285)), (penalized.cancer(), (569, 495))):
        assert problem.X.shape == shape
        assert np.allclose(problem.X.std(axis=0), 1.0)
        assert np.allclose(problem.X.mean(axis=0), 0.0)
