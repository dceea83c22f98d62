"""What lecturekit.losses refuses, and in which words."""

import numpy as np

from lecturekit import losses
from tests.support.border import swept
from tests.support.refusals import refused

EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES = [
    (lambda: losses.cost_threshold(0.0, 1.0), "cost_fa must be a number > 0, got 0; if false accepts"),
    (lambda: losses.bayes_classifier([0.5], cost_fr=-1.0), "cost_fr must be a number > 0, got -1; if"),
    (lambda: losses.expected_cost(1.5, 1), "p must hold numbers from 0 to 1, got 1.5; they are"),
    (lambda: losses.expected_cost([0.5, 0.5], [1, 0]), "decision must hold only -1 and +1, got 0; map"),
    (lambda: losses.expected_cost([0.5, 0.5], [1]), "p and decision must be alike, got shapes (2,) and"),
    (lambda: losses.true_risk([0.5, -0.5], [0.5, 0.5], [1, 1]), "weights must hold numbers from 0 to 1"),
    (lambda: losses.true_risk([0.5, 0.4], [0.5, 0.5], [1, 1]), "weights must sum to 1, got 0.9; divide"),
    (lambda: losses.zero_one([1, 2], [1]), "predicted and y must be alike, got shapes (2,) and (1,); pair"),
    (lambda: losses.logistic_loss([1.0], TWO), "score and y must be alike, got shapes (1,) and (2,); pair"),
    (lambda: losses.erm(losses.squared, [np.negative], EYE, [1.0]), "X and y must hold a target a point"),
    (lambda: losses.erm(lambda h, y: 0.0, [np.negative], TWO, TWO), "loss must return shape (2,), got ()"),
    (lambda: losses.erm(losses.squared, [], [1.0], [1.0]), "hypotheses must hold at least one, got none"),
    (lambda: losses.logit(0.0), "p must lie strictly between 0 and 1, got 0; a sure event has no"),
    (lambda: losses.logit([0.5, 1.0]), "p must lie strictly between 0 and 1, got 1; a sure event has no"),
    (lambda: losses.Logistic(base=0.0), "base must be a number > 0, got 0; it is the base of a logarithm"),
    (lambda: losses.Logistic(base=1.0), "base must be a number > 1, got 1; a smaller base rewards"),
    (lambda: losses.empirical_risk(losses.Hinge(), [1.0], EYE, TWO), "w must have shape (2,), got (1,)"),
    (lambda: losses.margins([1.0, 1.0], EYE, [0, 1]), "y must contain only -1 and"),
    (lambda: losses.BatchGradient(losses.Hinge(), EYE, np.array([0.0, 1.0])), "y must contain only -1"),
]
COSTS = {"cost_fa": 1.0, "cost_fr": 2.0}
CALLS = {
    "BatchGradient": {"loss": losses.Hinge(), "X": EYE, "y": TWO},
    "Logistic": {"base": 2.0},
    "bayes_classifier": {"p": [0.2, 0.5], **COSTS},
    "cost_threshold": COSTS,
    "empirical_risk": {"loss": losses.Hinge(), "w": [1.0, 1.0], "X": EYE, "y": TWO},
    "erm": {"loss": losses.zero_one, "hypotheses": [np.ones_like], "X": [1.0, 2.0], "y": TWO},
    "expected_cost": {"p": [0.2, 0.5], "decision": TWO, **COSTS},
    "logistic_loss": {"score": [0.5, 2.0], "y": TWO},
    "logit": {"p": [0.2, 0.5]},
    "margins": {"w": [1.0, 1.0], "X": EYE, "y": TWO, "b": 0.5},
    "sigmoid": {"s": [0.2, 0.5]},
    "squared": {"predicted": [0.5, 2.0], "y": TWO},
    "true_risk": {"weights": [0.5, 0.5], "p": [0.2, 0.5], "decision": TWO, **COSTS},
    "zero_one": {"predicted": [0.5, 2.0], "y": TWO},
}
ANY = {"datetimes", "timedeltas", "complex", "strings", "objects"}
ACCEPTED = {
    "erm": ANY,  # hypotheses and losses say what they take
    "logit": {"empty"},  # any shape goes
    "sigmoid": {"empty"},
    "zero_one": ANY,  # classes of any kind
}

test_message_is_raised = refused(CASES)
test_border = swept(losses, CALLS, ACCEPTED)
