"""Name what the download button of a page offers in words; the theme gives endings of file names alone.

``book/_static/book.js`` sees to it that the file is saved, where the theme would open it in a new tab.
"""

import pathlib
from typing import Any

from sphinx.application import Sphinx

from bookkit.extensions.provenance import is_chapter, is_handout, notebook_kind

GROUP = "download-buttons"
PRINT = ("Print, or save as PDF", "Open the print dialogue of your browser")


def words(page: str, source: pathlib.Path) -> tuple[str, str, str]:
    """Return the name of the menu of a page, and the text and the tip of its file."""
    if is_chapter(page, source):
        tip = "A Jupyter notebook with all results; it opens without a network"
        kind = notebook_kind(page, source)
        return f"Download this {kind}", f"This {kind} as a notebook (.ipynb)", tip
    if is_handout(page, source):
        tip = "A Jupyter notebook to fill in; it opens without a network"
        return "Download this problem set", "This problem set as a notebook (.ipynb)", tip
    return "Download this page", "Source text of this page (.md)", "The text file that this page is made from"


def rename(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give the button and its entries their names."""
    menu, text, tip = words(page, pathlib.Path(app.srcdir))
    for group in context.get("header_buttons", []):
        if group.get("label") == GROUP:
            group["tooltip"] = menu
            for button in group["buttons"]:
                is_print = button["type"] == "javascript"
                button["text"], button["tooltip"] = PRINT if is_print else (text, tip)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, after the theme, which makes the buttons at priority 501."""
    app.connect("html-page-context", rename, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
