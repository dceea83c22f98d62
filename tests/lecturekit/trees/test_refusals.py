"""What lecturekit.trees refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import trees
from tests.support.border import swept
from tests.support.refusals import Case, refused

FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
HIDDEN = np.ma.MaskedArray(EYE, EYE > 0)


def grower(**how: Any) -> Any:
    """Prepare points for trees that could grow but for what is given."""
    return trees.tree_grower(EYE, **({"depth": 1, "min_leaf": 1, "bins": None} | how))


CASES: list[Case] = [
    (lambda: trees.best_stump([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: trees.best_stump(EYE, [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    (lambda: trees.best_stump(EYE, TWO, [1.0]), "weights must have shape (2,), got (1,); give one entry"),
    (lambda: trees.best_stump(EYE, TWO, [1.0, -0.5]), "weights must be >= 0 and not all zero, got a"),
    (lambda: trees.best_stump(EYE, TWO, [0.0, 0.0]), "weights must be >= 0 and not all zero, got a"),
    (lambda: trees.best_stump(EYE, TWO)([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: trees.regression_tree(EYE, [1.0]), "z must have shape (2,), got (1,); give one entry a point"),
    (lambda: trees.regression_tree(EYE, [[1.0]]), "z must have 2 rows, got 1; give one row a point"),
    (lambda: trees.regression_tree(EYE, TWO, depth=0), "depth must be a whole number >= 1, got 0; a tree"),
    (lambda: trees.regression_tree(EYE, TWO, min_leaf=0), "min_leaf must be a whole number >= 1, got 0"),
    (lambda: trees.regression_tree(EYE, TWO, features=0), "features must be a whole number >= 1, got 0"),
    (lambda: trees.regression_tree(EYE, TWO, rng=None), f"rng {SEED_MESSAGE}"),
    (lambda: trees.regression_tree(EYE, TWO)([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: trees.regression_tree([[0.0, 1.0], [0.0, 2.0]], TWO)([[1.0]]), "X must be a matrix with"),
    (lambda: grower(depth=None), "depth must be a whole number >= 1, got None; a tree of depth 1 makes one"),
    (lambda: grower(bins=1), "bins must be a whole number >= 2, got 1; one cut needs two bins"),
    (lambda: grower(bins=256), "bins must be at most 255, got 256; a bin's number is kept in a byte"),
    (lambda: trees.RandomForest(0).fit(EYE, TWO), "n_trees must be a whole number >= 1, got 0; a forest"),
    (lambda: trees.RandomForest(random_state=None).fit(EYE, TWO), f"random_state {SEED_MESSAGE}"),
    (lambda: trees.RandomForest().fit(EYE, [1]), "X and y must suit RandomForest; Found input variables"),
    (lambda: trees.RandomForest().fit([[1.0], TWO], TWO), "X and y must suit RandomForest; setting an array"),
    (lambda: trees.RandomForest().fit(EYE, [0.5, 0.7]), "y must suit RandomForest; Unknown label type"),
    (
        lambda: trees.RandomForest().fit([["1"], ["2"]], TWO),
        "X must hold numbers, got <U1; convert them first",
    ),
    (
        lambda: trees.RandomForest().fit(EYE, TWO).predict(HIDDEN),
        "X must have no masked entries, got some; drop",
    ),
]

test_message_is_raised = refused(CASES)

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])
SIGNS = np.array([-1.0, 1.0, 1.0, -1.0])
FOREST = {"n_trees": 2, "depth": 3, "min_leaf": 1, "features": 1, "random_state": 0, "X": POINTS, "y": SIGNS}
CALLS: dict[str, dict[str, Any]] = {
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
test_border = swept(trees, CALLS, ACCEPTED)
