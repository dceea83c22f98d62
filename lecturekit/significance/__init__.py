"""Is the difference real? Error bars, tests of two or more methods, posteriors, power and sample sizes.

All take counts or arrays, never models: the errors on a test set and the points it takes; two classifiers on
one test set or over repeated splits; ranks over many data sets; areas under ROC curves.
"""

from lecturekit.significance._error_rate import (
    BetaPosterior,
    clopper_pearson,
    error_posterior,
    paired_n,
    paired_power,
    prob_less,
    standard_error,
    two_sample_n,
    two_sample_power,
    wilson,
)
from lecturekit.significance._pairs import (
    FiveByTwo,
    PairedTable,
    PairedTest,
    ResampledT,
    ZTest,
    corrected_resampled_t,
    five_by_two_cv,
    mcnemar,
    paired_binomial,
    paired_table,
    two_sample_z,
)
from lecturekit.significance._ranks import (
    DeLong,
    Friedman,
    SignedRanks,
    SignTest,
    delong,
    delong_variance,
    friedman,
    hanley_mcneil,
    holm,
    sign_test,
    wilcoxon_signed_rank,
)

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
