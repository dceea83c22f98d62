r"""Positive semi-definite matrices: the test, the witness against it, and the factor.

A symmetric matrix :math:`K` is positive semi-definite (PSD) when :math:`t^\top K t \ge 0` for every vector
:math:`t`, which holds exactly when no eigenvalue is negative.
"""

from dataclasses import dataclass, field

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices

__all__ = ["Witness", "gram_factor", "is_psd", "min_eigenvalue", "orient", "psd_witness"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Witness:
    r"""Weights on some of the points for which the quadratic form is negative: a proof that K is not PSD.

    Attributes
    ----------
    points : array of shape (m,)
        Positions of the points that carry a weight.
    t : array of shape (m,)
        Their weights, with :math:`\lVert t\rVert = 1`.
    form : float
        The value :math:`\sum_{i,j} t_i t_j K_{ij} < 0`, summed anew from the entries of :math:`K`.
    """

    points: Indices
    t: Array = field(repr=False)
    form: float


def min_eigenvalue(K: object) -> float:
    r"""Return the smallest eigenvalue of a symmetric matrix.

    It is the smallest value of :math:`t^\top K t` over unit vectors :math:`t`.

    Parameters
    ----------
    K : array of shape (n, n)
        A symmetric matrix.

    Examples
    --------
    The function :math:`1 - (x - x')^2` on the points 0 and 2 has eigenvalues 4 and -2:

    >>> float(round(min_eigenvalue([[1, -3], [-3, 1]]), 12))
    -2.0
    """
    return float(np.linalg.eigvalsh(_check.symmetric(K))[0])


def _rounding(K: Array, tol: float | None) -> float:
    """Return how far below zero an eigenvalue may fall by rounding alone."""
    if tol is not None:
        return _check.nonnegative(tol, "tol", "it is the largest negative eigenvalue to forgive")
    # An entry right to a few eps moves an eigenvalue by n * eps * max|K| at the most; 10 covers 'a few'.
    return 10 * len(K) * float(np.finfo(K.dtype).eps) * float(np.max(np.abs(K)))


def is_psd(K: object, *, tol: float | None = None) -> bool:
    r"""Tell whether a symmetric matrix is positive semi-definite.

    True when :math:`\lambda_{\min}(K) \ge -\mathrm{tol}`.

    Parameters
    ----------
    K : array of shape (n, n)
        A symmetric matrix.
    tol : float, optional
        How far below zero the smallest eigenvalue may fall. By default as far as rounding could push it:
        ten times n, times the machine precision, times the largest entry.

    References
    ----------
    Horn and Johnson, *Matrix Analysis*, chapter 7.

    Examples
    --------
    Products of any matrix with its transpose are PSD; a saturating similarity is not.

    >>> A = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> is_psd(A @ A.T)
    True
    >>> x = np.array([0.5, 4.0])
    >>> is_psd(np.tanh(1 + np.outer(x, x)))
    False
    """
    K = _check.symmetric(K)
    return min_eigenvalue(K) >= -_rounding(K, tol)


def psd_witness(K: object, *, tol: float | None = None, minimal: bool = False) -> Witness | None:
    r"""Return points and weights with a negative quadratic form, or None when the matrix is PSD.

    The weights are the eigenvector of the smallest eigenvalue. With ``minimal=True`` points are dropped one
    by one while the rest is still not PSD, so that no point of the answer can be spared.

    Parameters
    ----------
    K : array of shape (n, n)
        A symmetric matrix.
    tol : float, optional
        As in :func:`is_psd`.
    minimal : bool
        Look for a witness that uses few points. Costs n eigenvalue problems.

    Examples
    --------
    Three points on a line already show that :math:`1 - (x - x')^2` is not a kernel:

    >>> x = np.array([0.0, 0.5, 1.0])
    >>> K = 1 - (x[:, None] - x) ** 2
    >>> witness = psd_witness(K)
    >>> bool(witness.t @ K @ witness.t < 0)
    True
    """
    K = _check.symmetric(K)
    bound = _rounding(K, tol)
    keep = np.arange(len(K))
    if min_eigenvalue(K) >= -bound:
        return None
    if minimal:  # one pass is enough: a part of a PSD matrix is PSD, so a point needed once stays needed
        for i in range(len(K)):
            rest = keep[keep != i]
            if len(rest) > 0 and min_eigenvalue(K[np.ix_(rest, rest)]) < -bound:
                keep = rest
    part = K[np.ix_(keep, keep)]
    t = orient(np.linalg.eigh(part)[1])[:, 0]
    return Witness(points=keep, t=t, form=float(t @ part @ t))


def orient(U: Array) -> Array:
    """Fix the free signs of eigenvectors: in each column the first large entry becomes positive.

    Large means more than 0.3 times the largest, so that rounding seldom decides.

    Parameters
    ----------
    U : array of shape (n, r)
        Eigenvectors, one a column.

    Examples
    --------
    >>> orient(np.array([[-0.6, 0.1], [0.8, -0.9]]))
    array([[ 0.6, -0.1],
           [-0.8,  0.9]])
    """
    size = np.abs(U)
    first = np.argmax(size > 0.3 * size.max(axis=0), axis=0)
    return np.asarray(U * np.sign(U[first, np.arange(U.shape[1])]))


def gram_factor(K: object) -> Array:
    r"""Factor a PSD matrix as :math:`K = \Phi\Phi^\top`: one feature vector a point.

    With the eigendecomposition :math:`K = U \Lambda U^\top`, the rows of :math:`\Phi = U\Lambda^{1/2}` are
    feature vectors whose inner products are the entries of :math:`K`. Columns that belong to zero eigenvalues
    are left out, so :math:`\Phi` has as many columns as :math:`K` has rank.

    Parameters
    ----------
    K : array of shape (n, n)
        A positive semi-definite matrix.

    Returns
    -------
    array of shape (n, r)
        The features :math:`\Phi`, most important column first.

    Examples
    --------
    >>> K = np.array([[2.0, 2.0], [2.0, 2.0]])
    >>> Phi = gram_factor(K)
    >>> Phi.shape, bool(np.allclose(Phi @ Phi.T, K))
    ((2, 1), True)
    """
    K = _check.symmetric(K)
    eigenvalues, U = np.linalg.eigh(K)
    bound = _rounding(K, None)
    if eigenvalues[0] < -bound:
        raise ValueError(
            f"K must be positive semi-definite, got a smallest eigenvalue of {eigenvalues[0]:.3g}; "
            "no real features have these inner products (see psd_witness)"
        )
    kept = np.flatnonzero(eigenvalues > bound)[::-1]
    return np.asarray(orient(U[:, kept]) * np.sqrt(eigenvalues[kept]))
