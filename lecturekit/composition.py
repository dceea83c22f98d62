r"""What a kernel is and how kernels combine: sums, products, exponentials, rescaling, feature maps.

A kernel is a small frozen object. ``k(X)`` is the Gram matrix of the rows of ``X``, ``k(X, Z)`` compares two
sets, ``k.diagonal(X)`` gives :math:`k(x_i, x_i)` alone, and ``k.blocks(X, Z)`` walks through a matrix that
would not fit. The kernels with names of their own are in :mod:`lecturekit.kernels`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices, PointFunction
from lecturekit.errors import NoFiniteFeatures

__all__ = ["Constant", "Exp", "FeatureMap", "Kernel", "Product", "Rescaled", "Sum"]

BLOCK_ROWS = 256  # the Gram matrix is filled in tiles of this size, which fit into the processor's cache
ROOM = 9.0  # exponents stay this far below overflow, which leaves room for sums of exponentials


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

        With one set only the lower triangle is computed and mirrored: the matrix is exactly symmetric.

        Parameters
        ----------
        X : array of shape (n, d)
            Points, one a row. A float32 array gives a float32 matrix.
        Z : array of shape (m, d), optional
            Points to compare with.

        Returns
        -------
        array of shape (n, m)
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

        Only ``rows`` times m entries exist at once, so a product :math:`K v` needs no n times n memory.

        Parameters
        ----------
        X : array of shape (n, d)
            Points, one a row.
        Z : array of shape (m, d), optional
            Points to compare with; ``X`` by default.
        rows : int
            How many rows a block has at the most.

        Examples
        --------
        >>> from lecturekit.kernels import RBF
        >>> X = np.linspace(0, 1, 5)[:, None]
        >>> v = np.ones(5)
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
        """Return the vector of :math:`k(x_i, x_i)`, without the matrix.

        Parameters
        ----------
        X : array of shape (n, d)
            Points, one a row.
        """
        return self._diagonal(self._points(X, "X"))

    def row_function(self, X: Any) -> Callable[[Indices], Array]:
        """Return a function that computes chosen rows of the Gram matrix of validated points."""
        return lambda chosen: self._gram(
            X[chosen] if isinstance(X, np.ndarray) else [X[i] for i in chosen], X
        )

    def features(self, X: Any) -> Array:
        r"""Return explicit features :math:`\phi(x_i)` with :math:`k(x,x')=\langle\phi(x),\phi(x')\rangle`.

        Parameters
        ----------
        X : array of shape (n, d)
            Points, one a row.

        Returns
        -------
        array of shape (n, D)

        Raises
        ------
        NoFiniteFeatures
            When no finite D is known for this kernel on all inputs.

        Examples
        --------
        >>> from lecturekit.kernels import Linear, Polynomial
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

    Parameters
    ----------
    value : float
        The constant :math:`a`.

    Examples
    --------
    >>> Constant(4.0).features([[1.0, 2.0]])
    array([[2.]])
    """

    value: float

    def __post_init__(self) -> None:
        _check.nonnegative(self.value, "the constant", "a negative constant has a negative Gram matrix")

    def _points(self, X: Any, name: str) -> Any:
        return X  # the partner in a sum or product knows the domain

    def _gram(self, X: Any, Z: Any) -> Array:
        return np.full((len(X), len(Z)), self.value, dtype=_precision(X))

    def _diagonal(self, X: Any) -> Array:
        return np.full(len(X), self.value, dtype=_precision(X))

    def _features(self, X: Any) -> Array:
        return np.full((len(X), 1), np.sqrt(self.value))


@dataclass(frozen=True)
class FeatureMap(Kernel):
    r"""The kernel :math:`k(x,x') = \langle\phi(x), \phi(x')\rangle` of a feature map you supply.

    Parameters
    ----------
    phi : callable
        Maps ``(n, d)`` points to ``(n, D)`` features.

    Examples
    --------
    Three features whose inner product is the square of the linear kernel:

    >>> from lecturekit.kernels import Linear
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


class _Pair(Kernel):
    """A kernel made of two; its points must suit both."""

    left: Kernel
    right: Kernel

    def _points(self, X: Any, name: str) -> Any:
        return self.right._points(self.left._points(X, name), name)


