"""The page of claims: each with a link to where the book states it and to what checks it.

The directive ``{claims-index}`` writes the page from the register (``register.py``). Each code cell tagged
``check-<ID>`` gets that tag as its anchor, so that the page can lead to it.
"""

import collections
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from bookkit.pages import register as reg
from bookkit.pages.chapters import chapter_pages

TAG = re.compile(r"^tag_(check-[A-Za-z]+-\d+)$")
MATH = re.compile(r"\$([^$]+)\$")


class ClaimsIndex(SphinxDirective):
    """Write the totals, and a list of claims for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Make the page."""
        self.env.claims_pages = {*_pages(self.env), self.env.docname}  # type: ignore[attr-defined]
        found = reg.scan(pathlib.Path(self.env.srcdir))
        book = pathlib.Path(self.env.srcdir) / "book"
        return [_totals(found), *_written(found, book), *_unwritten(found)]


# -- what the page says ----------------------------------------------------------------


def _totals(found: reg.Register) -> nodes.paragraph:
    """Count the claims."""
    due = found.due
    checked = sum(found.is_checked(claim.id) for claim in due)
    words = sum(claim.check == "text" for claim in due)
    left = len(found.claims) - len(due)
    missing = f", of which {left} belong to chapters that are not in this edition" if left else ""
    text = f"There are {len(found.claims)} claims{missing}. Code checks {checked}; words alone are {words}."
    return nodes.paragraph(text, text)


def _count(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _written(found: reg.Register, book: pathlib.Path) -> Iterator[nodes.section]:
    """Make a section for each chapter that is written."""
    for chapter in sorted({claim.chapter for claim in found.due}):
        section = nodes.section(ids=[f"claims-of-{chapter}"], names=[f"claims of {chapter}"])
        title = f"{_number(chapter).capitalize()}: {_heading(chapter_pages(book, chapter)[0])}"
        section += nodes.title("", "", link("page", chapter, title))
        section += _entries(found, [claim for claim in found.due if claim.chapter == chapter])
        yield section


def _heading(page: pathlib.Path) -> str:
    """Read the title of a page; when this page is read, Sphinx may not know it yet."""
    match = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.M)
    return match[1] if match else page.stem


def _number(stem: str) -> str:
    """Name a chapter or an appendix by the number or letter of its file."""
    prefix = stem.partition("-")[0]
    return f"chapter {int(prefix)}" if prefix.isdigit() else f"appendix {prefix}"


def _entries(found: reg.Register, claims: list[reg.Claim]) -> nodes.definition_list:
    """List claims: a list, not a table, so that it fits a narrow screen."""
    entries = nodes.definition_list(classes=["claims"])
    for claim in claims:
        line = nodes.paragraph("", "", nodes.Text(f"{claim.kind}; "), *_checks(found, claim))
        if claim.errata:
            line += nodes.Text("; mended in ")
            line += _joined(_erratum(found, name) for name in claim.errata)
        body = nodes.definition("", line)
        if claim.note:
            body += nodes.paragraph("", "", *_with_math(claim.note))
        stated = claim.id in found.stated
        name = (
            link("claim", claim.id, claim.id)
            if stated
            else nodes.inline(claim.id, f"{claim.id} (not stated)")
        )
        term = nodes.term("", "", name, nodes.Text(" "), *_with_math(claim.title), ids=[_anchor(claim.id)])
        entries += nodes.definition_list_item("", term, body)
    return entries


def _checks(found: reg.Register, claim: reg.Claim) -> Iterator[nodes.Node]:
    """Say what checks a claim."""
    places = [*found.checking_cells(claim.id), *found.tests.get(claim.id, ())]
    if not places:
        yield nodes.Text("words alone" if claim.check == "text" else "not checked")
        return
    yield nodes.Text("checked by ")
    yield from _joined(_place(claim.id, place, places[:index]) for index, place in enumerate(places))


def _place(key: str, place: reg.Place, before: list[reg.Place]) -> nodes.Node:
    """Name a cell, with a link to it, or a test."""
    if place.test:
        return nodes.literal("", f"{place.path.name}::{place.test}")
    anchor = f"{place.page}#check-{key}"
    number = sum(other.page == place.page and not other.test for other in before) + 1
    suffix = "" if number == 1 else f"-{number}"
    return link("check", anchor + suffix, f"a cell of {_number(place.chapter)}")


def _erratum(found: reg.Register, name: str) -> nodes.Node:
    """Name an erratum, with a link if it is written."""
    return link("claim", name, name) if name in found.stated else nodes.Text(name)


def _joined(parts: Iterator[nodes.Node]) -> Iterator[nodes.Node]:
    """Put commas between nodes."""
    for index, part in enumerate(parts):
        if index:
            yield nodes.Text(", ")
        yield part


def _with_math(text: str) -> Iterator[nodes.Node]:
    """Split a text at its formulas."""
    for index, part in enumerate(MATH.split(text)):
        if part:
            yield nodes.math(part, part) if index % 2 else nodes.Text(part)


