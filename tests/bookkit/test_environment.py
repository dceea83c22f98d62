"""The lock and the conda environment hold what ``pyproject.toml`` asks for, and nothing names a host."""

import re
import tomllib
from collections.abc import Mapping

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bookkit import ROOT
from bookkit.environment.lock import direct_requirements, environment, exact_version, read_pins

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ASKED = direct_requirements(PYPROJECT)
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
ENVIRONMENT = (ROOT / "environment.yml").read_text(encoding="utf-8")

HOST = re.compile(r"://|@|--(extra-)?index-url|--find-links|\b[\w-]+\.(com|io|net|org|dev)\b")


def lock_faults(asked: Mapping[str, Requirement], lock: str, python: str = "3.11") -> list[str]:
    """Say which requirement the lock leaves out or pins outside its range."""
    pins = read_pins(lock, python)
    faults = [f"{name} is not in the lock" for name in asked if name not in pins]
    for name, want in asked.items():
        if name in pins and not want.specifier.contains(pins[name], prereleases=True):
            faults.append(f"{name}=={pins[name]} does not satisfy {want.specifier}")
    return faults


def environment_faults(asked: Mapping[str, Requirement], lock: str, text: str) -> list[str]:
    """Say where the conda environment and the direct requirements, at the lock's versions, differ."""
    conda = yaml.safe_load(text)["dependencies"]
    lines = [line for line in conda if isinstance(line, str)]
    pip = [line for part in conda if isinstance(part, dict) for line in part["pip"]]
    faults = [
        f"{need} is missing" for need in ("--editable .", "--constraint requirements.lock") if need not in pip
    ]
    if "python=3.11" not in lines or "pip" not in lines:
        faults.append("python=3.11 and pip are missing")
    found: dict[str, str] = {}
    for line in [*lines, *pip]:
        if line in ("pip", "python=3.11") or line.startswith("--"):
            continue
        pin = Requirement(line)
        name = canonicalize_name(pin.name)
        if name in found:
            faults.append(f"{name} is listed twice")
        if name in asked and pin.extras != asked[name].extras:
            faults.append(f"{name} has other extras than pyproject.toml")
        found[name] = exact_version(pin.specifier)
    pins = read_pins(lock)
    faults += [f"{name} is missing" for name in asked if name not in found]
    faults += [f"{name} is not a direct requirement" for name in found if name not in asked]
    faults += [
        f"{name} is {found[name]} here and {pins.get(name)} in the lock"
        for name in asked
        if name in found and found[name] != pins.get(name)
    ]
    return faults


def test_lock_and_environment_hold_every_requirement_as_the_tool_writes_them() -> None:
    for python in ("3.11", "3.12", "3.13", "3.14"):
        assert lock_faults(ASKED, LOCK, python) == []
    assert environment_faults(ASKED, LOCK, ENVIRONMENT) == []
    assert environment(ASKED, read_pins(LOCK)) == ENVIRONMENT
    assert HOST.search(LOCK + ENVIRONMENT) is None
    for group in PYPROJECT["project"]["optional-dependencies"].values():
        for line in group:
            assert canonicalize_name(Requirement(line).name) in ASKED


EXTRAS = {"a": ["dask[distributed]>=1"], "b": ["NumPy<3", "types-PyYAML"]}
SAMPLE = direct_requirements({"project": {"dependencies": ["numpy>=2.0"], "optional-dependencies": EXTRAS}})
GOOD_LOCK = "dask==1.5\nnumpy==2.4 ; python_version < '4'\n"
GOOD_LOCK += "pywinpty==1 ; os_name == 'nt'\ntypes-pyyaml==6.0.1\n"
GOOD_ENVIRONMENT = environment(SAMPLE, read_pins(GOOD_LOCK))


def test_the_sample_is_good() -> None:
    assert str(SAMPLE["numpy"].specifier) == "<3,>=2.0"
    assert "pywinpty" not in read_pins(GOOD_LOCK)
    assert lock_faults(SAMPLE, GOOD_LOCK) == []
    assert environment_faults(SAMPLE, GOOD_LOCK, GOOD_ENVIRONMENT) == []
    assert HOST.search(GOOD_LOCK + GOOD_ENVIRONMENT) is None


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("dask==1.5\n", "", "dask is not in the lock"),
        ("numpy==2.4 ;", "numpy==1.9 ;", "numpy==1.9 does not satisfy <3,>=2.0"),
        ("numpy==2.4 ;", "numpy==3.0 ;", "numpy==3.0 does not satisfy <3,>=2.0"),
        ("python_version < '4'", "python_version < '3'", "numpy is not in the lock"),
    ],
)
def test_broken_lock_is_caught(old: str, new: str, fault: str) -> None:
    assert old in GOOD_LOCK
    assert lock_faults(SAMPLE, GOOD_LOCK.replace(old, new)) == [fault]


@pytest.mark.parametrize("loose", ["numpy", "numpy>=2", "numpy==2.*", "numpy==2.4,!=2.5"])
def test_loose_pin_is_caught(loose: str) -> None:
    with pytest.raises(ValueError, match=r"must pin with == and one version, .*; run make lock"):
        read_pins(loose)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("  - numpy==2.4\n", "", "numpy is missing"),
        ("numpy==2.4", "numpy==2.3", "numpy is 2.3 here and 2.4 in the lock"),
        ("numpy==2.4\n", "numpy==2.4\n  - zlib==1\n", "zlib is not a direct requirement"),
        ("numpy==2.4\n", "numpy==2.4\n  - numpy==2.4\n", "numpy is listed twice"),
        ("dask[distributed]", "dask", "dask has other extras than pyproject.toml"),
        ("      - --editable .\n", "", "--editable . is missing"),
        ("      - --constraint requirements.lock\n", "", "--constraint requirements.lock is missing"),
        ("python=3.11", "pip", "python=3.11 and pip are missing"),
    ],
)
def test_broken_environment_is_caught(old: str, new: str, fault: str) -> None:
    assert old in GOOD_ENVIRONMENT
    assert environment_faults(SAMPLE, GOOD_LOCK, GOOD_ENVIRONMENT.replace(old, new)) == [fault]


def test_host_is_caught() -> None:
    hosts = ["numpy @ file:///tmp/x.whl", "--index-url http://localhost/s", "  - mirror.example.org::numpy"]
    assert all(HOST.search(line) for line in hosts)
