r"""Functions of a reproducing kernel Hilbert space: finite sums :math:`f = \sum_i c_i\,k(x_i, \cdot)`."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.composition import Kernel

__all__ = ["Expansion"]


@dataclass(frozen=True, eq=False)
class Expansion:
    r"""A function :math:`f = \sum_i c_i\,k(x_i, \cdot)` in the space that the kernel k spans.

    Such functions add and scale, ``f(X)`` evaluates one, and :meth:`inner` is the inner product
    :math:`\langle f, g\rangle = \sum_{i,j} c_i\,c'_j\,k(x_i, x'_j)`. It has the reproducing property
    :math:`f(x) = \langle f, k(x, \cdot)\rangle`.

    Parameters
    ----------
    kernel : Kernel
        A positive definite kernel.
    centers : array of shape (n, d)
        The points :math:`x_i`.
    coef : array of shape (n,)
        The coefficients :math:`c_i`.

    References
    ----------
    Aronszajn, *Theory of reproducing kernels*, 1950.

    Examples
    --------
    Evaluating a function is taking its inner product with one section of the kernel:

    >>> from lecturekit.kernels import RBF
    >>> f = Expansion(RBF(), [[0.0], [1.0]], [2.0, -1.0])
    >>> section = Expansion(RBF(), [[0.3]], [1.0])  # k(0.3, .)
    >>> bool(np.isclose(f([[0.3]])[0], f.inner(section)))
    True
    """

    kernel: Kernel
    centers: Any = field(repr=False)
    coef: Any = field(repr=False)

    def __post_init__(self) -> None:
        centers = self.kernel._points(self.centers, "centers")
        object.__setattr__(self, "centers", centers)
        object.__setattr__(self, "coef", _check.vector(self.coef, len(centers), "coef"))

    def __call__(self, X: object) -> Array:
        """Return the values of the function at the rows of ``X``."""
        return np.asarray(self.kernel(X, self.centers) @ self.coef)

    def inner(self, other: "Expansion") -> float:
        """Return the inner product with another function of the same space."""
        if other.kernel != self.kernel:
            raise ValueError(
                f"both functions must belong to the space of one kernel, got {self.kernel} "
                f"and {other.kernel}; an inner product between two spaces is not defined"
            )
        return float(self.coef @ other(self.centers))

    @property
    def norm(self) -> float:
        r"""The norm :math:`\lVert f\rVert = \sqrt{\langle f, f\rangle}`."""
        form = self.inner(self)
        rounding = (
            1e-12 * float(np.sum(np.abs(self.coef)) ** 2) * float(np.max(self.kernel.diagonal(self.centers)))
        )
        if form < -rounding:
            raise ValueError(
                f"the kernel must be positive definite, got <f, f> = {form:.3g} with {self.kernel}; "
                "such a function has no norm"
            )
        return float(np.sqrt(max(form, 0.0)))

    def __add__(self, other: "Expansion") -> "Expansion":
        if other.kernel != self.kernel:
            raise ValueError(f"only functions of one kernel add up, got {self.kernel} and {other.kernel}")
        centers = (
            [*self.centers, *other.centers]
            if isinstance(self.centers, list)
            else np.vstack([self.centers, other.centers])
        )
        return Expansion(self.kernel, centers, np.concatenate([self.coef, other.coef]))

    def __rmul__(self, factor: float) -> "Expansion":
        return Expansion(self.kernel, self.centers, factor * self.coef)

    __mul__ = __rmul__

    def __neg__(self) -> "Expansion":
        return -1.0 * self

    def __sub__(self, other: "Expansion") -> "Expansion":
        return self + -other
