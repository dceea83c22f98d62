"""The contests of boosting: AdaBoost and gradient boosting against those of scikit-learn."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingRegressor, HistGradientBoostingRegressor

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.problems import Problem
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.boosting import adaboost, gradient_boosting

__all__ = ["adaboost_contest", "contests", "exact_contest", "friedman", "histogram_contest", "warm_up"]

ADA = "AdaBoost with stumps: least weighted error against least Gini impurity"
EXACT = "Gradient boosting, all thresholds: against GradientBoostingRegressor"
HISTOGRAM = "Gradient boosting on histograms: against HistGradientBoostingRegressor"
SAME = 1e-9  # greatest difference of predictions of the same trees, of order ten
ROUNDS, DEPTH = 100, 3
DEEPER, IN_LEAF = 5, 20  # of the histogram trees; 20 is scikit-learn's default

Solver = Callable[[], Array]


def friedman(n: int, d: int = 20) -> Problem:
    """Draw points of the cube, to four digits, and a curved function of five features plus noise.

    The exact trees of scikit-learn see no difference below 1e-7 and look at single precision.

    Examples
    --------
    >>> friedman(1000).X.shape
    (1000, 20)
    """
    rng = np.random.default_rng([n, d])
    X = rng.random((n, d)).round(4).astype(np.float32).astype(np.float64)
    height = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return Problem(name=f"{n // 1000}k x {d}", X=X, y=height + rng.normal(size=n))


def labelled(n: int) -> Problem:
    """Return the same points with the labels above and below the median."""
    problem = friedman(n)
    return Problem(name=problem.name, X=problem.X, y=np.where(problem.y > np.median(problem.y), 1.0, -1.0))


# -- the contestants: each returns the values at the training points ---------------------------------------


def our_adaboost(problem: Problem, rounds: int) -> Array:
    """Return the additive model of our AdaBoost."""
    return adaboost(problem.X, problem.y, rounds).decision(problem.X, half=True)


def their_adaboost(problem: Problem, rounds: int) -> Array:
    """Return the additive model of scikit-learn's AdaBoost."""
    model = AdaBoostClassifier(n_estimators=rounds).fit(problem.X, problem.y)
    pairs = zip(model.estimator_weights_, model.estimators_, strict=False)
    return np.asarray(sum(alpha / 2 * stump.predict(problem.X) for alpha, stump in pairs))


def ours(problem: Problem, depth: int, min_leaf: int, bins: int | None) -> Array:
    """Return the predictions of our gradient boosting."""
    how = {"rounds": ROUNDS, "depth": depth, "min_leaf": min_leaf, "bins": bins}
    return gradient_boosting(problem.X, problem.y, **how)(problem.X)  # type: ignore[arg-type]


def theirs_exact(problem: Problem) -> Array:
    """Return the predictions of scikit-learn's gradient boosting."""
    model = GradientBoostingRegressor(n_estimators=ROUNDS, max_depth=DEPTH, random_state=0)
    return np.asarray(model.fit(problem.X, problem.y).predict(problem.X))


def theirs_histogram(problem: Problem) -> Array:
    """Return the predictions of scikit-learn's gradient boosting on histograms."""
    model = HistGradientBoostingRegressor(
        max_iter=ROUNDS,
        max_depth=DEEPER,
        max_leaf_nodes=None,
        min_samples_leaf=IN_LEAF,
        early_stopping=False,
    )
    return np.asarray(model.fit(problem.X, problem.y).predict(problem.X))


# -- who is judged equal -----------------------------------------------------------------------------------


def judge_labels(y: Array, f: Array) -> Quality:
    """Judge a classifier by its training error and, as the certificate, the exponential loss it descends.

    Examples
    --------
    >>> judge_labels(np.array([1.0, -1.0]), np.zeros(2))
    Quality(objective=0.5, gap=1.0, kkt=None)
    """
    wrong = np.mean(np.where(f > 0, 1.0, -1.0) != y)
    return Quality(objective=float(wrong), gap=float(np.mean(np.exp(-y * f))), kkt=None)


