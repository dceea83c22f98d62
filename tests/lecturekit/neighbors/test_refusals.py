"""What lecturekit.neighbors refuses, and in which words."""

import numpy as np

from lecturekit import neighbors
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]])
CALLS = {
    "KNN": {"k": 2, "leaf_size": 1, "X": POINTS, "y": np.array([1, 2, 1])},
    "ball_tree": {"X": POINTS, "leaf_size": 1},
    "brute": {"X": POINTS, "Q": np.eye(2), "k": 2},
    "kd_tree": {"X": POINTS, "leaf_size": 1},
}
ACCEPTED = {"KNN.y": {"strings", "datetimes", "timedeltas"}}  # labels: what can be told apart and sorted

ROWS = [
    ("ball_tree", {"X": [[1.0], [-1e200]]}, "X must be at most 1e+150 in size, got 1e+200"),
    ("kd_tree", {"leaf_size": 0}, "leaf_size must be a whole number >= 1, got 0; a leaf"),
    ("brute", {"metric": "cosine"}, "metric must be one of euclidean, manhattan"),
    ("brute", {"Q": [[1.0]]}, "Q must have 2 columns, got 1; measure the same features"),
    ("brute KNN", {"k": 0}, "k must be a whole number >= 1, got 0; ask for at least one"),
    ("brute", {"k": 4}, "k must be at most the number n = 3 of points, got 4; ask for"),
    ("KNN", {"search": "hash"}, "search must be 'brute', 'kd' or 'ball', got"),
]
CASES = spoilt(neighbors, CALLS, ROWS)

test_message_is_raised = refused(CASES)
test_border = swept(neighbors, CALLS, ACCEPTED)
