r"""Losses and decisions: what a classifier pays for being wrong, and which decision is the cheapest.

*Losses of the margin* :math:`M = y\,g(x)`, which is positive where the sign of :math:`g` is the label. A
*surrogate* lies nowhere below the 0-1 loss :math:`[M<0]` and has a slope to follow, so that making it small
makes the number of mistakes small; *the empirical risk* is its mean over a sample. *Decisions under a known
law* are +1 (accept) or -1 (reject), where :math:`p(x)=P(y=+1\mid x)`: a false accept costs :math:`c_{FA}` and
a false reject :math:`c_{FR}`; with both equal to one the expected cost is the 0-1 risk. *Decisions from a
sample* are those of least mean loss among finitely many hypotheses.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Indices

__all__ = [
    "ERM",
    "SURROGATES",
    "BatchGradient",
    "Exponential",
    "Hinge",
    "Logistic",
    "MarginLoss",
    "PerceptronLoss",
    "Sigmoid",
    "Squared",
    "bayes_classifier",
    "cost_threshold",
    "empirical_risk",
    "erm",
    "expected_cost",
    "logistic_loss",
    "logit",
    "margins",
    "sigmoid",
    "squared",
    "true_risk",
    "zero_one",
]

# -- the logistic function ---------------------------------------------------------------------------------


def _numbers(value: ArrayLike, name: str) -> Array:
    """Return finite doubles in an array of any shape."""
    return _check.numbers(value, name).astype(np.float64, copy=False)


def _require_pairs(one: NDArray[Any], other: NDArray[Any], names: str) -> None:
    """Require that two arrays have the same shape, unless one of them is a number for all."""
    if one.ndim and other.ndim and one.shape != other.shape:
        raise ValueError(f"{names} must be alike, got shapes {one.shape} and {other.shape}; pair them")


def sigmoid(s: ArrayLike) -> Array:
    r"""Return the logistic function :math:`\sigma(s) = 1/(1+e^{-s})`, for any s without overflow.

    Parameters
    ----------
    s : array of any shape
        Scores.

    Examples
    --------
    >>> sigmoid([-1000.0, 0.0, 1000.0])
    array([0. , 0.5, 1. ])
    """
    return np.asarray(special.expit(_numbers(s, "s")))


def logit(p: ArrayLike) -> Array:
    r"""Return the log-odds :math:`\log\frac p{1-p}`, the inverse of :func:`sigmoid`.

    Parameters
    ----------
    p : array of any shape
        Probabilities, strictly between 0 and 1.

    Examples
    --------
    >>> np.round(logit(sigmoid([-3.0, 0.0, 8.0])), 12)
    array([-3.,  0.,  8.])
    """
    p = _numbers(p, "p")
    outside = p[(p <= 0) | (p >= 1)]
    if outside.size:
        raise ValueError(
            f"p must lie strictly between 0 and 1, got {outside.flat[0]:g}; "
            "a sure event has no finite log-odds"
        )
    return np.asarray(special.logit(p))


# -- losses of the margin ----------------------------------------------------------------------------------


def _float(M: ArrayLike) -> Array:
    """Return margins as doubles."""
    return np.asarray(M, dtype=np.float64)


class MarginLoss(ABC):
    """A loss of the margin: a function and its derivative.

    Attributes
    ----------
    bounds_zero_one : bool
        Whether the loss is at least :math:`[M<0]` for every margin.
    convex : bool
        Whether the loss is a convex function of the margin.

    Examples
    --------
    A new loss needs both; this one forgives margins above zero and grows fast below:

    >>> class Cubed(MarginLoss):
    ...     bounds_zero_one = False
    ...     def __call__(self, M):
    ...         return np.maximum(0, -M) ** 3
    ...     def derivative(self, M):
    ...         return -3 * np.maximum(0, -M) ** 2
    >>> empirical_risk(Cubed(), [1.0], [[2.0], [-2.0]], [1, 1])
    4.0
    """

    bounds_zero_one: bool = True
    convex: bool = True

    @abstractmethod
    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""

    @abstractmethod
    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin; at a kink, one sub-derivative."""


@dataclass(frozen=True)
class Squared(MarginLoss):
    r"""The quadratic loss :math:`(1-M)^2`, which is :math:`(y-g)^2` for labels -1 and +1.

    Margins above one, though right, are punished too.

    Examples
    --------
    >>> Squared()([-1.0, 0.0, 1.0, 2.0])
    array([4., 1., 0., 1.])
    """

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        return np.asarray((1 - _float(M)) ** 2)

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return np.asarray(2 * (_float(M) - 1))


