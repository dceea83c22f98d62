"""The register of claims against the book: all stated, all checked, and no tag that names nothing."""

import dataclasses
import pathlib
from collections.abc import Callable, Iterable

import pytest

from bookkit import ROOT
from bookkit.pages import register as reg
from bookkit.pages import variants
from bookkit.pages.chapters import Problem, paired_pages
from tests.support.samples import HEADER


def report(problems: Iterable[Problem]) -> str:
    return "\n".join(map(str, problems))


def whole() -> list[reg.Claim]:
    return reg.read_claims(ROOT / "book" / "claims.yml")


def shape(claims: list[reg.Claim]) -> str:
    return report(reg.shape_problems(claims, ROOT / "book" / "claims.yml"))


# -- the book --------------------------------------------------------------------
@pytest.fixture(scope="module")
def book() -> reg.Register:
    return reg.scan(ROOT)


RULES = (reg.statement_problems, reg.check_problems, reg.tag_problems, reg.errata_problems)


@pytest.mark.parametrize("rule", RULES)
def test_book_keeps_the_rule(book: reg.Register, rule: Callable[[reg.Register], Iterable[Problem]]) -> None:
    assert not report(rule(book))


def test_every_claim_that_a_page_checks_has_an_entry_in_variants_yml(book: reg.Register) -> None:
    pages = sorted(ROOT.glob("book/[0-9][0-9]-*/*.md"))
    assert not report(variants.variant_problems(book, variants.read_variants(ROOT / "book"), pages))


def test_register_is_complete_and_no_assertion_constant() -> None:
    assert shape(whole()) == ""
    assert not report(p for page in paired_pages(ROOT / "book") for p in reg.constant_problems(page))


def test_chapters_have_claims(book: reg.Register, capsys: pytest.CaptureFixture[str]) -> None:
    assert not report(reg.chapter_problems(book, ROOT / "_toc.yml"))
    assert not report(reg.folder_problems(ROOT / "book", ROOT / "_toc.yml"))
    missing = sorted({claim.chapter for claim in book.claims.values()} - set(book.written))
    due, left = len(book.due), len(book.claims) - len(book.due)
    with capsys.disabled():
        print(f"\n{due} claims are due, {left} wait for {len(missing)} chapters: {' '.join(missing)}")


# -- broken samples ----------------------------------------------------------------

# IDs of no register, so that an outside count of the tests' marks cannot take these samples for checks.
CLAIMS = """
- {id: TOY-01, kind: theorem, title: A toy theorem, sources: ['000'], chapter: 05-toys, check: cell,
   errata: [ERR-07]}
- {id: TOY-02, kind: theorem, title: A tested one, sources: ['000'], chapter: 05-toys, check: test}
- {id: TOY-03, kind: advice, title: A word, sources: ['000'], chapter: 05-toys, check: text}
- {id: TOY-04, kind: theorem, title: A later one, sources: ['000'], chapter: 06-later, check: cell}
"""
CHAPTER = """
```{prf:theorem} A toy
:label: TOY-01

Words.
```

```{code-cell} ipython3
:tags: [check-TOY-01]

x = 1
assert x == 1
```

(TOY-02)=
Words.

$$
a
$$

```{math}
:label: toy-03
b
```
"""
ERRATUM = """
(ERR-07)=
## Wrong

```{code-cell} ipython3
:tags: [check-ERR-07]

x = 1
assert x == 1
```
"""
TOY_02 = "A tested one, sources: ['000'], chapter: 05-toys"
TESTS = """
import pytest

@pytest.mark.claim("TOY-02")
def test_toy():
    assert abs(-1) == 1
"""


