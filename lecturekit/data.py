r"""Data: toy worlds with a known truth, drawn from a seed, and real data that needs no network.

The *worlds for regression* and the *worlds for classification* say in their docstrings by which law they are
drawn, so that an answer can be compared with the truth; *other worlds* are histograms and strings, for
kernels. *Real data* come with scikit-learn, in their units.

References
----------
Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012: the sine in example 2.8. Alpaydin and Kaynak,
*Optical recognition of handwritten digits*, UCI repository, 1998. Efron, Hastie, Johnstone and Tibshirani,
*Least angle regression*, Annals of Statistics, 2004: the diabetes patients. Street, Wolberg and Mangasarian,
*Nuclear feature extraction for breast tumor diagnosis*, 1993.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike
from lecturekit.features import indicator, intensity_symmetry

__all__ = [
    "Credit",
    "LinearWorld",
    "Sample",
    "Table",
    "ar1",
    "breast_cancer",
    "circle",
    "collinear_pair",
    "credit",
    "diabetes",
    "digit_features",
    "digits",
    "histograms",
    "line_data",
    "linear_noise",
    "noisy_sine",
    "residence",
    "rings",
    "two_gaussians",
    "words",
]


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


# -- worlds for regression ---------------------------------------------------------------------------------

CREDIT_NAMES = ("age", "salary", "years in residence", "years in job", "debt")
LINE_TRUTH = np.array([0.05, 0.1, 0.2, 0.3, -0.15])  # thousand dollars of credit line a unit of each feature
LINE_INTERCEPT, LINE_SIGMA = 2.0, 1.0
APPROVE_TRUTH = np.array([0.02, 0.08, 0.1, 0.15, -0.2])  # log-odds of approval a unit of each feature
APPROVE_INTERCEPT = -2.0


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

    The mean line, in thousand dollars, is 2 below one year, 5 from one to five, and 8 above. ``X`` has shape
    (n, 1).

    Parameters
    ----------
    n, rng
        Those of :func:`credit`.
    noise : float
        The standard deviation around the mean line.

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


def linear_noise(
    n: int,
    d: int,
    *,
    rng: np.random.Generator | int,
    sigma: float = 1.0,
    w: ArrayLike | None = None,
    b: float = 0.0,
) -> LinearWorld:
    r"""Draw :math:`y=\langle w,x\rangle+b+\varepsilon`, with normal x and :math:`\varepsilon`.

    Parameters
    ----------
    n, d, rng
        Those of :func:`line_data`.
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
    b = _check.real(b, "b")
    rng = _check.generator(rng)
    true = rng.standard_normal(d) if w is None else _check.vector(w, d, "w")
    X = rng.standard_normal((n, d))
    return LinearWorld(X, X @ true + b + sigma * rng.standard_normal(n), true, b)


