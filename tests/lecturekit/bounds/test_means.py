"""Hoeffding's and Bernstein's inequalities against exact tails, brute force, and their inverses."""

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lecturekit import bounds
from lecturekit.bounds import bennett, bernstein, empirical_bernstein_eps, hoeffding, hoeffding_lemma

deltas = st.floats(1e-9, 0.999)
sizes = st.integers(2, 10**6)
deviations = st.floats(1e-3, 2)
variances = st.floats(1e-6, 0.25)
each_side = pytest.mark.parametrize("sides", [1, 2])

each_bound = pytest.mark.parametrize("name", ["hoeffding", "bernstein"])


def inverses(name: str, variance: float) -> list[Callable[..., Any]]:
    """Return a bound of a known variance, if it takes one, with its inverses in eps and in m."""
    known = {"variance": variance} if name == "bernstein" else {}
    return [partial(getattr(bounds, name + end), **known) for end in ("", "_eps", "_n")]


@each_side
@each_bound
@given(m=sizes, delta=deltas, v=variances, b=st.floats(1.1, 11))
def test_deviation_is_the_inverse(name: str, sides: int, m: int, delta: float, v: float, b: float) -> None:
    bound, inverse, _ = inverses(name, v)
    eps = inverse(m, delta, a=1.0, b=b, sides=sides)
    assert bound(m, eps, a=1.0, b=b, sides=sides) == pytest.approx(delta)


@each_side
@each_bound
@given(eps=deviations, delta=deltas, v=variances, a=st.floats(-10, -0.1))
def test_no_more_than_needed(name: str, sides: int, eps: float, delta: float, v: float, a: float) -> None:
    bound, _, least = inverses(name, v)
    m = least(eps, delta, a=a, b=0.0, sides=sides)
    assert bound(m, eps, a=a, b=0.0, sides=sides) <= delta
    assume(m > 1)
    assert bound(m - 1, eps, a=a, b=0.0, sides=sides) > delta


@given(st.lists(st.floats(0, 4), min_size=2, max_size=5), st.floats(-30, 30), st.floats(-3, 3))
def test_lemma_holds_for_every_list_of_values(z: list[float], lam: float, low: float) -> None:
    values, high = low + np.array(z), low + max(*z, 0.1)
    exact = np.mean(np.exp(lam * (values - values.mean())))
    assert exact <= hoeffding_lemma(lam, low, high) * (1 + 1e-9)


def test_lemma_is_sharp_for_small_arguments_and_hoeffding_holds_for_all_samples_of_a_law() -> None:
    assert math.log(hoeffding_lemma(1e-3)) / math.log(math.cosh(1e-3 / 2)) == pytest.approx(1, abs=1e-6)
    assert hoeffding_lemma(1e4) == hoeffding_lemma(1e200) == hoeffding_lemma(-1e200) == math.inf
    assert (hoeffding_lemma(0.0), hoeffding_lemma(-2.0)) == (1, hoeffding_lemma(2.0))
    values, chances, m = np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.2, 0.3]), 6
    mu, draws = values @ chances, [list(draw) for draw in product(range(3), repeat=m)]
    for eps in (0.3, 0.7, 1.2):
        off = [d for d in draws if abs(values[d].mean() - mu) >= eps]
        exact = sum(np.prod(chances[d]) for d in off)
        variance = chances @ (values - mu) ** 2
        assert exact <= hoeffding(m, eps, -1.0, 2.0)
        assert exact <= bennett(m, eps, variance, -1.0, 2.0) <= bernstein(m, eps, variance, -1.0, 2.0)


def test_numbers_of_the_lectures_and_ends() -> None:
    assert bounds.hoeffding_n(0.05, 0.05) == 738
    assert hoeffding(200, 0.1) == pytest.approx(2 * math.exp(-4))
    assert hoeffding(200, 0.2, -1.0, 1.0) == pytest.approx(2 * math.exp(-4))
    assert hoeffding(200, 0.1, sides=1) == pytest.approx(math.exp(-4))
    # at the ends of the floats
    assert bounds.hoeffding_n(1e200, 0.05) == bounds.bernstein_n(1e200, 0.05, 0.1) == 1
    assert hoeffding(10, 1e200) == bernstein(100, 1e200, 0.1) == 0
    assert hoeffding(10, 1e-200) == bernstein(10, 1e-200, 0.1) == bennett(10, 1e-200, 0.1) == 1
    assert bounds.bernstein_n(1e-13, 0.05, 0.0) == pytest.approx(2e13 / 3 * math.log(40))
    assert bounds.bernstein_eps(10, 0.05, 0.1, 0.0, 1e200) == pytest.approx(2e200 / 30 * math.log(40))


