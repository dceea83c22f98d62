"""Show what a word of the glossary means where a page uses it.

The first place on a page that uses a word of the glossary, in running text, becomes a link to its entry;
``terms.js`` shows the entry in a card when the link is pointed at, focused or tapped. A word that the page
itself defines stays as it is, and so do all but a few of each section: this is a help, and no decoration.
Without a script there is a plain link.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookkit.extensions.folds import Summary
from bookkit.extensions.punctuation import bind

GLOSSARY = "book/glossary"
PAGES = re.compile(r"^book/(?:\d\d-|coursework/\d\d-)")
SCRIPT = "terms.js"
MOST = 12
MOST_OF_SECTION = 3
REFERENCE = "\x01"  # a reference to where a word is defined, which the card does not need
LINK = re.compile(r'<a class="term reference internal" href="[^"]*#(term-[^"]+)"')
CARDS = '<div class="terms" hidden>\n{cards}</div>\n'
CARD = '<div id="about-{anchor}">{text}</div>\n'
# In running text these are mostly meant as everybody means them.
EVERYDAY = frozenset(
    {"classification", "level", "noise", "power", "precision", "recall", "regression", "score", "slack"}
)
NO_TEXT = (
    "title subtitle reference literal literal_block math math_block caption raw comment table term rubric"
)
DEFINED = "strong emphasis"  # what is emphasised is often just defined
SEALED = (
    *(getattr(nodes, name) for name in f"{NO_TEXT} {DEFINED} target".split()),
    *(addnodes.pending_xref, addnodes.download_reference, Summary),
)


@dataclass(frozen=True, kw_only=True)
class Term:
    """A word of the glossary: its anchor there, its entry as HTML, and the pages that define it."""

    word: str
    anchor: str
    text: str
    defined_on: frozenset[str]


Place = tuple[nodes.Text, re.Match[str], Term]


# -- the glossary --------------------------------------------------------------------------------


def plain(paragraph: nodes.paragraph) -> nodes.paragraph:
    """Copy a paragraph, with words in the place of links, and a mark in that of references."""
    copied = paragraph.deepcopy()
    for link in list(copied.findall(addnodes.pending_xref)):
        is_word = link["reftype"] == "term"
        link.replace_self(nodes.Text(link.astext() if is_word else REFERENCE))
    return copied


def without_references(text: str) -> str:
    """Leave out the references of an entry, with their brackets."""
    kept = re.sub(
        rf"\s*\([^()]*{REFERENCE}[^()]*\)|\s*\b(?:see|by|in)\s+{REFERENCE}|\s*{REFERENCE}", "", text
    )
    return re.sub(r"\s+(?=[.,;])", "", kept)


def pages_of(paragraph: nodes.paragraph, env: BuildEnvironment) -> frozenset[str]:
    """Return the pages to which the references of an entry lead."""
    proofs: Mapping[str, Mapping[str, str]] = getattr(env, "proof_list", {})
    labels = env.domaindata["std"]["anonlabels"]
    targets = [link["reftarget"] for link in paragraph.findall(addnodes.pending_xref)]
    found = [proofs[name]["docname"] for name in targets if name in proofs]
    return frozenset(found + [labels[name.lower()][0] for name in targets if name.lower() in labels])


def read_glossary(app: Sphinx) -> list[Term]:
    """Read the words off the glossary."""
    found = []
    for item in app.env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        paragraph = next(iter(item.findall(nodes.paragraph)), None)
        for term in item.findall(nodes.term):
            if paragraph is not None and term["ids"]:
                pages = pages_of(paragraph, app.env)
                text = entry(app, paragraph)
                found.append(Term(word=term.astext(), anchor=term["ids"][0], text=text, defined_on=pages))
    return found


def entry(app: Sphinx, paragraph: nodes.paragraph) -> str:
    """Write an entry as HTML, without links, references and anchors."""
    written = app.builder.render_partial(plain(paragraph))["fragment"]  # type: ignore[attr-defined]
    return bind(re.sub(r"\s(?:id|name)=\"[^\"]*\"", "", without_references(str(written))).strip())


# -- the pages -----------------------------------------------------------------------------------


def pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Match any of the words, the longest first, also as a plural or at the beginning of a sentence."""
    parts = []
    for word in sorted(words, key=len, reverse=True):
        written = re.sub(r"(?:\\ )+", r"\\s+", re.escape(word)).replace("'", "['’]")
        if word == word.lower() and word[0].isalpha():
            written = f"[{word[0]}{word[0].upper()}]{written[1:]}"
        parts.append(written)
    return re.compile(rf"(?<![\w-])(?P<word>{'|'.join(parts)})(?:s|es)?(?![\w-]|['’]s)")


