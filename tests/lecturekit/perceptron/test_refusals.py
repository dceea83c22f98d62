"""What lecturekit.perceptron refuses, and in which words."""

import numpy as np

from lecturekit import perceptron
from tests.support.border import swept
from tests.support.refusals import refused

SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES = [
    (lambda: perceptron.signed_points(EYE, [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map"),
    (lambda: perceptron.cover_count(0, 1), "n must be a whole number >= 1, got 0; count at least one"),
    (lambda: perceptron.cover_count(1, 0), "d must be a whole number >= 1, got 0; points need at least"),
    (lambda: next(perceptron.pla_steps(EYE, TWO, w0=[0.0, 0.0])), "w0 must have shape (3,), got (2,)"),
    (lambda: next(perceptron.pla_steps(EYE, TWO, order="sorted")), "order must be 'cyclic' or 'random'"),
    (lambda: next(perceptron.pla_steps(EYE, TWO, order="random")), SEED_MESSAGE),
    (lambda: perceptron.pla(EYE, TWO, max_updates=0), "max_updates must be a whole number >= 1, got 0"),
    (lambda: perceptron.pocket(EYE, TWO, n_iter=0, rng=0), "n_iter must be a whole number >= 1, got 0"),
    (lambda: perceptron.mistake_bound([[1.0], [1.0]], TWO), "X and y must be separable by a hyperplane"),
    (lambda: perceptron.mistake_bound([[0.0], [0.0]], TWO, fit_intercept=False), "X and y must be separable"),
    (lambda: perceptron.vc_bound(0, 1, 0.1), "n must be a whole number >= 1, got 0; learn from at least"),
    (lambda: perceptron.vc_bound(1, 0, 0.1), "d_vc must be a whole number >= 1, got 0; a class that"),
    (lambda: perceptron.vc_bound(1, 1, 0.0), "delta must be a number > 0, got 0; it is the probability"),
]
DATA = {"X": np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]]), "y": np.array([-1.0, 1.0, -1.0])}
W0 = [0.0, 0.0, 0.0]
CALLS = {
    "column_basis": {"A": EYE},
    "cover_count": {"n": 3, "d": 2},
    "is_separable": DATA,
    "mistake_bound": DATA,
    "pla": {**DATA, "max_updates": 5, "w0": W0},
    "pla_steps": {**DATA, "w0": W0},
    "pocket": {**DATA, "n_iter": 5, "rng": 0, "w0": W0},
    "separable_probability": {"n": 3, "d": 2},
    "separated_points": {"A": EYE},
    "signed_points": DATA,
    "vc_bound": {"n": 9, "d_vc": 2, "delta": 0.1},
}
ACCEPTED = {"separated_points.A": {"sparse"}}

test_message_is_raised = refused(CASES)
test_border = swept(perceptron, CALLS, ACCEPTED)
