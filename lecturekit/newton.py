r"""Newton's method: minimise the quadratic that has the function's slope and curvature at the present point.

With gradient g and Hessian H at w the model is :math:`F(w)+g^\top v+\tfrac12v^\top Hv`. If H is positive
definite its minimum is at :math:`v=-H^{-1}g`, which is in general not the direction of the gradient.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.steps import Descent

__all__ = ["newton", "newton_steps"]

NEARBY = "start nearer to the minimum"


def _newton_direction(g: Array, hessian: Any, t: int) -> Array:
    """Return the minimum of the quadratic model, or say that it has none."""
    H = _check.matrix(hessian, "hessian")
    if H.shape != (g.size, g.size):
        raise ValueError(
            f"hessian must return shape {(g.size, g.size)}, got {H.shape}; one row a component of w"
        )
    values, vectors = np.linalg.eigh(_check.symmetric(H, "hessian"))
    if not values[0] > g.size * np.finfo(np.float64).eps * abs(values[-1]):  # singular up to rounding
        raise np.linalg.LinAlgError(
            f"hessian must be positive definite, got a smallest eigenvalue of {values[0]:.3g} in step {t}; "
            "add a ridge, drop dependent columns, or follow the gradient"
        )
    return np.asarray(-vectors @ (vectors.T @ g / values))


def newton_steps(
    gradient: Callable[[Array], Array], hessian: Callable[[Array], Array], w0: Any
) -> Iterator[tuple[Array, Array]]:
    r"""Yield the points of Newton's method, each with its gradient: :math:`w_{t+1}=w_t-H(w_t)^{-1}g(w_t)`.

    Parameters
    ----------
    gradient : callable
        Maps a point of shape (d,) to the gradient there, of shape (d,).
    hessian : callable
        Maps a point of shape (d,) to the Hessian there, of shape (d, d) and positive definite.
    w0 : array of shape (d,)
        The starting point.

    References
    ----------
    Boyd and Vandenberghe, *Convex Optimization*, 2004, section 9.5.

    Examples
    --------
    From anywhere, a quadratic is solved in one step:

    >>> H, c = np.diag([1.0, 100.0]), np.array([1.0, 200.0])
    >>> steps = newton_steps(lambda w: H @ w - c, lambda w: H, [7.0, -7.0])
    >>> [w.tolist() for w, g in islice(steps, 2)]
    [[7.0, -7.0], [1.0, 2.0]]
    """
    w, t = _check.start(w0), 1
    while True:
        g = _check.gradient(gradient(w), w, t, NEARBY)
        yield w, g
        w, t = w + _newton_direction(g, hessian(w), t), t + 1


def newton(
    gradient: Callable[[Array], Array],
    hessian: Callable[[Array], Array],
    w0: Any,
    *,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> Descent:
    r"""Minimise a function with positive definite Hessians by full Newton steps.

    Near the minimum each step about squares the error. Far from it a full step may go up, and with a Hessian
    that is not positive definite the step need not go down at all: that is an error.

    Parameters
    ----------
    gradient, hessian, w0
        As in :func:`newton_steps`.
    tol : float
        Stop when :math:`\lVert\nabla F(w)\rVert` is at most this.
    max_iter : int
        The most steps to take.

    References
    ----------
    Boyd and Vandenberghe, *Convex Optimization*, 2004, section 9.5.

    Examples
    --------
    The minimum of :math:`e^w-2w` is at :math:`\log2`; the correct digits double:

    >>> result = newton(lambda w: np.exp(w) - 2, lambda w: np.exp(w)[:, None], [0.0])
    >>> result.converged, bool(np.isclose(result.w[0], np.log(2)))
    (True, True)
    >>> [f"{norm:.0e}" for norm in result.trace[:5]]
    ['1e+00', '7e-01', '9e-02', '2e-03', '8e-07']
    """
    tol = _check.positive(tol, "tol", "a gradient of exactly zero is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    norms: list[float] = []
    for point, g in islice(newton_steps(gradient, hessian, w0), max_iter + 1):
        w = point
        norms.append(float(np.linalg.norm(g)))
        if norms[-1] <= tol:
            break
    return Descent(w=w, n_iter=len(norms) - 1, converged=norms[-1] <= tol, trace=np.array(norms))
