r"""Power: how likely a test notices that two classifiers differ, and how many test points that takes.

Functions come in pairs: ``..._power`` for a number of points, ``..._n`` for the number that a power needs.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array

__all__ = ["paired_n", "paired_power", "two_sample_n", "two_sample_power"]

ROUNDING = 1e-12  # relative error of a tail that is not to decide
WINDOW = 12.0  # standard deviations around the mean beyond which a binomial law has no mass worth adding


def _crossing(power_of: Callable[[int], float], power: float, level: float) -> int:
    """Return an n whose power reaches the wanted one while that of n - 1 does not."""
    power = _check.probability(power, "power")
    if not level < power < 1:
        raise ValueError(f"power must be above the level {level:g} and below 1, got {power:g}")
    low, high = 0, 1
    while power_of(high) < power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle) >= power else (middle, high)
    return high


# -- two samples -------------------------------------------------------------------------------------------


def two_sample_power(p1: float, p2: float, n: int, *, level: float = 0.05) -> float:
    r"""Return the probability that the two-sample z test rejects, with n points for each classifier.

    By the normal law: the difference of the rates has variance :math:`(p_1(1-p_1)+p_2(1-p_2))/n`, and the
    test takes :math:`2\bar p(1-\bar p)/n` for it.

    Parameters
    ----------
    p1, p2 : float
        The true error rates.
    n : int
        Test points of each classifier.
    level : float
        Significance level of the two-sided test.

    References
    ----------
    Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003, chapter 4.

    Examples
    --------
    Equal rates are found different as often as the level says; 1.0 % and 0.5 % on 800 points seldom:

    >>> round(two_sample_power(0.1, 0.1, 500), 12), round(two_sample_power(0.010, 0.005, 800), 2)
    (0.05, 0.21)
    """
    p1, p2 = _check.probability(p1, "p1"), _check.probability(p2, "p2")
    n, z = _check.count(n, "n", "test on at least one point"), -special.ndtri(_check.level(level) / 2)
    gap, mean = abs(p1 - p2), (p1 + p2) / 2
    true, assumed = np.sqrt((p1 * (1 - p1) + p2 * (1 - p2)) / n), np.sqrt(2 * mean * (1 - mean) / n)
    if true == 0:  # certain outcomes: the same, or as different as can be
        return float(gap > z * assumed)
    return float(special.ndtr((gap - z * assumed) / true) + special.ndtr((-gap - z * assumed) / true))


def two_sample_n(p1: float, p2: float, *, power: float = 0.8, level: float = 0.05) -> int:
    """Return the smallest number of points for each classifier that gives the z test the wanted power.

    Parameters
    ----------
    p1, p2 : float
        The true error rates.
    power : float
        The wanted probability to reject.
    level : float
        Significance level of the two-sided test.

    References
    ----------
    Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003, chapter 4.

    Examples
    --------
    >>> two_sample_n(0.010, 0.005)
    4673
    """
    if _check.probability(p1, "p1") == _check.probability(p2, "p2"):
        raise ValueError(f"p1 and p2 must differ, got {p1:g} twice; no number of points tells them apart")
    return _crossing(lambda n: two_sample_power(p1, p2, n, level=level), power, _check.level(level))


# -- pairs -------------------------------------------------------------------------------------------------


def _cdf(k: Array, n: Array, p: float) -> Array:
    """Return the probability of at most k < n successes in n trials; zero for negative k."""
    return np.where(k < 0, 0.0, special.betainc(n - k, np.maximum(k, 0) + 1, 1 - p))


def _critical(n: Array, level: float) -> Array:
    """Return the largest k at which the exact test of k against n - k rejects; -1 where none does."""
    guess = special.bdtrik(level / 2, np.maximum(n, 1), 0.5)  # a real number, right but for rounding
    k = np.where(n > 0, np.floor(np.nan_to_num(guess, nan=-1.0)), -1.0)
    tail = level / 2 * (1 + ROUNDING)  # a level that is a p-value itself is reached
    k -= _cdf(k, n, 0.5) > tail
    return np.asarray(k + (_cdf(k + 1, np.maximum(n, k + 2), 0.5) <= tail))


def paired_power(p_b: float, p_c: float, n: int, *, level: float = 0.05) -> float:
    r"""Return the probability that the exact paired test rejects on n test points.

    The number of points on which the classifiers differ is :math:`m\sim\mathrm{Bin}(n,p_b+p_c)`, and given m
    the points that the first wins are :math:`\mathrm{Bin}(m,p_b/(p_b+p_c))`. Summed over m this is
    exact. It depends on how often the classifiers differ, not on the error rates alone.

    Parameters
    ----------
    p_b, p_c : float
        Probabilities that only the first, only the second classifier is right on a point.
    n : int
        Number of test points.
    level : float
        Significance level of the two-sided test.

    References
    ----------
    Miettinen, *The matched pairs design in the case of all-or-none responses*, 1968.

    Examples
    --------
    Error rates of 1.0 % and 0.5 %: much depends on whether the better one repeats errors of the other.

    >>> round(paired_power(0.005, 0.0, 2000), 2), round(paired_power(0.010, 0.005, 2000), 2)
    (0.93, 0.37)
    """
    p_b, p_c = _check.probability(p_b, "p_b"), _check.probability(p_c, "p_c")
    n, level, differ = _check.count(n, "n", "test on at least one point"), _check.level(level), p_b + p_c
    if differ > 1:
        raise ValueError(f"p_b + p_c must be at most 1, got {differ:g}; they are shares of one set of points")
    if differ == 0:
        return 0.0
    reach = WINDOW * np.sqrt(n * differ * (1 - differ)) + WINDOW
    m = np.arange(max(0, np.floor(n * differ - reach)), min(n, np.ceil(n * differ + reach)) + 1)
    logs = special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(n - m + 1)
    law = np.exp(logs + special.xlogy(m, differ) + special.xlog1py(n - m, -differ))
    k = _critical(m, level)
    rejects = _cdf(k, m, p_b / differ) + _cdf(k, m, p_c / differ)
    return float(law @ rejects)


def paired_n(p_b: float, p_c: float, *, power: float = 0.8, level: float = 0.05) -> int:
    """Return how many test points give the exact paired test the wanted power.

    The power of an exact test rises with n but for small dents. The number returned reaches the wanted power
    and one point less does not; a smaller number may reach it too, and a few points more may fall short.

    Parameters
    ----------
    p_b, p_c : float
        Probabilities that only the first, only the second classifier is right on a point.
    power : float
        The wanted probability to reject.
    level : float
        Significance level of the two-sided test.

    References
    ----------
    Miettinen, *The matched pairs design in the case of all-or-none responses*, 1968.

    Examples
    --------
    >>> paired_n(0.005, 0.0), paired_n(0.010, 0.005)
    (1580, 4979)
    """
    if _check.probability(p_b, "p_b") == _check.probability(p_c, "p_c"):
        raise ValueError(f"p_b and p_c must differ, got {p_b:g} twice; no number of points tells them apart")
    return _crossing(lambda n: paired_power(p_b, p_c, n, level=level), power, _check.level(level))
