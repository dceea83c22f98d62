"""The chapters against the rules of bookkit/pages/rules.py, and each rule against a text that breaks it."""

import pathlib
from collections.abc import Callable, Iterable
from typing import Any

import jupytext
import nbformat.v4
import pytest

from bookkit import ROOT
from bookkit.pages import rules, sync
from bookkit.pages.chapters import Problem, page_name, paired_pages, read_notebook
from bookkit.pages.rules import Chapter, read_chapter
from tests.support.samples import write_chapter

new_output: Any = nbformat.v4.new_output
Rule = Callable[[Chapter], Iterable[Problem]]
Broken = Callable[[Rule, str], str]


@pytest.mark.parametrize("page", paired_pages(ROOT / "book"), ids=page_name)
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_chapter_keeps_the_rule(page: pathlib.Path, rule: Rule) -> None:
    problems = list(map(str, rule(read_chapter(page))))
    if problems and any(sync.pair_problems(page)):
        problems = ["the .ipynb is behind the .md; run `make sync` first"]
    assert not problems, "\n" + "\n".join(problems)


# -- broken samples ----------------------------------------------------------------


def code(source: str, options: str = "") -> str:
    return f"\n```{{code-cell}} ipython3\n{options}{source}\n```\n"


@pytest.fixture
def broken(tmp_path: pathlib.Path) -> Broken:
    """Return a function that reports what a rule finds in a text."""

    def report(rule: Rule, body: str) -> str:
        return "\n".join(map(str, rule(read_chapter(write_chapter(tmp_path, body)))))

    return report


def test_syntax_length_and_width(broken: Broken) -> None:
    assert "[syntax]" in broken(rules.syntax, code("x = = 1"))
    assert not broken(rules.syntax, code("%matplotlib inline\nx = 1"))
    assert "a cell of 26 lines" in broken(rules.size_and_width, code("x = 1\n" * 25 + "x"))
    assert not broken(rules.size_and_width, code("x = 1\n" * 24 + "x"))
    body = code("x = 1\n# " + "x" * 71, ":tags: [hide-input]\n\n")
    assert broken(rules.size_and_width, body).startswith("05-toys.md:18: [width] a code line of 73 char")
    assert not broken(rules.size_and_width, code("# " + "x" * 70))


BAD_TAGS = ["remove-cell", "remove-input", "nbval-skip", "nbval-ignore-output", "raises-exception"]


def test_tags_steering_comments_and_semicolons(broken: Broken) -> None:
    for tag in BAD_TAGS:
        assert f"the tag {tag}" in broken(rules.tags, code("x = 1", f":tags: [{tag}]\n\n"))
    assert "steers nbval" in broken(rules.tags, code("# NBVAL_IGNORE_OUTPUT\nx"))
    assert "[semicolon]" in broken(rules.tags, code("plt.plot(x);"))
    assert not broken(rules.tags, code("x = 1", ":tags: [hide-input, check-KER-01]\n\n"))


def test_a_page_runs_without_its_checks(tmp_path: pathlib.Path) -> None:
    check = ":tags: [check-KER-01]\n\n"

    def report(body: str, name: str = "05-toys/trains.md") -> str:
        return "\n".join(map(str, rules.apart(read_chapter(write_chapter(tmp_path, body, name)))))

    assert "05-toys/trains.md:22: [apart] b was last" in report(code("b = 1", check) + code("a = 2\na + b"))
    assert "f was last" in report(code("def f(): pass", check) + code("f()"))
    assert "b was last" in report(code("b = 1") + code("b = 2", check) + code("b"))
    assert not report(code("b = 1", check) + code("b", check) + code("b = 2\nb") + code("b"))
    assert not report(code("b = 1", check) + code("b"), "05-toys.md")


UNSEEDED = [
    "np.random.seed(1)",
    "np.random.normal(size=3)",
    "rng = np.random.default_rng()",
    "rng = np.random.default_rng(None)",
    "import random",
    "from random import shuffle",
    "KFold(5, shuffle=True)",
    "train_test_split(X, y)",
    "RandomForestClassifier(random_state=None)",
    "stats.norm.rvs(size=3)",
]
SEEDED = [
    "rng = np.random.default_rng([5, 1])",
    "rng = np.random.default_rng(seed=1)",
    "def f(rng: np.random.Generator): ...",
    "KFold(5, shuffle=True, random_state=1)",
    "KFold(5)",
    "stats.norm.rvs(size=3, random_state=rng)",
    "from sklearn import datasets",
]


