r"""Error bars: what the number of errors on a test set says about the error rate.

A classifier with error rate :math:`p` makes :math:`k\sim\mathrm{Bin}(n,p)` errors on n independent test
points, and :math:`\hat p=k/n` estimates p. In all functions ``level`` is the significance level: 0.05
gives an interval of 95 %.
"""

import numpy as np
from scipy import special

from lecturekit import _check

__all__ = ["clopper_pearson", "standard_error", "wilson"]


def standard_error(k: int, n: int, *, unbiased: bool = False) -> float:
    r"""Return the estimate :math:`\sqrt{\hat p(1-\hat p)/n}` of the standard deviation of :math:`\hat p=k/n`.

    The true one is :math:`\sqrt{p(1-p)/n}`. The estimate of its square is too small by the factor
    :math:`(n-1)/n` on average, which ``unbiased`` makes up for; it is zero when k is 0 or n, where
    :func:`wilson` and :func:`clopper_pearson` still make sense.

    Parameters
    ----------
    k : int
        Number of errors.
    n : int
        Number of test points.
    unbiased : bool
        Whether to divide by n - 1 in place of n.

    References
    ----------
    Casella and Berger, *Statistical Inference*, 2002, section 7.3.

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
    k : int
        Number of errors.
    n : int
        Number of test points.
    level : float
        Significance level: one minus the confidence.

    References
    ----------
    Wilson, *Probable inference, the law of succession, and statistical inference*, 1927.

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

    Parameters
    ----------
    k : int
        Number of errors.
    n : int
        Number of test points.
    level : float
        Significance level: one minus the confidence.

    References
    ----------
    Clopper and Pearson, *The use of confidence or fiducial limits illustrated in the case of the binomial*,
    1934.

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
