"""The split against its definition, simulation of smoothers, and the votes against counting."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lecturekit import bias_variance
from lecturekit._typing import Array
from lecturekit.bias_variance import decompose, majority, ridge_smoother, smoother_decomposition

shapes = st.tuples(st.integers(1, 12), st.integers(1, 6))


@given(shape=shapes, seed=st.integers(0, 10**6), sigma=st.floats(0, 2))
def test_noise_bias_and_variance_make_up_the_error(shape: tuple[int, int], seed: int, sigma: float) -> None:
    rng = np.random.default_rng(seed)
    fits, f, weights = rng.normal(size=shape), rng.normal(size=shape[1]), rng.uniform(0.1, 2, shape[1])
    found = decompose(fits, f, weights=weights, sigma=sigma)
    error = np.average((fits - f) ** 2, axis=1, weights=weights)
    assert found.total == pytest.approx(error.mean() + sigma**2, rel=1e-12)
    assert found.var_x == pytest.approx(fits.var(axis=0), rel=1e-9, abs=1e-12)
    assert found.bias_x == pytest.approx((found.mean_fit - f) ** 2)
    assert found.n_sets == shape[0]
    assert found.se == pytest.approx(error.std(ddof=min(1, shape[0] - 1)) / np.sqrt(shape[0]))


@given(fits=arrays(float, (7, 3), elements=st.floats(-10, 10)), cut=st.integers(1, 6))
def test_chunks_give_the_same_split(fits: Array, cut: int) -> None:
    f = np.array([1.0, -2.0, 0.5])
    whole, parts = decompose(fits, f), decompose(iter([fits[:cut], fits[cut:]]), f)
    for name in ("bias", "var", "se", "bias_x", "var_x", "mean_fit"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-7)
    assert parts.n_sets == whole.n_sets == 7


def test_large_offsets_do_not_cancel_and_weights_need_no_norm() -> None:
    fits = 1e8 + np.array([[0.0], [1.0], [2.0], [3.0]])
    assert decompose(iter([fits[:1], fits[1:]]), [1e8]).var == pytest.approx(1.25)
    wild = [[1.0, 100.0], [3.0, -100.0]]  # in a point of no weight
    assert decompose(wild, [0.0, 0.0], weights=[7.0, 0.0]).total == decompose([[1.0], [3.0]], [0.0]).total


@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_smoother_agrees_with_simulation(lam: float) -> None:
    rng = np.random.default_rng(1)
    x, at, sigma = np.sort(rng.uniform(-1, 1, 15)), np.linspace(-1, 1, 4), 0.5
    S = ridge_smoother(x[:, None] ** np.arange(1, 5), lam, at=at[:, None] ** np.arange(1, 5))
    exact = smoother_decomposition(S, np.exp(x), sigma, f_at=np.exp(at), weights=[1, 2, 3, 4])
    y = np.exp(x) + sigma * rng.standard_normal((40_000, 15))
    found = decompose(y @ S.T, np.exp(at), weights=[1, 2, 3, 4], sigma=sigma)
    assert abs(found.total - exact.total) < 4 * found.se
    assert np.allclose(found.var_x, exact.var_x, rtol=0.05)
    assert np.allclose(found.mean_fit, exact.mean_fit, atol=5 * np.sqrt(exact.var_x.max() / 40_000))
    assert exact.noise == 0.25


def test_smoother_at_the_inputs_is_norm_and_trace() -> None:
    rng = np.random.default_rng(2)
    S, f = rng.normal(size=(6, 6)), rng.normal(size=6)
    found = smoother_decomposition(S, f, 0.7)
    assert found.bias == pytest.approx(np.sum(((np.eye(6) - S) @ f) ** 2) / 6)
    assert found.var == pytest.approx(0.49 * np.trace(S @ S.T) / 6)


@given(arrays(int, shapes, elements=st.sampled_from([-1, 1])), st.floats(0, 1), st.integers(0, 10**6))
def test_parts_make_up_the_loss(votes: Array, flip: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, weights = rng.choice([-1, 1], votes.shape[1]), rng.uniform(0.1, 1, votes.shape[1])
    found = bias_variance.vote_decomposition(votes, y, weights=weights, flip=flip)
    loss = (1 - flip) * np.mean(votes != y, axis=0) + flip * np.mean(votes != -y, axis=0)
    assert found.total == pytest.approx(np.average(loss, weights=weights))
    assert np.all(found.var_x <= 0.5)
    assert np.array_equal(found.bias_x, found.main != y)


@pytest.mark.parametrize("m", [1, 3, 7])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_majority_by_counting_all_outcomes(m: int, p: float) -> None:
    counts = [k for k in map(sum, product([0, 1], repeat=m)) if k > m / 2]
    assert majority(p, m) == pytest.approx(sum(p**k * (1 - p) ** (m - k) for k in counts))
