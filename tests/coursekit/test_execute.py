"""Executing: honest notebooks, what crosses, what students are told, and the walls of the sandbox."""

import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from bookkit import ROOT
from coursekit.isolation import sandbox
from coursekit.marking.execute import Limits, execute, forked, plain, sandboxed, verdicts
from coursekit.marking.sanitise import sanitise
from tests.support.coursework_sample import (
    ANSWERS,
    BLANK,
    LIMITS,
    TESTS,
    WRONG,
    Marked,
    cell,
    ends,
    handed_in,
    is_running,
    mark,
    problem_set,
)

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


@pytest.mark.parametrize(
    ("answers", "points"), [(ANSWERS, 6), (WRONG, 1), (BLANK, 0)], ids=["right", "wrong", "blank"]
)
@pytest.mark.parametrize("start", [forked, plain], ids=["forked", "plain"])
def test_marks_are_the_same_without_a_sandbox(
    answers: dict[str, str], points: int, start: sandbox.Starter
) -> None:
    assert mark(handed_in(answers), start=start).points == points


@needs_sandbox
def test_a_notebook_executed_twice_gives_the_same_text() -> None:
    text = sanitise(json.dumps(handed_in(WRONG, last="'ä'")), problem_set())
    once, again = execute(text, limits=LIMITS), execute(text, limits=LIMITS)
    assert once == again
    assert "'ä'" in once, "letters are written as they are"
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(once, as_version=4))


def test_output_values_and_figures_of_cells_are_kept() -> None:
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint('hello')\nplt.show()\n6 * 7"
    outputs = run(source, "pass", limits=Limits(call_s=30))[1]["cells"][1]["outputs"]
    assert outputs[0] == {"output_type": "stream", "name": "stdout", "text": "hello\n42\n"}
    assert outputs[1]["data"]["image/png"].startswith("iVBOR")


