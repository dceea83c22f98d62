r"""Tests by order alone: methods over several data sets, and areas under ROC curves.

Scores of different data sets have different spreads, so their differences are not samples of one law; signs
and ranks within a data set can still be compared. Two scores of a data set that agree to twelve digits count
as tied: a difference in the last digits is rounding.

With P positive and N negative points the area under the ROC curve is the share of the pairs in the right
order, :math:`A=\frac1{PN}\sum_{i,j}\psi(s_i^+,s_j^-)` with :math:`\psi=1,\tfrac12,0` where the positive score
is above, at, below the negative one. The *placement* of a positive point is its share of right pairs,
:math:`V_i=\frac1N\sum_j\psi(s_i^+,s_j^-)`, and :math:`W_j=\frac1P\sum_i\psi(s_i^+,s_j^-)` that of a negative.

References
----------
Demsar, *Statistical comparisons of classifiers over multiple data sets*, 2006, sections 3.1.4 (signs) and
3.2.2 (Friedman). Wilcoxon, *Individual comparisons by ranking methods*, 1945. Holm, *A simple sequentially
rejective multiple test procedure*, 1979. Hanley and McNeil, *The meaning and use of the area under a receiver
operating characteristic (ROC) curve*, 1982. DeLong, DeLong and Clarke-Pearson, *Comparing the areas under two
or more correlated receiver operating characteristic curves: a nonparametric approach*, 1988. Sun and Xu,
*Fast implementation of DeLong's algorithm*, 2014.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq
from scipy.stats import rankdata

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, Mask
from lecturekit.significance._pairs import paired_binomial

# -- ranks over many data sets -----------------------------------------------------------------------------

SCORE_DIGITS = 12  # scores that agree so far are tied
SCORE_ROUNDING = 0.5 * 10.0**-SCORE_DIGITS  # the same, as a difference relative to the larger score
MOST_COUNTED = 100  # the largest number of differences whose signs are all counted unless asked otherwise
RANGE_NODES, RANGE_WEIGHTS = np.polynomial.legendre.leggauss(200)
FAR_TAIL = 9.0  # beyond so many standard deviations a normal law has no mass that doubles can see


def _differences(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """Return a - b, zero where the two are tied, and the rounding error that each difference may have."""
    a = _check.line(a, "a")
    b = _check.vector(b, len(a), "b", each="data set").astype(np.float64)
    if len(a) == 0:
        raise ValueError("a must hold at least one score, got none; give one entry a data set")
    d, error = a - b, SCORE_ROUNDING * np.maximum(np.abs(a), np.abs(b))
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


def sign_test(a: ArrayLike, b: ArrayLike) -> SignTest:
    r"""Test whether two methods are equally often the better one.

    If so, the wins of the first are :math:`\mathrm{Bin}(\text{wins}+\text{losses},\tfrac12)`, which is the
    law of :func:`paired_binomial` with data sets in place of test points. By how much
    a method wins does not count.

    Parameters
    ----------
    a, b : array of shape (N,)
        Scores of the two methods on N data sets, in the same order.

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


def wilcoxon_signed_rank(a: ArrayLike, b: ArrayLike, *, method: str = "auto") -> SignedRanks:
    r"""Test whether the differences of two methods are symmetric around zero (Wilcoxon).

    The differences :math:`a_i-b_i` are ranked by size, ties sharing their mean rank, and the ranks of the
    positive ones are added up. If the differences are symmetric around zero, every pattern of signs is
    equally likely, which gives the exact law of the sum also with ties. For many differences the sum is
    nearly normal with mean :math:`\tfrac12\sum_ir_i` and variance :math:`\tfrac14\sum_ir_i^2`. Differences
    of exactly zero are left out before ranking, as Wilcoxon did.

    Parameters
    ----------
    a, b : array of shape (N,)
        Those of :func:`sign_test`.
    method : {"auto", "exact", "normal"}
        Count all signs, or use the normal law without continuity correction; ``"auto"`` counts up to 100
        differences.

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
    exact = method == "exact" or (method == "auto" and len(d) <= MOST_COUNTED)
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
    z = FAR_TAIL * RANGE_NODES
    density = FAR_TAIL * RANGE_WEIGHTS * k * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)

    def excess(q: float) -> float:
        return float(density @ (special.ndtr(z) - special.ndtr(z - q)) ** (k - 1) - (1 - level))

    return float(brentq(excess, 0.0, 2 * FAR_TAIL, xtol=1e-12))


@dataclass(frozen=True, kw_only=True, eq=False)
class Friedman:
    """Mean ranks of k methods over N data sets, and whether they differ more than those of equals would.

    Attributes
    ----------
    ranks : array of shape (k,)
        Mean rank of each method; 1 would be the best on every data set.
    n : int
        Number of data sets.
    statistic, pvalue : float
        Friedman's chi-square with k - 1 degrees of freedom, corrected for ties, and its p-value.
    iman_davenport, iman_davenport_pvalue : float
        The F statistic of Iman and Davenport, with k - 1 and (k - 1)(N - 1) degrees of freedom, infinite if
        all data sets rank the methods alike, and its p-value.
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

    def critical_difference(self, level: float = 0.05) -> float:
        """Return the difference of mean ranks from which on Nemenyi calls two methods different.

        It allows for all k(k - 1)/2 comparisons: if *all* methods are alike, and N is large, the chance of
        any false alarm is at most about ``level``. If only some are alike there is no such bound, since a
        difference of mean ranks depends on the other methods (Benavoli, Corani and Mangili, *Should we really
        use post-hoc tests based on mean-ranks?*, 2016); :func:`holm` keeps its promise for
        :func:`wilcoxon_signed_rank` or :func:`sign_test` of each pair.
        """
        quantile = _range_quantile(_check.level(level), len(self.ranks))
        return quantile / float(np.sqrt(2)) * self.standard_error


