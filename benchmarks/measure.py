"""The one place that takes times."""

import contextlib
import ctypes
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Timed", "interleaved", "keep_memory"]

T = TypeVar("T")
Array: TypeAlias = NDArray[np.floating[Any]]

TRIM_THRESHOLD, MMAP_MAX = -1, -4  # the names of glibc's malloc.h


@dataclass(frozen=True, kw_only=True)
class Timed(Generic[T]):
    """What a contestant answered, and the least CPU time it took."""

    answer: T
    seconds: float


def interleaved(
    contestants: Mapping[str, Callable[[], T]],
    repeats: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, Timed[T]]:
    """Let the contestants run in turn, ``repeats`` rounds of them, and keep the least time of each.

    Taking turns spreads what else the machine does over all of them, and the minimum leaves most of it out.
    The answer is that of the last round; compile before.

    Examples
    --------
    >>> ticks = iter([0.0, 3.0, 3.0, 4.0, 4.0, 6.0, 6.0, 9.0])
    >>> timed = interleaved({"a": lambda: "A", "b": lambda: "B"}, repeats=2, clock=lambda: next(ticks))
    >>> timed["a"].seconds, timed["b"].seconds
    (2.0, 1.0)
    """
    timed: dict[str, Timed[T]] = {}
    for _ in range(repeats):
        for name, run in contestants.items():
            start = clock()
            answer = run()
            seconds = clock() - start
            best = min(seconds, timed[name].seconds) if name in timed else seconds
            timed[name] = Timed(answer=answer, seconds=best)
    return timed


def keep_memory() -> None:
    """Let the process keep the memory that is given back, for whoever asks next; without glibc, do nothing.

    The system clears the pages it hands out, and a virtual machine may have to ask its host for them: that
    can take longer than the solver, and is nobody's merit.
    """
    with contextlib.suppress(AttributeError):
        malloc_option = ctypes.CDLL(None).mallopt
        malloc_option(MMAP_MAX, 0)
        malloc_option(TRIM_THRESHOLD, -1)
