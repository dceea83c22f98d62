"""The marker, without processes: which names tests get, and which words students get when a test fails."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from coursekit.isolation.faults import InstructorError, StartError, StudentError
from coursekit.isolation.sandbox import Child, Limits
from coursekit.marking.marker import MOST_TEXT, Marking, error_output, fixed_words, global_names, visible_part

HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


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
    """Start nothing."""
    raise AssertionError


def raises(error: BaseException) -> Callable[..., None]:
    """Return a function that fails."""

    def function(*args: object) -> None:
        raise error

    return function


def marking(**names: Any) -> Any:
    """Return a marking of a student with these names."""
    found: Any = Marking(Limits(), {}, {}, start)
    found.open, found.closed = Stub(**names), Stub(**names)
    return found


def tried(source: str, **names: Any) -> list[dict[str, Any]]:
    """Run a test and return its outputs."""
    outputs: list[dict[str, Any]] = marking(**names).run({"role": "test", "source": source, "name": "t"})
    return outputs


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
        ("ValueError", "ValueError", "your code raised this error in a hidden test"),
        ("LinAlgError", "LinAlgError", "your code raised this error in a hidden test"),
        ("Mine4711", "Exception", "your code raised this error in a hidden test"),
        (
            "NotImplementedError",
            "NotImplementedError",
            "a function that the hidden tests call is not written yet",
        ),
        ("ProcessEnded", "ProcessEnded", "your code ended the process in a hidden test"),
        ("MemoryError", "MemoryError", "your code used more memory than allowed in a hidden test"),
        ("ChannelError", "Exception", "your code raised this error in a hidden test"),
        ("TimeLimit", "TimeLimit", "x was 4711"),
    ],
)
def test_of_a_hidden_test_only_the_kind_is_told(kind: str, told: str, words: str) -> None:
    function = raises(StudentError(kind, "x was 4711", "secret"))
    (output,) = tried(HIDDEN.format("f()"), f=function)
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


def test_an_error_of_the_test_itself() -> None:
    assert said("f() + 'a'", f=lambda: 2)[0] == "TypeError"
    assert "unsupported operand" in said("f() + 'a'", f=lambda: 2)[1]
    words = "a hidden test could not use what your code returned"
    assert said(HIDDEN.format("f() + 'a'"), f=lambda: 2) == ("TypeError", words)


def test_an_assertion_elsewhere_has_no_text_of_the_cell() -> None:
    assert said("f()", f=raises(AssertionError())) == ("AssertionError", "")
    assert said(HIDDEN.format("f()"), f=raises(AssertionError("4711"))) == (
        "AssertionError",
        "a hidden test failed",
    )


@pytest.mark.parametrize("source", ["f()", HIDDEN.format("f()")])
def test_the_instructors_own_mistake_is_told_to_everybody(source: str) -> None:
    assert said(source, f=raises(InstructorError("make it again"))) == ("InstructorError", "make it again")


def test_no_mark_is_given_where_no_process_starts() -> None:
    with pytest.raises(StartError):
        tried("f()", f=raises(StartError("no room")))


@pytest.mark.parametrize(
    ("kind", "told"), [("TimeLimit", "TimeLimit"), ("ValueError", "ValueError"), ("Mine4711", "Exception")]
)
def test_a_cell_that_fails_only_when_it_is_run_again(kind: str, told: str) -> None:
    found = marking(f=lambda: 2)
    found.closed.unsteady = kind
    cell = {"role": "test", "source": "print('seen')\n" + HIDDEN.format("assert f() == 1"), "name": "t"}
    printed, failed = found.run(cell)
    assert printed["text"] == "seen\n"
    assert failed["ename"] == told
    assert failed["evalue"].startswith("a cell that ran the first time failed twice")
    found.closed.names["f"] = lambda: 1
    assert len(found.run(cell)) == 1, "it does not matter where the test passes"


# -- two processes -----------------------------------------------------------------------------------------


def test_hidden_tests_ask_the_closed_process_and_show_nothing_it_prints() -> None:
    found = marking(f=lambda: 1)
    cell = {
        "role": "test",
        "source": "print('a')\n" + HIDDEN.format("print('b')\nassert f() == 1"),
        "name": "t",
    }
    (output,) = found.run(cell)
    assert output == {"output_type": "stream", "name": "stdout", "text": "a\n"}
    assert (found.open.asked, found.closed.asked) == ([[]], [["f"]])
    assert (found.open.active, found.closed.active) == (False, True)
    assert (found.open.renewed, found.closed.renewed) == (1, 1)
    found.run({"role": "test", "source": "f()", "name": "t"})
    assert (found.open.active, found.closed.active) == (True, False)


def test_a_visible_part_that_fails_ends_the_test() -> None:
    found = marking(f=lambda: 2)
    source = "print('a')\nassert f() == 1\n" + HIDDEN.format("assert f() == 2")
    (failed,) = found.run({"role": "test", "source": source, "name": "t"})
    assert failed["evalue"] == "this does not hold: f() == 1"
    assert found.closed.asked == []


def test_names_of_the_visible_part_are_made_again_in_the_hidden_one() -> None:
    source = "n = [] if 'n' not in globals() else n\nn.append(1)\n" + HIDDEN.format("assert n == [1]")
    assert tried(source) == []


def test_names_of_the_student_are_asked_for_again() -> None:
    found = marking(a=1)
    test = {"role": "test", "name": "t"}
    assert found.run(test | {"source": "assert a == 1"}) == []
    found.open.names["a"] = 2
    assert found.run(test | {"source": "assert a == 2"}) == []
    assert found.run(test | {"source": "a = 3"}) == []
    assert found.run(test | {"source": "assert a == 3"}) == [], "what a test assigns stays"
    assert found.open.asked[:2] == [["a"], ["a"]]


def test_a_function_of_an_earlier_test_finds_the_names_that_it_uses() -> None:
    found = marking(a=1)
    test = {"role": "test", "name": "t"}
    assert found.run(test | {"source": "def g(): return a"}) == []
    assert found.run(test | {"source": "assert g() == 1"}) == []


def test_warnings_fail_no_test() -> None:
    assert tried("import warnings\nwarnings.warn('old')") == []


def test_what_cannot_be_used_fails_the_tests_that_use_it() -> None:
    found = marking(b=1)
    found.open.refused = {"a": "a: a set cannot be marked"}
    test = {"role": "test", "name": "t"}
    (output,) = found.run(test | {"source": "assert a"})
    assert (output["ename"], output["evalue"]) == ("TypeError", "a: a set cannot be marked")
    assert found.run(test | {"source": "a = 1\nassert b"}) == []


# -- cells of the student, and of the instructor -----------------------------------------------------------


def test_a_cell_of_the_student_shows_what_it_printed_and_drew() -> None:
    found = marking()
    found.open.reply = {"figures": ["QUJD+/==", "<script>", 3]}
    printed, *pictures = found.run({"role": "student", "source": "x", "name": ""})
    assert printed["text"] == "said "
    assert [one["data"] for one in pictures] == [{"image/png": "QUJD+/=="}, {"image/png": "3"}]
    found.open.reply = {"figures": "ABC"}
    assert len(found.run({"role": "student", "source": "y", "name": ""})) == 1
    assert [(cell.source, cell.passed) for cell in found.cells] == [("x", True), ("y", True)]
    assert (found.open.renewed, found.open.shown, found.open.active) == (2, [True, True], True)


def test_a_cell_of_the_student_that_fails() -> None:
    found = marking()
    found.open.problem = StudentError("ValueError", "no", "where")
    printed, failed = found.run({"role": "student", "source": "x", "name": ""})
    assert (printed["text"], failed) == ("said ", error_output("ValueError", "no", "where"))
    assert not found.cells[0].passed


def test_a_setup_cell_runs_on_both_sides_and_its_names_are_known() -> None:
    found = marking(a=1)
    assert len(found.run({"role": "setup", "source": "def g(): return 2\nprint('x')", "name": "s"})) == 1
    assert found._name_of(found.names["g"]) == "g"
    assert found._name_of(found.names["__name__"]) is None
    assert found.run({"role": "test", "source": "assert g() == 2", "name": "t"}) == []
    failed = found.run({"role": "setup", "source": "1 / 0", "name": "s"})[-1]
    assert (failed["ename"], failed["evalue"]) == ("ZeroDivisionError", "in the marker: division by zero")


def test_both_processes_are_ended() -> None:
    found = marking()
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


def test_the_visible_part() -> None:
    source = "a\n  ### BEGIN HIDDEN TESTS \nb\n### END HIDDEN TESTS\nc\n### BEGIN HIDDEN TESTS\nd"
    assert visible_part(source) == "a\n\n\n\nc\n\n"
    assert visible_part("if a:\n### BEGIN HIDDEN TESTS\n    b\n### END HIDDEN TESTS") is None


def test_the_words_of_no_message() -> None:
    assert fixed_words(None) == ""


def test_names_inside_functions_are_not_assigned_at_the_top() -> None:
    used, assigned = global_names(
        "import a.b\ndef f(x):\n    global g\n    g = y = x\n    return y + h", "<c>"
    )
    assert used == {"h"}
    assert assigned == {"a", "f"}


def test_printed_text_is_cut() -> None:
    found = marking()
    (output,) = found.run({"role": "test", "source": f"print('a' * {MOST_TEXT + 1})", "name": "t"})
    assert output["text"] == "a" * MOST_TEXT + " (cut)"
    assert found.run({"role": "test", "source": "print(' ')", "name": "t"}) == []
