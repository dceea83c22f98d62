r"""Separability: whether a hyperplane can split two classes, and how often it can.

Write :math:`z_i = (1, x_i)` for a point with a leading one. Classes are *separable* when some weights v have
:math:`y_i\langle v, z_i\rangle > 0` for all i. That is a system of linear inequalities, so a linear programme
decides it, whatever the dimension. How many of the :math:`2^n` labellings of n points are separable was
counted by Cover.
"""

from math import comb
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from lecturekit import _check
from lecturekit._typing import Array, Mask

__all__ = [
    "column_basis",
    "cover_count",
    "is_separable",
    "separable_probability",
    "separated_points",
    "signed_points",
]

ANSWERS = {0: True, 2: False}  # by the solver's status: solved, no solution; a third one would be its failure
HALF = 0.5  # between 0 and 1, the two values that the programme of `separated_points` gives a point


def signed_points(X: Any, y: Any, *, intercept: bool = True) -> Array:
    r"""Return the rows :math:`a_i = y_i\,(1, x_i)`: weights v have point i right if :math:`a_i^\top v>0`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels -1 and +1.
    intercept : bool
        Whether to put a one in front; else the rows are :math:`y_i\,x_i`.

    References
    ----------
    Cover, *Geometrical and statistical properties of systems of linear inequalities*, 1965.

    Examples
    --------
    >>> signed_points([[2.0], [3.0]], [1, -1])
    array([[ 1.,  2.],
           [-1., -3.]])
    """
    X = _check.matrix(X, copy=False).astype(np.float64, copy=False)
    y = _check.signs(y, len(X), both=False)
    return np.asarray(y[:, None] * (np.column_stack([np.ones(len(X)), X]) if intercept else X))


def column_basis(A: Any) -> Array:
    r"""Return orthonormal columns that span what the columns of A span; where A is zero, a column of zeros.

    What hyperplanes can do depends on that span only; a programme in terms of the basis does not suffer from
    columns in very different units, with a large mean, or that depend on each other.

    Parameters
    ----------
    A : array of shape (n, p)
        Any columns.

    References
    ----------
    Golub and Van Loan, *Matrix Computations*, 2013, section 2.4.

    Examples
    --------
    >>> column_basis([[1.0, 1e9], [1.0, 1e9], [1.0, 1e9]]).round(3).tolist()
    [[-0.577], [-0.577], [-0.577]]
    """
    A = _check.matrix(A, "A").astype(np.float64)
    largest = np.abs(A).max(axis=0)
    U, s, _ = np.linalg.svd(A / np.where(largest > 0, largest, 1.0), full_matrices=False)
    kept = s > max(A.shape) * np.finfo(np.float64).eps * s[0]
    return np.asarray((U * kept)[:, : max(1, kept.sum())])


def _same_length(A: Any) -> sparse.csr_array:
    """Divide every row by its largest entry, which does not change on which side of a hyperplane it is."""
    A = sparse.csr_array(A)
    largest = abs(A).max(axis=1).toarray().ravel()
    return sparse.csr_array(sparse.diags_array(1 / np.where(largest > 0, largest, 1.0)) @ A)


def separated_points(A: Any) -> Mask:
    r"""Tell which points some weights have strictly on their right side while no point is on its wrong side.

    All true: the classes are separable. All false: they overlap, and the logistic risk has a minimum.
    Anything between is *quasi-complete* separation: some points can be pushed away for ever while the others
    stay on the boundary, and the logistic risk has no minimum either.

    By Gordan's theorem point i cannot be pushed away exactly if it takes part in a balance
    :math:`\sum_i u_i a_i = 0` with :math:`u\ge0` and :math:`u_i>0`. Balances may be added and scaled up, so
    the linear programme :math:`\max\sum_i\min(1,u_i)` over them ends with :math:`u_i\ge1` for every such
    point and :math:`u_i=0` for the others.

    Parameters
    ----------
    A : array or sparse array of shape (n, p)
        The rows :math:`a_i`, as :func:`signed_points` returns them.

    References
    ----------
    Albert and Anderson, *On the existence of maximum likelihood estimates in logistic regression models*,
    1984.

    Examples
    --------
    Two points of different classes share the place 0; the third can be told from them.

    >>> separated_points(signed_points([[0.0], [0.0], [1.0]], [-1, 1, 1]))
    array([False, False,  True])
    """
    columns = _same_length(A if sparse.issparse(A) else column_basis(A)).T
    p, n = columns.shape
    balance = linprog(  # u is the sum of a part below one, which counts, and a rest
        np.repeat([-1.0, 0.0], n),
        A_eq=sparse.hstack([columns, columns], format="csr"),
        b_eq=np.zeros(p),
        bounds=np.repeat([[0.0, 1.0], [0.0, np.inf]], n, axis=0),
        method="highs",
    )
    return np.asarray(balance.x[:n] < HALF)


def is_separable(X: Any, y: Any, *, intercept: bool = True) -> bool:
    r"""Tell whether a hyperplane has all points of the two classes strictly on their sides.

    It has if and only if the inequalities :math:`y_i(\langle w,x_i\rangle+b)\ge1` have a solution.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        Labels -1 and +1; one class alone is separable if there is an intercept.
    intercept : bool
        Whether the hyperplane may miss the origin.

    References
    ----------
    Mangasarian, *Linear and nonlinear separation of patterns by linear programming*, 1965.

    Examples
    --------
    A line can do "or" but not "exclusive or".

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> is_separable(corners, [-1, 1, 1, 1]), is_separable(corners, [-1, 1, 1, -1])
    (True, False)
    """
    A = _same_length(column_basis(signed_points(X, y, intercept=intercept)))
    n, p = A.shape
    found = linprog(np.zeros(p), A_ub=-A, b_ub=-np.ones(n), bounds=(None, None), method="highs")
    return ANSWERS[found.status]  # whether weights with <a_i, v> >= 1 for all i were found


def cover_count(n: int, d: int, *, intercept: bool = True) -> int:
    r"""Count the labellings of n points in general position that a hyperplane separates.

    .. math:: C(n, d) = 2\sum_{k=0}^{d}\binom{n-1}{k}

    Parameters
    ----------
    n : int
        The number of points.
    d : int
        The dimension of their space.
    intercept : bool
        Whether hyperplanes may miss the origin; if not, the sum ends at d - 1.

    References
    ----------
    Cover, *Geometrical and statistical properties of systems of linear inequalities*, 1965.

    Examples
    --------
    Of the 16 labellings of four points in the plane the two of "exclusive or" cannot be separated.

    >>> cover_count(3, 2), cover_count(4, 2)
    (8, 14)
    """
    n = _check.count(n, "n", "count at least one point")
    d = _check.count(d, "d", "points need at least one coordinate")
    return 2 * sum(comb(n - 1, k) for k in range(d + 1 if intercept else d))


def separable_probability(n: int, d: int, *, intercept: bool = True) -> float:
    r"""Return the probability that fair coins label n points in general position separably.

    It is 1 up to n = d + 1, exactly one half at n = 2(d + 1), and falls the more steeply around there the
    larger d is.

    Parameters
    ----------
    n : int
        The number of points.
    d : int
        The dimension of their space.
    intercept : bool
        Whether hyperplanes may miss the origin; if not, d + 1 becomes d.

    References
    ----------
    Cover, *Geometrical and statistical properties of systems of linear inequalities*, 1965.

    Examples
    --------
    >>> separable_probability(3, 2), separable_probability(6, 2), separable_probability(60, 2) < 1e-14
    (1.0, 0.5, True)
    """
    return float(cover_count(n, d, intercept=intercept) / 2**n)
