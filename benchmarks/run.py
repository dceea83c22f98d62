"""Run the benchmarks: ``python -m benchmarks.run [--quick] [--only PART]``.

A full run writes ``benchmarks/PART.json`` for every part it ran and the tables of ``book/D-benchmarks.md``;
the other parts of that page stay as they are stored. A quick run only prints. The part ``pages`` measures the
built site in a browser (``benchmarks/pages.py``), and runs only where it is asked for.
"""

# ruff: noqa: E402  (the number of threads must be set before the libraries are imported)

import os

for library in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import importlib
import pathlib
import platform
import sys
import time
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version

from benchmarks.measure import keep_memory
from benchmarks.report import Comparison, Report, assemble, render, replace_between

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks"
PAGE = ROOT / "book" / "D-benchmarks.md"
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")
# A part is a module with the functions contests and warm_up and, if it has peers of its own, their names.
PARTS = {
    "svm": "Support vector machines",
    "penalized": "Penalised regression",
    "logistic": "Logistic and softmax regression",
    "monte_carlo": "Simulations",
    "metrics": "Measures of scores",
    "calibration": "Isotonic regression",
    "significance": "Tests of two ROC curves",
    "concentration": "Coin flips",
    "boosting": "Boosting",
}
PAGES = "pages"  # runs in a browser, and has a command and tables of its own


def cpu_name() -> str:
    """Return what the processor calls itself."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def compare(part: str, quick: bool) -> Report:
    """Run the contests of a part one after the other, saying which."""
    keep_memory()
    module = importlib.import_module(f"benchmarks.{part}")
    print(f"{part}: compiling", file=sys.stderr, flush=True)
    module.warm_up()
    programme = [contest for contest in module.contests() if contest.quick or not quick]
    found: list[Comparison] = []
    for number, contest in enumerate(programme, start=1):
        print(f"{number:2} of {len(programme)}: {contest.name}", end="", file=sys.stderr, flush=True)
        start = time.monotonic()
        found += contest.run()
        print(f", {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    packages = (*PACKAGES, *getattr(module, "PEERS", ()))
    versions = {"Python": platform.python_version()} | {name: version(name) for name in packages}
    return Report(date=date.today().isoformat(), cpu=cpu_name(), versions=versions, comparisons=tuple(found))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, run, print, and write what a full run found."""
    parser = argparse.ArgumentParser(description="Compare the solvers with those of other libraries.")
    parser.add_argument("--quick", action="store_true", help="a small part of each, and nothing is written")
    parser.add_argument(
        "--only", choices=[*PARTS, PAGES], help="run this part, and keep what is stored of the others"
    )
    chosen = parser.parse_args(arguments)
    if chosen.only == PAGES:
        importlib.import_module(f"benchmarks.{PAGES}").main(["--quick"] if chosen.quick else [])
        return
    for part in [chosen.only] if chosen.only else PARTS:
        report = compare(part, chosen.quick)
        print(render(PARTS[part], report))
        if not chosen.quick:
            (RESULTS / f"{part}.json").write_text(report.to_json(), encoding="utf-8")
            page = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(replace_between(page, assemble(PARTS, RESULTS)), encoding="utf-8")


if __name__ == "__main__":
    main()
