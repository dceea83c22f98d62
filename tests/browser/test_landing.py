"""What moves: the picture of the landing page, cards of words, contents, search; and how pages are set."""

import itertools
import re

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from bookkit.extensions import styles
from bookkit.site.shots import SITE
from lecturekit import kernels
from tests.browser.test_reading import SHIFT, SHIFTS

CHAPTER = "book/06-duality/kkt.html"
LONG = "book/A-errata.html"  # headings of three ranks, and contents longer than a window
# Of elements that have the same name and class, in the same kind of element, one is looked at.
LOOKS = """() => [...new Map([...document.querySelectorAll('body, body *')].filter(
    node => !node.closest('mjx-container, .terms')).map(node => [[node, node.parentElement].map(
        one => one.tagName + one.className).join(), node])).values()].map(node => {
    const style = getComputedStyle(node), names = [...style].filter(name => !name.startsWith('--')).sort();
    return node.tagName + names.map(name => name + style.getPropertyValue(name)).join();
})"""


@pytest.fixture
def phone(contexts: dict[str, BrowserContext], address: str) -> Page:
    page = contexts["phone"].new_page()
    page.goto(address + "book/index.html")
    return page


def numbers(page: Page) -> dict[str, float]:
    """Read the numbers of the picture."""
    shown = page.locator(".gram [data-gram]").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.gram, node.dataset.exact ?? node.textContent])"
    )
    keys = ("at-a", "at-b", "aa", "ab", "ba", "bb", "value")
    return {key: float(text.replace("\N{MINUS SIGN}", "-")) for key, text in shown if key in keys}


@pytest.mark.parametrize("seed", range(4))
def test_the_numbers_of_the_picture_are_those_of_the_package(phone: Page, seed: int) -> None:
    rng = np.random.default_rng([seed, 14])
    for name in "ab":
        handle = phone.get_by_role("slider", name=f"point {name}")
        handle.focus()
        phone.keyboard.press("Home")
        for key, steps in (("PageUp", rng.integers(10)), ("ArrowRight", rng.integers(10))):
            for _ in range(steps):
                phone.keyboard.press(key)
    found = numbers(phone)
    x = np.array([found["at-a"], found["at-b"]])
    gram = np.tanh(1 + np.outer(x, x))
    assert np.allclose([found["aa"], found["ab"], found["ba"], found["bb"]], gram.ravel(), atol=5.01e-4)
    assert np.isclose(found["value"], kernels.min_eigenvalue(gram), atol=1e-12)
    assert ("negative" in str(phone.locator(".gram").get_attribute("class"))) == (found["value"] < 0)
    spoken = phone.get_by_role("slider", name="point b").get_attribute("aria-valuetext")
    assert f"b = {x[1]:.1f}".replace("-", "\N{MINUS SIGN}") in str(spoken)
    phone.close()


def test_a_reader_drags_a_point_to_the_counterexample(phone: Page) -> None:
    assert numbers(phone)["value"] > 0
    handle, line = phone.locator("[data-gram=a]"), phone.locator(".gram svg").bounding_box()
    place = handle.bounding_box()
    assert place is not None
    assert line is not None
    assert min(place["width"], place["height"]) >= 24
    phone.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    phone.mouse.down()
    phone.mouse.move(line["x"] + line["width"] * (320 + 56 * 4) / 640, place["y"], steps=4)
    phone.mouse.up()
    found = numbers(phone)
    assert (found["at-a"], found["at-b"]) == (4, 1)
    assert found["value"] < 0
    assert "no kernel" in phone.get_by_role("status").inner_text()
    phone.close()


def test_without_a_script_the_picture_shows_the_counterexample(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "book/index.html")
    assert numbers(page)["value"] < 0
    assert "no kernel" in page.locator(".gram-verdict").inner_text()
    assert "Drag" not in page.locator(".gram").inner_text()
    page.goto(address + CHAPTER)
    assert page.locator("a.term").first.is_visible()
    assert not page.locator(".terms").is_visible()
    context.close()


