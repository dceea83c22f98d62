"""What a problem set is, once it is read: its notebook, its tasks and their marks."""

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import Any

from coursekit.sets.cells import kind, name_of

__all__ = ["ProblemSet", "ProblemSetError", "Task"]


class ProblemSetError(ValueError):
    """A problem set breaks a rule; the message lists all that is wrong."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """One task of a set: its heading, its marks and minutes, and the names of its cells in order."""

    title: str
    marks: float
    minutes: int
    solutions: tuple[str, ...]
    tests: tuple[str, ...]
    written: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class ProblemSet:
    """A problem set with its answers.

    Attributes
    ----------
    name, path
        The name of the set, and its source.
    notebook
        The source as a notebook. Nobody changes it: work on a deep copy.
    metadata
        What the front matter says under ``coursekit:``.
    tasks
        The tasks in order.
    points
        The marks of each graded cell.
    files
        The data files beside the source, by name, which students get too.
    """

    name: str
    path: pathlib.Path
    notebook: Any = dataclasses.field(repr=False)
    metadata: Mapping[str, Any] = dataclasses.field(repr=False)
    tasks: tuple[Task, ...]
    points: Mapping[str, float]
    files: Mapping[str, bytes] = dataclasses.field(repr=False)

    @property
    def total(self) -> float:
        """The marks of the whole set."""
        return sum(self.points.values())

    def cell(self, grade_id: str) -> Any:
        """Return the cell of that name."""
        return next(cell for cell in self.notebook.cells if name_of(cell) == grade_id)

    def of_kind(self, wanted: str) -> list[str]:
        """Name the cells of a kind (see :func:`~coursekit.sets.cells.kind`), in order."""
        return [name_of(cell) for cell in self.notebook.cells if kind(cell) == wanted]
