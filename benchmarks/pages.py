"""Measure pages of chapters in Chromium beside version 0.1's: ``python -m benchmarks.pages [CHAPTER...]``.

Both sites are opened in one run, in turns. Version 0.1 is a commit of this repository: it is built once, by
its own ``make book`` in a temporary worktree, and its site is kept below ``_build``. The present site is that
of ``_build/html``. A full run writes ``benchmarks/pages.json`` and its tables of ``book/D-benchmarks.md``.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import date
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.report import replace_between
from benchmarks.run import PAGE, RESULTS, cpu_name
from bookkit import ROOT
from bookkit.extensions.moved import CLAIM, anchors
from bookkit.pages.chapters import asked_for, book_files, chapter_of, in_folder, page_name
from bookkit.site.shots import CHROMIUMS, MATH_DONE, SITE, context, find_chromium, launch, serving

# The last commit of version 0.1. No tag marks it; it is found by its name in the history of this repository.
OLD = "a08b42d842e2b88c16e3852d58e0570102aae018"
CACHE = ROOT / "_build" / "version-0.1"
RESULT = RESULTS / "pages.json"
BEGIN = "% begin: make bench ONLY=pages writes from here"
END = "% end of the pages"

STANDARD = ("05-kernels", "10-roc")  # what is measured when nothing is asked for: all chapters take hours
ROUNDS = 5
SLOWED = {"wide": 1, "phone": 4}  # how many times slower the processor is made, in each window of shots
# The aims: version 0.1's processor time over ours, seconds of the longest task when wide, shift, MB a page.
FASTER, LONGEST, SHIFT, SIZE = 6.0, 0.2, 0.05, 2.0
QUIET, BUSY, PATIENCE = 0.5, 0.05, 240  # idle: in half a second less than a twentieth of it is worked
LINKS = 3  # links tried for a page, and for version 0.1's page of a chapter

TRACED, TASK = "toplevel", "ThreadControllerImpl::RunTask"  # Chromium's names of a kind of events, and of one

WATCH = """
window.shift = 0;
new PerformanceObserver(list => list.getEntries().forEach(
    one => { if (!one.hadRecentInput) { window.shift += one.value; } }
)).observe({type: 'layout-shift', buffered: true});
"""
SCROLL = """async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
        scrollTo({top, behavior: 'instant'});
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
}"""
# The theme scrolls to a target smoothly, which is no work of the main thread: half a second without a change.
RESTED = """async () => {
    for (let before = -1; before !== scrollY;) {
        before = scrollY;
        await new Promise(done => setTimeout(done, 500));
    }
}"""
# A link has landed when its target begins in the upper half of the window, or where no more can be scrolled.
LANDED = """() => {
    const target = document.querySelector(':target');
    if (!target) { return false; }
    const {top} = target.getBoundingClientRect(), root = document.documentElement;
    const end = root.scrollTop + innerHeight >= root.scrollHeight - 2;
    return top >= -1 && top < (end ? innerHeight : innerHeight / 2);
}"""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """What opening a page took, in one window.

    Attributes
    ----------
    cpu : float
        Seconds of processor time of the main thread until all was idle.
    longest : float
        Seconds of processor time of its longest task.
    shift : float
        The sum of all layout shifts until the reader has scrolled to the end.
    opened, whole : float
        Megabytes transferred, uncompressed, when all was idle, and after scrolling to the end.
    requests, elements : float
        How much was asked for until the end, and how many elements the page has.
    """

    cpu: float
    longest: float
    shift: float
    opened: float
    whole: float
    requests: float
    elements: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A page with its visits, one a window."""

    name: str
    visits: dict[str, Visit]


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter: version 0.1's page, the pages of now, and how many of the links that were tried landed."""

    name: str
    old: Measured
    new: tuple[Measured, ...]
    landed: int
    links: int

    def values(self, window: str, what: str) -> list[float]:
        """List a number of the new pages."""
        return [getattr(page.visits[window], what) for page in self.new]

    def before(self, window: str, what: str) -> float:
        """Return the same number of version 0.1's page."""
        return float(getattr(self.old.visits[window], what))

    def ratio(self, window: str, over: Callable[[list[float]], float]) -> float:
        """Divide version 0.1's processor time by the largest, the mean or the sum of the new pages'."""
        return round(self.before(window, "cpu") / over(self.values(window, "cpu")), 2)

    def missed(self, window: str) -> list[str]:
        """Name the aims that the worst page misses; that of the processor time has its own table."""
        worst = {what: max(self.values(window, what)) for what in ("longest", "shift", "whole")}
        late = window == "wide" and worst["longest"] > LONGEST
        return [
            *(["longest task"] if late else []),
            *(["shift"] if worst["shift"] >= SHIFT else []),
            *(["size"] if worst["whole"] > SIZE else []),
            *(["links"] if self.landed < self.links else []),
        ]


