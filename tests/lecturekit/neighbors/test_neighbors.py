"""Nearest neighbours: sorting all distances is the oracle, ties included; the trees must also save work."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from lecturekit._typing import Array, Indices
from lecturekit.neighbors import METRICS, NeighborTree, ball_tree, brute, kd_tree

SCIPY = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}
TREES = {"kd": kd_tree, "ball": ball_tree}
sizes = st.tuples(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 4))
each_metric = pytest.mark.parametrize("metric", METRICS)
each_tree = pytest.mark.parametrize("build", TREES.values(), ids=TREES)


def sorted_distances(X: Array, Q: Array, k: int, metric: str) -> tuple[Array, Indices]:
    """Sort all distances, stably: equal ones stay in the order of the points."""
    D = cdist(Q, X, SCIPY[metric])
    indices = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, indices, axis=1), indices


def grid_points(seed: int, n: int, d: int) -> Array:
    """Draw points of a small grid: many coincide and many distances are equal, without any rounding."""
    return np.random.default_rng(seed).integers(0, 6, (n, d)).astype(np.float64)


@pytest.mark.jit
@given(sizes, st.integers(1, 70), st.sampled_from(METRICS), st.floats(0, 1))
def test_all_agree_with_sorting_even_in_ties(size: Any, leaf_size: int, metric: str, share: float) -> None:
    seed, n, d = size
    X, Q, k = grid_points(seed, n, d), grid_points(seed + 1, 5, d) - 0.5, 1 + int(share * (n - 1))
    distances, indices = sorted_distances(X, Q, k, metric)
    found = [build(X, leaf_size=leaf_size, metric=metric).query(Q, k) for build in TREES.values()]
    for answer in (*found, brute(X, Q, k, metric)):
        assert np.array_equal(answer.indices, indices)
        assert np.array_equal(answer.distances, distances)


@pytest.mark.jit
@each_metric
@pytest.mark.parametrize("d", [1, 3, 9])
def test_trees_agree_with_scikit_learn_and_bit_by_bit_with_each_other(metric: str, d: int) -> None:
    rng = np.random.default_rng(d)
    X, Q = rng.normal(size=(300, d)), rng.normal(size=(20, d))
    distances, indices = NearestNeighbors(n_neighbors=7, metric=metric).fit(X).kneighbors(Q)
    slow = brute(X, Q, 7, metric)
    assert np.array_equal(slow.indices, indices)
    assert np.allclose(slow.distances, distances, rtol=1e-12)
    for build in TREES.values():
        fast = build(X, leaf_size=5, metric=metric).query(Q, 7)
        assert np.array_equal(fast.indices, slow.indices)
        assert np.array_equal(fast.distances, slow.distances)


@pytest.mark.compiled
@each_tree
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("scale", [0.1, 1e-161, 1e149])  # at the second, squares are rounded to nothing
def test_rounding_hides_no_tie(build: Any, metric: str, scale: float) -> None:
    for seed in range(8):
        X, Q = scale * grid_points(seed, 60, 2), scale * grid_points(seed + 1, 20, 2)
        found, slow = build(X, leaf_size=1, metric=metric).query(Q, 4), brute(X, Q, 4, metric)
        assert np.array_equal(found.indices, slow.indices)
        assert np.array_equal(found.distances, slow.distances)


def test_single_precision_lists_and_columns_are_welcome() -> None:
    X = np.random.default_rng(3).normal(size=(30, 2)).astype(np.float32)
    wanted = brute(X.astype(np.float64), X[:3].astype(np.float64), 2)
    for points in (X, np.asfortranarray(X), X.tolist()):
        assert np.array_equal(kd_tree(points, leaf_size=3).query(X[:3], 2).distances, wanted.distances)
    for build in TREES.values():  # points that coincide are listed by position
        same = build(np.full((40, 3), 0.1), leaf_size=2).query(np.zeros((1, 3)), 40)
        assert np.array_equal(same.indices[0], np.arange(40))


def bounds_hold(tree: NeighborTree, v: int) -> bool:
    """Whether the points of a node are within its radius of its box."""
    points = tree.points[slice(*tree.slices[v])]
    gap = np.maximum(0, np.maximum(tree.low[v] - points, points - tree.high[v]))
    distances = cdist(gap, np.zeros((1, gap.shape[1])), SCIPY[tree.metric])
    return bool(np.all(distances <= tree.radius[v]))


@each_metric
@each_tree
def test_nodes_hold_their_points_and_children_share_them(build: Any, metric: str) -> None:
    X = np.random.default_rng(4).normal(size=(101, 3))
    tree = build(X, leaf_size=6, metric=metric)
    assert np.array_equal(tree.points, X[tree.index])
    assert sorted(tree.index) == list(range(101))
    assert all(bounds_hold(tree, v) for v in range(len(tree.slices)))
    assert tree.slices[0].tolist() == [0, 101]
    for v, (left, right) in enumerate(tree.children):
        if left < 0:
            assert v in tree.leaves
            assert np.diff(tree.slices[v]) <= 6
        else:
            (start, stop), (a, b), (c, d) = tree.slices[[v, left, right]]
            assert (start, b, d) == (a, c, stop)
            assert (b - a, d - c) == ((stop - start) // 2, (stop - start + 1) // 2)


def test_boxes_are_tight_and_cut_across_the_longest_side_and_balls_are_around_the_mean() -> None:
    X = np.random.default_rng(5).normal(size=(64, 2)) * [1.0, 10.0]
    tree = kd_tree(X, leaf_size=32)
    assert tree.children.tolist() == [[1, 2], [-1, -1], [-1, -1]]
    assert np.array_equal([tree.low[0], tree.high[0]], [X.min(axis=0), X.max(axis=0)])
    assert not tree.radius.any()
    assert tree.high[1, 1] < tree.low[2, 1]
    tree = ball_tree(X, leaf_size=10)
    assert np.allclose(tree.low[0], X.mean(axis=0))
    assert np.array_equal(tree.low, tree.high)
    assert tree.radius[0] == pytest.approx(np.linalg.norm(X - X.mean(axis=0), axis=1).max())


def work(build: Any, n: int, d: int) -> float:
    """Return the mean number of distances of a query."""
    rng = np.random.default_rng(7)
    return float(build(rng.random((n, d))).query(rng.random((20, d)), 1).n_distances.mean())


@each_tree
def test_ten_times_the_points_cost_few_distances_more(build: Any) -> None:
    small, large = work(build, 500, 2), work(build, 5000, 2)
    assert large < 1.5 * small
    assert large < 5000 / 15


@pytest.mark.compiled
@each_tree
def test_in_many_dimensions_nothing_can_be_skipped(build: Any) -> None:
    assert work(build, 1000, 2) < 150 < 1000 < work(build, 1000, 30)


@each_tree
def test_far_leaf_is_skipped_and_near_one_is_not(build: Any) -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    assert brute(X, [[0.4]]).n_distances.tolist() == [4]  # every distance once
    tree = build(X, leaf_size=2)
    assert tree.query([[0.4], [10.6]]).n_distances.tolist() == [4, 4]  # two nodes and one leaf of two
    assert tree.query([[5.5]]).n_distances.tolist() == [6]  # a tie: the other leaf may have the lower index
