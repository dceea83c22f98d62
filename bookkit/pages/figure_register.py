"""The register of figures: read it, find where the chapters draw each, and say what is missing."""

import collections
import dataclasses
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from bookkit.pages.chapters import Cell, Problem, chapter_of, page_name, paired_pages, read_cells

ID = re.compile(r"^F-[A-Z]+-[1-9]\d*$")
LONGEST = 120  # characters of the words that say what a figure shows


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure:
    """A row of figures.yml."""

    id: str
    chapter: str
    shows: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Drawn:
    """A figure that a chapter draws: its name, the chapter's file and the line of the cell."""

    name: str
    path: pathlib.Path
    line: int


def read_figures(path: pathlib.Path) -> list[Figure]:
    """Read figures.yml in its order; an unknown or missing field is an error."""
    return [_figure(row) for row in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _figure(row: dict[str, Any]) -> Figure:
    """Make a figure of a row."""
    try:
        return Figure(**row)
    except TypeError as error:
        raise ValueError(f"figures.yml, {row.get('id', row)}: {error}") from None


def find_drawn(book: pathlib.Path) -> list[Drawn]:
    """List the named figures of all chapters: code cells with a ``mystnb.figure.name``."""
    return [
        Drawn(name=figure_name(cell), path=page, line=cell.line)
        for page in paired_pages(book)
        for cell in read_cells(page)
        if figure_name(cell)
    ]


def figure_name(cell: Cell) -> str:
    """Return the name of the figure that a cell draws; it is empty if there is none."""
    options = cell.metadata.get("mystnb") or {}
    return str((options.get("figure") or {}).get("name", "")) if cell.is_code else ""


def places(drawn: list[Drawn]) -> Mapping[str, list[Drawn]]:
    """Group what is drawn by name."""
    groups: dict[str, list[Drawn]] = collections.defaultdict(list)
    for figure in drawn:
        groups[figure.name].append(figure)
    return groups


def shape_problems(figures: list[Figure], path: pathlib.Path) -> Iterator[Problem]:
    """Check figures.yml by itself."""

    def problem(message: str, remedy: str) -> Problem:
        return Problem(path=path, line=1, rule="figures", message=message, remedy=remedy)

    counts = collections.Counter(figure.id for figure in figures)
    for name in (name for name, count in counts.items() if count > 1):
        yield problem(f"{name} is listed {counts[name]} times", "list every figure once")
    for figure in figures:
        if not ID.match(figure.id):
            yield problem(f"the ID {figure.id!r}", "write it like F-KER-1")
        if not 1 <= len(figure.shows) <= LONGEST:
            remedy = f"say what is to be seen, in at most {LONGEST}"
            yield problem(f"{figure.id} is described in {len(figure.shows)} characters", remedy)
    for prefix, numbers in _numbers(counts).items():
        if numbers != set(range(1, max(numbers) + 1)):
            yield problem(f"the numbers of F-{prefix} have a gap", "IDs are not removed or renumbered")


def _numbers(names: Mapping[str, int]) -> dict[str, set[int]]:
    """Collect the numbers that follow each prefix."""
    found: dict[str, set[int]] = collections.defaultdict(set)
    for name in filter(ID.match, names):
        _, prefix, number = name.split("-")
        found[prefix].add(int(number))
    return found


def drawing_problems(figures: list[Figure], drawn: list[Drawn], path: pathlib.Path) -> Iterator[Problem]:
    """Check that each listed figure is drawn once, in its chapter, and that no other has such an ID."""
    found, chapters = places(drawn), {figure.id: figure.chapter for figure in figures}
    for name, chapter in chapters.items():
        if name not in found:
            remedy = f"draw it in {chapter}, in a cell with mystnb.figure.name {name}"
            yield Problem(path=path, line=1, rule="figures", message=f"{name} is not drawn", remedy=remedy)
    for name, spots in found.items():
        last = spots[-1]
        if len(spots) > 1:
            yield _misplaced(last, f"{name} is drawn {len(spots)} times", "keep one, and refer to it")
        if name not in chapters and ID.match(name):
            yield _misplaced(last, f"{name} is not in {path.name}", "list it there, or name it fig-words")
        elif name in chapters and chapter_of(last.path) != chapters[name]:
            message = f"{name} is drawn in {page_name(last.path)}"
            yield _misplaced(last, message, f"draw it in {chapters[name]}, or correct {path.name}")


def _misplaced(figure: Drawn, message: str, remedy: str) -> Problem:
    """Make a problem of a cell that draws."""
    return Problem(path=figure.path, line=figure.line, rule="figures", message=message, remedy=remedy)
