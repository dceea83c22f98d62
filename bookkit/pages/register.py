"""The register of claims: read it, find where the book states and checks each, and say what is missing."""

import ast
import collections
import dataclasses
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import yaml

from bookkit.pages.chapters import Problem, is_paired, listed_pages, read_cells

T = TypeVar("T")

KINDS = ("definition", "theorem", "algorithm", "example", "figure", "advice")
CHECKS = ("cell", "test", "text")
WORDS_SUFFICE = ("definition", "advice")
PER_PREFIX = {
    "INTRO": 20, "LIN": 60, "BV": 17, "REG": 27, "KER": 26, "DUAL": 32, "SOLV": 18,
    "EVAL": 20, "SIG": 14, "ROC": 24, "CAL": 10, "CONC": 12, "BOOST": 10,
}  # fmt: skip
ERRATA = tuple(f"ERR-{number:02d}" for number in range(1, 101))
ERRATA_PAGE = "A-errata"

ID = r"[A-Za-z]+-\d+"
# A label option, a figure's or directive's name, a target, and a TeX label.
LABELS = re.compile(
    rf"^\s*(?:>\s*)?:?(?:label|name):\s*[\"']?({ID})[\"']?\s*$"
    rf"|^\(({ID})\)=\s*$"
    rf"|\\label\{{({ID})\}}",
    re.M,
)
CHECK_TAG = re.compile(r"^check-(.+)$")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Claim:
    """A row of claims.yml."""

    id: str
    kind: str
    title: str
    sources: tuple[str, ...]
    chapter: str
    check: str
    errata: tuple[str, ...] = ()
    note: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Place:
    """Somewhere in the book or the tests: a file and a line, and a test's name."""

    path: pathlib.Path
    line: int
    test: str = ""

    @property
    def stem(self) -> str:
        """The page's name without its ending."""
        return self.path.stem


@dataclasses.dataclass(frozen=True, kw_only=True)
class TaggedCell:
    """A code cell that says it checks something."""

    place: Place
    asserts: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Register:
    """What the register demands and what was found, by upper-case ID."""

    claims: Mapping[str, Claim]
    stated: Mapping[str, tuple[Place, ...]]
    cells: Mapping[str, tuple[TaggedCell, ...]]
    tests: Mapping[str, tuple[Place, ...]]
    written: tuple[str, ...]

    @property
    def due(self) -> tuple[Claim, ...]:
        """The claims of the chapters that are written."""
        return tuple(claim for claim in self.claims.values() if claim.chapter in self.written)

    def checking_cells(self, key: str) -> tuple[Place, ...]:
        """Cells that check a claim or an erratum, with an assertion."""
        return tuple(cell.place for cell in self.cells.get(key, ()) if cell.asserts)

    def is_checked(self, key: str) -> bool:
        """Whether a cell or a test asserts it."""
        return bool(self.checking_cells(key) or self.tests.get(key))


# -- reading ---------------------------------------------------------------------


def read_claims(path: pathlib.Path) -> list[Claim]:
    """Read claims.yml in its order; an unknown or missing field is an error."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [_claim(row) for row in rows]


def _claim(row: dict[str, Any]) -> Claim:
    """Make a claim of a row."""
    lists = {key: tuple(row.get(key, ())) for key in ("sources", "errata")}
    try:
        return Claim(**{**row, **lists})
    except TypeError as error:
        raise ValueError(f"claims.yml, {row.get('id', row)}: {error}") from None


def find_labels(path: pathlib.Path) -> Iterator[tuple[str, Place]]:
    """Find the labels, names and targets of a page that have the form of an ID."""
    text = path.read_text(encoding="utf-8")
    for match in LABELS.finditer(text):
        name = next(group for group in match.groups() if group)
        line = text.count("\n", 0, match.start(match.lastindex or 0)) + 1
        yield name.upper(), Place(path=path, line=line)


def find_tagged_cells(path: pathlib.Path) -> Iterator[tuple[str, TaggedCell]]:
    """Find the code cells of a page that are tagged ``check-<ID>``."""
    for cell in read_cells(path):
        for tag in cell.tags:
            match = CHECK_TAG.match(tag)
            if match and cell.is_code:
                asserts = any(True for _ in assertions(cell.tree()))
                place = Place(path=path, line=cell.line)
                yield match[1].upper(), TaggedCell(place=place, asserts=asserts)


def find_marked_tests(path: pathlib.Path) -> Iterator[tuple[str, Place]]:
    """Find the test functions and classes that are marked ``pytest.mark.claim("<ID>")``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                for name in _claim_marks(decorator):
                    yield name.upper(), Place(path=path, line=node.lineno, test=node.name)


