"""Executing: honest notebooks, what crosses, what students are told, and the walls of the sandbox."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bookkit import ROOT
from coursekit.isolation import sandbox
from coursekit.marking.execute import Limits, execute, forked, plain, sandboxed, verdicts
from coursekit.marking.sanitise import sanitise
from tests.support import coursework_sample as sample
from tests.support.coursework_sample import ANSWERS, BLANK, LIMITS, WRONG, cell, handed_in, mark, problem_set

needs_sandbox = pytest.mark.usefixtures("sandbox")


def run(student: str, test: str, setup: str = "import numpy as np", **settings: Any) -> Any:
    """Run one answer and one test; return the verdict and the notebook."""
    limits = settings.pop("limits", LIMITS)
    files = settings.pop("files", {})
    cells = [
        cell(setup, "setup", locked=True),
        cell(student, "answer", solution=True),
        cell(test, "test", grade=True, locked=True, points=1),
    ]
    notebook = {"cells": cells, "metadata": {"coursekit": settings}, "nbformat": 4, "nbformat_minor": 5}
    text = execute(json.dumps(notebook), limits=limits, files=files, start=forked)
    return verdicts(text)["test"], json.loads(text)


# -- honest notebooks ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("answers", "points"), [(ANSWERS, 6), (WRONG, 1), (BLANK, 0)], ids=range(3))
@pytest.mark.parametrize("start", [forked, plain], ids=["forked", "plain"])
def test_marks_are_the_same_without_a_sandbox(answers: Any, points: int, start: sandbox.Starter) -> None:
    assert mark(handed_in(answers), start=start).points == points


@needs_sandbox
def test_a_notebook_executed_twice_gives_the_same_text() -> None:
    text = sanitise(json.dumps(handed_in(WRONG, last="'ä'")), problem_set())
    once, again = execute(text, limits=LIMITS), execute(text, limits=LIMITS)
    assert once == again
    assert "'ä'" in once, "letters are written as they are"
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(once, as_version=4))


def test_output_figures_and_errors_are_kept_and_files_are_there_for_both_sides() -> None:
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint('hello')\nplt.show()\n6 * 7"
    outputs = run(source, "pass", limits=Limits(call_s=30))[1]["cells"][1]["outputs"]
    assert outputs[0] == {"output_type": "stream", "name": "stdout", "text": "hello\n42\n"}
    assert outputs[1]["data"]["image/png"].startswith("iVBOR")
    (error,) = run("def f():\n    return 1 / 0\nf()", "pass")[1]["cells"][1]["outputs"]
    assert (error["ename"], error["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert any("return 1 / 0" in line for line in error["traceback"])
    assert not any("student.py" in line for line in error["traceback"])
    setup = "import pathlib\ntext = pathlib.Path('data/a.txt').read_text()"
    assert run("mine = text", "assert mine == text == 'ABC'", setup, files={"data/a.txt": b"ABC"})[0] is None


# -- what crosses -------------------------------------------------------------------------------------------

SETUP = """import numpy as np
limit = 3
def square(x): return x * x
class Kernel:
    def __call__(self, x): return 2 * x
k = Kernel()"""
MODEL = """class Model:
    def __init__(self, lam=1): self.lam = lam
    def fit(self, X): self.w_ = X * self.lam; return self
    def __call__(self, x): return x
