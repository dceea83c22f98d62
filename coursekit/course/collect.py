"""Sort what students handed in: from the zip file of a learning platform, or a folder, into ``submitted/``.

Names of files come from students and are never used as paths; only notebooks of bounded size are read. Of
several submissions of a student the latest counts. What is not understood is listed, and stays where it is.

Zip files of Moodle and Canvas hold the time of the *download*, not of the submission. So the times of handing
in, which late penalties need, come from a table: Moodle's grading worksheet, or one with the columns
``student`` and ``time``.
"""

import csv
import datetime
import json
import lzma
import pathlib
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from coursekit.course.course import Course, CourseError, utc

__all__ = ["Collection", "Submission", "collect"]

LARGEST = 20 << 20  # bytes of a notebook
MOST = 20_000  # files in an archive
RECORD = "collected.json"
MOODLE = re.compile(r"(?:.*/)?(?P<name>[^/]+?)_(?P<number>\d+)_assignsubmission_file(?:_/|_|/)(?P<file>.+)")
CANVAS = re.compile(
    r"(?:.*/)?(?P<name>[^/_]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<file>[^/]+)"
)
PLAIN = r"(?:.*/)?(?P<name>(?!{set}/)[^/]+)(?:_|/|/{set}/){set}\.ipynb"
PARTICIPANT = re.compile(r"\D*(\d+)\s*")
LINK = "is a link, which is not followed; put the file itself in its place"


@dataclass(frozen=True, kw_only=True)
class Submission:
    """One notebook that was handed in."""

    student: str
    name: str
    number: str
    platform: str
    file: str
    late: bool
    rank: tuple[object, ...]  # the latest has the largest
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Collection:
    """What was collected.

    Attributes
    ----------
    students
        whose notebooks are now in ``submitted/``
    untimed
        those without a known time of handing in
    late
        those whom Canvas calls late
    notes
        what was not understood or not used, each with the reason
    """

    students: tuple[str, ...]
    untimed: tuple[str, ...]
    late: tuple[str, ...]
    notes: tuple[str, ...]


def collect(
    course: Course, name: str, sources: Iterable[pathlib.Path], *, times: pathlib.Path | None = None
) -> Collection:
    """Put the latest notebook of each student into ``submitted/<student>/<set>/``.

    Parameters
    ----------
    course : Course
        the folder of the course
    name : str
        the problem set
    sources : iterable of Path
        zip files from Moodle or Canvas, zip files or folders with ``<student>_<set>.ipynb`` or
        ``<student>/<set>.ipynb``, or a file ``<student>_<set>.ipynb``
    times : Path, optional
        a table with the times of handing in
    """
    notes: list[str] = []
    found = [item for source in sources for item in _look(source, name, notes)]
    chosen = _latest(_told_apart(found, notes), notes)
    known = {} if times is None else _read_times(times, notes)
    placed = []
    for item in chosen:
        time, folder = _time_of(item, known), course.place("submitted", item.student, name)
        try:
            note = _put(folder, name, item, time)
        except CourseError as error:
            notes.append(str(error))
        else:
            notes += [note] if note else []
            placed.append((item, (folder / "timestamp.txt").is_file()))
    here = _everybody(course, name, chosen)
    notes += [
        f"{_printable(person)}: has a time in {times}, but no submission here"
        for who, (person, _) in known.items()
        if who not in here
    ]
    return Collection(
        students=tuple(item.student for item, _ in placed),
        untimed=tuple(item.student for item, timed in placed if not timed),
        late=tuple(item.student for item, _ in placed if item.late),
        notes=tuple(notes),
    )


# -- what there is ---------------------------------------------------------------------------------------


