"""The benchmark of pages: medians, ratios, tables, and where version 0.1 is. No test here takes a time."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import pages
from benchmarks.pages import BEGIN, END, Chapter, Measured, PagesReport, Visit, median, read, render
from benchmarks.report import replace_between
from benchmarks.run import PAGE, main

GOOD = Visit(cpu=0.5, longest=0.1, shift=0.01, opened=1.2, whole=1.5, requests=30, elements=4000)
HEAVY = Visit(cpu=6.0, longest=3.3, shift=0.1, opened=5.0, whole=5.0, requests=40, elements=90000)


def page(name: str, wide: Visit, cpu: float = 2.0) -> Measured:
    return Measured(name=name, visits={"wide": wide, "phone": replace(wide, cpu=cpu)})


def chapter(*visits: Visit, landed: int = 6) -> Chapter:
    new = tuple(page(f"05-kernels/{number}", visit) for number, visit in enumerate(visits))
    old = page("05-kernels, version 0.1", HEAVY, cpu=30.0)
    return Chapter(name="05-kernels", old=old, new=new, landed=landed, links=6)


def report(*chapters: Chapter) -> PagesReport:
    versions = {"Chromium": "1"}
    return PagesReport(date="2026-01-01", cpu="A CPU", versions=versions, rounds=3, chapters=chapters)


def test_median_of_each_number_and_longest_task_of_the_main_thread() -> None:
    other = replace(GOOD, cpu=0.7, shift=0.0)
    third = replace(GOOD, cpu=9.0, shift=0.02, longest=0.3)
    assert median([GOOD, other, third]) == replace(GOOD, cpu=0.7, shift=0.01)

    def event(name: str, thread: int, **more: object) -> dict[str, object]:
        return {"name": name, "pid": 1, "tid": thread} | more

    threads = [event("thread_name", n, args={"name": name}) for n, name in ((1, "CrRendererMain"), (2, "IO"))]
    tasks = [event(pages.TASK, thread, tdur=time) for thread, time in ((1, 2e5), (2, 9e5), (1, 1e5))]
    assert pages.longest_task(json.dumps({"traceEvents": threads + tasks}).encode()) == 0.2
    assert pages.longest_task(b'{"traceEvents": []}') == 0


def test_ratios_are_of_the_largest_the_mean_and_all_pages() -> None:
    one = chapter(GOOD, replace(GOOD, cpu=1.0))
    assert [one.ratio("wide", way) for way in (max, sum)] == [6.0, 4.0]
    cells = ["05-kernels", "wide", "6.00", "1.00", "0.75", "1.50 (2)", "6.00", "8.00", "4.00", "met (6)"]
    text = render(report(one)).splitlines()
    assert f"| {' | '.join(cells)} |" in text
    slower = render(report(chapter(replace(GOOD, cpu=1.01))))
    assert "| 5.94 | 5.94 | 5.94 | not met (6) |" in slower


@pytest.mark.parametrize(
    ("wide", "landed", "missed"),
    [
        (GOOD, 6, []),
        (replace(GOOD, longest=0.2, whole=2.0), 6, []),
        (replace(GOOD, longest=0.21), 6, ["longest task"]),
        (replace(GOOD, shift=0.05), 6, ["shift"]),
        (replace(GOOD, whole=2.01), 5, ["size", "links"]),
    ],
)
def test_one_bad_page_misses_an_aim(wide: Visit, landed: int, missed: list[str]) -> None:
    one = chapter(GOOD, wide, landed=landed)
    assert one.missed("wide") == missed
    assert one.missed("phone") == [aim for aim in missed if aim != "longest task"]
    verdict = f"missed: {', '.join(missed)}" if missed else "met"
    assert f"| {landed} of 6 | {verdict} |" in render(report(one))


def test_tables_show_the_worst_page_and_every_page() -> None:
    text = render(report(chapter(GOOD, replace(GOOD, whole=1.9)))).splitlines()
    assert text[0] == "Measured on 2026-01-01, A CPU, medians of 3 rounds; Chromium 1."
    worst = "| 3.30 → 0.10 | 0.100 → 0.010 | 5.00 → 1.20 | 5.00 → 1.90 | 40 → 30 | 90,000 → 4,000 |"
    assert f"| 05-kernels | phone, CPU ÷ 4 {worst} 6 of 6 | met |" in text
    assert "| 05-kernels/0 | 0.50 / 2.00 | 0.10 | 0.010 | 1.20 | 1.50 | 30 | 4,000 |" in text
    assert sum(line.startswith("| 05-kernels, version 0.1 |") for line in text) == 1


def test_report_is_read_back_and_only_its_part_of_the_page_changes(tmp_path: Path) -> None:
    whole, place = report(chapter(GOOD)), tmp_path / "page.md"
    place.write_text(f"above\n{BEGIN}\nold\n{END}\nbelow\n", encoding="utf-8")
    pages.store(whole, tmp_path / "pages.json", place)
    assert read((tmp_path / "pages.json").read_text(encoding="utf-8")) == whole
    text = place.read_text(encoding="utf-8")
    assert text == f"above\n{BEGIN}\n\n{render(whole)}\n\n{END}\nbelow\n"


def test_page_and_json_agree() -> None:
    text = PAGE.read_text(encoding="utf-8")
    stored = pages.RESULT.exists()
    tables = render(read(pages.RESULT.read_text(encoding="utf-8"))) if stored else ""
    assert replace_between(text, tables, BEGIN, END) == text or not stored


def test_chapters_that_are_folders_are_measured_and_others_if_named(tmp_path: Path) -> None:
    for name in ("05-kernels/index", "05-kernels/definition", "06-duality", "A-errata/index", "api/svm"):
        path = tmp_path / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    folder = ["book/05-kernels/index.html", "book/05-kernels/definition.html"]
    assert pages.new_pages(tmp_path) == {"05-kernels": folder}
    assert pages.new_pages(tmp_path, ["06-duality"]) == {"06-duality": ["book/06-duality.html"]}
    with pytest.raises(SystemExit, match="No such chapter: 99-none"):
        pages.new_pages(tmp_path, ["99-none"])


def test_links_go_to_new_pages_and_to_claims_at_the_old_address(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    for name, ids in {"05-kernels": ["top", "KER-1", "KER-2"], "new": ["a", "b", "c", "d"]}.items():
        body = "".join(f'<p id="{one}">' for one in ids)
        (tmp_path / "book" / f"{name}.html").write_text(f"<article>{body}</article>", encoding="utf-8")
    new = [f"book/new.html#{name}" for name in ("a", "b", "d")]
    old = [f"book/05-kernels.html#{name}" for name in ("KER-1", "KER-2")]
    assert pages.links(tmp_path, tmp_path, "05-kernels", ["book/new.html"]) == new + old
    assert pages.spread([]) == []


def test_history_without_version_0_1_is_told(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    with pytest.raises(SystemExit, match=r"a08b42d.*shallow clone.*--old FOLDER"):
        pages.find_old(tmp_path)


def test_version_0_1_is_found_by_name_and_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "old"], check=True)
    named = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    monkeypatch.setattr(pages, "OLD", named.stdout.strip())
    built: list[Path] = []

    def build(tree: Path) -> None:
        built.append(tree)
        (tree / "_build" / "html").mkdir(parents=True)
        (tree / "_build" / "html" / "index.html").write_text("old", encoding="utf-8")

    monkeypatch.setattr(pages, "build", build)
    sites = {pages.old_site(tmp_path, tmp_path / "cache") for _ in range(2)}
    assert [site.read_text(encoding="utf-8") for site in (one / "index.html" for one in sites)] == ["old"]
    assert len(built) == 1
    assert not built[0].exists()


def test_runner_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(pages, "main", asked.append)
    main(["--only", "pages"])
    main(["--only", "pages", "--quick"])
    assert asked == [[], ["--quick"]]
