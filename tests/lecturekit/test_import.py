"""The package as a library: what a bare import costs, and what an installation brings."""

import subprocess
import sys
import tomllib

from packaging.requirements import Requirement

from bookkit import ROOT

FOR_NOTEBOOKS = {"ipython", "matplotlib-inline", "ipykernel", "jupyterlab", "jupyter-book", "nbgrader"}


def printed(code: str) -> str:
    """Run Python code in a fresh process and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout


def test_a_bare_import_loads_no_other_package_and_an_installation_brings_no_notebooks() -> None:
    # what is not loaded takes no time: on an idle machine the import takes a hundredth of a second
    code = "import sys; old = {*sys.modules}; import lecturekit; print(*sorted({*sys.modules} - old))"
    assert printed(code).split() == ["lecturekit"]
    code = "import sys; from lecturekit import svm, trees, penalized; print('matplotlib' in sys.modules)"
    assert printed(code).strip() == "False"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {Requirement(line).name for line in project["dependencies"]}
    assert {"numpy", "scipy", "numba", "matplotlib"} <= names
    assert not names & FOR_NOTEBOOKS
