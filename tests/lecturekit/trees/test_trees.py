"""Regression trees: scikit-learn's, node by node, brute force, and what random features and cuts must do."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest
from sklearn.tree import DecisionTreeRegressor

from lecturekit._typing import Array
from lecturekit.trees import regression_tree
from lecturekit.trees._forests import resampled_order
from lecturekit.trees._tree import grow_tree, presort

ROUNDING = 1e-12  # relative to the spread of the targets
few = settings(max_examples=15)
seeds = st.integers(0, 10**6)


def sample(seed: int, n: int = 300, d: int = 4) -> tuple[Array, Array]:
    """Draw points far enough apart for scikit-learn, which takes differences below 1e-7 for none."""
    rng = np.random.default_rng(seed)
    X = (rng.permuted(np.tile(np.arange(n), (d, 1)), axis=1).T / 8).astype(float)
    return X, np.sin(X[:, 0]) + X[:, -1] / n + rng.normal(size=n)


def gain(z: Array, *parts: Array) -> float:
    """Return the fall of the squared error when targets are parted."""
    return float(len(z) * z.var() - sum(len(part) * part.var() for part in parts))


def best_gain(X: Array, z: Array, min_leaf: int) -> float:
    """Return the greatest fall of the squared error by one cut, by trying all."""
    gains = [-np.inf]
    for x in X.T:
        for a, b in pairwise(np.unique(x)):
            parts = z[x <= (a + b) / 2], z[x > (a + b) / 2]
            if min(map(len, parts)) >= min_leaf:
                gains.append(gain(z, *parts))
    return float(max(gains))


@pytest.mark.jit
@pytest.mark.parametrize("how", [(3, 1, 4), (None, 8, 4), (6, 5, 4), (1, 100, 4), (None, 1, 1)], ids=str)
def test_nodes_are_those_of_scikit_learn(how: tuple[int | None, int, int]) -> None:
    depth, min_leaf, d = how
    X, z = sample(0, d=d)
    ours = regression_tree(X, z, depth=depth, min_leaf=min_leaf)
    peer = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=min_leaf).fit(X, z)
    theirs, new = peer.tree_, np.random.default_rng(0).uniform(-1, 40, (200, d)).astype(np.float32)
    assert np.allclose(ours(new), peer.predict(new))
    assert np.array_equal([ours.left, ours.right], [theirs.children_left, theirs.children_right])
    inner = ours.feature >= 0
    assert np.array_equal(ours.feature[inner], theirs.feature[inner])
    assert np.array_equal(ours.threshold[inner], theirs.threshold[inner])
    assert np.all(np.isnan(ours.threshold[~inner]))
    assert np.allclose(ours.value, theirs.value[:, 0, 0], atol=ROUNDING)
    assert np.array_equal(ours.count, theirs.n_node_samples)
    assert (ours.n_leaves, ours.depth) == (theirs.n_leaves, theirs.max_depth)
    assert np.array_equal(ours.apply(X), theirs.apply(X.astype(np.float32)))


@few
@given(seed=seeds, min_leaf=st.integers(1, 4))
def test_every_cut_is_the_best_there_is(seed: int, min_leaf: int) -> None:
    rng = np.random.default_rng(seed)
    X, z = rng.integers(0, 5, (25, 3)).astype(float), rng.integers(0, 4, 25).astype(float)
    tree = regression_tree(X, z, min_leaf=min_leaf)
    inside = {0: np.arange(25)}
    for node, j in enumerate(tree.feature):
        rows = inside[node]
        assert tree.value[node] == pytest.approx(z[rows].mean())
        assert tree.count[node] == len(rows) >= min_leaf
        best = best_gain(X[rows], z[rows], min_leaf)
        if j < 0:
            assert best == -np.inf or np.ptp(z[rows]) == 0
            continue
        left = X[rows, j] <= tree.threshold[node]
        inside |= {int(tree.left[node]): rows[left], int(tree.right[node]): rows[~left]}
        assert gain(z[rows], z[rows[left]], z[rows[~left]]) == pytest.approx(best, abs=1e-9)


def test_the_lower_feature_and_threshold_go_first_and_neighbouring_numbers_are_kept_apart() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    tree = regression_tree(np.column_stack([x, x]), [0.0, 1.0, 1.0, 0.0], depth=1)
    assert (tree.feature[0], tree.threshold[0]) == (0, 0.5)
    near = [[1.0], [float(np.nextafter(1.0, 2.0))]]
    assert regression_tree(near, [0.0, 5.0])(near).tolist() == [0.0, 5.0]
    # a cut that gains nothing is made, since the next ones may
    X, z = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0.0, 1.0, 1.0, 0.0])
    assert np.array_equal(regression_tree(X, z, depth=2)(X), z)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e9])
def test_what_cannot_be_cut_is_a_leaf(constant: float) -> None:
    X = np.arange(6.0)[:, None]
    for tree in (regression_tree(X, np.full(6, constant)), regression_tree(np.ones((6, 2)), np.arange(6.0))):
        assert (tree.n_leaves, tree.depth, tree.leaves.tolist()) == (1, 0, [0])
    assert regression_tree(X, np.arange(6.0), min_leaf=4).n_leaves == 1
    assert np.allclose(regression_tree(X, np.full(6, constant))(X), constant)


@few
@given(seed=seeds)
def test_neither_the_origin_nor_the_scale_matters(seed: int) -> None:
    X, z = sample(seed, 60)
    tree = regression_tree(X, z, min_leaf=5)
    for other in (regression_tree(np.exp(X / 8), z, min_leaf=5), regression_tree(X, 1e6 + z, min_leaf=5)):
        assert np.array_equal(other.left, tree.left)
        assert np.array_equal(other.feature, tree.feature)
    tiny = regression_tree(X, 1e-30 * z, min_leaf=5)
    assert np.allclose(tiny.value, 1e-30 * tree.value, rtol=1e-9)


def test_other_values_in_the_same_tree() -> None:
    X, z = sample(1, 30)
    tree = regression_tree(X.astype(np.float32), z, depth=2)
    other = tree.with_values(np.arange(1.0 * len(tree.feature)))
    assert np.array_equal(other(X), tree.apply(X))
    assert set(other(X)) == set(tree.leaves)


@pytest.mark.jit
def test_all_features_are_looked_at_alike() -> None:
    X, z = sample(2, 40, 5)
    roots = [regression_tree(X, z, depth=1, features=1, rng=seed).feature[0] for seed in range(300)]
    assert np.all(np.abs(np.bincount(roots, minlength=5) - 60) < 4 * np.sqrt(300 * 0.2 * 0.8))
    best = regression_tree(X, z, depth=1).feature[0]
    pairs = [regression_tree(X, z, depth=1, features=2, rng=seed).feature[0] for seed in range(300)]
    assert np.mean(np.equal(pairs, best)) == pytest.approx(2 / 5, abs=4 * np.sqrt(0.24 / 300))
    assert np.array_equal(regression_tree(X, z, features=5, rng=3).feature, regression_tree(X, z).feature)


def test_deeper_nodes_draw_again_and_search_goes_on_until_a_feature_can_be_cut() -> None:
    drawn = regression_tree(*sample(3, 200, 6), features=1, min_leaf=5, rng=0)
    assert set(drawn.feature) == {-1, 0, 1, 2, 3, 4, 5}
    X, z = np.ones((20, 6)), np.arange(20.0)
    X[:, 4] = np.arange(20.0)
    for seed in range(5):
        tree = regression_tree(X, z, features=1, rng=seed)
        assert np.array_equal(tree(X), z)
        assert set(tree.feature) == {-1, 4}


@pytest.mark.jit
def test_random_cuts_are_uniform_between_the_extremes() -> None:
    x, z = np.array([0.0, 0.1, 0.2, 10.0]), np.array([1.0, 2.0, 5.0, 3.0])
    trees = [regression_tree(x[:, None], z, depth=1, random_cuts=True, rng=seed) for seed in range(400)]
    cuts = [tree.threshold[0] for tree in trees]
    assert kstest(cuts, "uniform", args=(0, 10)).pvalue > 0.01
    for tree in trees:
        left = x <= tree.threshold[0]
        assert np.allclose(tree.value[1:], [z[left].mean(), z[~left].mean()])


def test_of_random_cuts_the_best_is_made() -> None:
    X, z = sample(4, 50, 3)
    for seed in range(20):
        cuts = X.min(axis=0) + np.random.default_rng(seed).random(3) * np.ptp(X, axis=0)
        errors = [sum(len(p) * p.var() for p in (z[x], z[~x])) for x in (cuts >= X).T]
        tree = regression_tree(X, z, depth=1, random_cuts=True, rng=seed)
        assert tree.feature[0] == np.argmin(errors)
        assert tree.threshold[0] == pytest.approx(cuts[tree.feature[0]])
    usual, first = (regression_tree(X, z, random_cuts=True, **how) for how in ({}, {"rng": 0}))
    assert np.array_equal(usual.threshold, first.threshold, equal_nan=True)


@few
@given(seed=seeds, min_leaf=st.integers(1, 6))
def test_random_trees_keep_the_rules(seed: int, min_leaf: int) -> None:
    X, z = sample(seed, 50)
    X = np.round(X)
    how: Any = {"features": 2, "random_cuts": seed % 2 == 0, "min_leaf": min_leaf}
    tree = regression_tree(X, z, **how, rng=seed)
    leaf = tree.apply(X)
    assert tree.count[0] == 50
    assert tree.count.min() >= min_leaf
    for node in tree.leaves:
        assert tree.count[node] == np.sum(leaf == node)
        assert tree.value[node] == pytest.approx(z[leaf == node].mean())
    same = regression_tree(X, z, **how, rng=np.random.default_rng(seed))
    assert np.array_equal(same.threshold, tree.threshold, equal_nan=True)


@few
@given(seed=seeds)
def test_an_order_of_a_sample_is_that_sample_and_rows_left_out_have_no_leaf(seed: int) -> None:
    X, z = sample(seed, 80)
    X = np.asfortranarray(X)
    rows = np.random.default_rng(seed).integers(80, size=80)
    order = resampled_order(presort(X), np.bincount(rows, minlength=80))
    assert np.array_equal(X[order[2], 2], np.sort(X[rows, 2]))
    before = order.copy()
    drawn, leaf = grow_tree(X, z, order, min_leaf=6)
    assert np.array_equal(order, before)
    direct = regression_tree(X[rows], z[rows], min_leaf=6)
    assert np.array_equal(drawn.feature, direct.feature)
    assert np.array_equal(drawn.threshold, direct.threshold, equal_nan=True)
    assert np.allclose(drawn.value, direct.value)
    assert np.array_equal(leaf, np.where(np.isin(np.arange(80), rows), drawn.apply(X), -1))
