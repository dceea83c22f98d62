"""What lecturekit.metrics refuses, and in which words."""

import numpy as np

from lecturekit import metrics
from tests.support.border import swept
from tests.support.refusals import refused

NAN = float("nan")
EYE, UP = np.eye(2), np.array([0.0, 1.0])
ROC = metrics.roc_curve([1, -1, 1], [0.9, 0.5, 0.2])

CASES = [
    (lambda: metrics.auc([1, 2, 2], [0.1, 0.2, 0.3]), "y must hold labels -1/+1 or 0/1, got [1.0, 2.0]"),
    (lambda: metrics.roc_curve([1, 1], [0.1, 0.2]), "y must contain both classes, got only 1; a curve"),
    (lambda: metrics.pr_curve([-1, -1], [0.1, 0.2]), "y must contain both classes, got only -1; a curve"),
    (lambda: metrics.brier([1, 0], [0.5, 1.5]), "p must lie between 0 and 1, got 1.5; turn scores into"),
    (lambda: metrics.brier([1, 0], [-0.5, 1.0]), "p must lie between 0 and 1, got -0.5; turn scores into"),
    (lambda: metrics.brier([1, 0], EYE), "p must have shape (2,), got (2, 2); take the column of the"),
    (lambda: metrics.log_loss([3], [0.5]), "y must hold labels -1/+1 or 0/1, got [3.0]; name the positi"),
    (lambda: metrics.brier_classes([1, 1], EYE), "P must have shape (2, 1), got (2, 2); give a row an"),
    (lambda: metrics.brier_classes([1, 0], [[1.5, -0.5], [0.0, 1.0]]), "rows of P must be >= 0 and sum to 1"),
    (lambda: metrics.brier_classes([1, 0], 2 * EYE), "rows of P must be >= 0 and sum to 1, got a smalles"),
    (lambda: metrics.brier_classes([1, 0], EYE, labels=[1, 2]), "y must hold only the labels [1, 2]; add"),
    (lambda: metrics.brier_classes([0, 0], EYE, labels=[0, 0]), "labels must differ, got [0, 0]; name"),
    (lambda: metrics.ece([1], [0.5], bins=0), "bins must be a whole number >= 1, got 0; a curve needs at"),
    (lambda: metrics.ece([1], [0.5], strategy="equal"), "strategy must be 'uniform' or 'quantile', got"),
    (lambda: metrics.confusion([1, 0], [1]), "y and yhat must have the same length, got 2 and 1; give"),
    (lambda: metrics.confusion(["a"], [1]), "y and yhat must both hold numbers or both strings, got one"),
    (lambda: metrics.confusion([1], [1], labels=[1, 1]), "labels must differ, got [1, 1]; name each class"),
    (lambda: metrics.confusion([1], np.array(["2024"], "M8")), "yhat must hold numbers or strings, got date"),
    (lambda: metrics.confusion([1, 0], [0.9, 0.2]), "yhat must hold classes, got 0.9; compare scores"),
    (lambda: metrics.confusion([1], [1], zero_division=2), "zero_division must be a number from 0 to 1, got"),
    (lambda: metrics.confusion([True, False], [1, -1]), "y and yhat must have the same labels, got -1/+1"),
    (lambda: metrics.confusion([1, 2], [1, 3], labels=[1, 2]), "yhat must hold only the labels [1, 2]"),
    (lambda: metrics.confusion([1, 0], [1, 0], labels=[1, 2]), "y must hold only the labels [1, 2], got"),
    (lambda: metrics.confusion([1, 2], [2, 2]).one_versus_rest(3), "label must be one of [1, 2], got 3"),
    (lambda: metrics.confusion([1, 2, 3], [1, 2, 3]).recall, "this measure needs two classes, got 3; use"),
    (lambda: metrics.confusion([1], [1]).f_beta(0.0), "beta must be a number > 0, got 0; 0.5 favours"),
    (lambda: metrics.confusion([1], [1]).measure("quality"), "name must be that of a measure, got"),
    (lambda: metrics.confusion([1], [-1]).precision, "precision is 0/0 here; say what", ZeroDivisionError),
    (lambda: metrics.confusion_of_counts(tp=1, fn=-1, fp=0, tn=0), "fn must be a whole number >= 0, got"),
    (lambda: metrics.confusion_of_counts(tp=0, fn=0, fp=0, tn=0), "the four counts must not all be zero"),
    (lambda: metrics.RocCurve(fpr=UP[1:], tpr=UP[1:], thresholds=UP[1:]), "fpr must be a vector with an ent"),
    (lambda: metrics.RocCurve(fpr=UP - 1, tpr=UP, thresholds=-UP), "fpr must go from 0 to 1, got -1 to 0; a"),
    (lambda: metrics.RocCurve(fpr=UP, tpr=1 - UP, thresholds=-UP), "tpr must not fall or be NaN; sort the"),
    (lambda: metrics.expected_loss([0.5, 2.0], [0.5, 0.5], 1.0, 1.0, 0.5), "fpr must lie between 0 and"),
    (lambda: metrics.expected_loss([0.5], 0.5, 1.0, 1.0, 0.5), "fpr and tpr must have one shape, got (1,)"),
    (lambda: metrics.expected_loss(0.5, -5.0, 1.0, 1.0, 0.5), "tpr must lie between 0 and 1, got -5; it"),
    (lambda: metrics.iso_loss(ROC, 0.0, 1.0, 0.5), "cost_fp must be a number > 0, got 0; if false alarms"),
    (lambda: metrics.iso_loss(ROC, 1.0, 0.0, 0.5), "cost_fn must be a number > 0, got 0; if misses cost"),
    (lambda: metrics.cost_curve(ROC, 1.5), "prevalence must be a number from 0 to 1, got 1.5; it is a pro"),
    (lambda: metrics.cost_curve(ROC, 1.0), "prevalence must be above 0 and below 1, got 1; one class"),
    (lambda: metrics.iso_loss(ROC, 1.0, 1.0, 0), "prevalence must be above 0 and below 1, got 0; one class"),
    (lambda: metrics.iso_loss(ROC, 1, 1, 0.5).line(NAN), "fpr must be finite, got 1 NaN or infinite"),
    (lambda: metrics.cost_curve(ROC, 0.5).at("0.5"), "lam must hold real numbers, got '0.5'; convert"),
    (lambda: metrics.Triangular(0.0, 2.0, 3.0), "mode must be a number from 0 to 1, got 2; it is a"),
    (lambda: metrics.Triangular(0.5, 0.4, 1.0), "low, mode and high must rise within [0, 1], got 0.5"),
    (lambda: metrics.lc_index(ROC, ROC, 0.5, weight=lambda lam: 0 * lam), "weight must rise by 1 from 0"),
]

