"""Run the benchmarks: ``python -m benchmarks.run [--quick]``.

A full run writes ``benchmarks/svm.json`` and the tables of ``book/D-benchmarks.md``; a quick one only prints.
"""

# ruff: noqa: E402  (the number of threads must be set before the libraries are imported)

import os

for library in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import pathlib
import platform
import sys
import time
from datetime import date
from importlib.metadata import version

from benchmarks.measure import keep_memory
from benchmarks.report import Comparison, Report, render, replace_between
from benchmarks.svm import contests, warm_up

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "svm.json"
PAGE = ROOT / "book" / "D-benchmarks.md"
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")


def cpu_name() -> str:
    """Return what the processor calls itself."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def compare(quick: bool) -> tuple[Comparison, ...]:
    """Run the contests one after the other, saying which."""
    keep_memory()
    print("compiling", file=sys.stderr, flush=True)
    warm_up()
    programme = [contest for contest in contests() if contest.quick or not quick]
    found: list[Comparison] = []
    for number, contest in enumerate(programme, start=1):
        print(f"{number:2} of {len(programme)}: {contest.name}", end="", file=sys.stderr, flush=True)
        start = time.monotonic()
        found += contest.run()
        print(f", {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return tuple(found)


def main() -> None:
    """Read the command line, run, print, and write what a full run found."""
    parser = argparse.ArgumentParser(description="Compare the solvers with those of scikit-learn.")
    parser.add_argument("--quick", action="store_true", help="a small part, and nothing is written")
    quick = parser.parse_args().quick
    versions = {"Python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    report = Report(
        date=date.today().isoformat(), cpu=cpu_name(), versions=versions, comparisons=compare(quick)
    )
    print(render(report))
    if not quick:
        RESULTS.write_text(report.to_json(), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replace_between(page, render(report)), encoding="utf-8")


if __name__ == "__main__":
    main()
