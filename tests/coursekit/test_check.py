"""The check of a problem set: right answers pass, wrong ones do not, and a weakened test is found out."""

import ast
import pathlib
import re
from collections import Counter
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


def check_toys(folder: pathlib.Path, text: str = SET, mutants: str = MUTANTS) -> Report:
    """Check the sample, or a changed one."""
    return check(read(write_set(folder, text, mutants), claims=["KER-01"]))


# -- the sets of the book ----------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", SOURCES, ids=lambda path: path.name)
def test_every_set_passes(folder: pathlib.Path) -> None:
    report = check(read(folder), jobs=2)
    assert report.passed, str(report)
    assert len(report.rows) > 50


def test_a_weakened_test_of_the_book_is_found_out(tmp_path: pathlib.Path) -> None:
    home = ROOT / "coursework" / "05-kernels"
    text = (home / "05-kernels.md").read_text(encoding="utf-8")
    weak, count = re.subn(
        r"^assert np\.allclose\(np\.diag\(S\), np\.diag.*?\n\)\n", "", text, flags=re.M | re.S
    )
    assert count == 1, "the assertion that this test removes is gone"
    folder = tmp_path / "05-kernels"
    folder.mkdir()
    (folder / "05-kernels.md").write_text(weak, encoding="utf-8")
    (folder / "mutants.yml").write_bytes((home / "mutants.yml").read_bytes())
    report = check(read(folder), cells=["similarity"])
    assert len(report.problems) == 1, str(report)
    (problem,) = report.problems
    assert (problem.kind, problem.name) == ("reject", "every string is like itself, even without pieces")


# -- a small set -------------------------------------------------------------------------------------------


def test_a_good_set_passes(tmp_path: pathlib.Path) -> None:
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


def test_removing_an_assertion_is_found_out(tmp_path: pathlib.Path) -> None:
    lost = [line for line in SET.splitlines() if "a distance is not negative" in line]
    report = check_toys(tmp_path, SET.replace(lost[0] + "\n", ""))
    assert not report.passed
    assert any("np.abs(x - centre)  ->  x - centre" in name for name in report.survivors)
    assert [row.kind for row in report.problems].count("reject") == 1
    assert "test-spread gives it marks; add an assertion" in str(report)
    assert "passes every test" in str(report)


def problems(report: Report, kind: str) -> list[str]:
    """Return what is wrong with the answers of a kind."""
    return [row.detail for row in report.problems if row.kind == kind]


def test_a_wrong_model_answer(tmp_path: pathlib.Path) -> None:
    report = check_toys(tmp_path, SET.replace("centre = x.mean()", "centre = x.max()"))
    assert problems(report, "model") == ["test-spread refuses it: the mean of 0 and 2 is 1"]


def test_marks_for_nothing(tmp_path: pathlib.Path) -> None:
    first = SET.index("```{code-cell}", SET.index("END SOLUTION"))
    free = (
        SET[first : SET.index("Why is it")]
        .replace("test-spread", "test-free")
        .replace("points: 2", "points: 1")
    )
    free = re.sub(r"spread\((.*?)\]\)\) == \d", "abs(-1) == 1", free)
    text = SET[:first] + free + SET[first:].replace("points: 2", "points: 1")
    assert problems(check_toys(tmp_path, text), "blank") == ["test-free gives it marks"]


def test_a_right_answer_that_is_refused(tmp_path: pathlib.Path) -> None:
    report = check_toys(tmp_path, mutants=MUTANTS.replace("abs(x - np.mean(x))", "x"))
    assert problems(report, "accept") == ["test-spread refuses it: the mean of 0 and 2 is 1"]


def test_a_mistake_that_is_found_with_another_hint(tmp_path: pathlib.Path) -> None:
    report = check_toys(
        tmp_path, mutants=MUTANTS.replace("hint: a distance is not negative", "hint: square it")
    )
    (detail,) = problems(report, "reject")
    assert detail.startswith("test-spread refuses it, but not with the hint 'square it'; it says: a distance")


def test_equivalents_are_used_and_equivalent(tmp_path: pathlib.Path) -> None:
    mutants = MUTANTS.replace("centre - x", "centre * x")
    report = check_toys(tmp_path, mutants=mutants)
    assert "there is no such change" in problems(report, "machine-made")[1]
    assert report.survivors[0].startswith("spread: x - centre  ->  centre - x")