@dataclass(frozen=True, kw_only=True)
class PagesReport:
    """All chapters of a run, and where and when it was run."""

    date: str
    cpu: str
    versions: dict[str, str]
    rounds: int
    chapters: tuple[Chapter, ...]

    def to_json(self) -> str:
        """Write the report."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read(text: str) -> PagesReport:
    """Read what :meth:`PagesReport.to_json` wrote."""
    whole = json.loads(text)
    chapters = tuple(_chapter(record) for record in whole.pop("chapters"))
    return PagesReport(**whole, chapters=chapters)


def _chapter(record: dict[str, Any]) -> Chapter:
    """Read one chapter."""
    pages = {"old": _measured(record["old"]), "new": tuple(map(_measured, record["new"]))}
    return Chapter(**record | pages)


def _measured(record: dict[str, Any]) -> Measured:
    """Read one page."""
    visits = {window: Visit(**visit) for window, visit in record["visits"].items()}
    return Measured(name=record["name"], visits=visits)


def median(visits: Sequence[Visit]) -> Visit:
    """Take the median of each number."""
    names = Visit.__dataclass_fields__
    rows = zip(*map(astuple, visits), strict=True)
    return Visit(**{name: round(statistics.median(row), 4) for name, row in zip(names, rows, strict=True)})


# -- version 0.1 ---------------------------------------------------------------------------------------------


def find_old(root: pathlib.Path) -> str:
    """Return the commit of version 0.1, or end and say what to do where the history does not hold it."""
    command = ["git", "-C", str(root), "rev-parse", "--quiet", "--verify", f"{OLD}^{{commit}}"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        sys.exit(
            f"Version 0.1 is the commit {OLD[:7]}, and this copy of the repository does not hold it: it is a "
            "shallow clone (git fetch --unshallow brings the rest), or it was unpacked without its history. "
            "Clone the whole repository, or name a built site of version 0.1: "
            "python -m benchmarks.pages --old FOLDER"
        )


def old_site(root: pathlib.Path = ROOT, cache: pathlib.Path = CACHE) -> pathlib.Path:
    """Return the site of version 0.1, which is built if it is not there yet."""
    site = cache / OLD[:7]
    if (site / "index.html").exists():
        return site
    commit = find_old(root)
    print("building version 0.1, once; it takes some minutes", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="version-0.1-") as folder:
        tree, git = pathlib.Path(folder) / "tree", ["git", "-C", str(root), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            build(tree)
            shutil.copytree(tree / "_build" / "html", cache / "half", dirs_exist_ok=True)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    (cache / "half").rename(site)
    return site


def build(tree: pathlib.Path) -> None:
    """Build the site of a worktree, with an environment of its own and what it prints on stderr."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", f"PYTHON={pathlib.Path(sys.executable).resolve()}", "book"]
    if subprocess.run(command, cwd=tree, env=inherited, stdout=sys.stderr, check=False).returncode:
        sys.exit("Version 0.1 could not be built; the lines above say why.")


# -- which pages ---------------------------------------------------------------------------------------------


def new_pages(book: pathlib.Path, names: Iterable[str] = ()) -> dict[str, list[str]]:
    """List the pages of each chapter that is a folder, or of the chapters named, whatever they are."""
    found: dict[str, list[str]] = {}
    wanted = {asked_for(name) for name in names}
    for path in book_files(book, ".ipynb"):
        if chapter_of(path) in wanted if wanted else in_folder(path) and chapter_of(path)[0].isdigit():
            found.setdefault(chapter_of(path), []).append(f"book/{page_name(path)}.html")
    if unknown := wanted - found.keys():
        sys.exit(f"No such chapter: {', '.join(sorted(unknown))}. Name one like 05-kernels")
    return found


