"""A problem set as its author writes it: one MyST file with answers, hidden tests and a marking guide.

The cells carry nbgrader's metadata, which say what each of them is. The front matter has a part
``coursekit:`` with the title, the chapter, the minutes and the learning goals. All else is derived.
"""

import functools
import pathlib
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import jupytext
import yaml

from coursekit.sets.cells import bare, divide, kind, name_of, points_of, settings_of
from coursekit.sets.problem_set import ProblemSet, ProblemSetError, Task
from coursekit.sets.rules import problems

__all__ = [
    "known_claims",
    "read",
    "secret_lines",
]

PARTS_OF_A_TASK = ("solution", "test", "written")
HEADING = re.compile(r"^## (.+)$", re.M)
PROMISE = re.compile(r"^(?P<title>.+?) \((?P<marks>[\d.]+) marks?, about (?P<minutes>\d+) minutes\)$")
NOT_FOR_STUDENTS = {".md", ".yml", ".yaml", ".ipynb", ".pyc"}
SHORTEST_SECRET = 16  # characters; shorter lines, such as `return w`, say nothing and occur everywhere


# -- reading ---------------------------------------------------------------------------------------------


def read(source: pathlib.Path, *, claims: Collection[str] | None = None) -> ProblemSet:
    """Read a problem set, and refuse one that breaks a rule.

    Parameters
    ----------
    source : Path
        The folder of the set, or the .md file in it, which has the folder's name.
    claims : collection of str, optional
        The IDs that a learning goal may name; by default those of the nearest ``book/claims.yml`` above.
    """
    path = _source_file(pathlib.Path(source))
    notebook = _parse(path)
    metadata = notebook.metadata.get("coursekit") or {}
    found = ProblemSet(
        name=path.stem,
        path=path,
        notebook=notebook,
        metadata=metadata,
        tasks=tuple(_tasks(notebook)),
        points={name_of(cell): points_of(cell) for cell in notebook.cells if settings_of(cell).get("grade")},
        files=_files(path.parent),
    )
    wrong = problems(found, claims=known_claims(path) if claims is None else claims)
    if wrong:
        raise ProblemSetError("\n".join(f"{path.name}: {problem}" for problem in wrong))
    return found


def _source_file(source: pathlib.Path) -> pathlib.Path:
    """Find the .md file of a set."""
    path = source / f"{source.resolve().name}.md" if source.is_dir() else source
    if not path.is_file():
        raise ProblemSetError(f"{path} does not exist; a set is a folder with a .md file of the same name")
    return path


def _parse(path: pathlib.Path) -> Any:
    """Read MyST as a notebook."""
    try:
        return jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    except (ValueError, yaml.YAMLError) as error:
        raise ProblemSetError(f"{path.name} cannot be read as MyST: {error}") from None


def known_claims(path: pathlib.Path) -> frozenset[str] | None:
    """Read the IDs of the nearest ``book/claims.yml`` at or above a path; without one, None."""
    for folder in path.resolve().parents:
        register = folder / "book" / "claims.yml"
        if register.is_file():
            return _claim_ids(register.read_text(encoding="utf-8"))
    return None


@functools.lru_cache(maxsize=1)
def _claim_ids(register: str) -> frozenset[str]:
    """Read the IDs of a register: a long file, and the same for every set."""
    return frozenset(row["id"] for row in yaml.safe_load(register))


def _files(folder: pathlib.Path) -> dict[str, bytes]:
    """Read the data files of a set."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.suffix not in NOT_FOR_STUDENTS
        and not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)
    }


# -- tasks -----------------------------------------------------------------------------------------------


def _tasks(notebook: Any) -> Iterator[Task]:
    """Split a set at its headings; a part without marked cells, such as an introduction, is no task."""
    parts: list[tuple[str, list[Any]]] = [("", [])]
    for cell in notebook.cells:
        headings = HEADING.findall(cell.source) if kind(cell) == "text" else []
        if headings:
            parts.append((headings[-1].strip(), []))
        parts[-1][1].append(cell)
    for title, cells in parts:
        names = {what: tuple(name_of(c) for c in cells if kind(c) == what) for what in PARTS_OF_A_TASK}
        if any(names.values()):
            promise = PROMISE.match(title)
            yield Task(
                title=promise["title"] if promise else title,
                marks=float(promise["marks"]) if promise else 0.0,
                minutes=int(promise["minutes"]) if promise else 0,
                solutions=names["solution"],
                tests=names["test"],
                written=names["written"],
            )


# -- secrets ---------------------------------------------------------------------------------------------


def secret_lines(problem_set: ProblemSet, *, public: Iterable[str] = ()) -> frozenset[str]:
    """Return the lines that must never reach a student before the set is marked.

    They are the lines of answers, model answers, marking guides and hidden tests, without the white space
    around them; except those that are too short to tell anything, or public anyway.

    Parameters
    ----------
    problem_set : ProblemSet
        The set.
    public : iterable of str
        Texts, beside the open part of the set, that students may read, such as the chapters of the book.
    """
    parts = [divide(cell) for cell in problem_set.notebook.cells]
    secret = {line.strip() for inside, _ in parts for line in inside}
    shown = bare("\n".join([*(line for _, outside in parts for line in outside), *public]))
    return frozenset(line for line in secret if len(line) >= SHORTEST_SECRET and bare(line) not in shown)
