"""The numba switch: compiled and plain functions agree, and everything runs where numba is not."""

import ast
import importlib
import inspect
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookkit import ROOT
from lecturekit import _jit
from lecturekit.neighbors import ball_tree, kd_tree

FILES = sorted((ROOT / "lecturekit").rglob("*.py"))


def python(code: str, **env: str) -> str:
    """Run Python code in a fresh process and return what it prints."""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


# -- the twins -----------------------------------------------------------------------------------------------

letters = st.lists(st.integers(0, 3), max_size=8).map(lambda codes: np.array(codes, dtype=np.int64))


def svm_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of the solvers' inner loops, by name: a small problem half solved."""
    rng = np.random.default_rng(seed)
    n, d = 70, 3  # more points than lanes
    X, y = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)
    C, K = rng.uniform(0.5, 2.0, n), X @ X.T + np.eye(n)
    alpha = C * np.clip(rng.uniform(-0.5, 1.5, n), 0, 1)
    beta, slot = alpha * y, np.arange(n)
    slot[rng.integers(n)] = -1 if seed % 3 == 0 else slot[-1]
    caches = {"rows": K, "slot": slot, "used": np.zeros(n, dtype=np.int64), "diagonal": np.diag(K).copy()}
    box = {"low": np.minimum(0.0, C * y), "high": np.maximum(0.0, C * y), "beta": beta, "g": y - K @ beta}
    rules = {"tol": 1e-3, "steps": seed % 7, "shrinking": seed % 5 > 0, "active": n - 5, "most": 3}
    masks = {"mask": np.where(alpha < C, 0.0, -1e30), "may_fall": np.where(alpha > 0, 0.0, -1e30)}
    gains = {"gain": np.zeros(n, np.float32), "row": K[1], "g_i": 3.0, "k_ii": float(K[1, 1]), "t": 0.3}
    moves = {"row_i": K[0], "row_j": K[2], "step": 0.2, "draws": rng.random(4 * n), "first": 1}
    dual = {"y": y, "C": C, "alpha": alpha, "f": K @ beta, "w": X.T @ beta, "order": rng.permutation(n)}
    lists = {"values": X.ravel().copy(), "columns": np.tile(np.arange(d), n) if seed % 2 == 1 else None}
    places = {"starts": np.arange(0, n * d + 1, d), "start": d, "stop": 2 * d, "entries": X[1]}
    squares = {"bounds": (0.5, -0.5), "square": np.where(slot == 5, 0.0, np.sum(X**2, axis=1))}
    primal = {"X": X, "lam": 0.1, "radius": 2.0, "mean": np.zeros(d), "picks": rng.integers(n, size=9)}
    return caches | box | rules | masks | gains | moves | dual | lists | places | squares | primal


def penalty_arguments(seed: int, k: int) -> dict[str, Any]:
    """Draw the arguments of the epochs of penalised least squares, by name; k > 0 asks for k tasks."""
    rng = np.random.default_rng(seed)
    n, d = 12, 5
    X, shape = np.asfortranarray(rng.normal(size=(n, d))), (d, k) if k else (d,)
    X[:, 3] *= float(seed % 2)  # a zero column now and then
    w = rng.normal(size=shape) * (rng.random(shape) < 0.7)
    y = rng.normal(size=(n, *shape[1:]))
    G, square = X.T @ X / n, np.sum(X**2, axis=0) / n
    r, z = y - X @ w, np.zeros(shape[1:]) if seed % 5 == 0 else rng.normal(size=shape[1:])
    gram = {"G": G + np.diag(square == 0.0), "g": X.T @ r / n}  # no zero column is ever chosen
    weights = {"X": X, "square": square, "w": w, "W": w, "r": r, "R": np.asfortranarray(r), "old": w[0]}
    moves = {"features": np.array([4, 0]), "steps": np.array([0.5, -1.0]), "z": z, "q": 0.7, "epochs": 3}
    return gram | weights | moves | {"l1": 0.2, "l2": 0.1 * (seed % 2), "lam": 0.4}


