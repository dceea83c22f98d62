"""What lecturekit.calibration refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np
from sklearn.svm import SVC

from lecturekit import calibration, neighbors, svm
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: calibration.pav([]), "y must have shape (1,), got (0,); give one entry a point"),
    (lambda: calibration.pav([1.0, NAN]), "y must be finite, got 1 NaN or infinite entries; drop or"),
    (lambda: calibration.pav([1.0, 2.0], weights=[1.0]), "weights must have shape (2,), got (1,); give"),
    (lambda: calibration.pav([1.0, 2.0], weights=[1.0, 0.0]), "weights must be > 0 and within a factor"),
    (lambda: calibration.isotonic([1, 2], [-1, 1], prior=1.0), "y must lie between 0 and 1 where prior >"),
    (lambda: calibration.isotonic([], []), "y must have shape (1,), got (0,); give one entry a point"),
    (lambda: calibration.isotonic([0.1], [0, 1]), "score must have shape (2,), got (1,); give one entry"),
    (lambda: calibration.isotonic([0.1, NAN], [0, 1]), "score must be finite, got 1 NaN or infinite"),
    (lambda: calibration.isotonic([0.1, 0.2], [0, 1], prior=-1.0), "prior must be a number >= 0, got -1"),
    (lambda: calibration.isotonic([0.1, 0.2], [0, 1])([NAN]), "score must be finite, got 1 NaN"),
    (lambda: calibration.isotonic([0.1, 0.2], [0, 1]).step([[0.1]]), "score must be a vector of points on"),
    (lambda: calibration.platt_targets([1, 1]), "y must contain both classes, got only 1; a curve needs"),
    (lambda: calibration.platt_loss([0.0], [0.1], [0.5]), "v must have shape (2,), got (1,); give one"),
    (lambda: calibration.platt_gradient([0.0, 1.0], [0.1, 0.2], [0.5]), "score must have shape (1,), got (2"),
    (lambda: calibration.platt_loss([0.0, 1.0], [0.1], [1.5]), "targets must hold numbers from 0 to 1, got"),
    (lambda: calibration.platt([0.1, 0.2], [-1, -1]), "y must contain both classes, got only -1; a curve"),
    (lambda: calibration.platt([0.1, 0.2, 0.3], [-1, 1]), "score must have shape (2,), got (3,); give"),
    (lambda: calibration.platt([-1.0, 1.0], [-1, 1], smooth=False), "scores of the two classes must"),
    (lambda: calibration.platt([0.0, 1e-310], [-1, 1]), "score must be at most 1e+300 in size, with a"),
    (lambda: calibration.platt([-1.0, 1.0], [-1, 1], tol=0.0), TOL_MESSAGE),
    (lambda: calibration.platt([-1.0, 1.0], [-1, 1], max_iter=0), "max_iter must be a whole number >= 1"),
    (lambda: calibration.platt([-1.0, 1.0], [-1, 1])([NAN]), "score must be finite, got 1 NaN or infinite"),
    (lambda: calibration.Isotonic().fit([0.1, 0.2], ["a", "a"]), "y must contain two classes, got 1"),
    (
        lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0, method="sigmoid"),
        "method must be 'platt', 'isotonic' or a calibrator, got 'sigmoid'; for example",
    ),
    (lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=None), SEED_MESSAGE),
    (lambda: calibration.calibrate(svm.LinearSVC(), None, TWO, rng=0), "X must hold a point for each label"),
    (lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0, folds=1), "folds must be a whole"),
    (lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0), "y must contain at least two"),
    (
        lambda: calibration.calibrate(svm.LinearSVC(), np.eye(4), [*TWO, *TWO], rng=0, share=1.0),
        "share must be a number between 0 and 1, got 1; both sides need observations",
    ),
    (
        lambda: calibration.calibrate(
            SVC(decision_function_shape="ovo"), np.eye(9), np.repeat([0, 1, 2], 3), rng=0
        ),
        "estimator must give one score a class, got 3 scores, perhaps of pairs, for 3 problem(s); an SVC",
    ),
]

test_message_is_raised = refused(CASES)

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
LABELS, SCORES = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.3, 0.2])
MODEL = {"estimator": neighbors.KNN(1), "X": POINTS, "y": LABELS, "share": 0.5}
PLATT = {"v": np.array([-1.0, 0.5]), "score": SCORES, "targets": np.array([0.2, 0.9, 0.5, 0.1])}
CALLS: dict[str, dict[str, Any]] = {
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
test_border = swept(calibration, CALLS, ACCEPTED)
