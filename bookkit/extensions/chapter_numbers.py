"""Number a chapter by its name: ``05-kernels`` is chapter 5 and ``A-errata`` is appendix A.

Sphinx counts the entries of the table of contents, so that a chapter's number, and that of every theorem and
figure in it, would change whenever an earlier chapter is added. A page without such a prefix has no number.

Where a chapter is a folder, its first page has the chapter's number and no numbered section, and its other
pages are the sections 5.1, 5.2, in the order of the table of contents. Statements, figures and equations are
counted through all of them, by their first component.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles

PREFIX = re.compile(r"(?:^|/)(\d\d|[A-Z])-[^/]*(/[^/]*)?$")
FIRST = "/index"


def chapter_number(docname: str) -> int | str | None:
    """Read the number or the letter off the name of a page, or of the folder it is in."""
    match = PREFIX.search(docname)
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else match[1]


def is_first(docname: str) -> bool:
    """Whether a page is the first of a chapter's folder."""
    return docname.endswith(FIRST) and chapter_number(docname) is not None


def renumber(secnumber: Any, chapter: int | str | None, section: int | None = None) -> Any:
    """Put the chapter in the place of the first component, and the page's place in its folder in the second.

    Parameters
    ----------
    secnumber : list or tuple of int, or None
        What Sphinx counted.
    chapter : int, str or None
        The chapter; where it is None there is no number.
    section : int, optional
        The place of the page in the folder of its chapter; 0 for the first, whose sections have no number.
    """
    if not secnumber or chapter is None:
        return None
    if section is None:
        return type(secnumber)([chapter, *secnumber[1:]])
    if section == 0:
        return type(secnumber)([chapter]) if len(secnumber) == 1 else None
    return type(secnumber)([chapter, section, *secnumber[2:]])


def folder_pages(env: BuildEnvironment, first: str) -> list[str]:
    """List the pages of a chapter's folder in the order of the table of contents, the first page first."""
    folder = first.removesuffix("index")
    return [first, *(page for page in env.toctree_includes.get(first, ()) if page.startswith(folder))]


def places(env: BuildEnvironment) -> dict[str, int]:
    """Return the place of each page in the folder of its chapter: 0 for the first, then 1, 2, ..."""
    folders = (folder_pages(env, first) for first in filter(is_first, env.found_docs))
    return {page: place for pages in folders for place, page in enumerate(pages)}


def assign_section_numbers(self: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Let Sphinx number the sections, then replace the chapter's part; return the pages that changed."""
    old = env.toc_secnumbers
    TocTreeCollector.assign_section_numbers(self, env)
    of_folder = places(env)
    for docname, numbers in env.toc_secnumbers.items():
        chapter, section = chapter_number(docname), of_folder.get(docname)
        for anchor, number in numbers.items():
            numbers[anchor] = renumber(number, chapter, section)
        title = env.titles[docname]
        title["secnumber"] = renumber(title.get("secnumber"), chapter, section)
        for reference in env.tocs[docname].findall(nodes.reference):
            reference["secnumber"] = renumber(reference.get("secnumber"), chapter, section)
    return [docname for docname, numbers in env.toc_secnumbers.items() if numbers != old.get(docname)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Replace the counting of sphinx-external-toc, which is loaded before."""
    app.setup_extension("sphinx_external_toc")
    setattr(TocTreeCollectorWithStyles, "assign_section_numbers", assign_section_numbers)  # noqa: B010
    return {"parallel_read_safe": True, "parallel_write_safe": True}
