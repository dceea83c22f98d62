"""Badges: what a claim's fold holds and where it stands."""

import pytest
from docutils import nodes
from docutils.utils import new_document

from bookkit.extensions import badges, folds
from bookkit.pages import register as reg
from bookkit.pages.variants import Variant


def claim(name: str, kind: str = "theorem") -> reg.Claim:
    return reg.Claim(id=name, kind=kind, title="A", sources=("000",), chapter="05-toys", check="cell")


CLAIMS = {name: claim(name) for name in ("TOY-01", "TOY-02", "TOY-03")}
WRONG = Variant(claim="TOY-01", name="half the bound", replace="a", by="b")


@pytest.fixture
def page() -> nodes.document:
    """Make a page: a box and its two checks, a labelled paragraph with the next, a formula, a section."""
    tree = new_document("page")
    section = nodes.section("", nodes.title("", "Toys"), ids=["toys", "TOY-03"])
    box = nodes.container("", nodes.paragraph("", "A theorem."), classes=["proof", "theorem"], ids=["toy-01"])
    first = nodes.container("", nodes.literal_block("", "one"), classes=["cell", "tag_check-TOY-01"])
    both = nodes.container("", classes=["cell", "tag_check-TOY-01", "tag_check-TOY-02"], ids=["check-toy-02"])
    line = nodes.paragraph("", "A fact.", ids=["toy-02"])
    section += [box, first, line, both, nodes.paragraph("", "The end.")]
    tree += section
    return tree


def test_statements_are_found_by_their_labels(page: nodes.document) -> None:
    found = {name: type(element) for name, element in badges.statements(page, CLAIMS)}
    assert found == {"TOY-01": nodes.container, "TOY-02": nodes.paragraph, "TOY-03": nodes.section}
    equation = nodes.math_block("", "a", ids=["equation-toy-02"])
    assert [name for name, _ in badges.statements(equation, CLAIMS)] == ["TOY-02"]  # type: ignore[arg-type]


def test_cells_are_found_by_their_tags(page: nodes.document) -> None:
    assert {name: len(cells) for name, cells in badges.check_cells(page).items()} == {
        "TOY-01": 2,
        "TOY-02": 1,
    }


def test_a_badge_takes_its_cells_out_of_the_text(page: nodes.document) -> None:
    cells = badges.check_cells(page)["TOY-01"]
    fold = badges.badge(CLAIMS["TOY-01"], cells, [WRONG])
    assert isinstance(fold, folds.Fold)
    assert fold[0].astext() == "✓ checked · TOY-01 · refuses 1 wrong variant"
    assert [cell.parent for cell in cells] == [fold, fold]
    assert "half the bound" in fold.astext()
    assert "TOY-01 in the list of claims" in fold.astext()


def test_without_a_cell_there_is_a_line_and_a_tick_only_where_something_checks() -> None:
    line = badges.badge(claim("TOY-03", "definition"), [], [])
    assert line.astext() == "definition · TOY-03"
    assert badges.badge(claim("TOY-03"), [], [], elsewhere=True).astext() == "✓ checked · TOY-03"


def test_what_has_no_statement_here_is_folded_where_it_stands_and_a_label_takes_its_cell(
    page: nodes.document,
) -> None:
    register = reg.Register(claims=CLAIMS, stated={}, cells={}, tests={}, written=())
    box = nodes.container("", nodes.paragraph("", "A lemma."), classes=["proof", "lemma"], ids=["lem-toy"])
    tags = ("check-lem-toy", "check", "check-TOY-09")
    cells = [nodes.container("", classes=["cell", f"tag_{tag}"]) for tag in tags]
    cells[1] += nodes.literal_block("", "# twice two is four\nassert two")
    section = page.children[0]
    assert isinstance(section, nodes.section)
    section += [box, *cells]
    variants = {"LEM-TOY": [WRONG]}
    badges.fold_checks(page, list(badges.statements(page, CLAIMS)), register, variants)
    words = [fold[0].astext() for fold in page.findall(folds.Fold)]
    assert words == [
        "✓ checked · TOY-01",
        "✓ checked · refuses 1 wrong variant",
        "✓ checked: twice two is four",
        "✓ checked · TOY-09",
    ]
    assert cells[0].parent.parent is box
    other = [(one.parent.astext(), one["refid"]) for one in page.findall(nodes.reference)]
    assert other == [("✓ checked · TOY-02 · together with TOY-01", "check-toy-02")]
    assert all(isinstance(cell.parent, folds.Fold) for cell in badges.check_cells(page)["TOY-01"])


def test_a_solution_folds_under_its_title() -> None:
    tree = new_document("page")
    parts = [nodes.title("", "Solution"), nodes.paragraph("", "Two.")]
    tree += nodes.admonition("", *parts, classes=["solution", "dropdown"])
    tree += nodes.admonition("", *(part.deepcopy() for part in parts), classes=["solution"])
    folds.fold_solutions(None, tree)  # type: ignore[arg-type]
    (fold,) = tree.findall(folds.Fold)
    assert [part.astext() for part in fold.children] == ["Show the solution", "Two."]
    assert isinstance(fold.parent[0], nodes.title)
    assert "dropdown" not in fold.parent["classes"]


def test_a_proof_folds_under_its_idea() -> None:
    tree = new_document("page")
    parts = [nodes.paragraph("", "Proof. The idea."), nodes.paragraph("", "The rest.")]
    tree += nodes.admonition("", *parts, classes=["proof", "fold"])
    tree += nodes.admonition("", nodes.paragraph("", "Proof. Short."), classes=["proof", "fold"])
    tree += nodes.admonition("", *(part.deepcopy() for part in parts), classes=["proof"])
    folds.fold_proofs(None, tree)  # type: ignore[arg-type]
    (fold,) = tree.findall(folds.Fold)
    assert [part.astext() for part in fold.children] == ["Proof. The idea.", "The rest."]
    assert isinstance(fold[0], folds.Summary)


def test_a_summary_holds_the_words_of_a_link_and_no_link() -> None:
    tree = new_document("page")
    link = nodes.reference("", "", nodes.Text("(5.1)"), refuri="#equation-eq-pd")
    tree += [folds.Summary("", "", nodes.Text("By "), link), nodes.paragraph("", "", link.deepcopy())]
    folds.plain_summaries(None, tree, "page")  # type: ignore[arg-type]
    assert tree[0].astext() == "By (5.1)"
    assert [found.parent for found in tree.findall(nodes.reference)] == [tree[1]]


@pytest.mark.parametrize(
    ("name", "parent", "index"),
    [("TOY-01", nodes.container, 1), ("TOY-02", nodes.section, 4), ("TOY-03", nodes.section, 1)],
)
def test_a_badge_stands_where_the_statement_ends(
    page: nodes.document, name: str, parent: type[nodes.Element], index: int
) -> None:
    new = nodes.paragraph("", "badge")
    badges.place(dict(badges.statements(page, CLAIMS))[name], new)
    assert isinstance(new.parent, parent)
    assert new.parent.index(new) == index
