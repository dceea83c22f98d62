r"""Descent: follow a (sub-)gradient downhill, :math:`w_{t+1} = w_t - \eta_t\,g_t`.

Every method is a generator of iterates and a thin driver that decides when to stop and what to keep.

*Step sizes* are schedules from the number of the step, t = 1, 2, ..., to :math:`\eta_t`. Robbins and Monro
ask for :math:`\sum_t\eta_t=\infty`, so that every point can be reached, and :math:`\sum_t\eta_t^2<\infty`, so
that the noise of stochastic gradients dies out. *Gradient and sub-gradient descent* step along the whole
gradient, *stochastic* descent along that of a few observations: of an objective that is a mean over n of
them, :math:`Q(w)=\tfrac1n\sum_iQ_i(w)`, the gradient over a random minibatch :math:`\mathcal B` of k,
:math:`\tfrac1k\sum_{i\in\mathcal B}\nabla Q_i(w)`, has mean :math:`\nabla Q(w)` and costs :math:`k/n` of it.
*Newton's method* minimises the quadratic with the slope g and the curvature H of the function at w,
:math:`F(w)+g^\top v+\tfrac12v^\top Hv`. If H is positive definite its minimum is at :math:`v=-H^{-1}g`, which
is in general not the direction of the gradient.

References
----------
Boyd and Vandenberghe, *Convex Optimization*, 2004: gradient descent in section 9.3, Newton's method in 9.5.
Shor, *Minimization Methods for Non-Differentiable Functions*, 1985. Robbins and Monro, *A Stochastic
Approximation Method*, 1951. Bottou, Curtis and Nocedal, *Optimization Methods for Large-Scale Machine
Learning*, 2018.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices

__all__ = [
    "ConstantStep",
    "Descent",
    "InverseStep",
    "PowerStep",
    "descent_steps",
    "gradient_descent",
    "initial_weights",
    "newton",
    "newton_steps",
    "running_loss",
    "sgd",
    "sgd_steps",
    "subgradient_descent",
]

# -- step sizes and the end --------------------------------------------------------------------------------

StepSize: TypeAlias = Callable[[int], float]
"""The step size as a function of the step's number, which starts at one."""


@dataclass(frozen=True)
class ConstantStep:
    r"""The step size :math:`\eta_t = \eta`.

    Parameters
    ----------
    eta : float
        The step size, > 0.

    Examples
    --------
    >>> ConstantStep(0.5)(1), ConstantStep(0.5)(100)
    (0.5, 0.5)
    """

    eta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "eta", _check.positive(self.eta, "eta", "a descent must move downhill"))

    def __call__(self, t: int) -> float:
        """Return the size of step t."""
        return self.eta


@dataclass(frozen=True)
class InverseStep:
    r"""The step size :math:`\eta_t = 1/(\lambda t)` of a strongly convex objective.

    Parameters
    ----------
    lam : float
        The modulus of strong convexity, > 0.

    Examples
    --------
    >>> InverseStep(0.5)(1), InverseStep(0.5)(4)
    (2.0, 0.5)
    """

    lam: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", _check.positive(self.lam, "lam", "without it use PowerStep"))

    def __call__(self, t: int) -> float:
        """Return the size of step t."""
        return 1 / (self.lam * t)


@dataclass(frozen=True)
class PowerStep:
    r"""The step size :math:`\eta_t = \eta/t^p`.

    The sum of the steps is infinite for :math:`p\le1`, the sum of their squares finite for :math:`p>1/2`:
    Robbins and Monro's conditions hold for :math:`1/2<p\le1`.

    Parameters
    ----------
    eta : float
        The size of the first step, > 0.
    power : float
        The exponent p, >= 0.

    Examples
    --------
    Steps that shrink too fast reach no further than their sum, here :math:`\pi^2/6`:

    >>> t = np.arange(1, 100_000)
    >>> round(float(sum(map(PowerStep(1.0, 2), t.tolist()))), 3), round(np.pi**2 / 6, 3)
    (1.645, 1.645)
    """

    eta: float
    power: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "eta", _check.positive(self.eta, "eta", "a descent must move downhill"))
        object.__setattr__(self, "power", _check.nonnegative(self.power, "power", "steps may not grow"))

    def __call__(self, t: int) -> float:
        """Return the size of step t."""
        return float(self.eta / float(t) ** self.power)


