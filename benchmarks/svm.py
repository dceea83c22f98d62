"""The contests: the solvers of lecturekit against libsvm, liblinear and the SGD of scikit-learn."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, TypeVar

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC, LinearSVC

from benchmarks import problems
from benchmarks.accuracy import Quality, judge_kernel, judge_weights, no_worse, within
from benchmarks.measure import Array, interleaved
from benchmarks.problems import Problem
from benchmarks.report import Comparison, Entry
from lecturekit.kernels import RBF
from lecturekit.svm import osuna, pegasos, scda_linear, smo

__all__ = [
    "Contest",
    "bounded_contest",
    "contests",
    "kernel_contest",
    "linear_contest",
    "pegasos_contest",
    "warm_up",
]

PLENTY = 1_000_000  # epochs: every linear solver stops on its tolerance
ROOM_MB = 1000  # for kernel rows: all of them up to n = 10,000
TOL = 1e-3  # of the kernel solvers, scikit-learn's default
TIGHT, LOOSE = 1e-3, 0.1  # of the linear solvers; the loose one was liblinear's own default
FINER = tuple(0.8**k for k in range(18))  # shares of the peer's tolerance that ours may be
MORE_PASSES = 11  # by a fifth each: up to three times as many

KERNEL = "Kernel SVM: SMO against libsvm"
BOUNDED = "Kernel SVM: where few rows fit into memory"
LINEAR = "Linear SVM: coordinate ascent against liblinear"
SGD = "Linear SVM: Pegasos against SGDClassifier"

T = TypeVar("T")
Solver = Callable[[], "Solution"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """What a solver returns: multipliers, weights, or both."""

    alpha: Array | None = None
    w: Array | None = None


@dataclass(frozen=True, kw_only=True)
class Contest:
    """A line of the progress report and the comparisons it stands for."""

    name: str
    quick: bool
    run: Callable[[], list[Comparison]]


# -- kernel SVM ----------------------------------------------------------------------------------------------


def libsvm(problem: Problem, C: float, cache_mb: float) -> Solution:
    """Solve by scikit-learn's SVC."""
    model = SVC(C=C, gamma=problem.gamma, tol=TOL, cache_size=cache_mb).fit(problem.X, problem.y)
    alpha = np.zeros(len(problem.y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return Solution(alpha=alpha)


def smo_rows(problem: Problem, C: float, dtype: type[np.floating], cache_mb: float) -> Solution:
    """Solve by SMO with rows of the Gram matrix computed when they are needed."""
    X = problem.X.astype(dtype)
    return Solution(alpha=smo(RBF(problem.gamma), problem.y, C, X=X, tol=TOL, cache_mb=cache_mb).alpha)


def smo_matrix(problem: Problem, C: float) -> Solution:
    """Solve by SMO on the full Gram matrix, which is computed here."""
    return Solution(alpha=smo(RBF(problem.gamma)(problem.X), problem.y, C, tol=TOL).alpha)


def touch_memory(n: int) -> None:
    """Use and give back three Gram matrices, so that the process has the memory (see `keep_memory`)."""
    np.ones((3, n, n))


def kernel_contest(
    problem: Problem, C: float, repeats: int, aims: Mapping[str, float | None]
) -> list[Comparison]:
    """Compare SMO with libsvm; both stop on the same residual."""
    peers: dict[str, Solver] = {
        "SVC": partial(libsvm, problem, C, 200),
        "SVC 2 GB": partial(libsvm, problem, C, 2000),
    }
    ours: dict[str, Solver] = {
        "f32": partial(smo_rows, problem, C, np.float32, ROOM_MB),
        "f64": partial(smo_rows, problem, C, np.float64, ROOM_MB),
        "matrix": partial(smo_matrix, problem, C),
        "f32 200 MB": partial(smo_rows, problem, C, np.float32, 200),
    }
    touch_memory(len(problem.y))
    return compared(KERNEL, problem, C, ours, peers, repeats, aims)


def bounded_contest(problem: Problem, C: float, cache_mb: float) -> list[Comparison]:
    """Compare SMO and working sets with libsvm where few rows fit into the cache."""
    X = problem.X.astype(np.float32)
    options: Any = {"X": X, "tol": TOL, "cache_mb": cache_mb}
    peers: dict[str, Solver] = {f"SVC {cache_mb:g} MB": partial(libsvm, problem, C, cache_mb)}
    ours: dict[str, Solver] = {
        f"SMO {cache_mb:g} MB": lambda: Solution(
            alpha=smo(RBF(problem.gamma), problem.y, C, **options).alpha
        ),
        f"working sets {cache_mb:g} MB": lambda: Solution(
            alpha=osuna(RBF(problem.gamma), problem.y, C, **options).alpha
        ),
    }
    return compared(BOUNDED, problem, C, ours, peers, 1, {})


def compared(
    section: str,
    problem: Problem,
    C: float,
    ours: Mapping[str, Solver],
    peers: Mapping[str, Solver],
    repeats: int,
    aims: Mapping[str, float | None],
) -> list[Comparison]:
    """Time kernel solvers in turn, judge their multipliers, and compare each of ours with each peer."""

    def judge(answer: Solution) -> Quality:
        assert answer.alpha is not None
        return judge_kernel(answer.alpha, RBF(problem.gamma), problem.X, problem.y, C)

    entries = measured({**peers, **ours}, judge, repeats)
    return [
        Comparison(
            section=section,
            problem=f"{problem.name}, C={C:g}",
            certificate="KKT",
            rounds=repeats,
            ours=entries[name],
            peer=entries[peer],
            equal=within(entries[name].quality, entries[peer].quality, TOL),
            aim=aims.get(name),
        )
        for name in ours
        for peer in peers
    ]


def measured(
    contestants: Mapping[str, Solver], judge: Callable[[Solution], Quality], repeats: int
) -> dict[str, Entry]:
    """Time the contestants in turn and judge their answers."""
    timed = interleaved(contestants, repeats)
    return {
        name: Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer))
        for name, one in timed.items()
    }


