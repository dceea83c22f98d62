"""Do the tests notice a wrong line? ``python -m bookkit.checks.mutants [--sample 300] [--only PATH ...]``.

A sample of small changes, each made in a copy of the repository and tried by the tests that reach its line.
Those that no test notices are listed below a table by file, and kept in ``_build/mutants/results.json``. What
was looked at and explained is in ``equivalent.yml`` beside the checks: it is not tried, and counts apart.
"""

import argparse
import dataclasses
import functools
import json
import math
import pathlib
import queue
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NoReturn

import yaml

from bookkit import ROOT
from bookkit.checks.mutants.sites import Mutant, mutants, sample
from bookkit.checks.mutants.trial import (
    NEEDS_WALL,
    Known,
    Tree,
    code_of,
    has_wall,
    own_tests,
    plain_run,
    try_mutant,
)
from bookkit.checks.stages import EVERY, say

TARGETS = ("lecturekit", "coursekit/isolation", "coursekit/marking")
EXPLAINED = "bookkit/checks/equivalent.yml"
PARTS = ("file", "function", "old", "new")
NOTICED, SURVIVED = ("noticed", "late"), ("survived", "unreached")


@dataclasses.dataclass
class Result:
    """How far the trial is: what was drawn, how each mutant ended, which tests fail without any."""

    drawn: list[Mutant]
    ended: dict[Mutant, str] = dataclasses.field(default_factory=dict)
    broken: set[str] = dataclasses.field(default_factory=set)

    def those(self, *outcomes: str) -> list[Mutant]:
        """Return the mutants that ended so."""
        return [mutant for mutant in self.drawn if self.ended.get(mutant) in outcomes]


# -- what to try -------------------------------------------------------------------------------------------


def targets(root: pathlib.Path, only: Sequence[str]) -> dict[str, str]:
    """Return the code of the files to be changed, by path.

    Parameters
    ----------
    root : path
        the repository, or a copy of it
    only : sequence of str
        files and folders below it
    """
    for name in only:
        if not (root / name).exists():
            raise SystemExit(f"{name} is no file or folder of the repository")
    folders = tuple(f"{name.rstrip('/')}/" for name in only)
    code = code_of(root, {name.split("/")[0] for name in only})
    chosen = {file: text for file, text in code.items() if f"{file}/".startswith(folders)}
    if not has_wall() and any(file.startswith(NEEDS_WALL) for file in chosen):
        print("coursekit is left out: its tests attack the machine, and need bubblewrap around them.")
        chosen = {file: text for file, text in chosen.items() if not file.startswith(NEEDS_WALL)}
    return chosen


def explained(root: pathlib.Path, sources: dict[str, str]) -> tuple[set[tuple[str, ...]], list[str]]:
    """Read which mutants need not be noticed, and say which entries match nothing any more.

    Parameters
    ----------
    root : path
        the repository
    sources : dict
        the files to be changed; entries for others are left alone
    """
    file = root / EXPLAINED
    entries = (yaml.safe_load(file.read_text(encoding="utf-8")) or []) if file.exists() else []
    keys = {tuple(str(entry[part]) for part in PARTS) for entry in entries if entry["file"] in sources}
    there = {
        mutant.key for name in sorted({key[0] for key in keys}) for mutant in mutants(name, sources[name])
    }
    gone = sorted(keys - there) + sorted(
        tuple(str(entry[part]) for part in PARTS) for entry in entries if not (root / entry["file"]).exists()
    )
    return keys, [f"{file}, {function}: {old}  ->  {new}" for file, function, old, new in gone]


# -- the trial ---------------------------------------------------------------------------------------------


