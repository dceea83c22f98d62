"""Separability: brute force over all candidate directions, Cover's count, and small cases by hand."""

from itertools import product
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lecturekit import perceptron
from lecturekit._typing import Array, Mask
from lecturekit.perceptron import cover_count, is_separable, separated_points, signed_points

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
labelled_line = st.lists(st.tuples(st.integers(-4, 4), st.sampled_from([-1, 1])), min_size=1, max_size=9)


def pushed_away(A: Array) -> Mask:
    """Return by brute force, for whole numbers in the plane, which rows some v with Av >= 0 has above zero.

    The cone of such v is spanned by vectors along a row or across one; the sum of those that belong to it is
    positive wherever any vector of the cone is.
    """
    turned = A @ np.array([[0, 1], [-1, 0]])
    candidates = np.vstack([A, -A, turned, -turned])
    admissible = candidates[np.all(candidates @ A.T >= 0, axis=1)]
    return np.asarray(A @ admissible.sum(axis=0) > 0)


@given(labelled_line)
def test_programmes_agree_with_brute_force_on_the_line(points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=float).T
    A = signed_points(x[:, None], y)
    expected = pushed_away(A)
    assert separated_points(A).tolist() == expected.tolist()
    assert is_separable(x[:, None], y) == expected.all()


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=8))
def test_programmes_agree_with_brute_force_through_the_origin(points: list[tuple[int, int]]) -> None:
    X, y = np.array(points, dtype=float), np.where(np.arange(len(points)) % 2, 1.0, -1.0)
    expected = pushed_away(signed_points(X, y, fit_intercept=False))
    assert separated_points(signed_points(X, y, fit_intercept=False)).tolist() == expected.tolist()
    assert is_separable(X, y, fit_intercept=False) == expected.all()


LINE, PAIR = [[0.0], [0.0], [1.0], [-2.0]], [[0.0, 0.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    ("X", "y", "intercept", "apart"),
    [
        (CORNERS, [-1, 1, 1, -1], True, [False] * 4),  # exclusive or, and the same with its product
        (np.column_stack([CORNERS, CORNERS.prod(axis=1)]), [-1, 1, 1, -1], True, [True] * 4),
        (LINE, [-1, 1, 1, -1], True, [False, False, True, True]),  # some can be told from the rest
        (PAIR, [1, 1], False, [False, True]),  # a point at the origin is on every line through it
        (PAIR, [1, 1], True, [True, True]),
        ([[-1.0], [1.0], [1e12]], [-1, 1, 1], False, [True] * 3),  # one far out does not hide the others
        ([[-1.0], [1.0], [1e12]], [1, 1, 1], False, [False] * 3),
    ],
)
def test_small_cases_by_hand_also_in_sparse_rows(X: Any, y: Any, intercept: bool, apart: list[bool]) -> None:
    A = signed_points(X, y, fit_intercept=intercept)
    assert separated_points(A).tolist() == separated_points(sparse.csr_array(A)).tolist() == apart
    assert is_separable(X, y, fit_intercept=intercept) == all(apart)


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_units_do_not_matter_and_small_gaps_count(gap: float, scale: float) -> None:
    x = scale * np.array([[-1.0], [0.0], [gap], [1.0]])
    assert is_separable(x, [-1, -1, 1, 1])
    assert separated_points(signed_points(x, [-1, -1, 1, 1])).all()
    assert not is_separable(x, [-1, 1, -1, 1])


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_dependent_columns_and_large_means_do_no_harm(shift: float) -> None:
    X = shift + np.random.default_rng(0).normal(size=(12, 2))
    y = np.where(3 * shift < X @ [1.0, 2.0], 1.0, -1.0)
    more = np.column_stack([X, 1e9 * X[:, 0] - X[:, 1]])
    for points in (X, more):
        assert is_separable(points, y)
        assert not is_separable(points, np.roll(y, 1))
        assert separated_points(signed_points(points, y)).all()


def test_basis_is_orthonormal_and_spans_the_columns() -> None:
    A = np.random.default_rng(1).normal(size=(9, 3)) * [1e-9, 1.0, 1e9] + [0, 1, 0]
    A = np.column_stack([A, A[:, 1] - A[:, 2] / 1e9])
    Q = perceptron.column_basis(A)
    assert Q.shape == (9, 3)
    assert np.allclose(Q.T @ Q, np.eye(3))
    assert np.allclose(Q @ (Q.T @ A), A, rtol=1e-9)
    assert np.array_equal(perceptron.column_basis(np.zeros((3, 2))), np.zeros((3, 1)))


@pytest.mark.claim("LIN-35")
@pytest.mark.parametrize(("n", "d"), [(1, 1), (4, 1), (6, 1), (3, 2), (5, 2), (6, 2), (6, 3)])
@pytest.mark.parametrize("intercept", [True, False])
def test_cover_counts_the_separable_labellings(n: int, d: int, intercept: bool) -> None:
    X = np.random.default_rng([n, d]).normal(size=(n, d))  # in general position with probability one
    count = sum(is_separable(X, y, fit_intercept=intercept) for y in product([-1.0, 1.0], repeat=n))
    assert count == cover_count(n, d, fit_intercept=intercept)
    assert perceptron.separable_probability(n, d, fit_intercept=intercept) == count / 2**n


@given(st.integers(1, 60), st.integers(1, 20))
def test_count_is_its_formula(n: int, d: int) -> None:
    assert cover_count(n, d) == 2 * sum(comb(n - 1, k) for k in range(d + 1))
    assert perceptron.separable_probability(n, d) == cover_count(n, d) / 2**n
    assert perceptron.separable_probability(2 * (d + 1), d) == 0.5
    long: int = np.int64(70)  # type: ignore[assignment]
    assert perceptron.separable_probability(long, d) == perceptron.separable_probability(70, d)


def test_failure_of_the_solver_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "linprog", lambda *_, **__: SimpleNamespace(status=4))
    with pytest.raises(KeyError, match="4"):
        is_separable([[0.0], [1.0]], [-1, 1])
