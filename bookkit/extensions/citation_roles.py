"""Give bibliography entries the role that their list asks for (docutils writes a deprecated one)."""

from typing import Any

from sphinx.application import Sphinx


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Make each entry an item of its list."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