def _unwritten(found: reg.Register) -> Iterator[nodes.Node]:
    """Fold away the claims of the chapters to come."""
    waiting = [claim for claim in found.claims.values() if claim.chapter not in found.written]
    if not waiting:
        return
    section = nodes.section(ids=["claims-not-yet-written"], names=["claims not yet written"])
    section += nodes.title("", "Not yet written")
    for chapter in sorted({claim.chapter for claim in waiting}):
        claims = [claim for claim in waiting if claim.chapter == chapter]
        summary = f"<details><summary>{chapter}: {_count(len(claims), 'claim')}</summary>"
        section += nodes.raw("", summary, format="html")
        items = (nodes.paragraph("", "", nodes.Text(f"{c.id} "), *_with_math(c.title)) for c in claims)
        section += nodes.bullet_list("", *(nodes.list_item("", item) for item in items))
        section += nodes.raw("", "</details>", format="html")
    yield section


# -- links -------------------------------------------------------------------------------


def link(kind: str, target: str, text: str) -> addnodes.pending_xref:
    """Make a link that ``resolve`` completes when every page has been read."""
    return addnodes.pending_xref(
        "", nodes.inline(text, text), reftype=f"register-{kind}", reftarget=target, refdomain="", refwarn=True
    )


def resolve(app: Sphinx, env: BuildEnvironment, node: Any, contents: nodes.Element) -> nodes.Node | None:
    """Find the page and the anchor of a link of ours; where there is none, Sphinx warns."""
    kind, target = node.get("reftype", ""), node.get("reftarget", "")
    if not kind.startswith("register-"):
        return None
    page = node.get("refdoc", env.docname)
    find = {"claim": _label, "check": _cell, "page": _page, "list": _entry}[kind.removeprefix("register-")]
    place = find(env, target)
    if place is None:
        return None
    docname, anchor = place
    return make_refnode(app.builder, page, docname, anchor, contents)


def _label(env: BuildEnvironment, name: str) -> tuple[str, str] | None:
    """Find a label: of a theorem or the like, a target, a figure, or an equation."""
    for label, proof in getattr(env, "proof_list", {}).items():
        if label.upper() == name:
            return proof["docname"], label
    targets: dict[str, tuple[str, str]] = env.domaindata["std"]["anonlabels"]
    equations = env.domaindata["math"].get("objects", {})
    for label, (docname, anchor, *_) in targets.items():
        if label.upper() == name:
            return docname, anchor
    for label, (docname, _number) in equations.items():
        if label.upper() == name:
            return docname, f"equation-{nodes.make_id(label)}"
    return None


def _cell(env: BuildEnvironment, target: str) -> tuple[str, str] | None:
    """Find a checking cell by its page and tag."""
    name, _, anchor = target.partition("#")
    page = _page(env, name)
    if page is None or anchor.lower() not in getattr(env, "checking_cells", {}).get(page[0], ()):
        return None
    return page[0], anchor.lower()


def _page(env: BuildEnvironment, name: str) -> tuple[str, str] | None:
    """Find a chapter, an appendix or a page of a chapter's folder; a problem set may have the same name."""
    pages = (f"book/{name}", f"book/{name}/index")
    return next(((page, "") for page in pages if page in env.found_docs), None)


def _entry(env: BuildEnvironment, name: str) -> tuple[str, str] | None:
    """Find the entry of a claim in the list of claims."""
    return next(((page, _anchor(name)) for page in sorted(_pages(env))), None)


def _anchor(name: str) -> str:
    """Return the anchor of a claim's entry in the list."""
    return f"list-{name.lower()}"


# -- anchors -----------------------------------------------------------------------------


def anchor_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each checking cell its tags as anchors, numbered where several check one claim."""
    seen: collections.Counter[str] = collections.Counter()
    anchors: list[str] = []
    for cell in doctree.findall(nodes.container):
        for match in filter(None, map(TAG.match, cell["classes"])):
            anchor = match[1].lower()
            seen[anchor] += 1
            anchors.append(anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")
            cell["ids"].append(anchors[-1])
    cells = {**getattr(app.env, "checking_cells", {}), app.env.docname: anchors}
    app.env.checking_cells = cells  # type: ignore[attr-defined]


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Bring together what parallel readers found."""
    cells = {**getattr(env, "checking_cells", {}), **getattr(other, "checking_cells", {})}
    env.checking_cells = cells  # type: ignore[attr-defined]
    env.claims_pages = _pages(env) | _pages(other)  # type: ignore[attr-defined]


def _pages(env: BuildEnvironment) -> set[str]:
    """List the pages that hold the directive."""
    pages: set[str] = getattr(env, "claims_pages", set())
    return pages


def renew(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the page in every build: it shows what other pages and the tests hold, and is quickly made."""
    return sorted(_pages(env) & env.found_docs)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive and the hooks."""
    app.add_directive("claims-index", ClaimsIndex)
    app.connect("doctree-read", anchor_cells)
    app.connect("env-merge-info", merge)
    app.connect("env-get-outdated", renew)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
