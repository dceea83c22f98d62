"""The cells of a problem set: what each is, by nbgrader's metadata, and where its secrets are.

A cell is one of nbformat's, or plain JSON; that of a submission may lack anything.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

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
Cell: TypeAlias = Mapping[str, Any]
MARKED = re.compile(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)")


def bare(text: str) -> str:
    """Take all white space out of a text: how lines are broken must not hide a secret."""
    return SPACE.sub("", text)


def kind(cell: Cell) -> str:
    """Say what a cell is: ``setup``, ``solution``, ``test``, ``written``, ``text`` or ``code``.

    The last two are cells without a role in the marking.
    """
    settings, is_code = settings_of(cell), cell["cell_type"] == "code"
    if settings.get("solution"):
        return "solution" if is_code else "written"
    if settings.get("grade"):
        return "test"
    if settings.get("locked") and is_code:
        return "setup"
    return "code" if is_code else "text"


def regions(source: str, name: str) -> list[tuple[int, int]]:
    """Find the lines, counted from zero, between ``### BEGIN name`` and ``### END name``."""
    lines = source.split("\n")
    starts = [number for number, line in enumerate(lines) if f"BEGIN {name}" in line]
    ends = [number for number, line in enumerate(lines) if f"END {name}" in line]
    return [(start + 1, end) for start, end in zip(starts, ends, strict=False) if start < end]


def settings_of(cell: Cell) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell."""
    metadata = cell.get("metadata")
    found = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def name_of(cell: Cell) -> str:
    """Return the name of a cell; none is the empty text."""
    name = settings_of(cell).get("grade_id")
    return str(name) if isinstance(name, str | int) else ""


def points_of(cell: Cell) -> float:
    """Return the marks of a cell."""
    points = settings_of(cell).get("points")
    return float(points) if isinstance(points, int | float) else 0.0


def divide(cell: Cell) -> tuple[list[str], list[str]]:
    """Divide the lines of a cell into secret and open ones; the markers are neither."""
    source = cell["source"]
    lines = source.split("\n")
    found = regions(source, SOLUTION) + regions(source, HIDDEN)
    if kind(cell) in ("written", "solution") and not regions(source, SOLUTION):
        found = [(0, len(lines))]
    inside = {number for start, end in found for number in range(start, end)}
    numbered = [(number, line) for number, line in enumerate(lines) if not MARKED.search(line)]
    return (
        [line for number, line in numbered if number in inside],
        [line for number, line in numbered if number not in inside],
    )
