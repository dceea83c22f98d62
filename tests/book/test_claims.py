"""The register of claims against the book: all stated, all checked, and no tag that names nothing."""

import dataclasses
import pathlib
import textwrap
from collections.abc import Callable, Iterable

import pytest

from bookkit import ROOT
from bookkit.pages import register as reg
from bookkit.pages.chapters import Problem, paired_pages
from tests.support.samples import HEADER


def report(problems: Iterable[Problem]) -> str:
    return "\n".join(map(str, problems))


# -- the book --------------------------------------------------------------------


@pytest.fixture(scope="module")
def book() -> reg.Register:
    return reg.scan(ROOT)


def test_register_is_complete() -> None:
    path = ROOT / "book" / "claims.yml"
    assert not report(reg.shape_problems(reg.read_claims(path), path))


@pytest.mark.parametrize(
    "rule", [reg.statement_problems, reg.check_problems, reg.tag_problems, reg.errata_problems]
)
def test_book_keeps_the_rule(book: reg.Register, rule: Callable[[reg.Register], Iterable[Problem]]) -> None:
    assert not report(rule(book))


def test_no_assertion_is_constant() -> None:
    assert not report(p for page in paired_pages(ROOT / "book") for p in reg.constant_problems(page))


def test_chapters_have_claims(book: reg.Register, capsys: pytest.CaptureFixture[str]) -> None:
    assert not report(reg.chapter_problems(book, ROOT / "_toc.yml"))
    assert not report(reg.folder_problems(ROOT / "book", ROOT / "_toc.yml"))
    missing = sorted({claim.chapter for claim in book.claims.values()} - set(book.written))
    left = len(book.claims) - len(book.due)
    with capsys.disabled():
        print(
            f"\n{len(book.due)} claims are due, {left} wait for {len(missing)} chapters: {' '.join(missing)}"
        )


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
        rules = (reg.statement_problems, reg.check_problems, reg.tag_problems, reg.errata_problems)
        return report(problem for rule in rules for problem in rule(found))


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
    assert found.tests["TOY-02"][0].test == "test_toy"
    assert found.stated["TOY-01"][0].line == 15


CHAPTER_BREAKS = {
    "TOY-01 (A toy theorem) is stated nowhere": (":label: TOY-01\n", ""),
    "TOY-01 is stated 2 times": ("(TOY-02)=", "(toy-01)=\n(TOY-02)="),
    "TOY-01 (A toy theorem) is checked by no cell": (":tags: [check-TOY-01]", ":tags: [hide-input]"),
    "check-TOY-01 asserts nothing": ("assert x == 1", "print('assert x == 1')"),
    "check-TOY-09 names no claim": ("[check-TOY-01]", "[check-TOY-01, check-TOY-09]"),
    "label KER-99 names no claim": ("(TOY-02)=", "(KER-99)=\n(TOY-02)="),
}


@pytest.mark.parametrize("message", CHAPTER_BREAKS)
def test_broken_chapter_is_caught(sample: Sample, message: str) -> None:
    sample.edit("book/05-toys.md", *CHAPTER_BREAKS[message])
    assert message in sample.problems()


def test_claim_in_the_wrong_chapter_is_caught(sample: Sample) -> None:
    sample.edit(
        "book/claims.yml",
        "A tested one, sources: ['000'], chapter: 05-toys",
        "A, sources: ['000'], chapter: B",
    )
    assert "TOY-02 is stated in 05-toys; state it in B" in sample.problems()


def test_missing_and_unknown_marks_are_caught(sample: Sample) -> None:
    sample.edit("tests/test_toy.py", "TOY-02", "TOY-77")
    problems = sample.problems()
    assert "TOY-02 (A tested one) is checked by no test" in problems
    assert "test_toy is marked claim('TOY-77')" in problems


def test_mark_in_a_string_does_not_count(sample: Sample) -> None:
    sample.write("tests/test_toy.py", f"TEXT = '''{TESTS}'''\n")
    assert "TOY-02 (A tested one) is checked by no test" in sample.problems()


def test_mark_on_a_parameter_counts(sample: Sample) -> None:
    sample.write(
        "tests/test_toy.py",
        textwrap.dedent("""
            @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.claim("TOY-02"))])
            def test_toy(x):
                assert x
        """),
    )
    assert sample.problems() == ""


def test_erratum_without_entry_is_caught(sample: Sample) -> None:
    sample.edit("book/A-errata.md", "(ERR-07)=", "")
    assert "ERR-07 has no entry" in sample.problems()


def test_erratum_of_an_unwritten_chapter_may_wait(sample: Sample) -> None:
    sample.edit("book/claims.yml", "chapter: 05-toys, check: cell", "chapter: 06-later, check: cell")
    sample.edit("book/05-toys.md", ":label: TOY-01\n", "")
    sample.edit("book/A-errata.md", ERRATUM, "")
    assert sample.problems() == ""


def test_erratum_without_cell_is_caught(sample: Sample) -> None:
    sample.edit("book/A-errata.md", "[check-ERR-07]", "[hide-input]")
    assert "ERR-07 is shown by no cell" in sample.problems()


def test_erratum_outside_the_appendix_is_caught(sample: Sample) -> None:
    sample.edit("book/05-toys.md", "(TOY-02)=", "(ERR-08)=\n(TOY-02)=")
    sample.edit("book/claims.yml", "[ERR-07]", "[ERR-07, ERR-08]")
    problems = sample.problems()
    assert "ERR-08 is stated in 05-toys" in problems
    assert "ERR-08 is shown by no cell" in problems


