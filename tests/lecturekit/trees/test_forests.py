"""Forests: single trees and scikit-learn's forests as oracle, and what randomness does to variance."""

from typing import Any

import numpy as np
import pytest
from sklearn import ensemble as sk
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from lecturekit._typing import Array
from lecturekit.trees import ExtraTrees, RandomForest
from lecturekit.trees._forests import Forest, grow_forest
from tests.support.oracles import overlapping


def noisy_sum(seed: int, n: int = 120, d: int = 4) -> tuple[Array, Array]:
    """Draw points, and a sum of their coordinates with noise in the only column."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    return X, (X.sum(axis=1) + 0.3 * rng.normal(size=n))[:, None]


def grown(X: Array, z: Array, seed: int = 0, **how: Any) -> Forest:
    return grow_forest(X, z, rng=np.random.default_rng(seed), **how)


def test_forest_without_randomness_is_one_tree_of_least_gini_impurity() -> None:
    X, z = noisy_sum(0, n=150)
    y = np.digitize(z[:, 0], [1.7, 2.3])
    forest = grown(X, np.eye(3)[y], n_trees=3, bootstrap=False, depth=3, min_leaf=2)
    theirs = DecisionTreeClassifier(max_depth=3, min_samples_leaf=2, random_state=0).fit(X, y)
    assert np.allclose(forest(X), theirs.predict_proba(X))
    assert not forest.left_out.any()
    assert np.isnan(forest.out_of_bag).all()


@pytest.mark.parametrize("columns", [1, 2])
def test_out_of_bag_is_the_mean_of_the_trees_that_did_not_see_a_point(columns: int) -> None:
    X, z = noisy_sum(1, n=30)
    z = np.column_stack([z, -2 * z])[:, :columns]
    forest = grown(X, z, 7, n_trees=6, features=2)
    draws = [each.integers(30, size=30) for each in np.random.default_rng(7).spawn(6)]
    answers = np.array([tree(X) for tree in forest.trees])
    assert np.allclose(forest(X), answers.mean(axis=0))
    for i in range(30):
        away = [b for b, drawn in enumerate(draws) if i not in drawn]
        assert forest.left_out[i] == len(away)
        wanted = answers[away, i].mean(axis=0) if away else np.full(columns, np.nan)
        assert np.allclose(forest.out_of_bag[i], wanted, equal_nan=True)
    assert all(tree.count[0] == 30 for tree in forest.trees)


def spread(**how: Any) -> float:
    """Return the variance of a forest's answers over training sets, averaged over points."""
    Z = np.random.default_rng(99).random((30, 4))
    answers = [grown(*noisy_sum(seed, n=60), seed, **how)(Z) for seed in range(12)]
    return float(np.var(answers, axis=0).mean())


@pytest.mark.compiled
def test_forests_vary_less_than_a_tree() -> None:
    tree = spread(n_trees=1, bootstrap=False)
    assert spread(n_trees=15, features=1) < tree / 2
    assert spread(n_trees=15, features=1, bootstrap=False, random_cuts=True) < tree / 2


@pytest.mark.parametrize("how", [{}, {"bootstrap": True}, {"features": 1}, {"random_cuts": True}], ids=str)
def test_trees_of_a_forest_differ_by_sample_features_and_thresholds(how: Any) -> None:
    forest = grown(*noisy_sum(5), **({"n_trees": 4, "depth": 2, "bootstrap": False} | how))
    thresholds = {tuple(tree.threshold[tree.feature >= 0]) for tree in forest.trees}
    assert (len(thresholds) > 1) is bool(how)


@pytest.mark.parametrize("model", [RandomForest(5), ExtraTrees(5)], ids=str)
def test_seeds_and_the_default_number_of_features(model: Any) -> None:
    X, z = noisy_sum(7, d=9)
    y = np.digitize(z[:, 0], [4.0, 5.0])
    Z = X + 0.05
    asked = clone(model).set_params(features=3).fit(X, y).forest_(Z)
    for same in ({}, {"random_state": np.random.default_rng(0)}):
        assert np.array_equal(clone(model).set_params(**same).fit(X, y).forest_(Z), asked)
    for other in ({"features": 2}, {"random_state": 1}):
        assert not np.array_equal(clone(model).set_params(**other).fit(X, y).forest_(Z), asked)


@pytest.mark.compiled
@pytest.mark.parametrize("ours", [RandomForest, ExtraTrees])
def test_classifiers_do_as_well_as_scikit_learns_with_trees_as_large(ours: Any) -> None:
    X, y = make_classification(800, 8, n_informative=5, flip_y=0.1, random_state=0)
    model = ours(40).fit(X[:200], y[:200])
    theirs = getattr(sk, f"{ours.__name__}Classifier")
    peers = [theirs(40, max_features=3, random_state=seed).fit(X[:200], y[:200]) for seed in range(3)]
    scores = [peer.score(X[200:], y[200:]) for peer in peers]
    assert model.score(X[200:], y[200:]) == pytest.approx(np.mean(scores), abs=0.03)
    leaves = np.mean([tree.get_n_leaves() for peer in peers for tree in peer.estimators_])
    assert np.mean([tree.n_leaves for tree in model.forest_.trees]) == pytest.approx(leaves, rel=0.06)


@pytest.mark.compiled
def test_error_out_of_bag_is_that_on_new_points() -> None:
    X, y = make_classification(1200, 6, n_informative=4, flip_y=0.2, random_state=1)
    parts = [(X[start : start + 150], y[start : start + 150]) for start in range(0, 450, 150)]
    models = [RandomForest(40, features=2, random_state=k).fit(*part) for k, part in enumerate(parts)]
    peers = [sk.RandomForestClassifier(40, max_features=2, oob_score=True, random_state=k) for k in range(3)]
    theirs = [peer.fit(*part) for peer, part in zip(peers, parts, strict=True)]
    out_of_bag = np.mean([model.oob_error_ for model in models])
    new = np.mean([1 - model.score(X[600:], y[600:]) for model in models])
    assert out_of_bag == pytest.approx(new, abs=0.05)
    assert out_of_bag == pytest.approx(np.mean([1 - model.oob_score_ for model in theirs]), abs=0.02)
    assert all(model.score(*part) > 0.98 for model, part in zip(models, parts, strict=True))


def test_error_out_of_bag_is_a_mean_over_points_left_out_and_extra_trees_see_all() -> None:
    X, z = noisy_sum(8, n=40)
    y = z[:, 0] > 2
    for trees in (1, 30):
        voter = RandomForest(trees).fit(X, y)
        out = voter.forest_.left_out > 0
        assert out.all() == (trees > 1)
        assert voter.oob_error_ == np.mean((voter.forest_.out_of_bag[out, 1] > 0.5) != y[out])
    lonely = RandomForest(3).fit([[1.0]], ["a"])
    assert np.isnan(lonely.oob_error_)
    assert lonely.predict([[5.0]]).tolist() == ["a"]
    clouds = overlapping(2, 50)
    model = ExtraTrees(4).fit(*clouds)
    assert model.score(*clouds) == 1.0
    assert not hasattr(model, "oob_error_")
