"""Mark what students handed in: sanitise, execute, record.

Execution is text in, text out, and knows no gradebook: joblib maps it over one process, over many, or over a
cluster (``joblib.parallel_config("dask")`` around the call). One process, this one, writes the gradebook.

Every submission gets a mark and a reason. Marking again changes nothing unless something changed, and never
touches a mark that was given by hand: if the answer under such a mark changed, nbgrader shows it again.
"""

import json
import pathlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import tqdm

from coursekit.course.course import Course, CourseError, quiet, utc
from coursekit.isolation.sandbox import sandbox_problem
from coursekit.marking.execute import execute, plain, sandboxed, verdict, verdicts
from coursekit.marking.marker import error_output
from coursekit.marking.sanitise import MISSING_CODE, MISSING_TEXT, sanitise
from coursekit.sets.cells import kind, name_of
from coursekit.sets.problem_set import ProblemSet
from coursekit.sets.release import handout, register

__all__ = ["LOST", "Mark", "assign_late_penalties", "enter", "grade", "never_released"]

LOST = "MarkerError"  # the kind of a failure that is the marker's, not the student's


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The mark of one submission, and its reason.

    Attributes
    ----------
    student
        whose it is
    tests, words
        marks of the tests, and marks given by hand
    of_tests, of_words
        what could be had
    waiting
        how many answers wait for a mark by hand
    penalty
        what is subtracted for being late
    reason
        why tests failed, and what was noticed
    lost
        whether the marker failed, so that the submission should be marked again
    """

    student: str
    tests: float
    of_tests: float
    words: float
    of_words: float
    waiting: int
    penalty: float
    reason: str
    lost: bool = False


def grade(
    course: Course,
    name: str,
    *,
    students: Sequence[str] | None = None,
    jobs: int = 1,
    sandbox: bool = True,
    progress: bool = False,
) -> list[Mark]:
    """Mark the submissions of a problem set.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set
    students : sequence of str, optional
        whose submissions; by default all
    jobs : int
        how many to mark at the same time; -1 for as many as there are processors, or workers of a cluster
    sandbox : bool
        whether students' code runs in bubblewrap
    progress : bool
        whether to show a progress bar

    Returns
    -------
    list of Mark
        one for each submission
    """
    problem_set = course.problem_set(name)
    students = course.students("submitted", name) if students is None else students
    if sandbox and (problem := sandbox_problem()):
        raise CourseError(problem)
    texts = [sanitise(_submission(course, student, name), problem_set.notebook) for student in students]
    results = _execute_all(texts, dict(problem_set.files), sandbox, jobs)
    shown = tqdm.tqdm(results, total=len(texts), desc=name, disable=not progress, file=sys.stderr)
    with quiet():
        enter(course, problem_set)
        blank = {name_of(cell): cell.source for cell in handout(problem_set).cells}
        executed = {}
        with course.gradebook() as gradebook:
            for student, text in zip(students, shown, strict=True):
                _record(course, gradebook, problem_set, student, text, blank)
                executed[student] = text
            assign_late_penalties(course, gradebook, name)
            return [_mark(gradebook, name, student, text) for student, text in executed.items()]


def enter(course: Course, problem_set: ProblemSet, *, due: str | None = None) -> None:
    """Enter a problem set into the gradebook, or bring its entry up to date.

    Parameters
    ----------
    course : Course
        the folder of the course
    problem_set : ProblemSet
        the set
    due : str, optional
        when it is to be handed in, as :func:`~coursekit.course.course.utc` writes times
    """
    try:
        register(problem_set, course.gradebook_url)
    except RuntimeError as error:  # nbgrader: cells were added or removed
        raise CourseError(
            f"{error}; undo the change, or move gradebook.db and autograded/ away and mark the set anew"
        ) from None
    if due is not None:
        with course.gradebook() as gradebook:
            gradebook.update_or_create_assignment(problem_set.name, duedate=due)


def never_released(course: Course, name: str) -> bool:
    """Whether nobody said when a set is due, nor released it without a due date.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set
    """
    with quiet(), course.gradebook() as gradebook:
        due = gradebook.find_assignment(name).duedate
    return due is None and not (course.folder / "release" / name).is_dir()


def _submission(course: Course, student: str, name: str) -> bytes:
    """Read what a student handed in."""
    path = course.place("submitted", student, name) / f"{name}.ipynb"
    if not path.is_file():
        raise CourseError(f"{student} has not handed in {name}: {path} does not exist")
    return path.read_bytes()


# -- execute ---------------------------------------------------------------------------------------------


def _execute_all(texts: list[str], files: dict[str, bytes], sandbox: bool, jobs: int) -> Iterator[str]:
    """Yield the executed notebooks, in order."""
    done = 0
    try:
        run = joblib.Parallel(n_jobs=jobs, return_as="generator")
        for result in run(joblib.delayed(_execute)(text, files, sandbox) for text in texts):
            yield result
            done += 1
    except Exception as error:
        print(f"marking in parallel failed ({error}); going on one by one", file=sys.stderr)
    for text in texts[done:]:
        yield _execute(text, files, sandbox)


def _execute(text: str, files: dict[str, bytes], sandbox: bool) -> str:
    """Execute a notebook; if that fails, let every test of it fail with the reason."""
    try:
        return execute(text, files=files, start=sandboxed if sandbox else plain)
    except Exception as error:
        notebook = json.loads(text)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and kind(cell) == "test":
                cell["outputs"] = [error_output(LOST, f"the marker failed ({error}); no fault of yours")]
        return json.dumps(notebook)


# -- record ----------------------------------------------------------------------------------------------


def _record(
    course: Course, gradebook: Any, problem_set: ProblemSet, student: str, text: str, blank: Mapping[str, str]
) -> None:
    """Write an executed notebook, and its scores; ``blank`` are the sources of the handout."""
    name, folder = problem_set.name, course.place("autograded", student, problem_set.name)
    path, stamp = folder / f"{name}.ipynb", course.place("submitted", student, name) / "timestamp.txt"
    before = _by_id(path.read_text(encoding="utf-8")) if path.is_file() else {}
    said = verdicts(text)
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission(name, student, timestamp=_time(stamp))
    for grade_id, cell in _by_id(text).items():
        place = (grade_id, name, name, student)
        empty = cell["source"] in (blank[grade_id], MISSING_CODE, MISSING_TEXT)
        if kind(cell) in ("solution", "written"):
            gradebook.find_comment(*place).auto_comment = "No response." if empty else None
        if grade_id in said:
            _enter_test(gradebook.find_grade(*place), problem_set.points[grade_id], said[grade_id])
        elif grade_id in problem_set.points:
            changed = grade_id in before and before[grade_id]["source"] != cell["source"]
            _enter_words(gradebook.find_grade(*place), empty=empty, changed=changed)
    gradebook.db.commit()
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if stamp.is_file():
        (folder / stamp.name).write_bytes(stamp.read_bytes())


def _enter_test(entry: Any, points: float, reason: str | None) -> None:
    """Enter the score of a test; someone must look if the marker failed, or an overruled score changed."""
    score = points if reason is None else 0.0
    overruled = entry.manual_score is not None and (entry.needs_manual_grade or entry.auto_score != score)
    entry.needs_manual_grade = overruled or str(reason).startswith(LOST)
    entry.auto_score = score


def _enter_words(entry: Any, *, empty: bool, changed: bool) -> None:
    """Enter a written answer, which waits for a mark by hand; an empty one has none."""
    entry.auto_score = 0.0 if empty else None
    if entry.manual_score is None:
        entry.needs_manual_grade = not empty
    elif changed:
        entry.needs_manual_grade = True


def _time(stamp: pathlib.Path) -> str | None:
    """Read a time stamp."""
    return utc(stamp.read_text(encoding="utf-8")) if stamp.is_file() else None


def _by_id(text: str) -> dict[str, Any]:
    """Return the cells of a notebook that have a name."""
    return {name_of(cell): cell for cell in json.loads(text)["cells"] if name_of(cell)}


def assign_late_penalties(course: Course, gradebook: Any, name: str) -> None:
    """Apply the late policy of ``nbgrader_config.py`` to the marks as they are now.

    nbgrader does this while it marks, when no mark by hand is there yet; so it is done again at every step.

    Parameters
    ----------
    course : Course
        the folder of the course
    gradebook : Gradebook
        its gradebook
    name : str
        the problem set
    """
    from nbgrader.preprocessors import AssignLatePenalties

    policy = AssignLatePenalties(config=course.config())
    policy.init_plugin()
    for submission in gradebook.assignment_submissions(name):
        student, late = submission.student.id, submission.total_seconds_late
        for notebook in submission.notebooks:
            score = notebook.score
            penalty = policy.plugin_inst.late_submission_penalty(student, score, late) if late > 0 else None
            notebook.late_submission_penalty = None if penalty is None else min(max(penalty, 0.0), score)
    gradebook.db.commit()


# -- tell ------------------------------------------------------------------------------------------------


def _mark(gradebook: Any, name: str, student: str, text: str) -> Mark:
    """Read the mark of a submission from the gradebook, and say why it is what it is."""
    said = verdicts(text)
    notebook = gradebook.find_submission_notebook(name, name, student)
    tests = [entry for entry in notebook.grades if entry.name in said]
    words = [entry for entry in notebook.grades if entry.name not in said]
    return Mark(
        student=student,
        tests=sum(entry.score for entry in tests),
        of_tests=sum(entry.max_score for entry in tests),
        words=sum(entry.score for entry in words),
        of_words=sum(entry.max_score for entry in words),
        waiting=sum(entry.needs_manual_grade for entry in notebook.grades),
        penalty=notebook.late_submission_penalty or 0.0,
        reason=_reason(text, said),
        lost=any(str(reason).startswith(LOST) for reason in said.values()),
    )


def _reason(text: str, said: Mapping[str, str | None]) -> str:
    """Say what was noticed, and which tests failed why."""
    notes = json.loads(text)["metadata"].get("coursekit", {}).get("notes", [])
    failed = [f"{test}: {reason.rstrip(': ')}" for test, reason in said.items() if reason is not None]
    if failed:
        failed = _first_failed_answer(text) + failed
    return " ".join(" ".join([*notes, "; ".join(failed) or "all tests passed"]).split())


def _first_failed_answer(text: str) -> list[str]:
    """Say which answer failed before any test did: what a test says of it is a consequence."""
    for cell in json.loads(text)["cells"]:
        reason = verdict(cell.get("outputs", []))
        if reason is not None:
            name = name_of(cell) or "a cell of their own"
            return [] if kind(cell) == "test" else [f"{name}: {reason.rstrip(': ')}"]
    return []
