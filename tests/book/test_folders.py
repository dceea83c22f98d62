"""A chapter as a folder, in a small book that is built: numbers, links, and the page at the old address."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bookkit import ROOT
from bookkit.checks import changed, machines
from bookkit.extensions import moved
from bookkit.extensions.chapter_numbers import chapter_number, is_first, renumber
from tests.support.samples import write_chapter


# -- numbers -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("docname", "number"),
    [
        ("book/05-kernels", 5),
        ("book/05-kernels/index", 5),
        ("book/05-kernels/definition", 5),
        ("book/10-roc/02-curve", 10),
        ("book/A-errata", "A"),
        ("book/notation", None),
        ("book/coursework/index", None),
        ("book/index", None),
    ],
)
def test_the_number_of_a_page_is_that_of_its_chapter(docname: str, number: int | str | None) -> None:
    assert chapter_number(docname) == number
    assert is_first(docname) is (docname == "book/05-kernels/index")


@pytest.mark.parametrize(
    ("counted", "section", "wanted"),
    [
        ((3, 2), None, (5, 2)),  # a section of a chapter of one page
        ((3,), 0, (5,)),  # the first page
        ((3, 2), 0, None),  # a section of it
        ((3, 6), 2, (5, 2)),  # the second page after it, although the first has sections
        ((3, 6, 1), 2, (5, 2, 1)),
        ((), 1, None),
    ],
)
def test_numbers_of_sections(counted: Any, section: int | None, wanted: Any) -> None:
    assert renumber(counted, 5, section) == wanted
    assert renumber(counted, None, section) is None


# -- the page at the old address -----------------------------------------------------------------

FIRST = moved.Page(
    name="index",
    title="Toys & co",
    anchors=("toys", "ch-toys", "summary", "TOY-01"),
    labels={"ch-toys": "ch-toys", "TOY-01": "TOY-01"},
)
SECOND = moved.Page(
    name="trains",
    title="Trains",
    anchors=("trains", "summary", "equation-eq-train", "toy-02", "check-toy-02"),
    labels={"eq-train": "equation-eq-train", "TOY-02": "toy-02", "lost": "nowhere"},
)


def read_table(text: str) -> dict[str, str]:
    """Read where a page at an old address leads to."""
    (written,) = re.findall(r'<script type="application/json" data-places>(.*?)</script>', text, re.S)
    places: dict[str, str] = json.loads(written)
    return places


def test_anchors_and_labels_have_a_place_labels_first_and_only_those_of_the_article() -> None:
    assert moved.table([FIRST, SECOND]) == {
        "ch-toys": "index.html#ch-toys",
        "toys": "index.html#toys",
        "toy-01": "index.html#TOY-01",
        "toy-02": "trains.html#toy-02",
        "summary": "index.html#summary",
        "trains": "trains.html#trains",
        "eq-train": "trains.html#equation-eq-train",
        "equation-eq-train": "trains.html#equation-eq-train",
        "check-toy-02": "trains.html#check-toy-02",
        "lost": "trains.html",
    }
    labelled = replace(SECOND, labels={"summary": "summary"})
    assert moved.table([FIRST, labelled])["summary"] == "trains.html#summary"
    text = '<nav id="menu"></nav><article id="a"><p class="x" id="b&amp;c">id="no"</p><p id="id7">'
    assert moved.anchors(text + '<P ID="d"></article><p id="foot">') == ("a", "b&c", "d")
    assert moved.anchors('<p id="a">') == ()


def test_the_page_works_without_scripts_other_hosts_and_search_engines_whatever_its_title() -> None:
    text = moved.write("05-toys", "Toys & co", [FIRST, SECOND])
    assert re.search(
        r'<noscript><meta http-equiv="refresh" content="\d\d; url=05-toys/index\.html"></noscript>', text
    )
    body = text.partition(moved.MARK)[2]
    assert '<h1><a href="05-toys/index.html">Toys &amp; co</a></h1>' in body
    assert '<h2><a href="05-toys/trains.html">Trains</a></h2>' in body
    for name, place in [("TOY-01", "index.html#TOY-01"), ("TOY-02", "trains.html#toy-02")]:
        assert f'<li id="{name}"><a href="05-toys/{place}">{name}</a></li>' in body
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert {*FIRST.anchors, *SECOND.anchors, *FIRST.labels, *SECOND.labels} == set(ids)
    text = moved.write("05-toys", "Toys", [FIRST, SECOND])
    assert "//" not in text.partition("<style>")[0].replace("/* as it is */", "")
    assert '<meta name="robots" content="noindex">' in text
    wild = replace(SECOND, anchors=("</script><b>",), labels={})
    text = moved.write("05-toys", "<b>", [wild])
    assert text.count("</script>") == 2
    assert read_table(text) == {"</script><b>": "trains.html#</script><b>"}
    assert "<b>" not in text


# -- a small book, built ---------------------------------------------------------------------------

CONF = """
extensions = ["myst_nb", "sphinx_external_toc", "sphinx_proof", "bookkit.extensions.chapter_numbers",
              "bookkit.extensions.claims_index", "bookkit.extensions.moved"]
