"""Feedback: each student sees marks and reasons, and no line of a hidden test."""

import html
import re
from pathlib import Path

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
FORMULAS = r"$x_1,\dots,x_n$ $\frac12$ $$\sum_i x_i$$ $\nosuch{1}$ $\text{<b>}$ " + f"${'x' * 3000}$"
LUCKY = "def centre(x):\n    numbers = np.array([3.0, 3.0, 9.0, 15.0])\n    return x - x.mean()"
MORE = {
    "waits": RIGHT,
    "formulas": RIGHT | {"why": FORMULAS},
    "in-place": RIGHT | {"centre": "def centre(x):\n    x -= x.mean()\n    return x"},
    "lucky": RIGHT | {"centre": LUCKY},
}
SEEN = {"3.0, 9.0, 15.0", "7.25", "-4.0"}  # numbers of hidden tests only


def text_of(page: Path) -> str:
    """Return what a page says, without tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def pages(walked: Walk, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Hand in more, mark it and give feedback once; return the pages by student."""
    course = walked.copy(tmp_path_factory.mktemp("feedback"))
    hand_in(course, "no-notebook", b"%PDF")
    for student, answers in (ODD | MORE).items():
        hand_in(course, student, answers)
    grade(course, NAME, students=[*ODD, *MORE, "no-notebook"], jobs=2)
    return {page.parent.parent.name: page for page in feedback(course, NAME)}


def test_pages_of_every_kind_of_submission_show_no_hidden_line(walked: Walk, pages: dict[str, Path]) -> None:
    hidden = hidden_lines(walked.course.problem_set(NAME))
    assert len(hidden) > 8
    assert len(pages) == len(SUBMISSIONS) + len(ODD) + len(MORE) + 1
    for student, page in pages.items():
        shown = text_of(page)
        bare = "".join(shown.split())
        assert "HIDDEN TESTS" not in shown
        assert shown.count("# (hidden tests ran here)") == 2
        if student != "lucky":  # a line that the student wrote is no leak
            assert [line for line in hidden if "".join(line.split()) in bare] == [], page
            assert [number for number in SEEN if number in shown] == [], page


def test_a_page_tells_marks_reasons_comments_penalty_and_what_waits(pages: dict[str, Path]) -> None:
    shown = text_of(pages["Willa-Wrong"])
    assert "(Score: 2.7 / 6.0)" in shown
    assert "Late submission penalty (Score: -0.3)" in shown
    assert "AssertionError: divide by the root of the variance" in shown
    assert "Thank you." in shown
    blank = text_of(pages["Bela-Blank"])
    assert "No response." in blank
    assert "NotImplementedError" in blank
    hint = "AssertionError: centre changed its argument: return a new array"
    assert hint in text_of(pages["in-place"]), "of a hidden test"
    waits, marked = text_of(pages["waits"]), text_of(pages["Rita-Right"])
    assert waits.count("Score: not yet marked / 2.0") == 2, "in the list, and at the cell"
    assert waits.count("Score: 2.0 / 2.0") == 4, "the two tests"
    assert "first-set (Score so far: 4.0 / 6.0)" in waits
    assert "not yet marked" not in marked
    assert "first-set (Score: 6.0 / 6.0)" in marked


def test_pages_load_nothing_from_elsewhere(
    walked: Walk, pages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    for page in pages.values():
        assert list(foreign_loads(page)) == []
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text.lower()
        assert text.index(policy) < text.index("<style")
    monkeypatch.setattr(giving, "SCRIPT", re.compile("(?!)"))
    found = [address for page in feedback(walked.copy(tmp_path), NAME) for address in foreign_loads(page)]
    assert any("mathjax" in address for address in found), "what nbconvert's template would load"


def test_formulas_are_drawn_without_a_script(pages: dict[str, Path]) -> None:
    page = pages["formulas"].read_text(encoding="utf-8")
    assert page.count("<math ") == 4
    assert "<mfrac>" in page
    assert page.count('<math display="block"') == 1
    assert r"$\nosuch{1}$" in page, "what cannot be read stays as it was typed"
    assert f"${'x' * 3000}$" in page
    assert "<b>" not in page


def test_pages_with_hidden_lines_go(walked: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = walked.copy(tmp_path)
    monkeypatch.setattr(giving, "without_hidden_tests", lambda notebook: notebook)
    with pytest.raises(LeakError, match=r"Rita-Right, first-set.html: .*wrong for another mean"):
        feedback(course, NAME)
    assert not list((course.folder / "feedback").rglob("*.html"))
