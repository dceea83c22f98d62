r"""One error rate: error bars, what to believe of it, and how many test points show a difference.

A classifier with error rate :math:`p` makes :math:`k\sim\mathrm{Bin}(n,p)` errors on n independent test
points, and :math:`\hat p=k/n` estimates p. In all functions ``level`` is the significance level: 0.05 gives
an interval of 95 %.

With the prior :math:`\mathrm{Beta}(a,b)`, which is uniform for a = b = 1, the posterior density of the rate e
is proportional to :math:`e^{k+a-1}(1-e)^{n-k+b-1}`: it is :math:`\mathrm{Beta}(k+a,\,n-k+b)`.

The *power* of a test is how likely it notices that two classifiers differ. Its functions come in pairs:
``..._power`` for a number of points, ``..._n`` for the number that a power needs.

References
----------
Casella and Berger, *Statistical Inference*, 2002, section 7.3 (standard error). Wilson, *Probable inference,
the law of succession, and statistical inference*, 1927. Clopper and Pearson, *The use of confidence or
fiducial limits illustrated in the case of the binomial*, 1934. Gelman et al., *Bayesian Data Analysis*, 2013,
section 2.4 (posterior). Cook, *Exact calculation of beta inequalities*, 2005 (:func:`prob_less`). Fleiss,
Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003, chapter 4 (two samples). Miettinen,
*The matched pairs design in the case of all-or-none responses*, 1968.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

# -- intervals for an error rate ---------------------------------------------------------------------------


def standard_error(k: int, n: int, *, unbiased: bool = False) -> float:
    r"""Return the estimate :math:`\sqrt{\hat p(1-\hat p)/n}` of the standard deviation of :math:`\hat p=k/n`.

    The true one is :math:`\sqrt{p(1-p)/n}`. The estimate of its square is too small by the factor
    :math:`(n-1)/n` on average, which ``unbiased`` makes up for; it is zero when k is 0 or n, where
    :func:`wilson` and :func:`clopper_pearson` still make sense.

    Parameters
    ----------
    k, n : int
        Numbers of errors and of test points.
    unbiased : bool
        Whether to divide by n - 1 in place of n.

    Examples
    --------
    >>> round(100 * standard_error(8, 800), 2), round(100 * standard_error(4, 800), 2)
    (0.35, 0.25)
    """
    k, n = _check.tally(k, n)
    if unbiased and n < 2:
        raise ValueError(f"n must be at least 2, got {n}; one test point says nothing about the spread")
    return float(np.sqrt(k / n * (1 - k / n) / (n - 1 if unbiased else n)))


def wilson(k: int, n: int, level: float = 0.05) -> tuple[float, float]:
    r"""Return Wilson's interval: all rates p that a z test with the variance of p does not reject.

    These are the p with :math:`(\hat p-p)^2\le z^2\,p(1-p)/n`, an interval around
    :math:`(\hat p+z^2/2n)/(1+z^2/n)`. It stays within [0, 1], does not shrink to a point at k = 0, and covers
    p with about the promised probability; which is exceeded or missed a little, depending on p.

    Parameters
    ----------
    k, n : int
        Numbers of errors and of test points.
    level : float
        Significance level: one minus the confidence.

    Examples
    --------
    No error on 20 points does not mean a rate of zero:

    >>> low, high = wilson(0, 20)
    >>> low, round(high, 3)
    (0.0, 0.161)
    """
    k, n = _check.tally(k, n)
    z = -special.ndtri(_check.level(level) / 2)
    centre = (k + z**2 / 2) / (n + z**2)
    half = z * np.sqrt(k * (n - k) / n + z**2 / 4) / (n + z**2)
    return (0.0 if k == 0 else float(centre - half), 1.0 if k == n else float(centre + half))


def clopper_pearson(k: int, n: int, level: float = 0.05) -> tuple[float, float]:
    r"""Return the exact interval: all rates p for which k errors are in neither tail of ``level / 2``.

    Its ends are quantiles of Beta laws, because
    :math:`\mathbb P[\mathrm{Bin}(n,p)\ge k]=\mathbb P[\mathrm{Beta}(k,n-k+1)\le p]`. It covers every p with
    at least the promised probability, and pays by its length: mostly it is longer than Wilson's, though a
    little shorter at k = 0 and k = n for n from 46 on (level 0.05).

    Parameters are those of :func:`wilson`.

    Examples
    --------
    Without an error in n points the upper end solves :math:`(1-p)^n=0.025`:

    >>> low, high = clopper_pearson(0, 20)
    >>> low, round((1 - high) ** 20, 12)
    (0.0, 0.025)
    """
    k, n = _check.tally(k, n)
    tail = _check.level(level) / 2
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betainccinv(k + 1, n - k, tail))
    return low, high


# -- what to believe of an error rate ----------------------------------------------------------------------

# Quantiles at which the integral of prob_less is cut. Powers of ten: near 0 and 1 the integrand is a power.
QUANTILE_CUTS = np.append(10.0 ** np.arange(-15, 0), [0.3, 0.5])
QUANTILES = np.concatenate([QUANTILE_CUTS, 1 - QUANTILE_CUTS[:-1]])
TINY_RATE = (
    -32.0
)  # the log of b e, for a rate e below which the distribution function is a power, to 13 digits
PIECE_NODES, PIECE_WEIGHTS = np.polynomial.legendre.leggauss(24)


@dataclass(frozen=True, kw_only=True, eq=False)
class BetaPosterior:
    r"""The law :math:`\mathrm{Beta}(a,b)` of an error rate.

    Attributes
    ----------
    a, b : float
        Its parameters: the errors and the right answers, each with what the prior adds.
    """

    a: float
    b: float

    @property
    def mean(self) -> float:
        """The mean a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """The variance ab / ((a + b)^2 (a + b + 1))."""
        return self.mean * (1 - self.mean) / (self.a + self.b + 1)

    def pdf(self, e: ArrayLike) -> Array:
        """Return the density at the rates e in [0, 1], an array of any shape."""
        e = _check.numbers(e, "e")
        exponent = special.xlogy(self.a - 1, e) + special.xlog1py(self.b - 1, -e)
        return np.asarray(np.exp(exponent - special.betaln(self.a, self.b)))

    def cdf(self, e: ArrayLike) -> Array:
        """Return the probability of an error rate up to e, an array of any shape."""
        return np.asarray(special.betainc(self.a, self.b, _check.numbers(e, "e")))

    def quantile(self, u: ArrayLike) -> Array:
        """Return the error rates below which the probabilities u lie, an array of any shape."""
        return np.asarray(special.betaincinv(self.a, self.b, _check.numbers(u, "u")))

    def interval(self, level: float = 0.05) -> tuple[float, float]:
        """Return the central interval that holds the rate with probability 1 - level."""
        tail = _check.level(level) / 2
        high = special.betainccinv(self.a, self.b, tail)
        return float(special.betaincinv(self.a, self.b, tail)), float(high)


