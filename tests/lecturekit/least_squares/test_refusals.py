"""What lecturekit.least_squares refuses, and in which words."""

import numpy as np

from lecturekit import least_squares
from tests.support.border import swept
from tests.support.refusals import refused

EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES = [
    (lambda: least_squares.standard_errors([[1.0], [2.0]], TWO), "X must leave at least 1 of its 2"),
    (
        lambda: least_squares.studentized([[1.0], [2.0], [4.0]], [1.0, 2.0, 2.0], external=True),
        "X must leave at least 2 of its 3 points over, got rank 2; ",
    ),
    (lambda: least_squares.studentized([[1.0], [2.0], [4.0]], [1.1, 2.2, 4.4]), "y must differ from the"),
    (
        lambda: least_squares.standard_errors([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]], [1.0, 2.0, 2.0]),
        "X must have independent columns, got rank 2 for 3 coefficients; drop the redundant columns:",
    ),
    (lambda: least_squares.studentized([[0.0], [0.0], [1.0]], [1.0, 2.0, 2.0]), "X must have leverages <"),
    (
        lambda: least_squares.studentized([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 4.0], external=True),
        "y must not be fitted exactly without point 3, got no noise there; the external residual of that",
    ),
    (lambda: least_squares.durbin_watson([[1.0]]), "e must be a vector of points on the line, got shape"),
    (lambda: least_squares.durbin_watson([0.0, 0.0]), "e must hold two residuals that are not all zero"),
    (lambda: least_squares.durbin_watson([1.0]), "e must hold two residuals that are not all zero, got"),
    (lambda: least_squares.runs_test([1.0, 0.0, -1.0]), "e must hold both signs and three entries that"),
    (lambda: least_squares.runs_test([1.0, 2.0, 3.0]), "e must hold both signs and three entries that"),
    (lambda: least_squares.vif([[1.0, 3.0], [2.0, 3.0], [4.0, 3.0]]), "X must have no constant column"),
    (lambda: least_squares.ols(EYE, TWO, route="inverse"), 'route must be "svd", "qr" or'),
    (lambda: least_squares.weighted_ls(EYE, TWO, [1.0, -0.5]), "weights must be >= 0 and not all zero"),
    (lambda: least_squares.weighted_ls(EYE, TWO, [0.0, 0.0]), "weights must be >= 0 and not all zero"),
    (lambda: least_squares.in_sample_error([1.0], EYE, TWO), "w must have shape (2,), got (1,); give one"),
]
X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0], [4.0, 0.0]])
Y = np.array([0.0, 1.0, -3.0, 2.0, 1.0])
DATA = {"X": X, "y": Y}
CALLS = {
    "compact_svd": {"A": X},
    "durbin_watson": {"e": Y},
    "in_sample_error": {"w": TWO, **DATA, "b": 0.5},
    "ols": {**DATA, "weights": np.ones(5)},
    "runs_test": {"e": Y},
    "squared_gradient": {"w": TWO, **DATA},
    "weighted_ls": {**DATA, "weights": np.ones(5)},
    **{name: {"X": X} for name in ("condition_number", "hat_matrix", "leverages", "pseudo_inverse", "vif")},
    **dict.fromkeys(("standard_errors", "studentized"), DATA),
}

test_message_is_raised = refused(CASES)
test_border = swept(least_squares, CALLS)
