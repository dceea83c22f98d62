"""Run Jupyter Book as ``jupyter-book`` does, with two settings that it has no option for."""

import functools
import gc

import jupyter_book.sphinx
import sphinx.application
from jupyter_book.cli.main import main


def may_run_in_parallel(app: sphinx.application.Sphinx, step: str) -> bool:
    """Let two processes write pages, but one read them: not every extension can merge what two have read.

    Asked for two processes, Sphinx would warn of these extensions, and a warning is a failure.
    """
    return step == "write"


if __name__ == "__main__":
    # Sphinx makes millions of small objects, and almost all of them stay: looking for garbage as often as
    # Python does by itself would take a third of the time.
    gc.set_threshold(200_000, 100, 100)
    setattr(sphinx.application.Sphinx, "is_parallel_allowed", may_run_in_parallel)  # noqa: B010
    jupyter_book.sphinx.build_sphinx = functools.partial(jupyter_book.sphinx.build_sphinx, jobs=2)
    main()
