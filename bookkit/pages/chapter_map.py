"""Draw the map of the chapters: ``chapter_map.py`` writes ``book/_static/chapter-map.svg``.

The table of chapters in ``book/index.md`` says on which chapters each builds, and at which it looks back.
The map draws the first kind, without the arrows that follow from others. ``problems`` compares the table with
the references in the chapters: a reference back to another chapter must be in the table, and nothing else.
"""

import dataclasses
import pathlib
import re
import sys
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from bookkit import ROOT
from bookkit.pages.chapters import Problem, chapter_of, chapter_pages, chapters_of, page_name, read_cells

BOOK = ROOT / "book"

# -- the table --------------------------------------------------------------------------

ROW = re.compile(
    r"^\| (\d+) \| \[([^\]]+)\]\((\d\d-[\w-]+)(?:/index)?\.ipynb\) \| ([\d, –]+) \| ([\d, –]+) \|$", re.M
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chapter:
    """A row of the table of chapters."""

    number: int
    title: str
    stem: str
    builds_on: frozenset[int]
    looks_back: frozenset[int]


def read_table(index: pathlib.Path) -> list[Chapter]:
    """Read the table of chapters off the landing page."""
    return [
        Chapter(
            number=int(number),
            title=title,
            stem=stem,
            builds_on=frozenset(map(int, re.findall(r"\d+", builds_on))),
            looks_back=frozenset(map(int, re.findall(r"\d+", looks_back))),
        )
        for number, title, stem, builds_on, looks_back in ROW.findall(index.read_text(encoding="utf-8"))
    ]


# -- the references -----------------------------------------------------------------------

LABEL = re.compile(
    r"^\s*:?(?:label|name):\s*(\S+)\s*$|^\(([\w-]+)\)=\s*$|^\$\$[ \t]*\(([\w-]+)\)|\\label\{([\w-]+)\}", re.M
)
HEAD = re.compile(r"\A---\n.*?^---\n", re.M | re.S)  # it names a kernel, which is no label
REFERENCE = re.compile(
    r"\{(?:prf:ref|eq|numref|ref)\}`(?:[^`<]*<)?([\w-]+)>?`|\]\(#([\w-]+)\)|\]\((?:\.\./)?(\d\d-[\w/-]+)\.(?:md|ipynb)\)"
)


def labels(page: pathlib.Path) -> set[str]:
    """List what can be referred to on a page, in lower case."""
    found = LABEL.findall(HEAD.sub("", page.read_text(encoding="utf-8")))
    return {name.lower() for groups in found for name in groups if name} | {page_name(page), chapter_of(page)}


def references(page: pathlib.Path) -> set[str]:
    """List what the text of a page refers to, captions included, in lower case."""
    cells = read_cells(page)
    captions = (str(((c.metadata.get("mystnb") or {}).get("figure") or {}).get("caption", "")) for c in cells)
    texts = [*captions, *(cell.source for cell in cells if not cell.is_code)]
    return {name.lower() for text in texts for groups in REFERENCE.findall(text) for name in groups if name}


def references_back(chapters: list[Chapter], book: pathlib.Path) -> Mapping[int, Mapping[int, set[str]]]:
    """Find, for each chapter, what it refers to in each earlier one."""
    pages = {chapter.number: chapter_pages(book, chapter.stem) for chapter in chapters}
    defined = {number: set().union(*map(labels, of_it)) for number, of_it in pages.items()}
    found: dict[int, dict[int, set[str]]] = {}
    for number, of_it in pages.items():
        used = set().union(*map(references, of_it))
        earlier = {other: used & names for other, names in defined.items() if other < number}
        found[number] = {other: names for other, names in earlier.items() if names}
    return found


def problems(book: pathlib.Path = BOOK) -> Iterator[Problem]:
    """Compare the table with the references."""
    index = book / "index.md"
    chapters = read_table(index)
    back = references_back(chapters, book)

    def problem(message: str, remedy: str) -> Problem:
        return Problem(path=index, line=1, rule="map", message=message, remedy=remedy)

    wanted = chapters_of(book)
    if [chapter.stem for chapter in chapters] != wanted:
        yield problem(f"the table has {len(chapters)} chapters", f"list these in order: {', '.join(wanted)}")
    for chapter in chapters:
        number, listed = chapter.number, chapter.builds_on | chapter.looks_back
        if chapter.builds_on & chapter.looks_back:
            yield problem(f"chapter {number} names a chapter twice", "in one column or in the other")
        for other in sorted(back[number].keys() - listed):
            names = ", ".join(sorted(back[number][other]))
            yield problem(f"chapter {number} refers to {names} of chapter {other}", "add it to its row")
        for other in sorted(listed - back[number].keys()):
            message = f"chapter {number} refers to nothing in chapter {other}"
            yield problem(message, "take it out of its row")
        for other in sorted(chapter.builds_on & back[number].keys()):
            if all(name.startswith("ch-") or name[:2].isdigit() for name in back[number][other]):
                message = f"chapter {number} refers to no result of chapter {other}, only to it as a whole"
                yield problem(message, "put it in the last column, or refer to what is used")


# -- the drawing --------------------------------------------------------------------------

WIDTH, NODE, HEIGHT, PITCH = 384, (112, 46), 452, 68
COLUMNS = (59, 192, 325)
# Row and column of each chapter, and a short name.
PLACES = {
    0: (0, 1, "Learning"),
    1: (1, 1, "Linear models"),
    2: (1, 0, "Transforms"),
    3: (2, 1, "Regularisation"),
    4: (3, 1, "Bias, variance"),
    5: (5, 0, "Kernels"),
    6: (5, 1, "Duality"),
    7: (5, 2, "Solvers"),
    8: (2, 0, "Evaluation"),
    9: (3, 0, "Significance"),
    10: (1, 2, "ROC, costs"),
    11: (2, 2, "Calibration"),
    12: (4, 0, "Concentration"),
    13: (4, 1, "Boosting"),
}
HELPFUL = ((8, 9), (9, 12))  # dashed: for chapters that build on none
PARTS = ((5, "#dbe9f6"), (8, "#dcefdc"), (13, "#fbe6cf"), (14, "#eadcf2"))  # up to which, and the colour
INK = "#1d232b"


def reduced(chapters: list[Chapter]) -> list[tuple[int, int]]:
    """List the arrows from a chapter to one that builds on it, without those that follow from others."""
    direct = {chapter.number: chapter.builds_on for chapter in chapters}

    def above(number: int) -> set[int]:
        return set(direct[number]).union(*(above(other) for other in direct[number]))

    return [
        (other, number)
        for number, others in direct.items()
        for other in sorted(others)
        if not any(other in above(third) for third in others if third != other)
    ]


def centre(number: int) -> tuple[float, float]:
    """Return the middle of a chapter's box."""
    row, column, _ = PLACES[number]
    return COLUMNS[column], 30 + PITCH * row


def path(start: int, end: int) -> str:
    """Lead from the border of one box to that of another."""
    (x0, y0), (x1, y1) = centre(start), centre(end)
    w, h = NODE[0] / 2, NODE[1] / 2
    if x0 == x1:
        return f"M {x0:g} {y0 + h:g} V {y1 - h - 2:g}"
    side = 1 if x1 > x0 else -1
    if y0 == y1:
        return f"M {x0 + side * w:g} {y0:g} H {x1 - side * (w + 2):g}"
    if y1 - y0 > PITCH:  # down between two columns
        middle = (x0 + x1) / 2
        return f"M {x0 + side * w:g} {y0:g} H {middle:g} V {y1:g} H {x1 - side * (w + 2):g}"
    return f"M {x0 + side * (w - 14):g} {y0 + h:g} L {x1 - side * (w - 14):g} {y1 - h - 2:g}"


def draw(chapters: list[Chapter]) -> str:
    """Draw the map as SVG."""
    arrows = [(pair, "") for pair in reduced(chapters)]
    arrows += [(pair, ' stroke-dasharray="3 2"') for pair in HELPFUL]
    lines = [
        f'<path d="{path(start, end)}"{dash} fill="none" stroke="{INK}" stroke-width="1.5" '
        'marker-end="url(#head)"/>'
        for (start, end), dash in arrows
    ]
    boxes = [line for chapter in chapters for line in _box(chapter)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'aria-labelledby="map-title map-desc" font-family="Helvetica, Arial, sans-serif" '
            'text-anchor="middle">',
            '<title id="map-title">Map of the chapters</title>',
            f'<desc id="map-desc">{escape(in_words(chapters))}</desc>',
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="{INK}"/></marker></defs>',
            *lines,
            *boxes,
            f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 34}" font-size="13" fill="{INK}">'
            "Solid: builds on. Dashed: looks back at.</text>",
            f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 14}" font-size="13" fill="{INK}">'
            "Thick frame: you can start here.</text>",
            "</svg>\n",
        ]
    )


