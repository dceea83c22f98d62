"""Chernoff's bounds against the exact Poisson-binomial tails, and against their inverses."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit.bounds import (
    binomial_tail,
    chernoff_count,
    chernoff_delta,
    chernoff_exponent,
    chernoff_lower,
    chernoff_upper,
    poisson_binomial_tail,
)

FORMS = ("sharp", "simple")
chances = st.lists(st.floats(0, 1), min_size=1, max_size=30)
fails = st.floats(1e-9, 0.999)
BOUND = {"upper": chernoff_upper, "lower": chernoff_lower}


def series(delta: float) -> Fraction:
    """Sum the series of h in rational numbers, for a small argument."""
    d = Fraction(delta)
    return sum(((-d) ** k / (k * (k - 1)) for k in range(2, 40)), Fraction(0))


@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.0099, 0.0101, 0.3, -1e-9, -0.0099, -0.0101, -0.3])
def test_exponent_keeps_its_digits(delta: float) -> None:
    assert chernoff_exponent(delta) == pytest.approx(float(series(delta)), rel=3e-13)


@pytest.mark.parametrize("delta", [0.5, 1.0, 7.0, -0.5, -0.9])
def test_exponent_is_its_formula(delta: float) -> None:
    assert chernoff_exponent(delta) == pytest.approx((1 + delta) * math.log(1 + delta) - delta)
    assert chernoff_exponent(delta, "simple") == pytest.approx(delta**2 / (2 + 2 * delta / 3))


@given(delta=st.floats(-1, 1e6))
def test_simple_exponent_is_not_larger(delta: float) -> None:
    assert chernoff_exponent(delta, "simple") <= chernoff_exponent(delta) * (1 + 1e-12)


def test_exponent_at_the_ends() -> None:
    assert chernoff_exponent(-1) == 1
    assert chernoff_exponent(0) == 0
    assert chernoff_exponent(-1 + 1e-12) == pytest.approx(1)


@pytest.mark.parametrize("form", FORMS)
@given(p=chances, delta=st.floats(0.01, 5))
def test_upper_bound_is_above_the_exact_tail(form: str, p: list[float], delta: float) -> None:
    exact = poisson_binomial_tail((1 + delta) * sum(p), p)
    assert exact <= chernoff_upper(p, delta, form=form) * (1 + 1e-8)


@pytest.mark.parametrize("form", FORMS)
@given(p=chances, delta=st.floats(0.01, 1))
def test_lower_bound_is_above_the_exact_tail(form: str, p: list[float], delta: float) -> None:
    exact = poisson_binomial_tail((1 - delta) * sum(p), p, side="lower")
    assert exact <= chernoff_lower(p, delta, form=form) * (1 + 1e-8)


def test_bound_is_the_best_that_markov_gives_for_rare_successes() -> None:
    # for a Poisson law, the limit of many rare successes, Markov's inequality for exp(lam Z) gives just this
    count, delta = 4.0, 0.8
    lams = np.linspace(0, 3, 30_001)
    best = np.min(np.exp(count * (np.exp(lams) - 1) - lams * (1 + delta) * count))
    assert chernoff_upper(count, delta) == pytest.approx(best, rel=1e-6)
    lams = np.linspace(-3, 0, 30_001)
    best = np.min(np.exp(count * (np.exp(lams) - 1) - lams * (1 - delta) * count))
    assert chernoff_lower(count, delta) == pytest.approx(best, rel=1e-6)


def test_exponent_is_right_in_the_limit() -> None:
    # the exact tail of many rare successes falls like the bound, up to a factor that is not exponential
    for count, share in ((100, 0.8), (1000, 0.95)):
        exact = binomial_tail(1.5 * count, 10**7, count / 10**7)
        assert share < math.log(chernoff_upper(count, 0.5)) / math.log(exact) < 1


@pytest.mark.parametrize("side", BOUND)
def test_expected_count_and_probabilities_are_the_same(side: str) -> None:
    p = np.array([0.2, 0.7, 1.0, 0.0])
    assert BOUND[side](p, 0.4) == pytest.approx(BOUND[side](1.9, 0.4))
    assert BOUND[side](0.0, 0.4) == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("side", BOUND)
@given(delta=st.floats(1e-4, 1), fail=fails)
def test_count_is_the_inverse(side: str, form: str, delta: float, fail: float) -> None:
    count = chernoff_count(delta, fail, side=side, form=form)
    assert BOUND[side](count, delta, form=form) == pytest.approx(fail, rel=1e-8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("side", BOUND)
@given(count=st.floats(1e-3, 1e7), fail=fails)
def test_deviation_is_the_inverse(side: str, form: str, count: float, fail: float) -> None:
    delta = chernoff_delta(count, fail, side=side, form=form)
    if delta == math.inf:
        assert side == "lower"
        assert chernoff_lower(count, 1.0, form=form) > fail * (1 - 1e-9)
        return
    assert BOUND[side](count, delta, form=form) == pytest.approx(fail, rel=1e-7)


def test_nothing_at_all_may_not_be_rare() -> None:
    assert binomial_tail(0, 100, 0.01, side="lower") > 0.3  # so no deviation can be promised
    assert chernoff_delta([0.01] * 100, 0.3, side="lower") == math.inf  # exp(-1) > 0.3
    assert chernoff_delta([0.01] * 100, 0.4, side="lower") < 1
    assert chernoff_delta(1.0, math.exp(-1), side="lower") == pytest.approx(1)
    assert chernoff_lower(3.5, 1.0, form="simple") > 0.05 > chernoff_lower(3.5, 1.0)
    assert chernoff_delta(3.5, 0.05, side="lower", form="simple") == math.inf
    assert chernoff_delta(3.5, 0.05, side="lower") < 1
    assert chernoff_delta(3.5, 0.08, side="lower", form="simple") < 1


def test_at_the_ends_of_the_floats() -> None:
    assert chernoff_upper(0.0, 1e307) == 1
    assert chernoff_upper(1.0, 1e307) == chernoff_upper(1.0, 1e307, form="simple") == 0
    assert chernoff_count(1e-170, 0.05) == math.inf
    delta = chernoff_delta(1e-160, 0.05)
    assert chernoff_upper(1e-160, delta) == pytest.approx(0.05)
    assert chernoff_delta(1e-305, 0.05) == math.inf


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="a count is never below 0"):
        chernoff_exponent(-1.01)
    with pytest.raises(ValueError, match="form must be 'sharp' or 'simple'"):
        chernoff_upper([0.5], 0.1, form="exact")
    with pytest.raises(ValueError, match="delta must be at most 1"):
        chernoff_lower([0.5], 1.01)
    with pytest.raises(ValueError, match=r"delta must be at most 1, got 1\.5"):
        chernoff_count(1.5, 0.05, side="lower")
    with pytest.raises(ValueError, match="side must be 'upper' or 'lower'"):
        chernoff_delta([0.5], 0.1, side="both")
