"""How to measure what a learner will do on new data.

This module gathers the names of :mod:`lecturekit.splits` and :mod:`lecturekit.folds` (what to train and to
test on), :mod:`lecturekit.smoothers` (leave-one-out without refitting), :mod:`lecturekit.validation`
(cross-validation on one core, many, or a cluster), :mod:`lecturekit.selection` (choosing a model, nested
cross-validation) and :mod:`lecturekit.vault` (a test set that opens once).
"""

from lecturekit.folds import (
    five_by_two,
    group_kfold,
    kfold,
    leave_one_out,
    repeated_kfold,
    stratified_kfold,
    time_ordered,
)
from lecturekit.selection import Nested, Selection, grid, nested_cross_validate, select
from lecturekit.smoothers import loo_residuals, ols_loo, ridge_loo
from lecturekit.splits import Folds, Split, ThreeParts, check_splits, holdout, train_val_test
from lecturekit.validation import (
    CrossValidation,
    cross_validate,
    error_rate,
    evaluate,
    mean_squared_error,
    train,
)
from lecturekit.vault import Vault, VaultError

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
