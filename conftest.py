"""Settings of every test run: nbval compares figures as drawings and starts fast; handouts are not run."""

import pytest

# Handouts are not for running: their answers are missing, and what is there in their place raises.
collect_ignore_glob = ["book/coursework/*"]


def pytest_configure(config: pytest.Config) -> None:
    """Where notebooks are executed again, compare figures within a tolerance, and start kernels fast."""
    if config.getoption("nbval", default=False):
        from bookkit.pages.figures import patch_nbval
        from bookkit.pages.warm import patch_jupyter

        patch_nbval()
        patch_jupyter()
        config.option.nbval_kernel_startup_timeout = 600  # a busy machine starts slowly
