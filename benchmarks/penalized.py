"""The contests of penalised regression: the lasso, the elastic net and the multi-task lasso."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import celer  # type: ignore[import-untyped]
import numpy as np
from sklearn import linear_model
from sklearn.datasets import load_breast_cancer, load_diabetes

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.features import Standardizer, polynomial
from lecturekit.penalized import (
    dual_point,
    dual_value,
    elastic_net,
    lam_max,
    lasso,
    lasso_path,
    multitask_lasso,
    penalized_objective,
)

__all__ = [
    "PEERS",
    "Regression",
    "contests",
    "correlated",
    "judge",
    "lasso_contest",
    "multitask_contest",
    "net_contest",
    "path_contest",
    "warm_up",
]

PEERS = ("celer",)
GAP = 1e-8  # the gap to reach, in units of the objective of a constant prediction
SLACK = 1.1  # our solver stops on its own gap, which differs by rounding from the one computed afresh
LOOSER = tuple(
    1e-2 * 0.4**k for k in range(32)
)  # tolerances of a peer: the first that reaches the gap counts
PLENTY = 1_000_000  # epochs: every solver stops on its tolerance

LASSO = "Lasso"
NET = "Elastic net"
TASKS = "Multi-task lasso"
PATH = "Lasso: a path of penalties"

Solver = Callable[[float], Array]


@dataclass(frozen=True, kw_only=True, eq=False)
class Regression:
    """Points in Fortran order, as all these solvers like them, targets, and a name for the table."""

    name: str
    X: Array = field(repr=False)
    Y: Array = field(repr=False)


def correlated(n: int, d: int, tasks: int = 0) -> Regression:
    """Draw neighbouring features with correlation 0.5 and targets of a few of them plus noise.

    Examples
    --------
    >>> correlated(50, 20), correlated(50, 20, tasks=3)
    (Regression(name='50 x 20'), Regression(name='50 x 20, 3 tasks'))
    """
    rng = np.random.default_rng([n, d, tasks])
    X = np.asfortranarray(rng.normal(size=(n, d)))
    for j in range(1, d):
        X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    used = rng.choice(d, max(5, min(n, d) // (20 if tasks else 10)), replace=False)
    signal = X[:, used] @ rng.normal(size=(len(used), max(tasks, 1)))
    Y = signal + signal.std(axis=0) / 3 * rng.normal(size=signal.shape) + 5
    name = f"{n} x {d}" + (f", {tasks} tasks" if tasks else "")
    return Regression(name=name, X=X, Y=np.asfortranarray(Y) if tasks else Y[:, 0])


def _products(name: str, X: Array, y: Array, degree: int) -> Regression:
    """Return all products of so many standardised features, standardised again."""
    Phi = polynomial(Standardizer.fit(X)(X), degree, constant=False)
    Z = np.asfortranarray(Standardizer.fit(Phi)(Phi))
    return Regression(name=f"{name}, {Z.shape[0]} x {Z.shape[1]}", X=Z, Y=y)


def diabetes() -> Regression:
    """Return the diabetes data with products of up to three measurements.

    Examples
    --------
    >>> diabetes()
    Regression(name='diabetes, 442 x 285')
    """
    X, y = load_diabetes(return_X_y=True)
    return _products("diabetes", X, y, 3)


def cancer() -> Regression:
    """Return the breast-cancer data with products of two measurements, and the diagnosis as a number."""
    X, benign = load_breast_cancer(return_X_y=True)
    return _products("cancer", X, 2.0 * benign - 1, 2)


def judge(problem: Regression, lam: float, l1_ratio: float, w: Array) -> Quality:
    """Judge weights by the objective and the duality gap, in units of the objective of a constant.

    Examples
    --------
    >>> toy = Regression(name="toy", X=np.array([[1.0], [-1.0]]), Y=np.array([1.0, -1.0]))
    >>> judge(toy, 0.5, 1.0, np.array([0.5]))
    Quality(objective=0.375, gap=0.0, kkt=None)
    >>> judge(toy, 0.5, 1.0, np.array([0.0])).gap
    0.25
    """
    X, Y = problem.X, problem.Y
    primal = penalized_objective(w, X, Y, lam, l1_ratio)
    dual = dual_value(dual_point(w, X, Y, lam, l1_ratio), X, Y, lam, l1_ratio)
    scale = float(np.sum((Y - Y.mean(axis=0)) ** 2)) / (2 * len(Y))
    return Quality(objective=primal, gap=(primal - dual) / scale, kkt=None)


def judge_path(problem: Regression, lams: Array, W: Array) -> Quality:
    """Judge a path by the sum of the objectives and the largest gap."""
    each = [judge(problem, float(lam), 1.0, w) for lam, w in zip(lams, W, strict=True)]
    return Quality(objective=sum(one.objective for one in each), gap=max(one.gap for one in each), kkt=None)


def tolerance(solve: Solver, judge: Callable[[Array], Quality]) -> float:
    """Return the largest tolerance with which a peer reaches the gap, else the smallest."""
    for tol in LOOSER:
        if judge(solve(tol)).gap <= GAP:
            break
    return tol


def compared(
    section: str,
    problem: str,
    ours: tuple[str, Solver],
    peers: Mapping[str, Solver],
    judge: Callable[[Array], Quality],
    repeats: int,
    aims: Mapping[str, float],
) -> list[Comparison]:
    """Compare ours, asked for the gap, with each peer, asked for as little as reaches it."""
    tols = {name: tolerance(peer, judge) for name, peer in peers.items()}
    runs = {name: partial(peer, tols[name]) for name, peer in peers.items()}
    own, solve = ours
    timed = interleaved({own: partial(solve, GAP), **runs}, repeats)
    entries = {
        name: Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer))
        for name, one in timed.items()
    }
    return [
        Comparison(
            section=section,
            problem=problem,
            certificate="gap",
            rounds=repeats,
            ours=entries[own],
            peer=entries[name],
            equal=entries[own].quality.gap <= SLACK * max(GAP, entries[name].quality.gap),
            aim=aims.get(name),
        )
        for name in peers
    ]


# -- the contestants -----------------------------------------------------------------------------------------


def lasso_contest(
    problem: Regression, share: float, repeats: int, aims: Mapping[str, float]
) -> list[Comparison]:
    """Compare the lasso with scikit-learn's, also on the Gram matrix where d < n, and with celer's."""
    X, y = problem.X, problem.Y
    lam = share * lam_max(X, y)

    def sklearn(tol: float, gram: bool = False) -> Array:
        model = linear_model.Lasso(alpha=lam, tol=tol, max_iter=PLENTY, precompute=gram)
        return np.asarray(model.fit(X, y).coef_)

    def theirs(tol: float) -> Array:
        return np.asarray(celer.Lasso(alpha=lam, tol=tol, max_iter=1000).fit(X, y).coef_)

    peers: dict[str, Solver] = {"Lasso": sklearn, "celer": theirs}
    if X.shape[1] < X.shape[0]:
        peers["Lasso, Gram"] = partial(sklearn, gram=True)
    label = f"{problem.name}, λ={share:g} λ_max"
    best = partial(judge, problem, lam, 1.0)
    ours = ("lasso", lambda tol: lasso(X, y, lam, tol=tol).w)
    return compared(LASSO, label, ours, peers, best, repeats, aims)


def net_contest(
    problem: Regression, share: float, l1_ratio: float, repeats: int, aims: Mapping[str, float]
) -> list[Comparison]:
    """Compare the elastic net with scikit-learn's and celer's."""
    X, y = problem.X, problem.Y
    lam = share * lam_max(X, y, l1_ratio)
    own: Any = {"alpha": lam, "l1_ratio": l1_ratio}

    def sklearn(tol: float) -> Array:
        return np.asarray(linear_model.ElasticNet(**own, tol=tol, max_iter=PLENTY).fit(X, y).coef_)

    def theirs(tol: float) -> Array:
        return np.asarray(celer.ElasticNet(**own, tol=tol, max_iter=1000).fit(X, y).coef_)

    def ours(tol: float) -> Array:
        return elastic_net(X, y, lam, l1_ratio, tol=tol).w

    label = f"{problem.name}, ρ={l1_ratio:g}, λ={share:g} λ_max"
    peers: dict[str, Solver] = {"ElasticNet": sklearn, "celer": theirs}
    best = partial(judge, problem, lam, l1_ratio)
    return compared(NET, label, ("elastic_net", ours), peers, best, repeats, aims)


def multitask_contest(
    problem: Regression, share: float, repeats: int, aims: Mapping[str, float]
) -> list[Comparison]:
    """Compare the multi-task lasso with scikit-learn's."""
    X, Y = problem.X, problem.Y
    lam = share * lam_max(X, Y)

    def sklearn(tol: float) -> Array:
        return np.asarray(linear_model.MultiTaskLasso(alpha=lam, tol=tol, max_iter=PLENTY).fit(X, Y).coef_.T)

    def ours(tol: float) -> Array:
        return multitask_lasso(X, Y, lam, tol=tol).w

    label = f"{problem.name}, λ={share:g} λ_max"
    best = partial(judge, problem, lam, 1.0)
    peers: dict[str, Solver] = {"MultiTaskLasso": sklearn}
    return compared(TASKS, label, ("multitask_lasso", ours), peers, best, repeats, aims)