def _claim_marks(decorator: ast.AST) -> Iterator[str]:
    """Read the IDs off every ``mark.claim(...)`` in a decorator."""
    for node in ast.walk(decorator):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.claim"):
            yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))


def assertions(tree: ast.AST) -> Iterator[ast.AST]:
    """Find the assert statements, the calls of ``assert_*`` and the calls of ``raises``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield node
        elif isinstance(node, ast.Call):
            name = called_name(node)
            if name.startswith("assert_") or name == "raises":
                yield node


def called_name(call: ast.Call) -> str:
    """Name the function of a call, without what is before the last dot."""
    return ast.unparse(call.func).rpartition(".")[2]


def scan(root: pathlib.Path) -> Register:
    """Read the register of a repository and search its book and tests.

    Parameters
    ----------
    root : Path
        The folder of ``_toc.yml``, ``book/`` and ``tests/``.
    """
    book = root / "book"
    pages = sorted(book.glob("**/*.md"))
    tests = sorted((root / "tests").glob("**/*.py"))
    listed = listed_pages(root / "_toc.yml")
    return Register(
        claims={claim.id: claim for claim in read_claims(book / "claims.yml")},
        stated=_group(pair for page in pages for pair in find_labels(page)),
        cells=_group(pair for page in pages if is_paired(page) for pair in find_tagged_cells(page)),
        tests=_group(pair for test in tests for pair in find_marked_tests(test)),
        written=tuple(stem for stem in listed if (book / f"{stem}.md").exists()),
    )


def _group(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Collect the values of each key."""
    groups: dict[str, list[T]] = collections.defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return {key: tuple(values) for key, values in groups.items()}


# -- rules -----------------------------------------------------------------------


def shape_problems(claims: list[Claim], path: pathlib.Path) -> Iterator[Problem]:
    """Check claims.yml by itself: the IDs, and the fields of each claim."""

    def problem(message: str, remedy: str) -> Problem:
        return Problem(path=path, line=1, rule="register", message=message, remedy=remedy)

    wanted = [f"{prefix}-{n:02d}" for prefix, count in PER_PREFIX.items() for n in range(1, count + 1)]
    counts = collections.Counter(claim.id for claim in claims)
    for name in wanted:
        if counts[name] != 1:
            yield problem(f"{name} is listed {counts[name]} times", "list every claim once")
    for name in counts.keys() - set(wanted):
        yield problem(f"{name} is not an ID of the register", "correct or remove it")
    for claim in claims:
        yield from (problem(f"{claim.id}: {what}", remedy) for what, remedy in _field_problems(claim))
    for name in ERRATA:
        if not any(name in claim.errata for claim in claims):
            yield problem(f"{name} belongs to no claim", "name it under errata: of the claim it mends")


def _field_problems(claim: Claim) -> Iterator[tuple[str, str]]:
    """Check the fields of one claim."""
    if claim.kind not in KINDS:
        yield f"kind {claim.kind!r}", f"use one of {', '.join(KINDS)}"
    if claim.check not in CHECKS:
        yield f"check {claim.check!r}", f"use one of {', '.join(CHECKS)}"
    if claim.check == "text" and claim.kind not in WORDS_SUFFICE:
        yield f"a {claim.kind} with check: text", "only definitions and advice may be words alone"
    if not 1 <= len(claim.title.split()) <= 12:
        yield f"title of {len(claim.title.split())} words", "write a short noun phrase"
    if not claim.sources or not set(claim.sources) <= {"000", "001", "002", "003", "004"}:
        yield f"sources {claim.sources}", "name decks 000 to 004, in quotes"
    for name in set(claim.errata) - set(ERRATA):
        yield f"erratum {name}", "use ERR-01 to ERR-100"


def statement_problems(register: Register) -> Iterator[Problem]:
    """Check that each claim of a written chapter is stated there, once."""
    for claim in register.due:
        places = register.stated.get(claim.id, ())
        if not places:
            yield Problem(
                path=pathlib.Path(f"{claim.chapter}.md"),
                line=1,
                rule="stated",
                message=f"{claim.id} ({claim.title}) is stated nowhere",
                remedy=f"give the statement `:label: {claim.id}`, or put `({claim.id})=` before it",
            )
    for name, places in register.stated.items():
        yield from _label_problems(register, name, places)


