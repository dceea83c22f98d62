"""Toy worlds with a known truth, and real data that needs no network."""

from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.features import intensity_symmetry
from lecturekit.worlds import (
    Credit,
    LinearWorld,
    Sample,
    ar1,
    collinear_pair,
    credit,
    line_data,
    linear_noise,
    noisy_sine,
    residence,
)

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


class Table(NamedTuple):
    """A real data set: ``X`` of shape (n, d), ``y`` of shape (n,), and the d ``names`` of the features."""

    X: Array
    y: Array
    names: tuple[str, ...]


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
    rng = _check.generator(rng)
    y = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    radius = np.where(y < 0, *radii) + noise * rng.standard_normal(n)
    angle = rng.uniform(0, 2 * np.pi, n)
    return Sample(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y)


def circle(n: int, *, rng: np.random.Generator | int, noise: float = 0.0, radius2: float = 0.6) -> Sample:
    r"""Draw points uniform in :math:`[-1,1]^2`: -1 inside the circle :math:`x_1^2+x_2^2=r^2`, +1 outside.

    Parameters
    ----------
    n : int
        The number of points.
    rng : Generator or int
        The source of randomness, or its seed.
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
    n : int
        The number of points; the classes differ in size by at most one.
    rng : Generator or int
        The source of randomness, or its seed.
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


def histograms(n: int, bins: int, *, rng: np.random.Generator | int, empty: float = 0.4) -> Array:
    """Draw histograms that sum to one, with some bins empty.

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

    Returns
    -------
    array of shape (n, bins)

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


def digits(*classes: int) -> Sample:
    """Return scanned digits, 8 by 8 pixels each, as rows of 64 ink values from 0 to 16.

    Parameters
    ----------
    *classes : int
        The digits to keep; all ten when none is named.

    References
    ----------
    Alpaydin and Kaynak, *Optical recognition of handwritten digits*, UCI repository, 1998.

    Examples
    --------
    >>> X, y = digits(3, 8)
    >>> X.shape, [int(c) for c in np.unique(y)]
    ((357, 64), [3, 8])
    """
    for digit in classes:
        if digit not in range(10):
            raise ValueError(f"classes must be digits from 0 to 9, got {digit!r}; name the digits to keep")
    X, y = load_digits(return_X_y=True)
    kept = np.isin(y, classes) if classes else np.full(len(y), True)
    return Sample(X[kept].astype(np.float64), y[kept].astype(np.float64))


def digit_features(*classes: int) -> Sample:
    """Return intensity and symmetry of the scanned digits, labelled by the digit.

    Parameters
    ----------
    *classes : int
        The digits to keep; all ten when none is named.

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

    References
    ----------
    Efron, Hastie, Johnstone and Tibshirani, *Least angle regression*, Annals of Statistics, 2004.

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

    References
    ----------
    Street, Wolberg and Mangasarian, *Nuclear feature extraction for breast tumor diagnosis*, 1993.

    Examples
    --------
    >>> X, y, names = breast_cancer()
    >>> X.shape, int((y == 1).sum()), names[0]
    ((569, 30), 212, 'mean radius')
    """
    table = load_breast_cancer()
    y = np.where(table.target == 0, 1.0, -1.0)
    return Table(table.data.astype(np.float64), y, tuple(map(str, table.feature_names)))
