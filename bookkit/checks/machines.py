"""Run the book as other machines would: ``make test-machines``, or with ``python -m`` on some of them.

What is stored was computed on one processor. Others sum in another order, round elsewhere, sort ties
otherwise and have other threads; what is shown must not depend on it. Here a machine is a set of environment
variables, which tell NumPy, OpenBLAS, numba and the C library what instructions to use. On each of them the
notebooks are executed and compared with what is stored, the problem sets and the marking are checked, and the
tests of the package and of the text are run. What differs is named by page and cell.
"""

import argparse
import dataclasses
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence

from bookkit import ROOT
from bookkit.checks.stages import PYTEST, Running, Stage, report, run
from bookkit.pages.chapters import asked_for

ADVERSARY = str(ROOT / "bookkit" / "checks" / "adversary")
PARTS = {
    "notebooks": ("--dist", "loadfile", "--nbval", "book"),
    "coursework": ("--dist", "loadgroup", "coursekit", "tests/coursekit"),
    "text": ("tests/book",),
    "package": ("lecturekit", "tests/lecturekit", "tests/benchmarks"),
}
# What OpenBLAS calls itself where it was built without the processor asked for, but with its code.
ALIASES = {"Prescott": "Katmai", "Zen": "Haswell"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Machine:
    """Another machine.

    Attributes
    ----------
    name, words
        what it is called, and what it stands for
    level
        the instructions that NumPy may use: 2 SSE4, 3 AVX2 and FMA, 4 AVX-512, as the levels of x86-64
    blas
        the processor that OpenBLAS computes for
    numba
        the processor that numba compiles for
    threads
        of OpenBLAS and OpenMP
    libm
        whether the C library's exp and log may use FMA
    adversary
        whether ties and last bits come out otherwise
    """

    name: str
    words: str
    level: int = 4
    blas: str = ""
    numba: str = ""
    threads: int = 1
    libm: bool = True
    adversary: bool = False

    def variables(self, known: Sequence[str]) -> dict[str, str]:
        """Return the environment variables, given what NumPy knows of this processor."""
        threads = str(self.threads)
        found = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        disabled = " ".join(feature for feature in known if level_of(feature) > self.level)
        if disabled:
            found["NPY_DISABLE_CPU_FEATURES"] = disabled
        if self.blas:
            found["OPENBLAS_CORETYPE"] = self.blas
        if self.numba:
            found |= {"NUMBA_CPU_NAME": self.numba, "NUMBA_CPU_FEATURES": ""}
        found["NUMBA_CACHE_DIR"] = str(ROOT / "_build" / "numba" / (self.numba or "this"))
        if not self.libm:
            found["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"
        if self.adversary:
            found["PYTHONPATH"] = ADVERSARY
        return found

    def unlike(self, other: "Machine") -> int:
        """Count in how many respects two machines differ."""
        mine, yours = dataclasses.astuple(self), dataclasses.astuple(other)
        return sum(a != b for a, b in zip(mine[2:], yours[2:], strict=True))


MACHINES = (
    Machine(name="skylake", words="an Intel server with AVX-512", blas="SkylakeX", numba="skylake-avx512"),
    Machine(name="haswell", words="an Intel desktop", level=3, blas="Haswell", numba="haswell", threads=2),
    Machine(name="zen", words="an AMD Zen 3, without AVX-512", level=3, blas="Zen", numba="znver3"),
    Machine(name="generic", words="any processor, for numba alone", numba="generic", threads=2),
    Machine(
        name="oldest",
        words="no AVX and no FMA anywhere",
        level=2,
        blas="Prescott",
        numba="generic",
        libm=False,
    ),
    Machine(name="adversary", words="reversed ties, other last bits", level=3, threads=2, adversary=True),
)


def level_of(feature: str) -> int:
    """Return the level of x86-64 that has an instruction set, by NumPy's name for it, old or new."""
    if feature.startswith("AVX512") or feature == "X86_V4":
        return 4
    return 3 if feature in ("AVX", "AVX2", "FMA3", "FMA4", "XOP", "F16C", "X86_V3") else 2


# -- this machine ------------------------------------------------------------------------------------------

ASK = """
import json, numpy, scipy.linalg, threadpoolctl
from numpy._core._multiarray_umath import __cpu_dispatch__ as known, __cpu_features__ as have
blas = [pool.get("architecture", "") for pool in threadpoolctl.threadpool_info()]
print(json.dumps([[name for name in known if have.get(name)], max(blas)]))
"""


def ask(variables: dict[str, str]) -> tuple[list[str], str]:
    """Ask NumPy, under some environment variables, what it uses: instructions, and OpenBLAS's processor."""
    shown = subprocess.run(
        [sys.executable, "-c", ASK],
        env=os.environ | variables,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    known, blas = json.loads(shown)
    return known, blas


def this_machine(known: Iterable[str], blas: str) -> Machine:
    """Describe this machine, as ``make test`` uses it."""
    level = max(map(level_of, known), default=2)
    return Machine(name="this", words="this machine", level=level, blas=blas)


def possible(machine: Machine, known: Sequence[str]) -> str:
    """Say why this processor cannot act as another one; empty if it can."""
    level = max(map(level_of, known), default=0)
    if level == 0 and (machine.level < 4 or machine.blas):
        return "this processor is of another family"
    asked = machine.variables(known)
    if machine.blas and machine.level > level:
        return f"it needs level {machine.level} of x86-64, and this processor has {level}"
    used, blas = ask(asked)
    if machine.blas and blas not in (machine.blas, ALIASES.get(machine.blas)):
        return f"OpenBLAS took {blas} for {machine.blas}"
    if any(level_of(feature) > machine.level for feature in used):
        return f"NumPy still uses {' '.join(used)}"
    return ""


def farthest(machines: Sequence[Machine], home: Machine, count: int) -> list[Machine]:
    """Choose machines that are as far from each other and from this one as can be."""

    def spread(chosen: Iterable[Machine]) -> tuple[int, int]:
        gaps = [a.unlike(b) for a, b in itertools.combinations((home, *chosen), 2)]
        return min(gaps), sum(gaps)

    return list(max(itertools.combinations(machines, min(count, len(machines))), key=spread))


# -- running -----------------------------------------------------------------------------------------------


def notebooks(name: str) -> str:
    """Return where the notebooks of a chapter or a page are: a file, or the folder of a chapter."""
    path = f"book/{asked_for(name)}"
    return path if (ROOT / path).is_dir() else f"{path}.ipynb"


def stage(machine: Machine, part: str, known: Sequence[str], pages: Sequence[str] = ()) -> Stage:
    """Make a stage of a part of the checks on a machine."""
    command = (*PYTEST, *PARTS[part])
    if pages and part == "notebooks":
        command = (*command[:-1], *map(notebooks, pages))
    return Stage(
        name=f"{machine.name}-{part}",
        words=f"{part} on {machine.words}",
        command=command,
        variables=machine.variables(known),
    )


def by_test(done: Sequence[Running]) -> dict[str, list[str]]:
    """Collect, for each test that failed, the machines it failed on."""
    found: dict[str, list[str]] = {}
    for running in done:
        for test in running.failed:
            found.setdefault(test, []).append(running.stage.name.partition("-")[0])
    return found


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    names = [machine.name for machine in MACHINES]
    parser = argparse.ArgumentParser(description="Run the book as other machines would.")
    parser.add_argument("--on", action="append", choices=names, help="a machine; all by default")
    parser.add_argument("--far", type=int, help="only so many, as unlike each other and this one as can be")
    parser.add_argument(
        "--page", action="append", default=[], help="of the notebooks only this chapter or page"
    )
    parser.add_argument("parts", nargs="*", help=f"some of: {' '.join(PARTS)}; all by default")
    options = parser.parse_args(arguments)
    parts = options.parts or list(PARTS)
    if set(parts) - set(PARTS):
        parser.error(f"parts must be some of {' '.join(PARTS)}, got {' '.join(parts)}")
    known, blas = ask({})
    chosen = [machine for machine in MACHINES if machine.name in (options.on or names)]
    reasons = {machine.name: possible(machine, known) for machine in chosen}
    for name, reason in reasons.items():
        if reason:
            print(f"NOT TRIED, {name}: {reason}")
    chosen = [machine for machine in chosen if not reasons[machine.name]]
    if options.far:
        chosen = farthest(chosen, this_machine(known, blas), options.far)
    if not chosen:
        print("This processor cannot act as any of these machines.", file=sys.stderr)
        return 1
    print(
        f"This machine has {' '.join(known) or 'none'} of NumPy's extras, and OpenBLAS takes it for {blas}."
    )
    done = run([stage(machine, part, known, options.page) for machine in chosen for part in parts])
    status = report(done)
    for test, where in by_test(done).items():
        print(f"  differs on {', '.join(where)}: {test}")
    return status


if __name__ == "__main__":
    sys.exit(main())
