"""Calibration: honest splits, and probabilities that can be taken at their word."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from lecturekit import data, metrics, svm
from lecturekit._typing import Array
from lecturekit.calibration import Calibrated, Isotonic, Platt, calibrate, isotonic, platt


class Spy(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that keeps what it learned from; the first feature, its score, numbers the rows."""

    def fit(self, X: Any, y: Any) -> "Spy":
        """Keep the numbers of the rows."""
        self.classes_, self.seen_ = np.unique(y), set(X[:, 0].tolist())
        self.asked_: list[float] = []
        return self

    def decision_function(self, X: Any) -> Array:
        """Return the numbers of the rows and keep them."""
        self.asked_ += X[:, 0].tolist()
        return np.asarray(X[:, 0], dtype=float)


def numbered(n: int) -> tuple[Array, Array]:
    """Return rows that hold their number, and labels."""
    y = np.where(np.random.default_rng(n).random(n) < 0.3, 1, -1)
    y[:4] = 1, 1, -1, -1
    return np.arange(n)[:, None].astype(float), y


@pytest.mark.parametrize("curve", [Platt(), Isotonic(), Isotonic(prior=1.0)], ids=str)
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (3, 7), ("no", "yes"), (False, True)])
def test_curves_take_any_two_labels(curve: Any, labels: tuple[Any, Any]) -> None:
    rng = np.random.default_rng(0)
    score = rng.normal(size=60)
    truth = (rng.random(60) < expit(2 * score)).astype(int)
    model = clone(curve).fit(score, np.array(labels)[truth])
    assert model.classes_.tolist() == list(labels)
    P = model.predict_proba(score)
    assert np.allclose(P, np.column_stack([1 - model.transform(score), model.transform(score)]))
    assert np.array_equal(model.predict(score), np.array(labels)[(P[:, 1] > 0.5).astype(int)])
    assert model.score(score, np.array(labels)[truth]) > 0.7
    assert np.array_equal(clone(curve).fit_transform(score, truth), model.transform(score))


def test_curves_are_the_functions() -> None:
    rng = np.random.default_rng(1)
    score, y = rng.normal(size=50), rng.integers(0, 2, 50)
    model = Platt().fit(score, y)
    assert (model.A_, model.B_) == (platt(score, y).A, platt(score, y).B)
    ways: Any = (Platt, platt, {}), (Platt, platt, {"smooth": False}), (Isotonic, isotonic, {"prior": 2.0})
    for curve, function, how in (*ways, (Isotonic, isotonic, {})):
        assert np.array_equal(curve(**how).fit(score, y).transform(score), function(score, y, **how)(score))


@pytest.mark.claim("CAL-03")
@given(st.integers(8, 60), st.floats(0.01, 0.99), st.integers(0, 100))
def test_held_out_objects_are_not_learned_from(n: int, share: float, seed: int) -> None:
    X, y = numbered(n)
    model = calibrate(Spy(), X, y, rng=seed, share=share)
    seen, asked = model.estimator_.seen_, set(model.estimator_.asked_)
    assert not seen & asked
    assert seen | asked == set(range(n))
    assert (seen, asked) == (set(model.fitted_on_), set(model.calibrated_on_))
    for label in (-1, 1):  # stratified: at most half an object off, and one on each side
        count, held = np.sum(y == label), np.sum(y[model.calibrated_on_] == label)
        assert held == min(max(round(share * count), 1), count - 1)


@pytest.mark.claim("CAL-03")
@given(st.integers(10, 50), st.integers(2, 3), st.integers(0, 100))
def test_folds_are_scored_by_models_that_did_not_see_them(n: int, folds: int, seed: int) -> None:
    X, y = numbered(n)
    y[:8] = [1, 1, 1, 1, -1, -1, -1, -1]
    models: list[Spy] = []

    class Listed(Spy):
        def fit(self, X: Any, y: Any) -> "Listed":
            models.append(self)
            super().fit(X, y)
            return self

    model = calibrate(Listed(), X, y, rng=seed, folds=folds)
    assert len(models) == folds + 1
    assert not any(one.seen_ & set(one.asked_) for one in models[:-1])
    assert sorted(row for one in models[:-1] for row in one.asked_) == list(range(n))
    assert models[-1] is model.estimator_
    assert models[-1].seen_ == set(range(n))
    assert np.ptp([len(one.asked_) for one in models[:-1]]) <= 1


