"""What lecturekit.neighbors refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import neighbors
from tests.support.border import swept
from tests.support.refusals import Case, refused

FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: neighbors.kd_tree([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: neighbors.ball_tree([[1.0], [-1e200]]), "X must be at most 1e+150 in size, got 1e+200"),
    (lambda: neighbors.kd_tree(EYE, leaf_size=0), "leaf_size must be a whole number >= 1, got 0; a leaf"),
    (lambda: neighbors.brute(EYE, EYE, metric="cosine"), "metric must be one of euclidean, manhattan"),
    (lambda: neighbors.brute(EYE, [[1.0]]), "Q must have 2 columns, got 1; measure the same features"),
    (lambda: neighbors.brute(EYE, EYE, 0), "k must be a whole number >= 1, got 0; ask for at least one"),
    (lambda: neighbors.brute(EYE, EYE, 3), "k must be at most the number n = 2 of points, got 3; ask for"),
    (lambda: neighbors.KNN(0).fit(EYE, TWO), "k must be a whole number >= 1, got 0; ask for at least one"),
    (lambda: neighbors.KNN(search="hash").fit(EYE, TWO), "search must be 'brute', 'kd' or 'ball', got"),
]

test_message_is_raised = refused(CASES)

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]])
CALLS: dict[str, dict[str, Any]] = {
    "KNN": {"k": 2, "leaf_size": 1, "X": POINTS, "y": np.array([1, 2, 1])},
    "ball_tree": {"X": POINTS, "leaf_size": 1},
    "brute": {"X": POINTS, "Q": EYE, "k": 2},
    "kd_tree": {"X": POINTS, "leaf_size": 1},
}
ACCEPTED = {"KNN.y": {"strings", "datetimes", "timedeltas"}}  # labels: what can be told apart and sorted
test_border = swept(neighbors, CALLS, ACCEPTED)
