"""Collecting: whose file it is, which of several counts, and what is left alone."""

import json
import stat
import zipfile
from pathlib import Path

import pytest

from coursekit.course import collect as collecting
from coursekit.course.collect import Collection, collect
from coursekit.course.course import Course, CourseError

NAME = "05-kernels"
MOODLE = "{}_{}_assignsubmission_file_/05-kernels.ipynb"


def archive(path: Path, files: dict[str, str], day: int = 10) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 1, day, 12, 0, 0)), text)
    return path


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def gathered(tmp_path: Path, files: dict[str, str]) -> tuple[Collection, dict[str, str]]:
    """Collect from a zip file; return what was said, and the notebooks by student."""
    course = Course(tmp_path / "course")
    found = collect(course, NAME, [archive(tmp_path / "in.zip", files)])
    return found, contents(course)


def contents(course: Course) -> dict[str, str]:
    return {
        student: (course.place("submitted", student, NAME) / f"{NAME}.ipynb").read_text(encoding="utf-8")
        for student in course.students("submitted", NAME)
    }


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("Ada Lovelace_657737_assignsubmission_file_/05-kernels.ipynb", "Ada-Lovelace"),
        ("Ada Lovelace_657737_assignsubmission_file/05-kernels.ipynb", "Ada-Lovelace"),
        ("Ada Lovelace_657737_assignsubmission_file_05-kernels.ipynb", "Ada-Lovelace"),
        ("Group A/Zoë O'Hara_12_assignsubmission_file_/my work (1).ipynb", "Zoë-O-Hara"),
        ("lovelaceada_4321_998877_05-kernels.ipynb", "lovelaceada-4321"),
        ("lovelaceada_LATE_4321_998877_05-kernels-2.ipynb", "lovelaceada-4321"),
        ("submissions/lovelaceada_4321_998877_my_own_name.ipynb", "lovelaceada-4321"),
        ("ada.l@example.org_05-kernels.ipynb", "ada.l@example.org"),
        ("ada/05-kernels.ipynb", "ada"),
        ("all/ada/05-kernels/05-kernels.ipynb", "ada"),
    ],
)
def test_whose_file_it_is(tmp_path: Path, file: str, student: str) -> None:
    found, notebooks = gathered(tmp_path, {file: "{}"})
    assert notebooks == {student: "{}"}
    assert found.notes == ()
    assert found.late == ((student,) if "LATE" in file else ())


def test_what_is_not_understood_is_listed(tmp_path: Path) -> None:
    essay = "Ada Lovelace_1_assignsubmission_file_/essay.pdf"
    text = "Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html"
    lost = dict.fromkeys([essay, text, "notes.ipynb", "__MACOSX/._ada_05-kernels.ipynb"], "")
    found, notebooks = gathered(tmp_path, lost | {"bob_05-kernels.ipynb": "bob"})
    assert notebooks == {"bob": "bob"}
    assert [note.split(":")[0] for note in found.notes] == [essay, text, "notes.ipynb"]
    assert found.notes[-1].endswith("with the student's name, such as STUDENT_05-kernels.ipynb")


def test_the_latest_counts(tmp_path: Path) -> None:
    files = {"adal_7_102_05-kernels-1.ipynb": "second", "adal_7_101_05-kernels.ipynb": "first"}
    files |= {MOODLE.format("Bob", 1): "as it came", "Bob_1_assignsubmission_file_/Untitled.ipynb": "another"}
    found, notebooks = gathered(tmp_path, files)
    assert (notebooks, len(found.notes)) == ({"adal-7": "second", "Bob": "as it came"}, 2)
    course = Course(tmp_path / "course")
    later = archive(tmp_path / "later.zip", {"adal_7_205_05-kernels-2.ipynb": "third"}, day=12)
    collect(course, NAME, [tmp_path / "in.zip", later])
    assert contents(course)["adal-7"] == "third"


