"""What lecturekit.bias_variance refuses, and in which words."""

from collections.abc import Callable

import numpy as np

from lecturekit import bias_variance
from lecturekit._typing import Array
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

EYE, TWO = np.eye(2), np.array([-1.0, 1.0])


def draw_zeros(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    return np.zeros((n, 1)), np.zeros(n)


def mean_of(X: Array, y: Array) -> Callable[[Array], Array]:
    return lambda Z: np.full(len(Z), y.mean())


SIZES = {"sizes": [2, 3], "n_sets": 2, "rng": 0}
CALLS = {
    "decompose": {"fits": EYE, "f": TWO, "weights": [1.0, 2.0], "sigma": 1.0},
    "learning_curve": {"sample": draw_zeros, "learner": mean_of, **SIZES, "n_test": 2},
    "majority": {"p": 0.5, "m": 3},
    "ols_errors": {"n": [4, 5], "d": 1, "sigma": 1.0},
    "polynomial_curve": {"f": np.sin, "degree": 1, **SIZES, "sigma": 1.0},
    "polynomial_draws": {"f": np.sin, "n": 3, "degree": 1, "n_sets": 2, "rng": 0, "sigma": 1.0, "chunk": 1},
    "polynomial_fits": {"X": EYE, "y": EYE, "degree": 1, "at": [0.5, 1.0, 0.0], "chunk": 1},
    "ridge_smoother": {"X": EYE, "lam": 1.0, "at": EYE},
    "sine_experiment": {"n": 2, "degree": 1, "nodes": 5},
    "smoother_decomposition": {"S": EYE, "f": TWO, "sigma": 1.0, "f_at": TWO, "weights": [1.0, 2.0]},
    "vote_decomposition": {"votes": [TWO, TWO], "y": TWO, "weights": [1.0, 2.0], "flip": 0.1},
}
ACCEPTED = {"polynomial_fits.at": {"empty"}}  # no points, no predictions

ROWS = [
    ("polynomial_fits", {"X": 2 * EYE}, "X must lie in [-1, 1], got 2 in absolute"),
    ("polynomial_fits", {"y": [[1.0, 2.0]]}, "y must have the shape of X (2, 2), got"),
    ("polynomial_fits polynomial_draws", {"chunk": 0}, "chunk must be a whole number >= 1"),
    ("polynomial_fits polynomial_draws", {"degree": -1}, "degree must be a whole number >= 0, got -1"),
    ("sine_experiment", {"degree": -1}, "degree must be a whole number >= 0, got -1; 0 is for constants, 1"),
    ("sine_experiment", {"degree": 2}, "degree must be 0 or 1, got 2; simulate others with polynomial_draws"),
    ("sine_experiment", {"n": 1}, "n must be a whole number >= 2, got 1; a line needs two points, a"),
    ("sine_experiment", {"n": 13}, "n must be at most 12 for lines, got 13; use polynomial_draws"),
    ("sine_experiment", {"nodes": 1}, "nodes must be a whole number >= 2, got 1; a quadrature"),
    ("polynomial_draws", {"n": 0}, "n must be a whole number >= 1, got"),
    ("polynomial_draws polynomial_curve learning_curve", {"n_sets": 0}, "n_sets must be a whole number >= 1"),
    ("polynomial_draws decompose smoother_decomposition", {"sigma": -1.0}, "sigma must be a number >= 0, go"),
    ("ridge_smoother", {"lam": -1.0}, "lam must be a number >= 0, got -1; a negative penalty rewards"),
    ("ridge_smoother", {"at": [[1.0]]}, "X and Z must have the same number of columns, got 2 and"),
    ("learning_curve", {"sizes": [0]}, "sizes must be a whole number >= 1, got 0"),
    ("learning_curve", {"n_test": 0}, "n_test must be a whole number >= 1, got 0; test on at least one poin"),
    ("ols_errors", {"d": -1}, "d must be a whole number >= 0, got -1; zero fits a constant"),
    ("ols_errors", {"sigma": 0.0}, "sigma must be a number > 0, got 0; without noise the fit is"),
    ("ols_errors", {"n": [5, 3], "d": 3}, "n must be a whole number >= 4, got 3; with fewer points than"),
    ("ols_errors", {"n": []}, "n must hold at least one size, got none; name the sizes of data sets"),
    ("decompose", {"fits": [[1.0]]}, "fits must have a column for each of the 2 points of f, got"),
    ("decompose", {"fits": iter([])}, "fits must hold at least one fit, got an empty iterator; draw"),
    ("decompose", {"weights": [-1.0, 2.0]}, "weights must be >= 0 with a"),
    ("smoother_decomposition", {"S": EYE[:1], "f_at": None}, "f_at must have shape (1,), got (2,)"),
    ("vote_decomposition", {"votes": [[0, 1]]}, "votes must contain only -1 and +1; map 0/1 votes"),
    ("vote_decomposition", {"y": [0, 1]}, "y must contain only -1 and +1, got [0.0, 1.0]; map"),
    ("vote_decomposition", {"flip": 2.0}, "flip must be a number from 0 to 1, got 2; it is"),
    ("majority", {"p": 2.0}, "p must be a number from 0 to 1, got 2; it is a probability"),
    ("majority", {"m": 0}, "m must be a whole number >= 1, got 0; there must be a vote"),
    ("majority", {"m": 2}, "m must be odd, got 2; an even number of votes may tie"),
]
CASES = spoilt(bias_variance, CALLS, ROWS)

test_message_is_raised = refused(CASES)
test_border = swept(bias_variance, CALLS, ACCEPTED)
