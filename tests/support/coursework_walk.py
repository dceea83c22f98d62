"""Run the commands of the instructors' page, in order, in a folder of their own."""

import contextlib
import io
import pathlib
import re
import shlex
import shutil
from dataclasses import dataclass

from bookkit import ROOT
from coursekit.cli import main
from coursekit.course.course import Course, quiet

PAGE = ROOT / "book" / "coursework" / "instructors.md"
EXAMPLE = re.compile(r"\n## A first run.*?(?=\n## )", re.S)
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.S | re.M)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.M)
SECONDS = re.compile(r"\b\d+ s\b")


@dataclass(frozen=True)
class Step:
    """A command of the page, the output on the page, the real one, and the exit code."""

    command: str
    shown: str
    printed: str
    code: int


@dataclass(frozen=True)
class Walk:
    """The folder of a course after the worked example, and its steps."""

    course: Course
    steps: list[Step]

    def copy(self, folder: pathlib.Path) -> Course:
        """Copy the course, to change something in it."""
        shutil.copytree(self.course.folder, folder / "coursework")
        return Course(folder / "coursework")


def walk(folder: pathlib.Path) -> Walk:
    """Do what the worked example of the page says."""
    (folder / "coursework").mkdir()
    shutil.copy(ROOT / "coursework" / "nbgrader_config.py", folder / "coursework")
    steps = []
    with contextlib.chdir(folder):
        for language, text in BLOCK.findall(EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))[0]):
            if language == "python":
                with quiet():
                    exec(text, {})
                continue
            for command, shown in COMMAND.findall(text):
                printed, code = run(command.replace("\\\n", ""))
                steps.append(Step(command, shown, SECONDS.sub("5 s", printed), code))
    return Walk(Course(folder / "coursework"), steps)


def run(command: str) -> tuple[str, int]:
    """Run a command; return what it printed, and the exit code."""
    program, *words = shlex.split(command)
    if program == "cat":
        return pathlib.Path(words[0]).read_text(encoding="utf-8"), 0
    assert program == "coursekit"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main(words)
    return out.getvalue(), code


def renewed(page: str, steps: list[Step]) -> str:
    """Return the page with the real outputs."""
    for step in steps:
        page = page.replace(f"$ {step.command}\n{step.shown}", f"$ {step.command}\n{step.printed}", 1)
    return page
