"""What lecturekit.descent refuses, and in which words."""

# mypy: ignore-errors

from typing import Any

import numpy as np

from lecturekit import descent
from tests.support.border import swept
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
STAY: dict[str, Any] = {"gradient": lambda w, rows: w, "n": 2, "w0": [1.0], "step": ONE, "rng": 0}


def walk(**changes: Any) -> object:
    return descent.sgd_steps(**(STAY | changes))


def newton(hessian: Any, w0: Any = (1.0, 1.0)) -> object:
    return descent.newton(lambda w: w, hessian, w0)


CASES: list[Case] = [
    (lambda: descent.ConstantStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: descent.InverseStep(0.0), "lam must be a number > 0, got 0; without it use PowerStep"),
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
    (lambda: walk(n=0), "n must be a whole number"),
    (lambda: walk(batch=0), "batch must be a whole number >= 1, got 0; take at least one observation a step"),
    (lambda: walk(batch=3), "batch must be at most the number of observations 2, got 3; use all"),
    (lambda: walk(order="sorted"), 'order must be "random", "epochs" or "cyclic", got \'sorted\''),
    (lambda: walk(rng=None), SEED_MESSAGE),
    (lambda: walk(w0=[[1.0]]), "w0 must have shape (1,), got (1, 1); give one entry a point"),
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
    (lambda: descent.running_loss([1.0], 0.1, None), "start must be a real number, got None; pass one"),
    (lambda: descent.running_loss([1.0], 0.0, 1.0), "share must be a number > 0, got 0; a share of zero"),
    (lambda: descent.running_loss([1.0], 1.5, 1.0), "share must be at most 1, got 1.5; it is the weight"),
    (lambda: descent.initial_weights([1.0, 2.0], TWO), FLAT_MESSAGE),
    (lambda: descent.initial_weights(EYE, [1.0]), "y must have shape (2,), got (1,); give one entry a"),
    (lambda: descent.initial_weights(EYE, TWO, "ones"), 'how must be "zeros", "uniform" or'),
    (lambda: descent.initial_weights(EYE, TWO, "uniform"), SEED_MESSAGE),
    (lambda: newton(lambda w: EYE, [NAN, 1.0]), "w0 must be finite, got 1 NaN or"),
    (
        lambda: descent.newton(lambda w: w * NAN, lambda w: EYE, [1.0, 1.0]),
        "gradient must stay finite, got nan in step 1; start nearer to the minimum",
        FloatingPointError,
    ),
    (lambda: newton(lambda w: w), "hessian must be a matrix of shape"),
    (lambda: newton(lambda w: np.eye(3)), "hessian must return shape"),
    (lambda: newton(lambda w: LOPSIDED), "hessian must be symmetric, but hessian and its transpose differ"),
    (
        lambda: newton(lambda w: INDEFINITE),
        "hessian must be positive definite, got a smallest eigenvalue of -1 in step 1; add a ridge, drop",
        np.linalg.LinAlgError,
    ),
]

test_message_is_raised = refused(CASES)

SLOPE: dict[str, Any] = {"gradient": lambda w: w, "w0": [1.0, 2.0]}
BEND: dict[str, Any] = SLOPE | {"hessian": lambda w: EYE}
CALLS: dict[str, dict[str, Any]] = {
    "ConstantStep": {"eta": 1.0},
    "InverseStep": {"lam": 1.0},
    "PowerStep": {"eta": 1.0, "power": 1.0},
    "descent_steps": SLOPE | {"step": ONE},
    "gradient_descent": SLOPE | {"step": ONE, "tol": 1e-3, "max_iter": 5},
    "initial_weights": {"X": EYE, "y": TWO, "how": "uniform", "rng": 0},
    "newton": BEND | {"tol": 1e-3, "max_iter": 5},
    "newton_steps": BEND,
    "running_loss": {"losses": [1.0, 2.0], "share": 0.5, "start": 1.0},
    "sgd": STAY | {"batch": 1, "n_iter": 2},
    "sgd_steps": STAY | {"batch": 1},
    "subgradient_descent": {
        "objective": lambda w: 0.0,
        "subgradient": lambda w: w,
        "w0": [1.0],
        "step": ONE,
        "n_iter": 2,
    },
}
ACCEPTED = {
    "running_loss.losses": {"empty"},  # before the first loss there is the start
}

test_border = swept(descent, CALLS, ACCEPTED)
