r"""Penalised least squares: ridge regression, lasso, elastic net, multi-task lasso and their paths.

With points X of shape (n, d), weights w and an intercept b that is not penalised, the objective is
:math:`P(w)=\tfrac1{2n}\lVert y-Xw-b\rVert^2+\lambda\,\Omega(w)` with
:math:`\Omega(w)=\rho\lVert w\rVert_1+\tfrac{1-\rho}2\lVert w\rVert^2`, the elastic net. The lasso is
:math:`\rho=1`, ridge regression :math:`\rho=0`. For K tasks, Y and w have K columns, and in place of
:math:`\lvert w_j\rvert` stands the norm of a row. Every fit comes with a bound that no weights go below.
"""

from lecturekit.penalized._lasso import elastic_net, elastic_net_path, lasso, lasso_path
from lecturekit.penalized._multitask import multitask_lasso
from lecturekit.penalized._penalties import (
    Path,
    Penalized,
    dual_point,
    dual_value,
    lam_max,
    penalized_objective,
    soft_threshold,
)
from lecturekit.penalized._ridge import ridge, ridge_path

__all__ = [
    "Path",
    "Penalized",
    "dual_point",
    "dual_value",
    "elastic_net",
    "elastic_net_path",
    "lam_max",
    "lasso",
    "lasso_path",
    "multitask_lasso",
    "penalized_objective",
    "ridge",
    "ridge_path",
    "soft_threshold",
]
