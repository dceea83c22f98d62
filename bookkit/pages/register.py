"""The register of claims: read it, find where the book states and checks each, and say what is missing."""

import ast
import collections
import dataclasses
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import yaml

from bookkit.pages.chapters import (
    CHAPTER,
    Problem,
    book_files,
    chapter_of,
    chapter_pages,
    file_name,
    is_paired,
    listed_pages,
    page_name,
    read_cells,
)

T = TypeVar("T")

KINDS = ("definition", "theorem", "algorithm", "example", "figure", "advice")
CHECKS = ("cell", "test", "text")
WORDS_SUFFICE = ("definition", "advice")
# IDs that are out in the world stay what they are. New ones go on from here, in claims.yml alone.
PUBLISHED = {
    "INTRO": 20, "LIN": 60, "BV": 17, "REG": 27, "KER": 26, "DUAL": 32, "SOLV": 18,
    "EVAL": 20, "SIG": 14, "ROC": 24, "CAL": 10, "CONC": 12, "BOOST": 10, "ERR": 100,
}  # fmt: skip
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
# A box that is no claim, such as a lemma: its label may stand in a tag too.
BOX = re.compile(r"^\s*:label:\s*([a-z]+-[\w-]+)\s*$", re.M)


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
    def page(self) -> str:
        """The page's name, with its folder if it has one."""
        return page_name(self.path)

    @property
    def chapter(self) -> str:
        """The chapter that the page belongs to."""
        return chapter_of(self.path)


@dataclasses.dataclass(frozen=True, kw_only=True)
class TaggedCell:
    """A code cell that says it checks something."""

    place: Place
    asserts: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Register:
    """What the register demands and what was found, by upper-case ID; ``written`` are the listed chapters."""

    claims: Mapping[str, Claim]
    stated: Mapping[str, tuple[Place, ...]]
    cells: Mapping[str, tuple[TaggedCell, ...]]
    tests: Mapping[str, tuple[Place, ...]]
    written: tuple[str, ...]
    boxes: Mapping[str, tuple[pathlib.Path, ...]] = dataclasses.field(default_factory=dict)

    @property
    def errata(self) -> tuple[str, ...]:
        """The errata that claims name, in order."""
        return errata_of(self.claims.values())

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


