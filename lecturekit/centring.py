r"""Centred data: how an intercept that is not penalised leaves a problem.

For given weights w the best intercept is :math:`b=\bar y-\langle\bar x,w\rangle`. Put in, it turns
:math:`y-Xw-b` into :math:`(y-\bar y)-(X-\bar x)w`: subtract the means, solve without an intercept, compute b.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices

__all__ = ["Centred", "centre"]

CONSTANT = 8 * float(np.finfo(np.float64).eps)  # a column that varies less, relative to its mean, is constant
FAR = 10.0  # means that exceed the spread by more are subtracted beforehand: else they would cost digits
ROWS = 10  # so many rows tell how large a spread is


@dataclass(frozen=True, kw_only=True, eq=False)
class Centred:
    """Points and targets of mean zero, and the means that they had; without an intercept these are zero.

    Attributes
    ----------
    X : array of shape (n, d)
        The points; ``X - shift`` has columns of mean zero.
    shift : array of shape (d,), optional
        What is still to be subtracted; None if nothing is.
    Y : array of shape (n,) or (n, k)
        The targets.
    x_mean : array of shape (d,)
        The means of the points.
    y_mean : float or array of shape (k,)
        The means of the targets.
    """

    X: Array = field(repr=False)
    shift: Array | None = field(repr=False)
    Y: Array = field(repr=False)
    x_mean: Array = field(repr=False)
    y_mean: Any = field(repr=False)

    @cached_property
    def scale(self) -> float:
        """The objective of the best constant prediction, half the mean square of the targets."""
        return float(np.vdot(self.Y, self.Y)) / (2 * len(self.Y))

    def intercept(self, W: Array) -> Any:
        """Return the intercept that belongs to weights."""
        b = self.y_mean - self.x_mean @ W
        return float(b) if np.ndim(b) == 0 else b

    def correlations(self, R: Array) -> Array:
        r"""Return :math:`\langle x_j,R\rangle/n` for each centred column.

        Residuals have mean zero if there is an intercept, so what is still to be subtracted does not matter.
        """
        return np.asarray(self.X.T @ R / len(R))

    def columns(self, features: Indices) -> Array:
        """Return a copy of some centred columns."""
        by_column = self.X.flags.f_contiguous
        taken = np.take(self.X.T, features, axis=0).T if by_column else np.take(self.X, features, axis=1)
        if self.shift is not None:
            taken -= self.shift[features]
        return np.asarray(taken)


def centre(X: Any, y: Any, *, intercept: bool = True, copy: bool = True) -> Centred:
    """Check the data and centre them.

    A column that is constant but for rounding becomes exactly zero.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,) or (n, k)
        The targets.
    intercept : bool
        Whether there is an intercept.
    copy : bool
        Whether to subtract the means from the points, which come in Fortran order then, column after
        column. If not, the points stay where they are, unless a mean is so large that it would cost digits.

    Examples
    --------
    >>> data = centre([[1.0, 5.0], [3.0, 5.0]], [10.0, 20.0])
    >>> data.X.tolist(), data.Y.tolist(), data.intercept(np.array([5.0, 0.0]))
    ([[-1.0, 0.0], [1.0, 0.0]], [-5.0, 5.0], 5.0)
    """
    X = _check.matrix(X, copy=False, finite=not intercept).astype(np.float64, copy=False)
    Y = _check.vector(y, len(X), "y") if np.ndim(y) < 2 else _check.matrix(y, "Y")
    if len(Y) != len(X):
        raise ValueError(f"Y must have {len(X)} rows, got {len(Y)}; give one row a point")
    Y = Y.astype(np.float64, copy=False)
    if not intercept:
        X = np.asfortranarray(X) if copy or not X.flags.forc else X
        return Centred(X=X, shift=None, Y=Y, x_mean=np.zeros(X.shape[1]), y_mean=np.zeros(Y.shape[1:]))
    x_mean, y_mean = _means(X), Y.mean(axis=0)
    shift: Array | None = x_mean
    if copy or not X.flags.forc or _far_from_zero(X, x_mean):
        X, shift = _shifted(X, x_mean), None
    return Centred(X=X, shift=shift, Y=Y - y_mean, x_mean=x_mean, y_mean=y_mean)


def _means(X: Array) -> Array:
    """Return the means of the columns; a number that is not finite would show in them."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.ones(len(X)) @ X / len(X)  # a product takes half as long as X.mean
    if not np.all(np.isfinite(mean)):
        _check.matrix(X)
    return np.asarray(mean)


def _far_from_zero(X: Array, mean: Array) -> bool:
    """Whether a mean is large, compared with how far the first entries of the column are from it."""
    spread = np.abs(np.subtract(X[:ROWS], mean, order="C")).max(axis=0)
    return bool(np.any(np.abs(mean) > FAR * spread))


def _shifted(X: Array, mean: Array) -> Array:
    """Return the points minus their means, by columns."""
    Z = np.empty(X.shape, order="F")
    np.subtract(X, mean, out=Z)
    spread = np.einsum("ij,ij->j", Z, Z)
    # the mean of n equal numbers may be wrong in the last digits, more so the larger n is
    doubtful = np.flatnonzero(spread <= len(Z) * (len(Z) * CONSTANT * mean) ** 2)
    Z[:, doubtful[np.ptp(X[:, doubtful], axis=0) <= CONSTANT * np.abs(mean[doubtful])]] = 0.0
    return Z
