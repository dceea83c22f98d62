"""The book's figures: one style, the two classes always alike, colour never the only channel.

Every function draws what it is given, on the given axes or the current ones, and returns the axes.
"""

import sys
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes

from lecturekit._typing import Array, PointFunction

__all__ = [
    "CLASS_COLORS",
    "COLORS",
    "critical_difference_diagram",
    "plot_classes",
    "plot_decision",
    "plot_gram",
    "plot_spectrum",
    "use_book_style",
]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which colour-blind readers tell apart."""

CLASS_COLORS = {-1: COLORS[0], +1: COLORS[1]}
CLASS_MARKERS = {-1: "o", +1: "^"}

STYLE: Any = {
    "axes.prop_cycle": cycler(color=COLORS) + cycler(linestyle=["-", "--", "-.", ":", "-", "--", "-."]),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.figsize": (6.4, 3.6),
    "font.size": 11,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "path.simplify": False,  # which points simplifying drops may hang on a last digit
    "svg.fonttype": "path",  # the same letters on every machine
    "svg.hashsalt": "lecturekit",
}


def use_book_style() -> None:
    """Set the book's style and have notebooks draw SVG without dates or random ids."""
    plt.rcParams.update(STYLE)
    ipython = sys.modules.get("IPython")
    if ipython is not None and hasattr(ipython.get_ipython(), "kernel"):
        from matplotlib_inline.backend_inline import set_matplotlib_formats  # comes with every kernel

        set_matplotlib_formats("svg", metadata={"Date": None, "Creator": None})  # type: ignore[no-untyped-call]


def _axes(ax: Axes | None) -> Axes:
    """Return the given axes or the current ones."""
    return plt.gca() if ax is None else ax


def plot_classes(X: Array, y: Array, *, ax: Axes | None = None, **artist: Any) -> Axes:
    """Draw labelled points of the plane: -1 as blue discs, +1 as orange triangles.

    Parameters
    ----------
    X : array of shape (n, 2)
        The points.
    y : array of shape (n,)
        Their labels, -1 or +1.
    ax : Axes, optional
        Where to draw; the current axes by default.
    **artist
        Passed on to ``Axes.plot``.
    """
    ax = _axes(ax)
    for label, color in CLASS_COLORS.items():
        look = {"linestyle": "none", "marker": CLASS_MARKERS[label], "color": color}
        ax.plot(X[y == label, 0], X[y == label, 1], **(look | {"label": f"$y={label:+d}$"} | artist))
    return ax


