"""Number a chapter by its file name: ``05-kernels`` is chapter 5 and ``A-errata`` is appendix A.

Sphinx counts the entries of the table of contents, so that a chapter's number, and that of every theorem and
figure in it, would change whenever an earlier chapter is added. A page without such a prefix has no number.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles

PREFIX = re.compile(r"^(?:.*/)?(\d\d|[A-Z])-[^/]*$")


def chapter_number(docname: str) -> int | str | None:
    """Read the number or the letter off a page's name."""
    match = PREFIX.match(docname)
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else match[1]


def renumber(secnumber: Any, chapter: int | str | None) -> Any:
    """Put the chapter in the place of the first component."""
    if not secnumber or chapter is None:
        return None
    return type(secnumber)([chapter, *secnumber[1:]])


def assign_section_numbers(self: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Let Sphinx number the sections, then replace the chapter's part; return the pages that changed."""
    old = env.toc_secnumbers
    TocTreeCollector.assign_section_numbers(self, env)
    for docname, numbers in env.toc_secnumbers.items():
        chapter = chapter_number(docname)
        for anchor, number in numbers.items():
            numbers[anchor] = renumber(number, chapter)
        env.titles[docname]["secnumber"] = renumber(env.titles[docname].get("secnumber"), chapter)
        for reference in env.tocs[docname].findall(nodes.reference):
            reference["secnumber"] = renumber(reference.get("secnumber"), chapter)
    return [docname for docname, numbers in env.toc_secnumbers.items() if numbers != old.get(docname)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Replace the counting of sphinx-external-toc, which is loaded before."""
    app.setup_extension("sphinx_external_toc")
    setattr(TocTreeCollectorWithStyles, "assign_section_numbers", assign_section_numbers)  # noqa: B010
    return {"parallel_read_safe": True, "parallel_write_safe": True}
