"""What a first page would wait for: numba's beginning, and Matplotlib's fonts. To import it is to do it."""

import io

import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from lecturekit import svm


def begin() -> tuple[int, int]:
    """Solve a problem of two points, and draw a line with a formula beside it; return two counts of them.

    Neither pyplot nor a random number is touched: a page finds both as they are.
    """
    fit = svm.smo(np.eye(2), np.array([-1.0, 1.0]), 1.0)
    figure, picture = Figure(), io.BytesIO()
    FigureCanvasSVG(figure)
    figure.add_subplot(xlabel="$x_1$", title="text").plot([0, 1], label="$a$")
    figure.legend()
    figure.savefig(picture, format="svg", bbox_inches="tight")
    return len(fit.alpha), len(picture.getvalue())


begin()
