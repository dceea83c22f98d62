"""The figures draw what they are given, and draw it the same each time."""

import io
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import IPython
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.contour import QuadContourSet
from matplotlib_inline import backend_inline

from bookkit import ROOT
from lecturekit import plotting
from lecturekit._typing import Array

GRID_ERROR = 2e-3  # a level line is straight between nodes 0.04 apart: curvature times 0.04^2

X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
y = np.array([-1.0, 1.0, -1.0])
SPECTRUM = np.array([0.5, -0.25, 2.0, 0.0])
RANKS, NAMES = np.array([3.5, 1.2, 2.1, 3.2]), ("ridge", "svm", "lasso", "tree")


def circle(points: Array) -> Array:
    """Zero on the unit circle, negative inside."""
    return np.asarray(np.sum(points**2, axis=1) - 1)


@pytest.fixture(autouse=True)
def _clean_figures() -> Iterator[None]:
    """Draw without a screen, in the book's style, and leave nothing behind."""
    plt.switch_backend("agg")
    with mpl.rc_context(plotting.STYLE):
        yield
    plt.close("all")


@pytest.fixture
def ax() -> Axes:
    axes: Axes = plt.figure().add_subplot()
    axes.set(xlim=(-2, 2), ylim=(-2, 2))
    return axes


PLOTS: dict[str, Callable[..., Axes]] = {
    "classes": lambda **kw: plotting.plot_classes(X, y, **kw),
    "decision": lambda **kw: plotting.plot_decision(circle, **kw),
    "spectrum": lambda **kw: plotting.plot_spectrum(SPECTRUM, **kw),
    "gram": lambda **kw: plotting.plot_gram(X @ X.T, **kw),
    "ranks": lambda **kw: plotting.critical_difference_diagram(RANKS, NAMES, 1.0, **kw),
}
each_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS.keys())


@each_plot
def test_plot_draws_on_the_given_axes_or_the_current_ones(plot: Callable[..., Axes], ax: Axes) -> None:
    other = plt.figure().add_subplot()  # the current axes
    assert plot(ax=ax) is ax
    assert ax.has_data()
    assert not other.has_data()
    assert plot() is other


@each_plot
def test_svg_is_the_same_each_time_and_has_no_date(plot: Callable[..., Axes]) -> None:
    def drawn() -> bytes:
        figure = plt.figure()
        plot(ax=figure.add_subplot(xlim=(-2, 2), ylim=(-2, 2)))
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        return buffer.getvalue()

    first = drawn()
    assert first == drawn()
    assert b"<dc:date>" not in first
    assert b"<text" not in first  # letters are drawn as paths


# -- the style -----------------------------------------------------------------------------------------------
def test_colours_differ_by_more_than_hue() -> None:
    assert len(set(plotting.COLORS)) == len(plotting.COLORS) == 7
    dark, light = (np.mean(to_rgb(plotting.CLASS_COLORS[label])) for label in (-1, 1))
    assert abs(dark - light) > 0.01
    cycle = plotting.STYLE["axes.prop_cycle"].by_key()
    assert cycle["color"] == list(plotting.COLORS)
    looks = list(zip(cycle["color"], cycle["linestyle"], strict=True))
    assert all(a[1] != b[1] for a, b in pairwise(looks))  # neighbours differ in dash


@pytest.mark.parametrize("has_kernel", [True, False])
def test_book_style_sets_parameters_and_format(has_kernel: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel="") if has_kernel else None)
    monkeypatch.setattr(backend_inline, "set_matplotlib_formats", lambda *a, **kw: asked.append((a, kw)))
    with mpl.rc_context():
        mpl.rcdefaults()
        plotting.use_book_style()
        assert all(plt.rcParams[key] == value for key, value in mpl.RcParams(plotting.STYLE).items())
    assert asked == [(("svg",), {"metadata": {"Date": None, "Creator": None}})] * has_kernel


NOTEBOOK = """
from ipykernel.zmqshell import ZMQInteractiveShell
shell = ZMQInteractiveShell.instance()
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
from lecturekit import plotting
plotting.use_book_style()
def drawn():
    figure = plt.figure()
    plotting.plot_gram([[1.0, 0.5], [0.5, 1.0]], ax=figure.add_subplot())
    return shell.display_formatter.format(figure)[0]
first, second = drawn(), drawn()
assert first == second
assert sorted(first) == ["image/svg+xml", "text/plain"], sorted(first)
assert "dc:date" not in first["image/svg+xml"]
print("drawn alike")
"""

