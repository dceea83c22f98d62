"""The numba switch: compiled and plain functions agree, and everything runs where numba is not."""

import importlib
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit import _jit

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSIDE = "LECTUREKIT_TESTS_OTHER_WAY"  # set in the run that this file starts: it starts no further one


def python(code: str, **env: str) -> str:
    """Run Python code in a fresh process and return what it prints."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


# -- the twins -----------------------------------------------------------------------------------------------

letters = st.lists(st.integers(0, 3), max_size=8).map(lambda codes: np.array(codes, dtype=np.int64))

TWINS: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "kernels._levenshtein": st.tuples(letters, letters),
}


def jitted() -> dict[str, Any]:
    """Find every function of the package that went through the switch."""
    found: dict[str, Any] = {}
    for path in sorted((ROOT / "lecturekit").glob("*.py")):
        if "lecturekit._jit import" in path.read_text(encoding="utf-8"):
            module = importlib.import_module(f"lecturekit.{path.stem}")
            functions = {name: value for name, value in vars(module).items() if hasattr(value, "py_func")}
            found |= {f"{path.stem}.{name}": function for name, function in functions.items()}
    return found


def test_every_jitted_function_has_arguments_to_compare_on() -> None:
    assert jitted().keys() == TWINS.keys()


@pytest.mark.jit
@given(choice=st.data())
@pytest.mark.parametrize("name", TWINS)
def test_compiled_function_equals_its_plain_twin(name: str, choice: st.DataObject) -> None:
    function = jitted()[name]
    arguments = choice.draw(TWINS[name])
    results = []
    for call in (function, function.py_func):
        copies = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        results.append(call(*copies))
        assert all(np.array_equal(a, b) for a, b in zip(copies, arguments, strict=True))
    assert np.array_equal(results[0], results[1])


@pytest.mark.jit
def test_switch_is_where_the_environment_put_it() -> None:
    plain = os.environ.get("LECTUREKIT_NO_JIT", "0") not in ("", "0")
    assert _jit.COMPILED is not plain
    for function in jitted().values():
        assert (function is not function.py_func) is _jit.COMPILED


# -- the switch ----------------------------------------------------------------------------------------------

TRY = "from lecturekit import _jit, kernels; print(_jit.COMPILED, kernels.edit_distance('kernel', 'colonel'))"


@pytest.mark.parametrize(("value", "printed"), [("1", "False 4"), ("0", "True 4")])
def test_environment_decides(value: str, printed: str) -> None:
    assert python(TRY, LECTUREKIT_NO_JIT=value) == printed


def test_plain_python_does_not_import_numba() -> None:
    assert python(TRY + "; import sys; print('numba' in sys.modules)", LECTUREKIT_NO_JIT="1").endswith(
        "False"
    )


def test_package_works_without_numba() -> None:
    hide = "import sys; sys.modules['numba'] = None; "
    assert python(hide + TRY, LECTUREKIT_NO_JIT="0") == "False 4"


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


# -- the other way round -------------------------------------------------------------------------------------


@pytest.mark.skipif(INSIDE in os.environ, reason="this is the other way round already")
def test_marked_tests_pass_the_other_way_round() -> None:
    files = [
        str(p)
        for p in sorted((ROOT / "tests").glob("test_*.py"))
        if "pytest.mark.jit" in p.read_text("utf-8")
    ]
    env = os.environ | {"LECTUREKIT_NO_JIT": "1" if _jit.COMPILED else "0", INSIDE: "1"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "jit", *files],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "test_kernels.py" in " ".join(files)
    assert " passed" in run.stdout
