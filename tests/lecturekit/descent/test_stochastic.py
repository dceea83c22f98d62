"""Stochastic descent: unbiased batches, the perceptron as a special case, Robbins and Monro's conditions."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import data, descent
from lecturekit._typing import Array, Indices
from lecturekit.descent import ConstantStep, PowerStep, StepSize
from lecturekit.losses import BatchGradient, Logistic, PerceptronLoss, empirical_risk

ONE = ConstantStep(1.0)


def still(w: Array, rows: Indices) -> Array:
    return np.zeros_like(w)


def visits(n: int, steps: int, **settings: object) -> list[list[int]]:
    """Return the rows of the first steps of a walk."""
    walk = descent.sgd_steps(still, n, [0.0], step=ONE, **settings)  # type: ignore[arg-type]
    return [rows.tolist() for _, rows in islice(walk, steps)]


def test_orders_and_seeds() -> None:
    assert visits(5, 4, batch=2, order="cyclic") == [[0, 1], [2, 3], [4], [0, 1]]
    rows = visits(10, 20, rng=0, order="epochs")
    assert rows[:10] != rows[10:] != [[i] for i in range(10)]  # shuffled anew
    assert visits(6, 50, rng=3) == visits(6, 50, rng=np.random.default_rng(3)) != visits(6, 50, rng=4)


@given(n=st.integers(1, 20), batch=st.integers(1, 20), seed=st.integers(0, 100))
def test_an_epoch_sees_each_example_once(n: int, batch: int, seed: int) -> None:
    batch = min(batch, n)
    steps = -(-n // batch)
    rows = visits(n, 2 * steps, batch=batch, rng=seed, order="epochs")
    for epoch in (rows[:steps], rows[steps:]):
        assert sorted(np.concatenate(epoch)) == list(range(n))
        assert [len(one) for one in epoch[:-1]] == [batch] * (steps - 1)


@pytest.mark.parametrize("batch", [1, 3])
def test_random_batches_have_no_repeats_and_visit_all_alike(batch: int) -> None:
    rows = visits(6, 4000, batch=batch, rng=1)
    assert all(len(set(one)) == batch for one in rows)
    share = np.bincount(np.concatenate(rows), minlength=6) / 4000
    assert np.allclose(share, batch / 6, atol=0.03)


@pytest.mark.claim("LIN-16")
@pytest.mark.parametrize("batch", [1, 4, 16, 40])
def test_batch_gradient_is_unbiased_with_the_variance_of_a_sample(batch: int) -> None:
    n, draws = 40, 20_000
    X, y = data.two_gaussians(n, rng=5)
    gradient, w = BatchGradient(Logistic(), X, y), np.array([0.3, -0.2])
    single = np.array([gradient(w, np.array([i])) for i in range(n)])
    walk = descent.sgd_steps(still, n, [0.0], step=ONE, batch=batch, rng=6)
    sample = np.array([single[rows].mean(axis=0) for _, rows in islice(walk, draws)])
    variance = single.var(axis=0, ddof=1) / batch * (1 - batch / n)
    assert np.allclose(gradient(w, np.arange(3)), single[:3].mean(axis=0))
    assert np.all(np.abs(sample.mean(axis=0) - gradient(w)) <= 4 * np.sqrt(variance / draws) + 1e-12)
    assert np.allclose(sample.var(axis=0), variance, rtol=0.05, atol=1e-12)


def perceptron_path(X: Array, y: Array, steps: int) -> Array:
    """Run the perceptron over the rows in turn and keep the weights after every look at a point."""
    w = np.zeros(X.shape[1])
    path = [w]
    for t in range(steps):
        i = t % len(y)
        if y[i] * (w @ X[i]) <= 0:
            w = w + y[i] * X[i]
        path.append(w)
    return np.array(path)


@pytest.mark.claim("LIN-47")
@given(seed=st.integers(0, 200))
def test_sgd_on_the_perceptron_loss_is_the_perceptron(seed: int) -> None:
    X, y = data.two_gaussians(20, rng=seed)
    X = np.column_stack([np.ones(20), X])
    gradient = BatchGradient(PerceptronLoss(), X, y)
    walk = descent.sgd_steps(gradient, 20, np.zeros(3), step=ONE, order="cyclic")
    path = np.array([w for w, _ in islice(walk, 101)])
    assert np.array_equal(path, perceptron_path(X, y, 100))


def test_full_batch_is_gradient_descent_and_the_objective_is_watched_at_every_point() -> None:
    gradient = BatchGradient(Logistic(), *data.two_gaussians(20, rng=0))
    w = np.zeros(2)
    for t in range(1, 6):
        w = w - 0.5 / t * gradient(w)
    how: Any = {"step": PowerStep(0.5, 1), "batch": 20, "n_iter": 5, "order": "cyclic"}
    result = descent.sgd(gradient, 20, np.zeros(2), **how)
    assert np.allclose(result.w, w)
    assert (result.n_iter, result.trace.shape, result.converged) == (5, (0,), False)
    X, y = data.two_gaussians(200, rng=1)
    gradient, risk = BatchGradient(Logistic(), X, y), lambda w: empirical_risk(Logistic(), w, X, y)
    how = {"step": PowerStep(1.0, 0.6), "batch": 5, "n_iter": 300, "rng": 2, "order": "epochs"}
    result = descent.sgd(gradient, 200, np.zeros(2), **how, objective=risk)
    assert (result.trace.shape, result.trace[0]) == ((301,), 1.0)
    assert result.trace[-1] == empirical_risk(Logistic(), result.w, X, y) < 0.75


def noisy_quadratic(step: StepSize, seed: int, n_iter: int = 3000) -> float:
    """Minimise the mean of (w - c_i)^2 / 2 with mean c = 0 from w = 3 and return the distance left."""
    c = np.array([-1.0, 1.0])
    slope = lambda w, rows: w - c[rows].mean()  # noqa: E731
    return float(abs(descent.sgd(slope, 2, [3.0], step=step, n_iter=n_iter, rng=seed).w[0]))


@pytest.mark.claim("REG-12")
def test_steps_of_robbins_and_monro_converge_and_others_do_not() -> None:
    left = {p: [noisy_quadratic(PowerStep(0.9, p), seed) for seed in range(5)] for p in (0.0, 0.75, 1.0, 2.0)}
    assert max(left[1.0]) < 0.06
    assert max(left[0.75]) < 0.12
    assert np.mean(left[0.0]) > 0.3  # the noise never dies out
    assert np.mean(left[2.0]) > 0.3  # the walk stops short of the minimum


@given(losses=st.lists(st.floats(-10, 10), max_size=20), share=st.floats(0.01, 1), start=st.floats(-10, 10))
def test_running_loss_weighs_losses_by_their_age(losses: list[float], share: float, start: float) -> None:
    T = len(losses)
    weights = share * (1 - share) ** np.arange(T - 1, -1, -1)
    estimate = descent.running_loss(losses, share, start)
    assert len(estimate) == T + 1
    assert np.isclose(estimate[-1], (1 - share) ** T * start + weights @ np.array(losses), atol=1e-9)


@pytest.mark.claim("REG-08")
def test_running_loss_follows_the_mean_loss_and_a_late_look_is_flattered() -> None:
    X, y = data.two_gaussians(300, rng=4)
    gradient, loss, step = BatchGradient(Logistic(), X, y), Logistic(), ConstantStep(0.5)
    before, after, true = [], [], []
    walk = descent.sgd_steps(gradient, 300, np.zeros(2), step=step, rng=5)
    for w, rows in islice(walk, 2000):
        before.append(empirical_risk(loss, w, X[rows], y[rows]))
        after.append(empirical_risk(loss, w - 0.5 * gradient(w, rows), X[rows], y[rows]))
        true.append(empirical_risk(loss, w, X, y))
    late = slice(500, None)
    estimate = descent.running_loss(before, 0.01, true[0])
    assert abs(np.mean(estimate[late]) - np.mean(true[late])) < 0.02
    assert np.mean(after[late]) < np.mean(true[late]) - 0.05
    assert all(b >= a for a, b in zip(after, before, strict=True))


@given(seed=st.integers(0, 100))
def test_columns_are_exact_on_an_orthogonal_design(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.linalg.qr(rng.normal(size=(9, 4)))[0] * rng.uniform(0.5, 3, 4)
    y = rng.normal(size=9)
    exact = np.linalg.lstsq(X, y, rcond=None)[0]
    assert np.allclose(descent.initial_weights(X, y, "columns"), exact, atol=1e-10)


def test_zeros_and_uniform_and_columns_of_zeros() -> None:
    assert descent.initial_weights([[0.0, 2.0], [0.0, 0.0]], [1.0, 1.0], "columns").tolist() == [0.0, 0.5]
    X, y = np.ones((3, 50)), np.ones(3)
    assert descent.initial_weights(X, y).tolist() == [0.0] * 50
    w = descent.initial_weights(X, y, "uniform", rng=0)
    assert w.shape == (50,)
    assert 0.005 < np.abs(w).max() <= 0.01
    assert w.min() < 0 < w.max()
