"""Histogram trees: the exact tree of the bins is the oracle, and bins are what they should be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lecturekit._typing import Array
from lecturekit.trees import Tree, regression_tree, tree_grower
from lecturekit.trees._histogram import bin_edges, binned, grow_histogram_tree

seeds = st.integers(0, 10**6)


def sample(seed: int, n: int = 300, d: int = 4) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)


def histogram_tree(X: Array, z: Array, depth: int, min_leaf: int = 1, bins: int = 255) -> Tree:
    return tree_grower(X, depth=depth, min_leaf=min_leaf, bins=bins)[1](z)[0]


@given(seed=seeds, bins=st.integers(2, 20))
def test_bins_count_the_edges_below_and_hold_about_equally_many(seed: int, bins: int) -> None:
    X, _ = sample(seed, 200, 2)
    edges = bin_edges(X, bins)
    B = binned(X, edges)
    assert B.dtype == np.uint8
    for x, b, cuts in zip(X.T, B.T, edges, strict=True):
        assert len(cuts) == bins - 1
        assert np.all(np.diff(cuts) > 0)
        assert np.array_equal(b, np.sum(x[:, None] > cuts, axis=1))
        assert np.ptp(np.bincount(b)) <= 1


@given(seed=seeds, bins=st.integers(2, 9))
def test_few_values_have_a_bin_each_and_neighbouring_numbers_are_kept_apart(seed: int, bins: int) -> None:
    x = np.random.default_rng(seed).choice([0.0, 0.5, 1.0, 4.0, 7.0], size=40, p=[0.6, 0.1, 0.1, 0.1, 0.1])
    (edges,) = bin_edges(x[:, None], bins)
    values = np.unique(x)
    assert len(edges) < bins
    if len(values) <= bins:
        assert np.allclose(edges, (values[1:] + values[:-1]) / 2)
    assert np.all((edges >= x.min()) & (edges < x.max()))
    near = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert binned(near, bin_edges(near)).ravel().tolist() == [0, 1]
    assert bin_edges(np.ones((3, 1)))[0].size == 0


@pytest.mark.jit
@pytest.mark.parametrize(("depth", "min_leaf"), [(1, 1), (3, 10), (6, 4), (99, 9)])
def test_with_a_bin_a_value_the_tree_is_the_exact_one(depth: int, min_leaf: int) -> None:
    X, z = sample(0, 250)
    edges = bin_edges(X)
    ours, leaf = grow_histogram_tree(binned(X, edges), z, edges, depth=depth, min_leaf=min_leaf)
    exact = regression_tree(X, z, depth=depth, min_leaf=min_leaf)
    assert ours.n_leaves == exact.n_leaves
    assert np.allclose(ours(X), exact(X))
    assert np.array_equal(ours.apply(X), leaf)
    assert (ours.feature[0], ours.threshold[0]) == (exact.feature[0], exact.threshold[0])
    assert sorted(ours.feature) == sorted(exact.feature)
    assert all(t in edges[j] for j, t in zip(ours.feature, ours.threshold, strict=True) if j >= 0)


@settings(max_examples=15)
@given(seed=seeds, bins=st.integers(2, 40), min_leaf=st.integers(1, 9))
def test_the_tree_of_bins_is_the_exact_tree_of_their_numbers(seed: int, bins: int, min_leaf: int) -> None:
    X, z = sample(seed, 200, 3)
    B = binned(X, bin_edges(X, bins))
    ours = histogram_tree(X, z, 4, min_leaf, bins)
    exact = regression_tree(B.astype(float), z, depth=4, min_leaf=min_leaf)
    assert np.allclose(ours(X), exact(B), atol=1e-9)
    assert (sorted(ours.count), ours.depth) == (sorted(exact.count), exact.depth)
    inner = ours.feature >= 0
    assert np.array_equal(ours.count[inner], ours.count[ours.left[inner]] + ours.count[ours.right[inner]])


def test_targets_far_from_zero_lose_no_digits_and_what_gains_nothing_is_not_cut() -> None:
    X, z = sample(3, 400)
    near, far = (histogram_tree(X, z + c, depth=4, min_leaf=5) for c in (0.0, 1e8))
    assert np.array_equal(near.feature, far.feature)
    assert np.allclose(far.value - 1e8, near.value, atol=1e-6)
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    for z in (np.array([0.0, 1.0, 1.0, 0.0]), np.full(4, 0.1), np.zeros(4)):
        tree = histogram_tree(X, z, depth=2)
        assert tree.n_leaves == 1
        assert tree.value[0] == pytest.approx(z.mean())
    assert histogram_tree(np.ones((4, 2)), np.arange(4.0), depth=2).n_leaves == 1