def vectors(name: str) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return arguments of the same length, for a loop over two vectors."""
    lengths, seeds = st.integers(1, 200), st.integers(0, 10**6)
    draw = st.builds(lambda n, seed: np.random.default_rng(seed).normal(size=(2, n)).round(1), lengths, seeds)
    return draw.map(tuple)


def rising_points(seed: int) -> tuple[Any, ...]:
    """Return points that go up and to the right, in steps of a grid, and a tolerance."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 3, size=(2, 1 + seed % 50)).cumsum(axis=1) / 100
    return (*steps, 1e-14)


def values_and_weights(seed: int) -> tuple[Any, ...]:
    """Return values with ties and weights, or no weights."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 60
    return rng.integers(0, 4, n).astype(np.float64), rng.integers(1, 4, n) / 3 if seed % 2 else None


def neighbor_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of a search for neighbours, by name: points with ties in a tree."""
    rng = np.random.default_rng(seed)
    X, best = rng.integers(0, 5, (1 + seed % 40, 2)).astype(np.float64), np.sort(rng.integers(0, 4, 3) / 1.0)
    tree = (kd_tree if seed % 2 else ball_tree)(X, leaf_size=1 + seed % 3)
    names = ("points", "index", "slices", "children", "low", "high", "radius")
    search = {"Q": rng.normal(size=(4, 2)).round(), "k": 1 + seed % len(X), "metric": seed % 3}
    found = {"q": rng.normal(size=2), "v": 0, "best": best, "who": np.arange(3), "distance": best[2], "i": 1}
    return {name: getattr(tree, name) for name in names} | search | found


def stump_arguments(seed: int) -> tuple[Any, ...]:
    """Return points with ties by columns, their order, and weights times labels."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 6, (3, 20)).astype(np.float64)
    order = np.argsort(columns, axis=1, kind="stable").astype(np.int32)
    return columns, order, rng.normal(size=20)


def tree_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of the loops that grow an exact tree, by name."""
    rng = np.random.default_rng(seed)
    d, n, k, min_leaf = 3, 30, 1 + seed % 2, 1 + seed % 3
    columns = rng.integers(0, 9, (d, n)).astype(np.float64)
    order = np.argsort(columns, axis=1, kind="stable").astype(np.int32)
    draws = [rng.random(n * d) if seed % (2 + s) == 0 else np.empty(0) for s in range(2)]
    most = 2 * n - 1
    feature, left, right = np.full(most, -1), np.full(most, -1), np.full(most, -1)
    feature[:3], left[0], right[0] = (1, -1, -1), 1, 2
    data = {
        "X": np.ascontiguousarray(columns.T),
        "columns": columns,
        "order": order,
        "Z": rng.normal(size=(k, n)),
    }
    cut = {"x": columns[1], "rows": order[1], "j": 1, "middle": 1 + seed % (n - 1), "best": -1.0}
    node = {"start": 0, "stop": n, "first": min_leaf - 1, "last": n - min_leaf, "mean": np.zeros(k)}
    spares = {"score": np.zeros(n), "to_left": np.zeros(n, np.int32), "spare": np.zeros(n, np.int32)}
    rules = {"several": seed % 2 == 0, "min_leaf": min_leaf, "depth": 1 + seed % 9, "features": d - seed % 2}
    chance = {"shuffles": draws[0], "cuts": draws[1], "shuffle": draws[0][:d], "uniform": draws[1][:d]}
    tree = {"feature": feature, "left": left, "right": right, "child": np.full((2, most), -1)}
    nodes = {"threshold": np.full(most, 4.5), "value": np.zeros((most, k)), "count": np.zeros(most, np.intp)}
    ends = {"leaf": np.full(n, -1), "candidates": np.arange(d)}
    return data | cut | node | spares | rules | chance | tree | nodes | ends


