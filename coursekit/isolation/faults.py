"""What can go wrong with a student's process, in words that the student understands."""

import signal

import numpy as np

__all__ = [
    "CHANNEL",
    "ENDED",
    "MEMORY",
    "TIME",
    "InstructorError",
    "StartError",
    "StudentError",
    "clean",
    "ending",
    "student_error",
]

LONGEST = 2_000  # characters of a message
ENDED, TIME, MEMORY, CHANNEL = "ProcessEnded", "TimeLimit", "MemoryError", "ChannelError"


class StartError(RuntimeError):
    """A student's process could not be started: no fault of the student's, and no mark is given for it."""


class InstructorError(Exception):
    """A test does what tests cannot do here."""


class StudentError(Exception):
    """A student's code failed.

    Parameters
    ----------
    kind : str
        the name of the exception, or one of the kinds of this module
    text : str
        its message
    trace : str
        where it came from
    """

    def __init__(self, kind: str, text: str, trace: str = "") -> None:
        super().__init__(kind, text)
        self.kind, self.text, self.trace = clean(kind, 100), clean(text), clean(trace, 2 * LONGEST)

    def __str__(self) -> str:
        return self.text


CATCHABLE: dict[str, type[StudentError]] = {
    base.__name__: type(base.__name__, (StudentError, base), {})
    for base in (
        ArithmeticError,
        AttributeError,
        FloatingPointError,
        IndexError,
        KeyError,
        LookupError,
        NotImplementedError,
        OverflowError,
        RuntimeError,
        TypeError,
        ValueError,
        ZeroDivisionError,
        np.linalg.LinAlgError,
    )
}


def student_error(kind: str, text: str, trace: str = "") -> StudentError:
    """Make the error; the usual kinds can be caught by a test as what they are.

    Parameters
    ----------
    kind, text, trace : str
        as for :class:`StudentError`

    Examples
    --------
    >>> isinstance(student_error("ValueError", "C must be positive"), ValueError)
    True
    """
    return CATCHABLE.get(kind, StudentError)(kind, text, trace)


def clean(text: object, longest: int = LONGEST) -> str:
    r"""Return text of bounded length that every file and page can hold.

    Parameters
    ----------
    text : object
        what came from a student's process
    longest : int
        how many characters to keep

    Examples
    --------
    >>> clean("a\x00\ud800b")
    'a\\ud800b'
    """
    whole = str(text)
    cut = whole[:longest] + (" (cut)" if len(whole) > longest else "")
    cut = cut.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(letter for letter in cut if letter in "\n\t\x1b" or (letter >= " " and letter != "\x7f"))


def ending(code: int, cpu_s: int) -> tuple[str, str]:
    """Say how a process ended; bubblewrap reports signal k as 128 + k.

    Parameters
    ----------
    code : int
        the exit code, negative for a signal
    cpu_s : int
        the limit of processor time

    Examples
    --------
    >>> ending(0, cpu_s=120)
    ('ProcessEnded', 'your code ended the process (exit code 0)')
    """
    number = -code if code < 0 else code - 128
    if number == signal.SIGXCPU:
        return TIME, f"your code used more than {cpu_s} s of processor time"
    if number in set(signal.Signals):
        return ENDED, f"your code ended the process ({signal.Signals(number).name})"
    return ENDED, f"your code ended the process (exit code {code})"
