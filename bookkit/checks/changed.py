"""Run what a change can touch, in under two minutes: ``python -m bookkit.checks.changed [--base REV]``.

The change is what differs from the last commit, or from a revision. What it can touch follows from imports: a
test, a page or a problem set that imports a changed module, directly or through others; the nearest comes
first. A file that is no module touches the tests that name it. What two minutes do not suffice for is said.
"""

import argparse
import ast
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence

from bookkit import ROOT
from bookkit.checks.stages import ONE_THREAD, PYTEST, Running, Stage, lint, report, run
from bookkit.pages.chapters import book_files

SECONDS = 105  # and at most fifteen more, in which tests that failed say why
IN_ORDER = ("--dist", "loadfile", "--no-loadscope-reorder")  # xdist would begin with the largest file
ROOMS = ("lecturekit", "coursekit", "bookkit", "tests", "benchmarks")
# Tests that read a room's files instead of importing them.
WALKERS = {"lecturekit": ("architecture", "check", "jit"), "coursekit": ("architecture",)}
COMPARISON = {"conftest.py", "bookkit/pages/figures.py"}  # how notebooks are compared
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.M | re.S)
OPTIONS = re.compile(r"\A(---\n.*?^---\n|(:\w[^\n]*\n)+)", re.M | re.S)


# -- what imports what -------------------------------------------------------------------------------------


def sources() -> dict[str, str]:
    """Return the code of all modules, tests, pages and problem sets, by path."""
    files = [file for room in ROOMS for file in ROOT.glob(f"{room}/**/*.py")]
    found = {_path(file): file.read_text(encoding="utf-8") for file in files}
    for page in [*book_files(ROOT / "book", ".md"), *ROOT.glob("coursework/*/*.md")]:
        cells = CELL.findall(page.read_text(encoding="utf-8"))
        if cells:
            found[_path(page)] = "\n".join(OPTIONS.sub("", cell) for cell in cells)
    return found


def _path(file: pathlib.Path) -> str:
    """Return a path below the root, as git writes it."""
    return file.relative_to(ROOT).as_posix()


