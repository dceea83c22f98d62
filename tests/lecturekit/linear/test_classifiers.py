"""The linear classifiers: what they wrap, one problem a class, and scikit-learn's probabilities."""

from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier

from lecturekit import data
from lecturekit.linear import LogisticRegression, Perceptron, Pocket, SoftmaxRegression
from lecturekit.logistic import logistic, softmax_regression
from lecturekit.perceptron import pla, pocket
from tests.support.oracles import overlapping, three_clouds

SOLVED = 1e-6  # what follows from gradients of 1e-9


@pytest.mark.parametrize(
    "model", [Perceptron(max_updates=500), Pocket(max_updates=500), LogisticRegression()], ids=repr
)
def test_more_classes_are_one_problem_each_against_the_rest(model: Any) -> None:
    X, y = three_clouds(45, noise=0.8)
    names = np.array(["ash", "oak", "yew"])[y]
    together = clone(model).fit(X, names)
    alone = [clone(model).fit(X, names == name) for name in together.classes_]
    for k, one in enumerate(alone):
        assert np.array_equal(together.w_[k], one.w_)
        assert together.b_[k] == one.b_
        assert np.allclose(together.decision_function(X)[:, k], one.decision_function(X))
    assert together.gap_ == max(one.gap_ for one in alone)
    assert together.n_iter_ == max(one.n_iter_ for one in alone)


@pytest.mark.parametrize("intercept", [True, False])
def test_they_remember_what_the_functions_found(intercept: bool) -> None:
    X, y = overlapping(4)
    own: Any = {"fit_intercept": intercept}
    walk: Any = {"max_updates": 70, **own}
    newton: Any = {"lam": 0.2, "tol": 1e-9, **own}
    pairs: list[tuple[Any, Any]] = [
        (Perceptron(**walk, random_state=4), pla(X, y, **walk)),
        (Perceptron(order="random", **walk, random_state=4), pla(X, y, order="random", rng=4, **walk)),
        (Pocket(**walk, random_state=4), pocket(X, y, n_iter=70, rng=4, **own)),
        (LogisticRegression(**newton), logistic(X, y, **newton)),
        (LogisticRegression(**newton, max_iter=1), logistic(X, y, **newton, max_iter=1)),
    ]
    for model, found in pairs:
        model.fit(X, y)
        assert np.array_equal(model.w_, found.w)
        assert (float(model.b_), model.gap_, model.n_iter_) == (found.b, found.gap, found.n_iter)
    clouds = three_clouds(45, noise=0.8)
    for most in (3, 1000):
        found = softmax_regression(*clouds, **newton, max_iter=most)
        fitted = SoftmaxRegression(**newton, max_iter=most).fit(*clouds)
        assert np.array_equal(fitted.w_, found.W)
        assert np.array_equal(fitted.b_, found.b)
        assert (fitted.gap_, fitted.n_iter_) == (found.gap, found.n_iter)


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
