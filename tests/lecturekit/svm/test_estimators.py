"""The estimators: scikit-learn's classifiers as oracle, and the solvers they wrap."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm as sk
from sklearn.base import clone

from lecturekit import svm
from lecturekit.kernels import RBF, Linear, Polynomial
from lecturekit.svm import scda_linear, smo
from tests.support.oracles import overlapping, three_clouds

SOLVED = 1e-9  # the residual to which small problems are solved exactly
FROM_SOLVED = 1e-5  # decision values follow from our residual of 1e-9 and scikit-learn's of 1e-8
THEIR_LINEAR = 1e-4  # liblinear stops on the range of the slopes: its weights are right to about four digits
SINGLE = 1e-3  # float32 decision values

EITHER = [svm.SVC(), svm.LinearSVC()]
each_estimator = pytest.mark.parametrize("model", EITHER, ids=lambda model: type(model).__name__)


@each_estimator
def test_more_classes_are_one_problem_each_against_the_rest(model: Any) -> None:
    X, y = three_clouds(45, noise=0.8)
    names = np.array(["ash", "oak", "yew"])[y]
    model = clone(model).set_params(tol=1e-8)
    if isinstance(model, svm.SVC):
        model.set_params(kernel=RBF(gamma=0.3))
    together = clone(model).fit(X, names)
    for k, name in enumerate(together.classes_):
        alone = clone(model).fit(X, names == name)
        assert np.allclose(together.decision_function(X)[:, k], alone.decision_function(X))
        assert np.allclose(together.alpha_[k], alone.alpha_)
        assert np.isclose(together.b_[k], alone.b_)
    assert together.alpha_.shape == (3, 45)
    assert together.support_.tolist() == np.flatnonzero((together.alpha_ > 0).any(axis=0)).tolist()


@each_estimator
def test_certificate_and_steps_are_kept(model: Any, capsys: pytest.CaptureFixture[str]) -> None:
    X, y = overlapping(2)
    fitted = clone(model).set_params(tol=1e-6, C=2.0, verbose=True).fit(X, y)
    assert "violation" in capsys.readouterr().err
    assert 0 <= fitted.gap_ <= 1e-6 * 2 * len(y)
    assert fitted.n_iter_ > 1
    rough = clone(model).set_params(tol=1e-9, max_iter=1).fit(X, y)
    assert rough.n_iter_ == 1
    assert rough.gap_ > fitted.gap_


@each_estimator
def test_balanced_classes_and_weights_of_named_classes(model: Any) -> None:
    X, y = overlapping(3)
    X, y = X[5:], np.where(y[5:] > 0, "up", "down")
    model = clone(model).set_params(tol=1e-8)
    share = {name: len(y) / (2 * np.sum(y == name)) for name in ("up", "down")}
    balanced = clone(model).set_params(class_weight="balanced").fit(X, y)
    by_hand = clone(model).set_params(class_weight=share).fit(X, y)
    assert np.allclose(balanced.decision_function(X), by_hand.decision_function(X))
    weighted = clone(model).set_params(class_weight={"up": 50.0}, C=0.1).fit(X, y)
    assert np.mean(weighted.predict(X) == "up") > np.mean(clone(model).fit(X, y).predict(X) == "up")
    assert weighted.alpha_[y == "down"].max() <= 0.1
    assert weighted.alpha_[y == "up"].max() > 0.1


@each_estimator
def test_single_precision(model: Any) -> None:
    X, y = overlapping(4)
    double = clone(model).fit(X, y).decision_function(X)
    single = clone(model).fit(X.astype(np.float32), y).decision_function(X.astype(np.float32))
    assert np.allclose(single, double, atol=10 * model.tol + SINGLE)


@pytest.mark.parametrize("weight", [None, {-1: 3.0}, "balanced"])
@pytest.mark.parametrize("C", [0.3, 5.0])
def test_kernel_classifier_is_that_of_scikit_learn(C: float, weight: Any) -> None:
    X, y = overlapping(5, 60)
    X, y = X[7:], y[7:]
    new = np.random.default_rng(1).normal(size=(20, 2))
    ours = svm.SVC(RBF(gamma=0.7), C=C, tol=SOLVED, class_weight=weight).fit(X, y)
    theirs = sk.SVC(kernel="rbf", gamma=0.7, C=C, tol=1e-10, class_weight=weight).fit(X, y)
    assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=FROM_SOLVED)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert np.isclose(float(ours.b_), theirs.intercept_[0], atol=FROM_SOLVED)


def test_default_kernel_scales_with_the_data() -> None:
    X, y = overlapping(6)
    X = 100 * X + 5
    ours = svm.SVC(tol=SOLVED).fit(X, y)
    theirs = sk.SVC(gamma="scale", tol=1e-10).fit(X, y)
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X), atol=FROM_SOLVED)
    assert ours.kernel is None
    assert svm.SVC().fit(np.ones((4, 1)), [0, 0, 1, 1]).kernel_ == RBF(gamma=1.0)  # no variance, no scale


def test_kernel_classifier_remembers_what_smo_found() -> None:
    X, y = overlapping(7)
    kernel = Polynomial(degree=2)
    fitted = svm.SVC(kernel, C=0.5).fit(X, y)
    found = smo(kernel, y, 0.5, X=X)
    assert np.array_equal(fitted.alpha_, found.alpha)
    assert float(fitted.b_) == found.b
    assert fitted.gap_ == found.gap
    assert np.array_equal(fitted.support_, found.support)
    assert np.allclose(fitted.decision_function(X), found.f + found.b)


def test_cache_may_be_small_and_without_a_step_there_is_one_answer() -> None:
    X, y = three_clouds(45, noise=0.8)
    roomy = svm.SVC(tol=SOLVED).fit(X, y)
    tight = svm.SVC(tol=SOLVED, cache_mb=1e-6).fit(X, y)
    assert np.allclose(tight.decision_function(X), roomy.decision_function(X), atol=FROM_SOLVED)
    idle = svm.SVC(tol=10.0).fit(X, y)
    assert idle.support_.size == 0, "at zero the violation is 2, so nothing is left to do"
    assert len(set(idle.predict(X))) == 1


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weight", [None, {1: 3.0}, "balanced"])
def test_linear_classifier_is_that_of_scikit_learn(fit_intercept: bool, weight: Any) -> None:
    X, y = overlapping(8, 60)
    X, y = X[7:], y[7:]
    settings = {"C": 0.3, "fit_intercept": fit_intercept, "intercept_scaling": 2.0, "class_weight": weight}
    ours = svm.LinearSVC(tol=SOLVED, **settings).fit(X, y)
    theirs = sk.LinearSVC(loss="hinge", tol=1e-10, max_iter=10**6, random_state=0, **settings).fit(X, y)
    assert np.allclose(ours.w_, theirs.coef_[0], atol=THEIR_LINEAR)
    assert np.isclose(float(ours.b_), np.ravel(theirs.intercept_)[0], atol=THEIR_LINEAR)
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X), atol=10 * THEIR_LINEAR)


@pytest.mark.claim("SOLV-08")
def test_bias_is_the_weight_of_a_constant_and_penalised() -> None:
    X, y = np.array([[10.0], [12.0]]), np.array([-1, 1])
    free = smo(Linear(), y, 1.0, X=X, tol=SOLVED)
    tied = svm.LinearSVC(tol=SOLVED).fit(X, y)
    assert np.allclose(free.f + free.b, [-1, 1])
    assert abs(float(tied.b_) - free.b) > 1
    weak = svm.LinearSVC(C=3.0, tol=1e-4, intercept_scaling=10.0).fit(X, y)
    assert np.isclose(float(weak.b_), free.b, atol=0.01)  # the penalty b^2 / s^2 is nearly gone


def test_linear_classifier_remembers_what_the_solver_found() -> None:
    X, y = overlapping(9)
    found = scda_linear(np.column_stack([X, np.full(30, 3.0)]), y, 0.5, rng=4)
    fitted = svm.LinearSVC(C=0.5, intercept_scaling=3.0, random_state=4).fit(X, y)
    assert found.w is not None
    assert np.array_equal(fitted.alpha_, found.alpha)
    assert np.array_equal(fitted.w_, found.w[:2])
    assert float(fitted.b_) == 3 * found.w[2]
    assert np.array_equal(fitted.support_, found.support)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_sparse_points_give_the_same_classifier(fit_intercept: bool) -> None:
    X, y = three_clouds(45, noise=0.8)
    X[np.abs(X) < 0.3] = 0
    X[-1] = 0
    dense = svm.LinearSVC(fit_intercept=fit_intercept).fit(X, y)
    thin = svm.LinearSVC(fit_intercept=fit_intercept).fit(sparse.csr_matrix(X), y)
    assert np.allclose(thin.w_, dense.w_)
    assert np.allclose(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X))
