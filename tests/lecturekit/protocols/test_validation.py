"""Cross-validation: scikit-learn's scores, the same ones on one core, on two, in a cluster."""

import threading
from pathlib import Path
from typing import Any, ClassVar

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

from lecturekit import data, metrics, protocols
from lecturekit._typing import Array
from lecturekit.protocols import cross_validate, error_rate, evaluate, kfold, mean_squared_error

MODEL = make_pipeline(StandardScaler(), LogisticRegression())
X, Y, _ = data.breast_cancer()
X, Y = X[:200], Y[:200]
FOLDS = protocols.stratified_kfold(Y, 5, rng=0)


def mean_of(X: Array, y: Array) -> Any:
    return lambda Z: np.full(len(Z), y.mean())


def least_squares(X: Array, y: Array) -> Any:
    w = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y, rcond=None)[0]
    return lambda Z: np.column_stack([np.ones(len(Z)), Z]) @ w


def test_scores_are_those_of_scikit_learn_and_probabilities_stay_a_table_for_three_classes() -> None:
    found = cross_validate(MODEL, X, Y, FOLDS, accuracy_score)
    assert np.array_equal(found.scores, cross_val_score(MODEL, X, Y, cv=FOLDS))
    assert np.allclose(cross_validate(MODEL, X, Y, FOLDS).scores, 1 - found.scores)
    assert found.n_test.tolist() == [40] * 5
    assert found.std == pytest.approx(found.scores.std(ddof=1))
    rows: Any = [("decision_function", metrics.auc, "roc_auc"), ("predict_proba", roc_auc_score, "roc_auc")]
    for response, metric, peer in [*rows, ("predict_proba", log_loss, "neg_log_loss")]:
        scores = cross_validate(MODEL, X, Y, FOLDS, metric, response=response).scores
        assert np.allclose(scores, np.abs(cross_val_score(MODEL, X, Y, cv=FOLDS, scoring=peer)))
    Z, y = data.digits(0, 1, 2)
    model = LogisticRegression(max_iter=2000).fit(Z[:300], y[:300])
    shape = evaluate(model, Z[300:], y[300:], lambda y, P: float(P.shape[1]), response="predict_proba")
    assert shape == 3


@pytest.mark.claim("EVAL-12")
def test_leaving_one_out_is_its_closed_form() -> None:
    Z, y = (part[:40] for part in data.diabetes()[:2])
    found = cross_validate(least_squares, Z, y, protocols.leave_one_out(40), mean_squared_error)
    assert np.allclose(found.scores, protocols.ols_loo(Z, y) ** 2)


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


def test_predictions_are_compared_one_by_one_and_an_estimator_is_left_alone() -> None:
    y = np.arange(6.0)
    with pytest.raises(ValueError, match="must be alike"):
        evaluate(lambda Z: Z, y[:, None], y, mean_squared_error)
    with pytest.raises(ValueError, match="must be alike"):
        cross_validate(mean_of, y[:, None], y[:, None], kfold(6, 2, rng=0), mean_squared_error)
    assert error_rate(np.array(["a", "b"], dtype=object), np.array(["a", "a"])) == 0.5
    assert mean_squared_error([[1, 2]], [[3, 2]]) == 2.0  # several targets
    model = LogisticRegression()
    Z = StandardScaler().fit_transform(X)
    fitted = protocols.train(model, Z, Y)
    assert not hasattr(model, "coef_")
    assert evaluate(fitted, Z, Y, error_rate) == pytest.approx(1 - fitted.score(Z, Y))


class Recorder(BaseEstimator):  # type: ignore[misc]
    """It remembers, in a list it shares with its copies, what it was trained on."""

    seen: ClassVar[list[tuple[Array, Array]]] = []

    def fit(self, X: Array, y: Array) -> "Recorder":
        """Remember."""
        self.seen.append((X[:, 0].astype(int), y))
        return self

    def predict(self, X: Array) -> Array:
        """Return zeros."""
        return np.zeros(len(X))


@pytest.mark.claim("EVAL-14")
def test_what_is_trained_on_and_how_often() -> None:
    table, y = np.arange(6)[:, None], 10 * np.arange(6)
    Recorder.seen.clear()
    cross_validate(Recorder(), table, y, protocols.leave_one_out(6), mean_squared_error)
    assert len(Recorder.seen) == 6
    for i, (given, targets) in enumerate(Recorder.seen):
        assert given.tolist() == [j for j in range(6) if j != i]
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
    Z, model = np.sign(X - X.mean(axis=0)), LogisticRegression()
    found, wanted = (cross_validate(model, points, Y, FOLDS).scores for points in (form(Z), Z))
    assert np.allclose(found, wanted)


def test_groups_are_watched() -> None:
    groups = np.arange(200) // 2
    assert len(cross_validate(MODEL, X, Y, protocols.group_kfold(groups, 5), groups=groups).scores) == 5
    with pytest.raises(ValueError, match="must not share a group"):
        cross_validate(MODEL, X, Y, FOLDS, groups=groups)


def test_a_cluster_gives_the_same_scores(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    here = cross_validate(MODEL, X, Y, FOLDS)

    def spy(y: Array, predicted: Array) -> float:
        assert distributed.get_worker().name is not None  # fails where there is no worker
        return error_rate(y, predicted)

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    cluster = distributed.LocalCluster(**options, local_directory=str(tmp_path))
    with cluster, distributed.Client(cluster), joblib.parallel_config("dask"):
        there = [cross_validate(MODEL, X, Y, FOLDS, metric).scores for metric in (error_rate, spy)]
    assert np.array_equal([here.scores] * 2, there)
    with pytest.raises(ValueError, match="No worker"):
        cross_validate(MODEL, X, Y, FOLDS, spy)


def test_two_processes_give_the_same_scores_and_two_jobs_run_at_the_same_time() -> None:
    here = cross_validate(MODEL, X, Y, FOLDS)
    with joblib.parallel_config("threading"):
        assert np.array_equal(here.scores, cross_validate(MODEL, X, Y, FOLDS, n_jobs=2).scores)
    there = cross_validate(MODEL, X, Y, FOLDS, lambda y, p: error_rate(y, p), n_jobs=2)
    get_reusable_executor().shutdown(wait=True)  # leave no process behind
    assert np.array_equal(here.scores, there.scores)
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