def spread(names: Sequence[str], number: int = LINKS) -> list[str]:
    """Choose some that lie as far apart as can be, the first and the last among them.

    Examples
    --------
    >>> spread("abcdefg")
    ['a', 'd', 'g']
    >>> spread("ab")
    ['a', 'b']
    """
    last = max(min(number, len(names)) - 1, 1)
    return list(dict.fromkeys(names[step * (len(names) - 1) // last] for step in range(last + 1) if names))


def links(old: pathlib.Path, new: pathlib.Path, chapter: str, pages: Sequence[str]) -> list[str]:
    """List the links to try: some to each new page, and to claims at the chapter's old address."""
    found = [f"{page}#{name}" for page in pages for name in spread(anchors((new / page).read_text("utf-8")))]
    address = f"book/{chapter}.html"
    claims = [name for name in anchors((old / address).read_text("utf-8")) if CLAIM.match(name)]
    return list(dict.fromkeys([*found, *(f"{address}#{name}" for name in spread(claims))]))


# -- in the browser ------------------------------------------------------------------------------------------


class Traffic:
    """Counts what a page asks for and gets."""

    def __init__(self, session: CDPSession) -> None:
        self.requests, self.bytes = 0, 0.0
        session.on("Network.requestWillBeSent", self.ask)
        session.on("Network.loadingFinished", self.get)
        session.send("Network.enable")

    def ask(self, event: dict[str, Any]) -> None:
        """Count a request that leaves the page."""
        self.requests += event["request"]["url"].startswith("http")

    def get(self, event: dict[str, Any]) -> None:
        """Add the bytes that came, heads of answers included."""
        self.bytes += event["encodedDataLength"]


def worked(session: CDPSession) -> float:
    """Return the seconds of processor time that the main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def settle(page: Page, session: CDPSession) -> float:
    """Wait until formulas are drawn and the main thread idles; return the seconds it has worked."""
    page.evaluate(MATH_DONE)
    before = worked(session)
    for _ in range(int(PATIENCE / QUIET)):
        page.wait_for_timeout(QUIET * 1000)
        now = worked(session)
        if now - before < BUSY * QUIET:
            return now
        before = now
    sys.exit(f"{page.url.rpartition('/')[2]} was still busy after {PATIENCE} s.")


@contextlib.contextmanager
def cold(browser: Browser, window: str) -> Iterator[tuple[Page, CDPSession]]:
    """Open a window with an empty cache and a slowed processor."""
    with context(browser, window) as opened:
        opened.set_default_timeout(PATIENCE * 1000)
        page = opened.new_page()
        page.add_init_script(WATCH)
        session = opened.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED[window]})
        yield page, session


def visit(browser: Browser, window: str, url: str) -> Visit:
    """Open a page twice: for its processor time, and, since a trace takes time itself, for all else."""
    with cold(browser, window) as (page, session):
        page.goto(url)
        cpu = settle(page, session)
    with cold(browser, window) as (page, session):
        traffic = Traffic(session)
        browser.start_tracing(page=page, categories=[TRACED])
        page.goto(url)
        settle(page, session)
        longest, megabytes = longest_task(browser.stop_tracing()), traffic.bytes / 1e6
        page.evaluate(SCROLL)
        settle(page, session)
        return Visit(
            cpu=cpu,
            longest=longest,
            shift=page.evaluate("window.shift"),
            opened=megabytes,
            whole=traffic.bytes / 1e6,
            requests=traffic.requests,
            elements=page.evaluate("document.querySelectorAll('*').length"),
        )


def longest_task(trace: bytes) -> float:
    """Return the seconds of processor time of the longest task of a page's main thread."""
    events = json.loads(trace)["traceEvents"]
    named = (one for one in events if one["name"] == "thread_name")
    main = {(one["pid"], one["tid"]) for one in named if one["args"]["name"] == "CrRendererMain"}
    tasks = (one for one in events if one["name"] == TASK and (one["pid"], one["tid"]) in main)
    return max((float(one.get("tdur", 0)) for one in tasks), default=0.0) / 1e6


def lands(browser: Browser, window: str, url: str) -> bool:
    """Whether a link has its target in view when all is idle; a moved page leads on first."""
    with cold(browser, window) as (page, session):
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        page.goto(url)
        page.wait_for_function("document.querySelector('main')")
        page.wait_for_load_state()
        settle(page, session)
        page.evaluate(RESTED)
        return bool(page.evaluate(LANDED))


@dataclass(frozen=True, kw_only=True)
class Sites:
    """Both sites, served, and the browser."""

    browser: Browser
    old: str
    new: str

    def measure(self, chapter: str, pages: Sequence[str], tried: Sequence[str], rounds: int) -> Chapter:
        """Open version 0.1's page and each of the new ones in turns, then the links."""
        urls = [f"{self.old}book/{chapter}.html", *(self.new + page for page in pages)]
        visits: dict[tuple[str, str], list[Visit]] = {}
        for number in range(1, rounds + 1):
            print(f"{chapter}: round {number} of {rounds}", file=sys.stderr, flush=True)
            for window in SLOWED:
                for url in urls[:: 1 if number % 2 else -1]:
                    visits.setdefault((url, window), []).append(visit(self.browser, window, url))
        names = [f"{chapter}, version 0.1", *(page[5:-5] for page in pages)]
        measured = [
            Measured(name=name, visits={window: median(visits[url, window]) for window in SLOWED})
            for name, url in zip(names, urls, strict=True)
        ]
        landed = {f"{link} {window}": self.lands(link, window) for link in tried for window in SLOWED}
        for link in (link for link, good in landed.items() if not good):
            print(f"{link}: the target is not in view", file=sys.stderr, flush=True)
        count = {"landed": sum(landed.values()), "links": len(landed)}
        return Chapter(name=chapter, old=measured[0], new=tuple(measured[1:]), **count)

    def lands(self, link: str, window: str) -> bool:
        """Whether a link of the new site lands."""
        return lands(self.browser, window, self.new + link)


def measure(old: pathlib.Path, new: pathlib.Path, chapters: dict[str, list[str]], rounds: int) -> PagesReport:
    """Measure the chapters on both sites."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"No Chromium: none of {', '.join(CHROMIUMS)} is on the PATH.")
    with serving(old) as before, serving(new) as now, sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        sites = Sites(browser=browser, old=before, new=now)
        visit(browser, "wide", f"{before}book/index.html")  # the browser's own start is nobody's
        found = tuple(
            sites.measure(name, pages, links(old, new, name, pages), rounds)
            for name, pages in chapters.items()
        )
        versions = {"Python": platform.python_version(), "Chromium": browser.version}
        browser.close()
    today = date.today().isoformat()
    return PagesReport(date=today, cpu=cpu_name(), versions=versions, rounds=rounds, chapters=found)


# -- tables --------------------------------------------------------------------------------------------------

SPENT = ("0.1", "largest page", "mean page", "all pages", "0.1 / largest", "0.1 / mean", "0.1 / all")
SHOWN = {
    "cpu": "CPU, s",
    "longest": "longest task, s",
    "shift": "shift",
    "opened": "MB opened",
    "whole": "MB to the end",
    "requests": "requests",
    "elements": "elements",
}
WORST = [what for what in SHOWN if what != "cpu"]
AIM = "aim: 0.1 / largest"


def render(report: PagesReport) -> str:
    """Write the part of the page below its heading: where and when it was measured, and three tables."""
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    rounds = f"{report.rounds} round{'s' * (report.rounds > 1)}"
    where = f"Measured on {report.date}, {report.cpu}, medians of {rounds}; {versions}."
    spent = [_cpu_row(chapter, window) for chapter in report.chapters for window in SLOWED]
    worst = [_worst_row(chapter, window) for chapter in report.chapters for window in SLOWED]
    pages = [_page_row(page) for chapter in report.chapters for page in (chapter.old, *chapter.new)]
    return "\n\n".join(
        [
            where,
            "### Processor time of the main thread, in seconds",
            _table(["chapter", "window", *SPENT, AIM], spent),
            "### The worst page of a chapter, after version 0.1's page",
            _table(["chapter", "window", *map(SHOWN.__getitem__, WORST), "links", "aims"], worst),
            "### Every page, wide / phone",
            _table(["page", *SHOWN.values()], pages),
        ]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; numbers stand to the right."""
    rule = ["---" if name in ("chapter", "page", "window", "aims", AIM) else "--:" for name in head]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _cpu_row(chapter: Chapter, window: str) -> list[str]:
    """Write the processor time of version 0.1's page, and of the largest, the mean and all pages of now."""
    ways: list[Callable[[list[float]], float]] = [max, statistics.mean, sum]
    now = chapter.values(window, "cpu")
    ratios = [chapter.ratio(window, way) for way in ways]
    seconds = [chapter.before(window, "cpu"), *(way(now) for way in ways)]
    verdict = f"{'met' if ratios[0] >= FASTER else 'not met'} ({FASTER:g})"
    shown = [f"{value:.2f}" for value in [*seconds, *ratios]]
    shown[3] += f" ({len(now)})"
    return [chapter.name, _window(window), *shown, verdict]


def _worst_row(chapter: Chapter, window: str) -> list[str]:
    """Write the largest of each number over the pages, after version 0.1's."""
    cells = [
        f"{_number(what, chapter.before(window, what))} → {_number(what, max(chapter.values(window, what)))}"
        for what in WORST
    ]
    missed = chapter.missed(window)
    verdict = f"missed: {', '.join(missed)}" if missed else "met"
    return [chapter.name, _window(window), *cells, f"{chapter.landed} of {chapter.links}", verdict]


def _page_row(page: Measured) -> list[str]:
    """Write the numbers of a page in both windows."""
    both = [[_number(what, getattr(page.visits[window], what)) for window in SLOWED] for what in SHOWN]
    return [page.name, *(" / ".join(dict.fromkeys(cells)) for cells in both)]


def _window(window: str) -> str:
    """Name a window, and how much the processor is slowed."""
    return window if SLOWED[window] == 1 else f"{window}, CPU ÷ {SLOWED[window]}"


def _number(what: str, value: float) -> str:
    """Write a number with as many digits as its kind has."""
    return f"{value:,.0f}" if what in ("requests", "elements") else f"{value:.{3 if what == 'shift' else 2}f}"


# -- the command ---------------------------------------------------------------------------------------------


def store(report: PagesReport, result: pathlib.Path = RESULT, page: pathlib.Path = PAGE) -> None:
    """Write the report, and its tables into the page."""
    result.write_text(report.to_json(), encoding="utf-8")
    text = replace_between(page.read_text(encoding="utf-8"), render(report), BEGIN, END)
    page.write_text(text, encoding="utf-8")


def options() -> argparse.ArgumentParser:
    """Say what the command takes."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pages",
        description="Measure the pages of chapters in Chromium beside version 0.1's, in one run.",
        epilog=f"Version 0.1 is the commit {OLD[:7]}. It is built once, into _build/version-0.1.",
    )
    which = f"these, and nothing is written; without one, {' and '.join(STANDARD)}, which the aims are for"
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help=which)
    parser.add_argument("--quick", action="store_true", help="one round, and nothing is written")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="visits to each page (%(default)s)")
    parser.add_argument("--old", type=pathlib.Path, help="a built site of version 0.1; it is not built then")
    parser.add_argument("--new", type=pathlib.Path, default=SITE, help="the present site (_build/html)")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, measure, print, and write what a full run found."""
    chosen = options().parse_args(arguments)
    chapters = new_pages(ROOT / "book", chosen.chapters or STANDARD)
    missing = [page for pages in chapters.values() for page in pages if not (chosen.new / page).is_file()]
    if missing:
        sys.exit(f"The present site does not have {', '.join(missing)}. Run: make book")
    rounds = 1 if chosen.quick else max(chosen.rounds, 1)
    report = measure(chosen.old or old_site(), chosen.new, chapters, rounds)
    print(render(report))
    if not chosen.quick and not chosen.chapters:
        store(report)


if __name__ == "__main__":
    main()
