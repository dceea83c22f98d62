"""The benchmarks: who is judged equal, who is timed, and what is written. No test here takes a time."""

import functools
import importlib
import itertools
import json
import re
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.svm import SVC

from benchmarks import problems, run, svm
from benchmarks.accuracy import Quality, judge_kernel, judge_weights, no_worse, within
from benchmarks.measure import interleaved
from benchmarks.report import BEGIN, END, Comparison, Entry, Report, assemble, read, render, replace_between
from bookkit import ROOT
from lecturekit._typing import Array
from lecturekit.kernels import RBF
from lecturekit.svm import scda_linear, smo

PAGE = ROOT / "book" / "D-benchmarks.md"
RESULTS = ROOT / "benchmarks"

GIVE_BACK = """
import numpy as np
from benchmarks.measure import keep_memory

def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6

if {keep}:
    keep_memory()
before = resident_mb()
np.ones(50_000_000)
print(resident_mb() - before > 300)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's statistics")
@pytest.mark.parametrize("keep", [True, False])
def test_memory_that_is_given_back_stays_with_the_process(keep: bool) -> None:
    script = GIVE_BACK.format(keep=keep)
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(keep)]


# -- accuracy ------------------------------------------------------------------------------------------------

SMALL, KERNEL = problems.nonlinear(120), RBF(0.05)


def judged(alpha: Array) -> Quality:
    return judge_kernel(alpha, KERNEL, SMALL.X, SMALL.y, 1.0)


@pytest.fixture(scope="module")
def solved() -> Array:
    return smo(KERNEL(SMALL.X), SMALL.y, 1.0, tol=1e-3).alpha


def test_quality_is_what_the_solver_certifies() -> None:
    answer = smo(KERNEL(SMALL.X), SMALL.y, 1.0, tol=1e-3)
    quality = judged(answer.alpha)
    assert quality.kkt == pytest.approx(answer.violation, abs=1e-9)
    assert quality.objective == pytest.approx(answer.primal)
    assert quality.gap == pytest.approx(answer.gap / answer.dual, abs=1e-9)


def test_peer_and_ours_are_equal(solved: Array) -> None:
    model = SVC(C=1.0, gamma=0.05, tol=1e-3).fit(SMALL.X, SMALL.y)
    alpha = np.zeros(len(SMALL.y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    assert within(judged(solved), judged(alpha), tol=1e-3)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda alpha, y: 0.0 * alpha,  # never started
        lambda alpha, y: 0.9 * alpha,  # stopped too early
        lambda alpha, y: 1.1 * alpha,  # outside the box
        lambda alpha, y: np.where(y > 0, alpha, np.roll(alpha, 1)),  # the sum of alpha_i y_i is not zero
    ],
)
def test_bad_multipliers_are_not_equal(solved: Array, spoil: Callable[[Array, Array], Array]) -> None:
    bad = judged(spoil(solved, SMALL.y))
    assert not within(bad, judged(solved), tol=1e-3)
    assert not within(judged(solved), bad, tol=1e-3)


def test_leaving_the_box_alone_is_seen() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    assert judge_kernel(np.array([2.0, 2.0]), KERNEL, X, y, 0.5).kkt == pytest.approx(1.5, abs=1e-6)
    unbalanced = judge_kernel(np.array([0.5, 0.0]), KERNEL, X, y, 0.5).kkt
    assert unbalanced is not None
    assert unbalanced >= 0.5
    unknown = Quality(objective=1.0, gap=0.0, kkt=None)
    assert not within(unknown, unknown, tol=1.0)


def test_worse_weights_are_not_equal() -> None:
    problem = problems.dense(1000, 5)
    best = scda_linear(problem.X, problem.y, 1.0, tol=1e-6)
    assert best.w is not None
    good = judge_weights(best.w, best.alpha, problem.X, problem.y, 1.0, best.dual)
    bad = judge_weights(0.9 * best.w, None, problem.X, problem.y, 1.0, best.dual)
    assert no_worse(good, bad)
    assert not no_worse(bad, good)
    assert 0 <= good.gap < 1e-6 < bad.gap
    assert good.kkt is not None
    assert good.kkt <= 1e-5
    fine, rough = (svm.lower_bound(problem, svm.scda(problem, 1.0, tol)) for tol in (1e-6, 0.1))
    assert rough < fine <= good.objective, "a lower bound is one"


@pytest.mark.parametrize(("goal", "expected"), [(0.3, 4), (1e-9, 8)])
def test_matching_takes_the_first_that_is_enough_or_the_last(goal: float, expected: int) -> None:
    tried: list[int] = []

    def solve(steps: int) -> svm.Solution:
        tried.append(steps)
        return svm.Solution(w=np.array([1 / steps]))

    found, answer = svm.matching([1, 2, 4, 8], solve, lambda one: one.w is not None and one.w[0] < goal)
    assert found == tried[-1] == expected
    assert answer.w == 1 / expected


# -- contests, on problems that take no time -----------------------------------------------------------------
def test_contests_compare_every_pair_both_solvers_and_equal_objectives() -> None:
    found = svm.kernel_contest(problems.nonlinear(100), 1.0, 1, {"f32": 2.5})
    assert [(one.ours.name, one.peer.name) for one in found] == list(
        itertools.product(["f32", "f64", "matrix", "f32 200 MB"], ["SVC", "SVC 2 GB"])
    )
    assert all(one.equal for one in found)
    assert [one.aim for one in found] == [2.5, 2.5, *[None] * 6]
    found = svm.bounded_contest(problems.nonlinear(100), 1.0, 0.01)
    assert [one.ours.name for one in found] == ["SMO 0.01 MB", "working sets 0.01 MB"]
    assert all(one.equal for one in found)
    for problem in (problems.dense(1000, 5), problems.words(1000, 2000, 5)):
        (one,) = svm.linear_contest(problem, 1.0, 0.1, 1, None)
        assert one.equal == (one.ours.quality.objective <= one.peer.quality.objective)
        assert one.equal
        assert min(one.ours.quality.gap, one.peer.quality.gap) >= 0


@pytest.mark.compiled
def test_pegasos_contest_starts_with_equal_visits() -> None:
    first, *rest = svm.pegasos_contest(problems.dense(1000, 5), 1e-2, 5, 1, average=True)
    assert first.ours.name == "mean, 5 passes"
    assert len(rest) <= 1
    assert all(one.peer == first.peer for one in rest)


# -- taking turns --------------------------------------------------------------------------------------------
def test_contestants_take_turns_and_the_least_time_counts() -> None:
    now, calls = [0.0], list[str]()
    takes = {"ours": iter([3.0, 1.0, 2.0]), "peer": iter([5.0, 7.0, 4.0])}

    def run(name: str) -> str:
        calls.append(name)
        now[0] += next(takes[name])
        return f"{name} {calls.count(name)}"

    contestants = {name: functools.partial(run, name) for name in takes}
    timed = interleaved(contestants, repeats=3, clock=lambda: now[0])
    assert calls == ["ours", "peer"] * 3
    assert {name: one.seconds for name, one in timed.items()} == {"ours": 1.0, "peer": 4.0}
    assert timed["ours"].answer == "ours 3"


# -- what is written -----------------------------------------------------------------------------------------
def comparison(seconds: float, *, equal: bool = True, aim: float | None = 2.5) -> Comparison:
    ours = Entry(name="f32", seconds=seconds, quality=Quality(objective=1.0, gap=1e-4, kkt=9.4e-4))
    peer = Entry(name="SVC", seconds=1.0, quality=Quality(objective=1.0, gap=2e-4, kkt=None))
    what = {"section": "Kernel SVM", "problem": "toy", "certificate": "KKT"}
    return Comparison(**what, rounds=2, ours=ours, peer=peer, equal=equal, aim=aim)


def report(*comparisons: Comparison) -> Report:
    return Report(date="2026-01-01", cpu="A CPU", versions={"numpy": "2"}, comparisons=comparisons)


@pytest.mark.parametrize(
    ("one", "ratio", "verdict"),
    [
        (comparison(0.3), 3.33, "met (2.5)"),
        (comparison(0.4), 2.5, "met (2.5)"),
        (comparison(0.5), 2.0, "not met (2.5)"),
        (comparison(0.3, equal=False), 3.33, "not equal"),
        (comparison(0.3, aim=None), 3.33, "–"),
    ],
)
def test_verdict(one: Comparison, ratio: float, verdict: str) -> None:
    assert (one.ratio, one.verdict) == (ratio, verdict)
    cells = ["toy", "f32 / SVC", f"{ratio:.2f}", "9.4e−4", "–", verdict]
    assert f"| {' | '.join(cells)} |" in render("Toys", report(one)).splitlines()


def test_json_can_be_read_back_and_text_outside_the_markers_stays() -> None:
    whole = report(comparison(0.3), comparison(0.5, equal=False))
    assert read(whole.to_json()) == whole
    first = json.loads(whole.to_json())["comparisons"][0]
    assert (first["ratio"], first["verdict"]) == (3.33, "met (2.5)")
    page = f"# Title\n\nabove\n\n{BEGIN}\n| old |\n{END}\n\nbelow\n"
    once = replace_between(page, "| new |")
    assert once == f"# Title\n\nabove\n\n{BEGIN}\n\n| new |\n\n{END}\n\nbelow\n"
    assert replace_between(once, "| new |") == once


@pytest.mark.parametrize("page", ["", f"{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"])
def test_page_without_its_markers_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="must contain the lines"):
        replace_between(page, "tables")


@pytest.mark.parametrize(
    ("gap", "shown"),
    [(4.1e-9, "4.1e−9"), (3.0e-15, "3.0e−15"), (-2e-16, "−2.0e−16"), (0.5, "5.0e−1"), (1.5, "1.5")],
)
def test_no_line_is_broken_within_a_number(gap: float, shown: str) -> None:
    one = comparison(0.3)
    entry = replace(one.ours, quality=Quality(objective=1.0, gap=gap, kkt=None))
    assert f"| {shown} |" in render("Toys", report(replace(one, ours=entry, certificate="gap")))


def test_part_says_when_it_was_measured() -> None:
    lines = render("Toys", report(comparison(0.3))).splitlines()
    assert lines[0] == "## Toys"
    assert lines[2].startswith("Measured on 2026-01-01, A CPU, one thread, 2 rounds; numpy 2.")
    assert lines[4] == "### Kernel SVM"
    lines = render("Toys", report(comparison(0.3), replace(comparison(0.5), rounds=7))).splitlines()
    assert ", one thread, 2 to 7 rounds; " in lines[2]


def test_page_is_made_of_all_parts_that_are_stored(tmp_path: Path) -> None:
    parts = {"one": "First", "two": "Second", "three": "Third"}
    old, new = report(comparison(0.3)), replace(report(comparison(0.5)), date="2026-02-02")
    (tmp_path / "one.json").write_text(old.to_json(), encoding="utf-8")
    (tmp_path / "three.json").write_text(new.to_json(), encoding="utf-8")
    assert assemble(parts, tmp_path) == f"{render('First', old)}\n\n{render('Third', new)}"


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the runner run toys, and write them into a folder where one part is stored already."""
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(run, "PARTS", {"svm": "Machines", "toys": "Toys"})
    ran = replace(report(comparison(0.5)), date="2026-02-02")
    monkeypatch.setattr(run, "compare", lambda part, quick: ran)
    (tmp_path / "page.md").write_text(f"above\n{BEGIN}\nold\n{END}\nbelow\n", encoding="utf-8")
    (tmp_path / "svm.json").write_text(report(comparison(0.3)).to_json(), encoding="utf-8")
    return tmp_path


