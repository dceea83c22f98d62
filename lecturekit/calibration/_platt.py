"""Platt's scaling: a logistic curve from scores to probabilities, fitted by Newton's method."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np
from scipy.special import expit

from lecturekit import _check
from lecturekit._newton import damped
from lecturekit._typing import Array, ArrayLike, Mask

REACH = 1e300  # of scores: none is larger, and their range is not below 1/REACH


# -- the loss ----------------------------------------------------------------------------------------------


def platt_targets(y: ArrayLike) -> Array:
    r"""Return Platt's targets, :math:`(n_++1)/(n_++2)` for positives and :math:`1/(n_-+2)` for negatives.

    Each is the mean of what is known of a probability, uniform before, after :math:`n_+` outcomes in favour
    (or :math:`n_-` against).

    Parameters
    ----------
    y : array of shape (n,)
        Labels, -1/+1 or 0/1.

    Examples
    --------
    >>> platt_targets([1, 1, 1, -1])
    array([0.8       , 0.8       , 0.8       , 0.33333333])
    """
    return _smoothed(_check.positives(y, None))


def _smoothed(positive: Mask) -> Array:
    """Return the targets of positives and negatives."""
    pos = int(np.count_nonzero(positive))
    return np.where(positive, (pos + 1) / (pos + 2), 1 / (len(positive) - pos + 2))


def _arguments(v: ArrayLike, score: ArrayLike, targets: ArrayLike) -> tuple[Array, Array, Array]:
    """Check parameters, scores and targets."""
    t = _check.chances(targets, "targets")
    s = _check.vector(score, len(t), "score", "number in targets").astype(np.float64)
    return _check.vector(v, 2, "v", "parameter, A and B"), s, t


def platt_loss(v: ArrayLike, score: ArrayLike, targets: ArrayLike) -> float:
    r"""Return the mean cross-entropy of targets and :math:`p_i=1/(1+e^{Af_i+B})`.

    With :math:`z_i=Af_i+B` it is the mean of :math:`t_i\log(1+e^{z_i})+(1-t_i)\log(1+e^{-z_i})`.

    Parameters
    ----------
    v : array of shape (2,)
        A and B.
    score : array of shape (n,)
        The scores.
    targets : array of shape (n,)
        Numbers from 0 to 1, such as :func:`platt_targets`.

    Examples
    --------
    >>> platt_loss([0.0, 0.0], [3.0, 5.0], [0.0, 1.0]), float(np.log(2))
    (0.6931471805599453, 0.6931471805599453)
    """
    (A, B), s, t = _arguments(v, score, targets)
    return _loss(A * s + B, t)


def _loss(z: Array, t: Array) -> float:
    """Return the mean cross-entropy at the exponents z."""
    return float(np.mean(np.logaddexp(0, z) - (1 - t) * z))


def platt_gradient(v: ArrayLike, score: ArrayLike, targets: ArrayLike) -> Array:
    r"""Return the gradient of :func:`platt_loss`: the means of :math:`(t_i-p_i)f_i` and of :math:`t_i-p_i`.

    Parameters are those of :func:`platt_loss`.

    Examples
    --------
    >>> platt_gradient([0.0, 0.0], [3.0, 5.0], [0.0, 1.0])
    array([0.5, 0. ])
    """
    (A, B), s, t = _arguments(v, score, targets)
    r = t - expit(-(A * s + B))
    return np.array([np.mean(r * s), np.mean(r)])


# -- Newton's method ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlattIterate:
    """A step of Newton's method.

    Attributes
    ----------
    A, B : float
        The parameters.
    loss : float
        The mean cross-entropy.
    gap : float
        What the quadratic model at this point promises to gain; near the minimum it is what there is to gain.
    n_iter : int
        The steps that led here.
    """

    A: float
    B: float
    loss: float
    gap: float
    n_iter: int


@dataclass(frozen=True, kw_only=True, eq=False)
class PlattFit:
    """A logistic curve; call it to turn scores into probabilities.

    Attributes
    ----------
    A, B : float
        The parameters of 1/(1 + exp(A f + B)).
    gap : float
        What is left to gain, by the quadratic model at the end.
    n_iter : int
        Newton steps.
    converged : bool
        Whether the gap came below the tolerance, or as low as rounding allows.
    trace : array
        The gap of every iterate.
    """

    A: float
    B: float
    gap: float
    n_iter: int
    converged: bool
    trace: Array = field(repr=False)

    def __call__(self, score: ArrayLike) -> Array:
        """Return the probability of the positive class for each score."""
        return np.asarray(expit(-(self.A * _check.line(score, "score") + self.B)))


def platt_steps(score: ArrayLike, y: ArrayLike, *, smooth: bool = True) -> Iterator[PlattIterate]:
    r"""Yield the iterates of Newton's method; the first is the best curve that ignores the score.

    A step is halved until the loss falls as it should. The generator ends where rounding keeps the gap from
    shrinking. Parameters are those of :func:`platt`.

    Examples
    --------
    >>> steps = platt_steps([-2.0, -1.0, 1.0, 2.0], [-1, -1, 1, 1])
    >>> ["%.0e" % it.gap for it in islice(steps, 4)]
    ['1e-01', '1e-03', '1e-06', '2e-12']
    """
    s, t = _problem(score, y, smooth)
    x, centre, scale = _standardised(s)
    a, b, lowest, n_iter = 0.0, float(np.log((1 - t).sum() / t.sum())), np.inf, 0
    z = np.full(len(t), b)
    loss = _loss(z, t)
    while True:
        p = expit(-z)
        r, omega = t - p, p * (1 - p)
        middle = float(omega @ x / omega.sum())
        spread = float(omega @ (x - middle) ** 2)
        slope = float(r @ (x - middle))
        da = -slope / spread if spread > 0 else 0.0  # a constant score: no slope to learn
        db = -float(r.sum() / omega.sum()) - middle * da
        promised = -float(r @ (da * x + db)) / len(t)
        gap = max(promised, 0.0) / 2
        if gap >= lowest:
            return
        yield PlattIterate(A=a / scale, B=b - a * centre / scale, loss=loss, gap=gap, n_iter=n_iter)
        step = damped(partial(_loss_along, z, da * x + db, t), loss, promised)
        if step is None:
            step, lowest = 1.0, gap  # the loss cannot judge: the gap must shrink
        a, b, n_iter = a + step * da, b + step * db, n_iter + 1
        z = a * x + b
        loss = _loss(z, t)


def _loss_along(z: Array, dz: Array, t: Array, share: float) -> float:
    """Return the loss after a share of a step in z."""
    return _loss(z + share * dz, t)


def _standardised(s: Array) -> tuple[Array, float, float]:
    """Return scores with mean 0 and deviation 1: the same to Newton's method, not to rounding errors."""
    if np.ptp(s) == 0:
        return np.zeros(len(s)), float(s[0]), 1.0
    centre = float(s.mean())
    reach = float(np.max(np.abs(s - centre)))  # first, so that no square over- or underflows
    x = (s - centre) / reach
    deviation = float(x.std())
    return np.asarray(x / deviation), centre, reach * deviation


