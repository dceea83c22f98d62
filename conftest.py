"""Settings of every test run: nbval compares figures as drawings, and handouts are not run."""

import pytest

# Handouts are not for running: their answers are missing, and what is there in their place raises.
collect_ignore_glob = ["book/coursework/*"]


def pytest_configure(config: pytest.Config) -> None:
    """Compare figures within a tolerance where notebooks are executed again."""
    if config.getoption("nbval", default=False):
        from bookkit.pages.figures import patch_nbval

        patch_nbval()