@dataclass(frozen=True, kw_only=True, eq=False)
class Descent:
    """Where a descent ended.

    Attributes
    ----------
    w : array of shape (d,)
        The last point of a gradient, stochastic or Newton descent, the best one of a sub-gradient descent.
    n_iter : int
        Steps taken.
    converged : bool
        Whether the gradient reached the tolerance; a sub-gradient or stochastic descent has no such test and
        says False.
    trace : array of shape (n_iter + 1,)
        What was watched at every point: the norm of the gradient, or the objective; empty if nothing was.
    """

    w: Array = field(repr=False)
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)


# -- gradient and sub-gradient descent ---------------------------------------------------------------------

Field: TypeAlias = Callable[[Array], Array]
"""A gradient, a sub-gradient or a Hessian: from a point to an array."""


def descent_steps(gradient: Field, w0: ArrayLike, *, step: StepSize) -> Iterator[tuple[Array, Array]]:
    r"""Yield the points of a descent, :math:`w_{t+1} = w_t - \eta_t g_t`, each with its (sub-)gradient.

    Parameters
    ----------
    gradient : callable
        Maps a point of shape (d,) to a gradient or sub-gradient of shape (d,).
    w0 : array of shape (d,)
        The starting point.
    step : callable
        The step size: maps t = 1, 2, ... to a number.

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


def _until_short(steps: Iterator[tuple[Array, Array]], tol: float, max_iter: int) -> Descent:
    """Take steps until the gradient is short."""
    tol = _check.positive(tol, "tol", "a gradient of exactly zero is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    norms: list[float] = []
    for point, g in islice(steps, max_iter + 1):
        w = point
        norms.append(float(np.linalg.norm(g)))
        if norms[-1] <= tol:
            break
    return Descent(w=w, n_iter=len(norms) - 1, converged=norms[-1] <= tol, trace=np.array(norms))


def gradient_descent(
    gradient: Field, w0: ArrayLike, *, step: StepSize, tol: float = 1e-6, max_iter: int = 10_000
) -> Descent:
    r"""Minimise a differentiable function: walk against the gradient until it is short.

    Parameters
    ----------
    gradient, w0, step
        Those of :func:`descent_steps`.
    tol : float
        Stop when :math:`\lVert\nabla F(w)\rVert` is at most this.
    max_iter : int
        The most steps to take.

    Examples
    --------
    The minimum of :math:`(w_1-1)^2 + 10\,(w_2+2)^2` is at (1, -2):

    >>> slope = lambda w: np.array([2 * (w[0] - 1), 20 * (w[1] + 2)])
    >>> result = gradient_descent(slope, [0.0, 0.0], step=ConstantStep(0.05))
    >>> result.converged, np.round(result.w, 4)
    (True, array([ 1., -2.]))
    """
    return _until_short(descent_steps(gradient, w0, step=step), tol, max_iter)


def subgradient_descent(
    objective: Callable[[Array], float], subgradient: Field, w0: ArrayLike, *, step: StepSize, n_iter: int
) -> Descent:
    r"""Minimise a convex function along sub-gradients, and keep the best point.

    A step against a sub-gradient may go up, so the last point need not be the best, and a sub-gradient need
    not be short near a minimum: the number of steps is fixed beforehand.

    Parameters
    ----------
    objective : callable
        Maps a point of shape (d,) to the value there.
    subgradient, w0, step
        Those of :func:`descent_steps`.
    n_iter : int
        The number of steps.

    Examples
    --------
    On :math:`\lvert w\rvert` the objective goes up and down, the best value is what counts:

    >>> length = lambda w: float(abs(w[0]))
    >>> result = subgradient_descent(length, np.sign, [1.0], step=PowerStep(0.7, 0.5), n_iter=200)
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


