"""Two classifiers on one test set: scipy's binomial test, statistics by hand."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit.significance import mcnemar, paired_binomial, paired_table, two_sample_z

small = st.integers(0, 40)


@given(st.integers(1, 400), st.integers(1, 400), st.floats(0, 1), st.floats(0, 1))
def test_squared_z_is_the_chi_square_of_the_table(n1: int, n2: int, u: float, v: float) -> None:
    k1, k2 = int(u * n1), int(v * n2)
    test = two_sample_z(k1, n1, k2, n2)
    assert np.isclose(test.difference, k1 / n1 - k2 / n2)
    if 0 < k1 + k2 < n1 + n2:
        peer = stats.chi2_contingency([[k1, n1 - k1], [k2, n2 - k2]], correction=False)
        assert np.isclose(test.statistic**2, peer.statistic)
        assert np.isclose(test.pvalue, peer.pvalue)
        assert np.sign(round(test.difference, 12)) == np.sign(round(test.statistic, 9))
    else:
        assert (test.statistic, test.pvalue) == (0.0, 1.0)


@given(st.integers(0, 10**6))
def test_table_counts_points(seed: int) -> None:
    y, f, g = np.random.default_rng(seed).integers(3, size=(3, 30))
    table = paired_table(y, f, g)
    outcomes = list(zip(y == f, y == g, strict=True))
    wanted = [outcomes.count(o) for o in ((True, True), (True, False), (False, True), (False, False))]
    assert ([table.a, table.b, table.c, table.d], table.n) == (wanted, 30)
    test = mcnemar(y, f, g)
    assert (test.b, test.c) == (table.b, table.c)
    assert test.pvalue == paired_binomial(table.b, table.c).pvalue == mcnemar(y, g, f).pvalue


def test_labels_may_be_numbers_or_strings() -> None:
    table = paired_table(["a", "b"], np.array(["a", "a"], dtype=object), ("b", "b"))
    assert (table.a, table.b, table.c, table.d) == (0, 1, 1, 0)
    mixed = paired_table([True, False], np.array([1.0, 1.0]), np.array([0, 0]))
    assert (mixed.b, mixed.c) == (1, 1)


@pytest.mark.parametrize("b", range(16))
def test_exact_test_is_that_of_scipy_and_mid_p_counts_the_middle_half(b: int) -> None:
    for c in range(16):
        test, n = paired_binomial(b, c), b + c
        wanted = stats.binomtest(min(b, c), n, 0.5).pvalue if n else 1.0
        assert np.isclose(test.pvalue, wanted, rtol=1e-12)
        assert (test.b, test.c, test.statistic) == (b, c, min(b, c))
        half = stats.binom.pmf(b, n, 0.5) if b != c else 0.0
        assert np.isclose(paired_binomial(b, c, method="mid-p").pvalue, wanted - half)


@pytest.mark.parametrize("method", ["exact", "mid-p", "chi2", "corrected"])
@given(b=small, c=small)
def test_pvalues_are_symmetric_and_at_most_one(method: str, b: int, c: int) -> None:
    p = paired_binomial(b, c, method=method).pvalue
    assert 0 < p <= 1
    assert p == paired_binomial(c, b, method=method).pvalue
    if b == c:
        assert p == 1
    else:
        assert paired_binomial(min(b, c), max(b, c) + 1, method=method).pvalue < 1


@given(b=small, c=small)
def test_chi_square_forms(b: int, c: int) -> None:
    for method, distance in (("chi2", abs(b - c)), ("corrected", max(abs(b - c) - 1, 0))):
        test = paired_binomial(b, c, method=method)
        assert np.isclose(test.statistic, distance**2 / max(b + c, 1))
        assert np.isclose(test.pvalue, stats.chi2.sf(test.statistic, 1))


def test_tiny_pvalues_keep_their_digits() -> None:
    wanted = 2 * sum(comb(1003, i) for i in range(4)) / 2**1003
    assert np.isclose(paired_binomial(1000, 3).pvalue, wanted, rtol=1e-10, atol=0)
