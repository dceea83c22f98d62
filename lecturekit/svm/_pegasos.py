"""Pegasos: stochastic sub-gradient descent for the linear support vector machine without a bias."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike

# -- the objective -----------------------------------------------------------------------------------------


def _checked(w: ArrayLike, X: ArrayLike, y: ArrayLike, lam: float) -> tuple[Array, Array, Array, float]:
    """Return weights, points, labels and the strength of regularisation, fit to each other."""
    X = _check.matrix(X, copy=False)
    w = _check.vector(w, X.shape[1], "w", "column of X")
    return w, X, _check.signs(y, len(X), both=False), _check.nonnegative(lam, "lam", "it weighs a penalty")


def _objective(w: Array, X: Array, y: Array, lam: float) -> float:
    """Return the objective of checked data."""
    return float(lam / 2 * (w @ w) + np.mean(np.maximum(0, 1 - y * (X @ w))))


def hinge_objective(w: ArrayLike, X: ArrayLike, y: ArrayLike, lam: float) -> float:
    r"""Return :math:`F(w)=\tfrac\lambda2\lVert w\rVert^2+\tfrac1n\sum_i\max(0,1-y_i\langle w,x_i\rangle)`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X, y : arrays of shape (n, d) and (n,)
        Points and labels -1 and +1.
    lam : float
        The strength of regularisation, >= 0.

    Examples
    --------
    At zero every point pays one:

    >>> hinge_objective([0], [[-1], [1]], [-1, 1], lam=0.1)
    1.0
    """
    return _objective(*_checked(w, X, y, lam))


def hinge_subgradient(w: ArrayLike, X: ArrayLike, y: ArrayLike, lam: float) -> Array:
    r"""Return a sub-gradient of F: :math:`\lambda w-\tfrac1n\sum_iy_ix_i\,[\,y_i\langle w,x_i\rangle<1\,]`.

    Points on the margin do not pull. Parameters are those of :func:`hinge_objective`.

    Examples
    --------
    >>> hinge_subgradient([0], [[-1], [1]], [-1, 1], lam=0.1)
    array([-1.])
    """
    w, X, y, lam = _checked(w, X, y, lam)
    violated = y * (X @ w) < 1
    return np.asarray(lam * w - (y * violated) @ X / len(y))


# -- Pegasos -----------------------------------------------------------------------------------------------


@jit
def _pegasos_run(X: Any, y: Any, lam: Any, radius: Any, w: Any, mean: Any, first: Any, picks: Any) -> Any:
    """Take one Pegasos step for each picked point, the first of them number ``first``; return w and the mean.

    The mean is over the points at which sub-gradients were taken. Sums are written out, so that the compiled
    and the plain version add in the same order.
    """
    w, mean = w.copy(), mean.copy()
    for offset in range(picks.size):
        t, i = first + offset, picks[offset]
        score, squared = 0.0, 0.0
        for j in range(w.size):
            score += w[j] * X[i, j]
            mean[j] += (w[j] - mean[j]) / t
        pull = y[i] / (lam * t) if y[i] * score < 1.0 else 0.0
        for j in range(w.size):
            w[j] = (1.0 - 1.0 / t) * w[j] + pull * X[i, j]
            squared += w[j] * w[j]
        if squared > radius * radius:
            shrink = radius / np.sqrt(squared)
            for j in range(w.size):
                w[j] *= shrink
    return w, mean


@dataclass(frozen=True, kw_only=True, eq=False)
class PegasosIterate:
    """Where Pegasos stands.

    Attributes
    ----------
    n_iter : int
        Steps taken so far.
    w, mean : arrays of shape (d,)
        The point after the last step, and the average of those at which the sub-gradients were taken.
    """

    n_iter: int
    w: Array = field(repr=False)
    mean: Array = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pegasos:
    """What Pegasos found.

    Attributes
    ----------
    w, objective : array of shape (d,) and float
        The average of the iterates, or the last one, and the regularised mean hinge loss there.
    n_iter : int
        Steps taken.
    trace : tuple of (n_iter, objective)
        The objective after every n steps and at the end.
    """

    w: Array = field(repr=False)
    objective: float
    n_iter: int
    trace: tuple[tuple[int, float], ...] = field(repr=False)


def pegasos_steps(
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    *,
    rng: np.random.Generator | int,
    every: int = 1,
    project: bool = False,
) -> Iterator[PegasosIterate]:
    r"""Yield the iterates of Pegasos after every so many steps, without end.

    Step t picks a point i at random and moves
    :math:`w_{t+1} = (1-\tfrac1t)\,w_t + \tfrac1{\lambda t}\,y_ix_i\,[\,y_i\langle w_t,x_i\rangle<1\,]`.

    Parameters are those of :func:`pegasos`; ``every`` is the number of steps between two iterates.

    Examples
    --------
    The first step forgets the start and stands on one point, scaled by :math:`1/\lambda`:

    >>> next(pegasos_steps([[-1], [1]], [-1, 1], 0.5, rng=0)).w
    array([2.])
    """
    every = _check.count(every, "every", "report after at least one step")
    return _pegasos_runs(*_pegasos_problem(X, y, lam), _check.generator(rng), repeat(every), project)


def _pegasos_problem(X: ArrayLike, y: ArrayLike, lam: float) -> tuple[Array, Array, float]:
    """Check the data of a problem."""
    X = np.ascontiguousarray(_check.matrix(X), dtype=np.float64)
    return X, _check.signs(y, len(X)), _check.positive(lam, "lam", "the step size is 1/(lam t)")


def _pegasos_runs(
    X: Array, y: Array, lam: float, rng: np.random.Generator, sizes: Iterable[int], project: bool
) -> Iterator[PegasosIterate]:
    """Yield an iterate after each run of so many steps."""
    radius = 1 / np.sqrt(lam) if project else np.inf
    w, mean, n_iter = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0
    for size in sizes:
        picks = rng.integers(len(X), size=size)
        w, mean = _pegasos_run(X, y, lam, radius, w, mean, n_iter + 1, picks)
        n_iter += size
        yield PegasosIterate(n_iter=n_iter, w=w, mean=mean)


def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    lam: float,
    *,
    rng: np.random.Generator | int,
    n_iter: int,
    project: bool = False,
    average: bool = True,
) -> Pegasos:
    r"""Train a linear SVM without a bias by stochastic sub-gradient steps of size :math:`1/(\lambda t)`.

    It minimises the F of :func:`hinge_objective`. With :math:`R = \max_i\lVert x_i\rVert` the average of T
    iterates satisfies :math:`\mathbb{E}\,F(\bar w) - \min F \le 2R^2(1+\log T)/(\lambda T)`.

    Parameters
    ----------
    X, y : arrays of shape (n, d) and (n,)
        Points, with a column of ones for a (penalised) bias, and labels -1 and +1, both present.
    lam : float
        The strength of regularisation, > 0.
    rng : Generator or int
        The source of randomness, or its seed.
    n_iter : int
        The number of steps T.
    project : bool
        Keep the iterates in the ball of radius :math:`1/\sqrt\lambda`, which contains the minimum.
    average : bool
        Return the average of the iterates, to which the bound applies, instead of the last one.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro and Cotter, *Pegasos: primal estimated sub-gradient solver for SVM*, 2011.

    Examples
    --------
    Points at -1 and +1 and :math:`\lambda=2`: the minimum of :math:`w^2 + \max(0, 1-w)` is at 1/2.

    >>> result = pegasos([[-1], [1]], [-1, 1], lam=2.0, rng=0, n_iter=10_000)
    >>> round(float(result.w[0]), 2), round(result.objective, 3)
    (0.5, 0.75)
    """
    n_iter = _check.count(n_iter, "n_iter", "allow at least one step")
    X, y, lam = _pegasos_problem(X, y, lam)
    passes, rest = divmod(n_iter, len(X))
    sizes = [len(X)] * passes + [rest] * (rest > 0)
    trace: list[tuple[int, float]] = []
    for at in _pegasos_runs(X, y, lam, _check.generator(rng), sizes, project):
        w = at.mean if average else at.w
        trace.append((at.n_iter, _objective(w, X, y, lam)))
    return Pegasos(w=w, objective=trace[-1][1], n_iter=n_iter, trace=tuple(trace))
