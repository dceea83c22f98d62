"""One browser and one server for all tests of the site."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bookkit.site.shots import CHROMIUMS, SETTINGS, SITE, context, find_chromium, launch, serving


@pytest.fixture(scope="module")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        reason = f"no Chromium: none of {', '.join(CHROMIUMS)} is on the PATH, so the site was NOT checked"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        pytest.fail("the site is not built; run: make book")
    with serving(SITE) as url:
        yield url


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> dict[str, BrowserContext]:
    return {setting: context(browser, setting) for setting in SETTINGS}
