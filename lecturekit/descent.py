r"""Descent: follow the (sub-)gradient downhill.

Every method here is a generator of iterates and a thin driver that decides when to stop and what to keep:
:math:`w_{t+1} = w_t - \eta_t\,g_t` with a gradient or a sub-gradient. Its kin are found here too: steps along
unbiased guesses of a gradient (:mod:`lecturekit.stochastic`, :mod:`lecturekit.pegasos`), steps that know the
curvature (:mod:`lecturekit.newton`), and the step sizes (:mod:`lecturekit.steps`).
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.newton import newton, newton_steps
from lecturekit.pegasos import (
    Pegasos,
    PegasosIterate,
    hinge_objective,
    hinge_subgradient,
    pegasos,
    pegasos_steps,
)
from lecturekit.steps import (
    ConstantStep,
    Descent,
    InverseStep,
    PowerStep,
    SqrtStep,
    StepSize,
    exact_step,
)
from lecturekit.stochastic import initial_weights, running_loss, sgd, sgd_steps

__all__ = [
    "ConstantStep",
    "Descent",
    "InverseStep",
    "Pegasos",
    "PegasosIterate",
    "PowerStep",
    "SqrtStep",
    "descent_steps",
    "exact_step",
    "gradient_descent",
    "hinge_objective",
    "hinge_subgradient",
    "initial_weights",
    "newton",
    "newton_steps",
    "pegasos",
    "pegasos_steps",
    "running_loss",
    "sgd",
    "sgd_steps",
    "subgradient_descent",
]

Field: TypeAlias = Callable[[Array], Array]
"""A gradient or sub-gradient: from a point to a vector."""


# -- gradient and sub-gradient descent ---------------------------------------------------------------------


def descent_steps(gradient: Field, w0: Any, *, step: StepSize) -> Iterator[tuple[Array, Array]]:
    r"""Yield the points of a descent, :math:`w_{t+1} = w_t - \eta_t g_t`, each with its (sub-)gradient.

    Parameters
    ----------
    gradient : callable
        Maps a point of shape (d,) to a gradient or sub-gradient of shape (d,).
    w0 : array of shape (d,)
        The starting point.
    step : callable
        The step size: maps t = 1, 2, ... to a number.

    References
    ----------
    Boyd and Vandenberghe, *Convex Optimization*, 2004, section 9.3.

    Examples
    --------
    On :math:`w^2` half a step along the gradient lands on the minimum at once.

    >>> steps = descent_steps(lambda w: 2 * w, [3.0], step=ConstantStep(0.5))
    >>> [float(w[0]) for w, g in islice(steps, 3)]
    [3.0, 0.0, 0.0]
    """
    w, t = _check.start(w0), 1
    while True:
        g = _check.gradient(gradient(w), w, t, "take smaller steps")
        yield w, g
        w, t = w - step(t) * g, t + 1


def gradient_descent(
    gradient: Field, w0: Any, *, step: StepSize, tol: float = 1e-6, max_iter: int = 10_000
) -> Descent:
    r"""Minimise a differentiable function: walk against the gradient until it is short.

    Parameters
    ----------
    gradient : callable
        Maps a point of shape (d,) to the gradient there.
    w0 : array of shape (d,)
        The starting point.
    step : callable
        The step size, for instance :class:`ConstantStep`.
    tol : float
        Stop when :math:`\lVert\nabla F(w)\rVert` is at most this.
    max_iter : int
        The most steps to take.

    References
    ----------
    Boyd and Vandenberghe, *Convex Optimization*, 2004, section 9.3.

    Examples
    --------
    The minimum of :math:`(w_1-1)^2 + 10\,(w_2+2)^2` is at (1, -2):

    >>> slope = lambda w: np.array([2 * (w[0] - 1), 20 * (w[1] + 2)])
    >>> result = gradient_descent(slope, [0.0, 0.0], step=ConstantStep(0.05))
    >>> result.converged, np.round(result.w, 4)
    (True, array([ 1., -2.]))
    """
    tol = _check.positive(tol, "tol", "a gradient of exactly zero is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    norms: list[float] = []
    for point, g in islice(descent_steps(gradient, w0, step=step), max_iter + 1):
        w = point
        norms.append(float(np.linalg.norm(g)))
        if norms[-1] <= tol:
            break
    return Descent(w=w, n_iter=len(norms) - 1, converged=norms[-1] <= tol, trace=np.array(norms))


def subgradient_descent(
    objective: Callable[[Array], float], subgradient: Field, w0: Any, *, step: StepSize, n_iter: int
) -> Descent:
    r"""Minimise a convex function along sub-gradients, and keep the best point.

    A step against a sub-gradient may go up, so the last point need not be the best, and a sub-gradient need
    not be short near a minimum: the number of steps is fixed beforehand.

    Parameters
    ----------
    objective : callable
        Maps a point of shape (d,) to the value there.
    subgradient : callable
        Maps a point of shape (d,) to one sub-gradient there.
    w0 : array of shape (d,)
        The starting point.
    step : callable
        The step size, for instance :class:`InverseStep`.
    n_iter : int
        The number of steps.

    References
    ----------
    Shor, *Minimization Methods for Non-Differentiable Functions*, 1985.

    Examples
    --------
    On :math:`\lvert w\rvert` the objective goes up and down, the best value is what counts:

    >>> result = subgradient_descent(
    ...     lambda w: float(abs(w[0])), np.sign, [1.0], step=SqrtStep(0.7), n_iter=200
    ... )
    >>> bool(np.any(np.diff(result.trace) > 0)), bool(result.trace.min() < 0.03)
    (True, True)
    """
    n_iter = _check.count(n_iter, "n_iter", "allow at least one step")
    trace: list[float] = []
    lowest = np.inf
    for w, _ in islice(descent_steps(subgradient, w0, step=step), n_iter + 1):
        value = float(objective(w))
        if not np.isfinite(value):
            raise FloatingPointError(
                f"objective must stay finite, got {value} after {len(trace)} steps; take smaller steps"
            )
        trace.append(value)
        if value <= lowest:
            best, lowest = w, value
    return Descent(w=best, n_iter=n_iter, converged=False, trace=np.array(trace))
