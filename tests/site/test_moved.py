"""The old address of a chapter that became a folder: every claim and every label is reached through it."""

import json
import re
from pathlib import Path

import pytest

from bookkit import ROOT
from bookkit.extensions import moved
from bookkit.pages import chapter_map
from bookkit.pages import register as reg
from bookkit.pages.chapters import chapter_of, in_folder, page_name, paired_pages
from bookkit.site.shots import book_pages, picture_name

SITE = ROOT / "_build" / "html"
TABLE = re.compile(r'<script type="application/json" data-places>(.*?)</script>', re.S)
LISTED = re.compile(r'<li id="([^"]+)"><a href="([^"]+)">')
PAGES = [page for page in paired_pages(ROOT / "book") if in_folder(page)]
FOLDERS = sorted(set(map(chapter_of, PAGES)))


def target(site: Path, chapter: str, anchor: str) -> str:
    """Follow an old address as its script does."""
    (table,) = TABLE.findall((site / "book" / f"{chapter}.html").read_text(encoding="utf-8"))
    return f"{chapter}/{json.loads(table).get(anchor.lower(), 'index.html')}"


def fault(site: Path, chapter: str, anchor: str) -> str:
    """Say why an old anchor leads to no element; empty if it leads to one that has its name."""
    address = target(site, chapter, anchor)
    file, _, name = address.partition("#")
    page = site / "book" / file
    if not page.is_file():
        return f"{anchor}: there is no {file}"
    if anchor.lower() not in (name.lower(), name.lower().removeprefix("equation-")):
        return f"{anchor} leads to {address}"
    return "" if name in moved.anchors(page.read_text(encoding="utf-8")) else f"{anchor}: not on {file}"


def faults(site: Path, chapter: str, wanted: list[str]) -> list[str]:
    """Say which old anchors of a chapter lead nowhere, and what else is wrong with its old address."""
    found = [fault(site, chapter, anchor) for anchor in wanted]
    text = (site / "book" / f"{chapter}.html").read_text(encoding="utf-8")
    listed = dict(LISTED.findall(text))
    found += [f"{name} is not in the list of links" for name in wanted if name not in listed]
    found += [
        f"the list leads {name} to {to}" for name, to in listed.items() if to != target(site, chapter, name)
    ]
    if not re.search(rf'<noscript><meta http-equiv="refresh" content="\d+; url={chapter}/index.html">', text):
        found.append("nothing leads on without scripts")
    return [*filter(None, found), *re.findall(r"(?:https?:)?//[^\s\"']+", text)]


# -- the site ---------------------------------------------------------------------------------


def test_there_is_an_old_address_for_every_folder_and_no_other() -> None:
    assert (SITE / "index.html").exists(), "the site is not built; run: make book"
    assert sorted(page.stem for page in (SITE / "book").glob("*.html") if moved.is_moved(page)) == FOLDERS


@pytest.mark.parametrize("chapter", FOLDERS)
def test_claims_are_reached_through_the_old_address(chapter: str) -> None:
    claims = [claim.id for claim in reg.read_claims(ROOT / "book" / "claims.yml") if claim.chapter == chapter]
    assert claims
    assert faults(SITE, chapter, claims) == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_labels_are_reached_through_the_old_address(page: Path) -> None:
    labels = chapter_map.labels(page) - {page_name(page), chapter_of(page)}
    assert not list(filter(None, (fault(SITE, chapter_of(page), label) for label in sorted(labels))))


@pytest.mark.parametrize("chapter", FOLDERS)
def test_the_search_and_the_pages_do_not_know_the_old_address(chapter: str) -> None:
    names = (SITE / "searchindex.js").read_text(encoding="utf-8")
    assert f'"book/{chapter}/index"' in names
    assert f'"book/{chapter}"' not in names
    old = re.compile(rf'href="(?!\.\./coursework/|coursework/)[^"]*(?<!coursework/){chapter}\.html')
    pages = [page for page in (SITE / "book").rglob("*.html") if page.parent.name != "coursework"]
    assert not [str(page) for page in pages if old.search(page.read_text(encoding="utf-8"))]


def test_pictures_are_taken_of_every_page_and_no_old_address() -> None:
    pages = book_pages(SITE)
    assert {f"book/{page_name(page)}.html" for page in PAGES} <= set(pages)
    assert not {f"book/{chapter}.html" for chapter in FOLDERS} & set(pages)
    assert len(set(map(picture_name, pages))) == len(pages)
    assert picture_name("book/05-toys/index.html") == "05-toys-index"


# -- each fault is caught ---------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a site of one chapter with two pages."""
    texts = {"index": '<article><p id="TOY-01"></article>', "trains": '<article><p id="toy-02"></article>'}
    (tmp_path / "book" / "05-toys").mkdir(parents=True)
    pages = []
    for name, text in texts.items():
        (tmp_path / "book" / "05-toys" / f"{name}.html").write_text(text, encoding="utf-8")
        labels = {anchor.upper(): anchor for anchor in moved.anchors(text)}
        pages.append(moved.Page(name=name, title=name, anchors=moved.anchors(text), labels=labels))
    text = moved.write("05-toys", "Toys", pages)
    (tmp_path / "book" / "05-toys.html").write_text(text, encoding="utf-8")
    return tmp_path


CLAIMS = ["TOY-01", "TOY-02"]


def test_a_whole_page_passes(small: Path) -> None:
    assert faults(small, "05-toys", CLAIMS) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"toy-02": "trains.html#toy-02"',
            '"toy-03": "trains.html#toy-02"',
            "TOY-02 leads to 05-toys/index.html",
        ),
        ('"trains.html#toy-02"', '"train.html#toy-02"', "TOY-02: there is no 05-toys/train.html"),
        ('"trains.html#toy-02"', '"index.html#toy-02"', "TOY-02: not on 05-toys/index.html"),
        ('"trains.html#toy-02"', '"index.html#TOY-01"', "TOY-02 leads to 05-toys/index.html#TOY-01"),
        ('<li id="TOY-02">', "<li>", "TOY-02 is not in the list of links"),
        ('href="05-toys/trains.html#toy-02"', 'href="05-toys/trains.html"', "the list leads TOY-02 to"),
        ('http-equiv="refresh"', 'name="refresh"', "nothing leads on without scripts"),
        ("</style>", "</style><script src='//x.example/a.js'></script>", "//x.example/a.js"),
    ],
)
def test_a_broken_page_is_caught(small: Path, old: str, new: str, message: str) -> None:
    page = small / "book" / "05-toys.html"
    text = page.read_text(encoding="utf-8")
    assert old in text
    page.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(found.startswith(message) for found in faults(small, "05-toys", CLAIMS))