# -- linear SVM ----------------------------------------------------------------------------------------------


def liblinear(problem: Problem, C: float, tol: float) -> Solution:
    """Solve by scikit-learn's LinearSVC, which does not tell its multipliers."""
    model = LinearSVC(
        loss="hinge", dual=True, fit_intercept=False, C=C, tol=tol, max_iter=PLENTY, random_state=0
    )
    return Solution(w=model.fit(problem.X, problem.y).coef_[0])


def scda(problem: Problem, C: float, tol: float) -> Solution:
    """Solve by coordinate ascent."""
    answer = scda_linear(problem.X, problem.y, C, tol=tol, max_iter=PLENTY)
    return Solution(alpha=answer.alpha, w=answer.w)


def lower_bound(problem: Problem, answer: Solution) -> float:
    """Return the dual objective of the SVM without a bias, which no primal objective is below."""
    assert answer.alpha is not None
    w = problem.X.T @ (answer.alpha * problem.y)
    return float(answer.alpha.sum() - 0.5 * w @ w)


def matching(
    settings: Iterable[T], solve: Callable[[T], Solution], enough: Callable[[Solution], bool]
) -> tuple[T, Solution]:
    """Return the first setting whose answer is good enough, else the last one, and the answer.

    Examples
    --------
    >>> def solve(steps: int) -> Solution:
    ...     return Solution(w=np.array([1 / steps]))
    >>> matching([1, 2, 4, 8], solve, lambda answer: answer.w[0] < 0.3)[0]
    4
    """
    for setting in settings:
        answer = solve(setting)
        if enough(answer):
            break
    return setting, answer


def _linear_quality(problem: Problem, C: float, answer: Solution, bound: float = 1.0) -> Quality:
    """Judge an answer to a linear problem."""
    assert answer.w is not None
    return judge_weights(answer.w, answer.alpha, problem.X, problem.y, C, bound)


def linear_contest(
    problem: Problem, C: float, tol: float, repeats: int, aim: float | None
) -> list[Comparison]:
    """Compare coordinate ascent with liblinear: our tolerance is made finer until we reach its objective."""
    reached = partial(_linear_quality, problem, C)
    goal = reached(liblinear(problem, C, tol))
    our_tol, answer = matching(
        [float(f"{tol * share:.2g}") for share in FINER],
        partial(scda, problem, C),
        lambda answer: no_worse(reached(answer), goal),
    )
    contestants = {
        "LinearSVC": partial(liblinear, problem, C, tol),
        f"SCDA at {our_tol:g}": partial(scda, problem, C, our_tol),
    }
    judge = partial(reached, bound=lower_bound(problem, answer))
    peer, ours = measured(contestants, judge, repeats).values()
    return [
        Comparison(
            section=LINEAR,
            problem=f"{problem.name}, C={C:g}, tol {tol:g}",
            certificate="gap",
            rounds=repeats,
            ours=ours,
            peer=peer,
            equal=no_worse(ours.quality, peer.quality),
            aim=aim,
        )
    ]


def sgd(problem: Problem, lam: float, passes: int, average: bool) -> Solution:
    """Descend by scikit-learn's SGDClassifier."""
    model = SGDClassifier(
        loss="hinge",
        alpha=lam,
        fit_intercept=False,
        max_iter=passes,
        tol=None,
        average=average,
        random_state=0,
    )
    return Solution(w=model.fit(problem.X, problem.y).coef_[0])


