"""Feedback: each student sees marks and reasons, and no line of a hidden test."""

import html
import pathlib
import re

import pytest

from coursekit.course import feedback as giving
from coursekit.course.example import RIGHT, SUBMISSIONS, TRICKS
from coursekit.course.feedback import feedback, hidden_lines
from coursekit.course.grade import grade
from coursekit.sets.release import LeakError
from tests.coursekit.test_grade import NAME, hand_in
from tests.site.test_site import foreign_loads
from tests.support.coursework_walk import Walk

CURIOUS = """import gc, inspect, sys, traceback


def centre(x):
    print("given:", repr(x), [str(o)[:500] for o in gc.get_objects() if isinstance(o, str) and "assert" in o])
    traceback.print_stack()
    for info in inspect.stack():
        print(info.code_context, sorted(info.frame.f_globals))
    raise {error}"""
ODD = {
    "prints": RIGHT | {"centre": CURIOUS.format(error="ValueError(repr(x))")},
    "raises": RIGHT | {"centre": CURIOUS.format(error="type('Got' + str(x.sum()), (Exception,), {})(x)")},
    "asserts": RIGHT | {"centre": "def centre(x):\n    assert len(x) == 3, repr(x)\n    return x - x.mean()"},
    "exits": RIGHT | {"centre": "def centre(x):\n    import os\n    os._exit(len(x))"},
    "syntax": RIGHT | {"centre": "def centre(x:"},
    "tricks": {"centre": TRICKS},
}
SEEN = {"3.0, 9.0, 15.0", "7.25", "-4.0"}  # numbers of hidden tests only


def text_of(page: pathlib.Path) -> str:
    """Return what a page says, without tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))


def test_pages_of_every_kind_of_submission_show_no_hidden_line(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    for student, answers in ODD.items():
        hand_in(course, student, answers)
    hand_in(course, "no-notebook", b"%PDF")
    hidden = hidden_lines(course.problem_set(NAME))
    assert len(hidden) > 8
    grade(course, NAME, students=[*ODD, "no-notebook"], jobs=2)
    pages = feedback(course, NAME)
    assert len(pages) == len(SUBMISSIONS) + len(ODD) + 1
    for page in pages:
        shown = text_of(page)
        bare = "".join(shown.split())
        assert [line for line in hidden if "".join(line.split()) in bare] == [], page
        assert "HIDDEN TESTS" not in shown
        assert [number for number in SEEN if number in shown] == [], page
        assert shown.count("# (hidden tests ran here)") == 2


def test_a_page_tells_marks_reasons_comments_and_penalty(walked: Walk) -> None:
    shown = text_of(walked.course.place("feedback", "Willa-Wrong", NAME) / f"{NAME}.html")
    for words in (
        "(Score: 2.7 / 6.0)",
        "Late submission penalty (Score: -0.3)",
        "AssertionError: divide by the root of the variance",
        "Thank you.",
    ):
        assert words in shown
    blank = text_of(walked.course.place("feedback", "Bela-Blank", NAME) / f"{NAME}.html")
    assert "No response." in blank
    assert "NotImplementedError" in blank


def test_answers_that_wait_for_a_mark_say_so(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    hand_in(course, "waits", RIGHT)
    grade(course, NAME, students=["waits"])
    pages = {page.parent.parent.name: text_of(page) for page in feedback(course, NAME)}
    assert pages["waits"].count("Score: not yet marked / 2.0") == 2, "in the list, and at the cell"
    assert pages["waits"].count("Score: 2.0 / 2.0") == 4, "the two tests"
    assert "first-set (Score so far: 4.0 / 6.0)" in pages["waits"]
    assert "not yet marked" not in pages["Rita-Right"]
    assert "first-set (Score: 6.0 / 6.0)" in pages["Rita-Right"]


def test_pages_load_nothing_from_elsewhere(
    walked: Walk, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = sorted((walked.course.folder / "feedback").rglob("*.html"))
    assert len(pages) == len(SUBMISSIONS)
    for page in pages:
        assert list(foreign_loads(page)) == []
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text.lower()
        assert text.index("default-src 'none'; img-src data:; style-src 'unsafe-inline'") < text.index(
            "<style"
        )
    monkeypatch.setattr(giving, "SCRIPT", re.compile("(?!)"))
    found = [address for page in feedback(walked.copy(tmp_path), NAME) for address in foreign_loads(page)]
    assert any("mathjax" in address for address in found), "what nbconvert's template would load"


def test_formulas_are_drawn_without_a_script(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    odd = r"$x_1,\dots,x_n$ $\frac12$ $$\sum_i x_i$$ $\nosuch{1}$ $\text{<b>}$ " + f"${'x' * 3000}$"
    hand_in(course, "formulas", RIGHT | {"why": odd})
    grade(course, NAME, students=["formulas"])
    feedback(course, NAME)
    page = (course.place("feedback", "formulas", NAME) / f"{NAME}.html").read_text(encoding="utf-8")
    assert page.count("<math ") == 4
    assert "<mfrac>" in page
    assert page.count('<math display="block"') == 1
    assert r"$\nosuch{1}$" in page, "what cannot be read stays as it was typed"
    assert f"${'x' * 3000}$" in page
    assert "<b>" not in page


def test_a_hint_of_a_hidden_test_is_shown(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    hand_in(course, "in-place", RIGHT | {"centre": "def centre(x):\n    x -= x.mean()\n    return x"})
    grade(course, NAME, students=["in-place"])
    feedback(course, NAME)
    shown = text_of(course.place("feedback", "in-place", NAME) / f"{NAME}.html")
    assert "AssertionError: centre changed its argument: return a new array" in shown


def test_a_page_with_a_hidden_line_is_removed(
    walked: Walk, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = walked.copy(tmp_path)
    monkeypatch.setattr(giving, "without_hidden_tests", lambda notebook: notebook)
    with pytest.raises(LeakError, match=r"Rita-Right, first-set.html: .*wrong for another mean"):
        feedback(course, NAME)
    assert not list((course.folder / "feedback").rglob("*.html"))


def test_a_line_that_the_student_wrote_is_no_leak(walked: Walk, tmp_path: pathlib.Path) -> None:
    course = walked.copy(tmp_path)
    lucky = "def centre(x):\n    numbers = np.array([3.0, 3.0, 9.0, 15.0])\n    return x - x.mean()"
    hand_in(course, "Rita-Right", RIGHT | {"centre": lucky})
    grade(course, NAME, students=["Rita-Right"])
    assert len(feedback(course, NAME)) == 5
