r"""Concentration inequalities, each with its inverses, and the exact tails to hold them against.

A bound above one says nothing and is returned as one. ``bound_n`` is the least number of values for which a
bound is at most :math:`\delta`, ``bound_eps`` the deviation for which it is :math:`\delta`. Numbers of values
beyond a million millions are rounded like every float.

*Markov and Chebyshev* need a mean or a variance. *Chernoff* is for the number :math:`Z=\sum_iZ_i` of
successes in independent trials, :math:`Z_i\in\{0,1\}`: with the expected count :math:`p=\sum_i\mathbb
P[Z_i=1]` and :math:`h(\delta)=(1+\delta)\log(1+\delta)-\delta`,

.. math:: \mathbb P[Z\ge(1+\delta)p]\le e^{-p\,h(\delta)}\ (\delta>0),\qquad
          \mathbb P[Z\le(1-\delta)p]\le e^{-p\,h(-\delta)}\ (0<\delta\le1).

There :math:`\delta` is the relative deviation, and the probability that a bound fails is called ``fail``.
*Hoeffding and Bernstein* are for the average :math:`\bar Z`, with mean :math:`\mu`, of independent values
:math:`Z_1,\dots,Z_m\in[a,b]`; Bernstein's kin also know their variance, or that of the sample. *Exact tails*
are those of the binomial law and, for trials that differ, of the Poisson-binomial law; *simulated* ones come
from drawing.

References
----------
Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013: Markov and Chebyshev in section 2.1,
Chernoff's exponent in 2.7, Bernstein in 2.8. Mitzenmacher and Upfal, *Probability and Computing*, 2017:
Chernoff in section 4.2. Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963:
theorem 2 and, for the lemma, equation 4.16. Mohri, Rostamizadeh and Talwalkar, *Foundations of Machine
Learning*, 2018: many means in theorem 2.13. Bennett, *Probability inequalities for the sum of independent
random variables*, 1962. Maurer and Pontil, *Empirical Bernstein bounds and sample variance penalization*,
2009: theorem 11. Johnson, Kemp and Kotz, *Univariate Discrete Distributions*, 2005: the binomial law in
chapter 3. Hong, *On computing the distribution function for the Poisson binomial distribution*, 2013.
Rubinstein and Kroese, *Simulation and the Monte Carlo Method*, 2016: chapter 4.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

__all__ = [
    "bennett",
    "bernstein",
    "bernstein_eps",
    "bernstein_n",
    "binomial_deviation",
    "binomial_tail",
    "chebyshev",
    "chebyshev_eps",
    "chebyshev_n",
    "chernoff_count",
    "chernoff_exponent",
    "chernoff_lower",
    "chernoff_upper",
    "empirical_bernstein_eps",
    "finite_class_eps",
    "hoeffding",
    "hoeffding_eps",
    "hoeffding_lemma",
    "hoeffding_n",
    "markov",
    "poisson_binomial_pmf",
    "poisson_binomial_tail",
    "simulate_counts",
    "simulate_means",
]

SAMPLE = "a mean needs at least one value"
OFF = "every mean is off by 0 or more"
EXACTNESS = "exactness takes infinitely many values"
SPREAD = "pass the square of the standard deviation"
FAIL = "it is the probability that the bound fails"


def _variance(variance: float) -> float:
    """Return a variance."""
    return _check.nonnegative(variance, "variance", SPREAD)


# -- Markov and Chebyshev ----------------------------------------------------------------------------------


def markov(mean: float, a: float) -> float:
    r"""Bound how likely a variable that is never negative is large.

    If :math:`Z\ge0` and :math:`a>0`, then :math:`\mathbb P[Z\ge a]\le\mathbb E[Z]/a`.

    Parameters
    ----------
    mean : float
        The mean of the variable.
    a : float
        The threshold, above 0.

    Examples
    --------
    At most half of the people can earn twice the mean or more, unless nobody earns anything.

    >>> markov(mean=3.0, a=6.0)
    0.5
    """
    mean = _check.nonnegative(mean, "mean", "the variable must not be negative")
    return min(mean / _check.positive(a, "a", "every non-negative variable reaches 0"), 1.0)


def chebyshev(variance: float, eps: float, m: int = 1) -> float:
    r"""Bound how likely a variable, or a mean of m, is off by :math:`\varepsilon` or more.

    :math:`\mathbb P[\lvert\bar Z-\mu\rvert\ge\varepsilon]\le\sigma^2/(m\varepsilon^2)` for m uncorrelated
    variables whose variances are :math:`\sigma^2`, or less.

    Parameters
    ----------
    variance : float
        The variance of one variable.
    eps : float
        The deviation, above 0.
    m : int
        How many variables are averaged.

    Examples
    --------
    >>> chebyshev(1.0, 2.0), chebyshev(1.0, 2.0, m=100)
    (0.25, 0.0025)
    """
    variance = _variance(variance)
    eps = _check.positive(eps, "eps", "every variable is off by 0 or more")
    return min(variance / _check.count(m, "m", SAMPLE) / eps / eps, 1.0)


def chebyshev_n(variance: float, eps: float, delta: float) -> int:
    r"""Return how many values Chebyshev's inequality asks for.

    The least m with :math:`\sigma^2/(m\varepsilon^2)\le\delta`, where :math:`\delta` is ``delta``, the
    probability that the bound fails. Parameters are those of :func:`chebyshev`.

    Examples
    --------
    Coin flips have variance 1/4 at the most.

    >>> chebyshev_n(0.25, 0.05, 0.05), hoeffding_n(0.05, 0.05)
    (2000, 738)
    """
    variance = _variance(variance)
    eps = _check.positive(eps, "eps", EXACTNESS)
    delta = _check.fraction(delta, "delta", FAIL)
    guess = variance / eps / eps / delta
    return _check.sample_size(guess, lambda m: chebyshev(variance, eps, m) <= delta)


def chebyshev_eps(variance: float, m: int, delta: float) -> float:
    r"""Return the deviation that Chebyshev's inequality makes unlikely.

    :math:`\varepsilon=\sqrt{\sigma^2/(m\delta)}`, where :math:`\delta` is ``delta``, the probability that the
    bound fails. Parameters are those of :func:`chebyshev`.

    Examples
    --------
    >>> eps = chebyshev_eps(1.0, 400, 0.01)
    >>> eps, round(chebyshev(1.0, eps, 400), 12)
    (0.5, 0.01)
    """
    variance = _variance(variance)
    m = _check.count(m, "m", SAMPLE)
    delta = _check.fraction(delta, "delta", FAIL)
    return math.sqrt(variance / (m * delta))


# -- Chernoff: the number of successes ---------------------------------------------------------------------

SMALL_DEVIATION = 0.01  # the series is more exact than the formula, which subtracts nearly equal numbers
TERMS = range(2, 10)
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

    Examples
    --------
    >>> round(chernoff_exponent(1.0), 4), round(chernoff_exponent(1.0, "simple"), 4), chernoff_exponent(-1.0)
    (0.3863, 0.375, 1.0)
    """
    delta = _check.real(delta, "delta")
    if delta < -1:
        raise ValueError(f"delta must be a number >= -1, got {delta:g}; a count is never below 0")
    if form == "simple":
        return delta * (delta / (2 + 2 * delta / 3))
    if form != "sharp":
        raise ValueError(FORMS.format(form))
    if abs(delta) < SMALL_DEVIATION:
        return math.fsum((-delta) ** k / (k * (k - 1)) for k in TERMS)
    return (1 + delta) * math.log1p(delta) - delta if delta > -1 else 1.0


