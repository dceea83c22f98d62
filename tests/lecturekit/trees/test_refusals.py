"""What lecturekit.trees refuses, and in which words."""

import numpy as np

from lecturekit import trees
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
SIGNS = np.array([-1.0, 1.0, 1.0, -1.0])
FOREST = {"n_trees": 2, "depth": 3, "min_leaf": 1, "features": 1, "random_state": 0, "X": POINTS, "y": SIGNS}
CALLS = {
    "ExtraTrees": FOREST,
    "RandomForest": FOREST,
    "best_stump": {"X": POINTS, "y": SIGNS, "weights": np.ones(4)},
    "regression_tree": {"X": POINTS, "z": SIGNS, "depth": 3, "min_leaf": 1, "features": 1, "rng": 0},
    "stump_finder": {"X": POINTS},
    "tree_grower": {"X": POINTS, "depth": 3, "min_leaf": 1, "bins": 4},
}
LABEL_KINDS = {"strings", "datetimes", "timedeltas"}  # whatever can be told apart and sorted
ACCEPTED = {
    "ExtraTrees.y": LABEL_KINDS,
    "RandomForest.y": LABEL_KINDS,
    "tree_grower.bins": {"none"},  # all thresholds
}

ROWS = [
    ("best_stump", {"y": [0, 1, 1, 0]}, "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    ("best_stump", {"weights": [1.0, -0.5, 0.0, 1.0]}, "weights must be >= 0 and not all zero, got a"),
    ("best_stump", {"weights": np.zeros(4)}, "weights must be >= 0 and not all zero, got a"),
    ("regression_tree", {"z": [[1.0]]}, "z must have 4 rows, got 1; give one row a point"),
    ("regression_tree", {"depth": 0}, "depth must be a whole number >= 1, got 0; a tree"),
    ("regression_tree", {"min_leaf": 0}, "min_leaf must be a whole number >= 1, got 0"),
    ("regression_tree", {"features": 0}, "features must be a whole number >= 1, got 0"),
    ("tree_grower", {"depth": None}, "depth must be a whole number >= 1, got None; a tree of depth 1 makes"),
    ("tree_grower", {"bins": 1}, "bins must be a whole number >= 2, got 1; one cut needs two bins"),
    ("tree_grower", {"bins": 256}, "bins must be at most 255, got 256; a bin's number is kept in a byte"),
    ("RandomForest", {"n_trees": 0}, "n_trees must be a whole number >= 1, got 0; a forest"),
    ("RandomForest", {"y": [1]}, "X and y must suit RandomForest; Found input variables"),
    ("RandomForest", {"X": [[1.0], TWO, TWO, TWO]}, "X and y must suit RandomForest; setting an array"),
    ("RandomForest", {"y": [0.5, 0.7, 0.5, 0.7]}, "y must suit RandomForest; Unknown label type"),
    ("RandomForest", {"X": [["1"], ["2"], ["3"], ["4"]]}, "X must hold numbers, got <U1; convert them first"),
]
HIDDEN = np.ma.MaskedArray(EYE, EYE > 0)
FITTED = [
    (lambda: trees.best_stump(EYE, TWO)([1.0, 2.0]), "X must be a matrix of shape (n, d), got shape (2,)"),
    (lambda: trees.regression_tree(EYE, TWO)([1.0, 2.0]), "X must be a matrix of shape (n, d), got shape (2"),
    (lambda: trees.regression_tree([[0.0, 1.0], [0.0, 2.0]], TWO)([[1.0]]), "X must be a matrix with"),
    (lambda: trees.RandomForest().fit(EYE, TWO).predict(HIDDEN), "X must have no masked entries, got some"),
]
CASES = spoilt(trees, CALLS, ROWS) + FITTED

test_message_is_raised = refused(CASES)
test_border = swept(trees, CALLS, ACCEPTED)