@pytest.mark.parametrize("line", UNSEEDED)
def test_unseeded(broken: Broken, line: str) -> None:
    assert "05-toys.md:16: [seed]" in broken(rules.randomness, code(f"x = 1\n{line}"))


@pytest.mark.parametrize("line", SEEDED)
def test_seeded(broken: Broken, line: str) -> None:
    assert not broken(rules.randomness, code(line))


ALT = "A curve that falls from one towards zero."
FIGURE = "---\nmystnb:\n  figure:\n    caption: It falls.\n    name: F-KER-1\n"
FIGURE += f"  image:\n    alt: {ALT}\n---\n"


def drawn(folder: pathlib.Path, options: str, outputs: list[Any]) -> Chapter:
    """Make a chapter whose one cell has the given outputs."""
    page = write_chapter(folder, code("plt.show()", options))
    notebook = read_notebook(page)
    notebook.cells[0].outputs = outputs
    page.with_suffix(".ipynb").write_text(jupytext.writes(notebook, "ipynb"), encoding="utf-8")
    return read_chapter(page)


def display(mime: str = "image/svg+xml") -> Any:
    return new_output("display_data", {mime: "x", "text/plain": "<Figure>"})


FIGURE_BREAKS = {
    "a figure without a caption": ("    caption: It falls.\n", ""),
    "a figure named 'figure one'": ("name: F-KER-1", "name: figure one"),
    "an alt text of 9 characters": (ALT, "A picture"),
    "an alt text of 264 characters": (ALT, "long " * 52 + "long"),
}


@pytest.mark.parametrize("message", FIGURE_BREAKS)
def test_figure(tmp_path: pathlib.Path, message: str) -> None:
    options = FIGURE.replace(*FIGURE_BREAKS[message])
    (problem,) = rules.figures(drawn(tmp_path, options, [display()]))
    assert message in str(problem)


def test_good_figure_no_figure_and_several(tmp_path: pathlib.Path) -> None:
    chapter = drawn(tmp_path, FIGURE, [display()])
    assert not list(rules.figures(chapter))
    assert not list(rules.outputs(chapter))
    assert not list(rules.figures(drawn(tmp_path, "", [])))
    assert len(list(rules.figures(drawn(tmp_path, "", [display()])))) == 3
    (problem,) = rules.figures(drawn(tmp_path, FIGURE, [display()] * 2))
    assert "2 figures in one cell" in str(problem)


FITS, WIDE = (new_output("stream", text="a\n" + "b" * size + "\n") for size in (78, 79))
OUTPUTS = {
    "an output of type image/png; call lecturekit.plotting.use_book_style()": [display("image/png")],
    "an output of more than 78 columns; print it on several lines": [FITS, WIDE],
    "an error or a warning": [new_output("stream", name="stderr", text="UserWarning")],
}


@pytest.mark.parametrize("message", OUTPUTS)
def test_output(tmp_path: pathlib.Path, message: str) -> None:
    (problem,) = rules.outputs(drawn(tmp_path, FIGURE, OUTPUTS[message]))
    assert message in str(problem)


STALE = [
    "The error is 0.83 here.",
    "The error is 83 % here.",
    "The error is 8.3% here.",
    "About 1.5e-3 of it.",
    "| a | 0.83 |",
    "```{note}\n:class: tip\nIt is 0.83.\n```",
    "> It is **0.83**.",
    "It is −0.83 there.",
]
NOT_STALE = [
    "The error is $0.83$ and $$x = 0.83$$ (eq-a) here.",
    "It is {glue:}`name-0.83` or `0.83`.",
    "See [the page](https://example.org/0.83), version 1.2.3, and Python 3.",
    "```{math}\n:label: a\n0.83\n```",
    "```python\n0.83\n```",
    "```{prf:theorem} T\n:label: KER-01\n:class: a0.83\n\nWords.\n```",
    "\\begin{align}\n0.83\n\\end{align}",
    "In 2015 it was 20 ms.",
    "% a comment of 0.83",
]


@pytest.mark.parametrize("text", STALE)
def test_retyped_number(broken: Broken, text: str) -> None:
    found = broken(rules.numbers, f"\n## A\n\n{text}\n" + code("x = 0.83"))
    assert "is asserted in no cell of its section" in found


@pytest.mark.parametrize("text", NOT_STALE)
def test_number_that_is_not_prose(broken: Broken, text: str) -> None:
    assert not broken(rules.numbers, f"\n## A\n\n{text}\n")


