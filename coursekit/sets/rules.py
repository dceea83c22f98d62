"""The rules that a problem set keeps, each a function that yields what breaks it and the remedy."""

import ast
import collections
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from coursekit.sets.cells import (
    HIDDEN,
    MARKED,
    SOLUTION,
    divide,
    kind,
    name_of,
    points_of,
    regions,
    settings_of,
)
from coursekit.sets.problem_set import ProblemSet

__all__ = ["RULES", "problems"]

MAGIC = re.compile(r"^\s*[%!]", re.M)
GUIDE = "Marking guide"
NEEDED = ("grade", "grade_id", "locked", "schema_version", "solution")
WIDEST = 72  # characters; longer lines scroll sideways on the page


def problems(problem_set: ProblemSet, *, claims: Collection[str] | None = None) -> list[str]:
    """List what is wrong with a set, each with its remedy.

    Parameters
    ----------
    problem_set : ProblemSet
        The set.
    claims : collection of str, optional
        The IDs that a learning goal may name; without them the IDs are not looked up.
    """
    found = [problem for rule in RULES for problem in rule(problem_set)]
    return found + list(_unknown_claims(problem_set, claims))


def _complete_metadata(problem_set: ProblemSet) -> Iterator[str]:
    """Every cell with a role has a name and nbgrader's fields."""
    for number, cell in enumerate(problem_set.notebook.cells):
        if "nbgrader" in cell.metadata:
            missing = [key for key in NEEDED if key not in settings_of(cell)]
            if missing:
                yield (
                    f"cell {number} ({name_of(cell) or 'no name'}) lacks {', '.join(missing)} in its "
                    "nbgrader metadata; copy the block of a cell of the same kind"
                )
        elif MARKED.search(cell.source):
            yield (
                f"cell {number} has solution or hidden-test markers but no nbgrader metadata, so it would be "
                "released as it is; give it the metadata of its kind"
            )


def _unique_names(problem_set: ProblemSet) -> Iterator[str]:
    """No name is used twice."""
    names = collections.Counter(name_of(cell) for cell in problem_set.notebook.cells if name_of(cell))
    for name, count in names.items():
        if count > 1:
            yield f"the grade_id {name} is used {count} times; give each cell its own"
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            yield f"the grade_id {name!r} is no cell id; use letters, digits, - and _ (64 at most)"


def _points_of_graded_cells(problem_set: ProblemSet) -> Iterator[str]:
    """Graded cells carry marks, others none."""
    for cell in problem_set.notebook.cells:
        if settings_of(cell).get("grade") and points_of(cell) <= 0:
            yield f"{name_of(cell)} is graded but carries no points; set points: to a number above zero"
        if kind(cell) == "solution" and settings_of(cell).get("grade"):
            yield f"{name_of(cell)} is a code answer and graded; set grade: false and add a test cell"


def _solutions_are_marked(problem_set: ProblemSet) -> Iterator[str]:
    """Every code answer lies between markers, and markers come in pairs and in the right cells."""
    for cell in problem_set.notebook.cells:
        what = kind(cell)
        if what == "solution" and not regions(cell.source, SOLUTION):
            yield f"{name_of(cell)} has no ### BEGIN SOLUTION and ### END SOLUTION; put the answer there"
        for name, home in ((SOLUTION, ("solution", "written")), (HIDDEN, ("test",))):
            begun, ended = cell.source.count(f"BEGIN {name}"), cell.source.count(f"END {name}")
            if begun != ended or begun != len(regions(cell.source, name)):
                yield f"{name_of(cell)} has {begun} BEGIN {name} and {ended} END {name}; write them in pairs"
            if begun and "nbgrader" in cell.metadata and what not in home:
                yield f"{name_of(cell)} is a {what} cell with {name} markers; move them to a {home[0]} cell"


def _code_is_python(problem_set: ProblemSet) -> Iterator[str]:
    """Cells that the marker runs are plain Python; answers at least parse."""
    for cell in problem_set.notebook.cells:
        if kind(cell) in ("setup", "test") and cell.cell_type == "code" and MAGIC.search(cell.source):
            yield f"{name_of(cell)} uses a magic; setup and test cells are not run by IPython"
        elif kind(cell) in ("setup", "test", "solution") and _tree(cell) is None:
            yield f"{name_of(cell)} is not valid Python; mend it"


def _tree(cell: Any) -> ast.Module | None:
    """Parse a code cell; None if it is none."""
    try:
        return ast.parse(cell.source) if cell.cell_type == "code" else None
    except SyntaxError:
        return None


def _code_fits_the_page(problem_set: ProblemSet) -> Iterator[str]:
    """No line of code that students see is too long."""
    for cell in problem_set.notebook.cells:
        for line in divide(cell)[1] if cell.cell_type == "code" else ():
            if len(line) > WIDEST:
                where = f"{name_of(cell)}, {line.strip()[:30]!r}..."
                yield f"{where}: a line of {len(line)} characters; {WIDEST} fit the page"


def _asserts_have_messages(problem_set: ProblemSet) -> Iterator[str]:
    """Each assertion of a test says what the mistake is."""
    for name in problem_set.of_kind("test"):
        found = [node for node in _nodes(_tree(problem_set.cell(name))) if isinstance(node, ast.Assert)]
        for node in found:
            if node.msg is None:
                shown = ast.unparse(node)
                yield f"{name}, line {node.lineno}: {shown!r} has no message; add the hint a student needs"
        if not found:
            yield f"{name} asserts nothing, so that every answer passes; add an assertion"


