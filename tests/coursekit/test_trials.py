"""Answers tried on branches of a walk: they fare as on the long way, and none of them touches another."""

import copy
from dataclasses import replace

import pytest

from coursekit.checking import trials
from coursekit.checking.trials import Answer, Reasons, tried
from coursekit.course.course import Course
from coursekit.course.example import RIGHT, new
from coursekit.sets.problem_set import ProblemSet, ProblemSetError
from tests.coursekit.test_feedback import ODD

CENTRE = "def centre(x):\n    {}\n    return x - np.mean(x)"
FLIPPED = {"centre": "def centre(x):\n    return x.mean() - x"}
WILD = """import os, pathlib
pathlib.Path("seen").touch()
assert pathlib.Path("seen").read_text() in ("", "{0}")
assert getattr(np, "seen", "{0}") == "{0}"
np.seen = "{0}"
pathlib.Path("seen").write_text("{0}")
os.write(1, b"noise")
"""
BOTH_WAYS = {name: {"centre": ODD[name]["centre"]} for name in ("prints", "raises", "asserts", "syntax")} | {
    "asks": {"centre": CENTRE.format("input()")},
    "leaves": {"centre": CENTRE.format("raise SystemExit(3)")},
    "in place": {"centre": "def centre(x):\n    x -= x.mean()\n    return x"},
    "lists": {"centre": "def centre(x):\n    return list(x - x.mean())"},
    "by variance": {"standardise": "def standardise(x):\n    return centre(x) / x.var()"},
    "right": {name: RIGHT[name] for name in ("centre", "standardise")},
}
SLEEPS = f"__import__('time').sleep({1.5 * trials.LEAST_S})"
ANSWERS = {
    "model": Answer(),
    "flipped": Answer(cells=FLIPPED),
    "flipped, quick": Answer(cells=FLIPPED, quick=True),
    "flipped, one test": Answer(cells=FLIPPED, last="test-centre"),
    "loops": Answer(cells={"centre": CENTRE.format("while True: pass")}, quick=True),
    "sleeps": Answer(cells={"centre": CENTRE.format(SLEEPS)}, quick=True),
    "wild": Answer(cells={"centre": WILD.format("one") + CENTRE.format("pass")}),
    "wild again": Answer(cells={"centre": WILD.format("two") + CENTRE.format("pass")}),
    "ends": Answer(cells={"centre": CENTRE.format("__import__('os')._exit(0)")}),
    **{name: Answer(cells=cells) for name, cells in BOTH_WAYS.items()},
    **{f"{name}, apart": Answer(cells=cells, apart=True) for name, cells in BOTH_WAYS.items()},
}
PASSED: Reasons = {"test-centre": None, "test-standardise": None}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> ProblemSet:
    """Write a set with two functions and a test for each."""
    course = Course(tmp_path_factory.mktemp("course"))
    new(course, "one")
    return course.problem_set("one")


def fates(problem_set: ProblemSet, *answers: Answer, imports: str = "") -> list[Reasons]:
    found = dict(tried(problem_set, answers, jobs=2, imports=imports))
    return [found[number] for number in range(len(answers))]


@pytest.fixture(scope="module")
def said(template: ProblemSet) -> dict[str, Reasons]:
    return dict(zip(ANSWERS, fates(template, *ANSWERS.values()), strict=True))


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_branch_says_what_the_long_way_says(said: dict[str, Reasons], name: str) -> None:
    assert said[name]
    assert said[name] == {test: said[f"{name}, apart"][test] for test in said[name]}
    assert any(said[name].values()) == (name not in ("right", "lists"))


def test_how_far_an_answer_is_followed_how_long_and_unseen_by_others(said: dict[str, Reasons]) -> None:
    assert said["model"] == PASSED
    assert said["flipped"].keys() == PASSED.keys()
    assert said["flipped, quick"] == {"test-centre": "the sign is wrong: subtract the mean"}
    assert said["flipped, one test"] == said["flipped, quick"]
    assert said["by variance"].keys() == {"test-standardise"}, "what came before is not run again"
    reason = f"TimeLimit: your code ran longer than {trials.LEAST_S:g} s"
    assert said["loops"] == {"test-centre": reason}, "and the next test is not tried"
    assert said["sleeps"] == PASSED, "as if the machine were busy"
    assert said["wild"] == said["wild again"] == PASSED
    reason = "ProcessEnded: the answer took too long, or ended the process (EOFError)"
    assert said["ends"] == dict.fromkeys(PASSED, reason)


