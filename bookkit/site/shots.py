"""Photograph the built site for people to look at: ``python -m bookkit.site.shots [PAGE...]``.

A page is a path below ``_build/html``, e.g. ``book/05-kernels.html``; without one, every page of the book.
The pictures go to ``_build/shots``. The settings here are also those of ``tests/browser``.
"""

import contextlib
import os
import pathlib
import shutil
import sys
import threading
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from bookkit import ROOT
from bookkit.extensions.moved import is_moved
from bookkit.pages.chapters import book_files, page_name
from bookkit.site.serve import server

SITE = ROOT / "_build" / "html"
SHOTS = ROOT / "_build" / "shots"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
SETTINGS = {"wide": (1280, "light"), "phone": (390, "light"), "dark": (1280, "dark")}

# The fonts of formulas are asked for when the page is laid out. Where MathJax draws in the page, it replaces
# its start-up promise while it starts, so the one before last is not enough.
MATH_DONE = """async () => {
    if (window.MathJax) { await MathJax.startup.promise; }
    document.body.getBoundingClientRect();
    await document.fonts.ready;
}"""

# Images are loaded when a reader comes near them, and in a picture of the whole page nobody does.
IMAGES_DONE = """async () => {
    const images = [...document.images];
    images.forEach((image) => { image.loading = "eager"; });
    await Promise.allSettled(images.map((image) => image.decode()));
}"""


def find_chromium() -> str | None:
    """Find a Chromium on the PATH."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


def launch(playwright: Playwright, chromium: str) -> Browser:
    """Start the browser; its sandbox does not work for root."""
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=chromium, args=args)


def context(browser: Browser, setting: str) -> BrowserContext:
    """Open a window of the setting's width and colours."""
    width, scheme = SETTINGS[setting]
    return browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )


@contextlib.contextmanager
def serving(site: pathlib.Path) -> Iterator[str]:
    """Serve a folder on a free port; yield the address, which ends in a slash."""
    httpd = server(site, 0)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/"
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def book_pages(site: pathlib.Path) -> list[str]:
    """List the pages of the book and of its chapters' folders, without those that only lead elsewhere."""
    pages = [page for page in book_files(site / "book", ".html") if not is_moved(page)]
    return [page.relative_to(site).as_posix() for page in pages]


def picture_name(page: str) -> str:
    """Name the pictures of a page; every chapter's folder has an index."""
    return page_name(pathlib.PurePosixPath(page)).replace("/", "-")


def main() -> None:
    """Take the pictures."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"No Chromium: none of {', '.join(CHROMIUMS)} is on the PATH.")
    if not SITE.exists():
        sys.exit("The site is not built. Run: make book")
    pages = sys.argv[1:] or book_pages(SITE)
    missing = [name for name in pages if not (SITE / name).is_file()]
    if missing:
        sys.exit(f"No such page below _build/html: {', '.join(missing)}. Name one like book/index.html")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with serving(SITE) as address, sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        for setting in SETTINGS:
            page = context(browser, setting).new_page()
            for name in pages:
                page.goto(address + name)
                page.evaluate(IMAGES_DONE)
                page.evaluate(MATH_DONE)
                target = SHOTS / f"{picture_name(name)}-{setting}.png"
                page.screenshot(path=target, full_page=True)
                print(target.relative_to(ROOT), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
