"""Working sets: their Gram matrices, weak duality after each look, and that few features are taken in."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from lecturekit._typing import Array
from lecturekit.penalized import _solver, lam_max, lasso, multitask_lasso, penalized_objective
from lecturekit.penalized._penalties import centre
from lecturekit.penalized._solver import GAP_EPOCHS, Epochs, FeatureSet, descend, looks
from tests.support.penalty_oracles import ROUNDING, TIGHT, centred, problem

EXACT = 1e-12


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("k", [0, 2])
@pytest.mark.parametrize(
    "parts", [([4], [], [0, 6], [2]), ("rest",), ([5, 1], "rest")], ids=["some", "all", "rest"]
)
def test_set_grows_by_some_features_or_by_all_the_rest(copy: bool, k: int, parts: Any) -> None:
    X, Y = problem(6, 30, 7, k=k)
    X += 5.0  # means that are not subtracted beforehand
    Z, V = centred(X, Y, True)
    data = centre(X, Y, copy=copy)
    assert (data.shift is None) == copy
    chosen, order = FeatureSet(data), list[int]()
    assert chosen.residuals(np.zeros((0, *Y.shape[1:]))) is data.Y
    for more in parts:
        if more == "rest":
            order += [j for j in range(7) if j not in order]
            chosen.add_rest()
        else:
            order += more
            chosen.add(np.array(more, dtype=np.intp))
        G, c = chosen.gram()
        assert chosen.features.tolist() == order
        assert np.allclose(chosen.columns(), Z[:, order], atol=EXACT)
        assert np.allclose(G, Z[:, order].T @ Z[:, order] / 30, atol=EXACT)
        assert np.allclose(c, Z[:, order].T @ V / 30, atol=EXACT)
    assert np.shares_memory(chosen._columns, data.X) == (parts == ("rest",))  # no copy of all
    W = np.random.default_rng(7).normal(size=(len(order), *Y.shape[1:]))
    assert np.allclose(chosen.residuals(W), V - Z[:, order] @ W, atol=EXACT)
    assert chosen.gram()[0] is G  # computed once


def descent(l1: float) -> Epochs:
    """Return epochs of the lasso, written plainly."""

    def gram(G: Array, w: Array, g: Array) -> None:
        for _ in range(GAP_EPOCHS):
            for j in range(len(w)):
                z = g[j] + G[j, j] * w[j]
                step = np.sign(z) * max(abs(z) - l1, 0) / G[j, j] - w[j]
                w[j] += step
                g -= step * G[j]

    def columns(X: Array, square: Array, w: Array, r: Array) -> None:
        for j in range(len(w)):
            z = X[:, j] @ r / len(X) + square[j] * w[j]
            step = np.sign(z) * max(abs(z) - l1, 0) / square[j] - w[j]
            w[j] += step
            r -= step * X[:, j]

    return Epochs(gram, columns)


def always(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Solve every set on its Gram matrix, or every set on its columns."""
    chosen = getattr(_solver, form)
    for name in ("_on_gram", "_on_columns"):
        monkeypatch.setattr(_solver, name, chosen)


each_form = pytest.mark.parametrize("form", ["_on_gram", "_on_columns"])


@each_form
@pytest.mark.parametrize("growth", [(0.0, 0.0), (9.0, 3e6)], ids=["one", "all"])
def test_looks_are_weakly_dual_and_lead_to_the_optimum(
    monkeypatch: pytest.MonkeyPatch, form: str, growth: tuple[float, float]
) -> None:
    always(monkeypatch, form)
    monkeypatch.setattr(_solver, "READ_COST", growth[0])
    monkeypatch.setattr(_solver, "ROUND_COST", growth[1])
    X, y = problem(2, 12, 8)
    best, scale, sizes, gaps = lasso(X, y, 0.2, tol=1e-13), float(y @ y), [0], []
    chosen, w = FeatureSet(centre(X, y)), np.zeros(8)
    steps = looks(chosen, w, 0.2, 0.0, descent(0.2), enough=1e-12, max_iter=100_000)
    for n_iter, primal, dual in islice(steps, 12):
        assert dual <= best.primal + ROUNDING * scale
        assert primal >= best.dual - ROUNDING * scale
        assert primal == pytest.approx(penalized_objective(w, X, y, 0.2))
        assert np.all(np.isin(np.flatnonzero(w), chosen.features))
        sizes.append(len(chosen.features))
        gaps.append(primal - dual)
        assert n_iter % GAP_EPOCHS == 0
    assert gaps[-1] <= 1e-11
    assert np.allclose(w, best.w, atol=1e-5)
    assert set(best.support) <= set(chosen.features)
    if growth[1] == 0.0:
        assert max(np.diff(sizes)) == 1


