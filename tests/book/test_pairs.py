"""The two halves of each chapter: the same source, every cell executed, and a sync that repeats itself."""

import pathlib

import pytest

from bookkit import ROOT
from bookkit.pages import sync
from bookkit.pages.chapters import page_name, paired_pages, read_notebook
from bookkit.pages.timings import Timings
from tests.support.samples import write_chapter

# -- the book --------------------------------------------------------------------


def problems(page: pathlib.Path) -> str:
    return "\n".join(map(str, sync.pair_problems(page)))


def test_no_lone_notebook() -> None:
    assert not "\n".join(map(str, sync.lone_notebooks(ROOT / "book")))


@pytest.mark.parametrize("page", paired_pages(ROOT / "book"), ids=page_name)
def test_pair_is_in_step(page: pathlib.Path) -> None:
    assert not (found := problems(page)), "\n" + found


# -- broken samples ----------------------------------------------------------------

BODY = """
# Toys

## Here

```{code-cell} ipython3
:tags: [hide-input]

print("one", flush=True)
print("two")
```

```{code-cell} ipython3
1 + 1
```

```{code-cell} ipython3
1 + 1
```
"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    page = write_chapter(tmp_path_factory.mktemp("book"), BODY)
    assert sync.sync([page]) == 0
    return page


@pytest.fixture
def page(executed: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """Copy the executed pair, to be broken."""
    for half in (executed, executed.with_suffix(".ipynb")):
        (tmp_path / half.name).write_text(half.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path / executed.name


def edit(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_executed_pair_passes(page: pathlib.Path) -> None:
    assert problems(page) == ""
    assert not list(sync.lone_notebooks(page.parent))


EDITS = {
    "code": ("1 + 1", "1 + 2", "cell 2 differs from the .md: source"),
    "prose": ("# Toys", "# Trains", "cell 0 differs from the .md: source"),
    "tag": ("[hide-input]", "[hide-output]", "cell 1 differs from the .md: metadata"),
    "cell": ("## Here", "## Here\n\n+++\n\nmore", "4 cells, where the .md has 5"),
    "header": ("Python 3 (ipykernel)", "Python 4", "metadata differ from the header"),
}


@pytest.mark.parametrize("part", EDITS)
def test_edited_text_is_caught(page: pathlib.Path, part: str) -> None:
    old, new, message = EDITS[part]
    edit(page, old, new)
    assert message in problems(page)
    assert not sync.is_current(page)


def test_edited_notebook_is_caught(page: pathlib.Path) -> None:
    edit(page.with_suffix(".ipynb"), "1 + 1", "2 + 2")
    assert "cell 2 differs from the .md: source" in problems(page)


def test_unexecuted_cell_is_caught(page: pathlib.Path) -> None:
    edit(page.with_suffix(".ipynb"), '"execution_count": 1', '"execution_count": null')
    assert "cell 1 was never executed" in problems(page)


def test_half_pairs_are_caught(page: pathlib.Path) -> None:
    page.with_suffix(".ipynb").rename(page.parent / "06-lone.ipynb")
    assert problems(page).startswith("05-toys.md:1: [pair] there is no notebook beside it")
    (lone,) = sync.lone_notebooks(page.parent)
    assert str(lone).startswith("06-lone.ipynb:1: [pair] there is no paired .md beside it")


def test_check_writes_nothing(page: pathlib.Path) -> None:
    before = {path: path.read_bytes() for path in page.parent.iterdir()}
    edit(page, "1 + 1", "1 + 2")
    before[page] = page.read_bytes()
    problems(page)
    assert {path: path.read_bytes() for path in page.parent.iterdir()} == before


# -- sync --------------------------------------------------------------------------


def test_sync_repeats_itself_and_the_notebook_holds_no_time_or_version(
    page: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = page.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert sync.main([], page.parent) == 0
    assert "up to date" in capsys.readouterr().out
    assert sync.main(["--all", "05-toys"], page.parent) == 0
    assert "executed 3 cells" in capsys.readouterr().out
    assert page.with_suffix(".ipynb").read_text(encoding="utf-8") == text
    assert not [word for word in ("jupytext_version", "iopub", '"version"') if word in text]
    assert '"one\\n",\n      "two\\n"' in text  # one stream, however the kernel cut it


def test_inserted_cell_leaves_other_ids(page: pathlib.Path) -> None:
    def ids() -> list[str]:
        notebook = read_notebook(page)
        sync.serialise(notebook)
        return [cell.id for cell in notebook.cells]

    before, start = ids(), "```{code-cell} ipython3\n"
    assert len(set(before)) == len(before)
    edit(page, f"{start}:tags", f"{start}0\n```\n\n{start}:tags")
    after = ids()
    assert [name for name in after if name in before] == before


def test_failing_chapter_keeps_its_notebook(page: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = page.with_suffix(".ipynb").read_bytes()
    edit(page, "1 + 1", "x = 1\nx / 0\nx")
    assert sync.main([], page.parent) == 1
    printed = capsys.readouterr().err
    assert (
        "05-toys.md, under “Here”:\n\n    x = 1\n--> x / 0\n    x\n\nZeroDivisionError: division by zero"
        in printed
    )
    assert page.with_suffix(".ipynb").read_bytes() == before
    assert sorted(path.name for path in page.parent.iterdir()) == ["05-toys.ipynb", "05-toys.md"]


# -- a chapter as a folder ------------------------------------------------------------

CELL = "\n```{{code-cell}} ipython3\n{}\n```\n"


@pytest.fixture
def mixed(tmp_path: pathlib.Path) -> pathlib.Path:
    """Write a book with a chapter of three pages, beside one of a single page and pages of other kinds."""
    write_chapter(tmp_path, CELL.format("1 + 1"), "04-cars.md")
    for name in ("trains", "index", "boats"):
        write_chapter(tmp_path, CELL.format(f"'{name}'"), f"05-toys/{name}.md")
    write_chapter(tmp_path, CELL.format("0"), "coursework/05-toys.md")
    (tmp_path / "notation.md").write_text("# Notation\n", encoding="utf-8")
    return tmp_path


def executed_of(printed: str) -> set[str]:
    """Read which pages were executed."""
    return {line.partition(":")[0] for line in printed.splitlines() if ": executed" in line}


ASKED = {
    "05-toys": {"05-toys/index", "05-toys/boats", "05-toys/trains"},
    "05-toys/boats": {"05-toys/boats"},
    "book/05-toys/boats.md": {"05-toys/boats"},
    "04-cars.ipynb": {"04-cars"},
    "04-cars": {"04-cars"},
}


def test_a_chapter_or_a_page_is_asked_for(
    mixed: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sync, "run_all", lambda pages: (sync.Run(name=page_name(page)) for page in pages))
    for asked, wanted in ASKED.items():
        assert sync.main(["--all", asked], mixed) == 0
        assert executed_of(capsys.readouterr().out) == wanted, asked


def test_a_page_that_is_not_there_is_an_error(
    mixed: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("99-none", "05-toys/cars", "boats", "coursework/05-toys", "05"):
        assert sync.main([name], mixed) == 2
        assert f"No such chapter or page: {name}" in capsys.readouterr().err


def test_the_pages_of_a_folder_are_executed_and_compared(
    mixed: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(mixed / "05-toys" / "boats.md", "'boats'", "1 / 0")
    assert sync.main([], mixed) == 1  # several at once: one that fails does not stop the others
    printed = capsys.readouterr()
    assert executed_of(printed.out) == {"04-cars", "05-toys/index", "05-toys/trains"}
    assert "05-toys/boats.md, under “the beginning”:\n\n--> 1 / 0\n\nZeroDivisionError" in printed.err
    assert "the old notebooks stay: 05-toys/boats" in printed.err
    assert problems(mixed / "05-toys" / "boats.md").startswith("05-toys/boats.md:1: [pair] there is no")
    assert not problems(mixed / "05-toys" / "trains.md")
    assert "'trains'" in (mixed / "05-toys" / "trains.ipynb").read_text(encoding="utf-8")
    edit(mixed / "05-toys" / "boats.md", "1 / 0", "'ships'")
    assert sync.main([], mixed) == 0
    assert executed_of(capsys.readouterr().out) == {"05-toys/boats"}


def test_pages_of_both_forms_are_found_and_a_lone_notebook(mixed: pathlib.Path) -> None:
    names = [page_name(page) for page in paired_pages(mixed)]
    assert names == ["04-cars", "05-toys/index", "05-toys/boats", "05-toys/trains"]
    (mixed / "05-toys" / "cars.ipynb").touch()
    (mixed / "coursework" / "05-cars.ipynb").touch()  # a handout
    (lone,) = sync.lone_notebooks(mixed)
    assert str(lone).startswith("05-toys/cars.ipynb:1: [pair] there is no paired .md beside it")


def test_the_longest_page_comes_first_and_an_unknown_one_before_it(mixed: pathlib.Path) -> None:
    known = Timings(machine="a", seconds={"04-cars": 9, "05-toys/boats": 30, "05-toys/index": 2})
    names = [page_name(page) for page in sync.longest_first(paired_pages(mixed), known)]
    assert names == ["05-toys/trains", "05-toys/boats", "04-cars", "05-toys/index"]
