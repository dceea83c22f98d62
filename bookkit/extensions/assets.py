"""Load only the scripts that a page needs, and none before its first paint.

Sphinx and its extensions put their scripts on every page, where a browser waits for each. Here they are
deferred, and those that serve one kind of content are left out where a page has none of it. The templates
below ``book/_templates`` do the same for the scripts of the theme, and leave out its icons: ``icons.css`` has
our own.
"""

import re
from typing import Any

from sphinx.application import Sphinx

# What a script serves, as a pattern of the page's body. Scripts that are not named here are on every page.
SERVES = {
    "clipboard.min.js": r'<div class="highlight',
    "copybutton.js": r'<div class="highlight',
    "design-tabs.js": r'class="[^"]*\bsd-tab-set\b',
}
# A script in the page itself sets a name for a file that may be left out, or needs one that is deferred.
INLINE = {
    "DOCUMENTATION_OPTIONS.pagename": r"(?!)",  # for a switch of versions, which the book has not
}


def is_needed(script: Any, body: str) -> bool:
    """Whether a page with this body has a use for a script."""
    name = str(script.filename or "").rpartition("/")[2]
    if name in SERVES:
        return re.search(SERVES[name], body) is not None
    text = script.attributes.get("body") or ""
    return all(re.search(pattern, body) for word, pattern in INLINE.items() if word in text)


def choose(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Leave out what the page does not need, and defer the rest."""
    body = context.get("body") or ""
    scripts = [script for script in context["script_files"] if is_needed(script, body)]
    for script in scripts:
        if script.filename and "async" not in script.attributes:
            script.attributes["defer"] = "defer"
    context["script_files"] = scripts


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, after all that add scripts to a page."""
    app.connect("html-page-context", choose, priority=990)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
