"""The landing page: its table of chapters fits their references, the map the table; courses can be held."""

import functools
import pathlib
import re
import xml.etree.ElementTree as ET

import pytest

from bookkit import ROOT
from bookkit.pages import chapter_map, register
from bookkit.pages.chapters import chapter_pages, chapters_of, listed_pages, read_cells
from bookkit.pages.limits import is_core, words
from coursekit.sets.source import read
from tests.support.samples import write_chapter

BOOK = ROOT / "book"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_table_fits_references_and_titles_and_the_map_is_drawn_from_it_and_can_be_read_aloud() -> None:
    assert not "\n".join(map(str, chapter_map.problems()))
    stored = (BOOK / "_static" / "chapter-map.svg").read_text(encoding="utf-8")
    assert stored == chapter_map.draw(chapter_map.read_table(BOOK / "index.md")), "draw the map again"
    root = ET.fromstring(stored)
    assert root.findtext(f"{SVG}title") == "Map of the chapters"
    description = str(root.findtext(f"{SVG}desc"))
    assert "Chapter 4 builds on 1 and 3." in description
    assert "Chapters 0, 5, 9 and 12 build on none." in description
    assert "chapter 0, 5, 9 or 12" in (BOOK / "index.md").read_text(encoding="utf-8")
    chapters = {chapter.number: chapter for chapter in chapter_map.read_table(BOOK / "index.md")}
    for chapter in chapters.values():
        text = chapter_pages(BOOK, chapter.stem)[0].read_text(encoding="utf-8")
        assert re.search(rf"^# {re.escape(chapter.title)}$", text, re.M), chapter.title
    for start, end in chapter_map.HELPFUL:
        assert start in chapters[end].looks_back
        assert not chapters[end].builds_on


WEEK = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([\d.]+) \|$", re.M)
SPEED = 2000  # words an hour, as the page says


def weeks() -> list[list[tuple[str, ...]]]:
    """Read the two plans: chapters, sets and hours of each week."""
    text = (BOOK / "index.md").read_text(encoding="utf-8").partition("(courses)=")[2]
    assert f"{SPEED:,} words an hour" in text
    found = WEEK.findall(text)
    starts = [index for index, row in enumerate(found) if row[0] == "1"]
    assert len(starts) == 2
    return [found[starts[0] : starts[1]], found[starts[1] :]]


@functools.cache
def hours_of_set(stem: str) -> float:
    return int(read(ROOT / "coursework" / stem).metadata["minutes"]) / 60


@functools.cache
def reading_hours(chapter: str) -> float:
    """Return how long the core path of a chapter, or of a half of it, takes to read."""
    number, _, part = chapter.partition(" ")
    (name,) = (name for name in chapters_of(BOOK) if int(name[:2]) == int(number))
    pages = [page for page in listed_pages(ROOT / "_toc.yml") if page.startswith(f"{name}/")]
    if part != "(core path)":  # the name of a half, which ends with its exercises
        end = pages.index(f"{name}/exercises-{part.strip('()')}")
        before = [index for index in range(end) if "/solutions-" in pages[index]]
        pages = pages[max(before, default=-1) + 1 : end]
    files = [BOOK / f"{page}.md" for page in pages]
    return sum(words(read_cells(page)) for page in files if is_core(page)) / SPEED


def test_a_half_ends_with_its_exercises_and_two_make_the_chapter() -> None:
    halves = [reading_hours(f"1 ({half})") for half in ("regression", "classification")]
    assert sum(halves) == pytest.approx(reading_hours("1 (core path)"))
    assert min(halves) > 1
    with pytest.raises(ValueError, match="exercises-nothing"):
        reading_hours("1 (nothing)")


@pytest.mark.parametrize(("plan", "length"), [(0, 6), (1, 12)])
def test_course(plan: int, length: int) -> None:
    builds_on = {c.number: c.builds_on for c in chapter_map.read_table(BOOK / "index.md")}
    rows, done = weeks()[plan], set[int]()
    assert [int(row[0]) for row in rows] == list(range(1, length + 1))
    for _, chapters, sets, hours in rows:
        names = chapters.split(", ")
        numbers = {int(name.split()[0]) for name in names}
        for number in sorted(numbers):
            assert builds_on[number] <= done | {number} | numbers, f"chapter {number} comes too early"
        done |= numbers
        links = re.findall(r"\[(\d+)\]\(coursework/(\d\d-[\w-]+)\.ipynb\)", sets)
        assert all(int(stem[:2]) == int(shown) and int(shown) in done for shown, stem in links)
        needed = sum(map(reading_hours, names)) + max(hours_of_set(stem) for _, stem in links)
        assert abs(needed - float(hours)) <= 1, f"{chapters} take {needed:.1f} hours, not {hours}"
    assert plan == 0 or done == set(builds_on)


TABLE = """
| no. | chapter | builds on | looks back at |
|---:|:---|:---|:---|
| 0 | [Toys](00-toys.ipynb) | – | – |
| 1 | [Trains](01-trains.ipynb) | 0 | – |
| 2 | [Planes](02-planes.ipynb) | 0, 1 | – |
| 3 | [Ships](03-ships.ipynb) | – | 0 |
"""
PAGES = {
    "00-toys.md": "\n(ch-toys)=\n# Toys\n\n$$\n1\n$$ (eq-toy)\n\nLater: {eq}`eq-train`.\n",
    "01-trains.md": "\n# Trains\n\n{eq}`eq-toy`\n\n$$\n2\n$$ (eq-train)\n",
    "02-planes.md": "\n# Planes\n\n[here](#eq-toy), {prf:ref}`words <EQ-TRAIN>`\n",
    "03-ships.md": "\n# Ships\n\n[the first](#ch-toys) `{eq}` nothing\n",
}


