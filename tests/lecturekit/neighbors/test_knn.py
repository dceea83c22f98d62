"""The classifier by nearest neighbours: scikit-learn's as oracle, and the corners."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from lecturekit.neighbors import KNN, METRICS
from tests.support.oracles import overlapping


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("search", ["brute", "kd", "ball"])
def test_classifier_agrees_with_that_of_scikit_learn(search: str, metric: str) -> None:
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(80, 3)), rng.normal(size=(30, 3))
    y = np.array(["ash", "oak", "yew"])[rng.integers(3, size=80)]
    theirs = KNeighborsClassifier(7, metric=metric).fit(X, y)
    ours = KNN(7, metric=metric, search=search, leaf_size=4).fit(X, y)
    assert np.allclose(ours.predict_proba(Z), theirs.predict_proba(Z))
    assert np.array_equal(ours.predict(Z), theirs.predict(Z))
    assert ours.classes_.tolist() == ["ash", "oak", "yew"]
    assert (len(ours.tree_.leaves) == 1) == (search == "brute")
    assert ours.tree_.radius.any() == (search == "ball")


def test_one_neighbour_repeats_the_training_labels_and_all_are_the_majority() -> None:
    X, y = overlapping(0, 60)
    assert KNN(1).fit(X, y).score(X, y) == 1.0
    assert KNN(9).fit(X, y).score(X, y) < 1.0
    every = KNN(5).fit(np.arange(5.0)[:, None], [1, 1, 2, 2, 2])
    assert every.predict([[-9.0], [9.0]]).tolist() == [2, 2]
    tied = KNN(2).fit([[0.0], [1.0]], ["yes", "no"])  # of equal votes the first class is taken
    assert (tied.predict([[0.1]]).tolist(), tied.predict_proba([[0.1]]).tolist()) == (["no"], [[0.5, 0.5]])
