r"""Learning curves: the expected error in the sample and outside it, against the size of the sample."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import clone

from lecturekit import _check
from lecturekit._typing import Array, PointFunction
from lecturekit.batched import polynomial_draws

__all__ = ["LearningCurve", "OLSErrors", "learning_curve", "ols_errors", "polynomial_curve", "squared_error"]

Sampler: TypeAlias = Callable[[int, np.random.Generator], tuple[Array, Array]]
"""Draws a data set: from a size and a generator to X and y."""

NODES = 64  # of the integral over x: exact for squares of polynomials up to degree 63


@dataclass(frozen=True, kw_only=True, eq=False)
class LearningCurve:
    """Mean errors over many data sets of each size.

    Attributes
    ----------
    sizes : array of shape (s,)
        The sizes of the training sets.
    e_in, e_out : array of shape (s,)
        The mean error on the training set and on new points.
    se_in, se_out : array of shape (s,)
        Their standard errors.
    n_sets : int
        Data sets a size.
    """

    sizes: Array
    e_in: Array = field(repr=False)
    e_out: Array = field(repr=False)
    se_in: Array = field(repr=False)
    se_out: Array = field(repr=False)
    n_sets: int


def _curve(sizes: list[int], errors: Any) -> LearningCurve:
    """Average errors of shape (sizes, sets, 2) over the sets."""
    errors = np.asarray(errors)
    n_sets = errors.shape[1]
    spread = errors.std(axis=1, ddof=min(1, n_sets - 1)) / np.sqrt(n_sets)
    (e_in, e_out), (se_in, se_out) = errors.mean(axis=1).T, spread.T
    return LearningCurve(
        sizes=np.array(sizes), e_in=e_in, e_out=e_out, se_in=se_in, se_out=se_out, n_sets=n_sets
    )


def _sizes(sizes: Sequence[int]) -> list[int]:
    """Return the sizes of data sets."""
    return [_check.count(n, "each size", "a data set needs a point") for n in sizes]


def squared_error(y: Array, predicted: Array) -> Array:
    """Return the squared error of each prediction.

    Parameters
    ----------
    y, predicted : array of shape (m,)
        Labels and predictions.

    Examples
    --------
    >>> squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0])).tolist()
    [0.0, 4.0]
    """
    return np.asarray((y - predicted) ** 2)


def learning_curve(
    sample: Sampler,
    learner: Any,
    sizes: Sequence[int],
    *,
    n_sets: int,
    rng: np.random.Generator | int,
    n_test: int = 1000,
    loss: Callable[[Array, Array], Array] = squared_error,
) -> LearningCurve:
    r"""Simulate the learning curves of any learner.

    For each size n and each of ``n_sets`` data sets of that size the learner is fitted, and its mean loss is
    taken on the data set and on ``n_test`` fresh points. Sizes and sets have generators of their own.

    Parameters
    ----------
    sample : callable
        ``sample(n, rng)`` returns X of shape (n, d) and y of shape (n,).
    learner : callable or estimator
        A function from X and y to a predictor, which maps points to predictions, or an estimator with
        ``fit`` and ``predict``.
    sizes : sequence of int
        The sizes of the training sets.
    n_sets : int
        Data sets a size.
    rng : Generator or int
        The source of randomness, or its seed.
    n_test : int
        Fresh points for each data set.
    loss : callable
        From labels and predictions to losses; the squared error by default.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, section 2.3.2.

    Examples
    --------
    The mean of n labels with noise of variance 1 has the errors 1 - 1/n and 1 + 1/n:

    >>> def sample(n, rng):
    ...     return np.zeros((n, 1)), rng.standard_normal(n)
    >>> def mean(X, y):
    ...     return lambda Z: np.full(len(Z), y.mean())
    >>> curve = learning_curve(sample, mean, [4], n_sets=2000, rng=0)
    >>> bool(abs(curve.e_in[0] - 0.75) < 0.05), bool(abs(curve.e_out[0] - 1.25) < 0.05)
    (True, True)
    """
    n_sets = _check.count(n_sets, "n_sets", "draw at least one data set")
    n_test = _check.count(n_test, "n_test", "test on at least one point")
    sizes, errors = _sizes(sizes), []
    for n, source in zip(sizes, _check.generator(rng).spawn(len(sizes)), strict=True):
        pairs = []
        for stream in source.spawn(n_sets):
            X, y = sample(n, stream)
            predict = clone(learner).fit(X, y).predict if hasattr(learner, "fit") else learner(X, y)
            Z, z = sample(n_test, stream)
            pairs.append([np.mean(loss(y, predict(X))), np.mean(loss(z, predict(Z)))])
        errors.append(pairs)
    return _curve(sizes, errors)


def polynomial_curve(
    f: PointFunction,
    degree: int,
    sizes: Sequence[int],
    *,
    n_sets: int,
    rng: np.random.Generator | int,
    sigma: float = 0.0,
) -> LearningCurve:
    r"""Simulate the learning curves of polynomials on :math:`y=f(x)+\sigma\varepsilon`, x uniform on [-1, 1].

    Many data sets are fitted in one go, and the error outside is integrated instead of sampled:
    :math:`E_{\text{out}}=\sigma^2+\frac12\int_{-1}^1(g(x)-f(x))^2dx`. With noise and a degree q > 0 its mean
    over data sets is infinite for :math:`q<n\le2q+1`; what is simulated there estimates nothing.

    Parameters
    ----------
    f : callable
        The target, evaluated on an array of any shape.
    degree : int
        The degree of the polynomials.
    sizes : sequence of int
        The sizes of the training sets.
    n_sets : int
        Data sets a size.
    rng : Generator or int
        The source of randomness, or its seed.
    sigma : float
        The standard deviation of the noise.

    Examples
    --------
    A model that contains the target: :math:`\sigma^2(1-2/n)` in the sample.

    >>> curve = polynomial_curve(lambda x: 1 + x, 1, [8], n_sets=20_000, rng=0, sigma=1.0)
    >>> bool(abs(curve.e_in[0] - 0.75) < 0.02)
    True
    """
    n_sets = _check.count(n_sets, "n_sets", "draw at least one data set")
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    sizes, errors = _sizes(sizes), []
    for n, source in zip(sizes, _check.generator(rng).spawn(len(sizes)), strict=True):
        pairs = [
            [np.mean(draw.residuals() ** 2, axis=1), (draw.fits(nodes) - f(nodes)) ** 2 @ weights / 2]
            for draw in polynomial_draws(f, n, degree, n_sets=n_sets, rng=source, sigma=sigma)
        ]
        errors.append(np.concatenate(pairs, axis=1).T + np.array([0.0, sigma**2]))
    return _curve(sizes, errors)


# -- least squares, exactly ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OLSErrors:
    """Expected errors of least squares with d inputs and an intercept, where the truth is linear.

    Attributes
    ----------
    n : array of shape (s,)
        The sizes of the training sets.
    e_in : array of shape (s,)
        On the training set itself.
    e_same : array of shape (s,)
        On fresh labels at the inputs of the training set.
    e_fresh : array of shape (s,)
        On fresh labels at fresh inputs, all normal; infinite where n is d + 1 or d + 2, if d > 0.
    """

    n: Array
    e_in: Array
    e_same: Array
    e_fresh: Array


def ols_errors(n: Any, d: int, *, sigma: float = 1.0) -> OLSErrors:
    r"""Return the expected errors of ordinary least squares on n points.

    Let :math:`y=b+\langle w,x\rangle+\varepsilon` with noise of mean zero and variance :math:`\sigma^2`, not
    correlated, whatever the inputs, and let the n x (d+1) matrix of inputs with a leading one have full
    rank. Then

    .. math:: \mathbb E E_{\text{in}}&=\sigma^2\Bigl(1-\frac{d+1}n\Bigr),\quad
              \mathbb E E_{\text{same}}=\sigma^2\Bigl(1+\frac{d+1}n\Bigr),\\
              \mathbb E E_{\text{fresh}}&=\sigma^2\Bigl(1+\frac1n\Bigr)\frac{n-2}{n-d-2},

    the last for inputs drawn independently from one normal law with an invertible covariance matrix.

    Parameters
    ----------
    n : int or array of shape (s,)
        Sizes of training sets, at least d + 1.
    d : int
        The number of inputs, without the leading one.
    sigma : float
        The standard deviation of the noise.

    References
    ----------
    Abu-Mostafa, Magdon-Ismail and Lin, *Learning From Data*, 2012, exercise 3.4; the last from the mean of an
    inverted Wishart matrix, Mardia, Kent and Bibby, *Multivariate Analysis*, 1979, section 3.8.

    Examples
    --------
    Twenty points, ten inputs: fresh inputs cost more than the error at the old ones tells.

    >>> errors = ols_errors([20], 10)
    >>> [e.round(4).tolist() for e in (errors.e_in, errors.e_same, errors.e_fresh)]
    [[0.45], [1.55], [2.3625]]
    """
    d = _check.count(d, "d", "zero fits a constant", least=0)
    sigma = _check.positive(sigma, "sigma", "without noise the fit is exact")
    size = np.array(
        [_check.count(one, "n", "with fewer points than weights the fit is not unique", least=d + 1)
         for one in np.atleast_1d(n).tolist()],
        dtype=np.float64,
    )  # fmt: skip
    left = size - d - 2  # degrees of freedom of a chi-squared variable, minus two
    inflated = np.divide(size - 2, left, out=np.full(len(size), np.inf), where=left > 0)
    if d == 0:
        inflated = np.ones(len(size))  # only a mean: no inverse is taken
    return OLSErrors(
        n=size,
        e_in=sigma**2 * (1 - (d + 1) / size),
        e_same=sigma**2 * (1 + (d + 1) / size),
        e_fresh=sigma**2 * (1 + 1 / size) * inflated,
    )
