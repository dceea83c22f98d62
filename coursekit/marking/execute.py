"""Run a submission: notebook text in, notebook text out.

The student's cells run in a process of their own (:mod:`~coursekit.isolation.sandbox`). Graded test cells
run here and never enter that process: a name that a test uses and no instructor's cell made is asked from
it, and only plain data comes back (:mod:`~coursekit.isolation.wire`). So there is no hidden test to read,
no ``assert`` to switch off and no numpy to patch: the way to pass is to return the right values.

Two processes run the student's cells. The *open* one serves visible tests, and what it says is shown. The
*closed* one serves cells with hidden tests, and nothing that it says is shown: a function cannot remember a
hidden input and print it later. Of a failed hidden test students see the fixed words of the instructor's
message, or the kind of the error.

All of this runs in a guarded process of its own, with limits of memory and time, which reports cell after
cell. If it is lost, the cells before keep their result and the others get the reason.
"""

import base64
import contextlib
import json
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from coursekit.isolation import sandbox, student, wire
from coursekit.isolation.faults import ENDED, TIME
from coursekit.isolation.sandbox import Limits, Starter, forked, plain, sandboxed
from coursekit.marking.marker import BEGIN_HIDDEN, Marking, Output, error_output
from coursekit.sets.cells import kind, name_of

__all__ = [
    "Limits",
    "Starter",
    "brief",
    "execute",
    "forked",
    "guard",
    "packed",
    "plain",
    "report",
    "sandboxed",
    "unpacked",
    "verdict",
    "verdicts",
]

STARTERS: dict[str, Starter] = {"sandboxed": sandboxed, "plain": plain, "forked": forked}
TOO_LARGE = (ENDED, "marking ended before this cell: your answers are too large for the tests")
GUARD_S = 15.0  # the guarded process may need this much longer than the notebook
GUARD = "import os, sys; os.environ.update(OMP_NUM_THREADS='1', OPENBLAS_NUM_THREADS='1'); "
GUARD += "sys.path.insert(0, {path!r}); from coursekit.marking import execute; execute.guard()"


def execute(
    text: str,
    *,
    limits: Limits | None = None,
    files: Mapping[str, bytes] | None = None,
    start: Starter = sandboxed,
) -> str:
    """Run a sanitised submission and return it with its outputs.

    A test cell that passed has no error output; one that failed has one, whose ``evalue`` is the reason.

    Parameters
    ----------
    text : str
        a notebook as JSON, made by :func:`~coursekit.marking.sanitise.sanitise`
    limits : Limits, optional
        what the submission may use; ``coursekit: {limits: ...}`` in the notebook's metadata goes before
    files : mapping, optional
        data files that the cells read, by name
    start : callable
        ``sandboxed``, ``plain`` or ``forked``

    Raises
    ------
    RuntimeError
        if no student's process can be started; no mark is given for that
    """
    notebook = json.loads(text)
    settings = _settings(notebook)
    limits = (limits or Limits()).updated(settings.get("limits", {}))
    if start is sandboxed and (problem := sandbox.sandbox_problem()):
        raise RuntimeError(problem)
    job = {
        "cells": [brief(cell) for cell in notebook["cells"]],
        "settings": settings,
        "limits": asdict(limits),
        "files": packed(files or {}),
        "start": next(name for name, starter in STARTERS.items() if starter is start),
    }
    reports, reason = _guarded(job, limits)
    for index, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            lost = [error_output(*reason)] if reason else []
            cell["outputs"] = reports.get(index, lost)
            cell["execution_count"] = index + 1 if index in reports else None
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def verdicts(text: str) -> dict[str, str | None]:
    """Read the results of an executed notebook.

    Parameters
    ----------
    text : str
        what :func:`execute` returned

    Returns
    -------
    dict
        for each test cell, by its ``grade_id``: None if it passed, else the reason

    Examples
    --------
    >>> tests = {"cell_type": "code", "execution_count": 1, "outputs": [], "source": "assert True",
    ...          "metadata": {"nbgrader": {"grade": True, "solution": False, "grade_id": "test-1"}}}
    >>> verdicts(json.dumps({"cells": [tests]}))
    {'test-1': None}
    """
    return {
        name_of(cell): verdict(cell["outputs"], cell["execution_count"] is not None)
        for cell in json.loads(text)["cells"]
        if _role(cell) == "test"
    }


def verdict(outputs: list[Output], was_run: bool = True) -> str | None:
    """Return why a test cell failed, or None.

    Parameters
    ----------
    outputs : list of dict
        the outputs of the cell
    was_run : bool
        whether it was run at all
    """
    for output in outputs:
        if output["output_type"] == "error":
            error, text = output["ename"], output["evalue"]
            return str(text) if error == "AssertionError" else f"{error}: {text}"
    return None if was_run else "the test was not run"


