"""Compare a stored figure with a new one as drawings, since the last digits of SVG differ between processors.

nbval compares ``image/svg+xml`` as text. Here two figures are the same when they have the same elements,
text, styles and colours, and their coordinates agree to less than the eye can see.
"""

import base64
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import matplotlib.image
import numpy as np
from nbval import plugin

# In points, for vertices and, where a line has other vertices, for outlines; book/F-checked.md states it.
# A screen pixel is 0.75 pt and a line 1.5 pt, so 0.1 pt cannot be seen; 1 % of a small panel of 100 pt is
# ten times as much; and rounding in the last digits of the data moves a point by less than 1e-9 pt.
COORDINATE = 0.1
# Widths, dashes, opacities, scales and angles are set by the code, not computed from data: only the
# sixth decimal, which Matplotlib rounds to, may differ.
SETTING = 1e-5
# A colour computed from data may fall on either side of a rounding to one of 256 levels.
LEVELS = 2
# A pixel on the border of two flat areas may go either way, but only where the border hits its middle.
PIXELS = 0.001

XLINK = "{http://www.w3.org/1999/xlink}href"
PNG = "data:image/png;base64,"
# Matplotlib names clip paths, markers and images by a digest of their coordinates.
DIGEST = re.compile(r"\b([A-Za-z]\w*?)?([0-9a-f]{10})\b")
TOKEN = re.compile(r"#[0-9a-fA-F]{6}\b|url\(#[^)]*\)|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z_#-]+")
NUMBER = re.compile(r"^[-+]?[\d.]")
COLOUR = re.compile(r"^#[0-9a-fA-F]{6}$")
COORDINATES = frozenset({"d", "x", "y", "cx", "cy", "r", "width", "height", "viewBox", "points"})


def figures_differ(stored: str, new: str) -> str | None:
    """Say how two SVG figures differ, or None if they show the same.

    Parameters
    ----------
    stored, new : str
        The text of the two figures.

    Returns
    -------
    str or None
        The first difference.
    """
    before, after = list(_elements(stored)), list(_elements(new))
    text = ""
    for (kind, attributes, words), (new_kind, new_attributes, new_words) in zip(before, after, strict=False):
        if kind != new_kind or attributes.keys() != new_attributes.keys():
            return f"{kind} became {new_kind}{_after(text)}"
        if words != new_words:
            return f"the text {words!r} became {new_words!r}"
        text = text if kind.startswith("style") else words or text
        for name, value in attributes.items():
            difference = _attribute_differs(name, value, new_attributes[name])
            if difference:
                return f"{kind}: {difference}{_after(text)}"
    if len(before) != len(after):
        return f"{len(before)} elements became {len(after)}"
    return None


def _after(text: str) -> str:
    """Say where in the figure a difference is."""
    return f" (after the text {text!r})" if text else ""


