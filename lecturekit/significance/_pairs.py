r"""Two classifiers compared: on one test set, or over repeated splits of one data set.

With y the labels and f, g the predictions, the paired table counts a: both right, b: only f right, c: only g
right, d: both wrong. Only b and c tell the classifiers apart; the two-sample test forgets that.

Training sets of repeated splits overlap, so the differences of the scores are not independent, and the
ordinary t test takes them for more evidence than they are.

References
----------
Casella and Berger, *Statistical Inference*, 2002, section 10.3 (two samples). McNemar, *Note on the sampling
error of the difference between correlated proportions*, 1947. Dietterich, *Approximate statistical tests for
comparing supervised classification learning algorithms*, 1998 (paired table, 5x2 t test). Alpaydin, *Combined
5x2 cv F test*, 1999. Nadeau and Bengio, *Inference for the generalization error*, 2003.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike

# -- two samples -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class ZTest:
    """A difference of two rates, and how surprising it is.

    Attributes
    ----------
    difference : float
        The first rate minus the second.
    statistic : float
        The difference divided by its estimated standard deviation under the null hypothesis.
    pvalue : float
        Two-sided, by the normal law.
    """

    difference: float
    statistic: float
    pvalue: float


def two_sample_z(k1: int, n1: int, k2: int, n2: int) -> ZTest:
    r"""Test whether two independent samples have the same error rate.

    With the pooled rate :math:`\bar p=(k_1+k_2)/(n_1+n_2)` the statistic is
    :math:`z=(\hat p_1-\hat p_2)/\sqrt{\bar p(1-\bar p)(1/n_1+1/n_2)}`, nearly standard normal when the rates
    are equal and the counts are not small. The samples must be independent: two classifiers on *one* test set
    are not, and :func:`mcnemar` is the test for them. Samples without any error, or of errors only, differ in
    nothing and have z = 0.

    Parameters
    ----------
    k1, n1, k2, n2 : int
        Errors and points of the first sample, and of the second.

    Examples
    --------
    >>> test = two_sample_z(8, 800, 4, 800)
    >>> round(test.statistic, 3), round(test.pvalue, 3)
    (1.159, 0.246)
    """
    k1, n1 = _check.tally(k1, n1, names=("k1", "n1"))
    k2, n2 = _check.tally(k2, n2, names=("k2", "n2"))
    pooled = (k1 + k2) / (n1 + n2)
    difference = k1 / n1 - k2 / n2
    spread = np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    z = difference / spread if spread > 0 else 0.0
    return ZTest(difference=difference, statistic=float(z), pvalue=float(2 * special.ndtr(-abs(z))))


# -- pairs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTable:
    """How often two classifiers were right together, alone, or not at all.

    Attributes
    ----------
    a, b, c, d : int
        Points on which both are right, only f is, only g is, none is.
    """

    a: int
    b: int
    c: int
    d: int

    @property
    def n(self) -> int:
        """The number of points."""
        return self.a + self.b + self.c + self.d


def _kind(labels: Any) -> str:
    """Say what labels are; those of different kinds are never equal."""
    return {"U": "strings", "S": "bytes", "M": "dates"}.get(labels.dtype.kind, "numbers")


def paired_table(y: ArrayLike, yhat_f: ArrayLike, yhat_g: ArrayLike) -> PairedTable:
    """Count the test points on which both, one or none of two classifiers is right.

    Parameters
    ----------
    y : array of shape (n,)
        True labels: numbers or strings.
    yhat_f, yhat_g : array of shape (n,)
        The labels that the two classifiers predict for the same points, of the same kind.

    Examples
    --------
    >>> paired_table(["cat", "dog", "dog"], ["cat", "dog", "cat"], ["dog", "dog", "cat"])
    PairedTable(a=1, b=1, c=0, d=1)
    """
    y, yhat_f, yhat_g = (
        _check.labels(v, name, "class") for v, name in ((y, "y"), (yhat_f, "yhat_f"), (yhat_g, "yhat_g"))
    )
    if not _kind(y) == _kind(yhat_f) == _kind(yhat_g):
        raise ValueError(
            f"y, yhat_f and yhat_g must hold labels of one kind, got {_kind(y)}, {_kind(yhat_f)} and "
            f"{_kind(yhat_g)}; let the classifiers predict labels as they are in y"
        )
    if not len(y) == len(yhat_f) == len(yhat_g):
        raise ValueError(
            f"y, yhat_f and yhat_g must have one length, got {len(y)}, {len(yhat_f)} and {len(yhat_g)}; "
            "let both classifiers predict the same points"
        )
    f, g = yhat_f == y, yhat_g == y
    both, only_f, only_g = (int(np.count_nonzero(part)) for part in (f & g, f & ~g, ~f & g))
    return PairedTable(a=both, b=only_f, c=only_g, d=len(y) - both - only_f - only_g)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTest:
    """What the points on which two classifiers differ say about which is better.

    Attributes
    ----------
    b, c : int
        Points on which only the first, only the second is right.
    statistic : float
        The smaller of the two, or the chi-square statistic where that was asked for.
    pvalue : float
        Two-sided, at most 1.
    """

    b: int
    c: int
    statistic: float
    pvalue: float


def paired_binomial(b: int, c: int, *, method: str = "exact") -> PairedTest:
    r"""Test whether two classifiers are equally often the only one that is right.

    If they are, :math:`b\sim\mathrm{Bin}(b+c,\tfrac12)` given b + c, and the exact two-sided p-value is
    :math:`\min\{1,\,2^{1-(b+c)}\sum_{i\le\min(b,c)}\binom{b+c}i\}`. The cap matters at b = c, where both
    tails contain the middle. Without any difference, b = c = 0, it is 1.

    Parameters
    ----------
    b, c : int
        Points on which only the first, only the second classifier is right.
    method : {"exact", "mid-p", "chi2", "corrected"}
        ``"mid-p"`` counts the observed value half: less cautious than exact, without its guarantee.
        ``"chi2"``, McNemar's own form, compares :math:`(b-c)^2/(b+c)` with the chi-square law of one degree
        of freedom; ``"corrected"`` does so with :math:`\max\{|b-c|-1,0\}^2/(b+c)`, the correction for
        continuity, which must not turn a gap of zero into one. Both need about 25 differing points.

    Examples
    --------
    >>> paired_binomial(0, 3).pvalue, paired_binomial(4, 5).pvalue, paired_binomial(5, 5).pvalue
    (0.25, 1.0, 1.0)
    """
    b = _check.count(b, "b", "count the points on which only the first classifier is right", least=0)
    c = _check.count(c, "c", "count the points on which only the second classifier is right", least=0)
    low, n = min(b, c), b + c
    if method not in ("exact", "mid-p", "chi2", "corrected"):
        raise ValueError(f'method must be "exact", "mid-p", "chi2" or "corrected", got {method!r}')
    if method in ("exact", "mid-p"):
        tail = float(special.bdtr(low, n, 0.5))
        beyond = float(special.bdtr(low - 1, n, 0.5)) if low else 0.0
        both = tail + (tail if method == "exact" else beyond)
        # Where b and c differ by at most one the two tails are everything, or more: no rounding needed.
        capped = 1.0 if n - 2 * low <= (method == "exact") else both
        return PairedTest(b=b, c=c, statistic=float(low), pvalue=capped)
    gap = abs(b - c) if method == "chi2" else max(abs(b - c) - 1, 0)
    statistic = gap**2 / n if n else 0.0
    return PairedTest(b=b, c=c, statistic=statistic, pvalue=float(special.chdtrc(1, statistic)))


def mcnemar(y: ArrayLike, yhat_f: ArrayLike, yhat_g: ArrayLike, *, method: str = "exact") -> PairedTest:
    """Test whether two classifiers have the same error rate, from their predictions of one test set.

    Parameters are those of :func:`paired_table`; ``method`` is that of :func:`paired_binomial`.

    Examples
    --------
    The first is right alone six times, the second never:

    >>> y, f, g = np.ones(50), np.ones(50), np.ones(50)
    >>> g[:6] = 0
    >>> test = mcnemar(y, f, g)
    >>> test.b, test.c, test.pvalue
    (6, 0, 0.03125)
    """
    table = paired_table(y, yhat_f, yhat_g)
    return paired_binomial(table.b, table.c, method=method)


# -- two learners on resampled data ------------------------------------------------------------------------

SPREAD_ROUNDING = 1e-9  # a spread below this part of the largest difference is rounding: no noise is so small
RATE_FLOOR = 4 * np.finfo(float).eps  # and so is one of a few units in the last digit of a rate of 1


def _only_rounding(spread: float, differences: Array) -> bool:
    """Whether differences that should be noisy vary by no more than rounding."""
    return spread <= max(SPREAD_ROUNDING * float(np.abs(differences).max()), RATE_FLOOR)


def _two_sided_t(t: float, freedom: int) -> float:
    """Return the probability that Student's t is beyond +-t."""
    return float(2 * special.stdtr(freedom, -abs(t)))