def bin_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of the loops that grow a tree on histograms, by name."""
    rng = np.random.default_rng(seed)
    n, d, bins, depth = 40, 3, 6, 1 + seed % 4
    most, z = 2 * min(n, 2**depth) - 1, rng.normal(size=n)
    H = rng.integers(0, 9, (depth + 1, d, bins, 2)).astype(np.float64)
    data = {"B": rng.integers(0, bins, (n, d)).astype(np.uint8), "z": z, "rows": np.arange(n, dtype=np.int32)}
    node = {"H": H, "part": H[-1] / 2, "size": int(H[0, 0, :, 0].sum()), "spare": np.zeros(n, np.int32)}
    rules = {"min_leaf": 1 + seed % 3, "noise": 1e-20, "j": 1, "cut": 2, "depth": depth}
    tree = {"feature": np.full(most, -1), "child": np.full((2, most), -1), "total": np.zeros(most)}
    return data | node | rules | tree | {"count": np.zeros(most, np.intp), "leaf": np.zeros(n, np.intp)}


def drawn(arguments: Callable[[int], tuple[Any, ...]]) -> Callable[[str], st.SearchStrategy[tuple[Any, ...]]]:
    """Return a function of the loop's name that draws its arguments in order."""
    return lambda name: st.integers(0, 10**6).map(arguments)


def named(arguments: Callable[[int], dict[str, Any]], **special: Any) -> Callable[[str], Any]:
    """Return a function of the loop's name that picks its arguments among those drawn by name."""

    def pick(name: str) -> st.SearchStrategy[tuple[Any, ...]]:
        names = inspect.signature(jitted()[name].py_func).parameters
        return st.integers(0, 10**6).map(lambda s: tuple(map((arguments(s) | special).__getitem__, names)))

    return pick


def node_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of the loops at a single node, which has one histogram and one sum."""
    given = bin_arguments(seed)
    return given | {"H": given["H"][0], "total": float(given["H"][0, 0, :, 1].sum())}


def growth_arguments(seed: int) -> dict[str, Any]:
    """Draw the arguments of the loop that grows a whole tree on histograms: each node has its cut."""
    given = bin_arguments(seed)
    return given | {"cut": np.zeros(len(given["feature"]), np.intp)}


LOOPS: list[tuple[str, str, Callable[[str], st.SearchStrategy[tuple[Any, ...]]]]] = [
    ("calibration._isotonic", "_pool", drawn(values_and_weights)),
    ("kernels", "_levenshtein", lambda name: st.tuples(letters, letters)),
    ("penalized._lasso", "_epoch _gram_epochs _shift", named(lambda seed: penalty_arguments(seed, 0))),
    ("penalized._multitask", "_epoch _gram_epochs _move", named(lambda seed: penalty_arguments(seed, 3))),
    ("neighbors", "_insert _search _to_box", named(neighbor_arguments)),
    ("metrics._curves", "_hull", drawn(rising_points)),
    ("trees._histogram", "_fill _search _split _subtract", named(node_arguments)),
    ("trees._histogram", "_grow", named(growth_arguments)),
    ("trees._tree", "_sweep", drawn(stump_arguments)),
    ("trees._tree", "_best_cut _descend _describe _grow _search _split", named(tree_arguments)),
    ("trees._tree", "_place_of", named(tree_arguments, threshold=4.5)),  # of a single cut
    ("svm._smo", "_argmax", vectors),
    ("svm._smo", "_gains _move _violations ascend", named(svm_arguments)),
    ("svm._scda", "_kernel_epoch _score _add _linear_epoch _linear_epochs", named(svm_arguments)),
    ("svm._pegasos", "_pegasos_run", named(svm_arguments)),
]
TWINS = {f"{module}.{name}": how for module, names, how in LOOPS for name in names.split()}
PURE = {"calibration._isotonic._pool", "kernels._levenshtein", "metrics._curves._hull"}
PURE |= {"neighbors._search", "neighbors._to_box", "trees._histogram._search", "svm._pegasos._pegasos_run"}
PURE |= {"svm._smo._argmax", "svm._smo._violations", "svm._scda._score"}
PURE |= {"trees._tree._sweep", "trees._tree._descend", "trees._tree._place_of"}
REORDERED = 1e-5  # relative: sums in another order, and gains in single precision


def jitted() -> dict[str, Any]:
    """Find every function of the package that went through the switch."""
    found: dict[str, Any] = {}
    for path in FILES:
        if "lecturekit._jit import" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(ROOT / "lecturekit").with_suffix("").parts)
            module = importlib.import_module(f"lecturekit.{name}")
            functions = {
                key: value
                for key, value in vars(module).items()
                if hasattr(value, "py_func") and value.__module__ == module.__name__
            }
            found |= {f"{name}.{key}": function for key, function in functions.items()}
    return found


def test_every_jitted_function_has_arguments_to_compare_on() -> None:
    assert jitted().keys() == TWINS.keys(), "list each compiled function in LOOPS, with arguments to try"


@pytest.mark.compiled
@given(choice=st.data())
@pytest.mark.parametrize("name", TWINS)
def test_compiled_function_equals_its_plain_twin(name: str, choice: st.DataObject) -> None:
    function = jitted()[name]
    arguments = choice.draw(TWINS[name](name))
    ends = []
    for call in (function, function.py_func):
        copies = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        ends.append(list(flat((call(*copies), copies))))
        if name in PURE:
            assert all(np.array_equal(a, b) for a, b in zip(flat(copies), flat(arguments), strict=True))
    assert all(np.allclose(a, b, rtol=REORDERED, atol=REORDERED**2) for a, b in zip(*ends, strict=True))


def flat(value: Any) -> Iterator[Any]:
    """Yield the arrays and numbers of a nest of tuples and lists; None holds none."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from flat(item)
    elif value is not None:
        yield value


