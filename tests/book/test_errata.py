"""The filter of the errata: what it reads off each entry, and what the form offers."""

import re

import pytest

from bookkit import ROOT
from bookkit.extensions import errata
from bookkit.pages import register

PAGE = ROOT / "book" / "A-errata.md"


def test_an_entry_is_read() -> None:
    one = errata.read(
        "ERR-07", "Kernels", "Typo and loose, decks 000, 001 and 003.", "A TRANSCRIPTION lost it."
    )
    assert (one.marks, one.decks, one.transcribed) == (("typo", "loose"), ("000", "001", "003"), True)
    assert one.classes == [
        *("erratum", "mark-typo", "mark-loose"),
        *("deck-000", "deck-001", "deck-003", "transcription"),
    ]
    assert not errata.read("ERR-08", "Kernels", "Question, deck 002.", "Transcribed well.").transcribed


@pytest.mark.parametrize(
    "head",
    ["Wrong", "Bad, deck 003.", "Wrong, deck 3.", "Wrong as such, deck 003.", "Wrong, decks 000 001.", ""],
)
def test_another_beginning_is_refused(head: str) -> None:
    with pytest.raises(ValueError, match=r"ERR-09 begins with .* want, for example"):
        errata.read("ERR-09", "Kernels", head, "")


def test_the_form_counts() -> None:
    heads = ["Wrong, deck 003.", "Loose and wrong, decks 000 and 003.", "Loose, deck 001."]
    entries = [
        errata.read(f"ERR-0{k}", chapter, head, "")
        for k, (chapter, head) in enumerate(zip(["Trees & co", "Trees & co", "Links"], heads, strict=True))
    ]
    options = re.findall(r'<option value="([^"]+)">([^<]+)<', errata.form(entries))
    assert [text for _, text in options] == [
        *("Trees &amp; co (2)", "Links (1)"),
        *("000 (1)", "001 (1)", "003 (2)"),
        *("wrong (2)", "loose (2)"),
    ]
    assert all(text.startswith(value) for value, text in options)


ERRATA = register.errata_of(register.read_claims(ROOT / "book" / "claims.yml"))


def entries_of(source: str) -> dict[str, str]:
    parts = re.split(r"^\((ERR-\d+)\)=\n", source, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_entries_of_the_page_are_complete() -> None:
    entries = entries_of(PAGE.read_text(encoding="utf-8"))
    assert set(entries) == set(ERRATA)
    for name, text in entries.items():
        prose = text.split("```{code-cell}")[0]
        mended = prose.partition("**Mended:**")[2]
        assert "**Why.**" in prose, name
        assert re.search(r"\{(prf:ref|eq|numref)\}`|\]\(#", mended), f"{name} leads to no chapter"
