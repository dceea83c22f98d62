r"""Least squares: the weights that make the mean squared residual smallest, and what it leaves over.

The problem is :math:`\min_{b, w} \frac1n \sum_i v_i (w^\top x_i + b - y_i)^2` with weights :math:`v_i \ge 0`
that are one unless said otherwise. The fitted values are the projection :math:`\hat y = Hy` of the responses
on the column space of the design :math:`\tilde X = [\mathbf 1\; X]`, and the residuals
:math:`e = (I - H)y` are what remains. First come the factors of a matrix; then what residuals tell about a
model: leverages, the size of the noise, correlated errors, collinearity, all from an orthonormal basis of the
column space, so that no matrix is inverted; last the fit itself.

References
----------
Abu-Mostafa, Magdon-Ismail and Lin, *Learning from Data*, 2012, section 3.2; Golub and Van Loan, *Matrix
Computations*, 2013, sections 2.4 and 2.6 and chapter 5; Hastie, Tibshirani and Friedman, *The Elements of
Statistical Learning*, 2009, section 3.2; Hoaglin and Welsch, The hat matrix in regression and ANOVA, *The
American Statistician*, 1978.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.linalg import qr, solve_triangular
from scipy.special import ndtr

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

__all__ = [
    "LeastSquares",
    "RunsTest",
    "compact_svd",
    "condition_number",
    "durbin_watson",
    "hat_matrix",
    "in_sample_error",
    "leverages",
    "ols",
    "pseudo_inverse",
    "runs_test",
    "squared_gradient",
    "standard_errors",
    "studentized",
    "vif",
    "weighted_ls",
]

# -- factors -----------------------------------------------------------------------------------------------

RELATIVE_ZERO = 10 * float(np.finfo(np.float64).eps)  # what rounding leaves of zero, a dimension


def _tolerance(A: Array) -> float:
    """Return the share of the largest singular value below which one counts as zero."""
    return float(max(A.shape) * RELATIVE_ZERO)


def compact_svd(A: ArrayLike) -> tuple[Array, Array, Array]:
    r"""Factor a matrix as :math:`A = U D V^\top`, keeping only the singular values that are not zero.

    The columns of :math:`U`, shape (n, r), are an orthonormal basis of the column space, those of :math:`V`,
    shape (d, r), one of the row space, and the number r of singular values, the largest first, is the rank.
    Zero means at most :math:`10\max(n, d)` times the machine precision, times the largest.

    Parameters
    ----------
    A : array of shape (n, d)
        Any matrix.

    Examples
    --------
    >>> U, s, V = compact_svd([[3.0, 3.0], [4.0, 4.0]])
    >>> np.round(s**2, 12), bool(np.allclose(U * s @ V.T, [[3, 3], [4, 4]]))
    (array([50.]), True)
    """
    A = _check.matrix(A, "A").astype(np.float64)
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    kept = s > _tolerance(A) * s[0]
    return U[:, kept], s[kept], Vt[kept].T


def _design(X: ArrayLike, fit_intercept: bool) -> Array:
    """Return the design: the columns of X, after a column of ones if there is an intercept."""
    X = _check.matrix(X).astype(np.float64)
    return np.column_stack([np.ones(len(X)), X]) if fit_intercept else X


def _centred(X: Array) -> Array:
    """Take the mean off each column; a constant column becomes exactly zero."""
    A = X - X.mean(axis=0)
    # Once more: it removes the rounding of a large mean. What that left of a constant column is one number of
    # few bits, so this mean of it is exact.
    return np.asarray(A - A.mean(axis=0))


def _basis(X: ArrayLike, fit_intercept: bool) -> Array:
    """Return an orthonormal basis of the design's column space; with an intercept its first vector is 1."""
    A = _design(X, False)
    A = _centred(A) if fit_intercept else A
    length = np.linalg.norm(A, axis=0)
    U = compact_svd(A / np.where(length > 0, length, 1))[0]  # units do not change the space
    # span[1, X] = span(1) + span(centred X), and the two parts are orthogonal.
    return np.column_stack([np.full(len(A), len(A) ** -0.5), U]) if fit_intercept else U


# -- the hat matrix ----------------------------------------------------------------------------------------


