"""What lecturekit.descent refuses, and in which words."""

from typing import Any

import numpy as np

from lecturekit import descent
from tests.support.border import swept
from tests.support.refusals import refused

NAN = float("nan")
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
NotFinite = FloatingPointError
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
ONE = descent.ConstantStep(1.0)
STAY = {"gradient": lambda w, rows: w, "n": 2, "w0": [1.0], "step": ONE, "rng": 0}


def lost(w: Any, rows: Any = None) -> Any:
    return w * NAN


def down(gradient: Any) -> object:
    return next(descent.descent_steps(gradient, [1.0, 2.0], step=ONE))


def below(objective: Any, n_iter: int) -> object:
    return descent.subgradient_descent(objective, np.positive, [1.0], step=ONE, n_iter=n_iter)


def walk(**changes: Any) -> object:
    return descent.sgd_steps(**(STAY | changes))


def newton(hessian: Any, gradient: Any = np.positive) -> object:
    return descent.newton(gradient, hessian, [1.0, 1.0])


CASES = [
    (lambda: descent.ConstantStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: descent.InverseStep(0.0), "lam must be a number > 0, got 0; without it use PowerStep"),
    (lambda: down(lambda w: w[:1]), "gradient must return shape (2,), got (1,); give one entry a component"),
    (lambda: down(lost), "gradient must stay finite, got nan in step 1; take smaller steps", NotFinite),
    (lambda: descent.gradient_descent(np.positive, [1.0], step=ONE, tol=0.0), "tol must be a number > 0"),
    (lambda: descent.gradient_descent(np.positive, [1.0], step=ONE, max_iter=0), "max_iter must be a whole"),
    (lambda: below(np.sum, n_iter=0), "n_iter must be a whole number >= 1, got 0; allow at least one step"),
    (lambda: below(lambda w: NAN, n_iter=1), "objective must stay finite, got nan after ", NotFinite),
    (lambda: descent.PowerStep(0.0, 1.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    (lambda: descent.PowerStep(1.0, -1.0), "power must be a number >= 0, got -1; steps may not grow"),
    (lambda: walk(n=0), "n must be a whole number"),
    (lambda: walk(batch=0), "batch must be a whole number >= 1, got 0; take at least one observation a step"),
    (lambda: walk(batch=3), "batch must be at most the number of observations 2, got 3; use all"),
    (lambda: walk(order="sorted"), 'order must be "random", "epochs" or "cyclic", got \'sorted\''),
    (lambda: walk(w0=[[1.0]]), "w0 must have shape (1,), got (1, 1); give one entry a point"),
    (lambda: descent.sgd(**STAY | {"gradient": lost}, n_iter=1), "gradient must stay finite, got", NotFinite),
    (lambda: descent.sgd(**STAY, n_iter=0), "n_iter must be a whole number >= 1, got 0; allow at least one"),
    (lambda: descent.running_loss([[1.0]], 0.1, 1.0), "losses must be a vector of points on the line"),
    (lambda: descent.running_loss([1.0], 0.0, 1.0), "share must be a number > 0, got 0; a share of zero"),
    (lambda: descent.running_loss([1.0], 1.5, 1.0), "share must be at most 1, got 1.5; it is the weight"),
    (lambda: descent.initial_weights(EYE, TWO, "ones"), 'how must be "zeros", "uniform" or'),
    (lambda: newton(lambda w: EYE, lost), "gradient must stay finite, got nan in step 1; start", NotFinite),
    (lambda: newton(lambda w: w), "hessian must be a matrix of shape"),
    (lambda: newton(lambda w: np.eye(3)), "hessian must return shape"),
    (lambda: newton(lambda w: LOPSIDED), "hessian must be symmetric, but hessian and its transpose differ"),
    (lambda: newton(lambda w: EYE[::-1]), "hessian must be positive definite, got a", np.linalg.LinAlgError),
]
SLOPE = {"gradient": lambda w: w, "w0": [1.0, 2.0]}
BEND = SLOPE | {"hessian": lambda w: EYE}
CALLS = {
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
        "w0": [1.0],
        "objective": np.sum,
        "subgradient": np.positive,
        "step": ONE,
        "n_iter": 2,
    },
}
ACCEPTED = {"running_loss.losses": {"empty"}}  # before the first loss there is the start

test_message_is_raised = refused(CASES)
test_border = swept(descent, CALLS, ACCEPTED)
