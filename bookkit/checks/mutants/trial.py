"""Try mutants: in a copy of the repository, by the tests that reach the changed line, within a time limit."""

import ast
import contextlib
import dataclasses
import functools
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence

from bookkit import ROOT
from bookkit.checks.changed import importers, reached
from bookkit.checks.mutants.sites import Mutant
from bookkit.checks.stages import ONE_THREAD

NOT_COPIED = (".git", ".venv", "_build", "__pycache__", ".*cache", ".hypothesis", ".coverage*", "*.egg-info")
HELPERS = ("tests/support/", "coursekit/isolation/", "coursekit/marking/")  # through which tests import
UNSEEN = ("coursekit/isolation/student.py",)  # runs where it cannot say which test reaches a line
REFUSES = ("lecturekit/_check.py",)  # what it refuses is tested beside the nouns
NEEDS_WALL = ("coursekit/",)  # its tests attack the machine, and a mutant may let them
TIMES, MORE_S = 10.0, 10.0  # a test may take so many times as long, and so many seconds more
OUTER = ("PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS", "PYTEST_XDIST", "COV_")  # of a run in which this one runs
LONGEST_S = 1800.0
PLUGIN = pathlib.Path(__file__).with_name("plugin.py")
PYTEST = ("-m", "pytest", "-q", "--doctest-modules", "-m", "not compiled", "--tb=line", "--no-header")
PLUGINS = ("-p", "mutants_plugin", "-p", "no:randomly", "-p", "no:cacheprovider")
SAYS = """
try:
    from mutants_plugin import reached as _reached_by_test
except ImportError:
    _reached_by_test = lambda file, line: None
"""


# -- which tests -------------------------------------------------------------------------------------------


def own_tests(root: pathlib.Path, file: str, code: dict[str, str]) -> tuple[str, ...]:
    """Return the files and folders of a module's own tests.

    A module or its noun has a folder or a file of its own, and elsewhere in its package tests import it. What
    has none is tried by the tests that import it through others.

    Parameters
    ----------
    root : path
        the repository
    file : str
        the module, as a path below it
    code : dict
        the code of all modules and tests, by path
    """
    room, _, rest = file.partition("/")
    noun = (
        (rest.split("/")[0] if room == "lecturekit" else file.split("/")[-1]).removesuffix(".py").lstrip("_")
    )
    own = [
        name for name in (f"tests/{room}/{noun}", f"tests/{room}/test_{noun}.py") if (root / name).exists()
    ]
    if file in REFUSES:
        own += sorted(path for path in code if path.endswith("/test_refusals.py"))
    if own and room == "lecturekit":
        return tuple(own)
    found = _importing(file, code)
    return tuple(test for test, steps in found.items() if steps == 1 or not own)


def _importing(file: str, code: dict[str, str]) -> dict[str, int]:
    """Return the tests of the same package that import a module, and over how many imports, nearest first."""
    room, used_by = file.split("/")[0], importers(code)
    through = {path for path in code if path.startswith(HELPERS)} | {file}
    if room == "lecturekit":  # a private tool is used through nouns
        through |= {path for path in used_by[file] if path.startswith("lecturekit/")}
    steps = reached([file], {path: used_by[path] for path in through})
    tests = [path for path in steps if path.startswith(f"tests/{room}/") and "/test_" in path]
    return {path: steps[path] for path in sorted(tests, key=lambda path: (steps[path], path))}


def code_of(root: pathlib.Path, rooms: Iterable[str]) -> dict[str, str]:
    """Read the modules of some packages, and the tests.

    Parameters
    ----------
    root : path
        the repository
    rooms : iterable of str
        folders below it
    """
    files = [file for room in sorted({*rooms, "tests"}) for file in root.glob(f"{room}/**/*.py")]
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in sorted(files)}


# -- code that says which lines are reached ----------------------------------------------------------------


def telling(file: str, source: str) -> str:
    """Return code that calls the plugin before each statement.

    Parameters
    ----------
    file : str
        its path
    source : str
        the code
    """
    tree = ast.parse(source)
    for node in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and not isinstance(node, ast.Module):
                setattr(node, name, _told(file, statements))
    start = 0
    while start < len(tree.body) and (_is_text(tree.body[start]) or _is_future(tree.body[start])):
        start += 1
    says = ast.parse(SAYS).body
    tree.body = [*tree.body[:start], *says, *_told(file, tree.body[start:])]
    return ast.unparse(ast.fix_missing_locations(tree))


