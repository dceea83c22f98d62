"""The folder of a course: problem sets, submissions, marks and feedback, where nbgrader looks for them.

::

    coursework/
        nbgrader_config.py                    settings, such as the late policy
        <set>/<set>.md, mutants.yml           problem sets with answers
        release/<set>/                        handouts
        submitted/<student>/<set>/            what students handed in
        autograded/<student>/<set>/           the same, marked
        feedback/<student>/<set>/             pages for students
        gradebook.db                          marks
"""

import contextlib
import dataclasses
import datetime
import logging
import pathlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

from coursekit.sets.problem_set import ProblemSet
from coursekit.sets.release import open_gradebook
from coursekit.sets.source import read

__all__ = ["Course", "CourseError", "quiet", "utc"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
TIMESTAMP = "%Y-%m-%d %H:%M:%S.%f UTC"  # as nbgrader writes it into timestamp.txt


class CourseError(Exception):
    """Something is missing or cannot be meant; the message says what, and what to do."""


@dataclasses.dataclass(frozen=True)
class Course:
    """The folder of a course.

    Parameters
    ----------
    folder : Path
        where it is
    """

    folder: pathlib.Path

    def problem_set(self, name: str) -> ProblemSet:
        """Read a problem set."""
        return read(self.home(name))

    def home(self, name: str) -> pathlib.Path:
        """Return the folder of a problem set, and refuse a name that is none."""
        if not NAME.fullmatch(name):
            raise CourseError(f"{name!r} is no name of a problem set; use letters, digits, - and _")
        if not (self.folder / name).is_dir():
            raise CourseError(f"there is no problem set {name} in {self.folder}; {self._others()}")
        return self.folder / name

    def _others(self) -> str:
        """Say which sets there are."""
        found = sorted(
            path.parent.name for path in self.folder.glob("*/*.md") if path.stem == path.parent.name
        )
        return f"there are: {', '.join(found)}" if found else "say which folder with --course"

    def place(self, step: str, student: str, name: str) -> pathlib.Path:
        """Return the folder of a submission at a step: ``submitted``, ``autograded`` or ``feedback``."""
        return self.folder / step / student / name

    def students(self, step: str, name: str) -> list[str]:
        """List the students with a notebook of a set at a step."""
        found = (self.folder / step).glob(f"*/{name}/{name}.ipynb")
        return sorted(path.parent.parent.name for path in found)

    def marked(self, name: str) -> list[str]:
        """List the students whose submission of a set is here and marked."""
        handed_in, marked = self.students("submitted", name), self.students("autograded", name)
        found = [student for student in marked if student in set(handed_in)]
        if not found:
            raise CourseError(
                f"no submission of {name} in {self.folder / 'submitted'} is marked; "
                f"run: coursekit grade {name}"
            )
        return found

    @property
    def gradebook_url(self) -> str:
        """The address of the gradebook."""
        return str(self._directory().db_url)

    def gradebook(self) -> contextlib.AbstractContextManager[Any]:
        """Open the gradebook."""
        return open_gradebook(self.gradebook_url)

    def config(self) -> Any:
        """Read ``nbgrader_config.py``, if there is one."""
        from traitlets.config import Config
        from traitlets.config.loader import PyFileConfigLoader

        if not (self.folder / "nbgrader_config.py").is_file():
            return Config()
        return PyFileConfigLoader("nbgrader_config.py", path=str(self.folder)).load_config()

    def _directory(self) -> Any:
        """Return nbgrader's idea of this folder."""
        from nbgrader.coursedir import CourseDirectory

        return CourseDirectory(root=str(self.folder.resolve()), config=self.config())


def utc(text: str) -> str:
    """Read a time, which is this machine's unless it names a time zone, and write it as nbgrader does.

    Parameters
    ----------
    text : str
        in English, such as ``2026-01-15 23:59`` or ``Thursday, 15 January 2026, 11:59 PM``

    Examples
    --------
    >>> utc("15 January 2026, 11:59 PM +0100")
    '2026-01-15 22:59:00.000000 UTC'
    """
    import dateutil.parser

    try:
        found = dateutil.parser.parse(text, tzinfos={"UTC": datetime.UTC})
    except (ValueError, OverflowError):
        raise CourseError(f"{text!r} is no time; write it like 2026-01-15 23:59") from None
    return str(found.astimezone(datetime.UTC).strftime(TIMESTAMP))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence nbgrader and its libraries, whose warnings are not for the reader."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
