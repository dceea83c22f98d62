"""Additive models: scikit-learn's gradient boosting, stage by stage, and every step the best of its kind."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn import ensemble as sk

from lecturekit import boosting
from lecturekit._typing import Array, PointFunction
from lecturekit.boosting import AbsoluteError, BoostingLoss, LogisticError, SquaredError, gradient_boosting
from lecturekit.boosting._rounds import best_steps
from lecturekit.trees import Tree, tree_grower

LOSSES = [SquaredError(), AbsoluteError(), LogisticError(), boosting.ExponentialError()]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
seeds = st.integers(0, 10**6)


def sample(seed: int, n: int = 120, d: int = 3) -> tuple[Array, Array]:
    """Draw points far enough apart for scikit-learn, which takes differences below 1e-7 for none."""
    rng = np.random.default_rng(seed)
    X = rng.permuted(np.tile(np.arange(1.0 * n), (d, 1)), axis=1).T / 8
    return X, np.sin(X[:, 0]) + X[:, 1] / 5 + 0.5 * rng.normal(size=n)


def targets(loss: BoostingLoss, y: Array) -> Array:
    """Return the targets, or their signs about the median."""
    return np.where(y > np.median(y), 1.0, -1.0) if isinstance(loss, LogisticError) else y


def line_fit(X: Array, z: Array) -> PointFunction:
    """Fit a line by least squares: the simplest base regressor."""
    A = np.column_stack([np.ones(len(X)), X])
    w = np.linalg.lstsq(A, z, rcond=None)[0]
    return lambda X: w[0] + X @ w[1:]


@each_loss
@given(seed=seeds)
def test_steps_are_the_best(loss: BoostingLoss, seed: int) -> None:
    rng = np.random.default_rng(seed)
    f, H, y = rng.normal(size=15), rng.normal(size=(4, 15)), targets(loss, rng.normal(size=15))
    for c, h in zip(best_steps(loss, f, H, y), H, strict=True):

        def total(c: float, h: Array = h) -> float:
            return float(loss(f + c * h, y).sum())

        assert total(c) <= minimize_scalar(total, bracket=(-1, 1), tol=1e-12).fun + 1e-9


def test_steps_of_the_squared_error_are_projections() -> None:
    rng = np.random.default_rng(0)
    f, H, y = rng.normal(size=9), 1e3 * rng.normal(size=(5, 9)), 1e-3 * rng.normal(size=9)
    assert np.allclose(best_steps(SquaredError(), f, H, y), H @ (y - f) / np.sum(H**2, axis=1), rtol=1e-10)
    assert np.allclose(best_steps(SquaredError(), y, H, y), 0)
    assert np.allclose(best_steps(SquaredError(), f, 0 * H, y), 0)  # any would do


@pytest.mark.claim("BOOST-04")
@each_loss
@settings(max_examples=10)
@given(seed=seeds)
def test_each_stage_is_the_best_of_the_family(loss: BoostingLoss, seed: int) -> None:
    X, y = sample(seed, 20, 2)
    y = targets(loss, y)
    base = [lambda X, j=j, k=k: np.cos(k * X[:, j] + j) for j in (0, 1) for k in (1, 2, 3)]
    model = boosting.forward_stagewise(X, y, loss, base, 5, start=0.2)
    stages = list(model.staged(X))
    assert np.all(stages[0] == 0.2)
    assert np.allclose(model.losses, [loss(f, y).mean() for f in stages])
    assert np.all(np.diff(model.losses) <= 1e-12)
    for before, after in zip(stages[:-1], model.losses[1:], strict=True):
        for h in base:
            found = minimize_scalar(lambda c, f=before, h=h: loss(f + c * h(X), y).mean(), tol=1e-10)
            assert after <= found.fun + 1e-9
    assert np.array_equal(model(X), stages[-1])
    assert repr(model) == "Additive(start=0.2)"


@pytest.mark.jit
@pytest.mark.claim("BOOST-08")
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_squared_error_stages_are_those_of_scikit_learn(rate: float) -> None:
    X, y = sample(0)
    ours = gradient_boosting(X, y, rounds=8, depth=3, learning_rate=rate, min_leaf=4)
    how: Any = {"max_depth": 3, "learning_rate": rate, "min_samples_leaf": 4}
    theirs = sk.GradientBoostingRegressor(n_estimators=8, **how).fit(X, y)
    for one, other in zip(list(ours.staged(X))[1:], theirs.staged_predict(X), strict=True):
        assert np.allclose(one, other, atol=1e-10)
    assert np.allclose(ours.losses[1:], theirs.train_score_)


def test_logistic_stages_are_those_of_scikit_learn() -> None:
    X, y = sample(1)
    y = targets(LogisticError(), y)
    ours = gradient_boosting(X, y, loss=LogisticError(), rounds=8, depth=2, min_leaf=6)
    theirs = sk.GradientBoostingClassifier(n_estimators=8, max_depth=2, min_samples_leaf=6).fit(X, y)
    for one, other in zip(list(ours.staged(X))[1:], theirs.staged_decision_function(X), strict=True):
        assert np.allclose(one, other[:, 0], atol=1e-8)


@pytest.mark.claim("BOOST-07")
def test_squared_error_fits_residuals() -> None:
    X, y = sample(2)
    model = gradient_boosting(X, y, rounds=3, depth=2, learning_rate=1.0)
    _, grow = tree_grower(X, depth=2, min_leaf=1, bins=None)
    for before, h in zip(model.staged(X), model.functions, strict=False):
        tree, leaf = grow(y - before)
        assert np.allclose(h(X), tree.value[leaf])


@pytest.mark.claim("BOOST-08")
@pytest.mark.parametrize("bins", [None, 255])
@each_loss
def test_leaves_and_losses_by_definition(loss: BoostingLoss, bins: int | None) -> None:
    X, y = sample(3)
    y = targets(loss, y)
    model = gradient_boosting(X, y, loss=loss, rounds=6, depth=2, learning_rate=0.5, min_leaf=5, bins=bins)
    assert model.start == loss.start(y)
    assert np.all(model.c == 0.5)
    stages = list(model.staged(X))
    assert np.allclose(model.losses, [loss(f, y).mean() for f in stages])
    assert np.all(np.diff(model.losses) < 0)
    for f, tree in zip(stages, model.functions, strict=False):
        assert isinstance(tree, Tree)
        leaf = tree.apply(X)
        assert np.bincount(leaf)[tree.leaves].min() >= 5
        assert np.allclose(tree.value, loss.leaf_values(f, y, leaf, len(tree.feature)))


@pytest.mark.claim("BOOST-07")
@each_loss
def test_another_base_gets_a_line_search(loss: BoostingLoss) -> None:
    X, y = sample(4, 60)
    y = targets(loss, y)
    model = gradient_boosting(X, y, loss=loss, rounds=4, learning_rate=1.0, base=line_fit)
    for f, h, c in zip(model.staged(X), model.functions, model.c, strict=False):
        assert np.allclose(h(X), line_fit(X, -loss.derivative(f, y))(X))
        grid = [loss(f + s * h(X), y).mean() for s in np.linspace(0, 3 * c + 1, 300)]
        assert loss(f + c * h(X), y).mean() <= min(grid) + 1e-12
    assert np.all(model.c >= 0)
    assert np.all(np.diff(model.losses) <= 1e-12)
    half = gradient_boosting(X, y, loss=loss, rounds=1, learning_rate=0.5, base=line_fit)
    assert half.c[0] == pytest.approx(model.c[0] / 2)


def test_line_search_goes_no_way_back() -> None:
    X, y = sample(5, 30)

    def wrong_way(X: Array, z: Array) -> PointFunction:
        return lambda Z: -line_fit(X, z)(Z)

    model = gradient_boosting(X, y, rounds=2, base=wrong_way)
    assert model.c.tolist() == [0.0, 0.0]
    assert np.all(model(X) == y.mean())


@pytest.mark.compiled
def test_bins_are_nearly_as_good_and_few_bins_are_coarse() -> None:
    X, y = sample(6, 400)
    how: Any = {"rounds": 30, "depth": 3, "min_leaf": 5}
    exact, fine, coarse = (gradient_boosting(X, y, bins=bins, **how).losses[-1] for bins in (None, 255, 2))
    assert fine == pytest.approx(exact, rel=0.1)
    assert coarse > 2 * exact


def test_targets_may_be_perfectly_fitted() -> None:
    X: Any = [[0.0], [1.0], [2.0], [3.0]]
    model = gradient_boosting(X, [1.0, 1.0, 5.0, 9.0], rounds=5, learning_rate=1.0)
    assert np.allclose(model(X), [1.0, 1.0, 5.0, 9.0])
    assert model.losses[-1] < 1e-25


def test_a_function_that_fits_exactly_is_chosen() -> None:
    X, y = np.arange(4.0)[:, None], np.array([0.0, 1.0, 4.0, 9.0])
    fit = boosting.forward_stagewise(
        X, y, SquaredError(), [lambda X: 0 * X[:, 0] + 1, lambda X: X[:, 0] ** 2], 1
    )
    assert fit.losses[-1] == 0.0  # no other is better, or equally good