def _expected_count(p: ArrayLike) -> float:
    """Return the sum of a vector of probabilities; one number is an expected count already."""
    if np.ndim(p) == 0:
        return _check.nonnegative(p, "p", "it is an expected count; pass the probabilities as a vector")
    return float(_check.chances(p, "p").sum())


def chernoff_upper(p: ArrayLike, delta: float, *, form: str = "sharp") -> float:
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


def _at_most_one(delta: float) -> float:
    """Return a deviation of the lower tail."""
    if delta > 1:
        raise ValueError(f"delta must be at most 1, got {delta:g}; a count is never below 0")
    return delta


def chernoff_lower(p: ArrayLike, delta: float, *, form: str = "sharp") -> float:
    r"""Bound the probability of far fewer successes than expected.

    :math:`\mathbb P[Z\le(1-\delta)p]\le e^{-p\,h(-\delta)}\le e^{-p\,\delta^2/(2-2\delta/3)}`, where p is the
    expected number of successes in independent trials. Parameters are those of :func:`chernoff_upper`; the
    deviation is at most 1.

    Examples
    --------
    No success at all, where five are expected:

    >>> round(chernoff_lower([0.1] * 50, 1.0), 4), round(0.9**50, 4)
    (0.0067, 0.0052)
    """
    count = _expected_count(p)
    delta = _check.positive(delta, "delta", "for more successes than expected use chernoff_upper")
    return math.exp(-count * chernoff_exponent(-_at_most_one(delta), form))


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

    Examples
    --------
    >>> count = chernoff_count(0.1, 0.05)
    >>> round(count, 1), round(chernoff_upper(count, 0.1), 12)
    (618.8, 0.05)
    """
    if side not in ("upper", "lower"):
        raise ValueError(f"side must be 'upper' or 'lower', got {side!r}; name the tail to bound")
    delta = _check.positive(delta, "delta", "every count is off by 0 or more")
    fail = _check.fraction(fail, "fail", FAIL)
    exponent = chernoff_exponent(delta if side == "upper" else -_at_most_one(delta), form)
    return -math.log(fail) / exponent if exponent > 0 else math.inf


# -- Hoeffding: means of bounded values --------------------------------------------------------------------


def _width(a: float, b: float) -> float:
    """Return the length of the interval that holds the values."""
    a, b = _check.real(a, "a"), _check.real(b, "b")
    if b <= a:
        raise ValueError(f"b must be above a, got a={a:g} and b={b:g}; the values lie between a and b")
    return _check.real(b - a, "b - a")


def _tails(sides: int, why: str = "1 bounds means above mu only") -> int:
    """Return the number of tails."""
    if isinstance(sides, bool | np.timedelta64) or sides not in (1, 2):
        raise ValueError(f"sides must be 1 or 2, got {sides!r}; {why}")
    return sides


def _capped(exponent: float, times: int) -> float:
    """Return ``times`` probabilities of a given exponent, one at the most."""
    return min(times * math.exp(-exponent), 1.0)


def _logarithm(delta: float, times: int) -> float:
    """Return the exponent at which ``times`` probabilities add up to delta."""
    return math.log(times) - math.log(_check.fraction(delta, "delta", FAIL))


def _squared(ratio: float) -> float:
    """Return a square; beyond the largest float it is infinite and no error."""
    return ratio * ratio


def hoeffding_lemma(lam: float, a: float = 0.0, b: float = 1.0) -> float:
    r"""Bound the moment generating function of a bounded variable.

    If :math:`Z` has values in :math:`[a,b]` and mean :math:`\mu`, then for every real :math:`\lambda`
    :math:`\mathbb E\,e^{\lambda(Z-\mu)}\le e^{\lambda^2(b-a)^2/8}`.

    Parameters
    ----------
    lam : float
        The number :math:`\lambda`, of either sign.
    a, b : float
        The interval that holds the values.

    Examples
    --------
    A fair coin, with values -1/2 and 1/2, comes close.

    >>> round(math.cosh(0.5), 4), round(hoeffding_lemma(1.0, -0.5, 0.5), 4)
    (1.1276, 1.1331)
    """
    exponent = _squared(_check.real(lam, "lam") * _width(a, b)) / 8
    return math.exp(exponent) if exponent < 700 else math.inf  # beyond the largest float


def hoeffding(m: int, eps: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2) -> float:
    r"""Bound how likely a mean is off by :math:`\varepsilon` or more.

    :math:`\mathbb P[\lvert\bar Z-\mu\rvert\ge\varepsilon]\le2\,e^{-2m\varepsilon^2/(b-a)^2}`; without the
    factor 2 in front for one side.

    Parameters
    ----------
    m : int
        The number of values.
    eps : float
        The deviation, above 0.
    a, b : float
        The interval that holds the values.
    sides : 1 or 2
        Whether only means above :math:`\mu` count, or both sides.

    Examples
    --------
    >>> round(hoeffding(738, 0.05), 4), hoeffding(10, 0.05)
    (0.0499, 1.0)
    """
    m = _check.count(m, "m", SAMPLE)
    eps = _check.positive(eps, "eps", OFF)
    return _capped(2 * m * _squared(eps / _width(a, b)), _tails(sides))


def hoeffding_n(eps: float, delta: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2) -> int:
    r"""Return how many values Hoeffding's inequality asks for.

    The least m with :math:`2\,e^{-2m\varepsilon^2/(b-a)^2}\le\delta`, where :math:`\delta` is ``delta``, the
    probability that the bound fails. Parameters are those of :func:`hoeffding`.

    Examples
    --------
    >>> hoeffding_n(0.05, 0.05), hoeffding_n(0.05, 0.05, sides=1)
    (738, 600)
    """
    eps = _check.positive(eps, "eps", EXACTNESS)
    guess = _logarithm(delta, _tails(sides)) * _squared(_width(a, b) / eps) / 2
    return _check.sample_size(guess, lambda m: hoeffding(m, eps, a, b, sides=sides) <= delta)


def hoeffding_eps(m: int, delta: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2) -> float:
    r"""Return the deviation that Hoeffding's inequality makes unlikely.

    The :math:`\varepsilon` with :math:`2\,e^{-2m\varepsilon^2/(b-a)^2}=\delta`, where :math:`\delta` is
    ``delta``, the probability that the bound fails. Parameters are those of :func:`hoeffding`.

    Examples
    --------
    >>> eps = hoeffding_eps(738, 0.05)
    >>> round(eps, 5), round(hoeffding(738, eps), 12)
    (0.04999, 0.05)
    """
    m = _check.count(m, "m", SAMPLE)
    return _width(a, b) * math.sqrt(_logarithm(delta, _tails(sides)) / (2 * m))


def finite_class_eps(m: int, n_hypotheses: int, delta: float, a: float = 0.0, b: float = 1.0) -> float:
    r"""Return the deviation that no one of many means exceeds, with high probability.

    For K means, of m values each, the union bound adds up Hoeffding's: :math:`\mathbb P[\max_k\lvert\bar
    Z_k-\mu_k\rvert\ge\varepsilon]\le2K\,e^{-2m\varepsilon^2/(b-a)^2}`, which is :math:`\delta` at
    :math:`\varepsilon=(b-a)\sqrt{\log(2K/\delta)/(2m)}`. The means may depend on each other in any way; with
    the losses of K classifiers on the same points it bounds the gap between training error and error for all
    of them at once, so also for one chosen by looking.

    Parameters
    ----------
    m : int
        The number of values in each mean.
    n_hypotheses : int
        The number K of means.
    delta : float
        The probability that the bound fails, between 0 and 1.
    a, b : float
        The interval that holds the values.

    Examples
    --------
    For one hypothesis it is Hoeffding's; the number of hypotheses enters through its logarithm only.

    >>> finite_class_eps(500, 1, 0.05) == hoeffding_eps(500, 0.05)
    True
    >>> round(finite_class_eps(500, 10**6, 0.05), 3)
    0.132
    """
    n_hypotheses = _check.count(n_hypotheses, "n_hypotheses", "there is at least one to judge")
    m = _check.count(m, "m", SAMPLE)
    return _width(a, b) * math.sqrt(_logarithm(delta, 2 * n_hypotheses) / (2 * m))


# -- Bernstein: with the variance --------------------------------------------------------------------------

LARGEST_RATIO = 1e300  # beyond this h(u) comes close to the largest float


def bennett(m: int, eps: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2) -> float:
    r"""Bound how likely a mean is off, from the range and the variance of its values.

    :math:`\mathbb P[\lvert\bar Z-\mu\rvert\ge\varepsilon]\le2\exp\bigl(-\tfrac{m\sigma^2}{c^2}\,
    h(\tfrac{c\varepsilon}{\sigma^2})\bigr)` with :math:`c=b-a`, :math:`h(u)=(1+u)\log(1+u)-u` as in
    Chernoff's bounds, and :math:`\sigma^2` the variance of the values, their mean variance, or a number above
    it. Parameters are those of :func:`bernstein`.

    Examples
    --------
    >>> bennett(100, 0.1, 0.01) < bernstein(100, 0.1, 0.01) < hoeffding(100, 0.1)
    True
    """
    m = _check.count(m, "m", SAMPLE)
    eps = _check.positive(eps, "eps", OFF)
    variance, c, times = _variance(variance), _width(a, b), _tails(sides)
    if variance == 0:
        return 0.0  # the values do not vary
    u = c * (eps / variance)
    if u > LARGEST_RATIO:  # there h(u) is u (log u - 1) to all digits
        return _capped(m * (eps / c) * (math.log(c) + math.log(eps) - math.log(variance) - 1), times)
    return _capped(m * (variance / c / c) * chernoff_exponent(u), times)


def bernstein(
    m: int, eps: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> float:
    r"""Bound how likely a mean is off, from the range and the variance of its values, in a simpler form.

    :math:`\mathbb P[\lvert\bar Z-\mu\rvert\ge\varepsilon]\le2\exp\bigl(-\tfrac{m\varepsilon^2}
    {2\sigma^2+2(b-a)\varepsilon/3}\bigr)`, where :math:`\sigma^2` is the variance of the values, their mean
    variance, or a number above it; without the factor 2 in front for one side.

    Parameters
    ----------
    m : int
        The number of values.
    eps : float
        The deviation, above 0.
    variance : float
        The variance of one value.
    a, b : float
        The interval that holds the values.
    sides : 1 or 2
        Whether only means above :math:`\mu` count, or both sides.

    Examples
    --------
    A rare event has a small variance, and Hoeffding's inequality cannot know.

    >>> round(bernstein(1000, 0.02, 0.01 * 0.99), 5), round(hoeffding(1000, 0.02), 2)
    (1e-05, 0.9)
    """
    m = _check.count(m, "m", SAMPLE)
    eps = _check.positive(eps, "eps", OFF)
    spread = 2 * (_variance(variance) / eps) + 2 * (_width(a, b) / 3)  # over eps
    return _capped(m * (eps / spread), _tails(sides))


def bernstein_n(
    eps: float, delta: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> int:
    r"""Return how many values Bernstein's inequality asks for.

    The least m with :math:`2\exp(-m\varepsilon^2/(2\sigma^2+2(b-a)\varepsilon/3))\le\delta`, where
    :math:`\delta` is ``delta``, the probability that it fails. Parameters are those of :func:`bernstein`.

    Examples
    --------
    >>> bernstein_n(0.02, 0.05, 0.01 * 0.99), hoeffding_n(0.02, 0.05)
    (306, 4612)
    """
    eps = _check.positive(eps, "eps", EXACTNESS)
    spread = 2 * (_variance(variance) / eps) + 2 * (_width(a, b) / 3)  # over eps
    guess = _logarithm(delta, _tails(sides)) * spread / eps
    return _check.sample_size(guess, lambda m: bernstein(m, eps, variance, a, b, sides=sides) <= delta)


def bernstein_eps(
    m: int, delta: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> float:
    r"""Return the deviation that Bernstein's inequality makes unlikely.

    With :math:`L=\log(2/\delta)` and :math:`c=b-a` it is
    :math:`\tfrac{cL}{3m}+\sqrt{(\tfrac{cL}{3m})^2+\tfrac{2\sigma^2L}m}`, where :math:`\delta` is ``delta``,
    the probability that the bound fails. Parameters are those of :func:`bernstein`.

    Examples
    --------
    >>> eps = bernstein_eps(1000, 0.05, 0.0099)
    >>> round(eps, 4), round(bernstein(1000, eps, 0.0099), 12)
    (0.0099, 0.05)
    """
    m = _check.count(m, "m", SAMPLE)
    level = _logarithm(delta, _tails(sides)) / m
    linear = _width(a, b) * level / 3
    return linear + math.hypot(linear, math.sqrt(2 * _variance(variance) * level))


def empirical_bernstein_eps(
    m: int, delta: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> float:
    r"""Return the deviation that is unlikely, from the range and the variance *of the sample*.

    With probability at least :math:`1-\delta`, where :math:`\delta` is ``delta``,
    :math:`\lvert\bar Z-\mu\rvert\le\sqrt{2S^2L/m}+\tfrac{7(b-a)L}{3(m-1)}` for independent values with sample
    variance :math:`S^2` and :math:`L=\log(3/\delta)`; for one side :math:`L=\log(2/\delta)`.
    Nothing but the range need be known beforehand. Parameters are those of :func:`bernstein_eps`, but m is at
    least 2, and ``variance`` is that of the sample, with m - 1 in the denominator.

    Examples
    --------
    >>> round(empirical_bernstein_eps(10_000, 0.05, 0.01), 4), round(hoeffding_eps(10_000, 0.05), 4)
    (0.0038, 0.0136)
    """
    m = _check.count(m, "m", "a sample variance needs two values", least=2)
    level = _logarithm(delta, 1 + _tails(sides))
    range_part = 7 * _width(a, b) * level / (3 * (m - 1))
    return math.sqrt(2 * _variance(variance) * level / m) + range_part


# -- exact tails -------------------------------------------------------------------------------------------

WHOLE = 1e-9  # relative: so far off, a threshold such as (1 + delta) * mean counts as a whole number
NEAREST = 1e-6  # and never more than this: 500 000 000.4 is no whole number
ULPS = 4e-16  # relative: by so much a probability may be off by rounding


def _first_and_last(t: float, m: int, side: str, strict: bool) -> tuple[int, int]:
    """Return the smallest and the largest count beyond a threshold, within 0 to m."""
    if side not in ("upper", "lower"):
        raise ValueError(f"side must be 'upper' or 'lower', got {side!r}; name the tail to compute")
    t = _check.real(t, "t")
    near = round(t)
    whole = abs(t - near) <= min(WHOLE * max(1.0, abs(t)), NEAREST)
    if side == "upper":
        first = near + strict if whole else math.ceil(t)
        return max(first, 0), m
    last = near - strict if whole else math.floor(t)
    return 0, min(last, m)


def binomial_tail(t: float, m: int, p: float, *, side: str = "upper", strict: bool = False) -> float:
    r"""Compute a tail of the binomial law exactly.

    With :math:`Z` the number of successes in m independent trials: :math:`\mathbb P[Z\ge t]`, or
    :math:`\mathbb P[Z\le t]` for the lower tail.

    Parameters
    ----------
    t : float
        The threshold; it need not be a whole number.
    m : int
        The number of trials.
    p : float
        The probability of success in each of them.
    side : "upper" or "lower"
        Which tail.
    strict : bool
        Leave the threshold itself out: ``>`` and ``<`` in place of ``>=`` and ``<=``.

    Examples
    --------
    Three heads in three flips have probability 1/8; the tails on either side of a threshold add up to one.

    >>> binomial_tail(3, 3, 0.5)
    0.125
    >>> round(binomial_tail(7, 20, 0.3) + binomial_tail(7, 20, 0.3, side="lower", strict=True), 12)
    1.0
    """
    m = _check.count(m, "m", "there is at least one trial")
    p = _check.probability(p, "p")
    first, last = _first_and_last(t, m, side, strict)
    if first > last:
        return 0.0
    if (first, last) == (0, m):
        return 1.0
    if side == "upper":
        return float(special.betainc(first, m - first + 1, p))
    return float(special.betaincc(last + 1, m - last, p))


def binomial_deviation(m: int, p: float, eps: float, *, sides: int = 2) -> float:
    r"""Compute exactly how likely a share of successes is off by :math:`\varepsilon` or more.

    That is :math:`\mathbb P[\lvert Z/m-p\rvert\ge\varepsilon]` for a binomial :math:`Z`, or
    :math:`\mathbb P[Z/m-p\ge\varepsilon]` if only one side counts.

    Parameters
    ----------
    m, p
        Those of :func:`binomial_tail`.
    eps : float
        The deviation, above 0.
    sides : 1 or 2
        Whether only shares above p count, or both sides.

    Examples
    --------
    A share of 40 % or less, or 60 % or more, heads in a hundred flips:

    >>> round(binomial_deviation(100, 0.5, 0.1), 4)
    0.0569
    """
    m = _check.count(m, "m", "there is at least one trial")
    p = _check.probability(p, "p")
    eps = _check.positive(eps, "eps", "every share is off by 0 or more")
    sides = _tails(sides, "1 counts shares above p only")
    far = m * (eps * (1 - WHOLE) - p * ULPS)  # 60 of 100 is off by 0.1, whatever the last digits say
    upper = binomial_tail(max(math.ceil(m * p + far), 0), m, p) if m * p + far <= m else 0.0
    if sides == 1 or m * p - far < 0:
        return upper
    return min(upper + binomial_tail(math.floor(m * p - far), m, p, side="lower"), 1.0)


def poisson_binomial_pmf(p: ArrayLike) -> Array:
    r"""Compute the law of the number of successes in trials with different probabilities.

    One trial after the other is added: with :math:`q_k` the probability of k successes so far, a further
    trial makes it :math:`(1-p_i)\,q_k+p_i\,q_{k-1}`. All terms are positive, so no digits are lost, however
    small the probability, down to the smallest float of full precision, about 2e-308. The probabilities of 0
    to m successes are returned, shape (m + 1,).

    Parameters
    ----------
    p : array of shape (m,)
        The probability of success in each trial.

    Examples
    --------
    >>> poisson_binomial_pmf([0.5, 0.1])
    array([0.45, 0.5 , 0.05])
    """
    chances = _check.chances(p, "p")
    q = np.zeros(len(chances) + 1)
    q[0] = 1.0
    for i, chance in enumerate(chances, start=1):
        q[1 : i + 1] = (1 - chance) * q[1 : i + 1] + chance * q[:i]
        q[0] *= 1 - chance
    return q


def poisson_binomial_tail(t: float, p: ArrayLike, *, side: str = "upper", strict: bool = False) -> float:
    r"""Compute a tail of the Poisson-binomial law exactly.

    With :math:`Z` the number of successes: :math:`\mathbb P[Z\ge t]`, or :math:`\mathbb P[Z\le t]` for the
    lower tail.

    Parameters
    ----------
    p : array of shape (m,)
        The probability of success in each trial.
    t, side, strict
        Those of :func:`binomial_tail`.

    Examples
    --------
    With equal probabilities it is the binomial law.

    >>> round(poisson_binomial_tail(4, [0.3] * 9), 12) == round(binomial_tail(4, 9, 0.3), 12)
    True
    """
    q = poisson_binomial_pmf(p)
    first, last = _first_and_last(t, len(q) - 1, side, strict)
    return float(min(q[first : last + 1].sum(), 1.0)) if first <= last else 0.0


# -- simulated tails ---------------------------------------------------------------------------------------

AT_A_TIME = 50_000  # values drawn at a time: they stay in the cache
GROUP = 25  # a binomial number takes as long to draw as about so many flips


def simulate_counts(p: ArrayLike, repetitions: int, *, rng: np.random.Generator | int) -> Array:
    r"""Flip m coins, again and again, and count the successes of each repetition.

    Many coins that are alike are not flipped one by one: their count has a binomial law, and is drawn from
    it. The other coins are flipped, a chunk at a time, so that the flips stay in the processor's cache. The
    counts are floats, shape (repetitions,).

    Parameters
    ----------
    p : array of shape (m,)
        The probability of success of each coin.
    repetitions : int
        How often all m coins are flipped.
    rng : Generator or int
        The source of the flips, or its seed.

    Examples
    --------
    A coin that always falls on the same side, and one that never does:

    >>> simulate_counts([1.0, 1.0, 0.0], 4, rng=0)
    array([2., 2., 2., 2.])
    """
    every, rng = _check.chances(p, "p"), _check.generator(rng)
    repetitions = _check.count(repetitions, "repetitions", "simulate at least once")
    counts, (chances, sizes) = np.zeros(repetitions), np.unique(every, return_counts=True)
    for chance, size in zip(chances[sizes >= GROUP], sizes[sizes >= GROUP], strict=True):
        counts += rng.binomial(size, chance, repetitions)
    few = np.repeat(chances[sizes < GROUP], sizes[sizes < GROUP])
    rows = min(max(AT_A_TIME // max(len(few), 1), 1), repetitions)
    numbers = np.empty((rows, len(few)))  # one array for all chunks: a new one each time costs a quarter more
    for start in range(0, repetitions if len(few) else 0, rows):
        chunk = rng.random(out=numbers[: repetitions - start])
        counts[start : start + rows] += np.count_nonzero(chunk < few, axis=1)
    return counts


def simulate_means(
    draw: Callable[[np.random.Generator, tuple[int, int]], ArrayLike],
    m: int,
    repetitions: int,
    *,
    rng: np.random.Generator | int,
) -> Array:
    """Draw samples of m values, again and again, and return the mean of each.

    Parameters
    ----------
    draw : callable
        Takes a generator and a shape and returns an array of that shape with independent values.
    m : int
        The size of a sample.
    repetitions, rng
        Those of :func:`simulate_counts`: how many samples are drawn, and from which source.

    Examples
    --------
    Means of uniform numbers vary less the more are averaged: the deviation is that of one over the root of m.

    >>> means = simulate_means(lambda rng, shape: rng.random(shape), 100, 20_000, rng=0)
    >>> float((means.std() * 12**0.5).round(2))
    0.1
    """
    m = _check.count(m, "m", "a mean needs at least one value")
    repetitions = _check.count(repetitions, "repetitions", "simulate at least once")
    rng, means, rows = _check.generator(rng), np.empty(repetitions), max(AT_A_TIME // m, 1)
    for start in range(0, repetitions, rows):
        shape = (min(rows, repetitions - start), m)
        values = np.asarray(draw(rng, shape), dtype=np.float64)
        if values.shape != shape:
            raise ValueError(f"draw must return shape {shape}, got {values.shape}; use the shape it is given")
        means[start : start + rows] = values.mean(axis=1)
    return means