class Trial:
    """Several copies of the repository, in which mutants are tried at the same time.

    Parameters
    ----------
    trees : list of Tree
        the copies
    result : Result
        what is filled
    most_s : float
        how long the tests of one mutant take at most, when nothing is wrong
    """

    def __init__(self, trees: list[Tree], result: Result, most_s: float) -> None:
        self.trees, self.result, self.most_s, self.begun = trees, result, most_s, math.inf
        self.free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
        self.over = False
        for tree in trees:
            self.free.put(tree)

    def run(self) -> None:
        """Run each module's tests once as it is, then with each of its mutants."""
        root = self.trees[0].folder
        waiting = [mutant for mutant in self.result.drawn if mutant not in self.result.ended]
        files = sorted({mutant.file for mutant in waiting})
        code = code_of(root, {file.split("/")[0] for file in files})
        wanted = {file: own_tests(root, file, code) or (file,) for file in files}
        with ThreadPoolExecutor(len(self.trees)) as pool:
            try:
                self._follow(pool, waiting, wanted)
            except KeyboardInterrupt:
                self.over = True
                for tree in self.trees:
                    tree.stop()
                pool.shutdown(cancel_futures=True)
                raise

    def _follow(
        self, pool: ThreadPoolExecutor, waiting: list[Mutant], wanted: dict[str, tuple[str, ...]]
    ) -> None:
        """Give out the work, a mutant when all its tests were run once; say now and then how far it is."""
        runs = dict.fromkeys(test for tests in wanted.values() for test in tests)
        plain: dict[Future[Any], str] = {pool.submit(self._plain, test, wanted): test for test in runs}
        tried: dict[Future[Any], Mutant] = {}
        known: dict[str, Known] = {}
        told = time.monotonic()
        say("mutants", f"{len(plain)} files or folders of tests are run once as the code is")
        while plain or tried:
            done, _ = wait([*plain, *tried], timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                if future in tried:
                    self._note(tried.pop(future), future.result())
                else:
                    known[plain.pop(future)] = future.result()
            for mutant in [one for one in waiting if known.keys() >= set(wanted[one.file])]:
                waiting.remove(mutant)
                told_by = functools.reduce(Known.joined, (known[test] for test in wanted[mutant.file]))
                tried[pool.submit(self._try, mutant, told_by)] = mutant
            if time.monotonic() >= told + EVERY:
                told = time.monotonic()
                self.tell()

    def _note(self, mutant: Mutant, outcome: str) -> None:
        """Keep how a mutant ended, and name a survivor at once."""
        self.result.ended[mutant] = outcome
        if outcome in SURVIVED:
            say("mutants", f"not noticed: {mutant.file}:{mutant.line}  {mutant.old}  ->  {mutant.new}")

    def _plain(self, test: str, wanted: dict[str, tuple[str, ...]]) -> Known:
        """Run tests as the code is, and the doctests of the modules whose first tests they are."""
        doctests = [file for file, tests in wanted.items() if tests[0] == test != file]
        tree = self.free.get()
        try:
            files = [file for file, tests in wanted.items() if test in tests]
            known = plain_run(tree, [test, *doctests], files)
        finally:
            self.free.put(tree)
        self.result.broken |= set(known.failed)
        if known.problem and not self.over:
            say("mutants", f"these tests cannot be run: {test}\n{known.problem}")
        return known

    def _try(self, mutant: Mutant, known: Known) -> str:
        """Try one mutant."""
        tree = self.free.get()
        self.begun = min(self.begun, time.monotonic())
        try:
            outcome = try_mutant(tree, mutant, known, self.most_s) if not self.over else "untried"
        finally:
            self.free.put(tree)
        return "untried" if self.over else outcome

    def tell(self) -> None:
        """Say how far it is."""
        done, drawn = len(self.result.ended), len(self.result.drawn)
        before = len(self.result.those("explained"))
        passed = time.monotonic() - self.begun
        left = (
            f", about {passed * (drawn - done) / (done - before) / 60:.0f} min left" if done > before else ""
        )
        say("mutants", f"{done} of {drawn} done, {len(self.result.those(*NOTICED))} noticed{left}")


# -- the report --------------------------------------------------------------------------------------------


def report(result: Result, gone: Sequence[str]) -> None:
    """Print a table by file, and the survivors.

    Parameters
    ----------
    result : Result
        how the mutants ended
    gone : sequence of str
        explanations that match nothing any more
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, outcome in result.ended.items():
        counts[mutant.file][outcome] += 1
    width = max([len(file) for file in counts] + [5])
    print(f"\n{'file':{width}}  tried  noticed  survived  explained")
    for file, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]:
        noticed, survived = sum(count[one] for one in NOTICED), sum(count[one] for one in SURVIVED)
        print(f"{file:{width}} {noticed + survived:6} {noticed:8} {survived:9} {count['explained']:10}")
    for line in survivors(result):
        print(line)
    if result.broken:
        print(f"\n{len(result.broken)} tests do not pass as the code is, and were left out:")
        print("\n".join(f"  {test}" for test in sorted(result.broken)))
    if gone:
        print(f"\n== explanations in {EXPLAINED} that match nothing any more")
        print("\n".join(gone))
    print(f"\n{summary(result)}")


def survivors(result: Result) -> Iterator[str]:
    """Yield the survivors: where, what was there, and what nobody minded.

    Parameters
    ----------
    result : Result
        how the mutants ended
    """
    if result.those(*SURVIVED):
        yield "\n== no test noticed"
    for mutant in result.those(*SURVIVED):
        alone = "; no test reaches it" if result.ended[mutant] == "unreached" else ""
        yield f"{mutant.file}:{mutant.line}, {mutant.function or 'outside functions'}{alone}"
        yield f"    {mutant.old}\n    {mutant.new}"


def summary(result: Result) -> str:
    """Say in one line how many were noticed.

    Parameters
    ----------
    result : Result
        how the mutants ended
    """
    noticed, late = len(result.those(*NOTICED)), len(result.those("late"))
    tried = noticed + len(result.those(*SURVIVED))
    part = f" ({100 * noticed / tried:.0f} %)" if tried else ""
    rest = len(result.drawn) - tried - len(result.those("explained"))
    words = f"{noticed} of {tried} mutants were noticed{part}, {late} of them by the time limit"
    return f"{words}; {len(result.those('explained'))} are explained; {rest} were not tried"


def keep(result: Result, root: pathlib.Path) -> None:
    """Write the result where other programs can read it.

    Parameters
    ----------
    result : Result
        how the mutants ended
    root : path
        the repository
    """
    folder = root / "_build" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    listed = [
        {name: getattr(mutant, name) for name in ("file", "line", "function", "old", "new")}
        | {"outcome": result.ended.get(mutant, "untried")}
        for mutant in result.drawn
    ]
    content = {"summary": summary(result), "mutants": listed, "broken": sorted(result.broken)}
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")


def last(root: pathlib.Path) -> set[tuple[str, ...]]:
    """Return the mutants that survived the last trial.

    Parameters
    ----------
    root : path
        the repository
    """
    text = (root / "_build" / "mutants" / "results.json").read_text(encoding="utf-8")
    listed = json.loads(text)["mutants"]
    return {tuple(one[part] for part in PARTS) for one in listed if one["outcome"] in SURVIVED}


# -- the command -------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None, root: pathlib.Path = ROOT) -> int:
    """Read the command line.

    Parameters
    ----------
    arguments : list of str, optional
        those of the command line
    root : path
        the repository
    """
    parser = argparse.ArgumentParser(
        description="Change the code here and there, and see whether the tests notice."
    )
    parser.add_argument("--sample", type=int, default=300, help="how many changes; 300")
    parser.add_argument("--seed", type=int, default=0, help="decides which; 0")
    parser.add_argument("--only", nargs="+", default=list(TARGETS), help="files and folders to change")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time; 2")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="of tests for one change, the quick ones first; all"
    )
    parser.add_argument("--again", action="store_true", help="only those that survived the last time")
    parser.add_argument("--list", action="store_true", help="only show the changes")
    options = parser.parse_args(arguments)
    for stop in (signal.SIGTERM, signal.SIGINT):  # ignored in the background, unless set
        signal.signal(stop, _interrupt)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="mutants-"))
    try:
        scratch.chmod(0o755)
        first = Tree(root, scratch / "0")
        sources = targets(first.folder, options.only)
        result = Result(sample(sources, options.sample, options.seed))
        if options.again:
            known = last(root)
            result.drawn = [mutant for mutant in result.drawn if mutant.key in known]
        keys, gone = explained(first.folder, sources)
        if options.list:
            print("\n".join(f"{m.file}:{m.line}  {m.old}  ->  {m.new}" for m in result.drawn))
            return 0
        result.ended = {mutant: "explained" for mutant in result.drawn if mutant.key in keys}
        trees = [first, *(Tree(first.folder, scratch / str(number)) for number in range(1, options.jobs))]
        return _finish(Trial(trees, result, options.seconds), gone, root)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _finish(trial: Trial, gone: Sequence[str], root: pathlib.Path) -> int:
    """Run a trial; report what is known when it ends, or is ended."""
    status = 0
    try:
        trial.run()
    except KeyboardInterrupt:
        print("\nInterrupted; this is what is known so far.")
        status = 130
    report(trial.result, gone)
    keep(trial.result, root)
    return status


def _interrupt(number: int, frame: object) -> NoReturn:
    """Take a request to end for Ctrl-C."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
