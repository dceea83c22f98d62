r"""Regression worlds and others with a linear truth, drawn from a seed.

All of them can be had from :mod:`lecturekit.data`.
"""

from typing import Any, NamedTuple

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.features import indicator

__all__ = [
    "Credit",
    "LinearWorld",
    "Sample",
    "ar1",
    "collinear_pair",
    "credit",
    "line_data",
    "linear_noise",
    "noisy_sine",
    "residence",
]

CREDIT_NAMES = ("age", "salary", "years in residence", "years in job", "debt")
LINE_TRUTH = np.array([0.05, 0.1, 0.2, 0.3, -0.15])  # thousand dollars of credit line a unit of each feature
LINE_INTERCEPT, LINE_SIGMA = 2.0, 1.0
APPROVE_TRUTH = np.array([0.02, 0.08, 0.1, 0.15, -0.2])  # log-odds of approval a unit of each feature
APPROVE_INTERCEPT = -2.0
WIDEST_MARGIN = 0.5  # a line through the inner half of the cube has this much room on both sides


class Sample(NamedTuple):
    """Points and their labels: ``X`` of shape (n, d) and ``y`` of shape (n,)."""

    X: Array
    y: Array


class LinearWorld(NamedTuple):
    """Points ``X`` (n, d), responses or labels ``y`` (n,), true weights ``w`` (d,) and intercept ``b``."""

    X: Array
    y: Array
    w: Array
    b: float


class Credit(NamedTuple):
    """Applicants ``X`` (n, 5), decisions ``approve`` (-1, +1), credit lines ``line``, features' ``names``."""

    X: Array
    approve: Array
    line: Array
    names: tuple[str, ...]

    @property
    def expected_line(self) -> Array:
        """The mean credit line of such applicants, in thousand dollars."""
        return np.asarray(self.X @ LINE_TRUTH + LINE_INTERCEPT)

    @property
    def chance(self) -> Array:
        """The probability that such applicants are approved."""
        return np.asarray(1 / (1 + np.exp(-(self.X @ APPROVE_TRUTH + APPROVE_INTERCEPT))))


def credit(n: int, *, rng: np.random.Generator | int) -> Credit:
    r"""Draw applicants for credit with their credit line and whether they were approved.

    Ages are uniform from 18 to 70; years in residence and in job are exponential, and at most the years since
    18; salary is log-normal and debt exponential, both in thousand dollars. The line is a linear function of
    the five plus standard normal noise, in thousand dollars; approval has log-odds linear in the five. So
    both targets are noisy: equal applicants may be treated differently.

    Parameters
    ----------
    n : int
        The number of applicants.
    rng : Generator or int
        The source of randomness, or its seed.

    Examples
    --------
    >>> applicants = credit(1000, rng=0)
    >>> noise = applicants.line - applicants.expected_line
    >>> bool(abs(noise.std() - 1) < 0.1)
    True
    """
    n = _check.count(n, "n", "draw at least one applicant")
    rng = _check.generator(rng)
    age = rng.uniform(18, 70, n)
    salary = np.exp(rng.normal(np.log(30), 0.4, n))
    home, job = (np.minimum(rng.exponential(mean, n), age - 18) for mean in (5.0, 4.0))
    X = np.column_stack([age, salary, home, job, rng.exponential(12.0, n)])
    bare = Credit(X, np.zeros(n), np.zeros(n), CREDIT_NAMES)
    return bare._replace(
        approve=np.where(rng.random(n) < bare.chance, 1.0, -1.0),
        line=bare.expected_line + LINE_SIGMA * rng.standard_normal(n),
    )


