"""Functions of an RKHS against the axioms of the space: inner product, reproducing property, bounds."""

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit._typing import Array
from lecturekit.kernels import RBF, EditDistance, Kernel, Linear, Polynomial
from lecturekit.rkhs import Expansion

ROUNDING = 1e-11  # absolute; values and norms below are at most a few hundred

KERNELS: list[Kernel] = [Linear(), Polynomial(degree=2), RBF(gamma=0.5), RBF() + 0.5 * Linear()]
kernel_of = st.sampled_from(KERNELS)
weights = hnp.arrays(np.float64, 4, elements=st.floats(-2, 2))
points = hnp.arrays(np.float64, (4, 2), elements=st.floats(-2, 2))


@given(kernel=kernel_of, X=points, Z=points, a=weights, b=weights)
def test_inner_product_is_a_double_sum(kernel: Kernel, X: Array, Z: Array, a: Array, b: Array) -> None:
    f, g = Expansion(kernel, X, a), Expansion(kernel, Z, b)
    literal = sum(
        float(s * t * kernel(np.asarray([x]), np.asarray([z]))[0, 0])
        for s, x in zip(a, X, strict=True)
        for t, z in zip(b, Z, strict=True)
    )
    assert abs(f.inner(g) - literal) <= ROUNDING
    assert abs(f.inner(g) - g.inner(f)) <= ROUNDING
    assert type(f.inner(g)) is float
    assert f.norm >= 0
    assert (f + g).norm <= f.norm + g.norm + 1e-6
    assert abs(f.inner(g)) <= f.norm * g.norm + 1e-6
    assert abs((-3.0 * f).norm - 3 * f.norm) <= 1e-6


@pytest.mark.claim("KER-05")
@given(kernel=kernel_of, X=points, a=weights, x=hnp.arrays(np.float64, (1, 2), elements=st.floats(-3, 3)))
def test_reproducing_property(kernel: Kernel, X: Array, a: Array, x: Array) -> None:
    f, section = Expansion(kernel, X, a), Expansion(kernel, x, np.ones(1))
    assert abs(f(x)[0] - sum(c * kernel(z[None, :], x)[0, 0] for c, z in zip(a, X, strict=True))) <= ROUNDING
    assert abs(f(x)[0] - f.inner(section)) <= ROUNDING
    assert abs(section.norm**2 - kernel(x)[0, 0]) <= ROUNDING


@pytest.mark.claim("KER-06")
@given(kernel=kernel_of, X=points, a=weights, x=hnp.arrays(np.float64, (3, 2), elements=st.floats(-3, 3)))
def test_evaluation_is_bounded_by_the_norm(kernel: Kernel, X: Array, a: Array, x: Array) -> None:
    f = Expansion(kernel, X, a)
    assert np.all(np.abs(f(x)) <= f.norm * np.sqrt(kernel.diagonal(x)) + 1e-6)  # sqrt magnifies 1e-12


@given(kernel=kernel_of, X=points, Z=points, a=weights, b=weights)
def test_functions_add_and_scale_pointwise(kernel: Kernel, X: Array, Z: Array, a: Array, b: Array) -> None:
    f, g = Expansion(kernel, X, a), Expansion(kernel, Z, b)
    x = np.linspace(-2, 2, 6).reshape(3, 2)
    h = Expansion(kernel, x, np.array([1.0, -1.0, 0.5]))
    assert np.allclose((f + g)(x), f(x) + g(x), rtol=0, atol=ROUNDING)
    assert np.allclose((f - g)(x), f(x) - g(x), rtol=0, atol=ROUNDING)
    assert np.allclose((2.5 * f)(x), 2.5 * f(x), rtol=0, atol=10 * ROUNDING)
    assert abs((2.0 * f + g).inner(h) - (2 * f.inner(h) + g.inner(h))) <= 10 * ROUNDING


@pytest.mark.claim("KER-06")
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2)], ids=repr)
def test_inner_product_does_not_depend_on_the_expansion(kernel: Kernel) -> None:
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((6, 1)), rng.standard_normal((4, 1))
    nothing = np.linalg.svd(kernel(X))[2][-1]  # in the null space of the Gram matrix
    zero = Expansion(kernel, X, nothing)
    f = Expansion(kernel, X, rng.standard_normal(6))
    same = Expansion(kernel, X, f.coef + 5 * nothing)
    g = Expansion(kernel, Z, rng.standard_normal(4))
    assert np.max(np.abs(same.coef - f.coef)) > 0.5
    assert np.allclose(zero(Z), 0, atol=ROUNDING)
    assert np.allclose(same(Z), f(Z), rtol=0, atol=10 * ROUNDING)
    assert abs(same.inner(g) - f.inner(g)) <= 10 * ROUNDING
    assert abs(same.norm - f.norm) <= 10 * ROUNDING
    assert zero.norm <= 1e-6


def test_norm_forgives_rounding_below_zero_and_centers_may_be_strings() -> None:
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        f = Expansion(Linear(), rng.standard_normal((6, 1)), rng.standard_normal(6))
        zero = f - Expansion(Linear(), np.array([[float(f([[1.0]])[0])]]), np.ones(1))
        found += zero.inner(zero) < 0
        assert 0 <= zero.norm <= 1e-6
    assert found > 0  # the case did come up
    f = Expansion(EditDistance(), ["", "ab"], np.array([1.0, 2.0]))
    g = Expansion(EditDistance(), ["b"], np.array([3.0]))
    assert np.allclose(f(["a", "ab"]), [3 * np.exp(-1), np.exp(-2) + 2])
    assert np.isclose(f.inner(g), 3 * (np.exp(-1) + 2 * np.exp(-1)))
    assert (f + g).centers == ["", "ab", "b"]
    assert np.allclose((f - g)(["b"]), f(["b"]) - g(["b"]))
