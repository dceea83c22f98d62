"""What lecturekit.boosting refuses, and in which words."""

import numpy as np

from lecturekit import boosting
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
SIGNS, LABELS = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([1, 2, 3, 1])
FIRST = {"loss": boosting.SquaredError(), "base": [lambda X: X[:, 0]]}
ROUNDS = {"rounds": 2, "depth": 1, "learning_rate": 0.5, "min_leaf": 1, "bins": 4}
CALLS = {
    "AdaBoost": {"rounds": 2, "X": POINTS, "y": LABELS},
    "GradientBoosting": {**ROUNDS, "X": POINTS, "y": SIGNS},
    "GradientBoostingClassifier": {**ROUNDS, "X": POINTS, "y": LABELS},
    "adaboost": {"X": POINTS, "y": SIGNS, "rounds": 2},
    "forward_stagewise": {"X": POINTS, "y": SIGNS, **FIRST, "rounds": 2, "start": 0.5},
    "gradient_boosting": {"X": POINTS, "y": SIGNS, **ROUNDS},
    "link": {"F": POINTS},
    "multiclass_boosting": {"X": POINTS, "y": LABELS, **ROUNDS},
}
LABEL_KINDS = {"strings", "datetimes", "timedeltas"}  # whatever can be told apart and sorted
NAMED = ("AdaBoost", "GradientBoostingClassifier", "multiclass_boosting")
ACCEPTED = {f"{name}.y": LABEL_KINDS for name in NAMED}

ENDLESS = {"loss": boosting.ExponentialError(), "base": [lambda X: SIGNS]}
ROWS = [
    ("adaboost", {"y": [0, 1, 1, 0]}, "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels"),
    ("adaboost", {"rounds": 0}, "rounds must be a whole number >= 1, got 0; each adds a stump"),
    ("forward_stagewise", {"rounds": 0}, "rounds must be a whole number >= 1, got 0; each adds a function"),
    ("gradient_boosting multiclass_boosting", {"rounds": 0}, "rounds must be a whole number >= 1, got 0"),
    ("gradient_boosting multiclass_boosting", {"learning_rate": 0.0}, "learning_rate must be a number > 0"),
    ("gradient_boosting", {"y": np.ones(4), **ENDLESS}, "y must contain both -1 and +1, got only +1"),
    ("gradient_boosting", {"base": lambda X, z: lambda X: np.ones(3)}, "base(X, z)(X) must have shape (4,)"),
    ("forward_stagewise", ENDLESS, "H must leave each function a best coefficient, got none for row 0; it"),
    ("forward_stagewise", {"base": []}, "base must hold at least one function, got none; list those to"),
    ("multiclass_boosting", {"y": ["a", "b", "a"]}, "y must have shape (4,), got (3,); give"),
    ("multiclass_boosting AdaBoost", {"y": [3] * 4}, "y must contain at least two classes, got one class"),
    ("GradientBoosting", {"loss": "huber"}, "loss must be 'squared' or 'absolute'"),
]
FLAT = "X must be a matrix of shape (n, d), got shape (2,)"
FITTED = [
    (lambda: boosting.adaboost(POINTS, SIGNS, 1).decision([1.0, 2.0]), FLAT),
    (lambda: boosting.gradient_boosting(POINTS, SIGNS, rounds=1)([1.0, 2.0]), FLAT),
    (lambda: boosting.multiclass_boosting(POINTS, SIGNS, rounds=1).scores([1.0, 2.0]), FLAT),
]
CASES = spoilt(boosting, CALLS, ROWS) + FITTED

test_message_is_raised = refused(CASES)
test_border = swept(boosting, CALLS, ACCEPTED)