# -- stochastic gradients ----------------------------------------------------------------------------------

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
    w0: ArrayLike,
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

    Examples
    --------
    For the squared distance to two points and steps 1/(2t), w is the mean of the points seen so far:

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
    w0: ArrayLike,
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
        Those of :func:`sgd_steps`.
    n_iter : int
        The number of steps: the gradient of a few observations stays long at the minimum, so its norm is no
        reason to stop.
    objective : callable, optional
        Maps a point to a number, which is kept in the trace for every point; it is not used otherwise.

    Examples
    --------
    On the perceptron's loss and with steps of size one it is the perceptron:

    >>> from lecturekit.losses import BatchGradient, PerceptronLoss
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


def running_loss(losses: ArrayLike, share: float, start: float) -> Array:
    r"""Return the running mean of single losses, :math:`\hat Q_t=(1-a)\,\hat Q_{t-1}+a\,\ell_t`.

    It stands for the mean loss, so :math:`\hat Q_0` must be a *mean* loss too; and :math:`\ell_t` must be
    measured before step t, on the observations that the step then uses. After T steps the start weighs
    :math:`(1-a)^T` and a loss of k steps ago :math:`a(1-a)^k`. Returned are
    :math:`\hat Q_0,\dots,\hat Q_T`.

    Parameters
    ----------
    losses : array of shape (T,)
        The losses :math:`\ell_1,\dots,\ell_T`.
    share : float
        The share a of the newest loss, above 0 and at most 1; the mean varies as one of (2-a)/a losses would.
    start : float
        The mean loss :math:`\hat Q_0` before the first step.

    Examples
    --------
    A loss that never changes is forgotten slowly where the estimate starts at a sum over 100:

    >>> constant = np.full(60, 0.5)
    >>> running_loss(constant, 0.05, 50.0)[[0, 20, 60]].round(2)
    array([50.  , 18.25,  2.78])
    """
    share = _check.positive(share, "share", "a share of zero would never look at a loss")
    if share > 1:
        raise ValueError(f"share must be at most 1, got {share:g}; it is the weight of the newest loss")
    estimate = [_check.real(start, "start")]
    for loss in _check.line(losses, "losses"):
        estimate.append((1 - share) * estimate[-1] + share * float(loss))
    return np.array(estimate)


def initial_weights(
    X: ArrayLike, y: ArrayLike, how: str = "zeros", rng: np.random.Generator | int | None = None
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


# -- Newton's method ---------------------------------------------------------------------------------------

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


def newton_steps(gradient: Field, hessian: Field, w0: ArrayLike) -> Iterator[tuple[Array, Array]]:
    r"""Yield the points of Newton's method, each with its gradient: :math:`w_{t+1}=w_t-H(w_t)^{-1}g(w_t)`.

    Parameters
    ----------
    gradient, w0
        Those of :func:`gradient_descent`.
    hessian : callable
        Maps a point of shape (d,) to the Hessian there, of shape (d, d) and positive definite.

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
    gradient: Field,
    hessian: Field,
    w0: ArrayLike,
    *,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> Descent:
    r"""Minimise a function with positive definite Hessians by full Newton steps.

    Near the minimum each step about squares the error. Far from it a full step may go up, and with a Hessian
    that is not positive definite the step need not go down at all: that is an error.

    Parameters are those of :func:`newton_steps`, and ``tol`` and ``max_iter`` those of
    :func:`gradient_descent`.

    Examples
    --------
    The minimum of :math:`e^w-2w` is at :math:`\log2`; the correct digits double:

    >>> result = newton(lambda w: np.exp(w) - 2, lambda w: np.exp(w)[:, None], [0.0])
    >>> result.converged, bool(np.isclose(result.w[0], np.log(2)))
    (True, True)
    >>> [f"{norm:.0e}" for norm in result.trace[:5]]
    ['1e+00', '7e-01', '9e-02', '2e-03', '8e-07']
    """
    return _until_short(newton_steps(gradient, hessian, w0), tol, max_iter)
