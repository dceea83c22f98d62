"""Say at the foot of every page, one click away, what it was made with, and which commands make it again.

Nothing of the moment is written, neither a date nor a commit: the same sources give the same pages.
"""

import hashlib
import html
import pathlib
from typing import Any

from sphinx.application import Sphinx

import lecturekit
from bookkit.pages.chapters import in_folder, is_paired, page_name

LOCK = "requirements.lock"
DIGITS = 12
BENCHMARKS = "book/D-benchmarks"
HANDOUTS = "book/coursework"
FOOT = """<div class="provenance">{offer}
<details><summary>How this page was made</summary>
<p>Made with lecturekit {version} and the packages of <code>{lock}</code>
(its SHA-256 begins with <code>{digest}</code>).</p>
<p>To make this page again, in a copy of the repository: {commands}.</p>
</details>
</div>"""
OFFER = """
<p><a href="{url}" download="{name}" target="_blank">Download this {kind} as a notebook</a>
(<span class="unbroken">{name}</span>). It is one file and opens in Jupyter, without a network too.
If your browser shows it as text, save that text.</p>"""


def digest(lock: pathlib.Path) -> str:
    """Return the first digits of a file's SHA-256."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()[:DIGITS]


def is_chapter(page: str, source: pathlib.Path) -> bool:
    """Whether a page is the executed half of a pair."""
    text = source / f"{page}.md"
    return text.is_file() and is_paired(text)


def is_handout(page: str, source: pathlib.Path) -> bool:
    """Whether a page is a problem set for students."""
    path = source / f"{page}.ipynb"
    return path.parent == source / HANDOUTS and path.is_file()


def notebook_kind(page: str, source: pathlib.Path) -> str:
    """Say what the notebook of a page holds; it is empty if there is none."""
    if is_chapter(page, source):
        return "page" if in_folder(pathlib.PurePosixPath(page)) else "chapter"
    return "problem set" if is_handout(page, source) else ""


def commands(page: str, source: pathlib.Path) -> list[str]:
    """List the commands that make a page from what people write.

    Parameters
    ----------
    page : str
        Its name, such as ``book/05-kernels``; a page without a source, such as the index, has one too.
    source : Path
        The folder of the book.
    """
    if is_chapter(page, source):
        return [f"make sync ONLY={page_name(pathlib.PurePosixPath(page))}", "make book"]
    if is_handout(page, source):
        return ["make handouts", "make book"]
    if page == BENCHMARKS:
        return ["make bench", "make book"]
    return ["make book"]


def offer(page: str, source: pathlib.Path, url: str) -> str:
    """Write the line that offers the notebook of a page, if there is one."""
    kind = notebook_kind(page, source)
    name = f"{pathlib.PurePosixPath(page).name}.ipynb"
    return OFFER.format(url=html.escape(url), name=html.escape(name), kind=kind) if kind else ""


def foot(page: str, source: pathlib.Path, url: str) -> str:
    """Write the foot of a page; ``url`` leads from there to its notebook."""
    written = (f"<code>{html.escape(command)}</code>" for command in commands(page, source))
    return FOOT.format(
        version=html.escape(lecturekit.__version__),
        lock=LOCK,
        digest=digest(source / LOCK),
        commands=", then ".join(written),
        offer=offer(page, source, url),
    )


def add_foot(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Put the foot below what the settings have there."""
    sources = context["pathto"]("_sources", 1)
    written = foot(page, pathlib.Path(app.srcdir), f"{sources}/{context.get('sourcename', '')}")
    context["theme_extra_footer"] = (context.get("theme_extra_footer") or "") + written


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", add_foot)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
