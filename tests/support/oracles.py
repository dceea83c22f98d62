"""What the tests of several nouns share: small problems, and the SVM's optima by general optimisers."""

import numpy as np
from scipy.optimize import LinearConstraint, minimize

from lecturekit import data
from lecturekit._typing import Array, Indices
from lecturekit.kernels import RBF


def overlapping(seed: int, n: int = 30) -> tuple[Array, Array]:
    """Draw two clouds that overlap, in random order."""
    X, y = data.two_gaussians(n, rng=seed, gap=1.5)
    order = np.random.default_rng(seed).permutation(n)
    return X[order], y[order]


def three_clouds(n: int = 60, noise: float = 0.7, side: float = 2.0) -> tuple[Array, Indices]:
    """Draw three clouds around the corners of a triangle."""
    rng, y = np.random.default_rng(0), np.arange(n) % 3
    return side * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[y] + noise * rng.normal(size=(n, 2)), y


def responses(seed: int, n: int = 30, d: int = 4) -> tuple[Array, Array]:
    """Draw points off the origin and noisy responses that are linear in them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    return X, X @ rng.normal(size=d) + 3 + rng.normal(size=n)


def gram(X: Array) -> Array:
    """Return the Gram matrix of the Gaussian kernel."""
    return RBF(gamma=0.5)(X)


def feasible(y: Array, C: Array, rng: np.random.Generator) -> Array:
    """Draw a point of the box on the plane sum alpha_i y_i = 0, with some entries on the bounds."""
    alpha = C * np.clip(rng.uniform(-0.5, 1.5, len(y)), 0, 1)
    sums = [alpha[y == sign].sum() for sign in (-1, 1)]
    for sign, total in zip((-1, 1), sums, strict=True):
        alpha[y == sign] *= min(sums) / total if total > 0 else 1.0
    return np.asarray(alpha)


def quadratic(alpha: Array, Q: Array) -> float:
    """Return minus the dual objective."""
    return float(0.5 * alpha @ Q @ alpha - alpha.sum())


def slsqp_dual(K: Array, y: Array, C: Array) -> float:
    """Return the optimum of the dual with the equality constraint."""
    Q = np.outer(y, y) * K
    found = minimize(
        quadratic,
        np.zeros(len(y)),
        args=(Q,),
        jac=lambda alpha, Q: Q @ alpha - 1,
        bounds=[(0, c) for c in C],
        constraints=LinearConstraint(y[None, :], 0, 0),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return -float(found.fun)


def box_dual(K: Array, y: Array, C: Array) -> float:
    """Return the optimum of the dual without the equality constraint.

    L-BFGS-B may stop early where K is singular: it starts again from where it ended until it gains nothing.
    """
    Q, alpha, best = np.outer(y, y) * K, np.zeros(len(y)), -np.inf
    while True:
        found = minimize(
            quadratic,
            alpha,
            args=(Q,),
            jac=lambda alpha, Q: Q @ alpha - 1,
            bounds=[(0, c) for c in C],
            method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 100_000},
        )
        if -found.fun <= best * (1 + 1e-13):
            return float(best)
        alpha, best = found.x, -float(found.fun)