def imported(source: str) -> Iterator[str]:
    """List the modules that code imports, wherever it does; of ``from a import b`` both a and a.b."""
    lines = ("" if re.match(r"\s*[%!]", line) else line for line in source.split("\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = ast.parse("\n".join(lines))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers(code: dict[str, str]) -> dict[str, set[str]]:
    """Return, for each file, the files that import it; a file that does not parse imports nothing."""
    found: dict[str, set[str]] = {path: set() for path in code}
    for path, source in code.items():
        try:
            modules = set(imported(source))
        except SyntaxError:
            continue
        for stem in (module.replace(".", "/") for module in modules):
            for target in (f"{stem}.py", f"{stem}/__init__.py"):
                if target in found and target != path:
                    found[target].add(path)
    return found


def reached(changed: Iterable[str], used_by: dict[str, set[str]]) -> dict[str, int]:
    """Return what changed files reach through imports, and over how many of them."""
    steps = dict.fromkeys(changed, 0)
    todo = list(steps)
    for path in todo:
        for user in sorted(used_by.get(path, ())):
            if user not in steps:
                steps[user] = steps[path] + 1
                todo.append(user)
    return steps


# -- what is to be run ---------------------------------------------------------------------------------------


def changed_files(base: str) -> list[str]:
    """List the files that differ from a revision, new ones included."""
    against = subprocess.run(
        ["git", "diff", "--name-only", "--diff-filter=d", base],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    new = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return sorted({*against.stdout.splitlines(), *new.stdout.splitlines()})


def plan(changed: Iterable[str], code: dict[str, str]) -> dict[str, list[str]]:
    """Return the tests, notebooks and problem sets that changed files can touch, the nearest first."""
    start = {_source(path) for path in changed}
    steps = reached(sorted(start), importers(code))
    for path in start - code.keys():  # no module: the tests that name it, or the folder it is in
        word = pathlib.PurePosixPath(path).name
        for test, text in code.items():
            if _is_test(test) and word in text:
                steps.setdefault(test, 1)
    if any(path.startswith("book/") and path.endswith(".md") for path in start):
        steps |= {f"tests/book/test_{name}.py": 1 for name in ("pairs", "chapters", "claims", "glossary")}
    for room, names in WALKERS.items():
        if any(path.startswith(f"{room}/") for path in start):
            steps = {f"tests/{room}/test_{name}.py": 1 for name in names} | steps
    if start & COMPARISON:
        steps = {path: 1 for path in code if _is_page(path)} | steps
    if any(_is_page(path) for path in start):
        steps["tests/book/test_pairs.py"] = 0  # a page that was not synced would be run as it was
    near = sorted(steps, key=lambda path: (steps[path], path.startswith("tests/book/"), path))
    doctests = [
        path for path in near if steps[path] == 0 and re.fullmatch(r"lecturekit/(\w+/)?\w+\.py", path)
    ]
    return {
        "tests": doctests + [path for path in near if _is_test(path) and not _is_slow(path)],
        "notebooks": [path.replace(".md", ".ipynb") for path in near if path in code and _is_page(path)],
        "sets": [path.split("/")[1] for path in near if path.startswith("coursework/") and path in code],
    }


def _source(path: str) -> str:
    """Return the file that is edited: of a notebook the text, of a problem set's answers the set."""
    path = re.sub(r"^(book/(?!coursework/).*)\.ipynb$", r"\1.md", path)
    return re.sub(r"^coursework/([^/]*)/.*", r"coursework/\1/\1.md", path)


def _is_page(path: str) -> bool:
    """Whether a path is the text of a page with code."""
    return path.startswith("book/") and path.endswith(".md")


def _is_slow(path: str) -> bool:
    """Whether a file of tests needs the built site, a browser, or all problem sets."""
    return path.startswith(("tests/browser/", "tests/site/")) or path == "tests/coursekit/test_check.py"


def _is_test(path: str) -> bool:
    """Whether a path is a file of tests."""
    return bool(re.fullmatch(r"tests/(\w+/)+test_\w+\.py", path))


def stages(planned: dict[str, list[str]]) -> Iterator[Stage]:
    """Yield the stages of a plan; two run at once: the nearest tests begin beside lint, before notebooks."""
    yield lint()
    commands = {
        "tests": (*IN_ORDER, *planned["tests"]),
        "notebooks": (*IN_ORDER, "--nbval", *planned["notebooks"]),
        "sets": [f"tests/coursekit/test_check.py::test_every_set_passes[{name}]" for name in planned["sets"]],
    }
    for name, command in commands.items():
        if planned[name]:
            words = _short(f"{len(planned[name])} of them: {' '.join(planned[name])}")
            yield Stage(name=name, words=words, command=(*PYTEST, *command), variables=ONE_THREAD)


def _short(words: str) -> str:
    """Cut off a long list."""
    return textwrap.shorten(words, 200, placeholder=" ...")


def unfinished(wanted: Sequence[Stage], done: Sequence[Running]) -> Iterator[str]:
    """Say what there was no time for, and how to run it."""
    ended = {one.stage.name for one in done if one.passed or not one.cut}
    finished = {name for one in done for name in one.finished()}
    for stage in wanted:
        if stage.name in ended:
            continue
        if stage.command[: len(PYTEST)] != PYTEST:
            yield f"Not finished: {stage.name}. Run: make {stage.name}"
            continue
        words = [word for word in stage.command[len(PYTEST) :] if word not in {*IN_ORDER, *finished}]
        files = _short(" ".join(word for word in words if word != "--nbval"))
        yield f"Not finished: {files}. Run: .venv/bin/pytest {shlex.join(words)}"


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run what a change can touch, in under two minutes.")
    parser.add_argument("--base", default="HEAD", help="the revision to compare with; the last commit")
    parser.add_argument("--list", action="store_true", help="only say what would be run")
    options = parser.parse_args(arguments)
    until = time.monotonic() + SECONDS
    base, changed = options.base, changed_files(options.base)
    if not changed and base == "HEAD":
        print("Nothing differs from the last commit, so this is about the last commit itself.")
        base, changed = "HEAD~1", changed_files("HEAD~1")
    print(f"{len(changed)} files differ from {base}.", flush=True)
    planned = plan(changed, sources())
    if options.list:
        for name, paths in planned.items():
            print(f"{name}: {' '.join(paths) or 'none'}")
        return 0
    wanted = list(stages(planned))
    done = run(wanted, until=until)
    status = report(done)
    left = list(unfinished(wanted, done))
    if left:
        print("Time was up." if status else "Nothing that ran failed, but time was up.", *left, sep="\n")
        print("Before you send the change, and only then: make test")
    return status


if __name__ == "__main__":
    sys.exit(main())
