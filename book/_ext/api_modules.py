"""Write the API page: one section for each public module of ``lecturekit``, found rather than listed."""

import pathlib
import pkgutil
import re

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import stringify_annotation

import lecturekit
from lecturekit import _typing

GENERATED = re.compile(r"set_\w+_request|get_metadata_routing")
PAGE = "book/C-api"
MARKER = "% every public module of lecturekit: book/_ext/api_modules.py"
SECTION = """
## {name}

```{{eval-rst}}
.. automodule:: lecturekit.{name}
   :members:
```
"""


def public_modules() -> list[str]:
    """Name the modules of the package that do not start with an underscore; the coursework is a command."""
    names = (module.name for module in pkgutil.iter_modules(lecturekit.__path__) if not module.ispkg)
    return sorted(name for name in names if not name.startswith("_"))


def aliases() -> dict[str, str]:
    """Map what Python makes of each type alias to the alias; the longest first, for some contain others."""
    names = [name for name in vars(_typing) if f"\n{name}: TypeAlias" in _source()]
    written = {stringify_annotation(getattr(_typing, name), "smart"): name for name in names}
    return dict(sorted(written.items(), key=lambda item: -len(item[0])))


def _source() -> str:
    """Read the module of the aliases."""
    return pathlib.Path(str(_typing.__file__)).read_text(encoding="utf-8")


def shorten(
    app: Sphinx,
    what: str,
    name: str,
    obj: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Write ``Array`` for the half line that it stands for."""
    for written, alias in aliases().items():
        signature = signature and signature.replace(written, f"~{_typing.__name__}.{alias}")
        returns = returns and returns.replace(written, f"~{_typing.__name__}.{alias}")
    return signature, returns


def skip_generated(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    """Leave out what scikit-learn adds to every estimator: it is documented there."""
    return True if GENERATED.fullmatch(name) else None


def write_sections(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the sections in the place of the marker."""
    if docname == PAGE:
        if MARKER not in source[0]:
            raise ValueError(f"{PAGE} has no line {MARKER!r}")
        sections = "".join(SECTION.format(name=name) for name in public_modules())
        source[0] = source[0].replace(MARKER, sections)


def renew_page(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the page again when a module came or went, which no source file of the book shows."""
    known, now = getattr(env, "api_modules", None), public_modules()
    env.api_modules = now  # type: ignore[attr-defined]
    return [PAGE] if known != now and PAGE in env.found_docs else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the hooks."""
    app.connect("source-read", write_sections)
    app.connect("env-get-outdated", renew_page)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-skip-member", skip_generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
