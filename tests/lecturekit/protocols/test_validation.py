"""Cross-validation: scikit-learn's scores, the same ones on one core, on two, in a cluster."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lecturekit import data, metrics
from lecturekit._typing import Array
from lecturekit.protocols import (
    cross_validate,
    error_rate,
    evaluate,
    group_kfold,
    kfold,
    leave_one_out,
    mean_squared_error,
    ols_loo,
    stratified_kfold,
    train,
)

MODEL = make_pipeline(StandardScaler(), LogisticRegression())
X, Y, _ = data.breast_cancer()
X, Y = X[:200], Y[:200]
FOLDS = stratified_kfold(Y, 5, rng=0)


def mean_of(X: Array, y: Array) -> Any:
    return lambda Z: np.full(len(Z), y.mean())


def least_squares(X: Array, y: Array) -> Any:
    w = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y, rcond=None)[0]
    return lambda Z: np.column_stack([np.ones(len(Z)), Z]) @ w


# -- scores ------------------------------------------------------------------------------------------------


def test_scores_are_those_of_scikit_learn() -> None:
    found = cross_validate(MODEL, X, Y, FOLDS, accuracy_score)
    assert np.array_equal(found.scores, cross_val_score(MODEL, X, Y, cv=FOLDS))
    assert np.allclose(cross_validate(MODEL, X, Y, FOLDS).scores, 1 - found.scores)
    assert found.n_test.tolist() == [40] * 5
    assert found.std == pytest.approx(found.scores.std(ddof=1))


@pytest.mark.parametrize(
    ("response", "metric", "peer"),
    [
        ("decision_function", metrics.auc, "roc_auc"),
        ("predict_proba", roc_auc_score, "roc_auc"),
        ("predict_proba", lambda y, p: -log_loss(y, p), "neg_log_loss"),
    ],
)
def test_metrics_of_scores_and_of_probabilities(response: str, metric: Any, peer: str) -> None:
    found = cross_validate(MODEL, X, Y, FOLDS, metric, response=response).scores
    assert np.allclose(found, cross_val_score(MODEL, X, Y, cv=FOLDS, scoring=peer))


def test_probabilities_of_three_classes_stay_a_table() -> None:
    Z, y = data.digits(0, 1, 2)
    model = LogisticRegression(max_iter=2000).fit(Z[:300], y[:300])
    shape = evaluate(model, Z[300:], y[300:], lambda y, P: float(P.shape[1]), response="predict_proba")
    assert shape == 3


@pytest.mark.claim("EVAL-12")
def test_leaving_one_out_is_its_closed_form() -> None:
    Z, y, _ = data.diabetes()
    Z, y = Z[:40], y[:40]
    found = cross_validate(least_squares, Z, y, leave_one_out(40), mean_squared_error)
    assert np.allclose(found.scores, ols_loo(Z, y) ** 2)


@pytest.mark.claim("EVAL-15")
def test_means_of_folds_and_of_observations() -> None:
    y = np.arange(5.0)
    found = cross_validate(mean_of, np.zeros((5, 1)), y, kfold(5, 2, rng=0), mean_squared_error)
    assert found.n_test.tolist() == [3, 2]
    assert found.mean == pytest.approx(found.scores.sum() / 2)
    assert found.pooled == pytest.approx((3 * found.scores[0] + 2 * found.scores[1]) / 5)
    assert repr(found) == f"CrossValidation(mean={found.mean:.4g}, 2 splits)"
    single = cross_validate(mean_of, np.zeros((5, 1)), y, kfold(5, 2, rng=0)[:1], mean_squared_error)
    assert np.isnan(single.std)


def test_predictions_are_compared_one_by_one() -> None:
    y = np.arange(6.0)
    with pytest.raises(ValueError, match="must be alike"):
        evaluate(lambda Z: Z, y[:, None], y, mean_squared_error)
    with pytest.raises(ValueError, match="must be alike"):
        cross_validate(mean_of, y[:, None], y[:, None], kfold(6, 2, rng=0), mean_squared_error)
    assert error_rate(np.array(["a", "b"], dtype=object), np.array(["a", "a"])) == 0.5
    assert mean_squared_error([[1, 2]], [[3, 2]]) == 2.0  # several targets


# -- learners and data -------------------------------------------------------------------------------------


def test_an_estimator_is_left_alone() -> None:
    model = LogisticRegression()
    Z = StandardScaler().fit_transform(X)
    fitted = train(model, Z, Y)
    assert fitted is not model
    assert not hasattr(model, "coef_")
    assert evaluate(fitted, Z, Y, error_rate) == pytest.approx(1 - fitted.score(Z, Y))


class Recorder(BaseEstimator):  # type: ignore[misc]
    """It remembers, in a list it shares with its copies, what it was trained on."""

    def __init__(self, seen: Any) -> None:
        self.seen = seen

    def fit(self, X: Array, y: Array) -> "Recorder":
        """Remember."""
        self.seen.rows.append((X[:, 0].astype(int), y))
        return self

    def predict(self, X: Array) -> Array:
        """Return zeros."""
        return np.zeros(len(X))


class Seen:
    """A list that is shared by copies."""

    def __init__(self) -> None:
        self.rows: list[tuple[Array, Array]] = []

    def __deepcopy__(self, memo: Any) -> "Seen":
        return self


@pytest.mark.claim("EVAL-14")
def test_what_is_trained_on_and_how_often() -> None:
    seen, n = Seen(), 6
    table, y = np.arange(n)[:, None], 10 * np.arange(n)
    cross_validate(Recorder(seen), table, y, leave_one_out(n), mean_squared_error)
    assert len(seen.rows) == n
    for i, (given, targets) in enumerate(seen.rows):
        assert given.tolist() == [j for j in range(n) if j != i]
        assert np.array_equal(targets, 10 * given)


def test_missing_inputs_are_the_learners_business() -> None:
    Z = X.copy()
    Z[::7, 0] = np.nan
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    assert cross_validate(model, Z, Y, FOLDS).mean < 0.1
    with pytest.raises(ValueError, match="NaN"):
        cross_validate(MODEL, Z, Y, FOLDS)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.coo_array, np.ndarray.tolist])
def test_sparse_matrices_and_lists(form: Any) -> None:
    Z = np.sign(X - X.mean(axis=0))
    model = LogisticRegression()
    found = cross_validate(model, form(Z), Y, FOLDS).scores
    assert np.allclose(found, cross_validate(model, Z, Y, FOLDS).scores)


def test_groups_are_watched() -> None:
    groups = np.arange(200) // 2
    assert len(cross_validate(MODEL, X, Y, group_kfold(groups, 5), groups=groups).scores) == 5
    with pytest.raises(ValueError, match="must not share a group"):
        cross_validate(MODEL, X, Y, FOLDS, groups=groups)


# -- where it runs -----------------------------------------------------------------------------------------


@contextmanager
def local_cluster(folder: Path) -> Iterator[None]:
    """Have joblib work in a Dask cluster of two workers in this process."""
    import distributed

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    cluster = distributed.LocalCluster(**options, local_directory=str(folder))  # type: ignore[no-untyped-call]
    client = distributed.Client(cluster)  # type: ignore[no-untyped-call]
    with cluster, client, joblib.parallel_config("dask"):
        yield


def test_a_cluster_gives_the_same_scores(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    here = cross_validate(MODEL, X, Y, FOLDS)
    names: list[str] = []

    def spy(y: Array, predicted: Array) -> float:
        from distributed import get_worker

        names.append(str(get_worker().name))  # fails where there is no worker
        return error_rate(y, predicted)

    with local_cluster(tmp_path):
        there = cross_validate(MODEL, X, Y, FOLDS)
        spied = cross_validate(MODEL, X, Y, FOLDS, spy)
    assert np.array_equal(here.scores, there.scores)
    assert np.array_equal(here.scores, spied.scores)
    with pytest.raises(ValueError, match="No worker"):
        cross_validate(MODEL, X, Y, FOLDS, spy)


def test_two_processes_give_the_same_scores() -> None:
    here = cross_validate(MODEL, X, Y, FOLDS)
    with joblib.parallel_config("threading"):
        assert np.array_equal(here.scores, cross_validate(MODEL, X, Y, FOLDS, n_jobs=2).scores)
    there = cross_validate(MODEL, X, Y, FOLDS, lambda y, p: error_rate(y, p), n_jobs=2)
    get_reusable_executor().shutdown(wait=True)  # leave no process behind
    assert np.array_equal(here.scores, there.scores)


def test_two_jobs_run_at_the_same_time() -> None:
    barrier = threading.Barrier(2)

    def metric(y: Array, predicted: Array) -> float:
        barrier.wait(timeout=60)  # fails unless two wait at a time
        return 1.0

    with joblib.parallel_config("threading"):
        found = cross_validate(mean_of, X, Y, kfold(200, 2, rng=0), metric, n_jobs=2)
    assert found.scores.tolist() == [1.0, 1.0]


def test_progress_is_shown_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    cross_validate(MODEL, X, Y, FOLDS)
    assert capsys.readouterr() == ("", "")
    cross_validate(MODEL, X, Y, FOLDS, progress=True)
    out, err = capsys.readouterr()
    assert (out, "5/5" in err, "splits" in err) == ("", True, True)
