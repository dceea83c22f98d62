"""The register of figures: each is drawn once and in its chapter, and what breaks this is noticed."""

import pathlib

import pytest

from bookkit.pages import figure_ids
from tests.support.samples import write_chapter


def test_every_figure_is_drawn_in_its_chapter_and_the_register_is_whole() -> None:
    assert not "\n".join(map(str, figure_ids.problems()))
    lines = figure_ids.table().splitlines()
    prefixes = {line.split("-")[1] for line in lines}
    assert len(lines) == 102
    assert prefixes == {
        "INTRO", "LIN", "REG", "BV", "KER", "DUAL", "SOLV", "EVAL", "SIG", "ROC", "CAL", "CONC", "BOOST",
    }  # fmt: skip
    assert figure_ids.table(missing=True) == ""


ROWS = """
- {id: F-TOY-1, chapter: 05-toys, shows: a train}
- {id: F-TOY-2, chapter: 05-toys, shows: two trains}
"""


def cell(name: str) -> str:
    """Write a cell that draws."""
    return f"\n```{{code-cell}} ipython3\n---\nmystnb:\n  figure:\n    name: {name}\n---\nplt.show()\n```\n"


@pytest.fixture
def book(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "figures.yml").write_text(ROWS, encoding="utf-8")
    write_chapter(tmp_path, cell("F-TOY-1") + cell("fig-extra") + cell("F-TOY-2"))
    return tmp_path


def report(book: pathlib.Path) -> str:
    return "\n".join(map(str, figure_ids.problems(book)))


def test_whole_sample_passes(book: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert figure_ids.main([], book) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["F-TOY-1", "05-toys.md:20", "a", "train"]
    assert second.startswith("F-TOY-2     05-toys.md:")


def test_missing_figure_is_caught(book: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_chapter(book, cell("F-TOY-1") + "\nF-TOY-2, only in words: `name: F-TOY-2`\n")
    assert figure_ids.main(["--missing"], book) == 1
    printed = capsys.readouterr()
    assert printed.out.split()[:4] == ["F-TOY-2", "MISSING", "from", "05-toys"]
    assert "[figures] F-TOY-2 is not drawn; draw it in 05-toys" in printed.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (cell("F-TOY-1") * 2 + cell("F-TOY-2"), "05-toys.md:29: [figures] F-TOY-1 is drawn 2 times"),
        (cell("F-TOY-1") + cell("F-TOY-2") + cell("F-TOY-3"), "F-TOY-3 is not in figures.yml"),
    ],
)
def test_wrong_chapter_text_is_caught(book: pathlib.Path, body: str, message: str) -> None:
    write_chapter(book, body)
    assert message in report(book)


def test_figure_in_another_chapter_is_caught(book: pathlib.Path) -> None:
    write_chapter(book, cell("F-TOY-1"))
    write_chapter(book, cell("F-TOY-2"), name="06-others.md")
    assert "F-TOY-2 is drawn in 06-others; draw it in 05-toys" in report(book)


def test_figures_on_pages_of_a_folder(book: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "05-toys.md").unlink()
    write_chapter(book, cell("F-TOY-1"), "05-toys/index.md")
    write_chapter(book, cell("F-TOY-2"), "05-toys/trains.md")
    assert figure_ids.main([], book) == 0
    lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert lines == [["F-TOY-1", "05-toys/index.md:20"], ["F-TOY-2", "05-toys/trains.md:20"]]
    write_chapter(book, cell("F-TOY-1"), "05-toys/boats.md")
    write_chapter(book, cell("F-TOY-2"), "06-others/index.md")
    (book / "05-toys" / "trains.md").unlink()
    assert "F-TOY-1 is drawn 2 times" in report(book)
    assert "06-others/index.md:20: [figures] F-TOY-2 is drawn in 06-others/index; draw" in report(book)


ROW_BREAKS = {
    "F-TOY-1 is listed 2 times": ("F-TOY-2", "F-TOY-1"),
    "the ID 'toy-2'": ("F-TOY-2", "toy-2"),
    "the numbers of F-TOY have a gap": ("F-TOY-2", "F-TOY-3"),
    "F-TOY-2 is described in 0 characters": ("two trains", "''"),
    "F-TOY-2 is described in 121 characters": ("two trains", "x" * 121),
}


@pytest.mark.parametrize("message", ROW_BREAKS)
def test_broken_row_is_caught(book: pathlib.Path, message: str) -> None:
    path = book / "figures.yml"
    path.write_text(ROWS.replace(*ROW_BREAKS[message]), encoding="utf-8")
    assert message in report(book)


def test_unknown_field_is_an_error(book: pathlib.Path) -> None:
    (book / "figures.yml").write_text("- {id: F-TOY-1, colour: red}", encoding="utf-8")
    with pytest.raises(ValueError, match="F-TOY-1"):
        figure_ids.problems(book)
