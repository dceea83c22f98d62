"""From a table to numbers on one scale: categories, holes, units."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Mask

__all__ = ["Standardizer", "impute_histogram", "impute_mean", "impute_regression", "one_hot"]


def one_hot(
    values: Sequence[Any] | Any, *, levels: Sequence[Any] | None = None, drop_first: bool = False
) -> tuple[Array, list[Any]]:
    r"""Code a categorical feature by one indicator column a level, :math:`z_k=[x=\text{level}_k]`.

    Beside a constant feature the columns of all levels are redundant, for they sum to one: drop the first,
    and each weight is the effect of its level against the dropped one.

    Parameters
    ----------
    values : sequence of n values
        The categories, strings or numbers.
    levels : sequence, optional
        The levels in the order of the columns; those of ``values``, sorted, by default. Give those of the
        training points to code others.
    drop_first : bool
        Leave out the column of the first level.

    Returns
    -------
    columns : array of shape (n, number of columns)
        Zeros and ones.
    levels : list
        The levels that have a column, in order.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 2.2.

    Examples
    --------
    >>> columns, levels = one_hot(["rent", "own", "rent"])
    >>> levels
    ['own', 'rent']
    >>> columns
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    """
    given = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kept = sorted(set(given)) if levels is None else list(levels)
    if not given or not kept:
        raise ValueError("values and levels must not be empty, got none; a category needs a level")
    for value in given:
        if value not in kept:
            raise ValueError(
                f"values must be among the levels {kept}, got {value!r}; name all levels, or drop those rows"
            )
    kept = kept[drop_first:]
    return np.array([[float(value == level) for level in kept] for value in given]), kept


# -- holes ---------------------------------------------------------------------------------------------------


def _holes(X: Any) -> tuple[Array, Mask]:
    """Return a copy of a matrix with zeros for NaN, and where they were; each column keeps a value."""
    array = np.array(X, dtype=np.float64)
    holes = np.isnan(array)
    filled = _check.matrix(np.where(holes, 0.0, array))
    bare = np.flatnonzero(holes.all(axis=0))
    if bare.size:
        raise ValueError(
            f"each column of X must have an observed value, got none in column {bare[0]}; drop the column"
        )
    return filled, holes


def impute_mean(X: Any) -> Array:
    r"""Fill each hole (NaN) with the mean of the observed values of its column.

    The column keeps its mean; its spread and its correlations shrink.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, NaN where a value is missing.

    References
    ----------
    Little and Rubin, *Statistical Analysis with Missing Data*, 2019, chapter 4.

    Examples
    --------
    >>> impute_mean([[1.0, 5.0], [np.nan, 7.0], [3.0, np.nan]])
    array([[1., 5.],
           [2., 7.],
           [3., 6.]])
    """
    filled, holes = _holes(X)
    return np.where(holes, filled.sum(axis=0) / (~holes).sum(axis=0), filled)


def impute_histogram(X: Any, *, rng: np.random.Generator | int) -> Array:
    r"""Fill each hole (NaN) with a draw from the observed values of its column.

    The column keeps its distribution; its correlations shrink.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, NaN where a value is missing.
    rng : Generator or int
        The source of randomness, or its seed.

    References
    ----------
    Little and Rubin, *Statistical Analysis with Missing Data*, 2019, chapter 4.

    Examples
    --------
    >>> filled = impute_histogram([[1.0], [np.nan], [3.0]], rng=0)
    >>> bool(filled[1, 0] in (1.0, 3.0))
    True
    """
    filled, holes = _holes(X)
    rng = _check.generator(rng)
    for j in range(filled.shape[1]):
        filled[holes[:, j], j] = rng.choice(filled[~holes[:, j], j], holes[:, j].sum())
    return filled


def impute_regression(X: Any, *, sweeps: int = 10) -> Array:
    r"""Fill each hole (NaN) with its least-squares prediction from the other columns.

    Start from the means; then, column by column, fit :math:`x_j\approx b+\sum_{k\ne j}w_kx_k` on the rows
    where :math:`x_j` is observed, and predict the others. Later sweeps use the better values of the earlier.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, NaN where a value is missing.
    sweeps : int
        How often every column is treated.

    References
    ----------
    van Buuren and Groothuis-Oudshoorn, *mice: Multivariate imputation by chained equations in R*, 2011.

    Examples
    --------
    >>> impute_regression([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [5.0, np.nan]]).round(6)[3]
    array([ 5., 10.])
    """
    sweeps = _check.count(sweeps, "sweeps", "treat every column at least once")
    filled, holes = impute_mean(X), _holes(X)[1]
    for _ in range(sweeps):
        for j in np.flatnonzero(holes.any(axis=0)):
            others = np.column_stack([np.ones(len(filled)), np.delete(filled, j, axis=1)])
            gone = holes[:, j]
            w = np.linalg.lstsq(others[~gone], filled[~gone, j], rcond=None)[0]
            filled[gone, j] = others[gone] @ w
    return filled


# -- units ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Standardizer:
    r"""Shift and scale of each feature, :math:`z_j=(x_j-\bar x_j)/s_j`, learnt from one set of points.

    Learn it from the training points and apply the same numbers to all others.

    Parameters
    ----------
    mean : array of shape (d,)
        The means :math:`\bar x_j`.
    scale : array of shape (d,)
        The standard deviations :math:`s_j>0`, with divisor n.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 3.4.

    Examples
    --------
    >>> units = Standardizer.fit([[150.0, 1.0], [170.0, 3.0]])
    >>> units([[160.0, 2.0], [180.0, 4.0]])
    array([[0., 0.],
           [2., 2.]])
    """

    mean: Array = field(repr=False)
    scale: Array = field(repr=False)

    @classmethod
    def fit(cls, X: Any) -> "Standardizer":
        """Learn means and standard deviations from the (n, d) points ``X``."""
        X = _check.matrix(X)
        constant = np.flatnonzero(np.ptp(X, axis=0) == 0)
        if constant.size:
            raise ValueError(
                f"each column of X must vary, got a constant column {constant[0]}; "
                "drop it, an intercept does its work"
            )
        return cls(mean=X.mean(axis=0), scale=X.std(axis=0))

    def __call__(self, X: Any) -> Array:
        """Standardise points with the learnt numbers."""
        return np.asarray((self._wide(X) - self.mean) / self.scale)

    def undo(self, Z: Any) -> Array:
        """Return standardised points to their units."""
        return np.asarray(self._wide(Z) * self.scale + self.mean)

    def _wide(self, points: Any) -> Array:
        """Check points against the learnt number of columns."""
        X = _check.matrix(points)
        if X.shape[1] != len(self.mean):
            raise ValueError(
                f"X must have {len(self.mean)} columns, got {X.shape[1]}; "
                "standardise the features it was fitted on"
            )
        return X
