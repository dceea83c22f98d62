"""The module that gathers penalised least squares: every name is there, and is the one of its own module."""

import importlib
from itertools import chain

import pytest

from lecturekit import penalized

NAMES = {
    "penalties": ["Path", "Penalized", "PenalizedIterate", "block_soft_threshold", "soft_threshold"],
    "penalty_duality": ["dual_point", "dual_value", "kkt_violation", "lam_max", "penalized_objective"],
    "ridge": ["ridge", "ridge_path"],
    "lasso": ["elastic_net", "elastic_net_path", "elastic_net_steps", "lasso", "lasso_path", "lasso_steps"],
    "multitask": ["multitask_lasso", "multitask_lasso_path", "multitask_lasso_steps"],
}


@pytest.mark.parametrize("home", NAMES)
def test_names_are_those_of_their_modules(home: str) -> None:
    module = importlib.import_module(f"lecturekit.{home}")
    for name in NAMES[home]:
        assert getattr(penalized, name) is getattr(module, name)


def test_no_name_is_left_out() -> None:
    assert sorted(penalized.__all__) == sorted(chain(*NAMES.values()))
