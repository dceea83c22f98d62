"""The shape of coursekit: folders say how a submission flows, imports point down, no module needs itself."""

import ast
import graphlib
import pathlib
import sys
from collections.abc import Iterator

import pytest

import coursekit
import lecturekit

PACKAGE = pathlib.Path(coursekit.__file__).parent
# A module imports from its own folder and from those of a lower rank.
RANKS = {"isolation": 0, "sets": 0, "marking": 1, "checking": 2, "course": 2, "cli": 3, "__main__": 4}


def names(folder: pathlib.Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules of a package by their full names, parsed."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(names(PACKAGE))


def imported(tree: ast.Module) -> set[str]:
    """Return what a module imports: at its top, in functions, or for its types alone."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


def needs(name: str) -> set[str]:
    """Return the modules of the package that a module imports, packages themselves left out."""
    return {other for other in imported(MODULES[name]) & MODULES.keys() if other.count(".") == 2}


def rank(name: str) -> int:
    """Return the rank of a module, by its folder or, at the top, by its name."""
    return RANKS.get(name.split(".")[1], -1) if "." in name else -1


def test_the_packages_know_nothing_of_each_other_and_imports_point_down() -> None:
    assert not [name for name, tree in MODULES.items() if any("lecturekit" in one for one in imported(tree))]
    others = dict(names(pathlib.Path(lecturekit.__file__).parent))
    assert not [name for name, tree in others.items() if any("coursekit" in one for one in imported(tree))]
    assert {name.split(".")[1] for name in MODULES if "." in name} == RANKS.keys(), "every folder has a rank"
    for name in MODULES:
        home = name.split(".")[:2]
        assert not [o for o in needs(name) if o.split(".")[:2] != home and rank(o) >= rank(name)], name
    graphlib.TopologicalSorter({name: needs(name) for name in MODULES}).prepare()


@pytest.mark.parametrize(("name", "allowed"), [("wire", set()), ("student", {"coursekit.isolation.wire"})])
def test_the_students_side_imports_little(name: str, allowed: set[str]) -> None:
    module = f"coursekit.isolation.{name}"
    outside = {one.split(".")[0] for one in imported(MODULES[module])} - set(sys.stdlib_module_names)
    assert outside - {"coursekit"} == {"numpy"}
    assert needs(module) == allowed
