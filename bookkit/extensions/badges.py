"""Badges: each claim says that it is checked, and unfolds its check where it stands.

On the pages of a chapter in the form of a folder, the code cells tagged ``check-<ID>`` leave the text and go
into a fold beside the statement of their claim, with the wrong variants that they refuse and a link to the
list of claims; those tagged ``check-<label>`` go into the box with that label. What is tagged ``check``
alone, or has its statement on another page, is folded where it stands. On every page the claims become
objects of the search, so that an ID finds its statement first.
"""

import functools
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains import Domain, ObjType

from bookkit.extensions.claims_index import link
from bookkit.extensions.folds import Fold, Summary
from bookkit.pages import register as reg
from bookkit.pages.variants import Variant, read_variants

FOLDER_PAGE = re.compile(r"^book/\d\d-[\w-]+/[\w-]+$")
TAG = re.compile(r"^tag_check(?:-(.+))?$")
PLAIN = ""  # the name under which cells are kept that are tagged "check" alone


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
    """Return the cells that check each claim, each label, and nothing that has a name."""
    found: dict[str, list[nodes.container]] = {}
    for cell in doctree.findall(nodes.container):
        for match in filter(None, map(TAG.match, cell["classes"])):
            found.setdefault((match[1] or PLAIN).upper(), []).append(cell)
    return found


# -- the badge -----------------------------------------------------------------------------------------------


def badge(
    claim: reg.Claim,
    cells: Sequence[nodes.container],
    variants: Sequence[Variant],
    elsewhere: bool = False,
    shared: Sequence[nodes.Element] = (),
) -> nodes.Element:
    """Make the badge of a claim: a fold with its checks, or a line where the check is elsewhere or none.

    ``shared`` are links to the cells that stand in the badge of another claim, since they check both.
    """
    if not cells:
        mark = "✓ checked" if elsewhere or shared else claim.kind
        line = nodes.paragraph("", f"{mark} · ", classes=["badge", "words"])
        line += link("list", claim.id, claim.id)
        for one in shared:
            line += [nodes.Text(" · "), one]
        return line
    fold = folded(f"✓ checked · {claim.id}", cells, variants)
    fold += [nodes.paragraph("", "Also checked ", one) for one in shared]
    fold += nodes.paragraph("", "", link("list", claim.id, f"{claim.id} in the list of claims"))
    return fold


def folded(words: str, cells: Sequence[nodes.container], variants: Sequence[Variant] = ()) -> Fold:
    """Take cells out of the text into a fold, with the wrong variants that they refuse."""
    fold = Fold(classes=["badge"])
    count = f" · refuses {len(variants)} wrong {'variant' if len(variants) == 1 else 'variants'}"
    fold += Summary("", f"{words}{count if variants else ''}")
    for cell in cells:
        cell.parent.remove(cell)
        fold += cell
    if variants:
        fold += nodes.paragraph("", "With any of these in the place of the truth, the check fails:")
        fold += nodes.bullet_list("", *(_item(variant.name) for variant in variants))
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


def fold_in_place(cell: nodes.container, name: str) -> None:
    """Fold a check where it stands, under its first comment, or under the name of what it checks."""
    parent, index = cell.parent, cell.parent.index(cell)
    comment = re.match(r"\s*#\s*(.+)", cell.astext())
    words = f"✓ checked · {name}" if name else f"✓ checked: {comment[1]}" if comment else "✓ checked"
    parent.insert(index, folded(words, [cell]))


# -- Sphinx --------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def read_register(root: pathlib.Path) -> reg.Register:
    """Read the register once in each process of a build."""
    return reg.scan(root)


def add_badges(app: Sphinx, doctree: nodes.document) -> None:
    """Make the claims of a page findable; in a folder, fold their checks into badges."""
    root = pathlib.Path(app.srcdir)
    claims = read_register(root).claims
    domain = app.env.domains["claims"]
    assert isinstance(domain, Claims)
    stated = list(statements(doctree, claims))
    for name, element in stated:
        anchor = next(one for one in element["ids"] if name in one.upper())
        domain.places[name] = app.env.docname, anchor
    if FOLDER_PAGE.match(app.env.docname):
        fold_checks(doctree, stated, read_register(root), read_variants(root / "book"))


def fold_checks(
    doctree: nodes.document,
    stated: Sequence[tuple[str, nodes.Element]],
    register: reg.Register,
    variants: Mapping[str, Sequence[Variant]],
) -> None:
    """Fold the checks of a page, each beside its statement, or where it stands."""
    cells = check_cells(doctree)
    home: dict[nodes.container, str] = {}  # the claim in whose badge a cell stands
    for name, element in stated:
        tagged = cells.get(name, ())
        mine = [cell for cell in tagged if cell not in home]
        shared = [_to_cell(cell, name, home[cell]) for cell in tagged if cell in home]
        home |= dict.fromkeys(mine, name)
        checked = register.is_checked(name)
        place(element, badge(register.claims[name], mine, variants.get(name, ()), checked, shared))
    boxes = {
        str(name).upper(): box
        for box in doctree.findall(nodes.Element)
        if _is_statement(box)
        for name in box["ids"]
    }
    for name, found in cells.items():
        left = [cell for cell in found if not _is_folded(cell)]
        if left and name in boxes:
            place(boxes[name], folded("✓ checked", left, variants.get(name, ())))
        else:
            for cell in left:
                fold_in_place(cell, name)


def _to_cell(cell: nodes.container, name: str, other: str) -> nodes.reference:
    """Make a link to a cell of this page, which has its tags as anchors, in the badge of another claim."""
    anchor = next(one for one in cell["ids"] if re.fullmatch(rf"check-{name}(-\d+)?", one, re.I))
    return nodes.reference("", f"together with {other}", refid=anchor, internal=True)


def _is_statement(element: nodes.Element) -> bool:
    """Whether an element is the box of a labelled statement."""
    return "proof" in element.get("classes", ()) and bool(element["ids"])


def _is_folded(cell: nodes.Element) -> bool:
    """Whether a cell that checks two claims stands in the badge of the other."""
    return isinstance(cell.parent, Fold)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the kind of object and the hook."""
    app.setup_extension("bookkit.extensions.folds")
    app.add_domain(Claims)
    app.connect("doctree-read", add_badges, priority=600)  # after the cells have their anchors
    return {"parallel_read_safe": True, "parallel_write_safe": True}
