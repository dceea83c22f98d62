"""Mutants: what is changed and what is not, which tests are run, what is noticed, and what is left behind."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from bookkit import ROOT
from bookkit.checks.mutants import __main__ as command
from bookkit.checks.mutants import trial
from bookkit.checks.mutants.sites import mutants, sample
from bookkit.checks.mutants.trial import Tree, code_of, own_tests, plain_run, telling, try_mutant

HALF = "def half(x):\n    if x < 0:\n        raise ValueError(x)\n    return x / 2\n"
READY = "def ready(x):\n    return x > 0\n"
GOOD = "from toy.things import ready\n\ndef test_ready():\n    assert ready(1) and not ready(0)\n"
WEAK = "from toy.things import ready\n\ndef test_ready():\n    assert ready(4)\n"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pytest start without plugins, which the toy needs not: it is quicker."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def write(root: Path, source: str, tests: str) -> Path:
    files = {"toy/__init__.py": "", "toy/things.py": source, "tests/toy/test_things.py": tests}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def contents(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def changes(source: str) -> set[tuple[str, str]]:
    return {(mutant.old, mutant.new) for mutant in mutants("toy.py", source)}


WHOLE = {"a < b": "a <= b", "a == b": "a != b", "a + b": "a - b", "a * b": "a / b", "a and b": "a or b"}
WHOLE |= {"f(1)": "f(0)", "f(a, b)": "f(b, a)", "min(a)": "max(a)", "a[b:c]": "a[b:c - 1]"}
WHOLE |= {"x = not a": "x = a", "x = True": "x = False", "_check.positive(C)": "pass"}


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        *((source, source, new) for source, new in WHOLE.items()),
        ("if a:\n    raise ValueError(a)", "raise ValueError(a)", "pass"),
        ("x = 1\ndef f(x):\n    x = g(x)\n    return x", "x = g(x)", "pass"),
        ("def f():\n    return g()", "return g()", "return None"),
        ("while a:\n    break", "break", "continue"),
        ("x = {'ä': 'ö'}; y = a < b", "a < b", "a >= b"),
    ],
)
def test_a_change(source: str, old: str, new: str) -> None:
    assert (old, new) in changes(source)


STAYS = ['"""Twice 2 is 4."""', "x: Literal[3]", "def f(x: Literal[1] | None) -> Literal[2]: ...", "import a"]
STAYS += ["__all__ = sorted(a, b)", "if TYPE_CHECKING:\n    x = f(1, 2)", "assert a < b", "f'{a + 1}'"]
STAYS += ["@dataclass(frozen=True)\nclass A: ...", "isinstance"]


@pytest.mark.parametrize("source", STAYS)
def test_what_is_no_behaviour_stays(source: str) -> None:
    assert changes(source) == set()


def test_a_sample_follows_seed_and_amount_of_code_is_other_code_and_no_message() -> None:
    raised = "raise ValueError(f'{a + 1}', 2 * b)"
    assert changes(raised) == {(raised, "pass")}
    sources = {"a.py": HALF, "b.py": HALF + HALF + HALF, "c.py": "import a"}
    drawn = [mutant.key for mutant in sample(sources, 12, seed=0)]
    assert drawn == [mutant.key for mutant in sample(sources, 12, seed=0)]
    assert drawn != [mutant.key for mutant in sample(sources, 12, seed=1)]
    assert [sum(key[0] == file for key in drawn) for file in sources] == [3, 9, 0]
    assert [it for it in drawn if it[0] == "a.py"] == [one.key for one in sample({"a.py": HALF}, 3, seed=0)]
    source = (ROOT / "coursekit" / "isolation" / "wire.py").read_text(encoding="utf-8")
    texts = [ast.dump(ast.parse(mutant.text)) for mutant in sample({"wire.py": source}, 60, seed=0)]
    assert len({*texts, ast.dump(ast.parse(source))}) == 61


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("lecturekit/svm/_smo.py", {"svm"}),
        ("lecturekit/_check.py", {"test_check.py"}),
        ("coursekit/isolation/wire.py", {"test_wire.py"}),
        ("coursekit/isolation/student.py", {"test_execute.py", "test_attacks.py"}),
    ],
)
def test_the_tests_of_a_module(file: str, tests: set[str]) -> None:
    room = file.split("/")[0]
    found = own_tests(ROOT, file, code_of(ROOT, [room]))
    assert {f"tests/{room}/{name}" for name in tests} <= set(found)
    assert "tests/coursekit/test_check.py" not in found


def test_code_that_tells_does_the_same() -> None:
    source = f'"""Half."""\nfrom __future__ import annotations\n{HALF}\nx = [half(a) for a in (1, 2)]'
    names: dict[str, object] = {}
    exec(telling("toy.py", source), names)
    assert (names["__doc__"], names["x"]) == ("Half.", [0.5, 1.0])


def test_good_tests_notice_all_and_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path, READY, GOOD)
    before = contents(root)
    assert command.main(["--only", "toy"], root) == 0
    shown = capsys.readouterr().out
    assert "5 of 5 mutants were noticed (100 %)" in shown
    assert "no test noticed" not in shown
    result = contents(root)
    kept = json.loads(result.pop(str(Path("_build", "mutants", "results.json"))))
    assert [one["outcome"] for one in kept["mutants"]] == ["noticed"] * 5
    assert result == before


def test_weak_tests_are_known_by_what_they_miss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path, READY, WEAK)
    entry = {"file": "toy/things.py", "function": "ready", "old": "x > 0", "new": "x >= 0", "why": "says who"}
    listed = [entry, entry | {"old": "gone"}, entry | {"file": "toy/gone.py"}]
    (root / command.EXPLAINED).parent.mkdir(parents=True)
    (root / command.EXPLAINED).write_text(yaml.safe_dump(listed), encoding="utf-8")
    command.main(["--only", "toy/things.py", "--jobs", "1"], root)
    shown = capsys.readouterr().out
    assert "toy/things.py:2, ready\n    x > 0\n    x > -1" in shown
    assert "2 of 4 mutants were noticed (50 %)" in shown
    assert "; 1 are explained; 0 were not tried" in shown
    gone = shown.split("that match nothing any more\n")[1].splitlines()
    assert gone[:2] == ["toy/things.py, ready: gone  ->  x >= 0", "toy/gone.py, ready: x > 0  ->  x >= 0"]
    command.main(["--only", "toy/things.py", "--list", "--again"], root)
    assert sorted(capsys.readouterr().out.splitlines()) == [
        "toy/things.py:2  x > 0  ->  x > -1",
        "toy/things.py:2  x > 0  ->  x > 1",
    ]


def test_every_explanation_of_this_repository_is_whole() -> None:
    for entry in yaml.safe_load((ROOT / command.EXPLAINED).read_text(encoding="utf-8")):
        assert list(entry) == [*command.PARTS, "why"]
        assert all(isinstance(text, str) for text in entry.values())
        assert len(entry["why"]) > 20


def test_a_mutant_that_never_ends_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MORE_S", 1.0)
    loop = "def down(x):\n    while x > 0:\n        x -= 1\n    return x\n"
    tests = "from toy.things import down\n\ndef test_down():\n    assert down(3) == 0\n"
    tree = Tree(write(tmp_path / "root", loop, tests), tmp_path / "tree")
    known = plain_run(tree, ["tests/toy/test_things.py"], ["toy/things.py"])
    (endless,) = (one for one in mutants("toy/things.py", loop) if one.new == "x += 1")
    assert known.limits(endless).keys() == {"tests/toy/test_things.py::test_down"}
    assert try_mutant(tree, endless, known) == "late"
    assert (tree.folder / "toy" / "things.py").read_text(encoding="utf-8") == loop


def test_only_tests_that_pass_and_reach_the_line_are_tried(tmp_path: Path) -> None:
    tests = "from toy.things import half\n\ndef test_a():\n    assert half(4) == 3\n\n"
    tests += "def test_b():\n    assert half(4) == 2\n\ndef test_c():\n    pass\n"
    tree = Tree(write(tmp_path / "root", HALF, tests), tmp_path / "tree")
    known = plain_run(tree, ["tests/toy/test_things.py"], ["toy/things.py"])
    assert known.failed == ["tests/toy/test_things.py::test_a"]
    made = {mutant.new: mutant for mutant in mutants("toy/things.py", HALF)}
    assert known.limits(made["x * 2"]).keys() == {"tests/toy/test_things.py::test_b"}
    assert (known.limits(made["pass"]), try_mutant(tree, made["pass"], known)) == ({}, "unreached")


def test_quick_tests_come_first_and_their_time_can_be_bounded() -> None:
    known = trial.Known({"a": 5.0, "b": 1.0, "c": 2.0, "d": 0.5}, [], {}, 0.0)
    (mutant, *_) = mutants(trial.UNSEEN[0], READY)
    assert list(known.limits(mutant)) == ["d", "b", "c", "a"]
    assert list(known.limits(mutant, 4.0)) == ["d", "b", "c"]
    assert list(known.limits(mutant, 0.1)) == ["d"]


def test_an_interrupted_trial_says_what_it_knows_and_leaves_nothing_behind(tmp_path: Path) -> None:
    sleepy = WEAK.replace("assert ready(4)", "ready(1)\n    __import__('time').sleep(287)")
    root, scratch = write(tmp_path / "root", READY, sleepy), tmp_path / "scratch"
    scratch.mkdir()
    code = "import pathlib, sys; from bookkit.checks.mutants.__main__ import main; "
    code += f"sys.exit(main(['--only', 'toy'], pathlib.Path({str(root)!r})))"
    variables, told = os.environ | {"TMPDIR": str(scratch)}, subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=variables, stdout=told, text=True)
    deadline = time.monotonic() + 30
    while not list(scratch.glob("*/0/trace")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    shown, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "this is what is known so far" in shown
    assert re.search(r"0 of 0 mutants were noticed.*\d+ were not tried", shown)
    assert list(scratch.iterdir()) == []
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(scratch) not in running
