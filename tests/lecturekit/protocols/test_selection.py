"""Choosing a model: what is trained on what, and scikit-learn's grid search."""

from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lecturekit import data, metrics, protocols
from lecturekit._typing import Array
from lecturekit.protocols import grid, group_kfold, kfold, nested_cross_validate, select, stratified_kfold

X, Y, _ = data.breast_cancer()
X, Y = X[:150], Y[:150]
MODEL = KNeighborsClassifier()
NEIGHBOURS = [1, 5, 40]
CANDIDATES = grid(MODEL, n_neighbors=NEIGHBOURS)
GROUPS = np.arange(150) // 3


def constant(value: float) -> Any:
    """Return a learner that ignores its data and remembers how many there were."""

    def learner(X: Array, y: Array) -> Any:
        def predict(Z: Array) -> Array:
            return np.full(len(Z), value)

        predict.trained_on = X[:, 0].tolist()  # type: ignore[attr-defined]
        return predict

    return learner


def test_a_grid_has_all_combinations() -> None:
    found = grid(LogisticRegression(), C=[0.1, 1.0], tol=[1e-3])
    assert list(found) == ["C=0.1, tol=0.001", "C=1.0, tol=0.001"]
    assert [model.C for model in found.values()] == [0.1, 1.0]
    assert grid(LogisticRegression(C=3.0)).popitem()[1].C == 3.0


@pytest.mark.claim("EVAL-09")
@pytest.mark.parametrize("retrain", [True, False])
def test_three_parts_and_the_third_is_not_touched(retrain: bool) -> None:
    parts = protocols.train_val_test(12, 0.25, 0.25, rng=0)
    y = np.full(12, np.nan)
    y[parts.trainval] = 2.0
    y[parts.test] = 1e9  # would show
    learners, table = {str(c): constant(c) for c in (5.0, 1.0, 3.0)}, np.arange(12.0)[:, None]
    found = select(learners, table, y, parts, protocols.mean_squared_error, retrain=retrain)
    assert found.scores.tolist() == [[9.0], [1.0], [1.0]]
    assert (found.name, found.best, found.score) == ("1.0", 1, 1.0)  # the first of the best
    assert found.retrained == retrain
    assert found.model.trained_on == (parts.trainval if retrain else parts.train).tolist()
    assert repr(found) == "Selection('1.0' of 3, validation score 1)"


def test_one_split_need_not_be_of_everything() -> None:
    table, pairs = np.arange(6.0)[:, None], [([0, 2], [5])]
    split = protocols.Split(train=np.array([0, 2]), test=np.array([5]))
    for given, retrain, rows in ((split, True, [0.0, 2.0, 5.0]), (pairs, False, [0.0, 2.0])):
        one: Any = given
        found = select([constant(1.0)], table, np.ones(6), one, retrain=retrain)
        assert (found.model.trained_on, found.names) == (rows, ("0",))


def test_without_retraining_it_is_the_model_that_was_measured() -> None:
    """A learner with randomness would be another one if it were trained again."""
    rng = np.random.default_rng(0)

    def guess(X: Array, y: Array) -> Any:
        sign = rng.choice([-1.0, 1.0])
        return lambda Z: np.full(len(Z), sign)

    table, y = np.zeros((40, 1)), np.repeat([1.0, -1.0, 1.0, -1.0], [10, 10, 15, 5])
    split = protocols.Split(train=np.arange(20), test=np.arange(20, 40))
    for _ in range(10):
        found = select([guess], table, y, split, retrain=False)
        assert found.score == protocols.error_rate(y[20:], found.model(table[20:]))


