"""What lecturekit.protocols refuses, and in which words."""

# mypy: ignore-errors

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from lecturekit import linear, protocols
from lecturekit._typing import Array
from lecturekit.protocols._splits import check_splits
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
HALVES = protocols.Split(train=np.array([0, 1]), test=np.array([2, 3]))


def mean_of(X: Array, y: Array) -> Callable[[Array], Array]:
    return lambda Z: np.full(len(Z), y.mean())


class OneClass:
    """What is left of a classifier that was trained on one class."""

    def predict_proba(self, X: Array) -> Array:
        """Be sure."""
        return np.ones((len(X), 1))


def used_vault() -> protocols.Vault:
    vault = protocols.Vault(EYE, TWO)
    vault.open("a first look")
    return vault


CASES: list[Case] = [
    (lambda: protocols.group_kfold(["a", NAN, "b", NAN], 2), "groups must name the group of each"),
    (lambda: protocols.stratified_kfold([None, "a"], 2, rng=0), "y must name the class of each"),
    (lambda: protocols.stratified_kfold([1, 2], 3, rng=0), "k must be at most the number of observations,"),
    (lambda: protocols.stratified_kfold([1, 1, 2, 2], 2, rng=None), SEED_MESSAGE),
    (lambda: protocols.stratified_kfold(["a", "a", "b"], 2, rng=0), "y must have at least k=2"),
    (lambda: protocols.kfold(1, 2, rng=0), "n must be a whole number >= 2, got 1; there must be"),
    (lambda: protocols.kfold(5, 1, rng=0), "k must be a whole number >= 2, got 1; one part to train on"),
    (lambda: protocols.kfold(5, 6, rng=0), "k must be at most the number of observations, got k=6 for 5"),
    (lambda: protocols.kfold(5, 2, rng=None), SEED_MESSAGE),
    (lambda: protocols.leave_one_out(1), "n must be a whole number >= 2, got 1; there must be something"),
    (lambda: protocols.repeated_kfold(5, 2, 0, rng=0), "times must be a whole number >= 1, got 0; split"),
    (lambda: protocols.five_by_two(5, rng=None), SEED_MESSAGE),
    (lambda: protocols.group_kfold(["a", "b"], 3), "k must be at most the number of groups, got k=3 for"),
    (lambda: protocols.time_ordered(1, 2), "n must be a whole number >= 2, got 1; there must be something"),
    (lambda: protocols.time_ordered(5, 0), "k must be a whole number >= 1, got 0; test on at least one"),
    (lambda: protocols.time_ordered(5, 2, gap=-1), "gap must be a whole number >= 0, got -1; it counts"),
    (lambda: protocols.time_ordered(5, 5), "k and gap must leave something to train on and to test on"),
    (lambda: protocols.holdout(1, rng=0), "n must be a whole number >= 2, got 1; there must be something"),
    (lambda: protocols.holdout(5, 1.0, rng=0), "test must be a number between 0 and 1, got 1; it is the"),
    (lambda: protocols.holdout(5, 0.05, rng=0), "test must leave both parts non-empty, got 0 of 5 for"),
    (lambda: protocols.holdout(5, rng=None), SEED_MESSAGE),
    (lambda: protocols.train_val_test(2, rng=0), "n must be a whole number >= 3, got 2; each of the"),
    (lambda: protocols.train_val_test(10, 0.5, 0.5, rng=0), "val and test must leave all three parts"),
    (lambda: protocols.train_val_test(10, rng=None), SEED_MESSAGE),
    (lambda: check_splits([], 0), "n must be a whole number >= 1, got 0; count the observations"),
    (lambda: check_splits([], 3), "splits must hold at least one split, got none"),
    (lambda: check_splits(protocols.kfold(6, 3, rng=0), 12), "splits must be of 12"),
    (
        lambda: protocols.ThreeParts(train=np.arange(6), val=np.arange(6, 9), test=np.arange(4, 12)),
        "the three parts must not share an observation, got 4 in two; take it out of one",
    ),
    (lambda: check_splits([HALVES], 4, groups=[1, 2]), "groups must have one entry an"),
    (lambda: check_splits([HALVES], 4, groups=[[1, 2]]), "groups must be a vector of numbers"),
    (lambda: check_splits([HALVES], 4, groups=list("abbc")), "split 0 must not share a group"),
    (lambda: check_splits([HALVES], 3), "test of split 0 must hold positions from 0 to 2, got"),
    (lambda: check_splits([([-1], [0])], 3), "train of split 0 must hold positions from 0 to"),
    (lambda: check_splits([([True, False], [1])], 2), "train of split 0 must be a vector of"),
    (lambda: check_splits([HALVES, ([0, 1], [2, 1])], 4), "split 1 must not share an"),
    (lambda: check_splits([([0], [1, 1])], 4), "test of split 0 must hold each observation"),
    (lambda: protocols.loo_residuals([1.0], [1.0]), "S must be a matrix of shape (n, d), got shape (1,)"),
    (lambda: protocols.loo_residuals([[0.5, 0.5]], [1.0]), "S must be square, got shape (1, 2); take the"),
    (lambda: protocols.loo_residuals(EYE / 2, [1.0]), "y must have shape (2,), got (1,); give one entry a"),
    (lambda: protocols.loo_residuals(EYE, [1.0, 2.0]), "every observation must be predictable from the"),
    (lambda: protocols.ols_loo([[0.0], [0.0], [1.0]], [1.0, 2.0, 3.0]), "every observation must be"),
    (lambda: protocols.ols_loo([1.0], [1.0]), "X must be a matrix of shape (n, d), got shape (1,)"),
    (lambda: protocols.ols_loo([[1.0]], [1.0, 2.0]), "y must have shape (1,), got (2,); give one entry a"),
    (lambda: protocols.ridge_loo([1.0], [1.0], [1.0]), "X must be a matrix of shape (n, d), got shape"),
    (lambda: protocols.ridge_loo([[1.0]], [1.0, 2.0], [1.0]), "y must have shape (1,), got (2,); give one"),
    (lambda: protocols.ridge_loo(EYE, [1.0, 2.0], 1.0), "lams must be a vector of points on the line"),
    (lambda: protocols.ridge_loo(EYE, TWO, []), "lams must hold at least one penalty, got none"),
    (lambda: protocols.ridge_loo(EYE, [1.0, 2.0], [1.0, -1.0]), "lams must be numbers >= 0, got -1; a"),
    (lambda: protocols.cross_validate(mean_of, EYE, [1.0], [HALVES]), "X and y must have the same"),
    (lambda: protocols.cross_validate(mean_of, 3.0, 1.0, [HALVES]), "X and y must have the same length"),
    (lambda: protocols.cross_validate(mean_of, EYE, [1.0, NAN], [HALVES]), "y must be finite, got 1 NaN"),
    (
        lambda: protocols.cross_validate(mean_of, np.eye(4), np.ones(4), [HALVES], lambda y, p: NAN),
        "metric must return one finite number, got nan on 2 observations; average losses, and see that",
    ),
    (
        lambda: protocols.evaluate(mean_of(EYE, TWO), EYE, TWO, lambda y, p: y - p),
        "metric must return one finite number, got array([-1.,  1.]) on 2 observations; average losses",
    ),
    (lambda: protocols.mean_squared_error(TWO, TWO[:, None]), "y and predicted must be alike, got"),
    (lambda: protocols.mean_squared_error(["1", "2"], ["1", "2"]), "predicted must hold real numbers, got"),
    (lambda: protocols.mean_squared_error([NAN], [1.0]), "y must be finite, got 1 NaN or infinite entries"),
    (lambda: protocols.error_rate([1], [NAN]), "predicted must be finite, got 1 NaN or infinite entries;"),
    (lambda: protocols.error_rate([], []), "y and predicted must be alike, got shapes (0,) and (0,)"),
    (lambda: protocols.error_rate([1, 1], ["1", "1"]), "y and predicted must be alike, got shapes (2,)"),
    (
        lambda: protocols.evaluate(
            OneClass(), EYE, TWO, lambda y, p: float(np.mean((y - p) ** 2)), response="predict_proba"
        ),
        "predict_proba must tell two classes or more, got one column: all that was trained on was of one",
    ),
    (lambda: protocols.train("ridge", EYE, TWO), "learner must be an estimator with fit or a", TypeError),
    (
        lambda: protocols.evaluate("ridge", EYE, TWO, protocols.error_rate),
        "model must have the method predict or be a function of X, got 'ridge'",
        TypeError,
    ),
    (lambda: protocols.select([], EYE, TWO, HALVES), "test of split 0 must hold positions from 0 to 1"),
    (lambda: protocols.select([], np.eye(4), np.ones(4), HALVES), "candidates must hold at least one"),
    (
        lambda: protocols.select({1: mean_of, "1": mean_of}, np.eye(4), np.ones(4), HALVES),
        "candidates must have names that differ as strings, got [1, '1']",
    ),
    (lambda: protocols.grid(linear.Ridge(), lam=[1, "1"]), "values must print differently, got 'lam=1'"),
    (
        lambda: protocols.select([mean_of], np.eye(4), np.ones(4), [HALVES] * 2, retrain=False),
        "retrain must be True with several splits, got 2; each of them trained another model",
    ),
    (lambda: copy.deepcopy(protocols.Vault(EYE, TWO)), "a Vault must not be copied or pickled", TypeError),
    (lambda: pickle.dumps(protocols.Vault(EYE, TWO)), "a Vault must not be copied or pickled", TypeError),
    (lambda: used_vault().open("a second look"), "the test set was used for 'a", protocols.VaultError),
    (
        lambda: protocols.Vault(EYE, TWO).evaluate(mean_of(EYE, TWO), lambda y, p: NAN),
        "metric must return one finite number on the test set, got ValueError, whose message may tell",
    ),
]

X, Y = np.arange(12.0).reshape(6, 2) ** 2 / 20, np.arange(6.0)
FOLDS = protocols.kfold(6, 2, rng=0)
RIDGE = {"X": X, "y": Y, "metric": protocols.mean_squared_error}
CALLS: dict[str, dict[str, Any]] = {
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
    "select": {"candidates": [linear.Ridge()], "splits": FOLDS, **RIDGE},
    "nested_cross_validate": {
        "candidates": [linear.Ridge()],
        "outer": FOLDS,
        **RIDGE,
        "inner": lambda train: protocols.kfold(len(train), 2, rng=0),
    },
}
NAMES = {
    "inf",
    "datetimes",
    "strings",
}  # a class or a group is a name: of any kind, but not two kinds at once
ACCEPTED = {"stratified_kfold.y": NAMES, "group_kfold.groups": NAMES}

test_message_is_raised = refused(CASES)
test_border = swept(protocols, CALLS, ACCEPTED)
