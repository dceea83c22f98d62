"""Hoeffding's and Bernstein's inequalities against exact tails, brute force, and their inverses."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lecturekit.bounds import (
    bennett,
    bernstein,
    bernstein_eps,
    bernstein_n,
    binomial_deviation,
    empirical_bernstein_eps,
    finite_class_eps,
    hoeffding,
    hoeffding_eps,
    hoeffding_lemma,
    hoeffding_n,
    poisson_binomial_pmf,
)

deltas = st.floats(1e-9, 0.999)
sizes = st.integers(2, 10**6)
deviations = st.floats(1e-3, 2)
variances = st.floats(1e-6, 0.25)
each_side = pytest.mark.parametrize("sides", [1, 2])


# -- inverses ------------------------------------------------------------------------------------------------

Bound = Callable[..., Any]
INVERSES: dict[str, tuple[Bound, Bound, Bound]] = {
    "hoeffding": (
        lambda m, eps, variance, *rest, **kw: hoeffding(m, eps, *rest, **kw),
        lambda m, delta, variance, *rest, **kw: hoeffding_eps(m, delta, *rest, **kw),
        lambda eps, delta, variance, *rest, **kw: hoeffding_n(eps, delta, *rest, **kw),
    ),
    "bernstein": (bernstein, bernstein_eps, bernstein_n),
}


@each_side
@pytest.mark.parametrize("name", INVERSES)
@given(m=sizes, delta=deltas, variance=variances, width=st.floats(0.1, 10))
def test_deviation_is_the_inverse(
    name: str, sides: int, m: int, delta: float, variance: float, width: float
) -> None:
    bound, inverse, _ = INVERSES[name]
    eps = inverse(m, delta, variance, 1.0, 1.0 + width, sides=sides)
    assert bound(m, eps, variance, 1.0, 1.0 + width, sides=sides) == pytest.approx(delta)


@each_side
@pytest.mark.parametrize("name", INVERSES)
@given(eps=deviations, delta=deltas, variance=variances, width=st.floats(0.1, 10))
def test_no_more_values_than_needed_are_asked_for(
    name: str, sides: int, eps: float, delta: float, variance: float, width: float
) -> None:
    bound, _, least = INVERSES[name]
    m = least(eps, delta, variance, -width, 0.0, sides=sides)
    assert bound(m, eps, variance, -width, 0.0, sides=sides) <= delta
    assume(m > 1)
    assert bound(m - 1, eps, variance, -width, 0.0, sides=sides) > delta


# -- Hoeffding -----------------------------------------------------------------------------------------------


@given(
    z=st.lists(st.floats(0, 1), min_size=2, max_size=5),
    lam=st.floats(-30, 30),
    low=st.floats(-3, 3),
    width=st.floats(0.1, 4),
)
def test_lemma_holds_for_every_list_of_values(z: list[float], lam: float, low: float, width: float) -> None:
    values = low + width * np.array(z)
    exact = np.mean(np.exp(lam * (values - values.mean())))
    assert exact <= hoeffding_lemma(lam, low, low + width) * (1 + 1e-9)


def test_lemma_is_sharp_for_small_arguments() -> None:
    lam = 1e-3
    assert math.log(hoeffding_lemma(lam)) / math.log(math.cosh(lam / 2)) == pytest.approx(1, abs=1e-6)


def test_lemma_beyond_the_largest_float() -> None:
    assert hoeffding_lemma(1e4) == math.inf
    assert hoeffding_lemma(0.0) == 1
    assert hoeffding_lemma(-2.0) == hoeffding_lemma(2.0)


@each_side
@given(m=st.integers(1, 60), p=st.floats(0, 1), eps=st.floats(0.01, 1))
def test_hoeffding_is_above_the_exact_tail(sides: int, m: int, p: float, eps: float) -> None:
    assert binomial_deviation(m, p, eps, sides=sides) <= hoeffding(m, eps, sides=sides) * (1 + 1e-6)


def test_hoeffding_by_all_samples_of_a_law_on_three_values() -> None:
    values, chances, m = np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.2, 0.3]), 6
    mu = values @ chances
    for eps in (0.3, 0.7, 1.2):
        exact = sum(
            np.prod(chances[list(draw)])
            for draw in product(range(3), repeat=m)
            if abs(values[list(draw)].mean() - mu) >= eps
        )
        variance = chances @ (values - mu) ** 2
        assert exact <= hoeffding(m, eps, -1.0, 2.0)
        assert exact <= bennett(m, eps, variance, -1.0, 2.0) <= bernstein(m, eps, variance, -1.0, 2.0)


def test_numbers_of_the_lectures() -> None:
    assert hoeffding_n(0.05, 0.05) == 738
    assert hoeffding(200, 0.1) == pytest.approx(2 * math.exp(-4))
    assert hoeffding(200, 0.2, -1.0, 1.0) == pytest.approx(2 * math.exp(-4))
    assert hoeffding(200, 0.1, sides=1) == pytest.approx(math.exp(-4))


# -- many means ----------------------------------------------------------------------------------------------


@given(m=sizes, delta=deltas, many=st.integers(1, 10**9))
def test_union_deviation_is_its_inverse(m: int, delta: float, many: int) -> None:
    eps = finite_class_eps(m, many, delta, -1.0, 1.0)
    exponent = 2 * m * eps**2 / 4  # of one hypothesis
    assert math.log(2 * many) - exponent == pytest.approx(math.log(delta), rel=1e-9, abs=1e-9)


def test_number_of_hypotheses_beyond_the_largest_float() -> None:
    assert finite_class_eps(1000, 2**2000, 0.05) == pytest.approx(
        math.sqrt((2001 * math.log(2) + math.log(20)) / 2000)
    )


def test_union_covers_the_worst_of_many_coins() -> None:
    rng, m, many, delta = np.random.default_rng(0), 50, 40, 0.2
    eps = finite_class_eps(m, many, delta)
    shares = rng.binomial(m, 0.5, size=(4000, many)) / m
    assert np.mean(np.abs(shares - 0.5).max(axis=1) >= eps) < delta


# -- Bernstein -----------------------------------------------------------------------------------------------


@each_side
@given(m=st.integers(1, 60), p=st.floats(0.001, 0.999), eps=st.floats(0.01, 1))
def test_bernstein_is_above_bennett_and_that_above_the_exact_tail(
    sides: int, m: int, p: float, eps: float
) -> None:
    exact, variance = binomial_deviation(m, p, eps, sides=sides), p * (1 - p)
    sharp = bennett(m, eps, variance, sides=sides)
    assert exact <= sharp * (1 + 1e-6)
    assert sharp <= bernstein(m, eps, variance, sides=sides) * (1 + 1e-9)


@given(m=st.integers(1, 100), eps=deviations, variance=variances)
def test_larger_variances_give_larger_bounds(m: int, eps: float, variance: float) -> None:
    for bound in (bennett, bernstein):
        assert bound(m, eps, variance) <= bound(m, eps, 2 * variance) * (1 + 1e-9)


def test_nothing_varies() -> None:
    assert bennett(3, 0.1, 0.0) == 0
    assert bernstein(3, 0.1, 0.0) > 0  # the simpler form cannot see it


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


def test_empirical_bound_needs_the_range() -> None:
    m, p, delta = 200, 0.005, 0.05  # most samples with no success at all: their variance is zero
    k = np.arange(m + 1)
    variances = k / m * (1 - k / m) * m / (m - 1)
    law = poisson_binomial_pmf(np.full(m, p))
    without = np.sqrt(2 * variances * math.log(3 / delta) / m)
    width = [empirical_bernstein_eps(m, delta, v) for v in variances]
    assert law @ (np.abs(k / m - p) <= without) < 0.7
    assert law @ (np.abs(k / m - p) <= width) >= 1 - delta


def test_sampled_variance_pays_for_rare_events() -> None:
    variance = 0.01 * 0.99
    assert empirical_bernstein_eps(5000, 0.05, variance) < hoeffding_eps(5000, 0.05)
    assert empirical_bernstein_eps(5000, 0.05, 0.25) > hoeffding_eps(5000, 0.05)


def test_at_the_ends_of_the_floats() -> None:
    assert hoeffding_n(1e200, 0.05) == bernstein_n(1e200, 0.05, 0.1) == 1
    assert hoeffding(10, 1e200) == bernstein(100, 1e200, 0.1) == 0
    assert hoeffding(10, 1e-200) == bernstein(10, 1e-200, 0.1) == bennett(10, 1e-200, 0.1) == 1
    assert bernstein_eps(10, 0.05, 0.1, 0.0, 1e200) == pytest.approx(2e200 / 30 * math.log(40))
    assert hoeffding_lemma(1e200) == hoeffding_lemma(-1e200) == math.inf


def test_bennett_with_next_to_no_variance() -> None:
    # the exponent is m (eps / c) (log u - 1) with u = c eps / variance, for large u
    for variance in (1e-250, 1e-299, 1e-310):
        wanted = 10 * 0.01 * (math.log(0.01) - math.log(variance) - 1)
        assert bennett(10, 0.01, variance, sides=1) == pytest.approx(math.exp(-wanted))
    assert bennett(100, 0.1, 5e-324, -1e5, 1e5) > 0
