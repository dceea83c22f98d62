"""Scores of probabilities: Brier, log-loss, reliability."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve

from lecturekit.metrics import brier, brier_classes, brier_decomposition, ece, log_loss, reliability_curve


def forecasts(seed: int, n: int = 300, digits: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    p = rng.random(n).round(digits)
    return np.where(rng.random(n) < p**1.5, 1, -1), p


samples = st.tuples(st.integers(0, 10**6), st.integers(1, 40), st.integers(0, 3)).map(lambda a: forecasts(*a))


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_scikit_learn(seed: int) -> None:
    y, p = forecasts(seed)
    p = np.clip(p, 0.01, 0.99)
    assert brier(y, p) == pytest.approx(sk.brier_score_loss(y, p), rel=1e-12)
    assert log_loss(y, p) == pytest.approx(sk.log_loss(y, p), rel=1e-12)
    assert brier((y + 1) // 2, p) == brier(y, p)
    assert log_loss((y + 1) // 2, p) == log_loss(y, p)


def test_scores_at_the_ends_and_of_one_class() -> None:
    assert (brier([1, 1], [0.5, 1.0]), ece([-1, -1], [0.25, 0.25])) == (0.125, 0.25)
    assert (log_loss([1, 0], [1.0, 0.0]), math.copysign(1, log_loss([1], [1.0]))) == (0.0, 1)
    assert log_loss([1, 0], [0.0, 0.0]) == log_loss([-1], [1.0]) == math.inf


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_scores_are_proper(truth: float, said: float) -> None:
    def expected(score: Any, p: float) -> float:
        return float(truth * score([1], [p]) + (1 - truth) * score([0], [p]))

    assert expected(brier, truth) <= expected(brier, said) + 1e-12
    assert expected(log_loss, truth) <= expected(log_loss, said) + 1e-12


def test_brier_of_classes() -> None:
    rng = np.random.default_rng(0)
    P, y = rng.dirichlet([1, 1, 1], 50), rng.choice(["a", "b", "c"], 50)
    hits = y[:, None] == np.array(["a", "b", "c"])
    assert brier_classes(y, P) == pytest.approx(np.mean(np.sum((hits - P) ** 2, axis=1)))
    assert brier_classes(["b"], [[0.0, 1.0]], labels=["b", "a"]) == 2.0
    assert brier_classes([7, 7], [[1.0], [1.0]]) == 0.0


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("bins", [1, 5, 10, 17])
def test_curve_is_that_of_scikit_learn(strategy: str, bins: int) -> None:
    y, p = forecasts(1, digits=6)
    curve = reliability_curve(y, p, bins=bins, strategy=strategy)
    frequency, forecast = calibration_curve(y, p, n_bins=bins, strategy=strategy)
    assert np.allclose(curve.frequency, frequency, rtol=1e-12)
    assert np.allclose(curve.mean_predicted, forecast, rtol=1e-12)
    assert curve.count.sum() == 300
    gap = np.abs(frequency - forecast)
    assert curve.ece == ece(y, p, bins=bins, strategy=strategy) == pytest.approx(gap @ curve.count / 300)


def test_bins_hold_their_upper_edge_the_first_both_and_ties_merge_those_of_equal_count() -> None:
    curve = reliability_curve([0, 0, 1, 1, 1], [0.0, 0.25, 0.26, 0.5, 1.0], bins=4)
    assert (curve.count.tolist(), curve.mean_predicted.tolist()) == ([2, 2, 1], [0.125, 0.38, 1.0])
    curve = reliability_curve([0, 1, 1, 1], [0.5, 0.5, 0.5, 0.9], bins=4, strategy="quantile")
    assert curve.count.tolist() == [3, 1]
    constant = reliability_curve([0, 1], [0.5, 0.5], bins=4, strategy="quantile")
    assert (constant.count.tolist(), constant.ece) == ([2], 0.0)


@given(samples, st.sampled_from([None, 1, 3, 10]), st.sampled_from(["uniform", "quantile"]))
def test_parts_sum_to_the_score(sample: tuple[Any, Any], bins: int | None, strategy: str) -> None:
    y, p = sample
    parts = brier_decomposition(y, p, bins, strategy=strategy)
    assert parts.brier == pytest.approx(brier(y, p), abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty, parts.within_variance) >= 0
    if bins is None:
        assert parts.within_variance == pytest.approx(0, abs=1e-30)
        assert parts.within_covariance == pytest.approx(0, abs=1e-15)
        assert brier(y, p) == pytest.approx(parts.reliability - parts.resolution + parts.uncertainty)


def test_parts_by_brute_force() -> None:
    y, p = forecasts(3, 60, 3)
    t = (y + 1) / 2
    parts = brier_decomposition(y, p, 4)
    bin_of = np.ceil(p * 4).clip(1, 4)
    bins = [(p[bin_of == k], t[bin_of == k]) for k in range(1, 5)]
    assert all(len(a) for a, _ in bins)
    assert 60 * parts.reliability == pytest.approx(sum(len(a) * (a.mean() - b.mean()) ** 2 for a, b in bins))
    assert 60 * parts.resolution == pytest.approx(sum(len(a) * (b.mean() - t.mean()) ** 2 for a, b in bins))
    assert parts.uncertainty == pytest.approx(t.var())
    assert 60 * parts.within_variance == pytest.approx(sum(len(a) * a.var() for a, _ in bins))
    covariance = sum(np.sum((a - a.mean()) * (b - b.mean())) for a, b in bins)
    assert 60 * parts.within_covariance == pytest.approx(2 * covariance)
