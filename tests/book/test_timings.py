"""The times of the chapters: measured in full runs only, stable, and there for every chapter."""

import json
import pathlib
import subprocess
import sys

import pytest

from bookkit import ROOT
from bookkit.pages import sync, timings
from bookkit.pages.chapters import page_name, paired_pages
from bookkit.pages.timings import Timings, settled
from tests.support.samples import write_chapter

BUSY = "import time\nwhile time.process_time() < {seconds}:\n    pass"


def test_every_chapter_has_a_time() -> None:
    stored = timings.read(ROOT / "book" / "timings.json")
    assert stored is not None
    assert set(stored.seconds) == set(map(page_name, paired_pages(ROOT / "book"))), "run make sync ALL=1"
    assert all(isinstance(value, int) and 1 <= value < 600 for value in stored.seconds.values())
    assert "cores, Python 3." in stored.machine


@pytest.mark.parametrize(("seconds", "shown"), [(0.2, 1), (6.4, 6), (9.6, 10), (11, 10), (13, 15), (97, 95)])
def test_times_are_rounded(seconds: float, shown: int) -> None:
    assert timings.rounded(seconds) == shown


OLD = Timings(machine="a", seconds={"x": 40, "y": 5, "gone": 7})


@pytest.mark.parametrize(("seconds", "shown"), [(29, 40), (51, 40), (53, 55), (27, 25)])
def test_a_time_stays_until_it_is_clearly_wrong(seconds: float, shown: int) -> None:
    assert settled(OLD, {"x": seconds, "y": 9.9}, "a").seconds == {"x": shown, "y": 5}


def test_another_machine_has_its_own_times() -> None:
    new = settled(OLD, {"x": 41, "y": 6}, "b")
    assert new == Timings(machine="b", seconds={"x": 40, "y": 6})
    assert settled(None, {"x": 33}, "b") == Timings(machine="b", seconds={"x": 35})


def test_processor_time_of_other_processes_is_measured() -> None:
    spent: dict[str, float] = {}
    with timings.measured(spent, "busy"):
        subprocess.run([sys.executable, "-c", BUSY.format(seconds=0.5)], check=True)
    with timings.measured(spent, "idle"):
        pass
    assert spent["busy"] >= 0.5 > 0.1 > spent["idle"]
    with pytest.raises(ZeroDivisionError), timings.measured(spent, "failed"):
        spent["failed"] = 1 / 0
    assert "failed" not in spent


def test_a_full_run_writes_the_times_and_no_other_does(tmp_path: pathlib.Path) -> None:
    page = write_chapter(tmp_path, f"\n```{{code-cell}} ipython3\n{BUSY.format(seconds=2)}\n```\n")
    path = tmp_path / "timings.json"
    assert (sync.main([], tmp_path), sync.main(["--all", page.stem], tmp_path)) == (0, 0)
    assert not path.exists()
    assert sync.main(["--all"], tmp_path) == 0
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["machine"] == timings.this_machine()
    assert 2 <= stored["seconds"][page.stem] <= 20
    page.write_text(page.read_text(encoding="utf-8").replace("pass", "1 / 0"), encoding="utf-8")
    path.unlink()
    assert sync.main(["--all"], tmp_path) == 1
    assert not path.exists()


def test_the_times_of_a_folder_are_kept_by_page_and_added_up_by_chapter(tmp_path: pathlib.Path) -> None:
    for name in ("04-cars.md", "05-toys/index.md", "05-toys/trains.md"):
        write_chapter(tmp_path, "\n```{code-cell} ipython3\n1\n```\n", name)
    assert sync.main(["--all"], tmp_path) == 0
    stored = timings.read(tmp_path / "timings.json")
    assert stored is not None
    assert set(stored.seconds) == {"04-cars", "05-toys/index", "05-toys/trains"}
    assert all(seconds > 0 for seconds in stored.seconds.values())
    seconds = {"04-cars": 3, "05-toys/index": 4, "05-toys/trains": 5, "A-errata": 6}
    assert Timings(machine="a", seconds=seconds).by_chapter == {"04-cars": 3, "05-toys": 9, "A-errata": 6}
