"""How good are predictions? Measures of labels, of scores at all thresholds, and of probabilities.

Confusion tables with their ratios; ROC and precision-recall curves, areas under them, and where costs say to
operate; Brier's score, log-loss and reliability. All take arrays. Labels are -1/+1 or 0/1, positive is the
larger one; scores are higher for what is more likely positive; probabilities are those of the positive class.
"""

from lecturekit.metrics._confusion import ALIASES, Confusion, confusion, confusion_of_counts
from lecturekit.metrics._curves import (
    CostCurve,
    Counts,
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
