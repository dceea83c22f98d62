"""The vocabulary of the package's signatures."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "ArrayLike", "Indices", "Mask", "PointFunction", "Points"]

Array: TypeAlias = NDArray[np.floating[Any]]
"""A NumPy array of floats; the docstring gives its shape."""

Indices: TypeAlias = NDArray[np.intp]
"""A NumPy array of positions."""

Mask: TypeAlias = NDArray[np.bool_]
"""A NumPy array of truth values."""

Points: TypeAlias = Array | Sequence[str]
"""Objects to compare: the rows of an ``(n, d)`` array, or ``n`` strings."""

PointFunction: TypeAlias = Callable[[Array], Array]
"""A function evaluated on the rows of an ``(n, d)`` array at once."""
