r"""The rounds of boosting: AdaBoost, forward stagewise fitting, gradient boosting, and several classes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from lecturekit import _check
from lecturekit._typing import Array, ArrayLike, PointFunction
from lecturekit.boosting._losses import BoostingLoss, LogisticError, SquaredError
from lecturekit.trees import Stump, Tree, stump_finder, tree_grower


def _last(stages: Iterable[Array]) -> Array:
    """Return the last of some stages."""
    for stage in stages:
        last = stage
    return last


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

    def staged(self, X: ArrayLike, *, half: bool = False) -> Iterator[Array]:
        r"""Yield :math:`\sum_{j\le m}\alpha_jh^j` at the rows of ``X`` after each round m, or half of it."""
        points = _check.matrix(X, copy=False)
        score = np.zeros(len(points))
        for c, stump in zip(self.c if half else self.alphas, self.stumps, strict=True):
            score = score + c * stump(points)
            yield score

    def decision(self, X: ArrayLike, *, half: bool = False) -> Array:
        r"""Return :math:`\sum_m\alpha_mh^m` at the rows of ``X``, shape (m,), or half of it, the model f."""
        return _last(chain([np.zeros(np.shape(X)[:1])], self.staged(X, half=half)))


def adaboost(X: ArrayLike, y: ArrayLike, rounds: int, *, keep_weights: bool = False) -> AdaBoosted:
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

    Examples
    --------
    No stump tells the middle from the two ends; three of them together do.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, -1, -1, 1]
    >>> found = adaboost(X, y, rounds=3)
    >>> found.errors.round(3), np.sign(found.decision(X))
    (array([0.2  , 0.25 , 0.167]), array([ 1.,  1., -1., -1.,  1.]))
    """
    points, find = stump_finder(X)
    signs = _check.signs(y, len(points), both=False)
    rounds = _check.count(rounds, "rounds", "each adds a stump")
    w = np.full(len(points), 1 / len(points))
    stumps, alphas, errors, log, stopped = list[Stump](), list[float](), list[float](), [w], "rounds"
    while len(stumps) < rounds and stopped == "rounds":
        stump = find(w * signs)
        wrong = stump(points) != signs
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


# -- additive models ---------------------------------------------------------------------------------------

EQUAL_LOSSES = 1e-12  # relative: losses this close are equal
HALVINGS = 60  # of an interval: down to the last digit of its length
FARTHEST = 2.0**500  # no coefficient is larger

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

    def staged(self, X: ArrayLike) -> Iterator[Array]:
        r"""Yield :math:`f^0,\dots,f^M` at the rows of ``X``."""
        points = np.ascontiguousarray(_check.matrix(X, copy=False), dtype=np.float64)
        f = np.full(len(points), self.start)
        yield f
        for c, h in zip(self.c, self.functions, strict=True):
            f = f + c * h(points)
            yield f

    def __call__(self, X: ArrayLike) -> Array:
        """Return the values at the rows of ``X``, shape (m,)."""
        return _last(self.staged(X))


