"""The pages of chapters in the form of folders, as a reader uses them: old links, badges, length, weight."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from bookkit import ROOT
from bookkit.pages import limits
from bookkit.pages import register as reg
from bookkit.pages.chapters import chapter_of, in_folder, page_name, paired_pages

PAGES = [page for page in paired_pages(ROOT / "book") if in_folder(page)]
CHAPTERS = sorted(set(map(chapter_of, PAGES)))
BOOK = reg.scan(ROOT)
CLAIMS = {name: [claim for claim in BOOK.due if claim.chapter == name] for name in CHAPTERS}
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


@pytest.fixture(scope="module")
def page(contexts: dict[str, BrowserContext]) -> Iterator[Page]:
    page = contexts["wide"].new_page()
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    yield page
    page.close()


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
def test_a_page_is_a_sitting_and_light(page: Page, address: str, path: object) -> None:
    """Its height, the distance of its pictures, its weight, and that nothing moves while it loads."""
    name = page_name(path)  # type: ignore[arg-type]
    page.goto(f"{address}book/{name}.html", wait_until="networkidle")
    top, bottom, places = page.evaluate(LANDMARKS)
    excused, faults = limits.excuses(path), []  # type: ignore[arg-type]
    screens, apart = (bottom - top) / HEIGHT, longest_stretch(top, bottom, places) / HEIGHT
    if screens > limits.SCREENS and "screens" not in excused:
        faults.append(f"{screens:.1f} screens, {limits.SCREENS} at most")
    if apart > limits.PICTURES and "pictures" not in excused:
        faults.append(f"{apart:.1f} screens without a picture, {limits.PICTURES} at most")
    weight = page.evaluate(
        "() => ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))"
        ".reduce((sum, entry) => sum + entry.decodedBodySize, 0)"
    )
    if weight > BYTES:
        faults.append(f"{weight:,} bytes, {BYTES:,} at most")
    shift = page.evaluate(SHIFTS)
    if shift >= SHIFT:
        faults.append(f"a layout shift of {shift:.3f}, below {SHIFT}")
    assert not faults, f"{name}: " + "; ".join(faults)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_old_addresses_lead_to_the_claims(page: Page, address: str, chapter: str) -> None:
    faults = []
    for claim in CLAIMS[chapter]:
        page.goto(f"{address}book/{chapter}.html#{claim.id}")
        page.wait_for_url(f"**/{chapter}/*.html#*")
        page.wait_for_load_state()
        anchor = page.url.partition("#")[2]
        if anchor.lower().removeprefix("equation-") != claim.id.lower():
            faults.append(f"{claim.id} leads to {page.url}")
        if found := page.evaluate(ON_TARGET, anchor):
            faults.append(f"{claim.id}: {found}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_has_a_badge_that_leads_to_the_list_and_back(
    page: Page, address: str, chapter: str
) -> None:
    faults, listed = [], f"{address}book/B-claims.html"
    page.goto(listed)
    links = page.evaluate(
        "() => [...document.querySelectorAll('dl.claims dt a')].map(a => [a.innerText, a.href])"
    )
    back = dict(links)
    badges: dict[str, tuple[str, str, bool]] = {}
    for path in PAGES:
        if chapter_of(path) == chapter:
            page.goto(f"{address}book/{page_name(path)}.html")
            for badge in page.locator("article .badge").all():
                link = badge.locator("a[href*='B-claims.html#list-']")
                if link.count():
                    words = (
                        badge.locator("summary").inner_text()
                        if badge.locator("summary").count()
                        else badge.inner_text()
                    )
                    found = re.search(reg.ID, words)
                    assert found is not None, words
                    address_of = str(link.first.get_attribute("href"))
                    badges[found[0]] = (
                        words,
                        address_of.partition("#")[2],
                        badge.evaluate("b => b.tagName") == "DETAILS",
                    )
    for claim in CLAIMS[chapter]:
        words, anchor, folds = badges.get(claim.id, ("", "", False))
        if anchor != f"list-{claim.id.lower()}":
            faults.append(f"{claim.id}: its badge leads to {anchor or 'nothing'}")
        if BOOK.checking_cells(claim.id) and not (folds and words.startswith("✓ checked")):
            faults.append(f"{claim.id}: its check is not folded into its badge")
        if not re.search(rf"/{chapter}/[\w-]+\.html#(equation-)?{claim.id}$", back.get(claim.id, ""), re.I):
            faults.append(f"{claim.id}: the list leads to {back.get(claim.id)}")
    assert not faults, "\n".join(faults)


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