def compiled_calls(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Yield the compiled functions of a file with the names of other files of the package they call."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    borrowed = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lecturekit")
        for alias in node.names
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in node.decorator_list):
            for inner in ast.walk(ast.Module(node.body, [])):
                if isinstance(inner, ast.Call) and ast.unparse(inner.func).split(".")[0] in borrowed:
                    yield node.name, ast.unparse(inner.func)


def test_compiled_functions_call_no_helper_of_another_file() -> None:
    # numba's cache looks at the file of the function only: a change of the helper would go unseen
    assert not [call for path in FILES for call in compiled_calls(path)]


def test_a_call_of_another_files_helper_is_found(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "far.py"
    path.write_text(
        "from lecturekit import smo\nfrom lecturekit.smo import ascend as go\n"
        "from lecturekit._jit import jit\n"
        "@jit\ndef near(x):\n    return len(x)\n"
        "@jit\ndef far(x):\n    return go(near(x)) + smo.ascend(x)\n"
        "def plain(x):\n    return go(x)\n"
    )
    assert sorted(compiled_calls(path)) == [("far", "go"), ("far", "smo.ascend")]


@pytest.mark.jit
def test_switch_is_where_the_environment_put_it() -> None:
    plain = os.environ.get("LECTUREKIT_NO_JIT", "0") not in ("", "0")
    assert _jit.COMPILED is not plain
    for function in jitted().values():
        assert (function is not function.py_func) is _jit.COMPILED


# -- the switch ----------------------------------------------------------------------------------------------

TRY = """from lecturekit import _jit, kernels
print(_jit.COMPILED, kernels.edit_distance('kernel', 'colonel'), sys.modules.get('numba') is not None)"""
PLAIN = "False 4 False"


@pytest.mark.parametrize(
    ("value", "before", "printed"),
    [("1", "", PLAIN), ("0", "", "True 4 True"), ("0", "sys.modules['numba'] = None", PLAIN)],
    ids=["plain", "compiled", "without numba"],
)
def test_environment_decides_and_all_works_without_numba(value: str, before: str, printed: str) -> None:
    assert python(f"import sys\n{before}\n{TRY}", LECTUREKIT_NO_JIT=value) == printed


@pytest.mark.parametrize(("value", "wanted"), [("1", False), ("yes", False), ("0", True), ("", True)])
def test_wish_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
    monkeypatch.setenv("LECTUREKIT_NO_JIT", value)
    assert _jit._numba_is_wanted_and_there() is wanted


def test_numba_is_wanted_by_default_and_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LECTUREKIT_NO_JIT", raising=False)
    assert _jit._numba_is_wanted_and_there()
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not _jit._numba_is_wanted_and_there()


def triangle(n: int) -> int:
    total = 0
    for i in range(n + 1):
        total += i
    return total


@pytest.mark.parametrize("compiled", [True, False])
def test_switch_leaves_the_plain_function_reachable(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    monkeypatch.setattr(_jit, "COMPILED", compiled)
    function: Callable[..., int] = _jit.jit(triangle)
    assert function.py_func is triangle  # type: ignore[attr-defined]
    assert (function is triangle) is not compiled
    assert function(10) == 55