def best_steps(loss: BoostingLoss, f: Array, H: Array, y: Array) -> Array:
    r"""Return :math:`\arg\min_c\sum_iL(f_i+ch_i,y_i)` for each row h of ``H``, by bisection of the slope."""

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
    X: ArrayLike,
    y: ArrayLike,
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

    >>> from lecturekit.boosting import ExponentialError
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, -1, -1, 1]
    >>> stumps = [Stump(feature=0, threshold=t, sign=1.0) for t in (-np.inf, 1.5, 2.5, 3.5, 4.5)]
    >>> model = forward_stagewise(X, y, ExponentialError(), stumps, rounds=3)
    >>> bool(np.allclose(model(X), adaboost(X, y, 3).decision(X) / 2))
    True
    """
    points = _check.matrix(X, copy=False)
    targets = loss.targets(y, len(points))
    rounds = _check.count(rounds, "rounds", "each adds a function")
    if len(base) == 0:
        raise ValueError("base must hold at least one function, got none; list those to choose from")
    H = np.array([h(points) for h in base], dtype=np.float64)
    f = np.full(len(points), _check.real(start, "start"))
    functions, coefficients, losses = list[PointFunction](), list[float](), [float(loss(f, targets).mean())]
    for _ in range(rounds):
        c = best_steps(loss, f, H, targets)
        totals = loss(f + c[:, None] * H, targets).sum(axis=1)
        best = int(np.argmax(totals <= totals.min() * (1 + EQUAL_LOSSES)))  # the first of equals
        f = f + c[best] * H[best]
        functions.append(base[best])
        coefficients.append(float(c[best]))
        losses.append(float(loss(f, targets).mean()))
    return Additive(
        start=float(start), functions=tuple(functions), c=np.array(coefficients), losses=np.array(losses)
    )


# -- gradient boosting -------------------------------------------------------------------------------------


def gradient_boosting(
    X: ArrayLike,
    y: ArrayLike,
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

    Examples
    --------
    With the squared error and full steps the first tree fits the residuals of the mean:

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 9.0]
    >>> model = gradient_boosting(X, y, rounds=1, depth=1, learning_rate=1.0)
    >>> model.start, model.functions[0](X), model.losses
    (4.0, array([-3., -3.,  3.,  3.]), array([11.,  2.]))
    """
    loss = SquaredError() if loss is None else loss
    points, grow = tree_grower(X, depth=depth, min_leaf=min_leaf, bins=bins)
    targets = loss.targets(y, len(points))
    rounds = _check.count(rounds, "rounds", "each adds a function")
    rate = _check.positive(learning_rate, "learning_rate", "it is the share of a step that is made")
    start = loss.start(targets)
    f = np.full(len(points), start)
    functions, coefficients, losses = list[PointFunction](), list[float](), [float(loss(f, targets).mean())]
    for _ in range(rounds):
        z = -loss.derivative(f, targets)
        if base is None:
            tree, leaf = grow(z)
            tree = tree.with_values(loss.leaf_values(f, targets, leaf, len(tree.feature)))
            step, c = tree.value[leaf], rate
            functions.append(tree)
        else:
            h = base(points, z)
            step = _check.vector(h(points), len(points), "base(X, z)(X)")
            c = rate * max(0.0, float(best_steps(loss, f, step[None], targets)[0]))
            functions.append(h)
        f = f + c * step
        coefficients.append(c)
        losses.append(float(loss(f, targets).mean()))
    return Additive(
        start=start, functions=tuple(functions), c=np.array(coefficients), losses=np.array(losses)
    )


# -- several classes ---------------------------------------------------------------------------------------


def link(F: ArrayLike) -> Array:
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
    scores = _check.matrix(F, "F")
    padded = np.column_stack([scores, np.zeros(len(scores))])
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

    def staged(self, X: ArrayLike) -> Iterator[Array]:
        r"""Yield the functions :math:`f_k` at the rows of ``X``, shape (m, K - 1), round by round."""
        points = np.ascontiguousarray(_check.matrix(X, copy=False), dtype=np.float64)
        F = np.tile(self.start, (len(points), 1))
        yield F
        for trees in self.trees:
            F = F + self.learning_rate * np.column_stack([tree(points) for tree in trees])
            yield F

    def scores(self, X: ArrayLike) -> Array:
        r"""Return the functions :math:`f_k` at the rows of ``X``, shape (m, K - 1)."""
        return _last(self.staged(X))

    def probabilities(self, X: ArrayLike) -> Array:
        """Return the probabilities of the classes, shape (m, K)."""
        return link(self.scores(X))


def multiclass_boosting(
    X: ArrayLike,
    y: ArrayLike,
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
    :func:`gradient_boosting` of the logistic loss, where the first class is the +1.

    Parameters are those of :func:`gradient_boosting`, but ``y`` holds labels of any kind, of two classes at
    least, and each of the rounds adds K - 1 trees.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    >>> model = multiclass_boosting(X, y, rounds=20, depth=2)
    >>> "".join(model.classes[model.probabilities(X).argmax(axis=1)]), bool(model.losses[-1] < 0.2)
    ('aabbcc', True)
    """
    points, grow = tree_grower(X, depth=depth, min_leaf=min_leaf, bins=bins)
    labels = _check.labels(y, "y", "class")
    _check.present(labels, "y")
    classes, code = np.unique(labels, return_inverse=True)
    if len(labels) != len(points):
        raise ValueError(f"y must have shape ({len(points)},), got {labels.shape}; give one label a point")
    if len(classes) < 2:
        raise ValueError(f"y must contain at least two classes, got one class: {classes[0]!r}")
    rounds = _check.count(rounds, "rounds", "each adds a tree to every function")
    rate = _check.positive(learning_rate, "learning_rate", "it is the share of a step that is made")
    loss = LogisticError()
    share, rows, zero = np.bincount(code) / len(code), np.arange(len(code)), np.zeros(len(code))
    start = np.log(share[:-1] / share[-1])
    F = np.tile(start, (len(points), 1))
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
