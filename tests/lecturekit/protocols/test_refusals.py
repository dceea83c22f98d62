"""What lecturekit.protocols refuses, and in which words."""

import copy
import pickle
from collections.abc import Callable

import numpy as np

from lecturekit import linear, protocols
from lecturekit._typing import Array
from lecturekit.protocols import Vault
from lecturekit.protocols._splits import check_splits
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

NAN = float("nan")
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
HALVES = protocols.Split(train=np.array([0, 1]), test=np.array([2, 3]))


def mean_of(X: Array, y: Array) -> Callable[[Array], Array]:
    return lambda Z: np.full(len(Z), y.mean())


class OneClass:
    """What is left of a classifier that was trained on one class."""

    def predict_proba(self, X: Array) -> Array:
        """Be sure."""
        return np.ones((len(X), 1))


def used_vault() -> Vault:
    vault = Vault(EYE, TWO)
    vault.open("a first look")
    return vault


X, Y = np.arange(12.0).reshape(6, 2) ** 2 / 20, np.arange(6.0)
FOLDS = protocols.kfold(6, 2, rng=0)
RIDGE = {"X": X, "y": Y, "metric": protocols.mean_squared_error}
CHOICE = {"candidates": [linear.Ridge()], **RIDGE}
CALLS = {
    "holdout": {"n": 10, "test": 0.3, "rng": 0},
    "train_val_test": {"n": 10, "val": 0.3, "test": 0.3, "rng": 0},
    "kfold": {"n": 10, "k": 3, "rng": 0},
    "leave_one_out": {"n": 10},
    "stratified_kfold": {"y": np.array([1, 1, 2, 2, 2]), "k": 2, "rng": 0},
    "repeated_kfold": {"n": 10, "k": 3, "times": 2, "rng": 0},
    "five_by_two": {"n": 10, "rng": 0},
    "group_kfold": {"groups": np.array([1, 1, 2, 2, 3]), "k": 2},
    "time_ordered": {"n": 10, "k": 3, "gap": 1},
    "loo_residuals": {"S": np.full((6, 6), 1 / 6), "y": Y},
    "ols_loo": {"X": X, "y": Y},
    "ridge_loo": {"X": X, "y": Y, "lams": np.array([0.5, 1.0])},
    **{key: {"y": Y, "predicted": Y} for key in ("error_rate", "mean_squared_error")},
    "train": {"learner": linear.Ridge(), "X": X, "y": Y},
    "evaluate": {"model": linear.Ridge().fit(X, Y), **RIDGE},
    "cross_validate": {"estimator": linear.Ridge(), "splits": FOLDS, **RIDGE},
    "grid": {"estimator": linear.Ridge()},
    "select": {**CHOICE, "splits": FOLDS},
    "nested_cross_validate": {**CHOICE, "outer": FOLDS, "inner": lambda i: protocols.kfold(len(i), 2, rng=0)},
}
NAMES = {"inf", "datetimes", "strings"}  # a class or a group is a name: of any kind, but not of two at once
ACCEPTED = {"stratified_kfold.y": NAMES, "group_kfold.groups": NAMES}

