"""Try many answers to a problem set at little cost: a walk with branches.

One process runs the model answer, cell after cell, as the marker does. Where an answer differs for the first
time, a copy of the process branches off and goes on with that answer: what came before is not run again, and
of the tests after it only those that use what it makes.

The student's side is in the same process, so this is for the instructor's own code only, and what an answer
does to modules or files is seen by all sides of its copy. But what crosses between the answer and the tests
is written and read as always.

A busy machine must not change what is found. So time is that of the processor; and machine-made answers, some
of which loop for ever, are given a multiple of what the model answer needs for the same cell.
"""

import ast
import contextlib
import gc
import json
import os
import pathlib
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from coursekit.isolation import sandbox, student, wire
from coursekit.isolation.faults import ENDED
from coursekit.isolation.pupil import START_S
from coursekit.isolation.sandbox import Child, Limits, forked
from coursekit.marking.execute import GUARD_S, brief, packed, report, unpacked, verdict
from coursekit.marking.marker import Marking, asserts, compiled, global_names

if TYPE_CHECKING:
    from coursekit.sets.problem_set import ProblemSet

__all__ = ["Answer", "Reasons", "tried", "walk"]

Reasons = dict[str, str | None]
CALL_S, CPU_S, NOTEBOOK_S = 5.0, 60, 300.0
LEAST_S, TIMES = 0.2, 10  # for a call of a quick answer: so many times what the model answer needs
WALK = "import sys; sys.path.insert(0, {path!r}); from coursekit.checking import trials; trials.walk()"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to try.

    Attributes
    ----------
    cells
        the sources of the cells that differ from the model answer
    last
        the one test to try it on; by default all that can notice the answer
    quick
        whether to stop at the first test that fails, and to wait for no call much longer than for the model's
    apart
        whether to run it from the beginning, with the student's side in processes of its own
    """

    cells: Mapping[str, str] = field(default_factory=dict, repr=False)
    last: str = ""
    quick: bool = False
    apart: bool = False


def tried(
    problem_set: "ProblemSet", answers: Sequence[Answer], *, imports: str = "", jobs: int = 1
) -> Iterator[tuple[int, Reasons]]:
    """Try answers; yield the number of each, as they end, and what the tests said that were run.

    Parameters
    ----------
    problem_set : ProblemSet
        the set with its model answer
    answers : sequence of Answer
        what to try
    imports : str
        what to import before all else
    jobs : int
        how many to try at the same time
    """
    from coursekit.sets.problem_set import ProblemSetError  # not above: it takes seconds to the walk

    limits = Limits(call_s=CALL_S, cpu_s=CPU_S, notebook_s=NOTEBOOK_S).updated(
        problem_set.metadata.get("limits", {})
    )
    job = {
        "cells": [brief(cell) for cell in problem_set.notebook.cells if cell.cell_type == "code"],
        "settings": dict(problem_set.metadata),
        "files": packed(problem_set.files),
        "limits": asdict(limits),
        "answers": [asdict(answer) for answer in answers],
        "imports": imports,
        "jobs": max(jobs, 1),
    }
    command = [sys.executable, "-c", WALK.format(path=str(sandbox.PACKAGE.parent))]
    variables = dict(os.environ) | sandbox.environment()
    child = sandbox.start(command, variables, tempfile.mkdtemp(prefix="coursework-"))
    line, seconds = json.dumps(job).encode("ascii") + b"\n", START_S + 2 * (limits.notebook_s + GUARD_S)
    with contextlib.closing(child):
        while "done" not in (part := _next_report(child, line, seconds)):
            if "problem" in part:
                raise ProblemSetError(
                    f"{problem_set.name}: {part['problem']}; run the model answer cell by cell to see where"
                )
            line = b""
            yield part["answer"], part["said"]


def _next_report(child: Child, line: bytes, seconds: float) -> dict[str, Any]:
    """Read the next report of the process that walks; that it is lost is one too."""
    try:
        part: dict[str, Any] = json.loads(child.exchange(line, seconds, 2 * wire.LARGEST))
    except (EOFError, TimeoutError) as error:
        return {"problem": f"the process that runs the model answer is lost ({type(error).__name__})"}
    return {"problem": "not enough memory"} if "lost" in part else part


# -- the walk ------------------------------------------------------------------------------------------------


def walk() -> None:
    """Be the process that walks."""
    report(_walk)


def _walk(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk through the model answer, let the answers branch off, and yield what became of them."""
    exec(job["imports"], {})
    model, answers = ModelAnswer(job), [Answer(**item) for item in job["answers"]]
    model.read_tests()
    model.learn_times()
    running: list[Fork] = []
    for index in range(len(model.cells)):
        gc.freeze()  # so that the copies need not look through what is there
        for number, answer in enumerate(answers):
            if model.start_of(answer) == index:
                yield from _ended(running, job["jobs"] - 1)
                running.append(Fork(model, answer, number))
        model.go(index)
    yield from _ended(running, 0)


