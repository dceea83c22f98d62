"""What the tests of penalised least squares share: problems, and their optima by a general optimiser."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import minimize

from lecturekit._typing import Array

ROUNDING = 1e-12  # relative to the objective of a constant prediction: sums over some hundred products
TIGHT: Any = {"tol": 1e-13, "max_iter": 1_000_000}  # what scikit-learn is asked for
SKLEARN = 1e-5  # weights of size one, where the gap is 1e-13 and no eigenvalue is below 1e-3
LBFGS = 1e-8  # relative: what L-BFGS-B reaches on two dozen variables

seeds = st.integers(0, 10**6)


def problem(seed: int, n: int = 15, d: int = 6, k: int = 0) -> tuple[Array, Array]:
    """Draw points that are not centred and targets of some of their features; k > 0 asks for k tasks."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    W = rng.normal(size=(d, max(k, 1))) * (rng.random((d, 1)) < 0.5)
    Y = X @ W + 0.3 * rng.normal(size=(n, max(k, 1))) + 2.0
    return X, Y if k else Y[:, 0]


def centred(X: Array, y: Array, intercept: bool) -> tuple[Array, Array]:
    """Subtract the means, if there is an intercept."""
    return (X - X.mean(axis=0), y - y.mean(axis=0)) if intercept else (X, y)


def objective(w: Array, X: Array, y: Array, lam: float, l1_ratio: float, intercept: bool = True) -> float:
    """Write the objective out: the best intercept is the mean of what is left."""
    r = y - X @ w
    r = r - r.mean(axis=0) if intercept else r
    length = np.abs(w) if w.ndim == 1 else np.linalg.norm(w, axis=1)
    penalty = l1_ratio * length.sum() + (1 - l1_ratio) / 2 * np.sum(w**2)
    return float(np.sum(r**2) / (2 * len(X)) + lam * penalty)


def best_objective(X: Array, y: Array, lam: float, l1_ratio: float, intercept: bool = True) -> float:
    """Return the minimum: with w = p - q, p and q >= 0, the elastic net is smooth."""
    X, y = centred(X, y, intercept)
    n, d = X.shape

    def value(parts: Array) -> tuple[float, Array]:
        w = parts[:d] - parts[d:]
        r = y - X @ w
        smooth = float(r @ r) / (2 * n) + lam * (1 - l1_ratio) / 2 * float(w @ w)
        slope = -X.T @ r / n + lam * (1 - l1_ratio) * w
        return smooth + lam * l1_ratio * float(parts.sum()), np.concatenate([slope, -slope]) + lam * l1_ratio

    options = {"ftol": 1e-15, "gtol": 1e-11, "maxiter": 10_000, "maxfun": 100_000}
    bounds = [(0, None)] * (2 * d)
    found = minimize(value, np.zeros(2 * d), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    return float(found.fun)


def violation(
    w: Array, X: Array, y: Array, lam: float, l1_ratio: float = 1.0, intercept: bool = True
) -> float:
    """Return by how much the optimality conditions fail: the distance of 0 from the sub-differential."""
    X, y = centred(X, y, intercept)
    W, Y = w.reshape(X.shape[1], -1), y.reshape(len(X), -1)
    C = X.T @ (Y - X @ W) / len(X) - lam * (1 - l1_ratio) * W
    worst = 0.0
    for c, row in zip(C, W, strict=True):
        if np.any(row):
            worst = max(worst, float(np.linalg.norm(c - lam * l1_ratio * row / np.linalg.norm(row))))
        else:
            worst = max(worst, float(np.linalg.norm(c)) - lam * l1_ratio)
    return worst