def _problem(score: ArrayLike, y: ArrayLike, smooth: bool) -> tuple[Array, Array]:
    """Check scores and labels and return scores and targets; there must be a minimum."""
    positive = _check.positives(y, None)
    s = _check.vector(score, len(positive), "score", "label of y").astype(np.float64)
    low, high = float(s.min()), float(s.max())
    if low < high and (max(-low, high) > REACH or high - low < 1 / REACH):
        raise ValueError(
            f"score must be at most {REACH:g} in size, with a range of {1 / REACH:g} or more, got values "
            f"from {low:g} to {high:g}; multiply the scores by a number"
        )
    if smooth:
        return s, _smoothed(positive)
    up, down = s[positive], s[~positive]
    if np.ptp(s) > 0 and (up.min() >= down.max() or down.min() >= up.max()):
        raise ValueError(
            "scores of the two classes must overlap where smooth is False, but a threshold separates them, "
            "and a steeper curve is always better; take smooth=True"
        )
    return s, positive.astype(np.float64)


def platt(
    score: ArrayLike, y: ArrayLike, *, smooth: bool = True, tol: float = 1e-20, max_iter: int = 100
) -> PlattFit:
    r"""Fit :math:`p=1/(1+e^{Af+B})` to scores and labels.

    .. math:: \min_{A,B}\ \frac1n\sum_i\bigl(t_i\log(1+e^{Af_i+B})+(1-t_i)\log(1+e^{-Af_i-B})\bigr)

    Use scores of observations on which the classifier was not trained. If the score is constant, A is 0.

    Parameters
    ----------
    score : array of shape (n,)
        The scores.
    y : array of shape (n,)
        Labels, -1/+1 or 0/1.
    smooth : bool
        Whether to use Platt's targets, with which there is always a minimum; otherwise 0 and 1, which is the
        maximum of the likelihood.
    tol : float
        Stop when the gap is at most this.
    max_iter : int
        The most Newton steps.

    Examples
    --------
    A threshold separates the classes, and still the curve is not infinitely steep:

    >>> fit = platt([-2.0, -1.0, 1.0, 2.0], [-1, -1, 1, 1])
    >>> round(fit.A, 4), fit.converged
    (-0.674, True)
    >>> fit([-1.0, 0.0, 1.0]).round(4)
    array([0.3376, 0.5   , 0.6624])
    """
    tol = _check.positive(tol, "tol", "an exact solution is not to be had in floating point")
    max_iter = _check.count(max_iter, "max_iter", "allow at least one step")
    gaps: list[float] = []
    met = False
    for iterate in islice(platt_steps(score, y, smooth=smooth), max_iter + 1):
        last = iterate
        gaps.append(iterate.gap)
        met = iterate.gap <= tol
        if met:
            break
    return PlattFit(
        A=last.A,
        B=last.B,
        gap=last.gap,
        n_iter=last.n_iter,
        converged=met or len(gaps) <= max_iter,  # no step left to take: rounding has the last word
        trace=np.array(gaps),
    )
