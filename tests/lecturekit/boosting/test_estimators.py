"""The boosting estimators: scikit-learn's ensembles as oracle, and the functions that they wrap."""

from typing import Any

import numpy as np
from sklearn import ensemble as sk

from lecturekit import boosting
from lecturekit.boosting import AbsoluteError, AdaBoost, GradientBoostingClassifier, adaboost
from tests.lecturekit.test_estimators import three_clouds
from tests.support.oracles import overlapping


def test_adaboost_remembers_what_the_function_found() -> None:
    X, y = overlapping(2)
    fitted, found = AdaBoost(rounds=7).fit(X, y), adaboost(X, y, 7)
    assert np.array_equal(fitted.decision_function(X), found.decision(X))
    assert (fitted.n_iter_, fitted.gap_) == (found.n_iter, found.training_bound)
    assert np.mean(fitted.predict(X) != y) <= fitted.gap_
    Z, labels = three_clouds()
    for c, model in enumerate(AdaBoost(rounds=7).fit(Z, labels).models_):
        assert np.array_equal(model.errors, adaboost(Z, np.where(labels == c, 1, -1), 7).errors)
    useless = AdaBoost().fit([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1, 0, 0, 1])
    assert useless.predict([[0.0, 0.0], [0.0, 1.0]]).tolist() == [0, 0]
    assert (useless.n_iter_, useless.gap_) == (1, 1.0)


def test_gradient_boosting_remembers_what_the_functions_found() -> None:
    how: Any = {"rounds": 5, "depth": 2, "learning_rate": 0.4, "min_leaf": 3, "bins": 16}
    X, y = three_clouds()
    fitted = boosting.GradientBoosting("absolute", **how).fit(X, y)
    assert np.array_equal(fitted.predict(X), boosting.gradient_boosting(X, y, loss=AbsoluteError(), **how)(X))
    voter, found = GradientBoostingClassifier(**how).fit(X, y), boosting.multiclass_boosting(X, y, **how)
    P = voter.predict_proba(X)
    assert np.array_equal(P, found.probabilities(X))
    assert np.allclose(np.log(P / P[:, 2:]), voter.decision_function(X))


def test_two_classes_are_those_of_scikit_learn() -> None:
    X, y = overlapping(4, 120)
    ours = GradientBoostingClassifier(rounds=15, depth=2, min_leaf=6).fit(X, y)
    theirs = sk.GradientBoostingClassifier(n_estimators=15, max_depth=2, min_samples_leaf=6).fit(X, y)
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X))