def test_a_folder_and_a_single_notebook_do_as_well(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"ada/05-kernels.ipynb": "ada", "bob_05-kernels.ipynb": "bob"})
    course, other = Course(tmp_path / "course"), Course(tmp_path / "other")
    found = collect(course, NAME, [folder])
    assert (found.students, found.notes) == (("ada", "bob"), ())
    assert contents(course) == {"ada": "ada", "bob": "bob"}
    assert collect(other, NAME, [folder / "bob_05-kernels.ipynb"]).notes == ()
    assert contents(other) == {"bob": "bob"}
    found = collect(other, NAME, [folder / "ada" / "05-kernels.ipynb"])
    assert (found.students, found.notes[0].split(";")[0]) == ((), "05-kernels.ipynb: not understood")


def test_links_in_a_source_are_named_and_not_followed(tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere", {"bob/05-kernels.ipynb": "bob"})
    folder, packed = write(tmp_path / "in", {"ada_05-kernels.ipynb": "ada"}), tmp_path / "in.zip"
    (folder / "bob").symlink_to(elsewhere / "bob")
    (folder / "eve_05-kernels.ipynb").symlink_to("/etc/passwd")
    (folder / "lost_05-kernels.ipynb").symlink_to("nowhere")
    with zipfile.ZipFile(packed, "w") as file:
        link = zipfile.ZipInfo("zoe_05-kernels.ipynb")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
    found = collect(Course(tmp_path / "course"), NAME, [folder, packed])
    assert found.students == ("ada",)
    links = ["bob", "eve_05-kernels.ipynb", "lost_05-kernels.ipynb", "zoe_05-kernels.ipynb"]
    why = "is a link, which is not followed; put the file itself in its place"
    assert list(found.notes) == [f"{name}: {why}" for name in links]


def test_a_link_as_source_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "in", {"ada_05-kernels.ipynb": "ada"})
    packed = archive(tmp_path / "in.zip", {"bob_05-kernels.ipynb": "bob"})
    (tmp_path / "folder").symlink_to("in")
    (tmp_path / "latest.zip").symlink_to(packed)
    (tmp_path / "gone").symlink_to("nowhere")
    course = Course(tmp_path / "course")
    assert collect(course, NAME, [tmp_path / "folder", tmp_path / "latest.zip"]).notes == ()
    assert contents(course) == {"ada": "ada", "bob": "bob"}
    with pytest.raises(CourseError, match="gone does not exist; give a zip file, a folder or a notebook"):
        collect(course, NAME, [tmp_path / "gone"])


def test_names_never_lead_out_of_the_folder(tmp_path: Path) -> None:
    evil = [MOODLE.format("../../../x", 1), "/etc/.._05-kernels.ipynb", "../05-kernels.ipynb"]
    gathered(tmp_path, dict.fromkeys([*evil, "\x1b[31mred_05-kernels.ipynb"], "{}"))
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - {tmp_path / "in.zip"}
    assert {path.relative_to(tmp_path / "course").parts[0] for path in written} == {"submitted"}
    assert {path.parent.parent.name for path in written} == {"x", "unnamed", "31mred"}


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "LARGEST", 1 << 20)
    files = {"eve_05-kernels.ipynb": "0" * (2 << 20), "ada_05-kernels.ipynb": "{}"}
    found, notebooks = gathered(tmp_path, files)
    assert notebooks == {"ada": "{}"}
    assert found.notes == ("eve_05-kernels.ipynb: larger than 1 MB, not read",)
    monkeypatch.setattr(collecting, "MOST", 1)
    with pytest.raises(CourseError, match="holds 2 files, more than 1"):
        gathered(tmp_path, {"a": "", "b": ""})


