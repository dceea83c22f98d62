r"""How good are predictions? Measures of labels, of scores at all thresholds, and of probabilities.

This module gathers the names of :mod:`lecturekit.confusion` (counts and their ratios),
:mod:`lecturekit.thresholds` (ROC, precision-recall and DET curves, AUC, average precision),
:mod:`lecturekit.operating` (hull, iso-loss lines, cost curves, LC index) and :mod:`lecturekit.scoring`
(Brier, log-loss, reliability). All take arrays. Labels are -1/+1 or 0/1, positive is the larger one; scores
are higher for what is more likely positive; probabilities are those of the positive class.
"""

from lecturekit.metrics._confusion import ALIASES, Confusion, confusion, confusion_of_counts
from lecturekit.metrics._curves import (
    CostCurve,
    Counts,
    DetCurve,
    LcIndex,
    OperatingPoint,
    PrCurve,
    RocCurve,
    RocHull,
    Triangular,
    auc,
    average_precision,
    cost_curve,
    cumulative_counts,
    det_curve,
    expected_loss,
    iso_loss,
    lc_index,
    pr_curve,
    roc_curve,
    roc_hull,
)
from lecturekit.metrics._scoring import (
    BrierDecomposition,
    ReliabilityCurve,
    brier,
    brier_classes,
    brier_decomposition,
    ece,
    log_loss,
    reliability_curve,
)

__all__ = [
    "ALIASES",
    "BrierDecomposition",
    "Confusion",
    "CostCurve",
    "Counts",
    "DetCurve",
    "LcIndex",
    "OperatingPoint",
    "PrCurve",
    "ReliabilityCurve",
    "RocCurve",
    "RocHull",
    "Triangular",
    "auc",
    "average_precision",
    "brier",
    "brier_classes",
    "brier_decomposition",
    "confusion",
    "confusion_of_counts",
    "cost_curve",
    "cumulative_counts",
    "det_curve",
    "ece",
    "expected_loss",
    "iso_loss",
    "lc_index",
    "log_loss",
    "pr_curve",
    "reliability_curve",
    "roc_curve",
    "roc_hull",
]
