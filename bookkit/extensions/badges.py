"""Badges: each claim says that it is checked, and unfolds its check where it stands.

On the pages of a chapter in the form of a folder, the code cells tagged ``check-<ID>`` leave the text and go
into a fold beside the statement of their claim, with the wrong variants that they refuse and a link to the
list of claims. The fold is plain HTML, so it opens without a script, by keyboard, and for a screen reader. On
every page the claims become objects of the search, so that an ID finds its statement first.
"""

import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains import Domain, ObjType

from bookkit.extensions.claims_index import link
from bookkit.pages import register as reg
from bookkit.pages.variants import FILE, Variant, read_variants

FOLDER_PAGE = re.compile(r"^book/\d\d-[\w-]+/[\w-]+$")
TAG = re.compile(r"^tag_check-([A-Za-z]+-\d+)$")


class Fold(nodes.General, nodes.Element):
    """A fold: ``details`` in HTML, and in every other format its content."""


class Summary(nodes.General, nodes.TextElement):
    """What is seen of a fold that is closed."""


def visit_fold(writer: Any, node: Fold) -> None:
    """Begin a fold."""
    writer.body.append(writer.starttag(node, "details", "\n"))


def depart_fold(writer: Any, node: Fold) -> None:
    """End a fold."""
    writer.body.append("</details>\n")


def visit_summary(writer: Any, node: Summary) -> None:
    """Begin what is always seen."""
    writer.body.append(writer.starttag(node, "summary", ""))


def depart_summary(writer: Any, node: Summary) -> None:
    """End what is always seen."""
    writer.body.append("</summary>\n")


def ignore(writer: Any, node: nodes.Element) -> None:
    """Show the content alone."""


class Claims(Domain):
    """The claims as objects of the search; links to them are labels, as everywhere."""

    name = "claims"
    label = "Claims"
    object_types = {"claim": ObjType("claim")}  # noqa: RUF012  (Sphinx declares it so)
    initial_data = {"places": {}}  # noqa: RUF012

    @property
    def places(self) -> dict[str, tuple[str, str]]:
        """Where each claim is stated: the page and the anchor."""
        found: dict[str, tuple[str, str]] = self.data["places"]
        return found

    def clear_doc(self, docname: str) -> None:
        """Forget the claims of a page that is read again."""
        for name in [name for name, (page, _) in self.places.items() if page == docname]:
            del self.places[name]

    def merge_domaindata(self, docnames: list[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process read."""
        self.places.update({n: place for n, place in otherdata["places"].items() if place[0] in docnames})

    def resolve_any_xref(self, *arguments: Any) -> list[Any]:
        """Leave links to the labels."""
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield the claims for the search, before everything else."""
        for name, (page, anchor) in self.places.items():
            yield name, name, "claim", page, anchor, 0


# -- what is on a page ---------------------------------------------------------------------------------------


def statements(
    doctree: nodes.document, claims: Mapping[str, reg.Claim]
) -> Iterator[tuple[str, nodes.Element]]:
    """Yield the claims that a page states, with the element that carries their label."""
    seen = set[str]()
    for element in doctree.findall(nodes.Element):
        for name in map(str, element.get("ids", ())):
            claim = re.sub(r"^EQUATION-", "", name.upper())
            if claim in claims and claim not in seen:
                seen.add(claim)
                yield claim, element


def check_cells(doctree: nodes.document) -> dict[str, list[nodes.container]]:
    """Return the cells that check each claim."""
    found: dict[str, list[nodes.container]] = {}
    for cell in doctree.findall(nodes.container):
        for match in filter(None, map(TAG.match, cell["classes"])):
            found.setdefault(match[1].upper(), []).append(cell)
    return found


# -- the badge -----------------------------------------------------------------------------------------------


def badge(claim: reg.Claim, cells: Sequence[nodes.container], variants: Sequence[Variant]) -> nodes.Element:
    """Make the badge of a claim: a fold with its checks, or, where words alone are, a line."""
    if not cells:
        line = nodes.paragraph("", f"{claim.kind} · ", classes=["badge", "words"])
        line += link("list", claim.id, claim.id)
        return line
    fold = Fold(classes=["badge"])
    count = f" · refuses {len(variants)} wrong {'variant' if len(variants) == 1 else 'variants'}"
    fold += Summary("", f"✓ checked · {claim.id}{count if variants else ''}")
    for cell in cells:
        cell.parent.remove(cell)
        fold += cell
    if variants:
        fold += nodes.paragraph("", "With any of these in the place of the truth, the check fails:")
        fold += nodes.bullet_list("", *(_item(variant.name) for variant in variants))
    fold += nodes.paragraph("", "", link("list", claim.id, f"{claim.id} in the list of claims"))
    return fold


def _item(text: str) -> nodes.list_item:
    """Make an item of a list."""
    return nodes.list_item("", nodes.paragraph("", text))


def place(element: nodes.Element, new: nodes.Element) -> None:
    """Put a badge where its statement ends: inside a box, under a heading, or after a paragraph or figure."""
    if isinstance(element, nodes.section):
        element.insert(1, new)
    elif "proof" in element.get("classes", ()):
        element.append(new)
    else:
        while not isinstance(element.parent, nodes.section | nodes.document) and not _is_box(element.parent):
            element = element.parent
        element.parent.insert(element.parent.index(element) + 1, new)


def _is_box(element: nodes.Element) -> bool:
    """Whether an element is a box of its own, in which a badge may stand."""
    return "proof" in element.get("classes", ()) or isinstance(element, nodes.container | nodes.admonition)


def add_badges(app: Sphinx, doctree: nodes.document) -> None:
    """Make the claims of a page findable; in a folder, fold their checks into badges."""
    root = pathlib.Path(app.srcdir)
    claims = {claim.id: claim for claim in reg.read_claims(root / "book" / "claims.yml")}
    domain = app.env.domains["claims"]
    assert isinstance(domain, Claims)
    stated = list(statements(doctree, claims))
    for name, element in stated:
        anchor = next(one for one in element["ids"] if name in one.upper())
        domain.places[name] = app.env.docname, anchor
    if not FOLDER_PAGE.match(app.env.docname):
        return
    variants, cells = read_variants(root / "book" / FILE), check_cells(doctree)
    for name, element in stated:
        mine = [cell for cell in cells.get(name, ()) if not _is_folded(cell)]
        place(element, badge(claims[name], mine, variants.get(name, ())))


def _is_folded(cell: nodes.Element) -> bool:
    """Whether a cell that checks two claims stands in the badge of the other."""
    return isinstance(cell.parent, Fold)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the nodes, the kind of object, and the hook."""
    bare = (ignore, ignore)
    app.add_node(Fold, html=(visit_fold, depart_fold), latex=bare, text=bare)
    app.add_node(Summary, html=(visit_summary, depart_summary), latex=bare, text=bare)
    app.add_domain(Claims)
    app.connect("doctree-read", add_badges, priority=600)  # after the cells have their anchors
    return {"parallel_read_safe": True, "parallel_write_safe": True}
