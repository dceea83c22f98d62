"""The linear classifiers: scikit-learn's own contract, its classifiers as oracle, and what they wrap."""

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lecturekit import data
from lecturekit._typing import Array, Indices
from lecturekit.linear import LogisticRegression, Perceptron, Pocket, SoftmaxRegression
from lecturekit.logistic import logistic, softmax_regression
from lecturekit.perceptron import pla, pocket
from tests.support.oracles import overlapping

SOLVED = 1e-6  # what follows from gradients of 1e-9

ALL = [Perceptron(max_updates=500), Pocket(max_updates=500), LogisticRegression(), SoftmaxRegression()]
each_estimator = pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)
each_probability = pytest.mark.parametrize("model", ALL[2:], ids=lambda model: type(model).__name__)


def three_clouds(n: int = 45) -> tuple[Array, Indices]:
    """Draw three clouds around the corners of a triangle."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])[y] + rng.normal(size=(n, 2)) * 0.8, y


# -- the contract --------------------------------------------------------------------------------------------


@pytest.mark.compiled
@parametrize_with_checks(ALL)  # type: ignore[untyped-decorator]
def test_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_pipeline_and_grid_search() -> None:
    X, y = overlapping(0, 40)
    for model in (LogisticRegression(), SoftmaxRegression()):
        search = GridSearchCV(
            make_pipeline(StandardScaler(), model), {f"{type(model).__name__.lower()}__lam": [1e-3, 1.0]}
        )
        assert search.fit(X, y).best_score_ > 0.6


@each_estimator
def test_copies_and_pickles(model: Any) -> None:
    X, y = three_clouds()
    model = clone(model).set_params(fit_intercept=False).fit(X, y)
    thawed = pickle.loads(pickle.dumps(model))
    assert np.array_equal(thawed.decision_function(X), model.decision_function(X))
    assert not np.any(model.b_)
    blank = clone(model)
    assert blank.get_params() == model.get_params()
    assert not hasattr(blank, "classes_")
    assert np.array_equal(blank.fit(X, y).decision_function(X), model.decision_function(X))


@each_estimator
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (7, 3), ("no", "yes"), (False, True)])
def test_any_two_labels(model: Any, labels: tuple[Any, Any]) -> None:
    X, y = overlapping(1)
    named = np.array(labels)[(y > 0).astype(int)]
    fitted = clone(model).fit(X, named)
    flip = 1.0 if labels[0] < labels[1] else -1.0
    assert fitted.classes_.tolist() == sorted(labels)
    assert np.allclose(fitted.decision_function(X), clone(model).fit(X, flip * y).decision_function(X))
    assert fitted.decision_function(X).shape == (30,)
    assert set(fitted.predict(X)) <= set(labels)
    assert fitted.score(X, named) > 0.6


@each_estimator
def test_prediction_is_the_sign_or_the_largest_score(model: Any) -> None:
    X, y = three_clouds()
    two = clone(model).fit(X[y < 2], y[y < 2])
    assert np.array_equal(two.predict(X), (two.decision_function(X) > 0).astype(int))
    three = clone(model).fit(X, y)
    assert three.decision_function(X).shape == (45, 3)
    assert three.w_.shape == (3, 2)
    assert three.b_.shape == (3,)
    assert np.array_equal(three.predict(X), three.decision_function(X).argmax(axis=1))
    assert three.score(X, y) > 0.7


@pytest.mark.parametrize("model", ALL[:3], ids=lambda model: type(model).__name__)
def test_more_classes_are_one_problem_each_against_the_rest(model: Any) -> None:
    X, y = three_clouds()
    names = np.array(["ash", "oak", "yew"])[y]
    together = clone(model).fit(X, names)
    alone = [clone(model).fit(X, names == name) for name in together.classes_]
    for k, one in enumerate(alone):
        assert np.array_equal(together.w_[k], one.w_)
        assert together.b_[k] == one.b_
    assert together.gap_ == max(one.gap_ for one in alone)
    assert together.n_iter_ == max(one.n_iter_ for one in alone)


# -- what they remember --------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_perceptron_remembers_what_the_algorithm_found(order: str) -> None:
    X, y = overlapping(2)
    found = pla(X, y, order=order, rng=4, max_updates=70)
    fitted = Perceptron(order=order, max_updates=70, random_state=4).fit(X, y)
    assert np.array_equal(fitted.w_, found.w)
    assert (float(fitted.b_), fitted.gap_, fitted.n_iter_) == (found.b, found.gap, 70)


def test_pocket_remembers_what_the_algorithm_found() -> None:
    X, y = overlapping(3)
    found = pocket(X, y, n_iter=70, rng=4)
    fitted = Pocket(max_updates=70, random_state=4).fit(X, y)
    assert np.array_equal(fitted.w_, found.w)
    assert (float(fitted.b_), fitted.gap_, fitted.n_iter_) == (found.b, found.gap, 70)
    assert fitted.score(X, y) == pytest.approx(1 - fitted.gap_)
    assert fitted.gap_ <= Perceptron(order="random", max_updates=70, random_state=4).fit(X, y).gap_


def test_logistic_regression_remembers_what_newton_found() -> None:
    X, y = overlapping(4)
    found = logistic(X, y, lam=0.2, tol=1e-9)
    fitted = LogisticRegression(0.2, tol=1e-9).fit(X, y)
    assert np.array_equal(fitted.w_, found.w)
    assert (float(fitted.b_), fitted.gap_, fitted.n_iter_) == (found.b, found.gap, found.n_iter)
    assert LogisticRegression(0.2, tol=1e-9, max_iter=1).fit(X, y).gap_ > found.gap


def test_softmax_regression_remembers_what_lbfgs_found() -> None:
    X, y = three_clouds()
    found = softmax_regression(X, y, lam=0.2, tol=1e-7)
    fitted = SoftmaxRegression(0.2, tol=1e-7).fit(X, y)
    assert np.array_equal(fitted.w_, found.W)
    assert np.array_equal(fitted.b_, found.b)
    assert (fitted.gap_, fitted.n_iter_) == (found.gap, found.n_iter)


# -- probabilities -------------------------------------------------------------------------------------------


@each_probability
@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_probabilities_and_agree_with_the_prediction(model: Any, classes: int) -> None:
    X, y = three_clouds()
    fitted = clone(model).fit(X[y < classes], y[y < classes])
    P = fitted.predict_proba(1000 * X)
    assert P.shape == (45, classes)
    assert np.allclose(P.sum(axis=1), 1)
    assert np.all(P >= 0)
    near = fitted.predict_proba(X)
    assert np.array_equal(fitted.classes_[near.argmax(axis=1)], fitted.predict(X))


def test_two_classes_have_the_sigmoid_of_the_score() -> None:
    X, y = overlapping(5)
    for model in (LogisticRegression(), SoftmaxRegression()):
        fitted = model.fit(X, y)
        assert np.allclose(fitted.predict_proba(X)[:, 1], expit(fitted.decision_function(X)))


@pytest.mark.parametrize("lam", [1e-3, 0.1])
def test_probabilities_are_those_of_scikit_learn(lam: float) -> None:
    X, y = data.digits(1, 5, 7)
    X, y, new = X[:300] / 16, y[:300], X[300:350] / 16
    inner = sk.LogisticRegression(C=1 / (lam * len(y)), tol=1e-9, max_iter=10_000)
    ours = LogisticRegression(lam).fit(X, y)
    theirs = OneVsRestClassifier(inner).fit(X, y)
    assert np.allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=SOLVED)
    ours, theirs = SoftmaxRegression(lam, tol=1e-9).fit(X, y), inner.fit(X, y)
    assert np.allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=SOLVED)
    assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=1e-4)


def test_separable_classes_need_a_penalty() -> None:
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "b"]
    for model in (LogisticRegression(lam=0.0), SoftmaxRegression(lam=0.0)):
        with pytest.raises(ValueError, match="take lam > 0"):
            model.fit(X, y)
