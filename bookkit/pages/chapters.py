"""Read the book's pages as cells: the one parser behind the register, the linter and the pair check."""

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class Problem:
    """One broken rule: where it is, what is wrong, and what to do."""

    path: pathlib.Path
    line: int
    rule: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: [{self.rule}] {self.message}; {self.remedy}"


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


def is_paired(path: pathlib.Path) -> bool:
    """Whether a page is the text half of a Jupytext pair."""
    return path.suffix == ".md" and path.read_text(encoding="utf-8").startswith(PAIRED)


def paired_pages(book: pathlib.Path) -> list[pathlib.Path]:
    """List the text halves of the pairs."""
    return [path for path in sorted(book.glob("*.md")) if is_paired(path)]


def read_cells(path: pathlib.Path) -> list[Cell]:
    """Split a page into its cells.

    Parameters
    ----------
    path : Path
        A MyST file; without a Jupytext header the whole of it is one text cell or several.
    """
    return list(_split(path.read_text(encoding="utf-8")))


@functools.lru_cache(maxsize=64)
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
    """Name the pages of a table of contents by file stem, in order."""
    return list(_files(yaml.safe_load(toc.read_text(encoding="utf-8"))))


def _files(node: Any) -> Iterator[str]:
    """Walk a table of contents."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("file", "root"):
                yield pathlib.PurePosixPath(str(value)).name.removesuffix(".md").removesuffix(".ipynb")
            else:
                yield from _files(value)
    elif isinstance(node, list):
        for item in node:
            yield from _files(item)
