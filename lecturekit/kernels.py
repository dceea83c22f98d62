r"""Kernels with names: linear, polynomial, Gaussian, histogram intersection, chi-squared.

They are built and combined as :mod:`lecturekit.composition` describes:

>>> k = 0.5 * RBF(gamma=2.0) + Polynomial(degree=2) * Linear() + 1
>>> k(np.array([[0.0], [1.0]])).round(3)
array([[1.5  , 1.068],
       [1.068, 5.5  ]])
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, Indices, Points
from lecturekit.composition import Constant, Exp, FeatureMap, Kernel, Product, Rescaled, Sum
from lecturekit.psd import gram_factor, is_psd, min_eigenvalue, psd_witness

__all__ = [
    "RBF",
    "Chi2",
    "Constant",
    "EditDistance",
    "Exp",
    "ExpChi2",
    "FeatureMap",
    "HistogramIntersection",
    "Kernel",
    "Linear",
    "Polynomial",
    "Product",
    "Rescaled",
    "Sum",
    "edit_distance",
    "gram_factor",
    "is_psd",
    "min_eigenvalue",
    "psd_witness",
]

SAFE_EXPONENT = 100.0  # up to here |x|^2 + |z|^2 - 2<x, z> is right to 1e-13 of the kernel value


# -- on vectors --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Linear(Kernel):
    r"""The linear kernel :math:`k(x,x') = \langle x, x'\rangle`; the features are the inputs.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    def _gram(self, X: Array, Z: Array) -> Array:
        return np.asarray(X @ Z.T)

    def _diagonal(self, X: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->i", X, X))

    def _features(self, X: Array) -> Array:
        return X


@dataclass(frozen=True)
class Polynomial(Kernel):
    r"""The polynomial kernel :math:`k(x,x') = (c + \langle x, x'\rangle)^p`.

    Its features are all monomials of degree at most :math:`p` (exactly :math:`p` when :math:`c=0`), each
    times the root of its coefficient in the multinomial expansion of the kernel. The power must be whole and
    the offset non-negative: otherwise there are negative coefficients, and it is not positive definite.

    Parameters
    ----------
    degree : int
        The power :math:`p \ge 1`.
    offset : float
        The constant :math:`c \ge 0`.

    References
    ----------
    Shawe-Taylor and Cristianini, *Kernel Methods for Pattern Analysis*, section 9.1.

    Examples
    --------
    Ten features in the plane for degree three, and their inner products are the kernel:

    >>> k = Polynomial(degree=3)
    >>> X = np.array([[1.0, 2.0], [-0.5, 0.3]])
    >>> k.features(X).shape, bool(np.allclose(k.features(X) @ k.features(X).T, k(X)))
    ((2, 10), True)
    """

    degree: int = 2
    offset: float = 1.0

    def __post_init__(self) -> None:
        _check.count(self.degree, "degree", "other powers of 1 + <x, x'> are not positive definite")
        _check.nonnegative(self.offset, "offset", "a negative offset gives negative coefficients")

    def _gram(self, X: Array, Z: Array) -> Array:
        return np.asarray((self.offset + X @ Z.T) ** self.degree)

    def _diagonal(self, X: Array) -> Array:
        return np.asarray((self.offset + np.einsum("ij,ij->i", X, X)) ** self.degree)

    def _features(self, X: Array) -> Array:
        # A constant coordinate sqrt(c) turns (c + <x, x'>)^p into the homogeneous <u, u'>^p.
        U = np.column_stack([X, np.full(len(X), np.sqrt(self.offset))]) if self.offset else X
        columns = []
        for chosen in combinations_with_replacement(range(U.shape[1]), self.degree):
            repeats = prod(factorial(chosen.count(j)) for j in set(chosen))
            weight = factorial(self.degree) // repeats  # how often this monomial occurs in <u, u'>^p
            columns.append(np.sqrt(weight) * U[:, chosen].prod(axis=1))
        return np.column_stack(columns)


@dataclass(frozen=True)
class RBF(Kernel):
    r"""The Gaussian kernel :math:`k(x,x') = e^{-\gamma\lVert x-x'\rVert^2}`, :math:`\gamma = 1/(2\sigma^2)`.

    Parameters
    ----------
    gamma : float
        The inverse squared width :math:`\gamma > 0`.

    References
    ----------
    Schölkopf and Smola, *Learning with Kernels*, section 2.3.

    Examples
    --------
    Distinct points have independent features, so their Gram matrix is invertible:

    >>> K = RBF(gamma=1.0)(np.array([[0.0], [1.0], [2.0]]))
    >>> int(np.linalg.matrix_rank(K))
    3
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _check.positive(self.gamma, "gamma", "the kernel must fall off with distance")

    def _gram(self, X: Array, Z: Array) -> Array:
        centre = Z.mean(axis=0)
        X, Z = X - centre, Z - centre
        if self.gamma * max(_largest_square(X), _largest_square(Z)) > SAFE_EXPONENT:
            K = -self.gamma * cdist(X, Z, "sqeuclidean").astype(X.dtype, copy=False)
            return np.asarray(np.exp(K, out=K))
        return self._exponential(self._factors(X)[0], self._factors(Z)[1])

    def row_function(self, X: Array) -> Callable[[Indices], Array]:
        """Return a function that computes chosen rows; the factors are made once."""
        centred = X - X.mean(axis=0)
        if self.gamma * _largest_square(centred) > SAFE_EXPONENT:
            return super().row_function(X)
        left, right = self._factors(centred)
        return lambda chosen: self._exponential(left[chosen], right)

    def _factors(self, X: Array) -> tuple[Array, Array]:
        """Return left and right factors whose inner products are 2<x, z> - |x|^2 - |z|^2, times gamma."""
        minus_square = -self.gamma * np.einsum("ij,ij->i", X, X)
        one = np.ones_like(minus_square)
        return np.column_stack([2 * self.gamma * X, minus_square, one]), np.column_stack(
            [X, one, minus_square]
        )

    @staticmethod
    def _exponential(left: Array, right: Array) -> Array:
        """Return the exponential of the inner products, which rounding may push above zero."""
        K = left @ right.T
        np.minimum(K, 0, out=K)
        return np.asarray(np.exp(K, out=K))

    def _diagonal(self, X: Array) -> Array:
        return np.ones(len(X), dtype=X.dtype)


def _largest_square(X: Array) -> float:
    """Return the largest squared norm of a row."""
    return float(np.einsum("ij,ij->i", X, X).max())


# -- kernels on histograms ---------------------------------------------------------------------------------


def _over_bins(term: Callable[[Array, Array], Array], X: Array, Z: Array) -> Array:
    """Sum ``term(x_j, z_j)`` over the bins j for all pairs, without an (n, m, d) array."""
    K = np.zeros((len(X), len(Z)), dtype=X.dtype)
    for x, z in zip(X.T, Z.T, strict=True):
        K += term(x[:, None], z[None, :])
    return K


def _ratio(numerator: Array, denominator: Array) -> Array:
    """Divide, with 0/0 = 0: a bin that is empty in both histograms says nothing."""
    return np.asarray(np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0))


class _HistogramKernel(Kernel):
    """A kernel whose points are rows of non-negative bins."""

    def _points(self, X: Any, name: str) -> Array:
        return _check.bins(X, name)


@dataclass(frozen=True)
class HistogramIntersection(_HistogramKernel):
    r"""The histogram intersection :math:`k(x,x') = \sum_j \min(x_j, x'_j)` of non-negative bins.

    One bin is :math:`\min(x,x')=\int_0^\infty [t\le x]\,[t\le x']\,dt`, an inner product of step functions.
    On :math:`[0,1]` it is the covariance of Brownian motion.

    References
    ----------
    Barla, Odone and Verri, *Histogram intersection kernel for image classification*, 2003.

    Examples
    --------
    >>> HistogramIntersection()([[1.0, 0.0, 3.0]], [[0.5, 2.0, 5.0]])
    array([[3.5]])
    """

    def _gram(self, X: Array, Z: Array) -> Array:
        return _over_bins(np.minimum, X, Z)

    def _diagonal(self, X: Array) -> Array:
        return np.asarray(X.sum(axis=1))


@dataclass(frozen=True)
class Chi2(_HistogramKernel):
    r"""The chi-squared kernel :math:`k(x,x') = \sum_j x_j x'_j/(x_j+x'_j)` with :math:`0/0 = 0`.

    One bin is :math:`xx'\int_0^\infty e^{-tx}e^{-tx'}\,dt`, an inner product. Some authors carry a factor 2.

    References
    ----------
    Vedaldi and Zisserman, *Efficient additive kernels via explicit feature maps*, 2012.

    Examples
    --------
    The first bin is empty in both histograms and adds nothing:

    >>> Chi2()([[0.0, 1.0]], [[0.0, 3.0]])
    array([[0.75]])
    """

    def _gram(self, X: Array, Z: Array) -> Array:
        return _over_bins(lambda x, z: _ratio(x * z, x + z), X, Z)

    def _diagonal(self, X: Array) -> Array:
        return np.asarray(X.sum(axis=1) / 2)


@dataclass(frozen=True)
class ExpChi2(_HistogramKernel):
    r"""The exponentiated chi-squared kernel :math:`k(x,x') = e^{-\gamma\sum_j (x_j-x'_j)^2/(x_j+x'_j)}`.

    Parameters
    ----------
    gamma : float
        The inverse width :math:`\gamma > 0`.

    References
    ----------
    Vedaldi and Zisserman, *Efficient additive kernels via explicit feature maps*, 2012.

    Examples
    --------
    It is the chi-squared kernel, exponentiated and rescaled to a unit diagonal:

    >>> X = np.array([[0.2, 0.8], [0.5, 0.5]])
    >>> built = (4 * Chi2()).exp().rescaled(lambda X: np.exp(-X.sum(axis=1)))
    >>> bool(np.allclose(built(X), ExpChi2()(X)))
    True
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _check.positive(self.gamma, "gamma", "the kernel must fall off with distance")

    def _gram(self, X: Array, Z: Array) -> Array:
        distance = _over_bins(lambda x, z: _ratio((x - z) ** 2, x + z), X, Z)
        return np.asarray(np.exp(-self.gamma * distance))

    def _diagonal(self, X: Array) -> Array:
        return np.ones(len(X), dtype=X.dtype)


# -- a similarity of strings -------------------------------------------------------------------------------


@jit
def _levenshtein(a: Any, b: Any) -> int:
    """Return the edit distance of two sequences of letter codes."""
    row = np.arange(len(b) + 1)  # row[j]: cost of turning the letters of a read so far into b[:j]
    for i in range(len(a)):
        corner, row[0] = row[0], i + 1
        for j in range(len(b)):
            swap = corner + (a[i] != b[j])
            corner = row[j + 1]
            row[j + 1] = min(swap, row[j] + 1, row[j + 1] + 1)
    return int(row[-1])


def _codes(text: str) -> Any:
    """Return the letters of a string as numbers."""
    return np.array([ord(letter) for letter in text], dtype=np.int64)


def edit_distance(a: str, b: str) -> int:
    """Return the fewest insertions, deletions and substitutions that turn ``a`` into ``b``.

    Parameters
    ----------
    a, b : str
        The two strings.

    References
    ----------
    Levenshtein, *Binary codes capable of correcting deletions, insertions and reversals*, 1966.

    Examples
    --------
    >>> edit_distance("kernel", "colonel")
    4
    """
    first, second = _check.strings([a, b], "the strings")
    return int(_levenshtein(_codes(first), _codes(second)))


@dataclass(frozen=True)
class EditDistance(Kernel):
    r"""The similarity :math:`e^{-\gamma\,d(s,s')}` of strings with the edit distance d: **not** a kernel.

    It is symmetric and looks like a Gaussian, and yet some Gram matrices have negative eigenvalues.

    Parameters
    ----------
    gamma : float
        The inverse width :math:`\gamma > 0`.

    References
    ----------
    Cortes, Haffner and Mohri, *Rational kernels: theory and algorithms*, 2004.

    Examples
    --------
    All strings of at most four letters a and b:

    >>> from itertools import product
    >>> words = ["".join(w) for n in range(5) for w in product("ab", repeat=n)]
    >>> len(words), is_psd(EditDistance()(words))
    (31, False)
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _check.positive(self.gamma, "gamma", "the similarity must fall off with distance")

    def _points(self, X: Any, name: str) -> Points:
        return _check.strings(X, name)

    def _gram(self, X: list[str], Z: list[str]) -> Array:
        left, right = [_codes(s) for s in X], [_codes(s) for s in Z]
        distance = np.array([[_levenshtein(a, b) for b in right] for a in left], dtype=np.float64)
        return np.asarray(np.exp(-self.gamma * distance))

    def _diagonal(self, X: list[str]) -> Array:
        return np.ones(len(X))