def test_set_stays_small_where_few_features_matter_and_epochs_are_counted_and_end() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 300))
    y = X[:, :3] @ np.array([3.0, -2.0, 4.0])
    chosen, w, lam = FeatureSet(centre(X, y)), np.zeros(300), 0.7 * lam_max(X, y)
    steps = looks(chosen, w, lam, 0.0, descent(lam), enough=1e-9, max_iter=1000)
    gaps = [primal - dual for _, primal, dual in islice(steps, 4)]
    assert gaps[0] > 0.1
    assert gaps[-1] <= 1e-8
    assert len(chosen.features) < 30
    few = FeatureSet(centre(*problem(4, 12, 8)))
    steps = looks(few, np.zeros(8), 0.001, 0.0, descent(0.001), enough=1e-300, max_iter=25)
    counted = [n_iter for n_iter, _, _ in islice(steps, 6)]
    assert counted[0] == 0
    assert 30 in counted  # 25 rounded up
    assert counted[-1] == 30  # and not one more


@pytest.mark.parametrize(
    ("tol", "max_iter", "n_iter", "converged"),
    [(2.0**-6, 100, 9, True), (2.0**-6, 9, 9, True), (1e-9, 4, 6, False), (1e-9, 100, 12, False)],
)
def test_descent_stops_at_the_first_small_gap_or_after_the_most_epochs_or_at_the_end(
    monkeypatch: pytest.MonkeyPatch, tol: float, max_iter: int, n_iter: int, converged: bool
) -> None:
    def halving(chosen: FeatureSet, w: Array, l1: float, l2: float, epochs: Any, **how: float) -> Any:
        """Yield gaps 1, 1/2, 1/4, 1/8, 1/16, every third epoch, writing into the weights."""
        assert (l1, l2, how) == (0.125, 0.375, {"enough": 8 * tol, "max_iter": max_iter})
        for i in range(5):
            w[:] = i
            yield 3 * i, 1 + 2.0**-i, 1.0

    monkeypatch.setattr(_solver, "looks", halving)
    chosen, w = FeatureSet(centre([[1.0], [3.0]], [0.0, 8.0])), np.zeros(1)  # the scale is 16 / 2
    found = descend(chosen, w, 0.5, 0.25, descent(0.1), tol=tol, max_iter=max_iter)
    last = n_iter // 3
    assert (found.n_iter, found.gap, found.converged) == (n_iter, 2.0**-last, converged)
    assert found.trace.tolist() == [[3 * i, 1 + 2.0**-i, 1.0] for i in range(last + 1)]
    assert (found.lam, found.l1_ratio, found.b) == (0.5, 0.25, 4.0 - 2.0 * last)
    w[:] = 99.0
    assert found.w.tolist() == [last]  # a copy


@pytest.mark.jit
@each_form
def test_both_forms_of_epochs_lead_to_the_same_weights(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    X, Y = problem(5, 12, 8, k=2)
    own: Any = {"tol": TIGHT["tol"], "fit_intercept": False}
    usual = lasso(X, Y[:, 0], 0.2, **own), multitask_lasso(X, Y, 0.2, **own)
    always(monkeypatch, form)
    other = lasso(X, Y[:, 0], 0.2, **own), multitask_lasso(X, Y, 0.2, **own)
    for one, two in zip(usual, other, strict=True):
        assert two.converged
        assert np.allclose(one.w, two.w, atol=1e-5)