@given(m=sizes, delta=deltas, many=st.integers(1, 10**9))
def test_union_deviation_is_its_inverse(m: int, delta: float, many: int) -> None:
    eps = bounds.finite_class_eps(m, many, delta, -1.0, 1.0)
    exponent = 2 * m * eps**2 / 4  # of one hypothesis
    assert math.log(2 * many) - exponent == pytest.approx(math.log(delta), rel=1e-9, abs=1e-9)


def test_union_covers_the_worst_of_many_coins_and_of_more_than_the_largest_float() -> None:
    shares = np.random.default_rng(0).binomial(50, 0.5, size=(4000, 40)) / 50
    assert np.mean(np.abs(shares - 0.5).max(axis=1) >= bounds.finite_class_eps(50, 40, 0.2)) < 0.2
    wanted = math.sqrt((2001 * math.log(2) + math.log(20)) / 2000)
    assert bounds.finite_class_eps(1000, 2**2000, 0.05) == pytest.approx(wanted)


@each_side
@given(m=st.integers(1, 60), p=st.floats(0.001, 0.999), eps=st.floats(0.01, 1))
def test_bounds_are_above_the_exact_tail_and_grow_with_it(sides: int, m: int, p: float, eps: float) -> None:
    exact, variance = bounds.binomial_deviation(m, p, eps, sides=sides), p * (1 - p)
    sharp = bennett(m, eps, variance, sides=sides)
    assert exact <= min(sharp, hoeffding(m, eps, sides=sides)) * (1 + 1e-6)
    assert sharp <= bernstein(m, eps, variance, sides=sides) * (1 + 1e-9)
    for bound in (bennett, bernstein):
        assert bound(m, eps, variance / 2) <= bound(m, eps, variance) * (1 + 1e-9)


def test_empirical_width_by_hand() -> None:
    for sides in (1, 2):
        L = math.log((1 + sides) / 0.1)
        wanted = math.sqrt(2 * 0.04 * L / 50) + 7 * 2 * L / (3 * 49)
        assert empirical_bernstein_eps(50, 0.1, 0.04, 1.0, 3.0, sides=sides) == pytest.approx(wanted)


@pytest.mark.parametrize("p", [0.002, 0.02, 0.5])
def test_empirical_bound_covers(p: float) -> None:
    m, delta = 200, 0.05
    share = np.random.default_rng(1).binomial(m, p, size=4000) / m
    width = [empirical_bernstein_eps(m, delta, v * m / (m - 1)) for v in share * (1 - share)]
    assert np.mean(np.abs(share - p) > width) < delta


def test_empirical_bound_needs_the_range_and_bennett_with_next_to_no_variance() -> None:
    m, p, delta = 200, 0.005, 0.05  # most samples with no success at all: their variance is zero
    k = np.arange(m + 1)
    variances = k / m * (1 - k / m) * m / (m - 1)
    law = bounds.poisson_binomial_pmf(np.full(m, p))
    without = np.sqrt(2 * variances * math.log(3 / delta) / m)
    width = [empirical_bernstein_eps(m, delta, v) for v in variances]
    assert law @ (np.abs(k / m - p) <= without) < 0.7
    assert law @ (np.abs(k / m - p) <= width) >= 1 - delta
    assert bennett(3, 0.1, 0.0) == 0 < bernstein(3, 0.1, 0.0)  # the simpler form cannot see it
    # the exponent is m (eps / c) (log u - 1) with u = c eps / variance, for large u
    for variance in (1e-250, 1e-299, 1e-310):
        wanted = 10 * 0.01 * (math.log(0.01) - math.log(variance) - 1)
        assert bennett(10, 0.01, variance, sides=1) == pytest.approx(math.exp(-wanted))
    assert bennett(100, 0.1, 5e-324, -1e5, 1e5) > 0
