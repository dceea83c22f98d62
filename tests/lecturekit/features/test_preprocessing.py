"""Coding, holes and units: against scikit-learn, and against what each way keeps and loses."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from lecturekit import features
from lecturekit._typing import Array
from lecturekit.features import Standardizer, impute_histogram, impute_mean, impute_regression, one_hot

ROUNDING = 1e-12
NAN = float("nan")


@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("values", [["b", "a", "c", "a"], [3, 1, 1, 2], np.array(["x", "y"]), ["only"]])
def test_one_hot_is_that_of_scikit_learn(values: Any, drop: bool) -> None:
    columns, levels = one_hot(values, drop_first=drop)
    peer = OneHotEncoder(drop="first" if drop else None, sparse_output=False)
    assert np.array_equal(columns, peer.fit_transform(np.asarray(values)[:, None]))
    assert levels == sorted(set(np.asarray(values).tolist()))[drop:]


def test_new_points_are_coded_by_the_levels_of_the_old() -> None:
    _, levels = one_hot(["own", "rent", "other"])
    assert one_hot(["rent"], levels=levels)[0].tolist() == [[0.0, 0.0, 1.0]]
    assert one_hot(["b"], levels=["b", "a"])[1] == ["b", "a"]


def with_holes(n: int, seed: int, share: float = 0.3) -> tuple[Array, Array]:
    """Draw correlated columns, and the same with values missing at random."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal(n)
    whole = np.column_stack([z + 0.3 * rng.standard_normal(n) for _ in range(3)])
    holed = np.where(rng.random(whole.shape) < share, NAN, whole)
    return whole, holed


def fill(name: str, X: Any) -> Array:
    extra = {"rng": 0} if name == "impute_histogram" else {}
    filled: Array = getattr(features, name)(X, **extra)
    return filled


WAYS = ["impute_mean", "impute_histogram", "impute_regression"]
each_way = pytest.mark.parametrize("way", WAYS)


@each_way
def test_what_is_observed_stays_and_what_is_missing_is_filled(way: str) -> None:
    whole, holed = with_holes(50, 1)
    before = holed.copy()
    assert np.array_equal(fill(way, whole), whole)
    filled = fill(way, holed)
    seen = ~np.isnan(holed)
    assert np.array_equal(filled[seen], holed[seen])
    assert np.all(np.isfinite(filled))
    assert np.array_equal(holed, before, equal_nan=True)
    assert fill(way, [[1, 2], [1, None], [1, 2]])[1, 1] == pytest.approx(2.0)  # whole numbers, too


def test_mean_is_that_of_scikit_learn_and_draws_keep_the_spread_of_a_column() -> None:
    _, holed = with_holes(40, 3)
    assert np.allclose(impute_mean(holed), SimpleImputer().fit_transform(holed), rtol=ROUNDING)
    _, holed = with_holes(4000, 4)
    drawn, mean = impute_histogram(holed, rng=1), impute_mean(holed)
    for j in range(3):
        assert np.isin(drawn[:, j], holed[:, j]).all()
    spread = np.nanstd(holed, axis=0)
    assert np.allclose(drawn.std(axis=0), spread, rtol=0.05)
    assert np.all(mean.std(axis=0) < 0.9 * spread)
    assert np.array_equal(drawn, impute_histogram(holed, rng=np.random.default_rng(1)))
    assert not np.array_equal(drawn, impute_histogram(holed, rng=2))


@pytest.mark.claim("LIN-28")
def test_regression_beats_mean_beats_draw_on_correlated_columns() -> None:
    whole, holed = with_holes(1000, 5)
    gone = np.isnan(holed)
    loss = {way: float(np.mean((fill(way, holed) - whole)[gone] ** 2)) for way in WAYS}
    variance = float(whole.var())
    assert loss["impute_regression"] < 0.3 * variance
    assert 0.9 * variance < loss["impute_mean"] < 1.1 * variance
    # a draw adds its own variance to that of what it replaces
    assert 1.8 * variance < loss["impute_histogram"] < 2.2 * variance


def test_regression_finds_an_exact_relation_and_more_sweeps_help_it() -> None:
    rng = np.random.default_rng(6)
    X = rng.standard_normal((30, 2))
    X = np.column_stack([X, 3 + X @ [2.0, -1.0]])
    holed = X.copy()
    holed[:5, 2] = NAN
    assert np.allclose(impute_regression(holed, sweeps=1), X, atol=1e-10)
    whole, part = with_holes(1000, 7, share=0.4)
    gone = np.isnan(part)
    once, often = (np.mean((impute_regression(part, sweeps=k) - whole)[gone] ** 2) for k in (1, 10))
    assert often < 0.9 * once


TABLES = arrays(
    np.float64, st.tuples(st.integers(2, 8), st.integers(1, 4)), elements=st.floats(-1e3, 1e3, width=32)
)


@given(TABLES)
def test_standardizer_is_that_of_scikit_learn_and_can_be_undone(X: Array) -> None:
    X = X[:, X.std(axis=0) > 1e-3]
    if X.shape[1] == 0:
        return
    units, peer = Standardizer.fit(X), StandardScaler().fit(X)
    assert np.allclose(units(X), peer.transform(X), atol=1e-6)
    assert np.allclose(units.undo(units(X)), X, atol=1e-9)
    assert np.allclose(units(X[:1] + 1), peer.transform(X[:1] + 1), atol=1e-6)  # new points, old units


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9])
def test_a_constant_column_is_refused_even_if_its_variance_is_not_quite_zero(value: float) -> None:
    X = np.column_stack([np.arange(7.0), np.full(7, value)])
    with pytest.raises(ValueError, match="got a constant column 1; drop it, an intercept does its work"):
        Standardizer.fit(X)
