"""Say in the head of each page what it is about: a description, and what other sites make a card of.

The description is made of the first sentences of the page that hold no formula. The picture of the card is
drawn when the site is built. Where ``html_baseurl`` says at which address the book is published, the tags
have full addresses, which most sites ask for.
"""

import html
import io
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sphinx.application import Sphinx

CARD = "card.png"
SIZE = (1200, 630)  # what the sites recommend
LENGTH = 200
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*/?>\n?')  # docutils writes one; the template has one
SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[^\W\d_a-z])")
NUMBERED = re.compile(r"\s*\((?:\w+ )?[A-Z\d]+[\d.-]*\)")  # "(Theorem 5.20)" says nothing outside the book
FORMULA = "\0"


# -- the words ---------------------------------------------------------------------------------


def _texts(node: nodes.Node) -> Iterator[str]:
    """Yield the text of a paragraph, with a mark for each formula or picture."""
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.math | nodes.math_block | nodes.image | nodes.raw):
        yield FORMULA
    else:
        for child in node.children:
            yield from _texts(child)


def _paragraphs(node: nodes.Node) -> Iterator[nodes.paragraph]:
    """Yield the paragraphs of running text."""
    for child in node.children:
        if isinstance(child, nodes.paragraph):
            yield child
        elif isinstance(child, nodes.section | nodes.container) and "cell" not in child.get("classes", ()):
            yield from _paragraphs(child)


def describe(doctree: nodes.document) -> str:
    """Describe a page by its first sentences without a formula, up to a length; it may be empty."""
    chosen: list[str] = []
    for paragraph in _paragraphs(doctree):
        for sentence in SENTENCE.split(NUMBERED.sub("", " ".join("".join(_texts(paragraph)).split()))):
            if FORMULA in sentence or "$" in sentence or not sentence:
                if chosen:
                    return " ".join(chosen)
                continue
            if chosen and len(" ".join([*chosen, sentence])) > LENGTH:
                return " ".join(chosen)
            chosen.append(sentence)
        if len(" ".join(chosen)) > LENGTH / 2:
            break
    return _cut(" ".join(chosen))


def _cut(text: str) -> str:
    """Cut a text that is too long between words."""
    return text if len(text) <= 1.5 * LENGTH else text[: text.rindex(" ", 0, LENGTH)] + " …"


# -- the tags ----------------------------------------------------------------------------------


def tags(title: str, site: str, description: str, image: str, url: str) -> str:
    """Write the tags of a page."""
    named = {"description": description, "twitter:card": "summary_large_image"}
    properties = {
        "og:type": "article" if title != site else "book",
        "og:site_name": site,
        "og:title": title,
        "og:description": description,
        "og:url": url,
        "og:image": image,
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": f"{site}: two points whose Gram matrix has a negative eigenvalue",
    }
    lines = [f'<meta name="{key}" content="{html.escape(value)}">' for key, value in named.items() if value]
    lines += [f'<meta property="{k}" content="{html.escape(v)}">' for k, v in properties.items() if v]
    return "\n".join(lines)


def add_tags(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the tags into the head of a page."""
    site, base = str(app.config.html_title), str(app.config.html_baseurl).rstrip("/")
    title = html.unescape(re.sub(r"<[^>]+>", "", str(context.get("title") or site)))
    described = describe(doctree) if isinstance(doctree, nodes.document) else ""
    image = f"{base}/_static/{CARD}" if base else context["pathto"](f"_static/{CARD}", 1)
    written = tags(
        title,
        site,
        described or f"{title}. {app.config.book_promise}",
        image,
        f"{base}/{page}.html" * bool(base),
    )
    context["metatags"] = VIEWPORT.sub("", context.get("metatags") or "") + "\n" + written + "\n"


# -- the picture -------------------------------------------------------------------------------


def draw_card(title: str, promise: str) -> bytes:
    """Draw the card: the title, and two points on a line, with the eigenvalue that is negative."""
    figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100, facecolor="#12263a")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1200), ylim=(0, 630))
    axes.axis("off")
    head, _, tail = title.partition(", ")
    lines = _wrapped(head, 24)
    for row, line in enumerate([*lines, *([f"{tail}."] if tail else [])]):
        colour = "#ffb87a" if tail and row == len(lines) else "white"
        axes.text(80, 510 - 84 * row, line, color=colour, fontsize=46, fontweight="bold", va="center")
    axes.text(
        80, 235, "\n".join(_wrapped(promise, 62)), color="#c3d4e5", fontsize=21, va="center", linespacing=1.5
    )
    axes.plot([80, 1120], [100, 100], color="#8fc1f7", linewidth=3)
    for place, name in ((430, "0.5"), (850, "4")):
        axes.plot([place], [100], "o", color="#ffb87a", markersize=26)
        axes.text(place, 52, name, color="white", fontsize=20, ha="center", va="center")
    axes.text(640, 135, "smallest eigenvalue < 0", color="#ff9a9a", fontsize=20, ha="center", va="center")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def write_card(app: Sphinx, exception: Exception | None) -> None:
    """Draw the card into the site."""
    if exception is None and app.builder.format == "html":
        path = pathlib.Path(app.outdir, "_static", CARD)
        path.write_bytes(draw_card(str(app.config.html_title), app.config.book_promise))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("book_promise", "", "html")  # what the book is, in a sentence
    app.connect("html-page-context", add_tags, priority=300)
    app.connect("build-finished", write_card)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
