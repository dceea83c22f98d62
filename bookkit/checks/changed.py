"""Run what a change can touch, in under two minutes: ``python -m bookkit.checks.changed [--base REV]``.

The change is what differs from the last commit, or from a revision. What it can touch follows from imports: a
test, a page or a problem set that imports a changed module, directly or through others; the nearest comes
first. A file that is no module touches the tests that name it. What two minutes do not suffice for is said.
"""

import argparse
import ast
import pathlib
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Iterator

from bookkit import ROOT
from bookkit.checks.stages import ONE_THREAD, PYTEST, Stage, lint, report, run
from bookkit.pages.chapters import book_files

SECONDS = 115
ROOMS = ("lecturekit", "coursekit", "bookkit", "tests", "benchmarks")
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
    near = sorted(steps, key=lambda path: (steps[path], path))
    return {
        "tests": [path for path in near if _is_test(path) and not _is_slow(path)]
        + [path for path in near if re.fullmatch(r"lecturekit/(\w+/)?\w+\.py", path) and steps[path] == 0],
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
    """Yield the stages of a plan."""
    yield lint()
    commands = {
        "notebooks": ("--dist", "loadfile", "--nbval", *planned["notebooks"]),
        "sets": [f"tests/coursekit/test_check.py::test_every_set_passes[{name}]" for name in planned["sets"]],
        "tests": ("--dist", "loadfile", *planned["tests"]),
    }
    for name, command in commands.items():
        if planned[name]:
            words = f"{len(planned[name])} of them: {' '.join(planned[name])}"
            words = words if len(words) < 200 else f"{words[:200]} ..."
            yield Stage(name=name, words=words, command=(*PYTEST, *command), variables=ONE_THREAD)


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
    if time.monotonic() >= until:
        print(f"Two minutes were not enough; {done[-1].stage.name} ended at {done[-1].percent} %.")
        print("The rest, and everything else: make test")
    return status


if __name__ == "__main__":
    sys.exit(main())