SETUP = "import numpy as np\ndata = np.zeros(2)\n\ndef late(x):\n    return f(x)"
NOTEBOOK = {
    "setup": ("setup", SETUP),
    "f": ("student", "def f(x):\n    return 2 * x"),
    "test-f": ("test", "got = f(3)\nassert got == 6"),
    "g": ("student", "def g(x):\n    return h(x)"),
    "test-g": ("test", "got = g(3)\nassert got == 6"),
    "k": ("student", "k = data + 1"),
    "test-k": ("test", "assert k[0] == 1"),
    "m": ("student", "m = np.ones(3)"),
    "test-m": ("test", "assert m[0] == {}"),
    "empty": ("student", "# nothing yet"),
}


F = "def f(x):\n    return x"


@pytest.mark.parametrize(
    ("cell", "source", "last_test", "run"),
    [
        ("f", F, "1", "f test-f"),
        ("f", "def f(x:", "1", "f test-f"),
        ("f", F, "f(1)", "f test-f g k m test-m"),
        ("f", F, "late(1)", "f test-f g k m test-m"),  # a cell before calls it
        ("f", F, "got", "f test-f g test-g k m test-m"),  # what a test made of it
        ("f", "def h(x):\n    return x", "1", "f test-f g test-g"),
        ("f", "def f(x):\n    data[0] = x", "1", "f test-f g k test-k"),  # data may be changed in place
        ("g", "def g(x):\n    return x", "1", "g test-g"),
        ("g", "f = 1", "m[0] + got", "g test-g k m test-m"),
        ("m", "m = 1", "1", "m test-m"),
        ("empty", "q = 1", "1", "empty"),
    ],
)
def test_tests_run_that_notice_or_are_built_on(cell: str, source: str, last_test: str, run: str) -> None:
    cells = [
        {"name": name, "role": role, "source": text.format(last_test) if name == "test-m" else text}
        for name, (role, text) in NOTEBOOK.items()
    ]
    model = trials.ModelAnswer({"cells": cells, "settings": {}, "limits": {}, "files": {}})
    names = list(NOTEBOOK)
    assert [names[index] for index in model.to_run(Answer(cells={cell: source}))] == run.split()
    if cell == "f":
        to_run = model.to_run(Answer(cells={cell: source}, last="test-k"))
        assert [names[index] for index in to_run] == ["f", "g", "k", "test-k"]


def with_source(problem_set: ProblemSet, name: str, source: str) -> ProblemSet:
    changed = replace(problem_set, notebook=copy.deepcopy(problem_set.notebook))
    changed.cell(name).source = source
    return changed


def test_slow_models_data_files_and_closed_streams(template: ProblemSet) -> None:
    setup = template.cell("setup").source + "\nassert open('data/x.csv').read() == '7'"
    changed = replace(with_source(template, "setup", setup), files={"data/x.csv": b"7"})
    changed = with_source(changed, "test-centre", template.cell("test-centre").source + "\nprint(got)")
    changed = with_source(changed, "centre", "_ = sum(range(8_000_000))\n" + CENTRE.format("pass"))
    odd = CENTRE.format("open('data/x.csv').close(); __import__('sys').stdout.close()")
    slow = Answer(cells={"centre": f"_ = sum(range(40_000_000))\n{odd}"}, quick=True)
    assert fates(changed, slow, Answer(apart=True)) == [PASSED, PASSED]


def test_a_model_answer_that_cannot_be_run(template: ProblemSet) -> None:
    broken = with_source(template, "setup", "import os\nos._exit(1)")
    lost = "one: the process that runs the model answer is lost .EOFError.; run the model answer cell by cell"
    with pytest.raises(ProblemSetError, match=lost):
        fates(broken, Answer(apart=True))
    with pytest.raises(ProblemSetError, match="one: ModuleNotFoundError: No module named 'nosuch'; run"):
        fates(template, Answer(), imports="import nosuch")
