"""The marker, without processes: which names tests get, and which words students get when a test fails."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from coursekit.isolation.faults import InstructorError, StartError, StudentError
from coursekit.isolation.sandbox import Child, Limits
from coursekit.marking.marker import MOST_TEXT, Marking, error_output, fixed_words, global_names, visible_part

HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
RAISED = "your code raised this error in a hidden test"


class Stub:
    """A process that knows some names, and prints."""

    def __init__(self, **names: Any) -> None:
        self.names, self.refused = names, dict[str, str]()
        self.active, self.unsteady, self.reply = True, "", dict[str, Any]()
        self.printed: list[str] = []
        self.asked: list[list[str]] = []
        self.renewed = self.closed = 0
        self.shown: list[bool] = []
        self.problem: Exception | None = None

    def renew(self) -> None:
        """Begin a cell."""
        self.renewed += 1
        self.printed = []

    def close(self) -> None:
        """End."""
        self.closed += 1

    def catch_up(self, show: bool = False) -> dict[str, Any]:
        """Run a cell."""
        self.shown.append(show)
        self.printed.append("said ")
        if self.problem is not None:
            raise self.problem
        return self.reply

    def look(self, names: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
        """Give what is known."""
        self.asked.append(names)
        found = {name: value for name, value in self.names.items() if name in names}
        return found, {name: why for name, why in self.refused.items() if name in names}


def start(limits: Limits) -> Child:
    raise AssertionError


def raises(error: BaseException) -> Callable[..., None]:

    def function(*args: object) -> None:
        raise error

    return function


def marking(**names: Any) -> Any:
    """Return a marking of a student with these names."""
    found: Any = Marking(Limits(), {}, {}, start)
    found.open, found.closed = Stub(**names), Stub(**names)
    return found


def ran(source: str, found: Any, role: str = "test") -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = found.run({"role": role, "source": source, "name": "t"})
    return outputs


def tried(source: str, **names: Any) -> list[dict[str, Any]]:
    return ran(source, marking(**names))


def said(source: str, **names: Any) -> tuple[str, str]:
    """Run a test that fails; return the error's name and words."""
    (output,) = tried(source, **names)
    assert output["output_type"] == "error"
    return output["ename"], output["evalue"]


# -- which errors are told, and to whom --------------------------------------------------------------------
def test_of_a_visible_test_everything_is_told() -> None:
    (output,) = tried("f()", f=raises(StudentError("Mine", "x was 3", "line 1\nline 2")))
    assert (output["ename"], output["evalue"]) == ("Mine", "x was 3")
    assert output["traceback"] == ["line 1", "line 2"]


@pytest.mark.parametrize(
    ("kind", "told", "words"),
    [
        ("ValueError", "", RAISED),
        ("LinAlgError", "", RAISED),
        ("Mine4711", "Exception", RAISED),
        ("NotImplementedError", "", "a function that the hidden tests call is not written yet"),
        ("ProcessEnded", "", "your code ended the process in a hidden test"),
        ("MemoryError", "", "your code used more memory than allowed in a hidden test"),
        ("ChannelError", "Exception", RAISED),
        ("TimeLimit", "", "x was 4711"),
    ],
)
def test_of_a_hidden_test_only_the_kind_is_told(kind: str, told: str, words: str) -> None:
    told = told or kind
    (output,) = tried(HIDDEN.format("f()"), f=raises(StudentError(kind, "x was 4711", "secret")))
    assert (output["ename"], output["evalue"]) == (told, words)
    assert output["traceback"] == [f"{told}: {words}"]


@pytest.mark.parametrize(
    ("source", "visible", "hidden"),
    [
        ("assert f() == 1", "this does not hold: f() == 1", "a hidden test failed"),
        ("assert f() == 1, 'one'", "one", "one"),
        ("assert f() == 1, f'one, not {f()}'", "one, not 2", "one, not …"),
        ("assert f() == 1, str(f())", "2", "a hidden test failed"),
        ("a = 1\nassert (\n  f()\n  == 1\n), 'one'", "one", "one"),
        ("assert f() == 2, 'two'\nassert f() == 1, 'one'\nassert f() == 3, 'three'", "one", "one"),
    ],
    ids=range(6),
)
def test_the_words_of_an_assertion(source: str, visible: str, hidden: str) -> None:
    assert said(source, f=lambda: 2) == ("AssertionError", visible)
    assert said(HIDDEN.format(source), f=lambda: 2) == ("AssertionError", hidden)


def test_errors_of_the_test_itself_and_from_elsewhere() -> None:
    kind, words = said("f() + 'a'", f=lambda: 2)
    assert (kind, words[:19]) == ("TypeError", "unsupported operand")
    words = "a hidden test could not use what your code returned"
    assert said(HIDDEN.format("f() + 'a'"), f=lambda: 2) == ("TypeError", words)
    assert said("f()", f=raises(AssertionError())) == ("AssertionError", ""), "no text of the cell"
    hidden = said(HIDDEN.format("f()"), f=raises(AssertionError("4711")))
    assert hidden == ("AssertionError", "a hidden test failed")
    for source in ("f()", HIDDEN.format("f()")):
        mistake = said(source, f=raises(InstructorError("make it again")))
        assert mistake == ("InstructorError", "make it again"), "the instructor's, told to everybody"
    with pytest.raises(StartError):
        tried("f()", f=raises(StartError("no room")))


