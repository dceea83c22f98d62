"""The stages of the checks: what they count and say in the end, other machines, what a change touches."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bookkit.checks import changed, machines, stages
from bookkit.checks.machines import MACHINES, Machine
from bookkit.checks.stages import Stage

GOOD = "[gw0] [ 50%] PASSED tests/test_a.py::test_b[x y]"
BAD = "[gw1] [100%] FAILED book/05-toys.ipynb::Cell 1"
SAID = f"""{GOOD}
\x1b[31m{BAD}\x1b[0m
=================================== FAILURES ===================================
_______________________________ book/05-toys.ipynb::Cell 1 ______________________
Cell 1: Cell outputs differ
{"x" * 70}
=========================== short test summary info ============================
FAILED
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stages, "ROOT", tmp_path)
    monkeypatch.setattr(stages, "LOGS", tmp_path / "logs")
    cells = [("markdown", "# Toys"), ("code", "1"), ("markdown", "## Where\nHere."), ("code", "2")]
    listed = [{"cell_type": kind, "source": [source]} for kind, source in cells]
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "05-toys.ipynb").write_text(json.dumps({"cells": listed}), encoding="utf-8")
    return tmp_path


def prints(text: str, status: int, **more: object) -> Stage:
    code = f"import sys; sys.stdout.write({text!r}); sys.exit({status})"
    return Stage(name="toys", words="a text", command=(sys.executable, "-c", code), **more)  # type: ignore[arg-type]


def test_a_summary_says_page_cell_heading_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = stages.run([prints(SAID, 1, variables={"A": "b"})])
    assert stages.report(done) == 1
    shown = capsys.readouterr().out
    assert "book/05-toys.ipynb, code cell 1, under “Where”" in shown
    assert "A='b' .venv/bin/pytest --nbval book/05-toys.ipynb" in shown
    assert "Cell outputs differ" in shown
    assert "short test summary" not in shown
    assert re.search(r"^1 passed, 1 failed, 0 skipped$", shown, re.M)
    assert (folder / "logs" / "toys.log").read_text(encoding="utf-8") == SAID