def friedman(scores: ArrayLike) -> Friedman:
    r"""Test whether k methods do equally well on N data sets.

    Within each data set the methods are ranked, 1 for the highest score, ties sharing their mean rank. With
    the mean ranks :math:`R_j`, :math:`\chi_F^2=\frac{12N}{k(k+1)}\sum_j(R_j-\tfrac{k+1}2)^2`, divided by
    :math:`1-\sum_{\text{ties}}(t^3-t)/(N(k^3-k))` when t methods tie, is nearly chi-square with k - 1 degrees
    of freedom; :math:`F=(N-1)\chi_F^2/(N(k-1)-\chi_F^2)` is nearer to its F law than that.

    Parameters
    ----------
    scores : array of shape (N, k)
        One row a data set, one column a method; higher is better.

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
    ranks = np.asarray(rankdata(-np.round(scores / size, SCORE_DIGITS), axis=1))
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


def holm(pvalues: ArrayLike) -> Array:
    r"""Adjust p-values for their number, so that the chance of any false alarm stays at most the level.

    Sorted upwards, the i-th of m p-values is multiplied by m - i + 1, and no adjusted value may be below an
    earlier one. It holds however the tests depend on each other, and rejects all that multiplying every
    p-value by m (Bonferroni) rejects.

    Parameters
    ----------
    pvalues : array of shape (m,)
        P-values of m tests.

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


# -- how sure an AUC is ------------------------------------------------------------------------------------

Counts = NDArray[np.int64]


def hanley_mcneil(auc: float, n_pos: int, n_neg: int) -> float:
    r"""Return the variance of an area under the ROC curve from the area and the counts alone.

    It is :math:`\frac{A(1-A)+(P-1)(Q_1-A^2)+(N-1)(Q_2-A^2)}{PN}`, exact with :math:`Q_1` the probability that
    two positives are both above one negative and :math:`Q_2` that one positive is above two negatives;
    :math:`Q_1=A/(2-A)` and :math:`Q_2=2A^2/(1+A)` are their values when the scores are exponential.

    Parameters
    ----------
    auc : float
        The area.
    n_pos, n_neg : int
        Numbers of positive and negative points.

    Examples
    --------
    Scores without any information, whose area is 1/2, have the variance (P + N + 1)/(12 PN) of Mann and
    Whitney:

    >>> round(hanley_mcneil(0.5, 20, 30) * (12 * 20 * 30), 10)
    51.0
    """
    A = _check.probability(auc, "auc")
    n_pos = _check.count(n_pos, "n_pos", "an area needs a positive point")
    n_neg = _check.count(n_neg, "n_neg", "an area needs a negative point")
    Q1, Q2 = A / (2 - A), 2 * A**2 / (1 + A)
    return (A * (1 - A) + (n_pos - 1) * (Q1 - A**2) + (n_neg - 1) * (Q2 - A**2)) / (n_pos * n_neg)


# -- placements --------------------------------------------------------------------------------------------


def _classes(y: ArrayLike) -> Mask:
    """Return which points are positive; there must be two of each class."""
    positive = _check.positives(y, None, both=False)
    n_pos = int(np.count_nonzero(positive))
    if min(n_pos, len(positive) - n_pos) < 2:
        raise ValueError(
            f"y must hold at least two points of each class, got {n_pos} positive and "
            f"{len(positive) - n_pos} negative; one point says nothing about the spread"
        )
    return positive


def _right_pairs(positive: Mask, score: Array) -> tuple[Counts, Counts]:
    """Return twice the right pairs of each positive and of each negative point; a tie is half right."""
    order = np.argsort(score)  # ties: runs of equal scores are counted as a whole
    is_pos, s = positive[order], score[order]
    n, n_pos = len(s), int(np.count_nonzero(positive))
    before = np.append(0, np.cumsum(~is_pos))  # of the i lowest scores, so many are negatives
    new = s[1:] != s[:-1]
    if np.all(new):
        below, above = 2 * before[:-1], 2 * (np.arange(n) - before[:-1])
    else:  # a run of equal scores goes from first to last: what is before counts twice, what is in it once
        edges = np.flatnonzero(np.concatenate([[True], new, [True]]))
        first, last = edges[:-1], edges[1:]
        below = np.repeat(before[first] + before[last], last - first)
        above = np.repeat(first + last, last - first) - below
    right = np.empty(n, dtype=np.int64)
    right[order] = np.where(is_pos, below, 2 * n_pos - above)
    return right[positive], right[~positive]