WITHOUT_NOTEBOOKS = """
import sys
sys.modules |= dict.fromkeys(["IPython", "ipykernel", "matplotlib_inline"])  # importing them fails
from lecturekit import plotting
plotting.use_book_style()
assert plotting.plt.rcParams["svg.hashsalt"] == "lecturekit"
print("drawn alike")
"""


@pytest.mark.parametrize("script", [NOTEBOOK, WITHOUT_NOTEBOOKS], ids=["notebook", "without notebooks"])
def test_style_can_be_used_in_notebooks_and_where_there_are_none(script: str, tmp_path: pathlib.Path) -> None:
    env = os.environ | {"LECTUREKIT_NO_JIT": "1", "IPYTHONDIR": str(tmp_path), "MPLBACKEND": "agg"}
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert run.stdout.strip().endswith("drawn alike"), run.stderr


# -- classes -------------------------------------------------------------------------------------------------
def test_classes_are_drawn_apart_in_colour_and_marker(ax: Axes) -> None:
    plotting.plot_classes(X, y, ax=ax)
    minus, plus = ax.lines
    assert np.array_equal(minus.get_xydata(), X[[0, 2]])
    assert np.array_equal(plus.get_xydata(), X[[1]])
    assert (minus.get_marker(), plus.get_marker()) == ("o", "^")
    assert to_rgba(minus.get_color()) == to_rgba("#0072B2")
    assert to_rgba(plus.get_color()) == to_rgba("#D55E00")
    assert [line.get_label() for line in ax.lines] == ["$y=-1$", "$y=+1$"]
    assert {line.get_linestyle() for line in ax.lines} == {"None"}


def test_wishes_for_the_artist_are_passed_on(ax: Axes) -> None:
    plotting.plot_classes(X, y, ax=ax, markersize=11, label="train")
    assert {line.get_markersize() for line in ax.lines} == {11}
    assert {line.get_label() for line in ax.lines} == {"train"}
    assert len({line.get_marker() for line in ax.lines}) == 2
    plotting.plot_gram(X, ax=ax, cmap="gray", vmin=-1)
    assert (ax.images[0].get_cmap().name, ax.images[0].get_clim()[0]) == ("gray", -1)


# -- the decision function -----------------------------------------------------------------------------------
def contour_sets(ax: Axes) -> tuple[QuadContourSet, QuadContourSet]:
    regions, lines = (item for item in ax.collections if isinstance(item, QuadContourSet))
    return regions, lines


def test_level_lines_are_where_the_function_has_the_level(ax: Axes) -> None:
    plotting.plot_decision(circle, ax=ax, levels=(-0.5, 0, 2))
    _, lines = contour_sets(ax)
    assert list(lines.levels) == [-0.5, 0, 2]
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        vertices = np.asarray(path.vertices, dtype=float)
        assert len(vertices) > 20
        assert np.max(np.abs(circle(vertices) - level)) < GRID_ERROR


def test_line_of_level_zero_is_solid_and_regions_have_the_colours_of_the_classes(ax: Axes) -> None:
    plotting.plot_decision(circle, ax=ax)
    regions, lines = contour_sets(ax)
    assert (list(lines.levels), lines.linestyles) == ([-1, 0, 1], ["dashed", "solid", "dashed"])
    faces: Any = regions.get_facecolor()
    colors = [to_rgb(color) for color in faces]
    assert colors == [to_rgb(plotting.CLASS_COLORS[-1]), to_rgb(plotting.CLASS_COLORS[1])]
    inside, outside = regions.get_paths()
    assert np.max(np.linalg.norm(np.asarray(inside.vertices), axis=1)) < 1.05
    assert np.max(np.abs(np.asarray(outside.vertices))) == 2


def test_decision_is_evaluated_over_the_present_limits_and_keeps_them(ax: Axes) -> None:
    seen: list[Array] = []
    ax.set(xlim=(-1, 3), ylim=(0, 2))
    plotting.plot_decision(lambda points: seen.append(points) or points[:, 0], ax=ax, grid=5)  # type: ignore[func-returns-value]
    assert seen[0].shape == (25, 2)
    assert np.array_equal(np.unique(seen[0][:, 0]), np.linspace(-1, 3, 5))
    assert np.array_equal(np.unique(seen[0][:, 1]), np.linspace(0, 2, 5))
    assert (*ax.get_xlim(), *ax.get_ylim()) == (-1, 3, 0, 2)


