"""The command ``coursekit``: new, check, release, collect, grade, feedback, export.

Messages go to stdout, errors and progress bars to stderr. The exit code is 0 if all went well, 1 if there is
something that an instructor must look at, 2 if the command could not be carried out.
"""

import argparse
import importlib.util
import os
import pathlib
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coursekit.course.course import Course
    from coursekit.course.grade import Mark

__all__ = ["main", "moved"]

NEEDED = ("nbgrader", "jupytext", "yaml", "docutils")
WIDEST = 44  # characters of a reason in a table
NO_WALLS = """\
WARNING: --no-sandbox: students' code now runs as you, with your files, your network
and the folder with the answers in reach. Only do this with code that you trust, or in
a container or a virtual machine that holds nothing else."""
TEXTS = {
    "new": (
        "Write a template for a problem set into COURSE/SET: a source with answers, tests and a marking "
        "guide, and answers to test the tests. It passes the check as it is; then replace its tasks.",
        "new 08-margins",
    ),
    "check": (
        "Test the tests of a problem set. The model answer must get all marks and the blank handout none; "
        "other right answers must pass; known and machine-made mistakes must be found. "
        "Exit code 1 if one is not.",
        "check 05-kernels --jobs 4",
    ),
    "release": (
        "Write the handout to COURSE/release/SET, without answers and hidden tests, and search it for both. "
        "The set is entered into the gradebook, with the time when it is due.",
        'release 05-kernels --due "2026-01-15 23:59"',
    ),
    "collect": (
        "Sort what students handed in into COURSE/submitted. It reads the zip files of Moodle and Canvas, "
        "zip files or folders with STUDENT_SET.ipynb or STUDENT/SET.ipynb, and a single STUDENT_SET.ipynb. "
        "Of several submissions the latest counts; what is not understood is listed and left alone.",
        "collect 05-kernels submissions.zip --times worksheet.csv",
    ),
    "grade": (
        "Run every submission in a sandbox, try the tests, and write marks and reasons into the gradebook. "
        "Answers in words wait there for a mark by hand. Marking again keeps what was marked by hand. "
        "Exit code 1 if the marker failed.",
        "grade 05-kernels --jobs 4",
    ),
    "feedback": (
        "Write a web page for each student to COURSE/feedback, with marks, reasons and comments, and without "
        "hidden tests. Exit code 1 if answers still wait for a mark by hand: the pages say where.",
        "feedback 05-kernels",
    ),
    "export": (
        "Write the marks, less late penalties, to COURSE as SET-marks.csv, SET-moodle.csv (to upload as a "
        "grading worksheet) and SET-canvas.csv (to import into the gradebook). "
        "Exit code 1 if answers still wait for a mark by hand.",
        "export 05-kernels",
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        the words after ``coursekit``; by default those of the command line

    Returns
    -------
    int
        the exit code
    """
    options = _parser().parse_args(arguments)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        return _fail(f"{', '.join(missing)} is not installed; run: pip install lecturekit[coursework]")
    from coursekit.course.course import CourseError
    from coursekit.sets.problem_set import ProblemSetError
    from coursekit.sets.release import LeakError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of nbgrader's libraries
            return int(COMMANDS[options.command](options))
    except (CourseError, LeakError, ProblemSetError, OSError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("stopped; what was written before stays, and the command can be given again")


def moved() -> int:
    """Say where the command ``lecturekit coursework`` went."""
    words = " ".join(word for word in sys.argv[1:] if word != "coursework")
    return _fail(f"the command has a name of its own now; run: coursekit {words}".rstrip())


def _fail(message: str) -> int:
    """Say what is wrong."""
    print(f"coursekit: {message}", file=sys.stderr)
    return 2


# -- the command line ------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="coursekit", description="Release, collect, mark and return problem sets."
    )
    plain = argparse.RawDescriptionHelpFormatter
    steps = top.add_subparsers(dest="command", required=True, metavar="command")
    for name, (text, example) in TEXTS.items():
        step = steps.add_parser(
            name,
            help=text.partition(". ")[0],
            description=textwrap.fill(text, 80),
            epilog=f"example:\n  coursekit {example}",
            formatter_class=plain,
        )
        step.add_argument("set", help="the name of the problem set, such as 05-kernels")
        step.add_argument(
            "--course",
            metavar="DIR",
            type=pathlib.Path,
            default=pathlib.Path("coursework"),
            help="the folder of the course (default: %(default)s)",
        )
        step.add_argument("--quiet", action="store_true", help="no progress bar")
        _add_options(step, name)
    return top


def _add_options(step: argparse.ArgumentParser, name: str) -> None:
    """Add the options of one command."""
    if name == "new":
        step.add_argument(
            "--example", action="store_true", help="also write five made-up submissions of the template"
        )
    if name == "release":
        step.add_argument(
            "--due", metavar="TIME", help="when it is due, such as '2026-01-15 23:59', in your time zone"
        )
        step.add_argument("--book", metavar="DIR", type=pathlib.Path, help="also write it to DIR/coursework")
    if name == "collect":
        step.add_argument("source", nargs="+", type=pathlib.Path, help="zip files, folders or notebooks")
        step.add_argument(
            "--times",
            metavar="CSV",
            type=pathlib.Path,
            help="times of handing in: Moodle's grading worksheet, or a table with columns student, time",
        )
    if name in ("check", "grade"):
        step.add_argument(
            "--jobs",
            metavar="N",
            type=int,
            default=os.cpu_count() or 1,
            help="how many at a time (default: %(default)s)",
        )
    if name == "grade":
        step.add_argument(
            "--student", action="append", metavar="NAME", help="only this student (may be repeated)"
        )
        step.add_argument(
            "--no-sandbox", action="store_true", help="run students' code without bubblewrap: DANGEROUS"
        )


# -- the commands ----------------------------------------------------------------------------------------


def _new(options: argparse.Namespace) -> int:
    """Write a template."""
    from coursekit.course.course import Course
    from coursekit.course.example import new, write_submissions

    course = Course(options.course)
    written = new(course, options.set)
    written += write_submissions(course, options.set) if options.example else []
    print("\n".join(f"wrote {path}" for path in written))
    print(f"Next: edit the source, then run: coursekit check {options.set}")
    return 0


def _check(options: argparse.Namespace) -> int:
    """Test the tests."""
    from coursekit.checking.check import check
    from coursekit.course.course import Course

    report = check(
        Course(options.course).problem_set(options.set), jobs=options.jobs, progress=_progress(options)
    )
    print(report)
    return 0 if report.passed else 1


def _release(options: argparse.Namespace) -> int:
    """Write the handout."""
    from coursekit.course.course import Course, quiet, utc
    from coursekit.course.grade import enter
    from coursekit.sets.release import release

    course = Course(options.course)
    problem_set = course.problem_set(options.set)
    due = None if options.due is None else utc(options.due)
    with quiet():
        folder = release(problem_set, course.folder, book=options.book)
        enter(course, problem_set, due=due)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    print("\n".join(f"wrote {path}" for path in files))
    print(f"{problem_set.total:g} marks; students get no answer and no hidden test: searched.")
    return 0


def _collect(options: argparse.Namespace) -> int:
    """Sort what was handed in."""
    from coursekit.course.collect import collect
    from coursekit.course.course import Course

    course = Course(options.course)
    course.problem_set(options.set)
    found = collect(course, options.set, options.source, times=options.times)
    print(f"{_count(len(found.students), 'submission')} of {options.set}")
    for student in found.students:
        print(f"  {student}")
    if found.untimed:
        print(f"No time of handing in, so no late penalty: {', '.join(found.untimed)}")
    if found.late:
        print(f"Late, says Canvas: {', '.join(found.late)}")
    if found.notes:
        print("Please look at:\n" + "\n".join(f"  {note}" for note in found.notes))
    return 1 if found.notes or not found.students else 0


def _grade(options: argparse.Namespace) -> int:
    """Mark."""
    from coursekit.course.course import Course
    from coursekit.course.grade import grade

    if options.no_sandbox:
        print(NO_WALLS, file=sys.stderr)
    course = Course(options.course)
    course.problem_set(options.set)
    if not course.students("submitted", options.set):
        return _fail(f"nothing is handed in for {options.set}; run: coursekit collect {options.set} FILE")
    marks = grade(
        course,
        options.set,
        students=options.student,
        jobs=options.jobs,
        sandbox=not options.no_sandbox,
        progress=_progress(options),
    )
    print(_table(("student", "tests", "words", "late", "reason"), map(_mark_row, marks)))
    return _explain_marks(course, options.set, marks)


def _mark_row(mark: "Mark") -> tuple[str, ...]:
    """Return the row of a student in the table of marks."""
    return (
        mark.student,
        f"{mark.tests:g}/{mark.of_tests:g}",
        f"{mark.words:g}/{mark.of_words:g}" + (" ?" if mark.waiting else ""),
        f"-{mark.penalty:g}" if mark.penalty else "",
        mark.reason if len(mark.reason) <= WIDEST else mark.reason[: WIDEST - 3] + "...",
    )


def _explain_marks(course: "Course", name: str, marks: "list[Mark]") -> int:
    """Say what the table leaves open; return the exit code."""
    from coursekit.course.grade import never_released
    from coursekit.marking.sanitise import UNREADABLE

    waiting, lost = sum(mark.waiting for mark in marks), [mark.student for mark in marks if mark.lost]
    unread = [mark.student for mark in marks if mark.reason.startswith(UNREADABLE)]
    notes = []
    if any(len(mark.reason) > WIDEST for mark in marks):
        notes.append(f"...: the full text is in {course.place('autograded', 'STUDENT', name)}/{name}.ipynb")
    if waiting:
        notes.append(f"?: {_wait(waiting)} for a mark by hand; open the formgrader in {course.folder}.")
    if never_released(course, name):
        notes.append(
            f"{name} was never released, so it has no due date and nobody is late; to enter one, run:"
        )
        notes.append(f"  coursekit release {name} --due TIME")
    if unread:
        notes.append(f"No notebook that can be read, please ask for it again: {', '.join(unread)}")
    if notes:
        print("\n" + "\n".join(notes))
    if lost:
        print(f"\nThe marker failed, no fault of theirs; mark again: {', '.join(lost)}", file=sys.stderr)
    return 1 if lost or unread else 0


def _feedback(options: argparse.Namespace) -> int:
    """Write feedback pages."""
    from coursekit.course.course import Course
    from coursekit.course.export import results
    from coursekit.course.feedback import feedback

    course = Course(options.course)
    pages = feedback(course, options.set, progress=_progress(options))
    print("\n".join(f"wrote {path}" for path in pages))
    waiting = sum(result.waiting for result in results(course, options.set))
    return _unfinished(course, options.set, waiting, "the pages say so")


def _export(options: argparse.Namespace) -> int:
    """Write tables of marks."""
    from coursekit.course.course import Course
    from coursekit.course.export import export

    course = Course(options.course)
    found, paths = export(course, options.set)
    rows = [
        (r.student, f"{r.raw:g}", f"-{r.penalty:g}" if r.penalty else "", f"{r.mark:g}", f"{r.out_of:g}")
        for r in found
    ]
    print(_table(("student", "marks", "late", "mark", "of"), rows))
    print("\n" + "\n".join(f"wrote {path}" for path in paths))
    return _unfinished(
        course, options.set, sum(result.waiting for result in found), "counted as 0 until then"
    )


def _unfinished(course: "Course", name: str, waiting: int, so_far: str) -> int:
    """Say what is not marked yet and who was left out; return the exit code."""
    handed_in, marked = (set(course.students(step, name)) for step in ("submitted", "autograded"))
    gone, new = ", ".join(sorted(marked - handed_in)), ", ".join(sorted(handed_in - marked))
    if waiting:
        print(f"NOT COMPLETE: {_wait(waiting)} for a mark by hand; {so_far}.")
    if new:
        print(f"NOT MARKED, left out: {new}; run: coursekit grade {name}")
    if gone:
        print(
            f"NO LONGER in {course.folder / 'submitted'}, left out: {gone}; the gradebook keeps their marks. "
            f"Put the folder back, or remove theirs in {course.folder / 'autograded'} as well."
        )
    return 1 if waiting or new or gone else 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "new": _new,
    "check": _check,
    "release": _release,
    "collect": _collect,
    "grade": _grade,
    "feedback": _feedback,
    "export": _export,
}


def _count(number: int, thing: str) -> str:
    """Count things."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _wait(number: int) -> str:
    """Say how many answers wait."""
    return f"{_count(number, 'answer')} {'waits' if number == 1 else 'wait'}"


def _progress(options: argparse.Namespace) -> bool:
    """Whether to show a progress bar: to people only."""
    return not options.quiet and sys.stderr.isatty()


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with aligned columns."""
    lines = [tuple(columns), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