def errata_of(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the errata that claims name, by number."""
    return tuple(sorted({name for claim in claims for name in claim.errata}, key=_number))


def _number(name: str) -> int:
    """Return the number of an ID, zero where it has none."""
    return int(found[1]) if (found := re.fullmatch(r"[A-Z]+-(\d\d+)", name)) else 0


def find_labels(path: pathlib.Path) -> Iterator[tuple[str, Place]]:
    """Find the labels, names and targets of a page that have the form of an ID."""
    text = path.read_text(encoding="utf-8")
    for match in LABELS.finditer(text):
        name = next(group for group in match.groups() if group)
        line = text.count("\n", 0, match.start(match.lastindex or 0)) + 1
        yield name.upper(), Place(path=path, line=line)


def find_boxes(path: pathlib.Path) -> Iterator[tuple[str, pathlib.Path]]:
    """Find the labels of the boxes of a page that are no claims, in capitals."""
    for match in BOX.finditer(path.read_text(encoding="utf-8")):
        yield match[1].upper(), path


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
    listed = [chapter_of(pathlib.PurePosixPath(name)) for name in listed_pages(root / "_toc.yml")]
    return Register(
        claims={claim.id: claim for claim in read_claims(book / "claims.yml")},
        stated=_group(pair for page in pages for pair in find_labels(page)),
        cells=_group(pair for page in pages if is_paired(page) for pair in find_tagged_cells(page)),
        tests=_group(pair for test in tests for pair in find_marked_tests(test)),
        written=tuple(name for name in dict.fromkeys(listed) if chapter_pages(book, name)),
        boxes=_group(pair for page in pages for pair in find_boxes(page)),
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
    lines = path.read_text(encoding="utf-8").splitlines()

    def problem(name: str, words: str, remedy: str) -> Problem:
        entry = re.compile(rf"- \{{?id: {re.escape(name)}\b")
        line = next((number for number, text in enumerate(lines, start=1) if entry.match(text)), 1)
        return Problem(path=path, line=line, rule="register", message=name + words, remedy=remedy)

    for name, count in collections.Counter(claim.id for claim in claims).items():
        if count > 1:
            yield problem(name, f" is listed {count} times", "list every claim once")
        if _number(name) == 0:
            yield problem(name, " is no ID", "write capital letters, a hyphen and a number of two digits")
    for name in _gaps([*(claim.id for claim in claims), *errata_of(claims)]):
        yield problem(name, " is missing", "number without gaps; an ID that was published stays")
    for claim in claims:
        yield from (problem(claim.id, f": {what}", remedy) for what, remedy in _field_problems(claim))


def _gaps(names: Iterable[str]) -> Iterator[str]:
    """Yield the IDs that are missing: of each prefix those published, and those below the largest number."""
    last = dict(PUBLISHED)
    known = set(names)
    for name in known:
        prefix = name.partition("-")[0]
        last[prefix] = max(last.get(prefix, 0), _number(name))
    wanted = (f"{prefix}-{n:02d}" for prefix, count in last.items() for n in range(1, count + 1))
    return (name for name in wanted if name not in known)


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
        remedy = "name the decks that state it, 000 to 004, in quotes; what none states gets a label, no ID"
        yield f"sources {claim.sources}", remedy
    for name in claim.errata:
        if not re.fullmatch(r"ERR-\d\d+", name):
            yield f"erratum {name}", "write ERR- and a number of two digits or more"


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
    if claim is None and name not in register.errata:
        prefixes = {known.partition("-")[0] for known in (*register.claims, *PUBLISHED)}
        if name.partition("-")[0] in prefixes:
            message, remedy = f"the label {name} names no claim or erratum", "correct the label"
            yield Problem(path=last.path, line=last.line, rule="label", message=message, remedy=remedy)
        return
    if len(places) > 1:
        where = ", ".join(f"{file_name(place.path)}:{place.line}" for place in places)
        message, remedy = f"{name} is stated {len(places)} times ({where})", "keep one label and link to it"
        yield Problem(path=last.path, line=last.line, rule="stated", message=message, remedy=remedy)
    home = claim.chapter if claim else ERRATA_PAGE
    for place in places:
        if place.chapter != home:
            message, remedy = f"{name} is stated in {place.page}", f"state it in {home}"
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
    known = {*register.claims, *register.errata}
    for name, cells in register.cells.items():
        for cell in cells:
            path, line = cell.place.path, cell.place.line
            if name not in known and path not in register.boxes.get(name, ()):
                message = f"the tag check-{name} names no claim, no erratum and no label of its page"
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
    for name in register.errata:
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
    for name in register.written:
        if name[:2].isdigit() and name not in chapters:
            message, remedy = f"no claim belongs to {name}", "correct its name here or in claims.yml"
            yield Problem(path=toc, line=1, rule="chapter", message=message, remedy=remedy)


def folder_problems(book: pathlib.Path, toc: pathlib.Path) -> Iterator[Problem]:
    """Find pages of folders that the site would leave out, and chapters that have both forms."""
    listed = set(listed_pages(toc))
    for page in book_files(book, ".md"):
        if page.parent == book:
            if CHAPTER.match(page.stem) and (book / page.stem).is_dir():
                message = f"{page.stem} is a page and a folder"
                yield Problem(
                    path=page, line=1, rule="folder", message=message, remedy="remove one of the two"
                )
        elif page_name(page) not in listed:
            message, remedy = f"{page_name(page)} is not in {toc.name}", "list it under its chapter's index"
            yield Problem(path=page, line=1, rule="folder", message=message, remedy=remedy)
