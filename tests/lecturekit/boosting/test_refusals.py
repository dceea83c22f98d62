"""What lecturekit.boosting refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import boosting
from lecturekit.boosting import adaboost
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: adaboost(EYE, TWO, 1).decision([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: adaboost(EYE, [0, 1], 1), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels"),
    (lambda: adaboost(EYE, TWO, 0), "rounds must be a whole number >= 1, got 0; each adds a stump"),
    (lambda: boosting.gradient_boosting(EYE, [1.0]), "y must have shape (2,), got (1,); give one entry a"),
    (
        lambda: boosting.gradient_boosting(EYE, [1, 1], loss=boosting.LogisticError()),
        "y must contain both -1 and +1, got only +1; a margin needs two classes",
    ),
    (lambda: boosting.gradient_boosting(EYE, TWO, rounds=1)([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: boosting.gradient_boosting(EYE, TWO, rounds=0), "rounds must be a whole number >= 1, got 0"),
    (lambda: boosting.gradient_boosting(EYE, TWO, learning_rate=0.0), "learning_rate must be a number >"),
    (
        lambda: boosting.gradient_boosting(EYE, TWO, base=lambda X, z: lambda X: np.ones(3)),
        "base(X, z)(X) must have shape (2,), got (3,); give one entry a point",
    ),
    (
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.ExponentialError(), [lambda X: TWO], 1),
        "H must leave each function a best coefficient, got none for row 0; it makes no error (or only",
    ),
    (lambda: boosting.forward_stagewise([1.0, 2.0], TWO, boosting.SquaredError(), [], 1), FLAT_MESSAGE),
    (
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [], 0),
        "rounds must be a whole number >= 1, got 0; each adds a function",
    ),
    (
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [], 1),
        "base must hold at least one function, got none; list those to choose from",
    ),
    (
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [len], 1, start=NAN),
        "start must be a real number, got nan; pass a finite number",
    ),
    (lambda: boosting.link([1.0, 2.0]), FLAT_MESSAGE.replace("X", "F")),
    (lambda: boosting.multiclass_boosting(EYE, TWO, rounds=1).scores([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: boosting.multiclass_boosting(EYE, [NAN, 1.0]), "y must name the class of each observation"),
    (lambda: boosting.multiclass_boosting(EYE, [np.inf, 1.0]), "y must be finite, got 1 NaN or infinite"),
    (lambda: boosting.multiclass_boosting(EYE, ["a", "b", "a"]), "y must have shape (2,), got (3,); give"),
    (lambda: boosting.multiclass_boosting(EYE, [3, 3]), "y must contain at least two classes, got one class"),
    (lambda: boosting.AdaBoost().fit(EYE, [3, 3]), "y must contain at least two classes, got one class"),
    (lambda: boosting.multiclass_boosting(EYE, TWO, rounds=0), "rounds must be a whole number >= 1, got"),
    (lambda: boosting.multiclass_boosting(EYE, TWO, learning_rate=-1.0), "learning_rate must be a number"),
    (lambda: boosting.GradientBoosting("huber").fit(EYE, TWO), "loss must be 'squared' or 'absolute'"),
]

test_message_is_raised = refused(CASES)

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
SIGNS, LABELS = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([1, 2, 3, 1])
ROUNDS = {"rounds": 2, "depth": 1, "learning_rate": 0.5, "min_leaf": 1, "bins": 4}
CALLS: dict[str, dict[str, Any]] = {
    "AdaBoost": {"rounds": 2, "X": POINTS, "y": LABELS},
    "GradientBoosting": {**ROUNDS, "X": POINTS, "y": SIGNS},
    "GradientBoostingClassifier": {**ROUNDS, "X": POINTS, "y": LABELS},
    "adaboost": {"X": POINTS, "y": SIGNS, "rounds": 2},
    "forward_stagewise": {
        "X": POINTS,
        "y": SIGNS,
        "loss": boosting.SquaredError(),
        "base": [lambda X: X[:, 0]],
        "rounds": 2,
        "start": 0.5,
    },
    "gradient_boosting": {"X": POINTS, "y": SIGNS, **ROUNDS},
    "link": {"F": POINTS},
    "multiclass_boosting": {"X": POINTS, "y": LABELS, **ROUNDS},
}
LABEL_KINDS = {"strings", "datetimes", "timedeltas"}  # whatever can be told apart and sorted
ACCEPTED = {
    "AdaBoost.y": LABEL_KINDS,
    "GradientBoostingClassifier.y": LABEL_KINDS,
    "multiclass_boosting.y": LABEL_KINDS,
}
test_border = swept(boosting, CALLS, ACCEPTED)
