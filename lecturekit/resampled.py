r"""Differences from repeated splits of one data set: tests that allow for their dependence.

Training sets of repeated splits overlap, so the differences of the scores are not independent, and the
ordinary t test takes them for more evidence than they are.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from lecturekit import _check
from lecturekit._typing import Array

__all__ = ["FiveByTwo", "ResampledT", "corrected_resampled_t", "five_by_two_cv"]

ROUNDING = 1e-9  # a spread below this part of the largest difference is rounding: no noise is so small
FLOOR = 4 * np.finfo(float).eps  # and so is one of a few units in the last digit of a rate of 1


def _only_rounding(spread: float, differences: Array) -> bool:
    """Whether differences that should be noisy vary by no more than rounding."""
    return spread <= max(ROUNDING * float(np.abs(differences).max()), FLOOR)


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
    t : float
        Dietterich's statistic, compared with Student's law of 5 degrees of freedom.
    t_pvalue : float
        Its two-sided p-value.
    f : float
        Alpaydin's statistic, compared with the F law of 10 and 5 degrees of freedom.
    f_pvalue : float
        Its p-value; large values of f speak against equality.
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


def five_by_two_cv(differences: object) -> FiveByTwo:
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

    References
    ----------
    Dietterich, *Approximate statistical tests for comparing supervised classification learning algorithms*,
    1998. Alpaydin, *Combined 5x2 cv F test*, 1999.

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
    mean : float
        Mean difference.
    standard_error : float
        Its estimated standard deviation.
    statistic : float
        Their ratio.
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


def corrected_resampled_t(differences: object, n_train: int, n_test: int) -> ResampledT:
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

    References
    ----------
    Nadeau and Bengio, *Inference for the generalization error*, 2003.

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