def _told(file: str, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Put a call before each statement but the docstring."""
    new: list[ast.stmt] = []
    for number, statement in enumerate(statements):
        if number or not _is_text(statement):
            arguments: list[ast.expr] = [ast.Constant(file), ast.Constant(statement.lineno)]
            new.append(ast.Expr(ast.Call(ast.Name("_reached_by_test", ast.Load()), arguments, [])))
        new.append(statement)
    return new


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_future(statement: ast.stmt) -> bool:
    """Whether a statement must stand first."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


# -- a copy of the repository ------------------------------------------------------------------------------


@functools.cache
def has_wall() -> bool:
    """Whether tests can be run where they see only their own processes and change only their own files."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    return subprocess.run([*_wall("/var/tmp"), "true"], capture_output=True, check=False).returncode == 0


def _wall(folder: str) -> list[str]:
    """Return the command in front of the command."""
    shown = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    empty = ["--perms", "1777", "--tmpfs", "/tmp", "--ro-bind", str(ROOT), str(ROOT)]  # which may lie there
    own = ["--bind", folder, folder, "--chdir", folder]
    return ["bwrap", *shown, *empty, *own, "--unshare-pid", "--die-with-parent", "--cap-add", "ALL"]


class Tree:
    """A copy of the repository, in which files are changed and tests run.

    Parameters
    ----------
    root : path
        what is copied
    folder : path
        where to
    """

    def __init__(self, root: pathlib.Path, folder: pathlib.Path) -> None:
        self.folder, self.process = folder, None  # type: pathlib.Path, subprocess.Popen[bytes] | None
        self.writes = 0
        ignored = shutil.ignore_patterns(*NOT_COPIED)
        shutil.copytree(root, folder, ignore=ignored, copy_function=_copy, symlinks=True)
        shutil.copy(PLUGIN, folder / "mutants_plugin.py")
        folder.chmod(0o755)  # tests become other users

    def write(self, file: str, text: bytes) -> None:
        """Change a file, with a new time, by which Python knows that what it compiled is out of date."""
        self.writes += 1
        path = self.folder / file
        path.write_bytes(text)
        os.utime(path, (self.writes, self.writes))

    def run(self, tests: Iterable[str], limits: dict[str, float] | None, seconds: float) -> int | None:
        """Run tests and return pytest's exit code, or None when they took too long."""
        chosen, temporary = self.folder / "chosen.json", self.folder / "tmp"
        chosen.unlink(missing_ok=True)
        if limits is not None:
            chosen.write_text(json.dumps(limits), encoding="utf-8")
        temporary.mkdir()
        temporary.chmod(0o1777)
        first = ["-x"] if limits is not None else []
        command = [sys.executable, *PYTEST, *PLUGINS, *first, *tests]
        try:
            code = self._wait([*(_wall(str(self.folder)) if has_wall() else []), *command], seconds)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        late = self.folder / "late"
        return None if late.exists() and late.stat().st_size else code

    def _wait(self, command: list[str], seconds: float) -> int | None:
        """Run a command, and end it in time with everything that it started."""
        with (self.folder / "said").open("wb") as said:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.stop()

    def _environment(self) -> dict[str, str]:
        """Return the environment: plain Python, one thread, and nothing kept outside the tree."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OUTER)}
        own = {
            "PYTHONPATH": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "NUMBA_CACHE_DIR": str(self.folder / "tmp"),
            "MPLCONFIGDIR": str(self.folder / ".matplotlib"),
            "LECTUREKIT_NO_JIT": "1",
        }
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        return kept | ONE_THREAD | own

    def stop(self) -> None:
        """End what runs in the tree."""
        process = self.process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def said(self) -> str:
        """Return the end of what pytest said."""
        text = (self.folder / "said").read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-15:])


def _copy(source: str, target: str) -> None:
    """Copy a file, unless somebody has just removed it."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target)


# -- the plain run, and one mutant -------------------------------------------------------------------------


@dataclasses.dataclass
class Known:
    """What the plain run of some tests told: the time of each, which failed, and which reach a line."""

    seconds: dict[str, float]
    failed: list[str]
    reach: dict[tuple[str, int], set[str]]
    start_s: float
    problem: str = ""

    def limits(self, mutant: Mutant, most_s: float = math.inf) -> dict[str, float]:
        """Return the tests that reach a mutant, the quick ones first, each with the time that it may take."""
        tests = set(self.seconds) if mutant.file in UNSEEN else self.reach[mutant.file, mutant.statement]
        found: dict[str, float] = {}
        for test in sorted(tests - set(self.failed), key=lambda test: self.seconds[test]):
            most_s -= self.seconds[test]
            if most_s >= 0 or not found:
                found[test] = TIMES * self.seconds[test] + MORE_S
        return found

    def joined(self, other: "Known") -> "Known":
        """Return what two runs told together."""
        reach = defaultdict(set, self.reach)
        for place, tests in other.reach.items():
            reach[place] = reach[place] | tests
        return Known(
            self.seconds | other.seconds,
            self.failed + other.failed,
            reach,
            max(self.start_s, other.start_s),
            "\n".join(filter(None, (self.problem, other.problem))),
        )


def plain_run(tree: Tree, tests: Sequence[str], files: Sequence[str]) -> Known:
    """Run tests once, on code that says which lines they reach.

    Parameters
    ----------
    tree : Tree
        where
    tests : sequence of str
        the files and folders of tests, and modules with doctests
    files : sequence of str
        the modules that shall tell
    """
    shutil.rmtree(tree.folder / "trace", ignore_errors=True)
    (tree.folder / "trace").mkdir()
    (tree.folder / "trace").chmod(0o777)  # for other users: each process writes a file of its own
    (tree.folder / "ended").write_text("", encoding="utf-8")
    before = {file: (tree.folder / file).read_bytes() for file in files}
    begun = time.monotonic()
    try:
        for file, text in before.items():
            tree.write(file, telling(file, text.decode("utf-8")).encode("utf-8"))
        code = tree.run(tests, None, LONGEST_S)
    finally:
        for file, text in before.items():
            tree.write(file, text)
    known = _read(tree.folder)
    known.start_s = max(time.monotonic() - begun - sum(known.seconds.values()), 0)
    known.problem = "" if code in (0, 1) else tree.said()
    return known


def _read(folder: pathlib.Path) -> Known:
    """Read what the plugin noted."""
    seconds: dict[str, float] = defaultdict(float)
    failed = set()
    for line in (folder / "ended").read_text(encoding="utf-8").splitlines():
        test, outcome, took = json.loads(line)
        seconds[test] += took
        if outcome != "passed":
            failed.add(test)
    reach: dict[tuple[str, int], set[str]] = defaultdict(set)
    for trace in (folder / "trace").iterdir():
        for line in trace.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError):  # of a process that was killed, the last line may be cut
                file, number, test = json.loads(line)
                reach[file, number] |= _meant(test, seconds)
    return Known(seconds, sorted(failed), reach, 0.0)


