"""The kernels with names against their formulas, scikit-learn and the theorems about them."""

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise as sk

from lecturekit import data, kernels
from lecturekit._typing import Array
from lecturekit.kernels import (
    RBF,
    Chi2,
    EditDistance,
    ExpChi2,
    HistogramIntersection,
    Kernel,
    Linear,
    Polynomial,
)

ROUNDING = 1e-12  # relative to the largest entry: a few dozen operations, each right to 1e-16
SHIFTED_ROUNDING = 1e-8  # points near 1e6 hold their differences to 1e-10 only
PSD_ROUNDING = 1e-12  # relative to the trace, which bounds every entry


def assert_close(actual: Array, wanted: Array, rounding: float = ROUNDING) -> None:
    assert actual.shape == wanted.shape
    assert np.max(np.abs(actual - wanted)) <= rounding * max(1.0, float(np.max(np.abs(wanted))))


def assert_psd(K: Array) -> None:
    assert kernels.is_psd(K, tol=PSD_ROUNDING * (1e-300 + float(np.trace(K))))


def double_loop(formula: Callable[[Array, Array], float], X: Array, Z: Array) -> Array:
    return np.array([[formula(x, z) for z in Z] for x in X])


# -- the formulas --------------------------------------------------------------------------------------------
def over_bins(term: Callable[[float, float], float], x: Array, z: Array) -> float:
    """Add up the bins that are not empty in both."""
    return sum(term(a, b) for a, b in zip(x, z, strict=True) if a + b > 0)


FORMULAS: list[tuple[Kernel, Callable[[Array, Array], float]]] = [
    (Linear(), lambda x, z: sum(x * z)),
    (Polynomial(degree=3, offset=0.5), lambda x, z: (0.5 + sum(x * z)) ** 3),
    (RBF(gamma=0.7), lambda x, z: float(np.exp(-0.7 * sum((x - z) ** 2)))),
    (HistogramIntersection(), lambda x, z: over_bins(min, x, z)),
    (Chi2(), lambda x, z: over_bins(lambda a, b: a * b / (a + b), x, z)),
    (ExpChi2(0.3), lambda x, z: np.exp(-0.3 * over_bins(lambda a, b: (a - b) ** 2 / (a + b), x, z))),
]


@pytest.mark.parametrize(("kernel", "formula"), FORMULAS, ids=lambda item: type(item).__name__)
def test_kernel_has_the_value_of_its_formula(kernel: Kernel, formula: Callable[..., float]) -> None:
    X, Z = 5 * data.histograms(9, 4, rng=0), 5 * data.histograms(5, 4, rng=1)
    X[0] = Z[0] = 0  # empty histograms
    assert_close(kernel(X, Z), double_loop(formula, X, Z))
    assert_close(kernel(X), double_loop(formula, X, X))
    assert_close(kernel.diagonal(X), np.array([formula(x, x) for x in X]))
    if isinstance(kernel, Linear | Polynomial | RBF):  # signed points as well
        assert_close(kernel(X - 1, 2 - Z), double_loop(formula, X - 1, 2 - Z))


def totals(X: Array, Z: Array) -> Array:
    return np.asarray(np.add.outer(X.sum(axis=1), Z.sum(axis=1)))


@pytest.mark.claim("KER-12")
@pytest.mark.parametrize(
    ("kernel", "library"),
    [
        (Linear(), sk.linear_kernel),
        (Polynomial(4, 2.0), lambda X, Z: sk.polynomial_kernel(X, Z, degree=4, gamma=1, coef0=2.0)),
        (RBF(gamma=0.4), lambda X, Z: sk.rbf_kernel(X, Z, gamma=0.4)),
        (ExpChi2(gamma=0.4), lambda X, Z: sk.chi2_kernel(X, Z, gamma=0.4)),
        # x z / (x + z) = (x + z)/4 - (x - z)^2 / (4 (x + z)), and min(x, z) = (x + z - |x - z|) / 2
        (Chi2(), lambda X, Z: (totals(X, Z) + sk.additive_chi2_kernel(X, Z)) / 4),
        (HistogramIntersection(), lambda X, Z: (totals(X, Z) - sk.manhattan_distances(X, Z)) / 2),
    ],
    ids=lambda item: type(item).__name__,
)
def test_kernel_agrees_with_scikit_learn(kernel: Kernel, library: Callable[[Array, Array], Any]) -> None:
    X, Z = data.histograms(12, 5, rng=3), data.histograms(7, 5, rng=4)
    assert_close(kernel(X, Z), library(X, Z))