def test_a_word_shows_its_meaning_by_pointer_keyboard_and_finger(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(address + CHAPTER)
    word, card = page.locator("a.term").first, page.locator(".term-card")
    word.scroll_into_view_if_needed()
    height = page.evaluate("document.documentElement.scrollHeight")
    word.hover()
    card.wait_for()
    box = card.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= 390 - box["width"]
    assert page.evaluate("document.documentElement.scrollHeight") == height
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    page.mouse.move(1, 1)
    page.keyboard.press("Tab")
    word.focus()
    card.wait_for()
    described = page.locator(f'[id="{word.get_attribute("aria-describedby")}"]')
    assert described.inner_text() or described.text_content()
    word.blur()
    card.wait_for(state="hidden")
    word.tap()
    card.wait_for()
    assert page.url.endswith(CHAPTER)
    card.get_by_role("link", name="Glossary").tap()
    page.wait_for_url("**/glossary.html#term-*")
    context.close()


def test_the_contents_follow_the_reader(contexts: dict[str, BrowserContext], address: str) -> None:
    page = contexts["wide"].new_page()
    page.goto(address + LONG)
    last = page.locator(".bd-toc-nav a.nav-link").last
    page.evaluate("hash => { location.hash = hash; }", last.get_attribute("href"))
    page.wait_for_function("document.querySelector('.bd-sidebar-secondary').scrollTop > 100")
    active = page.locator(".bd-toc-nav a.nav-link.active").last.bounding_box()
    assert active is not None
    assert 0 < active["y"] < 860
    page.close()


def test_headings_are_steps_and_lines_have_a_measure(
    contexts: dict[str, BrowserContext], address: str
) -> None:
    page = contexts["wide"].new_page()
    page.set_viewport_size({"width": 1600, "height": 900})
    page.goto(address + LONG)
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    sizes = [page.locator(f"article {tag}").first.evaluate(size) for tag in ("h1", "h2", "h3", "p")]
    assert all(larger / smaller >= 1.15 for larger, smaller in itertools.pairwise(sizes)), sizes
    characters = page.locator("article section > p").first.evaluate("""text => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(text).font;
        return text.clientWidth / pen.measureText(text.textContent).width * text.textContent.length;
    }""")
    assert 60 < characters < 75
    page.close()


@pytest.mark.parametrize("setting", ["wide", "phone"])
@pytest.mark.parametrize("name", ["book/index.html", CHAPTER])
def test_nothing_moves_while_a_page_loads(
    contexts: dict[str, BrowserContext], address: str, name: str, setting: str
) -> None:
    page = contexts[setting].new_page()
    page.goto(address + name, wait_until="load")
    assert page.evaluate(SHIFTS) < SHIFT
    page.close()


@pytest.mark.parametrize("setting", ["dark", "phone"])
@pytest.mark.parametrize("name", ["book/index.html", "book/A-errata.html"])
def test_the_one_stylesheet_paints_as_the_many_do(
    contexts: dict[str, BrowserContext], address: str, name: str, setting: str
) -> None:
    names = (SITE.parent / ".doctrees" / "stylesheets").read_text(encoding="utf-8").split()
    page = contexts[setting].new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(address + name)
    short = page.evaluate(LOOKS)
    links = "".join(f'<link rel="stylesheet" href="{address}_static/{one}">' for one in names)
    page.evaluate(
        """([bundle, links]) => new Promise(done => {
            const old = document.querySelector(`link[href*="${bundle}"]`);
            const made = document.createRange().createContextualFragment(links);
            let waiting = made.children.length;
            const loaded = () => { if (!--waiting) { old.remove(); done(); } };
            for (const link of made.children) { link.onload = loaded; }
            old.after(made);
        })""",
        [styles.BUNDLE, links],
    )
    assert page.evaluate(LOOKS) == short
    page.close()


@pytest.mark.parametrize(
    ("query", "first"),
    [("kernel", "glossary"), ("Mercer", "05-kernels"), ("svm", r"/\d\d-")],
)
def test_search_puts_chapters_first_and_shows_words(
    contexts: dict[str, BrowserContext], address: str, query: str, first: str
) -> None:
    page = contexts["wide"].new_page()
    page.goto(address + f"search.html?q={query}")
    page.wait_for_function("document.querySelector('#search-results p.context')?.innerText.length > 40")
    page.wait_for_timeout(1500)
    found = page.locator("#search-results li a").evaluate_all(
        "links => links.map(l => l.getAttribute('href'))"
    )
    assert re.search(first, found[0]), found[:3]
    api = [place for place, link in enumerate(found) if "book/api/" in link]
    chapters = [place for place, link in enumerate(found) if re.search(r"book/\d\d-", link)]
    assert not api or max(chapters[:3]) < min(api)
    text = " ".join(page.locator("#search-results p.context").all_inner_texts())
    assert not re.search(r"\\[a-z]+|\$|Print, or save|Download this", text)
    page.close()