def judge_values(y: Array, f: Array) -> Quality:
    """Judge predictions by their mean squared error.

    Examples
    --------
    >>> judge_values(np.array([1.0, -1.0]), np.zeros(2)).gap
    1.0
    """
    error = float(np.mean((f - y) ** 2))
    return Quality(objective=error, gap=error, kkt=None)


def compared(
    section: str,
    problem: Problem,
    solvers: tuple[Solver, Solver],
    judge: Callable[[Array, Array], Quality],
    equal: Callable[[Array, Array], bool],
    certificate: str,
    repeats: int,
    aim: float | None,
) -> list[Comparison]:
    """Compare our solver with the peer; ``equal`` looks at the values of both."""
    timed = interleaved({"peer": solvers[1], "ours": solvers[0]}, repeats)
    entries = {
        side: Entry(
            name=name,
            seconds=float(f"{timed[side].seconds:.3g}"),
            quality=judge(problem.y, timed[side].answer),
        )
        for side, name in (("ours", "lecturekit"), ("peer", "scikit-learn"))
    }
    return [
        Comparison(
            section=section,
            problem=problem.name,
            certificate=certificate,
            rounds=repeats,
            ours=entries["ours"],
            peer=entries["peer"],
            equal=equal(timed["ours"].answer, timed["peer"].answer),
            aim=aim,
        )
    ]


def adaboost_contest(n: int, rounds: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare AdaBoost: the stumps are others, so that ours must reach the exponential loss of the peer."""
    problem = labelled(n)
    solvers = (partial(our_adaboost, problem, rounds), partial(their_adaboost, problem, rounds))
    errors = [judge_labels(problem.y, solve()).objective for solve in solvers]
    name = f"{problem.name}, {rounds} rounds, training errors {errors[0]:.3f} / {errors[1]:.3f}"
    named = Problem(name=name, X=problem.X, y=problem.y)
    return compared(
        ADA,
        named,
        solvers,
        judge_labels,
        lambda a, b: judge_labels(problem.y, a).gap <= judge_labels(problem.y, b).gap,
        "exp. loss",
        repeats,
        aim,
    )


def exact_contest(n: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare gradient boosting with exact trees, which must be the same trees."""
    problem = friedman(n)
    return compared(
        EXACT,
        problem,
        (partial(ours, problem, DEPTH, 1, None), partial(theirs_exact, problem)),
        judge_values,
        lambda a, b: bool(np.max(np.abs(a - b)) <= SAME),
        "MSE",
        repeats,
        aim,
    )


def histogram_contest(n: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare gradient boosting on histograms: the edges are others, so that ours must reach the error."""
    problem = friedman(n)
    return compared(
        HISTOGRAM,
        problem,
        (partial(ours, problem, DEEPER, IN_LEAF, 255), partial(theirs_histogram, problem)),
        judge_values,
        lambda a, b: judge_values(problem.y, a).gap <= 1.02 * judge_values(problem.y, b).gap,
        "MSE",
        repeats,
        aim,
    )


# -- the programme -----------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    adaboost_contest(200, 2, 1, None)
    exact_contest(200, 1, None)
    histogram_contest(200, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    for n, rounds, repeats in ((2000, 200, 5), (20_000, 100, 3), (100_000, 50, 2)):
        yield Contest(
            name=f"AdaBoost, n={n}",
            quick=n == 2000,
            run=partial(adaboost_contest, n, rounds, repeats, 20.0),
        )
    for n, repeats in ((1000, 9), (10_000, 3)):
        yield Contest(
            name=f"exact trees, n={n}", quick=n == 1000, run=partial(exact_contest, n, repeats, 8.0)
        )
    for n, repeats in ((1000, 15), (10_000, 9), (100_000, 5)):
        yield Contest(
            name=f"histograms, n={n}", quick=n <= 10_000, run=partial(histogram_contest, n, repeats, 0.7)
        )