def test_the_choice_watches_groups_and_is_that_of_a_grid_search() -> None:
    assert select(CANDIDATES, X, Y, group_kfold(GROUPS, 3), groups=GROUPS).retrained
    with pytest.raises(ValueError, match="must not share a group"):
        select(CANDIDATES, X, Y, kfold(150, 3, rng=0), groups=GROUPS)
    folds = stratified_kfold(Y, 4, rng=0)
    found = select(CANDIDATES, X, Y, folds)
    peer = GridSearchCV(MODEL, {"n_neighbors": NEIGHBOURS}, cv=folds).fit(X, Y)
    assert np.allclose(1 - found.means, peer.cv_results_["mean_test_score"])
    assert found.best == peer.best_index_
    assert np.array_equal(found.model.predict(X), peer.predict(X))
    with joblib.parallel_config("threading"):
        assert np.array_equal(found.scores, select(CANDIDATES, X, Y, folds, n_jobs=2).scores)


def test_the_largest_may_be_the_best_and_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    folds = stratified_kfold(Y, 3, rng=1)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
    learners = grid(model, logisticregression__C=[1e-4, 1.0])
    how: Any = {"largest": True, "response": "decision_function", "progress": True}
    found = select(learners, X, Y, folds, metrics.auc, **how)
    assert found.means[found.best] == found.means.max() > found.means.min()
    assert "6/6" in capsys.readouterr().err


def test_nested_is_scikit_learns() -> None:
    outer = stratified_kfold(Y, 3, rng=0)

    def inner(fit: Any) -> Any:
        return stratified_kfold(Y[fit], 4, rng=1)

    found = nested_cross_validate(CANDIDATES, X, Y, outer, inner)
    expected, chosen = [], []
    for fit, test in outer:
        search = GridSearchCV(MODEL, {"n_neighbors": NEIGHBOURS}, cv=inner(fit)).fit(X[fit], Y[fit])
        expected.append(protocols.error_rate(Y[test], search.predict(X[test])))
        chosen.append(search.best_params_["n_neighbors"])
    assert np.allclose(found.scores, expected)
    assert [int(name.split("=")[1]) for name in found.chosen] == chosen
    assert found.mean == pytest.approx(np.mean(expected))
    assert found.n_test.tolist() == [50, 50, 50]
    assert repr(found).startswith("Nested(mean=")
    with joblib.parallel_config("threading"):
        again = nested_cross_validate(CANDIDATES, X, Y, outer, inner, n_jobs=2)
    assert np.array_equal(found.scores, again.scores)


def test_groups_are_kept_whole_inside_and_outside() -> None:
    seen = []

    def inner(fit: Any) -> Any:
        seen.append(len(np.unique(GROUPS[fit])))
        return group_kfold(GROUPS[fit], 2)

    outer, mixed = group_kfold(GROUPS, 5), kfold(150, 5, rng=0)
    found = nested_cross_validate(CANDIDATES, X, Y, outer, inner, groups=GROUPS)
    assert (len(found.scores), seen) == (5, [40] * 5)
    for out, within in ((mixed, inner), (outer, lambda fit: kfold(len(fit), 2, rng=0))):
        with pytest.raises(ValueError, match="must not share a group"):
            nested_cross_validate(CANDIDATES, X, Y, out, within, groups=GROUPS)


def test_the_inner_score_flatters_and_the_outer_does_not() -> None:
    """Guessers on coin flips: the truth is one half."""

    def guesser(seed: int) -> Any:
        w = np.random.default_rng(seed).normal(size=5)
        return lambda X, y: lambda Z: np.sign(Z @ w)

    learners, inner, outer = [guesser(seed) for seed in range(20)], [], []
    for seed in range(20):
        rng = np.random.default_rng([1, seed])
        Z, y = rng.normal(size=(60, 5)), rng.choice([-1, 1], size=60)
        folds = kfold(60, 3, rng=rng)
        found = nested_cross_validate(learners, Z, y, folds, lambda fit: kfold(len(fit), 2, rng=0))
        inner.append(found.inner.mean())
        outer.append(found.mean)
    assert np.mean(inner) < 0.43
    assert np.mean(outer) == pytest.approx(0.5, abs=4 * np.std(outer) / np.sqrt(20))
