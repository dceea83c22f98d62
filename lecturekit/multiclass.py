r"""Boosting of several classes: the probabilities of K classes from K - 1 additive models.

With the last class as reference, :math:`f_k=\log(p_k/p_K)` may be any number, and each of the K - 1 functions
is fitted as in regression: the loop over the classes is inside the loop over the rounds.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from lecturekit import _check
from lecturekit._typing import Array
from lecturekit.boosting_losses import LogisticError
from lecturekit.stagewise import tree_grower
from lecturekit.trees import Tree

__all__ = ["Multiclass", "link", "multiclass_boosting"]


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
    :func:`lecturekit.stagewise.gradient_boosting` of the logistic loss, where the first class is the +1.

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