def test_an_error_in_a_cell_shows_where_it_came_from() -> None:
    outputs = run("def f():\n    return 1 / 0\nf()", "pass")[1]["cells"][1]["outputs"]
    assert (outputs[0]["ename"], outputs[0]["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert any("return 1 / 0" in line for line in outputs[0]["traceback"])
    assert not any("student.py" in line for line in outputs[0]["traceback"])


def test_files_of_the_problem_set_are_there_for_both_sides() -> None:
    setup = "import pathlib\ntext = pathlib.Path('data/a.txt').read_text()"
    assert run("mine = text", "assert mine == text == 'ABC'", setup, files={"data/a.txt": b"ABC"})[0] is None


def test_a_module_keeps_its_dataclasses() -> None:
    source = "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nvalue = P(3).x"
    assert run(source, "assert value == 3")[0] is None


# -- what crosses -------------------------------------------------------------------------------------------

PASSES = {
    "text and numbers": (
        "def f(a, *, b): return [a, (b, None)], {'k': 1j}",
        "assert f('ä', b=1) == (['ä', (1, None)], {'k': 1j})",
    ),
    "variables": ("w = np.arange(3)", "assert w.sum() == 3 and w.dtype == int"),
    "an array changed in place": ("def f(x): x += 1", "z = np.zeros(2); f(z); assert z.sum() == 2"),
    "a view changed in place": ("def f(x): x += 1", "z = np.zeros((2, 2)); f(z[0]); assert z.sum() == 2"),
    "a list changed in place": ("def f(x): x.append(3)", "z = [1]; f(z); assert z == [1, 3]"),
    "a shorter list": ("def f(x): x.pop()", "z = [1, 2]; f(z); assert z == [1]"),
    "a dict changed in place": (
        "def f(d): d['b'] = d.pop('a')",
        "z = {'a': 1}; f(d=z); assert z == {'b': 1}",
    ),
    "arrays in a list": ("def f(x): x[0][0] = 9", "z = np.zeros(2); f([z]); assert z[0] == 9"),
    "an argument returned": ("def f(x): return x", "z = [1]; assert f(z) is z"),
    "a copy returned": ("def f(x): return x.copy()", "z = np.ones(1); assert f(z) is not z"),
    "a random generator": (
        "def f(n, rng): return rng.normal(size=n)",
        "rng, twin = np.random.default_rng(1), np.random.default_rng(1)\n"
        "assert np.array_equal(f(3, rng), twin.normal(size=3))\nassert rng.normal() == twin.normal()",
    ),
    "an error that is asked for": (
        "def f(x): raise ValueError('no')",
        "try:\n    f(1)\nexcept ValueError as error:\n    assert str(error) == 'no'\nelse:\n    assert False",
    ),
    "the student's own function": ("def g(x): return x + 1\ndef f(h, x): return h(x)", "assert f(g, 1) == 2"),
    "a helper in the tests that calls the student": (
        "def f(x): return x + 1",
        "def helper(x):\n    return f(x)\nassert [helper(i) for i in range(3)] == [1, 2, 3]",
    ),
    "a comprehension": ("def f(x): return x", "assert all(f(i) == i for i in range(3))"),
    "a name used and assigned": ("x = 3", "x = x + 1; assert x == 4"),
    "a generator that the test ignores": ("i = (n for n in [1])", "for i in range(2): pass"),
}


@pytest.mark.parametrize("name", PASSES)
def test_what_crosses(name: str) -> None:
    assert run(*PASSES[name])[0] is None


SETUP = (
    "import numpy as np\n"
    "def square(x): return x * x\n"
    "class Kernel:\n"
    "    def __call__(self, x): return 2 * x\n"
    "k = Kernel()"
)
MODEL = (
    "class Model:\n"
    "    def __init__(self, lam=1): self.lam = lam\n"
    "    def fit(self, X): self.w_ = X * self.lam; return self\n"
    "    def __call__(self, x): return x\n"
    "def score(model): return model.w_\n"
    "def make(a): return lambda x: a * x\n"
    "def models(): return [Model(1), Model(2)]\n"
    "def use(f, x): return f(x)\n"
)
DECLARED = {
    "objects": {"Model": ["fit", "w_", "__call__"]},
    "returns_callable": ["make"],
}
OBJECTS = {
    "a fitted model": "m = Model(lam=3)\nassert m.fit(2) is not None and m.w_ == 6",
    "a method that returns self": "assert Model().fit(5).w_ == 5",
    "a model as an argument": "assert score(Model().fit(5)) == 5",
    "models in a list": "assert [m.fit(1).w_ for m in models()] == [1, 2]",
    "an attribute that is missing": "assert not hasattr(Model(), 'w_')",
    "an attribute that was not declared": "assert not hasattr(Model(), 'lam')",
    "a model that is called": "assert Model()(4) == 4",
    "a function that returns a function": "assert make(3)(4) == 12",
    "a returned function as an argument": "assert use(make(2), 4) == 8",
    "a function of a setup cell": "assert use(square, 4) == 16",
    "an object of a setup cell": "assert use(k, 4) == 8",
}


@pytest.mark.parametrize("name", OBJECTS)
def test_declared_objects_cross_as_proxies(name: str) -> None:
    assert run(MODEL, OBJECTS[name], SETUP, **DECLARED)[0] is None


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("make(3)", "TypeError: what came from your function is not plain data"),
        ("Model()", "WireError: an object of type Model cannot be marked: return numbers"),
        ("use(lambda x: x, 1)", "WireError: an object of type function cannot be marked"),
    ],
)
def test_objects_that_were_not_declared_do_not_cross(test: str, message: str) -> None:
    settings: dict[str, Any] = {} if "make" not in test else {"returns_callable": []}
    said = run(MODEL, test, SETUP, **settings)[0]
    assert said is not None
    assert "cannot be marked" in said or message in said


def test_proxies_are_neither_true_nor_false() -> None:
    assert "neither true nor false" in run(MODEL, "assert Model()", SETUP, **DECLARED)[0]
    assert "call it" in run(MODEL, "assert use", SETUP, **DECLARED)[0]


def test_instructors_names_win() -> None:
    assert (
        run(
            "limit = 99\ndef square(x): return 0",
            "assert limit == 3 and square(2) == 4",
            SETUP + "\nlimit = 3",
        )[0]
        is None
    )


# -- what students are told ---------------------------------------------------------------------------------

