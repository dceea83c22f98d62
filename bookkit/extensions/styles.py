"""Put the stylesheets that every page has into one, without the rules for what no page has.

The theme brings the rules of a whole library of parts, of which the book uses few. A rule goes when it is for
a class or an element with a name that occurs neither in a page nor in a script of the site; what is inside
``:not()`` and its like does not count. The stylesheets themselves stay in their places. Comments that begin
with ``/*!``, the licences, stay too.
"""

import pathlib
import re
import zlib
from collections.abc import Iterable, Iterator

from sphinx.application import Sphinx

BUNDLE = "all.css"
APART = ("formulas.css", BUNDLE)  # this one is made for the formulas of the site already
LINK = re.compile(r'[ \t]*<link [^>]*?href="(?:\.\./)*_static/([\w./-]+\.css)[^"]*"[^>]*>\n*')
SKIPPED = re.compile(
    r'/\*.*?\*/|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|url\([^"\')]*\)|(?P<mark>[{};])', re.S
)
COMMENT = re.compile(r"/\*(?!!).*?\*/", re.S)
IMPORT = re.compile(r'@import\s+(?:url\()?"([^"]+)"\)?;')
GROUPS = ("@media", "@supports", "@layer", "@container")
NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
WORD = re.compile(r"[A-Za-z_-][\w-]*")
SCRIPT = re.compile(r'<script [^>]*?src="(?:\.\./)*(_static/[\w./-]+\.js)')
TAGS = re.compile(r'\b(?:class|id)="([^"]*)"')


# -- rules -----------------------------------------------------------------------------------


def statements(css: str) -> Iterator[tuple[str, str | None]]:
    """Yield what stands before each brace, and what is in it; of a line without one, the line."""
    depth, start, opened = 0, 0, 0
    for match in SKIPPED.finditer(css):
        mark = match["mark"]
        if mark == "{":
            depth += 1
            opened = match.start() if depth == 1 else opened
        elif mark == "}":
            depth -= 1
            if depth == 0:
                yield css[start:opened].strip(), css[opened + 1 : match.start()]
                start = match.end()
        elif mark == ";" and depth == 0:
            yield css[start : match.end()].strip(), None
            start = match.end()


def outside_brackets(selector: str) -> str:
    """Leave out what is in brackets, which says what an element is not, or names several."""
    shorter = re.sub(r"\([^()]*\)|\[[^\]]*\]", "", selector)
    return shorter if shorter == selector else outside_brackets(shorter)


def selectors(prelude: str) -> list[str]:
    """Split a list of selectors at the commas that are in no brackets."""
    parts, depth = [""], 0
    for character in prelude:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def prune(css: str, words: set[str]) -> str:
    """Keep the rules that can be for something whose classes and names are among the words."""
    kept = []
    for prelude, inner in statements(css):
        licence = "".join(re.findall(r"/\*!.*?\*/", prelude, re.S))
        bare = re.sub(r"/\*.*?\*/", "", prelude, flags=re.S).strip()
        if inner is None:
            kept.append(licence + ("" if bare.startswith("@charset") else bare))
        elif bare.startswith(GROUPS):
            rest = prune(inner, words)
            kept.append(licence + (f"{bare}{{{rest}}}" if rest else ""))
        elif bare.startswith("@"):
            kept.append(f"{licence}{bare}{{{inner}}}")
        else:
            used = [one for one in selectors(bare) if set(NAME.findall(outside_brackets(one))) <= words]
            kept.append(licence + (f"{','.join(used)}{{{inner.strip()}}}" if used else ""))
    return "\n".join(filter(None, kept))


# -- the site --------------------------------------------------------------------------------


def read(path: pathlib.Path) -> str:
    """Read a stylesheet with those that it imports."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return IMPORT.sub(lambda match: read(path.parent / match[1]), text)


def words_of(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Collect the classes and names of the pages, and every word of the scripts, which may be one."""
    named = {name for page in pages for value in TAGS.findall(page) for name in value.split()}
    return named.union(*(WORD.findall(script) for script in scripts))


def shared(pages: Iterable[str]) -> list[str]:
    """List the stylesheets that every page has, in their order."""
    lists = [[name for name in LINK.findall(page) if name not in APART] for page in pages]
    lists = [names for names in lists if names]
    return [name for name in lists[0] if all(name in names for names in lists)] if lists else []


def link_to(page: str, names: set[str], version: str) -> str:
    """Link a page to the one stylesheet, in the place of the first that it holds."""
    if BUNDLE in LINK.findall(page):
        return re.sub(rf"(?<=/{re.escape(BUNDLE)}\?v=)[0-9a-f]+", version, page)
    found = [match for match in LINK.finditer(page) if match[1] in names]
    if not found:
        return page
    address = re.sub(
        r'href="((?:\.\./)*)_static/[^"]*"', rf'href="\1_static/{BUNDLE}?v={version}"', found[0][0]
    )
    for match in reversed(found[1:]):
        page = page[: match.start()] + page[match.end() :]
    return page.replace(found[0][0], address, 1)


def write_bundle(app: Sphinx, exception: Exception | None) -> None:
    """Write the stylesheet, and link the pages to it."""
    if exception is not None or app.builder.format != "html":
        return
    site = pathlib.Path(app.outdir)
    static = site / "_static"
    paths = [path for path in site.rglob("*.html") if static not in path.parents]
    pages = {path: path.read_text(encoding="utf-8") for path in paths}
    kept = pathlib.Path(
        app.doctreedir, "stylesheets"
    )  # pages that were not written again have the link already
    names = shared(page for page in pages.values() if BUNDLE not in page)
    if names:
        kept.write_text("\n".join(names), encoding="utf-8")
    names = kept.read_text(encoding="utf-8").split()
    loaded = {name for page in pages.values() for name in SCRIPT.findall(page)}
    words = words_of(pages.values(), ((site / name).read_text(encoding="utf-8") for name in sorted(loaded)))
    css = "\n".join(prune(read(static / name), words) for name in names)
    version = f"{zlib.crc32(css.encode()):08x}"
    (static / BUNDLE).write_text(css, encoding="utf-8")
    for path, page in pages.items():
        linked = link_to(page, set(names), version)
        if linked != page:
            path.write_text(linked, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, to run when every page is there."""
    app.connect("build-finished", write_bundle, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
