"""Where to operate: hulls, iso-loss lines, cost curves, the LC index."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial import ConvexHull

from lecturekit import metrics
from lecturekit.metrics import RocCurve, Triangular, cost_curve, iso_loss, lc_index, roc_curve, roc_hull

EXACT = 1e-12


def scored(seed: int, n: int = 40, digits: int = 1) -> RocCurve:
    """Draw a ROC curve of scores with ties."""
    rng = np.random.default_rng(seed)
    y = np.append([-1, 1], rng.choice([-1, 1], n - 2))
    return roc_curve(y, (rng.normal(size=n) + rng.uniform(-1, 2) * y).round(digits))


def through(*points: tuple[float, float]) -> RocCurve:
    fpr, tpr = np.array(points).T
    return RocCurve(fpr=fpr, tpr=tpr, thresholds=np.linspace(1, 0, len(fpr)))


curves = st.builds(scored, st.integers(0, 10**6), st.integers(2, 60), st.integers(0, 3))
shares = st.floats(0.05, 0.95)
NOT_CONCAVE = through((0, 0), (0, 0.5), (0.25, 0.55), (0.3, 0.9), (1, 1))
CONCAVE = through((0, 0), (0.3, 0.5), (1, 1))


@given(curves)
def test_hull_is_concave_above_the_curve_made_of_its_points_and_that_of_scipy(curve: RocCurve) -> None:
    hull = roc_hull(curve)
    assert np.array_equal(hull.fpr, curve.fpr[hull.index])
    assert np.array_equal(hull.thresholds, curve.thresholds[hull.index])
    assert (hull.index[0], hull.index[-1]) == (0, len(curve.fpr) - 1)
    right, up = np.diff(hull.fpr), np.diff(hull.tpr)
    assert np.all(right[:-1] * up[1:] < right[1:] * up[:-1])  # it turns right at every corner
    last = np.append(right > 0, True)  # the upper ends of its vertical pieces
    assert np.all(np.interp(curve.fpr, hull.fpr[last], hull.tpr[last]) >= curve.tpr - EXACT)
    assert hull.auc >= curve.auc - EXACT
    points = np.vstack([np.column_stack([curve.fpr, curve.tpr]), [[1.0, 0.0]]])
    corners = {tuple(points[k].round(9)) for k in ConvexHull(points).vertices}
    assume((0.0, 0.0) in corners)  # the corner (1, 0) closes the figure below
    hull = roc_hull(curve)
    assert set(zip(hull.fpr.round(9), hull.tpr.round(9), strict=True)) == corners - {(1.0, 0.0)}


def test_hull_leaves_out_a_dent_and_in_a_large_sample_keeps_small_turns() -> None:
    hull = roc_hull(NOT_CONCAVE)
    assert (hull.index.tolist(), repr(hull)) == ([0, 1, 3, 4], "RocHull(4 points, auc=0.875)")
    assert roc_hull(CONCAVE).index.tolist() == [0, 1, 2]
    n = 200_000
    fpr = np.arange(n + 1) / n
    assert len(roc_hull(RocCurve(fpr=fpr, tpr=fpr, thresholds=-fpr)).index) == 2
    bent = fpr + (np.arange(n + 1) == n // 2) / n
    assert roc_hull(RocCurve(fpr=fpr, tpr=bent, thresholds=-fpr)).index.tolist() == [0, n // 2, n]


@given(curves, st.floats(0.1, 10), st.floats(0.1, 10), shares)
def test_the_tangent_point_loses_least(curve: RocCurve, fp: float, fn: float, share: float) -> None:
    point = iso_loss(curve, fp, fn, share)
    losses = fp * (1 - share) * curve.fpr + fn * share * (1 - curve.tpr)
    assert np.allclose(metrics.expected_loss(curve.fpr, curve.tpr, fp, fn, share), losses)
    assert point.loss == pytest.approx(losses.min(), abs=1e-10)
    assert point.index == np.flatnonzero(losses <= losses.min() + 1e-10)[0]
    assert point.slope == pytest.approx(fp * (1 - share) / (fn * share))
    assert np.all(curve.tpr <= point.line(curve.fpr) + 1e-9 * max(1, point.slope))
    assert point.line(point.fpr) == point.tpr
    hull = roc_hull(curve)
    assert iso_loss(hull, fp, fn, share).loss == pytest.approx(point.loss, abs=1e-10)
    assert (point.fpr, point.tpr) == (curve.fpr[point.index], curve.tpr[point.index])


def test_the_threshold_is_that_of_the_likelihood_ratio() -> None:
    theta = np.linspace(8, -6, 200_001)
    curve = RocCurve(fpr=stats.norm.sf(theta), tpr=stats.norm.sf(theta - 2), thresholds=theta)
    point = iso_loss(curve, cost_fp=1, cost_fn=3, prevalence=0.3)
    ratio = stats.norm.pdf(point.threshold - 2) / stats.norm.pdf(point.threshold)
    assert ratio == pytest.approx(point.slope, rel=1e-3)
    assert point.slope == pytest.approx(7 / 9)


@pytest.mark.parametrize("ratio", [1e-12, 1e-9, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("prevalence", [1e-12, 0.5])
def test_the_dearer_error_does_not_blur_the_cheaper(ratio: float, prevalence: float) -> None:
    y = np.repeat([-1, 1], 500)
    curve = roc_curve(y, np.random.default_rng(0).normal(size=1000) + 3 * (y > 0))
    point = iso_loss(curve, cost_fp=ratio, cost_fn=1, prevalence=prevalence)
    best = np.min(ratio * (1 - prevalence) * curve.fpr + prevalence * (1 - curve.tpr))
    assert point.loss == pytest.approx(best, rel=1e-9, abs=1e-30)


def test_of_points_that_lose_the_same_the_first_is_taken() -> None:
    curve = roc_curve([1, -1, 1, -1], [0.4, 0.7, 0.6, 0.1])
    assert iso_loss(curve, 100, 1, 0.5).threshold == math.inf  # nothing is called positive
    assert iso_loss(curve, 1, 100, 0.5).threshold == 0.4
    assert iso_loss(through((0, 0), (0.5, 0.5), (1, 1)), 1, 1, 0.5).index == 0
    assert iso_loss(through((0, 0), (0.1, 0.6), (0.4, 0.9), (1, 1)), 1, 1, 0.5).index == 1


@given(curves, shares)
def test_cost_curve_is_the_least_loss(curve: RocCurve, share: float) -> None:
    cost = cost_curve(curve, share)
    lam = np.linspace(0, 1, 101)[:, None]
    losses = lam * share * (1 - curve.tpr) + (1 - lam) * (1 - share) * curve.fpr
    assert np.allclose(cost.at(lam[:, 0]), losses.min(axis=1), atol=1e-12)
    assert (cost.lam[0], cost.lam[-1], cost.loss[0], cost.loss[-1]) == (0, 1, 0, 0)
    assert np.all(np.diff(cost.lam) > 0)


@given(curves, curves, shares)
def test_lc_index_by_brute_force(one: RocCurve, two: RocCurve, share: float) -> None:
    found = lc_index(one, two, share)
    lam = (np.arange(4_000) + 0.5) / 4_000
    gap = cost_curve(two, share).at(lam) - cost_curve(one, share).at(lam)
    weight = 2 - np.abs(4 * lam - 2)
    sign = np.where(np.abs(gap) > 1e-9, np.sign(gap), 0)
    assert found.value == pytest.approx(np.mean(sign * weight), abs=1e-3 * (1 + len(found.sign)))
    assert lc_index(two, one, share).value == pytest.approx(-found.value, abs=EXACT)
    assert len(found.sign) == len(found.lam) - 1
    assert -1 - EXACT <= found.value <= 1 + EXACT
    assert lc_index(one, one, share).value == 0


def test_lc_index_of_crossing_curves_of_a_dominating_one_and_of_rare_positives() -> None:
    early, late = through((0, 0), (0.1, 0.6), (1, 1)), through((0, 0), (0.4, 0.9), (1, 1))
    found = lc_index(early, late, 0.5, weight=lambda lam: lam**2)
    # an edge (dx, dy) changes the line at dx / (dx + dy); the line of slope 1 touches both, at 1/2
    assert np.allclose(found.lam, [0, 1 / 7, 4 / 13, 1 / 2, 9 / 13, 6 / 7, 1])
    assert found.sign.tolist() == [0, 1, 1, -1, -1, 0]
    assert found.value == pytest.approx((1 / 4 - 1 / 49) - (36 / 49 - 1 / 4), abs=EXACT)
    assert repr(found) == f"LcIndex(value={found.value!r})"
    assert lc_index(early, late, 0.5, weight=Triangular(0.2, 0.3, 0.4)).value == pytest.approx(1)
    assert lc_index(early, late, 0.5, weight=Triangular(0.55, 0.6, 0.7)).value == pytest.approx(-1)
    found = lc_index(NOT_CONCAVE, CONCAVE, 0.5)
    # both call everything positive where the slope (1 - lam) / lam is below 1/7: no difference from 7/8 on
    assert found.value == pytest.approx(1 - 2 * (1 / 8) ** 2)
    assert set(found.sign) == {0.0, 1.0}
    assert lc_index(NOT_CONCAVE, CONCAVE, 0.5, weight=Triangular(0, 0.5, 7 / 8)).value == pytest.approx(1)
    y = np.repeat([-1, 1], 10)
    good, fair = roc_curve(y, y), roc_curve(y, y + 2 * np.random.default_rng(1).normal(size=20))
    for prevalence in (0.5, 1e-6, 1e-12, 1 - 1e-12):
        assert lc_index(good, fair, prevalence).value == pytest.approx(1)
        assert lc_index(fair, fair, prevalence).value == 0


@pytest.mark.parametrize("corners", [(0, 0.5, 1), (0.2, 0.2, 0.6), (0.2, 0.6, 0.6), (0.1, 0.7, 0.9)])
def test_triangular_is_that_of_scipy(corners: tuple[float, float, float]) -> None:
    low, mode, high = corners
    lam = np.linspace(0, 1, 201)
    expected = stats.triang(c=(mode - low) / (high - low), loc=low, scale=high - low).cdf(lam)
    assert np.allclose(Triangular(*corners)(lam), expected, atol=1e-12)
    assert Triangular(0.5, 0.5, 0.5 + 1e-13)(np.array([0.0, 0.5, 0.6])).tolist() == [0.0, 0.0, 1.0]  # a step
