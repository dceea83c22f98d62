"""Settings of every test run: the book's modules can be imported, and nbval compares figures as drawings."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent
# The Sphinx extensions are plain modules, which Sphinx finds by path; so do the tests.
sys.path[:0] = [str(ROOT), str(ROOT / "book" / "_ext")]
# Handouts are not for running: their answers are missing, and what is there in their place raises.
collect_ignore_glob = ["book/coursework/*"]


def pytest_configure(config: pytest.Config) -> None:
    """Compare figures within a tolerance where notebooks are executed again."""
    if config.getoption("nbval", default=False):
        from tests.figures import patch_nbval

        patch_nbval()