def test_curve_is_fitted_to_the_held_out_scores() -> None:
    X, y = data.two_gaussians(200, rng=0, gap=1.5)
    model = calibrate(svm.LinearSVC(), X, y, rng=1, method="isotonic", share=0.3)
    base = svm.LinearSVC().fit(X[model.fitted_on_], y[model.fitted_on_])
    held = model.calibrated_on_
    curve = isotonic(base.decision_function(X[held]), (y[held] + 1) / 2)
    assert np.array_equal(model.predict_proba(X)[:, 1], curve(base.decision_function(X)))
    assert np.array_equal(model.predict(X), np.where(model.predict_proba(X)[:, 1] > 0.5, 1, -1))


def test_given_estimator_and_curve_stay_as_they_were_and_the_split_follows_the_seed() -> None:
    X, y = data.two_gaussians(60, rng=0)
    base, curve = svm.LinearSVC().fit(X[::2], y[::2]), Isotonic(prior=0.5)
    before = base.w_.copy()
    model = calibrate(base, X, y, rng=0, method=curve)
    assert np.array_equal(base.w_, before)
    assert not hasattr(curve, "curve_")
    assert model.calibrators_[0].prior == 0.5
    first, second, third = (calibrate(Spy(), X, y, rng=seed).calibrated_on_ for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)


def test_probabilities_are_calibrated_where_those_of_the_classifier_are_not() -> None:
    rng, train, test = np.random.default_rng(0), slice(0, 3000), slice(3000, None)
    y = np.where(rng.random(6000) < 0.5, 1, -1)
    X = np.repeat(rng.normal(size=(6000, 1)) + 0.7 * y[:, None], 8, axis=1)  # eight witnesses for naive Bayes
    raw = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    for method, folds in product(("platt", "isotonic"), (None, 4)):
        model = calibrate(GaussianNB(), X[train], y[train], rng=0, method=method, folds=folds)
        p = model.predict_proba(X[test])[:, 1]
        assert metrics.ece(y[test], p) < 0.05 < 0.15 < metrics.ece(y[test], raw)
        assert metrics.brier(y[test], p) < metrics.brier(y[test], raw)
        assert metrics.auc(y[test], p) == pytest.approx(metrics.auc(y[test], raw), abs=0.01)


def test_probabilities_become_log_odds() -> None:
    X, y = data.two_gaussians(80, rng=0, gap=1.0)
    model = calibrate(GaussianNB(), X, y, rng=0)
    p = model.estimator_.predict_proba(X)[:, 1]
    assert np.allclose(model.predict_proba(X)[:, 1], model.calibrators_[0].transform(logit(p)))
    certain = calibrate(DecisionTreeClassifier(random_state=0), X, y, rng=0).predict_proba(X)
    assert np.all((certain > 0) & (certain < 1))


@pytest.mark.parametrize("folds", [None, 5])
def test_order_of_an_overconfident_model_is_kept(folds: int | None) -> None:
    X, y, _ = data.breast_cancer()
    model = calibrate(GaussianNB(), X[::2], y[::2], rng=0, folds=folds)
    logs = model.estimator_.predict_log_proba(X[1::2])
    odds, p = logs[:, 1] - logs[:, 0], model.predict_proba(X[1::2])[:, 1]
    inside = np.abs(odds) < 36
    assert np.mean(inside & (np.abs(odds) > 21)) > 0.1  # nearer to 0 or 1 than 1e-9
    assert np.array_equal(p[inside].argsort(), odds[inside].argsort())
    assert metrics.auc(y[1::2], p) == pytest.approx(metrics.auc(y[1::2], odds), abs=2e-3)


