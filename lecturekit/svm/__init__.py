r"""Svm."""

from lecturekit.svm._dual import (
    Iterate,
    SVMDual,
    bias,
    bias_interval,
    box_residual,
    costs,
    dual_objective,
    duality_gap,
    kkt_residual,
    primal_objective,
    solve,
)
from lecturekit.svm._estimators import SVC, LinearSVC
from lecturekit.svm._pegasos import (
    Pegasos,
    PegasosIterate,
    hinge_objective,
    hinge_subgradient,
    pegasos,
    pegasos_steps,
)
from lecturekit.svm._scda import scda_kernel, scda_kernel_steps, scda_linear, scda_linear_steps
from lecturekit.svm._smo import GramRows, ascend, smo, smo_steps
from lecturekit.svm._working_set import osuna, osuna_steps

__all__ = [
    "SVC",
    "GramRows",
    "Iterate",
    "LinearSVC",
    "Pegasos",
    "PegasosIterate",
    "SVMDual",
    "ascend",
    "bias",
    "bias_interval",
    "box_residual",
    "costs",
    "dual_objective",
    "duality_gap",
    "hinge_objective",
    "hinge_subgradient",
    "kkt_residual",
    "osuna",
    "osuna_steps",
    "pegasos",
    "pegasos_steps",
    "primal_objective",
    "scda_kernel",
    "scda_kernel_steps",
    "scda_linear",
    "scda_linear_steps",
    "smo",
    "smo_steps",
    "solve",
]
