"""What a page loads and says of itself: scripts, stylesheets, images, words of the glossary, tags."""

import re
import struct
from pathlib import Path

import pytest
from docutils import nodes

from bookkit import ROOT
from bookkit.extensions import assets, images, landing, metadata, styles, terms
from bookkit.extensions.moved import is_moved
from bookkit.pages import chapter_map

SITE = ROOT / "_build" / "html"
PAGES = [page for page in SITE.rglob("*.html") if page.parent != SITE / "_static" and not is_moved(page)]
PAGES = [page for page in PAGES if page != SITE / "index.html"]  # it only leads elsewhere
BLOCKING = re.compile(r"<script(?![^>]*\b(?:defer|async)\b)[^>]*\ssrc=[^>]*>|fontawesome|@import")
TAG = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"')
CHAPTER = (SITE / "book" / "06-duality" / "subgradients.html").read_text(encoding="utf-8") if PAGES else ""


def test_no_page_waits_for_a_script_or_loads_icons() -> None:
    assert len(PAGES) > 50, "the site is not built; run: make book"
    found = {str(page): BLOCKING.findall(page.read_text(encoding="utf-8")) for page in PAGES}
    assert not {name: tags for name, tags in found.items() if tags}
    assert CHAPTER.count('rel="stylesheet"') == 2  # one for all, and that of the formulas
    assert BLOCKING.search('<script src="a.js"></script>')


def test_a_page_has_the_scripts_that_it_needs() -> None:
    class Script:
        def __init__(self, filename: str, **attributes: str) -> None:
            self.filename, self.attributes = filename, attributes

    code, plain = '<div class="highlight-python"><div class="highlight"><pre>', "<p>Words</p>"
    assert assets.is_needed(Script("clipboard.min.js"), code)
    assert not assets.is_needed(Script("clipboard.min.js"), plain)
    assert not assets.is_needed(Script("", body="DOCUMENTATION_OPTIONS.pagename = 'a'"), plain)
    assert assets.is_needed(Script("_static/book.js"), plain)
    assert "clipboard.min.js" in CHAPTER


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        (".a{color:red}.b{top:0}", ".a{color:red}"),
        (".b,.a>p{top:0}", ".a>p{top:0}"),
        (".a:not(.b){top:0}", ".a:not(.b){top:0}"),
        ("@media print{.b{top:0}}", ""),
        ("@media print{.a{top:0}.b{top:1px}}", "@media print{.a{top:0}}"),
        ('.a::before{content:"}"}.b{top:0}', '.a::before{content:"}"}'),
        ("/*! licence */.b{top:0}", "/*! licence */"),
        ("@font-face{src:url(x.woff)}", "@font-face{src:url(x.woff)}"),
    ],
)
def test_rules_for_what_no_page_has_are_left_out(css: str, kept: str) -> None:
    assert styles.prune(css, {"a"}) == kept


def test_the_one_stylesheet_is_small_and_has_the_licence() -> None:
    css = (SITE / "_static" / styles.BUNDLE).read_text(encoding="utf-8")
    assert "Licensed under MIT" in css
    assert len(css) < 200_000
    assert re.search(r"\.bd-article div\.proof\b", css)
    assert ".carousel-caption" not in css


# -- images ------------------------------------------------------------------------------------


def test_sizes_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text('<?xml?><svg width="36pt" height="72pt" viewBox="0 0 1 2">')
    (tmp_path / "b.svg").write_text('<svg viewBox="0 0 384 452">')
    (tmp_path / "c.png").write_bytes(images.PNG + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480))
    found = [images.size(tmp_path / name) for name in ("a.svg", "b.svg", "c.png", "none.svg")]
    assert found == [(48, 96), (384, 452), (640, 480), None]


def test_images_of_a_chapter_have_sizes_and_all_but_the_first_wait() -> None:
    tags = re.findall(r"<img[^>]*>", CHAPTER.partition("<article")[2].partition("</article>")[0])
    assert len(tags) > 2
    assert all(re.search(r'\bwidth="\d+" height="\d+"', tag) for tag in tags)
    assert ['loading="lazy"' in tag for tag in tags] == [False] + [True] * (len(tags) - 1)


# -- the head ----------------------------------------------------------------------------------