# -- the polynomial kernel and its features ------------------------------------------------------------------
@pytest.mark.claim("KER-07")
@pytest.mark.parametrize("offset", [0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_polynomial_kernel_is_the_product_of_explicit_features(d: int, degree: int, offset: float) -> None:
    k = Polynomial(degree=degree, offset=offset)
    X, Z = np.random.default_rng([d, degree]).standard_normal((2, 6, d))
    Phi = k.features(X)
    # monomials of degree p in d variables, and one variable more for those of degree at most p
    assert Phi.shape == (6, comb(d - 1 + degree + (offset > 0), degree))
    assert_close(Phi @ k.features(Z).T, double_loop(lambda x, z: float((offset + x @ z) ** degree), X, Z))


def test_features_of_the_quadratic_kernel_by_hand() -> None:
    r = np.sqrt(2)
    wanted = [2.0 * 2, r * 2 * 3, r * 2, 3.0 * 3, r * 3, 1.0]  # x1^2, x1 x2, x1, x2^2, x2, 1
    assert np.allclose(Polynomial(degree=2).features([[2.0, 3.0]]), [wanted], rtol=ROUNDING)


@pytest.mark.claim("KER-07")
def test_expansion_in_the_polynomial_kernel_is_a_polynomial_and_broken_powers_are_no_kernels() -> None:
    degree = 3
    centers = np.random.default_rng(8).standard_normal((5, 1))
    grid = np.arange(12.0)[:, None] / 4
    f = Polynomial(degree=degree)(grid, centers) @ np.array([1.0, -2.0, 0.5, 1.0, -1.0])
    scale = ROUNDING * np.max(np.abs(f)) * 2 ** (degree + 1)
    assert np.max(np.abs(np.diff(f, degree + 1))) <= scale
    assert np.max(np.abs(np.diff(f, degree))) > 1e3 * scale
    X = np.array([[0.0], [0.5], [1.0], [1.5], [2.0]])
    assert kernels.min_eigenvalue((1 + X @ X.T) ** 0.5) < -1e-3
    assert kernels.min_eigenvalue((X @ X.T - 1) ** 3) < -1e-3


# -- the Gaussian kernel -------------------------------------------------------------------------------------
@pytest.mark.claim("KER-08")
@pytest.mark.parametrize("gamma", [0.5, 1.0, 30.0])
def test_gaussian_gram_matrix_of_distinct_points_has_full_rank(gamma: float) -> None:
    X = np.array([[i, j] for i in range(5) for j in range(4)], dtype=float)
    assert np.linalg.matrix_rank(RBF(gamma=gamma)(X)) == 20


@pytest.mark.claim("KER-08")
def test_narrow_gaussian_votes_like_the_nearest_neighbour() -> None:
    rng = np.random.default_rng(10)
    X, y, Z = rng.standard_normal((30, 2)), rng.choice([-1.0, 1.0], 30), rng.uniform(-1.5, 1.5, (200, 2))
    near = y[np.argmin(sk.euclidean_distances(Z, X), axis=1)]
    votes = RBF(gamma=1000.0)(Z, X) @ y
    heard = np.abs(votes) > 1e-250  # beyond that distance the kernel is zero in double precision
    assert np.mean(heard) > 0.9
    assert np.mean(np.sign(votes[heard]) == near[heard]) > 0.99


@pytest.mark.parametrize(
    ("spread", "offset", "apart", "places"),
    [(1.0, offset, 0.0, SHIFTED_ROUNDING) for offset in (0.0, 1e3, 1e6)]
    + [(1e-3, 0.0, apart, ROUNDING) for apart in (1e2, 1e4, 1e6)],
)
def test_gaussian_is_exact_however_far_out(spread: float, offset: float, apart: float, places: float) -> None:
    X = offset + spread * np.random.default_rng(11).standard_normal((40, 2))
    X[:20] += apart
    X[1] = X[0]  # a point given twice
    exact = double_loop(lambda x, z: float(np.exp(-np.sum((x - z) ** 2))), X, X)
    assert_close(RBF()(X), exact, places)
    assert_close(RBF()(X[:7], X), exact[:7], places)
    assert np.all(RBF()(X, X) <= 1)  # rounding may not make a squared distance negative
    assert kernels.is_psd(RBF()(X))


# -- every kernel is positive definite -----------------------------------------------------------------------
def rows(low: float, high: float, d: int = 3) -> st.SearchStrategy[Any]:
    """Draw up to ten points; hypothesis likes zeros and repeats."""
    elements = st.floats(low, high, allow_subnormal=False) | st.sampled_from([0.0, 1.0])
    return st.integers(1, 10).flatmap(lambda n: hnp.arrays(np.float64, (n, d), elements=elements))


@pytest.mark.claim("KER-01")
@given(
    X=rows(-3, 3),
    offset=st.sampled_from([0.0, 1e3, -1e6]),
    kernel=st.sampled_from([Linear(), Polynomial(), Polynomial(degree=5), RBF(), RBF(gamma=9)]),
)
def test_kernels_on_vectors_are_positive_definite(X: Array, offset: float, kernel: Kernel) -> None:
    assert_psd(kernel(np.repeat(X, 2, axis=0) + (offset if isinstance(kernel, RBF) else 0.0)))


@pytest.mark.claim("KER-10")
@pytest.mark.claim("KER-11")
@pytest.mark.claim("KER-12")
@given(
    X=rows(0, 10),
    kernel=st.sampled_from([HistogramIntersection(), Chi2(), ExpChi2(0.1), ExpChi2(), ExpChi2(20.0)]),
)
def test_kernels_on_histograms_are_positive_definite_with_empty_bins(X: Array, kernel: Kernel) -> None:
    K = kernel(X)
    assert np.all((K >= 0) & ((1 if isinstance(kernel, ExpChi2) else np.inf) >= K))
    assert_psd(K)


@pytest.mark.claim("KER-10")
def test_negative_bins_break_histogram_intersection() -> None:
    K = np.minimum.outer([-1.0, 1.0], [-1.0, 1.0])
    assert kernels.min_eigenvalue(K) < -1
    with pytest.raises(ValueError, match=r"X must hold non-negative histogram bins, got a smallest .* -1"):
        HistogramIntersection()([[-1.0], [1.0]])


# -- the edit distance ---------------------------------------------------------------------------------------
@cache
def recursive_distance(a: str, b: str) -> int:
    """Edit distance by its definition: look at the last letters."""
    if not a or not b:
        return len(a) + len(b)
    return min(
        recursive_distance(a[:-1], b) + 1,
        recursive_distance(a, b[:-1]) + 1,
        recursive_distance(a[:-1], b[:-1]) + (a[-1] != b[-1]),
    )


short = st.text(alphabet="ab→", max_size=7)


@pytest.mark.jit
@given(a=short, b=short)
def test_edit_distance_is_the_recursive_one(a: str, b: str) -> None:
    assert kernels.edit_distance(a, b) == recursive_distance(a, b)
    assert type(kernels.edit_distance(a, b)) is int


@pytest.mark.jit
def test_edit_similarity_has_the_value_of_its_formula() -> None:
    words = ["", "a", "ba", "abc", "cab"]
    wanted = np.array([[np.exp(-0.4 * recursive_distance(a, b)) for b in words] for a in words])
    k = EditDistance(gamma=0.4)
    assert_close(k(words), wanted)
    assert_close(k(words, words[:2]), wanted[:, :2])
    assert_close(k.diagonal(words), np.ones(5))


@pytest.mark.jit
@pytest.mark.claim("KER-15")
def test_edit_similarity_is_no_kernel() -> None:
    words = data.words("ab", 4)
    assert len(words) == 31
    K = EditDistance()(words)
    assert abs(kernels.min_eigenvalue(K) - -0.0429) < 5e-5
    witness = kernels.psd_witness(K, minimal=True)
    assert witness is not None
    chosen = [words[i] for i in witness.points]
    form = sum(
        s * t * np.exp(-recursive_distance(a, b))
        for s, a in zip(witness.t, chosen, strict=True)
        for t, b in zip(witness.t, chosen, strict=True)
    )
    assert form < -1e-6


@pytest.mark.parametrize("apart", [1.0, 1e6])
def test_rows_are_rows_of_the_gram_matrix_near_and_far(apart: float, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(12, 2)) + apart * np.repeat([[-1.0], [1.0]], 6, axis=0)
    X, chosen = X + np.array([0.0, 1024.0]), np.array([7, 0, 3])
    if apart == 1.0:  # once each column is centred, the factors are enough
        monkeypatch.setattr(RBF, "_gram", None)
    rows = RBF(gamma=0.5).row_function(X)(chosen)
    literal = np.exp(-0.5 * ((X[chosen][:, None] - X) ** 2).sum(axis=2))
    np.testing.assert_allclose(rows, literal, rtol=1e-12, atol=1e-15)
