"""Every page of the built site, in headless Chromium: wide, as on a phone, and in light and dark colours."""

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Request

from bookkit import ROOT
from bookkit.extensions.moved import is_moved
from bookkit.site.shots import MATH_DONE, SETTINGS, SITE, serving

COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # all that the dark page can do worse
MODERATE = ["region", "hidden-content"]  # at worst; we note what is serious, and these take long
OTHER_RULES = {rule: {"enabled": False} for rule in COLOUR_RULES + MODERATE} | {
    "target-size": {"enabled": True}
}

# Texts are cut between characters: half of one could not be reported.
# A formula is for the eye and, as MathML, for screen readers. Where MathJax draws in the page, it writes a
# command that it does not know in red, and calls that no error.
UNRENDERED = """() => [...document.querySelectorAll('.math')].filter(
    node => !node.querySelector('mjx-container > mjx-math[aria-hidden=true] + mjx-assistive-mml > math')
        || node.querySelector('[data-mjx-error], mjx-merror, merror, mjx-mtext[style*="color: red"]')
).map(node => [...node.textContent].slice(0, 80).join(''))"""

# For axe, which takes its time over every element: a formula, whose colour is that of the text around it,
# becomes a box of its size, and of visible code tokens that look the same on the same background one stays.
# Of entries of the API pages and rows of the index of theorems, made by one template, six of each kind stay.
# First everything is measured and then everything changed: in turns, each change would cost a new layout.
THIN_OUT = """() => {
    const entries = {};
    for (const entry of document.querySelectorAll('dl.py, table.indextable tr')) {
        entries[entry.className] = (entries[entry.className] ?? 0) + 1;
        if (entries[entry.className] > 6) { entry.remove(); }
    }
    const formulas = [...document.querySelectorAll('mjx-container')].map(
        node => [node, node.scrollWidth, node.offsetHeight]);
    const seen = new Set();
    const twins = [...document.querySelectorAll('.highlight pre span:not(:has(*))')].filter(token => {
        const own = getComputedStyle(token), block = getComputedStyle(token.closest('pre'));
        const look = [token.className, own.color, own.backgroundColor, block.backgroundColor].join();
        const twin = seen.has(look);
        if (token.checkVisibility()) { seen.add(look); }
        return twin;
    });
    for (const [node, width, height] of formulas) {
        node.innerHTML = `<span style="display:inline-block; width:${width}px; height:${height}px"></span>`;
    }
    twins.forEach(token => token.replaceWith('x'.repeat(token.textContent.length)));
}"""

# Colours take axe longest. What looks like something on this page, or on a page before, and stands on the
# same background in text of the same colour, is not judged again.
NEW_LOOKS = """known => {
    const seen = new Set(known), before = seen.size, behind = new Map([[null, '']]);
    const background = node => {
        if (!behind.has(node)) {
            const own = getComputedStyle(node).backgroundColor;  // what is clear paints nothing, however deep
            behind.set(node, background(node.parentElement) + (own === 'rgba(0, 0, 0, 0)' ? '' : own));
        }
        return behind.get(node);
    };
    const look = node => {
        const own = getComputedStyle(node), around = getComputedStyle(node.parentElement);
        const style = [own.color, own.fontSize, own.fontWeight, own.textDecorationLine, own.opacity];
        const place = [node.parentElement.className, around.color, background(node)];
        const words = [node.tagName, node.className, ...style, ...place].join();
        return words.replace(/\\btag_[\\w-]+/g, '').replace(/\\s+/g, ' ');  // tags name claims, not looks
    };
    const kinds = 'p, li:not(:has(li)), tr, dt, h2, h3, h4, .highlight, div.math';
    const parts = document.querySelectorAll(kinds);
    const old = [...parts].filter(part => {
        const looks = [part, ...part.querySelectorAll('*')].map(look);
        const nothingNew = looks.every(one => seen.has(one));
        if (part.checkVisibility()) { looks.forEach(one => seen.add(one)); }
        return nothingNew;
    });
    old.forEach(part => part.remove());
    return [...seen].slice(before);
}"""

STILL = """const still = new CSSStyleSheet();
still.replaceSync('* { transition: none !important }');
document.adoptedStyleSheets = [still];"""  # or colours would be judged half-way

# After a new width the theme waits for 0.3 s, then lets the keyboard reach what scrolls now. Its timer was
# set before ours, so that it has run when ours is due, however busy the machine is.
SETTLED = """() => new Promise(done => requestAnimationFrame(
    () => requestAnimationFrame(() => setTimeout(done, 400))))"""