@dataclass(frozen=True)
class Hinge(MarginLoss):
    r"""The hinge loss :math:`\max(0, 1-M)` of the support vector machine.

    At the kink :math:`M=1` the sub-derivative given is zero.

    Examples
    --------
    >>> Hinge()([-1.0, 0.0, 1.0, 2.0])
    array([2., 1., 0., 0.])
    """

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        return np.maximum(0.0, 1 - _float(M))

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return np.where(_float(M) < 1, -1.0, 0.0)


@dataclass(frozen=True)
class Logistic(MarginLoss):
    r"""The logistic loss :math:`\log_a(1+e^{-M})`, the negative log-likelihood of logistic regression.

    At :math:`M=0` it is :math:`\log_a2`: it bounds the 0-1 loss for a base :math:`a\le2`, and with the
    natural logarithm it does not. The minimiser is the same for every base.

    Parameters
    ----------
    base : float
        The base a of the logarithm, > 1.

    Examples
    --------
    >>> Logistic().bounds_zero_one, Logistic(base=np.e).bounds_zero_one
    (True, False)
    """

    base: float = 2.0

    def __post_init__(self) -> None:
        base = _check.positive(self.base, "base", "it is the base of a logarithm")
        if base <= 1:
            raise ValueError(f"base must be a number > 1, got {base:g}; a smaller base rewards mistakes")
        object.__setattr__(self, "base", base)

    @property
    def bounds_zero_one(self) -> bool:  # type: ignore[override]
        """Whether the loss is at least one at every negative margin."""
        return self.base <= 2

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        return np.asarray(np.logaddexp(0.0, -_float(M)) / np.log(self.base))

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return np.asarray(-special.expit(-_float(M)) / np.log(self.base))


@dataclass(frozen=True)
class Exponential(MarginLoss):
    r"""The exponential loss :math:`e^{-M}` of AdaBoost; beyond the largest double it is infinite.

    Examples
    --------
    >>> Exponential()([-10.0, 0.0, 10.0]).round(4)
    array([2.20264658e+04, 1.00000000e+00, 0.00000000e+00])
    """

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-_float(M)))

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return -self(M)


@dataclass(frozen=True)
class Sigmoid(MarginLoss):
    r"""The sigmoid loss :math:`2/(1+e^M)`: never above two, so one point cannot do much, and not convex.

    Examples
    --------
    >>> Sigmoid()([-10.0, 0.0, 10.0]).round(4)
    array([1.9999e+00, 1.0000e+00, 1.0000e-04])
    """

    convex = False

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        return np.asarray(2 * special.expit(-_float(M)))

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return np.asarray(-2 * special.expit(_float(M)) * special.expit(-_float(M)))


@dataclass(frozen=True)
class PerceptronLoss(MarginLoss):
    r"""The perceptron's loss :math:`\max(0, -M)`, no bound of the 0-1 loss.

    At the kink :math:`M=0` the sub-derivative given is -1: a step of size one on it, for one point at a time,
    is the perceptron's update, which also moves when a point lies on the boundary.

    Examples
    --------
    >>> PerceptronLoss()([-2.0, 0.0, 2.0]), PerceptronLoss().derivative([-2.0, 0.0, 2.0])
    (array([2., 0., 0.]), array([-1., -1.,  0.]))
    """

    bounds_zero_one = False

    def __call__(self, M: ArrayLike) -> Array:
        """Return the loss at each margin."""
        return np.asarray(np.maximum(0.0, 0.0 - _float(M)))

    def derivative(self, M: ArrayLike) -> Array:
        """Return the derivative at each margin."""
        return np.where(_float(M) <= 0, -1.0, 0.0)


SURROGATES: tuple[MarginLoss, ...] = (Squared(), Hinge(), Sigmoid(), Logistic(), Exponential())
"""The five surrogates of the 0-1 loss, each equal to one at a margin of zero."""


# -- the empirical risk ------------------------------------------------------------------------------------