def noisy_sine(n: int, *, rng: np.random.Generator | int, noise: float = 0.0) -> Sample:
    r"""Draw :math:`y=\sin(\pi x)+\varepsilon` with x uniform on [-1, 1]. ``X`` has shape (n, 1).

    Parameters
    ----------
    n, rng
        Those of :func:`credit`.
    noise : float
        The standard deviation of :math:`\varepsilon`.

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
    r"""Draw n x 2 features with mean 0, variance 1 (divisor n) and exactly the given correlation.

    Parameters
    ----------
    n : int
        The number of points, at least 3.
    r : float
        The correlation, from -1 to 1.
    rng : Generator or int
        The source of randomness, or its seed.

    Examples
    --------
    >>> X = collinear_pair(10, 0.9, rng=0)
    >>> float(np.corrcoef(X.T)[0, 1].round(12))
    0.9
    """
    n = _check.count(n, "n", "two uncorrelated features need three points", least=3)
    rng = _check.generator(rng)
    if not -1 <= _check.real(r, "r") <= 1:
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
    n, rng
        Those of :func:`credit`.
    rho : float
        The correlation of neighbours, between -1 and 1.
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
    if not -1 < _check.real(rho, "rho") < 1:
        raise ValueError(f"rho must be between -1 and 1, got {rho}; else the noise grows without end")
    e = sigma * rng.standard_normal(n)
    for t in range(1, n):
        e[t] = rho * e[t - 1] + np.sqrt(1 - rho * rho) * e[t]
    return np.asarray(e)


# -- worlds for classification -----------------------------------------------------------------------------

WIDEST_MARGIN = 0.5  # a line through the inner half of the cube has this much room on both sides


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


def rings(
    n: int, *, rng: np.random.Generator | int, radii: tuple[float, float] = (1.0, 2.0), noise: float = 0.1
) -> Sample:
    r"""Draw points on two circles around the origin: -1 on the first, +1 on the second.

    The angle is uniform; the radius is normal around the class's circle. Unless the sample is tiny
    no line separates the classes, and with little noise a circle does.

    Parameters
    ----------
    n : int
        The number of points; the classes differ in size by at most one.
    rng : Generator or int
        The source of randomness, or its seed.
    radii : pair of float
        The radii of the two circles.
    noise : float
        The standard deviation of the radius.

    Examples
    --------
    >>> X, y = rings(100, rng=0)
    >>> radius = np.linalg.norm(X, axis=1)
    >>> bool(radius[y == -1].max() < radius[y == 1].min())
    True
    """
    n = _check.count(n, "n", "draw at least one point a class", least=2)
    noise = _check.nonnegative(noise, "noise", "it is a standard deviation")
    inner, outer = _check.vector(radii, 2, "radii", "circle")
    rng = _check.generator(rng)
    y = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    radius = np.where(y < 0, inner, outer) + noise * rng.standard_normal(n)
    angle = rng.uniform(0, 2 * np.pi, n)
    return Sample(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y)


def circle(n: int, *, rng: np.random.Generator | int, noise: float = 0.0, radius2: float = 0.6) -> Sample:
    r"""Draw points uniform in :math:`[-1,1]^2`: -1 inside the circle :math:`x_1^2+x_2^2=r^2`, +1 outside.

    Parameters
    ----------
    n, rng
        Those of :func:`credit`.
    noise : float
        The chance that a label is the wrong one.
    radius2 : float
        The squared radius :math:`r^2`.

    Examples
    --------
    >>> X, y = circle(100, rng=0)
    >>> bool(np.array_equal(y, np.sign((X**2).sum(axis=1) - 0.6)))
    True
    """
    n = _check.count(n, "n", "draw at least one point")
    noise = _check.probability(noise, "noise")
    radius2 = _check.positive(radius2, "radius2", "it is the square of a radius")
    rng = _check.generator(rng)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.where((X**2).sum(axis=1) > radius2, 1.0, -1.0)
    return Sample(X, np.where(rng.random(n) < noise, -y, y))


def two_gaussians(n: int, *, rng: np.random.Generator | int, gap: float = 2.0) -> Sample:
    r"""Draw two round clouds in the plane, :math:`N((\pm g/2, 0), I)`, labelled -1 (left) and +1 (right).

    The best possible classifier is the sign of the first coordinate, with error :math:`\Phi(-g/2)`.

    Parameters
    ----------
    n, rng
        Those of :func:`rings`.
    gap : float
        The distance g of the two means.

    Examples
    --------
    >>> X, y = two_gaussians(10_000, rng=0, gap=2.0)
    >>> bool(abs(np.mean(np.sign(X[:, 0]) != y) - 0.1587) < 0.01)  # Phi(-1)
    True
    """
    n = _check.count(n, "n", "draw at least one point a class", least=2)
    gap = _check.nonnegative(gap, "gap", "it is a distance")
    rng = _check.generator(rng)
    y = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    return Sample(rng.standard_normal((n, 2)) + np.outer(y, [gap / 2, 0.0]), y)


# -- other worlds ------------------------------------------------------------------------------------------


def histograms(n: int, bins: int, *, rng: np.random.Generator | int, empty: float = 0.4) -> Array:
    """Draw histograms that sum to one, with some bins empty: an (n, bins) array.

    Parameters
    ----------
    n : int
        The number of histograms.
    bins : int
        The number of bins.
    rng : Generator or int
        The source of randomness, or its seed.
    empty : float
        The chance that a bin is empty; one bin is always filled.

    Examples
    --------
    >>> H = histograms(5, 4, rng=0)
    >>> bool(np.allclose(H.sum(axis=1), 1)), bool(np.any(H == 0))
    (True, True)
    """
    n = _check.count(n, "n", "draw at least one histogram")
    bins = _check.count(bins, "bins", "a histogram needs at least one bin")
    empty = _check.probability(empty, "empty")
    rng = _check.generator(rng)
    H = rng.exponential(size=(n, bins)) * (rng.random((n, bins)) >= empty)
    H[np.arange(n), rng.integers(bins, size=n)] += rng.exponential(size=n)
    return np.asarray(H / H.sum(axis=1, keepdims=True))


def words(alphabet: str, longest: int) -> list[str]:
    """Return all strings over an alphabet, from the empty one up to a length, shortest first.

    Parameters
    ----------
    alphabet : str
        The letters.
    longest : int
        The greatest length.

    Examples
    --------
    >>> words("ab", 2)
    ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']
    """
    longest = _check.count(longest, "longest", "it is a length", least=0)
    return ["".join(letters) for size in range(longest + 1) for letters in product(alphabet, repeat=size)]


# -- real data ---------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A real data set: ``X`` of shape (n, d), ``y`` of shape (n,), and the d ``names`` of the features."""

    X: Array
    y: Array
    names: tuple[str, ...]


