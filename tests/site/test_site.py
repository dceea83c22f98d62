"""The built site and the commands that build it: nothing is loaded from elsewhere, nothing is left out."""

import html
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bookkit import ROOT
from bookkit.environment import setup
from bookkit.extensions import checked
from bookkit.extensions.api_modules import public_modules
from bookkit.extensions.moved import is_moved
from bookkit.extensions.punctuation import SPAN
from bookkit.pages import register
from bookkit.pages.chapters import book_files
from coursekit.sets import source
from coursekit.sets.release import find_leaks

SITE = ROOT / "_build" / "html"
ELSEWHERE = re.compile(r"^\s*(?:https?:|wss?:)?//", re.I)
START_TAG = re.compile(r"""<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*>""", re.I)
STYLE_LOADS = re.compile(r"""(?:url\(|@import\s)\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.I)
SCRIPT_LOADS = re.compile(
    r"""(?:\.src\s*=|\bsrc=\\?|importScripts\(|\bimport\s*\(|\bfrom)\s*["'`]\s*((?:https?:)?//[^"'`\s]+)""",
    re.I,
)

# -- what a page loads ------------------------------------------------------------


class Loads(HTMLParser):
    """Collects the addresses that a page loads by itself; an ordinary link is not one."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes that make a browser fetch something."""
        given = {name: value or "" for name, value in attrs}
        names = {"src", "poster"} | ({"data"} if tag == "object" else set())
        if tag in ("link", "image", "use"):
            names |= {"href", "xlink:href"}
        if given.get("rel") in ("canonical", "author", "license", "next", "prev", "search", "index"):
            names.discard("href")  # these name a page and fetch nothing
        self.found += [given[name] for name in names if name in given]
        self.found += [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]
        self.found += STYLE_LOADS.findall(given.get("style", ""))


def foreign_loads(path: Path) -> Iterator[str]:
    """Find what a file of the site would fetch from another host."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix in (".html", ".svg"):
        page = Loads()
        for tag in START_TAG.findall(text):
            if "//" in tag:  # of half a million tags, few
                page.feed(tag)
                page.reset()
        yield from (address for address in page.found if ELSEWHERE.match(address))
    if path.suffix in (".css", ".html", ".svg"):
        yield from STYLE_LOADS.findall(text)
    if path.suffix in (".js", ".html"):
        yield from SCRIPT_LOADS.findall(text)


def test_site_loads_nothing_from_elsewhere() -> None:
    files = [path for path in SITE.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]
    assert len(files) > 20, "the site is not built; run: make book"
    found = [f"{path.relative_to(SITE)}: {address}" for path in files for address in foreign_loads(path)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text", "caught"),
    [
        ("a.html", '<script src="https://x.example/a.js"></script>', True),
        ("a.html", '<link rel="stylesheet" href="//x.example/a.css">', True),
        ("a.html", '<img srcset="a.png 1x, https://x.example/b.png 2x">', True),
        ("a.html", '<p style="background: url(https://x.example/b.png)">', True),
        ("a.html", '<script src="a//b.js"></script><img alt="2 > 1" srcset="//x.example/b.png">', True),
        ("a.html", "<script>import('https://x.example/m.js')</script>", True),
        ("a.css", '@import "https://x.example/a.css";', True),
        ("a.css", "a { src: url('//x.example/f.woff') }", True),
        ("a.js", 'node.src = "https://x.example/a.js"', True),
        ("a.svg", '<svg><image xlink:href="http://x.example/a.png"/></svg>', True),
        ("a.html", '<a href="https://x.example/">a link</a> <img src="a.png">', False),
        ("a.html", '<link rel="canonical" href="https://x.example/">', False),
        ("a.css", "a { src: url(data:font/woff2;base64,AA) }", False),
        ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', False),
    ],
)
def test_foreign_loads_are_recognised(tmp_path: Path, name: str, text: str, caught: bool) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert bool(list(foreign_loads(path))) is caught


# -- the API page -------------------------------------------------------------------


def test_api_pages_have_every_public_module() -> None:
    page = "".join(path.read_text(encoding="utf-8") for path in (SITE / "book" / "api").glob("*.html"))
    modules = public_modules()
    assert modules
    missing = {name for name in modules if f'id="module-lecturekit.{name}"' not in page}
    assert not missing, f"not on the API pages: {sorted(missing)}"


def test_chapter_numbers_are_those_of_the_file_names() -> None:
    pages = [page for page in SITE.glob("book/*.html") if not is_moved(page)]
    assert pages, "the site is not built; run: make book"
    for path in pages:
        article = path.read_text(encoding="utf-8").partition("<article")[2]
        heading = re.search(r'<h1>(?:<span class="section-number">([^<]*)</span>)?', article)
        assert heading is not None, path.name
        shown = (heading[1] or "").strip(" .\N{NO-BREAK SPACE}")
        number = re.match(r"(\d\d|[A-Z])-", path.name)
        assert shown == (number[1].removeprefix("0") if number else ""), path.name


def test_no_line_begins_with_the_comma_after_a_formula() -> None:
    text = (SITE / "book" / "06-duality" / "kkt.html").read_text(encoding="utf-8")
    loose = rf'(?<!unbroken">){SPAN}[.,;:]'
    bound = rf'<span class="unbroken">({SPAN})[.,;:]+</span>'
    assert len(re.findall(bound, text)) > 50
    assert not re.findall(loose, text)


def test_no_line_begins_with_a_per_cent_sign() -> None:
    text = (SITE / "book" / "09-significance" / "power.html").read_text(encoding="utf-8")
    assert len(re.findall(r"\d\N{NO-BREAK SPACE}%", text)) > 10
    assert not re.findall(r"\d\s*? %", text)


def test_the_numbers_of_how_the_book_is_checked_are_shown() -> None:
    page = (SITE / "book" / "F-checked.html").read_text(encoding="utf-8")
    article = re.sub(r"<[^>]+>", " ", page.partition("<article")[2]).replace("’", "'")
    for what, number in checked.counts(ROOT).items():
        assert re.search(rf"{re.escape(what)}\s+{number:,}\s", article), f"{what}: {number:,}; run make book"
    for name in ("counts", "problem sets", "times"):
        assert f"% {name}" not in article


def test_the_errata_have_their_form_and_marks_of_every_entry() -> None:
    page = (SITE / "book" / "A-errata.html").read_text(encoding="utf-8")
    sections = re.findall(r'<section class="(erratum[^"]*)"', page)
    claims = register.read_claims(ROOT / "book" / "claims.yml")
    assert len(sections) == len(register.errata_of(claims))
    for kind in ("mark-wrong", "deck-004", "transcription"):
        found = sum(kind in section.split() for section in sections)
        offered = re.search(rf'{kind.partition("-")[2] or "to blame"}(?:">[\w]+)? \((\d+)\)', page)
        assert offered is not None, kind
        assert int(offered[1]) == found > 0, kind


def test_handouts_can_be_downloaded() -> None:
    handouts = sorted((ROOT / "book" / "coursework").glob("*.ipynb"))
    assert handouts
    for handout in handouts:
        page = (SITE / "book" / "coursework" / f"{handout.stem}.html").read_text(encoding="utf-8")
        assert f'href="../../_sources/book/coursework/{handout.name}"' in page
        offered = SITE / "_sources" / "book" / "coursework" / handout.name
        assert offered.read_bytes() == handout.read_bytes()


# -- the commands ---------------------------------------------------------------------


SETS = sorted(path.parent for path in (ROOT / "coursework").glob("*/mutants.yml"))


def public_texts(name: str) -> list[str]:
    """Return what students may read beside a handout: the book, the package and the other handouts."""
    pages = [*book_files(ROOT / "book", ".md"), *(ROOT / "lecturekit").rglob("*.py")]
    others = [path for path in (ROOT / "book" / "coursework").glob("*.ipynb") if path.stem != name]
    cells = [cell for path in others for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    return [page.read_text(encoding="utf-8") for page in pages] + ["".join(cell["source"]) for cell in cells]


def test_the_site_holds_no_answer_and_no_hidden_test(tmp_path: Path) -> None:
    of_set = {
        folder.name: source.secret_lines(source.read(folder), public=public_texts(folder.name))
        for folder in SETS
    }
    assert all(len(lines) > 20 for lines in of_set.values())
    secrets = set().union(*of_set.values())
    kinds, foreign = (".html", ".ipynb", ".md", ".txt", ".js"), SITE / "_static"  # the theme's scripts, large
    written = [path for path in SITE.rglob("*") if path.suffix in kinds and foreign not in path.parents]
    assert len(written) > 50
    assert not find_leaks(secrets, written)
    for name, lines in of_set.items():
        planted = tmp_path / f"{name}.html"
        planted.write_text(f"<pre>{html.escape(min(lines))}</pre>", encoding="utf-8")
        assert find_leaks(secrets, [planted])


def test_make_help_lists_every_public_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony is not None
    shown = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert set(re.findall(r"^  make (\S+)", shown, re.M)) == set(phony[1].split())
    assert all(re.search(rf"^  make {target} +\S", shown, re.M) for target in phony[1].split())


def test_ci_runs_the_documented_command() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert re.search(r"^make test$", script.read_text(encoding="utf-8"), re.M)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


def test_setup_accepts_the_pythons_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = (".".join(map(str, setup.OLDEST)), ".".join(map(str, setup.BEYOND)))
    assert project["requires-python"] == ">={},<{}".format(*bounds)


@pytest.mark.parametrize("version", [(3, 10, 4), (3, 15, 0)])
def test_setup_refuses_other_pythons(monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int]) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=r"3\.11 to 3\.14.*make PYTHON=python3\.12 book"):
        setup.check_python()


def test_setup_says_which_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="python3-venv"):
        setup.check_python()


def test_setup_keeps_a_folder_that_is_no_environment(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="move it away"):
        setup.make_venv(tmp_path)
    assert tmp_path.exists()


def test_serve_says_that_the_port_is_taken(tmp_path: Path) -> None:
    (tmp_path / "index.html").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "bookkit.site.serve", str(tmp_path), str(port)]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=30)
    assert result.returncode == 1
    assert f"Port {port} cannot be used" in result.stderr
    assert "make serve PORT=" in result.stderr


def test_every_claim_is_an_object_of_the_search() -> None:
    found = register.scan(ROOT)
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    objects = text[text.index('"objects"') : text.index('"objnames"')]
    missing = [claim.id for claim in found.due if not re.search(rf'"{claim.id}"', objects)]
    assert not missing
