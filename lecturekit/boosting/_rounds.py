r"""Boosting of several classes: the probabilities of K classes from K - 1 additive models.

With the last class as reference, :math:`f_k=\log(p_k/p_K)` may be any number, and each of the K - 1 functions
is fitted as in regression: the loop over the classes is inside the loop over the rounds.

Additive models, fitted one function at a time: forward stagewise fitting and gradient boosting.

All of them look for :math:`f^M=f^0+\sum_{m=1}^Mc_mh^m` with a small :math:`\sum_iL(f^M(x_i),y_i)` and
never change what they have added. Forward stagewise fitting takes the best function and coefficient of all;
gradient boosting fits a function to the negative slopes :math:`z_i=-\partial L(r,y_i)/\partial r` at
:math:`r=f^{m-1}(x_i)` by least squares, which any regression can do, whatever the loss.

Discrete AdaBoost: decision stumps, each fitted to the points that those before it got wrong.

Every point has a weight. A round takes the stump :math:`h^m` with the least weighted error :math:`E_m`,
gives it the vote :math:`\alpha_m=\log\frac{1-E_m}{E_m}` and multiplies the weights of the points it got wrong
by :math:`e^{\alpha_m}`: under the new weights its error is one half, so that the next one has to differ.
The classifier is the sign of :math:`\sum_m\alpha_mh^m`. Half of that sum,
:math:`f=\sum_m\tfrac12\alpha_mh^m`, is the additive model that forward stagewise fitting of the
exponential loss finds.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from lecturekit import _check
from lecturekit._typing import Array, Indices, PointFunction
from lecturekit.boosting._losses import BoostingLoss, LogisticError, SquaredError
from lecturekit.trees import (
    Stump,
    Tree,
    bin_edges,
    binned,
    grow_histogram_tree,
    grow_tree,
    presort,
    search_stump,
)

# -- AdaBoost ----------------------------------------------------------------------------------------------

CHANCE = 0.5 - 1e-12  # an error from here on is one half but for rounding


@dataclass(frozen=True, kw_only=True, eq=False)
class AdaBoosted:
    r"""What AdaBoost found.

    Attributes
    ----------
    stumps : tuple of Stump
        The stumps :math:`h^m`, M of them.
    alphas : array of shape (M,)
        Their votes :math:`\alpha_m=\log\frac{1-E_m}{E_m}` in the sum; 1 for a stump without errors.
    errors : array of shape (M,)
        Their weighted errors :math:`E_m`.
    stopped : str
        "rounds" if all rounds were made; "perfect" if a stump made no error, which ends the algorithm;
        "chance" if no stump was better than a coin, :math:`E_m\ge\frac12`: that one is not taken.
    weights : array of shape (M + 1, n), optional
        The weights of the points before each round and after the last, with sum one, if they were kept.
    """

    stumps: tuple[Stump, ...] = field(repr=False)
    alphas: Array = field(repr=False)
    errors: Array = field(repr=False)
    stopped: str
    weights: Array | None = field(default=None, repr=False)

    @property
    def n_iter(self) -> int:
        """The number M of stumps."""
        return len(self.stumps)

    @property
    def c(self) -> Array:
        r"""The coefficients :math:`c_m=\tfrac12\alpha_m` of the additive model."""
        return self.alphas / 2

    @property
    def bounds(self) -> Array:
        r"""The bounds :math:`\prod_{j\le m}2\sqrt{E_j(1-E_j)}` of the training error after each round."""
        return np.cumprod(2 * np.sqrt(self.errors * (1 - self.errors)))

    @property
    def training_bound(self) -> float:
        """The bound of the training error after the last round, one if there was none."""
        return float(self.bounds[-1]) if self.stumps else 1.0

    @property
    def gap(self) -> float:
        """How far the training error may be from zero, which is the bound."""
        return self.training_bound

    def staged(self, X: Any, *, half: bool = False) -> Iterator[Array]:
        r"""Yield :math:`\sum_{j\le m}\alpha_jh^j` at the rows of ``X`` after each round m, or half of it."""
        X = _check.matrix(X, copy=False)
        score = np.zeros(len(X))
        for c, stump in zip(self.c if half else self.alphas, self.stumps, strict=True):
            score = score + c * stump(X)
            yield score

    def decision(self, X: Any, *, half: bool = False) -> Array:
        r"""Return :math:`\sum_m\alpha_mh^m` at the rows of ``X``, shape (m,), or half of it, the model f."""
        stages = deque(self.staged(X, half=half), maxlen=1)
        return stages.pop() if stages else np.zeros(len(X))


def adaboost(X: Any, y: Any, rounds: int, *, keep_weights: bool = False) -> AdaBoosted:
    r"""Run discrete AdaBoost with decision stumps.

    A stump without errors can only come in the first round, since no weight is ever zero: what is right at
    every point is right under all weights. The algorithm then stops, as :math:`\alpha_1` would be infinite.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels -1 and +1.
    rounds : int
        The most rounds.
    keep_weights : bool
        Whether to keep the weights of all rounds.

    References
    ----------
    Freund and Schapire, *A decision-theoretic generalization of on-line learning and an application to
    boosting*, 1997.

    Examples
    --------
    No stump tells the middle from the two ends; three of them together do.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, -1, -1, 1]
    >>> found = adaboost(X, y, rounds=3)
    >>> found.errors.round(3), np.sign(found.decision(X))
    (array([0.2  , 0.25 , 0.167]), array([ 1.,  1., -1., -1.,  1.]))
    """
    X = np.asfortranarray(_check.matrix(X, copy=False), dtype=np.float64)
    y = _check.signs(y, len(X), both=False)
    rounds = _check.count(rounds, "rounds", "each adds a stump")
    order, w = presort(X), np.full(len(X), 1 / len(X))
    stumps, alphas, errors, log, stopped = list[Stump](), list[float](), list[float](), [w], "rounds"
    while len(stumps) < rounds and stopped == "rounds":
        stump = search_stump(X, order, w * y)
        wrong = stump(X) != y
        E = float(w[wrong].sum())
        if E >= CHANCE:
            stopped = "chance"
            break
        alpha = np.log((1 - E) / E) if E > 0 else 1.0
        if E > 0:
            w = np.where(wrong, w * np.exp(alpha), w)
            w = w / w.sum()
        else:
            stopped = "perfect"
        stumps.append(stump)
        alphas.append(float(alpha))
        errors.append(E)
        if keep_weights:
            log.append(w)
    return AdaBoosted(
        stumps=tuple(stumps),
        alphas=np.array(alphas),
        errors=np.array(errors),
        stopped=stopped,
        weights=np.array(log) if keep_weights else None,
    )


# -- gradient boosting -------------------------------------------------------------------------------------

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

    >>> from lecturekit.boosting import adaboost
    >>> from lecturekit.boosting import ExponentialError
    >>> from lecturekit.trees import Stump
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


# -- several classes ---------------------------------------------------------------------------------------


def link(F: Any) -> Array:
    r"""Return the probabilities of K classes from K - 1 functions.

    :math:`p_k=e^{f_k}/(1+\sum_{j<K}e^{f_j})` for k < K and :math:`p_K=1/(1+\sum_{j<K}e^{f_j})`: the softmax
    with :math:`f_K=0`.

    Parameters
    ----------
    F : array of shape (m, K - 1)
        The values of the functions.

    Examples
    --------
    >>> link([[0.0, 0.0], [np.log(2), 0.0]])
    array([[0.33333333, 0.33333333, 0.33333333],
           [0.5       , 0.25      , 0.25      ]])
    """
    F = _check.matrix(F, "F")
    padded = np.column_stack([F, np.zeros(len(F))])
    E = np.exp(padded - padded.max(axis=1, keepdims=True))  # the same ratios, and no overflow
    return np.asarray(E / E.sum(axis=1, keepdims=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class Multiclass:
    r"""A boosted classifier of K classes with K - 1 additive models; the last class is the reference.

    Attributes
    ----------
    classes : array of shape (K,)
        The labels.
    start : array of shape (K - 1,)
        The constants to start from, :math:`\log(n_k/n_K)`.
    trees : tuple of tuples of Tree
        For each round the trees of the classes 1 to K - 1.
    learning_rate : float
        What the trees are multiplied by.
    losses : array of shape (M + 1,)
        The mean of :math:`-\log p_{y_i}(x_i)` over the training points, at the start and after each round.
    """

    classes: NDArray[Any]
    start: Array = field(repr=False)
    trees: tuple[tuple[Tree, ...], ...] = field(repr=False)
    learning_rate: float
    losses: Array = field(repr=False)

    def staged(self, X: Any) -> Iterator[Array]:
        r"""Yield the functions :math:`f_k` at the rows of ``X``, shape (m, K - 1), round by round."""
        X = np.ascontiguousarray(_check.matrix(X, copy=False), dtype=np.float64)
        F = np.tile(self.start, (len(X), 1))
        yield F
        for trees in self.trees:
            F = F + self.learning_rate * np.column_stack([tree(X) for tree in trees])
            yield F

    def scores(self, X: Any) -> Array:
        r"""Return the functions :math:`f_k` at the rows of ``X``, shape (m, K - 1)."""
        return deque(self.staged(X), maxlen=1).pop()

    def probabilities(self, X: Any) -> Array:
        """Return the probabilities of the classes, shape (m, K)."""
        return link(self.scores(X))


def multiclass_boosting(
    X: Any,
    y: Any,
    *,
    rounds: int = 100,
    depth: int = 3,
    learning_rate: float = 0.1,
    min_leaf: int = 1,
    bins: int | None = None,
) -> Multiclass:
    r"""Fit the probabilities of K classes by gradient boosting of K - 1 functions.

    Minimises :math:`-\sum_i\log p_{y_i}(x_i)`. Within a round the functions get a tree in turn, each with the
    probabilities that those before it have left: a tree for the negative slopes :math:`[y_i=k]-p_k(x_i)`,
    whose leaves make the Newton step :math:`\sum([y_i=k]-p_k)/\sum p_k(1-p_k)`. With two classes this is
    :func:`lecturekit.boosting.gradient_boosting` of the logistic loss, where the first class is the +1.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    y : array of shape (n,)
        Labels of any kind, of two classes at least.
    rounds : int
        The number of rounds, each with K - 1 trees.
    depth, min_leaf : int
        The most cuts on a way down a tree, and the fewest points in a leaf.
    learning_rate : float
        The share of each step that is made, above 0.
    bins : int, optional
        Look for thresholds between that many bins of each feature, up to 255, not between all its values.

    References
    ----------
    Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 10.10.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    >>> model = multiclass_boosting(X, y, rounds=20, depth=2)
    >>> "".join(model.classes[model.probabilities(X).argmax(axis=1)]), bool(model.losses[-1] < 0.2)
    ('aabbcc', True)
    """
    X, grow = tree_grower(X, depth=depth, min_leaf=min_leaf, bins=bins)
    y = _check.labels(y, "y", "class")
    classes, code = np.unique(y, return_inverse=True)
    if len(y) != len(X):
        raise ValueError(f"y must have shape ({len(X)},), got {y.shape}; give one label a point")
    if len(classes) < 2:
        raise ValueError(f"y must contain at least two classes, got one class: {classes[0]!r}")
    rounds = _check.count(rounds, "rounds", "each adds a tree to every function")
    rate = _check.positive(learning_rate, "learning_rate", "it is the share of a step that is made")
    loss = LogisticError()
    share, rows, zero = np.bincount(code) / len(code), np.arange(len(code)), np.zeros(len(code))
    start = np.log(share[:-1] / share[-1])
    F = np.tile(start, (len(X), 1))
    stages, losses = list[tuple[Tree, ...]](), [-float(np.log(share[code]).mean())]
    for _ in range(rounds):
        trees = []
        for k in range(len(start)):
            # as a function of f_k the loss is the logistic one of the log-odds of k against the others
            others = logsumexp(np.delete(np.column_stack([F, zero]), k, axis=1), axis=1)
            r, sign = F[:, k] - others, np.where(code == k, 1.0, -1.0)
            tree, leaf = grow(-loss.derivative(r, sign))
            trees.append(tree.with_values(loss.leaf_values(r, sign, leaf, len(tree.feature))))
            F[:, k] += rate * trees[-1].value[leaf]
        stages.append(tuple(trees))
        losses.append(-float(np.log(link(F)[rows, code]).mean()))
    return Multiclass(
        classes=classes, start=start, trees=tuple(stages), learning_rate=rate, losses=np.array(losses)
    )
