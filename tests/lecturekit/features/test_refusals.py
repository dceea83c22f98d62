"""What lecturekit.features refuses, and in which words."""

import numpy as np

from lecturekit import features
from tests.support.border import swept
from tests.support.refusals import FLAT_MESSAGE, refused

NAN = float("nan")
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])

CASES = [
    (lambda: features.one_hot([]), "values and levels must not be empty, got none; a category needs a"),
    (lambda: features.one_hot(["a"], levels=[]), "values and levels must not be empty, got none; a"),
    (lambda: features.one_hot(["c"], levels=["a", "b"]), "values must be among the levels ['a', 'b']"),
    (lambda: features.impute_mean([[1.0, NAN]]), "each column of X must have an observed value, got none"),
    (lambda: features.impute_regression([[1.0]], sweeps=0), "sweeps must be a whole number >= 1, got 0"),
    (lambda: features.Standardizer.fit([[1.0], [1.0]]), "each column of X must vary, got a constant"),
    (lambda: features.Standardizer.fit([[1.0], [2.0]])([1.0, 2.0]), FLAT_MESSAGE),
    (lambda: features.Standardizer.fit([[1.0], [2.0]])(EYE), "X must have 1 columns, got 2; standardise"),
    (lambda: features.Standardizer(mean=TWO, scale=TWO), "mean and scale must be one a feature, scale > 0"),
    (lambda: features.Standardizer(mean=TWO, scale=[1.0]), "mean and scale must be one a feature, scale"),
    (lambda: features.Standardizer(mean=EYE, scale=TWO), "mean must be a vector of points on the line"),
    (lambda: features.Standardizer.fit([[1.0], [2.0]]).undo(EYE), "X must have 1 columns, got 2; standar"),
    (lambda: features.poly_dim(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    (lambda: features.poly_dim(2, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    (lambda: features.monomials(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    (lambda: features.vandermonde(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "),
    (lambda: features.legendre(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "),
    (lambda: features.orthogonal_polynomials(EYE, 1), "x must be a vector of points on the line, got sha"),
    (lambda: features.orthogonal_polynomials(TWO, 1, at=EYE), "at must be a vector of points on the"),
    (lambda: features.orthogonal_polynomials(TWO, 2), "x must have at least Q + 1 = 3 different values"),
    (lambda: features.indicator(EYE), "x must be a vector of points on the line, got shape (2, 2); ravel"),
    (lambda: features.indicator(TWO, 5, 1), "low must be below high, got 5 and 1; no x lies between them"),
    (lambda: features.transcendental(EYE, ["tan"]), "names must be among log, sqrt, sin, cos, exp, got"),
    (lambda: features.transcendental(EYE, ["log"]), "log needs larger inputs, got 0; shift the feature"),
    (lambda: features.transcendental(-EYE, ["sqrt"]), "sqrt needs larger inputs, got -1; shift the"),
    (lambda: features.intensity_symmetry(EYE, 0), "side must be a whole number >= 1, got 0; it counts pi"),
    (lambda: features.intensity_symmetry(EYE, 2), "images must have 4 columns, got 2; give their side"),
]
CALLS = {
    "Standardizer": {"mean": [0.0, 1.0], "scale": [1.0, 2.0], "X": [[1.0, 2.0], [3.0, 5.0]]},
    "augment": {"X": EYE},
    "impute_histogram": {"X": EYE, "rng": 0},
    "impute_mean": {"X": EYE},
    "impute_regression": {"X": EYE, "sweeps": 2},
    "indicator": {"x": TWO, "low": 0.0, "high": 2.0},
    "intensity_symmetry": {"images": [[1.0]], "side": 1},
    "legendre": {"x": TWO, "Q": 1},
    "monomial_names": {"d": 2, "Q": 1},
    "monomials": {"d": 2, "Q": 1},
    "one_hot": {"values": [1, 2], "levels": [1, 2, 3]},
    "orthogonal_polynomials": {"x": TWO, "Q": 1, "at": TWO},
    "poly_dim": {"d": 2, "Q": 1},
    "polynomial": {"X": EYE, "Q": 1},
    "transcendental": {"X": EYE + 1},
    "vandermonde": {"x": TWO, "Q": 1},
}
NO_POINTS = {"empty", "short"}  # as many rows as there are points
ACCEPTED = {
    "impute_histogram.X": {"nan"},  # a hole
    "impute_mean.X": {"nan"},
    "impute_regression.X": {"nan"},
    **dict.fromkeys(["indicator.x", "legendre.x", "vandermonde.x", "orthogonal_polynomials.at"], NO_POINTS),
    "indicator.high": {"inf"},  # an open end
    "one_hot.levels": {"strings", "datetimes", "objects"},  # a level is any value
}

test_message_is_raised = refused(CASES)
test_border = swept(features, CALLS, ACCEPTED)
