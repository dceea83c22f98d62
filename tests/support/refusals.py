"""Tables of calls that must be refused: one beside the tests of each noun."""

import re
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from tests.support.border import Call, perform

Case: TypeAlias = tuple[Callable[[], object], str] | tuple[Callable[[], object], str, type[Exception]]
"""A call, how the message begins, and the kind of error where it is not a ValueError."""
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)


def kind(case: Case) -> type[Exception]:
    return case[2] if len(case) == 3 else ValueError


def spoilt(module: ModuleType, calls: dict[str, Call], rows: list[tuple[str, Call, str]]) -> list[Case]:
    """Make cases of valid calls: the names of functions, what is wrong in the call of each, the message."""
    return [
        (partial(perform, getattr(module, name), calls[name] | wrong), message)
        for names, wrong, message in rows
        for name in names.split()
    ]


def refused(cases: list[Case]) -> Callable[[Any], None]:
    """Make the test that every call of a table raises its message."""

    @pytest.mark.parametrize("case", cases, ids=[case[1][:50] for case in cases])
    def test(case: Case) -> None:
        with pytest.raises(kind(case), match="^" + re.escape(case[1])):
            case[0]()

    return test
