"""What lecturekit.significance refuses, and in which words."""

import numpy as np

from lecturekit import significance
from tests.support.border import swept
from tests.support.refusals import refused, spoilt

POSTERIOR = significance.error_posterior(3, 20)
A, B, Y = np.array([0.9, 0.8, 0.7, 0.6]), np.array([0.8, 0.9, 0.5, 0.4]), np.array([1, -1, 1, -1])
CALLS = {
    **{key: {"k": 3, "n": 20, "level": 0.05} for key in ("clopper_pearson", "wilson")},
    "standard_error": {"k": 3, "n": 20},
    "error_posterior": {"k": 3, "n": 20, "a": 1.0, "b": 1.0},
    "prob_less": {"first": POSTERIOR, "second": POSTERIOR},
    "two_sample_z": {"k1": 3, "n1": 20, "k2": 5, "n2": 30},
    "two_sample_power": {"p1": 0.1, "p2": 0.2, "n": 20, "level": 0.05},
    "two_sample_n": {"p1": 0.1, "p2": 0.2, "power": 0.8, "level": 0.05},
    "paired_power": {"p_b": 0.1, "p_c": 0.2, "n": 20, "level": 0.05},
    "paired_n": {"p_b": 0.1, "p_c": 0.2, "power": 0.8, "level": 0.05},
    "paired_binomial": {"b": 1, "c": 3},
    **{key: {"y": Y, "yhat_f": -Y, "yhat_g": Y} for key in ("mcnemar", "paired_table")},
    "five_by_two_cv": {"differences": np.arange(10.0).reshape(5, 2) ** 2},
    "corrected_resampled_t": {"differences": A, "n_train": 30, "n_test": 10},
    **{key: {"a": A, "b": B} for key in ("sign_test", "wilcoxon_signed_rank")},
    "friedman": {"scores": np.column_stack([A, B])},
    "holm": {"pvalues": A},
    "hanley_mcneil": {"auc": 0.8, "n_pos": 10, "n_neg": 20},
    "delong_variance": {"y": Y, "score": A},
    "delong": {"y": Y, "score_f": A, "score_g": B},
}
ACCEPTED = {
    "holm.pvalues": {"empty"},  # no test, nothing to adjust
    "mcnemar": {"inf"},  # a label is a name, whatever the number
    "paired_table": {"inf"},
}

ROWS = [
    ("wilson clopper_pearson", {"level": 0.95}, "level must be a number above 0 and at most 0.5, got 0.95"),
    ("paired_n", {"level": 0.0}, "level must be a number above 0 and at most 0.5, got 0"),
    ("standard_error error_posterior", {"k": 21}, "k must be at most n = 20, got 21; the errors come first"),
    ("clopper_pearson", {"k": 0, "n": 0}, "n must be a whole number >= 1, got 0; count the test"),
    ("standard_error", {"k": 1, "n": 1, "unbiased": True}, "n must be at least 2, got 1; one test"),
    ("error_posterior", {"a": 0.0}, "a must be a number > 0, got 0; the density of"),
    ("two_sample_z", {"k1": -1}, "k1 must be a whole number >= 0, got -1; count the"),
    ("two_sample_z", {"k2": 31}, "k2 must be at most n2 = 30, got 31; the errors come"),
    ("mcnemar", {"yhat_f": ["1", "0", "1", "1"]}, "y, yhat_f and yhat_g must"),
    ("paired_table", {"yhat_g": [1]}, "y, yhat_f and yhat_g must have one length"),
    ("paired_binomial", {"b": -1}, "b must be a whole number >= 0, got -1; count the"),
    ("paired_binomial", {"method": "t"}, 'method must be "exact", "mid-p"'),
    ("five_by_two_cv", {"differences": np.zeros((2, 5))}, "differences must have shape (5, 2), got (2"),
    ("five_by_two_cv", {"differences": np.ones((5, 2))}, "differences must vary between the folds of"),
    ("corrected_resampled_t", {"n_train": 0}, "n_train must be a whole number >= 1"),
    ("corrected_resampled_t", {"n_test": 0}, "n_test must be a whole number >= 1"),
    ("corrected_resampled_t", {"differences": [0.1, 0.1]}, "differences must hold at least two"),
    ("sign_test", {"a": [], "b": []}, "a must hold at least one score, got none; give one entry"),
    ("wilcoxon_signed_rank", {"method": "guess"}, 'method must be "auto", "exact" or "normal", got'),
    ("friedman", {"scores": [[1.0, 2.0]]}, "scores must have at least two rows and two columns"),
    ("friedman", {"scores": [[1.0, 1.0], [2.0, 2.0]]}, "scores must differ between methods in at"),
    ("holm", {"pvalues": [0.1, 1.5]}, "pvalues must lie between 0 and 1, got a smallest of 0.1 and"),
    ("hanley_mcneil", {"auc": 1.5}, "auc must be a number from 0 to 1, got 1.5; it is"),
    ("hanley_mcneil", {"n_pos": 0}, "n_pos must be a whole number >= 1, got 0; an area"),
    ("hanley_mcneil", {"n_neg": 0}, "n_neg must be a whole number >= 1, got 0; an area"),
    ("delong_variance", {"y": [0, 1, 2, 1]}, "y must hold labels -1/+1"),
    ("delong_variance", {"y": [-1, 1, 1], "score": A[:3]}, "y must hold at least two points"),
    ("delong", {"y": -np.sign(A - 0.75), "score_f": -A, "score_g": A}, "score_f and score_g must not differ"),
    ("two_sample_power", {"p1": 1.5}, "p1 must be a number from 0 to 1, got 1.5; it"),
    ("two_sample_power paired_power", {"n": 0}, "n must be a whole number >= 1, got 0; test on at"),
    ("two_sample_n", {"p2": -0.1}, "p2 must be a number from 0 to 1, got -0.1; it is a"),
    ("two_sample_n", {"p2": 0.1}, "p1 and p2 must differ, got 0.1 twice; no number of"),
    ("two_sample_n", {"power": 1.0}, "power must be above the level 0.05 and"),
    ("two_sample_n", {"power": 2.0}, "power must be a number from 0 to 1, got 2"),
    ("paired_power", {"p_c": 2.0}, "p_c must be a number from 0 to 1, got 2; it is a"),
    ("paired_power", {"p_b": 0.7, "p_c": 0.7}, "p_b + p_c must be at most 1, got 1.4; they are"),
    ("paired_n", {"p_b": -0.1}, "p_b must be a number from 0 to 1, got -0.1; it is a"),
    ("paired_n", {"p_c": 0.1}, "p_b and p_c must differ, got 0.1 twice; no number of"),
]
RESULTS = [
    (lambda: POSTERIOR.interval(0.9), "level must be a number above 0 and at"),
    (lambda: POSTERIOR.pdf(float("nan")), "e must be finite, got 1 NaN or infinite entries"),
    (lambda: POSTERIOR.cdf("0.5"), "e must hold real numbers, got '0.5'; convert"),
    (lambda: POSTERIOR.quantile(1j), "u must hold real numbers, got 1j; take the"),
    (lambda: significance.friedman([[1.0, 2.0], [2.0, 1.0]]).critical_difference(1.0), "level must be a"),
    (lambda: significance.delong(Y, A, B).interval(2.0), "level must be a"),
]
CASES = spoilt(significance, CALLS, ROWS) + RESULTS

test_message_is_raised = refused(CASES)
test_border = swept(significance, CALLS, ACCEPTED)
