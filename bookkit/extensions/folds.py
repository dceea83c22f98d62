"""Folds: ``details`` of plain HTML, which open without a script, by keyboard, and for a screen reader.

A proof whose class is ``fold`` shows its first paragraph, the idea, and unfolds the rest. A solution whose
class is ``dropdown`` shows its title. Badges fold checks.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


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


def fold_proofs(app: Sphinx, doctree: nodes.document) -> None:
    """Fold each proof that asks for it under its first paragraph; one of a single paragraph stays open."""
    for proof in list(doctree.findall(nodes.admonition)):
        if {"proof", "fold"} <= set(proof["classes"]) and len(proof) > 1:
            idea, *rest = proof.children
            proof.children = []
            proof += Fold("", Summary("", "", *idea.children), *rest, classes=["proof-fold"])


def fold_solutions(app: Sphinx, doctree: nodes.document) -> None:
    """Fold each solution that asks for it under its title."""
    for solution in list(doctree.findall(nodes.Element)):
        if {"solution", "dropdown"} <= set(solution.get("classes", ())):
            solution["classes"].remove("dropdown")
            title, *rest = solution.children
            summary = Summary("", "Show the solution")
            solution.children = []
            solution += [title, Fold("", summary, *rest, classes=["solution-fold"])]


def plain_summaries(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Show the words of a link in a summary, not the link: what unfolds on a click leads nowhere else."""
    for summary in list(doctree.findall(Summary)):
        for link in list(summary.findall(nodes.reference)):
            link.replace_self(nodes.inline("", "", *link.children))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the nodes and the hook."""
    bare = (ignore, ignore)
    app.add_node(Fold, html=(visit_fold, depart_fold), latex=bare, text=bare)
    app.add_node(Summary, html=(visit_summary, depart_summary), latex=bare, text=bare)
    app.connect("doctree-read", fold_proofs)
    app.connect("doctree-read", fold_solutions)
    app.connect("doctree-resolved", plain_summaries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