def test_stages_that_pass_or_fail_without_a_test(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stages.report(stages.run([prints(f"{GOOD}\n", 0)])) == 0
    assert re.search(r"^1 passed, 0 failed, 0 skipped$", capsys.readouterr().out, re.M)
    assert stages.report(stages.run([prints("no such option", 4)])) == 1
    shown = capsys.readouterr().out
    assert "no such option" in shown
    assert "toys: see above" in shown
    assert " -c 'import sys;" in shown, "to be pasted into a shell"


def test_what_needs_a_failed_stage_is_not_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = Stage(name="late", words="", command=("false",), needs="toys")
    third = Stage(name="last", words="", command=("true",))
    done = stages.run([prints("", 1), second, third])
    assert [(running.stage.name, running.passed) for running in done] == [("toys", False), ("last", True)]
    assert "not run, because toys failed" in capsys.readouterr().out


def test_a_stage_is_ended_in_time_with_all_that_it_started(folder: Path) -> None:
    sleepers = Stage(name="toys", words="", command=("sh", "-c", "sleep 600 & echo $!; sleep 600"))
    (running,) = stages.run([sleepers], until=time.monotonic() + 1)
    assert not running.passed
    assert (running.outcome, stages.report([running])) == ("cut off", 0)
    wanted = list(changed.stages({"tests": ["a.py", "b.py", "c.py"], "notebooks": ["d.ipynb"], "sets": []}))
    running.seen = {"gw0": ["a.py::test", "b.py::test"]}  # whether b.py has more tests is not known
    lint, tests, notebooks = changed.unfinished(wanted, [running])
    assert tests == "Not finished: b.py c.py. Run: .venv/bin/pytest b.py c.py"
    assert (lint[-10:], notebooks[-16:]) == (" make lint", " --nbval d.ipynb")
    child = int(running.log.read_text(encoding="utf-8"))
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text(encoding="utf-8").split()[2] == "Z"


def test_near_files_run_first_and_a_run_that_is_cut_says_why(folder: Path) -> None:
    for name, tests, line in (("near", 1, "assert n > 2, 'the reason'"), ("far", 3, "time.sleep(9)")):
        text = "import pytest, time\n@pytest.mark.parametrize('n', range({}))\ndef test_it(n):\n    {}\n"
        (folder / f"{name}.py").write_text(text.format(tests, line), encoding="utf-8")
    command = ("env", "--default-signal=INT", *stages.PYTEST, "-n1", *changed.IN_ORDER, "near.py", "far.py")
    running = stages.Running(Stage(name="toys", words="", command=command))
    while running.reader.is_alive() and not running.failed:
        time.sleep(0.1)
    running.interrupt()
    running.reader.join(60)
    running.stop()
    assert (running.tests, running.outcome) == (1, "FAILED")
    assert any("AssertionError: the reason" in line for line in stages.complaints(running.log))


def test_long_complaints_are_cut(folder: Path) -> None:
    log = folder / "a.log"
    log.write_text(SAID.replace("x" * 70, "x\n" * 500), encoding="utf-8")
    lines = list(stages.complaints(log))
    assert len(lines) < stages.SHOWN + 5
    assert lines[-1] == "... (the rest is in a.log)"


NEW = ["X86_V3", "X86_V4", "AVX512_ICL"]  # as NumPy 2.4 calls them
OLD = ["SSE41", "AVX", "FMA3", "AVX2", "AVX512F", "AVX512_SKX"]


@pytest.mark.parametrize(
    ("known", "level", "off"),
    [
        (NEW, 4, None),
        (NEW, 3, "X86_V4 AVX512_ICL"),
        (NEW, 2, "X86_V3 X86_V4 AVX512_ICL"),
        (OLD, 3, "AVX512F AVX512_SKX"),
        (OLD, 2, "AVX FMA3 AVX2 AVX512F AVX512_SKX"),
        (NEW[:1], 3, None),
    ],
)
def test_instructions_that_are_switched_off(known: list[str], level: int, off: str | None) -> None:
    machine = Machine(name="a", words="b", level=level)
    assert machine.variables(known).get("NPY_DISABLE_CPU_FEATURES") == off


def test_machines_differ_and_hold_what_was_asked_for() -> None:
    assert len({machine.name for machine in MACHINES}) == len(MACHINES) >= 5
    assert {machine.level for machine in MACHINES} == {2, 3, 4}
    assert {"Haswell", "Zen", "SkylakeX", "Prescott"} <= {machine.blas for machine in MACHINES}
    assert {machine.threads for machine in MACHINES} == {1, 2}
    assert "generic" in {machine.numba for machine in MACHINES}


def test_the_two_least_alike_are_chosen_and_none_that_this_processor_cannot_be() -> None:
    home = Machine(name="home", words="", level=4, blas="SkylakeX")
    near = Machine(name="near", words="", level=4, blas="SkylakeX", threads=2)
    old = Machine(name="old", words="", level=2, blas="Prescott", numba="generic")
    other = Machine(name="other", words="", level=3, blas="Zen", threads=2)
    assert machines.farthest([near, old, other], home, 2) == [old, other]
    assert machines.farthest([near], home, 2) == [near]
    new = Machine(name="new", words="", level=4, blas="SkylakeX")
    assert "needs level 4" in machines.possible(new, ["X86_V3"])
    assert "another family" in machines.possible(new, [])


def shaken(code: str) -> str:
    """Run code as the adversary does."""
    variables = os.environ | Machine(name="a", words="", adversary=True).variables([])
    command = [sys.executable, "-c", f"import numpy as np\n{code}"]
    return subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout.strip()


def test_the_adversary_reverses_ties_and_shakes_last_bits() -> None:
    x, rng = "np.array([1, 0, 1, 0])", "np.random.default_rng(0)"
    code = f"print(np.argsort({x}), np.argsort({x}, kind='stable'), *{rng}.normal(size=2), {rng}.integers(9))"
    ties, stable, normal = re.fullmatch(r"\[(.*)\] \[(.*)\] (.*)", shaken(code)).groups()  # type: ignore[union-attr]
    assert (ties, stable) == ("3 1 2 0", "1 3 0 2")
    a, b, whole = map(float, normal.split())
    want = np.random.default_rng(0).normal(size=2)
    assert a != want[0]
    assert np.allclose([a, b], want, rtol=1e-15, atol=0)
    assert whole == np.random.default_rng(0).integers(9)


CODE = {
    "lecturekit/low.py": "import numpy",
    "lecturekit/high.py": "from lecturekit import low",
    "lecturekit/other.py": "",
    "bookkit/pages/reader.py": "",
    "book/05-toys.md": "%matplotlib inline\nfrom lecturekit.high import f",
    "book/06-words.md": "import numpy",
    "coursework/05-toys/05-toys.md": "from lecturekit.low import g",
    "tests/lecturekit/test_low.py": "import lecturekit.low",
    "tests/bookkit/test_reader.py": "from bookkit.pages.reader import read",
    "tests/book/test_data.py": "open('claims.yml')",
    "tests/book/test_broken.py": "def (",
}


TOYS, TEST_LOW = "book/05-toys.ipynb", "tests/lecturekit/test_low.py"
WALK = [f"tests/lecturekit/test_{name}.py" for name in changed.WALKERS["lecturekit"]]
TOUCHED = {
    "lecturekit/low.py": (["lecturekit/low.py", *WALK, TEST_LOW], [TOYS], ["05-toys"]),
    "lecturekit/high.py": (["lecturekit/high.py", *WALK], [TOYS], []),
    "lecturekit/other.py": (["lecturekit/other.py", *WALK], [], []),
    "bookkit/pages/figures.py": ([], [TOYS, "book/06-words.ipynb"], []),
    "bookkit/pages/reader.py": (["tests/bookkit/test_reader.py"], [], []),
    "book/claims.yml": (["tests/book/test_data.py"], [], []),
    "coursework/05-toys/mutants.yml": ([], [], ["05-toys"]),
    "tests/book/test_broken.py": (["tests/book/test_broken.py"], [], []),
}


def test_what_a_change_touches_the_nearest_first_in_the_graph_of_this_repository_too() -> None:
    for file, (tests, notebooks, sets) in TOUCHED.items():
        assert changed.plan([file], CODE) == {"tests": tests, "notebooks": notebooks, "sets": sets}
    assert changed.plan([], CODE) == {"tests": [], "notebooks": [], "sets": []}
    planned = changed.plan(["book/06-words.ipynb"], CODE)
    assert planned["notebooks"] == ["book/06-words.ipynb"]
    assert {f"tests/book/test_{name}.py" for name in ("chapters", "claims")} <= set(planned["tests"])
    assert planned["tests"][0] == "tests/book/test_pairs.py"
    code = {"lecturekit/a.py": "", "lecturekit/b.py": "import lecturekit.a"}
    code |= {"book/01-b.md": "import lecturekit.b", "book/02-a.md": "import lecturekit.a"}
    assert changed.plan(["lecturekit/a.py"], code)["notebooks"] == ["book/02-a.ipynb", "book/01-b.ipynb"]
    steps = changed.reached(["lecturekit/svm/_smo.py"], changed.importers(changed.sources()))
    assert (steps["lecturekit/svm/__init__.py"], steps["book/07-solvers/smo.md"]) == (1, 2)
    assert "tests/lecturekit/svm/test_smo.py" in steps
    assert "lecturekit/penalized/_ridge.py" not in steps
