"""Settings of the package's tests: hypothesis draws the same examples in every run."""

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.coursework_walk import Walk

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, max_examples=40)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Skip where students' code cannot be run in a sandbox; on the servers that check changes, fail."""
    from lecturekit.coursework.sandbox import sandbox_problem

    problem = sandbox_problem()
    if problem and os.environ.get("CI") == "true":
        pytest.fail(f"no sandbox: {problem}")
    if problem:
        pytest.skip(f"NOT CHECKED, no sandbox: {problem}")


@pytest.fixture(scope="session")
def walked(sandbox: None, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Walk]":
    """Do the worked example of the instructors' page, from ``new`` to ``export``, in a folder of its own."""
    from tests.coursework_walk import walk

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield walk(tmp_path_factory.mktemp("walk"))
    time.tzset()
