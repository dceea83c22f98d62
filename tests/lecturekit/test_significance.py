"""The facade: every public name of the modules behind it, and nothing else."""

import importlib

from lecturekit import significance

PARTS = ("intervals", "posterior", "paired", "resampled", "rank_tests", "auc_tests", "power")


def test_facade_gathers_all_names() -> None:
    modules = [importlib.import_module(f"lecturekit.{part}") for part in PARTS]
    wanted = {name: getattr(module, name) for module in modules for name in module.__all__}
    assert sorted(wanted) == sorted(significance.__all__)
    assert all(getattr(significance, name) is value for name, value in wanted.items())
