"""What lecturekit.descent refuses, and in which words."""

# mypy: ignore-errors

import numpy as np

from lecturekit import (
    descent,
)
from tests.support.refusals import Case, refused

NAN = float("nan")
INDEFINITE = [[0.0, 1.0], [1.0, 0.0]]
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
ONE = descent.ConstantStep(1.0)

CASES: list[Case] = [
    (lambda: descent.ConstantStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: descent.InverseStep(0.0), "lam must be a number > 0, got 0; without it use SqrtStep"),
    (lambda: descent.SqrtStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: next(descent.descent_steps(lambda w: w, [NAN], step=ONE)), "w0 must be finite, got 1 NaN or"),
    (
        lambda: next(descent.descent_steps(lambda w: w[:1], [1.0, 2.0], step=ONE)),
        "gradient must return shape (2,), got (1,); give one entry a component of w",
    ),
    (
        lambda: next(descent.descent_steps(lambda w: w * NAN, [1.0], step=ONE)),
        "gradient must stay finite, got nan in step 1; take smaller steps",
        FloatingPointError,
    ),
    (lambda: descent.gradient_descent(lambda w: w, [1.0], step=ONE, tol=0.0), "tol must be a number > 0"),
    (
        lambda: descent.gradient_descent(lambda w: w, [1.0], step=ONE, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    (
        lambda: descent.subgradient_descent(lambda w: float(w @ w), lambda w: w, [1.0], step=ONE, n_iter=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    (
        lambda: descent.subgradient_descent(lambda w: NAN, lambda w: w, [1.0], step=ONE, n_iter=1),
        "objective must stay finite, got nan after ",
        FloatingPointError,
    ),
    (lambda: descent.PowerStep(0.0, 1.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: descent.PowerStep(1.0, -1.0), "power must be a number >= 0, got -1; steps may not grow"),
    (lambda: descent.exact_step([1.0], EYE), "g must have shape (2,), got (1,); give one entry a point"),
    (lambda: descent.exact_step([1.0, 1.0], np.array(LOPSIDED)), "H must be symmetric, but H and its"),
    (lambda: descent.exact_step([1.0, -1.0], INDEFINITE), "g'Hg must be > 0, got -2; the objective has"),
    (lambda: descent.sgd_steps(lambda w, rows: w, 0, [1.0], step=ONE, rng=0), "n must be a whole number"),
    (
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=0),
        "batch must be a whole number >= 1, got 0; take at least one observation a step",
    ),
    (
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=3),
        "batch must be at most the number of observations 2, got 3; use all",
    ),
    (
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, order="sorted"),
        'order must be "random", "epochs" or "cyclic", got \'sorted\'',
    ),
    (lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE), SEED_MESSAGE),
    (
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [[1.0]], step=ONE, rng=0),
        "w0 must have shape (1,), got (1, 1); give one entry a point",
    ),
    (
        lambda: descent.sgd(lambda w, rows: w * NAN, 2, [1.0], step=ONE, rng=0, n_iter=1),
        "gradient must stay finite, got nan in step 1; take smaller steps",
        FloatingPointError,
    ),
    (
        lambda: descent.sgd(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, n_iter=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    (lambda: descent.running_loss([[1.0]], 0.1, 1.0), "losses must be a vector of points on the line"),
    (lambda: descent.running_loss([1.0], 0.0, 1.0), "share must be a number > 0, got 0; a share of zero"),
    (lambda: descent.running_loss([1.0], 1.5, 1.0), "share must be at most 1, got 1.5; it is the weight"),
    (lambda: descent.initial_weights([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: descent.initial_weights(EYE, [1.0]), "y must have shape (2,), got (1,); give one entry a"),
    (lambda: descent.initial_weights(EYE, TWO, "ones"), 'how must be "zeros", "uniform" or'),
    (lambda: descent.initial_weights(EYE, TWO, "uniform"), SEED_MESSAGE),
    (lambda: descent.newton(lambda w: w, lambda w: EYE, [NAN, 1.0]), "w0 must be finite, got 1 NaN or"),
    (
        lambda: descent.newton(lambda w: w * NAN, lambda w: EYE, [1.0, 1.0]),
        "gradient must stay finite, got nan in step 1; start nearer to the minimum",
        FloatingPointError,
    ),
    (lambda: descent.newton(lambda w: w, lambda w: w, [1.0, 1.0]), "hessian must be a matrix of shape"),
    (lambda: descent.newton(lambda w: w, lambda w: np.eye(3), [1.0, 1.0]), "hessian must return shape"),
    (
        lambda: descent.newton(lambda w: w, lambda w: np.array(LOPSIDED), [1.0, 1.0]),
        "hessian must be symmetric, but hessian and its transpose differ by 1",
    ),
    (
        lambda: descent.newton(lambda w: w, lambda w: np.array(INDEFINITE), [1.0, 1.0]),
        "hessian must be positive definite, got a smallest eigenvalue of -1 in step 1; add a ridge, drop",
        np.linalg.LinAlgError,
    ),
    (lambda: descent.newton(lambda w: w, lambda w: EYE, [1.0, 1.0], tol=0.0), "tol must be a number > 0"),
    (
        lambda: descent.newton(lambda w: w, lambda w: EYE, [1.0, 1.0], max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
]

test_message_is_raised = refused(CASES)
