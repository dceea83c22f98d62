"""How to measure what a learner will do on new data.

Splits say what to train and to test on; validation trains and measures, on one core, many, or a cluster, and
leaves one out without refitting where a formula does it; selection chooses a model, and keeps a test set that
opens once.
"""

from lecturekit.protocols._selection import (
    Nested,
    Selection,
    Vault,
    VaultError,
    grid,
    nested_cross_validate,
    select,
)
from lecturekit.protocols._splits import (
    Folds,
    Split,
    ThreeParts,
    five_by_two,
    group_kfold,
    holdout,
    kfold,
    leave_one_out,
    repeated_kfold,
    stratified_kfold,
    time_ordered,
    train_val_test,
)
from lecturekit.protocols._validation import (
    CrossValidation,
    cross_validate,
    error_rate,
    evaluate,
    loo_residuals,
    mean_squared_error,
    ols_loo,
    ridge_loo,
    train,
)

__all__ = [
    "CrossValidation",
    "Folds",
    "Nested",
    "Selection",
    "Split",
    "ThreeParts",
    "Vault",
    "VaultError",
    "cross_validate",
    "error_rate",
    "evaluate",
    "five_by_two",
    "grid",
    "group_kfold",
    "holdout",
    "kfold",
    "leave_one_out",
    "loo_residuals",
    "mean_squared_error",
    "nested_cross_validate",
    "ols_loo",
    "repeated_kfold",
    "ridge_loo",
    "select",
    "stratified_kfold",
    "time_ordered",
    "train",
    "train_val_test",
]
