"""Write the API pages: a section for each module that a page names, and tables of all public modules.

A page below ``book/api`` names its modules in a line ``% modules: ...``. The build fails if a public module
of ``lecturekit`` is on no page, or on two.
"""

import importlib
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
PAGES = "book/api"
TABLE = "% tables of modules"
NAMED = re.compile(r"^% modules: (.*)$", re.M)
SECTION = """
## {name}

```{{eval-rst}}
.. automodule:: lecturekit.{name}
   :members:
```
"""


def public_modules() -> list[str]:
    """Name the modules of the package that do not start with an underscore."""
    names = (module.name for module in pkgutil.iter_modules(lecturekit.__path__))
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


def modules_of(text: str) -> list[str]:
    """Return the modules that a page names."""
    found = NAMED.search(text)
    return found[1].split() if found else []


def tables(source: pathlib.Path) -> str:
    """Return for each page, in the order of the table of contents, its link and its modules, a line each."""
    files = re.findall(rf"{PAGES}/\S+\.md", (source / "_toc.yml").read_text(encoding="utf-8"))
    pages = {file: modules_of((source / file).read_text(encoding="utf-8")) for file in files}
    named = sorted(name for names in pages.values() for name in names)
    if named != public_modules():
        wrong = sorted({*named} ^ {*public_modules()} | {name for name in named if named.count(name) > 1})
        raise ValueError(f"each public module must be on one page of {PAGES}; look at {', '.join(wrong)}")
    parts = []
    for file, names in pages.items():
        rows = [f"| {{py:mod}}`{name} <lecturekit.{name}>` | {_first_line(name)} |" for name in names]
        parts += [f"[](/{file})", "\n".join(["| module | what it holds |", "|:---|:---|", *rows])]
    return "\n\n".join(parts)


def _first_line(name: str) -> str:
    """Return the first line of a module's documentation, without its period, as MyST."""
    text = importlib.import_module(f"lecturekit.{name}").__doc__ or ""
    return re.sub(r":math:`([^`]*)`", r"$\1$", text.strip().splitlines()[0].rstrip("."))


def write_sections(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the tables and the sections in the place of the lines that ask for them."""
    if docname == PAGE:
        if TABLE not in source[0]:
            raise ValueError(f"{PAGE} has no line {TABLE!r}")
        source[0] = source[0].replace(TABLE, tables(pathlib.Path(app.srcdir)))
    elif docname.startswith(f"{PAGES}/"):
        sections = "".join(SECTION.format(name=name) for name in modules_of(source[0]))
        source[0] = NAMED.sub(lambda _: sections, source[0])


def renew_page(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the tables again when a module came or went, which no source file of the book shows."""
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