# The suspects are what sticks out and lies in no box that scrolls by itself.
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    const clips = node => getComputedStyle(node).overflowX !== 'visible';
    const boxed = node => node && (clips(node) || boxed(node.parentElement));
    const scrolls = [document.documentElement, document.body].some(node => node.scrollWidth > width);
    return scrolls ? ['the page scrolls', ...[...document.querySelectorAll('main *')].filter(
        node => node.getBoundingClientRect().right > width + 1 && !boxed(node.parentElement)
    ).map(node => node.outerHTML.slice(0, 80)).slice(0, 5)] : [];
}"""

# On a laptop no formula has to be scrolled.
FORMULA_TOO_WIDE = """() => [...document.querySelectorAll('div.math')].filter(
    node => node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1
).map(node => `${node.id} ${[...node.innerText.replace(/\\s+/g, '')].slice(0, 60).join('')}`)"""

# On a phone a formula in the text may be wider than the column; then it can be scrolled.
CUT_OFF = """() => [...document.querySelectorAll('span.math')].filter(node => {
    const drawn = node.querySelector('mjx-math');
    return drawn && drawn.getBoundingClientRect().right > node.getBoundingClientRect().right + 2
        && !['auto', 'scroll'].includes(getComputedStyle(node).overflowX);
}).map(node => [...node.innerText].slice(0, 60).join(''))"""

# An image may have an empty alternative only where the theme draws it: the logo beside its own text.
NO_ALT = """() => [...document.images].filter(
    image => image.getAttribute('alt') === null || (!image.alt.trim() && image.closest('main'))
).map(image => image.src)"""


def find_pages() -> list[str]:
    """List the site's pages; of the source listings, which differ in nothing but code, the longest."""
    pages = [page for page in SITE.rglob("*.html") if "_static" not in page.parts and page.parent != SITE]
    pages = [page for page in pages if not is_moved(page)]  # they lead elsewhere: tests of their own
    pages += [page for page in SITE.glob("*.html") if page.name != "index.html"]  # a redirect: its own test
    listings = [page for page in pages if "_modules" in page.parts and page.name != "index.html"]
    longest = max(listings, key=lambda page: page.stat().st_size, default=None)
    return sorted(str(page.relative_to(SITE)) for page in pages if page == longest or page not in listings)


PAGES = find_pages() or ["book/index.html"]
FEW = ["book/index.html", "book/10-roc/curve.html", "book/coursework/05-kernels.html"]  # one of each kind


