"""The problems: random ones that every machine draws alike, and two data sets that need no network."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits

from benchmarks.measure import Array

__all__ = ["Problem", "breast_cancer", "dense", "digits", "nonlinear", "words"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """Points, labels -1 and +1, and a name for the table."""

    name: str
    X: Any = field(repr=False)
    y: Array = field(repr=False)

    @property
    def gamma(self) -> float:
        """The width that scikit-learn calls "scale"."""
        return float(1 / (self.X.shape[1] * self.X.var()))


def nonlinear(n: int, d: int = 20) -> Problem:
    """Draw points whose label is the sign of a curved function plus noise.

    Examples
    --------
    >>> nonlinear(100)
    Problem(name='n=100')
    """
    rng = np.random.default_rng([n, d])
    X = rng.normal(size=(n, d))
    height = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=n)
    return Problem(name=f"n={n}", X=X, y=np.where(height > 0, 1.0, -1.0))


def digits() -> Problem:
    """Tell the digits from 5 on from the others."""
    X, digit = load_digits(return_X_y=True)
    return Problem(name="digits", X=X / 16, y=np.where(digit >= 5, 1.0, -1.0))


def breast_cancer() -> Problem:
    """Tell benign from malignant, every feature with mean 0 and variance 1."""
    X, benign = load_breast_cancer(return_X_y=True)
    return Problem(name="cancer", X=(X - X.mean(axis=0)) / X.std(axis=0), y=2.0 * benign - 1)


def dense(n: int, d: int) -> Problem:
    """Draw points whose label is the sign of a linear function plus noise."""
    rng = np.random.default_rng([n, d])
    X = rng.normal(size=(n, d))
    height = X @ rng.normal(size=d) / np.sqrt(d) + 0.25 * rng.normal(size=n)
    return Problem(name=f"{n // 1000}k x {d}", X=X, y=np.where(height > 0, 1.0, -1.0))


def words(n: int, d: int, entries: int) -> Problem:
    """Draw sparse points, in which some columns are as common as common words, with noisy linear labels.

    Examples
    --------
    >>> words(n=1000, d=5000, entries=60).X.shape
    (1000, 5000)
    """
    rng = np.random.default_rng([n, d])
    columns = (d * rng.random(n * entries) ** 3).astype(np.int32)
    rows = np.repeat(np.arange(n, dtype=np.int32), entries)
    X = sparse.csr_array(sparse.coo_array((rng.random(n * entries), (rows, columns)), shape=(n, d)))
    height = X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)
    return Problem(name=f"CSR {n // 1000}k x {d // 1000}k", X=X, y=np.where(height > 0, 1.0, -1.0))
