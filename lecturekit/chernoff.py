r"""Chernoff's bounds for the number of successes in independent trials, and their inverses.

Let :math:`Z=\sum_iZ_i` with independent :math:`Z_i\in\{0,1\}` and let :math:`p=\sum_i\mathbb P[Z_i=1]` be the
expected count. Then :math:`\mathbb P[Z\ge(1+\delta)p]\le e^{-p\,h(\delta)}` for :math:`\delta>0` and
:math:`\mathbb P[Z\le(1-\delta)p]\le e^{-p\,h(-\delta)}` for :math:`0<\delta\le1`, where
:math:`h(\delta)=(1+\delta)\log(1+\delta)-\delta`. The simpler form replaces :math:`h(\delta)` by
:math:`\delta^2/(2+2\delta/3)`, which is never larger.

Here :math:`\delta` is the relative deviation; the probability that a bound fails is called ``fail``.
"""

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from lecturekit import _check

__all__ = [
    "chernoff_count",
    "chernoff_delta",
    "chernoff_exponent",
    "chernoff_lower",
    "chernoff_upper",
]

SMALL = 0.01  # below this the series is more exact than the formula, which subtracts nearly equal numbers
TERMS = range(2, 10)
SLACK = 1e-12  # for rounding at the end of the interval where a root is sought
LARGEST = 1e300  # beyond this an exponent comes close to the largest float
FAIL = "it is the probability that the bound fails"
FORMS = "form must be 'sharp' or 'simple', got {!r}; 'sharp' is h, 'simple' its lower bound"


def chernoff_exponent(delta: float, form: str = "sharp") -> float:
    r"""Compute the exponent of Chernoff's bounds, per expected success.

    :math:`h(\delta)=(1+\delta)\log(1+\delta)-\delta`, with :math:`h(-1)=1`, or the simpler
    :math:`\delta^2/(2+2\delta/3)\le h(\delta)`. A negative argument belongs to the lower tail.

    Parameters
    ----------
    delta : float
        The relative deviation, at least -1.
    form : "sharp" or "simple"
        Which of the two.

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.7.

    Examples
    --------
    >>> round(chernoff_exponent(1.0), 4), round(chernoff_exponent(1.0, "simple"), 4)
    (0.3863, 0.375)
    >>> chernoff_exponent(-1.0)
    1.0
    """
    delta = _check.real(delta, "delta")
    if delta < -1:
        raise ValueError(f"delta must be a number >= -1, got {delta:g}; a count is never below 0")
    if form == "simple":
        return delta * (delta / (2 + 2 * delta / 3))
    if form != "sharp":
        raise ValueError(FORMS.format(form))
    if abs(delta) < SMALL:
        return math.fsum((-delta) ** k / (k * (k - 1)) for k in TERMS)
    return (1 + delta) * math.log1p(delta) - delta if delta > -1 else 1.0


def _expected_count(p: Any) -> float:
    """Return the sum of a vector of probabilities; one number is an expected count already."""
    if np.ndim(p) == 0:
        return _check.nonnegative(p, "p", "it is an expected count; pass the probabilities as a vector")
    return float(_check.chances(p, "p").sum())


def chernoff_upper(p: Any, delta: float, *, form: str = "sharp") -> float:
    r"""Bound the probability of far more successes than expected.

    :math:`\mathbb P[Z\ge(1+\delta)p]\le e^{-p\,h(\delta)}\le e^{-p\,\delta^2/(2+2\delta/3)}`, where p is the
    expected number of successes in independent trials.

    Parameters
    ----------
    p : array of shape (m,) or float
        The probability of success in each trial; or their sum, the expected count.
    delta : float
        The relative deviation, above 0.
    form : "sharp" or "simple"
        The first or the second bound.

    References
    ----------
    Mitzenmacher and Upfal, *Probability and Computing*, 2017, theorem 4.4.

    Examples
    --------
    A hundred fair coins show 75 heads or more with probability at most one in two hundred.

    >>> bound = chernoff_upper([0.5] * 100, 0.5)
    >>> round(bound, 4), bound == chernoff_upper(50, 0.5), round(chernoff_upper(50, 0.5, form="simple"), 4)
    (0.0045, True, 0.0047)
    """
    count = _expected_count(p)
    delta = _check.positive(delta, "delta", "for fewer successes than expected use chernoff_lower")
    exponent = chernoff_exponent(delta, form)
    return math.exp(-count * exponent) if count > 0 else 1.0


