r"""Pegasos: stochastic sub-gradient descent for the linear support vector machine without a bias.

The objective is :math:`F(w)=\tfrac\lambda2\lVert w\rVert^2+\tfrac1n\sum_i\max(0,1-y_i\langle w,x_i\rangle)`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array

# -- the support vector objective without a bias -----------------------------------------------------------


def hinge_objective(w: Array, X: Array, y: Array, lam: float) -> float:
    r"""Return :math:`\tfrac\lambda2\lVert w\rVert^2 + \tfrac1n\sum_i\max(0,\,1-y_i\langle w,x_i\rangle)`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X, y : arrays of shape (n, d) and (n,)
        Points and labels.
    lam : float
        The strength of regularisation.

    Examples
    --------
    At zero every point pays one:

    >>> hinge_objective(np.zeros(1), np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), lam=0.1)
    1.0
    """
    return float(lam / 2 * (w @ w) + np.mean(np.maximum(0, 1 - y * (X @ w))))


def hinge_subgradient(w: Array, X: Array, y: Array, lam: float) -> Array:
    r"""Return a sub-gradient of :func:`hinge_objective`.

    It is :math:`\lambda w - \tfrac1n\sum_i y_ix_i\,[\,y_i\langle w,x_i\rangle<1\,]`; points on the margin do
    not pull.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X, y : arrays of shape (n, d) and (n,)
        Points and labels.
    lam : float
        The strength of regularisation.

    Examples
    --------
    >>> hinge_subgradient(np.zeros(1), np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), lam=0.1)
    array([-1.])
    """
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
    w : array of shape (d,)
        The point after the last step.
    mean : array of shape (d,)
        The average of the points at which the sub-gradients were taken, from the first on.
    """

    n_iter: int
    w: Array = field(repr=False)
    mean: Array = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pegasos:
    """What Pegasos found.

    Attributes
    ----------
    w : array of shape (d,)
        The average of the iterates, or the last one.
    objective : float
        The regularised mean hinge loss at ``w``.
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
    X: Any, y: Any, lam: float, *, rng: np.random.Generator | int, every: int = 1, project: bool = False
) -> Iterator[PegasosIterate]:
    r"""Yield the iterates of Pegasos after every so many steps, without end.

    Step t picks a point i at random and moves
    :math:`w_{t+1} = (1-\tfrac1t)\,w_t + \tfrac1{\lambda t}\,y_ix_i\,[\,y_i\langle w_t,x_i\rangle<1\,]`.

    Parameters
    ----------
    X, y, lam, rng, project
        As in :func:`pegasos`.
    every : int
        Steps between two iterates.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro and Cotter, *Pegasos: primal estimated sub-gradient solver for SVM*, 2011.

    Examples
    --------
    The first step forgets the start and stands on one point, scaled by :math:`1/\lambda`:

    >>> X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    >>> next(pegasos_steps(X, y, 0.5, rng=0)).w
    array([2.])
    """
    every = _check.count(every, "every", "report after at least one step")
    return _pegasos_runs(*_pegasos_problem(X, y, lam), rng=rng, sizes=repeat(every), project=project)


def _pegasos_problem(X: Any, y: Any, lam: float) -> tuple[Array, Array, float]:
    """Check the data of a problem."""
    X = np.ascontiguousarray(_check.matrix(X), dtype=np.float64)
    return X, _check.signs(y, len(X)), _check.positive(lam, "lam", "the step size is 1/(lam t)")


def _pegasos_runs(
    X: Array, y: Array, lam: float, *, rng: np.random.Generator | int, sizes: Iterable[int], project: bool
) -> Iterator[PegasosIterate]:
    """Yield an iterate after each run of so many steps."""
    rng = _check.generator(rng)
    radius = 1 / np.sqrt(lam) if project else np.inf
    w, mean, n_iter = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0
    for size in sizes:
        picks = rng.integers(len(X), size=size)
        w, mean = _pegasos_run(X, y, lam, radius, w, mean, n_iter + 1, picks)
        n_iter += size
        yield PegasosIterate(n_iter=n_iter, w=w, mean=mean)


def pegasos(
    X: Any,
    y: Any,
    lam: float,
    *,
    rng: np.random.Generator | int,
    n_iter: int,
    project: bool = False,
    average: bool = True,
) -> Pegasos:
    r"""Train a linear SVM without a bias by stochastic sub-gradient steps of size :math:`1/(\lambda t)`.

    It minimises the F of :func:`hinge_objective`. With :math:`R = \max_i\lVert x_i\rVert` the average of T
    iterates satisfies
    :math:`\mathbb{E}\,F(\bar w) - \min F \le 2R^2(1+\log T)/(\lambda T)`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points; append a column of ones for a (penalised) bias.
    y : array of shape (n,)
        Labels -1 and +1, both present.
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

    >>> X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    >>> result = pegasos(X, y, lam=2.0, rng=0, n_iter=10_000)
    >>> round(float(result.w[0]), 2), round(result.objective, 3)
    (0.5, 0.75)
    """
    n_iter = _check.count(n_iter, "n_iter", "allow at least one step")
    X, y, lam = _pegasos_problem(X, y, lam)
    passes, rest = divmod(n_iter, len(X))
    sizes = [len(X)] * passes + [rest] * (rest > 0)
    trace: list[tuple[int, float]] = []
    for at in _pegasos_runs(X, y, lam, rng=rng, sizes=sizes, project=project):
        w = at.mean if average else at.w
        trace.append((at.n_iter, hinge_objective(w, X, y, lam)))
    return Pegasos(w=w, objective=trace[-1][1], n_iter=n_iter, trace=tuple(trace))