def test_chapter_without_claims_is_caught(sample: Sample) -> None:
    sample.edit("book/claims.yml", "chapter: 06-later", "chapter: 06-latter")
    sample.edit(
        "_toc.yml", "- file: book/05-toys.ipynb", "- file: book/05-toys.ipynb\n- file: book/06-later.ipynb"
    )
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
    places = [found.stated[name][0] for name in ("TOY-01", "TOY-02")]
    assert [(place.page, place.chapter) for place in places] == [
        ("05-toys/index", "05-toys"),
        ("05-toys/trains", "05-toys"),
    ]
    assert found.checking_cells("TOY-01")[0].page == "05-toys/index"


FOLDER_BREAKS = {
    "TOY-02 (A tested one) is stated nowhere": ("05-toys/trains.md", "(TOY-02)=", ""),
    "TOY-01 is stated 2 times (05-toys/index.md:15, 05-toys/trains.md:": (
        *("05-toys/trains.md", "(TOY-02)=", "(TOY-01)=\n(TOY-02)="),
    ),
    "TOY-02 is stated in 05-toys/trains; state it in 04-cars": (
        *(
            "claims.yml",
            "A tested one, sources: ['000'], chapter: 05-toys",
            "A, sources: ['000'], chapter: 04-cars",
        ),
    ),
    "ERR-07 is stated in 05-toys/index; state it in A-errata": (
        *("05-toys/index.md", ":label: TOY-01\n", ":label: TOY-01\n:name: ERR-07\n"),
    ),
    "05-toys/index.md:23: [tag] the cell tagged check-TOY-01 asserts nothing": (
        *("05-toys/index.md", "assert x == 1", "x"),
    ),
}


@pytest.mark.parametrize("message", FOLDER_BREAKS)
def test_broken_page_of_a_folder_is_caught(folder: Sample, message: str) -> None:
    name, old, new = FOLDER_BREAKS[message]
    folder.edit(f"book/{name}", old, new)
    assert message in folder.problems()


def folder_report(sample: Sample) -> str:
    return report(reg.folder_problems(sample.root / "book", sample.root / "_toc.yml"))


def test_a_page_that_the_contents_leave_out_is_caught(folder: Sample) -> None:
    assert folder_report(folder) == ""
    folder.edit("_toc.yml", "  - file: book/05-toys/trains.ipynb\n", "  - file: book/notation.md\n")
    assert "05-toys/trains is not in _toc.yml; list it under its chapter's index" in folder_report(folder)


def test_a_chapter_of_both_forms_is_caught(folder: Sample) -> None:
    folder.write("book/05-toys.md", HEADER)
    assert folder_report(folder).startswith("05-toys.md:1: [folder] 05-toys is a page and a folder")


CONSTANTS = ["assert True", "assert 1 < 2", "assert 'text'", "np.testing.assert_allclose(1.0, [1.0])"]


@pytest.mark.parametrize("code", CONSTANTS)
def test_constant_assertion_is_caught(sample: Sample, code: str) -> None:
    sample.edit("book/05-toys.md", "assert x == 1", code)
    (problem,) = reg.constant_problems(sample.root / "book/05-toys.md")
    assert "cannot fail" in problem.message
    assert problem.line == 24


def test_computed_assertion_is_not_constant(sample: Sample) -> None:
    assert not list(reg.constant_problems(sample.root / "book/05-toys.md"))


def whole() -> list[reg.Claim]:
    return reg.read_claims(ROOT / "book" / "claims.yml")


def shape(claims: list[reg.Claim]) -> str:
    return report(reg.shape_problems(claims, pathlib.Path("claims.yml")))


def test_missing_claim_is_caught() -> None:
    claims = whole()
    assert f"{claims[40].id} is missing" in shape(claims[:40] + claims[41:])
    last = next(claim for claim in claims if claim.id == "SIG-14")
    assert "SIG-14 is missing" in shape([claim for claim in claims if claim is not last])


def with_id(name: str) -> reg.Claim:
    return dataclasses.replace(whole()[0], id=name)


def test_doubled_claims_gaps_and_odd_names_are_caught() -> None:
    claims = whole()
    problems = shape([*claims, claims[0], with_id("KER-28"), with_id("ker-7"), with_id("NEW-02")])
    assert f"{claims[0].id} is listed 2 times" in problems
    assert "KER-27 is missing" in problems
    assert "ker-7 is no ID" in problems
    assert "NEW-01 is missing" in problems


def test_a_claim_and_an_erratum_with_the_next_number_need_no_python() -> None:
    # the recipe of CONTRIBUTING.md: one entry in claims.yml, one statement, one cell
    claims = [*whole(), dataclasses.replace(with_id("SIG-15"), errata=("ERR-101",)), with_id("NEW-01")]
    assert shape(claims) == ""


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


def test_erratum_of_no_claim_is_caught() -> None:
    claims = [dataclasses.replace(claim, errata=()) for claim in whole()]
    assert "ERR-52 is missing" in shape(claims)


def test_unknown_field_is_an_error(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "claims.yml"
    path.write_text("- {id: TOY-01, colour: red}", encoding="utf-8")
    with pytest.raises(ValueError, match="TOY-01"):
        reg.read_claims(path)
