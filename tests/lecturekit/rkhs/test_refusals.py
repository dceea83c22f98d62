"""What lecturekit.rkhs refuses, and in which words."""

import numpy as np

from lecturekit import data, kernels, rkhs
from lecturekit.kernels import RBF, EditDistance, Linear
from lecturekit.rkhs import Expansion
from tests.support.border import swept
from tests.support.refusals import refused

ONES = np.ones((2, 1))
WORDS = data.words("ab", 4)


def section(kernel: kernels.Kernel) -> Expansion:
    return Expansion(kernel, np.zeros((1, 1)), np.ones(1))


CASES = [
    (lambda: rkhs.brownian(2).eigenfunctions(ONES), "x must be a vector of points on the"),
    (lambda: rkhs.gaussian(1.0, 1.0, 2).eigenfunctions(ONES), "x must be a vector of points"),
    (lambda: rkhs.nystrom(RBF(), [[0.0]], [1.0], 1), "nodes must be a vector of points on the line, got"),
    (lambda: rkhs.nystrom(RBF(), [0.0], [1.0], 1).eigenfunctions(ONES), "x must be a vector of points on"),
    (lambda: section(RBF()).inner(section(Linear())), "both functions must belong to the space of one"),
    (lambda: section(RBF()) + section(Linear()), "only functions of one kernel add up, got"),
    (lambda: None * section(RBF()), "the factor must be a real number, got None; pass one real number"),
    (lambda: rkhs.brownian(2)([0.5], [[0.5]]), "z must be a vector of points on the line, got shape (1, 1)"),
    (
        lambda: Expansion(EditDistance(), WORDS, kernels.psd_witness(EditDistance()(WORDS)).t).norm,
        "the kernel must be positive definite, got <f, f> = -0.0429 with EditDistance(gamma=1.0); such a",
    ),
    (lambda: rkhs.legendre_rule(0), "n must be a whole number >= 1, got 0; a rule needs at least one node"),
    (lambda: rkhs.legendre_rule(3, 1.0, 1.0), "the interval needs ends a < b, got a = 1.0 and b = 1.0; swap"),
    (lambda: rkhs.hermite_rule(0), "n must be a whole number >= 1, got 0; a rule needs at least one node"),
    (lambda: rkhs.hermite_rule(3, -1.0), "sigma must be a number > 0, got -1; it is a standard deviation"),
    (lambda: rkhs.nystrom(RBF(), [0.0, 1.0], [1.0, 0.0], 1), "weights must be > 0, got 0; use a rule"),
    (lambda: rkhs.nystrom(RBF(), [0.0], [1.0], 0), "rank must be a whole number >= 1, got 0; ask for at"),
    (lambda: rkhs.nystrom(RBF(), [0.0, 1.0], [1.0, 1.0], 3), "rank must be at most the number of nodes"),
    (lambda: rkhs.brownian(0), "rank must be a whole number >= 1, got 0; ask for at least one term"),
    (lambda: rkhs.gaussian(0.0, 1.0, 3), "gamma must be a number > 0, got 0; the kernel must fall"),
    (lambda: rkhs.gaussian(1.0, 0.0, 3), "sigma must be a number > 0, got 0; it is a standard deviation"),
    (lambda: rkhs.gaussian(1.0, 1.0, 0), "rank must be a whole number >= 1, got 0; ask for at least one"),
]
LINE = np.array([0.0, 0.5, 2.0])
CALLS = {
    "legendre_rule": {"n": 3, "a": 0.0, "b": 2.0},
    "hermite_rule": {"n": 3, "sigma": 1.0},
    "nystrom": {"kernel": RBF(), "nodes": LINE, "weights": np.ones(3), "rank": 2},
    "brownian": {"rank": 2},
    "gaussian": {"gamma": 1.0, "sigma": 1.0, "rank": 2},
    "Expansion": {"kernel": RBF(), "centers": LINE[:, None], "coef": np.ones(3), "X": LINE[:, None]},
}

test_message_is_raised = refused(CASES)
test_border = swept(rkhs, CALLS)