def plot_decision(
    f: PointFunction, *, ax: Axes | None = None, levels: Sequence[float] = (-1, 0, 1), grid: int = 101
) -> Axes:
    """Draw level lines of a function over the axes' present limits: zero solid, the others dashed.

    Parameters
    ----------
    f : callable
        Maps (m, 2) points to (m,) values.
    ax : Axes, optional
        Where to draw; the current axes by default.
    levels : sequence of float
        The values whose lines are drawn, in rising order.
    grid : int
        Points a side at which ``f`` is evaluated.
    """
    ax = _axes(ax)
    limits = (*ax.get_xlim(), *ax.get_ylim())
    u, v = np.meshgrid(np.linspace(*limits[:2], grid), np.linspace(*limits[2:], grid))
    values = f(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    ax.contourf(u, v, np.sign(values), levels=[-1.5, 0, 1.5], colors=list(CLASS_COLORS.values()), alpha=0.12)
    styles = ["solid" if level == 0 else "dashed" for level in levels]
    ax.contour(u, v, values, levels=list(levels), colors="black", linestyles=styles, linewidths=1.2)
    return ax


def plot_spectrum(eigenvalues: Array, *, ax: Axes | None = None) -> Axes:
    """Draw eigenvalues as stems, the largest first: those below zero in orange with triangles.

    Parameters
    ----------
    eigenvalues : array of shape (n,)
        The eigenvalues, in any order.
    ax : Axes, optional
        Where to draw; the current axes by default.
    """
    ax = _axes(ax)
    values = np.sort(eigenvalues)[::-1]
    rank = np.arange(1, len(values) + 1)
    for part, label, marker, color in (
        (values >= 0, "not negative", "o", COLORS[0]),
        (values < 0, "negative", "v", COLORS[1]),
    ):
        if np.any(part):
            ax.vlines(rank[part], 0, values[part], color=color, linewidth=1.5)
            ax.plot(rank[part], values[part], marker, linestyle="none", color=color, label=label)
    ax.axhline(0, color="black", linewidth=0.8, linestyle="-")
    return ax


def plot_gram(K: Array, *, ax: Axes | None = None, **artist: Any) -> Axes:
    """Draw a Gram matrix as an image, light for small and dark for large entries.

    Parameters
    ----------
    K : array of shape (n, m)
        The matrix.
    ax, **artist
        Those of :func:`plot_classes`, passed on to ``Axes.imshow``.
    """
    ax = _axes(ax)
    ax.imshow(K, **({"cmap": "Blues", "interpolation": "nearest"} | artist))
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    return ax


def _cliques(ranks: Array, cd: float) -> list[tuple[int, int]]:
    """Return first and last position of each longest stretch of the sorted ranks that is at most cd wide."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + cd * (1 + 1e-9), side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def critical_difference_diagram(
    ranks: Array, names: Sequence[str], cd: float, *, ax: Axes | None = None
) -> Axes:
    """Draw mean ranks on a line, the best on the left, and join methods that do not differ significantly.

    A bar joins methods whose mean ranks lie within the critical difference, whose length is drawn above.

    Parameters
    ----------
    ranks : array of shape (k,)
        Mean ranks of the methods; 1 is the best.
    names : sequence of k strings
        What the methods are called.
    cd : float
        The critical difference.
    ax : Axes, optional
        Where to draw; the current axes by default.
    """
    ax = _axes(ax)
    order = np.argsort(ranks, kind="stable")
    sorted_ranks, k = np.asarray(ranks, dtype=np.float64)[order], len(order)
    bars, half = _cliques(sorted_ranks, cd), (k + 1) // 2
    top = 0.7 * len(bars) + 0.6  # the height of the first name below the line
    for place, (rank, which) in enumerate(zip(sorted_ranks, order, strict=True)):
        left = place < half
        depth = -top - (place if left else k - 1 - place)
        edge = 0.7 if left else k + 0.3
        ax.plot([rank, rank, edge], [0, depth, depth], color="0.5", linewidth=1, linestyle="-")
        side, shift = ("right", -4) if left else ("left", 4)
        ax.annotate(names[which], (edge, depth), (shift, 0), textcoords="offset points", ha=side, va="center")
    ax.plot(sorted_ranks, np.zeros(k), "o", linestyle="none", color=COLORS[0])
    for row, (first, last) in enumerate(bars, start=1):
        ends = [sorted_ranks[first] - 0.05, sorted_ranks[last] + 0.05]
        ax.plot(ends, [-0.7 * row] * 2, color=COLORS[1], linewidth=4, linestyle="-", solid_capstyle="butt")
    ax.plot([1, 1 + cd], [1.6, 1.6], "|-", color="black", linewidth=1.2)
    ax.annotate(f"CD = {cd:.2f}", (1 + cd / 2, 1.6), (0, 4), textcoords="offset points", ha="center")
    ax.set(xlim=(0.7, k + 0.3), ylim=(-top - half + 0.5, 2.6), yticks=[], xticks=np.arange(1, k + 1))
    ax.spines[:].set_visible(False)
    ax.spines["bottom"].set(visible=True, position="zero", bounds=(1, k))
    ax.tick_params(axis="x", labelbottom=False, labeltop=True, bottom=False, top=True)
    ax.spines["top"].set(visible=True, position=("data", 0), bounds=(1, k))
    return ax
