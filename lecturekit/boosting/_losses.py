r"""Losses :math:`L(r,y)` of a number r for a target y: what boosting descends, one function at a time."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices, Mask
from lecturekit.losses import sigmoid

NO_CURVATURE = 1e-150  # a curvature that is zero: all points of the leaf are right beyond the last digit


class BoostingLoss(ABC):
    r"""A convex loss of a score r for a target y: its value, slope and curvature in r.

    Examples
    --------
    A new loss needs these three, a start, and a check of the targets; leaves then take a Newton step:

    >>> class Quartic(SquaredError):
    ...     def __call__(self, r, y):
    ...         return (r - y) ** 4
    ...
    ...     def derivative(self, r, y):
    ...         return 4 * (r - y) ** 3
    ...
    ...     def curvature(self, r, y):
    ...         return 12 * (r - y) ** 2
    >>> Quartic().leaf_values(np.zeros(2), np.array([3.0, 3.0]), np.array([0, 0]), 1)
    array([1.])
    """

    @abstractmethod
    def __call__(self, r: Array, y: Array) -> Array:
        """Return the loss of each point."""

    @abstractmethod
    def derivative(self, r: Array, y: Array) -> Array:
        r"""Return :math:`\partial L/\partial r` at each point."""

    @abstractmethod
    def curvature(self, r: Array, y: Array) -> Array:
        r"""Return :math:`\partial^2L/\partial r^2` at each point."""

    @abstractmethod
    def start(self, y: Array) -> float:
        r"""Return the constant :math:`\arg\min_\gamma\sum_iL(\gamma,y_i)`."""

    @abstractmethod
    def targets(self, y: ArrayLike, length: int) -> Array:
        """Check the targets."""

    def endless(self, H: Array, y: Array) -> Mask:
        """Return along which rows h of ``H`` the loss of f + c h falls for ever, for any f; here none."""
        return np.zeros(len(H), dtype=bool)

    def leaf_values(self, f: Array, y: Array, leaf: Indices, size: int) -> Array:
        r"""Return for each leaf :math:`\gamma=\arg\min_\gamma\sum_{i\text{ in leaf}}L(f_i+\gamma,y_i)`.

        This is one Newton step from zero, :math:`-\sum L'/\sum L''`: the minimum itself for the squared
        error. In a leaf of one class the logistic and the exponential loss have no minimum, but a step.
        Nodes that are no leaf of any point have the value zero.
        """
        slope = np.bincount(leaf, self.derivative(f, y), size)
        curvature = np.bincount(leaf, self.curvature(f, y), size)
        return np.divide(-slope, curvature, out=np.zeros(size), where=curvature > NO_CURVATURE)


@dataclass(frozen=True)
class SquaredError(BoostingLoss):
    r"""The squared error :math:`(r-y)^2`: its negative slope is twice the residual.

    Examples
    --------
    >>> loss, f, y = SquaredError(), np.array([1.0, 1.0]), np.array([0.0, 4.0])
    >>> loss(f, y), -loss.derivative(f, y), loss.leaf_values(f, y, np.array([0, 0]), 1)
    (array([1., 9.]), array([-2.,  6.]), array([1.]))
    """

    def __call__(self, r: Array, y: Array) -> Array:
        """Return the loss of each point."""
        return np.asarray((r - y) ** 2)

    def derivative(self, r: Array, y: Array) -> Array:
        """Return the slope at each point."""
        return np.asarray(2 * (r - y))

    def curvature(self, r: Array, y: Array) -> Array:
        """Return the curvature at each point."""
        return np.full(np.shape(r - y), 2.0)

    def start(self, y: Array) -> float:
        """Return the mean."""
        return float(np.mean(y))

    def targets(self, y: ArrayLike, length: int) -> Array:
        """Check that the targets are numbers."""
        return _check.vector(y, length, "y").astype(np.float64)


@dataclass(frozen=True)
class AbsoluteError(SquaredError):
    r"""The absolute error :math:`|r-y|`: its negative slope is the sign of the residual.

    Examples
    --------
    >>> loss, f, y = AbsoluteError(), np.zeros(3), np.array([1.0, 2.0, 90.0])
    >>> loss.start(y), loss.leaf_values(f, y, np.array([0, 0, 0]), 1)
    (2.0, array([2.]))
    """

    def __call__(self, r: Array, y: Array) -> Array:
        """Return the loss of each point."""
        return np.abs(r - y)

    def derivative(self, r: Array, y: Array) -> Array:
        """Return the slope at each point, zero at the kink."""
        return np.sign(r - y)

    def curvature(self, r: Array, y: Array) -> Array:
        """Return zero."""
        return np.zeros(np.shape(r - y))

    def start(self, y: Array) -> float:
        """Return the median."""
        return float(np.median(y))

    def leaf_values(self, f: Array, y: Array, leaf: Indices, size: int) -> Array:
        """Return the medians of the residuals."""
        order = np.argsort(leaf, kind="stable")
        found, first = np.unique(leaf[order], return_index=True)
        values = np.zeros(size)
        values[found] = [np.median(part) for part in np.split((y - f)[order], first[1:])]
        return values


@dataclass(frozen=True)
class LogisticError(BoostingLoss):
    r"""The logistic loss :math:`\log(1+e^{-yr})` for labels -1 and +1; r is the log-odds of +1.

    Its negative slope is :math:`[y=1]-p` with the probability :math:`p=\frac1{1+e^{-r}}`.

    Examples
    --------
    >>> loss, y = LogisticError(), np.array([1.0, 1.0, -1.0])
    >>> f = np.zeros(3)
    >>> -loss.derivative(f, y), round(loss.start(y), 4)
    (array([ 0.5,  0.5, -0.5]), 0.6931)
    """

    def __call__(self, r: Array, y: Array) -> Array:
        """Return the loss of each point."""
        return np.logaddexp(0.0, -y * r)

    def derivative(self, r: Array, y: Array) -> Array:
        """Return the slope at each point."""
        return np.asarray(-y * sigmoid(-y * r))

    def curvature(self, r: Array, y: Array) -> Array:
        """Return the curvature at each point."""
        return np.asarray(sigmoid(r) * sigmoid(-r))

    def start(self, y: Array) -> float:
        """Return the log-odds of the classes."""
        positive = float(np.mean(y > 0))
        return float(np.log(positive / (1 - positive)))

    def endless(self, H: Array, y: Array) -> Mask:
        """Return which rows of ``H`` have the sign of the label at every point, or the other one at every."""
        margins = y * H
        return np.asarray(np.all(margins >= 0, axis=1) != np.all(margins <= 0, axis=1))  # zeros are both

    def targets(self, y: ArrayLike, length: int) -> Array:
        """Check that the targets are -1 and +1, both of them."""
        return _check.signs(y, length)


@dataclass(frozen=True)
class ExponentialError(LogisticError):
    r"""The exponential loss :math:`e^{-yr}` of AdaBoost, for labels -1 and +1; r is half the log-odds of +1.

    Examples
    --------
    >>> loss, y = ExponentialError(), np.array([1.0, 1.0, -1.0])
    >>> round(loss.start(y), 4), loss(np.zeros(3), y)
    (0.3466, array([1., 1., 1.]))
    """

    def __call__(self, r: Array, y: Array) -> Array:
        """Return the loss of each point."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-y * r))

    def derivative(self, r: Array, y: Array) -> Array:
        """Return the slope at each point."""
        return np.asarray(-y * self(r, y))

    def curvature(self, r: Array, y: Array) -> Array:
        """Return the curvature at each point."""
        return self(r, y)

    def start(self, y: Array) -> float:
        """Return half the log-odds of the classes."""
        return super().start(y) / 2