def _box(chapter: Chapter) -> Iterator[str]:
    """Draw the box of a chapter: its colour says the part, a thick frame that it builds on none."""
    (x, y), (width, height) = centre(chapter.number), NODE
    fill = next(colour for end, colour in PARTS if chapter.number < end)
    frame = 1 if chapter.builds_on else 3
    yield (
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" rx="6" '
        f'fill="{fill}" stroke="{INK}" stroke-width="{frame}"/>'
    )
    words = ((str(chapter.number), -5, 15, "bold"), (PLACES[chapter.number][2], 13, 13, "normal"))
    for text, down, size, weight in words:
        style = f'font-size="{size}" font-weight="{weight}" fill="{INK}"'
        yield f'<text x="{x:g}" y="{y + down:g}" {style}>{escape(text)}</text>'


def in_words(chapters: list[Chapter]) -> str:
    """Say in words what the map shows."""
    parts = [
        f"Chapter {chapter.number} builds on {_listed(chapter.builds_on)}."
        for chapter in chapters
        if chapter.builds_on
    ]
    free = [chapter.number for chapter in chapters if not chapter.builds_on]
    return " ".join([*parts, f"Chapters {_listed(free)} build on none."])


def _listed(numbers: Iterator[int] | list[int] | frozenset[int]) -> str:
    """Write numbers as a list in a sentence."""
    *most, last = map(str, sorted(numbers))
    return f"{', '.join(most)} and {last}" if most else last


def main(book: pathlib.Path = BOOK) -> int:
    """Draw, unless the table does not fit the chapters."""
    wrong = list(problems(book))
    for problem in wrong:
        print(problem, file=sys.stderr)
    if not wrong:
        drawing = draw(read_table(book / "index.md"))
        (book / "_static" / "chapter-map.svg").write_text(drawing, encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