def _label_problems(register: Register, name: str, places: tuple[Place, ...]) -> Iterator[Problem]:
    """Check the places where one ID is a label."""
    claim, last = register.claims.get(name), places[-1]
    if claim is None and name not in ERRATA:
        if name.partition("-")[0] in (*PER_PREFIX, "ERR"):
            message, remedy = f"the label {name} names no claim or erratum", "correct the label"
            yield Problem(path=last.path, line=last.line, rule="label", message=message, remedy=remedy)
        return
    if len(places) > 1:
        where = ", ".join(f"{place.path.name}:{place.line}" for place in places)
        message, remedy = f"{name} is stated {len(places)} times ({where})", "keep one label and link to it"
        yield Problem(path=last.path, line=last.line, rule="stated", message=message, remedy=remedy)
    home = claim.chapter if claim else ERRATA_PAGE
    for place in places:
        if place.stem != home:
            message, remedy = f"{name} is stated in {place.stem}", f"state it in {home}"
            yield Problem(path=place.path, line=place.line, rule="chapter", message=message, remedy=remedy)


def check_problems(register: Register) -> Iterator[Problem]:
    """Check that each claim of a written chapter is checked in the way it says."""
    for claim in register.due:
        found = {
            "cell": register.checking_cells(claim.id),
            "test": register.tests.get(claim.id, ()),
            "text": (True,),
        }
        if not found.get(claim.check):
            yield Problem(
                path=pathlib.Path(f"{claim.chapter}.md"),
                line=1,
                rule="checked",
                message=f"{claim.id} ({claim.title}) is checked by no {claim.check}",
                remedy=f"assert it in a cell tagged check-{claim.id}"
                if claim.check == "cell"
                else f'mark the test that asserts it with pytest.mark.claim("{claim.id}")',
            )


def tag_problems(register: Register) -> Iterator[Problem]:
    """Check that every tag and every mark names a claim or an erratum, and that tagged cells assert."""
    known = {*register.claims, *ERRATA}
    for name, cells in register.cells.items():
        for cell in cells:
            path, line = cell.place.path, cell.place.line
            if name not in known:
                message = f"the tag check-{name} names no claim or erratum"
                yield Problem(path=path, line=line, rule="tag", message=message, remedy="correct the tag")
            if not cell.asserts:
                message = f"the cell tagged check-{name} asserts nothing"
                remedy = "add an assert, an assert_* call or pytest.raises"
                yield Problem(path=path, line=line, rule="tag", message=message, remedy=remedy)
    for name, places in register.tests.items():
        if name not in known:
            path, line = places[0].path, places[0].line
            message = f"{places[0].test} is marked claim({name!r}), which names no claim or erratum"
            yield Problem(path=path, line=line, rule="mark", message=message, remedy="correct the mark")


def constant_problems(path: pathlib.Path) -> Iterator[Problem]:
    """Find the assertions of a page that depend on nothing, such as ``assert 1 < 2``."""
    for cell in read_cells(path):
        for node in assertions(cell.tree()) if cell.is_code else ():
            if not _depends(node):
                yield Problem(
                    path=path,
                    line=cell.line + getattr(node, "lineno", 1) - 1,
                    rule="constant",
                    message=f"`{ast.unparse(node)}` cannot fail",
                    remedy="assert something that was computed",
                )


def _depends(node: ast.AST) -> bool:
    """Whether an assertion refers to a name."""
    parts = [node.test] if isinstance(node, ast.Assert) else [*getattr(node, "args", ())]
    return any(isinstance(inner, ast.Name) for part in parts for inner in ast.walk(part))


def errata_problems(register: Register) -> Iterator[Problem]:
    """Check that the errata of the written chapters, and all that are shown, are there and checked."""
    page = pathlib.Path(f"{ERRATA_PAGE}.md")
    for name in ERRATA:
        stated = name in register.stated
        if not stated and erratum_chapter(register, name) in register.written:
            message, remedy = f"{name} has no entry", f"add it under `({name})=`: its chapter is written"
            yield Problem(path=page, line=1, rule="erratum", message=message, remedy=remedy)
        if stated and not register.is_checked(name):
            place = register.stated[name][0]
            message, remedy = f"{name} is shown by no cell", f"assert it in a cell tagged check-{name}"
            yield Problem(path=place.path, line=place.line, rule="erratum", message=message, remedy=remedy)


def erratum_chapter(register: Register, name: str) -> str:
    """Name the chapter an erratum belongs to: that of the first claim it mends."""
    return next((claim.chapter for claim in register.claims.values() if name in claim.errata), "")


def chapter_problems(register: Register, toc: pathlib.Path) -> Iterator[Problem]:
    """Find numbered chapters of the table of contents that no claim belongs to."""
    chapters = {claim.chapter for claim in register.claims.values()}
    for stem in register.written:
        if stem[:2].isdigit() and stem not in chapters:
            message, remedy = f"no claim belongs to {stem}", "correct its name here or in claims.yml"
            yield Problem(path=toc, line=1, rule="chapter", message=message, remedy=remedy)
