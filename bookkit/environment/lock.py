"""Renew ``requirements.lock`` and ``environment.yml`` from ``pyproject.toml``.

Run it with ``make lock``: pins that still fit are kept, so only what changed in ``pyproject.toml`` moves.
``python -m bookkit.environment.lock --upgrade`` drops every pin and takes the newest versions that fit.
A second run changes nothing.
"""

import argparse
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from bookkit import ROOT

PYTHON = "3.11"  # the oldest Python we support: the lock and the conda environment start from it

# Large or compiled packages that conda-forge carries under the same name; pip brings the others.
CONDA = {
    *("hypothesis", "joblib", "jupyterlab", "jupytext", "matplotlib", "mypy", "numba", "numpy", "pre-commit"),
    *("pytest", "pytest-cov", "pytest-xdist", "pyyaml", "ruff", "scikit-learn", "scipy", "tqdm"),
}


def direct_requirements(pyproject: Mapping[str, Any]) -> dict[str, Requirement]:
    """Return what the project asks for, run-time and every extra, by normalised name; two asks are merged."""
    project = pyproject["project"]
    groups = [project["dependencies"], *project.get("optional-dependencies", {}).values()]
    found: dict[str, Requirement] = {}
    for line in (line for group in groups for line in group):
        asked = Requirement(line)
        name = canonicalize_name(asked.name)
        if name in found:
            found[name].specifier &= asked.specifier
            found[name].extras |= asked.extras
        else:
            found[name] = asked
    return dict(sorted(found.items()))


def read_pins(lock: str, python: str = PYTHON) -> dict[str, str]:
    """Return the version of each package that the lock installs on Linux with this Python."""
    machine = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    pins: dict[str, str] = {}
    for line in lock.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate(machine):
            pins[canonicalize_name(pin.name)] = exact_version(pin.specifier)
    return pins


def exact_version(specifier: SpecifierSet) -> str:
    """Return the version of ``==version``; anything looser is not a pin."""
    parts = list(specifier)
    if len(parts) != 1 or parts[0].operator != "==" or "*" in parts[0].version:
        raise ValueError(f"a lock must pin with == and one version, got {str(specifier)!r}; run make lock")
    return parts[0].version


def environment(requirements: Mapping[str, Requirement], pins: Mapping[str, str]) -> str:
    """Return the text of ``environment.yml``: every direct requirement, at the version of the lock."""
    conda: list[str] = []
    pip: list[str] = []
    for name, asked in requirements.items():
        extras = f"[{','.join(sorted(asked.extras))}]" if asked.extras else ""
        (conda if name in CONDA else pip).append(f"{name}{extras}=={pins[name]}")
    lines = [
        "# Written by make lock from pyproject.toml and requirements.lock: do not edit.",
        "#   conda env create --file environment.yml && conda activate lecturekit",
        "name: lecturekit",
        "channels: [conda-forge, nodefaults]",
        "dependencies:",
        f"  - python={PYTHON}",
        "  - pip",
        *(f"  - {pin}" for pin in conda),
        "  - pip:",
        "      - --constraint requirements.lock",
        *(f"      - {pin}" for pin in pip),
        "      - --editable .",
    ]
    return "\n".join(lines) + "\n"


def compile_lock(root: Path, *, upgrade: bool) -> None:
    """Let uv choose the versions, one set for every Python and system we support."""
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv is None:
        raise SystemExit("make lock needs uv; install it with: .venv/bin/python -m pip install uv")
    choose = ["--all-extras", "--universal", "--fork-strategy", "fewest", "--python-version", PYTHON]
    write = ["--no-annotate", "--no-header", "--quiet", "--output-file", "requirements.lock"]
    renew = ["--upgrade"] if upgrade else []
    subprocess.run([uv, "pip", "compile", "pyproject.toml", *choose, *write, *renew], cwd=root, check=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Renew both files and say so."""
    parser = argparse.ArgumentParser(description="Renew requirements.lock and environment.yml.")
    parser.add_argument("--upgrade", action="store_true", help="drop every pin and take the newest versions")
    options = parser.parse_args(arguments)
    compile_lock(ROOT, upgrade=options.upgrade)
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = read_pins((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    text = environment(direct_requirements(pyproject), pins)
    (ROOT / "environment.yml").write_text(text, encoding="utf-8")
    print("requirements.lock and environment.yml are up to date.")


if __name__ == "__main__":
    main()
