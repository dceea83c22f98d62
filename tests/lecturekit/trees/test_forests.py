"""Forests: single trees and scikit-learn's forests as oracle, and what randomness does to variance."""

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn import ensemble as sk
from sklearn.base import clone
from sklearn.datasets import make_classification, make_friedman1
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from lecturekit import data
from lecturekit._typing import Array
from lecturekit.trees import (
    ExtraTrees,
    ExtraTreesRegressor,
    RandomForest,
    RandomForestRegressor,
    grow_forest,
    regression_tree,
)
from tests.support.oracles import overlapping

CLASSIFIERS = [RandomForest(5), ExtraTrees(5)]
ALL = [*CLASSIFIERS, RandomForestRegressor(5), ExtraTreesRegressor(5)]
each_estimator = pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)


def noisy_sum(seed: int, n: int = 120, d: int = 4) -> tuple[Array, Array]:
    """Draw points, and a sum of their coordinates with noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    return X, X.sum(axis=1) + 0.3 * rng.normal(size=n)


# -- the contract --------------------------------------------------------------------------------------------


@pytest.mark.compiled
@parametrize_with_checks(ALL)  # type: ignore[untyped-decorator]
def test_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@each_estimator
def test_copies_and_pickles_and_seeds(model: Any) -> None:
    X, y = overlapping(1)
    model = clone(model).set_params(n_trees=3, features=1).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    blank = clone(model)
    assert blank.get_params() == model.get_params()
    assert np.array_equal(blank.fit(X, y).forest_(X), model.forest_(X))
    assert not np.array_equal(
        blank.set_params(random_state=1).fit(X, y).forest_(X + 0.1), model.forest_(X + 0.1)
    )


# -- the forest ----------------------------------------------------------------------------------------------


def test_forest_without_randomness_is_one_tree() -> None:
    X, z = noisy_sum(0)
    forest = grow_forest(X, z, n_trees=3, bootstrap=False, depth=4, min_leaf=3, rng=0)
    tree = regression_tree(X, z, depth=4, min_leaf=3)
    theirs = DecisionTreeRegressor(max_depth=4, min_samples_leaf=3).fit(X, z)
    assert np.allclose(forest(X), tree(X), rtol=1e-12)
    assert np.allclose(forest(X), theirs.predict(X))


def test_classification_tree_minimises_the_gini_impurity() -> None:
    X, y = make_classification(
        150, 4, n_informative=4, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=0
    )
    forest = grow_forest(X, np.eye(3)[y], n_trees=1, bootstrap=False, depth=3, rng=0)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    assert np.allclose(forest(X), theirs.predict_proba(X))
    assert np.allclose(forest(X).sum(axis=1), 1)


@pytest.mark.parametrize("columns", [None, 2])
def test_out_of_bag_is_the_mean_of_the_trees_that_did_not_see_a_point(columns: int | None) -> None:
    X, z = noisy_sum(1, n=30)
    z = z if columns is None else np.column_stack([z, -2 * z])
    forest = grow_forest(X, z, n_trees=6, features=2, rng=7)
    draws = [each.integers(30, size=30) for each in np.random.default_rng(7).spawn(6)]
    answers = np.array([tree(X) for tree in forest.trees])
    assert np.allclose(forest(X), answers.mean(axis=0))
    for i in range(30):
        away = [b for b, drawn in enumerate(draws) if i not in drawn]
        assert forest.left_out[i] == len(away)
        wanted = answers[away, i].mean(axis=0) if away else np.full(z.shape[1:], np.nan)
        assert np.allclose(forest.out_of_bag[i], wanted, equal_nan=True)
    assert all(tree.count[0] == 30 for tree in forest.trees)


def test_a_draw_leaves_out_one_point_in_e() -> None:
    X, z = noisy_sum(2, n=200)
    left_out = grow_forest(X, z, n_trees=100, depth=1, rng=0).left_out
    assert left_out.mean() / 100 == pytest.approx((1 - 1 / 200) ** 200, abs=0.005)


def test_points_that_all_trees_saw_have_no_prediction_out_of_bag() -> None:
    X, z = noisy_sum(3, n=20)
    everything = grow_forest(X, z, n_trees=2, bootstrap=False, rng=0)
    assert not everything.left_out.any()
    assert np.isnan(everything.out_of_bag).all()
    lonely = RandomForestRegressor(3).fit([[1.0]], [2.0])
    assert np.isnan(lonely.oob_error_)
    assert lonely.predict([[5.0]]).tolist() == [2.0]


def test_a_generator_goes_on_and_a_seed_starts_again() -> None:
    X, z = noisy_sum(4, n=40)
    rng = np.random.default_rng(0)
    first, second, again = (grow_forest(X, z, n_trees=2, rng=source)(X) for source in (rng, rng, 0))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


# -- what randomness does ------------------------------------------------------------------------------------


def spread(**how: Any) -> float:
    """Return the variance of a forest's answers over training sets, averaged over points."""
    Z = np.random.default_rng(99).random((30, 4))
    answers = [grow_forest(*noisy_sum(seed, n=60), rng=seed, **how)(Z) for seed in range(12)]
    return float(np.var(answers, axis=0).mean())


@pytest.mark.compiled
def test_forests_vary_less_than_a_tree() -> None:
    tree = spread(n_trees=1, bootstrap=False)
    assert spread(n_trees=15, features=1) < tree / 2
    assert spread(n_trees=15, features=1, bootstrap=False, random_cuts=True) < tree / 2


