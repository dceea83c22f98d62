"""The page on how the book is checked: its numbers are counted, and change with what they count."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bookkit.extensions import checked
from coursekit.checking import check
from coursekit.sets import source
from tests.support.samples import write_chapter

CELL = "\n```{code-cell} ipython3\n"
CHAPTER = f"""
(TOY-01)=
Words.

(TOY-02)=
More words.
{CELL}:tags: [check-TOY-01]

assert x
assert y
```
{CELL}---
mystnb:
  figure:
    name: F-TOY-1
---
plt.show()
```
"""
CLAIMS = """
- {id: TOY-01, kind: theorem, title: A, sources: ['000'], chapter: 05-toys, check: cell, errata: [ERR-07]}
- {id: TOY-02, kind: theorem, title: B, sources: ['000'], chapter: 05-toys, check: test}
- {id: TOY-03, kind: advice, title: C, sources: ['000'], chapter: 05-toys, check: text}
- {id: TOY-04, kind: advice, title: D, sources: ['000'], chapter: 06-later, check: text}
"""
TESTS = {
    "lecturekit/test_a.py": '@pytest.mark.claim("TOY-02")\ndef test_a(): ...\n\ndef helper(): ...\n',
    "lecturekit/test_b.py": "class B:\n    def test_b(self): ...\n",
    "coursekit/test_a.py": "def test_a(): ...\n",
    "book/test_text.py": "def test_a(): ...\n\ndef test_b(): ...\n",
    "browser/test_web.py": "def test_a(): ...\n",
}
MODULE = '''"""Toys.

>>> 1
1
"""

def f():
    """Words."""

def g():
    """Words.

    >>> 2
    2
    """
'''
ERRATUM = f"\n(ERR-07)=\n{CELL}:tags: [check-ERR-07]\n\nassert z\n```\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "book").mkdir()
    write_chapter(tmp_path / "book", CHAPTER)
    write_chapter(tmp_path / "book", ERRATUM, "A-errata.md")
    files = {f"tests/{name}": text for name, text in TESTS.items()} | {"lecturekit/toys.py": MODULE}
    files["_toc.yml"] = "root: book/index\nchapters:\n- file: book/05-toys\n- file: book/A-errata\n"
    files["book/claims.yml"] = CLAIMS
    files["book/05-toys/variants.yml"] = "TOY-01:\n- {name: less, replace: x, by: y}\n"
    files["book/timings.json"] = '{"machine": "an abacus", "seconds": {"05-toys": 30, "A-errata": 7}}'
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_counts_of_a_small_book_follow_it(root: Path) -> None:
    before = checked.counts(root)
    claims = [4, 2, 1, 1, 1, 1, 1]  # stated, asserted by a cell, by a test, words alone; errata, variants
    pages = [2, 2, 3, 3, 1]  # chapters, pages, cells, assertions, a figure
    tests = [2, 2, 1, 3]  # of the package, examples in its documentation, of coursework, of text and site
    assert list(before.values()) == claims + pages + tests
    page = root / "book" / "05-toys.md"
    page.write_text(page.read_text(encoding="utf-8").replace("assert y", "print(y)"), encoding="utf-8")
    assert checked.counts(root) == before | {"assertions in these cells": 2}


def test_times_are_those_stored(root: Path) -> None:
    shown = checked.times_table(root)
    assert "| [](05-toys.ipynb) | 30 |" in shown
    assert "| **all** | 37 |" in shown
    assert shown.endswith("The machine: an abacus.")
    (root / "book" / "timings.json").unlink()
    with pytest.raises(ValueError, match="make sync ALL=1"):
        checked.times_table(root)


def test_the_pages_of_a_folder_are_one_chapter(root: Path) -> None:
    before = checked.counts(root)
    first, rest, last = CHAPTER.partition("\n(TOY-02)=")
    (root / "book" / "05-toys.md").unlink()
    write_chapter(root / "book", first, "05-toys/index.md")
    write_chapter(root / "book", rest + last, "05-toys/trains.md")
    chapter = "- file: book/05-toys/index\n  sections:\n  - file: book/05-toys/trains\n"
    toc = f"root: book/index\nchapters:\n{chapter}- file: book/A-errata\n"
    (root / "_toc.yml").write_text(toc, encoding="utf-8")
    assert checked.counts(root) == before | {"pages that they have": 3}
    assert "| [](05-toys/index.ipynb) | 30 |" in checked.times_table(root)  # timed when it was one page
    times = '{"machine": "an abacus", "seconds": {"05-toys/index": 30, "05-toys/trains": 2, "A-errata": 7}}'
    (root / "book" / "timings.json").write_text(times, encoding="utf-8")
    rows = "| [](05-toys/index.ipynb) | 32 |\n| [](A-errata.ipynb) | 7 |\n| **all** | 39 |\n"
    assert rows in checked.times_table(root)


def test_answers_are_counted_once_for_a_state_of_a_set(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = root / "coursework" / "05-toys"
    folder.mkdir(parents=True)
    (folder / "mutants.yml").write_text("accept: []", encoding="utf-8")
    read: list[str] = []
    monkeypatch.setattr(source, "read", lambda path: read.append(path.name))
    kinds = {"model": 1, "blank": 1, "accept": 4, "reject": 9, "always-on": 500, "machine-made": 700}
    monkeypatch.setattr(check, "planned", lambda _: kinds)
    known: dict[str, Any] = {}
    shown = checked.sets_table(root, known)
    assert shown.splitlines()[2:] == [
        "| [](coursework/05-toys.ipynb) | 5 | 10 | 1,200 |",
        "| **all** | 5 | 10 | 1,200 |",
    ]
    assert checked.sets_table(root, known) == shown
    assert read == ["05-toys"]
    (folder / "mutants.yml").write_text("accept: [another]", encoding="utf-8")
    checked.sets_table(root, known)
    assert read == ["05-toys"] * 2


def test_a_page_without_a_place_for_a_table_is_an_error(root: Path) -> None:
    app: Any = SimpleNamespace(srcdir=root, env=SimpleNamespace())
    text = ["# How\n\n% counts\n\n% problem sets\n\n% times\n"]
    checked.write_tables(app, checked.PAGE, text)
    assert text[0].count("\n| ") > 15
    assert "%" not in text[0]
    with pytest.raises(ValueError, match="no line '% times'"):
        checked.write_tables(app, checked.PAGE, ["# How\n\n% counts\n\n% problem sets\n"])
    other = ["% counts"]
    checked.write_tables(app, "book/index", other)
    assert other == ["% counts"]
