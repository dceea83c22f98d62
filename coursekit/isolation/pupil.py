"""The marker's side of the pipe: a student's process as a thing that can be asked.

A process that died or was killed is started again when the next cell begins, and the cells before are run
again, except one that killed it: an endless loop costs the marks of its own task only. Every way in which a
student's process can fail ends in a :class:`~coursekit.isolation.faults.StudentError`, whose text says what
happened.
"""

import base64
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coursekit.isolation import wire
from coursekit.isolation.faults import (
    CHANNEL,
    ENDED,
    TIME,
    InstructorError,
    StartError,
    StudentError,
    clean,
    ending,
    student_error,
)
from coursekit.isolation.sandbox import Child, Limits, Starter
from coursekit.isolation.student import WAITED

__all__ = ["Cell", "Declared", "Pupil", "RemoteFunction", "RemoteObject", "update"]

GRACE_S = 1.0  # after the student's side should have stopped by itself
START_S = 60.0  # for Python and numpy on a busy machine
MOST_STARTS = 8


@dataclass
class Cell:
    """A cell that the student's process runs, and runs again after a new start.

    ``passed``: it ran where the student sees it; ``repeated``: it did not run again, and got a second chance.
    """

    source: str
    deadly: bool = False
    passed: bool = False
    repeated: bool = False


@dataclass(frozen=True)
class Declared:
    """What a problem set says about objects with behaviour.

    Parameters
    ----------
    objects : mapping
        the attributes and methods that tests may use, by name of the class
    returns_callable : tuple of str
        functions whose result is a function
    """

    objects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    returns_callable: tuple[str, ...] = ()


