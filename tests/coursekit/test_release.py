"""Problem sets read and released: each rule fires, handouts repeat themselves, and nothing leaks."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbgrader.utils import compute_checksum

from bookkit import ROOT
from coursekit.sets import release as rel
from coursekit.sets.problem_set import ProblemSet, ProblemSetError
from coursekit.sets.source import known_claims, read, secret_lines
from tests.support.sample_set import SET, write_set

SOURCES = sorted(path for path in (ROOT / "coursework").iterdir() if (path / f"{path.name}.md").exists())


@pytest.fixture
def toys(tmp_path: Path) -> ProblemSet:
    return read(write_set(tmp_path))


def test_a_set_is_read(toys: ProblemSet) -> None:
    (task,) = toys.tasks
    assert (task.title, task.marks, task.minutes) == ("Task 1: Spread", 3, 15)
    assert (task.solutions, task.tests, task.written) == (("spread",), ("test-spread",), ("why",))
    assert (toys.points, toys.total) == ({"test-spread": 2, "why": 1}, 3)
    assert toys.of_kind("setup") == ["setup"]
    assert (toys.name, toys.metadata["chapter"], toys.files) == ("toys", "05-toys", {})


def test_data_files_are_for_students_and_others_are_not(tmp_path: Path) -> None:
    home = write_set(tmp_path)
    for name in ("data/a.csv", "notes.md", "toys.ipynb", ".hidden", "__pycache__/x.py", "b.txt"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("1", encoding="utf-8")
    assert read(home).files == {"b.txt": b"1", "data/a.csv": b"1"}
    target = rel.release(read(home), tmp_path / "course", book=tmp_path / "book")
    for folder in (target, tmp_path / "book/coursework"):
        files = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
        assert sorted(files) == ["b.txt", "data/a.csv", "toys.ipynb"]


def test_a_file_that_is_missing_or_no_myst_and_the_register_of_claims_above(tmp_path: Path) -> None:
    with pytest.raises(ProblemSetError, match="does not exist; a set is a folder"):
        read(tmp_path)
    with pytest.raises(ProblemSetError, match=r"toys\.md cannot be read as MyST"):
        read(write_set(tmp_path, SET.replace("title: Toys", "title: [")))
    claims = known_claims(SOURCES[0])
    assert claims is not None
    assert "KER-01" in claims
    assert known_claims(tmp_path / "x.md") is None
    with pytest.raises(ProblemSetError, match=r"the claim KER-01 is not in book/claims\.yml"):
        read(write_set(tmp_path), claims=["KER-02"])


CODE, MINUTES, IMPORT = "```{code-cell}", "  minutes: 15", "import numpy as np"
BEGIN, END, VISIBLE = "### BEGIN SOLUTION", "### END SOLUTION", MINUTES + "\n  visible_only: [{}]"
FIRST = SET.index(CODE, SET.index("END SOLUTION"))
ANSWER_BLOCK = SET[SET.index(CODE, SET.index("Write `spread`")) : FIRST]
TEST_BLOCK = SET[FIRST : SET.index("Why is it")].replace("points: 2", "points: 1")
WRITTEN_BLOCK = SET[SET.index("+++ {") :]
HIDDEN_BLOCK = SET[SET.index("### BEGIN HIDDEN") : SET.index("### END HIDDEN TESTS\n") + 20]
BREAKS = {
    "the grade_id spread is used 2 times": ("Why is it", ANSWER_BLOCK + "\nWhy is it"),
    "the grade_id 'a b' is no cell id": ("grade_id: setup", "grade_id: a b"),
    "test-spread is graded but carries no points": ("points: 2, ", ""),
    "spread is a code answer and graded": ("false, grade_id: spread", "true, points: 1, grade_id: spread"),
    r"cell 1 \(setup\) lacks schema_version": (
        ", schema_version: 3, solution: false}\n---\nimport",
        ", solution: false}\n---\nimport",
    ),
    "cell 2 has solution or hidden-test markers but no nbgrader metadata": (
        IMPORT,
        f"{IMPORT}\n```\n\n{CODE} ipython3\n{BEGIN}\n1\n{END}",
    ),
    "spread has no ### BEGIN SOLUTION": ("    ### BEGIN SOLUTION\n", ""),
    "spread has 1 BEGIN SOLUTION and 0 END SOLUTION": ("    ### END SOLUTION\n", ""),
    "setup is a setup cell with SOLUTION markers": (IMPORT, f"{BEGIN}\n{IMPORT}\n{END}"),
    "test-spread uses a magic": ("### BEGIN HIDDEN", "%time 1\n### BEGIN HIDDEN"),
    "spread is not valid Python": ("centre = x.mean()", "centre = = x.mean()"),
    r"test-spread, .* a line of 80 characters; 72 fit": ("of 0 and 2 is 1", "of 0 and 2 is 1 and no more"),
    r"test-spread, line 3: .* has no message": (', "the mean, not the sum"', ""),
    "test-spread asserts nothing": (
        SET[SET.index("assert spread(") : SET.index("### END HIDDEN")],
        "### BEGIN HIDDEN TESTS\n",
    ),
    "test-spread has no hidden test": (HIDDEN_BLOCK, ""),
    "test-spread is named under visible_only: but has a hidden": (MINUTES, VISIBLE.format("test-spread")),
    "visible_only: names test-x, which is no test": (MINUTES, VISIBLE.format("test-x")),
    "no task is answered in words": (WRITTEN_BLOCK, ""),
    "why is a written answer that is not graded": ('true, "grade_id": "why"', 'false, "grade_id": "why"'),
    "why has no marking guide": ("**Marking guide.**", "Marks:"),
    "the front matter has no minutes": ("  minutes: 15\n", ""),
    "the front matter has no title": ("  title: Toys\n", ""),
    "the tasks take 15 minutes together, the front matter says 20": (MINUTES, "  minutes: 20"),
    "the heading 'Task 1: Spread' does not say marks and time": (" (3 marks, about 15 minutes)", ""),
    "promises 4 marks, its cells carry 3": ("(3 marks", "(4 marks"),
    "has no goals": (SET[SET.index("  goals:") : SET.index("---\n\n# Toys")], ""),
    "goal 1 lacks a text or claims": ("      claims: [KER-01]\n", ""),
    "goal 1 is not told to students": ("You will measure how far", "You will measure"),
}


@pytest.mark.parametrize("message", BREAKS)
def test_rule(tmp_path: Path, message: str) -> None:
    old, new = BREAKS[message]
    assert SET.count(old) == 1, "the sample changed"
    with pytest.raises(ProblemSetError, match=message):
        read(write_set(tmp_path, SET.replace(old, new)), claims=["KER-01"])


def test_a_test_overwrites_nothing_that_another_takes_and_may_be_declared_visible(tmp_path: Path) -> None:
    other = TEST_BLOCK.replace("test-spread", "test-two").replace("### BEGIN", "spread = abs\n### BEGIN")
    text = SET[:FIRST] + other + "\n" + TEST_BLOCK + SET[SET.index("Why is it") :]
    with pytest.raises(ProblemSetError, match="test-two assigns spread, which test-spread takes from the"):
        read(write_set(tmp_path, text))
    text = SET.replace(HIDDEN_BLOCK, "").replace(MINUTES, VISIBLE.format("test-spread"))
    assert read(write_set(tmp_path, text)).name == "toys"


def test_secret_lines(toys: ProblemSet) -> None:
    secret = secret_lines(toys)
    assert "return np.abs(x - centre).max()" in secret
    assert 'assert spread(np.array([5.0, 1.0, 0.0])) == 3, "the mean, not the sum"' in secret
    assert '**Marking guide.** One mark for "absolute values".' in secret
    assert not [line for line in secret if "BEGIN" in line or "of 0 and 2" in line or "def spread" in line]
    public = ["x\n  return np.abs(x - centre).max()\n"]
    assert secret - secret_lines(toys, public=public) == {"return np.abs(x - centre).max()"}


SECRET = 'assert f("a < b") == 2, "not the sum"'
CELLS = [{"source": [SECRET[:9], SECRET[9:]]}, {"outputs": [{"text": SECRET}]}]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", f"some text {SECRET} more"),
        ("a.md", SECRET.replace(" == ", "\n   == ")),
        ("a.ipynb", json.dumps({"cells": CELLS})),
        ("a.html", "<b>assert</b> <i>f</i>(&quot;a &lt; b&quot;) == 2, <i>&quot;not</i> the sum&quot;"),
    ],
)
def test_leaks_are_found_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert rel.find_leaks([SECRET], [path]) == [f"{name}: {SECRET}"]
    assert not rel.find_leaks(["assert g(3) == 2"], [path])


def test_handout_has_stubs_and_visible_tests_only(toys: ProblemSet) -> None:
    notebook = rel.handout(toys)
    text = rel.serialise(notebook)
    cells = {cell.id: cell for cell in notebook.cells}
    assert cells["spread"].source.endswith("    # YOUR CODE HERE\n    raise NotImplementedError()")
    assert cells["why"].source == "YOUR ANSWER HERE"
    assert (
        cells["test-spread"].source + "\n" == TEST_BLOCK[TEST_BLOCK.index("assert") : TEST_BLOCK.index("###")]
    )
    assert not re.search("BEGIN|END|Model answer|Marking guide|jupytext|lecturekit", text)
    assert notebook.metadata.mystnb == {"execution_mode": "off"}
    assert cells["test-spread"].metadata.editable is False
    assert cells["spread"].metadata.get("editable", True)
    assert "### BEGIN SOLUTION" in toys.cell("spread").source, "the set itself was changed"
    assert rel.serialise(rel.handout(toys)) == text, "it repeats itself"
    graded = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert len(graded) == 4
    assert all(cell.metadata.nbgrader.checksum == compute_checksum(cell) for cell in graded)


@pytest.mark.parametrize("folder", SOURCES, ids=lambda path: path.name)
def test_the_committed_handout_is_current_and_in_the_book(folder: Path, tmp_path: Path) -> None:
    rel.release(read(folder), tmp_path, book=tmp_path / "book")
    written = [path.read_bytes() for path in tmp_path.rglob(f"{folder.name}.ipynb")]
    committed = (ROOT / "book" / "coursework" / f"{folder.name}.ipynb").read_bytes()
    assert written == [committed] * 2, "run: coursekit release, and commit the handout"
    nbformat.validate(nbformat.reads(committed.decode(), as_version=4))  # type: ignore[no-untyped-call]
    assert f"book/coursework/{folder.name}.ipynb" in (ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert f"]({folder.name}.ipynb)" in (ROOT / "book/coursework/index.md").read_text(encoding="utf-8")


def test_a_planted_answer_is_found_and_the_release_removed(tmp_path: Path) -> None:
    home = write_set(tmp_path)
    book = tmp_path / "book"
    rel.release(read(home), tmp_path, book=book)
    helper = "def f(x, centre):\n  return np.abs(x - centre).max()\n"
    (home / "helper.py").write_text(helper, encoding="utf-8")
    with pytest.raises(rel.LeakError, match=r"helper\.py: return np\.abs\(x - centre\)\.max\(\)"):
        rel.release(read(home), tmp_path, book=book)
    assert not (tmp_path / "release" / "toys").exists()
    assert not list((book / "coursework").iterdir())


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning", "ignore::ResourceWarning")
def test_register_enters_the_marks(toys: ProblemSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # without the folder of this Python
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    for _ in range(2):
        rel.register(toys, url)
    with rel.open_gradebook(url) as gradebook:
        assignment = gradebook.find_assignment("toys")
        assert (assignment.max_code_score, assignment.max_written_score) == (2, 1)
        cells = gradebook.find_notebook("toys", "toys").source_cells
        sources = {cell.name: cell.source for cell in cells}
    assert "### BEGIN HIDDEN TESTS" in sources["test-spread"]
    assert "NotImplementedError" in sources["spread"]
