r"""Concentration inequalities: Markov, Chebyshev, Chernoff, Hoeffding, Bernstein, and their inverses.

Markov's and Chebyshev's are written here; the others are those of :mod:`lecturekit.chernoff` (counts of
successes) and :mod:`lecturekit.bounded` (means of bounded values). Exact tails to compare with are in
:mod:`lecturekit.tails`. A bound above one says nothing and is returned as one.
"""

import math

from lecturekit import _check
from lecturekit.bounded import (
    bennett,
    bernstein,
    bernstein_eps,
    bernstein_n,
    empirical_bernstein,
    empirical_bernstein_eps,
    empirical_bernstein_n,
    finite_class,
    finite_class_eps,
    finite_class_n,
    hoeffding,
    hoeffding_eps,
    hoeffding_lemma,
    hoeffding_n,
)
from lecturekit.chernoff import (
    chernoff_count,
    chernoff_delta,
    chernoff_exponent,
    chernoff_lower,
    chernoff_upper,
)
from lecturekit.tails import (
    binomial_deviation,
    binomial_tail,
    poisson_binomial_pmf,
    poisson_binomial_tail,
)

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
]

SPREAD = "pass the square of the standard deviation"


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
