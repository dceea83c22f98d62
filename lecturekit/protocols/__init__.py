r"""How to measure what a learner will do on new data.

This module gathers the names of :mod:`lecturekit.splits` and :mod:`lecturekit.folds` (what to train and to
test on), :mod:`lecturekit.smoothers` (leave-one-out without refitting), :mod:`lecturekit.validation`
(cross-validation on one core, many, or a cluster), :mod:`lecturekit.selection` (choosing a model, nested
cross-validation) and :mod:`lecturekit.vault` (a test set that opens once).
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
    check_splits,
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
    in_parallel,
    loo_residuals,
    mean_squared_error,
    measure,
    observations,
    ols_loo,
    predictions,
    ridge_loo,
    rows,
    score,
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
    "check_splits",
    "cross_validate",
    "error_rate",
    "evaluate",
    "five_by_two",
    "grid",
    "group_kfold",
    "holdout",
    "in_parallel",
    "kfold",
    "leave_one_out",
    "loo_residuals",
    "mean_squared_error",
    "measure",
    "nested_cross_validate",
    "observations",
    "ols_loo",
    "predictions",
    "repeated_kfold",
    "ridge_loo",
    "rows",
    "score",
    "select",
    "stratified_kfold",
    "time_ordered",
    "train",
    "train_val_test",
]