def digits(*classes: int) -> Sample:
    """Return scanned digits, 8 by 8 pixels each, as rows of 64 ink values from 0 to 16.

    Parameters
    ----------
    *classes : int
        The digits to keep; all ten when none is named.

    Examples
    --------
    >>> X, y = digits(3, 8)
    >>> X.shape, [int(c) for c in np.unique(y)]
    ((357, 64), [3, 8])
    """
    for digit in classes:
        if isinstance(digit, bool) or digit not in range(10):
            raise ValueError(f"classes must be digits from 0 to 9, got {digit!r}; name the digits to keep")
    X, y = load_digits(return_X_y=True)
    kept = np.isin(y, classes) if classes else np.full(len(y), True)
    return Sample(X[kept].astype(np.float64), y[kept].astype(np.float64))


def digit_features(*classes: int) -> Sample:
    """Return intensity and symmetry of the scanned digits, labelled by the digit.

    Parameters are those of :func:`digits`.

    Examples
    --------
    >>> X, y = digit_features(1, 5)
    >>> X.shape, [int(c) for c in np.unique(y)]
    ((364, 2), [1, 5])
    """
    X, y = digits(*classes)
    return Sample(intensity_symmetry(X, 8), y)


def diabetes() -> Table:
    """Return ten measurements of 442 diabetes patients, in their units, and the disease's progress in a year.

    Examples
    --------
    >>> X, y, names = diabetes()
    >>> X.shape, names[:3]
    ((442, 10), ('age', 'sex', 'bmi'))
    """
    table = load_diabetes(scaled=False)
    return Table(table.data.astype(np.float64), table.target.astype(np.float64), tuple(table.feature_names))


def breast_cancer() -> Table:
    """Return thirty measurements of 569 tumours, in their units: +1 is malignant, -1 benign.

    Examples
    --------
    >>> X, y, names = breast_cancer()
    >>> X.shape, int((y == 1).sum()), names[0]
    ((569, 30), 212, 'mean radius')
    """
    table = load_breast_cancer()
    y = np.where(table.target == 0, 1.0, -1.0)
    return Table(table.data.astype(np.float64), y, tuple(map(str, table.feature_names)))