# -- notebooks ----------------------------------------------------------------------------------------------


def _settings(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return what the problem set declares in the metadata of the notebook."""
    settings: dict[str, Any] = notebook["metadata"].get("coursekit", {})
    return settings


def _role(cell: Mapping[str, Any]) -> str:
    """Say who runs a cell: the marker (``test``), the student's process (``student``) or both (``setup``)."""
    if cell["cell_type"] != "code":
        return "text"
    return kind(cell) if kind(cell) in ("test", "setup") else "student"


def brief(cell: Mapping[str, Any]) -> dict[str, str]:
    """Return what the guarded process needs to know of a cell: its role, its source and its name.

    Parameters
    ----------
    cell : mapping
        the cell of a notebook
    """
    source = cell["source"]
    return {
        "role": _role(cell),
        "source": source if isinstance(source, str) else "".join(source),
        "name": name_of(cell),
    }


def packed(files: Mapping[str, bytes]) -> dict[str, str]:
    """Write data files as JSON can hold them.

    Parameters
    ----------
    files : mapping
        contents by name
    """
    return {name: base64.b64encode(data).decode("ascii") for name, data in files.items()}


def unpacked(files: Mapping[str, str]) -> dict[str, bytes]:
    """Read what :func:`packed` wrote, and put the files here: setup cells read them.

    Parameters
    ----------
    files : mapping
        contents by name
    """
    found = {name: base64.b64decode(text) for name, text in files.items()}
    for name, data in found.items():
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(name).write_bytes(data)
    return found


# -- the guarded process ------------------------------------------------------------------------------------


def _guarded(job: dict[str, Any], limits: Limits) -> tuple[dict[int, list[Output]], tuple[str, str] | None]:
    """Mark in a process of its own; return the outputs by cell, and why some are missing."""
    if job["start"] == "forked":
        child = sandbox.start_fork(guard)
    else:
        command = [sys.executable, "-c", GUARD.format(path=str(sandbox.PACKAGE.parent))]
        child = sandbox.start(command, None, tempfile.mkdtemp(prefix="coursework-"))
    deadline = time.monotonic() + limits.notebook_s + GUARD_S
    reports: dict[int, list[Output]] = {}
    line = json.dumps(job).encode("ascii") + b"\n"
    try:
        while True:
            seconds = max(deadline - time.monotonic(), 0)
            report, line = json.loads(child.exchange(line, seconds, 2 * wire.LARGEST)), b""
            if "problem" in report:
                raise RuntimeError(report["problem"])
            if "done" in report:
                return reports, None
            if "lost" in report:
                return reports, TOO_LARGE
            reports[report["cell"]] = report["outputs"]
    except TimeoutError:
        return reports, (TIME, f"marking took longer than {limits.notebook_s + GUARD_S:g} s")
    except (EOFError, OverflowError):
        return reports, (
            ENDED,
            "marking ended before this cell: your answers are too large for the tests",
        )
    finally:
        child.close()


def guard() -> None:
    """Be the guarded process: read the job, mark, and report each cell."""
    report(_mark)


def report(work: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]) -> None:
    """Be a process that reads a job, does it in a folder of its own, and reports each part of it.

    Parameters
    ----------
    work : callable
        takes the job and yields the reports
    """
    with os.fdopen(os.dup(0), "rb") as jobs, os.fdopen(os.dup(1), "wb", buffering=0) as reports:
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        tempfile.tempdir = str(pathlib.Path.cwd())  # removed as a whole, even if this process is killed
        own = pathlib.Path("work")
        own.mkdir()
        os.chdir(own)
        job = json.loads(jobs.readline())
        last: dict[str, Any] = {"done": True}
        try:
            for part in work(job):
                reports.write(json.dumps(part).encode("ascii") + b"\n")
        except MemoryError:
            last = {"lost": True}
        except Exception as problem:
            last = {"problem": f"{type(problem).__name__}: {problem}"}
        reports.write(json.dumps(last).encode("ascii") + b"\n")


def _mark(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the outputs of each code cell."""
    limits, files = Limits(**job["limits"]), unpacked(job["files"])
    with contextlib.closing(Marking(limits, files, job["settings"], STARTERS[job["start"]])) as marking:
        if any(BEGIN_HIDDEN in cell["source"] for cell in job["cells"]):
            marking.closed.launch()  # it gets ready while the open one works
        wall = int(limits.notebook_s + GUARD_S) + 1
        student.limit({"memory_mb": limits.memory_mb, "cpu_s": wall, "file_mb": limits.file_mb})
        for index, cell in enumerate(job["cells"]):
            if cell["role"] != "text":
                yield {"cell": index, "outputs": marking.run(cell)}
