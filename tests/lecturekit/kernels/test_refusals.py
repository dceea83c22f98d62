"""What lecturekit.kernels refuses, and in which words."""

import numpy as np

from lecturekit import kernels
from lecturekit.kernels import (
    RBF,
    Chi2,
    Constant,
    EditDistance,
    FeatureMap,
    Linear,
    NoFiniteFeatures,
    Polynomial,
)
from tests.support.border import swept
from tests.support.refusals import refused

INDEFINITE = [[0.0, 1.0], [1.0, 0.0]]
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
LOPSIDED_MESSAGE = "K must be symmetric, but K and its transpose differ by 1"

CASES = [
    (lambda: list(Linear().blocks([[1.0]], rows=0)), "rows must be a whole number >= 1, got 0; a block"),
    (lambda: Linear()([[1.0]], [[1.0, 2.0]]), "X and Z must have the same number of columns, got 1 and"),
    (lambda: Linear() ** 0, "power must be a whole number >= 1, got 0; only whole powers of a kernel are"),
    (lambda: -2.0 * Linear(), "the constant must be a number >= 0, got -2; a negative constant has a"),
    (lambda: Linear() + "one", "the constant must be a number >= 0, got 'one'; pass one real number"),
    (lambda: FeatureMap(lambda X: X[:, 0])([[1.0], [2.0]]), "phi(X) must be a matrix of shape (n, d)"),
    (lambda: FeatureMap(lambda X: X[:1])([[1.0], [2.0]]), "phi(X) must have one row a point, got 1 rows"),
    (lambda: Linear().rescaled(lambda X: X)([[1.0], [2.0]]), "f(X) must have shape (2,), got (2, 1)"),
    (lambda: Linear().exp()([[30.0]]), "exp(k) needs k <= 700 on these points, got 900; scale the kernel"),
    (lambda: RBF(gamma=2.0).features([[1.0]]), "RBF(gamma=2.0) has no finite feature", NoFiniteFeatures),
    (lambda: Polynomial(degree=0), "degree must be a whole number >= 1, got 0; other powers of 1 + <x"),
    (lambda: Polynomial(offset=-1.0), "offset must be a number >= 0, got -1; a negative offset gives"),
    (lambda: RBF(gamma=0.0), "gamma must be a number > 0, got 0; the similarity must fall off with distance"),
    (lambda: Constant(1.0)(["a", 1]), "X must hold strings only, got 1; convert it with str()"),
    (lambda: Chi2()([[0.5, -0.5]]), "X must hold non-negative histogram bins, got a smallest entry of"),
    (lambda: EditDistance()("ab"), "X must be a non-empty list of strings, got 'ab'; wrap one string in"),
    (lambda: kernels.edit_distance("a", 1), "the strings must hold strings only, got 1; convert it with"),
    *((lambda f=f: f(LOPSIDED), LOPSIDED_MESSAGE) for f in (kernels.min_eigenvalue, kernels.gram_factor)),
    *((lambda f=f: f(LOPSIDED), LOPSIDED_MESSAGE) for f in (kernels.is_psd, kernels.psd_witness)),
    (lambda: kernels.is_psd([[1.0]], tol=-1.0), "tol must be a number >= 0, got -1; it is the largest"),
    (lambda: kernels.gram_factor(INDEFINITE), "K must be positive semi-definite, got a smallest"),
]
SYMMETRIC = np.array([[2.0, 1.0], [1.0, 3.0]])
POINTS = {"X": np.array([[0.5, 1.0], [2.0, 0.0]]), "Z": np.array([[1.0, 1.0]])}
CALLS = {
    "min_eigenvalue": {"K": SYMMETRIC},
    "is_psd": {"K": SYMMETRIC, "tol": 0.1},
    "psd_witness": {"K": SYMMETRIC, "tol": 0.1},
    "gram_factor": {"K": SYMMETRIC},
    "orient": {"U": SYMMETRIC},
    "edit_distance": {"a": "a", "b": "b"},
    **dict.fromkeys(("Linear", "HistogramIntersection", "Chi2"), POINTS),
    **dict.fromkeys(("RBF", "ExpChi2"), POINTS | {"gamma": 1.0}),
    "Polynomial": POINTS | {"degree": 2, "offset": 1.0},
    "Sum": POINTS | {"left": Linear(), "right": RBF()},
}

test_message_is_raised = refused(CASES)
test_border = swept(kernels, CALLS)
