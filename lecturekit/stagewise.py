r"""Additive models, fitted one function at a time: forward stagewise fitting and gradient boosting.

All of them look for :math:`f^M=f^0+\sum_{m=1}^Mc_mh^m` with a small :math:`\sum_iL(f^M(x_i),y_i)` and
never change what they have added. Forward stagewise fitting takes the best function and coefficient of all;
gradient boosting fits a function to the negative slopes :math:`z_i=-\partial L(r,y_i)/\partial r` at
:math:`r=f^{m-1}(x_i)` by least squares, which any regression can do, whatever the loss.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lecturekit import _check
from lecturekit._typing import Array, Indices, PointFunction
from lecturekit.boosting_losses import (
    BoostingLoss,
    SquaredError,
)
from lecturekit.histogram import bin_edges, binned, grow_histogram_tree
from lecturekit.trees import Tree, grow_tree, presort

__all__ = [
    "Additive",
    "best_steps",
    "forward_stagewise",
    "gradient_boosting",
    "tree_grower",
]

TIE = 1e-12  # relative: losses this close are equal
HALVINGS = 60  # of an interval: down to the last digit of its length
FARTHEST = 2.0**500  # no coefficient is larger

Grower = Callable[[Array], tuple[Tree, Indices]]
BaseRegressor = Callable[[Array, Array], PointFunction]


@dataclass(frozen=True, kw_only=True, eq=False)
class Additive:
    r"""An additive model :math:`f=f^0+\sum_mc_mh^m`.

    Attributes
    ----------
    start : float
        The constant :math:`f^0`.
    functions : tuple of callables
        The functions :math:`h^m`, M of them.
    c : array of shape (M,)
        Their coefficients.
    losses : array of shape (M + 1,)
        The mean training loss of :math:`f^0,\dots,f^M`.
    """

    start: float
    functions: tuple[PointFunction, ...] = field(repr=False)
    c: Array = field(repr=False)
    losses: Array = field(repr=False)

    def staged(self, X: Any) -> Iterator[Array]:
        r"""Yield :math:`f^0,\dots,f^M` at the rows of ``X``."""
        X = np.ascontiguousarray(_check.matrix(X, copy=False), dtype=np.float64)
        f = np.full(len(X), self.start)
        yield f
        for c, h in zip(self.c, self.functions, strict=True):
            f = f + c * h(X)
            yield f

    def __call__(self, X: Any) -> Array:
        """Return the values at the rows of ``X``, shape (m,)."""
        return deque(self.staged(X), maxlen=1).pop()


# -- forward stagewise fitting -----------------------------------------------------------------------------


def best_steps(loss: BoostingLoss, f: Array, H: Array, y: Array) -> Array:
    r"""Return :math:`\arg\min_c\sum_iL(f_i+ch_i,y_i)` for each row h of ``H``, by bisection of the slope.

    Parameters
    ----------
    loss : BoostingLoss
        The loss, convex.
    f : array of shape (n,)
        The values so far.
    H : array of shape (k, n)
        The values of the functions to add.
    y : array of shape (n,)
        The targets.

    Examples
    --------
    >>> H = np.array([[1.0, 1.0], [1.0, -1.0]])
    >>> best_steps(SquaredError(), np.zeros(2), H, np.array([1.0, 5.0]))
    array([ 3., -2.])
    """

    def slopes(c: Array) -> Array:
        return np.asarray(np.sum(loss.derivative(f + c[:, None] * H, y) * H, axis=1))

    if np.any(endless := loss.endless(H, y)):
        raise ValueError(
            f"H must leave each function a best coefficient, got none for row {int(endless.argmax())}; "
            "it makes no error (or only errors), so that the loss falls for ever: no other function is needed"
        )
    down = np.where(slopes(np.zeros(len(H))) > 0, -1.0, 1.0)  # the way in which the loss falls
    near, far = np.zeros(len(H)), np.ones(len(H))
    while np.any(falling := down * slopes(down * far) < 0) and far.max() < FARTHEST:
        near, far = np.where(falling, far, near), np.where(falling, 2 * far, far)
    for _ in range(HALVINGS):
        half = (near + far) / 2
        falling = down * slopes(down * half) < 0
        near, far = np.where(falling, half, near), np.where(falling, far, half)
    return down * (near + far) / 2


def forward_stagewise(
    X: Any,
    y: Any,
    loss: BoostingLoss,
    base: Sequence[PointFunction],
    rounds: int,
    *,
    start: float = 0.0,
) -> Additive:
    r"""Fit an additive model stage by stage, each with the best function and coefficient there are.

    Round m solves :math:`(c_m,h^m)=\arg\min_{c,h}\sum_iL(f^{m-1}(x_i)+c\,h(x_i),y_i)` over all c and all
    functions of a finite family, and adds :math:`c_mh^m`; of functions that are equally good, up to rounding,
    the first goes first. So the training loss never rises.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        The targets.
    loss : BoostingLoss
        The loss, convex.
    base : sequence of callables
        The family: functions of an ``(m, d)`` array with m values.
    rounds : int
        The number of functions to add.
    start : float
        The constant to start from.

    References
    ----------
    Friedman, Hastie and Tibshirani, *Additive logistic regression: a statistical view of boosting*, 2000.

    Examples
    --------
    With the exponential loss and all stumps this is AdaBoost, with half its coefficients (up to the sign of
    stump and coefficient together):

    >>> from lecturekit.adaboost import adaboost
    >>> from lecturekit.boosting_losses import ExponentialError
    >>> from lecturekit.stumps import Stump
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, -1, -1, 1]
    >>> stumps = [Stump(feature=0, threshold=t, sign=1.0) for t in (-np.inf, 1.5, 2.5, 3.5, 4.5)]
    >>> model = forward_stagewise(X, y, ExponentialError(), stumps, rounds=3)
    >>> bool(np.allclose(model(X), adaboost(X, y, 3).decision(X) / 2))
    True
    """
    X = _check.matrix(X, copy=False)
    y = loss.targets(y, len(X))
    rounds = _check.count(rounds, "rounds", "each adds a function")
    if len(base) == 0:
        raise ValueError("base must hold at least one function, got none; list those to choose from")
    H = np.array([h(X) for h in base], dtype=np.float64)
    f = np.full(len(X), _check.real(start, "start"))
    functions, coefficients, losses = list[PointFunction](), list[float](), [float(loss(f, y).mean())]
    for _ in range(rounds):
        c = best_steps(loss, f, H, y)
        totals = loss(f + c[:, None] * H, y).sum(axis=1)
        best = int(np.argmax(totals <= totals.min() * (1 + TIE)))  # the first of equals
        f = f + c[best] * H[best]
        functions.append(base[best])
        coefficients.append(float(c[best]))
        losses.append(float(loss(f, y).mean()))
    return Additive(
        start=float(start), functions=tuple(functions), c=np.array(coefficients), losses=np.array(losses)
    )


# -- gradient boosting -------------------------------------------------------------------------------------


def tree_grower(X: Any, *, depth: int, min_leaf: int, bins: int | None) -> tuple[Array, Grower]:
    """Prepare points for many trees: sort them once, or put them into bins.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    bins : int, optional
        The most bins of a feature; None for thresholds between all values.

    Returns
    -------
    X : array of shape (n, d)
        The points, checked.
    grow : callable
        ``grow(z)`` fits a tree to the targets z and returns it with the leaf of each point.

    Examples
    --------
    >>> X, grow = tree_grower([[1.0], [2.0], [3.0]], depth=1, min_leaf=1, bins=None)
    >>> tree, leaf = grow(np.array([0.0, 0.0, 6.0]))
    >>> tree.value[leaf]
    array([0., 0., 6.])
    """
    X = np.asfortranarray(_check.matrix(X, copy=False), dtype=np.float64)
    depth = _check.count(depth, "depth", "a tree of depth 1 makes one cut")
    min_leaf = _check.count(min_leaf, "min_leaf", "a leaf has a mean, and so a row")
    if bins is None:
        order = presort(X)
        return X, lambda z: grow_tree(X, z, order, depth=depth, min_leaf=min_leaf)
    edges = bin_edges(X, bins)
    B = binned(X, edges)
    return X, lambda z: grow_histogram_tree(B, z, edges, depth=depth, min_leaf=min_leaf)


def gradient_boosting(
    X: Any,
    y: Any,
    *,
    loss: BoostingLoss | None = None,
    rounds: int = 100,
    depth: int = 3,
    learning_rate: float = 0.1,
    min_leaf: int = 1,
    bins: int | None = None,
    base: BaseRegressor | None = None,
) -> Additive:
    r"""Fit an additive model by gradient boosting.

    A round fits a function :math:`h^m` by least squares to the negative slopes
    :math:`z_i=-\partial L(r,y_i)/\partial r` at :math:`r=f^{m-1}(x_i)`. By default it is a regression tree,
    whose leaves get the values :math:`\gamma_j=\arg\min_\gamma\sum_{x_i\in R_j}L(f^{m-1}(x_i)+\gamma,y_i)`
    (for the logistic and exponential losses one Newton step towards it). Any other ``base`` gets one
    coefficient by line search, :math:`c_m=\arg\min_{c\ge0}\sum_iL(f^{m-1}(x_i)+c\,h^m(x_i),y_i)`. What is
    added is a share of that, the learning rate.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        The targets; labels -1 and +1 for the logistic and exponential losses.
    loss : BoostingLoss, optional
        The loss; by default the squared error.
    rounds : int
        The number of functions to add.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    learning_rate : float
        The share of each step that is made, above 0; with 1 the algorithm is that of the lecture.
    bins : int, optional
        Look for thresholds between that many bins of each feature, up to 255, not between all its values.
    base : callable, optional
        ``base(X, z)`` fits the targets z by least squares and returns a function; in place of trees.

    References
    ----------
    Friedman, *Greedy function approximation: a gradient boosting machine*, 2001.

    Examples
    --------
    With the squared error and full steps the first tree fits the residuals of the mean:

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 9.0]
    >>> model = gradient_boosting(X, y, rounds=1, depth=1, learning_rate=1.0)
    >>> model.start, model.functions[0](X), model.losses
    (4.0, array([-3., -3.,  3.,  3.]), array([11.,  2.]))
    """
    loss = SquaredError() if loss is None else loss
    X, grow = tree_grower(X, depth=depth, min_leaf=min_leaf, bins=bins)
    y = loss.targets(y, len(X))
    rounds = _check.count(rounds, "rounds", "each adds a function")
    rate = _check.positive(learning_rate, "learning_rate", "it is the share of a step that is made")
    start = loss.start(y)
    f = np.full(len(X), start)
    functions, coefficients, losses = list[PointFunction](), list[float](), [float(loss(f, y).mean())]
    for _ in range(rounds):
        z = -loss.derivative(f, y)
        if base is None:
            tree, leaf = grow(z)
            tree = tree.with_values(loss.leaf_values(f, y, leaf, len(tree.feature)))
            step, c = tree.value[leaf], rate
            functions.append(tree)
        else:
            h = base(X, z)
            step = _check.vector(h(X), len(X), "base(X, z)(X)")
            c = rate * max(0.0, float(best_steps(loss, f, step[None], y)[0]))
            functions.append(h)
        f = f + c * step
        coefficients.append(c)
        losses.append(float(loss(f, y).mean()))
    return Additive(
        start=start, functions=tuple(functions), c=np.array(coefficients), losses=np.array(losses)
    )
