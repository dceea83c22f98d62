"""What a page may ask of its reader: the pages of folders keep it, and samples that do not are found."""

import pathlib

import pytest

from bookkit import ROOT
from bookkit.pages import limits
from bookkit.pages.chapters import in_folder, page_name, paired_pages
from tests.support.samples import write_chapter

FOLDERS = [page for page in paired_pages(ROOT / "book") if in_folder(page)]


@pytest.mark.parametrize("page", FOLDERS, ids=page_name)
def test_a_page_is_a_sitting(page: pathlib.Path) -> None:
    assert not "\n".join(map(str, limits.page_problems(page)))


def test_chapters_leave_their_checks_folded_and_ask_enough() -> None:
    assert not "\n".join(map(str, limits.chapter_problems(ROOT / "book")))


def cell(source: str, tags: str = "") -> str:
    options = f":tags: [{tags}]\n\n" if tags else ""
    return f"\n```{{code-cell}} ipython3\n{options}{source}\n```\n"


PROOF = "\n```{prf:proof}\n:class: fold\nThe idea.\n\n" + "word " * 3000 + "\n```\n"
SOLVED = "\n```{solution-start} ex-a\n:class: dropdown\n```\n{}\n```{solution-end}\n```\n"
HINT = "\n:::{dropdown} Hint\n" + "word " * 3000 + "\n:::\n"
CASES = {
    "many words": ("word " * 3001, "3001 words are seen"),
    "words enough": ("word " * 3000 + "$a + b$ `code`", ""),
    "more words, and why": ("% more words: this page is one long proof\n\n" + "word " * 3001, ""),
    "more words without a reason": ("% more words: so it is\n\n" + "word " * 3001, "3001 words are seen"),
    "a folded proof": (PROOF, ""),
    "an open proof": (PROOF.replace(":class: fold\n", ""), "3002 words are seen"),
    "a hint": (HINT, ""),
    "a long solution": (SOLVED.replace("{}", "word " * 3001), ""),
    "many cells": (cell("1") * 11, "11 cells are seen"),
    "cells enough": (cell("1") * 10 + cell("1", "hide-input") + cell("1", "check, check-a"), ""),
    "cells of a solution": (SOLVED.replace("{}", cell("1") * 11) + cell("1") * 10, ""),
    "cells after a solution": (SOLVED.replace("{}", "") + cell("1") * 11, "11 cells are seen"),
    "a long cell": (cell("1\n" * 12 + "1"), "a cell of 13 lines is seen"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_seen_is_counted(tmp_path: pathlib.Path, name: str) -> None:
    body, message = CASES[name]
    page = write_chapter(tmp_path, body, "05-toys/trains.md")
    found = "\n".join(map(str, limits.page_problems(page)))
    assert (message in found) if message else not found
    assert not list(limits.page_problems(write_chapter(tmp_path, body))), "a chapter in the old form"


def test_assertions_and_exercises_are_counted_by_chapter(tmp_path: pathlib.Path) -> None:
    asked = "".join(
        f"\n```{{exercise-start}}\n:label: ex-{n}\n```\nA.\n```{{exercise-end}}\n```\n" for n in range(12)
    )
    write_chapter(tmp_path, asked + cell("assert x") * 5, "05-toys/index.md")
    page = write_chapter(tmp_path, cell("assert x") * 5 + cell("assert x", "check"), "05-toys/trains.md")
    assert not list(limits.chapter_problems(tmp_path))
    page.write_text(page.read_text(encoding="utf-8").replace("check", "shown"), encoding="utf-8")
    write_chapter(tmp_path, asked.partition("\n```{exercise-start}\n:label: ex-11")[0], "06-none/index.md")
    found = "\n".join(map(str, limits.chapter_problems(tmp_path)))
    assert "11 assertions are seen in 05-toys" in found
    assert "06-none has 11 exercises" in found