class Shares(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that reads off its probabilities, and has no logarithms of them."""

    def fit(self, X: Any, y: Any) -> "Shares":
        """Keep the labels."""
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the rows."""
        return np.asarray(X)


def test_certain_forecasts_have_finite_log_odds() -> None:
    p = np.tile([0.0, 1e-4, 0.3, 0.6, 1.0], 8)
    y = np.tile([-1, -1, 1, -1, 1, -1, 1, -1, 1, 1], 4)
    model = calibrate(Shares(), np.column_stack([1 - p, p]), y, rng=0)
    found = model.predict_proba([[1, 0], [1, 1e-300], [1 - 1e-12, 1e-12], [1 - 1e-4, 1e-4], [0, 1]])[:, 1]
    assert 0 < found[0] == found[1] < found[2] < found[3] < found[4] < 1
    thirds = np.column_stack([p / 2, p / 2, 1 - p])
    several = calibrate(Shares(), thirds, np.arange(40) % 3, rng=0)
    odds = np.clip(logit(thirds), -36, 36)
    own = np.column_stack([one.transform(q) for one, q in zip(several.calibrators_, odds.T, strict=True)])
    assert np.allclose(several.predict_proba(thirds), own / own.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("folds", [None, 3])
@pytest.mark.parametrize(("classes", "columns"), [(3, 3), (4, 6)])
def test_scores_of_pairs_are_refused(classes: int, columns: int, folds: int | None) -> None:
    X, y = load_digits(n_class=classes, return_X_y=True)
    pairs = SVC(decision_function_shape="ovo")
    for base in (pairs, make_pipeline(pairs)):
        with pytest.raises(ValueError, match=f"one score a class, got {columns} scores"):
            calibrate(base, X[:60], y[:60], rng=0, folds=folds)
    two = y < 2
    assert calibrate(pairs, X[two], y[two], rng=0, folds=folds).score(X[two], y[two]) > 0.9


@pytest.mark.compiled
@pytest.mark.parametrize("base", [svm.LinearSVC(max_iter=20), GaussianNB()], ids=str)
@pytest.mark.parametrize("folds", [None, 3])
def test_several_classes(base: Any, folds: int | None) -> None:
    X, y = load_digits(n_class=4, return_X_y=True)
    X, y = X[:300] / 16, np.array(["zero", "one", "two", "three"])[y[:300]]
    model = calibrate(base, X[:200], y[:200], rng=0, folds=folds)
    assert (model.predict_proba(X[200:]).shape, len(model.calibrators_)) == ((100, 4), 4)
    assert np.mean(model.predict(X[200:]) == y[200:]) > 0.75


def test_where_no_class_is_possible_all_are_alike() -> None:
    X, y = np.repeat(np.eye(3), 4, axis=0), np.repeat([0, 1, 2], 4)
    model = calibrate(svm.LinearSVC(), X, y, rng=0, method="isotonic")
    X = np.array([[9.0, 9.0, 9.0], [1.0, 0.0, 0.0]])
    assert np.all(model.estimator_.decision_function(X)[0] < -1), "every curve says zero"
    P = model.predict_proba(X)
    assert np.allclose(P[0], 1 / 3)
    assert P[1].tolist() == [1, 0, 0]


def test_sparse_points_frames_and_strings() -> None:
    X, y = data.two_gaussians(60, rng=0)
    dense = calibrate(svm.LinearSVC(), X, y, rng=0).predict_proba(X)
    thin = calibrate(svm.LinearSVC(), sparse.coo_matrix(X), y, rng=0)
    assert np.allclose(thin.predict_proba(sparse.csr_matrix(X)), dense, atol=1e-6)
    frame = pytest.importorskip("pandas").DataFrame(X, columns=["width", "height"])
    framed = calibrate(LogisticRegression(), frame, y, rng=0)
    assert (framed.feature_names_in_.tolist(), framed.n_features_in_) == (["width", "height"], 2)
    words = ["good fine", "bad poor"] * 10
    text = calibrate(make_pipeline(CountVectorizer(), svm.LinearSVC()), words, [1, -1] * 10, rng=0)
    assert not hasattr(text, "n_features_in_")
    assert text.predict(["good", "poor"]).tolist() == [1, -1]
    for estimator, takes_sparse in ((svm.LinearSVC(), True), (svm.SVC(), False), (None, False)):
        assert Calibrated(estimator).__sklearn_tags__().input_tags.sparse is takes_sparse
