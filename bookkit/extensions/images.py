"""Give every image its width and height, so that nothing moves when it arrives, and fetch it when it is near.

The size is that of the file: of an SVG what its first tag says, in the units of CSS, and of a PNG its pixels.
The first image of a page is fetched at once, the others as the reader comes near them.
"""

import functools
import pathlib
import re
import struct
from typing import Any
from urllib.parse import unquote

from sphinx.application import Sphinx

UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
IMG = re.compile(r"<img\b[^>]*>")
ATTRIBUTE = re.compile(r'\s([\w-]+)="([^"]*)"')
LENGTH = re.compile(r"^\s*([\d.]+)(px|pt|in|cm|mm)?\s*$")
PNG = b"\x89PNG\r\n\x1a\n"


def svg_size(head: str) -> tuple[int, int] | None:
    """Read the size off the first tag of an SVG; without width and height it is that of its view box."""
    tag = re.search(r"<svg\b[^>]*>", head)
    if tag is None:
        return None
    given = dict(ATTRIBUTE.findall(tag[0]))
    sides = [LENGTH.match(given.get(side, "")) for side in ("width", "height")]
    lengths = [float(side[1]) * UNITS[side[2] or ""] for side in sides if side]
    if len(lengths) < 2:
        lengths = [float(number) for number in given.get("viewBox", "").replace(",", " ").split()[2:]]
    return (round(lengths[0]), round(lengths[1])) if len(lengths) == 2 else None


@functools.cache
def size(path: pathlib.Path) -> tuple[int, int] | None:
    """Read the size of an image in pixels of CSS, if it is an SVG or a PNG that is there."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(PNG):
        width, height = struct.unpack(">II", head[16:24])
        return width, height
    return svg_size(head.decode("utf-8", errors="replace"))


def with_size(body: str, files: dict[str, pathlib.Path]) -> str:
    """Write the size into the images of a page, and how they are fetched.

    Parameters
    ----------
    body : str
        The HTML.
    files : dict
        The file of each image, by its name in the folder of images.
    """
    count = 0

    def written(match: re.Match[str]) -> str:
        nonlocal count
        given = dict(ATTRIBUTE.findall(match[0]))
        count += 1
        new = {} if count == 1 else {"loading": "lazy", "decoding": "async"}
        found = size(files.get(unquote(given.get("src", "")).rpartition("/")[2], pathlib.Path()))
        if found and "width" not in given and "height" not in given:
            new |= {"width": str(found[0]), "height": str(found[1])}
        added = "".join(f' {name}="{value}"' for name, value in new.items() if name not in given)
        return f"<img{added}{match[0][4:]}"

    return IMG.sub(written, body)


def write_sizes(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Do so on a page that has images."""
    if "<img" in (context.get("body") or ""):
        images = getattr(app.builder, "images", {})
        files = {name: pathlib.Path(app.srcdir, source) for source, name in images.items()}
        static = pathlib.Path(app.srcdir, "book", "_static")
        files |= {path.name: path for path in static.glob("*.svg")}
        context["body"] = with_size(context["body"], files)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", write_sizes, priority=700)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