def path_contest(
    problem: Regression, least: float, n: int, repeats: int, aims: Mapping[str, float]
) -> list[Comparison]:
    """Compare paths of the lasso on centred data, because the peer knows no intercept."""
    X, y = problem.X - problem.X.mean(axis=0), problem.Y - problem.Y.mean()
    same = Regression(name=problem.name, X=np.asfortranarray(X), Y=y)
    lams = np.geomspace(1.0, least, n) * lam_max(X, y)

    def sklearn(tol: float) -> Array:
        return np.asarray(linear_model.lasso_path(same.X, y, alphas=lams, tol=tol, max_iter=PLENTY)[1].T)

    def ours(tol: float) -> Array:
        return lasso_path(same.X, y, lams, tol=tol, fit_intercept=False).W

    label = f"{problem.name}, {n} penalties to {least:g} λ_max"
    best, peers = partial(judge_path, same, lams), {"sklearn.lasso_path": sklearn}
    return compared(PATH, label, ("lasso_path", ours), peers, best, repeats, aims)


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Compile everything on problems that take no time."""
    for n, d in ((60, 20), (30, 100)):
        lasso_contest(correlated(n, d), 0.01, 1, {})
        net_contest(correlated(n, d), 0.01, 0.1, 1, {})
        multitask_contest(correlated(n, d, tasks=3), 0.01, 1, {})
        path_contest(correlated(n, d), 0.1, 5, 1, {})


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    wide, tall, ahead = {"Lasso": 2.5, "celer": 0.7}, {"Lasso": 1.5, "Lasso, Gram": 1.5}, {"ElasticNet": 1.0}
    for n, d, repeats, aims in (
        (200, 2000, 15, wide),
        (1000, 10_000, 3, wide),
        (1000, 100, 25, tall),
        (50_000, 200, 5, tall),
    ):
        for share in (0.1, 0.01):
            yield Contest(
                name=f"lasso, {n} x {d}, λ={share:g} λ_max",
                quick=n * d < 10**6,
                run=lambda n=n, d=d, s=share, k=repeats, a=aims: lasso_contest(  # type: ignore[misc]
                    correlated(n, d), s, k, a
                ),
            )
    for load in (diabetes, cancer):
        for share in (0.1, 0.01):
            yield Contest(
                name=f"lasso, {load.__name__}, λ={share:g} λ_max",
                quick=share == 0.1,
                run=lambda load=load, s=share: lasso_contest(load(), s, 7, {}),  # type: ignore[misc]
            )
    for n, d, repeats in ((200, 2000, 15), (1000, 10_000, 3), (50_000, 200, 5)):
        for l1_ratio, share in ((0.5, 0.1), (0.5, 0.01), (0.1, 0.1)):
            yield Contest(
                name=f"elastic net, {n} x {d}, ρ={l1_ratio:g}, λ={share:g} λ_max",
                quick=n == 200,
                run=lambda n=n, d=d, r=l1_ratio, s=share, k=repeats: net_contest(  # type: ignore[misc]
                    correlated(n, d), s, r, k, ahead
                ),
            )
    for n, d, tasks, repeats in ((200, 1000, 10, 15), (500, 5000, 20, 3)):
        for share in (0.3, 0.1, 0.03):
            yield Contest(
                name=f"multi-task lasso, {n} x {d}, {tasks} tasks, λ={share:g} λ_max",
                quick=n == 200,
                run=lambda n=n, d=d, t=tasks, s=share, k=repeats: multitask_contest(  # type: ignore[misc]
                    correlated(n, d, tasks=t), s, k, {"MultiTaskLasso": 1.0}
                ),
            )
    for name, draw in (("200 x 2000", partial(correlated, 200, 2000)), ("diabetes", diabetes)):
        yield Contest(
            name=f"path, {name}",
            quick=False,
            run=lambda draw=draw: path_contest(draw(), 1e-2, 50, 3, {"sklearn.lasso_path": 1.0}),  # type: ignore[misc]
        )
