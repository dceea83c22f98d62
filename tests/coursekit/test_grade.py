"""Marking: every submission gets the mark that it deserves, and keeps what was marked by hand."""

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import joblib
import pytest

from coursekit.course import grade as grading
from coursekit.course.course import Course, CourseError, quiet, utc
from coursekit.course.example import RIGHT, SUBMISSIONS, submission
from coursekit.course.grade import Mark, grade
from tests.support.coursework_walk import Walk

NAME = "first-set"


def hand_in(course: Course, student: str, content: str | bytes | dict[str, str]) -> None:
    if isinstance(content, dict):
        content = json.dumps(submission(course.problem_set(NAME), content))
    path = course.place("submitted", student, NAME) / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def entries(course: Course, student: str) -> dict[str, tuple[float | None, float | None, bool]]:
    """Return what the gradebook says about each cell: mark of the machine, mark by hand, whether to look."""
    with quiet(), course.gradebook() as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, student).grades
        return {one.name: (one.auto_score, one.manual_score, one.needs_manual_grade) for one in found}


def mark(course: Course, student: str, **options: Any) -> Mark:
    return grade(course, NAME, students=[student], **options)[0]


@pytest.fixture
def course(walked: Walk, tmp_path: Path) -> Course:
    return walked.copy(tmp_path)


def test_five_submissions_are_in_the_gradebook(walked: Walk) -> None:
    course = walked.course
    by_test, by_hand = (2, None, False), (None, 2, False)
    wanted = {"test-centre": by_test, "test-standardise": by_test, "why": by_hand}
    assert entries(course, "Rita-Right") == wanted
    assert entries(course, "Willa-Wrong")["test-standardise"] == (0, None, False)
    assert entries(course, "Bela-Blank")["why"] == (0, None, False)
    for student in ("Bela-Blank", "Lou-Loop", "Mal-Malice"):
        assert [entries(course, student)[test][0] for test in ("test-centre", "test-standardise")] == [0, 0]


def test_formgrader_finds_everything(walked: Walk) -> None:
    with quiet():
        from nbgrader.apps.api import NbGraderAPI

        found = NbGraderAPI(coursedir=walked.course._directory()).get_submissions(NAME)
    assert {row["student"]: row["score"] for row in found} == {
        "Bela-Blank": 0,
        "Lou-Loop": 2,
        "Mal-Malice": 0,
        "Rita-Right": 6,
        "Willa-Wrong": 3,  # nbgrader lists late penalties apart
    }
    assert all(row["autograded"] and not row["needs_manual_grade"] for row in found)


def test_marking_again_changes_nothing(course: Course) -> None:
    student = "Willa-Wrong"
    page = course.place("autograded", student, NAME) / f"{NAME}.ipynb"
    before, text = entries(course, student), page.read_text(encoding="utf-8")
    again = mark(course, student)
    assert (again.tests, again.words, again.waiting) == (2, 1, 0)
    assert again.penalty == pytest.approx(0.3)
    assert entries(course, student) == before
    assert page.read_text(encoding="utf-8") == text


def test_marks_by_hand_are_kept_and_shown_again_when_the_answer_changed(course: Course) -> None:
    student = "Rita-Right"
    hand_in(course, student, RIGHT | {"why": "Another answer.", "centre": "def centre(x):\n    return x"})
    again = mark(course, student)
    assert (again.tests, again.words, again.waiting) == (0, 2, 1)
    assert entries(course, student)["why"] == (None, 2, True)
    mark(course, student)
    assert entries(course, student)["why"] == (None, 2, True), "until somebody has looked"


FAR = "def centre(x):\n    return far(x)"
REASONS = {  # the answer; whether a failing cell of the student's own is first or last; how the reason begins
    "syntax": ("def centre(x:", None, "centre: SyntaxError: "),
    "raises": ("1 / 0\n" + FAR, None, "centre: ZeroDivisionError: division by zero; test-centre: NameError"),
    "wrong": ("def centre(x):\n    return x", None, "test-centre: "),
    "own": (FAR, 0, "a cell of their own: ModuleNotFoundError: "),
    "own-later": (FAR, -1, "test-centre: NameError: "),
    "right": (RIGHT["centre"], 0, "all tests passed"),
}
UNREADABLE = {
    "empty": (b"", "The submission cannot be read, so no answer was marked: the file is empty."),
    "bytes": (b"\xff\xfe", "the file is not text in UTF-8"),
    "pdf": (b"%PDF-1.7", "the file is not JSON, which a notebook is"),
    "cells": (b'{"cells": []}', "Missing from the submission: centre, standardise, why."),
}


