"""The comparison of figures: blind to last digits, and to nothing else."""

import io
import json
import os
import re
import subprocess
import sys
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from bookkit import ROOT
from bookkit.pages.figures import COORDINATE, figures_differ, settle_figures
from bookkit.pages.sync import sync_chapter
from lecturekit.plotting import STYLE
from tests.support.samples import write_chapter

NOISE = 1e-12


def draw(*, scale: float = 1.0, shift: float = 0.0, **changes: Any) -> str:
    """Draw a figure with every kind of element; ``scale`` and ``shift`` move the data."""
    options: dict[str, Any] = {"label": "sine", "color": "#0072B2", "points": 9, "alpha": 0.4}
    options |= {"dash": "--", "marker": "o"} | changes
    x = np.linspace(0, 3, options["points"]) * scale
    with mpl.rc_context(STYLE):
        figure = Figure()
        curve, cloud, image = figure.subplots(1, 3)
        look = {name: options[name] for name in ("color", "label")}
        curve.plot(x, np.sin(x) * scale + shift, options["dash"], **look)
        curve.fill_between(x, np.sin(x) * scale, alpha=options["alpha"])
        curve.set(xlim=(0, 3), ylim=(-1, 1), xlabel=r"$x_1$")
        curve.legend()
        cloud.plot(x, x**2, options["marker"], markersize=changes.get("size", 5))
        cloud.scatter(x, x, c=x, s=20 * (1 + x))
        image.imshow(np.outer(np.sin(x), np.cos(x)) * scale + shift, vmin=-1, vmax=1)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


@pytest.fixture(scope="module")
def figure() -> str:
    return draw()


def test_same_figure_and_last_digits_pass_though_the_text_differs(figure: str) -> None:
    assert figures_differ(figure, draw()) is None
    nearly = draw(scale=1 + 1e-9)
    assert nearly != figure
    assert figures_differ(figure, nearly) is None
    assert figures_differ(figure, draw(scale=1 + NOISE)) is None


