"""Marks as tables: a plain one, and those that Moodle and Canvas import.

*Moodle*, assignment, "Upload grading worksheet": the columns ``Identifier`` (the word Participant and the
number that Moodle gives a student in this assignment), ``Grade`` and ``Last modified (grade)`` are required,
under these English names. The same file suits the gradebook's import, where one says which column is which.

*Canvas*, gradebook, "Import": the columns ``Student``, ``ID``, ``SIS User ID``, ``SIS Login ID``,
``Section``, then one for each assignment; the row ``Points Possible`` follows. Canvas finds a student by
``ID``, or by ``SIS Login ID``, and asks which assignment is meant if none has the column's name.
"""

import csv
import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coursekit.course.collect import RECORD
from coursekit.course.course import Course, quiet
from coursekit.course.grade import assign_late_penalties

__all__ = ["Result", "export", "results"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of one student: who it is, for people and for the platform, and the marks."""

    student: str
    name: str
    platform: str
    number: str
    handed_in: str
    raw: float
    penalty: float
    out_of: float
    waiting: int

    @property
    def mark(self) -> float:
        """The mark after the late penalty."""
        return round(max(self.raw - self.penalty, 0.0), 2)


def export(course: Course, name: str) -> tuple[list[Result], list[pathlib.Path]]:
    """Write the marks of a problem set as ``<set>-marks.csv``, ``<set>-moodle.csv`` and ``<set>-canvas.csv``.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set

    Returns
    -------
    list of Result
        the marks
    list of Path
        the files
    """
    course.home(name)
    found = results(course, name)
    paths = []
    for form, table in FORMS.items():
        paths.append(course.folder / f"{name}-{form}.csv")
        with paths[-1].open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table(found, name))
    return found, paths


def results(course: Course, name: str) -> list[Result]:
    """Read the marks of a problem set from the gradebook, with late penalties.

    Who is in the gradebook and no longer in ``submitted/`` is left out, and stays in the gradebook.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set
    """
    students = set(course.marked(name))
    with quiet(), course.gradebook() as gradebook:
        assign_late_penalties(course, gradebook, name)
        submissions = gradebook.assignment_submissions(name)
        found = [_result(course, item) for item in submissions if item.student.id in students]
    return sorted(found, key=lambda result: result.student)


def _result(course: Course, submission: Any) -> Result:
    """Read one result from the gradebook."""
    student, time = submission.student.id, submission.timestamp
    known = _record(course, student, submission.name)
    grades = [entry for notebook in submission.notebooks for entry in notebook.grades]
    return Result(
        student=student,
        name=known.get("name") or student,
        platform=known.get("platform", ""),
        number=known.get("number", ""),
        handed_in="" if time is None else f"{time:%Y-%m-%d %H:%M:%S} UTC",
        raw=submission.score,
        penalty=submission.late_submission_penalty or 0.0,
        out_of=submission.max_score,
        waiting=sum(entry.needs_manual_grade for entry in grades),
    )


def _record(course: Course, student: str, name: str) -> dict[str, str]:
    """Read what ``collect`` noted about a submission."""
    path = course.place("submitted", student, name) / RECORD
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


# -- the forms -------------------------------------------------------------------------------------------

Table = list[list[str]]


def _plain(found: list[Result], name: str) -> Table:
    """Return the table with everything."""
    rows = [["student", "name", "handed_in", "marks", "late_penalty", "mark", "out_of", "answers_to_mark"]]
    for r in found:
        marks = [f"{value:g}" for value in (r.raw, r.penalty, r.mark, r.out_of, r.waiting)]
        rows.append([_text(r.student), _text(r.name), r.handed_in, *marks])
    return rows


def _moodle(found: list[Result], name: str) -> Table:
    """Return Moodle's grading worksheet."""
    rows = [["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"]]
    for r in found:
        who = f"Participant {r.number}" if r.platform == "moodle" else _text(r.student)
        rows.append([who, _text(r.name), f"{r.mark:g}", f"{r.out_of:g}", "-"])
    return rows


def _canvas(found: list[Result], name: str) -> Table:
    """Return a part of Canvas's gradebook."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]]
    rows.append(["    Points Possible", "", "", "", "", f"{max((r.out_of for r in found), default=0):g}"])
    for r in found:
        known = r.platform == "canvas"
        number, login = (r.number, "") if known else ("", _text(r.student))
        rows.append([_text(r.name), number, "", login, "", f"{r.mark:g}"])
    return rows


FORMS: dict[str, Callable[[list[Result], str], Table]] = {
    "marks": _plain,
    "moodle": _moodle,
    "canvas": _canvas,
}


def _text(value: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
