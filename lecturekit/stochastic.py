r"""Stochastic gradient descent: step along the gradient of a few observations instead of all.

The objective is a mean over n observations, :math:`Q(w)=\tfrac1n\sum_iQ_i(w)`. The gradient over k of
them, a random minibatch :math:`\mathcal B`, is :math:`\tfrac1k\sum_{i\in\mathcal B}\nabla Q_i(w)`; it has
mean :math:`\nabla Q(w)` and costs :math:`k/n` of it.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices
from lecturekit.steps import Descent, StepSize

__all__ = ["initial_weights", "running_loss", "sgd", "sgd_steps"]

BatchField: TypeAlias = Callable[[Array, Indices], Array]
"""A gradient averaged over some observations: from a point and their positions to a vector."""

ORDERS = ("random", "epochs", "cyclic")
STARTS = ("zeros", "uniform", "columns")


def _batches(n: int, batch: int, order: str, rng: Any) -> Iterator[Indices]:
    """Yield the rows of one batch after the other, without end."""
    while order == "random":
        yield rng.integers(n, size=1) if batch == 1 else rng.choice(n, size=batch, replace=False)
    rows = np.arange(n)
    while True:
        rows = rng.permutation(n) if order == "epochs" else rows
        for first in range(0, n, batch):
            yield rows[first : first + batch]


def sgd_steps(
    gradient: BatchField,
    n: int,
    w0: Any,
    *,
    step: StepSize,
    batch: int = 1,
    rng: np.random.Generator | int | None = None,
    order: str = "random",
) -> Iterator[tuple[Array, Indices]]:
    r"""Yield the points of a stochastic gradient descent, each with the observations of the step to come.

    Step t takes a batch :math:`\mathcal B_t` and moves
    :math:`w_{t+1} = w_t-\eta_t\,\tfrac1{|\mathcal B_t|}\sum_{i\in\mathcal B_t}\nabla Q_i(w_t)`. A loss
    measured on the rows that are yielded is measured before the step on them, as it must be: afterwards it is
    flattered.

    A batch of k observations drawn without replacement gives an unbiased gradient with covariance
    :math:`\tfrac1k\,(1-\tfrac kn)\,S`, where S is the covariance of single gradients (over n - 1).

    Parameters
    ----------
    gradient : callable
        Maps a point of shape (d,) and an array of rows to the mean gradient over these rows, of shape (d,).
    n : int
        The number of observations.
    w0 : array of shape (d,)
        The starting point.
    step : callable
        The step size: maps t = 1, 2, ... to a number.
    batch : int
        Observations a step, at most n.
    rng : Generator or int, optional
        The source of randomness, or its seed; the cyclic order needs none.
    order : {"random", "epochs", "cyclic"}
        Draw each batch afresh; go through a new shuffle in each pass; or go through the rows as they are. A
        pass whose end holds fewer than ``batch`` rows ends with a smaller batch.

    References
    ----------
    Robbins and Monro, *A Stochastic Approximation Method*, 1951.

    Examples
    --------
    For the squared distance to two points and steps 1/(2t), w is the mean of the points seen so far:

    >>> from lecturekit.steps import PowerStep
    >>> points = np.array([[2.0], [4.0]])
    >>> slope = lambda w, rows: 2 * (w - points[rows].mean(axis=0))
    >>> steps = sgd_steps(slope, 2, [0.0], step=PowerStep(0.5, 1), order="cyclic")
    >>> [(float(w[0]), rows.tolist()) for w, rows in islice(steps, 3)]
    [(0.0, [0]), (2.0, [1]), (3.0, [0])]
    """
    n = _check.count(n, "n", "there must be an observation to learn from")
    batch = _check.count(batch, "batch", "take at least one observation a step")
    if batch > n:
        raise ValueError(f"batch must be at most the number of observations {n}, got {batch}; use all")
    if order not in ORDERS:
        raise ValueError(f'order must be "random", "epochs" or "cyclic", got {order!r}')
    source = None if order == "cyclic" else _check.generator(rng)  # type: ignore[arg-type]
    return _walk(gradient, _check.start(w0), step, _batches(n, batch, order, source))


def _walk(
    gradient: BatchField, w: Array, step: StepSize, batches: Iterator[Indices]
) -> Iterator[tuple[Array, Indices]]:
    """Take one step for each batch."""
    t = 1
    while True:
        rows = next(batches)
        yield w, rows
        g = _check.gradient(gradient(w, rows), w, t, "take smaller steps")
        w, t = w - step(t) * g, t + 1


def sgd(
    gradient: BatchField,
    n: int,
    w0: Any,
    *,
    step: StepSize,
    batch: int = 1,
    n_iter: int,
    rng: np.random.Generator | int | None = None,
    order: str = "random",
    objective: Callable[[Array], float] | None = None,
) -> Descent:
    r"""Minimise a mean over n observations by a fixed number of stochastic gradient steps.

    Parameters
    ----------
    gradient, n, w0, step, batch, rng, order
        As in :func:`sgd_steps`.
    n_iter : int
        The number of steps: the gradient of a few observations stays long at the minimum, so its norm is no
        reason to stop.
    objective : callable, optional
        Maps a point to a number, which is kept in the trace for every point; it is not used otherwise.

    References
    ----------
    Bottou, Curtis and Nocedal, *Optimization Methods for Large-Scale Machine Learning*, 2018.

    Examples
    --------
    On the perceptron's loss and with steps of size one it is the perceptron:

    >>> from lecturekit.losses import BatchGradient, PerceptronLoss
    >>> from lecturekit.steps import ConstantStep
    >>> X, y = np.array([[1.0, 2.0], [1.0, -1.0]]), np.array([1.0, -1.0])
    >>> slope = BatchGradient(PerceptronLoss(), X, y)
    >>> sgd(slope, 2, np.zeros(2), step=ConstantStep(1.0), n_iter=4, order="cyclic").w
    array([1., 2.])
    """
    n_iter = _check.count(n_iter, "n_iter", "allow at least one step")
    trace: list[float] = []
    points = sgd_steps(gradient, n, w0, step=step, batch=batch, rng=rng, order=order)
    for point, _ in islice(points, n_iter + 1):
        w = point
        if objective is not None:
            trace.append(float(objective(w)))
    return Descent(w=w, n_iter=n_iter, converged=False, trace=np.array(trace))


def running_loss(losses: Any, share: float, start: float) -> Array:
    r"""Return the running mean of single losses, :math:`\hat Q_t=(1-a)\,\hat Q_{t-1}+a\,\ell_t`.

    It stands for the mean loss, so :math:`\hat Q_0` must be a *mean* loss too; and :math:`\ell_t` must be
    measured before step t, on the observations that the step then uses. After T steps the start weighs
    :math:`(1-a)^T` and a loss of k steps ago :math:`a(1-a)^k`.

    Parameters
    ----------
    losses : array of shape (T,)
        The losses :math:`\ell_1,\dots,\ell_T`.
    share : float
        The share a of the newest loss, above 0 and at most 1; the mean varies as one of (2-a)/a losses would.
    start : float
        The mean loss :math:`\hat Q_0` before the first step.

    Returns
    -------
    array of shape (T + 1,)
        :math:`\hat Q_0,\dots,\hat Q_T`.

    Examples
    --------
    A loss that never changes leaves the estimate where it is, unless it starts at a sum over 100:

    >>> constant = np.full(60, 0.5)
    >>> running_loss(constant, 0.05, 0.5)[[0, 20, 60]].round(2)
    array([0.5, 0.5, 0.5])
    >>> running_loss(constant, 0.05, 50.0)[[0, 20, 60]].round(2)
    array([50.  , 18.25,  2.78])
    """
    losses = _check.line(losses, "losses")
    share = _check.positive(share, "share", "a share of zero would never look at a loss")
    if share > 1:
        raise ValueError(f"share must be at most 1, got {share:g}; it is the weight of the newest loss")
    estimate = [float(start)]
    for loss in losses:
        estimate.append((1 - share) * estimate[-1] + share * float(loss))
    return np.array(estimate)


def initial_weights(
    X: Any, y: Any, how: str = "zeros", rng: np.random.Generator | int | None = None
) -> Array:
    r"""Return weights to start a descent from.

    ``"zeros"``; ``"uniform"``, drawn from :math:`[-\tfrac1{2d},\tfrac1{2d}]`, so that scores are small and no
    logistic loss starts in its flat part; or ``"columns"``, one regression through the origin for each
    feature, :math:`w_j=\langle x^j,y\rangle/\langle x^j,x^j\rangle` with :math:`x^j` the j-th column (zero if
    the column is zero), which is the minimiser of the squared loss if the columns are orthogonal.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels or targets.
    how : {"zeros", "uniform", "columns"}
        The rule.
    rng : Generator or int, optional
        The source of randomness, or its seed, for ``"uniform"``.

    Examples
    --------
    >>> X, y = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 1.0])
    >>> w = initial_weights(X, y, "columns")
    >>> w, X @ w
    (array([2., 1.]), array([3., 1.]))
    """
    X = _check.matrix(X)
    y = _check.vector(y, len(X), "y")
    if how not in STARTS:
        raise ValueError(f'how must be "zeros", "uniform" or "columns", got {how!r}')
    if how == "uniform":
        source = _check.generator(rng)  # type: ignore[arg-type]
        return np.asarray(source.uniform(-0.5, 0.5, X.shape[1]) / X.shape[1])
    if how == "zeros":
        return np.zeros(X.shape[1])
    square = np.sum(X**2, axis=0)
    return np.asarray(X.T @ y / np.where(square > 0, square, 1.0))
