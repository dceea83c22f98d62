"""Run the checks stage by stage: ``python -m bookkit.checks.stages [STAGE ...]``, by default every one.

While a stage runs, one line now and then says how far it is, and a test that fails is named at once. In the
end there is one summary: which tests failed, of a page in which cell and under which heading, and the command
that runs just that again. What the stages wrote is kept below ``_build/tests``.
"""

import argparse
import contextlib
import dataclasses
import functools
import json
import math
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bookkit import ROOT

LOGS = ROOT / "_build" / "tests"
BIN = pathlib.Path(sys.executable).parent
EVERY = 15.0  # seconds between two lines of progress
SHOWN = 60  # lines of what a failed test said

# Two processes for two cores: with threads of their own they would wait for each other. One that has nothing
# left to do takes tests from the other.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
PYTEST = (str(BIN / "pytest"), "-n", "2", "--dist", "worksteal", "-v", "-rs", "--no-header")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Stage:
    """A part of the checks.

    Attributes
    ----------
    name
        one word
    words
        what it does
    command
        the program and its arguments; pytest's output is understood
    variables
        environment variables
    needs
        the stage that must have passed before
    """

    name: str
    words: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = dataclasses.field(default_factory=dict)
    needs: str = ""


def lint() -> Stage:
    """Return the stage that reads the code."""
    tools = ("ruff check -q .", "ruff format --check -q .", "mypy")
    command = ("sh", "-c", " && ".join(str(BIN / tool) for tool in tools))
    return Stage(name="lint", words="ruff, ruff format and mypy --strict", command=command)


def stages() -> list[Stage]:
    """List the stages of ``make test``, in order."""
    package = ("lecturekit", "tests/lecturekit", "tests/benchmarks", "tests/bookkit")
    return [
        Stage(name="site", words="the website is built", command=("make", "book")),
        lint(),
        Stage(
            name="package",
            words="lecturekit as plain Python; this run measures coverage",
            command=(
                *PYTEST,
                "--cov",
                "--cov-report=term-missing:skip-covered",
                "-m",
                "not compiled",
                *package,
            ),
            variables=ONE_THREAD | {"LECTUREKIT_NO_JIT": "1"},
        ),
        Stage(
            name="compiled",
            words="lecturekit, compiled by numba",
            command=(*PYTEST, "-m", "jit or compiled", *package[1:3]),
            variables=ONE_THREAD,
        ),
        Stage(
            name="coursework",
            words="the problem sets, their graders, the marking, and attacks on it",
            command=(*PYTEST, "--dist", "loadgroup", "coursekit", "tests/coursekit"),
            variables=ONE_THREAD,
        ),
        Stage(
            name="notebooks",
            words="every notebook is executed again; outputs and figures are compared",
            command=(*PYTEST, "--dist", "loadfile", "--nbval", "book"),
            variables=ONE_THREAD,
        ),
        Stage(
            name="book",
            words="pairs, prose, claims, figures, and what was built",
            command=(*PYTEST, "tests/book", "tests/site"),
            variables=ONE_THREAD,
            needs="site",
        ),
        Stage(
            name="browser",
            words="the site in Chromium; a browser often waits: three for two cores",
            command=(PYTEST[0], "-n", "3", *PYTEST[3:], "tests/browser"),
            needs="site",
        ),
    ]


# -- a stage that runs -------------------------------------------------------------------------------------

# One test, as pytest -v writes it in one process or, after the name of the process, in several.
TEST = re.compile(r"^\[gw\d+\] \[ *(\d+)%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (.+?)\s*$")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BAD = ("FAILED", "ERROR", "XPASS")


