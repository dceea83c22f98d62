r"""Leave-one-out without refitting, for learners whose fitted values are linear in the targets.

Such a learner, a *linear smoother*, has :math:`\hat y=Sy` with a matrix S that does not depend on y. If
putting the i-th observation back with its prediction as target leaves the fitted value there as it was, then
the residual without it is :math:`y_i-\hat g^{\neg i}(x_i)=(y_i-\hat y_i)/(1-S_{ii})`: one fit tells what n
fits would. That is so for least squares, for ridge regression with or without a kernel, and for
averages whose weights are a kernel of fixed width, but not for the average of the k nearest points.
"""

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.least_squares import leverages, ols

__all__ = ["loo_residuals", "ols_loo", "ridge_loo"]

ROUNDING = 100 * float(np.finfo(np.float64).eps)  # what is left of 1 - S_ii where it should be zero


def _left_out(residuals: Array, weights: Array) -> Array:
    """Divide residuals by what the targets have no say in; no observation may fix its own fitted value."""
    free = 1 - weights
    near = np.min(np.abs(np.atleast_2d(free)), axis=0)
    worst = int(np.argmin(near))
    if near[worst] <= len(residuals.T) * ROUNDING:
        raise ValueError(
            f"every observation must be predictable from the others, got a weight S_ii of 1 at {worst}; "
            "drop that observation, or penalise"
        )
    return np.asarray(residuals / free)


def loo_residuals(S: object, y: object) -> Array:
    r"""Return the residual of each observation under the fit without it, :math:`(y-Sy)_i/(1-S_{ii})`.

    The formula is right when the fitted value at a point does not change if an observation is added there on
    which the fit already agrees. A weight :math:`S_{ii}=1` leaves nothing to divide by.

    Parameters
    ----------
    S : array of shape (n, n)
        The smoother: fitted values are ``S @ y``.
    y : array of shape (n,)
        The targets.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 7.10.

    Examples
    --------
    The mean of the others, left out by hand:

    >>> y = np.array([1.0, 2.0, 6.0])
    >>> loo_residuals(np.full((3, 3), 1 / 3), y)
    array([-3. , -1.5,  4.5])
    >>> y - np.array([(2.0 + 6.0) / 2, (1.0 + 6.0) / 2, (1.0 + 2.0) / 2])
    array([-3. , -1.5,  4.5])
    """
    S = _check.matrix(S, "S").astype(np.float64)
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"S must be square, got shape {S.shape}; take the smoother at the training points")
    y = _check.vector(y, len(S), "y").astype(np.float64)
    return _left_out(y - S @ y, np.diag(S))


def ols_loo(X: object, y: object, *, intercept: bool = True) -> Array:
    r"""Return the leave-one-out residuals of least squares, :math:`e_i/(1-h_{ii})`, from one fit.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The targets.
    intercept : bool
        Whether there is an intercept.

    References
    ----------
    Allen, *The relationship between variable selection and data augmentation and a method for prediction*,
    1974.

    Examples
    --------
    Through two of three points there is one line; the third misses it by

    >>> ols_loo([[0.0], [1.0], [2.0]], [0.0, 0.0, 3.0]).round(12)
    array([ 3. , -1.5,  3. ])
    """
    X = _check.matrix(X).astype(np.float64)
    y = _check.vector(y, len(X), "y").astype(np.float64)
    fit = ols(X, y, intercept=intercept)
    return _left_out(y - X @ fit.w - fit.b, leverages(X, intercept=intercept))


def ridge_loo(X: object, y: object, lams: object, *, intercept: bool = True) -> Array:
    r"""Return the leave-one-out residuals of ridge regression for many penalties from one decomposition.

    The fit without observation i minimises
    :math:`\tfrac1{2(n-1)}\sum_{j\ne i}(y_j-\langle w,x_j\rangle-b)^2+\tfrac\lambda2\lVert w\rVert^2`, as
    :func:`lecturekit.penalized.ridge` does on n - 1 observations. So the smoother of all n has
    :math:`(n-1)\lambda`, not :math:`n\lambda`, beside the squared singular values.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The targets.
    lams : array of shape (m,)
        The penalties, >= 0.
    intercept : bool
        Whether there is an intercept, which is not penalised.

    Returns
    -------
    array of shape (m, n)
        One row a penalty; the mean of its squares is the leave-one-out error.

    References
    ----------
    Golub, Heath and Wahba, *Generalized cross-validation as a method for choosing a good ridge parameter*,
    1979.

    Examples
    --------
    >>> from lecturekit.penalized import ridge
    >>> X, y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([0.0, 2.0, 1.0, 3.0])
    >>> fit = ridge(X[1:], y[1:], 0.5)  # without the first
    >>> bool(np.isclose(ridge_loo(X, y, [0.5])[0, 0], y[0] - X[0] @ fit.w - fit.b))
    True
    """
    A: Array = _check.matrix(X).astype(np.float64)
    n = len(A)
    y = _check.vector(y, n, "y").astype(np.float64)
    lams = _check.line(lams, "lams")
    if lams.size == 0:
        raise ValueError("lams must hold at least one penalty, got none")
    if np.any(lams < 0):
        raise ValueError(f"lams must be numbers >= 0, got {lams.min():g}; a penalty does not reward weights")
    if intercept:
        A, y = A - A.mean(axis=0), y - y.mean()
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    kept = s > max(A.shape) * np.finfo(np.float64).eps * s[0]
    U, s = U[:, kept], s[kept]
    shrink = s**2 / (s**2 + (n - 1) * lams[:, None])  # one row a penalty
    weights = shrink @ (U**2).T + (1 / n if intercept else 0.0)
    return _left_out(y - (shrink * (U.T @ y)) @ U.T, weights)