NO_NUMBER = "metric must return one finite number"
ROWS = [
    ("kfold leave_one_out time_ordered holdout", {"n": 1}, "n must be a whole number >= 2, got 1; there mus"),
    ("train_val_test", {"n": 2}, "n must be a whole number >= 3, got 2; each of the"),
    ("kfold", {"k": 1}, "k must be a whole number >= 2, got 1; one part to train on"),
    ("time_ordered", {"k": 0}, "k must be a whole number >= 1, got 0; test on at least one"),
    ("kfold", {"n": 5, "k": 6}, "k must be at most the number of observations, got k=6 for 5"),
    ("stratified_kfold", {"k": 6}, "k must be at most the number of observations,"),
    ("stratified_kfold", {"y": ["a", "a", "b"]}, "y must have at least k=2"),
    ("group_kfold", {"k": 4}, "k must be at most the number of groups, got k=4 for"),
    ("repeated_kfold", {"times": 0}, "times must be a whole number >= 1, got 0; split"),
    ("time_ordered", {"gap": -1}, "gap must be a whole number >= 0, got -1; it counts"),
    ("time_ordered", {"n": 5, "k": 5}, "k and gap must leave something to train on and to test on"),
    ("holdout", {"test": 1.0}, "test must be a number between 0 and 1, got 1; it is the"),
    ("holdout", {"n": 5, "test": 0.05}, "test must leave both parts non-empty, got 0 of 5 for"),
    ("train_val_test", {"val": 0.5, "test": 0.5}, "val and test must leave all three parts"),
    ("loo_residuals", {"S": [[0.5, 0.5]]}, "S must be square, got shape (1, 2); take the"),
    ("loo_residuals", {"S": np.eye(6)}, "every observation must be predictable from the"),
    ("ols_loo", {"X": [[0.0], [0.0], [1.0]], "y": [1.0, 2.0, 3.0]}, "every observation must be"),
    ("ridge_loo", {"lams": []}, "lams must hold at least one penalty, got none"),
    ("ridge_loo", {"lams": [1.0, -1.0]}, "lams must be numbers >= 0, got -1; a"),
    ("cross_validate", {"y": [1.0]}, "X and y must have the same length"),
    ("cross_validate", {"X": 3.0, "y": 1.0}, "X and y must have the same length"),
    ("cross_validate", {"metric": lambda y, p: NAN}, f"{NO_NUMBER}, got nan on 3 observations; average loss"),
    ("evaluate", {"metric": lambda y, p: y - p}, f"{NO_NUMBER}, got array"),
    ("evaluate", {"model": OneClass(), "response": "predict_proba"}, "predict_proba must tell two classes o"),
    ("mean_squared_error", {"predicted": Y[:, None]}, "y and predicted must be alike, got"),
    ("error_rate", {"y": [], "predicted": []}, "y and predicted must be alike, got shapes (0,) and (0,)"),
    ("error_rate", {"y": [1, 1], "predicted": ["1", "1"]}, "y and predicted must be alike, got shapes (2,)"),
    ("grid", {"lam": [1, "1"]}, "values must print differently, got 'lam=1'"),
    ("select", {"candidates": []}, "candidates must hold at least one"),
    ("select", {"splits": HALVES, "X": EYE, "y": TWO}, "test of split 0 must hold positions from 0 to 1"),
    ("select", {"candidates": {1: mean_of, "1": mean_of}}, "candidates must have names that differ as strin"),
    ("select", {"retrain": False}, "retrain must be True with several splits, got 2; each of them trained"),
]
OTHERS = [
    (lambda: check_splits([], 0), "n must be a whole number >= 1, got 0; count the observations"),
    (lambda: check_splits([], 3), "splits must hold at least one split, got none"),
    (lambda: check_splits(protocols.kfold(6, 3, rng=0), 12), "splits must be of 12"),
    (lambda: check_splits([HALVES], 4, groups=[1, 2]), "groups must have one entry an"),
    (lambda: check_splits([HALVES], 4, groups=[[1, 2]]), "groups must be a vector of numbers"),
    (lambda: check_splits([HALVES], 4, groups=list("abbc")), "split 0 must not share a group"),
    (lambda: check_splits([HALVES], 3), "test of split 0 must hold positions from 0 to 2, got"),
    (lambda: check_splits([([-1], [0])], 3), "train of split 0 must hold positions from 0 to"),
    (lambda: check_splits([([True, False], [1])], 2), "train of split 0 must be a vector of"),
    (lambda: check_splits([HALVES, ([0, 1], [2, 1])], 4), "split 1 must not share an"),
    (lambda: check_splits([([0], [1, 1])], 4), "test of split 0 must hold each observation"),
    (lambda: protocols.ThreeParts(train=[0, 1, 4], val=[2], test=[3, 4]), "the three parts must not share a"),
    (lambda: protocols.train("ridge", EYE, TWO), "learner must be an estimator with fit or a", TypeError),
    (lambda: protocols.evaluate("ridge", EYE, TWO, len), "model must have the method predict or", TypeError),
    (lambda: copy.deepcopy(Vault(EYE, TWO)), "a Vault must not be copied or pickled", TypeError),
    (lambda: pickle.dumps(Vault(EYE, TWO)), "a Vault must not be copied or pickled", TypeError),
    (lambda: used_vault().open("a second look"), "the test set was used for 'a", protocols.VaultError),
    (lambda: Vault(EYE, TWO).evaluate(lambda X: X, lambda y, p: NAN), f"{NO_NUMBER} on the test set, got Va"),
]
CASES = spoilt(protocols, CALLS, ROWS) + OTHERS

test_message_is_raised = refused(CASES)
test_border = swept(protocols, CALLS, ACCEPTED)