Y, SCORE, P = np.array([1, -1, 1, -1]), np.array([0.9, 0.4, 0.6, 0.1]), np.array([0.9, 0.5, 0.75, 0.25])
COSTS = {"cost_fp": 1.0, "cost_fn": 5.0, "prevalence": 0.25}
CALLS = {
    **{key: {"y": Y, "score": SCORE} for key in ("auc", "average_precision", "cumulative_counts")},
    **{key: {"y": Y, "score": SCORE} for key in ("pr_curve", "roc_curve")},
    **{key: {"y": Y, "p": P} for key in ("brier", "log_loss")},
    **{key: {"y": Y, "p": P, "bins": 5} for key in ("brier_decomposition", "ece", "reliability_curve")},
    "brier_classes": {"y": Y, "P": np.column_stack([1 - P, P]), "labels": [-1, 1]},
    "confusion": {"y": Y, "yhat": -Y, "labels": [-1, 1], "zero_division": 0.5},
    "confusion_of_counts": {"tp": 1, "fn": 2, "fp": 3, "tn": 4, "zero_division": 0.5},
    "cost_curve": {"curve": ROC, "prevalence": 0.25},
    "expected_loss": {"fpr": SCORE, "tpr": P, **COSTS},
    "iso_loss": {"curve": ROC, **COSTS},
    "lc_index": {"first": ROC, "second": ROC, "prevalence": 0.25},
    "roc_hull": {"curve": ROC},
    "Triangular": {"low": 0.0, "mode": 0.5, "high": 1.0},
}
ACCEPTED = {
    **{f"{name}.y": {"short"} for name in CALLS},  # it is what the others are too long for, says the message
    "confusion.zero_division": {"nan"},  # what 0/0 is may be left open
    "confusion_of_counts.zero_division": {"nan"},
}

test_message_is_raised = refused(CASES)
test_border = swept(metrics, CALLS, ACCEPTED)
