"""The foot of every page says what made it, and what the download button offers is the chapter's notebook."""

import hashlib
import html
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from bookkit import ROOT
from bookkit.extensions import downloads, provenance
from bookkit.extensions.moved import is_moved
from bookkit.pages.chapters import file_name, in_folder, paired_pages
from bookkit.site import build

SITE = ROOT / "_build" / "html"
FOOT = re.compile(r'<div class="provenance">(.*?)</div>', re.S)
MENU = re.compile(r'<div class="dropdown dropdown-download-buttons">(.*?)</div>', re.S)
LINK = re.compile(r'<a href="([^"]+)"[^>]*class="[^"]*btn-download-source-button[^"]*"[^>]*>(.*?)</a>', re.S)
OFFERED = re.compile(r'<a href="([^"]+)" download="([^"]+)" target="_blank">([^<]*)</a>')
MOMENT = re.compile(r"20\d\d-\d\d|\d\d:\d\d|\b[0-9a-f]{13,}\b")
HANDOUTS = sorted((ROOT / "book" / "coursework").glob("*.ipynb"))

# -- which command makes a page ------------------------------------------------------


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Make a small book: a chapter, a chapter in a folder, a page, a handout, the benchmarks."""
    (tmp_path / "book" / "coursework").mkdir(parents=True)
    (tmp_path / "book" / "05-toys.md").write_text("---\njupytext:\n---\n# Toys\n", encoding="utf-8")
    (tmp_path / "book" / "06-cars").mkdir()
    (tmp_path / "book" / "06-cars" / "red.md").write_text("---\njupytext:\n---\n# Red\n", encoding="utf-8")
    (tmp_path / "book" / "notation.md").write_text("# Notation\n", encoding="utf-8")
    (tmp_path / "book" / "coursework" / "05-toys.ipynb").write_text("{}", encoding="utf-8")
    (tmp_path / "requirements.lock").write_text("numpy==2.0\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("book/05-toys", ["make sync ONLY=05-toys", "make book"]),
        ("book/06-cars/red", ["make sync ONLY=06-cars/red", "make book"]),
        ("book/coursework/05-toys", ["make handouts", "make book"]),
        ("book/D-benchmarks", ["make bench", "make book"]),
        ("book/notation", ["make book"]),
        ("genindex", ["make book"]),
        ("_modules/lecturekit/kernels", ["make book"]),
    ],
)
def test_the_command_of_a_page(source: Path, page: str, wanted: list[str]) -> None:
    assert provenance.commands(page, source) == wanted


def test_the_foot_changes_with_the_lock(source: Path) -> None:
    lock = source / "requirements.lock"
    before = provenance.foot("book/notation", source, "")
    assert hashlib.sha256(lock.read_bytes()).hexdigest()[:12] in before
    assert provenance.foot("book/notation", source, "") == before
    lock.write_text("numpy==2.1\n", encoding="utf-8")
    assert provenance.foot("book/notation", source, "") != before


def test_only_a_notebook_is_offered(source: Path) -> None:
    assert "this chapter as a notebook" in provenance.offer("book/05-toys", source, "a/05-toys.ipynb")
    assert "this page as a notebook" in provenance.offer("book/06-cars/red", source, "a/red.ipynb")
    assert downloads.words("book/06-cars/red", source)[:2] == (
        *("Download this page", "This page as a notebook (.ipynb)"),
    )
    assert "this problem set as" in provenance.offer("book/coursework/05-toys", source, "a/05-toys.ipynb")
    assert provenance.offer("book/notation", source, "a/notation.md") == ""


def test_the_foot_follows_what_the_settings_have_there(source: Path) -> None:
    class App:
        srcdir = str(source)

    context = {"theme_extra_footer": "<p>Our course</p>", "pathto": lambda name, _: f"../{name}"}
    provenance.add_foot(App(), "book/notation", "", context, None)  # type: ignore[arg-type]
    assert str(context["theme_extra_footer"]).startswith('<p>Our course</p><div class="provenance">')


def test_a_new_version_builds_every_page_again() -> None:
    assert {ROOT / "requirements.lock", ROOT / "lecturekit" / "__init__.py"} <= set(build.settings())


@pytest.mark.parametrize("target", ["sync", "handouts", "bench", "book"])
def test_the_commands_are_targets(target: str) -> None:
    command = ["make", "--dry-run", target, "ONLY=05-kernels"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    if target == "sync":
        assert re.search(r"bookkit\.pages\.sync --all 05-kernels$", shown, re.M)


# -- the site ---------------------------------------------------------------------------


def site_pages() -> list[Path]:
    """List the pages of the site; the page at the root and old addresses do nothing but lead elsewhere."""
    pages = [page for page in SITE.rglob("*.html") if "_static" not in page.parts]
    return sorted(page for page in pages if page != SITE / "index.html" and not is_moved(page))


def foot_faults(text: str) -> list[str]:
    """Say what the foot of a page lacks, or has and should not have."""
    feet = FOOT.findall(text)
    if len(feet) != 1:
        return [f"{len(feet)} feet"]
    written = html.unescape(feet[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = hashlib.sha256((ROOT / "requirements.lock").read_bytes()).hexdigest()
    faults = [
        f"no {what}"
        for what in (f"lecturekit {project['version']} ", f"<code>{lock[:12]}</code>")
        if what not in written
    ]
    if "<code>make book</code>" not in written:
        faults.append("no command")
    return faults + [f"of the moment: {found}" for found in MOMENT.findall(written)]


def test_every_page_says_what_made_it() -> None:
    pages = site_pages()
    assert len(pages) > 50, "the site is not built; run: make book"
    faults = {page: foot_faults(page.read_text(encoding="utf-8")) for page in pages}
    assert not {str(page.relative_to(SITE)): found for page, found in faults.items() if found}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<div class="provenance">', "<div>"),
        ("lecturekit ", "lecturekit 9"),
        ("<code>make book</code>", ""),
        ("<p>", "<p>Built on 2026-01-01. "),
        ("<p>", "<p>Commit 0123456789abcdef. "),
        ("begins with <code>", "begins with <code>0"),
    ],
)
def test_a_wrong_foot_is_caught(old: str, new: str) -> None:
    good = provenance.foot("genindex", ROOT, "")
    assert foot_faults(good) == []
    assert old in good
    assert foot_faults(good.replace(old, new, 1))


@pytest.mark.parametrize("path", [*paired_pages(ROOT / "book"), *HANDOUTS], ids=file_name)
def test_page_offers_its_notebook(path: Path) -> None:
    """The menu and the foot lead to the same file, which is the repository's, and say so in words."""
    notebook = path.with_suffix(".ipynb")
    page = SITE / notebook.relative_to(ROOT).with_suffix(".html")
    if str(notebook.relative_to(ROOT)) not in (ROOT / "_toc.yml").read_text(encoding="utf-8"):
        pytest.skip("not in the table of contents")
    text = page.read_text(encoding="utf-8")
    kind = "chapter" if notebook.parent.name == "book" else "page" if in_folder(notebook) else "problem set"
    (menu,) = MENU.findall(text)
    ((address, entry),) = LINK.findall(menu)
    assert f'aria-label="Download this {kind}"' in menu
    assert f"This {kind} as a notebook (.ipynb)" in entry
    ((offered, name, words),) = OFFERED.findall(FOOT.findall(text)[0])
    assert (offered, name) == (address, notebook.name)
    assert words == f"Download this {kind} as a notebook"
    assert (page.parent / address).resolve().read_bytes() == notebook.read_bytes()


def test_no_button_is_an_ending_alone() -> None:
    menus = [MENU.findall(page.read_text(encoding="utf-8")) for page in site_pages()]
    entries = [re.findall(r'btn__text-container">([^<]*)<', menu[0]) for menu in menus if menu]
    assert len(entries) > 20
    assert all(len(texts) == 2 and texts[1] == downloads.PRINT[0] for texts in entries)
    assert all(len(text.split()) > 3 for texts in entries for text in texts)
