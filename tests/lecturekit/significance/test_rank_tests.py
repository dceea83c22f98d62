"""Tests over several data sets: all signs and rankings by enumeration, scipy, p-values by hand."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit._typing import Array
from lecturekit.significance import friedman, holm, paired_binomial, sign_test, wilcoxon_signed_rank

seeds = st.integers(0, 10**6)


def scores(seed: int, *shape: int, digits: int = 9) -> Array:
    """Draw scores; few digits make ties."""
    return np.random.default_rng(seed).normal(size=shape).round(digits)


@given(seeds, st.integers(1, 30))
def test_sign_test_counts(seed: int, n: int) -> None:
    a, b = scores(seed, 2, n, digits=0)
    test = sign_test(a, b)
    assert (test.wins, test.losses, test.ties) == (int(sum(a > b)), int(sum(a < b)), int(sum(a == b)))
    assert test.pvalue == paired_binomial(test.wins, test.losses).pvalue


def test_rounding_is_no_win_and_shares_a_rank_and_large_scores_hide_no_others() -> None:
    a, b = [0.1 + 0.2, 0.95, 0.7], [0.3, 0.9, 0.6]
    assert (sign_test(a, b).ties, wilcoxon_signed_rank(a, b).n) == (1, 2)
    assert wilcoxon_signed_rank([0.95, 0.9], [0.9, 0.95]).pvalue == 1.0  # 0.05 and 0.05, but for rounding
    assert wilcoxon_signed_rank([0.95, 0.8], [0.9, 0.85]).plus == 1.5
    assert friedman([[0.1 + 0.2, 0.3], [1.0, 0.0]]).ranks.tolist() == [1.25, 1.75]
    assert wilcoxon_signed_rank([1e6 + 0.1, 0.0, 5.0], [1e6, 0.1, 3.0]).minus == 1.5
    assert wilcoxon_signed_rank([1 + 2e-9, 0.0], [1.0, 3e-9]).minus == 2.0  # far above rounding: no tie
    f, g = np.array([2e9] + [0.0009] * 8), np.array([1e9] + [0.0008] * 8)
    assert (sign_test(f, g).wins, sign_test(f, g).ties) == (9, 0)
    signed = wilcoxon_signed_rank(f, g)
    assert (signed.n, signed.plus, signed.pvalue) == (9, 45.0, 2.0**-8)
    f[0], g[0] = 1e13, 1e13 + 5  # twelve digits agree: a tie
    assert (sign_test(f, g).wins, sign_test(f, g).ties) == (8, 1)
    assert friedman(np.column_stack([f, g])).ranks.tolist() == [1.5 - 4 / 9, 1.5 + 4 / 9]


@pytest.mark.parametrize("size", [1e-300, 1e-20, 1e20, 1e300])
def test_units_do_not_matter(size: float) -> None:
    (a, b), table = scores(1, 2, 9), scores(2, 6, 4)
    assert wilcoxon_signed_rank(a * size, b * size).plus == wilcoxon_signed_rank(a, b).plus
    assert np.array_equal(friedman(table * size).ranks, friedman(table).ranks)


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize("seed", range(8))
def test_exact_wilcoxon_counts_all_signs(seed: int, digits: int) -> None:
    a, b = scores(seed, 2, 9, digits=digits)
    test = wilcoxon_signed_rank(a, b)
    d = (a - b)[np.round(a - b, 9) != 0]
    ranks = stats.rankdata(np.round(np.abs(d), 9))
    sums = np.array([sum(ranks[np.array(signs) > 0]) for signs in product((-1, 1), repeat=len(d))])
    low = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert np.isclose(test.pvalue, min(1.0, 2 * np.mean(sums <= low)))
    assert np.isclose(test.plus, ranks[d > 0].sum())
    assert np.isclose(test.plus + test.minus, len(d) * (len(d) + 1) / 2)
    assert (test.statistic, test.n, test.exact) == (low, len(d), True)


@given(seeds, st.integers(1, 60))
def test_wilcoxon_is_that_of_scipy(seed: int, n: int) -> None:
    a, b = scores(seed, 2, n)
    for method, theirs in (("exact", "exact"), ("normal", "asymptotic")):
        test = wilcoxon_signed_rank(a, b, method=method)
        peer = stats.wilcoxon(a, b, method=theirs)
        assert np.isclose(test.pvalue, peer.pvalue, rtol=1e-9)
        assert test.statistic == peer.statistic


def test_many_differences_use_the_normal_law_with_ties() -> None:
    a, b = scores(5, 2, 400, digits=1)
    test, exact = (wilcoxon_signed_rank(a, b + 0.05, method=method) for method in ("auto", "exact"))
    whole = np.rint(20 * a), np.rint(20 * b + 1)  # the same scores, in which rounding breaks no tie
    assert np.isclose(test.pvalue, stats.wilcoxon(*whole, method="asymptotic").pvalue, rtol=1e-9)
    assert (test.exact, exact.exact) == (False, True)
    assert abs(exact.pvalue - test.pvalue) < 2e-3
    for method in ("exact", "normal", "auto"):  # where there is no difference at all
        none = wilcoxon_signed_rank([1.0, 2.0], [1.0, 2.0], method=method)
        assert (none.n, none.statistic, none.pvalue) == (0, 0.0, 1.0)


@pytest.mark.parametrize("digits", [0, 9])
@given(seed=seeds, n=st.integers(2, 12), k=st.integers(3, 6))
def test_friedman_is_that_of_scipy(digits: int, seed: int, n: int, k: int) -> None:
    table = scores(seed, n, k, digits=digits)
    if np.all(table == table[:, :1]):
        return
    test, peer = friedman(table), stats.friedmanchisquare(*table.T)
    assert np.isclose(test.statistic, peer.statistic)
    assert np.isclose(test.pvalue, peer.pvalue)
    assert np.allclose(test.ranks, stats.rankdata(-table, axis=1).mean(axis=0))
    assert test.n == n


@given(seeds)
def test_iman_davenport_is_the_analysis_of_variance_of_the_ranks(seed: int) -> None:
    table = scores(seed, 7, 4)
    ranks = stats.rankdata(-table, axis=1)
    between = 7 * np.sum((ranks.mean(axis=0) - 2.5) ** 2) / 3
    rest = ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + 2.5
    test = friedman(table)
    assert np.isclose(test.iman_davenport, between / (np.sum(rest**2) / (3 * 6)))
    assert np.isclose(test.iman_davenport_pvalue, stats.f.sf(test.iman_davenport, 3, 18))


def test_full_agreement_is_infinite_and_the_standard_error_is_that_of_all_rankings() -> None:
    test = friedman([[3.0, 2.0, 1.0]] * 4)
    assert test.ranks.tolist() == [1.0, 2.0, 3.0]
    assert np.isclose(test.statistic, 8.0)
    assert (test.iman_davenport, test.iman_davenport_pvalue) == (np.inf, 0.0)
    ranks = np.array(list(permutations(range(1, 5))))
    assert np.isclose(np.std(ranks[:, 0] - ranks[:, 1]) / 3, friedman(scores(0, 9, 4)).standard_error)


@pytest.mark.parametrize("k", [2, 3, 5, 10, 40])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.1, 0.5])
def test_nemenyi_quantile_is_that_of_the_studentised_range(k: int, level: float) -> None:
    test = friedman(scores(1, 8, k))
    q = stats.studentized_range.ppf(1 - level, k, np.inf)
    assert np.isclose(test.critical_difference(level), q / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * 8)))


def test_pvalues_are_spread_evenly_without_a_difference() -> None:
    rng = np.random.default_rng(4)
    tests = [friedman(table) for table in rng.normal(size=(3000, 15, 5))]
    for name in ("pvalue", "iman_davenport_pvalue"):
        assert abs(np.mean([getattr(test, name) <= 0.1 for test in tests]) - 0.1) < 0.025
    gap = tests[0].critical_difference(0.05)
    assert 0.02 < np.mean([np.ptp(test.ranks) > gap for test in tests]) < 0.065


def test_equal_pairs_among_unequal_methods_break_the_promise_of_mean_ranks() -> None:
    rng = np.random.default_rng(7)
    alarms, gap = np.zeros(2), friedman(scores(0, 20, 5)).critical_difference()
    for _ in range(1500):
        wild, calm = rng.choice([-1.0, 1.0], size=(20, 2)), rng.normal(size=(20, 3)) / 10
        table = np.column_stack([wild + rng.normal(size=(20, 2)) / 100, calm])
        pair = wilcoxon_signed_rank(table[:, 0], table[:, 1]).pvalue
        alarms += np.array([np.ptp(friedman(table).ranks) > gap, pair <= 0.05])
    any_pair, signed = alarms / 1500
    assert any_pair > 0.06  # the docstring warns of it
    assert signed < 0.065


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_by_the_steps_of_the_procedure(pvalues: list[float]) -> None:
    adjusted = holm(pvalues)
    m = len(pvalues)
    assert adjusted.shape == (m,)
    for level in (0.01, 0.05, 0.3, 0.999):
        rejected, left = set[int](), m
        for i in sorted(range(m), key=pvalues.__getitem__):
            if left * pvalues[i] > level:
                break
            rejected.add(i)
            left -= 1
        assert set(np.flatnonzero(adjusted <= level)) == rejected
    assert np.all(adjusted >= pvalues)
    assert np.all(adjusted <= np.minimum(1, m * np.array(pvalues)))
