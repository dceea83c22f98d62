r"""Penalised least squares: ridge regression, lasso, elastic net, multi-task lasso and their paths.

All of them minimise :math:`\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\,\Omega(w)` over w and b. This module
gathers the names of :mod:`lecturekit.penalties` (thresholds, results), :mod:`lecturekit.penalty_duality`
(gaps, optimality conditions), :mod:`lecturekit.ridge`, :mod:`lecturekit.lasso` and
:mod:`lecturekit.multitask`.
"""

from lecturekit.lasso import (
    elastic_net,
    elastic_net_path,
    elastic_net_steps,
    lasso,
    lasso_path,
    lasso_steps,
)
from lecturekit.multitask import multitask_lasso, multitask_lasso_path, multitask_lasso_steps
from lecturekit.penalties import (
    Path,
    Penalized,
    PenalizedIterate,
    block_soft_threshold,
    soft_threshold,
)
from lecturekit.penalty_duality import dual_point, dual_value, kkt_violation, lam_max, penalized_objective
from lecturekit.ridge import ridge, ridge_path

__all__ = [
    "Path",
    "Penalized",
    "PenalizedIterate",
    "block_soft_threshold",
    "dual_point",
    "dual_value",
    "elastic_net",
    "elastic_net_path",
    "elastic_net_steps",
    "kkt_violation",
    "lam_max",
    "lasso",
    "lasso_path",
    "lasso_steps",
    "multitask_lasso",
    "multitask_lasso_path",
    "multitask_lasso_steps",
    "penalized_objective",
    "ridge",
    "ridge_path",
    "soft_threshold",
]
