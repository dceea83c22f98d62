r"""Exact tails of sums of coin flips, to hold bounds against, and simulated ones.

A sum :math:`Z=\sum_iZ_i` of independent :math:`Z_i\in\{0,1\}` with :math:`\mathbb P[Z_i=1]=p_i` has a
binomial law if all :math:`p_i` are equal, and a Poisson-binomial law otherwise. A threshold
that is a whole number but for rounding, such as ``1.1 * 100``, counts as that number.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array

__all__ = [
    "binomial_deviation",
    "binomial_tail",
    "poisson_binomial_pmf",
    "poisson_binomial_tail",
    "simulate_counts",
    "simulate_means",
]

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
