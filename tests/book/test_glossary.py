"""The glossary: in order, short, and every entry leads to a place in the chapters."""

import re

from bookkit import ROOT
from bookkit.pages import chapter_map
from bookkit.pages.chapters import chapter_pages, chapters_of

BOOK = ROOT / "book"
LONGEST = 75  # words of an entry, formulas and links included
LINK = re.compile(r"\{(?:prf:ref|eq|numref)\}`([\w-]+)`|\]\(#([\w-]+)\)|\]\((\d\d-[\w/-]+)\.ipynb\)")
END = re.compile(r"(\)|\{eq\}`[\w-]+`)\.$")  # the place in brackets, which an equation brings along
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`")


def entries() -> dict[str, str]:
    """Read the terms and what is said of each."""
    text = (BOOK / "glossary.md").read_text(encoding="utf-8")
    body = text.partition("```{glossary}\n")[2].removesuffix("\n```\n")
    pairs = [entry.strip("\n").partition("\n") for entry in body.split("\n\n")]
    assert len({term for term, _, _ in pairs}) == len(pairs), "a term is explained twice"
    return {term: " ".join(words.split()) for term, _, words in pairs}


def order(term: str) -> str:
    """Return what a term is sorted by: words before longer words, and no difference of case."""
    return re.sub(r"[-–]", " ", term).casefold()


def test_terms_are_in_order_entries_are_short_and_lead_to_places_and_entries_that_are_there() -> None:
    terms = list(entries())
    assert terms == sorted(terms, key=order)
    assert 90 <= len(terms) <= 150
    for term, words in entries().items():
        assert 5 <= len(words.split()) <= LONGEST, term
        assert END.search(words), term
        assert words.count(". ") <= 2, term
    pages = [page for chapter in chapters_of(BOOK) for page in chapter_pages(BOOK, chapter)]
    known = {label for page in pages for label in chapter_map.labels(page)}
    for term, words in entries().items():
        names = [name for groups in LINK.findall(words) for name in groups if name]
        assert names, f"{term} leads nowhere"
        assert not [name for name in names if name.lower() not in known], term
    known = {term.casefold() for term in entries()}
    used = {name.casefold() for words in entries().values() for name in TERM.findall(words)}
    assert len(used) > 20
    assert used <= known
    assert not [term for term, it in entries().items() if f"{{term}}`{term}`" in it], "it leads to itself"
