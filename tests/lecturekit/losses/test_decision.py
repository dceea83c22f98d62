"""Decisions: every classifier of a small world is tried, and every hypothesis of a small set."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from sklearn.linear_model import LinearRegression
from sklearn.metrics import log_loss

from lecturekit import losses
from lecturekit.losses import bayes_classifier, erm, expected_cost, logistic_loss, true_risk, zero_one

EXACT = 1e-12
costs = st.floats(0.01, 100.0)
tables = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=6)


@given(costs, costs)
def test_threshold_is_where_both_decisions_cost_the_same(fa: float, fr: float) -> None:
    def advantage(p: float) -> float:
        accept, reject = (float(expected_cost(p, d, cost_fa=fa, cost_fr=fr)) for d in (1, -1))
        return reject - accept

    t = losses.cost_threshold(fa, fr)
    assert t == pytest.approx(brentq(advantage, 0, 1), abs=1e-9)
    assert advantage(t / 2) < 0 < advantage((1 + t) / 2)
    assert losses.cost_threshold(7 * fa, 7 * fr) == pytest.approx(t)  # only the ratio of the costs counts
    assert losses.cost_threshold(fr, fa) == pytest.approx(1 - t)


@given(tables, costs, costs)
def test_no_classifier_is_cheaper_than_bayes(table: list[tuple[int, int]], fa: float, fr: float) -> None:
    counts = np.array(table, dtype=float)  # how often -1 and +1 are seen at each point
    joint = counts / counts.sum()
    weights, p = joint.sum(axis=1), joint[:, 1] / joint.sum(axis=1)

    def cost(h: Any) -> float:
        """Add up the cells of the joint table that are errors."""
        return float(sum(fa * q[0] if d > 0 else fr * q[1] for d, q in zip(h, joint, strict=True)))

    every = list(product([-1, 1], repeat=len(p)))
    for h in every:
        assert true_risk(weights, p, h, cost_fa=fa, cost_fr=fr) == pytest.approx(cost(h), abs=EXACT)
    best = bayes_classifier(p, cost_fa=fa, cost_fr=fr)
    assert cost(best) <= min(map(cost, every)) + EXACT * max(fa, fr)


def test_on_the_threshold_accept_and_equal_inputs_with_two_labels_leave_no_perfect_classifier() -> None:
    assert bayes_classifier(0.5) == 1
    assert bayes_classifier(0.5).shape == ()
    grid = np.linspace(0, 1, 6).reshape(2, 3)
    assert bayes_classifier(grid).shape == (2, 3)
    assert np.allclose(expected_cost(grid, 1, cost_fa=3.0), 3 * (1 - grid))
    assert np.allclose(expected_cost(grid, -1, cost_fr=3.0), 3 * grid)
    X, y = np.array([0, 0, 0, 1]), np.array([1, 1, -1, -1])
    tables = [np.array(t) for t in product([-1, 1], repeat=2)]
    found = erm(zero_one, [t.__getitem__ for t in tables], X, y)
    assert (found.risk, tables[found.index].tolist()) == (0.25, [1, -1])
    assert found.risks.tolist() == [0.5, 0.75, 0.25, 0.5]
    assert found.hypothesis(X).tolist() == [1, 1, 1, -1]


def test_squared_instance_is_least_squares_and_the_logistic_one_takes_scores() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=30)
    y = 2 * X + rng.normal(size=30)
    slopes = np.linspace(0, 4, 4001)
    found = erm(losses.squared, [partial(np.multiply, w) for w in slopes], X, y)
    theirs = LinearRegression(fit_intercept=False).fit(X[:, None], y)
    assert slopes[found.index] == pytest.approx(theirs.coef_[0], abs=0.0005 + EXACT)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 1))
    y = np.where(rng.random(40) < 1 / (1 + np.exp(-2 * X[:, 0])), 1.0, -1.0)
    slopes = np.linspace(-1, 5, 61)
    found = erm(logistic_loss, [partial(np.dot, b=[w]) for w in slopes], X, y)
    for w, risk in zip(slopes, found.risks, strict=True):
        assert risk == pytest.approx(log_loss(y, 1 / (1 + np.exp(-w * X[:, 0]))))
        assert risk == pytest.approx(losses.empirical_risk(losses.Logistic(base=np.e), [w], X, y))
    assert found.risk == found.risks.min() == logistic_loss(found.hypothesis(X), y).mean()
    assert np.all(logistic_loss(np.linspace(0, 1), -1) >= np.log(2))  # probabilities in place of scores


def test_the_first_of_several_minimisers_is_taken_and_classes_may_be_anything() -> None:
    found = erm(zero_one, (np.negative, np.positive, np.positive), [1, -1], [1, -1])
    assert ((found.index, found.risk), repr(found)) == ((1, 0.0), "ERM(index=1, risk=0.0)")
    assert zero_one(["a", "b"], np.array(["a", "c"])).tolist() == [0, 1]
    assert zero_one(1, [1, 2, 1]).tolist() == [0, 1, 0]
