r"""Kernels: what they are, how they combine, those with names, and the test whether a function is one.

A kernel is a symmetric function whose Gram matrices :math:`K_{ij} = k(x_i, x_j)` are positive semi-definite
(PSD): :math:`t^\top K t \ge 0` for every vector t, which holds exactly when no eigenvalue is negative.

Here a kernel is a small frozen object. ``k(X)`` is the Gram matrix of the rows of ``X``, ``k(X, Z)`` compares
two sets, ``k.diagonal(X)`` gives :math:`k(x_i, x_i)` alone, and ``k.blocks(X, Z)`` walks through a matrix
that would not fit. Sums, products, exponentials and rescalings of kernels are kernels:

>>> k = 0.5 * RBF(gamma=2.0) + Polynomial(degree=2) * Linear() + 1
>>> k(np.array([[0.0], [1.0]])).round(3)
array([[1.5  , 1.068],
       [1.068, 5.5  ]])

First come matrices (is one PSD, what shows that it is not, which features have these inner products), then
what all kernels share and what combines them, then the kernels on vectors, on histograms, and a similarity of
strings that is none.

References
----------
Horn and Johnson, *Matrix Analysis*, chapter 7 (theorem 7.5.3: products). Schölkopf and Smola, *Learning with
Kernels*, section 2.3 (Gaussian). Shawe-Taylor and Cristianini, *Kernel Methods for Pattern Analysis*, section
9.1 (polynomials). Barla, Odone and Verri, *Histogram intersection kernel for image classification*, 2003.
Vedaldi and Zisserman, *Efficient additive kernels via explicit feature maps*, 2012 (chi-squared).
Levenshtein, *Binary codes capable of correcting deletions, insertions and reversals*, 1966. Cortes, Haffner
and Mohri, *Rational kernels: theory and algorithms*, 2004 (the edit distance gives none).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from lecturekit import _check
from lecturekit._jit import jit
from lecturekit._typing import Array, ArrayLike, Indices, PointFunction, Points

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
    "NoFiniteFeatures",
    "Polynomial",
    "PrecisionWarning",
    "Product",
    "Rescaled",
    "Sum",
    "Witness",
    "edit_distance",
    "gram_factor",
    "is_psd",
    "min_eigenvalue",
    "orient",
    "psd_witness",
]

BLOCK_ROWS = 256  # the Gram matrix is filled in tiles of this size, which fit into the processor's cache
EXP_ROOM = 9.0  # exponents stay this far below overflow, which leaves room for sums of exponentials
SAFE_EXPONENT = 100.0  # up to here |x|^2 + |z|^2 - 2<x, z> is right to 1e-13 of the kernel value

# -- what is raised and warned of --------------------------------------------------------------------------


class NoFiniteFeatures(NotImplementedError):  # noqa: N818  (it reads as what is the case)
    """The kernel has no explicit feature map that fits into finitely many columns."""


class PrecisionWarning(UserWarning):
    """The answer may have fewer correct digits than it shows."""


# -- positive semi-definite? -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Witness:
    r"""Weights on some of the points for which the quadratic form is negative: a proof that K is not PSD.

    Attributes
    ----------
    points, t : arrays of shape (m,)
        Positions of the points that carry a weight, and their weights, with :math:`\lVert t\rVert = 1`.
    form : float
        The value :math:`\sum_{i,j} t_i t_j K_{ij} < 0`, summed anew from the entries of :math:`K`.
    """

    points: Indices
    t: Array = field(repr=False)
    form: float


def min_eigenvalue(K: ArrayLike) -> float:
    r"""Return the smallest eigenvalue of a symmetric K, the least :math:`t^\top K t` of unit vectors t.

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


def is_psd(K: ArrayLike, *, tol: float | None = None) -> bool:
    r"""Tell whether a symmetric matrix is positive semi-definite.

    Parameters
    ----------
    K : array of shape (n, n)
        A symmetric matrix.
    tol : float, optional
        How far below zero the smallest eigenvalue may fall. By default as far as rounding could push it:
        ten times n, times the machine precision, times the largest entry.

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


def psd_witness(K: ArrayLike, *, tol: float | None = None, minimal: bool = False) -> Witness | None:
    r"""Return points and weights with a negative quadratic form, or None when the matrix is PSD.

    The weights are the eigenvector of the smallest eigenvalue. With ``minimal=True`` points are dropped one
    by one while the rest is still not PSD, so that no point of the answer can be spared; that costs n
    eigenvalue problems. The other parameters are those of :func:`is_psd`.

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