def _key(word: str) -> str:
    """Return the form of a word by which it is looked up."""
    return " ".join(word.lower().replace("’", "'").split())


def _is_sealed(node: nodes.Element) -> bool:
    """Whether an element is no running text by its class."""
    return bool({"cell", "admonition-title", "badge"} & set(node.get("classes", ())))


def texts(node: nodes.Element) -> Iterator[nodes.Text]:
    """Yield the pieces of running text."""
    for child in node.children:
        if isinstance(child, nodes.Text):
            if isinstance(node, nodes.paragraph | nodes.inline):
                yield child
        elif isinstance(child, nodes.Element) and not isinstance(child, SEALED) and not _is_sealed(child):
            yield from texts(child)


def _section(node: nodes.Node) -> int:
    """Identify the section below the title of the page that a node belongs to."""
    found = 0
    while node.parent is not None:
        if isinstance(node, nodes.section) and isinstance(node.parent, nodes.section):
            found = id(node)
        node = node.parent
    return found


def choose(doctree: nodes.document, terms: Mapping[str, Term]) -> list[Place]:
    """Choose the places of a page that get a link: of each word the first, and few in all."""
    wanted = pattern(term.word for term in terms.values())
    chosen: list[Place] = []
    seen, of_section = set[str](), dict[int, int]()
    for text in texts(doctree):
        section = _section(text)
        for match in wanted.finditer(text.astext()):
            term = terms[_key(match["word"])]
            full = of_section.get(section, 0) >= MOST_OF_SECTION
            if term.anchor in seen or full or len(chosen) == MOST:
                continue
            seen.add(term.anchor)
            of_section[section] = of_section.get(section, 0) + 1
            chosen.append((text, match, term))
    return chosen


def mark(doctree: nodes.document, terms: Mapping[str, Term], address: str) -> None:
    """Make links of the words; ``address`` leads to the glossary."""
    of_text: dict[int, list[Place]] = {}
    for place in choose(doctree, terms):
        of_text.setdefault(id(place[0]), []).append(place)
    for places in of_text.values():
        text, rest, new = places[0][0], 0, list[nodes.Node]()
        for _, match, term in places:
            new.append(nodes.Text(text.astext()[rest : match.start()]))
            link = nodes.reference(
                "", match[0], internal=True, refuri=f"{address}#{term.anchor}", classes=["term"]
            )
            new.append(link)
            rest = match.end()
        new.append(nodes.Text(text.astext()[rest:]))
        text.parent.replace(text, new)


class Terms:
    """The words of the glossary, read once in each build, before any page is written."""

    def __init__(self) -> None:
        self.found: list[Term] | None = None

    @staticmethod
    def is_meant(term: Term, docname: str) -> bool:
        """Whether a page is to explain a word: one with a meaning of its own, not defined there."""
        return term.word not in EVERYDAY and docname not in term.defined_on

    def mark(self, app: Sphinx, doctree: nodes.document, docname: str) -> None:
        """Make links of the words that a page uses."""
        if app.builder.format != "html" or GLOSSARY not in app.env.found_docs:
            return
        if self.found is None:
            self.found = read_glossary(app)
        if PAGES.match(docname):
            others = {_key(term.word): term for term in self.found if self.is_meant(term, docname)}
            mark(doctree, others, app.builder.get_relative_uri(docname, GLOSSARY))

    def add_cards(
        self, app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Put the entries of the words with a link below the article, and load what shows them."""
        used = {html.unescape(anchor) for anchor in LINK.findall(context.get("body") or "")}
        cards = [
            CARD.format(anchor=html.escape(term.anchor), text=term.text)
            for term in self.found or ()
            if term.anchor in used
        ]
        if cards:
            context["term_cards"] = CARDS.format(cards="".join(cards))
            app.add_js_file(SCRIPT, defer="defer")


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write every page again when the glossary has changed."""
    text = (app.env.doc2path(GLOSSARY), app.env.all_docs.get(GLOSSARY))
    changed = getattr(env, "glossary_read", None) not in (None, text)
    env.glossary_read = text  # type: ignore[attr-defined]
    return [page for page in env.found_docs if PAGES.match(page)] if changed else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    terms = Terms()
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", terms.mark, priority=800)
    app.connect("html-page-context", terms.add_cards, priority=200)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
