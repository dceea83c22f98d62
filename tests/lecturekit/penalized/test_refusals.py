"""What lecturekit.penalized refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit.penalized import (
    centre,
    dual_point,
    dual_value,
    elastic_net,
    elastic_net_path,
    kkt_violation,
    lam_max,
    lasso,
    lasso_path,
    multitask_lasso,
    multitask_lasso_path,
    penalized_objective,
    ridge,
    ridge_path,
)
from tests.support.refusals import Case, refused

NAN = float("nan")
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: centre([[NAN, 1.0], [0.0, 1.0]], TWO), "X must be finite, got 1 NaN or infinite entries"),
    (lambda: centre([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: centre(EYE, [1.0]), "y must have shape (2,), got (1,); give one entry a point"),
    (lambda: centre(EYE, [[NAN], [1.0]]), "Y must be finite, got 1 NaN or infinite entries; drop or"),
    (lambda: centre(EYE, np.ones((3, 2))), "Y must have 2 rows, got 3; give one row a point"),
    (lambda: lasso(EYE, TWO, -1.0), "lam must be a number >= 0, got -1; a penalty does not reward large"),
    (lambda: elastic_net(EYE, TWO, 1.0, -0.5), "l1_ratio must be a number >= 0, got -0.5; it is the"),
    (lambda: elastic_net(EYE, TWO, 1.0, 1.5), "l1_ratio must be at most 1, got 1.5; it is the share of"),
    (lambda: lasso_path(EYE, TWO, n=0), "n must be a whole number >= 1, got 0; a path has at least one"),
    (lambda: lasso_path(EYE, TWO, least=0.0), "least must be a number > 0, got 0; it is the smallest"),
    (lambda: lasso_path(EYE, TWO, EYE), "lams must be a vector of points on the line, got shape (2, 2)"),
    (lambda: lasso_path(EYE, TWO, [1.0, 0.0]), "lams must be one or more numbers > 0, got [1. 0.]; for"),
    (lambda: lasso_path(EYE, TWO, []), "lams must be one or more numbers > 0, got []; for lam = 0 call"),
    (lambda: penalized_objective([[1.0], [1.0]], EYE, TWO, 0.1), "w must have shape (2,), got (2, 1)"),
    (lambda: kkt_violation([1.0], EYE, TWO, 0.1), "w must have shape (2,), got (1,); give one entry a"),
    (lambda: dual_point([NAN, 1.0], EYE, TWO, 0.1), "w must be finite, got 1 NaN or infinite entries"),
    (lambda: dual_value(1.0, EYE, TWO, 0.1), "u must have shape (2,), got (); give one entry a target"),
    (lambda: lam_max(EYE, TWO, 0.0), "l1_ratio must be > 0, got 0; in ridge regression no penalty makes"),
    (lambda: elastic_net_path(EYE, TWO, 0.0, n=3), "l1_ratio must be > 0, got 0; in ridge regression no"),
    (lambda: ridge(EYE, TWO, -1.0), "lam must be a number >= 0, got -1; a penalty does not reward large"),
    (lambda: ridge_path(EYE, TWO, n=0), "n must be a whole number >= 1, got 0; a path has at least one"),
    (lambda: ridge_path(EYE, TWO, EYE), "lams must be a vector of points on the line, got shape (2, 2)"),
    (lambda: ridge_path(EYE, TWO, [1.0, -1.0]), "lam must be a number >= 0, got -1; a penalty does not"),
    (lambda: lasso(EYE, EYE, 1.0), "y must be a vector of points on the line, got shape (2, 2); ravel it"),
    (lambda: lasso(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: lasso(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0; allow at"),
    (lambda: lasso_path(EYE, TWO, tol=0.0), TOL_MESSAGE),
    (lambda: lasso_path(EYE, TWO, max_iter=0), "max_iter must be a whole number >= 1, got 0; allow at"),
    (lambda: multitask_lasso(EYE, TWO, 1.0), "Y must be a matrix of shape (n, d), got shape (2,); reshape"),
    (lambda: multitask_lasso(EYE, EYE, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: multitask_lasso(EYE, EYE, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0"),
    (lambda: multitask_lasso_path(EYE, EYE, tol=0.0), TOL_MESSAGE),
    (lambda: multitask_lasso_path(EYE, EYE, max_iter=0), "max_iter must be a whole number >= 1, got 0"),
]

test_message_is_raised = refused(CASES)