def test_an_equivalent_that_is_a_mistake(tmp_path: pathlib.Path) -> None:
    mutants = MUTANTS + '  - {cell: spread, change: "x - centre  ->  x + centre", reason: why not}\n'
    assert (
        "declared equivalent but a test refuses it"
        in problems(check_toys(tmp_path, mutants=mutants), "machine-made")[0]
    )


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
def test_entries_that_cannot_be_meant(tmp_path: pathlib.Path, message: str) -> None:
    with pytest.raises(ProblemSetError, match=re.escape(message)):
        check_toys(tmp_path, mutants=MUTANTS.replace(*BAD_ENTRIES[message]))


def test_mutants_yml_is_needed(tmp_path: pathlib.Path) -> None:
    home = write_set(tmp_path)
    (home / "mutants.yml").unlink()
    with pytest.raises(ProblemSetError, match=r"mutants\.yml does not exist; list accept:"):
        check(read(home))


# -- machine-made mutants ----------------------------------------------------------------------------------

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


def test_only_the_answer_is_changed() -> None:
    source = "a = 1\nb = 2"
    assert {mutant.source for mutant in machine_made("c", source, [2])} == {
        "a = 1\npass",
        "a = 1\nb = 3",
        "a = 1\nb = 1",
    }


def test_names_say_the_change_and_do_not_repeat() -> None:
    source = "f(x[1:], axis=0) + f(x[1:], axis=0)"
    mutants = list(machine_made("cell", source))
    names = [mutant.name for mutant in mutants]
    assert len(names) == len(set(names))
    assert "cell: f(x[1:], axis=0)  ->  f(x[1:], axis=1)" in names
    assert "cell: f(x[1:], axis=0)  ->  f(x[1:], axis=1) (2)" in names
    assert "cell: x[1:]  ->  x[2:]" in names
    assert all(ast.parse(mutant.source) for mutant in mutants)


# -- always-on mutants -------------------------------------------------------------------------------------

FUNCTION = "def f(x, y):\n    x[0] = 9\n    return {}\n"


def results(source: str) -> dict[str, Any]:
    """Call `f` of every always-on mutant."""
    found = {}
    for mutant in always_on("c", source):
        names: dict[str, Any] = {"np": np}
        exec(mutant.source, names)
        found[mutant.change.removeprefix("f ")] = names["f"](np.array([1.0, 2.0]), 3)
    return found


def test_always_on_mutants_of_an_array() -> None:
    found = results(FUNCTION.format("x + y"))
    assert found.keys() == ALWAYS.keys()
    assert found["returns None"] is None
    assert np.isnan(found["returns nan"]).tolist() == [True, True]
    assert found["returns zeros"].tolist() == [0, 0]
    assert found["returns its first input"].tolist() == [1, 2], "as it was before the call"
    assert found["returns the wrong sign"].tolist() == [-12, -5]


def test_always_on_mutants_of_other_values() -> None:
    found = results(FUNCTION.format('(y, {"a": True}, ["ab"], None)'))
    assert found["returns the wrong sign"] == (-3, {"a": False}, ["ba"], None)
    assert found["returns zeros"] == (0, {"a": 0}, [0], 0)


def test_always_on_mutants_of_a_returned_function() -> None:
    found = results(FUNCTION.format("lambda z: z + y"))
    assert found["returns the wrong sign"](1) == -4
    assert np.isnan(found["returns nan"](1))


def test_functions_without_input_and_methods() -> None:
    source = (
        "def f():\n    return 1\nclass A:\n    def __init__(self): pass\n    def g(self, x): return 2 * x"
    )
    changes = {mutant.change: mutant for mutant in always_on("c", source)}
    assert "f returns its first input" not in changes
    assert "A.g returns its first input" in changes
    assert not [change for change in changes if "__init__" in change]
    names: dict[str, Any] = {}
    exec(changes["A.g returns the wrong sign"].source, names)
    assert names["A"]().g(3) == -6
    exec(changes["A.g returns its first input"].source, names)
    assert names["A"]().g(3) == 3
