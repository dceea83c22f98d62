"""What lecturekit.trees refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit import (
    trees,
)
from tests.support.refusals import Case, refused

FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
BYTES = np.array([[0], [2]], dtype=np.uint8)

CASES: list[Case] = [
    (lambda: trees.presort([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: trees.best_stump([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: trees.best_stump(EYE, [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    (lambda: trees.best_stump(EYE, TWO, [1.0]), "weights must have shape (2,), got (1,); give one entry"),
    (lambda: trees.best_stump(EYE, TWO, [1.0, -0.5]), "weights must be >= 0 and not all zero, got a"),
    (lambda: trees.best_stump(EYE, TWO, [0.0, 0.0]), "weights must be >= 0 and not all zero, got a"),
    (lambda: trees.best_stump(EYE, TWO, order=[[0, 1]]), "order must list the rows by each feature"),
    (lambda: trees.best_stump(EYE, TWO, order=[[0, 7], [0, 1]]), "order must list the rows by each"),
    (lambda: trees.regression_tree([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: trees.regression_tree(EYE, [1.0]), "z must have shape (2,), got (1,); give one entry a point"),
    (lambda: trees.regression_tree(EYE, [[1.0]]), "z must have 2 rows, got 1; give one row a point"),
    (lambda: trees.regression_tree(EYE, TWO, depth=0), "depth must be a whole number >= 1, got 0; a tree"),
    (lambda: trees.regression_tree(EYE, TWO, min_leaf=0), "min_leaf must be a whole number >= 1, got 0"),
    (lambda: trees.regression_tree(EYE, TWO, features=0), "features must be a whole number >= 1, got 0"),
    (lambda: trees.regression_tree(EYE, TWO, features=1, rng=None), SEED_MESSAGE),
    (lambda: trees.regression_tree(EYE, TWO, order=[[0, 2], [1, 0]]), "order must list rows by each of 2"),
    (lambda: trees.regression_tree(EYE, TWO, order=[0, 1]), "order must list rows by each of 2 features"),
    (lambda: trees.regression_tree([[0.0, 1.0], [0.0, 2.0]], TWO)([[1.0]]), "X must be a matrix with"),
    (lambda: trees.bin_edges([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: trees.bin_edges(EYE, 1), "bins must be a whole number >= 2, got 1; one cut needs two bins"),
    (lambda: trees.bin_edges(EYE, 256), "bins must be at most 255, got 256; a bin's number is kept in a"),
    (lambda: trees.binned([1.0, 2.0], [TWO]), FLAT_MESSAGE),
    (lambda: trees.binned(EYE, [TWO]), "edges must be 2 arrays of at most 255 numbers, got 1 of 2; use"),
    (lambda: trees.binned(EYE[:, :1], [np.arange(256.0)]), "edges must be 1 arrays of at most 255"),
    (lambda: trees.histogram_tree(EYE, TWO, [TWO, TWO]), "B must hold the bins of 2 features as bytes"),
    (
        lambda: trees.histogram_tree(np.full((2, 1), 3, dtype=np.uint8), TWO, [TWO]),
        "B must hold bins of these edges, got one beyond the last; use binned(X, edges)",
    ),
    (lambda: trees.histogram_tree(BYTES, [1.0], [TWO]), "z must have shape (2,), got (1,); give one"),
    (lambda: trees.histogram_tree(BYTES, TWO, [TWO], depth=0), "depth must be a whole number >= 1, got"),
    (lambda: trees.histogram_tree(BYTES, TWO, [TWO], min_leaf=0), "min_leaf must be a whole number >= 1"),
    (lambda: trees.grow_forest([1.0, 2.0], TWO, rng=0), FLAT_MESSAGE),
    (lambda: trees.grow_forest(EYE, TWO, n_trees=0, rng=0), "n_trees must be a whole number >= 1, got 0"),
    (lambda: trees.grow_forest(EYE, TWO, rng=None), SEED_MESSAGE),
]

test_message_is_raised = refused(CASES)
