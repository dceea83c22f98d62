"""Test the tests of a problem set: whether they tell right answers from wrong ones.

The model answer must get all marks and the blank handout none. ``mutants.yml`` beside the set lists other
right answers (``accept``) and wrong ones (``reject``), each with the test that must fail and the hint it must
give. To these come the wrong answers made by machine (:mod:`~coursekit.checking.mutants`). One that passes
every test fails the check, unless ``equivalent`` names it and says why it is no mistake.
"""

import ast
import dataclasses
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import tqdm
import yaml

from coursekit.checking import mutants
from coursekit.checking.trials import Answer, tried
from coursekit.sets.cells import SOLUTION, kind, name_of, regions
from coursekit.sets.problem_set import ProblemSet, ProblemSetError
from coursekit.sets.release import handout

__all__ = ["Report", "Row", "check", "planned"]

KINDS = ("model", "blank", "accept", "reject", "always-on", "machine-made")
IN_WORDS = {
    "model": "the model answer gets all marks",
    "blank": "the blank handout gets none",
    "accept": "other right answers get all marks",
    "reject": "known mistakes are found, with the right hint",
    "always-on": "None, nan, zeros, the input, the wrong sign are found",
    "machine-made": "small changes of the model answer are found",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """One answer that was tried: what it is, whether it fared as it should, and what happened."""

    kind: str
    name: str
    passed: bool
    detail: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Report:
    """What a check found; as text, a table and the list of what is wrong.

    Attributes
    ----------
    name
        The name of the set.
    rows
        Every answer that was tried.
    equivalent
        How many machine-made changes are declared to be no mistakes.
    seconds
        The time it took.
    """

    name: str
    rows: tuple[Row, ...] = dataclasses.field(repr=False)
    equivalent: int
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every answer fared as it should."""
        return not self.problems

    @property
    def problems(self) -> tuple[Row, ...]:
        """The answers that did not fare as they should."""
        return tuple(row for row in self.rows if not row.passed)

    @property
    def survivors(self) -> tuple[str, ...]:
        """The machine-made wrong answers that no test noticed."""
        return tuple(row.name for row in self.problems if row.kind in ("always-on", "machine-made"))

    def __str__(self) -> str:
        tried = Counter(row.kind for row in self.rows)
        good = tried - Counter(row.kind for row in self.problems)
        lines = [f"{self.name}: {'passed' if self.passed else 'FAILED'} in {self.seconds:.0f} s", ""]
        lines += [f"  {good[k]:4d} of {tried[k]:4d}   {words}" for k, words in IN_WORDS.items() if tried[k]]
        lines += [f"  {self.equivalent:4d}           of these changes are declared equivalent"]
        for row in self.problems:
            lines += ["", f"  {row.kind}: {row.name}", f"      {row.detail}"]
        return "\n".join(lines)


def check(
    problem_set: ProblemSet, *, cells: Collection[str] | None = None, jobs: int = 1, progress: bool = False
) -> Report:
    """Try right and wrong answers on the tests of a problem set.

    Parameters
    ----------
    problem_set : ProblemSet
        The set, with ``mutants.yml`` beside its source.
    cells : collection of str, optional
        The solution cells whose answers to try, while one writes them; by default all.
    jobs : int
        How many answers to try at the same time.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Report
        What was tried and what went wrong.
    """
    start = time.monotonic()
    expected = _chosen(_read_expectations(problem_set), cells)
    trials = list(_trials(problem_set, expected, problem_set.of_kind("solution") if cells is None else cells))
    answers = [trial.answer for trial in trials]
    results = tried(problem_set, answers, imports=_imports(problem_set), jobs=jobs)
    said = dict(tqdm.tqdm(results, total=len(trials), disable=not progress, desc=problem_set.name))
    equivalent = _declared(expected)
    rows = [_judge(trial, said[number], equivalent) for number, trial in enumerate(trials)]
    rows += _unused(trials, equivalent)
    return Report(
        name=problem_set.name,
        rows=tuple(rows),
        equivalent=len(equivalent),
        seconds=time.monotonic() - start,
    )


def planned(problem_set: ProblemSet) -> Counter[str]:
    """Count the answers that :func:`check` tries, by kind, without trying them.

    Parameters
    ----------
    problem_set : ProblemSet
        The set, with ``mutants.yml`` beside its source.

    Returns
    -------
    Counter
        How many answers there are of each of :data:`KINDS`.
    """
    expected = _read_expectations(problem_set)
    trials = _trials(problem_set, expected, problem_set.of_kind("solution"))
    return Counter(trial.kind for trial in trials)


# -- the answers to try ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Trial:
    """An answer, and what should come out."""

    kind: str
    name: str
    answer: Answer
    tests: tuple[str, ...] = ()
    hint: str = ""
    key: tuple[str, str] = ("", "")


def _chosen(expected: dict[str, Any], cells: Collection[str] | None) -> dict[str, Any]:
    """Leave out the answers to other cells."""
    if cells is None:
        return expected
    few = {
        part: [item for item in expected[part] if item["cell"] in cells] for part in ("reject", "equivalent")
    }
    few["accept"] = [item for item in expected["accept"] if set(item["cells"]) & set(cells)]
    return few


def _trials(problem_set: ProblemSet, expected: Mapping[str, Any], cells: Collection[str]) -> Iterator[_Trial]:
    """Yield everything to try."""
    tests = tuple(problem_set.of_kind("test"))
    yield _Trial(kind="model", name="the model answer", answer=Answer(apart=True), tests=tests)
    stubs = {name_of(cell): cell.source for cell in handout(problem_set).cells if kind(cell) == "solution"}
    blank = Answer(cells=stubs, apart=True)
    yield _Trial(kind="blank", name="the blank handout", answer=blank, tests=tests)
    for item in expected["accept"]:
        yield _Trial(kind="accept", name=item["name"], answer=Answer(cells=item["cells"]), tests=tests)
    for item in expected["reject"]:
        test = item["killed_by"]
        answer = Answer(cells={item["cell"]: _rejected(problem_set, item)}, last=test)
        yield _Trial(kind="reject", name=item["name"], answer=answer, tests=(test,), hint=item["hint"])
    declared = _declared(expected)
    for cell in cells:
        source = problem_set.cell(cell).source
        lines = [line + 1 for a, b in regions(source, SOLUTION) for line in range(a, b)]
        for mutant in mutants.always_on(cell, source):
            yield _mutant_trial("always-on", mutant, declared)
        for mutant in mutants.machine_made(cell, source, lines):
            yield _mutant_trial("machine-made", mutant, declared)


def _declared(expected: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the changes that are declared equivalent."""
    return {(item["cell"], item["change"]) for item in expected["equivalent"]}


def _mutant_trial(what: str, mutant: mutants.Mutant, declared: set[tuple[str, str]]) -> _Trial:
    """Try a mutant on the tests after its cell, until one fails; a declared equivalent may take its time."""
    name = f"{mutant.name}   (line {mutant.line})" if mutant.line else mutant.name
    key = (mutant.cell, mutant.change)
    answer = Answer(cells={mutant.cell: mutant.source}, quick=key not in declared)
    return _Trial(kind=what, name=name, answer=answer, key=key)


def _imports(problem_set: ProblemSet) -> str:
    """Collect the imports of the instructor's cells, which nearly every answer needs."""
    names = [name for what in ("setup", "test", "solution") for name in problem_set.of_kind(what)]
    nodes = [node for name in names for node in ast.walk(ast.parse(problem_set.cell(name).source))]
    return "\n".join(ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


# -- judging ---------------------------------------------------------------------------------------------


def _judge(trial: _Trial, said: Mapping[str, str | None], equivalent: set[tuple[str, str]]) -> Row:
    """Compare what happened with what should have happened."""
    failed = {test: reason for test, reason in said.items() if reason}
    if trial.kind in ("model", "accept"):
        wrong = "; ".join(f"{test} refuses it: {reason}" for test, reason in failed.items())
    elif trial.kind == "blank":
        wrong = "; ".join(f"{test} gives it marks" for test in trial.tests if test not in failed)
    elif trial.kind == "reject":
        wrong = _wrong_hint(trial, failed.get(trial.tests[0]))
    else:
        wrong = _survival(bool(failed), trial.key in equivalent)
    return Row(kind=trial.kind, name=trial.name, passed=not wrong, detail=wrong or ", ".join(failed))


def _wrong_hint(trial: _Trial, reason: str | None) -> str:
    """Say what is wrong with the refusal of a known mistake."""
    if reason is None:
        return f"{trial.tests[0]} gives it marks; add an assertion that notices it"
    if trial.hint not in reason:
        return f"{trial.tests[0]} refuses it, but not with the hint {trial.hint!r}; it says: {reason}"
    return ""


def _survival(found: bool, declared: bool) -> str:
    """Say what is wrong with a mutant's fate."""
    if found and declared:
        return "it is declared equivalent but a test refuses it; remove it from equivalent:"
    if not found and not declared:
        return (
            "it passes every test; add an assertion that notices it, or say why it is right, in equivalent:"
        )
    return ""


def _unused(trials: list[_Trial], equivalent: set[tuple[str, str]]) -> Iterator[Row]:
    """Find the declared equivalents that are no mutants."""
    for cell, change in sorted(equivalent - {trial.key for trial in trials}):
        detail = "equivalent: names it, but there is no such change; correct or remove the entry"
        yield Row(kind="machine-made", name=f"{cell}: {change}", passed=False, detail=detail)


# -- mutants.yml -----------------------------------------------------------------------------------------

FIELDS = {
    "accept": ("name", "cells"),
    "reject": ("name", "cell", "killed_by", "hint"),
    "equivalent": ("cell", "change", "reason"),
}


def _read_expectations(problem_set: ProblemSet) -> dict[str, list[dict[str, Any]]]:
    """Read ``mutants.yml``, and refuse what cannot be meant."""
    path = problem_set.path.with_name("mutants.yml")
    if not path.is_file():
        raise ProblemSetError(f"{path} does not exist; list accept:, reject: and equivalent: answers in it")
    found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    expected = {part: list(found.get(part) or []) for part in FIELDS}
    wrong = [f"there is no part {part!r}" for part in found.keys() - FIELDS.keys()]
    for part, items in expected.items():
        for item in items:
            wrong += [f"{part}: {problem}" for problem in _entry_problems(problem_set, part, item)]
    if not wrong:
        return expected
    raise ProblemSetError("\n".join(f"{path.name}: {problem}" for problem in wrong))


def _entry_problems(problem_set: ProblemSet, part: str, item: Mapping[str, Any]) -> Iterator[str]:
    """Check one entry."""
    title = item.get("name") or item.get("change") or "an entry"
    missing = [key for key in FIELDS[part] if not item.get(key)]
    if missing:
        yield f"{title} lacks {', '.join(missing)}"
        return
    cells = item["cells"] if part == "accept" else [item["cell"]]
    for cell in cells:
        if cell not in problem_set.of_kind("solution"):
            yield f"{title} names the cell {cell}, which is no solution cell"
    if part == "reject":
        yield from _reject_problems(problem_set, title, item)


def _reject_problems(problem_set: ProblemSet, title: str, item: Mapping[str, Any]) -> Iterator[str]:
    """Check the fields of a known mistake."""
    if item["killed_by"] not in problem_set.of_kind("test"):
        yield f"{title}: killed_by names {item['killed_by']}, which is no test"
    if ("source" in item) == ("replace" in item):
        yield f"{title} needs either source: or replace: [old, new]"
    elif "replace" in item and item["cell"] in problem_set.of_kind("solution"):
        times = problem_set.cell(item["cell"]).source.count(item["replace"][0])
        if times != 1:
            yield f"{title}: its text occurs {times} times in {item['cell']}; give a text that occurs once"


def _rejected(problem_set: ProblemSet, item: Mapping[str, Any]) -> str:
    """Return the source of a known mistake."""
    if "source" in item:
        return str(item["source"])
    old, new = item["replace"]
    return str(problem_set.cell(item["cell"]).source.replace(old, new))
