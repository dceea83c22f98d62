"""What lecturekit.significance refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import significance
from tests.support.border import swept
from tests.support.refusals import Case, refused

NAN = float("nan")

CASES: list[Case] = [
    (lambda: significance.wilson(1, 10, 0.95), "level must be a number above 0 and at most 0.5, got"),
    (lambda: significance.clopper_pearson(1, 10, "5 %"), "level must be a number above 0 and at most"),
    (lambda: significance.standard_error(3, 2), "k must be at most n = 2, got 3; the errors come first"),
    (lambda: significance.wilson(0.5, 10), "k must be a whole number >= 0, got 0.5; count the errors"),
    (lambda: significance.clopper_pearson(0, 0), "n must be a whole number >= 1, got 0; count the test"),
    (lambda: significance.standard_error(1, 1, unbiased=True), "n must be at least 2, got 1; one test"),
    (lambda: significance.error_posterior(5, 4), "k must be at most n = 4, got 5; the errors come first"),
    (lambda: significance.error_posterior(1, 4, a=0.0), "a must be a number > 0, got 0; the density of"),
    (lambda: significance.error_posterior(1, 4).interval(0.9), "level must be a number above 0 and at"),
    (lambda: significance.error_posterior(1, 4).pdf(NAN), "e must be finite, got 1 NaN or infinite entries"),
    (lambda: significance.error_posterior(1, 4).cdf("0.5"), "e must hold real numbers, got '0.5'; convert"),
    (lambda: significance.error_posterior(1, 4).quantile(1j), "u must hold real numbers, got 1j; take the"),
    (lambda: significance.two_sample_z(-1, 4, 0, 4), "k1 must be a whole number >= 0, got -1; count the"),
    (lambda: significance.two_sample_z(1, 4, 5, 4), "k2 must be at most n2 = 4, got 5; the errors come"),
    (lambda: significance.mcnemar([1, 2], [[1, 2]], [1, 2]), "yhat_f must be a vector of numbers or"),
    (lambda: significance.mcnemar([1, 0, 1], ["1", "0", "1"], ["1", "0", "0"]), "y, yhat_f and yhat_g"),
    (lambda: significance.paired_table([1, 2], [1, 2], [1]), "y, yhat_f and yhat_g must have one length"),
    (lambda: significance.paired_binomial(-1, 3), "b must be a whole number >= 0, got -1; count the"),
    (lambda: significance.paired_binomial(1, 2.5), "c must be a whole number >= 0, got 2.5; count the"),
    (lambda: significance.paired_binomial(1, 2, method="t"), 'method must be "exact", "mid-p"'),
    (lambda: significance.five_by_two_cv([0.1, 0.2]), "differences must be a matrix of shape (n, d), got"),
    (lambda: significance.five_by_two_cv(np.zeros((2, 5))), "differences must have shape (5, 2), got (2"),
    (lambda: significance.five_by_two_cv(np.ones((5, 2))), "differences must vary between the folds of"),
    (lambda: significance.corrected_resampled_t([[0.1]], 9, 1), "differences must be a vector of points"),
    (lambda: significance.corrected_resampled_t([0.1, 0.2], 0, 1), "n_train must be a whole number >= 1"),
    (lambda: significance.corrected_resampled_t([0.1, 0.2], 1, 0), "n_test must be a whole number >= 1"),
    (lambda: significance.corrected_resampled_t([0.1, 0.1], 9, 1), "differences must hold at least two"),
    (lambda: significance.sign_test([[1.0]], [1.0]), "a must be a vector of points on the line, got"),
    (lambda: significance.wilcoxon_signed_rank([1.0, 2.0], [1.0]), "b must have shape (2,), got (1,)"),
    (lambda: significance.sign_test([], []), "a must hold at least one score, got none; give one entry"),
    (
        lambda: significance.wilcoxon_signed_rank([1.0], [2.0], method="guess"),
        'method must be "auto", "exact" or "normal", got \'guess\'',
    ),
    (lambda: significance.friedman([1.0, 2.0]), "scores must be a matrix of shape (n, d), got shape (2,)"),
    (lambda: significance.friedman([[1.0, 2.0]]), "scores must have at least two rows and two columns"),
    (lambda: significance.friedman([[1.0, 1.0], [2.0, 2.0]]), "scores must differ between methods in at"),
    (lambda: significance.friedman([[1.0, 2.0], [2.0, 1.0]]).critical_difference(1.0), "level must be a"),
    (lambda: significance.holm([[0.1]]), "pvalues must be a vector of points on the line, got shape (1,"),
    (lambda: significance.holm([0.1, 1.5]), "pvalues must lie between 0 and 1, got a smallest of 0.1 and"),
    (lambda: significance.hanley_mcneil(1.5, 10, 10), "auc must be a number from 0 to 1, got 1.5; it is"),
    (lambda: significance.hanley_mcneil(0.5, 0, 10), "n_pos must be a whole number >= 1, got 0; an area"),
    (lambda: significance.hanley_mcneil(0.5, 10, 0), "n_neg must be a whole number >= 1, got 0; an area"),
    (lambda: significance.delong_variance([0, 1, 2, 1], [1.0, 2.0, 3.0, 4.0]), "y must hold labels -1/+1"),
    (lambda: significance.delong_variance([-1, 1, 1], [1.0, 2.0, 3.0]), "y must hold at least two points"),
    (lambda: significance.delong_variance([-1, -1, 1, 1], [1.0]), "score must have shape (4,), got (1,)"),
    (lambda: significance.delong([-1, -1, 1, 1], [1.0], [1.0]), "score_f must have shape (4,), got (1,)"),
    (
        lambda: significance.delong([-1, -1, 1, 1], np.arange(4.0), [NAN, 1.0, 2.0, 3.0]),
        "score_g must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    (
        lambda: significance.delong([-1, -1, 1, 1], np.arange(4.0), -np.arange(4.0)),
        "score_f and score_g must not differ alike on all points, got areas 1 and 0 and no variance",
    ),
    (lambda: significance.delong([-1, 1, 1, -1], [0, 1, 0, 1], [1, 2, 3, 4]).interval(2.0), "level "),
    (lambda: significance.two_sample_power(1.5, 0.1, 10), "p1 must be a number from 0 to 1, got 1.5; it"),
    (lambda: significance.two_sample_power(0.5, 0.1, 0), "n must be a whole number >= 1, got 0; test on"),
    (lambda: significance.two_sample_n(0.1, -0.1), "p2 must be a number from 0 to 1, got -0.1; it is a"),
    (lambda: significance.two_sample_n(0.1, 0.1), "p1 and p2 must differ, got 0.1 twice; no number of"),
    (lambda: significance.two_sample_n(0.1, 0.2, power=1.0), "power must be above the level 0.05 and"),
    (lambda: significance.two_sample_n(0.1, 0.2, power=2.0), "power must be a number from 0 to 1, got 2"),
    (lambda: significance.paired_power(0.1, 2.0, 10), "p_c must be a number from 0 to 1, got 2; it is a"),
    (lambda: significance.paired_power(0.1, 0.2, 0), "n must be a whole number >= 1, got 0; test on at"),
    (lambda: significance.paired_power(0.7, 0.7, 10), "p_b + p_c must be at most 1, got 1.4; they are"),
    (lambda: significance.paired_n(-0.1, 0.1), "p_b must be a number from 0 to 1, got -0.1; it is a"),
    (lambda: significance.paired_n(0.1, 0.1), "p_b and p_c must differ, got 0.1 twice; no number of"),
    (lambda: significance.paired_n(0.1, 0.2, level=0.0), "level must be a number above 0 and at most"),
]

POSTERIOR = significance.error_posterior(3, 20)
A, B, Y = np.array([0.9, 0.8, 0.7, 0.6]), np.array([0.8, 0.9, 0.5, 0.4]), np.array([1, -1, 1, -1])
CALLS: dict[str, dict[str, Any]] = {
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

test_message_is_raised = refused(CASES)
test_border = swept(significance, CALLS, ACCEPTED)
