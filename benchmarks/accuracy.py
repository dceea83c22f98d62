"""How good an answer is, computed afresh in float64 by the same functions for every solver."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.measure import Array
from lecturekit.kernels import Kernel
from lecturekit.svm import bias, box_residual, dual_objective, kkt_residual, primal_objective

__all__ = ["Quality", "judge_kernel", "judge_weights", "no_worse", "within"]

SLACK = 1.1  # a residual may exceed the tolerance by this factor: solvers see it in float32
BLOCK = 500  # rows of the Gram matrix at a time


@dataclass(frozen=True, kw_only=True)
class Quality:
    """How good an answer is.

    Attributes
    ----------
    objective : float
        The primal objective.
    gap : float
        The objective minus a lower bound on its minimum, divided by that bound.
    kkt : float, optional
        The KKT residual, where the solver tells its multipliers.
    """

    objective: float
    gap: float
    kkt: float | None


def within(ours: Quality, peer: Quality, tol: float) -> bool:
    """Whether both residuals are within the tolerance.

    Examples
    --------
    >>> good, bad = (Quality(objective=1.0, gap=0.0, kkt=kkt) for kkt in (1e-3, 1e-2))
    >>> within(good, good, tol=1e-3), within(bad, good, tol=1e-3)
    (True, False)
    """
    return all(one.kkt is not None and one.kkt <= SLACK * tol for one in (ours, peer))


def no_worse(ours: Quality, peer: Quality) -> bool:
    """Whether our objective is the peer's or a lower one.

    Examples
    --------
    >>> low, high = (Quality(objective=value, gap=0.0, kkt=None) for value in (1.0, 2.0))
    >>> no_worse(low, high), no_worse(high, low)
    (True, False)
    """
    return ours.objective <= peer.objective


def infeasibility(alpha: Array, y: Array, C: float, *, with_bias: bool) -> float:
    """Return by how much the constraints of the dual fail."""
    outside = max(float(np.max(-alpha)), float(np.max(alpha - C)), 0.0)
    return max(outside, abs(float(alpha @ y))) if with_bias else outside


def relative_gap(primal: float, bound: float) -> float:
    """Return how far an objective is above a lower bound, in units of the bound."""
    return (primal - bound) / bound if bound > 0 else float("inf")


def scores(kernel: Kernel, X: Array, coefficients: Array) -> Array:
    """Return the sums of kernel values over the points with a coefficient, a block of rows at a time."""
    support = np.flatnonzero(coefficients)
    if support.size == 0:
        return np.zeros(len(X))
    blocks = [kernel(X[i : i + BLOCK], X[support]) @ coefficients[support] for i in range(0, len(X), BLOCK)]
    return np.concatenate(blocks)


def judge_kernel(alpha: Array, kernel: Kernel, X: Array, y: Array, C: float) -> Quality:
    """Judge multipliers of the SVM with a bias.

    Examples
    --------
    The optimum of two points at -1 and +1, and the start:

    >>> from lecturekit.kernels import Linear
    >>> X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    >>> judge_kernel(np.array([0.5, 0.5]), Linear(), X, y, 10.0)
    Quality(objective=0.5, gap=0.0, kkt=0.0)
    >>> judge_kernel(np.array([0.25, 0.25]), Linear(), X, y, 10.0).kkt
    1.0
    """
    alpha = np.asarray(alpha, dtype=np.float64)
    f = scores(kernel, np.asarray(X, dtype=np.float64), alpha * y)
    primal = primal_objective(alpha, f, y, C, bias(alpha, f, y, C))
    dual = dual_objective(alpha, f, y)
    residual = max(kkt_residual(alpha, f, y, C), infeasibility(alpha, y, C, with_bias=True))
    return Quality(objective=primal, gap=relative_gap(primal, dual), kkt=residual)


def judge_weights(w: Array, alpha: Array | None, X: Any, y: Array, C: float, bound: float) -> Quality:
    """Judge the weights of a linear SVM without a bias, and its multipliers where they are known.

    ``bound`` is the dual objective of any feasible multipliers: the minimum is not below it.

    Examples
    --------
    >>> X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    >>> judge_weights(np.array([1.0]), np.array([0.5, 0.5]), X, y, 10.0, bound=0.5)
    Quality(objective=0.5, gap=0.0, kkt=0.0)
    >>> judge_weights(np.array([0.0]), None, X, y, 10.0, bound=0.5)
    Quality(objective=20.0, gap=39.0, kkt=None)
    """
    primal = float(0.5 * w @ w + C * np.sum(np.maximum(0, 1 - y * (X @ w))))
    residual = None
    if alpha is not None:
        f = X @ (X.T @ (alpha * y))
        residual = max(box_residual(alpha, f, y, C), infeasibility(alpha, y, C, with_bias=False))
    return Quality(objective=primal, gap=relative_gap(primal, bound), kkt=residual)
