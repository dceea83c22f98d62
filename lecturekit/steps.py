r"""Step sizes of a descent :math:`w_{t+1} = w_t - \eta_t\,g_t`, and the record of where it ended.

A schedule maps the number of the step, t = 1, 2, ..., to :math:`\eta_t`. Robbins and Monro ask for
:math:`\sum_t\eta_t=\infty`, so that every point can be reached, and :math:`\sum_t\eta_t^2<\infty`, so that
the noise of stochastic gradients dies out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array

__all__ = ["ConstantStep", "Descent", "InverseStep", "PowerStep", "SqrtStep", "exact_step"]

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
        object.__setattr__(self, "lam", _check.positive(self.lam, "lam", "without it use SqrtStep"))

    def __call__(self, t: int) -> float:
        """Return the size of step t."""
        return 1 / (self.lam * t)


@dataclass(frozen=True)
class SqrtStep:
    r"""The step size :math:`\eta_t = \eta/\sqrt t`, for convex objectives that are not strongly convex.

    Parameters
    ----------
    eta : float
        The size of the first step, > 0.

    Examples
    --------
    >>> SqrtStep(0.5)(1), SqrtStep(0.5)(4)
    (0.5, 0.25)
    """

    eta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "eta", _check.positive(self.eta, "eta", "a descent must move downhill"))

    def __call__(self, t: int) -> float:
        """Return the size of step t."""
        return float(self.eta / np.sqrt(t))


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
    >>> PowerStep(0.5, 2)(1), PowerStep(0.5, 2)(4)
    (0.5, 0.03125)

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


def exact_step(g: Any, H: Any) -> float:
    r"""Return the step against the gradient that lowers a quadratic most.

    Along :math:`w-\eta g` a quadratic with Hessian H and gradient g at w is
    :math:`F(w)-\eta\,g^\top g+\tfrac12\eta^2\,g^\top Hg`, least at

    .. math:: \eta^\star = \frac{g^\top g}{g^\top Hg}.

    Parameters
    ----------
    g : array of shape (d,)
        The gradient, not zero.
    H : array of shape (d, d)
        The Hessian, positive in the direction of g.

    References
    ----------
    Nocedal and Wright, *Numerical Optimization*, 2006, section 3.3.

    Examples
    --------
    On :math:`\tfrac12(w_1^2+9w_2^2)` from (9, 1) the step is 1/5, and no other is as good:

    >>> H, w = np.diag([1.0, 9.0]), np.array([9.0, 1.0])
    >>> exact_step(H @ w, H)
    0.2
    >>> values = [(w - eta * H @ w) @ H @ (w - eta * H @ w) / 2 for eta in (0.19, 0.2, 0.21)]
    >>> int(np.argmin(values))
    1
    """
    H = _check.symmetric(H, "H")
    g = _check.vector(g, len(H), "g")
    bend = float(g @ H @ g)
    if not bend > 0:
        raise ValueError(
            f"g'Hg must be > 0, got {bend:g}; the objective has no lowest point along this gradient"
        )
    return float(g @ g) / bend


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
