"""What lecturekit.bounds refuses, and in which words."""

import numpy as np

from lecturekit import bounds
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

MEAN = {"m": 5, "eps": 0.1}
RANGE = {"a": 0.0, "b": 1.0, "sides": 2}
CALLS = {
    "bennett": {**MEAN, "variance": 0.1, **RANGE},
    "bernstein": {**MEAN, "variance": 0.1, **RANGE},
    "bernstein_eps": {"m": 5, "delta": 0.1, "variance": 0.1, **RANGE},
    "bernstein_n": {"eps": 0.1, "delta": 0.1, "variance": 0.1, **RANGE},
    "binomial_deviation": {**MEAN, "p": 0.5, "sides": 1},
    "binomial_tail": {"t": 2.0, "m": 5, "p": 0.5},
    "chebyshev": {**MEAN, "variance": 1.0},
    "chebyshev_eps": {"variance": 1.0, "m": 5, "delta": 0.1},
    "chebyshev_n": {"variance": 1.0, "eps": 0.1, "delta": 0.1},
    "chernoff_count": {"delta": 0.1, "fail": 0.1},
    "chernoff_exponent": {"delta": 0.1},
    "chernoff_lower": {"p": [0.5, 0.2], "delta": 0.1},
    "chernoff_upper": {"p": 0.7, "delta": 0.1},
    "empirical_bernstein_eps": {"m": 5, "delta": 0.1, "variance": 0.1, **RANGE},
    "finite_class_eps": {"m": 5, "n_hypotheses": 3, "delta": 0.1, "a": 0.0, "b": 1.0},
    "hoeffding": {**MEAN, **RANGE},
    "hoeffding_eps": {"m": 5, "delta": 0.1, **RANGE},
    "hoeffding_lemma": {"lam": 1.0, "a": 0.0, "b": 1.0},
    "hoeffding_n": {"eps": 0.1, "delta": 0.1, **RANGE},
    "markov": {"mean": 1.0, "a": 2.0},
    "poisson_binomial_pmf": {"p": [0.5, 0.2]},
    "poisson_binomial_tail": {"t": 1.0, "p": [0.5, 0.2]},
    "simulate_counts": {"p": [0.5, 0.2], "repetitions": 3, "rng": 0},
    "simulate_means": {"draw": np.random.Generator.random, "m": 2, "repetitions": 3, "rng": 0},
}
ACCEPTED = {"chernoff_upper.p": {"lists"}}  # a vector of probabilities
MEANS = "bennett bernstein bernstein_eps chebyshev chebyshev_eps finite_class_eps hoeffding hoeffding_eps"

ROWS = [
    (f"{MEANS} simulate_means", {"m": 0}, "m must be a whole number >= 1, got 0; a mean needs at least one"),
    ("empirical_bernstein_eps", {"m": 1}, "m must be a whole number >= 2, got 1; a"),
    ("binomial_tail binomial_deviation", {"m": 0}, "m must be a whole number >= 1, got 0; there is at least"),
    ("binomial_tail binomial_deviation", {"p": 2.0}, "p must be a number from 0 to 1, got 2; it is a"),
    ("poisson_binomial_pmf", {"p": [-0.1]}, "p must hold numbers from 0 to 1, got -0.1; they are"),
    ("simulate_counts chernoff_upper", {"p": [2.0]}, "p must hold numbers from 0 to 1, got 2; they are"),
    ("chernoff_upper", {"p": -1.0}, "p must be a number >= 0, got -1; it is an expected"),
    ("simulate_counts simulate_means", {"repetitions": 0}, "repetitions must be a whole number >= 1, got 0"),
    ("simulate_means", {"draw": lambda rng, shape: rng.random(4)}, "draw must return shape (3, 2), got (4,)"),
    ("binomial_tail chernoff_count", {"side": "both"}, "side must be 'upper' or 'lower', got 'both'"),
    ("chernoff_exponent", {"form": "exact"}, "form must be 'sharp' or 'simple', got 'exact'"),
    ("binomial_deviation", {"sides": 3}, "sides must be 1 or 2, got 3; 1 counts"),
    ("hoeffding", {"sides": 0}, "sides must be 1 or 2, got 0; 1 bounds means above mu"),
    ("hoeffding_n bernstein_n chebyshev_n", {"eps": 1e-200}, "eps must be larger, got one that takes inf"),
    ("hoeffding_n bernstein_n chebyshev_n", {"eps": 0.0}, "eps must be a number > 0, got 0; exactness takes"),
    ("hoeffding bennett bernstein", {"eps": 0.0}, "eps must be a number > 0, got 0; every mean is off by"),
    ("binomial_deviation", {"eps": 0.0}, "eps must be a number > 0, got 0; every share is"),
    ("chebyshev", {"eps": 0.0}, "eps must be a number > 0, got 0; every variable is off by 0"),
    ("hoeffding_n chebyshev_n chebyshev_eps", {"delta": 1.0}, "delta must be a number between 0 and 1, got"),
    ("chebyshev_n", {"delta": 0.0}, "delta must be a number between 0 and 1, got 0; it is the probability"),
    ("chernoff_count", {"fail": 1.0}, "fail must be a number between 0 and 1, got 1; it is the probability"),
    ("chernoff_exponent", {"delta": -1.5}, "delta must be a number >= -1, got -1.5; a count is never"),
    ("chernoff_upper", {"delta": -0.5}, "delta must be a number > 0, got -0.5; for fewer"),
    ("chernoff_lower", {"delta": -0.5}, "delta must be a number > 0, got -0.5; for more"),
    ("chernoff_lower", {"delta": 1.5}, "delta must be at most 1, got 1.5; a count is never"),
    ("chernoff_count", {"delta": 0.0}, "delta must be a number > 0, got 0; every count is off by"),
    ("hoeffding", {"a": 1.0}, "b must be above a, got a=1 and b=1; the values lie"),
    ("hoeffding", {"a": -1e308, "b": 1e308}, "b - a must be a real number, got inf; pass a"),
    ("finite_class_eps", {"n_hypotheses": 0}, "n_hypotheses must be a whole number >= 1, got 0;"),
    ("bernstein", {"variance": -0.1}, "variance must be a number >= 0, got -0.1; pass the square of"),
    ("markov", {"mean": -1.0}, "mean must be a number >= 0, got -1; the variable must not be"),
    ("markov", {"a": 0.0}, "a must be a number > 0, got 0; every non-negative variable"),
]
CASES = spoilt(bounds, CALLS, ROWS)

test_message_is_raised = refused(CASES)
test_border = swept(bounds, CALLS, ACCEPTED)
