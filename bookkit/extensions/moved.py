"""Lead from the old address of a chapter to its pages, where the chapter has become a folder.

``book/05-kernels.html`` was one page. When the chapter is ``book/05-kernels/index`` and others, a small page
stays at the old address. It knows every anchor of the new pages, and every label: ``#KER-14`` leads to the
page that states it, and an address without an anchor to the first page. Without scripts it is a list of
links, each with the old anchor, and after a while the browser goes to the first page. It is no page of the
book: neither the contents nor the search know it.
"""

import html
import json
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookkit.extensions.chapter_numbers import folder_pages, is_first
from bookkit.pages.register import ID

MARK = '<body class="moved">'
WAIT = 30  # seconds, without scripts: time enough to choose from the list
ARTICLE = re.compile(r"<article\b.*</article>", re.S)
ANCHOR = re.compile(r'<[a-z][^>]*?\sid="([^"]+)"', re.I)
CLAIM = re.compile(rf"^{ID}$")  # Sphinx writes some labels small; people write an ID in capitals
COUNTED = re.compile(r"^id\d+$")  # anchors that say nothing, and mean something else on each page
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}: moved</title>
<link rel="canonical" href="{folder}/index.html">
<link rel="icon" href="../_static/favicon.svg">
<script type="application/json" data-places>{table}</script>
<script>
const places = new Map(Object.entries(JSON.parse(document.querySelector("[data-places]").textContent)));
let name = location.hash.slice(1);
try {{ name = decodeURIComponent(name); }} catch {{ /* as it is */ }}
location.replace("{folder}/" + (places.get(name.toLowerCase()) ?? "index.html"));
</script>
<noscript><meta http-equiv="refresh" content="{wait}; url={folder}/index.html"></noscript>
<style>
:root {{ color-scheme: light dark; }}
body {{ font-family: sans-serif; line-height: 1.6; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }}
:target {{ outline: 0.2rem solid; }}
</style>
</head>
{mark}
<h1><a href="{folder}/index.html">{title}</a></h1>
<p>This chapter now has several pages. Here is where everything went.</p>
{pages}
</body>
</html>
"""


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of a chapter's folder.

    Attributes
    ----------
    name : str
        Its file without the ending.
    title : str
        Its title.
    anchors : tuple of str
        The anchors that its HTML has, in order.
    labels : dict
        The anchor of each label.
    """

    name: str
    title: str
    anchors: tuple[str, ...]
    labels: Mapping[str, str]


# -- what the page says ----------------------------------------------------------------------


def anchors(text: str) -> tuple[str, ...]:
    """List the anchors of a page's article."""
    article = ARTICLE.search(text)
    found = map(html.unescape, ANCHOR.findall(article[0])) if article else ()
    return tuple(name for name in dict.fromkeys(found) if not COUNTED.match(name))


def table(pages: Iterable[Page]) -> dict[str, str]:
    """Return where each old anchor leads, below the folder; a label counts more than an anchor, case nothing.

    Parameters
    ----------
    pages : iterable of Page
        In the order of the book: of an anchor that several pages have, the first counts.
    """
    pages, found = list(pages), dict[str, str]()
    for page in pages:
        for label, anchor in page.labels.items():
            place = f"{page.name}.html#{anchor}" if anchor in page.anchors else f"{page.name}.html"
            found.setdefault(label.lower(), place)
    for page in pages:
        for anchor in page.anchors:
            found.setdefault(anchor.lower(), f"{page.name}.html#{anchor}")
    return found


def _links(folder: str, page: Page, places: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    """Write the links to the anchors and labels that lead to a page, each with the old anchor as its own."""
    for name in dict.fromkeys([*page.labels, *page.anchors]):
        place = places[name.lower()]
        if place.partition("#")[0] == f"{page.name}.html" and name not in seen:
            seen.add(name)
            shown, address = html.escape(name), html.escape(f"{folder}/{place}")
            yield f'<li id="{shown}"><a href="{address}">{shown}</a></li>'


def write(folder: str, title: str, pages: list[Page]) -> str:
    """Write the page at the old address of a chapter."""
    places, seen, parts = table(pages), set[str](), list[str]()
    for page in pages:
        address = html.escape(f"{folder}/{page.name}.html")
        parts.append(f'<h2><a href="{address}">{html.escape(page.title)}</a></h2>')
        parts.append("\n".join(["<ul>", *_links(folder, page, places, seen), "</ul>"]))
    return PAGE.format(
        title=html.escape(title),
        folder=html.escape(folder),
        table=json.dumps(places, indent=0, ensure_ascii=False).replace("<", "\\u003c"),
        pages="\n".join(parts).replace("\n<ul>\n</ul>", ""),
        wait=WAIT,
        mark=MARK,
    )


def is_moved(page: pathlib.Path) -> bool:
    """Whether a file of the site is such a page, which only leads elsewhere."""
    return MARK in page.read_text(encoding="utf-8")


# -- Sphinx ----------------------------------------------------------------------------------


def labels(env: BuildEnvironment, docname: str) -> dict[str, str]:
    """Collect the labels of a page, of whatever kind, each with its anchor; IDs also in capitals."""
    proofs: Mapping[str, Mapping[str, str]] = getattr(env, "proof_list", {})
    equations: Mapping[str, tuple[str, int]] = env.domaindata["math"].get("objects", {})
    targets: Mapping[str, tuple[str, str]] = env.domaindata["std"]["anonlabels"]
    found = {label: label for label, proof in proofs.items() if proof["docname"] == docname}
    for label, (page, _) in equations.items():
        if page == docname:
            found[label] = f"equation-{nodes.make_id(label)}"
    for label, (page, anchor, *_) in targets.items():
        if page == docname:
            found.setdefault(label, anchor)
    return found | {label.upper(): anchor for label, anchor in found.items() if CLAIM.match(label)}


def read_page(app: Sphinx, docname: str) -> Page:
    """Read a page as it was written to the site."""
    text = pathlib.Path(app.outdir, f"{docname}.html").read_text(encoding="utf-8")
    return Page(
        name=docname.rpartition("/")[2],
        title=app.env.titles[docname].astext(),
        anchors=anchors(text),
        labels=labels(app.env, docname),
    )


def write_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write a page at the old address of each chapter that is a folder, when all else is there."""
    if exception is not None or app.builder.format != "html":
        return
    for first in sorted(filter(is_first, app.env.found_docs)):
        old = first.removesuffix("/index")
        if old not in app.env.found_docs:
            pages = [read_page(app, docname) for docname in folder_pages(app.env, first)]
            text = write(old.rpartition("/")[2], pages[0].title, pages)
            pathlib.Path(app.outdir, f"{old}.html").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
