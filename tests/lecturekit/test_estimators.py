"""The contract of the estimators, once for all of them: scikit-learn's checks, copies, labels, searches."""

import importlib
import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lecturekit import boosting, calibration, linear, neighbors, svm, trees
from lecturekit._estimators import OneVersusRest
from lecturekit._typing import Array
from tests.lecturekit.test_architecture import NOUNS
from tests.support.oracles import overlapping
from tests.support.oracles import three_clouds as three_clouds  # other tests import it from here

PLAIN = [  # quick also as plain Python
    linear.LinearRegression(),
    linear.Ridge(),
    linear.Lasso(),
    linear.ElasticNet(),
    linear.MultiTaskLasso(),
]
LOOPS = [  # with inner loops that are slow unless they are compiled, so few rounds
    linear.Perceptron(max_updates=500),
    linear.Pocket(max_updates=500),
    linear.LogisticRegression(),
    linear.SoftmaxRegression(),
    svm.SVC(),
    svm.LinearSVC(max_iter=200),
    neighbors.KNN(),
    neighbors.KNN(search="ball"),
    trees.RandomForest(5),
    trees.ExtraTrees(5),
    boosting.AdaBoost(rounds=20),
    boosting.GradientBoosting(rounds=30),
    boosting.GradientBoosting("absolute", rounds=30, bins=32),
    boosting.GradientBoostingClassifier(rounds=20),
    calibration.Calibrated(svm.LinearSVC(max_iter=20)),
    calibration.Calibrated(linear.LogisticRegression(lam=0.1), method="isotonic", folds=3),
    calibration.Calibrated(GaussianNB()),
]
GRIDS: dict[type, tuple[str, list[Any]]] = {
    linear.LogisticRegression: ("lam", [1e-3, 1.0]),
    linear.SoftmaxRegression: ("lam", [1e-3, 1.0]),
    svm.SVC: ("C", [0.01, 1.0]),
    svm.LinearSVC: ("C", [0.01, 1.0]),
    neighbors.KNN: ("k", [3, 9]),
    trees.RandomForest: ("n_trees", [3, 5]),
    boosting.AdaBoost: ("rounds", [1, 10]),
    boosting.GradientBoostingClassifier: ("rounds", [1, 10]),
}
CLASSIFIERS = [model for model in (*PLAIN, *LOOPS) if is_classifier(model)]


def named(model: Any) -> str:
    """Name a case after its estimator."""
    return type(model).__name__


each_estimator = pytest.mark.parametrize("model", [*PLAIN, *LOOPS], ids=named)
each_classifier = pytest.mark.parametrize("model", CLASSIFIERS, ids=named)


def outputs(model: Any, X: Array) -> list[Array]:
    """Return all that a fitted estimator says about points."""
    methods = ("predict", "decision_function", "predict_proba")
    return [getattr(model, method)(X) for method in methods if hasattr(model, method)]


def test_no_estimator_is_left_out() -> None:
    found = set()
    for noun in NOUNS:
        module = importlib.import_module(f"lecturekit.{noun}")
        things = (getattr(module, name) for name in module.__all__)
        found |= {thing for thing in things if inspect.isclass(thing) and issubclass(thing, BaseEstimator)}
    curves: set[type] = {calibration.Platt, calibration.Isotonic}  # of one score, not of points
    assert {type(model) for model in (*PLAIN, *LOOPS)} == found - curves, "PLAIN or LOOPS needs one of each"


@parametrize_with_checks(PLAIN)  # type: ignore[untyped-decorator]
def test_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.compiled
@parametrize_with_checks(LOOPS)  # type: ignore[untyped-decorator]
def test_contract_of_scikit_learn_with_compiled_loops(estimator: Any, check: Any) -> None:
    check(estimator)


@each_estimator
def test_copies_pickles_and_second_fits_are_the_same(model: Any) -> None:
    X, y = three_clouds()
    fitted = clone(model).fit(X, y)
    blank = clone(fitted)
    assert str(blank.get_params()) == str(model.get_params())
    assert not [name for name in vars(blank) if name.endswith("_")]
    thawed = pickle.loads(pickle.dumps(fitted))
    for first, second, third in zip(
        outputs(fitted, X), outputs(thawed, X), outputs(blank.fit(X, y), X), strict=True
    ):
        assert np.array_equal(first, second)
        assert np.array_equal(first, third)
    if not isinstance(model, calibration.Calibrated):  # whose classifier looks at the points
        with pytest.raises(ValueError, match="X must have no masked entries"):
            blank.fit(np.ma.masked_equal(X, X[0, 0]), y)


@each_classifier
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (7, 3), ("no", "yes"), (False, True)])
def test_any_two_labels(model: Any, labels: tuple[Any, Any]) -> None:
    X, y = overlapping(1)
    given = np.array(labels)[(y > 0).astype(int)]
    fitted = clone(model).fit(X, given)
    signs = clone(model).fit(X, y if labels[0] < labels[1] else -y)
    assert fitted.classes_.tolist() == sorted(labels)
    assert np.array_equal(fitted.predict(X), fitted.classes_[(signs.predict(X) > 0).astype(int)])
    for ours, theirs in zip(outputs(fitted, X)[1:], outputs(signs, X)[1:], strict=True):
        assert np.allclose(ours, theirs)


@each_classifier
def test_prediction_is_the_largest_score_or_probability(model: Any) -> None:
    X, y = three_clouds()
    names = np.array(["ash", "oak", "yew"])[y]
    fitted = clone(model).fit(X, names)
    poor = fitted.__sklearn_tags__().classifier_tags.poor_score
    assert poor or fitted.score(X, names) > 0.7, "meant to be bad? set poor_score in __sklearn_tags__"
    for score in outputs(fitted, X)[1:]:
        assert score.shape == (60, 3)
        assert np.array_equal(fitted.classes_[score.argmax(axis=1)], fitted.predict(X))
    if isinstance(fitted, OneVersusRest) and not isinstance(fitted, linear.SoftmaxRegression):
        # the certificate is that of the worst problem
        assert fitted.gap_ == max(clone(model).fit(X, y == label).gap_ for label in range(3))


@each_classifier
def test_probabilities_are_probabilities(model: Any) -> None:
    if hasattr(model, "predict_proba"):
        X, y = three_clouds()
        P = clone(model).fit(X, y).predict_proba(1000 * X)
        assert np.all(P >= 0)
        assert np.allclose(P.sum(axis=1), 1)


@pytest.mark.parametrize("kind", GRIDS, ids=lambda kind: kind.__name__)
def test_pipelines_and_grid_searches(kind: Any) -> None:
    X, y = overlapping(0, 40)
    name, values = GRIDS[kind]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), kind()), {f"{kind.__name__.lower()}__{name}": values}
    )
    assert search.fit(X, y).best_score_ > 0.6
