"""What every kernel must do, and the calculus of kernels: sums, products, exponentials, features."""

import dataclasses
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from math import factorial
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import data, kernels
from lecturekit._typing import Array
from lecturekit.kernels import RBF, Chi2, Constant, FeatureMap, Kernel, Linear, Polynomial, Product, Sum

ROUNDING = 1e-12  # relative to the largest entry: a few dozen operations, each right to 1e-16
SINGLE_ROUNDING = 1e-5  # the same in single precision, each right to 6e-8
PSD_ROUNDING = 1e-11  # relative to the trace; the trees below nest up to a hundred operations
MEMORY_SHARE = 1.6  # of the matrix: itself and a few blocks of 512 rows, never a second copy


def cosine_weight(X: Array) -> Array:
    return np.asarray(np.cos(X[:, 0]))


def cubes(X: Array) -> Array:
    return np.column_stack([X[:, 0] ** 3, X[:, 0] - X[:, -1]])


VECTORS: list[Kernel] = [Constant(1.5), Linear(), Polynomial(degree=3, offset=0.5), RBF(gamma=0.7)]
BINS: list[Kernel] = [kernels.HistogramIntersection(), Chi2(), kernels.ExpChi2(gamma=0.3)]
BUILT: list[Kernel] = [
    FeatureMap(cubes),
    Linear() + RBF(),
    Chi2() * Polynomial(),
    kernels.HistogramIntersection().exp(),
    RBF().rescaled(cosine_weight),
]
each_kernel = pytest.mark.parametrize("kernel", VECTORS + BINS + BUILT, ids=lambda k: type(k).__name__)


def bins(n: int, d: int = 3, seed: int = 0) -> Array:
    """Draw non-negative points, which every kernel on vectors accepts."""
    return data.histograms(n, d, rng=seed)


def assert_close(actual: Array, wanted: Array, rounding: float = ROUNDING) -> None:
    assert actual.shape == wanted.shape
    assert np.max(np.abs(actual - wanted)) <= rounding * max(1.0, float(np.max(np.abs(wanted))))


# -- one matrix, many ways to get it -------------------------------------------------------------------------
@each_kernel
@pytest.mark.parametrize("n", [1, 7, 512, 513])
def test_gram_matrix_is_exactly_symmetric_and_agrees_with_pairs(kernel: Kernel, n: int) -> None:
    X, Z = bins(n), bins(4, seed=1)
    K, before = kernel(X), X.copy()
    assert K.shape == (n, n)
    assert np.array_equal(K, K.T)
    assert_close(K, kernel(X.tolist(), X))
    assert_close(kernel(X, Z), kernel(Z, X).T)
    assert np.array_equal(np.diag(K), kernel.diagonal(X))
    assert_close(kernel.diagonal(X[:6]), np.array([kernel([x], [x])[0, 0] for x in X[:6]]))
    assert np.array_equal(X, before)


@each_kernel
@pytest.mark.parametrize("rows", [1, 3, 10, 11, 50])
def test_blocks_join_to_the_matrix(kernel: Kernel, rows: int) -> None:
    X, Z = bins(10), bins(4, seed=1)
    parts, pieces = zip(*kernel.blocks(X, Z, rows=rows), strict=True)
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(10))
    assert max(map(len, pieces)) == min(rows, 10)
    assert_close(np.vstack(pieces), kernel(X, Z))
    assert_close(np.vstack([part for _, part in kernel.blocks(X, rows=rows)]), kernel(X))


@each_kernel
def test_single_precision_in_single_precision_out(kernel: Kernel) -> None:
    X = bins(6).astype(np.float32)
    K, pairs = kernel(X), kernel(X, X[:2])
    assert K.dtype == pairs.dtype == np.float32
    assert kernel.diagonal(X).dtype == np.float32
    assert all(rows.dtype == np.float32 for _, rows in kernel.blocks(X, rows=4))
    assert kernel(X.astype(np.float64)).dtype == np.float64
    assert_close(K, kernel(X.astype(np.float64)), SINGLE_ROUNDING)
    assert_close(pairs, K[:, :2], SINGLE_ROUNDING)