def _variance(rows: Counts, columns: Counts) -> float:
    """Return DeLong's variance of the mean of halved counts per pair; exactly zero if they do not vary."""
    parts = ((rows, len(columns)), (columns, len(rows)))
    return sum(
        float(np.var(own, ddof=1)) / (4 * others**2 * len(own)) if own.min() < own.max() else 0.0
        for own, others in parts
    )


def _area(rows: Counts, columns: Counts) -> float:
    """Return the share of right pairs."""
    return float(rows.sum() / (2 * len(rows) * len(columns)))


def delong_variance(y: ArrayLike, score: ArrayLike) -> float:
    r"""Return DeLong's estimate of the variance of the area under the ROC curve, in O(n log n).

    It is :math:`\frac1P\operatorname{var}(V)+\frac1N\operatorname{var}(W)` with the sample variances of the
    placements of the positive and of the negative points, and needs no assumption about the scores. Up to a
    term of smaller order, A less its mean is the sum of two independent means, one over the positives and one
    over the negatives, so their variances add.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, at least two of each.
    score : array of shape (n,)
        Scores; higher means more positive.

    Examples
    --------
    The placements of the positives are 1/2 and 1, as are those of the negatives:

    >>> delong_variance([-1, -1, 1, 1], [0.1, 0.4, 0.3, 0.8])
    0.125
    """
    positive = _classes(y)
    return _variance(*_right_pairs(positive, _check.vector(score, len(positive), "score")))


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLong:
    """Two areas under ROC curves of the same points, and whether they differ.

    Attributes
    ----------
    auc_f, auc_g, variance_f, variance_g : float
        The two areas, and their estimated variances.
    variance : float
        The estimated variance of their difference, which allows for their correlation.
    pvalue : float
        Two-sided, by the normal law.
    """

    auc_f: float
    auc_g: float
    variance_f: float
    variance_g: float
    variance: float
    pvalue: float

    @property
    def difference(self) -> float:
        """The first area minus the second."""
        return self.auc_f - self.auc_g

    @property
    def statistic(self) -> float:
        """The difference divided by its estimated standard deviation; 0 if the areas are equal."""
        return self.difference / float(np.sqrt(self.variance)) if self.difference else 0.0

    def interval(self, level: float = 0.05) -> tuple[float, float]:
        """Return the interval of confidence 1 - level for the difference of the areas."""
        half = -float(special.ndtri(_check.level(level) / 2)) * float(np.sqrt(self.variance))
        return self.difference - half, self.difference + half


def delong(y: ArrayLike, score_f: ArrayLike, score_g: ArrayLike) -> DeLong:
    r"""Test whether two scores of the same points have the same area under the ROC curve, in O(n log n).

    The difference of the areas is a mean of differences of placements, so its variance is that of
    :func:`delong_variance` with :math:`V^f-V^g` and :math:`W^f-W^g` in place of V and W. The p-value is that
    of the normal law, which holds for many points of both classes: with ten of each and areas near 1 the test
    hardly ever rejects. One sort a score gives all placements.

    Parameters
    ----------
    y : array of shape (n,)
        Labels -1/+1 or 0/1, at least two of each.
    score_f, score_g : array of shape (n,)
        The two scores; higher means more positive.

    Examples
    --------
    Scores that only stretch each other order all pairs alike, so there is nothing to tell apart:

    >>> y, f = np.array([-1, -1, 1, 1]), np.array([0.1, 0.4, 0.3, 0.8])
    >>> test = delong(y, f, np.exp(f))
    >>> test.auc_f, test.auc_g, test.variance, test.pvalue
    (0.75, 0.75, 0.0, 1.0)
    """
    positive = _classes(y)
    f = _right_pairs(positive, _check.vector(score_f, len(positive), "score_f"))
    g = _right_pairs(positive, _check.vector(score_g, len(positive), "score_g"))
    auc_f, auc_g, variance = _area(*f), _area(*g), _variance(f[0] - g[0], f[1] - g[1])
    if variance == 0 and auc_f != auc_g:
        raise ValueError(
            f"score_f and score_g must not differ alike on all points, got areas {auc_f:g} and {auc_g:g} "
            "and no variance; shuffle labels or collect more points: the normal law does not apply"
        )
    z = abs(auc_f - auc_g) / np.sqrt(variance) if variance else 0.0
    return DeLong(
        auc_f=auc_f,
        auc_g=auc_g,
        variance_f=_variance(*f),
        variance_g=_variance(*g),
        variance=variance,
        pvalue=float(2 * special.ndtr(-z)),
    )