def test_part_that_is_not_run_again_stays(elsewhere: Path) -> None:
    kept = (elsewhere / "svm.json").read_text(encoding="utf-8")
    run.main(["--only", "toys"])
    page = (elsewhere / "page.md").read_text(encoding="utf-8")
    assert (elsewhere / "svm.json").read_text(encoding="utf-8") == kept
    assert page.startswith("above\n")
    assert page.endswith("\nbelow\n")
    assert [line for line in page.splitlines() if line.startswith("## ")] == ["## Machines", "## Toys"]
    assert re.findall("Measured on ([0-9-]+)", page) == ["2026-01-01", "2026-02-02"]
    run.main([])
    page = (elsewhere / "page.md").read_text(encoding="utf-8")
    assert re.findall("Measured on ([0-9-]+)", page) == ["2026-02-02", "2026-02-02"]


def test_quick_writes_nothing_unknown_is_refused(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_text(encoding="utf-8") for path in elsewhere.iterdir()}
    run.main(["--quick"])
    assert {path.name: path.read_text(encoding="utf-8") for path in elsewhere.iterdir()} == before
    assert "## Machines" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run.main(["--only", "trees"])
    assert "invalid choice: 'trees'" in capsys.readouterr().err


def test_runner_runs_the_programme_of_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def toy(name: str, quick: bool) -> svm.Contest:
        return svm.Contest(name=name, quick=quick, run=lambda: [replace(comparison(0.3), problem=name)])

    part: Any = types.ModuleType("benchmarks.toys")
    part.warm_up, part.PEERS = lambda: None, ["celer"]
    part.contests = lambda: iter([toy("long", False), toy("short", True)])
    monkeypatch.setitem(sys.modules, "benchmarks.toys", part)
    monkeypatch.setattr(run, "keep_memory", lambda: None)
    assert [one.problem for one in run.compare("toys", quick=True).comparisons] == ["short"]
    whole = run.compare("toys", quick=False)
    assert [one.problem for one in whole.comparisons] == ["long", "short"]
    assert {"Python", "numpy", "scikit-learn", "celer"} <= whole.versions.keys()


