"""What lecturekit.calibration refuses, and in which words."""

import numpy as np
from sklearn.svm import SVC

from lecturekit import calibration, neighbors
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
LABELS, SCORES = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.3, 0.2])
MODEL = {"estimator": neighbors.KNN(1), "X": POINTS, "y": LABELS, "share": 0.5}
PAIRS = {"estimator": SVC(decision_function_shape="ovo"), "X": np.eye(9), "y": np.repeat([0, 1, 2], 3)}
PLATT = {"v": np.array([-1.0, 0.5]), "score": SCORES, "targets": np.array([0.2, 0.9, 0.5, 0.1])}
CALLS = {
    "Calibrated": {**MODEL, "random_state": 0},
    "Isotonic": {"score": SCORES, "y": LABELS, "prior": 0.5},
    "Platt": {"score": SCORES, "y": LABELS},
    "calibrate": {**MODEL, "rng": 0},
    "isotonic": {"score": SCORES, "y": LABELS, "weights": np.ones(4), "prior": 0.5},
    "pav": {"y": SCORES, "weights": np.ones(4)},
    "platt": {"score": SCORES, "y": LABELS, "tol": 1e-6, "max_iter": 9},
    "platt_gradient": PLATT,
    "platt_loss": PLATT,
    "platt_steps": {"score": SCORES, "y": LABELS},
    "platt_targets": {"y": LABELS},
}
LABEL_KINDS = {"strings", "datetimes", "timedeltas"}  # whatever can be told apart and sorted
ACCEPTED = {f"{name}.y": LABEL_KINDS for name in ("Calibrated", "Isotonic", "Platt", "calibrate")}

ROWS = [
    ("pav", {"weights": [1.0, 0.0, 1.0, 1.0]}, "weights must be > 0 and within a factor of 1e"),
    ("pav", {"weights": [1e-200, 1e-200, 1e-200, 1.0]}, "weights must be > 0 and within a factor of 1e"),
    ("isotonic", {"y": [-1, 1, 1, 1]}, "y must lie between 0 and 1 where prior > 0, got"),
    ("isotonic", {"y": [0.0, 2.0, 1.0, 1.0]}, "y must lie between 0 and 1 where prior > 0, got"),
    ("isotonic", {"prior": -1.0}, "prior must be a number >= 0, got -1"),
    ("platt_targets", {"y": [1, 1]}, "y must contain both classes, got only 1; a curve needs"),
    ("platt", {"y": -np.ones(4)}, "y must contain both classes, got only -1; a curve"),
    ("platt_loss", {"targets": [1.5] * 4}, "targets must hold numbers from 0 to 1, got"),
    ("platt", {"y": SCORES > 0.2, "smooth": False}, "scores of the two classes must overlap"),
    ("platt", {"score": [0, 0, 1, 2], "y": SCORES < 0.2, "smooth": False}, "scores of the two classes must"),
    ("platt", {"score": [0.0, 1e-310, 0.0, 0.0]}, "score must be at most 1e+300 in size, with a"),
    ("platt", {"tol": 0.0}, "tol must be a number > 0, got 0; an exact solution is not to be had"),
    ("platt", {"max_iter": 0}, "max_iter must be a whole number >= 1"),
    ("Isotonic Platt", {"y": ["a", "a", "a", "a"]}, "y must contain two classes, got 1"),
    ("Isotonic Platt", {"y": [1, 2, 3, 3]}, "y must contain two classes, got 3"),
    ("calibrate", {"method": "sigmoid"}, "method must be 'platt', 'isotonic' or a calibrator, got 'sigmoid'"),
    ("calibrate", {"method": 3}, "method must be 'platt', 'isotonic' or a calibrator, got 3"),
    ("calibrate", {"method": calibration.Platt}, "method must be 'platt', 'isotonic' or a calibrator, got <"),
    ("calibrate", {"X": None}, "X must hold a point for each label"),
    ("calibrate", {"folds": 1}, "folds must be a whole"),
    ("calibrate", {"X": POINTS[:2], "y": [0, 1]}, "y must contain at least two"),
    ("calibrate", {"share": 1.0}, "share must be a number between 0 and 1, got 1; both sides need"),
    ("calibrate", PAIRS, "estimator must give one score a class, got 3 scores, perhaps of pairs, for 3 prob"),
]
CURVES = [
    (lambda: calibration.isotonic([0.1, 0.2], [0, 1])([np.nan]), "score must be finite, got 1 NaN"),
    (lambda: calibration.isotonic([0.1, 0.2], [0, 1]).step([[0.1]]), "score must be a vector of points on"),
    (lambda: calibration.platt([-1.0, 1.0], [-1, 1])([np.nan]), "score must be finite, got 1 NaN or infinit"),
]
CASES = spoilt(calibration, CALLS, ROWS) + CURVES

test_message_is_raised = refused(CASES)
test_border = swept(calibration, CALLS, ACCEPTED)
