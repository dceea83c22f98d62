"""Tables of calls that must be refused: one beside the tests of each noun."""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

Case: TypeAlias = tuple[Callable[[], object], str] | tuple[Callable[[], object], str, type[Exception]]
"""A call, how the message begins, and the kind of error where it is not a ValueError."""


def kind(case: Case) -> type[Exception]:
    """Return the kind of error that a case raises."""
    return case[2] if len(case) == 3 else ValueError


def refused(cases: list[Case]) -> Callable[[Any], None]:
    """Make the test that every call of a table raises its message."""

    @pytest.mark.parametrize("case", cases, ids=[case[1][:50] for case in cases])
    def test(case: Case) -> None:
        with pytest.raises(kind(case), match="^" + re.escape(case[1])):
            case[0]()

    return test
