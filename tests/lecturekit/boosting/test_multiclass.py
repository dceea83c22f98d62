"""Boosting of several classes: the link is a softmax, slopes by differences, two classes are one logistic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import softmax

from lecturekit._typing import Array
from lecturekit.boosting import LogisticError, gradient_boosting, link, multiclass_boosting
from lecturekit.trees import tree_grower

seeds = st.integers(0, 10**6)


def sample(seed: int = 0, n: int = 90, C: int = 3) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    y = rng.integers(C, size=n)
    return np.column_stack([y + 0.6 * rng.normal(size=n), rng.normal(size=n)]), y.astype(float)


@pytest.mark.claim("BOOST-09")
@given(seed=seeds, C=st.integers(2, 6))
def test_link_is_the_softmax_with_a_zero_and_sums_to_one(seed: int, C: int) -> None:
    F = 10 * np.random.default_rng(seed).normal(size=(7, C - 1))
    P = link(F)
    assert np.allclose(P, softmax(np.column_stack([F, np.zeros(7)]), axis=1))
    assert np.allclose(P.sum(axis=1), 1)
    assert np.allclose(np.log(P[:, :-1] / P[:, -1:]), F)
    # nor does it overflow
    assert link([[1000.0, -1000.0], [-1000.0, -1000.0]]).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


@pytest.mark.claim("BOOST-10")
@pytest.mark.claim("ERR-99")
@pytest.mark.parametrize("label", [0, 1, 2])
def test_pseudo_residual_is_the_negative_slope_of_the_log_loss(label: int) -> None:
    f = np.array([0.3, -1.0])
    slope = approx_fprime(f, lambda f: -np.log(link(f[None])[0, label]))
    assert np.allclose(-slope, np.eye(3)[label][:2] - link(f[None])[0, :2], atol=1e-6)


@pytest.mark.claim("BOOST-10")
@pytest.mark.parametrize("bins", [None, 255])
@pytest.mark.parametrize("C", [2, 3, 5])
def test_log_loss_falls_and_is_what_it_says(C: int, bins: int | None) -> None:
    X, y = sample(1, 200, C)
    model = multiclass_boosting(X, y, rounds=12, depth=2, bins=bins, min_leaf=3)
    code = y.astype(int)
    assert np.all(np.diff(model.losses) < 0)
    for F, loss in zip(model.staged(X), model.losses, strict=True):
        assert F.shape == (200, C - 1)
        assert -np.log(link(F)[np.arange(200), code]).mean() == pytest.approx(loss)
    assert np.array_equal(model.scores(X), F)
    assert np.allclose(link(F), model.probabilities(X))
    assert np.allclose(link(model.start[None])[0], np.bincount(code) / 200)
    assert [len(trees) for trees in model.trees] == [C - 1] * 12


@pytest.mark.claim("BOOST-10")
def test_first_round_by_the_formulas() -> None:
    X, y = sample(2)
    model = multiclass_boosting(X, y, rounds=1, depth=2, learning_rate=0.5, min_leaf=4)
    _, grow = tree_grower(X, depth=2, min_leaf=4, bins=None)
    F = np.tile(model.start, (len(y), 1))
    for c in (0, 1):  # the second class sees what the first tree has changed
        p = link(F)[:, c]
        z = (y == c) - p
        tree, leaf = grow(z)
        gamma = [z[leaf == j].sum() / (p * (1 - p))[leaf == j].sum() for j in tree.leaves]
        assert np.allclose(model.trees[0][c].value[tree.leaves], gamma)
        F[:, c] += 0.5 * model.trees[0][c](X)
    assert np.allclose(F, model.scores(X))


def test_two_classes_are_one_logistic_problem_and_scores_far_out_stay_finite() -> None:
    X, y = sample(3, C=2)
    many = multiclass_boosting(X, np.where(y > 0, "yes", "no"), rounds=7)
    one = gradient_boosting(X, np.where(y > 0, -1, 1), loss=LogisticError(), rounds=7)
    assert many.classes.tolist() == ["no", "yes"]
    assert np.allclose(many.scores(X)[:, 0], one(X))
    assert np.allclose(many.losses, one.losses)
    X = np.repeat(np.arange(3.0), 5)[:, None]
    model = multiclass_boosting(X, X[:, 0], rounds=60, learning_rate=1.0)
    assert np.allclose(model.probabilities(X), np.eye(3)[X[:, 0].astype(int)])
    assert repr(model) == "Multiclass(classes=array([0., 1., 2.]), learning_rate=1.0)"
