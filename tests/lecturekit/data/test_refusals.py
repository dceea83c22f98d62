"""What lecturekit.data refuses, and in which words."""

from lecturekit import data
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

CALLS = {
    "ar1": {"n": 3, "rho": 0.5, "rng": 0, "sigma": 1.0},
    "breast_cancer": {},
    "circle": {"n": 3, "rng": 0, "noise": 0.1, "radius2": 0.5},
    "collinear_pair": {"n": 3, "r": 0.5, "rng": 0},
    "credit": {"n": 3, "rng": 0},
    "diabetes": {},
    "digit_features": {},
    "digits": {},
    "histograms": {"n": 3, "bins": 2, "rng": 0, "empty": 0.1},
    "line_data": {"n": 3, "d": 2, "rng": 0, "flip": 0.1, "margin": 0.1},
    "linear_noise": {"n": 3, "d": 2, "rng": 0, "sigma": 1.0, "w": [1.0, 2.0], "b": 1.0},
    "noisy_sine": {"n": 3, "rng": 0, "noise": 0.1},
    "residence": {"n": 3, "rng": 0, "noise": 0.1},
    "rings": {"n": 3, "rng": 0, "radii": (1.0, 2.0), "noise": 0.1},
    "two_gaussians": {"n": 3, "rng": 0, "gap": 1.0},
    "words": {"alphabet": "ab", "longest": 2},
}
SINGLE = "ar1 circle credit histograms linear_noise noisy_sine residence"

ROWS = [
    (SINGLE, {"n": 0}, "n must be a whole number >= 1, got 0; draw at least one"),
    ("rings two_gaussians line_data", {"n": 1}, "n must be a whole number >= 2, got 1; draw at least one po"),
    ("collinear_pair", {"n": 2}, "n must be a whole number >= 3, got 2; two uncorrelated"),
    ("line_data linear_noise", {"d": 0}, "d must be a whole number >= 1, got 0; points need a feature"),
    ("histograms", {"bins": 0}, "bins must be a whole number >= 1, got 0; a histogram needs"),
    ("words", {"longest": -1}, "longest must be a whole number >= 0, got -1; it is a length"),
    ("rings residence noisy_sine", {"noise": -0.1}, "noise must be a number >= 0, got -0.1; it is a standar"),
    ("linear_noise ar1", {"sigma": -1.0}, "sigma must be a number >= 0, got -1; it is a standard"),
    ("two_gaussians", {"gap": -1.0}, "gap must be a number >= 0, got -1; it is a distance"),
    ("line_data", {"margin": -1.0}, "margin must be a number >= 0, got -1; it is a distance"),
    ("line_data", {"margin": 0.5}, "margin must be below 0.5, got 0.5; there may be"),
    ("circle", {"radius2": 0.0}, "radius2 must be a number > 0, got 0; it is the square"),
    ("circle", {"noise": 2.0}, "noise must be a number from 0 to 1, got 2; it is a proba"),
    ("histograms", {"empty": -0.5}, "empty must be a number from 0 to 1, got -0.5; it"),
    ("line_data", {"flip": -0.5}, "flip must be a number from 0 to 1, got -0.5; it i"),
    ("collinear_pair", {"r": -2.0}, "r must be a number from -1 to 1, got -2.0; it is a"),
    ("collinear_pair", {"r": 1.5}, "r must be a number from -1 to 1, got 1.5; it is a"),
    ("ar1", {"rho": -1.0}, "rho must be between -1 and 1, got -1.0; else the noise grows"),
    ("ar1", {"rho": 1.0}, "rho must be between -1 and 1, got 1.0; else the noise grows"),
]
NO_DIGITS = [
    (lambda it=it: data.digits(1, it), f"classes must be digits from 0 to 9, got {it!r}; name the")
    for it in (10, -1, "3", 2.5, None, True)
]
CASES = spoilt(data, CALLS, ROWS) + NO_DIGITS

test_message_is_raised = refused(CASES)
test_border = swept(data, CALLS)
