"""Execute the pages whose text changed and write their notebooks: ``sync.py [--all] [NAME ...]``.

The text (.md) is edited, the notebook (.ipynb) is its executed twin. A page is executed when the two
differ in source or metadata, or a cell was never executed; times of files play no part. What is written
depends on nothing but the page: cell IDs come from the content, and there are no times or versions.
A name is that of a chapter, ``05-kernels``, which may be a folder of pages, or of one page of a folder,
``05-kernels/definition``. As many pages run at once as there are cores, the longest first. Where a page
fails, its old notebook stays. When every page was executed, ``book/timings.json`` is brought up to date.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import itertools
import json
import math
import os
import pathlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from bookkit import ROOT
from bookkit.pages import timings
from bookkit.pages.chapters import (
    Problem,
    asked_for,
    book_files,
    chapter_of,
    file_name,
    page_name,
    paired_pages,
    read_notebook,
)

BOOK = ROOT / "book"

# What a notebook records about a run, not about the chapter.
PASSING = {"execution", "trusted", "collapsed", "scrolled", "jupyter"}
REMEDY = "run make sync"
COLOUR = re.compile(r"\x1b\[[\d;]*m")
AT_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")  # of the cell itself, before the functions that it calls
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}


# -- checking --------------------------------------------------------------------


def lone_notebooks(book: pathlib.Path) -> Iterator[Problem]:
    """Find notebooks without a text."""
    texts = paired_pages(book)
    for notebook in book_files(book, ".ipynb"):
        if notebook.with_suffix(".md") not in texts:
            remedy = "write its .md with a jupytext header, or remove it"
            yield _problem(notebook, "there is no paired .md beside it", remedy)


def pair_problems(page: pathlib.Path) -> Iterator[Problem]:
    """Compare a page with its notebook: cells, metadata, and whether each was executed."""
    twin = page.with_suffix(".ipynb")
    if not twin.exists():
        yield _problem(page, "there is no notebook beside it")
        return
    text, notebook = read_notebook(page), read_notebook(twin)
    if _header(text) != _header(notebook):
        yield _problem(twin, "the notebook's metadata differ from the header of the .md")
    wanted, found = list(map(_inputs, text.cells)), list(map(_inputs, notebook.cells))
    if len(wanted) != len(found):
        yield _problem(twin, f"{len(found)} cells, where the .md has {len(wanted)}")
    for index, (a, b) in enumerate(zip(wanted, found, strict=False)):
        if a != b:
            yield _problem(twin, f"cell {index} differs from the .md: {_difference(a, b)}")
    for index, cell in enumerate(notebook.cells):
        # nbval compares nothing for a cell without an execution count.
        if cell.cell_type == "code" and cell.source.strip() and cell.execution_count is None:
            yield _problem(twin, f"cell {index} was never executed")


def _problem(path: pathlib.Path, message: str, remedy: str = REMEDY) -> Problem:
    """Make a problem of a pair."""
    return Problem(path=path, line=1, rule="pair", message=message, remedy=remedy)


def _header(notebook: Any) -> dict[str, Any]:
    """Read the metadata that both halves hold."""
    metadata = notebook.metadata
    jupytext = metadata.get("jupytext", {})
    return {"kernelspec": dict(metadata.get("kernelspec", {})), "formats": jupytext.get("formats")}


def _inputs(cell: Any) -> tuple[str, str, dict[str, Any]]:
    """Read what an author writes of a cell."""
    metadata = {key: value for key, value in cell.metadata.items() if key not in PASSING}
    return cell.cell_type, cell.source.strip(), metadata


def _difference(a: tuple[Any, ...], b: tuple[Any, ...]) -> str:
    """Name the parts that differ."""
    names = ("kind", "source", "metadata")
    return ", ".join(name for name, x, y in zip(names, a, b, strict=True) if x != y)


# -- executing -------------------------------------------------------------------


class ChapterError(Exception):
    """A page does not run; the message shows the cell."""


def execute(page: pathlib.Path) -> Any:
    """Execute a page in its folder, showing progress, and return the notebook."""
    notebook = read_notebook(page)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(page.parent)}},
        extra_arguments=["--log-level=ERROR"],  # kernels remark on plain TCP, which stays on this machine
        on_cell_start=_progress(page, notebook),
    )
    try:
        client.execute()
    except CellExecutionError as error:
        raise ChapterError(_describe(page, notebook, error)) from None
    except (CellTimeoutError, DeadKernelError) as error:
        raise ChapterError(f"{file_name(page)}: {error}") from None
    return notebook


def _progress(page: pathlib.Path, notebook: Any) -> Callable[..., None]:
    """Make a hook that shows, on a terminal, the cell that runs."""
    numbers = itertools.count(1)
    total = sum(cell.cell_type == "code" for cell in notebook.cells)

    def show(*, cell: Any, **_: Any) -> None:
        if cell.cell_type == "code":
            number = next(numbers)
            if sys.stderr.isatty():
                print(
                    f"\r{page_name(page)}: cell {number} of {total} ", end="\r", file=sys.stderr, flush=True
                )

    return show


def _describe(page: pathlib.Path, notebook: Any, error: CellExecutionError) -> str:
    """Say which cell failed, in which section, and how."""
    heading = "the beginning"
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            headings = [line for line in cell.source.splitlines() if line.startswith("#")]
            heading = headings[-1].lstrip("# ") if headings else heading
        elif any(output.output_type == "error" for output in cell.outputs):
            found = AT_LINE.search(COLOUR.sub("", error.traceback))
            at = int(found[1]) if found else 0
            lines = enumerate(cell.source.splitlines(), 1)
            source = "\n".join(f"{'--> ' if number == at else '    '}{line}" for number, line in lines)
            return f"{file_name(page)}, under “{heading}”:\n\n{source}\n\n{error.ename}: {error.evalue}"
    return f"{file_name(page)}: {error}"


def serialise(notebook: Any) -> str:
    """Write an executed notebook as text that depends on nothing but its content."""
    for key in notebook.metadata.keys() - {"jupytext", "kernelspec"}:
        del notebook.metadata[key]
    notebook.metadata["jupytext"].get("text_representation", {}).pop("jupytext_version", None)
    notebook.metadata["language_info"] = LANGUAGE
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        cell.id = _cell_id(cell, seen)
        cell.metadata.pop("execution", None)
    nbformat.validate(notebook)
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]


def _cell_id(cell: Any, seen: Counter[str]) -> str:
    """Derive an ID from the content, so that an inserted cell leaves the IDs of the others as they are."""
    content = json.dumps([cell.cell_type, cell.source, cell.metadata], sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()[:10]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def sync_chapter(page: pathlib.Path) -> int:
    """Execute a page and replace its notebook as the last step; return the number of code cells."""
    notebook = execute(page)
    twin = page.with_suffix(".ipynb")
    draft = twin.with_suffix(".ipynb.new")
    draft.write_text(serialise(notebook), encoding="utf-8")
    draft.replace(twin)
    return sum(cell.cell_type == "code" for cell in notebook.cells)


def is_current(page: pathlib.Path) -> bool:
    """Whether a page's notebook is there and the same."""
    return not list(pair_problems(page))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """What became of a page: how many cells it has, what it took, or why it failed."""

    name: str
    cells: int = 0
    waited: float = 0
    spent: float = 0
    error: str = ""


