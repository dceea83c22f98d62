"""Osuna's method: every working set raises the objective, and the end is that of SMO."""

import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lecturekit import svm
from lecturekit._jit import COMPILED
from lecturekit.kernels import RBF
from lecturekit.svm import osuna, osuna_steps, smo
from tests.support.oracles import gram, overlapping, slsqp_dual

ROUNDING = 1e-12  # relative to the sum of the costs: sums of a few dozen products
SOLVED = 1e-9  # the residual to which small problems are solved exactly
FROM_SOLVED = 1e-6  # scores and bias follow from a residual of 1e-9 with a condition number below 1e3
SLSQP = 1e-6  # relative: what SLSQP reaches on two dozen variables
SINGLE = 1e-4  # relative: float32 rows are right to 6e-8, and every round adds such an error to the scores

small = settings(max_examples=10)  # each example solves a problem, also as plain Python
seeds = st.integers(0, 10**6)


@pytest.mark.jit
@pytest.mark.claim("SOLV-03")
@small
@given(seed=seeds, size=st.integers(2, 20))
def test_every_working_set_raises_the_objective(seed: int, size: int) -> None:
    X, y = overlapping(seed, 16)
    K, C = gram(X), np.random.default_rng(seed).uniform(0.2, 5.0, 16)
    best = slsqp_dual(K, y, C)
    iterates = [(at, at.alpha.copy()) for at in osuna_steps(K, y, C, size=size, tol=1e-6)]
    for at, alpha in iterates:
        assert np.all((alpha >= 0) & (alpha <= C))
        assert abs(alpha @ y) <= ROUNDING * C.sum()
        assert np.allclose(at.f, K @ (alpha * y), atol=ROUNDING * C.sum())
        assert np.isclose(at.dual, svm.dual_objective(alpha, at.f, y))
        assert at.violation == svm.kkt_residual(alpha, at.f, y, C)
        assert at.dual <= best * (1 + SLSQP)
        b = svm.bias(alpha, at.f, y, C)
        assert svm.duality_gap(alpha, at.f, y, C, b) >= -ROUNDING * C.sum()
    for (before, old), (after, new) in pairwise(iterates):
        assert after.dual > before.dual - ROUNDING * C.sum()
        assert after.n_iter == before.n_iter + 1
        assert 2 <= np.count_nonzero(old != new) <= size
    assert iterates[-1][0].violation <= 1e-6


@pytest.mark.jit
@pytest.mark.claim("SOLV-02")
@pytest.mark.parametrize("size", [2, 3, 4, 5, 9, 30, 512])
def test_end_is_that_of_smo(size: int) -> None:
    X, y = overlapping(size)
    C = np.random.default_rng(size).uniform(0.2, 5.0, 30)
    found = osuna(gram(X), y, C, size=size, tol=SOLVED)
    whole = smo(gram(X), y, C, tol=SOLVED)
    assert found.converged
    assert not np.any(np.signbit(found.alpha))
    assert np.isclose(found.dual, whole.dual)
    assert np.allclose(found.f + found.b, whole.f + whole.b, atol=FROM_SOLVED)
    assert found.gap <= SOLVED * C.sum()
    unequal = np.where(np.arange(30) == 7, 1.0, -1.0)  # one against all
    dual = smo(gram(X), unequal, 1.0, class_weight={-1: 2.0}, tol=SOLVED).dual
    assert np.isclose(osuna(gram(X), unequal, 1.0, class_weight={-1: 2.0}, size=size, tol=SOLVED).dual, dual)


def test_the_loop_of_the_slides_ends() -> None:
    x, y = np.array([-1.0, 1.0, 2.0]), np.array([-1.0, 1.0, 1.0])
    found = osuna(np.outer(x, x), y, 10.0, size=2, tol=SOLVED)
    assert np.allclose(found.alpha, [0.5, 0.5, 0])


@pytest.mark.jit
@pytest.mark.parametrize(("room", "least"), [(0, 0), (2, 0), (7, 0), (40, 900)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_small_cache_gives_the_same_answer(room: int, least: int, kind: Any) -> None:
    X, y = overlapping(room)
    tol, places = (SOLVED, 1e-6) if kind is np.float64 else (1e-3, SINGLE)
    megabytes = 1e-6 + room * 30 * np.dtype(kind).itemsize / 1e6
    found = osuna(RBF(gamma=0.5), y, 2.0, X=X.astype(kind), size=12, tol=tol, cache_mb=megabytes)
    assert found.converged
    assert np.isclose(found.dual, smo(gram(X), y, 2.0, tol=tol).dual, rtol=places, atol=tol * 60)
    assert found.trace[-1][1] % 30 == 0
    assert found.trace[-1][1] <= (least or np.inf)  # computed once where all rows fit


def test_last_round_is_respected_and_the_violation_is_honest(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = overlapping(0)
    seen: list[int] = []
    options: Any = {"size": 2, "tol": 1e-12, "max_iter": 3, "verbose": True}
    found = osuna(gram(X), y, 5.0, **options, callback=lambda at: seen.append(at.n_iter))
    assert (found.converged, found.n_iter, seen) == (False, 3, [0, 1, 2, 3])
    f = gram(X) @ (found.alpha * y)
    assert np.isclose(found.violation, svm.kkt_residual(found.alpha, f, y, 5.0))
    assert "violation" in capsys.readouterr().err


PEAK_MEMORY = """
import resource
import numpy as np
from lecturekit import data, kernels, svm
X, y = data.two_gaussians(50_000, rng=0, gap=1.0)
solve = {solver}
found = solve(kernels.RBF(), y, 1.0, X=X.astype(np.float32), max_iter={steps})
print(found.trace[-1][1] // len(y), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000)
"""


@pytest.mark.jit
@pytest.mark.skipif(not COMPILED, reason="takes an hour as plain Python")
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is Linux's")
@pytest.mark.parametrize(("solver", "steps"), [("svm.smo", 2000), ("svm.osuna", 12)])
def test_fifty_thousand_points_need_less_than_a_gigabyte(solver: str, steps: int) -> None:
    script = PEAK_MEMORY.format(solver=solver, steps=steps)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    rows, megabytes = map(int, run.stdout.split())
    assert rows > 2500  # more than fit into the cache of 500 MB
    assert megabytes < 1000