def test_strings_are_cut_into_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    words = data.words("ab", 2)
    for kernel in (kernels.EditDistance(gamma=0.5), Constant(2.0) * kernels.EditDistance()):
        whole = kernel(words)
        monkeypatch.setattr(kernels, "BLOCK_ROWS", 3)
        assert np.array_equal(kernel(words), whole)
        assert np.array_equal(np.vstack([rows for _, rows in kernel.blocks(words, rows=3)]), whole)
        assert np.array_equal(kernel(np.array(words[:2]), words), whole[:2])


@pytest.mark.parametrize(
    ("walk", "most"),
    [
        (lambda X: RBF()(X), MEMORY_SHARE),
        (lambda X: (RBF() + Linear())(X), MEMORY_SHARE),
        (lambda X: sum(float(part.sum()) for _, part in RBF().blocks(X, rows=100)), 5 * 100 / 3000),
    ],
    ids=["matrix", "sum", "blocks"],
)
def test_matrix_is_never_held_twice_and_by_blocks_not_at_all(walk: Callable[..., Any], most: float) -> None:
    X = np.random.default_rng(0).standard_normal((3000, 2))
    tracemalloc.start()
    try:
        walk(X)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * 8 * 3000**2


# -- a kernel of one's own -----------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class Laplace(Kernel):
    """exp(-|x - x'|_1), with nothing but the formula."""

    def _gram(self, X: Array, Z: Array) -> Array:
        return np.asarray(np.exp(-np.abs(X[:, None, :] - Z).sum(axis=2)))


def test_a_formula_is_enough_for_a_kernel() -> None:
    X = bins(5)
    wanted = np.array([[np.exp(-np.abs(x - z).sum()) for z in X] for x in X])
    assert_close(Laplace()(X), wanted)
    assert np.array_equal(Laplace().diagonal(X), np.ones(5))
    assert_close((Laplace() * 2 + 1)(X), 2 * wanted + 1)
    with pytest.raises(kernels.NoFiniteFeatures, match=r"Laplace\(\) has no finite feature map"):
        Laplace().features(X)


# -- values of the combinations ------------------------------------------------------------------------------
def test_operators_build_what_they_say_and_print_it() -> None:
    a, b = RBF(gamma=0.5), Polynomial()
    assert a + b == Sum(a, b)
    assert a * b == Product(a, b)
    assert a + 2 == Sum(a, Constant(2)) == 2 + a
    assert a * 2 == Product(a, Constant(2.0)) == 2 * a == np.float64(2) * a
    assert a**1 == a
    assert a**3 == Product(Product(a, a), a)
    assert a.exp() == kernels.Exp(a)
    assert a.rescaled(cosine_weight) == kernels.Rescaled(a, cosine_weight)
    assert repr(2 * a.exp()) == "Product(left=Exp(kernel=RBF(gamma=0.5)), right=Constant(value=2))"


@pytest.mark.parametrize(
    ("kernel", "formula"),
    [
        (Linear() + RBF(), lambda a, b, f: a + b),
        (Linear() * RBF(), lambda a, b, f: a * b),
        (3 * RBF(), lambda a, b, f: 3 * b),
        (Linear() + 0.25, lambda a, b, f: a + 0.25),
        (0 * Linear(), lambda a, b, f: 0 * a),
        (Linear() ** 4, lambda a, b, f: a**4),
        (Linear().exp(), lambda a, b, f: np.exp(a)),
        (RBF().rescaled(cosine_weight), lambda a, b, f: f[:, None] * b * f[None, :]),
    ],
    ids=["sum", "product", "multiple", "constant", "zero", "power", "exp", "rescaled"],
)
def test_combination_has_the_value_of_its_formula(kernel: Kernel, formula: Callable[..., Array]) -> None:
    X = np.random.default_rng(3).standard_normal((6, 2))
    wanted = formula(Linear()(X), RBF()(X), np.cos(X[:, 0]))
    assert_close(kernel(X), wanted)
    assert_close(kernel(X[:2], X), wanted[:2])
    assert_close(kernel.diagonal(X), np.diag(wanted).copy())