class ModelAnswer:
    """The model answer: its cells, the marker that goes through them, and how long a call takes in each."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.cells, self.settings, self.limits = job["cells"], job["settings"], Limits(**job["limits"])
        self.files = unpacked(job["files"])
        self.marking = Marking(self.limits, self.files, self.settings, lambda limits: SameProcess(self))
        self.seconds = [0.0] * len(self.cells)
        self.longest = 0.0  # call since this was set to zero
        numbered = enumerate(self.cells)
        self.parts = [part for n, cell in numbered for part in _parts(n, cell["role"], cell["source"])]
        self.data = frozenset[str]().union(*(part.made for part in self.parts if part.is_data))

    def start_of(self, answer: Answer) -> int:
        """Return the cell where an answer branches off."""
        if answer.apart or not answer.cells:
            return 0
        return next(index for index, cell in enumerate(self.cells) if cell["name"] in answer.cells)

    def to_run(self, answer: Answer) -> list[int]:
        """Return the cells to run: those that can notice an answer, and what they build on."""
        start = self.start_of(answer)
        if answer.apart or not answer.cells:
            return list(range(len(self.cells)))
        if answer.last:
            asked = {index for index, cell in enumerate(self.cells) if cell["name"] == answer.last}
        else:
            asked = {start, *(part.cell for part in self._reached(answer))}
        names = set[str]()
        for part in reversed(self.parts):  # a test may use what a test before has made
            if part.cell in asked or part.made & names:
                asked.add(part.cell)
                names |= part.used
        span = range(start, max(asked) + 1)
        return [index for index in span if index in asked or self.cells[index]["role"] != "test"]

    def _reached(self, answer: Answer) -> set["_Part"]:
        """Follow an answer: what it is a part of, what uses names that it makes, or that are made of it."""
        touched = set[str]()
        reached = {part for part in self.parts if self.cells[part.cell]["name"] in answer.cells}
        new = [part for source in answer.cells.values() for part in _parts(-1, "student", source)]
        while True:
            for part in (*new, *reached):
                touched |= part.made | part.used & self.data  # data may be changed in place
            more = {part for part in self.parts if part.used & touched} - reached
            if not more:
                return reached
            reached |= more

    def go(self, index: int) -> None:
        """Run a cell of the model answer."""
        _allow(self.marking, self.limits, time.monotonic() + self.limits.notebook_s)
        self.marking.run(self.cells[index])

    def read_tests(self) -> None:
        """Read the tests before there are copies of this process, each of which would do it again."""
        for name, source in [(cell["name"], cell["source"]) for cell in self.cells if cell["role"] == "test"]:
            file = f"<test {name}>"
            compiled(source, file), global_names(source, file), asserts(source)

    def learn_times(self) -> None:
        """Let a copy of the process go to the end, and tell how long the longest call of each cell is."""
        self.seconds = Fork(self, Answer(), -1).result().get("seconds", self.seconds)

    def limits_for(self, answer: Answer, index: int) -> Limits:
        """Return what an answer may use in a cell."""
        call_s = max(LEAST_S, TIMES * self.seconds[index]) if answer.quick else self.limits.call_s
        return replace(self.limits, call_s=call_s)


@dataclass(frozen=True)
class _Part:
    """A statement of a cell, or a whole test: the names that it uses, and those that it makes."""

    cell: int
    used: frozenset[str]
    made: frozenset[str]
    is_data: bool


def _parts(index: int, role: str, source: str) -> Iterator[_Part]:
    """Take a cell apart; what a test makes is seen by tests only, and not by one that makes it anew."""
    with contextlib.suppress(SyntaxError, ValueError):  # an answer that makes nothing
        if role == "test":
            used, made = global_names(source, "<test>")
            own = frozenset(f"test {name}" for name in made)
            yield _Part(index, frozenset(used - made) | {f"test {name}" for name in used - made}, own, False)
        for statement in ast.parse(source).body if role != "test" else ():
            used, made = global_names(ast.unparse(statement), "<cell>")
            is_data = not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom)
            yield _Part(index, frozenset(used), frozenset(made), is_data)


def _allow(marking: Marking, limits: Limits, deadline: float) -> None:
    """Give a marker limits and a deadline."""
    for pupil in (marking.open, marking.closed):
        pupil.limits, pupil.deadline = limits, deadline


class SameProcess(Child):
    """The student's side in this very process; its seconds are those of the processor."""

    def __init__(self, model: ModelAnswer) -> None:
        self.model, self.student = model, student.Student()
        self.main = sys.modules["__main__"]
        self.unread = bytearray()

    def exchange(self, data: bytes, seconds: float, largest: int) -> bytes:
        """Let the student answer."""
        sys.modules["__main__"] = self.main
        streams, start = (sys.stdout, sys.stderr), time.process_time()
        try:
            return student.respond(self.student, data).rstrip(b"\n")
        finally:
            sys.stdout, sys.stderr = streams
            self.model.longest = max(self.model.longest, time.process_time() - start)

    def is_silent(self) -> bool:
        """Whether nothing came that was not asked for: there is no way to send it."""
        return True

    def close(self, seconds: float = 0) -> int:
        """End nothing."""
        return 0