def _look(source: pathlib.Path, name: str, notes: list[str]) -> Iterator[Submission]:
    """Yield the submissions in a zip file or a folder."""
    if not source.exists():
        raise CourseError(f"{source} does not exist; give a zip file, a folder or a notebook")
    for file, size, changed, read in _entries(source, notes):
        if size > LARGEST:
            notes.append(f"{_printable(file)}: larger than {LARGEST >> 20} MB, not read")
            continue
        item = _understand(file, name, changed, read)
        if item is None:
            notes.append(
                f"{_printable(file)}: not understood; expected is a .ipynb file with the student's name, "
                f"such as STUDENT_{name}.ipynb"
            )
        else:
            yield item


Entry = tuple[str, int, tuple[int, ...], Callable[[], bytes]]


def _entries(source: pathlib.Path, notes: list[str]) -> Iterator[Entry]:
    """Yield what is in a zip file, in a folder, or the notebook itself."""
    if source.is_dir():
        return _in_folder(source, notes)
    if source.suffix.lower() == ".ipynb":
        return iter([_entry(source, source.name)])
    return _in_zip(source, notes)


def _in_zip(path: pathlib.Path, notes: list[str]) -> Iterator[Entry]:
    """Yield name, size and time of the files in an archive, and a way to read each."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise CourseError(f"{path} cannot be read as a zip file ({error}); download it again") from None
    if len(infos) > MOST:
        raise CourseError(f"{path} holds {len(infos)} files, more than {MOST}; is it the right file?")
    for info in infos:
        if stat.S_ISLNK(info.external_attr >> 16):
            notes.append(f"{_printable(info.filename)}: {LINK}")
        elif not info.filename.startswith("__MACOSX/"):
            yield info.filename, info.file_size, info.date_time, _reader(path, info)


def _reader(path: pathlib.Path, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    """Return what reads one file of an archive."""

    def read() -> bytes:
        try:
            with zipfile.ZipFile(path) as archive, archive.open(info) as file:
                return file.read(LARGEST)
        except (
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            EOFError,
            OSError,
            ValueError,
            zlib.error,
            lzma.LZMAError,
        ) as error:
            raise CourseError(f"{_printable(info.filename)} cannot be unpacked ({error})") from None

    return read


def _in_folder(folder: pathlib.Path, notes: list[str]) -> Iterator[Entry]:
    """Yield name, size and time of the files in a folder, and a way to read each."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            notes.append(f"{_printable(name)}: {LINK}")
        elif path.is_file() and ".ipynb_checkpoints" not in path.parts:
            yield _entry(path, name)


def _entry(path: pathlib.Path, name: str) -> Entry:
    """Return name, size and time of a file, and a way to read it."""
    status = path.stat()
    changed = datetime.datetime.fromtimestamp(status.st_mtime).timetuple()[:6]
    return name, status.st_size, tuple(changed), path.read_bytes


def _understand(
    file: str, name: str, changed: tuple[int, ...], read: Callable[[], bytes]
) -> Submission | None:
    """Find out whose file it is."""
    if not file.lower().endswith(".ipynb"):
        return None
    plain = re.compile(PLAIN.format(set=re.escape(name)))
    patterns = {"moodle": MOODLE, "canvas": CANVAS, "plain": plain}
    matches = {platform: pattern.fullmatch(file) for platform, pattern in patterns.items()}
    platform, match = next(((key, match) for key, match in matches.items() if match), ("", None))
    if match is None:
        return None
    found = match.groupdict(default="")
    student = _safe(found["name"]) + (f"-{found['number']}" if platform == "canvas" else "")
    own = pathlib.PurePosixPath(found.get("file", file)).name.startswith(name)
    return Submission(
        student=student,
        name=_printable(found["name"]),
        number=found.get("number", ""),
        platform=platform,
        file=_printable(file),
        late=bool(found.get("late")),
        rank=(own, changed, int(found.get("upload") or 0), file),
        read=read,
    )


def _safe(name: str) -> str:
    """Return a name that is a good name for a folder.

    Examples
    --------
    >>> _safe("../Zoë O'Hara ")
    'Zoë-O-Hara'
    """
    return re.sub(r"[^\w.@+-]+", "-", name).strip("-.")[:100] or "unnamed"


