"""Wrong variants of claims: with one of them in the place of the truth, the claim's own check must fail.

``variants.yml`` in the folder of a chapter lists them by claim, or by the label of a statement. A variant
names a text of the page and another to stand in its place: another constant, a dropped condition, a printed
slip, a wrong algorithm. A check that passes all the same could not have noticed the mistake.

A page is run once, cell after cell. Where the first cell differs, a copy of the process branches off with the
variant and goes on to the claim's last check; what came before is not run again.
"""

import argparse
import contextlib
import dataclasses
import io
import json
import multiprocessing
import os
import pathlib
import resource
import signal
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

import matplotlib
import yaml
from threadpoolctl import threadpool_limits

from bookkit import ROOT
from bookkit.pages import warm
from bookkit.pages.chapters import Cell, Problem, read_cells
from bookkit.pages.register import CHECK_TAG, Register, scan

FILE = "variants.yml"
PROCESSOR_S = 120  # for a variant: some loop for ever
PATIENCE_S = 1200  # and by the clock, with ample room for a busy host: some wait for ever


@dataclasses.dataclass(frozen=True, kw_only=True)
class Variant:
    """A wrong variant.

    Attributes
    ----------
    claim, name
        the claim, and what is wrong, in a few words
    replace, by
        a text of the page's code, which stands there once, and what stands in its place
    """

    claim: str
    name: str
    replace: str
    by: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a variant: refused by the check, or why not."""

    claim: str
    name: str
    refused: bool
    words: str


def read_variants(book: pathlib.Path) -> dict[str, list[Variant]]:
    """Read the variants of every claim, by its name in capitals; an odd or missing field is an error."""
    found: dict[str, list[Variant]] = {}
    for path in sorted(book.glob(f"*/{FILE}")):
        for name, rows in (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).items():
            try:
                found[name.upper()] = [Variant(claim=name.upper(), **row) for row in rows]
            except TypeError as error:
                raise ValueError(f"{path.parent.name}/{path.name}, {name}: {error}") from None
    return found


# -- where a variant goes ------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """A variant on its page: the cell that it changes, the changed source, and the last check to run."""

    variant: Variant
    start: int
    source: str
    checks: tuple[int, ...]


def plan(variant: Variant, cells: Sequence[Cell]) -> Plan:
    """Find the cell of a page that a variant changes: a check of the claim, or else a cell above it."""
    checks = tuple(index for index, cell in enumerate(cells) if variant.claim in checked_by(cell))
    if not checks:
        raise ValueError(f"{variant.claim}: no cell of this page is tagged check-{variant.claim}")
    for places in (checks, range(checks[-1] + 1)):
        found = [index for index in places for _ in range(cells[index].source.count(variant.replace))]
        if found:
            break
    if len(found) != 1:
        raise ValueError(
            f"{variant.claim}, {variant.name!r}: the text {variant.replace!r} stands {len(found)} times in "
            "the code up to the check, not once; make it longer"
        )
    source = cells[found[0]].source.replace(variant.replace, variant.by)
    return Plan(variant=variant, start=found[0], source=source, checks=checks)


def checked_by(cell: Cell) -> set[str]:
    """Return the claims that a cell says it checks."""
    return {match[1].upper() for match in map(CHECK_TAG.match, cell.tags) if match and cell.is_code}


def pages_of(register: Register, claim: str) -> list[pathlib.Path]:
    """Return the pages whose cells check a claim."""
    return sorted({place.path for place in register.checking_cells(claim)})


# -- running -------------------------------------------------------------------------------------------------


def run_page(page: pathlib.Path, variants: Sequence[Variant]) -> Iterator[Outcome]:
    """Run a page, and each variant from where it differs; yield what became of them."""
    cells = [cell for cell in read_cells(page) if cell.is_code]
    plans = [plan(variant, cells) for variant in variants]
    names: dict[str, Any] = {"__name__": "__main__"}
    for index in range(max((p.checks[-1] for p in plans), default=-1) + 1):
        for one in plans:
            if one.start == index:
                yield _apart(one, cells, names)
        _execute(cells[index].source, names)


def _execute(source: str, names: dict[str, Any]) -> None:
    """Run a cell, without what only IPython understands and without what it prints."""
    lines = ("" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n"))
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile("\n".join(lines), "<cell>", "exec"), names)


def _apart(one: Plan, cells: Sequence[Cell], names: dict[str, Any]) -> Outcome:
    """Run a variant in a copy of this process, up to the claim's last check."""
    replies, answers = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.close(replies)
            os.write(answers, json.dumps(_verdict(one, cells, names)).encode())
        os._exit(0)
    os.close(answers)
    with os.fdopen(replies, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    refused, words = json.loads(said) if said else (False, "the process was lost, or ran too long")
    return Outcome(claim=one.variant.claim, name=one.variant.name, refused=refused, words=words)


def _verdict(one: Plan, cells: Sequence[Cell], names: dict[str, Any]) -> tuple[bool, str]:
    """Be the copy: say whether a check of the claim fails, as an assertion."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_S, PROCESSOR_S))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(PATIENCE_S)
    for index in range(one.start, one.checks[-1] + 1):
        try:
            _execute(one.source if index == one.start else cells[index].source, names)
        except AssertionError:
            if index in one.checks:
                return True, "refused"
            return False, f"code cell {index} failed, which is no check of the claim"
        except Exception as error:
            return False, f"{type(error).__name__} in code cell {index}, not a failed check: {error}"
    return False, "the check passes"


def run_variants(root: pathlib.Path, claims: Sequence[str] = ()) -> Iterator[Outcome]:
    """Run the variants of a book, or of some claims, each page in a process of its own."""
    variants = read_variants(root / "book")
    register = scan(root)
    chosen = {name.upper() for name in claims}
    wanted = {name: rows for name, rows in variants.items() if not chosen or name in chosen}
    for page, rows in by_page(register, wanted).items():
        yield from run_apart(page, rows)


def by_page(
    register: Register, variants: Mapping[str, Sequence[Variant]]
) -> dict[pathlib.Path, list[Variant]]:
    """Group variants by the page that checks their claim and holds the text that they replace."""
    found: dict[pathlib.Path, list[Variant]] = {}
    for claim, rows in variants.items():
        pages = pages_of(register, claim)
        for row in rows if pages else ():
            holds = (page for page in pages if any(row.replace in cell.source for cell in read_cells(page)))
            found.setdefault(next(holds, pages[0]), []).append(row)
    return found


def run_apart(page: pathlib.Path, variants: Sequence[Variant]) -> list[Outcome]:
    """Run the variants of a page in a process of its own."""
    replies, answers = multiprocessing.Pipe(duplex=False)
    with replies:
        process = warm.start(_answer, answers, page, list(variants))
        answers.close()
        try:
            outcomes, error = replies.recv()
        except EOFError:
            outcomes, error = [], "the process was lost"
        process.join()
    if error:
        raise RuntimeError(f"{page.name} could not be run:\n{error}")
    return list(outcomes)


def _answer(answers: Connection, page: pathlib.Path, variants: Sequence[Variant]) -> None:
    """Be that process: with one thread, since a copy would wait for ever for a pool that stayed behind."""
    os.environ["OMP_NUM_THREADS"] = "1"  # for what is loaded later
    threadpool_limits(1)
    warnings.simplefilter("ignore")
    matplotlib.use("agg")
    os.chdir(ROOT)
    with answers:
        try:
            answers.send((list(run_page(page, variants)), ""))
        except Exception as error:
            answers.send(([], f"{type(error).__name__}: {error}"))


# -- rules ---------------------------------------------------------------------------------------------------


def variant_problems(
    register: Register, variants: Mapping[str, Sequence[Variant]], pages: Sequence[pathlib.Path]
) -> Iterator[Problem]:
    """Find claims of some pages that have no variant, and variants that belong to no check."""
    for name in variants:
        if not pages_of(register, name):
            message, remedy = f"{name} is checked by no cell", "correct the ID"
            yield Problem(path=pathlib.Path(FILE), line=1, rule="variant", message=message, remedy=remedy)
    for claim in register.due:
        here = set(pages_of(register, claim.id)) & set(pages)
        if here and not variants.get(claim.id):
            message = f"{claim.id} ({claim.title}) has no wrong variant"
            path = pathlib.Path(claim.chapter, FILE)
            remedy = "add one: a near miss that its check must refuse"
            yield Problem(path=path, line=1, rule="variant", message=message, remedy=remedy)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run the wrong variants of claims; their checks must fail.")
    parser.add_argument("claims", nargs="*", help="some claims; all by default")
    options = parser.parse_args(arguments)
    outcomes = list(run_variants(ROOT, options.claims))
    for outcome in outcomes:
        verdict = "refused" if outcome.refused else f"NOT REFUSED, {outcome.words}"
        print(f"{outcome.claim}  {outcome.name}: {verdict}")
    print(f"{sum(o.refused for o in outcomes)} of {len(outcomes)} variants are refused.")
    return int(not all(outcome.refused for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
