"""The contests of the simulations: many data sets fitted in one go against a loop over data sets."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from benchmarks.accuracy import Quality
from benchmarks.measure import Array, interleaved
from benchmarks.report import Comparison, Entry
from benchmarks.svm import Contest
from lecturekit.bias_variance import polynomial_fits, ridge_smoother

__all__ = ["contests", "fixed_contest", "random_contest", "warm_up"]

RANDOM = "Simulation: data sets with new inputs"
FIXED = "Simulation: data sets with the same inputs"
CLOSE = 1e-9  # relative: predictions that agree so well are equal
NODES = np.polynomial.legendre.leggauss(32)[0]
NOISE = 0.3
LAM = 1e-3

Fitter = Callable[[], Array]


def data_sets(n_sets: int, n: int) -> tuple[Array, Array]:
    """Draw inputs and noisy values of a sine, one data set a row."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n_sets, n))
    return X, np.sin(np.pi * X) + NOISE * rng.standard_normal(X.shape)


def looped_svd(X: Array, y: Array, degree: int) -> Array:
    """Fit one data set after the other by NumPy's lstsq, in Chebyshev's polynomials."""
    at, fits = chebvander(NODES, degree), np.empty((len(X), len(NODES)))
    for k in range(len(X)):
        fits[k] = at @ np.linalg.lstsq(chebvander(X[k], degree), y[k], rcond=None)[0]
    return fits


def looped_normal(X: Array, y: Array, degree: int) -> Array:
    """Fit one data set after the other by the normal equations in powers: quick, not the best."""
    at, fits = np.vander(NODES, degree + 1), np.empty((len(X), len(NODES)))
    for k in range(len(X)):
        A = np.vander(X[k], degree + 1)
        fits[k] = at @ np.linalg.solve(A.T @ A, A.T @ y[k])
    return fits


def looped_ridge(A: Array, Y: Array, at: Array) -> Array:
    """Fit ridge regression to one vector of targets after the other."""
    mean, middle, fits = A.mean(axis=0), Y.mean(axis=1), np.empty((len(Y), len(at)))
    Z, penalty = A - mean, len(A) * LAM * np.eye(A.shape[1])
    for k in range(len(Y)):
        fits[k] = middle[k] + (at - mean) @ np.linalg.solve(Z.T @ Z + penalty, Z.T @ (Y[k] - middle[k]))
    return fits


def smoothed(A: Array, Y: Array, at: Array) -> Array:
    """Fit all at once by the smoother, which is computed here."""
    return np.asarray(Y @ ridge_smoother(A, LAM, at=at).T)


def judge(fits: Array, best: Array) -> Quality:
    """Judge fits by their mean squared error, and by how far they are from the best known ones.

    Examples
    --------
    >>> judge(np.array([[1.0, 2.0]]), np.array([[1.0, 1.0]])).gap
    1.0
    """
    error = float(np.mean((fits - np.sin(np.pi * NODES[: fits.shape[1]])) ** 2))
    apart = np.abs(fits - best).max(axis=1) / np.abs(best).max(axis=1)
    return Quality(objective=error, gap=float(apart.max()), kkt=None)


def compared(
    section: str,
    problem: str,
    ours: Mapping[str, Fitter],
    peers: Mapping[str, Fitter],
    best: Array,
    repeats: int,
    aim: float | None,
) -> list[Comparison]:
    """Time the fitters in turn and compare each of ours with each peer."""
    timed = interleaved({**peers, **ours}, repeats)
    entries = {
        name: Entry(name=name, seconds=float(f"{one.seconds:.3g}"), quality=judge(one.answer, best))
        for name, one in timed.items()
    }
    return [
        Comparison(
            section=section,
            problem=problem,
            certificate="gap",
            rounds=repeats,
            ours=entries[name],
            peer=entries[peer],
            equal=entries[name].quality.gap <= max(CLOSE, entries[peer].quality.gap),
            aim=aim,
        )
        for name in ours
        for peer in peers
    ]


def random_contest(n_sets: int, n: int, degree: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare batched polynomial fits with loops."""
    X, y = data_sets(n_sets, n)
    return compared(
        RANDOM,
        f"{n_sets} sets of {n} points, degree {degree}",
        {"batched": partial(polynomial_fits, X, y, degree, NODES)},
        {
            "loop of lstsq": partial(looped_svd, X, y, degree),
            "loop of normal equations": partial(looped_normal, X, y, degree),
        },
        looped_svd(X, y, degree),
        repeats,
        aim,
    )


def fixed_contest(n_sets: int, n: int, degree: int, repeats: int, aim: float | None) -> list[Comparison]:
    """Compare the smoother, one product for all data sets, with a loop of ridge regressions."""
    x, y = data_sets(n_sets, n)
    A, at = chebvander(x[0], degree)[:, 1:], chebvander(NODES, degree)[:, 1:]
    return compared(
        FIXED,
        f"{n_sets} sets of {n} points, degree {degree}",
        {"smoother": partial(smoothed, A, y, at)},
        {"loop of ridge": partial(looped_ridge, A, y, at)},
        looped_ridge(A, y, at),
        repeats,
        aim,
    )


# -- the programme -------------------------------------------------------------------------------------------


def warm_up() -> None:
    """Run everything once on problems that take no time."""
    random_contest(10, 20, 3, 1, None)
    fixed_contest(10, 20, 3, 1, None)


def contests() -> Iterator[Contest]:
    """Yield the programme."""
    for n_sets, n, degree in ((5000, 50, 9), (20_000, 10, 1)):
        yield Contest(
            name=f"batched fits, n={n}, degree {degree}",
            quick=True,
            run=lambda s=n_sets, n=n, q=degree: random_contest(s, n, q, 7, 3.0),  # type: ignore[misc]
        )
    yield Contest(
        name="smoother, n=50, degree 9",
        quick=True,
        run=lambda: fixed_contest(5000, 50, 9, 7, 15.0),
    )