HIDDEN = "\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
SAYS = [
    (
        "def f(x): raise NotImplementedError('replace this line')",
        "f(1)",
        "NotImplementedError: replace this line",
    ),
    ("def f(x): return 1", "assert f(2) == 4, 'squares grow'", "squares grow"),
    ("def f(x): return 1", "assert f(2) == 4, f'got {f(2)}'", "got 1"),
    ("def f(x): return 1", "assert f(2) == 4", "this does not hold: f(2) == 4"),
    (
        "def f(x): return None",
        "f(1) + 1",
        "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'",
    ),
    ("", "f(1)", "NameError: name 'f' is not defined"),
    ("f = (i for i in [1])", "f", "TypeError: f: an object of type generator cannot be marked"),
    ("def f(x): return 1", HIDDEN.format("assert f(2) == 4, 'squares grow'"), "squares grow"),
    ("def f(x): return 1", HIDDEN.format("assert f(2) == 4, f'{f(2)} is no square'"), "… is no square"),
    ("def f(x): return 1", HIDDEN.format("assert f(2) == 4"), "a hidden test failed"),
    ("def f(x): return 1", HIDDEN.format("np.testing.assert_allclose(f(2), 4)"), "a hidden test failed"),
    (
        "def f(x): return None",
        HIDDEN.format("f(7) + 1"),
        "TypeError: a hidden test could not use what your code returned",
    ),
    (
        "def f(x): raise ValueError(x)",
        HIDDEN.format("f(7)"),
        "ValueError: your code raised this error in a hidden test",
    ),
    (
        "def f(x): raise NotImplementedError",
        HIDDEN.format("f(7)"),
        "NotImplementedError: a function that the hidden tests",
    ),
    ("def f(x):\n    while True: pass", HIDDEN.format("f(7)"), "TimeLimit: your code ran longer than 1 s"),
    (
        "def f(x): import os; os._exit(7)",
        HIDDEN.format("f(7)"),
        "ProcessEnded: your code ended the process in a hidden",
    ),
    ("def f(x): return x", "f(1)" + HIDDEN.format("f(2)\nassert False, 'both parts ran'"), "both parts ran"),
    (
        "def f(x): return x",
        "if True:\n    f(1)\n    ### BEGIN HIDDEN TESTS\n    assert 0, 'inner'\n    ### END HIDDEN TESTS",
        "inner",
    ),
]


@pytest.mark.parametrize(("student", "test", "message"), SAYS)
def test_reasons(student: str, test: str, message: str) -> None:
    said = run(student, test)[0]
    assert said is not None
    assert said.startswith(message)


def test_objects_of_visible_tests_are_not_used_by_hidden_ones() -> None:
    cells = problem_set()["cells"]
    ridge = next(item for item in cells if item["id"] == "test-ridge")
    visible = ridge["source"].split("### BEGIN")[0]
    ridge["source"] = visible
    late = cell(HIDDEN.format("model.predict(X)"), "late", grade=True, locked=True, points=1)
    notebook = problem_set() | {"cells": [*cells, late]}
    said = verdicts(execute(json.dumps(notebook), limits=LIMITS, start=forked))["late"]
    assert said is not None
    assert "make it again in the hidden part" in said


def test_the_time_of_a_notebook_is_limited() -> None:
    slow = ANSWERS | {name: f"{text}\nimport time; time.sleep(2)" for name, text in ANSWERS.items()}
    limits = Limits(call_s=1, notebook_s=3.5)
    marked = mark(handed_in(slow), start=forked, limits=limits)
    assert marked.verdicts["scale-visible"] is None
    assert marked.verdicts["clip"] == "TimeLimit: your notebook ran longer than 3.5 s"


def test_a_problem_set_has_its_own_limits() -> None:
    said, notebook = run(
        "import time; time.sleep(0.5)",
        "pass",
        limits=LIMITS,
    )
    assert said is None
    notebook["metadata"] = {"coursekit": {"limits": {"wait_s": 0.2}}}
    shown = execute(json.dumps(notebook), limits=LIMITS, start=forked)
    assert "your code did not answer within 0.2 s" in shown
    with pytest.raises(ValueError, match=r"limits must be among memory_mb, .*, got wall"):
        Limits().updated({"wall": 3})


def test_waiting_is_no_running() -> None:
    """A busy machine makes answers wait; that must not cost a mark."""
    assert run("import time; time.sleep(1.5)", "pass", limits=LIMITS)[0] is None
    assert LIMITS.call_s < 1.5 < LIMITS.wait_s