def _elements(svg: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """List the depth, tag, attributes and text of each element; comments hold the text drawn as paths."""
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    root = ET.fromstring(svg, parser=parser)
    names: dict[str, str] = {}
    for depth, element in _walk(root, 0):
        tag = "text" if callable(element.tag) else element.tag.rpartition("}")[2]
        attributes = {name: _rename(name, value, names) for name, value in element.attrib.items()}
        yield f"{tag} at depth {depth}", attributes, (element.text or "").strip()


def _walk(element: ET.Element, depth: int) -> Iterator[tuple[int, ET.Element]]:
    """Walk the elements that draw; the metadata name a version and a date."""
    yield depth, element
    for child in element:
        if not str(child.tag).endswith("}metadata"):
            yield from _walk(child, depth + 1)


def _rename(attribute: str, value: str, names: dict[str, str]) -> str:
    """Replace the digests by their number in the order of appearance."""
    if attribute == "id" or value.startswith(("#", "url(#")):
        return DIGEST.sub(lambda m: (m[1] or "") + names.setdefault(m[0], f"no{len(names)}"), value)
    return value


def _attribute_differs(name: str, stored: str, new: str) -> str | None:
    """Compare one attribute."""
    if stored == new:
        return None
    if name == XLINK and stored.startswith(PNG) and new.startswith(PNG):
        return _images_differ(stored, new)
    if name == "id" or name == XLINK:
        return f"{name} {stored!r} became {new!r}"
    if name == "style":
        return _styles_differ(stored, new)
    if name in ("transform", "patternTransform"):
        return _transforms_differ(stored, new)
    tolerance = COORDINATE if name in COORDINATES else SETTING
    difference = _tokens_differ(name, stored, new, tolerance)
    if not difference or name != "d":
        return difference
    gap = _outline_gap(stored, new)
    if gap is None:
        return difference
    return None if gap <= COORDINATE else f"{difference}; lines {gap:.3g} pt apart ({COORDINATE} allowed)"


def _outline_gap(stored: str, new: str) -> float | None:
    """Return how far the lines of two paths of straight pieces are apart: a contour may get other points."""
    before, after = _pieces(stored), _pieces(new)
    if before is None or after is None:
        return None
    return max(_farthest(before, after), _farthest(after, before))


def _pieces(path: str) -> Any:
    """Return the straight pieces of a path as rows x, y, x', y'; None if there are curves or none at all."""
    pieces: list[list[float]] = []
    for part in path.split("M")[1:]:
        words = [word for word in TOKEN.findall(part) if word != "L"]
        closed = words[-1:] == ["z"]
        numbers = words[:-1] if closed else words
        if not all(map(NUMBER.match, numbers)):
            return None
        points = np.array(numbers, dtype=float).reshape(-1, 2)
        points = np.vstack([points, points[:1]]) if closed else points
        pieces.extend(np.hstack([points[:-1], points[1:]]).tolist())
    return np.array(pieces) if pieces else None


def _farthest(pieces: Any, others: Any) -> float:
    """Return the largest distance of the ends and middles of the other pieces from these pieces."""
    start, step = pieces[:, :2], pieces[:, 2:] - pieces[:, :2]
    points = np.vstack([others[:, :2], others[:, 2:], (others[:, :2] + others[:, 2:]) / 2])
    away = points[:, None] - start
    share = np.sum(away * step, axis=2) / np.maximum(np.sum(step**2, axis=1), 1e-12)
    gap = away - np.clip(share, 0, 1)[:, :, None] * step
    return float(np.sqrt(np.max(np.min(np.sum(gap**2, axis=2), axis=1))))


def _styles_differ(stored: str, new: str) -> str | None:
    """Compare two styles, property by property."""
    before, after = ([part.strip() for part in style.split(";")] for style in (stored, new))
    if len(before) != len(after):
        return f"style {stored!r} became {new!r}"
    pairs = zip(before, after, strict=True)
    return next(filter(None, (_tokens_differ("style", a, b, SETTING) for a, b in pairs)), None)


def _transforms_differ(stored: str, new: str) -> str | None:
    """Compare two transforms: translations are coordinates, the rest are settings."""
    before, after = (re.findall(r"(\w+)\(([^)]*)\)", transform) for transform in (stored, new))
    if [name for name, _ in before] != [name for name, _ in after]:
        return f"transform {stored!r} became {new!r}"
    for (name, values), (_, new_values) in zip(before, after, strict=True):
        tolerance = COORDINATE if name == "translate" else SETTING
        difference = _tokens_differ(name, values, new_values, tolerance)
        if difference:
            return difference
    return None


def _tokens_differ(name: str, stored: str, new: str, tolerance: float) -> str | None:
    """Compare words exactly, colours by level and numbers within the tolerance."""
    before, after = TOKEN.findall(stored), TOKEN.findall(new)
    if len(before) != len(after):
        return f"{name} of {len(before)} parts became one of {len(after)}"
    for a, b in zip(before, after, strict=True):
        if a != b and not _tokens_agree(a, b, tolerance):
            return f"{name}: {a} became {b}"
    return None


def _tokens_agree(a: str, b: str, tolerance: float) -> bool:
    """Whether two tokens that are not equal mean the same."""
    if COLOUR.match(a) and COLOUR.match(b):
        levels = (bytes.fromhex(colour[1:]) for colour in (a, b))
        return all(abs(x - y) <= LEVELS for x, y in zip(*levels, strict=True))
    if NUMBER.match(a) and NUMBER.match(b):
        return abs(float(a) - float(b)) <= tolerance
    return False


def _images_differ(stored: str, new: str) -> str | None:
    """Compare two embedded images, pixel by pixel."""
    before, after = _pixels(stored), _pixels(new)
    if before.shape != after.shape:
        return f"image of shape {before.shape} became {after.shape}"
    changed = np.abs(before - after).max(axis=-1) > (LEVELS + 0.5) / 255  # between two levels
    if changed.mean() > PIXELS:
        return f"{changed.mean():.1%} of the pixels of an image changed"
    return None


def _pixels(link: str) -> Any:
    """Decode an embedded image to levels between 0 and 1."""
    data = base64.b64decode(re.sub(r"\s", "", link.removeprefix(PNG)))
    return np.atleast_3d(matplotlib.image.imread(io.BytesIO(data), format="png"))


# -- nbval -----------------------------------------------------------------------


def settle_figures(new: list[Any], stored: list[Any]) -> list[Any]:
    """Replace each new figure by the stored one where both show the same, and else by how they differ.

    Parameters
    ----------
    new, stored : list of notebook outputs

    Returns
    -------
    list
        The new outputs, ready to be compared as text.
    """
    waiting = [svg for output in stored for svg in _figures(output).values()]
    settled = []
    for output in new:
        data = dict(output.get("data", {}))
        for mime, svg in _figures(output).items():
            if waiting:
                before = waiting.pop(0)
                difference = figures_differ(before, svg)
                data[mime] = f"another figure: {difference}" if difference else before
        settled.append({**output, "data": data} if data else output)
    return settled


def _figures(output: Any) -> dict[str, str]:
    """Find the figures of an output."""
    data = output.get("data", {})
    return {mime: _joined(svg) for mime, svg in data.items() if mime.endswith("image/svg+xml")}


def _joined(text: str | list[str]) -> str:
    """Join the lines in which a notebook may store a text."""
    return text if isinstance(text, str) else "".join(text)


def patch_nbval() -> None:
    """Let nbval compare figures as drawings, and everything else as it does."""
    compare = plugin.IPyNbCell.compare_outputs

    def compare_outputs(self: Any, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Compare the outputs of a cell."""
        settled = [plugin.NotebookNode(output) for output in settle_figures(test, ref)]
        same: bool = compare(self, settled, ref, skip_compare)
        return same

    plugin.IPyNbCell.compare_outputs = compare_outputs