@pytest.fixture
def book(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "index.md").write_text(TABLE, encoding="utf-8")
    for name, body in PAGES.items():
        write_chapter(tmp_path, body, name=name)
    return tmp_path


def report(book: pathlib.Path) -> str:
    return "\n".join(map(str, chapter_map.problems(book)))


def test_whole_sample_passes(book: pathlib.Path) -> None:
    assert report(book) == ""
    assert chapter_map.reduced(chapter_map.read_table(book / "index.md")) == [(0, 1), (1, 2)]


ROW_BREAKS = {
    "chapter 2 refers to eq-toy of chapter 0": ("| 0, 1 | – |", "| 1 | – |"),
    "chapter 1 refers to nothing in chapter 0": ("{eq}`eq-toy`", "eq-toy"),
    "chapter 2 names a chapter twice": ("| 0, 1 | – |", "| 0, 1 | 0 |"),
    "chapter 3 refers to no result of chapter 0, only to it as a whole": ("| – | 0 |", "| 0 | – |"),
    "the table has 3 chapters": ("| 3 | [Ships](03-ships.ipynb) | – | 0 |\n", ""),
}


@pytest.mark.parametrize("message", ROW_BREAKS)
def test_broken_map_is_caught(book: pathlib.Path, message: str) -> None:
    old, new = ROW_BREAKS[message]
    for path in book.glob("*.md"):
        if path.name in ("index.md", "01-trains.md"):
            path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert message in report(book)
    assert chapter_map.main(book) == 1
    assert not (book / "_static").exists()


FOLDERS = {
    "00-toys/index.md": "\n(ch-toys)=\n# Toys\n\nSee [](balls.ipynb).\n",
    "00-toys/balls.md": "\n# Balls\n\n$$\n1\n$$ (eq-toy)\n\nLater: {eq}`eq-train`.\n",
    "02-planes/index.md": "\n# Planes\n\n{prf:ref}`words <EQ-TRAIN>`\n",
    "02-planes/wings.md": "\n# Wings\n\n[here](#eq-toy)\n",
}


@pytest.fixture
def folders(book: pathlib.Path) -> pathlib.Path:
    for name in ("00-toys", "02-planes"):
        (book / f"{name}.md").unlink()
    for name, body in FOLDERS.items():
        write_chapter(book, body, name)
    table = TABLE.replace("(00-toys.ipynb)", "(00-toys/index.ipynb)")
    (book / "index.md").write_text(table.replace("(02-planes.", "(02-planes/index."), encoding="utf-8")
    return book


def test_labels_and_links_of_all_pages_count_and_the_kernel_is_no_label(folders: pathlib.Path) -> None:
    assert report(folders) == ""
    chapters = chapter_map.read_table(folders / "index.md")
    assert [chapter.stem for chapter in chapters] == ["00-toys", "01-trains", "02-planes", "03-ships"]
    assert chapter_map.references_back(chapters, folders)[2] == {0: {"eq-toy"}, 1: {"eq-train"}}
    (folders / "03-ships.md").unlink()
    text = (folders / "index.md").read_text(encoding="utf-8")
    (folders / "index.md").write_text(text.replace("(03-ships.", "(03-ships/index."), encoding="utf-8")
    for link in ("00-toys/balls", "00-toys/index", "01-trains"):
        body = f"\n# Ships\n\n[the first](#ch-toys)\n\n[x](../{link}.ipynb)\n"
        write_chapter(folders, body, "03-ships/index.md")
        back = chapter_map.references_back(chapter_map.read_table(folders / "index.md"), folders)[3]
        assert {name for names in back.values() for name in names} == {"ch-toys", link}
    assert chapter_map.labels(folders / "00-toys" / "balls.md") == {"eq-toy", "00-toys", "00-toys/balls"}


def test_what_a_page_of_a_folder_leaves_out_is_caught(folders: pathlib.Path) -> None:
    write_chapter(folders, "\n# Wings\n", "02-planes/wings.md")
    assert "chapter 2 refers to nothing in chapter 0" in report(folders)
    write_chapter(folders, "\n# Sails\n\n{eq}`eq-train`\n", "03-ships/sails.md")
    assert "chapter 3 refers to eq-train of chapter 1" in report(folders)


SETS = sorted(path.parent.name for path in ROOT.glob("coursework/*/mutants.yml"))


@functools.cache
def stated() -> register.Register:
    return register.scan(ROOT)


def taught_on(claims: list[str], chapter: str) -> set[tuple[str, str]]:
    """Return the titles and addresses of the pages of a chapter that state some claims."""
    pages = {place.path for claim in claims for place in stated().stated[claim] if place.chapter == chapter}
    titles = {
        page: re.search(r"^# (.+?)(?: \(further\))?$", page.read_text(encoding="utf-8"), re.M)
        for page in pages
    }
    return {(title[1], f"../{chapter}/{page.stem}.ipynb") for page, title in titles.items() if title}


@pytest.mark.parametrize("stem", SETS)
def test_each_goal_of_a_problem_set_leads_to_the_pages_that_teach_it(stem: str) -> None:
    metadata = read(ROOT / "coursework" / stem).metadata
    text = (ROOT / "coursework" / stem / f"{stem}.md").read_text(encoding="utf-8")
    for goal in metadata["goals"]:
        told = re.search(rf"^- {re.escape(goal['text'])} \((.+)\)[;.]$", text, re.M)
        assert told, goal["text"]
        links = set(re.findall(r"\[([^\]]+)\]\(([^)]+)\)", told[1]))
        assert links == taught_on(goal["claims"], metadata["chapter"])