def test_processor_time_is_limited() -> None:
    busy = "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\ndef f(x):\n    while True: pass"
    said = run(busy, "f(1)", limits=Limits(cpu_s=2, call_s=20, notebook_s=60))[0]
    assert said == "TimeLimit: your code used more than 2 s of processor time"


def test_an_answer_that_makes_the_tests_slow_is_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("coursekit.marking.execute.GUARD_S", 1.0)
    said, notebook = run("def f(): return 10**9", "for _ in range(f()): pass", limits=Limits(notebook_s=1))
    assert said == "TimeLimit: marking took longer than 2 s"
    assert notebook["cells"][1]["outputs"] == []
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_an_answer_that_makes_the_tests_large_is_stopped() -> None:
    assert run("def f(): return 2 * 10**9", "np.ones(f())")[0].startswith(
        ("MemoryError", "_ArrayMemoryError")
    )


def test_a_marker_that_dies_leaves_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coursekit.marking.execute.guard", lambda: None)
    said, notebook = run("x = 1", "assert x == 1")
    assert said == "ProcessEnded: marking ended before this cell: your answers are too large for the tests"
    assert [item["execution_count"] for item in notebook["cells"]] == [None, None, None]


def test_a_marker_without_a_sandbox_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    sandbox.sandbox_problem.cache_clear()
    try:
        with pytest.raises(
            RuntimeError, match=r"needs bubblewrap \(Debian: apt install bubblewrap\); pass --no-sandbox"
        ):
            mark(handed_in())
    finally:
        sandbox.sandbox_problem.cache_clear()


def test_a_process_that_cannot_start_gives_no_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "START", "raise SystemExit(3)")
    notebook = json.dumps(problem_set())
    monkeypatch.setattr("coursekit.marking.execute.STARTERS", {"forked": broken})
    with pytest.raises(RuntimeError, match="a student's process could not be started"):
        execute(notebook, limits=LIMITS, start=broken)


def broken(limits: Limits) -> sandbox.Child:
    """Start what ends at once."""
    return sandbox.start_fork(lambda: None)


# -- the walls ----------------------------------------------------------------------------------------------


