"""Is the difference real? Error bars, tests of two or more methods, posteriors, power and sample sizes.

This module gathers the names of :mod:`lecturekit.intervals` (error bars), :mod:`lecturekit.posterior` (Beta
laws), :mod:`lecturekit.paired` (two classifiers on one test set), :mod:`lecturekit.resampled` (repeated
splits), :mod:`lecturekit.rank_tests` (several data sets), :mod:`lecturekit.auc_tests` (areas under ROC
curves) and :mod:`lecturekit.power`.
"""

from lecturekit.auc_tests import DeLong, delong, delong_variance, hanley_mcneil
from lecturekit.intervals import clopper_pearson, standard_error, wilson
from lecturekit.paired import (
    PairedTable,
    PairedTest,
    ZTest,
    mcnemar,
    paired_binomial,
    paired_table,
    two_sample_z,
)
from lecturekit.posterior import BetaPosterior, error_posterior, prob_less
from lecturekit.power import paired_n, paired_power, two_sample_n, two_sample_power
from lecturekit.rank_tests import (
    Friedman,
    SignedRanks,
    SignTest,
    friedman,
    holm,
    sign_test,
    wilcoxon_signed_rank,
)
from lecturekit.resampled import FiveByTwo, ResampledT, corrected_resampled_t, five_by_two_cv

__all__ = [
    "BetaPosterior",
    "DeLong",
    "FiveByTwo",
    "Friedman",
    "PairedTable",
    "PairedTest",
    "ResampledT",
    "SignTest",
    "SignedRanks",
    "ZTest",
    "clopper_pearson",
    "corrected_resampled_t",
    "delong",
    "delong_variance",
    "error_posterior",
    "five_by_two_cv",
    "friedman",
    "hanley_mcneil",
    "holm",
    "mcnemar",
    "paired_binomial",
    "paired_n",
    "paired_power",
    "paired_table",
    "prob_less",
    "sign_test",
    "standard_error",
    "two_sample_n",
    "two_sample_power",
    "two_sample_z",
    "wilcoxon_signed_rank",
    "wilson",
]
