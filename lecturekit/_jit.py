"""The numba switch: compiled where numba is, the same function as plain Python where it is not.

Set ``LECTUREKIT_NO_JIT=1`` in the environment before the first import to run everything as plain Python.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

__all__ = ["COMPILED", "fast_jit", "jit"]

F = TypeVar("F", bound=Callable[..., Any])


def _numba_is_wanted_and_there() -> bool:
    """Whether the compiled versions can and shall be used."""
    if os.environ.get("LECTUREKIT_NO_JIT", "0") not in ("", "0"):
        return False
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


COMPILED: bool = _numba_is_wanted_and_there()
"""True when :func:`jit` compiles."""


def jit(function: F, *, fastmath: bool = False) -> F:
    """Compile an inner loop; its plain-Python twin stays reachable as ``function.py_func``.

    ``fastmath`` lets the compiler reorder sums and maxima, which it must to use vector instructions; the
    values must be finite. Keep a compiled helper in the file of its caller: numba's cache does not see a
    change in another file.
    """
    if COMPILED:
        import numba

        return cast(F, numba.njit(cache=True, fastmath=fastmath, error_model="numpy")(function))
    function.py_func = function  # type: ignore[attr-defined]
    return function


def fast_jit(function: F) -> F:
    """Compile with :func:`jit` and ``fastmath``."""
    return jit(function, fastmath=True)
