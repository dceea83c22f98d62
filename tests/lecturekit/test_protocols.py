"""The facade: the public names of the modules behind it, but for the helpers they share."""

import importlib

from lecturekit import protocols

PARTS = ("splits", "folds", "smoothers", "validation", "selection", "vault")
SHARED = {"in_parallel", "measure", "observations", "predictions", "rows", "score"}


def test_facade_gathers_all_names() -> None:
    modules = [importlib.import_module(f"lecturekit.{part}") for part in PARTS]
    wanted = {name: getattr(module, name) for module in modules for name in module.__all__}
    assert sorted(wanted.keys() - SHARED) == sorted(protocols.__all__)
    assert all(getattr(protocols, name) is wanted[name] for name in protocols.__all__)
