"""Transforms against scikit-learn, SciPy, enumeration and quadrature."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_legendre
from sklearn.preprocessing import PolynomialFeatures

from lecturekit import features
from lecturekit.features import legendre, monomials, orthogonal_polynomials, poly_dim, polynomial, vandermonde

ROUNDING = 1e-12
SIZES = [(1, 0), (1, 1), (1, 6), (2, 0), (2, 1), (2, 4), (3, 3), (5, 2)]
each_size = pytest.mark.parametrize(("d", "Q"), SIZES)
each_constant = pytest.mark.parametrize("constant", [True, False])


def test_augment_puts_the_constant_first() -> None:
    X = np.random.default_rng(0).standard_normal((4, 3))
    assert np.array_equal(features.augment(X), np.column_stack([np.ones(4), X]))


@pytest.mark.claim("LIN-57")
@each_size
def test_dimension_counts_the_monomials(d: int, Q: int) -> None:
    assert poly_dim(d, Q) == len(monomials(d, Q, constant=False)) == comb(d + Q, Q) - 1
    if d == 2:
        assert poly_dim(d, Q) == Q * (Q + 3) // 2


@each_size
@each_constant
def test_polynomial_features_are_those_of_scikit_learn(d: int, Q: int, constant: bool) -> None:
    X = np.random.default_rng(1).standard_normal((5, d))
    Z = polynomial(X, Q, constant=constant)
    assert Z.shape == (5, poly_dim(d, Q) + constant)
    assert polynomial(X.astype(np.float32), Q, constant=constant).dtype == np.float32
    if Z.shape[1] == 0:
        return
    peer = PolynomialFeatures(Q, include_bias=constant).fit(X)
    assert np.allclose(Z, peer.transform(X), rtol=ROUNDING)
    assert peer.powers_.tolist() == [list(powers) for powers in monomials(d, Q, constant=constant)]
    names = peer.get_feature_names_out([f"x{j}" for j in range(1, d + 1)]).tolist()
    assert features.monomial_names(d, Q, constant=constant) == names


def test_vandermonde_is_that_of_numpy_and_of_one_variable() -> None:
    x = np.random.default_rng(4).uniform(-2, 2, 7)
    assert np.allclose(vandermonde(x, 5), np.vander(x, 6, increasing=True), rtol=ROUNDING)
    assert np.allclose(vandermonde(x, 5), polynomial(x[:, None], 5), rtol=ROUNDING)
    assert np.array_equal(vandermonde([0.0, 2.0], 0), np.ones((2, 1)))
    assert np.array_equal(vandermonde([0.0], 2), [[1.0, 0.0, 0.0]])


@pytest.mark.claim("LIN-54")
@pytest.mark.parametrize("distinct", [1, 2, 3, 4, 6])
def test_powers_are_linearly_independent_if_enough_points_differ(distinct: int) -> None:
    x = np.repeat(np.arange(distinct, dtype=float), 3)
    assert np.linalg.matrix_rank(vandermonde(x, 3)) == min(distinct, 4)


@pytest.mark.parametrize("Q", [0, 1, 2, 5, 12])
def test_legendre_is_that_of_scipy_and_orthogonal(Q: int) -> None:
    x = np.linspace(-1, 1, 41)
    assert np.allclose(legendre(x, Q), eval_legendre(np.arange(Q + 1), x[:, None]), atol=ROUNDING)
    assert np.abs(legendre(x, Q)).max() <= 1 + ROUNDING
    nodes, weights = np.polynomial.legendre.leggauss(Q + 1)  # exact up to degree 2Q + 1
    P = legendre(nodes, Q)
    gram = P.T @ (weights[:, None] * P)
    assert np.allclose(gram, np.diag(2 / (2 * np.arange(Q + 1) + 1)), atol=ROUNDING)


@pytest.mark.parametrize("Q", [0, 1, 4, 8])
def test_orthogonal_polynomials_are_the_qr_of_the_vandermonde_matrix(Q: int) -> None:
    x = np.random.default_rng(5).uniform(-1, 1, 15)
    factor, triangle = np.linalg.qr(vandermonde(x, Q))
    assert np.allclose(orthogonal_polynomials(x, Q), factor * np.sign(np.diag(triangle)), atol=1e-9)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (100.0, 101.0)])
def test_orthogonal_polynomials_stay_orthonormal_where_powers_break_down(ends: tuple[float, float]) -> None:
    x = np.linspace(*ends, 200)
    P = orthogonal_polynomials(x, 40)
    assert np.allclose(P.T @ P, np.eye(41), atol=1e-9)
    assert np.linalg.cond(vandermonde(x, 40)) > 1e14
    few = orthogonal_polynomials([0.0, 1.0, 3.0], 2)  # as many points as polynomials are enough
    assert np.allclose(few @ few.T, np.eye(3), atol=ROUNDING)


def test_orthogonal_polynomials_elsewhere_and_an_indicator_open_at_both_ends() -> None:
    x = np.random.default_rng(6).uniform(-1, 1, 20)
    new = np.linspace(-1, 1, 9)
    P, there = orthogonal_polynomials(x, 5), orthogonal_polynomials(x, 5, at=new)
    assert there.shape == (9, 6)
    for k in range(6):  # the polynomial of degree k through the values on the sample
        assert np.allclose(there[:, k], np.polyval(np.polyfit(x, P[:, k], k), new), atol=1e-8)
    assert np.allclose(orthogonal_polynomials(x, 5, at=x), P, rtol=ROUNDING)
    four = [0.0, 1.0, 2.0, 3.0]
    assert features.indicator(four, 1.0, 3.0).tolist() == [0, 0, 1, 0]
    assert features.indicator(four, high=1.0).tolist() == [1, 0, 0, 0]
    assert features.indicator(four, low=1.0).tolist() == [0, 0, 1, 1]
    assert features.indicator(four).tolist() == [1, 1, 1, 1]


def test_transcendental_features_by_function_and_intensity_and_symmetry_by_hand() -> None:
    X = np.random.default_rng(7).uniform(0.1, 3, (4, 2))
    brute = np.column_stack([np.log(X), np.sqrt(X), np.sin(X)])
    assert np.array_equal(features.transcendental(X), brute)
    assert np.array_equal(
        features.transcendental(-X, ["cos", "exp"]), np.column_stack([np.cos(X), np.exp(-X)])
    )
    assert features.transcendental([[0.0]], ["sqrt"]) == [[0.0]]
    images = np.array([[1.0, 2, 1, 0, 5, 0, 3, 0, 3], [9.0, 0, 0, 0, 0, 0, 0, 0, 0], np.zeros(9)])
    assert np.allclose(features.intensity_symmetry(images, 3), [[15 / 9, 0.0], [1.0, -2.0], [0.0, 0.0]])


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_mirroring_changes_neither_intensity_nor_symmetry(side: int, seed: int) -> None:
    image = np.random.default_rng(seed).random((1, side, side))
    mirrored = image[:, :, ::-1]
    both = np.concatenate([image, mirrored, (image + mirrored) / 2]).reshape(3, -1)
    there, back, middle = features.intensity_symmetry(both, side)
    assert np.allclose(there, back)
    assert np.allclose(middle, np.array([there[0], 0.0]))
    assert there[1] <= 0