def score(model): return model.w_
def make(a): return lambda x: a * x
def models(): return [Model(1), Model(2)]
def use(f, x): return f(x)
"""
DECLARED: dict[str, Any] = {"objects": {"Model": ["fit", "w_", "__call__"]}, "returns_callable": ["make"]}
DATACLASS = "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nvalue = P(3).x"
TWINS = """rng, twin = np.random.default_rng(1), np.random.default_rng(1)
assert np.array_equal(f(3, rng), twin.normal(size=3))
assert rng.normal() == twin.normal()"""
CATCH = "try:\n    f(1)\nexcept ValueError as error:\n    assert str(error) == 'no'\nelse:\n    assert False"
HELPER = "def helper(x):\n    return f(x)\nassert [helper(i) for i in range(3)] == [1, 2, 3]"
PLAIN = "assert f('ä', b=1) == (['ä', (1, None)], {'k': 1j})"
PASSES = {
    "a dataclass": (DATACLASS, "assert value == 3"),
    "text and numbers": ("def f(a, *, b): return [a, (b, None)], {'k': 1j}", PLAIN),
    "variables": ("w = np.arange(3)", "assert w.sum() == 3 and w.dtype == int"),
    "an array changed in place": ("def f(x): x += 1", "z = np.zeros(2); f(z); assert z.sum() == 2"),
    "a view changed in place": ("def f(x): x += 1", "z = np.zeros((2, 2)); f(z[0]); assert z.sum() == 2"),
    "a list changed in place": ("def f(x): x.append(3)", "z = [1]; f(z); assert z == [1, 3]"),
    "a dict changed by name": ("def f(d): d['b'] = d.pop('a')", "z = {'a': 1}; f(d=z); assert z == {'b': 1}"),
    "arrays in a list": ("def f(x): x[0][0] = 9", "z = np.zeros(2); f([z]); assert z[0] == 9"),
    "an argument returned": ("def f(x): return x", "z = [1]; assert f(z) is z"),
    "a copy returned": ("def f(x): return x.copy()", "z = np.ones(1); assert f(z) is not z"),
    "a random generator": ("def f(n, rng): return rng.normal(size=n)", TWINS),
    "an error that is asked for": ("def f(x): raise ValueError('no')", CATCH),
    "the student's own function": ("def g(x): return x + 1\ndef f(h, x): return h(x)", "assert f(g, 1) == 2"),
    "a helper in the tests that calls the student": ("def f(x): return x + 1", HELPER),
    "a comprehension": ("def f(x): return x", "assert all(f(i) == i for i in range(3))"),
    "a name used and assigned": ("x = 3", "x = x + 1; assert x == 4"),
    "a generator that the test ignores": ("i = (n for n in [1])", "for i in range(2): pass"),
    "an instructor's name": ("limit = 9\ndef square(x): return 0", "assert limit == 3 and square(2) == 4"),
    "a fitted model": (MODEL, "m = Model(lam=3)\nassert m.fit(2) is not None and m.w_ == 6"),
    "a method that returns self": (MODEL, "assert Model().fit(5).w_ == 5"),
    "a model as an argument": (MODEL, "assert score(Model().fit(5)) == 5"),
    "models in a list": (MODEL, "assert [m.fit(1).w_ for m in models()] == [1, 2]"),
    "an attribute that is missing": (MODEL, "assert not hasattr(Model(), 'w_')"),
    "an attribute that was not declared": (MODEL, "assert not hasattr(Model(), 'lam')"),
    "a model that is called": (MODEL, "assert Model()(4) == 4"),
    "a function that returns a function": (MODEL, "assert make(3)(4) == 12"),
    "a returned function as an argument": (MODEL, "assert use(make(2), 4) == 8"),
    "a function of a setup cell": (MODEL, "assert use(square, 4) == 16"),
    "an object of a setup cell": (MODEL, "assert use(k, 4) == 8"),
}


@pytest.mark.parametrize("name", PASSES)
def test_what_crosses(name: str) -> None:
    assert run(*PASSES[name], SETUP, **DECLARED)[0] is None


@pytest.mark.parametrize(
    ("test", "message", "settings"),
    [
        ("make(3)", "WireError: an object of type function cannot be marked", {}),
        ("Model()", "WireError: an object of type Model cannot be marked: return numbers", {}),
        ("use(lambda x: x, 1)", "WireError: an object of type function cannot be marked", {}),
        ("assert Model()", "TypeError: a Model is neither true nor false", DECLARED),
        ("assert use", "TypeError: use is a function: call it", DECLARED),
    ],
)
def test_what_does_not_cross(test: str, message: str, settings: dict[str, Any]) -> None:
    assert str(run(MODEL, test, SETUP, **settings)[0]).startswith(message)


# -- what students are told ---------------------------------------------------------------------------------
def hidden(test: str) -> str:
    return f"\n### BEGIN HIDDEN TESTS\n{test}\n### END HIDDEN TESTS"


INNER = "if True:\n    f(1)\n    ### BEGIN HIDDEN TESTS\n    assert 0, 'inner'\n    ### END HIDDEN TESTS"
SAYS = [  # the rest of the words is tested with the marker
    ("def f(x): raise NotImplementedError('later')", "f(1)", "NotImplementedError: later"),
    ("def f(x): return 1", "assert f(2) == 4, f'got {f(2)}'", "got 1"),
    ("def f(x): return None", "f(1) + 1", "TypeError: unsupported operand type(s) for +: 'NoneType' and"),
    ("", "f(1)", "NameError: name 'f' is not defined"),
    ("f = (i for i in [1])", "f", "TypeError: f: an object of type generator cannot be marked"),
    ("def f(x): return 1", hidden("assert f(2) == 4, f'{f(2)} is no square'"), "… is no square"),
    ("def f(x): return 1", hidden("np.testing.assert_allclose(f(2), 4)"), "a hidden test failed"),
    ("def f(x): raise ValueError(x)", hidden("f(7)"), "ValueError: your code raised this error in a hidden"),
    ("def f(x):\n    while True: pass", hidden("f(7)"), "TimeLimit: your code ran longer than 0.5 s"),
    ("def f(x):import os; os._exit(7)", hidden("f(7)"), "ProcessEnded: your code ended the process in a hid"),
    ("def f(x): return x", "f(1)" + hidden("f(2)\nassert False, 'both parts ran'"), "both parts ran"),
    ("def f(x): return x", INNER, "inner"),
]


@pytest.mark.parametrize(("student", "test", "message"), SAYS)
def test_reasons(student: str, test: str, message: str) -> None:
    assert str(run(student, test, limits=replace(LIMITS, call_s=0.5))[0]).startswith(message)


def test_what_was_not_run_is_not_passed_and_hidden_tests_use_no_objects_of_visible_ones() -> None:
    assert set(verdicts(json.dumps(problem_set())).values()) == {"the test was not run"}
    cells = problem_set()["cells"]
    ridge = next(item for item in cells if item["id"] == "test-ridge")
    ridge["source"] = ridge["source"].split("### BEGIN")[0]
    late = cell(hidden("model.predict(X)"), "late", grade=True, locked=True, points=1)
    notebook = problem_set() | {"cells": [*cells, late]}
    said = verdicts(execute(json.dumps(notebook), limits=LIMITS, start=forked))["late"]
    assert "make it again in the hidden part" in str(said)


def test_the_time_of_a_notebook_is_limited() -> None:
    slow = {name: f"{text}\nimport time; time.sleep(1)" for name, text in ANSWERS.items()}
    said = mark(handed_in(slow), start=forked, limits=Limits(call_s=1, notebook_s=2.5)).verdicts
    assert said["scale-visible"] is None
    assert said["clip"] == "TimeLimit: your notebook ran longer than 2.5 s"


def test_waiting_is_no_running_but_processor_time_is_limited_as_a_problem_set_says() -> None:
    """A busy machine makes answers wait; that must not cost a mark."""
    said, notebook = run("import time; time.sleep(0.7)", "pass", limits=replace(LIMITS, call_s=0.5))
    assert said is None
    notebook["metadata"] = {"coursekit": {"limits": {"wait_s": 0.2}}}
    shown = execute(json.dumps(notebook), limits=LIMITS, start=forked)
    assert "your code did not answer within 0.2 s" in shown
    busy = "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\ndef f(x):\n    while True: pass"
    said = run(busy, "f(1)", limits=Limits(cpu_s=1, call_s=20, notebook_s=60))[0]
    assert said == "TimeLimit: your code used more than 1 s of processor time"


def test_answers_that_make_tests_slow_or_large_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = run("def f(): return 2 * 10**9", "np.ones(f())")[0]
    assert said.startswith(("MemoryError", "_ArrayMemoryError"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("coursekit.marking.execute.GUARD_S", 1.0)
    said, notebook = run("def f(): return 10**9", "for _ in range(f()): pass", limits=Limits(notebook_s=1))
    assert (said, notebook["cells"][1]["outputs"]) == ("TimeLimit: marking took longer than 2 s", [])
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_a_marker_that_dies_leaves_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coursekit.marking.execute.guard", lambda: None)
    said, notebook = run("x = 1", "assert x == 1")
    assert said == "ProcessEnded: marking ended before this cell: your answers are too large for the tests"
    assert [item["execution_count"] for item in notebook["cells"]] == [None, None, None]


def test_a_marker_without_a_sandbox_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    sandbox.sandbox_problem.cache_clear()
    try:
        with pytest.raises(RuntimeError, match=r"needs bubblewrap \(Debian: apt install bubblewrap\); pass"):
            mark(handed_in())
    finally:
        sandbox.sandbox_problem.cache_clear()


def broken(limits: Limits) -> sandbox.Child:
    return sandbox.start_fork(lambda: None)


def test_a_process_that_cannot_start_gives_no_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coursekit.marking.execute.STARTERS", {"forked": broken})
    with pytest.raises(RuntimeError, match="a student's process could not be started"):
        execute(json.dumps(problem_set()), limits=LIMITS, start=broken)


MOODY = """
import os, pathlib
log = pathlib.Path({log!r})
runs = len(log.read_text()) if log.exists() else 0
log.write_text("x" * (runs + 1))
if runs in {bad}:
    os._exit(1)