ASSERTING = [
    "assert round(x, 2) == 0.83",
    "np.testing.assert_allclose(x, 0.83)",
    "assert x == pytest.approx(0.83)",
    "print(np.isclose(x, 0.83))",
]


@pytest.mark.parametrize("line", ASSERTING)
def test_asserted_number(broken: Broken, line: str) -> None:
    text = "\n## A\n\nIt is 0.83 or 83 %.\n\n### B\n\nmore\n" + code(line)
    assert not broken(rules.numbers, text)


def test_number_asserted_elsewhere_as_another_or_in_a_caption(broken: Broken) -> None:
    text = "\n## A\n\nIt is 0.83.\n\n## B\n" + code("assert x == 0.83")
    assert broken(rules.numbers, text).startswith("05-toys.md:16: [number] 0.83")
    assert "83.5 in the prose" in broken(rules.numbers, "\n## A\n\nIt is 83.5.\n" + code("assert x == 0.835"))
    assert "[number] 0.83" in broken(rules.numbers, code("x", FIGURE.replace("It falls", "It falls to 0.83")))


START = "\n```{exercise-start}\n:label: ex-a\n```\nWhy?\n\n```{exercise-end}\n```\n"
SOLVED = "\n```{solution-start} ex-a\n:class: dropdown\n```\nSo.\n\n```{solution-end}\n```\n"


def test_exercises(broken: Broken) -> None:
    assert not broken(rules.exercises, START + SOLVED)
    assert "05-toys.md:14: [exercise] the exercise ex-a has no solution" in broken(rules.exercises, START)
    two = broken(rules.exercises, START + SOLVED + SOLVED.replace("ex-a", "ex-b"))
    assert "the solution of 'ex-b', which is no exercise" in two
    assert "has no solution" in broken(rules.exercises, START.replace(":label: ex-a\n", "") + SOLVED)


THEOREM = "\n## A\n\n```{prf:theorem} Markov\n:label: CONC-03\n\nWords.\n```\n"
PROOF = "\n```{prf:proof}\nWords.\n```\n"


def test_proofs(broken: Broken) -> None:
    assert not broken(rules.proofs, THEOREM + "\nWords.\n" + code("x") + PROOF)
    assert not broken(rules.proofs, THEOREM + "\nThe proof is in {cite:t}`Boyd2004`.\n")
    assert not broken(rules.proofs, THEOREM.replace("Words.", "By {prf:ref}`KER-01`."))
    none = broken(rules.proofs, THEOREM + "\nWords.\n")
    assert "05-toys.md:16: [proof] the theorem Markov has no proof" in none
    assert "[proof]" in broken(rules.proofs, THEOREM + "\n## B\n" + PROOF)
    assert "[proof]" in broken(rules.proofs, PROOF + THEOREM)
    assert "05-toys.md:14: [fence]" in broken(rules.fences, PROOF.replace("f}", "f} of {prf:ref}`KER-01`"))
    assert not broken(rules.fences, THEOREM + PROOF + code("x"))


# -- pages of a folder -------------------------------------------------------------------


def test_a_problem_names_the_folder(tmp_path: pathlib.Path) -> None:
    page = write_chapter(tmp_path, code("np.random.seed(1)"), "05-toys/trains.md")
    (problem,) = rules.randomness(read_chapter(page))
    assert str(problem).startswith("05-toys/trains.md:15: [seed] np.random.seed")


def test_a_solution_may_stand_on_another_page_of_the_folder(tmp_path: pathlib.Path) -> None:
    asks = write_chapter(tmp_path, START, "05-toys/exercises.md")
    solves = write_chapter(tmp_path, SOLVED, "05-toys/solutions.md")
    assert not list(rules.exercises(read_chapter(asks)))
    assert not list(rules.exercises(read_chapter(solves)))
    write_chapter(tmp_path, SOLVED.replace("ex-a", "ex-b"), "05-toys/solutions.md")
    (unsolved,) = rules.exercises(read_chapter(asks))
    assert str(unsolved).startswith("05-toys/exercises.md:14: [exercise] the exercise ex-a has no solution")
    (unasked,) = rules.exercises(read_chapter(solves))
    assert "the solution of 'ex-b', which is no exercise" in str(unasked)


def test_a_solution_of_another_chapter_does_not_count(tmp_path: pathlib.Path) -> None:
    for asks, solves in (("05-toys/exercises", "06-cars/solutions"), ("07-boats", "08-ships")):
        page = write_chapter(tmp_path, START, f"{asks}.md")
        write_chapter(tmp_path, SOLVED, f"{solves}.md")
        assert len(list(rules.exercises(read_chapter(page)))) == 1