def test_every_page_describes_itself_without_tex_and_has_one_viewport() -> None:
    for page in PAGES:
        head = page.read_text(encoding="utf-8").partition("</head>")[0]
        given = TAG.findall(head)
        tags = dict(given)
        assert [name for name, _ in given].count("viewport") == 1, page
        assert 20 < len(tags["description"]) <= 1.6 * metadata.LENGTH, page
        assert not re.search(r"[\\$\0]", tags["description"]), page
        assert tags["og:description"] == tags["description"], page
        assert (page.parent / tags["og:image"]).resolve().is_file(), page


def test_the_description_stops_before_a_formula() -> None:
    paragraph = nodes.paragraph(
        "", "A first thing (Theorem 5.2). Then ", nodes.math("", "x"), nodes.Text(" follows.")
    )
    page = nodes.document(None, None, "", nodes.section("", nodes.title("", "T"), paragraph))  # type: ignore[arg-type]
    assert metadata.describe(page) == "A first thing."


def test_the_card_is_a_small_picture_and_the_same_each_time() -> None:
    card = metadata.draw_card("A Book, Run", "Words.")
    assert struct.unpack(">II", card[16:24]) == metadata.SIZE
    assert card == metadata.draw_card("A Book, Run", "Words.")
    assert (SITE / "_static" / metadata.CARD).stat().st_size < 60_000


# -- words of the glossary -----------------------------------------------------------------------


def term(word: str) -> terms.Term:
    """Make a word of a glossary."""
    return terms.Term(word=word, anchor=f"term-{word}", text="", defined_on=frozenset())


def marked(*children: nodes.Node) -> list[str]:
    """Mark the words of a paragraph below a title; return the texts of the links."""
    section = nodes.section("", nodes.title("", "The kernel"), nodes.paragraph("", "", *children))
    page = nodes.document(None, None, "", section)  # type: ignore[arg-type]
    words = {name: term(name) for name in ("kernel", "gaussian kernel", "auc")}
    terms.mark(page, words | {"auc": term("AUC")}, "glossary.html")
    return [link.astext() for link in page.findall(nodes.reference) if "term" in link["classes"]]


def test_the_first_place_of_a_word_is_marked_and_only_in_running_text() -> None:
    assert marked(nodes.Text("Kernels, a kernel, the AUC.")) == ["Kernels", "AUC"]
    assert marked(nodes.Text("A gaussian\nkernel.")) == ["gaussian\nkernel"]
    assert marked(nodes.literal("", "kernel"), nodes.Text(" kernelised, auc, multi-kernel")) == []
    assert marked(nodes.emphasis("", "kernel"), nodes.Text(" kernel")) == ["kernel"]


def test_a_chapter_marks_a_few_words_each_with_its_card() -> None:
    found = terms.LINK.findall(CHAPTER)
    assert 5 <= len(found) == len(set(found)) <= terms.MOST
    assert all(f'id="about-{anchor}"' in CHAPTER for anchor in found)
    glossary = (SITE / "book" / "glossary.html").read_text(encoding="utf-8")
    assert all(f'id="{anchor}"' in glossary for anchor in found)
    assert terms.REFERENCE not in CHAPTER


# -- the landing page ----------------------------------------------------------------------------


def test_every_box_of_the_map_and_every_number_is_a_link_that_leads_somewhere() -> None:
    text = (SITE / "book" / "index.html").read_text(encoding="utf-8").partition("<article")[2]
    drawn = text.partition('id="chapter-map"')[2].partition("</svg>")[0]
    links = re.findall(r'<a href="([^"]+)" aria-label="(\d+)\. ', drawn)
    assert [int(number) for _, number in links] == sorted(int(number) for _, number in links)
    assert len(links) == len(chapter_map.read_table(ROOT / "book" / "index.md"))
    links += re.findall(r'<a href="([^"]+)"><(strong)>[\d,]+<', text)
    links += re.findall(r'class="start"><a href="([^"]+)">(Start)', text)
    assert len(links) >= 14 + 3 + 1
    for address, _ in links:
        assert (SITE / "book" / address).is_file(), address


def test_an_address_that_the_settings_lack_is_said_in_words() -> None:
    assert landing.where("It is", "") == "It is in the repository you got this from."
    assert landing.where("It is", "https://x.example") == "It is <https://x.example>."