important = 1
"""


@pytest.mark.parametrize(("bad", "right"), [((1,), True), ((1, 2), False)], ids=["once", "twice"])
def test_a_cell_that_ran_before_gets_a_second_chance(tmp_path: Path, bad: Any, right: bool) -> None:
    answers = ANSWERS | {"scale": "important\n" + ANSWERS["scale"]}
    moody = MOODY.format(log=str(tmp_path / "log"), bad=bad)
    said = mark(handed_in(answers, first=moody), start=forked).verdicts["scale"]
    assert said is None if right else "ran the first time failed twice" in str(said)


# -- the walls ----------------------------------------------------------------------------------------------

HIDDEN = [ROOT / "pyproject.toml", ROOT / "tests", ROOT / "coursework", Path.home() / ".bashrc"]
HIDDEN += map(Path, ("/etc/passwd", "/etc/shadow", "/var", "/sys", "/run", "/mnt"))
NOBODY = """import os
status = open('/proc/self/status').read()
print(os.getuid() >= 60000, os.getgid() >= 60000, os.getgroups() in ([], [os.getgid()]))
print('CapEff:\\t0000000000000000' in status, 'NoNewPrivs:\\t1' in status)"""
THERE = f"import os\nprint([p for p in {[str(path) for path in HIDDEN]} if os.path.exists(p)])"
MACHINERY = """import pathlib, coursekit
home = pathlib.Path(coursekit.__file__).parent
print(sorted(str(path.relative_to(home)) for path in home.rglob('*.*')))"""
WRITES = """import os, sys, numpy, pathlib
written = []
for place in ['/', '/usr', '/usr/bin', '/opt/course/lecturekit', '/dev', '/etc',
              sys.prefix, sys.base_prefix, os.path.dirname(numpy.__file__)]:
    try:
        pathlib.Path(place, 'x').write_text('x'); written.append(place)
    except OSError: pass
