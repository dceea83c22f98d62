"""How long each page takes to execute: ``book/timings.json``, which ``make sync ALL=1`` writes.

The unit is seconds of processor time, which depends less on what else the machine does than the time one
waits. They are rounded, and on the same machine a number stays until it is clearly wrong: so the file changes
when a page does, and not at every run. A page of a folder is named with it, as in ``05-kernels/definition``.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import platform
import resource
from collections.abc import Iterator, Mapping

NEAR = 0.3  # a new time within this share of the stored one, or within SLACK seconds, is the same
SLACK = 5
STEP = 5  # seconds are rounded to multiples of this, and to 1 below two steps


@dataclasses.dataclass(frozen=True, kw_only=True)
class Timings:
    """Processor seconds by page, and the kind of machine on which they were spent."""

    machine: str
    seconds: Mapping[str, int]

    @property
    def by_chapter(self) -> dict[str, int]:
        """The seconds of each chapter, those of the pages of its folder added up."""
        sums: dict[str, int] = {}
        for name, seconds in self.seconds.items():
            chapter = name.partition("/")[0]
            sums[chapter] = sums.get(chapter, 0) + seconds
        return sums

    def to_json(self) -> str:
        """Write them, in the order of the names."""
        content = {"machine": self.machine, "seconds": dict(sorted(self.seconds.items()))}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read(path: pathlib.Path) -> Timings | None:
    """Read what is stored, if anything is."""
    if not path.exists():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    return Timings(machine=str(content["machine"]), seconds=dict(content["seconds"]))


def rounded(seconds: float) -> int:
    """Round a time; it is never zero."""
    step = STEP if seconds >= 2 * STEP else 1
    return max(1, step * round(seconds / step))


def settled(old: Timings | None, spent: Mapping[str, float], machine: str) -> Timings:
    """Keep the stored time of a page where the new one is about the same, on the same machine.

    Parameters
    ----------
    old : Timings, optional
        What is stored.
    spent : mapping
        The seconds of every page; what is stored of others is forgotten.
    machine : str
        The machine that spent them.
    """
    known = old.seconds if old and old.machine == machine else {}
    kept = {
        name: known[name]
        for name, seconds in spent.items()
        if name in known and abs(seconds - known[name]) <= max(SLACK, NEAR * known[name])
    }
    return Timings(machine=machine, seconds={name: rounded(s) for name, s in spent.items()} | kept)


def store(path: pathlib.Path, spent: Mapping[str, float]) -> None:
    """Bring the file up to date with the times of a full run on this machine."""
    path.write_text(settled(read(path), spent, this_machine()).to_json(), encoding="utf-8")


@contextlib.contextmanager
def measured(spent: dict[str, float], name: str) -> Iterator[None]:
    """Enter under a name the processor seconds of the processes that end meanwhile, unless an error does."""
    before = _of_children()
    yield
    spent[name] = _of_children() - before


def _of_children() -> float:
    """Return the processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def this_machine() -> str:
    """Say what kind of machine this is: processor, cores that may be used, Python."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, Python {'.'.join(platform.python_version_tuple()[:2])}"