@dataclass(frozen=True, kw_only=True, eq=False)
class FiveByTwo:
    """Both tests of five times twofold cross-validation.

    Attributes
    ----------
    mean : float
        Mean of the ten differences.
    t, t_pvalue : float
        Dietterich's statistic, and its two-sided p-value by Student's law of 5 degrees of freedom.
    f, f_pvalue : float
        Alpaydin's statistic, of which large values speak against equality, and its p-value by the F law of 10
        and 5 degrees of freedom.
    """

    mean: float
    t: float
    t_pvalue: float
    f: float
    f_pvalue: float

    @property
    def pvalue(self) -> float:
        """The p-value of the F test, which does not depend on the order of the folds."""
        return self.f_pvalue


def five_by_two_cv(differences: ArrayLike) -> FiveByTwo:
    r"""Test whether two learning algorithms do equally well, by five times twofold cross-validation.

    In repetition i the data are halved, and each half is used once for training and once for testing, which
    gives the differences :math:`p_i^{(1)},p_i^{(2)}` and the variance
    :math:`s_i^2=(p_i^{(1)}-p_i^{(2)})^2/2`. Then
    :math:`t=p_1^{(1)}/\sqrt{\tfrac15\sum_is_i^2}` and
    :math:`F=\sum_{i,j}(p_i^{(j)})^2/(2\sum_is_i^2)`. The t test uses one of the ten differences above the
    line, and its answer hangs on which; the F test uses them all. Both laws are approximations: the parts of
    the fractions are not independent.

    Parameters
    ----------
    differences : array of shape (5, 2)
        Error of the first algorithm minus error of the second, a row each repetition.

    Examples
    --------
    >>> test = five_by_two_cv([[0.02, 0.04], [0.03, 0.03], [0.01, 0.04], [0.02, 0.03], [0.04, 0.02]])
    >>> round(test.t, 3), round(test.f, 3), test.t_pvalue > test.f_pvalue
    (1.491, 4.889, True)
    """
    p = _check.matrix(differences, "differences").astype(np.float64)
    if p.shape != (5, 2):
        raise ValueError(
            f"differences must have shape (5, 2), got {p.shape}; five repetitions of two folds, a row each"
        )
    gaps = np.diff(p)[:, 0]
    if _only_rounding(float(np.abs(gaps).max()), p):
        raise ValueError(
            "differences must vary between the folds of at least one repetition, got none that does but for "
            "rounding; the noise cannot be estimated"
        )
    total = float(np.sum(gaps**2)) / 2
    t, f = float(p[0, 0] / np.sqrt(total / 5)), float(np.sum(p**2) / (2 * total))
    return FiveByTwo(
        mean=float(p.mean()),
        t=t,
        t_pvalue=_two_sided_t(t, 5),
        f=f,
        f_pvalue=float(special.fdtrc(10, 5, f)),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ResampledT:
    """The corrected t test of repeated splits.

    Attributes
    ----------
    mean, standard_error, statistic : float
        Mean difference, its estimated standard deviation, and their ratio.
    freedom : int
        Degrees of freedom, the number of splits less one.
    pvalue : float
        Two-sided.
    """

    mean: float
    standard_error: float
    statistic: float
    freedom: int
    pvalue: float


def corrected_resampled_t(differences: ArrayLike, n_train: int, n_test: int) -> ResampledT:
    r"""Test the mean difference of J random splits with Nadeau and Bengio's variance.

    The variance of the mean of J *independent* differences would be estimated by :math:`s^2/J`. Differences
    of splits of one data set are correlated; taking the correlation for
    :math:`n_{\text{test}}/(n_{\text{train}}+n_{\text{test}})` turns the estimate into
    :math:`(1/J+n_{\text{test}}/n_{\text{train}})\,s^2`, and t has J - 1 degrees of freedom. The
    correlation is a rule of thumb: the size of the test is near the promised one, not equal to it.

    Parameters
    ----------
    differences : array of shape (J,)
        Difference of the two scores on each split.
    n_train, n_test : int
        Points in the training and in the test part of a split.

    Examples
    --------
    With a tenth of the data in each test part, ten splits weigh less than five independent ones would:

    >>> test = corrected_resampled_t([0.01, 0.03, 0.02, 0.0, 0.01, 0.02, 0.03, 0.01, 0.0, 0.02], 90, 10)
    >>> round(test.statistic, 2), round(test.pvalue, 3)
    (3.02, 0.014)
    """
    d: Array = _check.line(differences, "differences")
    n_train = _check.count(n_train, "n_train", "a split needs points to train on")
    n_test = _check.count(n_test, "n_test", "a split needs points to test on")
    if len(d) < 2 or _only_rounding(float(np.ptp(d)), d):
        raise ValueError(
            f"differences must hold at least two different values, got {d[:5]}, which vary by rounding only; "
            "the noise cannot be estimated"
        )
    error = float(np.sqrt((1 / len(d) + n_test / n_train) * d.var(ddof=1)))
    t = float(d.mean()) / error
    return ResampledT(
        mean=float(d.mean()),
        standard_error=error,
        statistic=t,
        freedom=len(d) - 1,
        pvalue=_two_sided_t(t, len(d) - 1),
    )
