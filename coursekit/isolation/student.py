"""The student's side of the pipe: a process that runs cells and calls functions when the marker asks.

One request is one line of JSON, and so is its reply. The kinds of request are ``begin`` (files, and what the
problem set declares), ``run`` (a cell), ``look`` (which names are there), ``call`` and ``get`` (an
attribute). The tests are not here: they run in the marker. Whatever a student's code does to this process,
the marker takes plain data from it and nothing else, so nothing in this file has to withstand the code that
it runs.
"""

import ast
import base64
import contextlib
import ctypes
import io
import linecache
import os
import pathlib
import resource
import signal
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from coursekit.isolation import wire

__all__ = [
    "Captured",
    "Student",
    "TimeLimit",
    "die_with_parent",
    "limit",
    "main",
    "put_aside",
    "respond",
    "serve",
]

LONGEST_OUTPUT = 20_000  # bytes that a cell may print
LONGEST_MESSAGE = 2_000  # characters of an exception's text
LONGEST_TRACE = 4_000
MOST_FIGURES, LARGEST_FIGURE = 8, 1 << 20
MUTABLE = (np.ndarray, list, dict, np.random.Generator)
PR_SET_PDEATHSIG = 1
WAITED = "waited"  # what a TimeLimit says that was not for want of processor time
DROPPED = "(lines that start with % or ! are not Python: they were left out)\n"


class TimeLimit(BaseException):
    """The time for one request is over; not an Exception, so that ``except Exception`` lets it pass."""


class Captured(io.RawIOBase):
    """Keeps the beginning of what is printed and counts the rest."""

    def __init__(self) -> None:
        self.kept, self.lost = bytearray(), 0

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Keep what there is room for."""
        data = bytes(data)
        room = LONGEST_OUTPUT - len(self.kept)
        self.kept += data[:room]
        self.lost += max(0, len(data) - room)
        return len(data)

    def text(self) -> str:
        """Return what was kept."""
        note = f"\n(output cut: {self.lost} more bytes)\n" if self.lost else ""
        return self.kept.decode("utf-8", "backslashreplace") + note


class Student:
    """The names that a student's cells made, and what to do with them."""

    def __init__(self) -> None:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.names: dict[str, Any] = module.__dict__
        self.names["display"] = print
        self.objects: list[str] = []
        self.returns_callable: list[str] = []
        self.handles: list[Any] = []
        self.cells = 0

    # -- requests -------------------------------------------------------------------------------------------

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Write the files of the problem set and take note of its declared objects."""
        for name, text in request["files"].items():
            path = pathlib.Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(text))
        self.objects, self.returns_callable = request["objects"], request["returns_callable"]
        return {}

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run a cell."""
        self.cells += 1
        file = f"<your cell {self.cells}>"
        tree, note = _parse(request["source"], file)
        if note:
            print(note, end="")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), self.names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), self.names)
            if value is not None and not request["source"].rstrip().endswith(";"):
                print(repr(value))
        return {"figures": _figures()} if request["show"] else {}

    def look(self, request: dict[str, Any]) -> dict[str, Any]:
        """Say which names are missing, callable, data (with the value) or refused (with the reason)."""
        return {"found": {name: self._kind(name) for name in request["names"]}}

    def call(self, request: dict[str, Any]) -> dict[str, Any]:
        """Call a function or a method; tell also which arguments it changed, or returned."""
        function = self._find(request["target"])
        if request["method"] is not None:
            function = getattr(function, request["method"])
        forms = dict(enumerate(request["args"])) | request["kwargs"]
        given = {key: wire.decode(form, self._find) for key, form in forms.items()}
        result = function(
            *(given[key] for key in range(len(request["args"]))),
            **{key: given[key] for key in request["kwargs"]},
        )
        mutable = {key: value for key, value in given.items() if isinstance(value, MUTABLE)}
        after = {key: wire.encode(value, self._refer) for key, value in mutable.items()}
        reply: dict[str, Any] = {
            "changed": [[key, form] for key, form in after.items() if form != forms[key]]
        }
        same = [key for key, value in mutable.items() if value is result]
        if same:
            return reply | {"same": same[0]}
        callable_allowed = request["target"][0] == "name" and request["target"][1] in self.returns_callable
        if callable_allowed and callable(result) and not self._is_declared(result):
            return reply | {"result": {"reference": self._keep(result, "callable")}}
        return reply | {"result": wire.encode(result, self._refer)}

    def get(self, request: dict[str, Any]) -> dict[str, Any]:
        """Read an attribute of an object that the marker holds."""
        value = getattr(self._find(request["target"]), request["name"])
        return {"method": True} if callable(value) else {"result": wire.encode(value, self._refer)}

    # -- names and objects ----------------------------------------------------------------------------------

    def _kind(self, name: str) -> list[Any]:
        """Say what one name stands for."""
        if name not in self.names or isinstance(self.names[name], types.ModuleType):
            return ["missing"]
        value = self.names[name]
        if callable(value) and not self._is_declared(value):
            return ["callable"]
        try:
            return ["data", wire.encode(value, self._refer)]
        except wire.WireError as problem:
            return ["refused", f"{name}: {problem}"]

    def _is_declared(self, value: object) -> bool:
        """Whether a value is an object of a declared class."""
        kinds = [self.names.get(name) for name in self.objects]
        return any(isinstance(kind, type) and type(value) is kind for kind in kinds)

    def _refer(self, value: object) -> Any:
        """Give the note of an object of a declared class."""
        if self._is_declared(value):
            return self._keep(value, type(value).__name__)
        return wire.refuse(value)

    def _keep(self, value: object, kind: str) -> list[Any]:
        """Keep an object for the marker, who gets its number."""
        for number, known in enumerate(self.handles):
            if known is value:
                return ["handle", number, kind]
        self.handles.append(value)
        return ["handle", len(self.handles) - 1, kind]

    def _find(self, note: Any) -> Any:
        """Find the object of a note."""
        where, key = note
        return self.names[key] if where == "name" else self.handles[key]


# -- cells --------------------------------------------------------------------------------------------------


def _parse(source: str, file: str) -> tuple[ast.Module, str]:
    """Parse a cell; if it is no Python, try without the lines for IPython and the shell."""
    note = ""
    try:
        tree = ast.parse(source, file)
    except SyntaxError:
        lines = source.split("\n")
        kept = ["" if line.lstrip().startswith(("%", "!")) else line for line in lines]
        if kept == lines:
            raise
        source, note = "\n".join(kept), DROPPED
        tree = ast.parse(source, file)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return tree, note


def _figures() -> list[str]:
    """Draw the open figures of matplotlib and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    drawn = []
    for number in pyplot.get_fignums()[:MOST_FIGURES]:
        file = io.BytesIO()
        pyplot.figure(number).savefig(file, format="png", dpi=80, bbox_inches="tight")
        if file.tell() <= LARGEST_FIGURE:
            drawn.append(base64.b64encode(file.getvalue()).decode("ascii"))
    pyplot.close("all")
    return drawn


def _describe(error: BaseException) -> list[str]:
    """Put an exception in words: its kind, its text, and where it came from."""
    try:
        text = str(error)[:LONGEST_MESSAGE]
        lines = traceback.TracebackException(type(error), error, error.__traceback__, limit=-12).format()
        trace = "".join(line for line in lines if __file__ not in line)[-LONGEST_TRACE:]
    except Exception:
        text, trace = "(its text cannot be read)", ""
    return [type(error).__name__, text, trace]


# -- the loop -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _timed(seconds: float, wait: float) -> Iterator[None]:
    """Raise :class:`TimeLimit` in the code inside when it has used its processor time, or waits too long."""

    def over(number: int, frame: object) -> None:
        raise TimeLimit(WAITED if number == signal.SIGALRM else "")

    clocks = {signal.ITIMER_PROF: (signal.SIGPROF, seconds), signal.ITIMER_REAL: (signal.SIGALRM, wait)}
    for clock, (number, least) in clocks.items():
        signal.signal(number, over)
        signal.setitimer(clock, least)
    try:
        yield
    finally:
        for clock in clocks:
            signal.setitimer(clock, 0)


def _answer(student: Student, request: dict[str, Any]) -> dict[str, Any]:
    """Do what is asked, with the output captured, and reply; an error is a reply too."""
    captured = Captured()
    stream = io.TextIOWrapper(io.BufferedWriter(captured), "utf-8", "backslashreplace", write_through=True)
    sys.stdout = sys.stderr = stream
    try:
        with _timed(request["seconds"], request["wait"]):
            try:
                reply: dict[str, Any] = getattr(student, request["do"])(request)
            except Exception as error:
                reply = {"error": _describe(error)}
    except BaseException as error:  # TimeLimit, SystemExit, KeyboardInterrupt
        reply = {"error": [type(error).__name__, str(error)[:LONGEST_MESSAGE], ""]}
    with contextlib.suppress(Exception):  # the student may have closed it
        stream.flush()
    return reply | {"id": request["id"], "out": captured.text()}


def respond(student: Student, line: bytes) -> bytes:
    """Answer one request.

    Parameters
    ----------
    student : Student
        who answers
    line : bytes
        the request
    """
    request = wire.loads(line)
    reply = _answer(student, request)
    try:
        return wire.dumps(reply)
    except ValueError as problem:  # too long, or a whole number of too many digits
        error = [type(problem).__name__, str(problem), ""]
        return wire.dumps({"id": request["id"], "out": "", "error": error})


def serve(requests: int, replies: int) -> None:
    """Answer requests until there are no more.

    Parameters
    ----------
    requests, replies : int
        file descriptors, one to read from and one to write to
    """
    student = Student()
    with open(requests, "rb") as lines, open(replies, "wb", buffering=0) as answers:
        for line in lines:
            view = memoryview(respond(student, line))
            while view:
                view = view[answers.write(view) or 0 :]


def limit(limits: dict[str, int]) -> None:
    """Let the system hold this process, and all that it starts, to hard limits.

    Parameters
    ----------
    limits : dict
        ``memory_mb`` beyond what is in use now, ``cpu_s``, ``file_mb``, and in a sandbox ``processes``
    """
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: limits["cpu_s"],
        resource.RLIMIT_FSIZE: limits["file_mb"] << 20,
    }
    with contextlib.suppress(OSError):  # where there is no /proc, memory cannot be limited this way
        pages = int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        bounds[resource.RLIMIT_AS] = pages * resource.getpagesize() + (limits["memory_mb"] << 20)
    if "processes" in limits:
        bounds[resource.RLIMIT_NPROC] = limits["processes"]
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        last = bound + (kind == resource.RLIMIT_CPU)  # a signal that can be told from others, then the end
        last = last if hard == resource.RLIM_INFINITY else min(last, hard)
        resource.setrlimit(kind, (min(bound, last), last))


def die_with_parent() -> None:
    """Let this process be killed when the one that started it ends, where the system can do that."""
    with contextlib.suppress(OSError, AttributeError):  # Linux
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def put_aside() -> tuple[int, int]:
    """Move the pipe of this process out of the way: what reads from input, or writes to output, gets nothing.

    Returns
    -------
    tuple of int
        the file descriptors of requests and replies
    """
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return requests, replies


def main(limits: dict[str, int], user: int | None = None) -> None:
    """Become a student's process: give up rights, move the pipe out of the way, set limits, answer.

    Parameters
    ----------
    limits : dict
        what :func:`limit` takes
    user : int, optional
        the user to become; given when the sandbox was started by root
    """
    die_with_parent()
    requests, replies = put_aside()
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    warnings.filterwarnings("ignore", message=".*non-interactive.*")  # plt.show() where there is no screen
    sys.argv = [""]
    limit(limits)
    serve(requests, replies)