def orient(U: ArrayLike) -> Array:
    """Fix the free signs of eigenvectors, the columns of U: the first large entry of each becomes positive.

    Large means more than 0.3 times the largest, so that rounding seldom decides.

    Examples
    --------
    >>> orient([[-0.6, 0.1], [0.8, -0.9]])
    array([[ 0.6, -0.1],
           [-0.8,  0.9]])
    """
    U = _check.matrix(U, "U", copy=False)
    size = np.abs(U)
    first = np.argmax(size > 0.3 * size.max(axis=0), axis=0)
    return np.asarray(U * np.sign(U[first, np.arange(U.shape[1])]))


def gram_factor(K: ArrayLike) -> Array:
    r"""Factor a PSD matrix as :math:`K = \Phi\Phi^\top`: one feature vector a point.

    With the eigendecomposition :math:`K = U \Lambda U^\top`, the rows of :math:`\Phi = U\Lambda^{1/2}` are
    feature vectors whose inner products are the entries of :math:`K`. Columns that belong to zero eigenvalues
    are left out, so :math:`\Phi` has as many columns as K has rank, the most important one first.

    Examples
    --------
    >>> Phi = gram_factor([[2, 2], [2, 2]])
    >>> Phi.shape, bool(np.allclose(Phi @ Phi.T, 2))
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
    return np.asarray(orient(U)[:, kept] * np.sqrt(eigenvalues[kept]))


# -- kernels and what combines them ------------------------------------------------------------------------


def _precision(X: Any) -> type[np.floating[Any]]:
    """Return the float type of a Gram matrix: single for float32 points, else double."""
    return np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64


class Kernel(ABC):
    r"""A symmetric function of two points; subclasses give the formula, this class the operations.

    ``k1 + k2``, ``k1 * k2``, ``a * k`` and ``k + a`` with :math:`a \ge 0`, ``k ** p`` with a whole
    :math:`p \ge 1`, ``k.exp()`` and ``k.rescaled(f)`` are kernels whenever their parts are.
    """

    def __call__(self, X: Any, Z: Any = None) -> Array:
        r"""Return the matrix with entries :math:`k(x_i, z_j)`; ``Z`` defaults to ``X``.

        The points are rows, of shapes (n, d) and (m, d); float32 points give a float32 matrix. With one set
        only the lower triangle is computed and mirrored: the matrix is exactly symmetric.
        """
        X = self._points(X, "X")
        if Z is not None:
            Z = self._points(Z, "Z")
            K = np.empty((len(X), len(Z)), dtype=_precision(X))
            for part, rows in self.blocks(X, Z):
                K[part] = rows
            return K
        K = np.empty((len(X), len(X)), dtype=_precision(X))
        parts = [slice(start, start + BLOCK_ROWS) for start in range(0, len(X), BLOCK_ROWS)]
        for place, new in enumerate(parts):
            for old in parts[:place]:
                K[new, old] = tile = self._gram(X[new], X[old])
                K[old, new] = tile.T
            below = np.tril(self._gram(X[new], X[new]), -1)
            K[new, new] = below + below.T + np.diag(self._diagonal(X[new]))
        return K

    def blocks(self, X: Any, Z: Any = None, *, rows: int = BLOCK_ROWS) -> Iterator[tuple[slice, Array]]:
        r"""Yield the Gram matrix a few rows at a time, as pairs of row positions and rows.

        ``X`` and ``Z`` are as in a call of the kernel. A block has at most ``rows`` rows, and only one block
        exists at once: a product :math:`K v` needs no n times n memory.

        Examples
        --------
        >>> X, v = np.linspace(0, 1, 5)[:, None], np.ones(5)
        >>> Kv = np.concatenate([K @ v for _, K in RBF().blocks(X, rows=2)])
        >>> bool(np.allclose(Kv, RBF()(X) @ v))
        True
        """
        rows = _check.count(rows, "rows", "a block needs at least one row")
        X = self._points(X, "X")
        Z = X if Z is None else self._points(Z, "Z")
        if isinstance(X, np.ndarray) and isinstance(Z, np.ndarray):
            _check.same_width(X, Z)
        for start in range(0, len(X), rows):
            part = slice(start, min(start + rows, len(X)))
            yield part, self._gram(X[part], Z)

    def diagonal(self, X: Any) -> Array:
        """Return the vector of :math:`k(x_i, x_i)` for points ``X``, without the matrix."""
        return self._diagonal(self._points(X, "X"))

    def row_function(self, X: Any) -> Callable[[Indices], Array]:
        """Return a function that computes chosen rows of the Gram matrix of validated points."""
        return lambda chosen: self._gram(
            X[chosen] if isinstance(X, np.ndarray) else [X[i] for i in chosen], X
        )

    def features(self, X: Any) -> Array:
        r"""Return explicit features :math:`\phi(x_i)` with :math:`k(x,x')=\langle\phi(x),\phi(x')\rangle`.

        One row a point of ``X``. Where no finite number of columns serves all inputs, the answer is the error
        :class:`NoFiniteFeatures`.

        Examples
        --------
        >>> k = Polynomial(degree=2) + 3 * Linear()
        >>> X = np.array([[1.0, 2.0], [0.0, -1.0]])
        >>> bool(np.allclose(k.features(X) @ k.features(X).T, k(X)))
        True
        """
        return self._features(self._points(X, "X"))

    # -- what a subclass supplies ----------------------------------------------------------------------

    def _points(self, X: Any, name: str) -> Any:
        """Validate points; the default is a matrix of finite floats."""
        return _check.matrix(X, name)

    @abstractmethod
    def _gram(self, X: Any, Z: Any) -> Array:
        """Return the matrix of values for validated points."""

    def _diagonal(self, X: Any) -> Array:
        """Return the diagonal for validated points."""
        return np.array([self._gram(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])

    def _features(self, X: Any) -> Array:
        """Return explicit features for validated points."""
        raise NoFiniteFeatures(
            f"{self!r} has no finite feature map that serves all inputs; "
            "use gram_factor(k(X)) for features of the given points"
        )

    # -- closure ---------------------------------------------------------------------------------------

    def __add__(self, other: "Kernel | float") -> "Kernel":
        return Sum(self, _as_kernel(other))

    def __mul__(self, other: "Kernel | float") -> "Kernel":
        return Product(self, _as_kernel(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, power: int) -> "Kernel":
        power = _check.count(power, "power", "only whole powers of a kernel are sure to be kernels")
        return reduce(mul, [self] * power)

    def exp(self) -> "Kernel":
        r"""Return the kernel :math:`e^{k(x,x')}`."""
        return Exp(self)

    def rescaled(self, f: PointFunction) -> "Kernel":
        """Return the kernel :math:`f(x) k(x,x') f(x')`; ``f`` maps ``(n, d)`` points to ``(n,)`` values."""
        return Rescaled(self, f)


def _as_kernel(value: Kernel | float) -> Kernel:
    """Read a number as a constant kernel."""
    return value if isinstance(value, Kernel) else Constant(value)


@dataclass(frozen=True)
class Constant(Kernel):
    r"""The constant kernel :math:`k(x,x') = a` with :math:`a \ge 0`; its one feature is :math:`\sqrt a`.

    Examples
    --------
    >>> Constant(4.0).features([[1.0, 2.0]])
    array([[2.]])
    """

    value: float

    def __post_init__(self) -> None:
        _check.nonnegative(self.value, "the constant", "a negative constant has a negative Gram matrix")

    def _points(self, X: Any, name: str) -> Any:
        is_text = isinstance(X, Sequence | np.ndarray) and len(X) > 0 and isinstance(X[0], str)
        return _check.strings(X, name) if is_text else super()._points(X, name)

    def _gram(self, X: Any, Z: Any) -> Array:
        return np.full((len(X), len(Z)), self.value, dtype=_precision(X))

    def _diagonal(self, X: Any) -> Array:
        return np.full(len(X), self.value, dtype=_precision(X))

    def _features(self, X: Any) -> Array:
        return np.full((len(X), 1), np.sqrt(self.value))


@dataclass(frozen=True)
class FeatureMap(Kernel):
    r"""The kernel :math:`k(x,x') = \langle\phi(x), \phi(x')\rangle` of a feature map you supply.

    The map takes ``(n, d)`` points to ``(n, D)`` features.

    Examples
    --------
    Three features whose inner product is the square of the linear kernel:

    >>> phi = lambda X: np.column_stack([X[:, 0]**2, X[:, 1]**2, np.sqrt(2) * X[:, 0] * X[:, 1]])
    >>> X = np.array([[1.0, 2.0], [3.0, -1.0]])
    >>> bool(np.allclose(FeatureMap(phi)(X), Linear()(X) ** 2))
    True
    """

    phi: PointFunction

    def _gram(self, X: Array, Z: Array) -> Array:
        return np.asarray(self._features(X) @ self._features(Z).T)

    def _diagonal(self, X: Array) -> Array:
        return np.asarray(np.sum(self._features(X) ** 2, axis=1))

    def _features(self, X: Array) -> Array:
        Phi = _check.matrix(self.phi(X), "phi(X)")
        if len(Phi) != len(X):
            raise ValueError(f"phi(X) must have one row a point, got {len(Phi)} rows for {len(X)} points")
        return Phi


@dataclass(frozen=True)
class _Pair(Kernel):
    """A kernel made of two, ``left`` and ``right``; its points must suit both."""

    left: Kernel
    right: Kernel

    def _points(self, X: Any, name: str) -> Any:
        return self.right._points(self.left._points(X, name), name)


@dataclass(frozen=True)
class Sum(_Pair):
    r"""The sum :math:`k_1 + k_2`: the features stand side by side.

    Examples
    --------
    >>> k = Linear() + Polynomial(degree=2)
    >>> k.features(np.ones((1, 2))).shape  # 2 and 6
    (1, 8)
    """

    def _gram(self, X: Any, Z: Any) -> Array:
        return self.left._gram(X, Z) + self.right._gram(X, Z)

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) + self.right._diagonal(X)

    def _features(self, X: Any) -> Array:
        return np.hstack([self.left._features(X), self.right._features(X)])


@dataclass(frozen=True)
class Product(_Pair):
    r"""The product :math:`k_1 k_2`: the features are all products of one feature from each.

    Examples
    --------
    >>> k = (Linear() + 1) ** 3
    >>> X = np.array([[1.0, 2.0], [0.5, -1.0]])
    >>> bool(np.allclose(k(X), Polynomial(degree=3)(X)))
    True
    """

    def _gram(self, X: Any, Z: Any) -> Array:
        return self.left._gram(X, Z) * self.right._gram(X, Z)

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) * self.right._diagonal(X)

    def _features(self, X: Any) -> Array:
        pairs = np.einsum("ni,nj->nij", self.left._features(X), self.right._features(X))
        return np.asarray(pairs.reshape(len(pairs), -1))


@dataclass(frozen=True)
class _Changed(Kernel):
    """A kernel made of one, on the same points."""

    kernel: Kernel

    def _points(self, X: Any, name: str) -> Any:
        return self.kernel._points(X, name)


@dataclass(frozen=True)
class Exp(_Changed):
    r"""The exponential :math:`e^{k}`, the limit of the kernels :math:`\sum_{m\le M} k^m/m!`.

    Examples
    --------
    The Gaussian kernel is the exponential of the linear one, rescaled to a unit diagonal:

    >>> k = (2 * Linear()).exp().rescaled(lambda X: np.exp(-(X**2).sum(axis=1)))
    >>> X = np.array([[0.3, 1.0], [-1.0, 0.5]])
    >>> bool(np.allclose(k(X), RBF(gamma=1.0)(X)))
    True
    """

    def _gram(self, X: Any, Z: Any) -> Array:
        return self._exponential(self.kernel._gram(X, Z))

    def _diagonal(self, X: Any) -> Array:
        return self._exponential(self.kernel._diagonal(X))

    @staticmethod
    def _exponential(values: Array) -> Array:
        """Take the exponential, or say that it does not fit into a float."""
        limit = np.floor(np.log(np.finfo(values.dtype).max)) - EXP_ROOM
        if values.max() > limit:
            raise ValueError(
                f"exp(k) needs k <= {limit:.0f} on these points, got {values.max():.3g}; "
                "scale the kernel or the data down"
            )
        return np.asarray(np.exp(values))


@dataclass(frozen=True)
class Rescaled(_Changed):
    r"""The kernel :math:`f(x)\,k(x,x')\,f(x')`: every feature is multiplied by :math:`f(x)`.

    Any real function f will do; it maps ``(n, d)`` points to ``(n,)`` values.

    Examples
    --------
    Dividing by the norm turns the linear kernel into the cosine of the angle:

    >>> cosine = Linear().rescaled(lambda X: 1 / np.linalg.norm(X, axis=1))
    >>> float(cosine([[1.0, 0.0]], [[3.0, 3.0]])[0, 0].round(4))
    0.7071
    """

    f: PointFunction

    def _scale(self, X: Any) -> Array:
        """Return f at the points."""
        return _check.vector(self.f(X), len(X), "f(X)")

    def _gram(self, X: Any, Z: Any) -> Array:
        return np.asarray(self._scale(X)[:, None] * self.kernel._gram(X, Z) * self._scale(Z))

    def _diagonal(self, X: Any) -> Array:
        return np.asarray(self._scale(X) ** 2 * self.kernel._diagonal(X))

    def _features(self, X: Any) -> Array:
        return np.asarray(self._scale(X)[:, None] * self.kernel._features(X))


# -- kernels on vectors ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Falling(Kernel):
    """A similarity that is one at distance zero and falls off."""

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _check.positive(self.gamma, "gamma", "the similarity must fall off with distance")

    def _diagonal(self, X: Any) -> Array:
        return np.ones(len(X), dtype=_precision(X))


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
    r"""The polynomial kernel :math:`k(x,x') = (c + \langle x, x'\rangle)^p`: ``offset`` c, ``degree`` p.

    Its features are all monomials of degree at most :math:`p` (exactly :math:`p` when :math:`c=0`), each
    times the root of its coefficient in the multinomial expansion of the kernel. The power must be whole and
    the offset non-negative: otherwise there are negative coefficients, and it is not positive definite.

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
class RBF(_Falling):
    r"""The Gaussian kernel :math:`k(x,x') = e^{-\gamma\lVert x-x'\rVert^2}` of width :math:`\sigma`.

    The parameter is :math:`\gamma = 1/(2\sigma^2) > 0`.

    Examples
    --------
    Distinct points have independent features, so their Gram matrix is invertible:

    >>> K = RBF(gamma=1.0)(np.array([[0.0], [1.0], [2.0]]))
    >>> int(np.linalg.matrix_rank(K))
    3
    """

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
class ExpChi2(_Falling, _HistogramKernel):
    r"""The exponentiated chi-squared kernel :math:`k(x,x') = e^{-\gamma\sum_j (x_j-x'_j)^2/(x_j+x'_j)}`.

    Examples
    --------
    It is :class:`Chi2`, exponentiated and rescaled to a unit diagonal:

    >>> X = np.array([[0.2, 0.8], [0.5, 0.5]])
    >>> built = (4 * Chi2()).exp().rescaled(lambda X: np.exp(-X.sum(axis=1)))
    >>> bool(np.allclose(built(X), ExpChi2()(X)))
    True
    """

    def _gram(self, X: Array, Z: Array) -> Array:
        distance = _over_bins(lambda x, z: _ratio((x - z) ** 2, x + z), X, Z)
        return np.asarray(np.exp(-self.gamma * distance))


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

    Examples
    --------
    >>> edit_distance("kernel", "colonel")
    4
    """
    first, second = _check.strings([a, b], "the strings")
    return int(_levenshtein(_codes(first), _codes(second)))


@dataclass(frozen=True)
class EditDistance(_Falling):
    r"""The similarity :math:`e^{-\gamma\,d(s,s')}` of strings with the edit distance d: **not** a kernel.

    It is symmetric and looks like a Gaussian, and yet some Gram matrices have negative eigenvalues.

    Examples
    --------
    All strings of at most four letters a and b:

    >>> from itertools import product
    >>> words = ["".join(w) for n in range(5) for w in product("ab", repeat=n)]
    >>> len(words), is_psd(EditDistance()(words))
    (31, False)
    """

    def _points(self, X: Any, name: str) -> Points:
        return _check.strings(X, name)

    def _gram(self, X: list[str], Z: list[str]) -> Array:
        left, right = [_codes(s) for s in X], [_codes(s) for s in Z]
        distance = np.array([[_levenshtein(a, b) for b in right] for a in left], dtype=np.float64)
        return np.asarray(np.exp(-self.gamma * distance))