pathlib.Path('mine').write_text('x'); pathlib.Path('/tmp/mine').write_text('x')
print(written, os.listdir('.'))"""
NETWORK = """import os, socket
print(sorted(name for _, name in socket.if_nameindex()))
print(len([p for p in os.listdir('/proc') if p.isdigit()]) <= 3)
print('CI' in os.environ, 'SSH_AUTH_SOCK' in os.environ)"""
RAISES = """import resource as r
for kind in (r.RLIMIT_NPROC, r.RLIMIT_FSIZE, r.RLIMIT_CPU, r.RLIMIT_CORE):
    print(r.getrlimit(kind)[1])
    try:
        r.setrlimit(kind, (r.RLIM_INFINITY, r.RLIM_INFINITY)); print('RAISED')
    except (ValueError, OSError): pass
try:
    open('big', 'wb').write(bytes(9 << 20))
except OSError as error: print(error.strerror)"""
WALLS = {
    "the student is nobody without rights": (NOBODY, "True True True\nTrue True\n"),
    "course folder and home are not there": (THERE, "[]\n"),
    "of the machinery only the student's side is there": (MACHINERY, f"{sorted(sandbox.STUDENTS_SIDE)}\n"),
    "the system is read-only": (WRITES, "[] ['mine']\n"),
    "there is no network and no other process": (NETWORK, "['lo']\nTrue\nFalse False\n"),
    "limits apply and cannot be raised": (RAISES, f"32\n{8 << 20}\n21\n0\nFile too large\n"),
}


@needs_sandbox
@pytest.mark.parametrize("name", WALLS)
def test_wall(name: str) -> None:
    source, printed = WALLS[name]
    notebook = {"cells": [cell(source)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (output,) = json.loads(execute(json.dumps(notebook), limits=LIMITS))["cells"][0]["outputs"]
    assert output.get("text") == printed, output


@needs_sandbox
def test_everything_dies_with_the_sandbox() -> None:
    child = sandboxed(LIMITS)
    message = {"do": "run", "show": False, "seconds": 5, "wait": 60, "id": "1"}
    message["source"] = "import subprocess; subprocess.Popen(['setsid', 'sleep', '293'])"
    child.exchange((json.dumps(message) + "\n").encode(), 60, 10**6)
    assert sample.begins("sleep 293")
    child.close()
    assert sample.ends("sleep 293")


def as_ordinary_user(command: list[str]) -> list[str]:
    """Return a command that runs as another user, for whom the folders on the way to Python are opened."""
    options = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--cap-add", "ALL"]
    emptied = set[Path]()  # once each: emptied again, one would lose what was bound below it
    for path in sorted({os.path.realpath(sys.base_prefix), os.path.realpath(sys.prefix), str(ROOT)}):
        above = list(reversed(Path(path).parents))
        closed = next((folder for folder in above if not folder.stat().st_mode & 0o001), None)
        if closed is not None:
            options += ["--perms", "0755", "--tmpfs", str(closed)] if closed not in emptied else []
            emptied.add(closed)
            between = above[above.index(closed) + 1 :]
            options += [word for folder in between for word in ("--perms", "0755", "--dir", str(folder))]
            options += ["--ro-bind", path, path]
    who = ["--reuid=1234", "--regid=1234", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    return [*options, "setpriv", *who, *command]


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="these tests run as an ordinary user already")
def test_the_sandbox_works_for_an_ordinary_user() -> None:
    code = "import os; from tests.support.coursework_sample import *; "
    command = as_ordinary_user([sys.executable, "-c", code + "print(os.getuid(), mark(handed_in()).points)"])
    variables = {"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.stdout == "1234 6\n", done.stderr
