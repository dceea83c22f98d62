r"""Bounds for means of bounded variables: Hoeffding's, Bernstein's and their kin, each with its inverses.

Let :math:`Z_1,\dots,Z_m` be independent with values in :math:`[a,b]` and let :math:`\mu` be the mean of their
average :math:`\bar Z`. Each bound comes three times: ``bound(m, eps)`` is a probability, ``bound_n(eps,
delta)`` the least number of values for which it is at most :math:`\delta`, and ``bound_eps(m, delta)`` the
deviation for which it is :math:`\delta`. A bound above one says nothing and is returned as one. Numbers of
values beyond a million millions are rounded like every float.
"""

import math

from lecturekit import _check
from lecturekit.chernoff import chernoff_exponent

__all__ = [
    "bennett",
    "bernstein",
    "bernstein_eps",
    "bernstein_n",
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
]

FAIL = "it is the probability that the bound fails"
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
