"""What lecturekit.svm refuses, and in which words."""

# mypy: ignore-errors

import numpy as np
from scipy import sparse

from lecturekit import svm
from lecturekit.kernels import RBF
from lecturekit.svm._smo import GramRows
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO, ZERO = np.eye(2), np.array([-1.0, 1.0]), np.zeros(2)

CASES: list[Case] = [
    (lambda: svm.hinge_objective([0.0], EYE, TWO, 1.0), "w must have shape (2,), got (1,); give one entry a"),
    (lambda: svm.hinge_objective(ZERO, EYE, TWO, -1.0), "lam must be a number >= 0, got -1; it weighs a"),
    (lambda: svm.pegasos_steps(EYE, TWO, 1.0, rng=0, every=0), "every must be a whole number >= 1, got"),
    (lambda: svm.pegasos(EYE, TWO, 0.0, rng=0, n_iter=1), "lam must be a number > 0, got 0; the step"),
    (lambda: svm.pegasos(EYE, TWO, 1.0, rng=0, n_iter=0), "n_iter must be a whole number >= 1, got 0"),
    (lambda: svm.dual_objective(ZERO, ZERO, [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map"),
    (lambda: svm.costs(1.0, [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with"),
    (lambda: svm.costs(0, TWO), "C must be > 0, got 0; a point without cost should be left out"),
    (lambda: svm.costs(1.0, TWO, {0: 2.0}), 'class_weight must be None, "balanced" or a mapping of -1'),
    (lambda: svm.costs(1.0, TWO, "equal"), 'class_weight must be None, "balanced" or a mapping of -1'),
    (lambda: svm.costs(1.0, TWO, {1: 0.0}), "class_weight[1] must be a number > 0, got 0; a class"),
    (lambda: GramRows(RBF()), "X must be given with a kernel, got None; pass the points, or their"),
    (lambda: GramRows(EYE, cache_mb=0.0), "cache_mb must be a number > 0, got 0; two rows are kept in any"),
    (lambda: GramRows(np.ones((2, 3))), "K must be square, got shape (2, 3); pass the Gram matrix of"),
    (lambda: GramRows(LOPSIDED), "K must be symmetric, but K and its transpose differ by 1"),
    (lambda: GramRows(-EYE), "the kernel must be positive definite, got k(x, x) = -1 for some x; its"),
    (lambda: next(svm.smo_steps(EYE, TWO, 1.0, tol=0.0)), TOL_MESSAGE),
    (lambda: next(svm.smo_steps(EYE, TWO, 1.0, pairs=0)), "pairs must be a whole number >= 1, got 0; report"),
    (lambda: next(svm.smo_steps(EYE, TWO, 1.0, max_iter=0)), "max_iter must be a whole number >= 1, got 0"),
    (lambda: svm.smo(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    (lambda: svm.smo(EYE, [1, 1], 1.0), "y must contain both -1 and +1, got only +1; a margin needs two"),
    (lambda: next(svm.osuna_steps(EYE, TWO, 1.0, tol=0.0)), TOL_MESSAGE),
    (lambda: next(svm.osuna_steps(EYE, TWO, 1.0, size=1)), "size must be a whole number >= 2, got 1; a"),
    (lambda: svm.osuna(EYE, [-1, -1], 1.0), "y must contain both -1 and +1, got only -1; a margin needs"),
    (lambda: next(svm.scda_linear_steps(EYE, TWO, 1.0, tol=0.0)), TOL_MESSAGE),
    (lambda: next(svm.scda_linear_steps(EYE, TWO, 1.0, visits=0)), "visits must be a whole number >= 1"),
    (lambda: next(svm.scda_linear_steps(EYE, TWO, 1.0, max_iter=0)), "max_iter must be a whole number >= 1"),
    (lambda: svm.scda_linear(sparse.csr_array([[NAN], [1.0]]), TWO, 1.0), "X must be finite, got 1 NaN"),
    (lambda: svm.scda_linear(EYE, [0, 1], 1.0), "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1"),
    (lambda: svm.SVC().fit(EYE, ["a", "a"]), "y must contain at least two classes, got one class: "),
    (lambda: svm.SVC(C=0.0).fit(EYE, [0, 1]), "C must be a number > 0, got 0; it is the cost of an error"),
    (lambda: svm.LinearSVC(intercept_scaling=0.0).fit(EYE, [0, 1]), "intercept_scaling must be a number"),
]

test_message_is_raised = refused(CASES)

POINTS, SIGNS = np.array([[-2.0, 1.0], [-1.0, 0.5], [1.0, 2.0]]), np.array([-1.0, -1.0, 1.0])
AT = {"alpha": np.array([0.0, 0.5, 0.5]), "f": np.array([-2.0, -1.0, 1.0]), "y": SIGNS}
BY_MATRIX = {"K_or_kernel": np.eye(3), "y": SIGNS, "C": 1.0, "cache_mb": 1.0}
BY_KERNEL = {"K_or_kernel": RBF(), "y": SIGNS, "C": 1.0, "X": POINTS, "cache_mb": 1.0}
LINEAR = {"X": POINTS, "y": SIGNS, "C": 1.0, "tol": 1e-3, "max_iter": 9, "rng": 0}
HINGE = {"X": POINTS, "y": SIGNS, "lam": 0.1}
STOP = {"tol": 1e-3, "max_iter": 9}

CALLS = {
    "costs": {"C": 1.0, "y": SIGNS},
    "dual_objective": AT,
    **dict.fromkeys(("primal_objective", "duality_gap"), AT | {"C": 1.0, "b": 0.0}),
    **dict.fromkeys(("bias", "bias_interval", "kkt_residual", "box_residual"), AT | {"C": 1.0}),
    "smo": BY_MATRIX | STOP,
    "smo_steps": BY_KERNEL | STOP | {"pairs": 1},
    "osuna": BY_KERNEL | STOP | {"size": 2},
    "osuna_steps": BY_MATRIX | {"tol": 1e-3, "size": 2},
    "scda_kernel": BY_KERNEL | STOP | {"rng": 0},
    "scda_kernel_steps": BY_MATRIX | {"rng": 0},
    "scda_linear": LINEAR,
    "scda_linear_steps": LINEAR | {"visits": 1},
    **dict.fromkeys(("hinge_objective", "hinge_subgradient"), HINGE | {"w": np.ones(2)}),
    "pegasos": HINGE | {"rng": 0, "n_iter": 3},
    "pegasos_steps": HINGE | {"rng": 0, "every": 1},
    "SVC": {"C": 1.0, "cache_mb": 1.0, "X": POINTS, "y": SIGNS} | STOP,
    "LinearSVC": {"C": 1.0, "intercept_scaling": 1.0, "random_state": 0, "X": POINTS, "y": SIGNS} | STOP,
}
SPARSE = {"sparse"}  # rows of a sparse array are points as well
NAMES = {"strings", "datetimes", "timedeltas"}  # of classes, which may be called anything
ACCEPTED = {
    **dict.fromkeys(("scda_linear.X", "scda_linear_steps.X", "LinearSVC.X"), SPARSE),
    **dict.fromkeys(("SVC.y", "LinearSVC.y"), NAMES),
}

test_border = swept(svm, CALLS, ACCEPTED)
