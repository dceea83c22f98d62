"""Confusion tables: counts, ratios, aliases and what 0/0 is."""

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from lecturekit.metrics import ALIASES, Confusion, confusion, confusion_of_counts

counts = st.integers(1, 50)
tables = st.builds(confusion_of_counts, tp=counts, fn=counts, fp=counts, tn=counts)
DECK = confusion_of_counts(tp=5, fn=5, fp=1, tn=9)


def draw(seed: int, labels: list[Any], n: int = 200) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.choice(labels, n)
    return y, np.where(rng.random(n) < 0.6, y, rng.choice(labels, n))


@pytest.mark.parametrize("labels", [[-1, 1], [0, 1], [3, 5, 9], ["ham", "spam"], [1.0, 2.0, 7.0]])
def test_counts_are_those_of_scikit_learn(labels: list[Any]) -> None:
    y, yhat = draw(0, labels)
    table = confusion(y, yhat)
    assert np.array_equal(table.counts, sk.confusion_matrix(y, yhat))
    assert (table.labels, table.n) == (tuple(labels), 200)


def test_order_of_labels_is_the_users_and_a_label_that_does_not_occur_has_its_row() -> None:
    y, yhat = ["spam", "ham", "ham"], ["spam", "spam", "ham"]
    table = confusion(y, yhat, labels=["spam", "ham"])
    assert (table.counts.tolist(), (table.tp, table.fn, table.fp)) == ([[1, 0], [1, 1]], (1, 1, 0))
    assert confusion(y, yhat).recall == 1.0
    missing = confusion([1, 2], [2, 2], labels=[1, 2, 3], zero_division=math.nan)
    assert missing.counts.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert np.array_equal(missing.recalls, [0.0, 1.0, math.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("only", "labels"),
    [(1, (-1, 1)), (-1, (-1, 1)), (0, (0, 1)), (True, (-1, 1)), (np.uint8(1), (-1, 1)), (7, (7,))],
)
def test_of_familiar_labels_one_may_be_missing(only: Any, labels: tuple[int, ...]) -> None:
    table = confusion(np.array([only, only]), np.array([only, only]))
    assert (table.labels, table.accuracy) == (labels, 1.0)
    assert type(table.labels[0]) is int


def test_strings_may_be_python_objects_and_numbers_of_two_kinds() -> None:
    assert confusion(np.array(["a", "bb"], dtype=object), ["a", "a"]).counts.tolist() == [[1, 0], [1, 0]]
    assert confusion([0, 1, 1], np.array([False, True, False])).counts.tolist() == [[1, 0], [1, 1]]
    assert confusion(np.array([-1.0, 1.0]), [1, 1]).fp == 1
    assert confusion(np.array([1, 0], dtype=object), [1, 1]).counts.tolist() == [[0, 1], [0, 1]]
    assert confusion(np.array([2.0, 1], dtype=object), [1, 1]).labels == (1.0, 2.0)
    # three classes may be -1, 0 and 1
    assert confusion([-1, 0, 1], [1, 0, 1]).labels == (-1, 0, 1)
    assert confusion([-1, 1], [0, 1], labels=[-1, 0, 1]).accuracy == 0.5
    assert confusion([1, 1], [0, 1]).labels == (0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_measures_are_those_of_scikit_learn(seed: int) -> None:
    y, yhat = draw(seed, [-1, 1])
    table = confusion(y, yhat)
    plus, minus = sk.class_likelihood_ratios(y, yhat)
    expected = {
        "accuracy": sk.accuracy_score(y, yhat),
        "error": sk.zero_one_loss(y, yhat),
        "precision": sk.precision_score(y, yhat),
        "recall": sk.recall_score(y, yhat),
        "specificity": sk.recall_score(y, yhat, pos_label=-1),
        "npv": sk.precision_score(y, yhat, pos_label=-1),
        "f_score": sk.f1_score(y, yhat),
        "balanced_accuracy": sk.balanced_accuracy_score(y, yhat),
        "g_mean_precision": table.tp / math.sqrt((table.tp + table.fp) * (table.tp + table.fn)),
        "g_mean": math.sqrt(sk.recall_score(y, yhat) * sk.recall_score(y, yhat, pos_label=-1)),
        "lr_plus": plus,
        "lr_minus": minus,
        "prevalence": np.mean(y == 1),
    }
    assert {name: table.measure(name) for name in expected} == pytest.approx(expected, rel=1e-12)
    for beta in (0.5, 1, 2):
        assert table.f_beta(beta) == pytest.approx(sk.fbeta_score(y, yhat, beta=beta), rel=1e-12)


def test_measures_of_many_classes() -> None:
    y, yhat = draw(5, list(range(10)), 2000)
    table = confusion(y, yhat)
    assert np.allclose(table.recalls, sk.recall_score(y, yhat, average=None), rtol=1e-12)
    assert table.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(y, yhat))
    assert (table.accuracy, table.error) == pytest.approx((np.mean(y == yhat), np.mean(y != yhat)))
    assert math.log(table.g_mean) == pytest.approx(np.mean(np.log(table.recalls)))
    precisions = sk.precision_score(y, yhat, average=None)
    for label in range(10):
        one = table.one_versus_rest(label)
        assert (one.n, one.recall) == (2000, table.recalls[label])
        assert one.precision == pytest.approx(precisions[label])
        assert one.tn == np.sum((y != label) & (yhat != label))


@given(tables, st.floats(0.1, 10))
def test_identities(table: Confusion, beta: float) -> None:
    assert table.fpr == pytest.approx(1 - table.specificity)
    assert table.fnr == pytest.approx(1 - table.recall)
    assert table.fdr == pytest.approx(1 - table.precision)
    assert table.for_ == pytest.approx(1 - table.npv)
    assert table.diagnostic_odds == pytest.approx(table.lr_plus / table.lr_minus)
    odds = table.prevalence / (1 - table.prevalence)
    assert odds * table.lr_plus == pytest.approx(table.tp / table.fp)
    assert odds * table.lr_minus == pytest.approx(table.fn / table.tn)
    P, R = table.precision, table.recall
    assert table.f_beta(beta) == pytest.approx((1 + beta**2) * P * R / (beta**2 * P + R))
    assert table.f_beta(1e-6) == pytest.approx(P)
    assert table.f_beta(1e6) == pytest.approx(R)


def test_every_alias_names_its_measure_and_none_is_ambiguous() -> None:
    for name, aliases in ALIASES.items():
        printed = [alias.upper().replace(" ", "-") for alias in aliases]
        assert {DECK.measure(alias) for alias in (name, *aliases, *printed)} == {getattr(DECK, name)}
    plain = [re.sub("[ _]", "", name) for key, aliases in ALIASES.items() for name in (key, *aliases)]
    assert len(set(plain)) == len(plain)
    others = {"FOR": "for_", "F_1": "f_score", "fall-out": "fpr", "LR_+": "lr_plus", "LR-": "lr_minus"}
    assert all(DECK.measure(name) == getattr(DECK, key) for name, key in others.items())


NO_ALARMS = {"tp": 0, "fn": 3, "fp": 0, "tn": 5}
NO_POSITIVES = {"tp": 0, "fn": 0, "fp": 0, "tn": 5}


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (NO_ALARMS, "precision fdr lr_plus"),
        (NO_POSITIVES, "recall fnr f_score lr_plus lr_minus"),
        ({"tp": 2, "fn": 1, "fp": 0, "tn": 0}, "specificity fpr"),
        ({"tp": 2, "fn": 0, "fp": 1, "tn": 0}, "npv for_"),
        ({"tp": 0, "fn": 0, "fp": 1, "tn": 2}, "diagnostic_odds"),
    ],
)
def test_zero_over_zero_is_what_the_user_says(table: dict[str, int], names: str) -> None:
    for name in names.split():
        with pytest.raises(ZeroDivisionError, match="is 0/0 here; say what it shall be, as in zero_division"):
            getattr(confusion_of_counts(**table), name)
        for value in (0.0, 1.0):
            wanted = 1 - value if name in ("fpr", "fnr", "fdr", "for_") else value
            assert getattr(confusion_of_counts(**table, zero_division=value), name) == wanted
        assert math.isnan(getattr(confusion_of_counts(**table, zero_division=math.nan), name))


def test_a_count_over_zero_is_infinite_and_f_beta_has_its_limits() -> None:
    for beta, limit in ((1e200, DECK.recall), (1e-200, DECK.precision)):
        assert (DECK.f_beta(beta), confusion_of_counts(**NO_ALARMS).f_beta(beta)) == (limit, 0.0)
    table = confusion_of_counts(tp=2, fn=1, fp=0, tn=3)
    assert table.lr_plus == table.diagnostic_odds == math.inf
    assert confusion_of_counts(tp=2, fn=1, fp=3, tn=0).lr_minus == math.inf
    # the choice is kept in parts
    assert confusion([0, 1, 2], [0, 0, 0], zero_division=0.25).one_versus_rest(2).precision == 0.25
