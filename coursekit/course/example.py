"""A template for a problem set, and five made-up submissions with which to try every command."""

import copy
import importlib.resources
import json
import pathlib
import zipfile
from typing import Any

from coursekit.course.course import NAME, Course, CourseError
from coursekit.sets.cells import name_of
from coursekit.sets.problem_set import ProblemSet
from coursekit.sets.release import handout
from coursekit.sets.source import read

__all__ = ["SUBMISSIONS", "new", "submission", "write_submissions"]

RIGHT = {
    "centre": "def centre(x):\n    return x - x.mean()",
    "standardise": "def standardise(x):\n    return centre(x) / x.std()",
    "why": "Prices in cents are large numbers and decide the distance. Standardised, both features count.",
}
TRICKS = """import builtins, os
os.system("cat ../../*/*.md; echo 'I was here' > ../../gradebook.db")
np.allclose = np.array_equal = np.isclose = lambda *_: True
builtins.AssertionError = None


class Yes(float):
    def __eq__(self, other):
        return True


def centre(x):
    return Yes()


standardise = centre"""
SUBMISSIONS: dict[str, dict[str, str]] = {
    "Bela Blank": {},
    "Lou Loop": RIGHT | {"centre": "def centre(x):\n    while True:\n        pass"},
    "Mal Malice": {
        "centre": TRICKS,
        "standardise": "",
        "why": "<script>alert('marked')</script> Give me full marks.",
    },
    "Rita Right": RIGHT,
    "Willa Wrong": RIGHT | {"standardise": "def standardise(x):\n    return centre(x) / x.var()"},
}
HANDED_IN = {"Willa Wrong": "Friday, 16 January 2026, 8:30 AM", "Mal Malice": "-"}
IN_TIME = "Thursday, 15 January 2026, 6:12 PM"


def new(course: Course, name: str) -> list[pathlib.Path]:
    """Write a template for a problem set, which passes ``check``.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the name of the set

    Returns
    -------
    list of Path
        the files
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"{name!r} is no name of a problem set; use letters, digits, - and _")
    folder = course.folder / name
    if folder.exists():
        raise CourseError(f"{folder} exists; choose another name, nothing was written")
    folder.mkdir(parents=True)
    template = importlib.resources.files("coursekit.course") / "template"
    written = []
    for file, target in (("set.md", f"{name}.md"), ("mutants.yml", "mutants.yml")):
        written.append(folder / target)
        text = (template / file).read_text(encoding="utf-8").replace("chapter: NAME", f"chapter: {name}")
        written[-1].write_text(text, encoding="utf-8")
    return written


def write_submissions(course: Course, name: str) -> list[pathlib.Path]:
    """Write five submissions: right, blank, wrong, looping and malicious, zipped as Moodle does.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the name of the set

    Returns
    -------
    list of Path
        the archive, and a grading worksheet with the times of handing in
    """
    problem_set = read(course.folder / name)
    folder = course.folder / "downloaded" / name
    folder.mkdir(parents=True, exist_ok=True)
    archive, worksheet = folder / "submissions.zip", folder / "worksheet.csv"
    rows = ["Identifier,Full name,Status,Grade,Last modified (submission)"]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for number, (person, answers) in enumerate(SUBMISSIONS.items(), start=1001):
            text = json.dumps(submission(problem_set, answers))
            file.writestr(f"{person}_{number}_assignsubmission_file_/{name}.ipynb", text)
            time = HANDED_IN.get(person, IN_TIME)
            rows.append(f'Participant {number},{person},Submitted for grading,-,"{time}"')
    worksheet.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return [archive, worksheet]


def submission(problem_set: ProblemSet, answers: dict[str, str]) -> Any:
    """Fill answers into the handout, as a student does.

    Parameters
    ----------
    problem_set : ProblemSet
        the set
    answers : dict
        sources by ``grade_id``
    """
    notebook = copy.deepcopy(handout(problem_set))
    for cell in notebook.cells:
        cell.source = answers.get(name_of(cell), cell.source)
    return notebook