def _meant(current: str, tests: Iterable[str]) -> set[str]:
    """Return the tests to which a line belongs: what a module or a fixture does once, it does for several."""
    test, _, phase = current.rpartition(" ")
    if not test:
        return set(tests)
    if phase == "(call)":
        return {test} & set(tests)
    return {other for other in tests if other.split("::")[0] == test.split("::")[0]}


def try_mutant(tree: Tree, mutant: Mutant, known: Known, most_s: float = math.inf) -> str:
    """Say how a mutant ended: ``noticed``, ``late``, ``survived``, ``unreached`` or ``untried``.

    Parameters
    ----------
    tree : Tree
        where
    mutant : Mutant
        the change
    known : Known
        what the plain run told
    most_s : float
        how long the tests of one mutant take at most, when nothing is wrong
    """
    limits = known.limits(mutant, most_s)
    if known.problem:
        return "untried"
    if not limits:
        return "unreached"
    before = (tree.folder / mutant.file).read_bytes()
    whole = TIMES * (known.start_s + sum(known.seconds[test] for test in limits)) + MORE_S
    files = dict.fromkeys(test.split("::")[0] for test in limits)
    try:
        tree.write(mutant.file, mutant.text)
        code = tree.run(files, limits | {"": MORE_S}, whole)
    finally:
        tree.write(mutant.file, before)
    return "late" if code is None else "noticed" if code else "survived"
