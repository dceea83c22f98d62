"""Mercer expansions against each other, against quadrature by SciPy, and against the trace identities."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import eval_hermite, factorial, factorial2
from scipy.stats import norm

from lecturekit._typing import Array
from lecturekit.kernels import RBF, Constant, HistogramIntersection, Linear, PrecisionWarning
from lecturekit.rkhs import MercerExpansion, brownian, gaussian, hermite_rule, legendre_rule, nystrom

ROUNDING = 1e-12  # sums of some hundred terms of size one
QUADRATURE = 1e-8  # what scipy.integrate.quad promises by default
SPECTRAL = 1e-10  # Gauss rules converge faster than any power on the smooth Gaussian kernel

GAMMA, SIGMA = 0.8, 0.7


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_rules_are_exact_below_twice_their_nodes(n: int) -> None:
    a, b = -0.5, 1.5
    x, w = legendre_rule(n, a, b)
    assert np.all((w > 0) & (x > a) & (x < b))
    for degree in range(2 * n):
        exact = (b ** (degree + 1) - a ** (degree + 1)) / (degree + 1)
        assert abs(w @ x**degree - exact) <= ROUNDING * max(1.0, 1.5**degree)
    x, w = hermite_rule(n, SIGMA)
    assert np.all(w > 0)
    for degree in range(0, 2 * n, 2):  # the moments of the normal law
        exact = SIGMA**degree * (factorial2(degree - 1) if degree else 1)
        assert abs(w @ x**degree - exact) <= 10 * ROUNDING * exact
        assert abs(w @ x ** (degree + 1)) <= 10 * ROUNDING * max(1.0, exact)


def test_rules_with_many_nodes_and_by_default() -> None:
    x, w = hermite_rule(400)
    assert np.all(np.isfinite(w))
    assert abs(w @ x**2 - 1) < 1e-10
    x, w = legendre_rule(2)
    assert abs(w @ x - 0.5) < ROUNDING
    assert abs(w @ x**4 - 1 / 5) > 1e-4  # not exact beyond its degree


@pytest.mark.parametrize("x", [0.1, 0.5, 0.93])
@pytest.mark.parametrize(
    ("kernel", "expansion", "density", "ends"),
    [
        (lambda x, z: min(x, z), brownian(4), lambda z: 1.0, (0.0, 1.0)),
        (
            lambda x, z: np.exp(-GAMMA * (x - z) ** 2),
            gaussian(GAMMA, SIGMA, 4),
            norm(scale=SIGMA).pdf,
            (-8 * SIGMA, 8 * SIGMA),
        ),
    ],
    ids=["brownian", "gaussian"],
)
def test_eigenvalue_equation_by_brute_force(
    kernel: Any, expansion: MercerExpansion, density: Any, ends: tuple[float, float], x: float
) -> None:
    phi = expansion.eigenfunctions
    for j in range(4):
        image, _ = quad(lambda z, j=j: kernel(x, z) * phi([z])[0, j] * density(z), *ends, points=[x])
        assert abs(image - expansion.eigenvalues[j] * phi([x])[0, j]) < QUADRATURE


@pytest.mark.parametrize("rank", [1, 2, 12])
@pytest.mark.parametrize(
    ("expansion", "rule", "places"),
    [
        (brownian, legendre_rule(100), ROUNDING),
        (lambda rank: gaussian(GAMMA, SIGMA, rank), hermite_rule(120, SIGMA), SPECTRAL),
    ],
    ids=["brownian", "gaussian"],
)
def test_functions_are_orthonormal_and_their_eigenvalues_fall(
    expansion: Callable[[int], MercerExpansion], rule: tuple[Array, Array], places: float, rank: int
) -> None:
    x, w = rule
    Phi = expansion(rank).eigenfunctions(x)
    assert Phi.shape == (len(x), rank)
    assert np.max(np.abs(Phi.T @ (w[:, None] * Phi) - np.eye(rank))) < places
    assert expansion(rank).eigenvalues.shape == (rank,)
    assert np.all(np.diff(expansion(rank).eigenvalues, append=0.0) < 0)


def test_gaussian_functions_are_damped_hermite_polynomials_also_of_high_order() -> None:
    x, j, a = np.linspace(-2, 2, 9)[:, None], np.arange(10), 1 / (4 * SIGMA**2)
    c = np.sqrt(a**2 + 2 * a * GAMMA)
    size = (c / a) ** 0.25 / np.sqrt(2.0**j * factorial(j))
    wanted = size * np.exp(-(c - a) * x**2) * eval_hermite(j, np.sqrt(2 * c) * x)
    assert np.allclose(gaussian(GAMMA, SIGMA, 10).eigenfunctions(x[:, 0]), wanted, rtol=0, atol=ROUNDING)
    assert np.all(np.isfinite(gaussian(0.5, 1.0, 300).eigenfunctions(np.linspace(-6, 6, 25))))


def test_sums_converge_to_the_kernel_and_traces_are_its_integrals() -> None:
    rank = 20_000
    eigenvalues = brownian(rank).eigenvalues
    tail = 1 / (np.pi**2 * rank)  # sum over j > r of ((j - 1/2) pi)^-2, to first order
    assert abs(eigenvalues.sum() + tail - 1 / 2) < 1e-10  # the integral of min(x, x) = x
    assert abs(np.sum(eigenvalues**2) - 1 / 6) < ROUNDING  # the double integral of min(x, z)^2
    for gamma, sigma in [(0.5, 1.0), (GAMMA, SIGMA), (3.0, 0.5)]:
        eigenvalues = gaussian(gamma, sigma, 200).eigenvalues
        assert abs(eigenvalues.sum() - 1) < ROUNDING  # the mean of k(x, x) = 1
        # the mean of k(x, z)^2 = exp(-2 gamma u^2) with u = x - z normal of variance 2 sigma^2
        assert abs(np.sum(eigenvalues**2) - 1 / np.sqrt(1 + 8 * gamma * sigma**2)) < ROUNDING
    t, x = np.linspace(0, 1, 21), np.linspace(-1.5, 1.5, 15)
    for rank in (1, 10, 100, 1000):
        error = np.max(np.abs(brownian(rank)(t, t) - np.minimum.outer(t, t)))
        # the rest is at most 2 sum over j > r of ((j - 1/2) pi)^-2 < 2 / (pi^2 (r - 1/2))
        assert error <= 2 / (np.pi**2 * (rank - 0.5))
    exact = RBF(gamma=GAMMA)(x[:, None])
    errors = [np.max(np.abs(gaussian(GAMMA, SIGMA, rank)(x, x) - exact)) for rank in (1, 5, 10, 20, 40)]
    assert np.all(np.diff(errors) < 0)
    assert errors[-1] < SPECTRAL


@pytest.mark.parametrize("expansion", [brownian(6), gaussian(GAMMA, SIGMA, 6)], ids=["brownian", "gaussian"])
def test_truncated_sum_is_the_literal_sum(expansion: MercerExpansion) -> None:
    x, z = np.linspace(0, 1, 4), np.linspace(0.1, 0.9, 3)
    Px, Pz = expansion.eigenfunctions(x), expansion.eigenfunctions(z)
    literal = sum(lam * np.outer(Px[:, j], Pz[:, j]) for j, lam in enumerate(expansion.eigenvalues))
    assert np.allclose(expansion(x, z), literal, rtol=0, atol=ROUNDING)
    assert np.allclose(expansion.features(x), Px * np.sqrt(expansion.eigenvalues), rtol=0, atol=ROUNDING)


def aligned(functions: Array, wanted: Array) -> Array:
    """Give eigenfunctions the signs of the ones they are compared with."""
    return np.asarray(functions * np.sign(np.sum(functions * wanted, axis=0)))


def test_nystrom_finds_the_gaussian_expansion_and_errs_by_the_square_of_the_nodes() -> None:
    exact = gaussian(GAMMA, SIGMA, 8)
    found = nystrom(RBF(gamma=GAMMA), *hermite_rule(60, SIGMA), rank=8)
    assert np.max(np.abs(found.eigenvalues - exact.eigenvalues)) < SPECTRAL
    x = np.linspace(-1.5, 1.5, 11)  # away from the nodes
    wanted = exact.eigenfunctions(x)
    assert np.max(np.abs(aligned(found.eigenfunctions(x), wanted) - wanted)) < 1e-7  # 1e-10 over lambda_8
    known = brownian(3).eigenvalues
    errors = [
        np.abs(nystrom(HistogramIntersection(), *legendre_rule(n), rank=3).eigenvalues - known)
        for n in (40, 80, 160, 320)
    ]
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all((ratios > 3.5) & (ratios < 4.5))
    t, found = np.linspace(0, 1, 17), nystrom(HistogramIntersection(), *legendre_rule(300), rank=4)
    wanted = brownian(4).eigenfunctions(t)
    assert np.max(np.abs(aligned(found.eigenfunctions(t), wanted) - wanted)) < 1e-3  # about 50 / n^2


@pytest.mark.parametrize(
    ("kernel", "rule"),
    [(RBF(gamma=3.0), legendre_rule(30, -1, 1)), (HistogramIntersection(), legendre_rule(30))],
    ids=["RBF", "HistogramIntersection"],
)
def test_nystrom_functions_are_orthonormal_under_their_rule(kernel: RBF, rule: tuple[Array, Array]) -> None:
    nodes, w = rule
    found = nystrom(kernel, nodes, w, rank=6)
    Phi = found.eigenfunctions(nodes)
    assert np.max(np.abs(Phi.T @ (w[:, None] * Phi) - np.eye(6))) < 1e-9  # 1e-15 over lambda_6
    image = kernel(nodes[:, None]) @ (w[:, None] * Phi)
    assert np.max(np.abs(image - found.eigenvalues * Phi)) < ROUNDING


def test_nystrom_keeps_the_trace_and_leaves_out_what_is_lost_in_rounding_with_a_warning() -> None:
    # two nodes and the linear kernel: the one eigenvalue is the weighted sum of squares
    found = nystrom(Linear(), [1.0, 2.0], [0.25, 0.75], rank=1)
    assert np.isclose(found.eigenvalues[0], 0.25 * 1 + 0.75 * 4, rtol=ROUNDING)
    assert np.allclose(np.abs(found.eigenfunctions(np.array([3.0]))), 3 / np.sqrt(3.25))
    nodes, w = legendre_rule(25)
    found = nystrom(HistogramIntersection(), nodes, w, rank=25)
    assert abs(found.eigenvalues.sum() - w @ nodes) < ROUNDING
    assert np.allclose(found(nodes, nodes), np.minimum.outer(nodes, nodes), rtol=0, atol=1e-11)
    nodes, w = legendre_rule(40)
    with pytest.warns(
        PrecisionWarning, match=r"^only (\d+) of 40 eigenvalues stand above rounding; the rest"
    ):
        found = nystrom(RBF(), nodes, w, rank=40)
    r = len(found.eigenvalues)
    assert 5 < r < 40
    assert np.all(found.eigenvalues > 40 * np.finfo(float).eps * found.eigenvalues[0])
    assert found.eigenfunctions(nodes).shape == (40, r)
    nystrom(RBF(), nodes, w, rank=r)  # no warning: a warning is an error here
    with pytest.warns(PrecisionWarning, match="only 1 of 3 eigenvalues"):
        found = nystrom(Constant(2.0), *legendre_rule(5), rank=3)
    assert np.allclose(found.eigenvalues, [2.0])