def inside(source: str, limits: Limits = LIMITS) -> str:
    """Run a cell in the sandbox and return what it printed."""
    notebook = {"cells": [cell(source)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    outputs = json.loads(execute(json.dumps(notebook), limits=limits))["cells"][0]["outputs"]
    return "".join(str(output.get("text", output.get("evalue"))) for output in outputs)


@needs_sandbox
def test_student_is_nobody_without_rights() -> None:
    said = inside(
        "import os\nstatus = open('/proc/self/status').read()\n"
        "print(os.getuid() >= 60000, os.getgid() >= 60000, os.getgroups() in ([], [os.getgid()]))\n"
        "print('CapEff:\\t0000000000000000' in status, 'NoNewPrivs:\\t1' in status)"
    )
    assert said.split() == ["True"] * 5


@needs_sandbox
def test_course_folder_and_home_are_not_there() -> None:
    hidden = [
        ROOT / "pyproject.toml",
        ROOT / "tests",
        ROOT / "coursework",
        pathlib.Path.home() / ".bashrc",
        "/etc/passwd",
    ]
    hidden += ["/etc/shadow", "/var", "/sys", "/run", "/mnt"]
    assert inside(f"import os\nprint([p for p in {[str(p) for p in hidden]} if os.path.exists(p)])") == "[]\n"


@needs_sandbox
def test_of_the_machinery_only_the_students_side_is_there() -> None:
    code = (
        "import pathlib, coursekit\n"
        "home = pathlib.Path(coursekit.__file__).parent\n"
        "print(sorted(str(path.relative_to(home)) for path in home.rglob('*.*')))"
    )
    assert inside(code) == f"{sorted(sandbox.STUDENTS_SIDE)}\n"


@needs_sandbox
def test_the_system_is_read_only() -> None:
    code = (
        "import os, sys, numpy, pathlib\n"
        "places = ['/', '/usr', '/usr/bin', '/opt/course/lecturekit', '/dev', '/etc',\n"
        "          sys.prefix, sys.base_prefix, os.path.dirname(numpy.__file__)]\n"
        "written = []\n"
        "for place in places:\n"
        "    try:\n"
        "        pathlib.Path(place, 'x').write_text('x'); written.append(place)\n"
        "    except OSError: pass\n"
        "pathlib.Path('mine').write_text('x'); pathlib.Path('/tmp/mine').write_text('x')\n"
        "print(written, os.listdir('.'))"
    )
    assert inside(code) == "[] ['mine']\n"


@needs_sandbox
def test_there_is_no_network_and_no_other_process() -> None:
    code = (
        "import os, socket\n"
        "print(sorted(name for _, name in socket.if_nameindex()))\n"
        "print(len([p for p in os.listdir('/proc') if p.isdigit()]) <= 3)\n"
        "print('CI' in os.environ, 'SSH_AUTH_SOCK' in os.environ)"
    )
    assert inside(code).split("\n")[:3] == ["['lo']", "True", "False False"]


@needs_sandbox
def test_limits_apply_and_cannot_be_raised() -> None:
    code = (
        "import resource as r\n"
        "for kind in (r.RLIMIT_NPROC, r.RLIMIT_FSIZE, r.RLIMIT_CPU):\n"
        "    print(r.getrlimit(kind)[1])\n"
        "    try:\n"
        "        r.setrlimit(kind, (r.RLIM_INFINITY, r.RLIM_INFINITY)); print('RAISED')\n"
        "    except (ValueError, OSError): pass\n"
        "try:\n"
        "    open('big', 'wb').write(bytes(9 << 20))\n"
        "except OSError as error: print(error.strerror)"
    )
    assert inside(code).split("\n")[:4] == ["32", str(8 << 20), "21", "File too large"]


@needs_sandbox
def test_everything_dies_with_the_sandbox() -> None:
    child = sandboxed(LIMITS)
    message = {"do": "run", "show": False, "seconds": 5, "wait": 60, "id": "1"}
    message["source"] = "import subprocess; subprocess.Popen(['setsid', 'sleep', '293'])"
    child.exchange((json.dumps(message) + "\n").encode(), 60, 10**6)
    assert is_running("sleep 293")
    child.close()
    assert ends("sleep 293")


def as_ordinary_user(command: list[str]) -> list[str]:
    """Return a command that runs as another user, for whom the folders on the way to Python are opened."""
    options = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--cap-add", "ALL"]
    for path in {os.path.realpath(sys.base_prefix), os.path.realpath(sys.prefix), str(ROOT)}:
        above = list(reversed(pathlib.Path(path).parents))
        closed = next((folder for folder in above if not folder.stat().st_mode & 0o001), None)
        if closed is not None:
            options += ["--perms", "0755", "--tmpfs", str(closed)]
            between = above[above.index(closed) + 1 :]
            options += [word for folder in between for word in ("--perms", "0755", "--dir", str(folder))]
            options += ["--ro-bind", path, path]
    change = [
        "setpriv",
        "--reuid=1234",
        "--regid=1234",
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
    ]
    return [*options, *change, *command]


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="these tests run as an ordinary user already")
def test_the_sandbox_works_for_an_ordinary_user() -> None:
    code = "import os; from tests.support.coursework_sample import *; "
    code += "print(os.getuid(), mark(handed_in()).points)"
    done = subprocess.run(
        as_ordinary_user([sys.executable, "-c", code]),
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "1234 6\n", done.stderr


# -- sanitising ---------------------------------------------------------------------------------------------


def sanitised(
    change: Callable[[list[Any]], object] = lambda cells: None, **kwargs: Any
) -> list[dict[str, Any]]:
    """Hand in a changed notebook and return the cells that are executed."""
    notebook = handed_in(**kwargs)
    change(notebook["cells"])
    cells: list[dict[str, Any]] = json.loads(sanitise(json.dumps(notebook), problem_set()))["cells"]
    return cells


def test_answers_of_the_instructor_do_not_get_through() -> None:
    text = sanitise("", problem_set())
    assert "np.linalg.solve" not in text
    assert "Because." not in text
    assert "missing from the submission" in text


def test_cells_that_a_student_added_stay_where_they_were() -> None:
    cells = sanitised(first="helper = 1", last="after = 2")
    assert [item["source"] for item in cells[:3]] == [cells[0]["source"], "helper = 1", ANSWERS["scale"]]
    assert cells[-1]["source"] == "after = 2"
    assert cells[-1]["metadata"] == {}


def test_a_second_copy_of_an_answer_runs_as_a_cell_of_the_students() -> None:
    def twice(cells: list[Any]) -> None:
        cells.append(cells[1] | {"source": "def scale(x, factor):\n    return 0"})

    cells = sanitised(twice)
    assert cells[0]["source"].startswith("**From the marker**")
    assert "the first counts as the answer: scale" in cells[0]["source"]
    assert cells[2]["source"] == ANSWERS["scale"]
    assert cells[-1]["source"] == "def scale(x, factor):\n    return 0"
    assert cells[-1]["metadata"] == {}


def test_a_missing_answer_is_told() -> None:
    cells = sanitised(lambda cells: cells.pop(1))
    assert "Missing from the submission: scale." in cells[0]["source"]


def test_written_answers_cannot_run_in_the_instructors_browser() -> None:
    picture = {"a.png": {"image/png": "AAAA", "text/html": "<b>"}, "b.svg": {"image/svg+xml": "<svg/>"}}
    evil = "$a<b$ <script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    cells = sanitised(lambda cells: cells[-1].update(source=evil, attachments=picture))
    assert cells[-1]["source"].startswith(
        "$a< b$ < script>alert(1)< /script> [x] (javascript :alert(1)) < img"
    )
    assert cells[-1]["attachments"] == {"a.png": {"image/png": "AAAA"}}


MOODY = """
import pathlib, time
log = pathlib.Path({log!r})
runs = len(log.read_text()) if log.exists() else 0
log.write_text("x" * (runs + 1))
if runs in {bad}:
    time.sleep(60)
important = 1
"""


@pytest.mark.parametrize(("bad", "right"), [((1,), True), ((1, 2), False)], ids=["once", "twice"])
def test_a_cell_that_ran_before_gets_a_second_chance(
    tmp_path: pathlib.Path, bad: tuple[int, ...], right: bool
) -> None:
    answers = {
        name: f"important\n{source}" if name == "scale" else source for name, source in ANSWERS.items()
    }
    moody = MOODY.format(log=str(tmp_path / "log"), bad=bad)
    said = mark(handed_in(answers, first=moody), start=forked, limits=LIMITS).verdicts["scale"]
    assert said is None if right else "ran the first time failed twice" in str(said)


@pytest.mark.parametrize(
    "evil",
    [
        "[c](java&#115;cript:alert(1))",
        "[c](jav&#x09;ascript:alert(1))",
        "[c](javascript&colon;alert(1))",
        "[c](javascript\\:alert(1))",
        "[c](<javascript:alert(1)>)",
        "[c](\x01javascript:alert(1))",
        "[c](\n javascript:alert(1))",
        "[c](data:text/html;base64,AAAA)",
        "[c][1]\n\n[1]: javascript:alert(1)",
        "<javascript:alert(1)>",
        "&amp;lt;script>alert(1)&lt;/script>",
        "![p](https://elsewhere.example/track.png)",
        "![a[b]c](https://elsewhere.example/track.png)",
        "![p][1]\n\n[1]: https://elsewhere.example/track.png",
        "![p](attachment:missing.png)",
        r"$\href{javascript:alert(1)}{x}$",
    ],
)
def test_the_page_that_an_instructor_sees_runs_and_loads_nothing(evil: str) -> None:
    cells = sanitised(lambda cells: cells[-1].update(source=evil))
    page = markdown2html_mistune(cells[-1]["source"])  # what nbgrader's pages are made with
    assert not re.search(r"<(script|img|iframe|object)|\\href", page)
    assert all(link.startswith(("http", "mailto:", "#")) for link in re.findall(r'href="([^"]*)"', page))


def test_links_and_own_pictures_stay() -> None:
    good = "[book](https://book.example) ![p](attachment:a.png) $f[1](x)$"
    picture = {"a.png": {"image/png": "AAAA"}}
    cells = sanitised(lambda cells: cells[-1].update(source=good, attachments=picture))
    assert cells[-1]["source"] == "[book](https://book.example) ![p](attachment:a.png) $f[1] (x)$"


def test_everything_but_answers_is_the_instructors() -> None:
    for original, item in zip(problem_set()["cells"], sanitised(), strict=True):
        assert item["metadata"] == original["metadata"]
        if not original["metadata"]["nbgrader"]["solution"]:
            assert item["source"] == original["source"]
    assert Marked(json.dumps({"cells": []})).points == 0
    assert TESTS.keys() <= mark(handed_in(), start=forked).verdicts.keys()
