"""Keep a formula in the text and the punctuation beside it on one line, and a number and its per-cent sign.

A browser may break a line after every formula, as after a picture, and a comma would open the next line.
"""

import re
from typing import Any

from sphinx.application import Sphinx

# A formula is drawn, see formulas.py, or still TeX; there is no span inside.
SPAN = r'<span class="math notranslate nohighlight">[^<]*(?:<(?!/span>)[^<]*)*</span>'
FORMULA = re.compile(rf"([(\[“]?)({SPAN})([.,;:!?)\]”]*)")
PER_CENT = re.compile(r"(?<=[\d>]) %")


def bind(html: str) -> str:
    """Wrap each formula that has punctuation beside it, with the punctuation; no break before a per cent."""

    def wrapped(match: re.Match[str]) -> str:
        before, _, after = match.groups()
        return f'<span class="unbroken">{match[0]}</span>' if before or after else match[0]

    return PER_CENT.sub("\N{NO-BREAK SPACE}%", FORMULA.sub(wrapped, html))


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Bind the punctuation of a page."""
    if "body" in context:
        context["body"] = bind(context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
