"""Write the tables of the page that says how the book is checked, from what is checked.

A line ``% counts``, ``% problem sets`` or ``% times`` of the page becomes a table. The numbers are counted
when the site is built: claims and errata by the register, figures and assertions in the chapters, tests in
their sources, answers by the checker of problem sets, and times as the last full run stored them.
"""

import ast
import collections
import hashlib
import pathlib
from collections.abc import Mapping, Sequence

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookkit.pages import figure_register, timings
from bookkit.pages import register as reg
from bookkit.pages.chapters import chapter_of, chapter_pages, page_name, paired_pages, read_cells
from bookkit.pages.variants import read_variants
from coursekit.checking import check
from coursekit.sets import source

PAGE = "book/F-checked"
PACKAGES = ("lecturekit", "coursekit")
Row = tuple[str, ...]


def table(head: Row, align: str, rows: Sequence[Row]) -> str:
    """Write a table as MyST; ``align`` has l or r for each column."""
    rule = tuple({"l": ":---", "r": "---:"}[side] for side in align)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


# -- counts ------------------------------------------------------------------------------


def counts(root: pathlib.Path) -> dict[str, int]:
    """Count what is checked, by the words of the table."""
    wrong = sum(map(len, read_variants(root / "book").values()))
    refused = {"wrong variants of claims, each refused by the claim's check": wrong}
    return {**_claims(reg.scan(root)), **refused, **_cells(root / "book"), **_tests(root)}


def _claims(found: reg.Register) -> dict[str, int]:
    """Count claims and errata."""
    due, errata = found.due, [name for name in found.errata if name in found.stated]
    return {
        "claims that the book makes": len(found.claims),
        "claims stated in a chapter": sum(claim.id in found.stated for claim in due),
        "claims that a cell asserts": sum(bool(found.checking_cells(claim.id)) for claim in due),
        "claims that a test asserts": sum(bool(found.tests.get(claim.id)) for claim in due),
        "claims in words alone, with nothing to run": sum(not found.is_checked(claim.id) for claim in due),
        "errata, each shown to fail by a cell": sum(found.is_checked(name) for name in errata),
    }


def _cells(book: pathlib.Path) -> dict[str, int]:
    """Count the cells of the chapters, their assertions and their figures."""
    pages = paired_pages(book)
    code = [cell for page in pages for cell in read_cells(page) if cell.is_code]
    made = [sum(1 for _ in reg.assertions(cell.tree())) for cell in code]
    return {
        "chapters and appendices that are executed": len(set(map(chapter_of, pages))),
        "pages that they have": len(pages),
        "code cells in them": len(code),
        "assertions in these cells": sum(made),
        "figures, compared as drawings": sum(bool(figure_register.figure_name(cell)) for cell in code),
    }


def _tests(root: pathlib.Path) -> dict[str, int]:
    """Count the test functions by what they test, and the documented examples."""
    folders = sorted(path for path in (root / "tests").glob("*") if path.is_dir())
    found = collections.Counter(
        {folder.name: sum(map(_functions, folder.rglob("test_*.py"))) for folder in folders}
    )
    modules = [path for name in PACKAGES for path in sorted((root / name).glob("**/*.py"))]
    return {
        "test functions for the package": found["lecturekit"] + found["benchmarks"],
        "examples in its documentation that are run": sum(map(_examples, modules)),
        "test functions for problem sets and marking": found["coursekit"],
        "test functions for the text and the site": sum(
            found[folder] for folder in ("book", "bookkit", "site", "browser")
        ),
    }


def _functions(path: pathlib.Path) -> int:
    """Count the test functions of a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in nodes)


def _examples(path: pathlib.Path) -> int:
    """Count the docstrings of a module that hold an example."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return sum(">>> " in (ast.get_docstring(node) or "") for node in nodes if isinstance(node, documented))


def counts_table(root: pathlib.Path) -> str:
    """Write the counts."""
    rows = [(what, f"{number:,}") for what, number in counts(root).items()]
    return table(("what", "how many"), "lr", rows)


# -- problem sets --------------------------------------------------------------------------


def sets_table(root: pathlib.Path, known: dict[str, Mapping[str, int]]) -> str:
    """Write how many answers the tests of each problem set are tried on.

    Parameters
    ----------
    root : Path
        The folder of the book.
    known : dict
        Counts by the digest of a set's files, to look up and to add to.
    """
    rows, totals = [], collections.Counter[str]()
    for folder in sorted(path.parent for path in (root / "coursework").glob("*/mutants.yml")):
        digest = _digest(folder)
        if digest not in known:
            known[digest] = dict(check.planned(source.read(folder)))
        made = collections.Counter(known[digest])
        totals.update(made)
        rows.append((f"[](coursework/{folder.name}.ipynb)", *_columns(made)))
    head = ("set", "right answers", "known mistakes", "made by machine")
    return table(head, "lrrr", [*rows, ("**all**", *_columns(totals))])


def _columns(made: Mapping[str, int]) -> Row:
    """Sum the kinds of answers to the columns of the table."""
    right = made["model"] + made["accept"]
    wrong = made["blank"] + made["reject"]
    return f"{right:,}", f"{wrong:,}", f"{made['always-on'] + made['machine-made']:,}"


def _digest(folder: pathlib.Path) -> str:
    """Digest the files of a set."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


# -- times ---------------------------------------------------------------------------------


def times_table(root: pathlib.Path) -> str:
    """Write the seconds of each chapter, the pages of a folder added up, and the machine."""
    book = root / "book"
    stored = timings.read(book / "timings.json")
    if stored is None:
        raise ValueError("there is no book/timings.json; run make sync ALL=1")
    rows = [(f"[]({_first(book, name)}.ipynb)", f"{seconds}") for name, seconds in stored.by_chapter.items()]
    rows.append(("**all**", f"{sum(stored.seconds.values())}"))
    return f"{table(('page', 'seconds'), 'lr', rows)}\n\nThe machine: {stored.machine}."


def _first(book: pathlib.Path, chapter: str) -> str:
    """Name the page that a chapter begins with; it may have become a folder since it was timed."""
    return next(map(page_name, chapter_pages(book, chapter)), chapter)


# -- Sphinx --------------------------------------------------------------------------------


def write_tables(app: Sphinx, docname: str, text: list[str]) -> None:
    """Put the tables in the place of the lines that ask for them."""
    if docname != PAGE:
        return
    root = pathlib.Path(app.srcdir)
    known: dict[str, Mapping[str, int]] = dict(getattr(app.env, "answers_of_sets", {}))
    made = {
        "% counts": counts_table(root),
        "% problem sets": sets_table(root, known),
        "% times": times_table(root),
    }
    app.env.answers_of_sets = known  # type: ignore[attr-defined]
    for line, written in made.items():
        if f"\n{line}\n" not in text[0]:
            raise ValueError(f"{PAGE} has no line {line!r}")
        text[0] = text[0].replace(f"\n{line}\n", f"\n{written}\n")


def renew(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the page in every build: it counts what other files hold."""
    return [PAGE] if PAGE in env.found_docs else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the hooks."""
    app.connect("source-read", write_tables)
    app.connect("env-get-outdated", renew)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
