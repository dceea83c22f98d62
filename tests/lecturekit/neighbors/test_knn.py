"""The estimators of nearest neighbours: scikit-learn's own contract, and its estimators as oracle."""

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn import neighbors as sk
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lecturekit import data
from lecturekit.neighbors import KNN, METRICS, KNNRegressor
from tests.support.oracles import overlapping

SEARCHES = ("brute", "kd", "ball")
each_estimator = pytest.mark.parametrize("model", [KNN(), KNNRegressor()], ids=lambda m: type(m).__name__)
each_search = pytest.mark.parametrize("search", SEARCHES)


@pytest.mark.compiled
@parametrize_with_checks([KNN(), KNNRegressor(), KNN(search="ball")])  # type: ignore[untyped-decorator]
def test_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("metric", METRICS)
@each_search
def test_estimators_agree_with_scikit_learn(search: str, metric: str) -> None:
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(80, 3)), rng.normal(size=(30, 3))
    y = np.array(["ash", "oak", "yew"])[rng.integers(3, size=80)]
    theirs = sk.KNeighborsClassifier(7, metric=metric).fit(X, y)
    ours = KNN(7, metric=metric, search=search, leaf_size=4).fit(X, y)
    assert np.allclose(ours.predict_proba(Z), theirs.predict_proba(Z))
    assert np.array_equal(ours.predict(Z), theirs.predict(Z))
    assert ours.classes_.tolist() == ["ash", "oak", "yew"]
    targets = rng.normal(size=80)
    means = sk.KNeighborsRegressor(7, metric=metric).fit(X, targets).predict(Z)
    assert np.allclose(KNNRegressor(7, metric=metric, search=search).fit(X, targets).predict(Z), means)


def test_one_neighbour_repeats_the_training_labels() -> None:
    X, y = overlapping(0, 60)
    assert KNN(1).fit(X, y).score(X, y) == 1.0
    assert KNN(9).fit(X, y).score(X, y) < 1.0


def test_all_neighbours_are_the_majority_or_the_mean() -> None:
    X, y = np.arange(5.0)[:, None], [1, 1, 2, 2, 2]
    assert KNN(5).fit(X, y).predict([[-9.0], [9.0]]).tolist() == [2, 2]
    assert KNNRegressor(5).fit(X, y).predict([[-9.0], [9.0]]) == pytest.approx([1.6, 1.6])


def test_of_equal_votes_the_first_class_is_taken() -> None:
    model = KNN(2).fit([[0.0], [1.0]], ["yes", "no"])
    assert model.predict([[0.1]]).tolist() == ["no"]
    assert model.predict_proba([[0.1]]).tolist() == [[0.5, 0.5]]


@each_search
def test_search_is_what_was_asked_for(search: str) -> None:
    X, y = data.two_gaussians(200, rng=0)
    tree = KNN(search=search, leaf_size=10).fit(X, y).tree_
    assert (len(tree.leaves) == 1) == (search == "brute")
    assert tree.radius.any() == (search == "ball")


@each_estimator
def test_copies_and_pickles(model: Any) -> None:
    X, y = overlapping(1)
    model = clone(model).set_params(k=3).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    blank = clone(model)
    assert blank.get_params() == model.get_params()
    assert np.array_equal(blank.fit(X, y).predict(X), model.predict(X))


@each_estimator
def test_pipeline_and_grid_search(model: Any) -> None:
    X, y = data.rings(60, rng=0)
    name = type(model).__name__.lower()
    search = GridSearchCV(make_pipeline(StandardScaler(), model), {f"{name}__k": [1, 30]}, cv=3)
    assert search.fit(X, y).best_params_ == {f"{name}__k": 1}
