r"""Concentration inequalities: Markov, Chebyshev, Chernoff, Hoeffding, Bernstein, and their inverses.

Markov's and Chebyshev's are written here; the others are those of :mod:`lecturekit.bounds` (counts of
successes) and :mod:`lecturekit.bounds` (means of bounded values). Exact tails to compare with are in
:mod:`lecturekit.bounds`. A bound above one says nothing and is returned as one.

Bounds for means of bounded variables: Hoeffding's, Bernstein's and their kin, each with its inverses.

Let :math:`Z_1,\dots,Z_m` be independent with values in :math:`[a,b]` and let :math:`\mu` be the mean of their
average :math:`\bar Z`. Each bound comes three times: ``bound(m, eps)`` is a probability, ``bound_n(eps,
delta)`` the least number of values for which it is at most :math:`\delta`, and ``bound_eps(m, delta)`` the
deviation for which it is :math:`\delta`. A bound above one says nothing and is returned as one. Numbers of
values beyond a million millions are rounded like every float.

Chernoff's bounds for the number of successes in independent trials, and their inverses.

Let :math:`Z=\sum_iZ_i` with independent :math:`Z_i\in\{0,1\}` and let :math:`p=\sum_i\mathbb P[Z_i=1]` be the
expected count. Then :math:`\mathbb P[Z\ge(1+\delta)p]\le e^{-p\,h(\delta)}` for :math:`\delta>0` and
:math:`\mathbb P[Z\le(1-\delta)p]\le e^{-p\,h(-\delta)}` for :math:`0<\delta\le1`, where
:math:`h(\delta)=(1+\delta)\log(1+\delta)-\delta`. The simpler form replaces :math:`h(\delta)` by
:math:`\delta^2/(2+2\delta/3)`, which is never larger.

Here :math:`\delta` is the relative deviation; the probability that a bound fails is called ``fail``.

Exact tails of sums of coin flips, to hold bounds against, and simulated ones.

A sum :math:`Z=\sum_iZ_i` of independent :math:`Z_i\in\{0,1\}` with :math:`\mathbb P[Z_i=1]=p_i` has a
binomial law if all :math:`p_i` are equal, and a Poisson-binomial law otherwise. A threshold
that is a whole number but for rounding, such as ``1.1 * 100``, counts as that number.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.optimize import brentq

from lecturekit import _check
from lecturekit._typing import Array

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
    "chernoff_delta",
    "chernoff_exponent",
    "chernoff_lower",
    "chernoff_upper",
    "empirical_bernstein",
    "empirical_bernstein_eps",
    "empirical_bernstein_n",
    "finite_class",
    "finite_class_eps",
    "finite_class_n",
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

# -- exact tails -------------------------------------------------------------------------------------------

ROUNDING = 1e-9  # relative: thresholds are computed as (1 + delta) * mean
NEAREST = 1e-6  # and never more than this: 500 000 000.4 is no whole number
ULPS = 4e-16  # relative: by so much a probability may be off by rounding
CHUNK = 50_000  # values drawn at a time: they stay in the cache
GROUP = 25  # a binomial number takes as long to draw as about so many flips


def _first_and_last(t: float, m: int, side: str, strict: bool) -> tuple[int, int]:
    """Return the smallest and the largest count beyond a threshold, within 0 to m."""
    if side not in ("upper", "lower"):
        raise ValueError(f"side must be 'upper' or 'lower', got {side!r}; name the tail to compute")
    t = _check.real(t, "t")
    near = round(t)
    whole = abs(t - near) <= min(ROUNDING * max(1.0, abs(t)), NEAREST)
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

    References
    ----------
    Johnson, Kemp and Kotz, *Univariate Discrete Distributions*, 2005, chapter 3.

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
    m : int
        The number of trials.
    p : float
        The probability of success in each of them.
    eps : float
        The deviation, above 0.
    sides : 1 or 2
        Whether only shares above p count, or both sides.

    References
    ----------
    Johnson, Kemp and Kotz, *Univariate Discrete Distributions*, 2005, chapter 3.

    Examples
    --------
    A share of 40 % or less, or 60 % or more, heads in a hundred flips:

    >>> round(binomial_deviation(100, 0.5, 0.1), 4)
    0.0569
    """
    m = _check.count(m, "m", "there is at least one trial")
    p = _check.probability(p, "p")
    eps = _check.positive(eps, "eps", "every share is off by 0 or more")
    if isinstance(sides, bool) or sides not in (1, 2):
        raise ValueError(f"sides must be 1 or 2, got {sides!r}; 1 counts shares above p only")
    far = m * (eps * (1 - ROUNDING) - p * ULPS)  # 60 of 100 is off by 0.1, whatever the last digits say
    upper = binomial_tail(max(math.ceil(m * p + far), 0), m, p) if m * p + far <= m else 0.0
    if sides == 1 or m * p - far < 0:
        return upper
    return min(upper + binomial_tail(math.floor(m * p - far), m, p, side="lower"), 1.0)


