"""Positive semi-definiteness against matrices whose spectrum is known by construction."""

from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lecturekit import data, kernels
from lecturekit._typing import Array, Indices
from lecturekit.kernels import RBF, Linear, gram_factor, is_psd, min_eigenvalue, psd_witness

EPS = float(np.finfo(np.float64).eps)
ROUNDING = 1e-13  # relative to the largest entry: eigenvalues of a dozen rows are right to n * eps
PRINTED = 5e-5  # half a unit of the last digit of an eigenvalue given to four places


def spectrum_matrix(eigenvalues: list[float], seed: int = 0) -> Array:
    """Return Q diag(eigenvalues) Q^T with a random rotation Q."""
    n = len(eigenvalues)
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    K = Q @ np.diag(eigenvalues) @ Q.T
    return np.asarray((K + K.T) / 2)


def default_tolerance(K: Array) -> float:
    """Return the tolerance that is_psd promises: ten n eps max|K|."""
    return 10 * len(K) * EPS * float(np.max(np.abs(K)))


@given(
    eigenvalues=st.lists(st.floats(-5, 5, allow_subnormal=False), min_size=1, max_size=8),
    seed=st.integers(0, 99),
)
def test_smallest_eigenvalue_of_a_prescribed_spectrum(eigenvalues: list[float], seed: int) -> None:
    K = spectrum_matrix(eigenvalues, seed)
    assert abs(min_eigenvalue(K) - min(eigenvalues)) <= 100 * ROUNDING
    assert type(min_eigenvalue(K)) is float


@pytest.mark.claim("KER-01")
@pytest.mark.parametrize(("kind", "scale"), [(np.float64, 1e-8), (np.float64, 1e8), (np.float32, 1.0)])
@pytest.mark.parametrize("n", [2, 5, 40])
def test_verdict_on_both_sides_of_the_default_tolerance(n: int, kind: Any, scale: float) -> None:
    above = (scale * np.diag([0.0, *np.linspace(1, 2, n - 1)])).astype(kind)
    tol = 10 * n * float(np.finfo(kind).eps) * float(above.max())
    within, below = ((above - share * tol * np.eye(n)).astype(kind) for share in (1 / 3, 3))
    assert is_psd(within)
    assert psd_witness(within) is None
    assert gram_factor(within).shape == (n, n - 1)
    assert not is_psd(below)
    assert psd_witness(below) is not None
    with pytest.raises(ValueError, match=r"K must be positive semi-definite, got a smallest eigenvalue of -"):
        gram_factor(below)


def test_verdict_on_both_sides_of_a_given_tolerance() -> None:
    K = spectrum_matrix([-0.01, 1.0, 2.0])
    assert is_psd(K, tol=0.0101)
    assert not is_psd(K, tol=0.0099)
    assert psd_witness(K, tol=0.0101) is None
    assert not is_psd(K, tol=0.0)
    assert is_psd([[0.0]], tol=0)
    assert not is_psd([[-1e-300]])


@pytest.mark.claim("KER-14")
def test_sigmoid_is_no_kernel() -> None:
    x = np.array([0.5, 4.0])
    K = np.tanh(1 + np.outer(x, x))
    assert abs(min_eigenvalue(K) - -0.0738) < PRINTED
    assert not is_psd(K)


@pytest.mark.claim("KER-16")
@given(start=st.floats(-3, 3), step=st.floats(0.1, 2), other=st.floats(0.1, 2), angle=st.floats(0, 2 * np.pi))
def test_points_on_a_line_refute_one_minus_r2(start: float, step: float, other: float, angle: float) -> None:
    along = np.array([start, start + step, start + step + other])
    X = np.outer(along, [np.cos(angle), np.sin(angle)])
    K = 1 - np.sum((X[:, None, :] - X) ** 2, axis=2)
    assert not is_psd(K)


@pytest.mark.claim("KER-16")
@given(X=hnp.arrays(np.float64, (6, 2), elements=st.floats(-3, 3)))
def test_one_minus_squared_distance_is_conditionally_positive_definite(X: Array) -> None:
    K = 1 - np.sum((X[:, None, :] - X) ** 2, axis=2)
    P = np.eye(6) - 1 / 6  # onto the weights that sum to zero
    M = P @ K @ P
    assert min_eigenvalue((M + M.T) / 2) >= -1e-12 * max(1.0, float(np.max(np.abs(K))))


