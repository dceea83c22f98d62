"""Feedback: a web page for each student, with marks, comments and reasons, and without hidden tests.

A page is one file and asks no other host for anything: it has no scripts, and its formulas are MathML, which
browsers draw by themselves.
"""

import copy
import json
import pathlib
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import nbformat
import tqdm
from docutils.utils.math.latex2mathml import tex2mathml
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from coursekit.course.course import Course, quiet
from coursekit.course.grade import assign_late_penalties
from coursekit.sets.cells import HIDDEN, bare, kind, regions
from coursekit.sets.problem_set import ProblemSet
from coursekit.sets.release import LeakError, find_leaks
from coursekit.sets.source import SHORTEST_SECRET

__all__ = ["feedback", "hidden_lines", "without_hidden_tests"]

BLOCK = re.compile(rf"^[^\n]*BEGIN {HIDDEN}.*?END {HIDDEN}[^\n]*$", re.S | re.M)
INSTEAD = "# (hidden tests ran here)"
SCRIPT = re.compile(r"<script\b.*?</script\s*>", re.S | re.I)
LOADED = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # a browser takes nothing else
POLICY = f'<meta http-equiv="Content-Security-Policy" content="{LOADED}">'
NOT_YET = "not yet marked"
LONGEST_FORMULA = 2_000  # characters
DOTS, DIGITS = re.compile(r"\\dots(?![A-Za-z])"), re.compile(r"\\frac\s*(\d)\s*(\d)")


def feedback(course: Course, name: str, *, progress: bool = False) -> list[pathlib.Path]:
    """Write the feedback pages of a problem set.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set
    progress : bool
        whether to show a progress bar

    Returns
    -------
    list of Path
        the pages, ``feedback/<student>/<set>/<set>.html``

    Raises
    ------
    LeakError
        if a page held a line of a hidden test; such pages are removed, the others stay
    """
    problem_set = course.problem_set(name)
    students = course.marked(name)
    pages, leaks = [], []
    with quiet():
        with course.gradebook() as gradebook:
            assign_late_penalties(course, gradebook, name)
            waiting = {student: _waiting(gradebook, student, name) for student in students}
        exporter = _exporter()
        for student in tqdm.tqdm(students, desc=name, disable=not progress, file=sys.stderr):
            page = course.place("feedback", student, name) / f"{name}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            text = _without_marks(_page(exporter, course, student, name), waiting[student])
            page.write_text(text, encoding="utf-8")
            found = find_leaks(_unknown_to(course, student, problem_set), [page])
            if found:
                page.unlink()
                leaks += [f"{student}, {line}" for line in found]
            else:
                pages.append(page)
    if leaks:
        raise LeakError("These pages were removed, for they held lines of hidden tests:\n" + "\n".join(leaks))
    return pages


def _exporter() -> Any:
    """Return nbgrader's exporter of feedback pages."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory

    converter = GenerateFeedback(coursedir=CourseDirectory())
    exporter = converter.exporter_class(config=converter.config)
    for preprocessor in converter.preprocessors:
        exporter.register_preprocessor(preprocessor, enabled=True)
    exporter.register_filter("markdown2html", _markdown)
    return exporter


def _page(exporter: Any, course: Course, student: str, name: str) -> str:
    """Make the page of one student."""
    path = course.place("autograded", student, name) / f"{name}.ipynb"
    notebook = without_hidden_tests(json.loads(path.read_text(encoding="utf-8")))
    place = {"student": student, "assignment": name, "notebook": name, "db_url": course.gradebook_url}
    resources = {"nbgrader": place, "unique_key": name, "output_files_dir": f"{name}_files"}
    page, _ = exporter.from_notebook_node(nbformat.from_dict(notebook), resources=resources)  # type: ignore[no-untyped-call]
    return SCRIPT.sub("", str(page)).replace("<head>", f"<head>\n{POLICY}", 1)


def _waiting(gradebook: Any, student: str, name: str) -> list[str]:
    """Name the cells of a student that wait for a mark by hand."""
    found = gradebook.find_submission_notebook(name, name, student).grades
    return [entry.name for entry in found if entry.needs_manual_grade]


def _without_marks(page: str, waiting: Iterable[str]) -> str:
    """Say at cells that wait for a mark, and at the sum, that it is none yet."""
    for cell in waiting:
        for place in (rf'<a href="#{cell}">[^<]*</a> \(Score: ', rf'<a name="{cell}"></a>.*?Score: '):
            page = re.sub(rf"({place})[\d.]+", rf"\g<1>{NOT_YET}", page, count=1, flags=re.S)
    return re.sub(r"(<h4>[^<]*\(Score)(?=:)", r"\1 so far", page, count=1) if waiting else page


def without_hidden_tests(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a marked notebook without the hidden part of its tests; their messages stay.

    Parameters
    ----------
    notebook : dict
        the notebook
    """
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        shown = BLOCK.sub(INSTEAD, cell["source"])
        if kind(cell) == "test" and shown != cell["source"]:
            cell["source"] = shown
            for output in cell.get("outputs", []):
                if output["output_type"] == "error":  # a trace would show source lines
                    output["traceback"] = [f"{output['ename']}: {output['evalue']}"]
    return notebook


def hidden_lines(problem_set: ProblemSet) -> frozenset[str]:
    """Return the lines of the hidden tests that tell something and occur nowhere in the open part.

    Parameters
    ----------
    problem_set : ProblemSet
        the set
    """
    cells = problem_set.notebook.cells
    shown = bare("\n".join(BLOCK.sub("", cell.source) for cell in cells))
    hidden = {line.strip() for cell in cells for line in _inside(cell.source)}
    return frozenset(line for line in hidden if len(line) >= SHORTEST_SECRET and bare(line) not in shown)


def _inside(source: str) -> list[str]:
    """Return the lines of hidden tests."""
    lines = source.split("\n")
    return [line for start, end in regions(source, HIDDEN) for line in lines[start:end]]


def _unknown_to(course: Course, student: str, problem_set: ProblemSet) -> frozenset[str]:
    """Return the hidden lines that the student did not write."""
    path = course.place("submitted", student, problem_set.name) / f"{problem_set.name}.ipynb"
    written = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    return frozenset(line for line in hidden_lines(problem_set) if json.dumps(line)[1:-1] not in written)


# -- formulas --------------------------------------------------------------------------------------------


class _Renderer(IPythonRenderer):
    """Writes formulas as MathML; one that cannot be read stays as it was typed."""

    def inline_math(self, body: str) -> str:
        """Write a formula in the line."""
        return _mathml(body, block=False) or super().inline_math(body)

    def block_math(self, body: str) -> str:
        """Write a formula on its own line."""
        return _mathml(body, block=True) or super().block_math(body)


def _mathml(tex: str, *, block: bool) -> str | None:
    r"""Translate TeX, also what docutils does not know: ``\dots`` and ``\frac12``; None if that fails."""
    if len(tex) > LONGEST_FORMULA:
        return None
    tex = DIGITS.sub(r"\\frac{\1}{\2}", DOTS.sub(r"\\ldots", tex))
    try:
        return tex2mathml(tex, as_block=block)
    except Exception:  # whatever students type
        return None


@pass_context
def _markdown(context: Mapping[str, Any], source: str) -> str:
    """Turn the text of a cell, or a comment, into HTML."""
    pictures = context.get("cell", {}).get("attachments", {})
    return MarkdownWithMath(renderer=_Renderer(escape=False, attachments=pictures)).render(source)