def test_the_first_failed_answer_is_the_reason(course: Course) -> None:
    for student, (centre, place, _) in REASONS.items():
        notebook = submission(course.problem_set(NAME), RIGHT | {"centre": centre})
        if place is not None:
            own = copy.deepcopy(notebook.cells[1]) | {"metadata": {}, "source": "from nowhere import far"}
            notebook.cells.insert(len(notebook.cells) * -place, own)
        hand_in(course, student, json.dumps(notebook))
    for student, (content, _) in UNREADABLE.items():
        hand_in(course, student, content)
    for found in grade(course, NAME, students=[*REASONS, *UNREADABLE], jobs=2):
        if found.student in REASONS:
            assert found.reason.startswith(REASONS[found.student][2]), found
        else:
            assert UNREADABLE[found.student][1] in found.reason
            assert (found.tests, found.words, found.waiting) == (0, 0, 0)


def test_an_overruled_test_is_kept(course: Course) -> None:
    student = "Willa-Wrong"
    with quiet(), course.gradebook() as gradebook:
        gradebook.find_grade("test-standardise", NAME, NAME, student).manual_score = 1
        gradebook.db.commit()
    assert mark(course, student).tests == 3
    assert entries(course, student)["test-standardise"] == (0, 1, False)


def test_late_work(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    student = "Rita-Right"
    executed = (course.place("autograded", student, NAME) / f"{NAME}.ipynb").read_text(encoding="utf-8")
    monkeypatch.setattr(grading, "_execute", lambda *_: executed)
    stamp = course.place("submitted", student, NAME) / "timestamp.txt"
    times = {"01-16 00:10": 0.0, "01-16 00:20": 0.6, "01-17 01:00": 1.2, "03-01 00:00": 6.0}
    for time, penalty in times.items():  # a quarter of an hour is granted
        stamp.write_text(utc(f"2026-{time}:00 UTC"), encoding="utf-8")
        assert mark(course, student).penalty == pytest.approx(penalty)
    copy = course.place("autograded", student, NAME) / "timestamp.txt"
    assert copy.read_text(encoding="utf-8") == "2026-03-01 00:00:00.000000 UTC"
    with quiet(), course.gradebook() as gradebook:
        gradebook.grant_extension(NAME, student, weeks=8)
    assert mark(course, student).penalty == 0


def test_a_marker_that_crashes_gives_mark_and_reason(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(text: str, **options: object) -> str:
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(grading, "execute", crash)
        found = mark(course, "Rita-Right")
    assert (found.tests, found.words, found.lost) == (0, 2, True)
    assert "the marker failed (no room); no fault of yours" in found.reason
    assert entries(course, "Rita-Right")["test-centre"] == (0, None, True), "a person looks at it"
    again = mark(course, "Rita-Right")
    assert (again.tests, again.lost, again.waiting) == (4, False, 0)


def test_a_lost_pool_of_workers_loses_no_submission(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(tasks: object) -> object:
        raise OSError("a worker was killed")

    monkeypatch.setattr(joblib, "Parallel", lambda **options: broken)
    assert mark(course, "Rita-Right").tests == 4
    assert "a worker was killed" in capsys.readouterr().err


def test_a_cluster_gives_the_same_marks(course: Course, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    shutil.rmtree(course.folder / "submitted")
    for who, answers in SUBMISSIONS.items():
        if who != "Lou Loop":
            hand_in(course, who.replace(" ", "-"), answers)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with quiet():
        cluster = distributed.LocalCluster(**options, local_directory=str(tmp_path))
        with cluster, distributed.Client(cluster), joblib.parallel_config("dask"):
            there = grade(course, NAME, jobs=-1)
    assert [found.tests for found in there] == [0, 0, 4, 2]
    assert there == grade(course, NAME, jobs=1)


def test_a_changed_set_is_refused_when_there_are_marks(course: Course) -> None:
    source = course.folder / NAME / f"{NAME}.md"
    text = source.read_text(encoding="utf-8").replace("test-centre", "test-center")
    source.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=r"Cannot add or remove cells .* mark the set anew"):
        mark(course, "Rita-Right")