PROGRAMMES = {  # contests, and those of a quick run
    "svm": (22, 11),
    "penalized": (29, 12),
    "logistic": (7, 5),
    "monte_carlo": (3, 3),
    "metrics": (12, 6),
    "calibration": (10, 5),
    "significance": (6, 4),
    "concentration": (2, 2),
    "boosting": (8, 4),
}


def test_every_part_has_a_programme_with_a_quick_part_and_can_be_warmed_up() -> None:
    assert PROGRAMMES.keys() == run.PARTS.keys()
    for part, (contests, quick) in PROGRAMMES.items():
        module = importlib.import_module(f"benchmarks.{part}")
        programme = list(module.contests())
        assert len({contest.name for contest in programme}) == len(programme) == contests, part
        assert sum(contest.quick for contest in programme) == quick, part
        assert callable(module.warm_up)
        if part not in ("svm", "penalized", "boosting"):  # slow where nothing is compiled
            module.warm_up()


def test_page_and_json_agree_and_name_no_place() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert replace_between(page, assemble(run.PARTS, RESULTS)) == page
    paths = sorted(set(RESULTS.glob("*.json")) - {RESULTS / f"{run.PAGES}.json"})  # it has a test of its own
    assert {path.stem for path in paths} <= run.PARTS.keys()
    assert RESULTS / "svm.json" in paths
    for path in paths:
        stored = read(path.read_text(encoding="utf-8"))
        records = json.loads(path.read_text(encoding="utf-8"))["comparisons"]
        assert [one["ratio"] for one in records] == [one.ratio for one in stored.comparisons]
        assert [one["verdict"] for one in records] == [one.verdict for one in stored.comparisons]
    for path in (PAGE, *RESULTS.glob("*.json")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(home|root|work|usr|tmp)/|https?:|localhost", text)
