"""The boosting estimators: scikit-learn's ensembles as oracle, and the functions that they wrap."""

from typing import Any

import numpy as np
import pytest
from sklearn import ensemble as sk
from sklearn.base import clone

from lecturekit._typing import Array
from lecturekit.boosting import (
    AbsoluteError,
    AdaBoost,
    GradientBoosting,
    GradientBoostingClassifier,
    adaboost,
    gradient_boosting,
    multiclass_boosting,
)
from tests.support.oracles import overlapping

CLASSIFIERS = [AdaBoost(rounds=20), GradientBoostingClassifier(rounds=20)]
each_classifier = pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)


def three_clouds(n: int = 60) -> tuple[Array, Any]:
    """Draw three clouds around the corners of a triangle."""
    y = np.arange(n) % 3
    corners = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    return corners[y] + 0.7 * np.random.default_rng(0).normal(size=(n, 2)), y


@each_classifier
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (7, 3), ("no", "yes"), (False, True)])
def test_any_two_labels(model: Any, labels: tuple[Any, Any]) -> None:
    X, y = overlapping(1)
    named = np.array(labels)[(y > 0).astype(int)]
    fitted = clone(model).fit(X, named)
    flip = 1.0 if labels[0] < labels[1] else -1.0
    assert fitted.classes_.tolist() == sorted(labels)
    assert np.allclose(fitted.decision_function(X), clone(model).fit(X, flip * y).decision_function(X))
    assert fitted.decision_function(X).shape == (30,)
    assert np.array_equal(fitted.predict(X), fitted.classes_[(fitted.decision_function(X) > 0).astype(int)])


@each_classifier
def test_three_classes(model: Any) -> None:
    X, y = three_clouds()
    names = np.array(["ash", "oak", "yew"])[y]
    fitted = clone(model).fit(X, names)
    scores = fitted.decision_function(X)
    assert scores.shape == (60, 3)
    assert np.array_equal(fitted.predict(X), fitted.classes_[scores.argmax(axis=1)])
    assert fitted.score(X, names) > 0.8


# -- what they remember --------------------------------------------------------------------------------------


def test_adaboost_remembers_what_the_function_found() -> None:
    X, y = overlapping(2)
    fitted, found = AdaBoost(rounds=7).fit(X, y), adaboost(X, y, 7)
    assert np.array_equal(fitted.decision_function(X), found.decision(X))
    assert (fitted.n_iter_, fitted.gap_) == (found.n_iter, found.training_bound)
    assert np.mean(fitted.predict(X) != y) <= fitted.gap_
    X, y = three_clouds()
    many = AdaBoost(rounds=7).fit(X, y)
    assert [model.errors.tolist() for model in many.models_] == [
        adaboost(X, np.where(y == c, 1, -1), 7).errors.tolist() for c in range(3)
    ]


def test_adaboost_without_a_useful_stump() -> None:
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1, 0, 0, 1]
    fitted = AdaBoost().fit(X, y)
    assert fitted.predict(X).tolist() == [0, 0, 0, 0]
    assert (fitted.n_iter_, fitted.gap_) == (1, 1.0)


def test_gradient_boosting_remembers_what_the_functions_found() -> None:
    how: Any = {"rounds": 5, "depth": 2, "learning_rate": 0.4, "min_leaf": 3, "bins": 16}
    X, y = three_clouds()
    fitted = GradientBoosting("absolute", **how).fit(X, y)
    assert np.array_equal(fitted.predict(X), gradient_boosting(X, y, loss=AbsoluteError(), **how)(X))
    voter, found = GradientBoostingClassifier(**how).fit(X, y), multiclass_boosting(X, y, **how)
    P = voter.predict_proba(X)
    assert np.array_equal(P, found.probabilities(X))
    assert np.allclose(np.log(P / P[:, 2:]), voter.decision_function(X))


# -- against scikit-learn ------------------------------------------------------------------------------------


def test_two_classes_are_those_of_scikit_learn() -> None:
    X, y = overlapping(4, 120)
    ours = GradientBoostingClassifier(rounds=15, depth=2, min_leaf=6).fit(X, y)
    theirs = sk.GradientBoostingClassifier(n_estimators=15, max_depth=2, min_samples_leaf=6).fit(X, y)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X))
