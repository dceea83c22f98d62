"""What lecturekit.features refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit import (
    features,
)
from tests.support.refusals import Case, refused

NAN = float("nan")
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES: list[Case] = [
    (lambda: features.one_hot([]), "values and levels must not be empty, got none; a category needs a"),
    (lambda: features.one_hot(["c"], levels=["a", "b"]), "values must be among the levels ['a', 'b']"),
    (lambda: features.impute_mean([1.0, NAN]), FLAT_MESSAGE),
    (lambda: features.impute_mean([[1.0, NAN]]), "each column of X must have an observed value, got none"),
    (lambda: features.impute_histogram([[1.0]], rng=None), SEED_MESSAGE),
    (lambda: features.impute_regression([[1.0]], sweeps=0), "sweeps must be a whole number >= 1, got 0"),
    (lambda: features.Standardizer.fit([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: features.Standardizer.fit([[1.0], [1.0]]), "each column of X must vary, got a constant"),
    (lambda: features.Standardizer.fit([[1.0], [2.0]])([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: features.Standardizer.fit([[1.0], [2.0]])(EYE), "X must have 1 columns, got 2; standardise"),
    (lambda: features.augment([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: features.poly_dim(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    (lambda: features.poly_dim(2, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    (lambda: features.monomials(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    (lambda: features.monomials(2, 1.5), "Q must be a whole number >= 0, got 1.5; it is a degree"),
    (lambda: features.polynomial([1.0, 2.0], 2), FLAT_MESSAGE),
    (lambda: features.polynomial(EYE, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    (lambda: features.vandermonde(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "),
    (lambda: features.vandermonde(TWO, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    (lambda: features.legendre(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "),
    (lambda: features.legendre(TWO, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    (lambda: features.orthogonal_polynomials(EYE, 1), "x must be a vector of points on the line, got sha"),
    (lambda: features.orthogonal_polynomials(TWO, -1), "Q must be a whole number >= 0, got -1; it is a d"),
    (lambda: features.orthogonal_polynomials(TWO, 1, at=EYE), "at must be a vector of points on the"),
    (lambda: features.orthogonal_polynomials(TWO, 2), "x must have at least Q + 1 = 3 different values"),
    (lambda: features.indicator(EYE), "x must be a vector of points on the line, got shape (2, 2); ravel"),
    (lambda: features.indicator(TWO, 5, 1), "low must be below high, got 5 and 1; no x lies between them"),
    (lambda: features.transcendental([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: features.transcendental(EYE, ["tan"]), "names must be among log, sqrt, sin, cos, exp, got"),
    (lambda: features.transcendental(EYE, ["log"]), "log needs larger inputs, got 0; shift the feature"),
    (lambda: features.intensity_symmetry([1.0], 1), "images must be a matrix of shape (n, d), got shape"),
    (lambda: features.intensity_symmetry(EYE, 0), "side must be a whole number >= 1, got 0; it counts pi"),
    (lambda: features.intensity_symmetry(EYE, 2), "images must have 4 columns, got 2; give their side"),
]

test_message_is_raised = refused(CASES)
