"""A machine on which what NumPy does not promise comes out otherwise; PYTHONPATH alone loads it.

Where nobody asks for a stable sort, equal values end up in the reverse of their order, and random numbers are
off by one in the last bit, this way and that. What a page shows must be the same all the same.
"""

from typing import Any

import numpy as np
from numpy.random import Generator

ULP = np.finfo(np.float64).eps
CONTINUOUS = (
    *("random", "uniform", "normal", "standard_normal", "multivariate_normal", "lognormal", "laplace"),
    *("exponential", "standard_exponential", "gamma", "standard_gamma", "beta", "chisquare", "dirichlet"),
    *("logistic", "standard_t", "standard_cauchy"),
)

argsort, argpartition, default_rng = np.argsort, np.argpartition, np.random.default_rng


def reversed_ties(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """Sort as ``np.argsort`` may: of equal values the last comes first."""
    if kind in ("stable", "mergesort") or stable or order is not None or isinstance(a, np.ma.MaskedArray):
        return argsort(a, axis, kind, order, stable=stable)
    a = np.asarray(a).ravel() if axis is None else np.asarray(a)
    axis = -1 if axis is None else axis
    return a.shape[axis] - 1 - argsort(np.flip(a, axis), axis, "stable") if a.ndim else argsort(a)


def reversed_part(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """Find the smallest as ``np.argpartition`` may: of equal values the last."""
    return reversed_ties(a, axis)


class AnyGenerator(type):
    """Take every generator for one, also those that come out of a pickle."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, Generator)


class LastBit(Generator, metaclass=AnyGenerator):
    """A generator whose continuous numbers are a little larger or smaller, by turns."""


def _shaken(name: str) -> Any:
    """Return a method of the generator that changes the last bit."""
    draw = getattr(Generator, name)

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        x = draw(self, *arguments, **options)
        if isinstance(x, float):
            return x * (1 - ULP)
        if isinstance(x, np.ndarray) and x.dtype == np.float64:
            x.flat[::2] *= 1 - ULP
            x.flat[1::2] *= 1 + ULP
        return x

    return method


for name in CONTINUOUS:
    setattr(LastBit, name, _shaken(name))


def shaken_rng(seed: Any = None) -> Any:
    """Make a generator as ``default_rng`` does."""
    return seed if isinstance(seed, Generator) else LastBit(default_rng(seed).bit_generator)


np.argsort, np.argpartition = reversed_ties, reversed_part
np.random.default_rng, np.random.Generator = shaken_rng, LastBit  # type: ignore[misc]