# -- the branches --------------------------------------------------------------------------------------------


class Fork:
    """A copy of the process that walks, which goes on with one answer.

    Parameters
    ----------
    model : ModelAnswer
        where it branches off
    answer : Answer
        what it tries
    number : int
        the number of the answer
    """

    def __init__(self, model: ModelAnswer, answer: Answer, number: int) -> None:
        self.model, self.answer, self.number = model, answer, number
        self.deadline = time.monotonic() + model.limits.notebook_s + GUARD_S
        folder = pathlib.Path.cwd()
        self.child = sandbox.start_fork(lambda: self._tell(folder))

    def result(self) -> dict[str, Any]:
        """Wait for what came out; if the copy was lost, every test failed for that reason."""
        try:
            line = self.child.exchange(b"", self.deadline - time.monotonic(), wire.LARGEST)
            found: dict[str, Any] = json.loads(line)
        except (EOFError, TimeoutError, OverflowError) as error:
            reason = f"{ENDED}: the answer took too long, or ended the process ({type(error).__name__})"
            found = {"said": {cell["name"]: reason for _, cell in self._cells() if cell["role"] == "test"}}
        finally:
            self.child.close()
        return {"answer": self.number} | found

    def _cells(self) -> list[tuple[int, dict[str, str]]]:
        """Return the cells to run, numbered, with the answer in them."""
        numbered = [(index, self.model.cells[index]) for index in self.model.to_run(self.answer)]
        sources = self.answer.cells
        return [(n, cell | {"source": sources.get(cell["name"], cell["source"])}) for n, cell in numbered]

    def _tell(self, folder: pathlib.Path) -> None:
        """Be the copy: go on in a folder of its own, and tell what came out."""
        student.die_with_parent()
        _, replies = student.put_aside()
        shutil.copytree(folder, ".", dirs_exist_ok=True)
        limits = self.model.limits
        student.limit(limits.hard(processes=False))
        os.write(replies, json.dumps(self._go()).encode("ascii") + b"\n")

    def _go(self) -> dict[str, Any]:
        """Run the cells as far as they are asked for."""
        model, answer, said = self.model, self.answer, Reasons()
        marking = model.marking
        if answer.apart:
            marking = Marking(model.limits, model.files, model.settings, forked)
        elif answer.quick:
            marking.closed = marking.open  # nobody reads what it says, so nothing need be kept from it
        deadline, seconds = time.monotonic() + model.limits.notebook_s, list[float]()
        with contextlib.closing(marking):
            for index, cell in self._cells():
                _allow(marking, model.limits_for(answer, index), deadline)
                model.longest = 0.0
                outputs = marking.run(cell)
                seconds.append(model.longest)
                if cell["role"] == "test":
                    said[cell["name"]] = verdict(outputs)
                if answer.quick and any(said.values()):
                    break
        return {"said": said, "seconds": seconds}


def _ended(running: list[Fork], most: int) -> Iterator[dict[str, Any]]:
    """Wait until at most so many branches go on, and yield what came out of the others."""
    while len(running) > most:
        seconds = min(fork.deadline for fork in running) - time.monotonic()
        ready, _, _ = select.select([fork.child.replies for fork in running], [], [], max(seconds, 0))
        for fork in [b for b in running if b.child.replies in ready or b.deadline < time.monotonic()]:
            running.remove(fork)
            yield fork.result()
