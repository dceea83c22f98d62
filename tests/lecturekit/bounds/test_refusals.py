"""What lecturekit.bounds refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import bounds
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
FAIL_MESSAGE = "{} must be a number between 0 and 1, got {}; it is the probability that the bound fails"
SAMPLE_MESSAGE = "m must be a whole number >= 1, got 0; a mean needs at least one value"
OFF_MESSAGE = "eps must be a number > 0, got 0; every mean is off by 0 or more"
EXACT_MESSAGE = "eps must be a number > 0, got 0; exactness takes infinitely many values"
SPREAD_MESSAGE = "variance must be a number >= 0, got -0.1; pass the square of the standard deviation"

CASES: list[Case] = [
    (lambda: bounds.hoeffding_n(1e-200, 0.1), "eps must be larger, got one that takes inf values; allow"),
    (lambda: bounds.bernstein_n(1e-200, 0.1, 0.1), "eps must be larger, got one that takes inf values"),
    (lambda: bounds.chebyshev_n(1.0, 1e-200, 0.1), "eps must be larger, got one that takes inf values;"),
    (lambda: bounds.binomial_tail(1, 2, 0.5, side="both"), "side must be 'upper' or 'lower', got 'both'"),
    (lambda: bounds.binomial_tail(NAN, 2, 0.5), "t must be a real number, got nan; pass a finite number"),
    (lambda: bounds.binomial_tail(1, 0, 0.5), "m must be a whole number >= 1, got 0; there is at least"),
    (lambda: bounds.binomial_tail(1, 2, 2.0), "p must be a number from 0 to 1, got 2; it is a"),
    (lambda: bounds.binomial_deviation(0, 0.5, 0.1), "m must be a whole number >= 1, got 0; there is at"),
    (lambda: bounds.binomial_deviation(9, 1.1, 0.1), "p must be a number from 0 to 1, got 1.1; it is"),
    (lambda: bounds.binomial_deviation(9, 0.5, 0.0), "eps must be a number > 0, got 0; every share is"),
    (lambda: bounds.binomial_deviation(9, 0.5, 0.1, sides=3), "sides must be 1 or 2, got 3; 1 counts"),
    (lambda: bounds.poisson_binomial_pmf([-0.1]), "p must hold numbers from 0 to 1, got -0.1; they are"),
    (lambda: bounds.simulate_counts([2.0], 3, rng=0), "p must hold numbers from 0 to 1, got 2; they are"),
    (lambda: bounds.simulate_counts([0.5], 3, rng=None), SEED_MESSAGE),
    (lambda: bounds.simulate_counts([0.5], 0, rng=0), "repetitions must be a whole number >= 1, got 0"),
    (
        lambda: bounds.simulate_means(np.random.Generator.random, 0, 3, rng=0),
        "m must be a whole number >= 1, got 0; a mean needs at least one value",
    ),
    (
        lambda: bounds.simulate_means(np.random.Generator.random, 2, 0, rng=0),
        "repetitions must be a whole number >= 1, got 0; simulate at least once",
    ),
    (lambda: bounds.simulate_means(np.random.Generator.random, 2, 3, rng=None), SEED_MESSAGE),
    (
        lambda: bounds.simulate_means(lambda rng, shape: rng.random(4), 2, 3, rng=0),
        "draw must return shape (3, 2), got (4,); use the shape it is given",
    ),
    (lambda: bounds.chernoff_exponent("1"), "delta must be a real number, got '1'; pass one real"),
    (lambda: bounds.chernoff_exponent(-1.5), "delta must be a number >= -1, got -1.5; a count is never"),
    (lambda: bounds.chernoff_exponent(1.0, "exact"), "form must be 'sharp' or 'simple', got 'exact'"),
    (lambda: bounds.chernoff_upper(-1.0, 0.5), "p must be a number >= 0, got -1; it is an expected"),
    (lambda: bounds.chernoff_upper([2.0], 0.5), "p must hold numbers from 0 to 1, got 2; they are"),
    (lambda: bounds.chernoff_upper([0.5], -0.5), "delta must be a number > 0, got -0.5; for fewer"),
    (lambda: bounds.chernoff_lower([0.5], -0.5), "delta must be a number > 0, got -0.5; for more"),
    (lambda: bounds.chernoff_lower([0.5], 1.5), "delta must be at most 1, got 1.5; a count is never"),
    (lambda: bounds.chernoff_count(0.1, 0.1, side="both"), "side must be 'upper' or 'lower', got 'both'"),
    (lambda: bounds.chernoff_count(0.0, 0.1), "delta must be a number > 0, got 0; every count is off by"),
    (lambda: bounds.chernoff_count(0.1, 1.0), FAIL_MESSAGE.format("fail", 1)),
    (lambda: bounds.hoeffding_lemma(NAN), "lam must be a real number, got nan; pass a finite number"),
    (lambda: bounds.hoeffding(5, 0.1, NAN), "a must be a real number, got nan; pass a finite number"),
    (lambda: bounds.hoeffding(5, 0.1, 1.0, 1.0), "b must be above a, got a=1 and b=1; the values lie"),
    (lambda: bounds.hoeffding(5, 0.1, -1e308, 1e308), "b - a must be a real number, got inf; pass a"),
    (lambda: bounds.hoeffding(5, 0.1, sides=0), "sides must be 1 or 2, got 0; 1 bounds means above mu"),
    (lambda: bounds.hoeffding(0, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.hoeffding(5, 0.0), OFF_MESSAGE),
    (lambda: bounds.hoeffding_n(0.1, 2.0), FAIL_MESSAGE.format("delta", 2)),
    (lambda: bounds.hoeffding_n(0.0, 0.1), EXACT_MESSAGE),
    (lambda: bounds.hoeffding_eps(0, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.finite_class_eps(5, 0, 0.1), "n_hypotheses must be a whole number >= 1, got 0;"),
    (lambda: bounds.finite_class_eps(0, 3, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.bennett(0, 0.1, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.bennett(5, 0.0, 0.1), OFF_MESSAGE),
    (lambda: bounds.bernstein(0, 0.1, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.bernstein(5, 0.0, 0.1), OFF_MESSAGE),
    (lambda: bounds.bernstein(5, 0.1, -0.1), SPREAD_MESSAGE),
    (lambda: bounds.bernstein_n(0.0, 0.1, 0.1), EXACT_MESSAGE),
    (lambda: bounds.bernstein_eps(0, 0.1, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.empirical_bernstein_eps(1, 0.1, 0.1), "m must be a whole number >= 2, got 1; a"),
    (lambda: bounds.markov(-1.0, 1.0), "mean must be a number >= 0, got -1; the variable must not be"),
    (lambda: bounds.markov(1.0, 0.0), "a must be a number > 0, got 0; every non-negative variable"),
    (lambda: bounds.chebyshev(1.0, 0.0), "eps must be a number > 0, got 0; every variable is off by 0"),
    (lambda: bounds.chebyshev(1.0, 1.0, 0), SAMPLE_MESSAGE),
    (lambda: bounds.chebyshev_n(1.0, 0.0, 0.1), EXACT_MESSAGE),
    (lambda: bounds.chebyshev_n(1.0, 1.0, 0.0), FAIL_MESSAGE.format("delta", 0)),
    (lambda: bounds.chebyshev_eps(1.0, 0, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.chebyshev_eps(1.0, 1, 1.0), FAIL_MESSAGE.format("delta", 1)),
]

test_message_is_raised = refused(CASES)

MEAN = {"m": 5, "eps": 0.1}
RANGE = {"a": 0.0, "b": 1.0, "sides": 2}
CALLS: dict[str, dict[str, Any]] = {
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

test_border = swept(bounds, CALLS, ACCEPTED)