CHANGES: dict[str, dict[str, Any]] = {
    "curve moved by 1 % of the axis": {"shift": 0.02},
    "label": {"label": "cosine"},
    "colour": {"color": "#0082B2"},
    "missing point": {"points": 8},
    "marker": {"marker": "s"},
    "size of the marker": {"size": 6},
    "opacity": {"alpha": 0.45},
    "dashes": {"dash": ":"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_is_caught(figure: str, change: str) -> None:
    assert figures_differ(figure, draw(**CHANGES[change])) is not None


def test_difference_is_said_in_words(figure: str) -> None:
    assert figures_differ(figure, draw(label="cosine")) == "the text 'sine' became 'cosine'"


def test_missing_marker_and_element_added_at_the_end_are_caught(figure: str) -> None:
    start = figure.index("<use", figure.index("PathCollection"))
    end = figure.index("/>", start) + 2
    assert "became" in str(figures_differ(figure, figure[:start] + figure[end:]))
    longer = figure.replace("</svg>", "<g/></svg>")
    assert "elements became" in str(figures_differ(figure, longer))
    assert "elements became" in str(figures_differ(longer, figure))


def test_changed_image_is_caught() -> None:
    def image(level: int, count: int, width: int = 100) -> str:
        figure, stream = Figure(), io.StringIO()
        pixels = np.full((100, width, 3), 126, np.uint8)
        pixels.reshape(-1, 3)[:count] = level
        figure.figimage(pixels)
        figure.savefig(stream, format="svg", dpi=72, metadata={"Date": None})
        return stream.getvalue()

    for level, count, same in ((128, 10_000, True), (200, 9, True), (200, 11, False), (129, 11, False)):
        assert ("of the pixels" in str(figures_differ(image(126, 0), image(level, count)))) != same
    assert "4) became (100, 90, 4)" in str(figures_differ(image(126, 0), image(126, 0, 90)))
    for colour, same in (("#02fd02", True), ("#00fc00", False)):
        assert (figures_differ('<svg fill="#00ff00"/>', f'<svg fill="{colour}"/>') is None) == same


def test_digests_are_not_compared(figure: str) -> None:
    digests = dict.fromkeys(re.findall(r'id="[a-zA-Z_0-9]*?([0-9a-f]{10})"', figure))
    assert len(digests) > 3
    renamed = figure
    for number, digest in enumerate(digests):
        renamed = renamed.replace(digest, f"{number:010x}")
    assert renamed != figure
    assert figures_differ(figure, renamed) is None


def test_swapped_clip_path_is_caught(figure: str) -> None:
    first, second = list(dict.fromkeys(re.findall(r"clip-path=\"url\(#(\w+)\)", figure)))[:2]
    swapped = figure.replace(f'clip-path="url(#{first})"', f'clip-path="url(#{second})"', 1)
    assert figures_differ(figure, swapped) is not None


def test_only_figures_are_settled(figure: str) -> None:
    def outputs(svg: str, text: str) -> list[Any]:
        return [{"output_type": "display_data", "data": {"image/svg+xml": svg, "text/plain": text}}]

    (same,) = settle_figures(outputs(draw(scale=1 + 1e-9), "<Figure>"), outputs(figure, "<Figure>"))
    assert same["data"] == {"image/svg+xml": figure, "text/plain": "<Figure>"}
    (other,) = settle_figures(outputs(draw(label="other"), "new"), outputs(figure, "old"))
    assert other["data"]["image/svg+xml"].startswith("another figure: the text")
    assert other["data"]["text/plain"] == "new"


# -- end to end ----------------------------------------------------------------------

SET_UP = """import numpy as np
import matplotlib.pyplot as plt
from lecturekit.plotting import use_book_style
use_book_style()"""
FIGURE = """x = np.linspace(0, 3, 20)
plt.plot(x, np.sin(x) * {scale!r})
plt.ylim(-1, 1)
plt.show()"""
# The scale at which each figure is drawn again, and whether it should pass.
AGAIN = {1.0: True, 1 + NOISE: True, 1 + 1e-7: True, 1.02: False}
TEXT = "print(0.1 + 0.2)"


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Execute a chapter, change its notebook behind its back, and let nbval judge; return what it prints."""
    codes = [SET_UP, *(FIGURE.format(scale=1.0) for _ in AGAIN), TEXT, TEXT]
    body = "".join(f"\n```{{code-cell}} ipython3\n{code}\n```\n" for code in codes)
    page = write_chapter(tmp_path_factory.mktemp("book"), body)
    sync_chapter(page)
    path = page.with_suffix(".ipynb")
    stored = json.loads(path.read_text(encoding="utf-8"))
    for cell, scale in zip(stored["cells"][1:], AGAIN, strict=False):
        cell["source"] = FIGURE.format(scale=scale)
    stored["cells"][-1]["outputs"][0]["text"] = "0.30000000000000005\n"
    path.write_text(json.dumps(stored), encoding="utf-8")
    options = ["-c", "pyproject.toml", "-p", "conftest", "-v", "--nbval"]
    command = [sys.executable, "-m", "pytest", *options, str(path)]
    wide = os.environ | {"COLUMNS": "200"}
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=wide)
    return run.stdout + run.stderr


def test_nbval_compares_figures_and_stays_strict_about_text(verdicts: str) -> None:
    for number, passes in enumerate(AGAIN.values(), start=1):
        assert f"Cell {number} {'PASSED' if passes else 'FAILED'}" in verdicts, verdicts
    assert verdicts.count("another figure: ") >= 1
    number = len(AGAIN) + 1
    assert f"Cell {number} PASSED" in verdicts
    assert f"Cell {number + 1} FAILED" in verdicts
    assert "2 failed, 5 passed" in verdicts


# -- lines drawn with other points -------------------------------------------------


def path(d: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><path d="{d}"/></svg>'


LINE = path("M 0 0 \nL 10 0 \nL 20 5 \n")


@pytest.mark.parametrize(
    ("d", "same"),
    [
        ("M 0 0 \nL 4 0 \nL 10 0 \nL 20 5 \n", True),
        (f"M 0 {COORDINATE / 10} \nL 10 0 \nL 12 1 \nL 20 5 \n", True),
        (f"M 0 {0.9 * COORDINATE} \nL 10 0 \nL 20 5 \n", True),
        (f"M 0 {1.1 * COORDINATE} \nL 10 0 \nL 20 5 \n", False),
        ("M 20 5 \nL 10 0 \nL 5 0 \nL 0 0 \n", True),
        ("M 0 0 \nL 10 0 \nL 20 5 \nL 20 6 \n", False),
        ("M 0 0 \nL 5 0.5 \nL 10 0 \nL 20 5 \n", False),
        ("M 0 0 \nL 10 0 \n", False),
        ("M 0 0 \nL 10 0 \nL 20 5 \nz", False),
    ],
)
def test_other_points_on_the_same_lines_are_forgiven_and_other_lines_are_not(d: str, same: bool) -> None:
    assert (figures_differ(LINE, path(d)) is None) == same


def test_the_tolerance_is_small_and_named() -> None:
    places = "book/F-checked.md and the comment in bookkit/pages/figures.py"
    assert COORDINATE == 0.1, f"{places} say a tenth of a point: change all three"
    far = figures_differ(LINE, path("M 0 0 \nL 5 0.5 \nL 10 0 \nL 20 5 \n"))
    assert str(far).endswith(f"lines 0.5 pt apart ({COORDINATE} allowed)")


def test_curves_are_compared_point_by_point() -> None:
    curve = "M 0 0 \nC 1 1 2 2 3 3"
    assert figures_differ(path(curve), path(curve + "\nL 3 3")) is not None
