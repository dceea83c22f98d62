"""Marking: every submission gets the mark that it deserves, and keeps what was marked by hand."""

import copy
import json
import pathlib
import shutil
from dataclasses import replace
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
    """Hand in a file, or answers."""
    if isinstance(content, dict):
        content = json.dumps(submission(course.problem_set(NAME), content))
    path = course.place("submitted", student, NAME) / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def entries(course: Course, student: str) -> dict[str, tuple[float | None, float | None, bool]]:
    """Return what the gradebook says about each cell: mark of the machine, mark by hand, whether to look."""
    with quiet(), course.gradebook() as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, student).grades
        return {
            entry.name: (entry.auto_score, entry.manual_score, entry.needs_manual_grade) for entry in found
        }


def mark(course: Course, student: str, **options: Any) -> Mark:
    """Mark one submission."""
    return grade(course, NAME, students=[student], **options)[0]


def test_five_submissions_are_in_the_gradebook(walked: Walk) -> None:
    course = walked.course
    assert entries(course, "Rita-Right") == {
        "test-centre": (2, None, False),
        "test-standardise": (2, None, False),
        "why": (None, 2, False),
    }
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


def test_marking_again_changes_nothing(walked: Walk, tmp_path: pathlib.Path) -> None:
    course, student = walked.copy(tmp_path), "Willa-Wrong"
    page = course.place("autograded", student, NAME) / f"{NAME}.ipynb"
    before, text = entries(course, student), page.read_text(encoding="utf-8")
    again = mark(course, student)
    assert (again.tests, again.words, again.waiting) == (2, 1, 0)
    assert again.penalty == pytest.approx(0.3)
    assert entries(course, student) == before
    assert page.read_text(encoding="utf-8") == text


def test_marks_by_hand_are_kept_and_shown_again_when_the_answer_changed(
    walked: Walk, tmp_path: pathlib.Path
) -> None:
    course, student = walked.copy(tmp_path), "Rita-Right"
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


def test_the_first_failed_answer_is_the_reason(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    for student, (centre, place, _) in REASONS.items():
        notebook = submission(course.problem_set(NAME), RIGHT | {"centre": centre})
        if place is not None:
            own = copy.deepcopy(notebook.cells[1]) | {"metadata": {}, "source": "from nowhere import far"}
            notebook.cells.insert(len(notebook.cells) * -place, own)
        hand_in(course, student, json.dumps(notebook))
    for found in grade(course, NAME, students=list(REASONS), jobs=2):
        assert found.reason.startswith(REASONS[found.student][2]), found


def test_an_overruled_test_is_kept(walked: Walk, tmp_path: pathlib.Path) -> None:
    course, student = walked.copy(tmp_path), "Willa-Wrong"
    with quiet(), course.gradebook() as gradebook:
        gradebook.find_grade("test-standardise", NAME, NAME, student).manual_score = 1
        gradebook.db.commit()
    assert mark(course, student).tests == 3
    assert entries(course, student)["test-standardise"] == (0, 1, False)


def test_late_work(walked: Walk, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course, student = walked.copy(tmp_path), "Rita-Right"
    executed = (course.place("autograded", student, NAME) / f"{NAME}.ipynb").read_text(encoding="utf-8")
    monkeypatch.setattr(grading, "_execute", lambda *_: executed)
    stamp = course.place("submitted", student, NAME) / "timestamp.txt"
    for time, penalty in {
        "2026-01-16 00:10:00": 0.0,  # a quarter of an hour is granted
        "2026-01-16 00:20:00": 0.6,
        "2026-01-17 01:00:00": 1.2,
        "2026-03-01 00:00:00": 6.0,
    }.items():
        stamp.write_text(utc(f"{time} UTC"), encoding="utf-8")
        assert mark(course, student).penalty == pytest.approx(penalty)
    copy = course.place("autograded", student, NAME) / "timestamp.txt"
    assert copy.read_text(encoding="utf-8") == "2026-03-01 00:00:00.000000 UTC"
    with quiet(), course.gradebook() as gradebook:
        gradebook.grant_extension(NAME, student, weeks=8)
    assert mark(course, student).penalty == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "The submission cannot be read, so no answer was marked: the file is empty."),
        (b"\xff\xfe", "the file is not text in UTF-8"),
        (b"%PDF-1.7", "the file is not JSON, which a notebook is"),
        (b'{"cells": []}', "Missing from the submission: centre, standardise, why."),
    ],
)
def test_what_is_no_notebook_gets_a_mark_and_a_reason(
    walked: Walk, tmp_path: pathlib.Path, content: bytes, reason: str
) -> None:
    course = walked.copy(tmp_path)
    hand_in(course, "odd", content)
    found = mark(course, "odd")
    assert (found.tests, found.words, found.waiting) == (0, 0, 0)
    assert reason in found.reason


def test_a_marker_that_crashes_gives_a_mark_and_a_reason(
    walked: Walk, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(text: str, **options: object) -> str:
        raise MemoryError("no room")

    course = walked.copy(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(grading, "execute", crash)
        found = mark(course, "Rita-Right")
    assert (found.tests, found.words, found.lost) == (0, 2, True)
    assert "the marker failed (no room); no fault of yours" in found.reason
    assert entries(course, "Rita-Right")["test-centre"] == (0, None, True), "a person looks at it"
    again = mark(course, "Rita-Right")
    assert (again.tests, again.lost, again.waiting) == (4, False, 0)


def test_a_lost_pool_of_workers_loses_no_submission(
    walked: Walk, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        def __init__(self, **options: object) -> None:
            pass

        def __call__(self, tasks: object) -> object:
            raise OSError("a worker was killed")

    course = walked.copy(tmp_path)
    monkeypatch.setattr(joblib, "Parallel", Broken)
    assert mark(course, "Rita-Right").tests == 4
    assert "a worker was killed" in capsys.readouterr().err


def test_a_cluster_gives_the_same_marks(walked: Walk, tmp_path: pathlib.Path) -> None:
    distributed = pytest.importorskip("distributed")
    course = walked.copy(tmp_path)
    kinds = [answers for who, answers in SUBMISSIONS.items() if who != "Lou Loop"]
    shutil.rmtree(course.folder / "submitted")
    for number in range(8):
        hand_in(course, f"student-{number:02d}", kinds[number % 4])
    with quiet():
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        )
        with cluster, distributed.Client(cluster), joblib.parallel_config("dask"):
            there = grade(course, NAME, jobs=-1)
    here = [mark(course, f"student-{number:02d}", jobs=1) for number in range(4)]  # the others are copies
    assert [found.tests for found in here] == [0, 0, 4, 2]
    assert there == [replace(here[n % 4], student=f"student-{n:02d}") for n in range(8)]


def test_a_changed_set_is_refused_when_there_are_marks(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    source = course.folder / NAME / f"{NAME}.md"
    source.write_text(
        source.read_text(encoding="utf-8").replace("test-centre", "test-center"), encoding="utf-8"
    )
    with pytest.raises(CourseError, match=r"Cannot add or remove cells .* mark the set anew"):
        mark(course, "Rita-Right")
