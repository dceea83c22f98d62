"""Settings of all tests: the same examples in every run, what coverage counts, one walk for many tests."""

import functools
import importlib
import os
import pathlib
import pkgutil
import sys
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from tests.support.coursework_walk import Walk

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, max_examples=40)
settings.load_profile("repeatable")

# -- coverage: lines are counted while a test runs, and not while pytest is busy with itself

count = None  # what coverage.py counts with, if it does


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Import the package, whose lines outside functions run now, and stop counting until a test begins."""
    global count
    count = sys.gettrace()
    if count is not None:
        import lecturekit

        for module in pkgutil.walk_packages(lecturekit.__path__, "lecturekit."):
            importlib.import_module(module.name)
        sys.settrace(None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, Any, Any]:
    """Count what fixtures run, and in the next hook what the test runs."""
    if count is None:
        return (yield)
    sys.settrace(count)
    try:
        return (yield)
    finally:
        sys.settrace(None)


pytest_runtest_call = pytest_runtest_setup


# -- the worked example of the instructors' page


class OneWalk(LoadScopeScheduling):  # type: ignore[misc]
    """Give every test to whichever process is free, but those of the worked example to one: it runs once."""

    def _split_scope(self, nodeid: str) -> str:
        return "walk" if "walked" in _text(nodeid.split("::")[0]) else nodeid


@functools.cache
def _text(file: str) -> str:
    return (pathlib.Path(__file__).parent.parent / file).read_text(encoding="utf-8")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneWalk | None:
    """Replace the groups of pytest-xdist 3.8, whose mark pytest 9.2 no longer lets it see."""
    return OneWalk(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Skip where students' code cannot be run in a sandbox; on the servers that check changes, fail."""
    from coursekit.isolation.sandbox import sandbox_problem

    problem = sandbox_problem()
    if problem and os.environ.get("CI") == "true":
        pytest.fail(f"no sandbox: {problem}")
    if problem:
        pytest.skip(f"NOT CHECKED, no sandbox: {problem}")


@pytest.fixture(scope="session")
def walked(sandbox: None, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Walk]":
    """Do the worked example of the instructors' page, from ``new`` to ``export``, in a folder of its own."""
    from tests.support.coursework_walk import walk

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield walk(tmp_path_factory.mktemp("walk"))
    time.tzset()
