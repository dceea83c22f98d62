"""The handout: a problem set without answers, hidden tests and marking guides, the same file every time.

nbgrader's own preprocessors make it, in the order of ``nbgrader generate_assignment`` but without its
gradebook, which :func:`register` fills. What is written is then searched for every line that students must
not see.
"""

import contextlib
import copy
import html
import json
import os
import pathlib
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import nbformat

from coursekit.sets.cells import bare, name_of
from coursekit.sets.problem_set import ProblemSet
from coursekit.sets.source import secret_lines

__all__ = ["LeakError", "find_leaks", "handout", "open_gradebook", "register", "release", "serialise"]

LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
UP_TO_CHECKSUMS = ("LockCells", "ClearSolutions", "ClearOutput", "CheckCellMetadata", "ComputeChecksums")
FROM_HIDDEN_TESTS = ("ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums", "CheckCellMetadata")
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.S)
OUTLINE = re.compile(r' d="[MmLlHhVvCcSsQqTtAaZz\d\s.,+e-]*"')  # of a drawn curve: long, and no text


class LeakError(Exception):
    """A file for students has a line that they must not see; the message says which."""


# -- the notebook ----------------------------------------------------------------------------------------


def handout(problem_set: ProblemSet) -> Any:
    """Make the notebook that students get.

    Parameters
    ----------
    problem_set : ProblemSet
        The set with its answers.

    Returns
    -------
    NotebookNode
        The notebook, with nbgrader's metadata and check sums.
    """
    notebook = _through(UP_TO_CHECKSUMS + FROM_HIDDEN_TESTS, _without_history(problem_set))
    nbformat.validate(notebook)
    return notebook


def serialise(notebook: Any) -> str:
    """Write a notebook as text that depends on nothing but its content."""
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]


def _without_history(problem_set: ProblemSet) -> Any:
    """Copy the source with fixed cell ids, and without what only its author needs."""
    notebook = copy.deepcopy(problem_set.notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    # Jupytext would write a text file beside the notebook; the book must not run it, for the stubs raise.
    notebook.metadata = nbformat.from_dict(  # type: ignore[no-untyped-call]
        {"kernelspec": KERNEL, "language_info": LANGUAGE, "mystnb": {"execution_mode": "off"}}
    )
    for number, cell in enumerate(notebook.cells):
        cell.id = name_of(cell) or f"cell-{number:03d}"
    return notebook


def _through(names: Iterable[str], notebook: Any, resources: dict[str, Any] | None = None) -> Any:
    """Send a notebook through nbgrader's preprocessors; they are imported late, for that takes seconds."""
    from nbgrader import preprocessors

    resources = {} if resources is None else resources
    for name in names:
        notebook, resources = getattr(preprocessors, name)().preprocess(notebook, resources)
    return notebook


# -- the files -------------------------------------------------------------------------------------------


def release(
    problem_set: ProblemSet, course: pathlib.Path, *, book: pathlib.Path | None = None
) -> pathlib.Path:
    """Write the handout and its data files, and search them for secrets.

    Parameters
    ----------
    problem_set : ProblemSet
        The set with its answers.
    course : Path
        The folder of the course; the handout goes to ``release/<name>/`` in it, which is replaced.
    book : Path, optional
        The folder of the book; a copy goes to ``coursework/`` in it.

    Returns
    -------
    Path
        The folder of the release.

    Raises
    ------
    LeakError
        If a secret was found; nothing stays of what was written.
    """
    folders = [course / "release" / problem_set.name]
    folders += [] if book is None else [book / "coursework"]
    shutil.rmtree(folders[0], ignore_errors=True)
    text = serialise(handout(problem_set))
    written = [path for folder in folders for path in _write(problem_set, text, folder)]
    leaks = find_leaks(secret_lines(problem_set), written)
    if leaks:
        for path in written:
            path.unlink()
        shutil.rmtree(folders[0])
        raise LeakError(
            "\n".join(["the release was removed, for it held what students must not see:", *leaks])
        )
    return folders[0]


def _write(problem_set: ProblemSet, text: str, folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """Write the notebook and the data files into a folder; yield each path."""
    files = {f"{problem_set.name}.ipynb": text.encode(), **problem_set.files}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        yield path


# -- the search ------------------------------------------------------------------------------------------


def find_leaks(secrets: Iterable[str], files: Iterable[pathlib.Path]) -> list[str]:
    """Search files for secret lines, whatever the white space; return where each was found.

    Notebooks are searched in their texts, web pages without their tags, all other files as they are.

    Parameters
    ----------
    secrets : iterable of str
        The lines, from :func:`~coursekit.sets.source.secret_lines`.
    files : iterable of Path
        The files to search.
    """
    wanted = {bare(line): line for line in sorted(secrets)}
    length = min(map(len, wanted), default=1)
    begun: dict[str, list[str]] = {}  # lines by how they begin: there may be thousands, and much to search
    for key in wanted:
        begun.setdefault(key[:length], []).append(key)
    found = []
    for path in files:
        texts = [bare(text) for text in _texts(path)]
        places = (text[i : i + length] for text in texts for i in range(len(text)))
        likely = sorted(key for start in set(filter(begun.__contains__, places)) for key in begun[start])
        found += [f"{path.name}: {wanted[key]}" for key in likely if any(key in text for text in texts)]
    return found


def _texts(path: pathlib.Path) -> Iterator[str]:
    """Yield what a file says."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    if path.suffix == ".ipynb":
        text = "\n".join(_strings(json.loads(text)))
    yield OUTLINE.sub("", text)
    if path.suffix == ".html":
        yield html.unescape(TAG.sub("", text))


def _strings(node: Any) -> Iterator[str]:
    """Yield every text of a JSON document."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for item in node.values() if isinstance(node, dict) else node:
            yield from _strings(item)


# -- the gradebook ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def open_gradebook(url: str) -> Iterator[Any]:
    """Open nbgrader's gradebook, and make it if there is none.

    To make one nbgrader runs ``alembic``, which lies beside this Python, whether or not that is on the PATH.

    Parameters
    ----------
    url : str
        The address of the database, such as ``sqlite:////path/gradebook.db``.
    """
    from nbgrader.api import Gradebook

    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), before])
    try:
        gradebook = Gradebook(url)
    finally:
        os.environ["PATH"] = before
    with gradebook:
        yield gradebook


def register(problem_set: ProblemSet, gradebook_url: str) -> None:
    """Enter the set, its cells and their marks into nbgrader's gradebook; again replaces the entry.

    Parameters
    ----------
    problem_set : ProblemSet
        The set with its answers.
    gradebook_url : str
        The address of the database, such as ``sqlite:////path/gradebook.db``.
    """
    with open_gradebook(gradebook_url) as gradebook:
        gradebook.update_or_create_assignment(problem_set.name)
    place = {"notebook": problem_set.name, "assignment": problem_set.name, "db_url": gradebook_url}
    _through((*UP_TO_CHECKSUMS, "SaveCells"), _without_history(problem_set), {"nbgrader": place})