def descend(problem: Problem, lam: float, passes: int, average: bool) -> Solution:
    """Descend by Pegasos."""
    steps = passes * len(problem.y)
    return Solution(w=pegasos(problem.X, problem.y, lam, rng=0, n_iter=steps, average=average).w)


def pegasos_contest(
    problem: Problem, lam: float, passes: int, repeats: int, average: bool
) -> list[Comparison]:
    """Compare Pegasos with SGD after the same number of visits, and where Pegasos reaches its objective."""
    C = 1 / (lam * len(problem.y))  # the same minimum, with the objective divided by lam
    bound = lower_bound(problem, scda(problem, C, TIGHT))
    judge = partial(_linear_quality, problem, C, bound=bound)
    goal = judge(sgd(problem, lam, passes, average))
    enough, _ = matching(
        [passes + k * passes // 5 for k in range(MORE_PASSES)],
        lambda more: descend(problem, lam, more, average),
        lambda answer: no_worse(judge(answer), goal),
    )
    kind = "mean" if average else "last"
    contestants = {f"SGD {kind}": partial(sgd, problem, lam, passes, average)} | {
        f"{kind}, {count} passes": partial(descend, problem, lam, count, average)
        for count in sorted({passes, enough})
    }
    peer, *ours = measured(contestants, judge, repeats).values()
    return [
        Comparison(
            section=SGD,
            problem=f"{problem.name}, λ={lam:g}, {passes} passes",
            certificate="gap",
            rounds=repeats,
            ours=one,
            peer=peer,
            equal=no_worse(one.quality, peer.quality),
            aim=None,
        )
        for one in ours
    ]


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Compile everything on problems that take no time."""
    kernel_contest(problems.nonlinear(200), 1.0, 1, {})
    bounded_contest(problems.nonlinear(200), 1.0, 0.05)
    for problem in (problems.dense(1000, 5), problems.words(1000, 2000, 5)):
        linear_contest(problem, 1.0, LOOSE, 1, None)
    pegasos_contest(problems.dense(1000, 5), 1e-2, 1, 1, True)


def contests() -> Iterator[Contest]:
    """Yield the programme; data are drawn when a contest runs."""
    synthetic = {"f32": 2.5, "f64": 1.5}
    sizes = (
        (1000, 1.0, 7),
        (1000, 10.0, 7),
        (5000, 1.0, 5),
        (5000, 10.0, 3),
        (10_000, 1.0, 2),
        (10_000, 10.0, 1),
    )
    for n, C, repeats in sizes:
        yield Contest(
            name=f"SMO, n={n}, C={C:g}",
            quick=n == 1000,
            run=lambda n=n, C=C, k=repeats: kernel_contest(  # type: ignore[misc]
                problems.nonlinear(n), C, k, synthetic
            ),
        )
    yield Contest(
        name="SMO, digits, C=10",
        quick=True,
        run=lambda: kernel_contest(problems.digits(), 10.0, 7, {"f32": 1.2}),
    )
    for C in (1.0, 10.0):
        yield Contest(
            name=f"SMO, cancer, C={C:g}",
            quick=True,
            run=lambda C=C: kernel_contest(problems.breast_cancer(), C, 7, {}),  # type: ignore[misc]
        )
    yield Contest(
        name="SMO and working sets, n=50000, C=1",
        quick=False,
        run=lambda: bounded_contest(problems.nonlinear(50_000), 1.0, 500),
    )
    for n, d, C, repeats in ((10_000, 50, 1.0, 15), (100_000, 50, 1.0, 2), (100_000, 500, 0.1, 1)):
        for tol in (LOOSE, TIGHT):
            yield Contest(
                name=f"SCDA, dense {n} x {d}, tol {tol:g}",
                quick=n == 10_000,
                run=lambda n=n, d=d, C=C, t=tol, k=repeats: linear_contest(  # type: ignore[misc]
                    problems.dense(n, d), C, t, k, 2.5
                ),
            )
    for tol in (LOOSE, TIGHT):
        yield Contest(
            name=f"SCDA, CSR, tol {tol:g}",
            quick=True,
            run=lambda t=tol: linear_contest(  # type: ignore[misc]
                problems.words(20_000, 50_000, 60), 1.0, t, 5, 0.8
            ),
        )
    for lam, average in product((1e-3, 1e-4), (True, False)):
        yield Contest(
            name=f"Pegasos, λ={lam:g}, {'mean' if average else 'last'}",
            quick=lam == 1e-3,
            run=lambda lam=lam, mean=average: pegasos_contest(  # type: ignore[misc]
                problems.dense(100_000, 50), lam, 20, 3, mean
            ),
        )