def poisson_binomial_pmf(p: Any) -> Array:
    r"""Compute the law of the number of successes in trials with different probabilities.

    One trial after the other is added: with :math:`q_k` the probability of k successes so far, a further
    trial makes it :math:`(1-p_i)\,q_k+p_i\,q_{k-1}`. All terms are positive, so no digits are lost, however
    small the probability, down to the smallest float of full precision, about 2e-308.

    Parameters
    ----------
    p : array of shape (m,)
        The probability of success in each trial.

    Returns
    -------
    array of shape (m + 1,)
        The probabilities of 0 to m successes.

    References
    ----------
    Hong, *On computing the distribution function for the Poisson binomial distribution*, 2013.

    Examples
    --------
    >>> poisson_binomial_pmf([0.5, 0.1])
    array([0.45, 0.5 , 0.05])
    """
    p = _check.chances(p, "p")
    q = np.zeros(len(p) + 1)
    q[0] = 1.0
    for i, chance in enumerate(p, start=1):
        q[1 : i + 1] = (1 - chance) * q[1 : i + 1] + chance * q[:i]
        q[0] *= 1 - chance
    return q


def poisson_binomial_tail(t: float, p: Any, *, side: str = "upper", strict: bool = False) -> float:
    r"""Compute a tail of the Poisson-binomial law exactly.

    With :math:`Z` the number of successes: :math:`\mathbb P[Z\ge t]`, or :math:`\mathbb P[Z\le t]` for the
    lower tail.

    Parameters
    ----------
    t : float
        The threshold; it need not be a whole number.
    p : array of shape (m,)
        The probability of success in each trial.
    side : "upper" or "lower"
        Which tail.
    strict : bool
        Leave the threshold itself out: ``>`` and ``<`` in place of ``>=`` and ``<=``.

    References
    ----------
    Hong, *On computing the distribution function for the Poisson binomial distribution*, 2013.

    Examples
    --------
    With equal probabilities it is the binomial law.

    >>> round(poisson_binomial_tail(4, [0.3] * 9), 12) == round(binomial_tail(4, 9, 0.3), 12)
    True
    """
    q = poisson_binomial_pmf(p)
    first, last = _first_and_last(t, len(q) - 1, side, strict)
    return float(min(q[first : last + 1].sum(), 1.0)) if first <= last else 0.0


# -- by simulation -------------------------------------------------------------------------------------------