def residence(n: int, *, rng: np.random.Generator | int, noise: float = 1.0) -> Sample:
    r"""Draw years in residence, uniform on [0, 10], and credit lines that jump at one year and at five.

    The mean line, in thousand dollars, is 2 below one year, 5 from one to five, and 8 above.

    Parameters
    ----------
    n : int
        The number of applicants.
    rng : Generator or int
        The source of randomness, or its seed.
    noise : float
        The standard deviation around the mean line.

    Returns
    -------
    Sample, with ``X`` of shape (n, 1)

    Examples
    --------
    >>> X, y = residence(3, rng=0, noise=0.0)
    >>> X.ravel().round(1), y
    (array([6.4, 2.7, 0.4]), array([8., 5., 2.]))
    """
    n = _check.count(n, "n", "draw at least one applicant")
    noise = _check.nonnegative(noise, "noise", "it is a standard deviation")
    rng = _check.generator(rng)
    x = rng.uniform(0, 10, n)
    mean = 5 - 3 * indicator(x, high=1.0) + 3 * indicator(x, low=5.0)
    return Sample(x[:, None], mean + noise * rng.standard_normal(n))


def _away_from(w: Array, b: float, margin: float, n: int, rng: np.random.Generator) -> Array:
    """Draw points uniform in the cube, but not nearer than a margin to a plane."""
    X = rng.uniform(-1, 1, (n, len(w)))
    while (near := np.abs(X @ w + b) < margin).any():
        X[near] = rng.uniform(-1, 1, (near.sum(), len(w)))
    return X


def line_data(
    n: int, d: int, *, rng: np.random.Generator | int, flip: float = 0.0, margin: float = 0.0
) -> LinearWorld:
    r"""Draw points uniform in :math:`[-1,1]^d`, labelled by a random plane :math:`\langle w,x\rangle+b=0`.

    The direction w has length one and is uniform; the plane passes through a uniform point of
    :math:`[-\tfrac12,\tfrac12]^d`. Points nearer to it than the margin are drawn again, and so is the whole
    sample if a class is missing. Then each label is flipped with the given chance.

    Parameters
    ----------
    n : int
        The number of points.
    d : int
        The number of features.
    rng : Generator or int
        The source of randomness, or its seed.
    flip : float
        The chance that a label is the wrong one; no classifier errs less often on new points.
    margin : float
        The least distance from the plane, below 1/2.

    Examples
    --------
    >>> X, y, w, b = line_data(100, 3, rng=0, margin=0.1)
    >>> bool((y * (X @ w + b)).min() >= 0.1)
    True
    """
    n = _check.count(n, "n", "draw at least one point a class", least=2)
    d = _check.count(d, "d", "points need a feature")
    flip = _check.probability(flip, "flip")
    margin = _check.nonnegative(margin, "margin", "it is a distance")
    rng = _check.generator(rng)
    if margin >= WIDEST_MARGIN:
        raise ValueError(f"margin must be below {WIDEST_MARGIN}, got {margin:g}; there may be no such points")
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    b = -float(w @ rng.uniform(-0.5, 0.5, d))
    X = _away_from(w, b, margin, n, rng)
    while np.ptp(np.sign(X @ w + b)) == 0:
        X = _away_from(w, b, margin, n, rng)
    y = np.where(X @ w + b >= 0, 1.0, -1.0)
    return LinearWorld(X, np.where(rng.random(n) < flip, -y, y), w, b)


def linear_noise(
    n: int,
    d: int,
    *,
    rng: np.random.Generator | int,
    sigma: float = 1.0,
    w: Any = None,
    b: float = 0.0,
) -> LinearWorld:
    r"""Draw :math:`y=\langle w,x\rangle+b+\varepsilon`, with normal x and :math:`\varepsilon`.

    Parameters
    ----------
    n : int
        The number of points.
    d : int
        The number of features.
    rng : Generator or int
        The source of randomness, or its seed.
    sigma : float
        The standard deviation of the noise.
    w : array of shape (d,), optional
        The true weights; standard normal by default.
    b : float
        The true intercept.

    Examples
    --------
    >>> X, y, w, b = linear_noise(20, 3, rng=0, sigma=0.0, w=[1.0, -1.0, 2.0], b=4.0)
    >>> bool(np.allclose(y, X @ [1, -1, 2] + 4))
    True
    """
    n = _check.count(n, "n", "draw at least one point")
    d = _check.count(d, "d", "points need a feature")
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    rng = _check.generator(rng)
    true = rng.standard_normal(d) if w is None else _check.vector(w, d, "w")
    X = rng.standard_normal((n, d))
    return LinearWorld(X, X @ true + b + sigma * rng.standard_normal(n), true, float(b))


