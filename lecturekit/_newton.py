"""The damped Newton step of logistic regression and of Platt's curve."""

from collections.abc import Callable

ENOUGH = 1e-4  # share of the promised decrease that a step must bring
VISIBLE = 1e-13  # relative decrease that rounding cannot hide


def damped(value: Callable[[float], float], start: float, promised: float) -> float | None:
    """Return the share of a Newton step to take: all of it, halved until the value falls as it should.

    ``value`` maps a share to the value there, ``start`` is the value at zero, and ``promised`` the decrease
    at the initial slope. None says that the value is too coarse to judge a step: the gradient must.
    """
    if promised <= VISIBLE * start:
        return None
    share = 1.0
    while value(share) > start - ENOUGH * share * promised:
        share /= 2
    return share