def simulate_counts(p: Any, repetitions: int, *, rng: np.random.Generator | int) -> Array:
    r"""Flip m coins, again and again, and count the successes of each repetition.

    Many coins that are alike are not flipped one by one: their count has a binomial law, and is drawn from
    it. The other coins are flipped, a chunk at a time, so that the flips stay in the processor's cache.

    Parameters
    ----------
    p : array of shape (m,)
        The probability of success of each coin.
    repetitions : int
        How often all m coins are flipped.
    rng : Generator or int
        The source of the flips, or its seed.

    Returns
    -------
    array of shape (repetitions,)
        The counts, as floats.

    References
    ----------
    Rubinstein and Kroese, *Simulation and the Monte Carlo Method*, 2016, chapter 4.

    Examples
    --------
    A coin that always falls on the same side, and one that never does:

    >>> simulate_counts([1.0, 1.0, 0.0], 4, rng=0)
    array([2., 2., 2., 2.])
    """
    p, rng = _check.chances(p, "p"), _check.generator(rng)
    repetitions = _check.count(repetitions, "repetitions", "simulate at least once")
    counts, (chances, sizes) = np.zeros(repetitions), np.unique(p, return_counts=True)
    for chance, size in zip(chances[sizes >= GROUP], sizes[sizes >= GROUP], strict=True):
        counts += rng.binomial(size, chance, repetitions)
    few = np.repeat(chances[sizes < GROUP], sizes[sizes < GROUP])
    rows = min(max(CHUNK // max(len(few), 1), 1), repetitions)
    numbers = np.empty((rows, len(few)))  # one array for all chunks: a new one each time costs a quarter more
    for start in range(0, repetitions if len(few) else 0, rows):
        chunk = rng.random(out=numbers[: repetitions - start])
        counts[start : start + rows] += np.count_nonzero(chunk < few, axis=1)
    return counts


def simulate_means(
    draw: Callable[[np.random.Generator, tuple[int, int]], Any],
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
    repetitions : int
        How many samples are drawn.
    rng : Generator or int
        The source of the values, or its seed.

    Returns
    -------
    array of shape (repetitions,)
        The means.

    References
    ----------
    Rubinstein and Kroese, *Simulation and the Monte Carlo Method*, 2016, chapter 4.

    Examples
    --------
    Means of uniform numbers vary less the more are averaged: the deviation is that of one over the root of m.

    >>> means = simulate_means(lambda rng, shape: rng.random(shape), 100, 20_000, rng=0)
    >>> float((means.std() * 12**0.5).round(2))
    0.1
    """
    m = _check.count(m, "m", "a mean needs at least one value")
    repetitions = _check.count(repetitions, "repetitions", "simulate at least once")
    rng, means, rows = _check.generator(rng), np.empty(repetitions), max(CHUNK // m, 1)
    for start in range(0, repetitions, rows):
        shape = (min(rows, repetitions - start), m)
        values = np.asarray(draw(rng, shape), dtype=np.float64)
        if values.shape != shape:
            raise ValueError(f"draw must return shape {shape}, got {values.shape}; use the shape it is given")
        means[start : start + rows] = values.mean(axis=1)
    return means


# -- Chernoff's method -------------------------------------------------------------------------------------

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


# -- means of bounded values -------------------------------------------------------------------------------

SAMPLE = "a mean needs at least one value"
OFF = "every mean is off by 0 or more"
EXACT = "exactness takes infinitely many values"
SPREAD = "pass the square of the standard deviation"
LARGE = 1e300  # beyond this h(u) comes close to the largest float


def _width(a: float, b: float) -> float:
    """Return the length of the interval that holds the values."""
    a, b = _check.real(a, "a"), _check.real(b, "b")
    if b <= a:
        raise ValueError(f"b must be above a, got a={a:g} and b={b:g}; the values lie between a and b")
    return _check.real(b - a, "b - a")


def _tails(sides: int) -> int:
    """Return the number of tails."""
    if isinstance(sides, bool) or sides not in (1, 2):
        raise ValueError(f"sides must be 1 or 2, got {sides!r}; 1 bounds means above mu only")
    return sides


def _capped(exponent: float, times: int) -> float:
    """Return ``times`` probabilities of a given exponent, one at the most."""
    return min(times * math.exp(-exponent), 1.0)


def _variance(variance: float) -> float:
    """Return a variance."""
    return _check.nonnegative(variance, "variance", SPREAD)


def _logarithm(delta: float, times: int) -> float:
    """Return the exponent at which ``times`` probabilities add up to delta."""
    return math.log(times) - math.log(_check.fraction(delta, "delta", FAIL))


def _squared(ratio: float) -> float:
    """Return a square; beyond the largest float it is infinite and no error."""
    return ratio * ratio


# -- Hoeffding -----------------------------------------------------------------------------------------------


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

    References
    ----------
    Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963, equation 4.16.

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

    References
    ----------
    Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963, theorem 2.

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
    eps = _check.positive(eps, "eps", EXACT)
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


# -- many means at once --------------------------------------------------------------------------------------


def finite_class(m: int, eps: float, n_hypotheses: int, a: float = 0.0, b: float = 1.0) -> float:
    r"""Bound how likely the worst of many means is off by :math:`\varepsilon` or more.

    For K means, of m values each, the union bound adds up Hoeffding's:
    :math:`\mathbb P[\max_k\lvert\bar Z_k-\mu_k\rvert\ge\varepsilon]\le2K\,e^{-2m\varepsilon^2/(b-a)^2}`. The
    means may depend on each other in any way; with the losses of K classifiers on the same points it bounds
    the gap between training error and error for all of them at once, so also for one chosen by looking.

    Parameters
    ----------
    m : int
        The number of values in each mean.
    eps : float
        The deviation, above 0.
    n_hypotheses : int
        The number K of means.
    a, b : float
        The interval that holds the values.

    References
    ----------
    Mohri, Rostamizadeh and Talwalkar, *Foundations of Machine Learning*, 2018, theorem 2.13.

    Examples
    --------
    A thousand classifiers need less than three times as many points as one.

    >>> round(finite_class(1000, 0.1, 1000), 6), finite_class_n(0.1, 1, 0.05), finite_class_n(0.1, 1000, 0.05)
    (4e-06, 185, 530)
    """
    n_hypotheses = _check.count(n_hypotheses, "n_hypotheses", "there is at least one to judge")
    m, eps = _check.count(m, "m", SAMPLE), _check.positive(eps, "eps", OFF)
    # in logarithms, because the number of hypotheses may be beyond the largest float
    return math.exp(min(math.log(2 * n_hypotheses) - 2 * m * _squared(eps / _width(a, b)), 0.0))


def finite_class_n(eps: float, n_hypotheses: int, delta: float, a: float = 0.0, b: float = 1.0) -> int:
    r"""Return how many values make all of many means accurate.

    The least m with :math:`2K\,e^{-2m\varepsilon^2/(b-a)^2}\le\delta`, where :math:`\delta` is ``delta``, the
    probability that the bound fails. Parameters are those of :func:`finite_class`.

    Examples
    --------
    Ten times as many hypotheses cost the same number of values each time.

    >>> [finite_class_n(0.05, 10**k, 0.05) for k in range(4)]
    [738, 1199, 1659, 2120]
    """
    n_hypotheses = _check.count(n_hypotheses, "n_hypotheses", "there is at least one to judge")
    eps = _check.positive(eps, "eps", EXACT)
    guess = _logarithm(delta, 2 * n_hypotheses) * _squared(_width(a, b) / eps) / 2
    return _check.sample_size(guess, lambda m: finite_class(m, eps, n_hypotheses, a, b) <= delta)


def finite_class_eps(m: int, n_hypotheses: int, delta: float, a: float = 0.0, b: float = 1.0) -> float:
    r"""Return the deviation that no one of many means exceeds, with high probability.

    :math:`(b-a)\sqrt{\log(2K/\delta)/(2m)}`, where :math:`\delta` is ``delta``, the probability that the
    bound fails. Parameters are those of :func:`finite_class`.

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


# -- with the variance ---------------------------------------------------------------------------------------


def bennett(m: int, eps: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2) -> float:
    r"""Bound how likely a mean is off, from the range and the variance of its values.

    :math:`\mathbb P[\lvert\bar Z-\mu\rvert\ge\varepsilon]\le2\exp\bigl(-\tfrac{m\sigma^2}{c^2}\,
    h(\tfrac{c\varepsilon}{\sigma^2})\bigr)` with :math:`c=b-a`, :math:`h(u)=(1+u)\log(1+u)-u` as in
    Chernoff's bounds, and :math:`\sigma^2` the variance of the values, their mean variance, or a number above
    it. Parameters are those of :func:`bernstein`.

    References
    ----------
    Bennett, *Probability inequalities for the sum of independent random variables*, 1962.

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
    if u > LARGE:  # there h(u) is u (log u - 1) to all digits
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

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.8.

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
    eps = _check.positive(eps, "eps", EXACT)
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


# -- with the variance of the sample -------------------------------------------------------------------------


def empirical_bernstein_eps(
    m: int, delta: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> float:
    r"""Return the deviation that is unlikely, from the range and the variance *of the sample*.

    With probability at least :math:`1-\delta`, where :math:`\delta` is ``delta``,
    :math:`\lvert\bar Z-\mu\rvert\le\sqrt{2S^2L/m}+\tfrac{7(b-a)L}{3(m-1)}` for independent values with sample
    variance :math:`S^2` and :math:`L=\log(3/\delta)`; for one side :math:`L=\log(2/\delta)`.
    Nothing but the range need be known beforehand. Parameters are those of :func:`empirical_bernstein`.

    References
    ----------
    Maurer and Pontil, *Empirical Bernstein bounds and sample variance penalization*, 2009, theorem 11.

    Examples
    --------
    >>> round(empirical_bernstein_eps(10_000, 0.05, 0.01), 4), round(hoeffding_eps(10_000, 0.05), 4)
    (0.0038, 0.0136)
    """
    m = _check.count(m, "m", "a sample variance needs two values", least=2)
    level = _logarithm(delta, 1 + _tails(sides))
    range_part = 7 * _width(a, b) * level / (3 * (m - 1))
    return math.sqrt(2 * _variance(variance) * level / m) + range_part


def empirical_bernstein(
    m: int, eps: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> float:
    r"""Return the probability at which :func:`empirical_bernstein_eps` gives a deviation.

    It is :math:`3e^{-L}` with the :math:`L` that solves
    :math:`\sqrt{2S^2L/m}+\tfrac{7(b-a)L}{3(m-1)}=\varepsilon`; for one side :math:`2e^{-L}`. The sample
    variance is random, so this inverts the width; it does not bound the probability of a fixed deviation.

    Parameters
    ----------
    m : int
        The number of values, at least 2.
    eps : float
        The deviation, above 0.
    variance : float
        The variance of the sample, with m - 1 in the denominator.
    a, b : float
        The interval that holds the values.
    sides : 1 or 2
        Whether only means above or below :math:`\mu` count, or both sides.

    References
    ----------
    Maurer and Pontil, *Empirical Bernstein bounds and sample variance penalization*, 2009, theorem 11.

    Examples
    --------
    >>> eps = empirical_bernstein_eps(1000, 0.05, 0.01)
    >>> round(empirical_bernstein(1000, eps, 0.01), 12)
    0.05
    """
    m = _check.count(m, "m", "a sample variance needs two values", least=2)
    eps = _check.positive(eps, "eps", OFF)
    root, linear = math.sqrt(2 * _variance(variance) / m), 7 * _width(a, b) / (3 * (m - 1))
    solution = 2 * eps / (root + math.hypot(root, 2 * math.sqrt(linear) * math.sqrt(eps)))  # the root of L
    return _capped(_squared(solution), 1 + _tails(sides))


def empirical_bernstein_n(
    eps: float, delta: float, variance: float, a: float = 0.0, b: float = 1.0, *, sides: int = 2
) -> int:
    r"""Return how many values make the empirical Bernstein bound as small as wanted.

    The least m for which :func:`empirical_bernstein_eps` is at most ``eps`` at ``delta``, the probability
    that it fails, if the sample has the variance. Parameters are those of :func:`empirical_bernstein`.

    Examples
    --------
    What the unknown variance costs, next to :func:`bernstein_n`:

    >>> empirical_bernstein_n(0.02, 0.05, 0.0099), bernstein_n(0.02, 0.05, 0.0099)
    (907, 306)
    """
    eps = _check.positive(eps, "eps", EXACT)
    level = _logarithm(delta, 1 + _tails(sides))
    part = max(2 * _variance(variance) / eps, 7 * _width(a, b) / 3) * level / eps  # for one of the terms
    low = max(_check.sample_size(part, lambda m: m >= part) - 1, 1)
    high = 4 * low + 6  # here the terms are at most a half and a quarter of eps
    while high - low > 1:  # the width falls as m grows
        middle = (low + high) // 2
        wide = empirical_bernstein_eps(middle, delta, variance, a, b, sides=sides) > eps
        low, high = (middle, high) if wide else (low, middle)
    return high


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

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.1.

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

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.1.

    Examples
    --------
    >>> chebyshev(1.0, 2.0), chebyshev(1.0, 2.0, m=100)
    (0.25, 0.0025)
    """
    variance = _check.nonnegative(variance, "variance", SPREAD)
    eps = _check.positive(eps, "eps", "every variable is off by 0 or more")
    return min(variance / _check.count(m, "m", "a mean needs at least one value") / eps / eps, 1.0)


def chebyshev_n(variance: float, eps: float, delta: float) -> int:
    r"""Return how many values Chebyshev's inequality asks for.

    The least m with :math:`\sigma^2/(m\varepsilon^2)\le\delta`.

    Parameters
    ----------
    variance : float
        The variance of one value.
    eps : float
        The deviation, above 0.
    delta : float
        The probability that the bound fails, between 0 and 1.

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.1.

    Examples
    --------
    Coin flips have variance 1/4 at the most.

    >>> chebyshev_n(0.25, 0.05, 0.05), hoeffding_n(0.05, 0.05)
    (2000, 738)
    """
    variance = _check.nonnegative(variance, "variance", SPREAD)
    eps = _check.positive(eps, "eps", "exactness takes infinitely many values")
    delta = _check.fraction(delta, "delta", "it is the probability that the bound fails")
    guess = variance / eps / eps / delta
    return _check.sample_size(guess, lambda m: chebyshev(variance, eps, m) <= delta)


def chebyshev_eps(variance: float, m: int, delta: float) -> float:
    r"""Return the deviation that Chebyshev's inequality makes unlikely.

    :math:`\varepsilon=\sqrt{\sigma^2/(m\delta)}`.

    Parameters
    ----------
    variance : float
        The variance of one value.
    m : int
        How many values are averaged.
    delta : float
        The probability that the bound fails, between 0 and 1.

    References
    ----------
    Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, section 2.1.

    Examples
    --------
    >>> eps = chebyshev_eps(1.0, 400, 0.01)
    >>> eps, round(chebyshev(1.0, eps, 400), 12)
    (0.5, 0.01)
    """
    variance = _check.nonnegative(variance, "variance", SPREAD)
    m = _check.count(m, "m", "a mean needs at least one value")
    delta = _check.fraction(delta, "delta", "it is the probability that the bound fails")
    return math.sqrt(variance / (m * delta))