@dataclass
class Visit:
    """A window, and what went wrong on the page that is open in it."""

    page: Page
    host: str
    faults: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Note console errors, exceptions, failed requests and requests to other hosts."""
        self.page.on(
            "console", lambda m: self.faults.append(f"console: {m.text}") if m.type == "error" else None
        )
        self.page.on("pageerror", lambda error: self.faults.append(f"exception: {error}"))
        self.page.on("requestfailed", self.check_failure)
        self.page.on("request", lambda request: self.check_host(request.url))
        self.page.on(
            "response", lambda r: self.faults.append(f"{r.status}: {r.url}") if r.status >= 400 else None
        )

    def check_failure(self, request: Request) -> None:
        """Note a request that failed, but for those that the browser gives up when we leave a page."""
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url}: {request.failure}")

    def check_host(self, url: str) -> None:
        """Note a request that leaves the site."""
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != self.host:
            self.faults.append(f"another host: {url}")

    def open(self, setting: str, url: str) -> None:
        """Open a page, and wait for its fonts, and for MathJax where it draws in the page."""
        self.faults.clear()
        self.set(setting)
        self.page.goto(url, wait_until="load")
        self.page.evaluate(MATH_DONE)

    def set(self, setting: str) -> None:
        """Give the window a width and colours."""
        width, scheme = SETTINGS[setting]
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    def resize(self, setting: str) -> None:
        """Give the open page another width and other colours."""
        self.set(setting)
        self.page.wait_for_function(f"document.documentElement.dataset.theme == '{SETTINGS[setting][1]}'")
        self.page.evaluate(SETTLED)

    def ask(self, label: str, script: str) -> None:
        """Note what a script finds on the page."""
        self.faults.extend(f"{label}: {found}" for found in self.page.evaluate(script))

    def axe(self, rules: list[str] | None) -> None:
        """Note the serious and critical findings of axe-core: of some rules, or of all except colours."""
        options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if rules:
            options["runOnly"] = rules
        else:
            options["rules"] = OTHER_RULES
        for rule in Axe().run(self.page, options=options).response["violations"]:
            if rule["impact"] in ("serious", "critical"):
                for node in rule["nodes"][:5]:
                    text = node["failureSummary"].replace("\n", " ")
                    self.faults.append(f"axe {rule['id']}: {node['html'][:150]} {text}")


@pytest.fixture(scope="module")
def seen(contexts: dict[str, BrowserContext], address: str) -> Visit:
    """One window for many pages: it has read their scripts already."""
    visit = Visit(contexts["wide"].new_page(), urlsplit(address).netloc)
    visit.page.add_init_script(STILL)
    visit.listen()
    return visit


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Path:
    """Make the file of the looks that NEW_LOOKS has seen, in any process of this run."""
    path = tmp_path_factory.getbasetemp().parent / f"looks-{testrun_uid}"
    path.touch()
    return path


@pytest.mark.parametrize("name", PAGES)
def test_page(seen: Visit, judged: Path, address: str, name: str) -> None:
    """One visit a page: wide, narrow, dark, light. Where nothing looks new, there are no colours to judge."""
    seen.open("wide", address + name)
    seen.ask("mathematics not drawn", UNRENDERED)
    seen.ask("image without alternative text", NO_ALT)
    seen.ask("wider than the window", TOO_WIDE)
    seen.ask("a formula wider than its box", FORMULA_TOO_WIDE)
    seen.resize("phone")
    seen.ask("wider than a phone", TOO_WIDE)
    seen.ask("a formula cut off", CUT_OFF)
    seen.page.evaluate(THIN_OUT)
    seen.axe(None)
    new = seen.page.evaluate(NEW_LOOKS, judged.read_text(encoding="utf-8").splitlines())
    with judged.open("a", encoding="utf-8") as file:
        file.writelines(f"{look}\n" for look in new)
    for setting in ("dark", "wide") if new else ():
        seen.resize(setting)
        seen.axe(COLOUR_RULES)
    assert not seen.faults, "\n".join(seen.faults)


@pytest.mark.parametrize("setting", ["phone", "dark"])
@pytest.mark.parametrize("name", FEW)
def test_page_opened_so(seen: Visit, address: str, name: str, setting: str) -> None:
    """What a page does while it loads may depend on the width and the colours too; menus need the width."""
    seen.open(setting, address + name)
    seen.ask("mathematics not drawn", UNRENDERED)
    seen.ask("wider than the window", TOO_WIDE)
    if setting == "dark":
        seen.page.evaluate(THIN_OUT)
        seen.axe(None)
    assert not seen.faults, "\n".join(seen.faults)


def test_formulas_need_no_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + FEW[1])
    formulas = page.locator("article .math mjx-math:visible")
    assert formulas.count() > 30
    boxes = [formulas.nth(place).bounding_box() for place in range(20)]
    assert all(box and box["width"] > 3 and box["height"] > 3 for box in boxes)
    context.close()


@pytest.mark.parametrize(("setting", "some"), [("phone", True), ("wide", False)])
def test_the_keyboard_reaches_the_formulas_that_scroll(
    seen: Visit, address: str, setting: str, some: bool
) -> None:
    seen.open(setting, address + FEW[1])
    seen.page.evaluate(SETTLED)
    scroll, may_scroll, reached = seen.page.evaluate("""() => {
        const shown = [...document.querySelectorAll('.math')].filter(node => node.checkVisibility());
        const places = wanted => shown.map((node, place) => wanted(node) ? place : -1).filter(n => n >= 0);
        return [places(node => node.scrollWidth > node.clientWidth + 4),
                places(node => node.scrollWidth > node.clientWidth), places(node => node.tabIndex === 0)];
    }""")
    assert {*scroll} <= {*reached} <= {*may_scroll}
    assert bool(reached) is some


def test_what_is_folded_is_measured_when_it_unfolds_and_not_before(seen: Visit, address: str) -> None:
    """To measure what is folded away a browser must lay it out, and the theme would measure all code."""
    seen.open("phone", address + FEW[1])
    seen.page.evaluate(SETTLED)
    before, after = seen.page.evaluate("""async () => {
        const folded = [...document.querySelectorAll('article details:not([open]) pre')];
        const code = folded.filter(pre => !pre.parentElement.closest('details details'));
        const before = code.filter(pre => pre.hasAttribute('tabindex')).length;
        code.forEach(pre => { pre.closest('details').open = true; });
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        const wide = code.filter(pre => pre.scrollWidth > pre.clientWidth);
        return [before, [wide.length, wide.filter(pre => pre.tabIndex === 0).length]];
    }""")
    assert before == 0
    assert after[0] == after[1] > 0


def test_formulas_are_copied_as_tex(seen: Visit, address: str) -> None:
    seen.open("wide", address + FEW[1])
    copied = seen.page.evaluate("""() => {
        const formula = document.querySelector('article p .math mjx-container');
        getSelection().selectAllChildren(formula.closest('p'));
        const options = { clipboardData: new DataTransfer(), bubbles: true, cancelable: true };
        const event = new ClipboardEvent('copy', options);
        document.dispatchEvent(event);
        return [event.clipboardData.getData('text/plain'), formula.dataset.tex];
    }""")
    assert f"${copied[1]}$" in copied[0]
    assert len(copied[0].split()) > 5
    assert not seen.faults, "\n".join(seen.faults)


def test_dark_is_dark(seen: Visit, address: str) -> None:
    seen.open("dark", address + "book/index.html")
    assert seen.page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("way", ["root", "sub-path", "file"])
def test_index_leads_to_the_book(
    contexts: dict[str, BrowserContext], address: str, tmp_path: Path, way: str
) -> None:
    page = contexts["wide"].new_page()
    if way == "root":
        page.goto(address)
    elif way == "file":
        page.goto((SITE / "index.html").as_uri())
    else:
        shutil.copytree(SITE, tmp_path / "some" / "folder")
        with serving(tmp_path) as url:
            page.goto(url + "some/folder/")
            page.wait_for_url("**/some/folder/book/index.html")
    page.wait_for_url("**/book/index.html")
    title = page.title()
    page.close()
    assert str(yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]) in title


@pytest.mark.parametrize("place", ["menu", "foot"])
@pytest.mark.parametrize("way", ["served", "file"])
def test_chapter_is_downloaded(
    contexts: dict[str, BrowserContext], address: str, way: str, place: str
) -> None:
    """A browser saves it; of a site in a folder it shows the text, in a new tab, and the page stays."""
    notebook = (ROOT / "book" / "05-kernels" / "definition.ipynb").read_text(encoding="utf-8")
    page = contexts["phone"].new_page()
    page.goto((address if way == "served" else f"{SITE.as_uri()}/") + "book/05-kernels/definition.html")
    if place == "menu":
        page.get_by_role("button", name="Download this page").click()
    link = page.get_by_role("link", name=re.compile("this page as a notebook", re.I)).locator("visible=true")
    link = link.first if place == "menu" else link.last
    assert link.get_attribute("download") is not None  # or a server that calls it text would have it shown
    if way == "served":
        with page.expect_download() as download:
            link.click()
        assert download.value.suggested_filename == "definition.ipynb"
        assert Path(download.value.path()).read_text(encoding="utf-8") == notebook
    else:
        with page.expect_popup() as shown:
            link.click()
        assert shown.value.locator("pre").inner_text().strip() == notebook.strip()
        shown.value.close()
    assert page.url.endswith("book/05-kernels/definition.html")
    page.close()


def test_errata_can_be_chosen(contexts: dict[str, BrowserContext], address: str) -> None:
    page = contexts["phone"].new_page()
    page.goto(address + "book/A-errata.html?deck=001")
    shown, form = page.locator(".erratum:visible"), page.locator("form.errata-filter")
    some = shown.count()
    assert 0 < some < page.locator(".erratum").count()
    assert page.locator(".erratum.deck-001").count() == some
    form.locator("[name=mark]").select_option("wrong")
    assert page.locator(".erratum.deck-001.mark-wrong").count() == shown.count() < some
    assert f"{shown.count()} of" in form.locator("output").inner_text()
    assert page.url.endswith("?deck=001&mark=wrong")  # what one can send to others
    assert page.locator(".errata-group:visible").count() < page.locator(".errata-group").count()
    form.locator("[name=words]").fill("kernelised CLASSIFIER")
    assert [text.split(":")[0] for text in shown.locator("h3").all_inner_texts()] == ["ERR-09"]
    page.evaluate("location.hash = 'err-10'")  # a link to an entry that is hidden
    shown.nth(some).wait_for()
    assert shown.count() == page.locator(".erratum").count()
    form.locator("[name=transcription]").check()
    assert shown.count() == page.locator(".erratum.transcription").count()
    form.locator("button").click()
    shown.nth(some).wait_for()
    page.close()
