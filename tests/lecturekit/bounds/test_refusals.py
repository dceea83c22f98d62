"""What lecturekit.bounds refuses, and in which words."""

# mypy: ignore-errors

from lecturekit import (
    bounds,
)
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
    (lambda: bounds.finite_class_n(1e-200, 3, 0.1), "eps must be larger, got one that takes inf values"),
    (lambda: bounds.bernstein_n(1e-200, 0.1, 0.1), "eps must be larger, got one that takes inf values"),
    (lambda: bounds.empirical_bernstein_n(1e-200, 0.1, 0.1), "eps must be larger, got one that takes inf"),
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
        lambda: bounds.simulate_means(lambda rng, shape: rng.random(shape), 0, 3, rng=0),
        "m must be a whole number >= 1, got 0; a mean needs at least one value",
    ),
    (
        lambda: bounds.simulate_means(lambda rng, shape: rng.random(shape), 2, 0, rng=0),
        "repetitions must be a whole number >= 1, got 0; simulate at least once",
    ),
    (lambda: bounds.simulate_means(lambda rng, shape: rng.random(shape), 2, 3, rng=None), SEED_MESSAGE),
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
    (lambda: bounds.chernoff_delta([0.0], 0.1), "p must be a number > 0, got 0; where nothing is"),
    (lambda: bounds.chernoff_delta([0.5], 0.0), FAIL_MESSAGE.format("fail", 0)),
    (lambda: bounds.chernoff_delta([0.5], 0.1, form="exact"), "form must be 'sharp' or 'simple', got"),
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
    (lambda: bounds.finite_class(5, 0.1, 0), "n_hypotheses must be a whole number >= 1, got 0; there is"),
    (lambda: bounds.finite_class(0, 0.1, 3), SAMPLE_MESSAGE),
    (lambda: bounds.finite_class_n(0.1, 0, 0.1), "n_hypotheses must be a whole number >= 1, got 0;"),
    (lambda: bounds.finite_class_n(0.0, 3, 0.1), EXACT_MESSAGE),
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
    (lambda: bounds.empirical_bernstein(1, 0.1, 0.1), "m must be a whole number >= 2, got 1; a sample"),
    (lambda: bounds.empirical_bernstein(5, 0.0, 0.1), OFF_MESSAGE),
    (lambda: bounds.empirical_bernstein_n(0.0, 0.1, 0.1), EXACT_MESSAGE),
    (lambda: bounds.markov(-1.0, 1.0), "mean must be a number >= 0, got -1; the variable must not be"),
    (lambda: bounds.markov(1.0, 0.0), "a must be a number > 0, got 0; every non-negative variable"),
    (lambda: bounds.chebyshev(-0.1, 1.0), SPREAD_MESSAGE),
    (lambda: bounds.chebyshev(1.0, 0.0), "eps must be a number > 0, got 0; every variable is off by 0"),
    (lambda: bounds.chebyshev(1.0, 1.0, 0), SAMPLE_MESSAGE),
    (lambda: bounds.chebyshev_n(-0.1, 1.0, 0.1), SPREAD_MESSAGE),
    (lambda: bounds.chebyshev_n(1.0, 0.0, 0.1), EXACT_MESSAGE),
    (lambda: bounds.chebyshev_n(1.0, 1.0, 0.0), FAIL_MESSAGE.format("delta", 0)),
    (lambda: bounds.chebyshev_eps(-0.1, 1, 0.1), SPREAD_MESSAGE),
    (lambda: bounds.chebyshev_eps(1.0, 0, 0.1), SAMPLE_MESSAGE),
    (lambda: bounds.chebyshev_eps(1.0, 1, 1.0), FAIL_MESSAGE.format("delta", 1)),
]

test_message_is_raised = refused(CASES)
