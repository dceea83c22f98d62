"""What lecturekit.bias_variance refuses, and in which words."""

# mypy: ignore-errors

from collections.abc import Callable
from typing import Any

import numpy as np

from lecturekit import bias_variance
from lecturekit._typing import Array
from lecturekit.bias_variance import (
    decompose,
    learning_curve,
    majority,
    ols_errors,
    polynomial_curve,
    polynomial_draws,
    polynomial_fits,
    ridge_smoother,
    sine_experiment,
    smoother_decomposition,
    vote_decomposition,
)
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])


def draw_zeros(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    return np.zeros((n, 1)), np.zeros(n)


def mean_of(X: Array, y: Array) -> Callable[[Array], Array]:
    return lambda Z: np.full(len(Z), y.mean())


CASES: list[Case] = [
    (lambda: polynomial_fits([1.0, 2.0], [[1.0]], 1, [0.0]), FLAT_MESSAGE),
    (lambda: polynomial_fits([[2.0]], [[1.0]], 0, [0.0]), "X must lie in [-1, 1], got 2 in absolute"),
    (lambda: polynomial_fits([[1.0]], [[NAN]], 0, [0.0]), "y must be finite, got 1 NaN"),
    (lambda: polynomial_fits([[1.0]], [[1.0, 2.0]], 0, [0.0]), "y must have the shape of X (1, 1), got"),
    (lambda: polynomial_fits([[1.0]], [[1.0]], -1, [0.0]), "degree must be a whole number >= 0, got -1"),
    (lambda: polynomial_fits([[1.0]], [[1.0]], 0, [[0.0]]), "at must be a vector of points on the line"),
    (lambda: polynomial_fits([[1.0]], [[1.0]], 0, [0.0], chunk=0), "chunk must be a whole number >= 1"),
    (lambda: next(polynomial_draws(np.sin, 0, 1, n_sets=1, rng=0)), "n must be a whole number >= 1, got"),
    (lambda: next(polynomial_draws(np.sin, 1, -1, n_sets=1, rng=0)), "degree must be a whole number >="),
    (lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=0, rng=0)), "n_sets must be a whole number >= 1"),
    (lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=0, sigma=-1.0)), "sigma must be a number"),
    (lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=0, chunk=0)), "chunk must be a whole"),
    (lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=None)), SEED_MESSAGE),
    (lambda: ridge_smoother([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: ridge_smoother(EYE, -1.0), "lam must be a number >= 0, got -1; a negative penalty rewards"),
    (lambda: ridge_smoother(EYE, at=[[NAN, 1.0]]), "at must be finite, got 1 NaN"),
    (lambda: ridge_smoother(EYE, at=[[1.0]]), "X and Z must have the same number of columns, got 2 and"),
    (lambda: sine_experiment(2, -1), "degree must be a whole number >= 0, got -1; 0 is for constants, 1"),
    (lambda: sine_experiment(2, 2), "degree must be 0 or 1, got 2; simulate others with polynomial_draws"),
    (lambda: sine_experiment(1, 1), "n must be a whole number >= 2, got 1; a line needs two points, a"),
    (lambda: sine_experiment(13, 1), "n must be at most 12 for lines, got 13; use polynomial_draws"),
    (lambda: sine_experiment(2, 1, nodes=1), "nodes must be a whole number >= 2, got 1; a quadrature"),
    (
        lambda: learning_curve(draw_zeros, mean_of, [0], n_sets=1, rng=0),
        "sizes must be a whole number >= 1, got 0",
    ),
    (lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=0, rng=0), "n_sets must be a whole number"),
    (
        lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=1, rng=0, n_test=0),
        "n_test must be a whole number >= 1, got 0; test on at least one point",
    ),
    (lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=1, rng=None), SEED_MESSAGE),
    (lambda: polynomial_curve(np.sin, 1, [3], n_sets=0, rng=0), "n_sets must be a whole number >= 1, got"),
    (lambda: polynomial_curve(np.sin, 1, [3], n_sets=1, rng=None), SEED_MESSAGE),
    (lambda: ols_errors(5, -1), "d must be a whole number >= 0, got -1; zero fits a constant"),
    (lambda: ols_errors(5, 1, sigma=0.0), "sigma must be a number > 0, got 0; without noise the fit is"),
    (lambda: ols_errors([5, 3], 3), "n must be a whole number >= 4, got 3; with fewer points than"),
    (lambda: decompose([[1.0]], [[1.0]]), "f must be a vector of points on the line, got shape (1, 1)"),
    (lambda: decompose([[1.0]], [1.0], sigma=-1.0), "sigma must be a number >= 0, got -1; it is a"),
    (lambda: ols_errors([], 1), "n must hold at least one size, got none; name the sizes of data sets"),
    (lambda: decompose([[NAN]], [1.0]), "fits must be finite, got 1 NaN"),
    (lambda: decompose([[1.0, 2.0]], [1.0]), "fits must have a column for each of the 1 points of f, got"),
    (lambda: decompose(iter([]), [1.0]), "fits must hold at least one fit, got an empty iterator; draw"),
    (lambda: decompose([[1.0]], [1.0], weights=[1.0, 2.0]), "weights must have shape (1,), got (2,)"),
    (lambda: decompose([[1.0, 1.0]], [1.0, 1.0], weights=[-1.0, 2.0]), "weights must be >= 0 with a"),
    (lambda: smoother_decomposition([1.0], [1.0], 1.0), "S must be a matrix of shape (n, d)"),
    (lambda: smoother_decomposition(EYE, [1.0], 1.0), "f must have shape (2,), got (1,); give one entry"),
    (lambda: smoother_decomposition(EYE[:1], [1.0, 2.0], 1.0), "f_at must have shape (1,), got (2,)"),
    (lambda: smoother_decomposition(EYE, [1.0, 2.0], -1.0), "sigma must be a number >= 0, got -1; it is"),
    (lambda: vote_decomposition([1.0], [1.0]), "votes must be a matrix of shape (n, d)"),
    (lambda: vote_decomposition([[0, 1]], [1, 1]), "votes must contain only -1 and +1; map 0/1 votes"),
    (lambda: vote_decomposition([[1, 1]], [0, 1]), "y must contain only -1 and +1, got [0.0, 1.0]; map"),
    (lambda: vote_decomposition([[1]], [1], flip=2.0), "flip must be a number from 0 to 1, got 2; it is"),
    (lambda: majority(2.0, 3), "p must be a number from 0 to 1, got 2; it is a probability"),
    (lambda: majority(0.5, 0), "m must be a whole number >= 1, got 0; there must be a vote"),
    (lambda: majority(0.5, 2), "m must be odd, got 2; an even number of votes may tie"),
]

test_message_is_raised = refused(CASES)

SIZES: dict[str, Any] = {"sizes": [2, 3], "n_sets": 2, "rng": 0}
CALLS: dict[str, dict[str, Any]] = {
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

test_border = swept(bias_variance, CALLS, ACCEPTED)
