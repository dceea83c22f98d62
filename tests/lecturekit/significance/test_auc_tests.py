"""Areas under ROC curves: every pair of points by brute force, scikit-learn's area, simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from lecturekit._typing import Array
from lecturekit.significance import delong, delong_variance, hanley_mcneil

seeds = st.integers(0, 10**6)


def world(seed: int, n: int = 40, digits: int = 9) -> tuple[Array, Array, Array]:
    """Draw labels and two correlated scores; few digits make ties."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.concatenate([[1.0, 1.0, -1.0, -1.0], rng.choice([-1.0, 1.0], n - 4)]))
    common = rng.normal(size=n) + y
    f, g = (common + rng.normal(size=(2, n))).round(digits)
    return y, f, g


def pairs(y: Array, score: Array) -> Array:
    """Return one row a positive point, one column a negative: 1 in the right order, 1/2 at a tie, 0 else."""
    above = score[y > 0][:, None] - score[y < 0]
    return np.where(above > 0, 1.0, np.where(above == 0, 0.5, 0.0))


def brute_covariance(y: Array, *scores: Array) -> Array:
    """Return DeLong's covariance of the areas from the tables of all pairs."""
    tables = [pairs(y, score) for score in scores]
    rows, columns = (np.array([t.mean(axis=axis) for t in tables]) for axis in (1, 0))
    return np.asarray(np.cov(rows) / rows.shape[1] + np.cov(columns) / columns.shape[1])


@pytest.mark.parametrize("digits", [0, 1, 9])
@given(seed=seeds, n=st.integers(4, 60))
def test_delong_is_that_of_all_pairs(digits: int, seed: int, n: int) -> None:
    y, f, g = world(seed, n, digits)
    V = brute_covariance(y, f, g)
    variance = V[0, 0] + V[1, 1] - 2 * V[0, 1]
    assert np.isclose(delong_variance(y, f), V[0, 0], atol=1e-15)
    if variance < 1e-14:
        return
    test = delong(y, f, g)
    assert np.allclose([test.auc_f, test.auc_g], [roc_auc_score(y, f), roc_auc_score(y, g)])
    assert np.allclose([test.variance_f, test.variance_g], np.diag(V), atol=1e-15)
    assert np.isclose(test.variance, variance, atol=1e-15)
    assert np.isclose(test.difference, pairs(y, f).mean() - pairs(y, g).mean())
    assert np.isclose(test.statistic, test.difference / np.sqrt(variance), atol=1e-9)
    assert np.isclose(test.pvalue, 2 * stats.norm.sf(abs(test.statistic)), atol=1e-12)
    half = stats.norm.isf(0.05) * np.sqrt(variance)
    assert np.allclose(test.interval(0.1), [test.difference - half, test.difference + half])


@given(seeds)
def test_only_the_order_of_the_scores_counts(seed: int) -> None:
    y, f, g = world(seed)
    one, two = delong(y, f, g), delong(y, np.exp(f), g.astype(np.float32) * 8)
    assert (one.auc_f, one.auc_g) == (two.auc_f, two.auc_g)
    assert np.isclose(one.pvalue, two.pvalue)
    turned = delong(-y, -f, -g)
    assert np.allclose([turned.variance, turned.difference], [one.variance, one.difference])
    assert np.isclose(delong(y, g, f).statistic, -one.statistic)


def test_labels_may_be_zero_and_one_and_constant_scores_have_area_one_half_and_no_variance() -> None:
    y, f, g = world(2)
    for labels in ((y + 1) / 2, y > 0):
        assert delong_variance(labels, f) == delong_variance(y, f)
        assert delong(labels, f, g).pvalue == delong(y, f, g).pvalue
    test = delong(y, f, np.zeros(len(y)))
    assert (test.auc_g, test.variance_g) == (0.5, 0.0)
    assert np.isclose(test.variance, test.variance_f)


def exact_variance(auc: float, q1: float, q2: float, n_pos: int, n_neg: int) -> float:
    """Return the variance of the share of right pairs, by counting which pairs share a point."""
    both = {(True, True): auc, (True, False): q2, (False, True): q1, (False, False): auc**2}
    pairs = list(product(range(n_pos), range(n_neg)))
    return sum(both[i == k, j == m] for i, j in pairs for k, m in pairs) / len(pairs) ** 2 - auc**2


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (2, 5), (6, 3)])
@pytest.mark.parametrize("rate", [1.0, 3.0])
def test_hanley_mcneil_is_exact_for_exponential_scores(n_pos: int, n_neg: int, rate: float) -> None:
    # Positive scores are Exp(1), negative ones Exp(rate): the smaller of two positives is Exp(2), and
    # E(1 - exp(-rate x))^2 is the chance that a positive is above two negatives.
    auc, q1, q2 = rate / (1 + rate), rate / (2 + rate), 1 - 2 / (1 + rate) + 1 / (1 + 2 * rate)
    wanted = exact_variance(auc, q1, q2, n_pos, n_neg)
    assert np.isclose(hanley_mcneil(auc, n_pos, n_neg), wanted, atol=1e-15)
    assert hanley_mcneil(0.0, n_pos, n_neg) == hanley_mcneil(1.0, n_pos, n_neg) == 0.0


def test_variance_is_that_over_samples_and_pvalues_are_spread_evenly_without_a_difference() -> None:
    draws = [world(seed, 60) for seed in range(1500)]
    areas = np.array([pairs(y, f).mean() for y, f, _ in draws])
    stated = np.mean([delong_variance(y, f) for y, f, _ in draws])
    assert abs(stated / areas.var() - 1) < 0.15
    pvalues = np.array([delong(*world(seed, 80)).pvalue for seed in range(2000)])
    for level in (0.05, 0.2, 0.5):
        assert abs(np.mean(pvalues <= level) - level) < 0.035
