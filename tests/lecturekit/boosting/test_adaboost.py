"""AdaBoost: the theorems it is known for, scikit-learn's loop around our stumps, and where it stops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier

from lecturekit._typing import Array
from lecturekit.boosting import ExponentialError, adaboost, forward_stagewise
from lecturekit.trees import Stump, best_stump

few = settings(max_examples=15)
seeds = st.integers(0, 10**6)


def sample(seed: int, n: int = 60, d: int = 2) -> tuple[Array, Array]:
    """Draw points and labels that no line separates."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    return X, np.where(X.sum(axis=1) + 0.3 * rng.normal(size=n) > d / 2, 1.0, -1.0)


class OurStump(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Our stump, as an estimator with weights."""

    def fit(self, X: Array, y: Array, sample_weight: Array) -> "OurStump":
        """Find the stump."""
        self.classes_ = np.unique(y)
        self.stump_ = best_stump(X, y, sample_weight)
        return self

    def predict(self, X: Array) -> Array:
        """Ask the stump."""
        return self.stump_(X)


@pytest.mark.jit
@pytest.mark.claim("BOOST-06")
@few
@given(seed=seeds)
def test_errors_are_weighted_errors_and_the_next_weights_make_them_one_half(seed: int) -> None:
    X, y = sample(seed)
    found = adaboost(X, y, 15, keep_weights=True)
    assert found.weights is not None
    assert found.weights.shape == (found.n_iter + 1, len(y))
    assert np.allclose(found.weights[0], 1 / len(y))
    assert np.allclose(found.weights.sum(axis=1), 1)
    for m, stump in enumerate(found.stumps):
        wrong = stump(X) != y
        before, after = found.weights[m], found.weights[m + 1]
        assert found.errors[m] == pytest.approx(before[wrong].sum())
        assert found.alphas[m] == pytest.approx(np.log((1 - found.errors[m]) / found.errors[m]))
        assert after[wrong].sum() == pytest.approx(0.5)
        ratio = after / before  # only the mistakes grow, by e^alpha, up to the common factor
        assert np.allclose(ratio[wrong] / ratio[~wrong].mean(), np.exp(found.alphas[m]))
        assert np.ptp(ratio[~wrong]) < 1e-12


@pytest.mark.claim("BOOST-06")
@few
@given(seed=seeds)
def test_training_error_is_below_its_bound_which_is_the_exponential_loss(seed: int) -> None:
    X, y = sample(seed)
    found = adaboost(X, y, 25)
    for whole, f, bound in zip(found.staged(X), found.staged(X, half=True), found.bounds, strict=True):
        assert np.allclose(whole, 2 * f)
        assert np.mean(np.exp(-y * f)) == pytest.approx(bound)
        assert np.mean(np.sign(whole) != y) <= bound * (1 + 1e-9)
    assert found.training_bound == found.gap == found.bounds[-1]
    assert np.array_equal(found.decision(X), whole)
    assert np.array_equal(found.decision(X, half=True), f)
    assert np.allclose(found.c, found.alphas / 2)
    assert np.all(np.diff(found.bounds) < 0)


@pytest.mark.claim("BOOST-05")
@pytest.mark.parametrize("seed", range(3))
def test_it_is_stagewise_fitting_of_the_exponential_loss_with_half_the_coefficients(seed: int) -> None:
    X, y = sample(seed, 40)
    cuts = [(0, -np.inf)] + [(j, (a + b) / 2) for j in (0, 1) for a, b in pairwise(np.unique(X[:, j]))]
    stumps = [Stump(feature=j, threshold=t, sign=1.0) for j, t in cuts]
    found = adaboost(X, y, 8)
    model = forward_stagewise(X, y, ExponentialError(), stumps, 8)
    assert np.allclose(np.abs(model.c), found.alphas / 2)
    for h, c, stump in zip(model.functions, model.c, found.stumps, strict=True):
        assert np.array_equal(np.sign(c) * h(X), stump(X))
    assert np.allclose(model.losses[1:], found.bounds)


def test_loop_is_that_of_scikit_learn() -> None:
    X, y = sample(7, 100, 3)
    theirs = AdaBoostClassifier(OurStump(), n_estimators=12).fit(X, y)
    ours = adaboost(X, y, 12)
    assert [model.stump_ for model in theirs.estimators_] == list(ours.stumps)
    assert np.allclose(theirs.estimator_weights_, ours.alphas)
    assert np.allclose(theirs.estimator_errors_, ours.errors)
    assert np.array_equal(theirs.predict(X), np.sign(ours.decision(X)))


@pytest.mark.claim("ERR-98")
def test_a_stump_without_errors_or_none_better_than_a_coin_ends_it() -> None:
    X = np.array([[1.0], [2.0], [3.0]])
    found = adaboost(X, [-1, -1, 1], 9, keep_weights=True)
    assert (found.stopped, found.n_iter, found.training_bound) == ("perfect", 1, 0.0)
    assert (found.alphas.tolist(), found.errors.tolist()) == ([1.0], [0.0])
    assert found.decision(X).tolist() == [-1.0, -1.0, 1.0]
    assert found.weights is not None
    assert np.allclose(found.weights, 1 / 3)
    assert adaboost(X, [1, 1, 1], 9).decision(X).tolist() == [1.0, 1.0, 1.0]
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    found = adaboost(X, [1, -1, -1, 1], 9)
    assert (found.stopped, found.n_iter, found.training_bound) == ("chance", 0, 1.0)
    assert (found.decision(X).tolist(), list(found.staged(X))) == ([0.0, 0.0, 0.0, 0.0], [])
    uneven = adaboost(np.ones((3, 1)), [1, 1, -1], 9)  # after one round the classes weigh the same
    assert (uneven.stopped, uneven.n_iter) == ("chance", 1)
    whole = adaboost(*sample(3), 6)
    assert (whole.stopped, whole.n_iter, whole.weights) == ("rounds", 6, None)
    assert repr(whole) == "AdaBoosted(stopped='rounds')"
