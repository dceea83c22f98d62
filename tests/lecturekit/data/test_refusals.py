"""What lecturekit.data refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

from lecturekit import data
from tests.support.border import swept
from tests.support.refusals import Case, refused

SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"

CASES: list[Case] = [
    (lambda: data.rings(1, rng=0), "n must be a whole number >= 2, got 1; draw at least one point a class"),
    (lambda: data.rings(4, rng=0, noise=-0.1), "noise must be a number >= 0, got -0.1; it is a standard"),
    (lambda: data.rings(4, rng=0, radii=(1.0,)), "radii must have shape (2,), got (1,); give one entry a"),
    (lambda: data.rings(4, rng=None), SEED_MESSAGE),
    (lambda: data.two_gaussians(1, rng=0), "n must be a whole number >= 2, got 1; draw at least one"),
    (lambda: data.two_gaussians(4, rng=0, gap=-1.0), "gap must be a number >= 0, got -1; it is a distance"),
    (lambda: data.two_gaussians(4, rng=None), SEED_MESSAGE),
    (lambda: data.histograms(0, 3, rng=0), "n must be a whole number >= 1, got 0; draw at least one"),
    (lambda: data.histograms(3, 0, rng=0), "bins must be a whole number >= 1, got 0; a histogram needs"),
    (lambda: data.histograms(3, 3, rng=0, empty=-0.5), "empty must be a number from 0 to 1, got -0.5; it"),
    (lambda: data.histograms(3, 3, rng=None), SEED_MESSAGE),
    (lambda: data.words("ab", -1), "longest must be a whole number >= 0, got -1; it is a length"),
    (lambda: data.digits(3, 10), "classes must be digits from 0 to 9, got 10; name the digits to keep"),
    (lambda: data.circle(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one point"),
    (lambda: data.circle(2, rng=0, noise=2.0), "noise must be a number from 0 to 1, got 2; it is a proba"),
    (lambda: data.circle(2, rng=0, radius2=0.0), "radius2 must be a number > 0, got 0; it is the square"),
    (lambda: data.circle(2, rng=None), SEED_MESSAGE),
    (lambda: data.credit(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one applicant"),
    (lambda: data.credit(2, rng=None), SEED_MESSAGE),
    (lambda: data.residence(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one appl"),
    (lambda: data.residence(2, rng=0, noise=-1.0), "noise must be a number >= 0, got -1; it is a stand"),
    (lambda: data.residence(2, rng=None), SEED_MESSAGE),
    (lambda: data.line_data(1, 2, rng=0), "n must be a whole number >= 2, got 1; draw at least one poi"),
    (lambda: data.line_data(2, 0, rng=0), "d must be a whole number >= 1, got 0; points need a feature"),
    (lambda: data.line_data(2, 2, rng=0, flip=-0.5), "flip must be a number from 0 to 1, got -0.5; it i"),
    (lambda: data.line_data(2, 2, rng=0, margin=-1.0), "margin must be a number >= 0, got -1; it is a d"),
    (lambda: data.line_data(2, 2, rng=None), SEED_MESSAGE),
    (lambda: data.line_data(2, 2, rng=0, margin=0.5), "margin must be below 0.5, got 0.5; there may be"),
    (lambda: data.linear_noise(0, 2, rng=0), "n must be a whole number >= 1, got 0; draw at least one"),
    (lambda: data.linear_noise(2, 0, rng=0), "d must be a whole number >= 1, got 0; points need a feat"),
    (lambda: data.linear_noise(2, 2, rng=0, sigma=-1.0), "sigma must be a number >= 0, got -1; it is a"),
    (lambda: data.linear_noise(2, 2, rng=None), SEED_MESSAGE),
    (lambda: data.linear_noise(2, 2, rng=0, w=[1.0]), "w must have shape (2,), got (1,); give one ent"),
    (lambda: data.linear_noise(2, 2, rng=0, b=None), "b must be a real number, got None; pass one real"),
    (lambda: data.noisy_sine(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one point"),
    (lambda: data.noisy_sine(2, rng=0, noise=-1.0), "noise must be a number >= 0, got -1; it is a stan"),
    (lambda: data.noisy_sine(2, rng=None), SEED_MESSAGE),
    (lambda: data.collinear_pair(2, 0.5, rng=0), "n must be a whole number >= 3, got 2; two uncorrelated"),
    (lambda: data.collinear_pair(3, 0.5, rng=None), SEED_MESSAGE),
    (lambda: data.collinear_pair(3, float("nan"), rng=0), "r must be a real number, got nan; pass a finite"),
    (lambda: data.collinear_pair(3, -2.0, rng=0), "r must be a number from -1 to 1, got -2.0; it is a"),
    (lambda: data.collinear_pair(3, 1.5, rng=0), "r must be a number from -1 to 1, got 1.5; it is a"),
    (lambda: data.ar1(0, 0.5, rng=0), "n must be a whole number >= 1, got 0; draw at least one term"),
    (lambda: data.ar1(2, 0.5, rng=0, sigma=-1.0), "sigma must be a number >= 0, got -1; it is a stand"),
    (lambda: data.ar1(2, 0.5, rng=None), SEED_MESSAGE),
    (lambda: data.ar1(2, float("nan"), rng=0), "rho must be a real number, got nan; pass a finite number"),
    (lambda: data.ar1(2, -1.0, rng=0), "rho must be between -1 and 1, got -1.0; else the noise grows"),
    (lambda: data.ar1(2, 1.0, rng=0), "rho must be between -1 and 1, got 1.0; else the noise grows"),
]

test_message_is_raised = refused(CASES)

CALLS: dict[str, dict[str, Any]] = {
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

test_border = swept(data, CALLS)
