"""What lecturekit.losses refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit import (
    losses,
)
from tests.support.refusals import Case, refused

FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: losses.cost_threshold(0.0, 1.0), "cost_fa must be a number > 0, got 0; if false accepts"),
    (lambda: losses.bayes_classifier([0.5], cost_fr=-1.0), "cost_fr must be a number > 0, got -1; if"),
    (lambda: losses.expected_cost(1.5, 1), "p must hold numbers from 0 to 1, got 1.5; they are"),
    (lambda: losses.expected_cost([0.5, 0.5], [1, 0]), "decision must hold only -1 and +1, got 0; map"),
    (lambda: losses.true_risk([0.5, -0.5], [0.5, 0.5], [1, 1]), "weights must hold numbers from 0 to 1"),
    (lambda: losses.true_risk([0.5, 0.4], [0.5, 0.5], [1, 1]), "weights must sum to 1, got 0.9; divide"),
    (lambda: losses.true_risk([0.5, 0.5], [0.5], [1, 1]), "p must have shape (2,), got (1,); give one"),
    (lambda: losses.true_risk([0.5, 0.5], [0.5, 0.5], [1]), "decision must have shape (2,), got (1,)"),
    (
        lambda: losses.mean_loss(losses.squared, np.negative, np.ones((2, 1)), [1.0, 2.0]),
        "loss must return shape (2,), got (2, 2); give one number a point",
    ),
    (lambda: losses.mean_loss(losses.squared, np.negative, [], []), "loss must return shape (1,), got"),
    (lambda: losses.erm(losses.squared, [], [1.0], [1.0]), "hypotheses must hold at least one, got none"),
    (lambda: losses.logit([0.5, 1.0]), "p must lie strictly between 0 and 1, got 1; a sure event has no"),
    (lambda: losses.Logistic(base=0.0), "base must be a number > 0, got 0; it is the base of a logarithm"),
    (lambda: losses.Logistic(base=1.0), "base must be a number > 1, got 1; a smaller base rewards"),
    (lambda: losses.margins([1.0, 1.0], [1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: losses.empirical_risk(losses.Hinge(), [1.0], EYE, TWO), "w must have shape (2,), got (1,)"),
    (lambda: losses.risk_gradient(losses.Hinge(), [1.0, 1.0], EYE, [0, 1]), "y must contain only -1 and"),
    (lambda: losses.BatchGradient(losses.Hinge(), np.ones(2), TWO), FLAT_MESSAGE),
    (lambda: losses.BatchGradient(losses.Hinge(), EYE, np.array([0.0, 1.0])), "y must contain only -1"),
]

test_message_is_raised = refused(CASES)
