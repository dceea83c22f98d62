"""Curves over all thresholds: counts, ROC, precision-recall, AUC."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from lecturekit.metrics import auc, average_precision, confusion, cumulative_counts, pr_curve, roc_curve

EXACT = 1e-12  # ratios of counts, added up


def scored(seed: int, n: int = 60, digits: int = 1) -> tuple[Any, Any]:
    """Draw labels and scores with many ties, both classes among them."""
    rng = np.random.default_rng(seed)
    y = np.append([-1, 1], rng.choice([-1, 1], n - 2, p=[0.7, 0.3]))
    return y, (rng.normal(size=n) + 0.8 * y).round(digits)


samples = st.tuples(st.integers(0, 10**6), st.integers(2, 60), st.integers(0, 3)).map(lambda a: scored(*a))


@given(samples)
def test_counts_are_those_of_each_threshold(sample: tuple[Any, Any]) -> None:
    y, score = sample
    counts = cumulative_counts(y, score)
    turned = cumulative_counts(y[::-1], score[::-1])  # the order of the sample does not matter
    assert np.array_equal(counts.tp, turned.tp)
    assert counts.thresholds.tolist() == [math.inf, *sorted(set(score.tolist()), reverse=True)]
    for k, threshold in enumerate(counts.thresholds):
        table = confusion(y, np.where(score >= threshold, 1, -1))
        found = counts.tp[k], counts.fp[k], counts.fn[k], counts.tn[k]
        assert found == (table.tp, table.fp, table.fn, table.tn)
    assert (counts.n_pos, counts.n_neg) == (np.sum(y == 1), np.sum(y == -1))


def test_labels_may_be_zero_and_one_or_truth_values() -> None:
    y, score = scored(0)
    for labels in ((y + 1) // 2, y == 1, (y == 1).tolist(), y.astype(np.float32)):
        assert np.array_equal(cumulative_counts(labels, score).tp, cumulative_counts(y, score).tp)
        assert auc(labels, score) == auc(y, score)
    assert np.array_equal((y, score), scored(0))  # they are left alone


@given(samples)
def test_roc_and_pr_curves_are_those_of_scikit_learn(sample: tuple[Any, Any]) -> None:
    curve = roc_curve(*sample)
    fpr, tpr, thresholds = sk.roc_curve(*sample, drop_intermediate=False)
    assert np.allclose(curve.fpr, fpr, atol=EXACT)
    assert np.allclose(curve.tpr, tpr, atol=EXACT)
    assert np.array_equal(curve.thresholds, thresholds)
    second = pr_curve(*sample)
    precision, recall, thresholds = sk.precision_recall_curve(*sample)
    assert np.allclose(second.precision, precision[-2::-1], atol=EXACT)
    assert np.allclose(second.recall, recall[-2::-1], atol=EXACT)
    assert np.array_equal(second.thresholds, thresholds[::-1])
    average = second.average_precision
    assert average == pytest.approx(sk.average_precision_score(*sample), abs=EXACT)
    assert average == average_precision(*sample)
    assert repr(second) == f"PrCurve({len(precision) - 1} points, average_precision={average:.4g})"
    assert second.prevalence == pytest.approx(np.mean(sample[0] == 1))


@given(samples)
def test_area_is_the_share_of_pairs_ranked_rightly(sample: tuple[Any, Any]) -> None:
    y, score = sample
    above, below = score[y == 1][:, None], score[y == -1]
    pairs = np.mean((above > below) + (above == below) / 2)
    assert auc(y, score) == pytest.approx(pairs, abs=EXACT)
    assert roc_curve(y, score).auc == pytest.approx(pairs, abs=EXACT)
    assert sk.roc_auc_score(y, score) == pytest.approx(pairs, abs=EXACT)


def test_many_pairs_do_not_overflow_and_single_precision_scores_are_ranked_as_they_are() -> None:
    n = 200_000
    many = np.tile([-1, 1], n).astype(np.int8)
    assert auc(many, np.arange(2 * n, dtype=np.int32)) == pytest.approx((n + 1) / (2 * n))
    y, score = scored(2, 500, 3)
    single = score.astype(np.float32)
    assert auc(y, single) == sk.roc_auc_score(y, single)
    assert roc_curve(y, single).auc == pytest.approx(auc(y, single), abs=EXACT)