def assert_proves(K: Array, points: Indices, t: Array, form: float) -> None:
    """Check a witness by summing the quadratic form literally."""
    literal = sum(t[a] * t[b] * K[i, j] for a, i in enumerate(points) for b, j in enumerate(points))
    scale = float(np.max(np.abs(K)))
    assert literal < 0
    assert form < 0
    assert abs(literal - form) <= 10 * ROUNDING * scale
    assert abs(np.linalg.norm(t) - 1) <= ROUNDING


@given(K=hnp.arrays(np.float64, (5, 5), elements=st.floats(-3, 3)), minimal=st.booleans())
def test_witness_exists_just_when_the_matrix_is_not_psd_and_begins_positive(K: Array, minimal: bool) -> None:
    K = K + K.T
    witness = psd_witness(K, minimal=minimal)
    assert (witness is None) == is_psd(K)
    if witness is not None:
        assert_proves(K, witness.points, witness.t, witness.form)
        large = np.abs(witness.t) > 0.3 * np.max(np.abs(witness.t))
        assert witness.t[large][0] > 0


def test_plain_witness_takes_every_point_and_the_smallest_eigenvalue() -> None:
    K = spectrum_matrix([-0.5, -0.1, 1.0, 3.0])
    witness = psd_witness(K)
    assert witness is not None
    assert witness.points.tolist() == [0, 1, 2, 3]
    assert abs(witness.form - -0.5) <= 10 * ROUNDING


@given(K=hnp.arrays(np.float64, (6, 6), elements=st.floats(-1, 1)), lift=st.floats(0, 2))
def test_no_point_of_a_minimal_witness_can_be_spared(K: Array, lift: float) -> None:
    K = K + K.T + lift * np.eye(6)
    bound = default_tolerance(K)
    witness = psd_witness(K, minimal=True)
    assume(witness is not None)
    assert witness is not None
    assert_proves(K, witness.points, witness.t, witness.form)
    for i in witness.points:
        rest = witness.points[witness.points != i]
        if len(rest):
            assert min_eigenvalue(K[np.ix_(rest, rest)]) >= -bound


@pytest.mark.parametrize(
    ("K", "points", "form"),
    [
        (np.eye(6) - 3 * np.eye(6)[[0, 4, 2, 3, 1, 5]] * [0, 1, 0, 0, 1, 0], [1, 4], -2.0),
        (np.diag([1.0, -1.0, 2.0]), [1], -1.0),
        ([[-1.0]], [0], -1.0),
    ],
)
def test_minimal_witness_by_hand(K: Any, points: list[int], form: float) -> None:
    witness = psd_witness(K, minimal=True)
    assert witness is not None
    assert witness.points.tolist() == points
    assert np.allclose(np.abs(witness.t), 1 / np.sqrt(len(points)))
    assert abs(witness.form - form) <= 10 * ROUNDING


@pytest.mark.claim("KER-03")
@given(A=hnp.arrays(np.float64, (6, 3), elements=st.floats(-5, 5)))
def test_factor_reproduces_the_matrix(A: Array) -> None:
    K = A @ A.T
    Phi = gram_factor(K)
    assert Phi.shape[0] == 6
    assert Phi.shape[1] <= 3
    # what is left out lies below the rounding of K
    assert np.max(np.abs(Phi @ Phi.T - K)) <= 2 * default_tolerance(K)


EACH = [Linear(), kernels.Polynomial(degree=3), RBF(), kernels.HistogramIntersection()]


@pytest.mark.claim("KER-03")
@pytest.mark.parametrize("kernel", EACH, ids=repr)
def test_factor_gives_features_to_any_kernel(kernel: RBF) -> None:
    K = kernel(data.histograms(15, 4, rng=0))
    Phi = gram_factor(K)
    assert np.allclose(Phi @ Phi.T, K, rtol=0, atol=2 * default_tolerance(K))


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
def test_factor_has_as_many_columns_as_the_rank(rank: int) -> None:
    eigenvalues = [float(i) for i in range(1, rank + 1)] + [0.0] * (5 - rank)
    K = spectrum_matrix(eigenvalues)
    Phi = gram_factor(K)
    assert Phi.shape == (5, rank)
    wanted = np.diag(sorted(eigenvalues, reverse=True)[:rank])  # orthogonal columns, the longest first
    assert np.allclose(Phi.T @ Phi, wanted.reshape(rank, rank), rtol=0, atol=1e-12)


@pytest.mark.parametrize("columns", [1, 3])
def test_signs_are_fixed_for_any_number_of_columns(columns: int) -> None:
    U = np.array([[-0.6, 0.8, -1.0], [0.8, 0.6, 0.1]])[:, :columns]
    assert np.array_equal(kernels.orient(U), U * np.array([-1, 1, -1])[:columns])