# -- spectrum and Gram matrix --------------------------------------------------------------------------------
def test_spectrum_is_drawn_from_the_largest_down(ax: Axes) -> None:
    plotting.plot_spectrum(SPECTRUM, ax=ax)
    above, below, axis = ax.lines
    assert np.array_equal(above.get_xydata(), [[1, 2.0], [2, 0.5], [3, 0.0]])
    assert np.array_equal(below.get_xydata(), [[4, -0.25]])
    assert (above.get_label(), below.get_label()) == ("not negative", "negative")
    assert above.get_marker() != below.get_marker()
    assert above.get_color() != below.get_color()
    assert np.array_equal(axis.get_ydata(), [0, 0])
    stems: Any = ax.collections
    up, down = ([segment.tolist() for segment in part.get_segments()] for part in stems)
    assert up == [[[1, 0], [1, 2.0]], [[2, 0], [2, 0.5]], [[3, 0], [3, 0]]]
    assert down == [[[4, 0], [4, -0.25]]]


@pytest.mark.parametrize(("values", "label"), [([1.0, 2.0], "not negative"), ([-1.0], "negative")])
def test_spectrum_of_one_sign_has_one_part(values: list[float], label: str, ax: Axes) -> None:
    plotting.plot_spectrum(np.array(values), ax=ax)
    points, _ = ax.lines
    assert points.get_label() == label
    assert np.array_equal(points.get_ydata(), sorted(values, reverse=True))
    assert len(ax.collections) == 1


def test_gram_matrix_is_drawn_entry_by_entry(ax: Axes) -> None:
    K = X @ X.T
    plotting.plot_gram(K, ax=ax)
    (image,) = ax.images
    assert np.array_equal(np.asarray(image.get_array()), K)
    assert (image.get_interpolation(), image.get_cmap().name) == ("nearest", "Blues")
    assert list(ax.get_xticks()) == list(ax.get_yticks()) == []
    assert all(spine.get_visible() for spine in ax.spines.values())  # a frame, unlike the other figures


# -- mean ranks ----------------------------------------------------------------------------------------------
def bars(ax: Axes) -> list[tuple[float, float]]:
    """Return the ends of the bars that join methods, without their overhang."""
    lines = [line for line in ax.lines if line.get_linewidth() == 4]
    ends = [np.asarray(line.get_xdata(), dtype=float) for line in lines]
    return [(round(x[0] + 0.05, 9), round(x[1] - 0.05, 9)) for x in ends]


LOW, MIDDLE, HIGH = (1.2, 2.1), (2.1, 3.2), (3.2, 3.5)


@pytest.mark.parametrize(
    ("cd", "wanted"),
    [(0.2, []), (0.3, [HIGH]), (1.0, [LOW, HIGH]), (1.1, [LOW, MIDDLE, HIGH]), (9.0, [(1.2, 3.5)])],
)
def test_bars_are_the_longest_there_are(cd: float, wanted: list[tuple[float, float]], ax: Axes) -> None:
    plotting.critical_difference_diagram(RANKS, NAMES, cd, ax=ax)
    assert bars(ax) == wanted
    heights = {tuple(np.asarray(line.get_ydata())) for line in ax.lines if line.get_linewidth() == 4}
    assert len(heights) == len(wanted)  # no bar hides another


def test_names_hang_on_their_ranks_and_the_ruler_has_its_length(ax: Axes) -> None:
    plotting.critical_difference_diagram(RANKS, NAMES, 1.0, ax=ax)
    leaders = [line for line in ax.lines if len(np.asarray(line.get_xdata())) == 3]
    points = [np.asarray(line.get_xydata(), dtype=float) for line in leaders]
    ends = {tuple(one[2]): float(one[0, 0]) for one in points}
    texts: Any = ax.texts
    found = {text.get_text(): ends[text.xy] for text in texts if text.get_text() in NAMES}
    assert found == dict(zip(NAMES, RANKS, strict=True))
    assert [text.get_text() for text in texts if text.get_text() not in NAMES] == ["CD = 1.00"]
    ruler = next(line for line in ax.lines if np.asarray(line.get_ydata())[0] > 0)
    assert np.ptp(np.asarray(ruler.get_xdata(), dtype=float)) == 1.0
    sides = {text.get_text(): text.get_ha() for text in texts}
    assert [sides[name] for name in ("svm", "lasso", "tree", "ridge")] == ["right", "right", "left", "left"]
