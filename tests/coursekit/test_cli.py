"""The command line, from a template to tables of marks, as the instructors' page shows it."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit import cli
from coursekit.cli import TEXTS, main
from coursekit.course import grade
from coursekit.course.course import Course
from tests.coursekit.test_grade import entries, hand_in
from tests.support.coursework_walk import PAGE, Walk, renewed

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def course(walked: Walk, tmp_path: Path) -> Course:
    return walked.copy(tmp_path)


def test_the_page_shows_what_the_commands_print(walked: Walk) -> None:
    page, commands = PAGE.read_text(encoding="utf-8"), [step.command.split() for step in walked.steps]
    assert [words[1] for words in commands if words[0] == "coursekit"] == list(TEXTS)
    assert renewed(page, walked.steps) == page
    assert all(step.code == 0 for step in walked.steps)
    (shown,) = (step.printed for step in walked.steps if " grade " in step.command)
    (place,) = re.findall(r"^\.\.\.: the full text is in coursework/(.*)$", shown, re.M)
    text = (walked.course.folder / place.replace("STUDENT", "Willa-Wrong")).read_text(encoding="utf-8")
    assert "divide by the root of the variance" in text


@pytest.mark.parametrize("command", TEXTS)
def test_every_command_explains_itself(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert f"example:\n  coursekit {command} " in shown
    assert "--course DIR the folder of the course (default: coursework)" in " ".join(shown.split())


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "coursekit", "grade", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--no-sandbox" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("check nothing", "there is no problem set nothing in {course}; there are: first-set"),
        ("check ../etc", "'../etc' is no name of a problem set; use letters, digits, - and _"),
        ("new first-set", "{course}/first-set exists; choose another name, nothing was written"),
        ("new a/b", "'a/b' is no name of a problem set; use letters, digits, - and _"),
        ("release first-set --due soon", "'soon' is no time; write it like 2026-01-15 23:59"),
        ("collect first-set none.zip", "none.zip does not exist; give a zip file, a folder or a notebook"),
        ("grade first-set --student Nobody", "Nobody has not handed in first-set: "),
        ("feedback nosuch", "there is no problem set nosuch in {course}; there are: first-set"),
        ("export nosuch", "there is no problem set nosuch in {course}; there are: first-set"),
    ],
)
def test_mistakes_get_an_answer_no_traceback(words: str, message: str, walked: Walk, capsys: Capture) -> None:
    command, *rest = words.split()
    folder = str(walked.course.folder)
    assert main([command, *rest, "--course", folder]) == 2
    assert capsys.readouterr().err.startswith("coursekit: " + message.format(course=folder))


def test_each_step_names_the_step_before(tmp_path: Path, capsys: Capture) -> None:
    course = ["--course", str(tmp_path / "new")]
    assert main(["new", "one", *course]) == 0
    for command, before in {"grade": "collect", "feedback": "grade", "export": "grade"}.items():
        assert main([command, "one", *course]) == 2
        assert f"run: coursekit {before} one" in capsys.readouterr().err


def test_without_nbgrader_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "nbgrader" else object())
    assert main(["grade", "one"]) == 2
    assert "nbgrader is not installed; run: pip install lecturekit[coursework]" in capsys.readouterr().err


def test_no_bubblewrap_no_marks(walked: Walk, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(grade, "sandbox_problem", lambda: "this needs bubblewrap (apt install bubblewrap)")
    assert main(["grade", "first-set", "--course", str(walked.course.folder)]) == 2
    assert "needs bubblewrap (apt install bubblewrap)" in capsys.readouterr().err


def test_no_sandbox_is_a_spoken_choice(course: Course, capsys: Capture) -> None:
    words = ["grade", "first-set", "--no-sandbox", "--student", "Rita-Right", "--jobs", "1"]
    assert main([*words, "--course", str(course.folder)]) == 0
    shown = capsys.readouterr()
    assert "Rita-Right  4/4" in shown.out
    assert "never released" not in shown.out
    assert shown.err == cli.NO_WALLS + "\n"


def test_missing_marks_by_hand_are_counted(course: Course, capsys: Capture) -> None:
    hand_in(course, "Ada", {"why": "Because."})
    words = ["first-set", "--course", str(course.folder)]
    for command in ("feedback", "export"):
        assert main([command, *words]) == 1
        assert "NOT MARKED, left out: Ada; run: coursekit grade first-set" in capsys.readouterr().out
    assert main(["grade", *words, "--student", "Ada"]) == 0
    assert "\n?: 1 answer waits for a mark by hand; open the formgrader in " in capsys.readouterr().out
    for command, so_far in {"feedback": "the pages say so", "export": "counted as 0 until then"}.items():
        assert main([command, *words]) == 1
        shown = capsys.readouterr().out
        assert f"NOT COMPLETE: 1 answer waits for a mark by hand; {so_far}." in shown
        assert "left out" not in shown


def test_who_is_gone_is_left_out_and_named(course: Course, capsys: Capture) -> None:
    folder, words = course.folder, ["first-set", "--course", str(course.folder)]
    shutil.rmtree(folder / "submitted" / "Rita-Right")
    shutil.rmtree(folder / "feedback")
    for command in ("feedback", "export"):
        assert main([command, *words]) == 1
        named = f"NO LONGER in {folder}/submitted, left out: Rita-Right; the gradebook keeps their marks."
        assert named in capsys.readouterr().out
    assert not (folder / "feedback" / "Rita-Right").exists()
    for form in ("marks", "moodle", "canvas"):
        table = (folder / f"first-set-{form}.csv").read_text(encoding="utf-8")
        assert "Rita" not in table
        assert "Willa" in table
    assert entries(course, "Rita-Right")["why"] == (None, 2, False)
    shutil.rmtree(folder / "autograded" / "Rita-Right")
    assert main(["export", *words]) == 0
    assert "Rita" not in capsys.readouterr().out


def test_a_set_without_a_due_date_is_told(course: Course, capsys: Capture) -> None:
    shutil.rmtree(course.folder / "release")
    words = ["grade", "first-set", "--student", "Bela-Blank", "--course", str(course.folder)]
    assert main(words) == 0
    assert "never released" not in capsys.readouterr().out, "it has a due date"
    (course.folder / "gradebook.db").unlink()
    assert main(words) == 0
    told = "first-set was never released, so it has no due date and nobody is late; to enter one, run:\n"
    assert told + "  coursekit release first-set --due TIME\n" in capsys.readouterr().out


def test_one_submission_is_one_submission_and_a_failed_check_has_an_exit_code(
    course: Course, tmp_path: Path, capsys: Capture
) -> None:
    folder, own = course.folder, tmp_path / "Ada_first-set.ipynb"
    own.write_text("{}", encoding="utf-8")
    assert main(["collect", "first-set", str(own), "--course", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("1 submission of first-set\n  Ada\n")
    source = folder / "first-set" / "first-set.md"
    text = source.read_text(encoding="utf-8")
    weaker = text.replace('assert same, "centre changed', 'assert True, "centre changed')
    source.write_text(weaker, encoding="utf-8")
    assert weaker != text
    assert main(["check", "first-set", "--course", str(folder), "--jobs", "2"]) == 1
    assert "reject: changes the argument" in capsys.readouterr().out