@pytest.mark.parametrize(
    ("kind", "told"), [("TimeLimit", "TimeLimit"), ("ValueError", "ValueError"), ("Mine4711", "Exception")]
)
def test_a_cell_that_fails_only_when_it_is_run_again(kind: str, told: str) -> None:
    found = marking(f=lambda: 2)
    found.closed.unsteady = kind
    source = "print('seen')\n" + HIDDEN.format("assert f() == 1")
    printed, failed = ran(source, found)
    assert printed["text"] == "seen\n"
    assert failed["ename"] == told
    assert failed["evalue"].startswith("a cell that ran the first time failed twice")
    found.closed.names["f"] = lambda: 1
    assert len(ran(source, found)) == 1, "it does not matter where the test passes"


# -- two processes -----------------------------------------------------------------------------------------
def test_hidden_tests_ask_the_closed_process_show_nothing_it_prints_and_follow_a_visible_part() -> None:
    found = marking(f=lambda: 1)
    (output,) = ran("print('a')\n" + HIDDEN.format("print('b')\nassert f() == 1"), found)
    assert output == {"output_type": "stream", "name": "stdout", "text": "a\n"}
    assert (found.open.asked, found.closed.asked) == ([[]], [["f"]])
    assert (found.open.active, found.closed.active) == (False, True)
    assert (found.open.renewed, found.closed.renewed) == (1, 1)
    ran("f()", found)
    assert (found.open.active, found.closed.active) == (True, False)
    found = marking(f=lambda: 2)
    (failed,) = ran("print('a')\nassert f() == 1\n" + HIDDEN.format("assert f() == 2"), found)
    assert (failed["evalue"], found.closed.asked) == ("this does not hold: f() == 1", [])
    source = "n = [] if 'n' not in globals() else n\nn.append(1)\n" + HIDDEN.format("assert n == [1]")
    assert tried(source) == []


def test_names_of_the_student_are_asked_for_again_also_by_a_function_of_an_earlier_test() -> None:
    found = marking(a=1)
    assert ran("assert a == 1", found) == []
    found.open.names["a"] = 2
    assert ran("assert a == 2", found) == ran("a = 3", found) == []
    assert ran("assert a == 3", found) == [], "what a test assigns stays"
    assert found.open.asked[:2] == [["a"], ["a"]]
    found = marking(a=1)
    assert ran("def g(): return a", found) == ran("assert g() == 1", found) == []


def test_warnings_fail_no_test_and_what_cannot_be_used_the_tests_that_use_it() -> None:
    assert tried("import warnings\nwarnings.warn('old')") == []
    found = marking(b=1)
    found.open.refused = {"a": "a: a set cannot be marked"}
    (output,) = ran("assert a", found)
    assert (output["ename"], output["evalue"]) == ("TypeError", "a: a set cannot be marked")
    assert ran("a = 1\nassert b", found) == []


# -- cells of the student, and of the instructor -----------------------------------------------------------
def test_a_cell_of_the_student_shows_what_it_printed_and_drew() -> None:
    found = marking()
    found.open.reply = {"figures": ["QUJD+/==", "<script>", 3]}
    printed, *pictures = ran("x", found, "student")
    assert printed["text"] == "said "
    assert [one["data"] for one in pictures] == [{"image/png": "QUJD+/=="}, {"image/png": "3"}]
    found.open.reply = {"figures": "ABC"}
    assert len(ran("y", found, "student")) == 1
    assert (found.open.renewed, found.open.shown, found.open.active) == (2, [True, True], True)
    found.open.problem = StudentError("ValueError", "no", "where")
    printed, failed = ran("z", found, "student")
    assert (printed["text"], failed) == ("said ", error_output("ValueError", "no", "where"))
    assert [(cell.source, cell.passed) for cell in found.cells] == [("x", True), ("y", True), ("z", False)]


def test_a_setup_cell_runs_on_both_sides_and_its_names_are_known() -> None:
    found = marking(a=1)
    assert len(ran("def g(): return 2\nprint('x')", found, "setup")) == 1
    assert found._name_of(found.names["g"]) == "g"
    assert found._name_of(found.names["__name__"]) is None
    assert ran("assert g() == 2", found) == []
    failed = ran("1 / 0", found, "setup")[-1]
    assert (failed["ename"], failed["evalue"]) == ("ZeroDivisionError", "in the marker: division by zero")
    found.close()
    assert (found.open.closed, found.closed.closed) == (1, 1)


def test_the_settings_of_the_problem_set_reach_both_processes() -> None:
    settings = {"objects": {"A": ["fit"]}, "returns_callable": ["make"]}
    limits, files, begun = Limits(), {"a": b""}, time.monotonic()
    found = Marking(limits, files, settings, start)
    for pupil in (found.open, found.closed):
        assert (pupil.start, pupil.limits, pupil.files, pupil.cells) == (start, limits, files, found.cells)
        assert begun + limits.notebook_s <= pupil.deadline <= time.monotonic() + limits.notebook_s
        assert (pupil.declared.objects, pupil.declared.returns_callable) == ({"A": ("fit",)}, ("make",))
        assert pupil.shared(print) is None


# -- texts -------------------------------------------------------------------------------------------------
def test_the_visible_part_the_names_inside_functions_and_printed_text_that_is_cut() -> None:
    source = "a\n  ### BEGIN HIDDEN TESTS \nb\n### END HIDDEN TESTS\nc\n### BEGIN HIDDEN TESTS\nd"
    assert visible_part(source) == "a\n\n\n\nc\n\n"
    assert visible_part("if a:\n### BEGIN HIDDEN TESTS\n    b\n### END HIDDEN TESTS") is None
    assert fixed_words(None) == ""
    source = "import a.b\ndef f(x):\n    global g\n    g = y = x\n    return y + h"
    assert [set(names) for names in global_names(source, "<c>")] == [{"h"}, {"a", "f"}]
    (output,) = tried(f"print('a' * {MOST_TEXT + 1})")
    assert output["text"] == "a" * MOST_TEXT + " (cut)"
    assert tried("print(' ')") == []
