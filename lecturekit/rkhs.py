r"""Functions of a reproducing kernel Hilbert space, and Mercer's expansion of a kernel.

The space of a kernel k holds the sums :math:`f = \sum_i c_i\,k(x_i, \cdot)`; here they add, scale, and have
an inner product and a norm. Under a measure :math:`\mu` on the line Mercer's theorem says

.. math:: k(x,x') = \sum_j \lambda_j\,\varphi_j(x)\,\varphi_j(x') , \qquad
   \int k(x,x')\,\varphi_j(x')\,d\mu(x') = \lambda_j\,\varphi_j(x) ,

with functions :math:`\varphi_j` that are orthonormal in :math:`L^2(\mu)`. They are computed by quadrature
(Nyström's method), and for two kernels given in closed form.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import roots_hermitenorm

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike
from lecturekit.kernels import Kernel, PrecisionWarning, orient

__all__ = [
    "Expansion",
    "MercerExpansion",
    "brownian",
    "gaussian",
    "hermite_rule",
    "legendre_rule",
    "nystrom",
]

NORM_ROUNDING = 1e-12  # how far below zero rounding may push a squared norm, relative to its largest term

# -- functions of an RKHS ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Expansion:
    r"""A function :math:`f = \sum_i c_i\,k(x_i, \cdot)` in the space that the kernel k spans.

    Such functions add and scale, ``f(X)`` evaluates one, and ``f.inner(g)`` is the inner product
    :math:`\langle f, g\rangle = \sum_{i,j} c_i\,c'_j\,k(x_i, x'_j)`. It has the reproducing property
    :math:`f(x) = \langle f, k(x, \cdot)\rangle`.

    Parameters
    ----------
    kernel : Kernel
        A positive definite kernel.
    centers, coef : arrays of shape (n, d) and (n,)
        The points :math:`x_i` and the coefficients :math:`c_i`.

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

    def __call__(self, X: ArrayLike) -> Array:
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
        largest = float(np.sum(np.abs(self.coef)) ** 2) * float(np.max(self.kernel.diagonal(self.centers)))
        if form < -NORM_ROUNDING * largest:
            raise ValueError(
                f"the kernel must be positive definite, got <f, f> = {form:.3g} with {self.kernel}; "
                "such a function has no norm"
            )
        return float(np.sqrt(max(form, 0.0)))

    def __add__(self, other: "Expansion") -> "Expansion":
        if other.kernel != self.kernel:
            raise ValueError(f"only functions of one kernel add up, got {self.kernel} and {other.kernel}")
        both = [*self.centers, *other.centers]
        centers = both if isinstance(self.centers, list) else np.array(both)
        return Expansion(self.kernel, centers, np.concatenate([self.coef, other.coef]))

    def __rmul__(self, factor: float) -> "Expansion":
        return Expansion(self.kernel, self.centers, _check.real(factor, "the factor") * self.coef)

    __mul__ = __rmul__

    def __neg__(self) -> "Expansion":
        return -1.0 * self

    def __sub__(self, other: "Expansion") -> "Expansion":
        return self + -other


# -- Mercer expansions -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class MercerExpansion:
    r"""The first r terms of Mercer's expansion on the line.

    Attributes
    ----------
    eigenvalues : array of shape (r,)
        The :math:`\lambda_1 \ge \lambda_2 \ge \dots > 0`.
    eigenfunctions : callable
        Maps points of shape ``(n,)`` to the values :math:`\varphi_j(x_i)`, of shape ``(n, r)``.
    """

    eigenvalues: Array
    eigenfunctions: Callable[[ArrayLike], Array] = field(repr=False)

    def features(self, x: ArrayLike) -> Array:
        r"""Return the features :math:`\sqrt{\lambda_j}\,\varphi_j(x_i)`, of shape ``(n, r)``."""
        return np.asarray(np.sqrt(self.eigenvalues) * self.eigenfunctions(x))

    def __call__(self, x: ArrayLike, z: ArrayLike) -> Array:
        r"""Return the truncated sum :math:`\sum_{j\le r}\lambda_j\varphi_j(x_i)\varphi_j(z_l)`."""
        return np.asarray(self.features(x) @ self.features(_check.line(z, "z")).T)


# -- quadrature --------------------------------------------------------------------------------------------


