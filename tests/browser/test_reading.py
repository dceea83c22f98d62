"""The pages of chapters in the form of folders, as a reader uses them: old links, badges, length, weight."""

import functools
import json
import pathlib
import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from bookkit import ROOT
from bookkit.pages import limits
from bookkit.pages import register as reg
from bookkit.pages.chapters import chapter_of, in_folder, page_name, paired_pages
from bookkit.site.shots import SITE

PAGES = [page for page in paired_pages(ROOT / "book") if in_folder(page)]
CHAPTERS = sorted(set(map(chapter_of, PAGES)))
BOOK = reg.scan(ROOT)
CLAIMS = {name: [claim for claim in BOOK.due if claim.chapter == name] for name in CHAPTERS}
MOVED = re.compile(r"data-places>(.*?)</script>", re.S)
HEIGHT = 800
BYTES = 2_000_000
SHIFT = 0.05

# What rests the eye: a picture, a table, an example, a cell that shows something; of the page, its ends too.
LANDMARKS = """() => {
    const article = document.querySelector('article');
    const boxes = 'div.example, div.algorithm, div.exercise, div.solution';
    const all = [...article.querySelectorAll(`img, table, ${boxes}, .cell:not(details *)`)];
    const seen = all.filter(node => node.checkVisibility());
    const places = seen.map(node => node.getBoundingClientRect()).map(box => [box.top, box.bottom]);
    const whole = article.getBoundingClientRect();
    return [whole.top, whole.bottom, places];
}"""
SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => { sum += entry.value; }))
        .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(sum), 300);
})"""
ON_TARGET = """name => {
    const target = document.getElementById(name);
    if (!target) { return 'there is no such element'; }
    const top = target.getBoundingClientRect().top;
    const end = Math.abs(document.documentElement.scrollHeight - innerHeight - scrollY) < 2;
    const seen = (top > -2 && top < 160) || (end && top > 0 && top < innerHeight);
    return target.checkVisibility() && seen ? '' : `at ${top} px`;
}"""
LANDS = f"""async name => {{
    location.hash = '';
    location.hash = name;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return ({ON_TARGET})(name);
}}"""
BADGES = rf"""() => [...document.querySelectorAll('article .badge')].flatMap(badge => {{
    const link = badge.querySelector("a[href*='B-claims.html#list-']");
    const words = (badge.querySelector('summary') ?? badge).innerText;
    return link ? [{{ words, leads: link.hash.slice(1), folds: badge.tagName === 'DETAILS',
                      id: words.match(/{reg.ID}/)?.[0] ?? '' }}] : [];
}})"""


@pytest.fixture(scope="module")
def page(contexts: dict[str, BrowserContext]) -> Iterator[Page]:
    page = contexts["wide"].new_page()
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    yield page
    page.close()


@functools.cache
def places(chapter: str) -> dict[str, str]:
    """Read where each old anchor of a chapter leads, from the page at the old address."""
    table = MOVED.search((SITE / "book" / f"{chapter}.html").read_text(encoding="utf-8"))
    assert table is not None
    return dict(json.loads(table[1]))


def longest_stretch(top: float, bottom: float, places: list[list[float]]) -> float:
    """Return the largest distance between neighbours, the ends of the page counting too."""
    at, longest = top, 0.0
    for start, end in [*sorted(places), [bottom, bottom]]:
        longest = max(longest, start - at)
        at = max(at, end)
    return longest


def test_the_longest_stretch_is_found() -> None:
    assert longest_stretch(0, 1000, [[100, 300], [150, 200], [900, 950]]) == 600
    assert longest_stretch(0, 1000, []) == 1000


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_a_page_is_a_sitting_its_badges_lead_on_and_old_addresses_land(
    page: Page, address: str, path: pathlib.Path
) -> None:
    """All in one visit: what a page asks and weighs, and of each of its claims the badge and the address."""
    name = page_name(path)
    page.goto(f"{address}book/{name}.html", wait_until="networkidle")
    faults = [*sitting(page, limits.excuses(path))]
    badges = {badge["id"]: badge for badge in page.evaluate(BADGES)}
    for claim in CLAIMS[chapter_of(path)]:
        moved = places(chapter_of(path)).get(claim.id.lower(), "")
        badge = badges.get(claim.id)
        if badge:
            if badge["leads"] != f"list-{claim.id.lower()}":
                faults.append(f"{claim.id}: its badge leads to {badge['leads']}")
            folded = badge["folds"] and badge["words"].startswith("✓ checked")
            if BOOK.checking_cells(claim.id) and not folded:
                faults.append(f"{claim.id}: its check is not folded into its badge")
        if (moved.partition("#")[0] == f"{path.stem}.html") != bool(badge):
            faults.append(f"{claim.id}: {'a' if badge else 'no'} badge, but the old address leads to {moved}")
        if badge and (found := page.evaluate(LANDS, moved.partition("#")[2])):
            faults.append(f"{claim.id}: {found}")
    assert not faults, f"{name}: " + "; ".join(faults)


def sitting(page: Page, excused: Mapping[str, str]) -> Iterator[str]:
    """Say what the open page has too much of: height, distance of its pictures, weight, movement."""
    top, bottom, places = page.evaluate(LANDMARKS)
    screens, apart = (bottom - top) / HEIGHT, longest_stretch(top, bottom, places) / HEIGHT
    if screens > limits.SCREENS and "screens" not in excused:
        yield f"{screens:.1f} screens, {limits.SCREENS} at most"
    if apart > limits.PICTURES and "pictures" not in excused:
        yield f"{apart:.1f} screens without a picture, {limits.PICTURES} at most"
    weight = page.evaluate(
        "() => ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))"
        ".reduce((sum, entry) => sum + entry.decodedBodySize, 0)"
    )
    if weight > BYTES:
        yield f"{weight:,} bytes, {BYTES:,} at most"
    if (shift := page.evaluate(SHIFTS)) >= SHIFT:
        yield f"a layout shift of {shift:.3f}, below {SHIFT}"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_old_address_leads_on_and_the_list_leads_to_the_claims(
    page: Page, address: str, chapter: str
) -> None:
    """The page at the old address does the same for each anchor; one is followed in the browser."""
    page.goto(f"{address}book/B-claims.html")
    links = "() => [...document.querySelectorAll('dl.claims dt a')].map(a => [a.innerText, a.href])"
    listed = dict(page.evaluate(links))
    faults = [
        f"{claim.id}: old address {places(chapter).get(claim.id.lower())}, list {listed.get(claim.id)}"
        for claim in CLAIMS[chapter]
        if not listed.get(claim.id, "-").endswith(f"/{chapter}/{places(chapter).get(claim.id.lower())}")
    ]
    assert not faults, "\n".join(faults)
    last = CLAIMS[chapter][-1].id
    page.goto(f"{address}book/{chapter}.html#{last}")
    page.wait_for_url(f"**/{chapter}/{places(chapter)[last.lower()]}")
    page.wait_for_load_state()
    assert not page.evaluate(ON_TARGET, page.url.partition("#")[2])


def a_check(page: Page, address: str) -> str:
    """Open a page with a badge, and return the anchor of a cell in it."""
    page.goto(f"{address}book/05-kernels/candidates.html")
    anchor = page.locator("details.badge [id^='check-ker-']").first.get_attribute("id")
    assert anchor is not None
    return anchor


def test_a_badge_opens_by_keyboard_and_by_a_link_to_its_check(page: Page, address: str) -> None:
    anchor = a_check(page, address)
    cell = page.locator(f"#{anchor}")
    assert not cell.is_visible()
    page.locator("details.badge", has=cell).locator("summary").focus()
    page.keyboard.press("Enter")
    assert cell.is_visible()
    page.goto("about:blank")
    page.goto(f"{address}book/05-kernels/candidates.html#{anchor}")
    assert cell.is_visible()
    assert page.evaluate(ON_TARGET, anchor) == ""


def test_badges_and_folded_proofs_need_no_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    cell = page.locator(f"#{a_check(page, address)}")
    page.locator("details.badge", has=cell).locator("summary").click()
    assert cell.is_visible()
    context.close()


def test_search_finds_an_id_first(page: Page, address: str) -> None:
    page.goto(f"{address}search.html?q=KER-14")
    first = page.locator("#search-results li a").first
    first.wait_for()
    assert "/05-kernels/" in str(first.get_attribute("href"))
    assert "KER-14" in first.inner_text()
