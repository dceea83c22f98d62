"""What lecturekit.linear refuses, and in which words."""

import numpy as np

from lecturekit import linear
from tests.support.border import swept
from tests.support.refusals import refused

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
TARGETS, LABELS = np.array([0.0, 1.0, 3.0, 2.0]), np.array([0, 1, 0, 1])

CASES = [
    (lambda: linear.Pocket(max_updates=0).fit(POINTS, LABELS), "max_updates must be a whole number >= 1"),
    (lambda: linear.LogisticRegression(0.0).fit([[0.0], [1.0]], ["a", "b"]), "X and y must overlap where"),
    (lambda: linear.SoftmaxRegression(0.0).fit([[0.0], [1.0]], ["a", "b"]), "X and y must overlap where"),
]
NUMBERS = {"X": POINTS, "y": TARGETS}
NAMES = {"X": POINTS, "y": LABELS}
STOP = {"lam": 0.1, "tol": 1e-6, "max_iter": 9}
CALLS = {
    "ElasticNet": {"l1_ratio": 0.5, **STOP, **NUMBERS},
    "Lasso": {**STOP, **NUMBERS},
    "LinearRegression": NUMBERS,
    "LogisticRegression": {**STOP, **NAMES},
    "MultiTaskLasso": {**STOP, "X": POINTS, "y": POINTS},
    "Perceptron": {"max_updates": 5, "random_state": 0, **NAMES},
    "Pocket": {"max_updates": 5, "random_state": 0, **NAMES},
    "Ridge": {"lam": 0.1, **NUMBERS},
    "SoftmaxRegression": {**STOP, **NAMES},
}
LABEL_KINDS = {"strings", "datetimes", "timedeltas"}  # whatever can be told apart and sorted
ACCEPTED = {
    "LogisticRegression.y": LABEL_KINDS,
    "Perceptron.y": LABEL_KINDS,
    "Pocket.y": LABEL_KINDS,
    "SoftmaxRegression.y": LABEL_KINDS,
    "MultiTaskLasso.y": {"sparse"},  # refused by the name that the function has for several tasks, Y
}

test_message_is_raised = refused(CASES)
test_border = swept(linear, CALLS, ACCEPTED)
