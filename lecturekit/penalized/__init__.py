r"""Penalised least squares: ridge regression, lasso, elastic net, multi-task lasso and their paths.

All of them minimise :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\,\Omega(w)` over w and b. This module
gathers the names of :mod:`lecturekit.penalties` (thresholds, results), :mod:`lecturekit.penalty_duality`
(gaps, optimality conditions), :mod:`lecturekit.ridge`, :mod:`lecturekit.lasso` and
:mod:`lecturekit.multitask`.
"""

from lecturekit.penalized._lasso import (
    elastic_net,
    elastic_net_path,
    elastic_net_steps,
    lasso,
    lasso_path,
    lasso_steps,
)
from lecturekit.penalized._multitask import multitask_lasso, multitask_lasso_path, multitask_lasso_steps
from lecturekit.penalized._penalties import (
    Centred,
    Path,
    Penalized,
    PenalizedIterate,
    block_soft_threshold,
    centre,
    certificate,
    dual_point,
    dual_value,
    falling,
    kkt_violation,
    lam_max,
    largest_penalty,
    penalized_objective,
    penalty_sizes,
    residual_sums,
    shares,
    soft_threshold,
    solve,
)
from lecturekit.penalized._ridge import ridge, ridge_path
from lecturekit.penalized._solver import CHUNK, Epochs, FeatureSet, working_set_steps

__all__ = [
    "CHUNK",
    "Centred",
    "Epochs",
    "FeatureSet",
    "Path",
    "Penalized",
    "PenalizedIterate",
    "block_soft_threshold",
    "centre",
    "certificate",
    "dual_point",
    "dual_value",
    "elastic_net",
    "elastic_net_path",
    "elastic_net_steps",
    "falling",
    "kkt_violation",
    "lam_max",
    "largest_penalty",
    "lasso",
    "lasso_path",
    "lasso_steps",
    "multitask_lasso",
    "multitask_lasso_path",
    "multitask_lasso_steps",
    "penalized_objective",
    "penalty_sizes",
    "residual_sums",
    "ridge",
    "ridge_path",
    "shares",
    "soft_threshold",
    "solve",
    "working_set_steps",
]