def _tests_have_hidden_parts(problem_set: ProblemSet) -> Iterator[str]:
    """Each test has a hidden part with an assertion, unless the front matter says otherwise."""
    declared = set(problem_set.metadata.get("visible_only") or ())
    names = problem_set.of_kind("test")
    for name in names:
        source = problem_set.cell(name).source
        lines = source.split("\n")
        hidden = any("assert " in line for a, b in regions(source, HIDDEN) for line in lines[a:b])
        if not hidden and name not in declared:
            yield f"{name} has no hidden test; add one, or name it under visible_only: in the front matter"
        if hidden and name in declared:
            yield f"{name} is named under visible_only: but has a hidden test; remove one of the two"
    for name in declared - set(names):
        yield f"visible_only: names {name}, which is no test; correct it"


def _tests_leave_answers_alone(problem_set: ProblemSet) -> Iterator[str]:
    """No test overwrites a name that another test takes from the student."""
    tests = {name: _tree(problem_set.cell(name)) for name in problem_set.of_kind("test")}
    solutions = [_tree(problem_set.cell(name)) for name in problem_set.of_kind("solution")]
    answers = {name for tree in solutions for name in _bound(tree)}
    for cell, tree in tests.items():
        names = {node.id for node in _nodes(tree) if isinstance(node, ast.Name)} - _bound(tree)
        for other in tests:
            for name in sorted(names & answers & _bound(tests[other])):
                yield f"{other} assigns {name}, which {cell} takes from the student; use another name there"


def _nodes(tree: ast.Module | None) -> Iterator[ast.AST]:
    """Walk a tree, if there is one."""
    return iter(()) if tree is None else ast.walk(tree)


def _bound(tree: ast.Module | None) -> set[str]:
    """Return the names that the top level of a cell assigns or defines."""
    body = [] if tree is None else tree.body
    defined = [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    inside = [item for node in body if node not in defined for item in ast.walk(node)]
    stored = [item for item in inside if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)]
    return {node.name for node in defined} | {item.id for item in stored}


def _written_tasks(problem_set: ProblemSet) -> Iterator[str]:
    """At least one answer is in words, graded, and has a marking guide."""
    names = problem_set.of_kind("written")
    if not names:
        yield "no task is answered in words; add a Markdown cell with solution: true, grade: true and points"
    for name in names:
        cell = problem_set.cell(name)
        if not settings_of(cell).get("grade"):
            yield f"{name} is a written answer that is not graded; set grade: true and points"
        if GUIDE not in cell.source:
            yield f"{name} has no marking guide; write '**{GUIDE}.**' and what earns each mark"


def _title_and_time(problem_set: ProblemSet) -> Iterator[str]:
    """Title, chapter and minutes are there, and the minutes are those of the tasks added up."""
    for key, wanted in (("title", str), ("chapter", str), ("minutes", int)):
        if not isinstance(problem_set.metadata.get(key), wanted):
            yield f"the front matter has no {key}: under coursekit:; add it"
    planned = sum(task.minutes for task in problem_set.tasks)
    minutes = problem_set.metadata.get("minutes")
    if isinstance(minutes, int) and planned != minutes:
        yield f"the tasks take {planned} minutes together, the front matter says {minutes}; correct one"


def _tasks_keep_their_promises(problem_set: ProblemSet) -> Iterator[str]:
    """Each heading says the marks and minutes of its task, and the marks are those of its cells."""
    for task in problem_set.tasks:
        if task.minutes == 0:
            yield (
                f"the heading {task.title!r} does not say marks and time; "
                "write '## Task 1: name (5 marks, about 20 minutes)'"
            )
            continue
        carried = sum(problem_set.points.get(name, 0.0) for name in (*task.tests, *task.written))
        if carried != task.marks:
            yield f"{task.title!r} promises {task.marks:g} marks, its cells carry {carried:g}; correct one"


def _goals(problem_set: ProblemSet) -> Iterator[str]:
    """There are learning goals, each with a text and claims."""
    goals = problem_set.metadata.get("goals") or []
    told = " ".join(" ".join(c.source for c in problem_set.notebook.cells if kind(c) == "text").split())
    if not goals:
        yield "the front matter has no goals: under coursekit:; list {text: ..., claims: [KER-01, ...]}"
    for number, goal in enumerate(goals, start=1):
        if not isinstance(goal, dict) or not goal.get("text") or not goal.get("claims"):
            yield f"goal {number} lacks a text or claims; write {{text: ..., claims: [KER-01, ...]}}"
        elif " ".join(goal["text"].split()) not in told:
            yield f"goal {number} is not told to students; say {goal['text']!r} in the text of the set"


def _unknown_claims(problem_set: ProblemSet, claims: Collection[str] | None) -> Iterator[str]:
    """Every claim of a goal is in the register."""
    for goal in problem_set.metadata.get("goals") or []:
        for name in goal.get("claims") or [] if isinstance(goal, dict) else []:
            if claims is not None and name not in claims:
                yield f"the claim {name} is not in book/claims.yml; correct the goal"


RULES: tuple[Callable[[ProblemSet], Iterable[str]], ...] = (
    _complete_metadata,
    _unique_names,
    _points_of_graded_cells,
    _solutions_are_marked,
    _code_is_python,
    _code_fits_the_page,
    _asserts_have_messages,
    _tests_have_hidden_parts,
    _tests_leave_answers_alone,
    _written_tasks,
    _title_and_time,
    _tasks_keep_their_promises,
    _goals,
)
