"""Regression worlds and planes against the truth they state."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, norm

from lecturekit import data

ROUNDING = 1e-12
LEVEL = 1e-3  # of the tests of fit; the seeds are fixed, so they pass or fail for good

DRAWS: dict[str, Callable[..., Any]] = {
    "credit": lambda rng: np.column_stack(data.credit(20, rng=rng)[:3]),
    "residence": lambda rng: np.column_stack(data.residence(20, rng=rng)),
    "line_data": lambda rng: np.column_stack(data.line_data(20, 3, rng=rng, flip=0.2, margin=0.1)[:2]),
    "linear_noise": lambda rng: np.column_stack(data.linear_noise(20, 3, rng=rng)[:2]),
    "noisy_sine": lambda rng: np.column_stack(data.noisy_sine(20, rng=rng, noise=0.1)),
    "rings": lambda rng: np.column_stack(data.rings(20, rng=rng)),
    "two_gaussians": lambda rng: np.column_stack(data.two_gaussians(20, rng=rng)),
    "histograms": lambda rng: data.histograms(20, 3, rng=rng),
    "circle": lambda rng: np.column_stack(data.circle(20, rng=rng, noise=0.2)),
    "collinear_pair": lambda rng: data.collinear_pair(20, 0.5, rng=rng),
    "ar1": lambda rng: data.ar1(20, 0.5, rng=rng),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_gives_the_same_sample_again_and_a_generator_moves_on(name: str) -> None:
    draw, rng = DRAWS[name], np.random.default_rng(3)
    assert np.array_equal(draw(3), draw(3))
    assert not np.array_equal(draw(3), draw(4))
    assert np.array_equal(draw(rng), draw(3))
    assert not np.array_equal(draw(rng), draw(3))


def test_applicants_are_possible_people() -> None:
    X, approve, line, names = data.credit(2000, rng=1)
    assert (X.shape, approve.shape, line.shape) == ((2000, 5), (2000,), (2000,))
    assert names == ("age", "salary", "years in residence", "years in job", "debt")
    age, salary, home, job, debt = X.T
    assert 18 <= age.min() < age.max() <= 70
    assert np.all(np.maximum(home, job) <= age - 18)
    assert min(salary.min(), home.min(), job.min(), debt.min()) >= 0
    assert kstest((age - 18) / 52, "uniform").pvalue > LEVEL
    assert kstest(np.log(salary), norm(np.log(30), 0.4).cdf).pvalue > LEVEL
    assert kstest(debt / 12, "expon").pvalue > LEVEL
    assert set(approve.tolist()) == {-1.0, 1.0}


def test_credit_line_is_linear_with_normal_noise_and_approval_has_its_chance() -> None:
    applicants = data.credit(5000, rng=2)
    assert kstest(applicants.line - applicants.expected_line, "norm").pvalue > LEVEL
    design = np.column_stack([np.ones(5000), applicants.X])
    w = np.linalg.lstsq(design, applicants.expected_line, rcond=None)[0]
    assert np.allclose(w, [2.0, 0.05, 0.1, 0.2, 0.3, -0.15], atol=1e-10)
    applicants = data.credit(20_000, rng=3)
    design = np.column_stack([np.ones(20_000), applicants.X])
    w = np.linalg.lstsq(design, np.log(applicants.chance / (1 - applicants.chance)), rcond=None)[0]
    assert np.allclose(w, [-2.0, 0.02, 0.08, 0.1, 0.15, -0.2], atol=1e-8)
    for low in np.arange(0, 1, 0.2):  # calibrated in each fifth
        part = (applicants.chance >= low) & (applicants.chance < low + 0.2)
        off = np.mean((applicants.approve[part] == 1) - applicants.chance[part])
        assert abs(off) < 2 / np.sqrt(part.sum())


def test_residence_jumps_and_the_sine_waves_with_uniform_inputs_and_normal_noise() -> None:
    (S, y), (X, z) = data.residence(3000, rng=4, noise=0.5), data.noisy_sine(4000, rng=8, noise=0.3)
    assert (S.shape, X.shape) == ((3000, 1), (4000, 1))
    jumps = np.select([S < 1, S > 5], [2.0, 8.0], 5.0)[:, 0]
    for share in (S / 10, (X + 1) / 2):
        assert kstest(share[:, 0], "uniform").pvalue > LEVEL
    for noise in ((y - jumps) / 0.5, (z - np.sin(np.pi * X[:, 0])) / 0.3):
        assert kstest(noise, "norm").pvalue > LEVEL


@given(st.integers(2, 40), st.integers(1, 5), st.floats(0, 0.45), st.integers(0, 2**32 - 1))
def test_classes_lie_on_their_side_with_the_margin(n: int, d: int, margin: float, seed: int) -> None:
    X, y, w, b = data.line_data(n, d, rng=seed, margin=margin)
    assert X.shape == (n, d)
    assert np.abs(X).max() <= 1
    assert abs(np.linalg.norm(w) - 1) < ROUNDING
    assert np.all(y * (X @ w + b) >= margin)
    assert set(y.tolist()) == {-1.0, 1.0}


def test_labels_flip_as_often_as_asked_and_nothing_else_changes() -> None:
    X, y, w, b = data.line_data(4000, 2, rng=5, flip=0.2)
    assert abs(np.mean(y * (X @ w + b) < 0) - 0.2) < 0.03
    assert kstest((X + 1) / 2, "uniform").pvalue.min() > LEVEL
    plain = data.line_data(4000, 2, rng=5)
    assert np.array_equal(np.vstack([plain.X, plain.w]), np.vstack([X, w]))


def test_linear_world_has_its_truth_and_its_noise_and_weights_can_be_given() -> None:
    X, y, w, b = data.linear_noise(4000, 3, rng=6, sigma=2.0, b=1.5)
    assert (b, w.shape) == (1.5, (3,))
    assert kstest((y - X @ w - b) / 2, "norm").pvalue > LEVEL
    assert kstest(X.ravel(), "norm").pvalue > LEVEL
    assert np.abs(np.corrcoef(X.T) - np.eye(3)).max() < 4 / np.sqrt(4000)
    world = data.linear_noise(5, 2, rng=7, w=[1, -2])
    assert (world.w.tolist(), world.b) == ([1.0, -2.0], 0.0)
    assert np.array_equal(world.y, data.linear_noise(5, 2, rng=7, w=[1, -2], sigma=1.0).y)
    assert np.allclose(data.linear_noise(5, 2, rng=7, w=[1, -2], sigma=0).y, world.X @ [1, -2])


@pytest.mark.parametrize("r", [-1.0, -0.5, 0.0, 0.9, 0.999999, 1.0])
@pytest.mark.parametrize("n", [3, 50])
def test_pair_has_exactly_the_correlation(n: int, r: float) -> None:
    X = data.collinear_pair(n, r, rng=9)
    assert X.shape == (n, 2)
    assert np.allclose(X.mean(axis=0), 0, atol=ROUNDING)
    assert np.allclose(X.T @ X / n, [[1, r], [r, 1]], atol=ROUNDING)


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.6])
def test_noise_with_a_memory_is_stationary_with_its_correlation(rho: float) -> None:
    runs = np.array([data.ar1(6, rho, rng=rng, sigma=2.0) for rng in np.random.default_rng(10).spawn(4000)])
    lags = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    assert np.allclose(runs.T @ runs / 4000, 4 * rho**lags, atol=4 * 4 * np.sqrt(2 / 4000))
    assert kstest(runs[:, 5] / 2, "norm").pvalue > LEVEL
    assert data.ar1(1, rho, rng=0).shape == (1,)