@dataclass(frozen=True)
class Sum(_Pair):
    r"""The sum :math:`k_1 + k_2`: the features stand side by side.

    Parameters
    ----------
    left, right : Kernel
        The two kernels.

    Examples
    --------
    >>> from lecturekit.kernels import Linear, Polynomial
    >>> k = Linear() + Polynomial(degree=2)
    >>> k.features(np.ones((1, 2))).shape  # 2 and 6
    (1, 8)
    """

    left: Kernel
    right: Kernel

    def _gram(self, X: Any, Z: Any) -> Array:
        return self.left._gram(X, Z) + self.right._gram(X, Z)

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) + self.right._diagonal(X)

    def _features(self, X: Any) -> Array:
        return np.hstack([self.left._features(X), self.right._features(X)])


@dataclass(frozen=True)
class Product(_Pair):
    r"""The product :math:`k_1 k_2`: the features are all products of one feature from each.

    Parameters
    ----------
    left, right : Kernel
        The two kernels.

    References
    ----------
    Horn and Johnson, *Matrix Analysis*, theorem 7.5.3 (the Schur product theorem).

    Examples
    --------
    >>> from lecturekit.kernels import Linear, Polynomial
    >>> k = (Linear() + 1) ** 3
    >>> X = np.array([[1.0, 2.0], [0.5, -1.0]])
    >>> bool(np.allclose(k(X), Polynomial(degree=3)(X)))
    True
    """

    left: Kernel
    right: Kernel

    def _gram(self, X: Any, Z: Any) -> Array:
        return self.left._gram(X, Z) * self.right._gram(X, Z)

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) * self.right._diagonal(X)

    def _features(self, X: Any) -> Array:
        pairs = np.einsum("ni,nj->nij", self.left._features(X), self.right._features(X))
        return np.asarray(pairs.reshape(len(pairs), -1))


@dataclass(frozen=True)
class Exp(Kernel):
    r"""The exponential :math:`e^{k}`, the limit of the kernels :math:`\sum_{m\le M} k^m/m!`.

    Parameters
    ----------
    kernel : Kernel
        The exponent.

    Examples
    --------
    The Gaussian kernel is the exponential of the linear one, rescaled to a unit diagonal:

    >>> from lecturekit.kernels import RBF, Linear
    >>> k = (2 * Linear()).exp().rescaled(lambda X: np.exp(-(X**2).sum(axis=1)))
    >>> X = np.array([[0.3, 1.0], [-1.0, 0.5]])
    >>> bool(np.allclose(k(X), RBF(gamma=1.0)(X)))
    True
    """

    kernel: Kernel

    def _points(self, X: Any, name: str) -> Any:
        return self.kernel._points(X, name)

    def _gram(self, X: Any, Z: Any) -> Array:
        return self._exponential(self.kernel._gram(X, Z))

    def _diagonal(self, X: Any) -> Array:
        return self._exponential(self.kernel._diagonal(X))

    @staticmethod
    def _exponential(values: Array) -> Array:
        """Take the exponential, or say that it does not fit into a float."""
        limit = np.floor(np.log(np.finfo(values.dtype).max)) - ROOM
        if values.max() > limit:
            raise ValueError(
                f"exp(k) needs k <= {limit:.0f} on these points, got {values.max():.3g}; "
                "scale the kernel or the data down"
            )
        return np.asarray(np.exp(values))


@dataclass(frozen=True)
class Rescaled(Kernel):
    r"""The kernel :math:`f(x)\,k(x,x')\,f(x')`: every feature is multiplied by :math:`f(x)`.

    Parameters
    ----------
    kernel : Kernel
        The kernel to rescale.
    f : callable
        Any real function; maps ``(n, d)`` points to ``(n,)`` values.

    Examples
    --------
    Dividing by the norm turns the linear kernel into the cosine of the angle:

    >>> from lecturekit.kernels import Linear
    >>> cosine = Linear().rescaled(lambda X: 1 / np.linalg.norm(X, axis=1))
    >>> float(cosine([[1.0, 0.0]], [[3.0, 3.0]])[0, 0].round(4))
    0.7071
    """

    kernel: Kernel
    f: PointFunction

    def _points(self, X: Any, name: str) -> Any:
        return self.kernel._points(X, name)

    def _scale(self, X: Any) -> Array:
        """Return f at the points."""
        return _check.vector(self.f(X), len(X), "f(X)")

    def _gram(self, X: Any, Z: Any) -> Array:
        return np.asarray(self._scale(X)[:, None] * self.kernel._gram(X, Z) * self._scale(Z))

    def _diagonal(self, X: Any) -> Array:
        return np.asarray(self._scale(X) ** 2 * self.kernel._diagonal(X))

    def _features(self, X: Any) -> Array:
        return np.asarray(self._scale(X)[:, None] * self.kernel._features(X))
