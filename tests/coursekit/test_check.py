"""The check of a problem set: right answers pass, wrong ones do not, and a weakened test is found out."""

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bookkit import ROOT
from coursekit.checking.check import Report, check, planned
from coursekit.checking.mutants import ALWAYS, always_on, machine_made
from coursekit.sets.problem_set import ProblemSetError
from coursekit.sets.source import read
from tests.support.sample_set import MUTANTS, SET, write_set

SOURCES = sorted(path for path in (ROOT / "coursework").iterdir() if (path / f"{path.name}.md").exists())


def check_toys(folder: Path, text: str = SET, mutants: str = MUTANTS) -> Report:
    return check(read(write_set(folder, text, mutants), claims=["KER-01"]))


@pytest.mark.parametrize("folder", SOURCES, ids=lambda path: path.name)
def test_every_set_passes(folder: Path) -> None:
    report = check(read(folder), jobs=2)
    assert report.passed, str(report)
    assert len(report.rows) > 50


def test_a_weakened_test_of_the_book_is_found_out(tmp_path: Path) -> None:
    home = ROOT / "coursework" / "05-kernels"
    text = (home / "05-kernels.md").read_text(encoding="utf-8")
    lost = re.compile(r"^assert np\.allclose\(np\.diag\(S\), np\.diag.*?\n\)\n", re.M | re.S)
    weak, count = lost.subn("", text)
    assert count == 1, "the assertion that this test removes is gone"
    folder = tmp_path / "05-kernels"
    folder.mkdir()
    (folder / "05-kernels.md").write_text(weak, encoding="utf-8")
    (folder / "mutants.yml").write_bytes((home / "mutants.yml").read_bytes())
    found = [(row.kind, row.name) for row in check(read(folder), cells=["similarity"]).problems]
    assert found == [("reject", "every string is like itself, even without pieces")]


def test_a_good_set_passes(tmp_path: Path) -> None:
    report = check_toys(tmp_path)
    assert report.passed, str(report)
    shown = str(report)
    assert shown.startswith("toys: passed in")
    assert "1 of    1   known mistakes are found, with the right hint" in shown
    assert "5 of    5   None, nan, zeros" in shown
    assert not report.survivors
    made = planned(read(tmp_path / "toys", claims=["KER-01"]))
    assert made == Counter(row.kind for row in report.rows)
    assert min(made.values()) >= 1


def test_removing_an_assertion_is_found_out(tmp_path: Path) -> None:
    lost = [line for line in SET.splitlines() if "a distance is not negative" in line]
    report = check_toys(tmp_path, SET.replace(lost[0] + "\n", ""))
    assert not report.passed
    assert any("np.abs(x - centre)  ->  x - centre" in name for name in report.survivors)
    assert [row.kind for row in report.problems].count("reject") == 1
    assert "test-spread gives it marks; add an assertion" in str(report)
    assert "passes every test" in str(report)


