"""Tables of marks, as Moodle and Canvas read them."""

import csv
import json
import pathlib

from coursekit.course.collect import RECORD
from coursekit.course.export import export, results
from coursekit.course.grade import grade
from tests.coursekit.test_grade import NAME, hand_in
from tests.support.coursework_walk import Walk

MARKS = {"Bela Blank": "0", "Lou Loop": "2", "Mal Malice": "0", "Rita Right": "6", "Willa Wrong": "2.7"}


def table(path: pathlib.Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


def test_moodle_finds_its_columns_and_participants(walked: Walk) -> None:
    head, *rows = table(walked.course.folder / f"{NAME}-moodle.csv")
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(head)  # what Moodle's import asks for
    assert [row[0] for row in rows] == [f"Participant {number}" for number in range(1001, 1006)]
    assert {row[head.index("Full name")]: row[head.index("Grade")] for row in rows} == MARKS


def test_canvas_finds_its_columns_and_students(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    record = course.place("submitted", "Rita-Right", NAME) / RECORD
    known = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps(known | {"platform": "canvas", "number": "4321"}), encoding="utf-8")
    head, points, *rows = table(export(course, NAME)[1][2])
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert (points[0].strip(), points[-1]) == ("Points Possible", "6")
    assert {row[0]: row[-1] for row in rows} == MARKS
    assert rows[3][1:4] == ["4321", "", ""]
    assert rows[0][1:4] == ["", "", "Bela-Blank"], "a number of Moodle's is none of Canvas's"


def test_the_plain_table_has_everything(walked: Walk) -> None:
    head, *rows = table(walked.course.folder / f"{NAME}-marks.csv")
    assert ",".join(head) == "student,name,handed_in,marks,late_penalty,mark,out_of,answers_to_mark"
    assert rows[-1] == ["Willa-Wrong", "Willa Wrong", "2026-01-16 08:30:00 UTC", "3", "0.3", "2.7", "6", "0"]


def test_names_are_no_formulas_and_open_answers_are_counted(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    hand_in(course, "plain", {"why": "Because."})
    record = course.place("submitted", "plain", NAME) / RECORD
    known = {"name": "=HYPERLINK(1)", "number": "", "platform": "plain"}
    record.write_text(json.dumps(known), encoding="utf-8")
    grade(course, NAME, students=["plain"])
    found, paths = export(course, NAME)
    assert [result.waiting for result in found if result.student == "plain"] == [1]
    assert all(row[0].startswith("'=") for row in table(paths[2]) if "HYPERLINK" in row[0])
    assert "plain" in [row[0] for row in table(paths[1])]
    assert results(course, NAME) == found