class Pupil:
    """A student's process, as the marker sees it.

    Parameters
    ----------
    start : callable
        starts a process
    limits : Limits
        of time, for one request; the other limits hold on the other side
    deadline : float
        when the time of the notebook is over, on the monotonic clock
    cells : list of Cell
        what to run, in order; the list grows while the notebook is marked
    declared : Declared
        which objects may cross
    files : mapping
        data files, by name
    """

    def __init__(
        self,
        start: Starter,
        limits: Limits,
        deadline: float,
        cells: list[Cell],
        declared: Declared,
        files: Mapping[str, bytes],
    ) -> None:
        self.start, self.limits, self.deadline = start, limits, deadline
        self.cells, self.declared, self.files = cells, declared, files
        self.shared: Callable[[object], str | None] = lambda value: None
        self.active = True
        self.printed: list[str] = []
        self.child: Child | None = None
        self.ready = False
        self.lost: StudentError | None = None
        self.unsteady = ""
        self.starts = self.done = 0

    # -- the process ----------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Forget that the process died, and let it be started again."""
        if self.lost is not None and self.starts < MOST_STARTS:
            self.lost = None
        self.printed = []

    def close(self) -> None:
        """End the process."""
        if self.child is not None:
            self.child.close()
            self.child, self.ready = None, False

    def launch(self) -> None:
        """Start a process, if there is none, without waiting for it."""
        if self.child is None:
            self.child, self.ready, self.done = self.start(self.limits), False, 0
            self.starts += 1

    def catch_up(self, show: bool = False) -> dict[str, Any]:
        """Run the cells that were not run yet; if asked, return the reply to the last or raise its error."""
        reply: dict[str, Any] = {}
        if self.lost is None and not self.ready:
            self._begin()
        while self.done < len(self.cells):
            cell = self.cells[self.done]
            self.done += 1
            last = self.done == len(self.cells)
            try:
                reply = {} if cell.deadly else self._run(cell, show and last)
            except StudentError as error:
                if show and last:
                    raise
                again = cell.passed and not cell.repeated
                if again:  # it ran before: a busy machine, perhaps
                    cell.deadly, cell.repeated = False, True
                elif cell.passed:
                    self.unsteady = error.kind
                self._recover()
                if again and self.done:  # else a new process runs all cells again
                    self.done -= 1
        return reply

    def _recover(self) -> None:
        """After a cell failed that was run again: go on, in a new process if the cell ended the old one."""
        printed = self.printed
        self.renew()
        self.printed = printed
        if self.lost is not None:
            raise self.lost
        if not self.ready:
            self._begin()

    def _run(self, cell: Cell, show: bool) -> dict[str, Any]:
        """Run one cell; if that was the end of the process, remember it."""
        try:
            return self._ask({"do": "run", "source": cell.source, "show": show})
        except StudentError:
            cell.deadly = self.lost is not None
            raise

    def _begin(self) -> None:
        """Tell a process what it needs; no student's code has run in it yet, so a failure is ours."""
        self.launch()
        assert self.child is not None
        files = {name: base64.b64encode(data).decode("ascii") for name, data in self.files.items()}
        declared = {
            "objects": list(self.declared.objects),
            "returns_callable": list(self.declared.returns_callable),
        }
        request = {"do": "begin", "files": files, "id": "0", "seconds": START_S, "wait": START_S} | declared
        try:
            reply = wire.loads(self.child.exchange(wire.dumps(request), START_S, wire.LARGEST))
        except (TimeoutError, EOFError, OverflowError) as problem:
            self.close()
            raise StartError(f"a student's process could not be started ({type(problem).__name__})") from None
        if "error" in reply:
            raise StartError(f"the files of the problem set could not be written: {reply['error'][1]}")
        self.ready = True

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the reply; every failure is a :class:`StudentError`."""
        if self.lost is not None:
            raise self.lost
        assert self.child is not None
        left = self.deadline - time.monotonic()
        wait = min(self.limits.wait_s, left)
        if wait <= 0:
            raise self._lose(TIME, self._waited(left))
        token = secrets.token_hex(8)
        line = wire.dumps(request | {"id": token, "seconds": self.limits.call_s, "wait": wait})
        try:
            if not self.child.is_silent():
                raise wire.WireError
            reply = wire.loads(self.child.exchange(line, wait + GRACE_S, wire.LARGEST))
            if reply.get("id") != token or self.child.unread:
                raise wire.WireError
        except TimeoutError:
            raise self._lose(TIME, self._waited(left)) from None
        except EOFError:
            raise self._lose(ENDED, "") from None
        except OverflowError:
            raise self._lose(CHANNEL, "your code sent more than the marker reads") from None
        except wire.WireError:
            raise self._lose(CHANNEL, "your code wrote to the channel of the marker") from None
        return self._checked(reply, left)

    def _checked(self, reply: dict[str, Any], left: float) -> dict[str, Any]:
        """Keep what was printed, and raise the error that a reply reports."""
        self.printed.append(clean(reply.get("out", ""), 30_000))
        error = reply.get("error")
        if error is None:
            return reply
        if not isinstance(error, list) or len(error) != 3:
            raise self._lose(CHANNEL, "your code wrote to the channel of the marker")
        kind, text, trace = (str(part) for part in error)
        if kind == TIME:
            ran = f"your code ran longer than {self.limits.call_s:g} s"
            raise StudentError(TIME, self._waited(left) if text == WAITED else ran)
        if kind == "MemoryError":
            text = f"your code used more memory than allowed ({self.limits.memory_mb} MB)"
        elif kind == "SystemExit":
            text = f"your code asked Python to exit ({text})"
        raise student_error(kind, text, trace)

    def _waited(self, left: float) -> str:
        """Say for how long the marker waited: for the notebook, or for one answer."""
        if left < self.limits.wait_s:
            return f"your notebook ran longer than {self.limits.notebook_s:g} s"
        return f"your code did not answer within {self.limits.wait_s:g} s"

    def _lose(self, kind: str, text: str) -> StudentError:
        """Give the process up."""
        assert self.child is not None
        code = self.child.close(seconds=1.0 if kind == ENDED else 0)
        self.child, self.ready = None, False
        if kind == ENDED:
            kind, text = ending(code, self.limits.cpu_s)
        self.lost = StudentError(kind, text)
        return self.lost

    # -- what tests do with it ------------------------------------------------------------------------------

    def look(self, names: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
        """Return what some names stand for, and why others cannot be used; missing ones are in neither."""
        self.catch_up()
        found = self._ask({"do": "look", "names": names}).get("found")
        values: dict[str, Any] = {}
        refused: dict[str, str] = {}
        for name in names:
            try:
                kind, *rest = found[name]  # type: ignore[index]
                if kind == "callable":
                    values[name] = RemoteFunction(self, name)
                elif kind == "data":
                    values[name] = wire.decode(rest[0], self._resolve)
                elif kind == "refused":
                    refused[name] = clean(rest[0])
            except (TypeError, ValueError, LookupError):
                refused[name] = f"{name}: what came is not plain data"
        return values, refused

    def call(
        self, target: list[Any], method: str | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function or a method of the student's; arguments that it changed are changed here too."""
        self.check_active()
        given: dict[Any, Any] = dict(enumerate(args)) | kwargs
        request = {
            "do": "call",
            "target": target,
            "method": method,
            "args": [wire.encode(value, self._refer) for value in args],
            "kwargs": {name: wire.encode(value, self._refer) for name, value in kwargs.items()},
        }
        reply = self._ask(request)
        try:
            for key, form in reply["changed"]:
                given[key] = update(given[key], wire.decode(form, self._resolve))
            return given[reply["same"]] if "same" in reply else wire.decode(reply["result"], self._resolve)
        except (TypeError, ValueError, LookupError):
            raise StudentError("TypeError", "what came from your function is not plain data") from None

    def get(self, target: list[Any], name: str) -> tuple[bool, Any]:
        """Read an attribute: whether it is a method, and if not, its value."""
        self.check_active()
        reply = self._ask({"do": "get", "target": target, "name": name})
        try:
            return ("method" in reply), (
                None if "method" in reply else wire.decode(reply["result"], self._resolve)
            )
        except (TypeError, ValueError, LookupError):
            raise StudentError("TypeError", f"{name} is not plain data") from None

    def check_active(self) -> None:
        """Refuse to send what a hidden test computes to the process whose output is shown."""
        if not self.active:
            raise InstructorError(
                "a hidden test uses an object of a visible test: make it again in the hidden part"
            )

    def _refer(self, value: object) -> Any:
        """Write the note of what crosses by reference: the student's own things, and those of setup cells."""
        if isinstance(value, RemoteFunction):
            return ["name", value.name]
        if isinstance(value, RemoteObject):
            return value.note(self)
        name = self.shared(value)
        return ["name", name] if name is not None else wire.refuse(value)

    def _resolve(self, note: Any) -> Any:
        """Read the note of an object that the student's process keeps for us, if it was declared."""
        where, number, kind = note
        if where != "handle" or type(number) is not int:
            raise wire.WireError("an unknown reference")
        if kind == "callable" and self.declared.returns_callable:
            return RemoteObject(self, number, kind, ("__call__",))
        if kind in self.declared.objects:
            return RemoteObject(self, number, kind, tuple(self.declared.objects[kind]))
        raise wire.WireError("an object that was not declared")