html_theme = "sphinx_book_theme"
myst_enable_extensions = ["dollarmath", "amsmath"]
numfig = True
math_numfig = True
nb_execution_mode = "off"
external_toc_exclude_missing = True
exclude_patterns = ["**/*.ipynb"]
prf_realtyp_to_countertyp = {"definition": "theorem", "lemma": "theorem"}
"""
TOC = """
format: jb-book
root: book/index
parts:
- caption: All
  numbered: 2
  chapters:
  - file: book/04-cars
  - file: book/05-toys/index
    sections:
    - file: book/05-toys/trains
    - file: book/05-toys/boats
  - file: book/B-claims
"""
CLAIMS = """
- {id: TOY-01, kind: theorem, title: One, sources: ['000'], chapter: 05-toys, check: cell}
- {id: TOY-02, kind: theorem, title: Two, sources: ['000'], chapter: 05-toys, check: cell}
- {id: TOY-03, kind: definition, title: Three, sources: ['000'], chapter: 05-toys, check: text}
- {id: CAR-01, kind: theorem, title: Four, sources: ['000'], chapter: 04-cars, check: cell}
"""


def statement(name: str, kind: str = "theorem") -> str:
    return f"\n```{{prf:{kind}}} T\n:label: {name}\n\nWords.\n```\n"


def check(name: str) -> str:
    return f"\n```{{code-cell}} ipython3\n:tags: [check-{name}]\n\nassert x\n```\n"


PAGES = {
    "04-cars.md": f"\n# Cars\n\n## Red\n{statement('CAR-01')}{check('CAR-01')}\n"
    "See {prf:ref}`TOY-02`, {eq}`eq-boat` and [](#ch-toys).\n",
    "05-toys/index.md": f"\n(ch-toys)=\n# Toys\n\n## A map\n{statement('lem-a', 'lemma')}\n"
    "$$\n1\n$$ (eq-toy)\n",
    "05-toys/trains.md": f"\n# Trains\n{statement('TOY-01')}{check('TOY-01')}{check('TOY-01')}\n"
    "## Fast ones\n\n```{figure} train.svg\n:name: F-TOY-1\n:alt: A train.\n\nA train.\n```\n",
    "05-toys/boats.md": f"\n# Boats\n\n## Deep\n{statement('TOY-02')}{check('TOY-02')}\n(TOY-03)=\nWords.\n\n"
    "$$\n2\n$$ (eq-boat)\n\n```{figure} train.svg\n:name: F-TOY-2\n:alt: A boat.\n\nA boat.\n```\n",
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


@dataclass(frozen=True)
class Built:
    """A small book and its site."""

    root: Path
    said: str

    def page(self, name: str) -> str:
        """Read a page of the site."""
        return (self.root / "html" / "book" / f"{name}.html").read_text(encoding="utf-8")

    def article(self, name: str) -> str:
        """Read the words of a page."""
        article = self.page(name).partition("<article")[2].partition("</article>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", article).replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    root = tmp_path_factory.mktemp("small")
    (root / "book").mkdir()
    (root / "tests").mkdir()
    for name, body in PAGES.items():
        write_chapter(root / "book", body, name)
    files = {"conf.py": CONF, "_toc.yml": TOC, "book/claims.yml": CLAIMS, "book/05-toys/train.svg": SVG}
    files |= {"book/index.md": "# Home\n", "book/B-claims.md": "# Claims\n\n```{claims-index}\n```\n"}
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-b", "html", str(root), str(root / "html")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return Built(root, done.stderr)


def test_the_small_book_has_no_warning_and_pages_are_the_sections_of_their_chapter(built: Built) -> None:
    assert built.said == ""
    heading = re.compile(r"(?:\d[\d.]* )?(?:Cars|Red|Toys|A map|Trains|Fast ones|Boats|Deep)(?= #)")
    headings = {name: heading.findall(built.article(name.removesuffix(".md"))) for name in PAGES}
    assert headings == {
        "04-cars.md": ["4. Cars", "4.1. Red"],
        "05-toys/index.md": ["5. Toys", "A map"],
        "05-toys/trains.md": ["5.1. Trains", "Fast ones"],
        "05-toys/boats.md": ["5.2. Boats", "Deep"],
    }


def test_statements_figures_and_equations_are_counted_through_the_chapter(built: Built) -> None:
    texts = [built.article(name) for name in ("05-toys/index", "05-toys/trains", "05-toys/boats")]
    seen = [re.findall(r"(?:Lemma|Theorem|Fig\.) [\d.]*\d|\(5\.\d\)", text) for text in texts]
    assert seen == [["Lemma 5.1", "(5.1)"], ["Theorem 5.2", "Fig. 5.1"], ["Theorem 5.3", "(5.2)", "Fig. 5.2"]]
    assert "See Theorem 5.3 , (5.2) and Toys" in built.article("04-cars")
    assert "Theorem 4.1" in built.article("04-cars")


def test_the_list_of_claims_leads_to_the_right_pages(built: Built) -> None:
    text = built.page("B-claims")
    links = re.findall(r'href="([^"#]*#(?:toy|check|car)[^"]*)"', text, re.I)
    assert links == [
        *("04-cars.html#CAR-01", "04-cars.html#check-car-01"),
        *("05-toys/trains.html#TOY-01", "05-toys/trains.html#check-toy-01"),
        *("05-toys/trains.html#check-toy-01-2", "05-toys/boats.html#TOY-02"),
        *("05-toys/boats.html#check-toy-02", "05-toys/boats.html#toy-03"),
    ]
    assert re.search(r'<a [^>]*href="05-toys/index\.html"[^>]*>.*?Chapter 5: Toys', text)
    assert 'id="list-toy-02"' in text


@pytest.mark.parametrize(
    ("anchor", "place"),
    [
        ("TOY-01", "trains.html#TOY-01"),
        ("TOY-02", "boats.html#TOY-02"),
        ("TOY-03", "boats.html#toy-03"),
        ("toy-03", "boats.html#toy-03"),
        ("ch-toys", "index.html#ch-toys"),
        ("lem-a", "index.html#lem-a"),
        ("F-TOY-1", "trains.html#f-toy-1"),
        ("f-toy-2", "boats.html#f-toy-2"),
        ("equation-eq-boat", "boats.html#equation-eq-boat"),
        ("eq-toy", "index.html#equation-eq-toy"),
        ("fast-ones", "trains.html#fast-ones"),
        ("check-toy-01-2", "trains.html#check-toy-01-2"),
    ],
)
def test_old_anchors_lead_to_the_new_pages(built: Built, anchor: str, place: str) -> None:
    assert read_table(built.page("05-toys"))[anchor.lower()] == place
    page, _, name = place.partition("#")
    assert f'id="{name}"' in built.page(f"05-toys/{page.removesuffix('.html')}")


def test_ids_are_listed_in_capitals_too_and_old_addresses_in_no_list(built: Built) -> None:
    text = built.page("05-toys")
    for name in ("TOY-03", "toy-03"):
        assert f'<li id="{name}"><a href="05-toys/boats.html#toy-03">{name}</a></li>' in text
    site = built.root / "html"
    assert [path.name for path in (site / "book").glob("*.html") if moved.is_moved(path)] == ["05-toys.html"]
    search = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"book/05-toys/index"' in search
    assert '"book/05-toys"' not in search
    for path in site.rglob("*.html"):
        assert not re.search(r'href="[^"]*05-toys\.html', path.read_text(encoding="utf-8")), path


# -- what a change touches, and other machines -----------------------------------------------------------
def test_pages_are_checked_when_they_or_imports_vary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = "\n```{code-cell} ipython3\nfrom lecturekit import toys\n```\n"
    (tmp_path / "book").mkdir()
    for name in ("04-cars.md", "05-toys/index.md", "05-toys/trains.md"):
        write_chapter(tmp_path / "book", cell, name)
    (tmp_path / "lecturekit").mkdir()
    (tmp_path / "lecturekit" / "toys.py").touch()
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    code = changed.sources()
    notebooks = ["book/04-cars.ipynb", "book/05-toys/index.ipynb", "book/05-toys/trains.ipynb"]
    assert changed.plan(["lecturekit/toys.py"], code)["notebooks"] == notebooks
    for half in (".md", ".ipynb"):
        assert changed.plan([f"book/05-toys/trains{half}"], code)["notebooks"] == notebooks[2:]
    assert "tests/book/test_pairs.py" in changed.plan(["book/05-toys/trains.ipynb"], code)["tests"]
    assert changed.plan(["book/coursework/05-toys.ipynb"], code)["notebooks"] == []


def test_a_machine_runs_a_chapter_or_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "book" / "05-toys").mkdir(parents=True)
    monkeypatch.setattr(machines, "ROOT", tmp_path)
    asked = ["04-cars", "05-toys", "05-toys/trains", "book/05-toys/trains.md"]
    wanted = ("book/04-cars.ipynb", "book/05-toys", *["book/05-toys/trains.ipynb"] * 2)
    made = machines.stage(machines.MACHINES[0], "notebooks", [], asked)
    assert made.command[-len(wanted) - 1 :] == ("--nbval", *wanted)
