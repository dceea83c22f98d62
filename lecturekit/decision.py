r"""Decisions under a known law and from a sample: costs of errors, the Bayes classifier, the least mean loss.

A decision is +1 (accept) or -1 (reject), and :math:`p(x)=P(y=+1\mid x)`. A false accept costs
:math:`c_{FA}` and a false reject :math:`c_{FR}`; with both equal to one the expected cost is the 0-1 risk.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.losses import Logistic

__all__ = [
    "ERM",
    "bayes_classifier",
    "cost_threshold",
    "erm",
    "expected_cost",
    "logistic_loss",
    "mean_loss",
    "squared",
    "true_risk",
    "zero_one",
]

SUMS_TO_ONE = 1e-9  # how far from one the rounded probabilities of all points may add up to

Loss = Callable[[Any, Any], Any]
Hypothesis = Callable[[Any], Any]


# -- a known law ---------------------------------------------------------------------------------------------


def _costs(cost_fa: Any, cost_fr: Any) -> tuple[float, float]:
    """Check the costs of the two errors."""
    return (
        _check.positive(cost_fa, "cost_fa", "if false accepts cost nothing, accept everyone"),
        _check.positive(cost_fr, "cost_fr", "if false rejects cost nothing, reject everyone"),
    )


def _chances(p: Any) -> Array:
    """Return probabilities in an array of any shape."""
    return _check.chances(np.ravel(p), "p").reshape(np.shape(p))


def cost_threshold(cost_fa: float, cost_fr: float) -> float:
    r"""Return the probability :math:`c_{FA}/(c_{FA}+c_{FR})` from which on accepting is the cheaper decision.

    Accepting costs :math:`(1-p)\,c_{FA}` on average and rejecting :math:`p\,c_{FR}`: the lines cross there.

    Parameters
    ----------
    cost_fa, cost_fr : float
        The costs of a false accept and of a false reject, > 0.

    References
    ----------
    Elkan, *The foundations of cost-sensitive learning*, 2001.

    Examples
    --------
    A supermarket that fears to turn customers away, and a guarded door:

    >>> cost_threshold(1, 10) == 1 / 11, cost_threshold(1000, 1) == 1000 / 1001
    (True, True)
    """
    fa, fr = _costs(cost_fa, cost_fr)
    return fa / (fa + fr)


def expected_cost(p: Any, decision: Any, *, cost_fa: float = 1.0, cost_fr: float = 1.0) -> Array:
    r"""Return what a decision costs on average: :math:`(1-p)\,c_{FA}` if +1 and :math:`p\,c_{FR}` if -1.

    Parameters
    ----------
    p : float or array
        The probabilities of the label +1.
    decision : int or array
        +1 to accept, -1 to reject: one for all, or one for each probability.
    cost_fa, cost_fr : float
        The costs of a false accept and of a false reject, > 0.

    Examples
    --------
    At one half the supermarket loses less by accepting, the guarded door by rejecting:

    >>> [expected_cost(0.5, d, cost_fa=1, cost_fr=10).tolist() for d in (+1, -1)]
    [0.5, 5.0]
    >>> [expected_cost(0.5, d, cost_fa=1000, cost_fr=1).tolist() for d in (+1, -1)]
    [500.0, 0.5]
    """
    p, (fa, fr), decision = _chances(p), _costs(cost_fa, cost_fr), np.asarray(decision)
    strange = ~np.isin(decision, (-1, 1))
    if np.any(strange):
        raise ValueError(
            f"decision must hold only -1 and +1, got {decision[strange][0]}; map 0/1 with 2*decision - 1"
        )
    return np.asarray(np.where(decision > 0, (1 - p) * fa, p * fr))


def bayes_classifier(p: Any, *, cost_fa: float = 1.0, cost_fr: float = 1.0) -> Array:
    r"""Return the cheapest decisions: +1 where :math:`p\ge c_{FA}/(c_{FA}+c_{FR})`, elsewhere -1.

    The expected cost of a classifier is a sum over x of what it costs there, so the least is reached by the
    cheaper decision at each x. With equal costs this is :math:`P(y=+1\mid x)\ge\frac12`, the least 0-1 risk.

    Parameters
    ----------
    p : float or array
        The probabilities of the label +1, one for each x.
    cost_fa, cost_fr : float
        The costs of a false accept and of a false reject, > 0.

    References
    ----------
    Devroye, Györfi and Lugosi, *A Probabilistic Theory of Pattern Recognition*, 1996, theorem 2.1.

    Examples
    --------
    >>> p = [0.05, 0.2, 0.5, 0.9]
    >>> bayes_classifier(p), bayes_classifier(p, cost_fa=1, cost_fr=10)
    (array([-1., -1.,  1.,  1.]), array([-1.,  1.,  1.,  1.]))
    """
    return np.where(_chances(p) >= cost_threshold(cost_fa, cost_fr), 1.0, -1.0)


def true_risk(weights: Any, p: Any, decision: Any, *, cost_fa: float = 1.0, cost_fr: float = 1.0) -> float:
    r"""Return the risk :math:`\sum_xP(x)\,c(x)` of a classifier under a discrete law.

    c(x) is the :func:`expected_cost` of its decision at x; with costs of one the risk is the probability
    of an error.

    Parameters
    ----------
    weights : array of shape (m,)
        The probabilities P(x) of the points.
    p : array of shape (m,)
        The probabilities of the label +1 at the points.
    decision : array of shape (m,)
        +1 to accept, -1 to reject.
    cost_fa, cost_fr : float
        The costs of a false accept and of a false reject, > 0.

    Examples
    --------
    No classifier does better than that of Bayes, which is wrong with probability
    :math:`\sum_xP(x)\min(p,1-p)`:

    >>> weights, p = [0.5, 0.25, 0.25], [0.0, 0.75, 0.5]
    >>> true_risk(weights, p, bayes_classifier(p)), true_risk(weights, p, [1, 1, 1])
    (0.1875, 0.6875)
    """
    weights = _check.chances(weights, "weights")
    if abs(weights.sum() - 1) > SUMS_TO_ONE:
        raise ValueError(f"weights must sum to 1, got {weights.sum():g}; divide them by their sum")
    p = _check.probabilities(p, len(weights))
    decision = _check.vector(decision, len(weights), "decision")
    return float(weights @ expected_cost(p, decision, cost_fa=cost_fa, cost_fr=cost_fr))


# -- a sample ------------------------------------------------------------------------------------------------


def zero_one(predicted: Any, y: Any) -> Array:
    r"""Return the 0-1 loss :math:`[h(x)\ne y]` of classes.

    Parameters
    ----------
    predicted, y : array of shape (n,)
        Predicted classes and classes.

    Examples
    --------
    >>> zero_one(["ripe", "raw"], ["ripe", "ripe"])
    array([0., 1.])
    """
    return np.asarray(np.not_equal(predicted, y), np.float64)


def squared(predicted: Any, y: Any) -> Array:
    r"""Return the squared loss :math:`(h(x)-y)^2` of numbers.

    Parameters
    ----------
    predicted, y : array of shape (n,)
        Predictions and targets.

    Examples
    --------
    >>> squared([1.0, 2.0], [1.0, 5.0])
    array([0., 9.])
    """
    return np.asarray((np.asarray(predicted, np.float64) - np.asarray(y, np.float64)) ** 2)


def logistic_loss(score: Any, y: Any) -> Array:
    r"""Return the logistic loss :math:`\log(1+e^{-y\,s})` of scores s for labels -1 and +1.

    It takes the score, such as :math:`w^\top x`, and not the probability :math:`\sigma(s)`.

    Parameters
    ----------
    score, y : array of shape (n,)
        Scores, and labels -1 and +1.

    Examples
    --------
    >>> logistic_loss([0.0, -1000.0], [1, 1])
    array([6.93147181e-01, 1.00000000e+03])
    """
    return Logistic(base=np.e)(np.asarray(y, np.float64) * np.asarray(score, np.float64))


def mean_loss(loss: Loss, h: Hypothesis, X: Any, y: Any) -> float:
    r"""Return the empirical risk :math:`E_{in}(h)=\frac1n\sum_i\ell(h(x_i),y_i)`.

    For a new sample that had no part in the choice of h it estimates the risk :math:`E_{out}(h)`.

    Parameters
    ----------
    loss : callable
        Takes predictions and targets, returns one loss a point: :func:`zero_one`, :func:`squared`, ...
    h : callable
        Takes the points, returns one prediction each.
    X : array with n rows
        The points.
    y : array of shape (n,)
        The targets.

    Examples
    --------
    >>> mean_loss(zero_one, np.sign, [-2.0, 3.0, 5.0, 1.0], [-1, 1, -1, 1])
    0.25
    """
    X, y = np.asarray(X), np.asarray(y)
    losses = np.asarray(loss(h(X), y), np.float64)
    n = max(len(X), 1)
    if losses.shape != (n,):
        raise ValueError(f"loss must return shape ({n},), got {losses.shape}; give one number a point")
    return float(np.mean(losses))


@dataclass(frozen=True, kw_only=True, eq=False)
class ERM:
    """The minimiser of the empirical risk.

    Attributes
    ----------
    index : int
        Its place among the hypotheses, the first of several.
    hypothesis : callable
        The hypothesis itself.
    risk : float
        Its empirical risk.
    risks : array
        Those of all hypotheses.
    """

    index: int
    hypothesis: Hypothesis = field(repr=False)
    risk: float
    risks: Array = field(repr=False)


def erm(loss: Loss, hypotheses: Iterable[Hypothesis], X: Any, y: Any) -> ERM:
    r"""Minimise the empirical risk over finitely many hypotheses.

    It returns :math:`\arg\min_{h\in H}\frac1n\sum_i\ell(h(x_i),y_i)`, the first one if there are several.

    Parameters
    ----------
    loss : callable
        Takes predictions and targets, returns one loss a point: :func:`zero_one`, :func:`squared`, ...
    hypotheses : iterable of callables
        The set H; each takes the points and returns one prediction each.
    X : array with n rows
        The points.
    y : array of shape (n,)
        The targets.

    References
    ----------
    Shalev-Shwartz and Ben-David, *Understanding Machine Learning*, 2014, chapter 2.

    Examples
    --------
    The constant of least squared loss among the halves is the one next to the mean:

    >>> constants = [lambda X, c=c: np.full(len(X), c) for c in (0.0, 0.5, 1.0, 1.5)]
    >>> erm(squared, constants, [[0.0]] * 5, [0, 0, 1, 0, 1])
    ERM(index=1, risk=0.25)
    """
    hypotheses = list(hypotheses)
    if not hypotheses:
        raise ValueError("hypotheses must hold at least one, got none; there is nothing to choose from")
    risks = np.array([mean_loss(loss, h, X, y) for h in hypotheses])
    k = int(np.argmin(risks))
    return ERM(index=k, hypothesis=hypotheses[k], risk=float(risks[k]), risks=risks)
