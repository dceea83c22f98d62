"""The cells of a problem set: what each is, by nbgrader's metadata, and where its secrets are."""

import re
from typing import Any

__all__ = [
    "HIDDEN",
    "MARKED",
    "SOLUTION",
    "bare",
    "divide",
    "kind",
    "name_of",
    "points_of",
    "regions",
    "settings_of",
]

SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
SPACE = re.compile(r"\s+")
MARKED = re.compile(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)")


def bare(text: str) -> str:
    """Take all white space out of a text: how lines are broken must not hide a secret."""
    return SPACE.sub("", text)


def kind(cell: Any) -> str:
    """Say what a cell is: ``setup``, ``solution``, ``test``, ``written``, ``text`` or ``code``.

    The last two are cells without a role in the marking.
    """
    settings = settings_of(cell)
    if settings.get("solution"):
        return "solution" if cell.cell_type == "code" else "written"
    if settings.get("grade"):
        return "test"
    if settings.get("locked") and cell.cell_type == "code":
        return "setup"
    return "code" if cell.cell_type == "code" else "text"


def regions(source: str, name: str) -> list[tuple[int, int]]:
    """Find the lines, counted from zero, between ``### BEGIN name`` and ``### END name``."""
    lines = source.split("\n")
    starts = [number for number, line in enumerate(lines) if f"BEGIN {name}" in line]
    ends = [number for number, line in enumerate(lines) if f"END {name}" in line]
    return [(start + 1, end) for start, end in zip(starts, ends, strict=False) if start < end]


def settings_of(cell: Any) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell."""
    found = cell.metadata.get("nbgrader")
    return found if isinstance(found, dict) else {}


def name_of(cell: Any) -> str:
    """Return the name of a cell; none is the empty text."""
    return str(settings_of(cell).get("grade_id", ""))


def points_of(cell: Any) -> float:
    """Return the marks of a cell."""
    points = settings_of(cell).get("points")
    return float(points) if isinstance(points, int | float) else 0.0


def divide(cell: Any) -> tuple[list[str], list[str]]:
    """Divide the lines of a cell into secret and open ones; the markers are neither."""
    lines = cell.source.split("\n")
    found = regions(cell.source, SOLUTION) + regions(cell.source, HIDDEN)
    if kind(cell) in ("written", "solution") and not regions(cell.source, SOLUTION):
        found = [(0, len(lines))]
    inside = {number for start, end in found for number in range(start, end)}
    numbered = [(number, line) for number, line in enumerate(lines) if not MARKED.search(line)]
    return (
        [line for number, line in numbered if number in inside],
        [line for number, line in numbered if number not in inside],
    )
