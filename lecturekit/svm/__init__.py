r"""Support vector machines: the dual problem, its certificates, its solvers, and two classifiers.

With a kernel matrix :math:`K`, labels :math:`y_i = \pm1` and costs :math:`C_i > 0` the dual problem is

.. math:: \max_\alpha\ \sum_i\alpha_i - \tfrac12\sum_{i,j}\alpha_i\alpha_j y_i y_j K_{ij}
   \quad\text{subject to}\quad 0\le\alpha_i\le C_i,\quad \sum_i\alpha_i y_i = 0 .

Without a bias the equation is dropped. The *score* of a point, without the bias, is
:math:`f_i = \sum_j\alpha_j y_j K_{ij}`; objectives and certificates are computed from scores.

Objectives, biases and residuals say how good given multipliers are. With a bias, :func:`smo` moves two
multipliers at a time and :func:`osuna` a working set of them; without one, :func:`scda_kernel` and
:func:`scda_linear` move one. Each stops on its residual and returns an :class:`SVMDual`; the functions whose
names end in ``_steps`` yield an :class:`Iterate` after each step. :func:`pegasos` follows sub-gradients of
the primal. :class:`SVC` and :class:`LinearSVC` are estimators in the manner of scikit-learn.
"""

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
)
from lecturekit.svm._estimators import SVC, LinearSVC
from lecturekit.svm._osuna import osuna, osuna_steps
from lecturekit.svm._pegasos import (
    Pegasos,
    PegasosIterate,
    hinge_objective,
    hinge_subgradient,
    pegasos,
    pegasos_steps,
)
from lecturekit.svm._scda import scda_kernel, scda_kernel_steps, scda_linear, scda_linear_steps
from lecturekit.svm._smo import smo, smo_steps

__all__ = [
    "SVC",
    "Iterate",
    "LinearSVC",
    "Pegasos",
    "PegasosIterate",
    "SVMDual",
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
]