def legendre_rule(n: int, a: float = 0.0, b: float = 1.0) -> tuple[Array, Array]:
    r"""Return the n nodes and weights of the Gauss-Legendre rule for the uniform measure on :math:`[a, b]`.

    :math:`\sum_i w_i\,f(x_i) = \int_a^b f(x)\,dx` for polynomials of degree below :math:`2n`; ``a`` and ``b``
    are the ends of the interval.

    Examples
    --------
    >>> x, w = legendre_rule(3)
    >>> bool(np.isclose(w @ x**5, 1 / 6))
    True
    """
    n = _check.count(n, "n", "a rule needs at least one node")
    a, b = _check.real(a, "a"), _check.real(b, "b")
    if a >= b:
        raise ValueError(f"the interval needs ends a < b, got a = {a} and b = {b}; swap or cut the ends")
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (a + b) / 2 + (b - a) / 2 * nodes, (b - a) / 2 * weights


def hermite_rule(n: int, sigma: float = 1.0) -> tuple[Array, Array]:
    r"""Return the n nodes and weights of the Gauss-Hermite rule for the measure :math:`N(0, \sigma^2)`.

    :math:`\sum_i w_i\,f(x_i) = \mathbb{E}\,f(x)` for polynomials of degree below :math:`2n`, where x has the
    standard deviation ``sigma``.

    Examples
    --------
    >>> x, w = hermite_rule(4, sigma=2.0)
    >>> bool(np.isclose(w @ x**2, 4.0))
    True
    """
    n = _check.count(n, "n", "a rule needs at least one node")
    sigma = _check.positive(sigma, "sigma", "it is a standard deviation")
    nodes, weights = roots_hermitenorm(n)
    return sigma * nodes, weights / weights.sum()


# -- by quadrature -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _NystromFunctions:
    """Eigenfunctions at the nodes, extended to the line by the eigenvalue equation."""

    kernel: Kernel
    nodes: Array
    weighted: Array  # w_i * phi_j(x_i) / lambda_j

    def __call__(self, x: ArrayLike) -> Array:
        return np.asarray(self.kernel(_check.line(x)[:, None], self.nodes[:, None]) @ self.weighted)


def nystrom(kernel: Kernel, nodes: ArrayLike, weights: ArrayLike, rank: int) -> MercerExpansion:
    r"""Compute Mercer's expansion of a continuous kernel on the line by quadrature (Nyström's method).

    The equation :math:`\sum_l w_l\,k(x_i,x_l)\,\varphi(x_l) = \lambda\,\varphi(x_i)` becomes the symmetric
    eigenproblem of :math:`W^{1/2} K W^{1/2}`; its vectors are :math:`u_i = \sqrt{w_i}\,\varphi(x_i)`. Away
    from the nodes :math:`\varphi(x) = \lambda^{-1}\sum_l w_l\,k(x,x_l)\,\varphi(x_l)`.

    Parameters
    ----------
    kernel : Kernel
        A continuous positive definite kernel.
    nodes, weights : arrays of shape (n,)
        A quadrature rule for the measure, such as :func:`legendre_rule` gives; all weights positive.
    rank : int
        The number of terms, at most n.

    References
    ----------
    Rasmussen and Williams, *Gaussian Processes for Machine Learning*, section 4.3.

    Examples
    --------
    The eigenvalues add up to the integral of :math:`k(x,x)`, here of :math:`\min(x,x) = x` over [0, 1]:

    >>> from lecturekit.kernels import HistogramIntersection
    >>> x, w = legendre_rule(50)
    >>> expansion = nystrom(HistogramIntersection(), x, w, rank=50)
    >>> bool(np.isclose(expansion.eigenvalues.sum(), 1 / 2))
    True
    """
    nodes = _check.line(nodes, "nodes")
    weights = _check.vector(weights, len(nodes), "weights", "point of nodes")
    if np.any(weights <= 0):
        raise ValueError(f"weights must be > 0, got {weights.min():.3g}; use a rule with positive weights")
    rank = _check.count(rank, "rank", "ask for at least one term")
    if rank > len(nodes):
        raise ValueError(f"rank must be at most the number of nodes {len(nodes)}, got {rank}; add nodes")
    root = np.sqrt(weights)
    eigenvalues, U = np.linalg.eigh(root[:, None] * kernel(nodes[:, None]) * root)
    eigenvalues, U = eigenvalues[::-1][:rank], orient(U[:, ::-1][:, :rank])
    floor = len(nodes) * np.finfo(np.float64).eps * eigenvalues[0]
    if eigenvalues[-1] <= floor:
        good = int(np.sum(eigenvalues > floor))
        warnings.warn(
            f"only {good} of {rank} eigenvalues stand above rounding; the rest are left out",
            PrecisionWarning,
            stacklevel=2,
        )
        eigenvalues, U = eigenvalues[:good], U[:, :good]
    functions = _NystromFunctions(kernel, nodes, root[:, None] * U / eigenvalues)
    return MercerExpansion(eigenvalues=eigenvalues, eigenfunctions=functions)


