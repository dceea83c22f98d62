"""Faults: words of bounded length, errors that tests can catch, and how a process ended."""

import signal

import pytest

from coursekit.isolation.faults import LONGEST, StudentError, clean, ending, student_error


@pytest.mark.parametrize(
    ("text", "longest", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc (cut)"),
        ("a" * LONGEST, LONGEST, "a" * LONGEST),
        ("a\x00b\tc\nd\x1be\x7ff g\x1f", 99, "ab\tc\nd\x1bef g"),
        ("\ud800ä", 99, "\\ud800ä"),
        (ValueError(3), 99, "3"),
    ],
    ids=range(6),
)
def test_text_is_cut_and_can_be_written(text: object, longest: int, kept: str) -> None:
    assert clean(text, longest) == kept


def test_the_parts_of_an_error_are_bounded_and_usual_ones_can_be_caught_as_what_they_are() -> None:
    error = StudentError("k" * 101, "t" * 2001, "s" * 4001)
    assert error.kind == "k" * 100 + " (cut)"
    assert error.text == str(error) == "t" * 2000 + " (cut)"
    assert error.trace == "s" * 4000 + " (cut)"
    usual = {"KeyError": LookupError, "LinAlgError": ValueError, "ZeroDivisionError": ArithmeticError}
    for kind, caught in usual.items():
        error = student_error(kind, "text", "trace")
        assert isinstance(error, caught)
        assert (error.kind, str(error), error.trace) == (kind, "text", "trace")
    for kind in ("SystemExit", "Mine", "OSError"):
        assert type(student_error(kind, "text")) is StudentError


def test_how_a_process_ended() -> None:
    signals = {-signal.SIGKILL: "SIGKILL", 128 + signal.SIGHUP: "SIGHUP", 128 + signal.SIGSEGV: "SIGSEGV"}
    codes = {code: f"exit code {code}" for code in (0, 1, 128, 255)}
    for code, words in (codes | signals).items():
        assert ending(code, 3) == ("ProcessEnded", f"your code ended the process ({words})")
    for code in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        assert ending(code, 3) == ("TimeLimit", "your code used more than 3 s of processor time")
