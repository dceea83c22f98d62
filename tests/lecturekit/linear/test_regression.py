"""The linear regressors: scikit-learn's as oracle, and what they wrap."""

from typing import Any

import numpy as np
import pytest
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from lecturekit import data
from lecturekit._typing import Array
from lecturekit.least_squares import ols
from lecturekit.linear import ElasticNet, Lasso, LinearRegression, MultiTaskLasso, Ridge
from lecturekit.penalized import multitask_lasso

TIGHT: Any = {"tol": 1e-13, "max_iter": 1_000_000}


def diabetes() -> tuple[Array, Array]:
    """Return the real data, scaled: ten measurements and the progress of the disease."""
    table = data.diabetes()
    return StandardScaler().fit_transform(table.X), table.y


@pytest.mark.parametrize("intercept", [True, False])
def test_same_weights_as_scikit_learn(intercept: bool) -> None:
    X, y = diabetes()
    n, own = len(y), {"fit_intercept": intercept}
    pairs = [
        (LinearRegression(**own), sk.LinearRegression(fit_intercept=intercept)),
        (Ridge(0.3, **own), sk.Ridge(alpha=0.3 * n, fit_intercept=intercept)),
        (Lasso(3.0, **own, tol=1e-12), sk.Lasso(alpha=3.0, fit_intercept=intercept, **TIGHT)),
        (
            ElasticNet(3.0, 0.7, **own, tol=1e-12),
            sk.ElasticNet(alpha=3.0, l1_ratio=0.7, fit_intercept=intercept, **TIGHT),
        ),
    ]
    for ours, theirs in pairs:
        ours.fit(X, y)
        theirs.fit(X, y)
        assert np.allclose(ours.w_, theirs.coef_, atol=1e-4), type(ours).__name__
        assert np.isclose(ours.b_, theirs.intercept_), type(ours).__name__
        assert np.allclose(ours.predict(X), theirs.predict(X), atol=1e-3)
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y))


def test_one_task_is_the_lasso() -> None:
    X, y = diabetes()
    flat, column = MultiTaskLasso(5.0).fit(X, y), MultiTaskLasso(5.0).fit(X, y[:, None])
    assert np.array_equal(flat.w_, Lasso(5.0).fit(X, y).w_)
    assert column.w_.shape == (10, 1)
    assert np.allclose(column.w_[:, 0], flat.w_, atol=1e-2)


def test_they_keep_what_the_functions_found() -> None:
    X, y = diabetes()
    fit, model = ols(X, y, fit_intercept=False), LinearRegression(fit_intercept=False).fit(X, y)
    assert np.array_equal(model.w_, fit.w)
    assert (model.b_, model.gap_, model.n_iter_) == (0.0, fit.gap, 1)
    Y = np.column_stack([y, y])
    found = multitask_lasso(X, Y, 2.0, tol=1e-4, max_iter=7, fit_intercept=False)
    tasks = MultiTaskLasso(2.0, fit_intercept=False, tol=1e-4, max_iter=7).fit(X, Y)
    assert np.array_equal(tasks.w_, found.w)
    assert (tasks.gap_, tasks.n_iter_) == (found.gap, found.n_iter)


@pytest.mark.parametrize(
    "model", [LinearRegression(), Ridge(), Lasso(), ElasticNet(), MultiTaskLasso()], ids=repr
)
def test_options_reach_the_solver(model: Any) -> None:
    X, y = diabetes()
    y = y + 1000  # so that an intercept matters
    plain = clone(model).fit(X, y)
    assert not np.allclose(
        clone(model).set_params(fit_intercept=False).fit(X, y).predict(X), plain.predict(X)
    )
    if hasattr(model, "lam"):
        assert not np.allclose(clone(model).set_params(lam=10.0).fit(X, y).w_, plain.w_)
    if hasattr(model, "tol"):
        content = clone(model).set_params(tol=1e3).fit(X, y)  # with the very first weights
        assert not np.any(content.w_)
        few = clone(model).set_params(lam=0.01)  # a long way to go: ten features, twelve people
        patient, hasty = (clone(few).set_params(max_iter=m).fit(X[:12], y[:12]) for m in (100_000, 1))
        assert hasty.gap_ > 0.1 > patient.gap_
        assert hasty.n_iter_ < patient.n_iter_
