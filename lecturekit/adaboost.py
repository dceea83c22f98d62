r"""Discrete AdaBoost: decision stumps, each fitted to the points that those before it got wrong.

Every point has a weight. A round takes the stump :math:`h^m` with the least weighted error :math:`E_m`,
gives it the vote :math:`\alpha_m=\log\frac{1-E_m}{E_m}` and multiplies the weights of the points it got wrong
by :math:`e^{\alpha_m}`: under the new weights its error is one half, so that the next one has to differ.
The classifier is the sign of :math:`\sum_m\alpha_mh^m`. Half of that sum,
:math:`f=\sum_m\tfrac12\alpha_mh^m`, is the additive model that forward stagewise fitting of the
exponential loss finds.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.stumps import Stump, presort, search_stump

__all__ = ["AdaBoosted", "adaboost"]

CHANCE = 0.5 - 1e-12  # an error from here on is one half but for rounding


@dataclass(frozen=True, kw_only=True, eq=False)
class AdaBoosted:
    r"""What AdaBoost found.

    Attributes
    ----------
    stumps : tuple of Stump
        The stumps :math:`h^m`, M of them.
    alphas : array of shape (M,)
        Their votes :math:`\alpha_m=\log\frac{1-E_m}{E_m}` in the sum; 1 for a stump without errors.
    errors : array of shape (M,)
        Their weighted errors :math:`E_m`.
    stopped : str
        "rounds" if all rounds were made; "perfect" if a stump made no error, which ends the algorithm;
        "chance" if no stump was better than a coin, :math:`E_m\ge\frac12`: that one is not taken.
    weights : array of shape (M + 1, n), optional
        The weights of the points before each round and after the last, with sum one, if they were kept.
    """

    stumps: tuple[Stump, ...] = field(repr=False)
    alphas: Array = field(repr=False)
    errors: Array = field(repr=False)
    stopped: str
    weights: Array | None = field(default=None, repr=False)

    @property
    def n_iter(self) -> int:
        """The number M of stumps."""
        return len(self.stumps)

    @property
    def c(self) -> Array:
        r"""The coefficients :math:`c_m=\tfrac12\alpha_m` of the additive model."""
        return self.alphas / 2

    @property
    def bounds(self) -> Array:
        r"""The bounds :math:`\prod_{j\le m}2\sqrt{E_j(1-E_j)}` of the training error after each round."""
        return np.cumprod(2 * np.sqrt(self.errors * (1 - self.errors)))

    @property
    def training_bound(self) -> float:
        """The bound of the training error after the last round, one if there was none."""
        return float(self.bounds[-1]) if self.stumps else 1.0

    @property
    def gap(self) -> float:
        """How far the training error may be from zero, which is the bound."""
        return self.training_bound

    def staged(self, X: Any, *, half: bool = False) -> Iterator[Array]:
        r"""Yield :math:`\sum_{j\le m}\alpha_jh^j` at the rows of ``X`` after each round m, or half of it."""
        X = _check.matrix(X, copy=False)
        score = np.zeros(len(X))
        for c, stump in zip(self.c if half else self.alphas, self.stumps, strict=True):
            score = score + c * stump(X)
            yield score

    def decision(self, X: Any, *, half: bool = False) -> Array:
        r"""Return :math:`\sum_m\alpha_mh^m` at the rows of ``X``, shape (m,), or half of it, the model f."""
        stages = deque(self.staged(X, half=half), maxlen=1)
        return stages.pop() if stages else np.zeros(len(X))


def adaboost(X: Any, y: Any, rounds: int, *, keep_weights: bool = False) -> AdaBoosted:
    r"""Run discrete AdaBoost with decision stumps.

    A stump without errors can only come in the first round, since no weight is ever zero: what is right at
    every point is right under all weights. The algorithm then stops, as :math:`\alpha_1` would be infinite.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels -1 and +1.
    rounds : int
        The most rounds.
    keep_weights : bool
        Whether to keep the weights of all rounds.

    References
    ----------
    Freund and Schapire, *A decision-theoretic generalization of on-line learning and an application to
    boosting*, 1997.

    Examples
    --------
    No stump tells the middle from the two ends; three of them together do.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, -1, -1, 1]
    >>> found = adaboost(X, y, rounds=3)
    >>> found.errors.round(3), np.sign(found.decision(X))
    (array([0.2  , 0.25 , 0.167]), array([ 1.,  1., -1., -1.,  1.]))
    """
    X = np.asfortranarray(_check.matrix(X, copy=False), dtype=np.float64)
    y = _check.signs(y, len(X), both=False)
    rounds = _check.count(rounds, "rounds", "each adds a stump")
    order, w = presort(X), np.full(len(X), 1 / len(X))
    stumps, alphas, errors, log, stopped = list[Stump](), list[float](), list[float](), [w], "rounds"
    while len(stumps) < rounds and stopped == "rounds":
        stump = search_stump(X, order, w * y)
        wrong = stump(X) != y
        E = float(w[wrong].sum())
        if E >= CHANCE:
            stopped = "chance"
            break
        alpha = np.log((1 - E) / E) if E > 0 else 1.0
        if E > 0:
            w = np.where(wrong, w * np.exp(alpha), w)
            w = w / w.sum()
        else:
            stopped = "perfect"
        stumps.append(stump)
        alphas.append(float(alpha))
        errors.append(E)
        if keep_weights:
            log.append(w)
    return AdaBoosted(
        stumps=tuple(stumps),
        alphas=np.array(alphas),
        errors=np.array(errors),
        stopped=stopped,
        weights=np.array(log) if keep_weights else None,
    )
