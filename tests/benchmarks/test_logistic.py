"""The contests of logistic and softmax regression: who is judged equal. No test here takes a time."""

import numpy as np
import pytest

from benchmarks import logistic, problems
from benchmarks.logistic import Weights, judge_logistic, judge_softmax, newton_contest, softmax_contest
from benchmarks.problems import Problem

SMALL = problems.dense(1000, 5)


def three_classes() -> Problem:
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.argmax(X + np.random.default_rng(1).normal(size=X.shape), axis=1)
    return Problem(name="three", X=X, y=y.astype(np.float64))


def test_newton_reaches_the_gradient_of_its_peer() -> None:
    for problem in (SMALL, problems.breast_cancer()):
        (one,) = newton_contest(problem, 1, 1.2)
        assert one.equal
        assert (one.aim, one.certificate) == (1.2, "gradient")
        assert one.ours.quality.gap <= 1.1 * max(one.peer.quality.gap, logistic.FLOOR)
        assert one.ours.quality.objective == pytest.approx(one.peer.quality.objective, rel=1e-9)


@pytest.mark.parametrize("tol", [logistic.DEFAULT, logistic.FINE])
def test_softmax_reaches_the_gradient_of_its_peer(tol: float) -> None:
    (one,) = softmax_contest(three_classes(), tol, 1, None)
    assert one.equal
    assert one.ours.quality.gap <= 1.1 * one.peer.quality.gap <= 1.1 * tol


def test_early_stop_is_not_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logistic, "newton", lambda problem, tol: Weights(V=np.zeros(6)))
    (one,) = newton_contest(SMALL, 1, None)
    assert not one.equal
    assert logistic.digits().X.max() == 1.0, "pixels are scaled"


def test_judges_agree_on_two_classes() -> None:
    v = np.random.default_rng(2).normal(size=6)
    one, two = judge_logistic(SMALL, Weights(V=v)), judge_softmax(SMALL, Weights(V=np.stack([0 * v, v])))
    assert one.objective == pytest.approx(two.objective)
    assert one.gap == pytest.approx(two.gap, rel=0.1)  # the penalty on the row of zeros has no slope