def test_parts_of_a_combination_both_judge_the_points() -> None:
    for kernel in (Linear() + Chi2(), Chi2() * Linear(), Chi2().exp(), Chi2().rescaled(cosine_weight)):
        with pytest.raises(ValueError, match=r"X must hold non-negative .*, got .* -1"):
            kernel([[-1.0]])


# -- closure: what is built from kernels is a kernel ---------------------------------------------------------

vectors = st.integers(1, 9).flatmap(
    lambda n: hnp.arrays(np.float64, (n, 2), elements=st.floats(0, 1.5, allow_subnormal=False))
)
simple = st.sampled_from(
    VECTORS[1:] + BINS + BUILT[:1] + [Polynomial(), Polynomial(degree=3, offset=0.0), RBF(gamma=3.0)]
)


def combined(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw a kernel made of smaller ones by any of the rules."""
    number = st.floats(0, 2)
    return st.one_of(
        st.builds(Sum, part, part),
        st.builds(Product, part, part),
        st.builds(lambda k, a: a * k, part, number),
        st.builds(lambda k, a: k + a, part, number),
        st.builds(lambda k: k**2, part),
        st.builds(lambda k: RBF() * k.rescaled(cosine_weight), part),
    )


def assert_psd(K: Array) -> None:
    assert kernels.is_psd(K, tol=PSD_ROUNDING * (1e-300 + float(np.trace(np.abs(K)))))


@pytest.mark.claim("KER-18")
@given(kernel=st.recursive(simple, combined, max_leaves=4), X=vectors)
def test_closure_keeps_positive_definiteness(kernel: Kernel, X: Array) -> None:
    K = kernel(X)
    assert_psd(K)
    assert np.array_equal(K, K.T)
    assert np.array_equal(np.diag(K), kernel.diagonal(X))


@pytest.mark.claim("KER-18")
@given(kernel=simple, X=vectors)
def test_exponential_keeps_positive_definiteness(kernel: Kernel, X: Array) -> None:
    largest = max(1.0, float(kernel.diagonal(X).max()))
    assert_psd(((1 / largest) * kernel).exp()(X))


# -- features ------------------------------------------------------------------------------------------------

phi2 = Polynomial().features
ROOT_A = np.array([[1.0, 0.0], [0.7, 0.3]])  # L with A = L L^T


@pytest.mark.claim("KER-19")
@pytest.mark.parametrize(
    ("kernel", "phi"),
    [
        (Linear() + Polynomial(), lambda X: np.hstack([X, phi2(X)])),
        (3 * Polynomial(), lambda X: np.sqrt(3) * phi2(X)),
        (Linear() * Polynomial(), lambda X: np.stack([x * p for x in X.T for p in phi2(X).T], axis=1)),
        (Linear() + 4, lambda X: np.column_stack([X, 2 * np.ones(len(X))])),
        (Linear().rescaled(cosine_weight), lambda X: np.cos(X[:, :1]) * X),
        (FeatureMap(lambda X: X @ ROOT_A), lambda X: X @ ROOT_A),
        (Constant(4.0), lambda X: 2 * np.ones((len(X), 1))),
    ],
    ids=["sum", "multiple", "product", "constant", "rescaled", "matrix", "constant alone"],
)
def test_table_of_features(kernel: Kernel, phi: Callable[[Array], Array]) -> None:
    X, Z = np.random.default_rng(4).standard_normal((2, 5, 2))
    assert_close(kernel.features(X), phi(X))
    assert_close(kernel.features(X) @ kernel.features(Z).T, kernel(X, Z))


@pytest.mark.claim("KER-02")
@given(
    W=hnp.arrays(np.float64, (2, 3), elements=st.floats(-3, 3)),
    t=hnp.arrays(np.float64, 6, elements=st.floats(-2, 2)),
    X=hnp.arrays(np.float64, (6, 2), elements=st.floats(-3, 3)),
)
def test_any_feature_map_gives_a_kernel(W: Array, t: Array, X: Array) -> None:
    def phi(X: Array) -> Array:
        return np.asarray(np.sin(X @ W))

    K = FeatureMap(phi)(X)
    assert_psd(K)
    assert abs(t @ K @ t - np.sum((t @ phi(X)) ** 2)) <= ROUNDING * max(1.0, float(np.sum(np.abs(t)) ** 2))


@pytest.mark.claim("KER-04")
@pytest.mark.parametrize("signs", [[np.sqrt(2)], [1.0, -1.0], [1.0, 0.0, 1.0]])
def test_different_feature_maps_of_one_kernel(signs: list[float]) -> None:
    X = np.linspace(-2, 2, 7)[:, None]
    k = FeatureMap(lambda X: X * signs)
    assert k.features(X).shape == (7, len(signs))
    assert_close(k(X), 2 * X @ X.T)
    assert_close(k.diagonal(X), 2 * X[:, 0] ** 2)


@pytest.mark.claim("KER-17")
def test_product_of_one_function_with_itself_has_rank_one() -> None:
    X = np.random.default_rng(5).standard_normal((8, 2))
    K = Constant(1.0).rescaled(cosine_weight)(X)
    assert_close(K, np.outer(np.cos(X[:, 0]), np.cos(X[:, 0])))
    assert_psd(K)
    assert np.linalg.matrix_rank(K) == 1


@pytest.mark.claim("KER-21")
def test_three_features_give_the_square_of_the_inner_product() -> None:
    k = FeatureMap(lambda X: np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]]))
    X, Z = np.random.default_rng(6).standard_normal((2, 7, 2))
    assert_close(k(X, Z), (X @ Z.T) ** 2)


INFINITE: list[Kernel] = [RBF(), *BINS, Linear().exp(), RBF().rescaled(cosine_weight), Linear() + RBF()]


@pytest.mark.parametrize("kernel", [*INFINITE, RBF() * Linear()], ids=lambda kernel: type(kernel).__name__)
def test_kernels_without_finite_features_say_so(kernel: Kernel) -> None:
    with pytest.raises(
        kernels.NoFiniteFeatures, match=r"has no finite feature map .* use gram_factor\(k\(X\)\)"
    ):
        kernel.features(bins(3))


# -- the exponential -----------------------------------------------------------------------------------------
@pytest.mark.claim("KER-20")
def test_gaussian_is_a_limit_of_rescaled_polynomials() -> None:
    X = np.random.default_rng(7).uniform(-1, 1, (8, 2))
    gamma = 0.5  # exp(-gamma|x - x'|^2) = f(x) f(x') exp(2 gamma <x, x'>)
    f: Callable[[Array], Array] = lambda X: np.exp(-gamma * np.sum(X**2, axis=1))  # noqa: E731
    series: Kernel = Constant(1.0)
    errors = []
    for m in range(1, 21):
        series = series + (1 / factorial(m)) * (2 * gamma * Linear()) ** m
        K = series.rescaled(f)(X)
        assert_psd(K)
        errors.append(float(np.max(np.abs(K - RBF(gamma=gamma)(X)))))
    assert errors[-1] < ROUNDING
    assert all(late < early or late < ROUNDING for early, late in pairwise(errors))
    assert_close((2 * gamma * Linear()).exp().rescaled(f)(X), RBF(gamma=gamma)(X))


@pytest.mark.parametrize("points", [[[27.0]], [[0.0], [27.0]], np.array([[10.0]], dtype=np.float32)])
def test_exponential_that_overflows_is_refused(points: Any) -> None:
    k = Linear().exp()
    for call in (k, k.diagonal, lambda X: k(X, X)):
        with pytest.raises(ValueError, match=r"exp\(k\) needs k <= (700 .* got 729|79 .* got 100); scale"):
            call(points)
    assert np.all(np.isfinite(k([[np.sqrt(699.9)]])))


# -- kernels as values ---------------------------------------------------------------------------------------
@each_kernel
def test_kernels_compare_by_value(kernel: Kernel) -> None:
    twin = dataclasses.replace(kernel)  # type: ignore[type-var]
    assert twin == kernel
    assert hash(twin) == hash(kernel)
    assert kernel not in (RBF(gamma=0.123), kernels.ExpChi2(gamma=0.7))