@dataclasses.dataclass(frozen=True)
class Sample:
    """A small repository to break."""

    root: pathlib.Path

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text that is there once."""
        text = (self.root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def problems(self) -> str:
        """Report what every rule finds."""
        found = reg.scan(self.root)
        return report(problem for rule in RULES for problem in rule(found))


@pytest.fixture
def sample(tmp_path: pathlib.Path) -> Sample:
    made = Sample(tmp_path)
    pages = ["05-toys.ipynb", "A-errata.ipynb"]
    made.write("_toc.yml", "root: book/index\nchapters:\n" + "".join(f"- file: book/{p}\n" for p in pages))
    made.write("book/claims.yml", CLAIMS)
    made.write("book/05-toys.md", HEADER + CHAPTER)
    made.write("book/A-errata.md", HEADER + ERRATUM)
    made.write("tests/test_toy.py", TESTS)
    return made


def test_whole_sample_passes(sample: Sample) -> None:
    assert sample.problems() == ""
    found = reg.scan(sample.root)
    assert [claim.id for claim in found.due] == ["TOY-01", "TOY-02", "TOY-03"]
    assert (found.tests["TOY-02"][0].test, found.stated["TOY-01"][0].line) == ("test_toy", 15)


BREAKS = {
    "TOY-01 (A toy theorem) is stated nowhere": ("book/05-toys.md", ":label: TOY-01\n", ""),
    "TOY-01 is stated 2 times": ("book/05-toys.md", "(TOY-02)=", "(toy-01)=\n(TOY-02)="),
    "TOY-01 (A toy theorem) is checked by no cell": ("book/05-toys.md", "[check-TOY-01]", "[hide-input]"),
    "check-TOY-01 asserts nothing": ("book/05-toys.md", "assert x == 1", "print('assert x == 1')"),
    "check-TOY-09 names no claim": ("book/05-toys.md", "[check-TOY-01]", "[check-TOY-01, check-TOY-09]"),
    "label KER-99 names no claim": ("book/05-toys.md", "(TOY-02)=", "(KER-99)=\n(TOY-02)="),
    "TOY-02 is stated in 05-toys; state it in B": ("book/claims.yml", TOY_02, TOY_02.replace("05-toys", "B")),
    "TOY-02 (A tested one) is checked by no test": ("tests/test_toy.py", "TOY-02", "TOY-77"),
    "test_toy is marked claim('TOY-77')": ("tests/test_toy.py", "TOY-02", "TOY-77"),
    "ERR-07 has no entry": ("book/A-errata.md", "(ERR-07)=", ""),
    "ERR-07 is shown by no cell": ("book/A-errata.md", "[check-ERR-07]", "[hide-input]"),
}


@pytest.mark.parametrize("message", BREAKS)
def test_broken_sample_is_caught(sample: Sample, message: str) -> None:
    sample.edit(*BREAKS[message])
    assert message in sample.problems()


def test_mark_in_a_string_does_not_count_and_one_on_a_parameter_does(sample: Sample) -> None:
    sample.write("tests/test_toy.py", f"TEXT = '''{TESTS}'''\n")
    assert "TOY-02 (A tested one) is checked by no test" in sample.problems()
    mark = '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.claim("TOY-02"))])'
    sample.write("tests/test_toy.py", f"{mark}\ndef test_toy(x):\n    assert x\n")
    assert sample.problems() == ""


def test_erratum_of_an_unwritten_chapter_may_wait(sample: Sample) -> None:
    sample.edit("book/claims.yml", "chapter: 05-toys, check: cell", "chapter: 06-later, check: cell")
    sample.edit("book/05-toys.md", ":label: TOY-01\n", "")
    sample.edit("book/A-errata.md", ERRATUM, "")
    assert sample.problems() == ""


def test_erratum_outside_the_appendix_is_caught(sample: Sample) -> None:
    sample.edit("book/05-toys.md", "(TOY-02)=", "(ERR-08)=\n(TOY-02)=")
    sample.edit("book/claims.yml", "[ERR-07]", "[ERR-07, ERR-08]")
    problems = sample.problems()
    assert "ERR-08 is stated in 05-toys" in problems
    assert "ERR-08 is shown by no cell" in problems


def test_chapter_without_claims_is_caught(sample: Sample) -> None:
    sample.edit("book/claims.yml", "chapter: 06-later", "chapter: 06-latter")
    sample.edit("_toc.yml", "- file: book/A-errata", "- file: book/06-later.ipynb\n- file: book/A-errata")
    sample.write("book/06-later.md", HEADER)
    assert "no claim belongs to 06-later" in report(reg.chapter_problems(reg.scan(sample.root), sample.root))


TOC = """root: book/index
chapters:
- file: book/05-toys/index.ipynb
  sections:
  - file: book/05-toys/trains.ipynb