@pytest.mark.parametrize("deflated", [True, False])
def test_a_broken_file_in_an_archive_stops_nobody_else(tmp_path: Path, deflated: bool) -> None:
    path, course = tmp_path / "in.zip", Course(tmp_path / "course")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as file:
        for who in ("ada", "bob"):
            file.writestr(f"{who}_05-kernels.ipynb", who * 33)
    data = bytearray(path.read_bytes())
    start = data.index(b"ada_05-kernels.ipynb") + 20
    data[start : start + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    found = collect(course, NAME, [path])
    assert found.students == ("bob",)
    assert "ada_05-kernels.ipynb cannot be unpacked" in found.notes[0]
    path.write_bytes(b"no zip file")
    with pytest.raises(CourseError, match="cannot be read as a zip file"):
        collect(course, NAME, [path])


def test_namesakes_are_told_apart(tmp_path: Path) -> None:
    found, notebooks = gathered(tmp_path, {MOODLE.format("Ada L", n): str(n) for n in (1, 2)})
    assert notebooks == {"Ada-L-1": "1", "Ada-L-2": "2"}
    assert "several students have this name" in found.notes[0]


MOODLE_TIMES = """\ufeffIdentifier,Full name,Last modified (submission)
Participant 1,Ada,"Thursday, 15 January 2026, 6:12 PM UTC"
Participant 2,Bob,-
Participant 3,Eve,yesterday
"""


def test_times_come_from_a_table(tmp_path: Path) -> None:
    files = {MOODLE.format(who, n): who for n, who in enumerate(("Ada", "Bob", "Eve"), start=1)}
    path, course = archive(tmp_path / "in.zip", files), Course(tmp_path / "course")
    table = tmp_path / "worksheet.csv"
    table.write_text(MOODLE_TIMES, encoding="utf-8")
    found = collect(course, NAME, [path], times=table)
    assert found.untimed == ("Bob", "Eve")
    assert found.notes == ("Participant 3: 'yesterday' is no time; write it like 2026-01-15 23:59",)
    stamp = course.place("submitted", "Ada", NAME) / "timestamp.txt"
    assert stamp.read_text(encoding="utf-8") == "2026-01-15 18:12:00.000000 UTC\n"
    record = json.loads((stamp.parent / "collected.json").read_text(encoding="utf-8"))
    assert (record["name"], record["number"], record["platform"]) == ("Ada", "1", "moodle")

    table.write_text("student,time\nAda,2026-01-14 10:00 UTC\n", encoding="utf-8")
    plain = archive(tmp_path / "old.zip", {"Ada_05-kernels.ipynb": "older"})
    assert "is later" in collect(course, NAME, [plain], times=table).notes[0]
    assert contents(course)["Ada"] == "Ada"
    assert collect(course, NAME, [path]).untimed == ("Bob", "Eve"), "the same notebook keeps its time"
    refused = collect(course, NAME, [plain])
    assert "has a time of handing in and this one has none" in refused.notes[0]
    assert (contents(course)["Ada"], stamp.is_file(), refused.students) == ("Ada", True, ())
    another = archive(tmp_path / "new.zip", {"Bob_05-kernels.ipynb": "newer"})
    assert "takes the place of another notebook" in collect(course, NAME, [another]).notes[0]
    assert contents(course)["Bob"] == "newer"
    table.write_text("who,when\n", encoding="utf-8")
    with pytest.raises(CourseError, match="must have the columns Identifier"):
        collect(course, NAME, [plain], times=table)


def test_times_of_nobody_are_named(tmp_path: Path) -> None:
    course, table = Course(tmp_path / "course"), tmp_path / "worksheet.csv"
    files = {MOODLE.format(who, n): who for who, n in (("Ada", 1), ("Bob", 2))}
    time = '"Thursday, 15 January 2026, 6:12 PM UTC"'
    rows = [f"Participant {n},{who},{time}" for n, who in ((1, "Ada"), (2, "Bob"), (3, "Eve"), (4, "Zoe"))]
    head = "Identifier,Full name,Last modified (submission)"
    table.write_text("\n".join([head, *rows, "Participant 5,Max,-"]), encoding="utf-8")
    eve = f"Participant 3 Eve: has a time in {table}, but no submission here"
    zoe = f"Participant 4 Zoe: has a time in {table}, but no submission here"
    assert collect(course, NAME, [archive(tmp_path / "in.zip", files)], times=table).notes == (eve, zoe)
    late = archive(tmp_path / "late.zip", {MOODLE.format("Eve", 3): "Eve"})
    assert collect(course, NAME, [late], times=table).notes == (zoe,), "the others were collected before"
    table.write_text("student,time\nEve,2026-01-16 9:00 UTC\nEv,2026-01-16 9:00 UTC\n", encoding="utf-8")
    found = collect(course, NAME, [late], times=table)
    assert found.notes == (f"Ev: has a time in {table}, but no submission here",)
    stamp = course.place("submitted", "Eve", NAME) / "timestamp.txt"
    assert stamp.read_text(encoding="utf-8").startswith("2026-01-16 09:00"), "found by name, too"
