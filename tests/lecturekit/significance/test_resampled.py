"""Tests over repeated splits: the formulas written out, scipy's laws, behaviour under the null."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lecturekit.significance import corrected_resampled_t, five_by_two_cv

seeds = st.integers(0, 10**6)


@given(seeds)
def test_five_by_two_by_hand(seed: int) -> None:
    p = np.random.default_rng(seed).normal(0.3, 1, (5, 2))
    test = five_by_two_cv(p)
    s2 = [(a - (a + b) / 2) ** 2 + (b - (a + b) / 2) ** 2 for a, b in p]
    assert np.isclose(test.t, p[0, 0] / np.sqrt(sum(s2) / 5))
    assert np.isclose(test.f, sum(x**2 for x in p.ravel()) / (2 * sum(s2)))
    assert np.isclose(test.t_pvalue, 2 * stats.t.sf(abs(test.t), 5))
    assert np.isclose(test.f_pvalue, stats.f.sf(test.f, 10, 5))
    assert test.pvalue == test.f_pvalue
    assert np.isclose(test.mean, p.mean())


def test_laws_are_good_approximations_for_normal_differences_and_rounding_is_no_noise() -> None:
    rng = np.random.default_rng(0)
    tests = [five_by_two_cv(p) for p in rng.normal(size=(4000, 5, 2))]
    for name in ("t_pvalue", "f_pvalue"):
        assert 0.01 < np.mean([getattr(test, name) <= 0.05 for test in tests]) < 0.08
    equal = [0.9 - 0.8, 0.8 - 0.7, 0.7 - 0.6, 0.6 - 0.5, 0.5 - 0.4]
    assert len(set(equal)) > 1
    for d in (equal, [0.1 + 0.2 - 0.3, 0.0, 0.0]):
        with pytest.raises(ValueError, match="vary by rounding only"):
            corrected_resampled_t(d, 80, 20)
    with pytest.raises(ValueError, match="but for rounding"):
        five_by_two_cv([[d, e] for d, e in zip(equal, equal[::-1], strict=True)])
    small = np.array([1e-10, 2e-10, 4e-10])  # small units are no rounding
    one, other = (corrected_resampled_t(unit * small, 8, 2).statistic for unit in (1, 1e9))
    assert np.isclose(one, other)


@given(seeds, st.integers(2, 40), st.integers(1, 500), st.integers(1, 500))
def test_corrected_t_by_hand(seed: int, J: int, n_train: int, n_test: int) -> None:
    d = np.random.default_rng(seed).normal(0.2, 1, J)
    test = corrected_resampled_t(d, n_train, n_test)
    plain = stats.ttest_1samp(d, 0.0)
    assert np.isclose(test.statistic, plain.statistic / np.sqrt(1 + J * n_test / n_train))
    assert np.isclose(test.pvalue, 2 * stats.t.sf(abs(test.statistic), J - 1))
    assert np.isclose(test.statistic * test.standard_error, test.mean)
    assert np.isclose(test.mean, d.mean())
    assert test.freedom == J - 1
    assert test.pvalue >= plain.pvalue


@pytest.mark.parametrize("J", [5, 20])
def test_corrected_t_is_exact_for_the_correlation_it_assumes(J: int) -> None:
    rng = np.random.default_rng(J)
    common, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, J))
    d = np.sqrt(0.3) * common + np.sqrt(0.7) * own  # 30 of 100 points are tested on
    pvalues = [corrected_resampled_t(row, 70, 30).pvalue for row in d]
    assert stats.kstest(pvalues, "uniform").pvalue > 0.01
