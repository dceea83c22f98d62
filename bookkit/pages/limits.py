"""How much a page may ask of its reader at a sitting; the pages of chapters in the form of folders keep it.

What is folded does not count: checks, solutions, hints, and of a folded proof all but its idea. How tall a
page is, and how far its pictures are apart, only a browser knows; ``tests/browser`` asks it, with the limits
from here. A page that needs more says why, in a line that readers do not see::

    % more words: the proof of the main theorem is the matter of this page
"""

import pathlib
import re
from collections.abc import Iterator, Sequence

from bookkit.pages.chapters import Cell, Problem, chapter_pages, chapters_of, in_folder, read_cells
from bookkit.pages.register import assertions
from bookkit.pages.rules import EXERCISE, prose_of

WORDS = 3000
CELLS = 10
LINES = 12  # of a cell that is seen
SCREENS = 15  # of 1280 by 800
PICTURES = 3  # screens without a picture, a table, an example or a cell that shows something
ASSERTS = 10  # that are seen, in a chapter
EXERCISES = 12  # at least, in a chapter

APART = ("exercises", "solutions")  # also exercises-margin and its like, where a chapter has two halves
MORE = re.compile(r"^% more (\w+): (\S+(?: \S+){3,})$", re.M)
HIDDEN = {"hide-input", "hide-cell", "check"}
SOLUTION = re.compile(r"\{solution-(start|end)\}")
WHOLE_SOLUTION = re.compile(r"^`{3,}\{solution-start\}.*?\{solution-end\}$", re.M | re.S)
FOLD = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<kind>prf:proof|dropdown)\}[^\n]*\n(?P<options>(?::[\w-]+:[^\n]*\n)*)"
    r"(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.M | re.S,
)


def excuses(page: pathlib.Path) -> dict[str, str]:
    """Read what a page needs more of, and why."""
    return dict(MORE.findall(page.read_text(encoding="utf-8")))


def seen_text(text: str) -> str:
    """Leave out what is folded."""
    return FOLD.sub(_opened, WHOLE_SOLUTION.sub("", text))


def _opened(fold: re.Match[str]) -> str:
    """Return what is seen of a fold: of a folded proof its first paragraph, of an open one all."""
    if fold["kind"] == "dropdown":
        return ""
    return fold["body"].strip().partition("\n\n")[0] if "fold" in fold["options"] else fold["body"]


def seen_cells(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the code cells that stand open on the page."""
    in_solution = False
    for cell in cells:
        if not cell.is_code:
            for mark in SOLUTION.findall(cell.source):
                in_solution = mark == "start"
        elif not in_solution and not HIDDEN & set(cell.tags) and not _checks(cell):
            yield cell


def _checks(cell: Cell) -> bool:
    """Whether a cell is folded into a badge."""
    return any(tag.startswith("check-") for tag in cell.tags)


def words(cells: Sequence[Cell]) -> int:
    """Count the words of a page that are seen; formulas and code are none."""
    text = "\n\n".join(cell.source if not cell.is_code else "" for cell in cells)
    return len(re.findall(r"[^\W\d_][\w'’-]*", prose_of(seen_text(text))))


def is_core(page: pathlib.Path) -> bool:
    """Whether a page of a folder is on the core path: neither further, nor one of exercises or solutions."""
    title = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.M)
    apart = page.stem.partition("-")[0] in APART
    return title is not None and not title[1].endswith("(further)") and not apart


def page_problems(page: pathlib.Path) -> Iterator[Problem]:
    """Find where a page asks too much of its reader."""
    if not in_folder(page):
        return
    cells = read_cells(page)
    seen, more = list(seen_cells(cells)), excuses(page)
    counts = {"words": (words(cells), WORDS), "cells": (len(seen), CELLS)}
    for what, (count, most) in counts.items():
        if count > most and what not in more:
            yield _problem(page, 1, f"{count} {what} are seen", f"{most} at most: split, fold or cut")
    for cell in seen:
        lines = len(cell.source.splitlines())
        if lines > LINES and "lines" not in more:
            remedy = f"{LINES} at most: teach with less, or tag it hide-input"
            yield _problem(page, cell.line, f"a cell of {lines} lines is seen", remedy)


def chapter_problems(book: pathlib.Path) -> Iterator[Problem]:
    """Find chapters with too many assertions in the reader's way, or too few exercises."""
    for name in chapters_of(book):
        pages = chapter_pages(book, name)
        if not in_folder(pages[0]):
            continue
        shown = [cell for page in pages for cell in seen_cells(read_cells(page))]
        asserts = sum(1 for cell in shown for _ in assertions(cell.tree()))
        if asserts > ASSERTS:
            remedy = f"{ASSERTS} at most: tag cells that assert as checks"
            yield _problem(pages[0], 1, f"{asserts} assertions are seen in {name}", remedy)
        asked = sum(len(EXERCISE.findall(page.read_text(encoding="utf-8"))) for page in pages)
        if asked < EXERCISES:
            yield _problem(pages[0], 1, f"{name} has {asked} exercises", f"{EXERCISES} at least")


def _problem(page: pathlib.Path, line: int, message: str, remedy: str) -> Problem:
    """Make a problem; the line that excuses it is part of the remedy."""
    remedy += "; or say why in a line '% more words: ...'" if "seen" in message else ""
    return Problem(path=page, line=line, rule="limit", message=message, remedy=remedy)