TEST = SET[SET.index("```{code-cell}", SET.index("END SOLUTION")) : SET.index("Why is it")]
FREE = re.sub(r"spread\((.*?)\]\)\) == \d", "abs(-1) == 1", TEST.replace("test-spread", "test-free"))
REFUSED = "test-spread refuses it: the mean of 0 and 2 is 1"
ANOTHER = "test-spread refuses it, but not with the hint 'square it'; it says: a distance"
PLUS = '  - {cell: spread, change: "x - centre  ->  x + centre", reason: why not}\n'
PROBLEMS = {  # what is replaced in the set or its mutants, by what; which row complains, of what
    "a wrong model answer": ("x.mean()", "x.max()", "model", REFUSED),
    "marks for nothing": (
        TEST,
        (FREE + TEST).replace("points: 2", "points: 1"),
        "blank",
        "test-free gives it",
    ),
    "a right answer that is refused": ("abs(x - np.mean(x))", "x", "accept", REFUSED),
    "another hint": ("hint: a distance is not negative", "hint: square it", "reject", ANOTHER),
    "an equivalent that is none": ("centre - x", "centre * x", "machine-made", "there is no such change"),
    "an equivalent mistake": (
        "equivalent:\n",
        f"equivalent:\n{PLUS}",
        "machine-made",
        "declared equivalent but a",
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_problem(tmp_path: Path, name: str) -> None:
    old, new, kind, detail = PROBLEMS[name]
    report = check_toys(tmp_path, SET.replace(old, new), MUTANTS.replace(old, new))
    found = [row.detail for row in report.problems if row.kind == kind]
    assert detail in found[-1]
    assert len(found) == 1 + name.endswith("none"), str(report)
    if name.endswith("none"):
        assert report.survivors[0].startswith("spread: x - centre  ->  centre - x")


BAD_ENTRIES = {
    "there is no part 'rejects'": ("reject:", "rejects:"),
    "no absolute value lacks hint": ("    hint: a distance is not negative\n", ""),
    "lacks reason": ("    reason: It is within an absolute value.\n", ""),
    "names the cell spreads, which is no solution cell": ("    cell: spread\n", "    cell: spreads\n"),
    "killed_by names test-x, which is no test": ("killed_by: test-spread", "killed_by: test-x"),
    "needs either source: or replace:": ("    replace: ", "    replaces: "),
    "its text occurs 0 times in spread": ('"np.abs(x - centre)"', '"np.abs(x)"'),
}


@pytest.mark.parametrize("message", BAD_ENTRIES)
def test_entries_that_cannot_be_meant(tmp_path: Path, message: str) -> None:
    with pytest.raises(ProblemSetError, match=re.escape(message)):
        check_toys(tmp_path, mutants=MUTANTS.replace(*BAD_ENTRIES[message]))


def test_mutants_yml_is_needed(tmp_path: Path) -> None:
    home = write_set(tmp_path)
    (home / "mutants.yml").unlink()
    with pytest.raises(ProblemSetError, match=r"mutants\.yml does not exist; list accept:"):
        check(read(home))


MADE = {
    "a + b": ["a - b"],
    "a - b": ["a + b", "b - a"],
    "a * b": ["a / b"],
    "a / b": ["a * b", "b / a"],
    "a // b": ["a * b", "b // a"],
    "a @ b": ["a * b", "b @ a"],
    "a ** b": ["a * b", "b ** a"],
    "a & b": ["a | b"],
    "-a": ["a"],
    "not a": ["a"],
    "a < b": ["a >= b", "a <= b"],
    "a >= b": ["a < b", "a > b"],
    "a == b": ["a != b"],
    "a in b": ["a not in b"],
    "a is None": ["a is not None"],
    "a and b": ["a or b"],
    "7": ["8", "6"],
    "0.5": ["1.5", "-0.5"],
    "True": ["False"],
    "'text'": [],
    "a = b": ["pass"],
    "a += b": ["a -= b", "a = b", "pass"],
    "a.copy()": ["a"],
    "np.copy(a)": ["a"],
    "f(a, b, c)": ["f(b, a, c)"],
    "f(a, a)": [],
    "np.maximum(a, b)": ["np.minimum(a, b)"],
    "min(a, b)": ["max(a, b)"],
    "np.argmin(a)": ["np.argmax(a)"],
    "a.argmax()": ["a.argmin()"],
    "any(a)": ["all(a)"],
    "sum(a)": [],
    "a.sum()": ["a.mean()"],
    "abs(a)": ["a"],
    "np.abs(a)": ["a"],
    "np.sqrt(a)": ["a"],
    "a.T": ["a"],
    "f(a, axis=b)": ["f(a)"],
    "f(a, keepdims=b)": ["f(a)"],
    "range(n)": ["range(1, n)", "range(n - 1)", "range(n + 1)"],
    "range(a, n)": ["range(n, a)", "range(a + 1, n)", "range(a, n - 1)", "range(a, n + 1)"],
    "a if b else c": ["c if b else a", "a", "c"],
    "[a for a in b if c]": ["[a for a in b]"],
    "if a:\n    f()\nelse:\n    g()": [
        "if not a:\n    f()\nelse:\n    g()",
        "if True:\n    f()\nelse:\n    g()",
        "if False:\n    f()\nelse:\n    g()",
    ],
}


@pytest.mark.parametrize("source", MADE)
def test_operator(source: str) -> None:
    assert [mutant.source for mutant in machine_made("c", source)] == MADE[source]


def test_only_the_answer_is_changed_and_names_say_how_and_do_not_repeat() -> None:
    made = {mutant.source for mutant in machine_made("c", "a = 1\nb = 2", [2])}
    assert made == {f"a = 1\n{line}" for line in ("pass", "b = 3", "b = 1")}
    mutants = list(machine_made("cell", "f(x[1:], axis=0) + f(x[1:], axis=0)"))
    names = {mutant.name for mutant in mutants}
    assert len(names) == len(mutants)
    axis = "cell: f(x[1:], axis=0)  ->  f(x[1:], axis=1)"
    assert {axis, f"{axis} (2)", "cell: x[1:]  ->  x[2:]"} <= names
    assert all(ast.parse(mutant.source) for mutant in mutants)


FUNCTION = "def f(x, y):\n    x[0] = 9\n    return {}\n"


def results(source: str) -> dict[str, Any]:
    found = {}
    for mutant in always_on("c", source):
        names: dict[str, Any] = {"np": np}
        exec(mutant.source, names)
        found[mutant.change.removeprefix("f ")] = names["f"](np.array([1.0, 2.0]), 3)
    return found


def test_always_on_mutants_of_arrays_other_values_functions_without_input_and_methods() -> None:
    found = results(FUNCTION.format("x + y"))
    assert found.keys() == ALWAYS.keys()
    assert found["returns None"] is None
    assert np.isnan(found["returns nan"]).tolist() == [True, True]
    assert found["returns zeros"].tolist() == [0, 0]
    assert found["returns its first input"].tolist() == [1, 2], "as it was before the call"
    assert found["returns the wrong sign"].tolist() == [-12, -5]
    found = results(FUNCTION.format('(y, {"a": True}, ["ab"], None)'))
    assert found["returns the wrong sign"] == (-3, {"a": False}, ["ba"], None)
    assert found["returns zeros"] == (0, {"a": 0}, [0], 0)
    found = results(FUNCTION.format("lambda z: z + y"))
    assert found["returns the wrong sign"](1) == -4
    assert np.isnan(found["returns nan"](1))
    methods = "    def __init__(self): pass\n    def g(self, x): return 2 * x"
    made = always_on("c", f"def f():\n    return 1\nclass A:\n{methods}")
    changes = {mutant.change: mutant for mutant in made}
    assert "f returns its first input" not in changes
    assert "A.g returns its first input" in changes
    assert not [change for change in changes if "__init__" in change]
    names: dict[str, Any] = {}
    for change, result in {"A.g returns the wrong sign": -6, "A.g returns its first input": 3}.items():
        exec(changes[change].source, names)
        assert names["A"]().g(3) == result
