"""No result depends on where a sort leaves equal values: package, problem sets, and the rule itself."""

import pathlib

import pytest
import yaml

from bookkit import ROOT
from bookkit.pages.ties import REMEDY, unstable_sorts

PLACES = [*sorted((ROOT / "lecturekit").rglob("*.py")), *sorted((ROOT / "benchmarks").glob("*.py"))]
SETS = sorted((ROOT / "coursework").glob("*/mutants.yml"))


@pytest.mark.parametrize("path", PLACES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_package_keeps_the_rule(path: pathlib.Path) -> None:
    found = [f"line {line}: {call}" for line, call in unstable_sorts(path.read_text(encoding="utf-8"))]
    assert not found, "\n".join([*found, REMEDY])


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.parent.name)
def test_problem_sets_keep_the_rule(path: pathlib.Path) -> None:
    """A right answer must be accepted everywhere, and a wrong one refused, for the same reason."""
    from coursekit.sets.source import read

    problem_set, listed = read(path.parent), yaml.safe_load(path.read_text(encoding="utf-8"))
    cells = [cell.source for cell in problem_set.notebook.cells if cell.cell_type == "code"]
    cells += [source for answer in listed["accept"] for source in answer["cells"].values()]
    for answer in listed["reject"]:
        old, new = answer.get("replace", ("", ""))
        cells.append(answer.get("source") or problem_set.cell(answer["cell"]).source.replace(old, new))
    found = [call for source in cells for _, call in unstable_sorts(source)]
    assert not found, "\n".join([*found, REMEDY])


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1\norder = np.argsort(x)", 2),
        ("x.argsort()", 1),
        ("np.argpartition(x, 3)[:3]", 1),
        ("np.argsort(x, kind='quicksort')", 1),
        ("np.argsort(\n    x, axis=1\n)", 1),
        ("f(np.argsort(np.argsort(x, kind='stable')))", 1),
        ("frame.sort_values('p')", 1),
        ("# knots\nnp.argsort(x)  # all of them", 2),
        ("np.argsort(x, kind='stable')", None),
        ("np.argsort(x, stable=True)", None),
        ("np.argsort(x)  # ties: x is a permutation", None),
        ("# without ties, as x is a permutation\nnp.argsort(x)", None),
        ("np.argsort(\n    x,  # the ties are counted as one\n)", None),
        ("np.sort(x); sorted(x); x.sort(); np.partition(x, 3)", None),
    ],
)
def test_the_rule(source: str, line: int | None) -> None:
    assert next((found for found, _ in unstable_sorts(source)), None) == line