def margins(w: ArrayLike, X: ArrayLike, y: ArrayLike, b: float = 0.0) -> Array:
    r"""Return the margins :math:`M_i = y_i\,(\langle w,x_i\rangle + b)`.

    Parameters
    ----------
    w : array of shape (d,)
        The weights.
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels -1 and +1.
    b : float
        The intercept.

    Examples
    --------
    Twice the weights are twice the margins, though they make the same decisions:

    >>> X, y = [[3.0], [-1.0]], [1, 1]
    >>> margins([1.0], X, y), margins([2.0], X, y)
    (array([ 3., -1.]), array([ 6., -2.]))
    """
    X = _check.matrix(X, copy=False)
    w, b = _check.vector(w, X.shape[1], "w"), _check.real(b, "b")
    return np.asarray(_check.signs(y, len(X), both=False) * (X @ w + b))


def empirical_risk(loss: MarginLoss, w: ArrayLike, X: ArrayLike, y: ArrayLike) -> float:
    r"""Return the mean loss :math:`\tfrac1n\sum_i L(y_i\langle w,x_i\rangle)`.

    Parameters
    ----------
    loss : MarginLoss
        The loss of one margin.
    w, X, y
        Those of :func:`margins`; prepend a column of ones to X for an intercept.

    Examples
    --------
    >>> empirical_risk(Hinge(), [0.5], [[1.0], [-4.0]], [1, -1])
    0.25
    """
    return float(np.mean(loss(margins(w, X, y))))


@dataclass(frozen=True, eq=False)
class BatchGradient:
    r"""The gradient of the mean loss over some rows: :math:`\tfrac1{|B|}\sum_{i\in B}L'(M_i)\,y_ix_i`.

    The data are checked once, so that the thousands of calls of a descent are quick. Called without rows it
    is the gradient of :func:`empirical_risk`; with a random set of rows, an unbiased guess of it.

    Parameters
    ----------
    loss, X, y
        Those of :func:`empirical_risk`.

    Examples
    --------
    The gradients of single points average to the whole gradient:

    >>> X, y = np.array([[1.0], [-4.0]]), np.array([1.0, -1.0])
    >>> gradient, w = BatchGradient(Hinge(), X, y), np.array([0.5])
    >>> gradient(w), (gradient(w, [0]) + gradient(w, [1])) / 2
    (array([-0.5]), array([-0.5]))
    """

    loss: MarginLoss
    X: Array = field(repr=False)
    y: Array = field(repr=False)
    ALL: ClassVar[slice] = slice(None)

    def __post_init__(self) -> None:
        X = _check.matrix(self.X)
        object.__setattr__(self, "y", _check.signs(self.y, len(X), both=False))
        object.__setattr__(self, "X", X)

    def __call__(self, w: Array, rows: Indices | slice = ALL) -> Array:
        """Return the gradient at w of the mean loss over the rows, all of them by default."""
        X, y = self.X[rows], self.y[rows]
        return np.asarray((self.loss.derivative(y * (X @ w)) * y) @ X / len(y))


# -- decisions under a known law ---------------------------------------------------------------------------

SUMS_TO_ONE = 1e-9  # how far from one the rounded probabilities of all points may add up to


def _costs(cost_fa: float, cost_fr: float) -> tuple[float, float]:
    """Check the costs of the two errors."""
    return (
        _check.positive(cost_fa, "cost_fa", "if false accepts cost nothing, accept everyone"),
        _check.positive(cost_fr, "cost_fr", "if false rejects cost nothing, reject everyone"),
    )


def _chances(p: ArrayLike) -> Array:
    """Return probabilities in an array of any shape."""
    array = _numbers(p, "p")
    return _check.chances(array.ravel(), "p").reshape(array.shape)


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


def expected_cost(p: ArrayLike, decision: ArrayLike, *, cost_fa: float = 1.0, cost_fr: float = 1.0) -> Array:
    r"""Return what a decision costs on average: :math:`(1-p)\,c_{FA}` if +1 and :math:`p\,c_{FR}` if -1.

    Parameters
    ----------
    p : float or array
        The probabilities of the label +1.
    decision : int or array
        +1 to accept, -1 to reject: one for all, or one for each probability.
    cost_fa, cost_fr
        Those of :func:`cost_threshold`.

    Examples
    --------
    At one half a supermarket that fears to turn customers away loses less by accepting:

    >>> [expected_cost(0.5, d, cost_fa=1, cost_fr=10).tolist() for d in (+1, -1)]
    [0.5, 5.0]
    """
    p, (fa, fr), d = _chances(p), _costs(cost_fa, cost_fr), _numbers(decision, "decision")
    _require_pairs(p, d, "p and decision")
    strange = d[np.abs(d) != 1]
    if strange.size:
        raise ValueError(
            f"decision must hold only -1 and +1, got {strange[0]:g}; map 0/1 with 2*decision - 1"
        )
    return np.asarray(np.where(d > 0, (1 - p) * fa, p * fr))


