"""Chernoff's bounds against the exact Poisson-binomial tails, and against their inverses."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import bounds
from lecturekit.bounds import chernoff_count, chernoff_exponent, chernoff_lower, chernoff_upper

FORMS = ("sharp", "simple")
chances = st.lists(st.floats(0, 1), min_size=1, max_size=30)
BOUND = {"upper": chernoff_upper, "lower": chernoff_lower}


@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.0099, 0.0101, 0.3, -1e-9, -0.0099, -0.0101, -0.3])
def test_exponent_keeps_its_digits(delta: float) -> None:
    series = sum((-Fraction(delta)) ** k / (k * (k - 1)) for k in range(2, 40))
    assert chernoff_exponent(delta) == pytest.approx(float(series), rel=3e-13)


@pytest.mark.parametrize("delta", [0.5, 1.0, 7.0, -0.5, -0.9])
def test_exponent_is_its_formula(delta: float) -> None:
    assert chernoff_exponent(delta) == pytest.approx((1 + delta) * math.log(1 + delta) - delta)
    assert chernoff_exponent(delta, "simple") == pytest.approx(delta**2 / (2 + 2 * delta / 3))


@given(delta=st.floats(-1, 1e6))
def test_simple_exponent_is_not_larger(delta: float) -> None:
    assert chernoff_exponent(delta, "simple") <= chernoff_exponent(delta) * (1 + 1e-12)


@pytest.mark.parametrize("form", FORMS)
@given(p=chances, delta=st.floats(0.01, 5))
def test_bounds_are_above_the_exact_tails(form: str, p: list[float], delta: float) -> None:
    above = bounds.poisson_binomial_tail((1 + delta) * sum(p), p)
    assert above <= chernoff_upper(p, delta, form=form) * (1 + 1e-8)
    delta = min(delta, 1.0)
    below = bounds.poisson_binomial_tail((1 - delta) * sum(p), p, side="lower")
    assert below <= chernoff_lower(p, delta, form=form) * (1 + 1e-8)


def test_bound_is_the_best_that_markov_gives_for_rare_successes_and_right_in_the_limit() -> None:
    # for a Poisson law, the limit of many rare successes, Markov's inequality for exp(lam Z) gives just this
    count, delta = 4.0, 0.8
    for sign, bound in ((1, chernoff_upper), (-1, chernoff_lower)):
        lams = sign * np.linspace(0, 3, 30_001)
        best = np.min(np.exp(count * (np.exp(lams) - 1) - lams * (1 + sign * delta) * count))
        assert bound(count, delta) == pytest.approx(best, rel=1e-6)
    # the exact tail of many rare successes falls like the bound, up to a factor that is not exponential
    for count, share in ((100, 0.8), (1000, 0.95)):
        exact = bounds.binomial_tail(1.5 * count, 10**7, count / 10**7)
        assert share < math.log(chernoff_upper(count, 0.5)) / math.log(exact) < 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("side", BOUND)
@given(delta=st.floats(1e-4, 1), fail=st.floats(1e-9, 0.999))
def test_count_is_the_inverse(side: str, form: str, delta: float, fail: float) -> None:
    count = chernoff_count(delta, fail, side=side, form=form)
    assert BOUND[side](count, delta, form=form) == pytest.approx(fail, rel=1e-8)


def test_an_expected_count_is_as_good_as_probabilities_and_ends() -> None:
    for bound in BOUND.values():
        assert bound([0.2, 0.7, 1.0, 0.0], 0.4) == pytest.approx(bound(1.9, 0.4))
        assert bound(0.0, 0.4) == 1
    assert (chernoff_exponent(-1), chernoff_exponent(0)) == (1, 0)
    assert chernoff_exponent(-1 + 1e-12) == pytest.approx(1)
    assert chernoff_upper(0.0, 1e307) == 1
    assert chernoff_upper(1.0, 1e307) == chernoff_upper(1.0, 1e307, form="simple") == 0
    assert chernoff_count(1e-170, 0.05) == math.inf
