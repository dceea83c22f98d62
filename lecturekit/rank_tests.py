r"""Methods compared over several data sets: tests that use only who was better, or by which rank.

Scores of different data sets have different spreads, so their differences are not samples of one law; signs
and ranks within a data set can still be compared. Two scores of a data set that agree to twelve digits count
as tied: a difference in the last digits is rounding.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import special
from scipy.optimize import brentq
from scipy.stats import rankdata

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.paired import paired_binomial

__all__ = [
    "Friedman",
    "SignTest",
    "SignedRanks",
    "friedman",
    "holm",
    "sign_test",
    "wilcoxon_signed_rank",
]

DIGITS = 12  # scores that agree so far are tied
ROUNDING = 0.5 * 10.0**-DIGITS  # the same, as a difference relative to the larger score
EXACT = 100  # the largest number of differences whose signs are all counted unless asked otherwise
NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)
FAR = 9.0  # beyond so many standard deviations a normal law has no mass that doubles can see


def _differences(a: object, b: object) -> tuple[Array, Array]:
    """Return a - b, zero where the two are tied, and the rounding error that each difference may have."""
    a = _check.line(a, "a")
    b = _check.vector(b, len(a), "b", each="data set").astype(np.float64)
    if len(a) == 0:
        raise ValueError("a must hold at least one score, got none; give one entry a data set")
    d, error = a - b, ROUNDING * np.maximum(np.abs(a), np.abs(b))
    return np.where(np.abs(d) <= error, 0.0, d), error


def _ranks(d: Array, error: Array) -> Array:
    """Return the ranks of the sizes of d; sizes that differ by no more than their errors share a rank."""
    order = np.argsort(np.abs(d), kind="stable")
    apart = np.diff(np.abs(d)[order]) > np.maximum(error[order][1:], error[order][:-1])
    place = np.empty(len(d))
    place[order] = np.cumsum(np.append(True, apart)[: len(d)])
    return np.asarray(rankdata(place))


# -- two methods -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class SignTest:
    """How often one method was better than another.

    Attributes
    ----------
    wins, losses, ties : int
        Data sets on which the first is better, worse, equal.
    pvalue : float
        Two-sided and exact; ties are left out.
    """

    wins: int
    losses: int
    ties: int
    pvalue: float


def sign_test(a: object, b: object) -> SignTest:
    r"""Test whether two methods are equally often the better one.

    If so, the wins of the first are :math:`\mathrm{Bin}(\text{wins}+\text{losses},\tfrac12)`, which is the
    law of :func:`lecturekit.paired.paired_binomial` with data sets in place of test points. By how much a
    method wins does not count.

    Parameters
    ----------
    a, b : array of shape (N,)
        Scores of the two methods on N data sets, in the same order.

    References
    ----------
    Demsar, *Statistical comparisons of classifiers over multiple data sets*, 2006, section 3.1.4.

    Examples
    --------
    >>> sign_test([0.9, 0.8, 0.7, 0.9, 0.8, 0.7], [0.8, 0.7, 0.6, 0.8, 0.7, 0.7])
    SignTest(wins=5, losses=0, ties=1, pvalue=0.0625)
    """
    sign = np.sign(_differences(a, b)[0])
    wins, losses = int(np.count_nonzero(sign > 0)), int(np.count_nonzero(sign < 0))
    pvalue = paired_binomial(wins, losses).pvalue
    return SignTest(wins=wins, losses=losses, ties=len(sign) - wins - losses, pvalue=pvalue)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRanks:
    """The ranks of the differences between two methods, added up by sign.

    Attributes
    ----------
    n : int
        Differences that are not zero.
    plus, minus : float
        Sums of the ranks of the positive and of the negative differences.
    pvalue : float
        Two-sided.
    exact : bool
        Whether all signs were counted, or the normal law was used.
    """

    n: int
    plus: float
    minus: float
    pvalue: float
    exact: bool

    @property
    def statistic(self) -> float:
        """The smaller of the two sums."""
        return min(self.plus, self.minus)


def _sum_law(ranks: Array) -> Array:
    """Return the law of twice the sum of the ranks of random sign +: entry s is the probability of s."""
    law = np.ones(1)
    for step in np.rint(2 * ranks).astype(np.intp):  # mean ranks of ties are multiples of one half
        law = (np.append(law, np.zeros(step)) + np.append(np.zeros(step), law)) / 2
    return law


def wilcoxon_signed_rank(a: object, b: object, *, method: str = "auto") -> SignedRanks:
    r"""Test whether the differences of two methods are symmetric around zero (Wilcoxon).

    The differences :math:`a_i-b_i` are ranked by size, ties sharing their mean rank, and the ranks of the
    positive ones are added up. If the differences are symmetric around zero, every pattern of signs is
    equally likely, which gives the exact law of the sum also with ties. For many differences the sum is
    nearly normal with mean :math:`\tfrac12\sum_ir_i` and variance :math:`\tfrac14\sum_ir_i^2`. Differences
    of exactly zero are left out before ranking, as Wilcoxon did.

    Parameters
    ----------
    a, b : array of shape (N,)
        Scores of the two methods on N data sets, in the same order.
    method : {"auto", "exact", "normal"}
        Count all signs, or use the normal law without continuity correction; ``"auto"`` counts up to 100
        differences.

    References
    ----------
    Wilcoxon, *Individual comparisons by ranking methods*, 1945.

    Examples
    --------
    Five wins out of five give at best two of the 32 patterns of signs:

    >>> test = wilcoxon_signed_rank([0.9, 0.8, 0.7, 0.9, 0.8], [0.8, 0.6, 0.4, 0.5, 0.3])
    >>> test.plus, test.minus, test.pvalue
    (15.0, 0.0, 0.0625)
    """
    if method not in ("auto", "exact", "normal"):
        raise ValueError(f'method must be "auto", "exact" or "normal", got {method!r}')
    d, error = _differences(a, b)
    d, error = d[d != 0], error[d != 0]
    ranks = _ranks(d, error)
    plus, total = float(ranks[d > 0].sum()), float(ranks.sum())
    exact = method == "exact" or (method == "auto" and len(d) <= EXACT)
    low = min(plus, total - plus)
    if exact:
        pvalue = 2 * float(_sum_law(ranks)[: round(2 * low) + 1].sum())
    else:
        spread = np.sqrt(np.sum(ranks**2) / 4)
        pvalue = 2 * float(special.ndtr((low - total / 2) / spread)) if len(d) else 1.0
    return SignedRanks(n=len(d), plus=plus, minus=total - plus, pvalue=min(1.0, pvalue), exact=exact)


# -- many methods ------------------------------------------------------------------------------------------


def _range_quantile(level: float, k: int) -> float:
    r"""Return what the range of k standard normal variables exceeds with probability ``level``.

    The range is at most q with probability :math:`k\int\varphi(z)[\Phi(z)-\Phi(z-q)]^{k-1}dz`, where z is the
    largest of them.
    """
    z = FAR * NODES
    density = FAR * WEIGHTS * k * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    return float(
        brentq(
            lambda q: density @ (special.ndtr(z) - special.ndtr(z - q)) ** (k - 1) - (1 - level),
            0.0,
            2 * FAR,
            xtol=1e-12,
        )
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Friedman:
    """Mean ranks of k methods over N data sets, and whether they differ more than those of equals would.

    Attributes
    ----------
    ranks : array of shape (k,)
        Mean rank of each method; 1 would be the best on every data set.
    n : int
        Number of data sets.
    statistic : float
        Friedman's chi-square with k - 1 degrees of freedom, corrected for ties.
    pvalue : float
        Its p-value, by the chi-square law.
    iman_davenport : float
        The F statistic of Iman and Davenport, with k - 1 and (k - 1)(N - 1) degrees of freedom; infinite if
        all data sets rank the methods alike.
    iman_davenport_pvalue : float
        Its p-value.
    """

    ranks: Array = field(repr=False)
    n: int
    statistic: float
    pvalue: float
    iman_davenport: float
    iman_davenport_pvalue: float

    @property
    def standard_error(self) -> float:
        """The standard deviation of the difference of two mean ranks if all methods are alike."""
        k = len(self.ranks)
        return float(np.sqrt(k * (k + 1) / (6 * self.n)))

    def critical_difference(self, level: float = 0.05, test: str = "nemenyi") -> float:
        """Return the difference of mean ranks from which on two methods are called different.

        ``"nemenyi"`` allows for all k(k - 1)/2 comparisons, ``"bonferroni-dunn"`` for the k - 1 comparisons
        with one method that was chosen beforehand. If *all* methods are alike, and N is large, the chance of
        any false alarm is at most about ``level``. If only some are alike there is no such bound, since a
        difference of mean ranks depends on the other methods (Benavoli, Corani and Mangili, *Should we really
        use post-hoc tests based on mean-ranks?*, 2016).
        """
        level, k = _check.level(level), len(self.ranks)
        if test == "nemenyi":
            return _range_quantile(level, k) / float(np.sqrt(2)) * self.standard_error
        if test == "bonferroni-dunn":
            return float(-special.ndtri(level / (2 * (k - 1)))) * self.standard_error
        raise ValueError(f'test must be "nemenyi" or "bonferroni-dunn", got {test!r}')

    def pairwise_pvalues(self) -> Array:
        """Return the (k, k) p-values of all differences of mean ranks, by the normal law, if *all* are alike.

        They are no p-values of "these two are alike" when other methods differ, so that :func:`holm` makes no
        promise for them; it does for :func:`wilcoxon_signed_rank` or :func:`sign_test` of each pair.
        """
        z = np.abs(self.ranks[:, None] - self.ranks) / self.standard_error
        return np.asarray(2 * special.ndtr(-z))


def friedman(scores: object) -> Friedman:
    r"""Test whether k methods do equally well on N data sets.

    Within each data set the methods are ranked, 1 for the highest score, ties sharing their mean rank. With
    the mean ranks :math:`R_j`, :math:`\chi_F^2=\frac{12N}{k(k+1)}\sum_j(R_j-\tfrac{k+1}2)^2`, divided by
    :math:`1-\sum_{\text{ties}}(t^3-t)/(N(k^3-k))` when t methods tie, is nearly chi-square with k - 1 degrees
    of freedom; :math:`F=(N-1)\chi_F^2/(N(k-1)-\chi_F^2)` is nearer to its F law than that.

    Parameters
    ----------
    scores : array of shape (N, k)
        One row a data set, one column a method; higher is better.

    References
    ----------
    Demsar, *Statistical comparisons of classifiers over multiple data sets*, 2006, section 3.2.2.

    Examples
    --------
    >>> test = friedman([[0.9, 0.8, 0.7], [0.8, 0.9, 0.6], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]])
    >>> test.ranks, test.statistic, test.iman_davenport
    (array([1.25, 2.  , 2.75]), 4.5, 3.857142857142857)
    """
    scores = _check.matrix(scores, "scores").astype(np.float64)
    n, k = scores.shape
    if n < 2 or k < 2:
        raise ValueError(
            f"scores must have at least two rows and two columns, got shape {scores.shape}; "
            "a row is a data set, a column a method"
        )
    size = np.maximum(np.abs(scores).max(axis=1, keepdims=True), np.finfo(float).tiny)
    ranks = np.asarray(rankdata(-np.round(scores / size, DIGITS), axis=1))
    # The variance of the ranks in each row; it is k(k + 1)/12 without ties and less with them.
    spread = float(np.sum((ranks - (k + 1) / 2) ** 2)) / (n * (k - 1))
    if spread == 0:
        raise ValueError(
            "scores must differ between methods in at least one row, got ties only; there is nothing to rank"
        )
    mean = ranks.mean(axis=0)
    statistic = float(n * np.sum((mean - (k + 1) / 2) ** 2) / spread)
    rest = n * (k - 1) - statistic
    if rest > 1e-9 * n * (k - 1):
        ratio = (n - 1) * statistic / rest
        of_ratio = float(special.fdtrc(k - 1, (k - 1) * (n - 1), ratio))
    else:  # all rows agree
        ratio, of_ratio = np.inf, 0.0
    return Friedman(
        ranks=mean,
        n=n,
        statistic=statistic,
        pvalue=float(special.chdtrc(k - 1, statistic)),
        iman_davenport=float(ratio),
        iman_davenport_pvalue=of_ratio,
    )


def holm(pvalues: object) -> Array:
    r"""Adjust p-values for their number, so that the chance of any false alarm stays at most the level.

    Sorted upwards, the i-th of m p-values is multiplied by m - i + 1, and no adjusted value may be below an
    earlier one. It holds however the tests depend on each other, and rejects all that multiplying every
    p-value by m (Bonferroni) rejects.

    Parameters
    ----------
    pvalues : array of shape (m,)
        P-values of m tests.

    References
    ----------
    Holm, *A simple sequentially rejective multiple test procedure*, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.02])
    array([0.03, 0.04, 0.04])
    """
    p = _check.line(pvalues, "pvalues")
    if p.size and not 0 <= p.min() <= p.max() <= 1:
        raise ValueError(
            f"pvalues must lie between 0 and 1, got a smallest of {p.min():g} and a largest of {p.max():g}"
        )
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted
