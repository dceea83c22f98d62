"""Show where the figures of ``book/figures.yml`` are drawn: ``figure_ids.py [--missing]``."""

import argparse
import pathlib
import sys

from bookkit import ROOT
from bookkit.pages.chapters import Problem, file_name
from bookkit.pages.figure_register import drawing_problems, find_drawn, places, read_figures, shape_problems

BOOK = ROOT / "book"


def problems(book: pathlib.Path = BOOK) -> list[Problem]:
    """List what is wrong with the register, and with the chapters by it."""
    path = book / "figures.yml"
    figures = read_figures(path)
    return [*shape_problems(figures, path), *drawing_problems(figures, find_drawn(book), path)]


def table(book: pathlib.Path = BOOK, *, missing: bool = False) -> str:
    """Write a line for each figure: its ID, the file and line where it is drawn, and what it shows."""
    found = places(find_drawn(book))
    lines = []
    for figure in read_figures(book / "figures.yml"):
        spots = [f"{file_name(spot.path)}:{spot.line}" for spot in found.get(figure.id, ())]
        if not (missing and spots):
            where = ", ".join(spots) or f"MISSING from {figure.chapter}"
            lines.append(f"{figure.id:11} {where:36} {figure.shows}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None, book: pathlib.Path = BOOK) -> int:
    """Print the table, and what is wrong."""
    parser = argparse.ArgumentParser(description="Show where the figures of book/figures.yml are drawn.")
    parser.add_argument("--missing", action="store_true", help="only those that no chapter draws")
    options = parser.parse_args(arguments)
    shown, wrong = table(book, missing=options.missing), problems(book)
    if shown:
        print(shown)
    for problem in wrong:
        print(problem, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
