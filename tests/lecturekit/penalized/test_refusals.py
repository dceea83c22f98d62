"""What lecturekit.penalized refuses, and in which words."""

import numpy as np

from lecturekit import penalized
from lecturekit.penalized import elastic_net, lasso, lasso_path, multitask_lasso, ridge, ridge_path
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO, ROWS = np.eye(2), np.array([-1.0, 1.0]), np.ones((3, 2))

CASES = [
    (lambda: ridge(EYE, ROWS, 1.0), "y must have 2 rows, got 3; give one row a point"),
    (lambda: multitask_lasso(EYE, ROWS, 1.0), "Y must have 2 rows, got 3; give one row a point"),
    (lambda: elastic_net(EYE, TWO, 1.0, -0.5), "l1_ratio must be a number >= 0, got -0.5; it is the"),
    (lambda: elastic_net(EYE, TWO, 1.0, 1.5), "l1_ratio must be at most 1, got 1.5; it is the share of"),
    (lambda: elastic_net(EYE, EYE, 1.0, 0.5), "y must be a vector of points on the line, got shape (2, 2)"),
    (lambda: lasso(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: lasso(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0; allow at"),
    (lambda: lasso_path(EYE, EYE), "y must be a vector of points on the line, got shape (2, 2); ravel it"),
    (lambda: lasso_path(EYE, TWO, least=0.0), "least must be a number > 0, got 0; it is the smallest"),
    (lambda: lasso_path(EYE, TWO, [1.0, 0.0]), "lams must be one or more numbers > 0, got [1. 0.]; for"),
    (lambda: ridge_path(EYE, TWO, [1.0, -1.0]), "lams must be one or more numbers >= 0, got [ 1. -1.]; a"),
]
X, Y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]]), np.array([0.0, 1.0, 3.0])
DATA = {"X": X, "y": Y}
STOP = {"tol": 1e-6, "max_iter": 9}
GRID = {"lams": [0.1], "n": 3, "least": 0.1}
CALLS = {
    "dual_point": {"w": TWO, **DATA, "lam": 0.1, "l1_ratio": 0.5},
    "dual_value": {"u": Y, **DATA, "lam": 0.1, "l1_ratio": 0.5},
    "elastic_net": {**DATA, "lam": 0.1, "l1_ratio": 0.5, **STOP},
    "elastic_net_path": {**DATA, "l1_ratio": 0.5, **GRID, **STOP},
    "lam_max": {**DATA, "l1_ratio": 0.5},
    "lasso": {**DATA, "lam": 0.1, **STOP},
    "lasso_path": {**DATA, **GRID, **STOP},
    "multitask_lasso": {"X": X, "Y": X, "lam": 0.1, **STOP},
    "penalized_objective": {"w": TWO, **DATA, "lam": 0.1, "l1_ratio": 0.5},
    "ridge": {**DATA, "lam": 0.1},
    "ridge_path": {**DATA, "lams": [0.1], "n": 3},
    "soft_threshold": {"z": Y, "t": Y},
}
ACCEPTED = {"soft_threshold": {"empty", "short"}}  # any shapes that NumPy puts together

NO_LIMIT = "l1_ratio must be > 0, got 0; in ridge regression no penalty makes"
SPOILT = [
    ("lasso ridge", {"lam": -1.0}, "lam must be a number >= 0, got -1; a penalty does not reward large"),
    ("lasso_path ridge_path", {"lams": None, "n": 0}, "n must be a whole number >= 1, got 0; a path has"),
    ("lasso_path ridge_path", {"lams": np.eye(2)}, "lams must be a vector of points on the line, got"),
    ("elastic_net_path lam_max", {"l1_ratio": 0.0}, NO_LIMIT),
    ("penalized_objective", {"w": [[1.0], [1.0]]}, "w must have shape (2,), got (2, 1)"),
    ("dual_value", {"u": 1.0}, "u must have shape (3,), got (); give one entry a target"),
]
CASES += spoilt(penalized, CALLS, SPOILT)

test_message_is_raised = refused(CASES)
test_border = swept(penalized, CALLS, ACCEPTED)
