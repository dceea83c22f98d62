r"""Boosting."""

from lecturekit.boosting._estimators import AdaBoost, GradientBoosting, GradientBoostingClassifier
from lecturekit.boosting._losses import (
    AbsoluteError,
    BoostingLoss,
    ExponentialError,
    LogisticError,
    SquaredError,
)
from lecturekit.boosting._rounds import (
    AdaBoosted,
    Additive,
    Multiclass,
    adaboost,
    best_steps,
    forward_stagewise,
    gradient_boosting,
    link,
    multiclass_boosting,
    tree_grower,
)

__all__ = [
    "AbsoluteError",
    "AdaBoost",
    "AdaBoosted",
    "Additive",
    "BoostingLoss",
    "ExponentialError",
    "GradientBoosting",
    "GradientBoostingClassifier",
    "LogisticError",
    "Multiclass",
    "SquaredError",
    "adaboost",
    "best_steps",
    "forward_stagewise",
    "gradient_boosting",
    "link",
    "multiclass_boosting",
    "tree_grower",
]
