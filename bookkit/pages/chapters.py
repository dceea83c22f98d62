"""The pages of the book: which there are, to which chapter each belongs, and its cells.

A chapter is one page, ``book/05-kernels.md``, or a folder of pages, ``book/05-kernels/index.md`` and others.
Either way the chapter is called ``05-kernels``. A page of a folder is called ``05-kernels/definition``.
"""

import ast
import dataclasses
import functools
import pathlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import jupytext
import yaml
from jupytext.myst import myst_to_notebook

PAIRED = "---\njupytext:"
# Lines that IPython takes and Python does not.
MAGIC = re.compile(r"^\s*[%!]")
CHAPTER = re.compile(r"^(\d\d|[A-Z])-[\w-]+$")
FIRST = "index"  # the page of a folder that comes first


@dataclasses.dataclass(frozen=True, kw_only=True)
class Problem:
    """One broken rule: where it is, what is wrong, and what to do."""

    path: pathlib.Path
    line: int
    rule: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{file_name(self.path)}:{self.line}: [{self.rule}] {self.message}; {self.remedy}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a chapter; ``line`` is where its source starts in the .md file."""

    kind: str
    source: str
    metadata: dict[str, Any]
    line: int

    @property
    def tags(self) -> tuple[str, ...]:
        """The cell's tags."""
        return tuple(map(str, self.metadata.get("tags") or ()))

    @property
    def is_code(self) -> bool:
        """Whether the cell is executed."""
        return self.kind == "code"

    def tree(self) -> ast.Module:
        """Parse the code, IPython's magics left out; the line numbers stay."""
        lines = ("" if MAGIC.match(line) else line for line in self.source.split("\n"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse("\n".join(lines))


# -- names -------------------------------------------------------------------------


def in_folder(path: pathlib.PurePath) -> bool:
    """Whether a file lies in the folder of a chapter."""
    return bool(CHAPTER.match(path.parent.name))


def file_name(path: pathlib.PurePath) -> str:
    """Name a file as people do: with its folder where that is a chapter."""
    return f"{path.parent.name}/{path.name}" if in_folder(path) else path.name


def page_name(path: pathlib.PurePath) -> str:
    """Name a page: ``05-kernels``, or ``05-kernels/definition`` in a folder."""
    return file_name(path).removesuffix(path.suffix)


def chapter_of(path: pathlib.PurePath) -> str:
    """Name the chapter that a page belongs to; a page that is in no folder is its own."""
    return path.parent.name if in_folder(path) else path.stem


def asked_for(name: str) -> str:
    """Return the chapter or page that somebody asks for by a name, or by a file of it below ``book``."""
    path = pathlib.PurePosixPath(name.rstrip("/").removeprefix("book/"))
    return str(path.with_suffix("")) if path.suffix in (".md", ".ipynb") else str(path)


# -- pages -------------------------------------------------------------------------


def is_paired(path: pathlib.Path) -> bool:
    """Whether a page is the text half of a Jupytext pair."""
    return path.suffix == ".md" and path.read_text(encoding="utf-8").startswith(PAIRED)


def book_files(book: pathlib.Path, ending: str) -> list[pathlib.Path]:
    """List the files of the book and of its chapters' folders, by chapter; of a folder the index first."""
    folders = (path for path in book.glob("*/") if CHAPTER.match(path.name))
    files = [path for folder in (book, *folders) for path in folder.glob(f"*{ending}")]
    return sorted(files, key=lambda path: (chapter_of(path), path.stem != FIRST, path.name))


def paired_pages(book: pathlib.Path) -> list[pathlib.Path]:
    """List the text halves of the pairs."""
    return [path for path in book_files(book, ".md") if is_paired(path)]


def chapter_pages(book: pathlib.Path, chapter: str) -> list[pathlib.Path]:
    """List the text of a chapter's pages, the first page first; there are none if it is not written."""
    return [path for path in book_files(book, ".md") if chapter_of(path) == chapter]


def chapters_of(book: pathlib.Path) -> list[str]:
    """List the numbered chapters that are there."""
    names = {chapter_of(path) for path in book_files(book, ".md")}
    return sorted(name for name in names if CHAPTER.match(name) and name[0].isdigit())


# -- cells -------------------------------------------------------------------------


def read_cells(path: pathlib.Path) -> list[Cell]:
    """Split a page into its cells.

    Parameters
    ----------
    path : Path
        A MyST file; without a Jupytext header the whole of it is one text cell or several.
    """
    return list(_split(path.read_text(encoding="utf-8")))


@functools.lru_cache(maxsize=512)  # all pages of the book
def _split(text: str) -> tuple[Cell, ...]:
    """Split the text of a page; the pages are asked for again and again."""
    notebook = myst_to_notebook(text, add_source_map=True)
    lines = text.splitlines()
    return tuple(
        Cell(
            kind=cell.cell_type,
            source=cell.source,
            metadata=dict(cell.metadata),
            line=_find(lines, cell.source.splitlines(), start),
        )
        for cell, start in zip(notebook.cells, notebook.metadata["source_map"], strict=True)
    )


def _find(lines: list[str], wanted: list[str], start: int) -> int:
    """Find the line, counted from one, at which a cell's source starts, after options and blank lines."""
    for index in range(start, len(lines)):
        if lines[index : index + len(wanted)] == wanted:
            return index + 1
    return start


def read_notebook(path: pathlib.Path) -> Any:
    """Read either half of a pair as a notebook."""
    return jupytext.read(path)


def listed_pages(toc: pathlib.Path) -> list[str]:
    """Name the pages of a table of contents, in order: those below ``book`` by their path there."""
    files = _files(yaml.safe_load(toc.read_text(encoding="utf-8")))
    return [file.removeprefix("book/").removesuffix(".md").removesuffix(".ipynb") for file in files]


def _files(node: Any) -> Iterator[str]:
    """Walk a table of contents."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("file", "root"):
                yield str(value)
            else:
                yield from _files(value)
    elif isinstance(node, list):
        for item in node:
            yield from _files(item)
