r"""The error rate as an uncertain number: Beta posteriors, and which of two rates is smaller.

With the prior :math:`\mathrm{Beta}(a,b)`, which is uniform for a = b = 1, and k errors among n test points
the posterior density of the error rate e is proportional to :math:`e^{k+a-1}(1-e)^{n-k+b-1}`: it is
:math:`\mathrm{Beta}(k+a,\,n-k+b)`.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array

__all__ = ["BetaPosterior", "error_posterior", "prob_less"]

# Quantiles at which the integral of prob_less is cut. Powers of ten: near 0 and 1 the integrand is a power.
CUTS = np.append(10.0 ** np.arange(-15, 0), [0.3, 0.5])
LEVELS = np.concatenate([CUTS, 1 - CUTS[:-1]])
TINY = -32.0  # the log of b e, for a rate e below which the distribution function is a power, to 13 digits
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


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

    def pdf(self, e: object) -> Array:
        """Return the density at the rates e in [0, 1], an array of any shape."""
        e = np.asarray(e, dtype=np.float64)
        exponent = special.xlogy(self.a - 1, e) + special.xlog1py(self.b - 1, -e)
        return np.asarray(np.exp(exponent - special.betaln(self.a, self.b)))

    def cdf(self, e: object) -> Array:
        """Return the probability of an error rate up to e, an array of any shape."""
        return np.asarray(special.betainc(self.a, self.b, np.asarray(e, dtype=np.float64)))

    def quantile(self, u: object) -> Array:
        """Return the error rates below which the probabilities u lie, an array of any shape."""
        return np.asarray(special.betaincinv(self.a, self.b, np.asarray(u, dtype=np.float64)))

    def interval(self, level: float = 0.05) -> tuple[float, float]:
        """Return the central interval that holds the rate with probability 1 - level."""
        tail = _check.level(level) / 2
        high = special.betainccinv(self.a, self.b, tail)
        return float(special.betaincinv(self.a, self.b, tail)), float(high)


def error_posterior(k: int, n: int, *, a: float = 1.0, b: float = 1.0) -> BetaPosterior:
    r"""Return the posterior of an error rate after k errors on n test points.

    Parameters
    ----------
    k : int
        Number of errors.
    n : int
        Number of test points; 0 gives back the prior.
    a, b : float
        Parameters of the Beta prior; 1 and 1 make it uniform.

    References
    ----------
    Gelman et al., *Bayesian Data Analysis*, 2013, section 2.4.

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
    exact = first.cdf(second.quantile(u))
    missing = np.isnan(exact)  # SciPy does not find some quantiles below 1e-15
    return np.where((log_e < TINY - np.log(max(1.0, first.b, second.b))) | missing, power, exact)


def _less_below_half(first: BetaPosterior, second: BetaPosterior) -> float:
    r"""Return :math:`\mathbb P[e_1<e_2\le\frac12]=\int_0^{F_2(1/2)}F_1(Q_2(u))\,du` by Gauss's rule."""
    end = float(second.cdf(0.5))
    cuts = np.concatenate([[0.0, end], LEVELS, _compose(second, first, LEVELS)])
    cuts = np.unique(cuts[cuts <= end])
    half, middle = np.diff(cuts)[:, None] / 2, (cuts[1:] + cuts[:-1])[:, None] / 2
    return float(np.sum(half * WEIGHTS * _compose(first, second, middle + half * NODES)))


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

    References
    ----------
    Cook, *Exact calculation of beta inequalities*, 2005.

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
