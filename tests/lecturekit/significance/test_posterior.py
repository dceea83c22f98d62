"""Beta posteriors: Bayes' rule by quadrature, exact sums for P(e1 < e2), simulation."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from lecturekit.significance import BetaPosterior, error_posterior, prob_less

shapes = st.floats(-3, 3.5).map(lambda exponent: 10.0**exponent)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (0, 8), (3, 20), (20, 20)])
def test_posterior_is_likelihood_times_prior_by_quadrature(k: int, n: int) -> None:
    evidence, _ = quad(lambda e: stats.binom.pmf(k, n, e), 0, 1)
    assert np.isclose(evidence, 1 / (n + 1))
    post = error_posterior(k, n)
    for e in (0.05, 0.3, 0.9):
        assert np.isclose(post.pdf(e), stats.binom.pmf(k, n, e) / evidence)
    assert np.isclose(post.mean, (k + 1) / (n + 2))


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.5, 0.5), (2.0, 7.5)])
def test_law_is_that_of_scipy(a: float, b: float) -> None:
    post, peer = error_posterior(3, 20, a=a, b=b), stats.beta(3 + a, 17 + b)
    e = np.linspace(0, 1, 11)
    for ours, theirs in ((post.pdf, peer.pdf), (post.cdf, peer.cdf), (post.quantile, peer.ppf)):
        assert np.allclose(ours(e), theirs(e))
    assert np.isclose(post.variance, peer.var())
    assert np.allclose(post.interval(0.1), peer.interval(0.9))
    assert post.interval() == post.interval(0.05)
    # densities at the ends
    assert error_posterior(0, 0).pdf([0.0, 1.0]).tolist() == [1.0, 1.0]
    assert np.allclose(error_posterior(0, 4).pdf([0.0, 1.0]), [5.0, 0.0])


def beta(a: int, b: int) -> Fraction:
    return Fraction(1, a * comb(a + b - 1, a))


@given(st.tuples(*[st.integers(1, 40)] * 4))
@example((5, 797, 9, 793))
@example((1, 2000, 30, 10))
@example((1, 1, 4, 3000))
@example((400, 3, 3, 400))
def test_probability_of_less_is_the_exact_sum(shape: tuple[int, int, int, int]) -> None:
    a1, b1, a2, b2 = shape
    n = a1 + b1 - 1  # P(e1 < e) is a binomial tail, integrated against e2
    exact = sum(comb(n, i) * beta(a2 + i, b2 + n - i) / beta(a2, b2) for i in range(a1, n + 1))
    assert abs(prob_less(BetaPosterior(a=a1, b=b1), BetaPosterior(a=a2, b=b2)) - float(exact)) < 1e-10


@given(shapes, shapes, shapes, shapes)
@example(0.1, 1.0, 10.0**0.5, 100.0)  # quantiles that SciPy does not find
@example(0.477, 1.02428451, 9674.0, 5660.0)
def test_one_of_the_two_is_less(a1: float, b1: float, a2: float, b2: float) -> None:
    first, second = BetaPosterior(a=a1, b=b1), BetaPosterior(a=a2, b=b2)
    assert abs(prob_less(first, second) + prob_less(second, first) - 1) < 1e-9
    assert abs(prob_less(first, first) - 0.5) < 1e-9


@pytest.mark.parametrize("shape", [(0.001, 1, 0.003, 1), (1, 0.001, 1, 0.003), (0.05, 1, 0.0005, 1)])
def test_powers_that_underflow(shape: tuple[float, float, float, float]) -> None:
    # Beta(a, 1) has the distribution function e^a, so that P(e1 < e2) = a2 / (a1 + a2)
    a1, b1, a2, b2 = shape
    wanted = a2 / (a1 + a2) if b1 == b2 == 1 else b1 / (b1 + b2)
    assert np.isclose(prob_less(BetaPosterior(a=a1, b=b1), BetaPosterior(a=a2, b=b2)), wanted, rtol=1e-10)


@pytest.mark.parametrize("shape", [(0.01, 0.01, 0.02, 0.01), (20, 0.001, 5, 0.1), (0.05, 0.02, 3, 0.001)])
def test_rates_next_to_0_and_1_by_sampling_their_logarithms(shape: tuple[float, ...]) -> None:
    rng = np.random.default_rng(1)
    logs = [np.log(rng.gamma(a + 1, size=10**6)) + np.log(rng.random(10**6)) / a for a in shape]
    drawn = np.mean(logs[0] - logs[1] < logs[2] - logs[3])  # Gamma(a + 1) U^(1/a) is Gamma(a)
    first, second = BetaPosterior(a=shape[0], b=shape[1]), BetaPosterior(a=shape[2], b=shape[3])
    assert abs(prob_less(first, second) - drawn) < 0.002