def run(page: pathlib.Path) -> Run:
    """Execute a page; an error in it is an outcome."""
    name, start, spent = page_name(page), time.monotonic(), dict[str, float]()
    try:
        with timings.measured(spent, name):
            cells = sync_chapter(page)
    except ChapterError as error:
        return Run(name=name, error=str(error))
    return Run(name=name, cells=cells, waited=time.monotonic() - start, spent=spent[name])


def longest_first(pages: Sequence[pathlib.Path], known: timings.Timings | None) -> list[pathlib.Path]:
    """Put the pages that take longest first, and before them those of which nobody knows."""
    seconds = known.seconds if known else {}
    return sorted(pages, key=lambda page: -seconds.get(page_name(page), math.inf))


def run_all(pages: Sequence[pathlib.Path]) -> Iterator[Run]:
    """Execute pages, as many at once as there are cores; yield what became of each as it ends."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(len(pages), cores) < 2:
        yield from map(run, pages)
        return
    with concurrent.futures.ProcessPoolExecutor(min(len(pages), cores)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, page) for page in pages]):
            yield done.result()


def sync(pages: list[pathlib.Path], *, everything: bool = False, times: pathlib.Path | None = None) -> int:
    """Bring the notebooks of some pages up to date, and the file of times; return 1 if one failed."""
    current = [] if everything else [page for page in pages if is_current(page)]
    for page in current:
        print(f"{page_name(page)}: up to date", flush=True)
    failures: list[str] = []
    spent: dict[str, float] = {}
    for outcome in run_all([page for page in pages if page not in current]):
        if outcome.error:
            failures.append(outcome.name)
            print(f"\n{outcome.error}\n", file=sys.stderr, flush=True)
        else:
            spent[outcome.name] = outcome.spent
            print(f"{outcome.name}: executed {outcome.cells} cells in {outcome.waited:.0f} s", flush=True)
    if failures:
        print(f"NOT written, the old notebooks stay: {' '.join(failures)}", file=sys.stderr)
    elif times:
        timings.store(times, spent)
    return int(bool(failures))


def main(arguments: list[str] | None = None, book: pathlib.Path = BOOK) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Execute the pages whose text changed.")
    parser.add_argument("--all", action="store_true", help="execute every page, and note the times")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a chapter such as 05-kernels, or a page of it such as 05-kernels/definition; all by default",
    )
    options = parser.parse_args(arguments)
    pages = longest_first(paired_pages(book), timings.read(book / "timings.json"))
    wanted = set(map(asked_for, options.names))
    unknown = wanted - {name for page in pages for name in (page_name(page), chapter_of(page))}
    if unknown:
        print(f"No such chapter or page: {' '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if options.all and not wanted:
        return sync(pages, everything=True, times=book / "timings.json")
    chosen = [page for page in pages if not wanted or wanted & {page_name(page), chapter_of(page)}]
    return sync(chosen, everything=options.all)


if __name__ == "__main__":
    sys.exit(main())