- file: book/A-errata.ipynb
- file: book/coursework/06-later.ipynb
"""


@pytest.fixture
def folder(sample: Sample) -> Sample:
    """Make the chapter a folder: the theorem and its check on the first page, the rest on another."""
    first, rest, last = CHAPTER.partition("\n(TOY-02)=")
    (sample.root / "book/05-toys.md").unlink()
    sample.write("book/05-toys/index.md", HEADER + first)
    sample.write("book/05-toys/trains.md", HEADER + rest + last)
    sample.write("_toc.yml", TOC)
    return sample


def test_a_claim_may_stand_on_any_page_of_its_chapter(folder: Sample) -> None:
    assert folder.problems() == ""
    found = reg.scan(folder.root)
    assert found.written == ("05-toys", "A-errata")
    assert [claim.id for claim in found.due] == ["TOY-01", "TOY-02", "TOY-03"]
    for name, page in {"TOY-01": "05-toys/index", "TOY-02": "05-toys/trains"}.items():
        assert (found.stated[name][0].page, found.stated[name][0].chapter) == (page, "05-toys")
    assert found.checking_cells("TOY-01")[0].page == "05-toys/index"


INDEX, TRAINS = "05-toys/index.md", "05-toys/trains.md"
FOLDER_BREAKS = {
    "TOY-02 (A tested one) is stated nowhere": (TRAINS, "(TOY-02)=", ""),
    f"TOY-01 is stated 2 times ({INDEX}:15, {TRAINS}:": (TRAINS, "(TOY-02)=", "(TOY-01)=\n(TOY-02)="),
    "TOY-02 is stated in 05-toys/trains; state it in B": (
        "claims.yml",
        TOY_02,
        TOY_02.replace("05-toys", "B"),
    ),
    "ERR-07 is stated in 05-toys/index; state it in A-errata": (INDEX, ":label: TOY-01", ":label: ERR-07"),
    f"{INDEX}:23: [tag] the cell tagged check-TOY-01 asserts nothing": (INDEX, "assert x == 1", "x"),
}


@pytest.mark.parametrize("message", FOLDER_BREAKS)
def test_broken_page_of_a_folder_is_caught(folder: Sample, message: str) -> None:
    name, old, new = FOLDER_BREAKS[message]
    folder.edit(f"book/{name}", old, new)
    assert message in folder.problems()


def test_a_page_that_the_contents_leave_out_and_a_chapter_of_both_forms_are_caught(folder: Sample) -> None:
    def found() -> str:
        return report(reg.folder_problems(folder.root / "book", folder.root / "_toc.yml"))

    assert found() == ""
    folder.edit("_toc.yml", "  - file: book/05-toys/trains.ipynb\n", "  - file: book/notation.md\n")
    assert "05-toys/trains is not in _toc.yml; list it under its chapter's index" in found()
    folder.write("book/05-toys.md", HEADER)
    assert found().startswith("05-toys.md:1: [folder] 05-toys is a page and a folder")


CONSTANTS = ["assert True", "assert 1 < 2", "assert 'text'", "np.testing.assert_allclose(1.0, [1.0])"]


@pytest.mark.parametrize("code", CONSTANTS)
def test_constant_assertion_is_caught(sample: Sample, code: str) -> None:
    page = sample.root / "book/05-toys.md"
    assert not list(reg.constant_problems(page)), "a computed one"
    sample.edit("book/05-toys.md", "assert x == 1", code)
    (problem,) = reg.constant_problems(page)
    assert "cannot fail" in problem.message
    assert problem.line == 24


def test_missing_claim_is_caught() -> None:
    claims = whole()
    for name in (claims[40].id, "SIG-14"):
        assert f"{name} is missing" in shape([claim for claim in claims if claim.id != name])


def with_id(name: str) -> reg.Claim:
    return dataclasses.replace(whole()[0], id=name)


def following(prefix: str, step: int = 1) -> str:
    """Return the next free ID, or one after it."""
    names = [name for claim in whole() for name in (claim.id, *claim.errata)]
    used = [int(name.partition("-")[2]) for name in names if name.startswith(f"{prefix}-")]
    return f"{prefix}-{max(used, default=0) + step:02d}"


def test_doubled_claims_gaps_and_odd_names_are_caught_and_next_numbers_need_no_python() -> None:
    claims = whole()
    added = (following("KER", 2), "ker-7", following("NEW", 2))
    problems = shape([*claims, claims[0], *map(with_id, added)])
    assert f"{claims[0].id} is listed 2 times" in problems
    assert f"{following('KER')} is missing" in problems
    assert "ker-7 is no ID" in problems
    assert f"{following('NEW')} is missing" in problems
    # the recipe of CONTRIBUTING.md: one entry in claims.yml, one statement, one cell
    new = dataclasses.replace(with_id(following("SIG")), errata=(following("ERR"),))
    assert shape([*whole(), new, with_id(following("NEW"))]) == ""


NEW = "- {id: TOY-05, kind: theorem, title: New, sources: ['000'], chapter: 05-toys, check: cell}\n"


def test_the_recipe_for_a_claim_is_walked(sample: Sample) -> None:
    sample.write("book/claims.yml", CLAIMS + NEW)
    assert "TOY-05 (New) is stated nowhere" in sample.problems()
    sample.edit("book/05-toys.md", "(TOY-02)=", "(TOY-05)=\nNew.\n\n(TOY-02)=")
    assert "TOY-05 (New) is checked by no cell" in sample.problems()
    sample.edit("book/05-toys.md", "[check-TOY-01]", "[check-TOY-01, check-TOY-05]")
    assert sample.problems() == ""


FIELD_BREAKS: dict[str, dict[str, object]] = {
    "kind 'lemma'": {"kind": "lemma"},
    "check 'eye'": {"check": "eye"},
    "with check: text": {"kind": "theorem", "check": "text"},
    "title of 13 words": {"title": "a " * 13},
    "sources ('005',)": {"sources": ("005",)},
    "erratum ERR-1": {"errata": ("ERR-1",)},
}


@pytest.mark.parametrize("message", FIELD_BREAKS)
def test_broken_field_is_caught(message: str) -> None:
    claims = whole()
    claims[0] = dataclasses.replace(claims[0], **FIELD_BREAKS[message])  # type: ignore[arg-type]
    assert message in shape(claims)
    assert "claims.yml:1:" not in shape(claims), "the line of the entry"


def test_erratum_of_no_claim_and_an_unknown_field_are_caught(tmp_path: pathlib.Path) -> None:
    claims = [dataclasses.replace(claim, errata=()) for claim in whole()]
    assert "ERR-52 is missing" in shape(claims)
    path = tmp_path / "claims.yml"
    path.write_text("- {id: TOY-01, colour: red}", encoding="utf-8")
    with pytest.raises(ValueError, match="TOY-01"):
        reg.read_claims(path)
