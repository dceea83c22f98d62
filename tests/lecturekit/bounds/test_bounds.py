"""Bounds against exact tails and brute force, and each against its inverses."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lecturekit import bounds
from lecturekit.bounds import chebyshev, chebyshev_eps, chebyshev_n, markov

probabilities = st.floats(1e-6, 0.999)


@given(z=st.lists(st.floats(0, 100), min_size=1, max_size=12), a=st.floats(0.01, 200))
def test_bounds_hold_for_every_list_of_values(z: list[float], a: float) -> None:
    off = np.abs(np.array(z) - np.mean(z)) >= a * (1 + 1e-9)
    assert np.mean(off) <= chebyshev(float(np.var(z)), a) * (1 + 1e-9) + 1e-12
    assert np.mean(np.array(z) >= a) <= markov(float(np.mean(z)), a) * (1 + 1e-12) + 1e-15


@given(a=st.floats(0.1, 10), p=st.floats(0, 1))
def test_bounds_are_attained_by_two_and_by_three_values(a: float, p: float) -> None:
    assert markov(a * p, a) == pytest.approx(p)  # a with probability p, otherwise 0
    assert chebyshev(a**2 * p, a) == pytest.approx(p)  # -a and +a with probability p / 2 each


@given(m=st.integers(1, 12), p=st.floats(0, 1), eps=st.floats(0.01, 1))
def test_chebyshev_of_a_mean_is_above_the_exact_tail(m: int, p: float, eps: float) -> None:
    assert bounds.binomial_deviation(m, p, eps) <= chebyshev(p * (1 - p), eps, m) * (1 + 1e-6) + 1e-12


@given(variance=st.floats(1e-6, 100), eps=st.floats(1e-3, 10), delta=probabilities)
def test_chebyshev_asks_for_no_more_values_than_it_needs(variance: float, eps: float, delta: float) -> None:
    m = chebyshev_n(variance, eps, delta)
    assert chebyshev(variance, eps, m) <= delta
    assume(m > 1)
    assert chebyshev(variance, eps, m - 1) > delta


def test_large_numbers_of_values_are_not_too_small_and_ends() -> None:
    m = chebyshev_n(1.0, 1e-4, 0.7)
    assert m == math.ceil(Fraction(1) / Fraction(1e-4) ** 2 / Fraction(0.7)) == 142_857_143
    assert chebyshev_n(1.0, 1e-8, 0.5) == pytest.approx(2e16, rel=1e-14)
    assert markov(3.0, 1.0) == chebyshev(3.0, 1.0) == chebyshev(1.0, 1e-200) == 1
    assert markov(0.0, 1.0) == chebyshev(0.0, 1.0) == chebyshev(0.0, 1e-200) == chebyshev(1.0, 1e200) == 0
    assert chebyshev_n(1.0, 1e200, 0.05) == chebyshev_n(0.0, 0.1, 0.1) == 1
    assert chebyshev_eps(0.0, 5, 0.1) == 0  # nothing varies


@given(variance=st.floats(1e-6, 100), m=st.integers(1, 10**6), delta=probabilities)
def test_chebyshev_deviation_is_its_inverse(variance: float, m: int, delta: float) -> None:
    assert chebyshev(variance, chebyshev_eps(variance, m, delta), m) == pytest.approx(delta)
