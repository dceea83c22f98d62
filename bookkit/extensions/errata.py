"""Let readers of the errata choose among them: by chapter, lecture, mark, or a word.

Each entry begins with its marks and the decks it is about, as in *Wrong and loose, decks 000 and 003.*
They become classes of its section, and a form in front of the entries offers them; book.js shows those that
are asked for. Without scripts the form stays hidden, and all entries are there.
"""

import collections
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes
from sphinx.application import Sphinx

PAGE = "book/A-errata"
MARKS = ("wrong", "condition", "loose", "typo", "question")
LABEL = re.compile(r"^(ERR-\d\d+): ")
HEAD = re.compile(
    rf"^(?P<first>{'|'.join(MARKS)})(?: and (?P<second>{'|'.join(MARKS)}))?, "
    r"decks? (?P<decks>\d{3}(?:, \d{3})*(?: and \d{3})?)\.$",
    re.IGNORECASE,
)
FORM = """<form class="errata-filter" hidden>
<label>Chapter <select name="chapter"><option value="">all</option>{chapters}</select></label>
<label>Deck <select name="deck"><option value="">all</option>{decks}</select></label>
<label>Mark <select name="mark"><option value="">all</option>{marks}</select></label>
<label>With the words <input name="words" type="search" autocomplete="off"></label>
<label><input name="transcription" type="checkbox" value="1">
the transcription may be to blame ({transcribed})</label>
<p><output></output> <button type="reset">Show all</button></p>
</form>"""


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """What can be asked of an entry.

    Attributes
    ----------
    name : str
        Its ID.
    chapter : str
        The title of its group.
    marks, decks : tuple of str
        What is the matter with the statement, and where it stands.
    transcribed : bool
        Whether the transcription of the slides may be to blame.
    """

    name: str
    chapter: str
    marks: tuple[str, ...]
    decks: tuple[str, ...]
    transcribed: bool

    @property
    def classes(self) -> list[str]:
        """The classes of its section."""
        named = [f"mark-{mark}" for mark in self.marks] + [f"deck-{deck}" for deck in self.decks]
        return ["erratum", *named, *(["transcription"] if self.transcribed else [])]


def read(name: str, chapter: str, head: str, text: str) -> Erratum:
    """Read an entry: its ID, its group, the words in italics that it begins with, and all of it."""
    found = HEAD.match(head)
    if found is None:
        raise ValueError(
            f"{name} begins with {head!r}; want, for example, 'Wrong and loose, decks 000 and 003.'"
        )
    marks = tuple(mark.lower() for mark in (found["first"], found["second"]) if mark)
    return Erratum(
        name=name,
        chapter=chapter,
        marks=marks,
        decks=tuple(re.findall(r"\d{3}", found["decks"])),
        transcribed="transcription" in text.lower(),
    )


def _options(values: Iterable[str]) -> str:
    """Write the options of a list, in the order in which they come, with how often they do."""
    counted = collections.Counter(values)
    return "".join(
        f'<option value="{html.escape(value)}">{html.escape(value)} ({number})</option>'
        for value, number in counted.items()
    )


def form(entries: list[Erratum]) -> str:
    """Write the form."""
    decks = sorted(deck for entry in entries for deck in entry.decks)
    marks = sorted((mark for entry in entries for mark in entry.marks), key=MARKS.index)
    return FORM.format(
        chapters=_options(entry.chapter for entry in entries),
        decks=_options(decks),
        marks=_options(marks),
        transcribed=sum(entry.transcribed for entry in entries),
    )


def _entries(doctree: nodes.document) -> Iterator[tuple[nodes.section, Erratum]]:
    """Find the sections of the errata, each with what can be asked of it."""
    for section in doctree.findall(nodes.section):
        label = LABEL.match(section[0].astext())
        if label and isinstance(section.parent, nodes.section):
            head = next(iter(section.findall(nodes.emphasis)), nodes.emphasis()).astext()
            prose = " ".join(part.astext() for part in section.findall(nodes.paragraph))
            yield section, read(label[1], section.parent[0].astext(), head, prose)


def add_filter(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the entries and put the form in front of the first group."""
    if app.env.docname != PAGE:
        return
    entries = []
    for section, entry in _entries(doctree):
        section["classes"] += entry.classes
        section.parent["classes"] = [*{*section.parent["classes"], "errata-group"}]
        entries.append(entry)
    page = next(iter(doctree.findall(nodes.section)))
    first = next(place for place, child in enumerate(page) if isinstance(child, nodes.section))
    page.insert(first, nodes.raw("", form(entries), format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the hook."""
    app.connect("doctree-read", add_filter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