def error_posterior(k: int, n: int, *, a: float = 1.0, b: float = 1.0) -> BetaPosterior:
    r"""Return the posterior of an error rate after k errors on n test points.

    Parameters
    ----------
    k, n : int
        Numbers of errors and of test points; n = 0 gives back the prior.
    a, b : float
        Parameters of the Beta prior; 1 and 1 make it uniform.

    Examples
    --------
    After no error in 8 points the mean is not 0 but :math:`(0+1)/(8+2)`:

    >>> post = error_posterior(0, 8)
    >>> post.a, post.b, post.mean
    (1.0, 9.0, 0.1)
    """
    k, n = _check.tally(k, n, least=0)
    why = "the density of the prior could not be integrated"
    return BetaPosterior(a=k + _check.positive(a, "a", why), b=n - k + _check.positive(b, "b", why))


def _compose(first: BetaPosterior, second: BetaPosterior, u: Array) -> Array:
    r"""Return :math:`F_1(Q_2(u))`, also where the quantile :math:`Q_2(u)` is too small for a double.

    Near zero :math:`F(e)=e^a/(aB(a,b))` but for a relative error below :math:`be`; that needs only log e.
    """
    u = np.maximum(u, np.finfo(float).tiny)  # nodes of the first piece may underflow; they have no weight
    log_e = (np.log(u) + np.log(second.a) + special.betaln(second.a, second.b)) / second.a
    power = np.exp(np.minimum(first.a * log_e - np.log(first.a) - special.betaln(first.a, first.b), 0.0))
    exact = special.betainc(first.a, first.b, second.quantile(u))
    missing = np.isnan(exact)  # SciPy does not find some quantiles below 1e-15
    return np.asarray(
        np.where((log_e < TINY_RATE - np.log(max(1.0, first.b, second.b))) | missing, power, exact)
    )


