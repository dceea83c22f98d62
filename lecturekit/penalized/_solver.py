r"""Working sets of features: solve on a few, look at all, add those that the solution violates.

With :math:`c_j=\langle x_j,r\rangle/n` a feature outside the set is right at weight zero if
:math:`\lvert c_j\rvert\le\lambda\rho`. Looking at all features costs as much as reading X once; the problem
on the set is small, and needs only the Gram matrix :math:`G_{ij}=\langle x_i,x_j\rangle/n` of its features.

References
----------
Massias, Gramfort and Salmon, *Celer: a fast solver for the lasso with dual extrapolation*, 2018.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from lecturekit._typing import Array, Indices
from lecturekit.penalized._penalties import Centred, Penalized, certificate, residual_sums, sizes

# A look reads n d numbers; the Gram matrix of k features takes n k^2 multiplications, which are faster. So
# many features are added at a time that both take about as long; a round costs something whatever n is.
READ_COST, ROUND_COST = 9.0, 3e6
GAP_EPOCHS = 10  # epochs between two looks at the gap of the set
SET_GAP = 0.1  # a set is solved until its gap is this share of the gap over all features


class FeatureSet:
    """Some of the features: their centred columns, their Gram matrix and their inner products with y."""

    def __init__(self, data: Centred) -> None:
        self.data = data
        self.features: Indices = np.empty(0, dtype=np.intp)
        self.correlations = data.correlations(data.Y)  # of all features with y
        self._columns = data.columns(self.features)
        self._shift: Array | None = None  # what is to be subtracted from them
        self._G: Array = np.empty((0, 0))

    def add(self, features: Indices) -> None:
        """Take in more features, if there are any."""
        if len(features) == 0:
            return
        fresh = self.data.columns(features)
        self._columns = np.hstack([self._columns, fresh]) if len(self.features) else fresh
        self.features = np.concatenate([self.features, features])

    def add_rest(self) -> None:
        """Take in all features; if there were none the columns stay where they are."""
        everything = np.arange(self.data.X.shape[1])
        if len(self.features) > 0:
            self.add(np.delete(everything, self.features))
        else:
            self.features, self._columns, self._shift = everything, self.data.X, self.data.shift

    def columns(self) -> Array:
        """Return the centred columns in Fortran order."""
        return np.asfortranarray(self._columns if self._shift is None else self._columns - self._shift)

    def residuals(self, W: Array) -> Array:
        """Return what the weights of the features leave of the targets."""
        if len(self.features) == 0:
            return self.data.Y
        R = self.data.Y - self._columns @ W
        return R if self._shift is None else R + self._shift @ W

    def gram(self) -> tuple[Array, Array]:
        """Return the Gram matrix and the inner products with the targets, divided by n."""
        n, m, old = *self._columns.shape, len(self._G)
        if m > old:
            fresh = self._columns[:, old:].T @ self._columns
            fresh /= n
            if self._shift is not None:
                fresh -= self._shift[:, None] * self._shift
            self._G = _bordered(self._G, fresh) if old else fresh
        return self._G, self.correlations[self.features]


def _bordered(G: Array, rows: Array) -> Array:
    """Return a symmetric matrix with more rows below, and as many columns."""
    m, old = rows.shape[1], len(G)
    larger = np.empty((m, m))
    larger[:old, :old] = G
    larger[old:] = rows
    larger[:old, old:] = rows[:, :old].T
    return larger


class Epochs(NamedTuple):
    r"""The epochs of coordinate descent for a penalty, in two forms, each changing its last two arguments.

    ``gram`` takes ``(G, W, g)``, the Gram matrix, the weights and :math:`g=X^\top R/n`, and does
    ``GAP_EPOCHS`` epochs. ``columns`` takes ``(X, square, W, R)``, columns, their mean squares, the weights
    and the residuals, and does one epoch.
    """

    gram: Callable[[Array, Array, Array], None]
    columns: Callable[[Array, Array, Array, Array], None]


def _on_gram(chosen: FeatureSet, W: Array, epochs: Epochs) -> Iterator[tuple[Array, float, float]]:
    """Improve the weights of a set on its Gram matrix; yield what the certificate needs after each round."""
    G, c = chosen.gram()
    g = c - G @ W
    while True:
        epochs.gram(G, W, g)
        ry = 2 * chosen.data.scale - float(np.vdot(W, c))
        yield g, ry - float(np.vdot(W, g)), ry


def _on_columns(chosen: FeatureSet, W: Array, epochs: Epochs) -> Iterator[tuple[Array, float, float]]:
    """Improve the weights of a set on its columns: with more than n weights that is quicker."""
    X = chosen.columns()
    R = np.asfortranarray(chosen.data.Y - X @ W)
    square = np.einsum("ij,ij->j", X, X) / len(X)
    while True:
        for _ in range(GAP_EPOCHS):
            epochs.columns(X, square, W, R)
        yield X.T @ R / len(X), *residual_sums(R, chosen.data.Y)


def looks(
    chosen: FeatureSet, W: Array, l1: float, l2: float, epochs: Epochs, *, enough: float, max_iter: int
) -> Iterator[tuple[int, float, float]]:
    """Look at all features, before any step and after each round; yield epochs so far, primal and dual.

    The working set, which may be empty at first, grows, and the weights, zero outside it, change in place.
    A gap of ``enough`` is small enough; ``max_iter`` is rounded up to the next multiple of ``GAP_EPOCHS``.
    """
    Y, d = chosen.data.Y, len(W)
    growth, n_iter = int(np.sqrt(READ_COST * d + ROUND_COST / len(Y))) + 1, 0
    while True:
        R = chosen.residuals(W[chosen.features])
        C = chosen.data.correlations(R) if len(chosen.features) else chosen.correlations
        primal, dual, _ = certificate(W, C, *residual_sums(R, Y), l1, l2)
        yield n_iter, primal, dual
        excess = sizes(C) - l1
        excess[chosen.features] = 0.0
        violators = np.flatnonzero(excess > 0.0)
        support = int(np.count_nonzero(sizes(W)))
        most = max(growth, support // 2)
        rest = d - len(chosen.features)
        if rest <= 2 * min(most, len(violators)):  # half of the few that are left: take all
            chosen.add_rest()
        else:
            chosen.add(violators[np.argsort(-excess[violators], kind="stable")[:most]])
        w = W[chosen.features]
        # where the linear system of the weights costs less than a look at all features, solve to the end
        closed = violators.size == 0 or len(chosen.features) == d
        exact = closed or 0 < support**3 <= len(Y) * d
        target = enough / 3 if exact else max(enough / 3, SET_GAP * (primal - dual))
        rounds = _on_gram if support <= len(Y) else _on_columns
        on_set, gap = rounds(chosen, w, epochs), np.inf
        while gap > target and n_iter < max_iter:
            best, bound, _ = certificate(w, *next(on_set), l1, l2)
            gap, n_iter = best - bound, n_iter + GAP_EPOCHS
        W[chosen.features] = w


def descend(
    chosen: FeatureSet,
    W: Array,
    lam: float,
    l1_ratio: float,
    epochs: Epochs,
    *,
    tol: float,
    max_iter: int,
) -> Penalized:
    """Look until the gap is at most ``tol`` times the objective of the constant prediction; W changes."""
    l1, l2 = lam * l1_ratio, lam * (1 - l1_ratio)
    enough, trace = tol * chosen.data.scale, []
    for at in looks(chosen, W, l1, l2, epochs, enough=enough, max_iter=max_iter):
        trace.append(at)
        n_iter, primal, dual = at
        if primal - dual <= enough or n_iter >= max_iter:
            break
    return Penalized(
        w=W.copy(),
        b=chosen.data.intercept(W),
        lam=lam,
        l1_ratio=l1_ratio,
        primal=primal,
        dual=dual,
        n_iter=n_iter,
        converged=primal - dual <= enough,
        trace=np.array(trace),
    )