class Running:
    """A stage that has begun: a thread reads what it writes, keeps it and counts.

    Parameters
    ----------
    stage : Stage
        what to run
    """

    def __init__(self, stage: Stage) -> None:
        self.stage, self.start = stage, time.monotonic()
        self.counts: Counter[str] = Counter()
        self.failed: list[str] = []
        self.seen: dict[str, list[str]] = {}  # the tests that ended, by the process that ran them
        self.cut = False  # whether time was up before it ended
        self.percent, self.seconds = 0, 0.0
        LOGS.mkdir(parents=True, exist_ok=True)
        self.log = LOGS / f"{stage.name}.log"
        self.process = subprocess.Popen(
            stage.command,
            cwd=ROOT,
            env=os.environ | dict(stage.variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # so that it can be ended with all that it started
        )
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        """Keep the output, and count the tests in it."""
        assert self.process.stdout is not None
        with self.process.stdout as lines, self.log.open("w", encoding="utf-8") as log:
            for line in lines:
                log.write(line)
                log.flush()
                found = TEST.match(COLOUR.sub("", line).replace("::ipynb::", ".ipynb::"))
                if found:
                    self.percent = int(found[1])
                    self.counts[found[2]] += 1
                    self.seen.setdefault(found[0].partition("]")[0], []).append(found[3])
                if found and found[2] in BAD:
                    self.failed.append(found[3])
                    say(self.stage.name, f"FAILED {found[3]}")
        self.process.wait()
        self.seconds = time.monotonic() - self.start

    @property
    def passed(self) -> bool:
        """Whether it ended well."""
        return not self.reader.is_alive() and self.process.returncode == 0

    @property
    def outcome(self) -> str:
        """How it ended, in one word or two: what time was up for, and nothing failed in, did not fail."""
        return "passed" if self.passed else "cut off" if self.cut and not self.failed else "FAILED"

    @property
    def tests(self) -> int:
        """How many tests it has run."""
        return self.counts.total()

    def finished(self) -> set[str]:
        """Return the tests that ended, and the files after which their process went on to another."""
        ended = {test for tests in self.seen.values() for test in tests}
        last = {tests[-1].partition("::")[0] for tests in self.seen.values()}
        return ended | {test.partition("::")[0] for test in ended} - last

    def tell(self) -> None:
        """Say how far it is, or how it ended."""
        tests = f", {self.tests} tests" if self.tests else ""
        if self.reader.is_alive():
            say(self.stage.name, f"{self.percent} % after {time.monotonic() - self.start:.0f} s{tests}")
        else:
            say(self.stage.name, f"{self.outcome} in {self.seconds:.0f} s{tests}")

    def interrupt(self) -> None:
        """Ask it to end: pytest then still says why tests failed."""
        self.cut = self.reader.is_alive()
        self._send(signal.SIGINT)

    def stop(self) -> None:
        """End it with everything that it started."""
        self.reader.join(15 if self.tests else 0)  # pytest-xdist gives its processes ten
        self._send(signal.SIGTERM)
        self.reader.join(5)
        self._send(signal.SIGKILL)
        self.reader.join()

    def _send(self, number: int) -> None:
        """Send a signal to it and to everything that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


BEGAN = time.monotonic()


def say(who: str, what: str) -> None:
    """Print one line with the time since the beginning."""
    minutes, seconds = divmod(int(time.monotonic() - BEGAN), 60)
    print(f"[{minutes:2d}:{seconds:02d}] {who:10s} {what}", flush=True)


def run(wanted: Sequence[Stage], *, at_once: int = 2, until: float = math.inf) -> list[Running]:
    """Run stages in order, two at once so that one works while the other waits; return those that began.

    Parameters
    ----------
    wanted : sequence of Stage
        what to run; after one that fails the others go on, but for those that need it
    at_once : int
        how many run at the same time
    until : float
        when, by the monotonic clock, all are ended
    """
    begun: list[Running] = []
    waiting, running, told = list(wanted), list[Running](), time.monotonic()
    try:
        while waiting or running:
            failed = {one.stage.name for one in begun if one not in running and not one.passed}
            for stage in list(waiting):
                if stage.needs in failed:
                    waiting.remove(stage)
                    say(stage.name, f"not run, because {stage.needs} failed")
                elif len(running) < at_once and not _is_open(stage.needs, waiting, running):
                    waiting.remove(stage)
                    say(stage.name, f"begins: {stage.words}")
                    running.append(Running(stage))
                    begun.append(running[-1])
            time.sleep(0.1)
            for one in [one for one in running if not one.reader.is_alive()]:
                running.remove(one)
                one.tell()
            if time.monotonic() >= until:
                break
            if time.monotonic() >= told + EVERY:
                told = time.monotonic()
                for one in running:
                    one.tell()
    finally:
        for one in running:
            one.interrupt()
        for one in running:
            one.stop()
            one.tell()
    return begun


def _is_open(name: str, waiting: Sequence[Stage], running: Sequence[Running]) -> bool:
    """Whether a stage has not ended yet."""
    return name in {stage.name for stage in (*waiting, *(one.stage for one in running))}


# -- the summary -------------------------------------------------------------------------------------------

NOTEBOOK_CELL = re.compile(r"^(book/.*\.ipynb)::Cell (\d+)$")


def where(test: str) -> str:
    """Name a test; of a notebook, the page, the cell and the heading above it."""
    cell = NOTEBOOK_CELL.match(test)
    if not cell:
        return test
    return f"{cell[1]}, code cell {cell[2]}, under “{heading(ROOT / cell[1], int(cell[2]))}”"


def heading(notebook: pathlib.Path, number: int) -> str:
    """Return the heading above a code cell, counted from zero."""
    found, left = "the beginning", number
    for cell in _cells(notebook):
        lines = "".join(cell["source"]).splitlines()
        if cell["cell_type"] == "markdown":
            found = next((line.lstrip("# ") for line in reversed(lines) if line.startswith("#")), found)
        elif cell["cell_type"] == "code":
            if left == 0:
                break
            left -= 1
    return found


@functools.cache
def _cells(notebook: pathlib.Path) -> list[dict[str, str]]:
    """Read the cells of a notebook."""
    cells: list[dict[str, str]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return cells


def again(test: str, variables: Mapping[str, str]) -> str:
    """Return the command that runs a failed test again, with the cells above it."""
    cell = NOTEBOOK_CELL.match(test)
    what = f"--nbval {cell[1]}" if cell else f"'{test}'"
    given = [f"{name}='{value}'" for name, value in variables.items()]
    return " ".join([*given, ".venv/bin/pytest", what])


def complaints(log: pathlib.Path) -> Iterator[str]:
    """Return what failed tests said, each shortened; without tests, the end of the output."""
    lines = [COLOUR.sub("", line) for line in log.read_text(encoding="utf-8").splitlines()]
    start = next((n for n, line in enumerate(lines) if re.match(r"=+ (FAILURES|ERRORS) =+$", line)), None)
    if start is None:
        said = [line for line in lines if not TEST.match(line) and not re.match(r"\S+\.(py|ipynb)::", line)]
        if len(said) < len(lines):
            said.append("(it ended before it told why; run the commands below)")
        yield from said[-SHOWN:]
        return
    shown = 0
    for line in lines[start:]:
        if re.match(r"=+ (short test summary|tests coverage|slowest)", line):
            return
        shown = 0 if re.match(r"_{3,} .* _{3,}$", line) else shown + 1
        if shown == SHOWN:
            yield f"... (the rest is in {log.relative_to(ROOT)})"
        elif shown < SHOWN:
            yield line[:200]


def report(done: Sequence[Running]) -> int:
    """Print what failed and how to run it again, a table of the stages and the count; return the status."""
    for running in done:
        if running.outcome == "FAILED":
            print(f"\n== what {running.stage.name} said\n" + "\n".join(complaints(running.log)))
    failed = [(running.stage, test) for running in done for test in running.failed]
    if failed:
        print("\n== what failed, and how to run just that again")
    for stage, test in failed:
        print(f"  {where(test)}\n      {again(test, stage.variables)}")
    for running in done:
        if running.outcome == "FAILED" and not running.failed:
            name, command = running.stage.name, shlex.join(running.stage.command)
            print(f"  {name}: see above\n      {'make lint' if name == 'lint' else command}")
    print("\n== stages")
    for running in done:
        name, outcome = running.stage.name, running.outcome
        print(f"  {name:12s} {outcome:7s}  {running.seconds:5.0f} s  {running.tests:6d} tests")
    counts = [sum(running.counts[kind] for running in done) for kind in ("PASSED", "SKIPPED")]
    print(f"\n{counts[0]} passed, {len(failed)} failed, {counts[1]} skipped", flush=True)
    return int(any(running.outcome == "FAILED" for running in done))


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    known = {stage.name: stage for stage in stages()}
    parser = argparse.ArgumentParser(description="Run the checks stage by stage.")
    parser.add_argument(
        "stages", nargs="*", metavar="STAGE", help=f"some of: {' '.join(known)}; all by default"
    )
    chosen = parser.parse_args(arguments).stages or list(known)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        parser.error(f"no such stage: {' '.join(unknown)}; there are {' '.join(known)}")
    status = report(run([stage for name, stage in known.items() if name in chosen]))
    print("every check passed." if status == 0 else "some checks FAILED; the summary is above.")
    return status


if __name__ == "__main__":
    sys.exit(main())