class RemoteFunction:
    """A function or class of the student's; calling it asks the student's process."""

    def __init__(self, pupil: Pupil, name: str) -> None:
        self.pupil, self.name, self.__name__ = pupil, name, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the student's function."""
        return self.pupil.call(["name", self.name], None, args, kwargs)

    def __bool__(self) -> bool:
        raise TypeError(f"{self.name} is a function: call it")

    def __repr__(self) -> str:
        return f"<your {self.name}>"


class RemoteObject:
    """An object in the student's process: only the methods and attributes that were declared can be used."""

    def __init__(self, pupil: Pupil, number: int, kind: str, allowed: tuple[str, ...]) -> None:
        self._pupil, self._number, self._kind, self._allowed = pupil, number, kind, allowed
        self._start = pupil.starts

    def note(self, pupil: Pupil) -> list[Any]:
        """Return what stands for the object in a message to its own process."""
        self._pupil.check_active()
        if pupil is not self._pupil or pupil.starts != self._start:
            raise StudentError(ENDED, f"the process that held this {self._kind} is gone")
        return ["handle", self._number]

    def __getattr__(self, name: str) -> Any:
        if name not in self._allowed:
            raise AttributeError(f"the problem set does not declare {self._kind}.{name}")
        note = self.note(self._pupil)
        is_method, value = self._pupil.get(note, name)
        if not is_method:
            return value
        return lambda *args, **kwargs: self._pupil.call(self.note(self._pupil), name, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the student's object, if that was declared."""
        if "__call__" not in self._allowed:
            raise TypeError(f"the problem set does not declare that a {self._kind} can be called")
        return self._pupil.call(self.note(self._pupil), None, args, kwargs)

    def __bool__(self) -> bool:
        raise TypeError(f"a {self._kind} is neither true nor false")

    def __repr__(self) -> str:
        return f"<your {self._kind}>"


def update(mine: Any, theirs: Any) -> Any:
    """Make a change of an argument visible in the marker's own object, and return it.

    Parameters
    ----------
    mine : object
        the argument
    theirs : object
        the argument as it is after the call

    Examples
    --------
    >>> a = np.zeros(2)
    >>> _ = update([a], [np.ones(2)])
    >>> a
    array([1., 1.])
    """
    if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray) and mine.shape == theirs.shape:
        mine[...] = theirs
    elif isinstance(mine, np.random.Generator) and isinstance(theirs, np.random.Generator):
        mine.bit_generator.state = theirs.bit_generator.state
    elif isinstance(mine, list) and isinstance(theirs, list):
        pairs = zip(mine, theirs, strict=False)
        mine[:] = [update(old, new) for old, new in pairs] + theirs[len(mine) :]
    elif isinstance(mine, dict) and isinstance(theirs, dict):
        new = {key: update(mine[key], value) if key in mine else value for key, value in theirs.items()}
        mine.clear()
        mine.update(new)
    else:
        return theirs
    return mine