def bayes_classifier(p: ArrayLike, *, cost_fa: float = 1.0, cost_fr: float = 1.0) -> Array:
    r"""Return the cheapest decisions: +1 where :math:`p\ge c_{FA}/(c_{FA}+c_{FR})`, elsewhere -1.

    The expected cost of a classifier is a sum over x of what it costs there, so the least is reached by the
    cheaper decision at each x. With equal costs this is :math:`P(y=+1\mid x)\ge\frac12`, the least 0-1 risk.

    Parameters are those of :func:`expected_cost`.

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


def true_risk(
    weights: ArrayLike, p: ArrayLike, decision: ArrayLike, *, cost_fa: float = 1.0, cost_fr: float = 1.0
) -> float:
    r"""Return the risk :math:`\sum_xP(x)\,c(x)` of a classifier under a discrete law.

    c(x) is the :func:`expected_cost` of its decision at x; with costs of one the risk is the probability
    of an error.

    Parameters
    ----------
    weights : array of shape (m,)
        The probabilities P(x) of the points.
    p, decision, cost_fa, cost_fr
        Those of :func:`expected_cost`, p and the decision of shape (m,).

    Examples
    --------
    No classifier does better than that of Bayes, which is wrong with probability
    :math:`\sum_xP(x)\min(p,1-p)`:

    >>> weights, p = [0.5, 0.25, 0.25], [0.0, 0.75, 0.5]
    >>> true_risk(weights, p, bayes_classifier(p)), true_risk(weights, p, [1, 1, 1])
    (0.1875, 0.6875)
    """
    law = _check.chances(weights, "weights")
    if abs(law.sum() - 1) > SUMS_TO_ONE:
        raise ValueError(f"weights must sum to 1, got {law.sum():g}; divide them by their sum")
    p = _check.probabilities(p, len(law))
    decision = _check.vector(decision, len(law), "decision")
    return float(law @ expected_cost(p, decision, cost_fa=cost_fa, cost_fr=cost_fr))


# -- decisions from a sample -------------------------------------------------------------------------------

Loss = Callable[[Any, Any], Any]
Hypothesis = Callable[[Any], Any]


def zero_one(predicted: ArrayLike, y: ArrayLike) -> Array:
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
    classes, y = _check.present(predicted, "predicted"), _check.present(y, "y")
    _require_pairs(classes, y, "predicted and y")
    return np.asarray(classes != y, np.float64)


def squared(predicted: ArrayLike, y: ArrayLike) -> Array:
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
    numbers, y = _numbers(predicted, "predicted"), _numbers(y, "y")
    _require_pairs(numbers, y, "predicted and y")
    return np.asarray((numbers - y) ** 2)


def logistic_loss(score: ArrayLike, y: ArrayLike) -> Array:
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
    score, y = _numbers(score, "score"), _numbers(y, "y")
    _require_pairs(score, y, "score and y")
    return Logistic(base=np.e)(y * score)


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


def _mean_loss(losses: ArrayLike, n: int) -> float:
    """Average the losses of n points."""
    array = np.asarray(losses, np.float64)
    if array.shape != (n,):
        raise ValueError(f"loss must return shape ({n},), got {array.shape}; give one number a point")
    return float(np.mean(array))


def erm(loss: Loss, hypotheses: Iterable[Hypothesis], X: ArrayLike, y: ArrayLike) -> ERM:
    r"""Minimise the empirical risk over finitely many hypotheses.

    It returns :math:`\arg\min_{h\in H}E_{in}(h)` with :math:`E_{in}(h)=\frac1n\sum_i\ell(h(x_i),y_i)`, the
    first one if there are several. On a new sample that had no part in the choice of h the mean loss
    estimates the risk :math:`E_{out}(h)`.

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
    X, y = _check.present(X, "X"), _check.present(y, "y")
    if X.size == 0 or y.shape != X.shape[:1]:
        raise ValueError(f"X and y must hold a target a point, got shapes {X.shape} and {y.shape}; pair them")
    risks = np.array([_mean_loss(loss(h(X), y), len(y)) for h in hypotheses])
    k = int(np.argmin(risks))
    return ERM(index=k, hypothesis=hypotheses[k], risk=float(risks[k]), risks=risks)