def noisy_sine(n: int, *, rng: np.random.Generator | int, noise: float = 0.0) -> Sample:
    r"""Draw :math:`y=\sin(\pi x)+\varepsilon` with x uniform on [-1, 1].

    Parameters
    ----------
    n : int
        The number of points.
    rng : Generator or int
        The source of randomness, or its seed.
    noise : float
        The standard deviation of :math:`\varepsilon`.

    Returns
    -------
    Sample, with ``X`` of shape (n, 1)

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, example 2.8.

    Examples
    --------
    >>> X, y = noisy_sine(5, rng=0)
    >>> bool(np.allclose(y, np.sin(np.pi * X[:, 0])))
    True
    """
    n = _check.count(n, "n", "draw at least one point")
    noise = _check.nonnegative(noise, "noise", "it is a standard deviation")
    rng = _check.generator(rng)
    x = rng.uniform(-1, 1, n)
    return Sample(x[:, None], np.sin(np.pi * x) + noise * rng.standard_normal(n))


def collinear_pair(n: int, r: float, *, rng: np.random.Generator | int) -> Array:
    r"""Draw two features with mean 0, variance 1 (divisor n) and exactly the given correlation in the sample.

    Parameters
    ----------
    n : int
        The number of points, at least 3.
    r : float
        The correlation, from -1 to 1.
    rng : Generator or int
        The source of randomness, or its seed.

    Returns
    -------
    array of shape (n, 2)

    Examples
    --------
    >>> X = collinear_pair(10, 0.9, rng=0)
    >>> float(np.corrcoef(X.T)[0, 1].round(12))
    0.9
    """
    n = _check.count(n, "n", "two uncorrelated features need three points", least=3)
    rng = _check.generator(rng)
    if not -1 <= r <= 1:
        raise ValueError(f"r must be a number from -1 to 1, got {r}; it is a correlation")
    G = rng.standard_normal((n, 2))
    Q = np.linalg.qr(G - G.mean(axis=0))[0] * np.sqrt(n)  # centred, uncorrelated, of variance one
    return np.column_stack([Q[:, 0], r * Q[:, 0] + np.sqrt(1 - r * r) * Q[:, 1]])


def ar1(n: int, rho: float, *, rng: np.random.Generator | int, sigma: float = 1.0) -> Array:
    r"""Draw noise that remembers, :math:`\varepsilon_t=\rho\,\varepsilon_{t-1}+u_t`, each term normal.

    The :math:`u_t` are independent, :math:`N(0,(1-\rho^2)\sigma^2)`, so that each :math:`\varepsilon_t` is
    :math:`N(0,\sigma^2)`.

    Parameters
    ----------
    n : int
        The number of terms.
    rho : float
        The correlation of neighbours, between -1 and 1.
    rng : Generator or int
        The source of randomness, or its seed.
    sigma : float
        The standard deviation of each term.

    Examples
    --------
    >>> e = ar1(10_000, 0.8, rng=0)
    >>> float(np.corrcoef(e[1:], e[:-1])[0, 1].round(1)), float(e.std().round(1))
    (0.8, 1.0)
    """
    n = _check.count(n, "n", "draw at least one term")
    sigma = _check.nonnegative(sigma, "sigma", "it is a standard deviation")
    rng = _check.generator(rng)
    if not -1 < rho < 1:
        raise ValueError(f"rho must be between -1 and 1, got {rho}; else the noise grows without end")
    e = sigma * rng.standard_normal(n)
    for t in range(1, n):
        e[t] = rho * e[t - 1] + np.sqrt(1 - rho * rho) * e[t]
    return np.asarray(e)