def _printable(text: str) -> str:
    """Return text that a terminal can show."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:200]


# -- which count -----------------------------------------------------------------------------------------


def _told_apart(found: list[Submission], notes: list[str]) -> list[Submission]:
    """Give students of the same name different names."""
    people = {(item.student.casefold(), item.number) for item in found}
    twice = {student for student, count in Counter(student for student, _ in people).items() if count > 1}
    for student in sorted(twice):
        notes.append(f"{student}: several students have this name; their numbers tell them apart")
    return [
        replace(item, student=f"{item.student}-{item.number or 'plain'}")
        if item.student.casefold() in twice
        else item
        for item in found
    ]


def _latest(found: list[Submission], notes: list[str]) -> list[Submission]:
    """Choose the latest submission of each student."""
    chosen: dict[str, Submission] = {}
    for item in sorted(found, key=lambda item: item.rank):
        if item.student in chosen:
            notes.append(f"{chosen[item.student].file}: not used, {item.file} is later")
        chosen[item.student] = item
    return [chosen[student] for student in sorted(chosen)]


def _put(folder: pathlib.Path, name: str, item: Submission, time: str | None) -> str | None:
    """Write a submission, unless one with a later time is there; note if it takes the place of another."""
    path, stamp = folder / f"{name}.ipynb", folder / "timestamp.txt"
    if time is not None and stamp.is_file() and utc(stamp.read_text(encoding="utf-8")) > time:
        raise CourseError(f"{item.file}: not used, the notebook in {folder} is later")
    data = item.read()
    another = path.is_file() and path.read_bytes() != data
    if another and time is None and stamp.is_file():
        raise CourseError(
            f"{item.file}: not used, the notebook in {folder} has a time of handing in and this one has "
            "none; give both with --times, or remove that folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    record = {"name": item.name, "number": item.number, "platform": item.platform, "file": item.file}
    (folder / RECORD).write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if time is not None:
        stamp.write_text(f"{time}\n", encoding="utf-8")
    return f"{item.file}: takes the place of another notebook in {folder}" if another else None


# -- when ------------------------------------------------------------------------------------------------


Times = dict[str, tuple[str, str]]


def _time_of(item: Submission, known: Times) -> str | None:
    """Find the time of a submission, by number or by student."""
    _, time = known.get(item.number) or known.get(item.student) or ("", None)
    return time


def _everybody(course: Course, name: str, chosen: Iterable[Submission]) -> set[str]:
    """Return the students and the numbers of all submissions, those collected before too."""
    found = {who for item in chosen for who in (item.number, item.student)}
    for student in course.students("submitted", name):
        record = course.place("submitted", student, name) / RECORD
        number = json.loads(record.read_text(encoding="utf-8"))["number"] if record.is_file() else ""
        found |= {student, number}
    return found


def _read_times(path: pathlib.Path, notes: list[str]) -> Times:
    """Read who the times of handing in belong to, and the times, by student or by participant number."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, ValueError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read as a table ({error})") from None
    columns = rows[0].keys() if rows else set()
    for who, when in (("Identifier", "Last modified (submission)"), ("student", "time")):
        if {who, when} <= columns:
            return {key: (person, time) for key, person, time in _times(rows, who, when, notes)}
    raise CourseError(
        f"{path} must have the columns Identifier and Last modified (submission), as Moodle's grading "
        "worksheet in English has, or the columns student and time"
    )


def _times(
    rows: list[dict[str, str]], who: str, when: str, notes: list[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield key, student and time of each row that has one."""
    for row in rows:
        match = PARTICIPANT.fullmatch(row[who] or "") if who == "Identifier" else None
        named = (row[who], row.get("Full name"))
        if (row[when] or "").strip() in ("", "-"):
            continue
        try:
            yield (match[1] if match else row[who]), " ".join(filter(None, named)), utc(row[when])
        except CourseError as error:
            notes.append(f"{_printable(row[who])}: {error}")
