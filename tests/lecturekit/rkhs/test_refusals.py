"""What lecturekit.rkhs refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit import (
    data,
    kernels,
    rkhs,
)
from lecturekit.kernels import (
    RBF,
    EditDistance,
)
from lecturekit.rkhs import Expansion
from tests.support.refusals import Case, refused

NAN = float("nan")
FALL_OFF = "a number > 0, got 0; the kernel must fall off with distance"
WORDS = data.words("ab", 4)

CASES: list[Case] = [
    (lambda: Expansion(RBF(), np.zeros((2, 1)), np.ones(3)), "coef must have shape (2,), got (3,); give"),
    (lambda: Expansion(RBF(), np.zeros(2), np.ones(2)), "centers must be a matrix of shape (n, d), got"),
    (lambda: rkhs.brownian(2).eigenfunctions(np.zeros((2, 1))), "x must be a vector of points on the"),
    (lambda: rkhs.brownian(2).eigenfunctions(np.array([0.5, NAN])), "x must be finite, got 1 NaN or"),
    (lambda: rkhs.gaussian(1.0, 1.0, 2).eigenfunctions(np.ones((2, 1))), "x must be a vector of points"),
    (lambda: rkhs.nystrom(RBF(), [[0.0]], [1.0], 1), "nodes must be a vector of points on the line, got"),
    (
        lambda: rkhs.nystrom(RBF(), [0.0], [1.0], 1).eigenfunctions(np.ones((2, 1))),
        "x must be a vector of points on the line, got shape (2, 1); ravel it",
    ),
    (lambda: Expansion(kernels.FeatureMap(lambda X: X) * -1.0, [[1.0]], [1.0]), "the constant must be a"),
    (
        lambda: Expansion(EditDistance(), WORDS, kernels.psd_witness(EditDistance()(WORDS)).t).norm,
        "the kernel must be positive definite, got <f, f> = -0.0429 with EditDistance(gamma=1.0); such a",
    ),
    (lambda: rkhs.legendre_rule(0), "n must be a whole number >= 1, got 0; a rule needs at least one node"),
    (lambda: rkhs.legendre_rule(3, 1.0, 1.0), "the interval needs finite ends a < b, got a = 1.0 and b ="),
    (lambda: rkhs.hermite_rule(0), "n must be a whole number >= 1, got 0; a rule needs at least one node"),
    (lambda: rkhs.hermite_rule(3, -1.0), "sigma must be a number > 0, got -1; it is a standard deviation"),
    (lambda: rkhs.nystrom(RBF(), [0.0, 1.0], [1.0], 1), "weights must have shape (2,), got (1,); give"),
    (lambda: rkhs.nystrom(RBF(), [0.0, 1.0], [1.0, 0.0], 1), "weights must be > 0, got 0; use a rule"),
    (lambda: rkhs.nystrom(RBF(), [0.0], [1.0], 0), "rank must be a whole number >= 1, got 0; ask for at"),
    (lambda: rkhs.nystrom(RBF(), [0.0, 1.0], [1.0, 1.0], 3), "rank must be at most the number of nodes"),
    (lambda: rkhs.brownian(0), "rank must be a whole number >= 1, got 0; ask for at least one term"),
    (lambda: rkhs.gaussian(0.0, 1.0, 3), f"gamma must be {FALL_OFF}"),
    (lambda: rkhs.gaussian(1.0, 0.0, 3), "sigma must be a number > 0, got 0; it is a standard deviation"),
    (lambda: rkhs.gaussian(1.0, 1.0, 0), "rank must be a whole number >= 1, got 0; ask for at least one"),
]

test_message_is_raised = refused(CASES)