def _less_below_half(first: BetaPosterior, second: BetaPosterior) -> float:
    r"""Return :math:`\mathbb P[e_1<e_2\le\frac12]=\int_0^{F_2(1/2)}F_1(Q_2(u))\,du` by Gauss's rule."""
    end = float(second.cdf(0.5))
    cuts = np.concatenate([[0.0, end], QUANTILES, _compose(second, first, QUANTILES)])
    cuts = np.unique(cuts[cuts <= end])
    half, middle = np.diff(cuts)[:, None] / 2, (cuts[1:] + cuts[:-1])[:, None] / 2
    return float(np.sum(half * PIECE_WEIGHTS * _compose(first, second, middle + half * PIECE_NODES)))


def prob_less(first: BetaPosterior, second: BetaPosterior) -> float:
    r"""Return :math:`\mathbb P[e_1<e_2]` for two independent error rates, right to about 1e-10.

    It is :math:`\int_0^1F_1(Q_2(u))\,du` with the distribution function :math:`F_1` of the first and the
    quantile function :math:`Q_2` of the second, summed by Gauss's rule over pieces on which the integrand is
    smooth. Rates above one half are measured from 1, where doubles are too coarse: if :math:`e_2>\frac12`,
    then :math:`e_1<e_2` unless :math:`1-e_1<1-e_2`. Independent means: counted on different test points.

    Parameters
    ----------
    first, second : BetaPosterior
        The laws of the two rates.

    Examples
    --------
    Equal knowledge is undecided; 4 errors against 8 among 800 are not enough to be sure.

    >>> four, eight = error_posterior(4, 800), error_posterior(8, 800)
    >>> round(prob_less(four, four), 10), round(prob_less(four, eight), 3)
    (0.5, 0.868)
    """
    mirrored = BetaPosterior(a=first.b, b=first.a), BetaPosterior(a=second.b, b=second.a)
    above = float(mirrored[1].cdf(0.5))
    return _less_below_half(first, second) + above - _less_below_half(*mirrored)


# -- how many points a test needs --------------------------------------------------------------------------

TAIL_ROUNDING = 1e-12  # relative error of a tail that is not to decide
BINOMIAL_WINDOW = (
    12.0  # standard deviations around the mean beyond which a binomial law has no mass worth adding
)


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

    Parameters are those of :func:`two_sample_power`, with the wanted ``power`` in place of n.

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
    tail = level / 2 * (1 + TAIL_ROUNDING)  # a level that is a p-value itself is reached
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
    reach = BINOMIAL_WINDOW * np.sqrt(n * differ * (1 - differ)) + BINOMIAL_WINDOW
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

    Parameters are those of :func:`paired_power`, with the wanted ``power`` in place of n.

    Examples
    --------
    >>> paired_n(0.005, 0.0), paired_n(0.010, 0.005)
    (1580, 4979)
    """
    if _check.probability(p_b, "p_b") == _check.probability(p_c, "p_c"):
        raise ValueError(f"p_b and p_c must differ, got {p_b:g} twice; no number of points tells them apart")
    return _crossing(lambda n: paired_power(p_b, p_c, n, level=level), power, _check.level(level))