def hat_matrix(X: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the projection :math:`H` on the column space of the design, so that :math:`\hat y = Hy`.

    With independent columns :math:`H = \tilde X(\tilde X^\top \tilde X)^{-1}\tilde X^\top`; in general
    :math:`H = \tilde X \tilde X^\dagger`. It is symmetric, :math:`H^2 = H`, and its trace is the rank.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    fit_intercept : bool
        Whether the design has a column of ones besides X.

    Examples
    --------
    Of a line with an intercept the trace is two, whatever the points.

    >>> float(round(np.trace(hat_matrix([[1.0], [2.0], [4.0]])), 12))
    2.0
    """
    Q = _basis(X, fit_intercept)
    return np.asarray(Q @ Q.T)


def leverages(X: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the diagonal :math:`h_{ii}` of the hat matrix without forming the matrix.

    A change :math:`\Delta` of the response :math:`y_i` changes the fitted value there by
    :math:`h_{ii}\Delta`. Each lies in [0, 1] (with an intercept in [1/n, 1]); their sum is the rank.

    Parameters are those of :func:`hat_matrix`.

    Examples
    --------
    A point that alone decides a coefficient has leverage one:

    >>> np.round(leverages([[0.0], [0.0], [1.0]]), 12)
    array([0.5, 0.5, 1. ])
    """
    Q = _basis(X, fit_intercept)
    return np.asarray(np.einsum("ij,ij->i", Q, Q))


# -- the size of the noise ---------------------------------------------------------------------------------


def _remains(X: ArrayLike, y: ArrayLike, fit_intercept: bool, spare: int) -> tuple[Array, Array, int]:
    """Return residuals, leverages and degrees of freedom, of which at least ``spare`` must be left."""
    Q = _basis(X, fit_intercept)
    y = _check.vector(y, len(Q), "y").astype(np.float64)
    freedom = len(Q) - Q.shape[1]
    if freedom < spare:
        raise ValueError(
            f"X must leave at least {spare} of its {len(Q)} points over, got rank {Q.shape[1]}; "
            "the noise cannot be estimated: add points or drop columns"
        )
    e = y - Q @ (Q.T @ y)
    if np.linalg.norm(e) <= len(y) * RELATIVE_ZERO * np.linalg.norm(y):
        raise ValueError(
            f"y must differ from the fit, got residuals of norm {np.linalg.norm(e):.3g}; "
            "an exact fit leaves no noise to compare with"
        )
    return e, np.einsum("ij,ij->i", Q, Q), freedom


def standard_errors(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array:
    r"""Return the estimated standard deviations of the least-squares coefficients.

    They are the roots of the diagonal of :math:`\hat\sigma^2 (\tilde X^\top \tilde X)^{-1}` with
    :math:`\hat\sigma^2 = \lVert e\rVert^2/(n - p)`. They are right when the noise is uncorrelated and of
    equal variance, and wrong otherwise. That of the intercept, if there is one, comes first.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The responses.
    fit_intercept : bool
        Whether the design has a column of ones besides X.

    Examples
    --------
    The mean of n numbers has the standard error :math:`s/\sqrt n`:

    >>> standard_errors([[1.0], [1.0], [1.0], [1.0]], [1.0, 2.0, 3.0, 4.0], fit_intercept=False) ** 2
    array([0.41666667])
    """
    A = _design(X, fit_intercept)
    e, _, freedom = _remains(X, y, fit_intercept, 1)
    if len(e) - freedom < A.shape[1]:
        raise ValueError(
            f"X must have independent columns, got rank {len(e) - freedom} for {A.shape[1]} coefficients; "
            "drop the redundant columns: they have no standard error"
        )
    length = np.linalg.norm(A, axis=0)  # scaled columns: units cannot spoil the factors
    R = np.linalg.qr(A / length, mode="r")
    rows = np.linalg.solve(R, np.eye(len(R)))  # (A'A)^-1 = R^-1 R^-T
    return np.asarray(np.linalg.norm(rows, axis=1) / length * np.sqrt(e @ e / freedom))


def studentized(X: ArrayLike, y: ArrayLike, *, external: bool = False, fit_intercept: bool = True) -> Array:
    r"""Return the residuals, each divided by an estimate of its own standard deviation.

    A residual has the variance :math:`\sigma^2(1 - h_{ii})`. Internally, :math:`\sigma` is estimated from all
    points, :math:`r_i = e_i / (\hat\sigma\sqrt{1 - h_{ii}})`; externally from all but the i-th, so that
    an outlier cannot hide behind the noise that it makes. With normal noise an external one has the t law
    with n - p - 1 degrees of freedom.

    Parameters are those of :func:`standard_errors`, and one more.

    Parameters
    ----------
    external : bool
        Whether to leave the point itself out of the estimate of the noise.

    References
    ----------
    Cook and Weisberg, *Residuals and Influence in Regression*, 1982, section 2.2.

    Examples
    --------
    The last response is far off the line; only the external residual says how far.

    >>> x = np.arange(8.0)[:, None]
    >>> y = np.array([0.1, 0.9, 2.1, 2.9, 4.1, 4.9, 6.1, 17.0])
    >>> np.round(studentized(x, y)[-1], 1), np.round(studentized(x, y, external=True)[-1], 1)
    (np.float64(2.4), np.float64(65.1))
    """
    e, h, freedom = _remains(X, y, fit_intercept, 2 if external else 1)
    free = 1 - h
    if np.min(free) <= len(e) * RELATIVE_ZERO:
        raise ValueError(
            f"X must have leverages < 1, got 1 at point {np.argmin(free)}; the fit passes through that point "
            "whatever its response: leave it out"
        )
    total = np.full(len(e), e @ e)
    if external:
        total, freedom = total - e**2 / free, freedom - 1
        if np.min(total) <= len(e) * RELATIVE_ZERO * (e @ e):
            raise ValueError(
                f"y must not be fitted exactly without point {np.argmin(total)}, got no noise there; "
                "the external residual of that point is infinite"
            )
    return np.asarray(e / np.sqrt(free * total / freedom))


# -- correlated errors -------------------------------------------------------------------------------------


def durbin_watson(e: ArrayLike) -> float:
    r"""Return :math:`\sum_t (e_t - e_{t-1})^2 / \sum_t e_t^2`, which is near 2 when neighbours do not agree.

    It lies between 0 and 4, and is near :math:`2(1 - \hat\rho)` with the correlation :math:`\hat\rho` of
    successive residuals: small values mean that errors persist.

    Parameters
    ----------
    e : array of shape (n,)
        Residuals in the order in which they were observed.

    References
    ----------
    Durbin and Watson, Testing for serial correlation in least squares regression, *Biometrika*, 1950.

    Examples
    --------
    >>> durbin_watson([1.0, 1.0, 1.0, 1.0]), durbin_watson([1.0, -1.0, 1.0, -1.0])
    (0.0, 3.0)
    """
    e = _check.line(e, "e")
    if len(e) < 2 or not np.any(e):
        raise ValueError(f"e must hold two residuals that are not all zero, got {e[:5]}; the ratio is 0/0")
    scaled = e / np.max(np.abs(e))  # so that no square over- or underflows
    return float(np.sum(np.diff(scaled) ** 2) / (scaled @ scaled))


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsTest:
    """What the signs of a sequence of residuals say.

    Attributes
    ----------
    runs : int
        Number of stretches of equal sign.
    expected : float
        Its mean if all orders of the signs are equally likely.
    z : float
        The difference in standard deviations: negative when neighbours agree too often.
    pvalue : float
        Two-sided, by the normal law, which is good from about ten residuals of each sign.
    """

    runs: int
    expected: float
    z: float
    pvalue: float


def runs_test(e: ArrayLike) -> RunsTest:
    r"""Test whether the signs of the residuals come in a random order (Wald and Wolfowitz).

    With :math:`n_+` positive and :math:`n_-` negative residuals, :math:`n` together, in random order, the
    number of runs has mean :math:`\mu = 1 + 2n_+n_-/n` and variance :math:`(\mu - 1)(\mu - 2)/(n - 1)`.
    Residuals that are exactly zero are left out.

    Parameters are those of :func:`durbin_watson`.

    References
    ----------
    Wald and Wolfowitz, On a test whether two samples are from the same population, 1940.

    Examples
    --------
    Ten of one sign, then ten of the other make two runs where eleven are expected:

    >>> result = runs_test([1.0] * 10 + [-1.0] * 10)
    >>> result.runs, result.expected, result.pvalue < 1e-4
    (2, 11.0, True)
    """
    e = _check.line(e, "e")
    positive = e[e != 0] > 0
    n, above = len(positive), int(np.count_nonzero(positive))
    if min(above, n - above) < 1 or n < 3:
        raise ValueError(
            f"e must hold both signs and three entries that are not zero, got {above} positive and "
            f"{n - above} negative; take the residuals of a fit with an intercept"
        )
    runs = 1 + int(np.count_nonzero(np.diff(positive)))
    pairs = 2 * above * (n - above) / n  # the mean number of runs, less one
    z = (runs - 1 - pairs) / np.sqrt(pairs * (pairs - 1) / (n - 1))
    return RunsTest(runs=runs, expected=1 + pairs, z=float(z), pvalue=float(2 * ndtr(-abs(z))))


# -- collinearity ------------------------------------------------------------------------------------------


def vif(X: ArrayLike) -> Array:
    r"""Return the variance inflation factors :math:`1/(1 - R_j^2)`.

    :math:`R_j^2` is the coefficient of determination of column j on the other columns and a constant. The
    variance of the j-th coefficient is that many times what it would be with uncorrelated columns. The
    factors are the diagonal of the inverse correlation matrix; a column that depends on the others has
    infinity.

    Its parameter is one of those of :func:`hat_matrix`; an intercept is always there.

    References
    ----------
    Belsley, Kuh and Welsch, *Regression Diagnostics*, 1980, section 3.2.

    Examples
    --------
    Two columns of correlation 0.6 inflate each other's variance by 1/(1 - 0.36):

    >>> vif([[1.0, 1.4], [-1.0, 0.2], [1.0, -0.2], [-1.0, -1.4]])
    array([1.5625, 1.5625])
    """
    A = _centred(_design(X, False))
    length = np.linalg.norm(A, axis=0)
    if np.any(length == 0):
        raise ValueError(
            f"X must have no constant column, got one at position {np.argmin(length)}; "
            "drop it: the intercept stands for it"
        )
    A = A / length
    return np.array([_inflation(A[:, j], np.delete(A, j, axis=1)) for j in range(A.shape[1])])


def _inflation(x: Array, others: Array) -> float:
    """Return one over the squared length of what the others leave of a column of length one."""
    if others.shape[1] == 0:
        return 1.0
    U = compact_svd(others)[0]
    left = x - U @ (U.T @ x)
    square = float(left @ left)
    return 1 / square if np.sqrt(square) > _tolerance(others) else np.inf


def condition_number(X: ArrayLike) -> float:
    r"""Return the ratio of the largest to the smallest singular value of a matrix, as it is given.

    That of :math:`X^\top X` is its square. A matrix whose columns depend on each other has infinity. Units
    change it: standardise the columns first to see collinearity alone.

    Parameters
    ----------
    X : array of shape (n, d)
        Any matrix.

    Examples
    --------
    >>> condition_number([[3.0, 0.0], [0.0, 1.0]]), condition_number([[1.0, 1.0], [1.0, 1.0]])
    (3.0, inf)
    """
    A = _design(X, False)
    s = compact_svd(A)[1]
    return float(s[0] / s[-1]) if len(s) == A.shape[1] else np.inf


# -- the answer --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastSquares:
    r"""The answer to a least-squares problem.

    Attributes
    ----------
    w : array of shape (d,)
        The weights; of all best ones those of least norm.
    b : float
        The intercept, zero if none was asked for.
    rank : int
        Rank of the design, in which the column of ones counts.
    unique : bool
        Whether no other weights fit as well: the columns of the design are independent.
    residuals : array of shape (n,)
        What is left over, :math:`y_i - w^\top x_i - b`.
    gap : float
        Norm of the gradient of the objective at the answer, which is zero but for rounding.
    n_iter : int
        One: the answer is computed in one go.
    trace : array of shape (1,)
        The gap.
    """

    w: Array = field(repr=False)
    b: float
    rank: int
    unique: bool
    residuals: Array = field(repr=False)
    gap: float
    n_iter: int = 1
    trace: Array = field(repr=False)


def _pair(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Return points and responses of one length, in double precision."""
    X = _check.matrix(X).astype(np.float64)
    return X, _check.vector(y, len(X), "y").astype(np.float64)


# -- the objective -----------------------------------------------------------------------------------------


def in_sample_error(w: ArrayLike, X: ArrayLike, y: ArrayLike, b: float = 0.0) -> float:
    r"""Return the mean squared residual :math:`E_{in}(w) = \frac1n \lVert Xw + b - y\rVert^2`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        The responses.
    b : float
        The intercept; leave it zero if X has a column of ones.

    Examples
    --------
    >>> in_sample_error([2.0], [[1.0], [2.0]], [2.0, 7.0])
    4.5
    """
    X, y = _pair(X, y)
    w = _check.vector(w, X.shape[1], "w")
    residuals = X @ w + _check.real(b, "b") - y
    return float(residuals @ residuals / len(y))


def squared_gradient(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the gradient of the mean squared residual, :math:`\frac2n X^\top (Xw - y)`.

    Parameters are those of :func:`in_sample_error`; for an intercept give X a column of ones.

    Examples
    --------
    Each point pulls in proportion to its error; here the errors are 0 and -3.

    >>> squared_gradient([2.0], [[1.0], [2.0]], [2.0, 7.0])
    array([-6.])
    """
    X, y = _pair(X, y)
    w = _check.vector(w, X.shape[1], "w")
    return np.asarray(2 / len(y) * (X.T @ (X @ w - y)))


# -- the minimum -------------------------------------------------------------------------------------------


def pseudo_inverse(X: ArrayLike) -> Array:
    r"""Return the Moore-Penrose inverse :math:`X^\dagger = V D^{-1} U^\top` from the compact SVD of X.

    It is :math:`(X^\top X)^{-1} X^\top` when the columns are independent. In every case :math:`X^\dagger y`
    is, of all the vectors that make :math:`\lVert Xw - y\rVert` smallest, the one of least norm.

    Parameters
    ----------
    X : array of shape (n, d)
        Any matrix; its pseudo-inverse has shape (d, n).

    References
    ----------
    Penrose, A generalized inverse for matrices, 1955.

    Examples
    --------
    Two equal columns have no inverse; the pseudo-inverse shares the weight between them.

    >>> np.round(pseudo_inverse([[1.0, 1.0], [1.0, 1.0]]), 12)
    array([[0.25, 0.25],
           [0.25, 0.25]])
    """
    U, s, V = compact_svd(_check.matrix(X))
    return np.asarray(V / s @ U.T)


def _by_svd(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from the singular values of X."""
    U, s, V = compact_svd(X)
    return V @ (U.T @ y / s), len(s)


def _by_qr(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from two QR factorisations, the first with pivots."""
    Q, R, order = qr(X, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int(np.count_nonzero(size > _tolerance(X) * size[0]))
    if rank == 0:  # nothing is left to factor
        return np.zeros(X.shape[1]), 0
    # X[:, order] = Q [R_1; 0] with R_1 of shape (rank, d). With R_1' = Z T the least-norm u with R_1 u = c is
    # Z T^-T c, since it lies in the row space of R_1.
    Z, T = qr(R[:rank].T, mode="economic")
    w = np.empty(X.shape[1])
    w[order] = Z @ solve_triangular(T, Q[:, :rank].T @ y, trans="T")
    return w, rank


def _by_normal_equations(X: Array, y: Array) -> tuple[Array, int]:
    """Return the least-norm solution and the rank from the eigenvalues of X'X, the squares of those of X."""
    values, V = np.linalg.eigh(X.T @ X)
    kept = values > _tolerance(X) * values[-1]
    V = V[:, kept]
    return V @ (V.T @ (X.T @ y) / values[kept]), int(np.count_nonzero(kept))


ROUTES = {"svd": _by_svd, "qr": _by_qr, "normal": _by_normal_equations}


def _weights(weights: ArrayLike | None, n: int) -> Array:
    """Return one weight a point; none may be negative, and some must be positive."""
    if weights is None:
        return np.ones(n)
    v = _check.vector(weights, n, "weights").astype(np.float64)
    if np.any(v < 0) or not np.any(v > 0):
        raise ValueError(
            f"weights must be >= 0 and not all zero, got a smallest of {v.min():g} and a largest of "
            f"{v.max():g}; give each point one over its noise variance"
        )
    return v


def ols(
    X: ArrayLike,
    y: ArrayLike,
    *,
    fit_intercept: bool = True,
    route: Literal["svd", "qr", "normal"] = "svd",
    weights: ArrayLike | None = None,
) -> LeastSquares:
    r"""Fit a linear function by (weighted) least squares, in one go.

    Minimises :math:`\frac1n\sum_i v_i(w^\top x_i + b - y_i)^2`. If many weights do, the answer is the one of
    least :math:`\lVert w\rVert`; the intercept is not counted in that norm: it is found by taking the
    (weighted) means off X and y first. With ``fit_intercept=False`` the answer is :math:`X^\dagger y`.

    Parameters
    ----------
    X : array of shape (n, d)
        The points, without a column of ones.
    y : array of shape (n,)
        The responses.
    fit_intercept : bool
        Whether to fit b, or to keep it zero.
    route : "svd", "qr" or "normal"
        How: singular values; QR factors, which need half the work; or the normal equations
        :math:`X^\top X w = X^\top y`, which are quickest for many points but lose twice the digits, so that
        singular values below about :math:`10^{-8}` of the largest count as zero.
    weights : array of shape (n,), optional
        The weight :math:`v_i \ge 0` of each point's squared residual.

    Examples
    --------
    The same column twice: the slope is shared, since that makes the norm least.

    >>> fit = ols([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [1.0, 3.0, 5.0], route="qr")
    >>> np.round(fit.w, 12), fit.rank, fit.unique
    (array([1., 1.]), 2, False)
    """
    X, y = _pair(X, y)
    v = _weights(weights, len(X))
    if route not in ROUTES:
        raise ValueError(f'route must be "svd", "qr" or "normal", got {route!r}; "svd" is the safe one')
    counted = v > 0  # a point without weight takes no part, not even in deciding what is constant
    A, c, share = X[counted], y[counted], v[counted]
    x_mean, y_mean = np.zeros(X.shape[1]), 0.0
    if fit_intercept:
        x_mean, y_mean = np.average(A, axis=0, weights=share), float(np.average(c, weights=share))
        x_mean = np.where(np.ptp(A, axis=0) == 0, A[0], x_mean)  # exact, so that nothing is left of it
        A, c = A - x_mean, c - y_mean
        A = A - np.average(A, axis=0, weights=share)  # once more: it removes the rounding of a large mean
    root = np.sqrt(share)
    w, rank = ROUTES[route](root[:, None] * A, root * c)
    b = float(y_mean - x_mean @ w)
    residuals = y - X @ w - b
    slope = 2 / len(y) * (v * residuals)
    gap = float(np.hypot(np.linalg.norm(X.T @ slope), slope.sum() if fit_intercept else 0.0))
    return LeastSquares(
        w=w,
        b=b,
        rank=rank + fit_intercept,
        unique=rank == X.shape[1],
        residuals=residuals,
        gap=gap,
        trace=np.array([gap]),
    )


def weighted_ls(
    X: ArrayLike, y: ArrayLike, weights: ArrayLike, *, fit_intercept: bool = True
) -> LeastSquares:
    r"""Fit by least squares in which the point i counts :math:`v_i` times.

    With noise of variance :math:`\sigma_i^2` the best linear unbiased choice is
    :math:`v_i \propto 1/\sigma_i^2`: dividing row i by :math:`\sigma_i` makes the noise equal again.

    Parameters are those of :func:`ols`.

    References
    ----------
    Aitken, On least squares and linear combination of observations, 1936.

    Examples
    --------
    A weight of two is the same as having the point twice:

    >>> twice = ols([[0.0], [1.0], [2.0], [2.0]], [0.0, 1.0, 5.0, 5.0])
    >>> bool(np.allclose(weighted_ls([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0], [1, 1, 2]).w, twice.w))
    True
    """
    return ols(X, y, fit_intercept=fit_intercept, weights=_check.line(weights, "weights"))
