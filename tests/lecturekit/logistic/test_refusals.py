"""What lecturekit.logistic refuses, and in which words."""

import numpy as np

from lecturekit import logistic
from tests.support.border import swept
from tests.support.refusals import refused

TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES = [
    (lambda: logistic.logistic_gradient([1.0], EYE, TWO), "w must have shape (2,), got (1,); give one"),
    (lambda: logistic.logistic_hessian([1.0, 1.0], EYE, [0, 1]), "y must contain only -1 and +1, got"),
    (lambda: logistic.logistic(EYE, [1, 1]), "y must contain both -1 and +1, got only +1; a margin needs"),
    (lambda: next(logistic.logistic_steps(EYE, TWO, lam=-1.0)), "lam must be a number >= 0, got -1; it"),
    (lambda: logistic.logistic(EYE, TWO, tol=0.0), TOL_MESSAGE),
    (lambda: logistic.logistic(EYE, TWO, max_iter=0), "max_iter must be a whole number >= 1, got 0"),
    (lambda: logistic.logistic(np.ones((3, 2)), [1, 1, -1], fit_intercept=False), "the columns of X must be"),
    (lambda: logistic.logistic(EYE, TWO), "X and y must overlap where lam = 0, but a hyperplane tells 2"),
    (lambda: logistic.logistic([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1]), "X and y must overlap"),
    (lambda: logistic.logistic([[0.0], [0.0], [1.0]], [-1, 1, 1]), "X and y must overlap where lam = 0"),
    (lambda: logistic.cross_entropy(np.ones((3, 2)), EYE, EYE), "W must have shape (K, 2) and Y (2, K)"),
    (lambda: logistic.softmax_gradient(EYE, EYE, [[1, 1], [0, 1]]), "Y must hold one-hot labels, got a"),
    (lambda: logistic.softmax_gradient(EYE, EYE, [[2, -1], [0, 1]]), "Y must hold one-hot labels, got a"),
    (lambda: logistic.softmax_regression(EYE, TWO, lam=-1.0), "lam must be a number >= 0, got -1; it is"),
    (lambda: logistic.softmax_regression(EYE, TWO, tol=0.0), TOL_MESSAGE),
    (lambda: logistic.softmax_regression(EYE, TWO, max_iter=0), "max_iter must be a whole number >= 1"),
    (lambda: logistic.softmax_regression(EYE, [0, 1, 2]), "y must have shape (2,), got (3,); give one label"),
    (lambda: logistic.softmax_regression(EYE, ["a", "a"]), "y must contain at least two classes, got one"),
    (lambda: logistic.softmax_regression(EYE, [0, 1], lam=0.0), "X and y must overlap where lam = 0, but"),
]
X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]])
SIGNS, ONE_HOT = np.array([-1.0, 1.0, -1.0]), np.eye(2)[[0, 1, 0]]
RISK = {"w": TWO, "X": X, "y": SIGNS}
STOP = {"lam": 0.1, "tol": 1e-6, "max_iter": 9}
CALLS = {
    "cross_entropy": {"W": EYE, "X": X, "Y": ONE_HOT},
    "logistic": {"X": X, "y": SIGNS, **STOP},
    "logistic_gradient": RISK,
    "logistic_hessian": RISK,
    "logistic_risk": RISK,
    "logistic_steps": {"X": X, "y": SIGNS, "lam": 0.1},
    "softmax": {"S": X},
    "softmax_gradient": {"W": EYE, "X": X, "Y": ONE_HOT},
    "softmax_regression": {"X": X, "y": SIGNS, **STOP},
}
ACCEPTED = {"softmax_regression.y": {"strings", "datetimes", "inf"}}  # labels of any kind that can be sorted

test_message_is_raised = refused(CASES)
test_border = swept(logistic, CALLS, ACCEPTED)