def chernoff_lower(p: Any, delta: float, *, form: str = "sharp") -> float:
    r"""Bound the probability of far fewer successes than expected.

    :math:`\mathbb P[Z\le(1-\delta)p]\le e^{-p\,h(-\delta)}\le e^{-p\,\delta^2/(2-2\delta/3)}`, where p is the
    expected number of successes in independent trials.

    Parameters
    ----------
    p : array of shape (m,) or float
        The probability of success in each trial; or their sum, the expected count.
    delta : float
        The relative deviation, above 0 and at most 1.
    form : "sharp" or "simple"
        The first or the second bound.

    References
    ----------
    Mitzenmacher and Upfal, *Probability and Computing*, 2017, theorem 4.5.

    Examples
    --------
    No success at all, where five are expected:

    >>> round(chernoff_lower([0.1] * 50, 1.0), 4), round(0.9**50, 4)
    (0.0067, 0.0052)
    """
    count = _expected_count(p)
    delta = _check.positive(delta, "delta", "for more successes than expected use chernoff_upper")
    return math.exp(-count * chernoff_exponent(-_at_most_one(delta), form))


def _at_most_one(delta: float) -> float:
    """Return a deviation of the lower tail."""
    if delta > 1:
        raise ValueError(f"delta must be at most 1, got {delta:g}; a count is never below 0")
    return delta


def _sign(side: str) -> float:
    """Return the sign of a deviation on this side."""
    if side not in ("upper", "lower"):
        raise ValueError(f"side must be 'upper' or 'lower', got {side!r}; name the tail to bound")
    return 1.0 if side == "upper" else -1.0


def chernoff_count(delta: float, fail: float, *, side: str = "upper", form: str = "sharp") -> float:
    r"""Return the expected count from which on a relative deviation is rare.

    The smallest p with :math:`e^{-p\,h(\pm\delta)}\le` ``fail``; infinite if it is beyond the largest float.
    If every trial succeeds with the same probability, divide by it, and round up, to have the number of
    trials. For both tails together give each half of what may fail, and take the larger count.

    Parameters
    ----------
    delta : float
        The relative deviation, above 0; for the lower tail at most 1.
    fail : float
        How likely the deviation may be, between 0 and 1.
    side : "upper" or "lower"
        Which tail.
    form : "sharp" or "simple"
        Which bound.

    References
    ----------
    Mitzenmacher and Upfal, *Probability and Computing*, 2017, section 4.2.

    Examples
    --------
    >>> count = chernoff_count(0.1, 0.05)
    >>> round(count, 1), round(chernoff_upper(count, 0.1), 12)
    (618.8, 0.05)
    """
    sign = _sign(side)
    delta = _check.positive(delta, "delta", "every count is off by 0 or more")
    fail = _check.fraction(fail, "fail", FAIL)
    exponent = chernoff_exponent(delta if sign > 0 else -_at_most_one(delta), form)
    return -math.log(fail) / exponent if exponent > 0 else math.inf


def chernoff_delta(p: Any, fail: float, *, side: str = "upper", form: str = "sharp") -> float:
    r"""Return the relative deviation that is rare for a given expected count.

    The :math:`\delta` with :math:`e^{-p\,h(\pm\delta)}=` ``fail``. On the lower side there is none if the
    bound is above ``fail`` even at :math:`\delta=1`: then not even "no success at all" is rare enough, and
    the answer is infinite.

    Parameters
    ----------
    p : array of shape (m,) or float
        The probability of success in each trial; or their sum, the expected count.
    fail : float
        How likely the deviation may be, between 0 and 1.
    side : "upper" or "lower"
        Which tail.
    form : "sharp" or "simple"
        Which bound.

    References
    ----------
    Mitzenmacher and Upfal, *Probability and Computing*, 2017, section 4.2.

    Examples
    --------
    >>> delta = chernoff_delta(50, 0.05)
    >>> round(delta, 3), round(chernoff_upper(50, delta), 12)
    (0.366, 0.05)

    Where one success is expected, none is no surprise.

    >>> chernoff_delta(1, 0.05, side="lower")
    inf
    """
    sign = _sign(side)
    count = _check.positive(_expected_count(p), "p", "where nothing is expected nothing deviates")
    level = -math.log(_check.fraction(fail, "fail", FAIL)) / count  # the exponent wanted
    nothing = chernoff_exponent(-1.0, form)
    if level > (nothing if side == "lower" else LARGEST):
        return math.inf
    # delta^2 = level (2 +- 2 delta / 3), solved; h is not smaller, so its root is not larger
    simple = sign * level / 3 + math.hypot(level / 3, math.sqrt(2 * level))
    if form == "simple":
        return simple
    top = simple * (1 + SLACK) if side == "upper" else min(simple * (1 + SLACK), 1.0)
    return float(brentq(lambda d: chernoff_exponent(sign * d) - level, 0.0, top, xtol=1e-300, rtol=1e-14))
