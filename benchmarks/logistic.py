"""The contests of logistic and softmax regression against those of scikit-learn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from benchmarks import problems
from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.problems import Problem
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.logistic import (
    cross_entropy,
    logistic,
    logistic_gradient,
    logistic_risk,
    softmax_gradient,
    softmax_regression,
)

__all__ = ["contests", "digits", "newton_contest", "softmax_contest", "warm_up"]

NEWTON = "Logistic regression: Newton against newton-cholesky"
SOFTMAX = "Softmax regression: L-BFGS against lbfgs"
TIGHT = 1e-8  # of Newton's method, whose last steps cost nothing extra
DEFAULT, FINE = 1e-4, 1e-6  # of L-BFGS; the first is scikit-learn's default
FLOOR = 1e-12  # a gradient that is zero but for rounding
PLENTY = 100_000  # steps: every solver stops on its tolerance


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """What a solver returns: weights with the bias in front, one row a class where there are several."""

    V: Array


Solver = Callable[[float], Weights]
Judge = Callable[[Weights], Quality]


def augmented(problem: Problem) -> Array:
    """Return the points with the constant in front."""
    return np.column_stack([np.ones(len(problem.y)), problem.X])


def newton_cholesky(problem: Problem, tol: float) -> Weights:
    """Solve by scikit-learn's LogisticRegression with Newton's method and its default penalty, C = 1."""
    model = LogisticRegression(solver="newton-cholesky", tol=tol, max_iter=PLENTY).fit(problem.X, problem.y)
    return Weights(V=np.append(model.intercept_, model.coef_[0]))


def newton(problem: Problem, tol: float) -> Weights:
    """Solve by our Newton's method with the same penalty, lam = 1/n."""
    answer = logistic(problem.X, problem.y, lam=1 / len(problem.y), tol=tol)
    return Weights(V=np.append(answer.b, answer.w))


def lbfgs(problem: Problem, tol: float) -> Weights:
    """Solve by scikit-learn's LogisticRegression with L-BFGS and its default penalty, C = 1."""
    model = LogisticRegression(solver="lbfgs", tol=tol, max_iter=PLENTY).fit(problem.X, problem.y)
    return Weights(V=np.column_stack([model.intercept_, model.coef_]))


def our_lbfgs(problem: Problem, tol: float) -> Weights:
    """Solve by our softmax regression with the same penalty, lam = 1/n."""
    answer = softmax_regression(problem.X, problem.y, lam=1 / len(problem.y), tol=tol, max_iter=PLENTY)
    return Weights(V=np.column_stack([answer.b, answer.W]))


def judge_logistic(problem: Problem, answer: Weights) -> Quality:
    """Judge weights by the penalised risk and the largest entry of its gradient.

    Examples
    --------
    >>> toy = Problem(name="toy", X=np.array([[1.0], [-1.0]]), y=np.array([1.0, -1.0]))
    >>> judge_logistic(toy, Weights(V=np.zeros(2))).gap
    0.5
    """
    Z, v = augmented(problem), answer.V
    penalty = np.append(0.0, np.full(len(v) - 1, 1 / len(Z)))
    risk = logistic_risk(v, Z, problem.y) + penalty @ v**2 / 2
    slope = logistic_gradient(v, Z, problem.y) + penalty * v
    return Quality(objective=float(risk), gap=float(np.max(np.abs(slope))), kkt=None)


def judge_softmax(problem: Problem, answer: Weights) -> Quality:
    """Judge weights by the penalised cross-entropy and the largest entry of its gradient.

    Examples
    --------
    >>> toy = Problem(name="toy", X=np.array([[1.0], [-1.0]]), y=np.array([1.0, -1.0]))
    >>> judge_softmax(toy, Weights(V=np.zeros((2, 2)))).gap
    0.5
    """
    Z, V = augmented(problem), answer.V
    Y = (problem.y[:, None] == np.unique(problem.y)).astype(np.float64)
    penalty = np.append(0.0, np.full(V.shape[1] - 1, 1 / len(Z)))
    risk = cross_entropy(V, Z, Y) + np.sum(penalty * V**2) / 2
    slope = softmax_gradient(V, Z, Y) + penalty * V
    return Quality(objective=float(risk), gap=float(np.max(np.abs(slope))), kkt=None)


def compared(
    section: str,
    problem: Problem,
    ours: tuple[str, Solver],
    peer: tuple[str, Solver],
    judge: Judge,
    tol: float,
    repeats: int,
    aim: float | None,
) -> list[Comparison]:
    """Compare two solvers: our tolerance is the gradient that the peer reached with its own."""
    our_tol = float(f"{max(judge(peer[1](tol)).gap, FLOOR):.1e}")
    timed = interleaved({"peer": partial(peer[1], tol), "ours": partial(ours[1], our_tol)}, repeats)
    entries = {
        side: Entry(name=name, seconds=float(f"{timed[side].seconds:.3g}"), quality=judge(timed[side].answer))
        for side, name in (("ours", ours[0]), ("peer", peer[0]))
    }
    return [
        Comparison(
            section=section,
            problem=f"{problem.name}, tol {tol:g}",
            certificate="gradient",
            rounds=repeats,
            ours=entries["ours"],
            peer=entries["peer"],
            equal=entries["ours"].quality.gap <= 1.1 * max(entries["peer"].quality.gap, FLOOR),
            aim=aim,
        )
    ]


def newton_contest(problem: Problem, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare our Newton's method with that of scikit-learn."""
    return compared(
        NEWTON,
        problem,
        ("Newton", partial(newton, problem)),
        ("newton-cholesky", partial(newton_cholesky, problem)),
        partial(judge_logistic, problem),
        TIGHT,
        repeats,
        aim,
    )


def softmax_contest(problem: Problem, tol: float, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare our softmax regression with that of scikit-learn; both use the L-BFGS of scipy."""
    return compared(
        SOFTMAX,
        problem,
        ("L-BFGS", partial(our_lbfgs, problem)),
        ("lbfgs", partial(lbfgs, problem)),
        partial(judge_softmax, problem),
        tol,
        repeats,
        aim,
    )


def digits() -> Problem:
    """Return the ten digits, with pixels from 0 to 1."""
    X, digit = load_digits(return_X_y=True)
    return Problem(name="ten digits", X=X / 16, y=digit.astype(np.float64))


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    newton_contest(problems.dense(1000, 5), 1, None)
    softmax_contest(digits(), 1e-2, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    for n, d, repeats in ((1000, 20, 25), (10_000, 50, 15), (100_000, 50, 5), (20_000, 300, 5)):
        yield Contest(
            name=f"Newton, {n} x {d}",
            quick=n <= 10_000,
            run=lambda n=n, d=d, k=repeats: newton_contest(  # type: ignore[misc]
                problems.dense(n, d), k, 1.2
            ),
        )
    yield Contest(
        name="Newton, cancer", quick=True, run=lambda: newton_contest(problems.breast_cancer(), 25, 1.2)
    )
    for tol in (DEFAULT, FINE):
        yield Contest(
            name=f"softmax, digits, tol {tol:g}",
            quick=True,
            run=lambda t=tol: softmax_contest(digits(), t, 15, 0.9),  # type: ignore[misc]
        )