def test_trees_of_a_forest_differ_by_sample_features_and_thresholds() -> None:
    X, z = noisy_sum(5)
    plain: dict[str, Any] = {"n_trees": 4, "depth": 2, "bootstrap": False, "rng": 0}
    for how, differ in (
        ({}, False),
        ({"bootstrap": True}, True),
        ({"features": 1}, True),
        ({"random_cuts": True}, True),
    ):
        thresholds = {
            tuple(tree.threshold[tree.feature >= 0]) for tree in grow_forest(X, z, **(plain | how)).trees
        }
        assert (len(thresholds) > 1) is differ


def test_extra_trees_see_all_points_and_learn_them_by_heart() -> None:
    X, y = overlapping(2, 50)
    assert ExtraTrees(4).fit(X, y).score(X, y) == 1.0
    assert not hasattr(ExtraTrees(1).fit(X, y), "oob_error_")
    X, z = noisy_sum(6)
    assert ExtraTreesRegressor(4).fit(X, z).score(X, z) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("model", "wanted"),
    [(RandomForest(1), 3), (ExtraTrees(1), 3), (RandomForestRegressor(1), 3), (ExtraTreesRegressor(1), 9)],
    ids=lambda value: type(value).__name__,
)
def test_default_number_of_features(model: Any, wanted: int) -> None:
    X, z = noisy_sum(7, d=9)
    y = np.digitize(z, [4.0, 5.0])
    asked = clone(model).set_params(features=wanted).fit(X, y)
    assert np.array_equal(clone(model).fit(X, y).forest_(X), asked.forest_(X))
    other = clone(model).set_params(features=2).fit(X, y)
    assert not np.array_equal(other.forest_(X + 0.05), asked.forest_(X + 0.05))


# -- scikit-learn's forests ----------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ours", "theirs"), [(RandomForest, sk.RandomForestClassifier), (ExtraTrees, sk.ExtraTreesClassifier)]
)
def test_classifiers_do_as_well_as_scikit_learns(ours: Any, theirs: Any) -> None:
    X, y = make_classification(800, 8, n_informative=5, flip_y=0.1, random_state=0)
    score = ours(20).fit(X[:200], y[:200]).score(X[200:], y[200:])
    scores = [
        theirs(20, random_state=seed).fit(X[:200], y[:200]).score(X[200:], y[200:]) for seed in range(5)
    ]
    assert score == pytest.approx(np.mean(scores), abs=0.03)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(RandomForestRegressor, sk.RandomForestRegressor), (ExtraTreesRegressor, sk.ExtraTreesRegressor)],
)
def test_regressors_do_as_well_as_scikit_learns(ours: Any, theirs: Any) -> None:
    X, y = make_friedman1(800, random_state=0, noise=1.0)
    score = ours(20, features=3).fit(X[:200], y[:200]).score(X[200:], y[200:])
    models = [theirs(20, max_features=3, random_state=seed).fit(X[:200], y[:200]) for seed in range(5)]
    assert score == pytest.approx(np.mean([model.score(X[200:], y[200:]) for model in models]), abs=0.03)


@pytest.mark.compiled
def test_trees_are_as_large_as_scikit_learns() -> None:
    X, y = make_classification(200, 8, n_informative=5, flip_y=0.1, random_state=0)
    for ours, theirs in (
        (RandomForest(40, features=3), sk.RandomForestClassifier(40)),
        (ExtraTrees(40, features=3), sk.ExtraTreesClassifier(40)),
    ):
        leaves = [tree.n_leaves for tree in ours.fit(X, y).forest_.trees]
        wanted = [
            tree.get_n_leaves()
            for tree in theirs.set_params(max_features=3, random_state=0).fit(X, y).estimators_
        ]
        assert np.mean(leaves) == pytest.approx(np.mean(wanted), rel=0.06)


@pytest.mark.compiled
def test_error_out_of_bag_is_that_on_new_points() -> None:
    X, y = make_classification(1200, 6, n_informative=4, flip_y=0.2, random_state=1)
    parts = [(X[start : start + 150], y[start : start + 150]) for start in range(0, 450, 150)]
    models = [RandomForest(40, features=2, random_state=k).fit(*part) for k, part in enumerate(parts)]
    likewise: Any = {"max_features": 2, "oob_score": True}
    theirs = [
        sk.RandomForestClassifier(40, random_state=k, **likewise).fit(*part) for k, part in enumerate(parts)
    ]
    out_of_bag = np.mean([model.oob_error_ for model in models])
    new = np.mean([1 - model.score(X[600:], y[600:]) for model in models])
    assert out_of_bag == pytest.approx(new, abs=0.05)
    assert out_of_bag == pytest.approx(np.mean([1 - model.oob_score_ for model in theirs]), abs=0.02)
    assert all(model.score(*part) > 0.98 for model, part in zip(models, parts, strict=True))


def test_errors_out_of_bag_are_means_over_the_points_left_out() -> None:
    X, z = noisy_sum(8, n=40)
    for trees in (1, 30):
        model = RandomForestRegressor(trees).fit(X, z)
        assert model.oob_error_ == pytest.approx(np.nanmean((model.forest_.out_of_bag - z) ** 2))
        voter = RandomForest(trees).fit(X, z > 2)
        out = voter.forest_.left_out > 0
        assert out.all() == (trees > 1)
        assert voter.oob_error_ == np.mean((voter.forest_.out_of_bag[out, 1] > 0.5) != (z[out] > 2))


def test_any_labels_and_several_classes() -> None:
    X, y = data.digits(0, 1, 2)
    names = np.array(["zero", "one", "two"])[y.astype(int)]
    for model in CLASSIFIERS:
        fitted = clone(model).fit(X[::4], names[::4])
        assert fitted.classes_.tolist() == ["one", "two", "zero"]
        assert fitted.predict_proba(X[1::4]).shape == (len(X[1::4]), 3)
        assert fitted.score(X[1::4], names[1::4]) > 0.9
