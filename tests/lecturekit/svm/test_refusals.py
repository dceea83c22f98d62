"""What lecturekit.svm refuses, and in which words."""

# mypy: ignore-errors

import numpy as np
from scipy import sparse

from lecturekit import (
    svm,
)
from lecturekit.kernels import (
    RBF,
)
from tests.support.refusals import Case, refused

NAN = float("nan")
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
LOPSIDED_MESSAGE = "K must be symmetric, but K and its transpose differ by 1"
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: svm.pegasos_steps(EYE, TWO, 1.0, rng=0, every=0), "every must be a whole number >= 1, got"),
    (lambda: svm.pegasos([1.0, 2.0], TWO, 1.0, rng=0, n_iter=1), FLAT_MESSAGE),
    (lambda: svm.pegasos(EYE, [1, -1, 1], 1.0, rng=0, n_iter=1), "y must have shape (2,), got (3,); give"),
    (lambda: svm.pegasos(EYE, TWO, 0.0, rng=0, n_iter=1), "lam must be a number > 0, got 0; the step"),
    (lambda: svm.pegasos(EYE, TWO, 1.0, rng=None, n_iter=1), SEED_MESSAGE),
    (lambda: svm.pegasos(EYE, TWO, 1.0, rng=0, n_iter=0), "n_iter must be a whole number >= 1, got 0"),
    (lambda: svm.costs([1.0], TWO), "C must have shape (2,), got (1,); give one entry a point"),
    (lambda: svm.costs([1.0, NAN], TWO), "C must be finite, got 1 NaN or infinite entries; drop or"),
    (lambda: svm.costs(0, TWO), "C must be > 0, got 0; a point without cost should be left out"),
    (lambda: svm.costs(1.0, TWO, {0: 2.0}), 'class_weight must be None, "balanced" or a mapping of -1'),
    (lambda: svm.costs(1.0, TWO, "equal"), 'class_weight must be None, "balanced" or a mapping of -1'),
    (lambda: svm.costs(1.0, TWO, {1: 0.0}), "class_weight[1] must be a number > 0, got 0; a class"),
    (lambda: svm.GramRows(RBF()), "X must be given with a kernel, got None; pass the points, or their"),
    (lambda: svm.GramRows(RBF(), [1.0, 2.0]), FLAT_MESSAGE),
    (lambda: svm.GramRows(RBF(), EYE, cache_mb=0.0), "cache_mb must be a number > 0, got 0; two rows are"),
    (lambda: svm.GramRows(np.ones((2, 3))), "K must be square, got shape (2, 3); pass the Gram matrix of"),
    (lambda: svm.GramRows(LOPSIDED), LOPSIDED_MESSAGE),
    (lambda: svm.GramRows([[1.0, NAN], [NAN, 1.0]]), "K must be finite, got 2 NaN or infinite entries"),
    (lambda: svm.GramRows(-EYE), "the kernel must be positive definite, got k(x, x) = -1 for some x; its"),
    (lambda: list(svm.smo_steps(EYE, [1, -1, 1], 1.0)), "y must have shape (2,), got (3,); give one"),
    (lambda: svm.smo(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: svm.smo(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0; allow at"),
    (lambda: svm.smo(EYE, [0, 1], 1.0), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels"),
    (lambda: svm.smo(EYE, [1, 1], 1.0), "y must contain both -1 and +1, got only +1; a margin needs two"),
    (lambda: svm.smo(EYE, [], 1.0), "y must have shape (1,), got (0,); give one entry a point"),
    (lambda: svm.smo(EYE, TWO, -1.0), "C must be > 0, got -1; a point without cost should be left out"),
    (lambda: list(svm.osuna_steps(EYE, TWO, 1.0, size=1)), "size must be a whole number >= 2, got 1; a"),
    (lambda: list(svm.osuna_steps(EYE, [1, -1, 1], 1.0)), "y must have shape (2,), got (3,); give one"),
    (lambda: svm.osuna(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: svm.osuna(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0; allow"),
    (lambda: svm.osuna(EYE, [-1, -1], 1.0), "y must contain both -1 and +1, got only -1; a margin needs"),
    (lambda: next(svm.scda_kernel_steps(EYE, [1, -1, 1], 1.0)), "y must have shape (2,), got (3,); give"),
    (lambda: next(svm.scda_kernel_steps(EYE, TWO, 1.0, rng=None)), SEED_MESSAGE),
    (lambda: svm.scda_kernel(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: svm.scda_kernel(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0"),
    (lambda: svm.scda_kernel(EYE, [0, 1], 1.0), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    (lambda: next(svm.scda_linear_steps(EYE, [1, -1, 1], 1.0)), "y must have shape (2,), got (3,); give"),
    (lambda: next(svm.scda_linear_steps(EYE, TWO, 1.0, rng=None)), SEED_MESSAGE),
    (lambda: svm.scda_linear([1.0, 2.0], TWO, 1.0), FLAT_MESSAGE),
    (lambda: svm.scda_linear(sparse.csr_array([[NAN], [1.0]]), TWO, 1.0), "X must be finite, got 1 NaN"),
    (lambda: svm.scda_linear(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: svm.scda_linear(EYE, TWO, 1.0, max_iter=0), "max_iter must be a whole number >= 1, got 0"),
    (lambda: svm.scda_linear(EYE, [0, 1], 1.0), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    (lambda: svm.SVC().fit(EYE, ["a", "a"]), "y must contain at least two classes, got one class: "),
    (lambda: svm.SVC(C=0.0).fit(EYE, [0, 1]), "C must be a number > 0, got 0; it is the cost of an error"),
    (lambda: svm.LinearSVC(intercept_scaling=0.0).fit(EYE, [0, 1]), "intercept_scaling must be a number"),
]

test_message_is_raised = refused(CASES)
