"""Write what is no text on the landing page: its picture that moves, its numbers, its map with links.

A line ``% gram``, ``% start``, ``% numbers``, ``% map``, ``% source`` or ``% report`` of the page becomes
that part. The numbers are counted when the site is built, as on the page that says how the book is checked.
Where the source is, and where to report an error, is what ``book_repository`` and ``book_report`` in
``_config.yml`` say.
"""

import html
import pathlib
import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookkit.extensions import checked
from bookkit.pages import chapter_map

PAGE = "book/index"
START = "book/00-learning"
SCRIPT, STYLES = "gram-drag.js", "landing.css"
GRAM = pathlib.Path(__file__).with_suffix(".html")
BOX = re.compile(r"<rect [^>]*/>\n<text [^>]*>(\d+)</text>\n(?:<text [^>]*>[^<]*</text>\n?)+")
NUMBERS = (
    ("claims that the book makes", "claims, each with an ID", "B-claims.html"),
    (
        "assertions in these cells",
        "assertions that check them, run again before each release",
        "F-checked.html",
    ),
    (
        "errata, each shown to fail by a cell",
        "errata of the lectures, each with a cell in which it fails",
        "A-errata.html",
    ),
)


def raw(text: str) -> str:
    """Write HTML into a page of MyST."""
    return f"````{{raw}} html\n{text.strip()}\n````"


def address(docname: str, pages: set[str]) -> str:
    """Return the address of a chapter from the landing page; the chapter may be a folder."""
    page = docname if docname in pages else f"{docname}/index"
    return f"{page.removeprefix('book/')}.html"


def start(pages: set[str]) -> str:
    """Write the button."""
    return raw(f'<p class="start"><a href="{address(START, pages)}">Start reading</a></p>')


def numbers(root: pathlib.Path) -> str:
    """Write what is counted; each number leads to the page that has the list."""
    counted = checked.counts(root)
    items = (
        f'<li><a href="{page}"><strong>{counted[what]:,}</strong> {words}</a></li>'
        for what, words, page in NUMBERS
    )
    return raw('<ul class="numbers">\n' + "\n".join(items) + "\n</ul>")


def linked_map(drawing: str, chapters: list[chapter_map.Chapter], pages: set[str]) -> str:
    """Make each box of the map a link to its chapter."""
    places = {chapter.number: chapter for chapter in chapters}

    def link(match: re.Match[str]) -> str:
        chapter = places[int(match[1])]
        name = html.escape(f"{chapter.number}. {chapter.title}")
        return f'<a href="{address(f"book/{chapter.stem}", pages)}" aria-label="{name}">\n{match[0]}</a>\n'

    linked, count = BOX.subn(link, drawing)
    if count != len(chapters):
        raise ValueError(
            f"of {len(chapters)} chapters the map has {count}; run python -m bookkit.pages.chapter_map"
        )
    return linked.replace('role="img"', 'role="group"')  # or its links would be hidden from screen readers


def shown_map(root: pathlib.Path, pages: set[str]) -> str:
    """Write the map into the page."""
    drawing = (root / "book" / "_static" / "chapter-map.svg").read_text(encoding="utf-8")
    linked = linked_map(drawing, chapter_map.read_table(root / "book" / "index.md"), pages)
    return raw(f'<div class="chapter-map" id="chapter-map">\n{linked}</div>')


def where(what: str, url: str) -> str:
    """Say where something is: at an address, or where the reader has the book from."""
    return f"{what} {f'<{url}>' if url else 'in the repository you got this from'}."


def write_parts(app: Sphinx, docname: str, text: list[str]) -> None:
    """Put the parts in the place of the lines that ask for them."""
    if docname != PAGE:
        return
    root, pages = pathlib.Path(app.srcdir), set(app.env.found_docs)
    made = {
        "% gram": raw(GRAM.read_text(encoding="utf-8")),
        "% start": start(pages),
        "% numbers": numbers(root),
        "% map": shown_map(root, pages),
        "% source": where("The source of the book is", app.config.book_repository),
        "% report": where("Reports are welcome", app.config.book_report or app.config.book_repository),
    }
    for line, written in made.items():
        if f"\n{line}\n" not in text[0]:
            raise ValueError(f"{PAGE} has no line {line!r}")
        text[0] = text[0].replace(f"\n{line}\n", f"\n{written}\n")


def add_files(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Load what draws this page, and no other."""
    if page == PAGE:
        app.add_js_file(SCRIPT, defer="defer")
        app.add_css_file(STYLES, priority=850)


def renew(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the page in every build: it counts what other files hold."""
    return [PAGE] if PAGE in env.found_docs else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("book_repository", "", "env")
    app.add_config_value("book_report", "", "env")
    app.connect("source-read", write_parts)
    app.connect("env-get-outdated", renew)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