# -- in closed form ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Sines:
    """The functions sqrt(2) sin((j - 1/2) pi t)."""

    frequencies: Array

    def __call__(self, t: ArrayLike) -> Array:
        return np.asarray(np.sqrt(2) * np.sin(np.outer(_check.line(t), self.frequencies)))


def brownian(rank: int) -> MercerExpansion:
    r"""Return ``rank`` terms of Mercer's expansion of :math:`\min(s,t)` on [0, 1] with the uniform measure.

    :math:`\lambda_j = ((j-\tfrac12)\pi)^{-2}` and :math:`\varphi_j(t) = \sqrt2\,\sin((j-\tfrac12)\pi t)`.

    References
    ----------
    Berlinet and Thomas-Agnan, *Reproducing Kernel Hilbert Spaces in Probability and Statistics*, 2004.

    Examples
    --------
    >>> bool(np.isclose(brownian(2000)([0.2], [0.7])[0, 0], min(0.2, 0.7), atol=1e-4))
    True
    """
    j = np.arange(1, _check.count(rank, "rank", "ask for at least one term") + 1)
    frequencies = (j - 0.5) * np.pi
    return MercerExpansion(eigenvalues=frequencies**-2.0, eigenfunctions=_Sines(frequencies))


@dataclass(frozen=True, eq=False)
class _HermiteFunctions:
    """Damped Hermite polynomials, normalised, by their three-term recurrence."""

    a: float
    c: float
    rank: int

    def __call__(self, x: ArrayLike) -> Array:
        x = _check.line(x)
        z = np.sqrt(2 * self.c) * x
        # phi_0 carries the damping and the norm; the recurrence keeps every term of size one
        columns = [(self.c / self.a) ** 0.25 * np.exp(-(self.c - self.a) * x**2)]
        for j in range(1, self.rank):
            before = np.sqrt((j - 1) / j) * columns[j - 2] if j > 1 else 0.0
            columns.append(np.sqrt(2 / j) * z * columns[j - 1] - before)
        return np.column_stack(columns)


def gaussian(gamma: float, sigma: float, rank: int) -> MercerExpansion:
    r"""Return ``rank`` terms of Mercer's expansion of :math:`e^{-\gamma(x-x')^2}` for :math:`N(0,\sigma^2)`.

    With :math:`a = 1/(4\sigma^2)`, :math:`c = \sqrt{a^2+2a\gamma}` and :math:`A = a+\gamma+c`,

    .. math:: \lambda_{j+1} &= \sqrt{2a/A}\,(\gamma/A)^j, \qquad j = 0, 1, \dots, \\
       \varphi_{j+1}(x) &= \frac{(c/a)^{1/4}}{\sqrt{2^j j!}}\,e^{-(c-a)x^2}\,H_j(\sqrt{2c}\,x) .

    where ``gamma`` and ``sigma`` are positive.

    References
    ----------
    Zhu, Williams, Rohwer and Morciniec, *Gaussian regression and optimal finite dimensional linear
    models*, 1998.

    Examples
    --------
    The eigenvalues add up to the mean of :math:`k(x,x) = 1`:

    >>> bool(np.isclose(gaussian(0.5, 1.0, 80).eigenvalues.sum(), 1.0))
    True
    """
    gamma = _check.positive(gamma, "gamma", "the kernel must fall off with distance")
    sigma = _check.positive(sigma, "sigma", "it is a standard deviation")
    rank = _check.count(rank, "rank", "ask for at least one term")
    a = 1 / (4 * sigma**2)
    c = float(np.sqrt(a**2 + 2 * a * gamma))
    A = a + gamma + c
    eigenvalues = np.sqrt(2 * a / A) * (gamma / A) ** np.arange(rank)
    return MercerExpansion(eigenvalues=eigenvalues, eigenfunctions=_HermiteFunctions(a, c, rank))
