"""The border: each message says argument, constraint and value, and each one is raised here."""

import ast
import pathlib
import re
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import sparse

import lecturekit
from lecturekit import (
    _check,
    data,
    descent,
    features,
    kernels,
    least_squares,
    logistic,
    losses,
    mercer,
    perceptron,
    psd,
    residuals,
    scda,
    separability,
    smo,
    softmax,
    svm,
    svm_dual,
    working_set,
    worlds,
)
from lecturekit._typing import Array
from lecturekit.batched import polynomial_draws, polynomial_fits, ridge_smoother
from lecturekit.bias_variance import decompose, majority, smoother_decomposition, vote_decomposition
from lecturekit.centring import centre
from lecturekit.composition import Constant, FeatureMap
from lecturekit.errors import NoFiniteFeatures
from lecturekit.kernels import RBF, Chi2, EditDistance, ExpChi2, Linear, Polynomial
from lecturekit.learning_curves import learning_curve, ols_errors, polynomial_curve
from lecturekit.penalized import (
    dual_point,
    dual_value,
    elastic_net,
    elastic_net_path,
    kkt_violation,
    lam_max,
    lasso,
    lasso_path,
    multitask_lasso,
    multitask_lasso_path,
    penalized_objective,
    ridge,
    ridge_path,
)
from lecturekit.rkhs import Expansion
from lecturekit.sine import sine_experiment

PACKAGE = pathlib.Path(lecturekit.__file__).parent
NAN = float("nan")
WHY = "it is what it is"
INDEFINITE = [[0.0, 1.0], [1.0, 0.0]]
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]
LOPSIDED_MESSAGE = "K must be symmetric, but K and its transpose differ by 1"
FLAT_MESSAGE = (
    "X must be a matrix of shape (n, d), got shape (2,); "
    "reshape one feature with X[:, None], one point with X[None, :]"
)
FALL_OFF = "a number > 0, got 0; the kernel must fall off with distance"
SEED_MESSAGE = "rng must be a whole number >= 0, got None; pass a seed or numpy.random.default_rng(seed)"
TOL_MESSAGE = "tol must be a number > 0, got 0; an exact solution is not to be had in floating point"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
ONE = descent.ConstantStep(1.0)


WORDS = data.words("ab", 4)


class Case(NamedTuple):
    """A call that must be refused, and the message."""

    call: Callable[[], object]
    message: str
    kind: type[Exception] = ValueError


def draw_zeros(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    return np.zeros((n, 1)), np.zeros(n)


def mean_of(X: Array, y: Array) -> Callable[[Array], Array]:
    return lambda Z: np.full(len(Z), y.mean())


def section(kernel: kernels.Kernel) -> Expansion:
    return Expansion(kernel, np.zeros((1, 1)), np.ones(1))


CASES = [
    # -- the validators themselves
    Case(lambda: _check.matrix([["a"]]), "X must hold real numbers, got [['a']]; could not convert"),
    Case(lambda: _check.matrix([[1.0], [2.0, 3.0]]), "X must hold real numbers, got [[1.0], [2.0, 3.0]]; "),
    Case(lambda: _check.matrix([[{}]]), "X must hold real numbers, got [[{}]]; "),
    Case(
        lambda: _check.matrix([[1.0, NAN, np.inf]]),
        "X must be finite, got 2 NaN or infinite entries; drop or impute them",
    ),
    Case(lambda: _check.matrix([[1j]]), "X must hold real numbers, got [[1j]]; take the real part"),
    Case(lambda: _check.matrix([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: _check.matrix(np.zeros((2, 2, 1)), "Z"),
        "Z must be a matrix of shape (n, d), got shape (2, 2, 1); "
        "reshape one feature with Z[:, None], one point with Z[None, :]",
    ),
    Case(
        lambda: _check.matrix(np.zeros((0, 3))),
        "X must have at least one row and one column, got shape (0, 3)",
    ),
    Case(
        lambda: _check.matrix([[]]),
        "X must have at least one row and one column, got shape (1, 0)",
    ),
    Case(
        lambda: _check.vector([1.0, 2.0], 3, "c"), "c must have shape (3,), got (2,); give one entry a point"
    ),
    Case(
        lambda: _check.vector([[1.0]], 1, "c"), "c must have shape (1,), got (1, 1); give one entry a point"
    ),
    Case(
        lambda: _check.symmetric(np.ones((2, 3))),
        "K must be square, got shape (2, 3); pass the Gram matrix of one set",
    ),
    Case(lambda: _check.symmetric(LOPSIDED), LOPSIDED_MESSAGE),
    Case(
        lambda: _check.same_width(np.ones((1, 2)), np.ones((1, 3))),
        "X and Z must have the same number of columns, got 2 and 3; apply the same features to both",
    ),
    Case(
        lambda: _check.bins([[0.0, -0.25]], "Z"),
        "Z must hold non-negative histogram bins, got a smallest entry of -0.25; "
        "shift or rescale the features to be counts or shares",
    ),
    Case(
        lambda: _check.strings("ab"),
        "X must be a non-empty list of strings, got 'ab'; wrap one string in a list",
    ),
    Case(
        lambda: _check.strings([]), "X must be a non-empty list of strings, got []; wrap one string in a list"
    ),
    Case(
        lambda: _check.strings(3), "X must be a non-empty list of strings, got 3; wrap one string in a list"
    ),
    Case(lambda: _check.strings(["a", 1]), "X must hold strings only, got 1; convert it with str()"),
    Case(lambda: _check.positive("1", "a", WHY), "a must be a number > 0, got '1'; pass one real number"),
    Case(lambda: _check.positive(True, "a", WHY), "a must be a number > 0, got True; pass one real number"),
    Case(
        lambda: _check.positive(np.True_, "a", WHY),
        f"a must be a number > 0, got {np.True_!r}; pass one real number",
    ),
    Case(lambda: _check.positive(NAN, "a", WHY), "a must be a number > 0, got nan; pass a finite number"),
    Case(lambda: _check.positive(0.0, "a", WHY), f"a must be a number > 0, got 0; {WHY}"),
    Case(lambda: _check.positive(-1.5, "a", WHY), f"a must be a number > 0, got -1.5; {WHY}"),
    Case(lambda: _check.nonnegative(-1e-9, "a", WHY), f"a must be a number >= 0, got -1e-09; {WHY}"),
    Case(
        lambda: _check.nonnegative(np.inf, "a", WHY), "a must be a number >= 0, got inf; pass a finite number"
    ),
    Case(
        lambda: _check.nonnegative([1.0], "a", WHY),
        "a must be a number >= 0, got [1.0]; pass one real number",
    ),
    Case(lambda: _check.count(0, "n", WHY), f"n must be a whole number >= 1, got 0; {WHY}"),
    Case(lambda: _check.count(2.0, "n", WHY), f"n must be a whole number >= 1, got 2.0; {WHY}"),
    Case(lambda: _check.count(True, "n", WHY), f"n must be a whole number >= 1, got True; {WHY}"),
    Case(lambda: _check.count(4, "n", WHY, least=5), f"n must be a whole number >= 5, got 4; {WHY}"),
    Case(
        lambda: _check.generator(-1),
        "rng must be a whole number >= 0, got -1; pass a seed or numpy.random.default_rng(seed)",
    ),
    # -- composition
    Case(
        lambda: list(Linear().blocks([[1.0]], rows=0)),
        "rows must be a whole number >= 1, got 0; a block needs at least one row",
    ),
    Case(lambda: Linear()([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: Linear()([[1.0]], [[1.0, 2.0]]),
        "X and Z must have the same number of columns, got 1 and 2; apply the same features to both",
    ),
    Case(
        lambda: Linear()([[1.0]], [1.0]),
        "Z must be a matrix of shape (n, d), got shape (1,); "
        "reshape one feature with Z[:, None], one point with Z[None, :]",
    ),
    Case(
        lambda: Linear() ** 0,
        "power must be a whole number >= 1, got 0; only whole powers of a kernel are sure to be kernels",
    ),
    Case(
        lambda: Linear() ** 0.5,  # type: ignore[operator]
        "power must be a whole number >= 1, got 0.5; only whole powers of a kernel are sure to be kernels",
    ),
    Case(
        lambda: -2.0 * Linear(),
        "the constant must be a number >= 0, got -2; a negative constant has a negative Gram matrix",
    ),
    Case(
        lambda: Linear() + "one",  # type: ignore[operator]
        "the constant must be a number >= 0, got 'one'; pass one real number",
    ),
    Case(
        lambda: FeatureMap(lambda X: X[:, 0])([[1.0], [2.0]]),
        "phi(X) must be a matrix of shape (n, d), got shape (2,)",
    ),
    Case(
        lambda: FeatureMap(lambda X: X[:1])([[1.0], [2.0]]),
        "phi(X) must have one row a point, got 1 rows for 2 points",
    ),
    Case(
        lambda: Linear().rescaled(lambda X: X)([[1.0], [2.0]]),
        "f(X) must have shape (2,), got (2, 1); give one entry a point",
    ),
    Case(
        lambda: Linear().exp()([[30.0]]),
        "exp(k) needs k <= 700 on these points, got 900; scale the kernel or the data down",
    ),
    Case(
        lambda: RBF(gamma=2.0).features([[1.0]]),
        "RBF(gamma=2.0) has no finite feature map that serves all inputs; "
        "use gram_factor(k(X)) for features of the given points",
        NoFiniteFeatures,
    ),
    # -- kernels
    Case(
        lambda: Polynomial(degree=0),
        "degree must be a whole number >= 1, got 0; other powers of 1 + <x, x'> are not positive definite",
    ),
    Case(
        lambda: Polynomial(degree=1.5),  # type: ignore[arg-type]
        "degree must be a whole number >= 1, got 1.5; other powers of 1 + <x, x'> are not positive definite",
    ),
    Case(
        lambda: Polynomial(offset=-1.0),
        "offset must be a number >= 0, got -1; a negative offset gives negative coefficients",
    ),
    Case(lambda: RBF(gamma=0.0), f"gamma must be {FALL_OFF}"),
    Case(lambda: ExpChi2(gamma=0.0), f"gamma must be {FALL_OFF}"),
    Case(
        lambda: EditDistance(gamma=-1.0),
        "gamma must be a number > 0, got -1; the similarity must fall off with distance",
    ),
    Case(
        lambda: Chi2()([[0.5, -0.5]]),
        "X must hold non-negative histogram bins, got a smallest entry of -0.5; "
        "shift or rescale the features to be counts or shares",
    ),
    Case(
        lambda: EditDistance()("ab"),
        "X must be a non-empty list of strings, got 'ab'; wrap one string in a list",
    ),
    Case(
        lambda: kernels.edit_distance("a", 1),  # type: ignore[arg-type]
        "the strings must hold strings only, got 1; convert it with str()",
    ),
    # -- psd
    Case(lambda: psd.min_eigenvalue(LOPSIDED), LOPSIDED_MESSAGE),
    Case(lambda: psd.is_psd(LOPSIDED), LOPSIDED_MESSAGE),
    Case(lambda: psd.psd_witness(LOPSIDED), LOPSIDED_MESSAGE),
    Case(lambda: psd.gram_factor(LOPSIDED), LOPSIDED_MESSAGE),
    Case(
        lambda: psd.is_psd([[1.0]], tol=-1.0),
        "tol must be a number >= 0, got -1; it is the largest negative eigenvalue to forgive",
    ),
    Case(
        lambda: psd.gram_factor(INDEFINITE),
        "K must be positive semi-definite, got a smallest eigenvalue of -1; "
        "no real features have these inner products (see psd_witness)",
    ),
    # -- rkhs
    Case(
        lambda: Expansion(RBF(), np.zeros((2, 1)), np.ones(3)),
        "coef must have shape (2,), got (3,); give one entry a point",
    ),
    Case(
        lambda: Expansion(RBF(), np.zeros(2), np.ones(2)),
        "centers must be a matrix of shape (n, d), got shape (2,)",
    ),
    Case(
        lambda: section(RBF()).inner(section(Linear())),
        "both functions must belong to the space of one kernel, got RBF(gamma=1.0) and Linear(); "
        "an inner product between two spaces is not defined",
    ),
    Case(
        lambda: section(RBF()) + section(Linear()),
        "only functions of one kernel add up, got RBF(gamma=1.0) and Linear()",
    ),
    # -- mercer
    Case(
        lambda: mercer.brownian(2).eigenfunctions(np.zeros((2, 1))),
        "x must be a vector of points on the line, got shape (2, 1); ravel it",
    ),
    Case(
        lambda: mercer.brownian(2).eigenfunctions(np.array([0.5, NAN])),
        "x must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: mercer.gaussian(1.0, 1.0, 2).eigenfunctions(np.ones((2, 1))),
        "x must be a vector of points on the line, got shape (2, 1); ravel it",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [[0.0]], [1.0], 1),
        "nodes must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [0.0], [1.0], 1).eigenfunctions(np.ones((2, 1))),
        "x must be a vector of points on the line, got shape (2, 1); ravel it",
    ),
    Case(
        lambda: Expansion(kernels.FeatureMap(lambda X: X) * -1.0, [[1.0]], [1.0]),
        "the constant must be a number >= 0, got -1; a negative constant has a negative Gram matrix",
    ),
    Case(
        lambda: Expansion(EditDistance(), WORDS, psd.psd_witness(EditDistance()(WORDS)).t).norm,  # type: ignore[union-attr]
        "the kernel must be positive definite, got <f, f> = -0.0429 with EditDistance(gamma=1.0); "
        "such a function has no norm",
    ),
    Case(
        lambda: mercer.legendre_rule(0),
        "n must be a whole number >= 1, got 0; a rule needs at least one node",
    ),
    Case(
        lambda: mercer.legendre_rule(3, 1.0, 1.0),
        "the interval needs finite ends a < b, got a = 1.0 and b = 1.0; swap or cut the ends",
    ),
    Case(
        lambda: mercer.hermite_rule(0), "n must be a whole number >= 1, got 0; a rule needs at least one node"
    ),
    Case(
        lambda: mercer.hermite_rule(3, -1.0),
        "sigma must be a number > 0, got -1; it is a standard deviation",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [0.0, 1.0], [1.0], 1),
        "weights must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [0.0, 1.0], [1.0, 0.0], 1),
        "weights must be > 0, got 0; use a rule with positive weights",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [0.0], [1.0], 0),
        "rank must be a whole number >= 1, got 0; ask for at least one term",
    ),
    Case(
        lambda: mercer.nystrom(RBF(), [0.0, 1.0], [1.0, 1.0], 3),
        "rank must be at most the number of nodes 2, got 3; add nodes",
    ),
    Case(lambda: mercer.brownian(0), "rank must be a whole number >= 1, got 0; ask for at least one term"),
    Case(lambda: mercer.gaussian(0.0, 1.0, 3), f"gamma must be {FALL_OFF}"),
    Case(
        lambda: mercer.gaussian(1.0, 0.0, 3), "sigma must be a number > 0, got 0; it is a standard deviation"
    ),
    Case(
        lambda: mercer.gaussian(1.0, 1.0, 0),
        "rank must be a whole number >= 1, got 0; ask for at least one term",
    ),
    # -- descent
    Case(lambda: descent.ConstantStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    Case(lambda: descent.InverseStep(0.0), "lam must be a number > 0, got 0; without it use SqrtStep"),
    Case(lambda: descent.SqrtStep(0.0), "eta must be a number > 0, got 0; a descent must move downhill"),
    Case(
        lambda: next(descent.descent_steps(lambda w: w, [NAN], step=ONE)),
        "w0 must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: next(descent.descent_steps(lambda w: w[:1], [1.0, 2.0], step=ONE)),
        "gradient must return shape (2,), got (1,); give one entry a component of w",
    ),
    Case(
        lambda: next(descent.descent_steps(lambda w: w * NAN, [1.0], step=ONE)),
        "gradient must stay finite, got nan in step 1; take smaller steps",
        FloatingPointError,
    ),
    Case(
        lambda: descent.gradient_descent(lambda w: w, [1.0], step=ONE, tol=0.0),
        "tol must be a number > 0, got 0; a gradient of exactly zero is not to be had in floating point",
    ),
    Case(
        lambda: descent.gradient_descent(lambda w: w, [1.0], step=ONE, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: descent.subgradient_descent(lambda w: float(w @ w), lambda w: w, [1.0], step=ONE, n_iter=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: descent.subgradient_descent(lambda w: NAN, lambda w: w, [1.0], step=ONE, n_iter=1),
        "objective must stay finite, got nan after ",
        FloatingPointError,
    ),
    Case(
        lambda: descent.pegasos_steps(EYE, TWO, 1.0, rng=0, every=0),
        "every must be a whole number >= 1, got 0; report after at least one step",
    ),
    Case(lambda: descent.pegasos([1.0, 2.0], TWO, 1.0, rng=0, n_iter=1), FLAT_MESSAGE),
    Case(
        lambda: descent.pegasos(EYE, [1, -1, 1], 1.0, rng=0, n_iter=1),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(
        lambda: descent.pegasos(EYE, TWO, 0.0, rng=0, n_iter=1),
        "lam must be a number > 0, got 0; the step size is 1/(lam t)",
    ),
    Case(lambda: descent.pegasos(EYE, TWO, 1.0, rng=None, n_iter=1), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: descent.pegasos(EYE, TWO, 1.0, rng=0, n_iter=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    # -- residuals
    Case(
        lambda: residuals.compact_svd([1.0, 2.0]),
        "A must be a matrix of shape (n, d), got shape (2,); reshape",
    ),
    Case(lambda: residuals.leverages([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: residuals.hat_matrix([[NAN]]),
        "X must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: residuals.standard_errors(EYE, [1.0, 2.0, 3.0]),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(
        lambda: residuals.standard_errors([[1.0], [2.0]], TWO),
        "X must leave at least 1 of its 2 points over, got rank 2; "
        "the noise cannot be estimated: add points or drop columns",
    ),
    Case(
        lambda: residuals.studentized([[1.0], [2.0], [4.0]], [1.0, 2.0, 2.0], external=True),
        "X must leave at least 2 of its 3 points over, got rank 2; ",
    ),
    Case(
        lambda: residuals.studentized([[1.0], [2.0], [4.0]], [1.1, 2.2, 4.4]),
        "y must differ from the fit, got residuals of norm ",
    ),
    Case(
        lambda: residuals.standard_errors([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]], [1.0, 2.0, 2.0]),
        "X must have independent columns, got rank 2 for 3 coefficients; "
        "drop the redundant columns: they have no standard error",
    ),
    Case(
        lambda: residuals.studentized([[0.0], [0.0], [1.0]], [1.0, 2.0, 2.0]),
        "X must have leverages < 1, got 1 at point 2; the fit passes through that point "
        "whatever its response: leave it out",
    ),
    Case(
        lambda: residuals.studentized([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 4.0], external=True),
        "y must not be fitted exactly without point 3, got no noise there; "
        "the external residual of that point is infinite",
    ),
    Case(
        lambda: residuals.durbin_watson([[1.0]]),
        "e must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: residuals.durbin_watson([0.0, 0.0]),
        "e must hold two residuals that are not all zero, got [0. 0.]; the ratio is 0/0",
    ),
    Case(
        lambda: residuals.durbin_watson([1.0]), "e must hold two residuals that are not all zero, got [1.]; "
    ),
    Case(
        lambda: residuals.runs_test([NAN]), "e must be finite, got 1 NaN or infinite entries; drop or impute"
    ),
    Case(
        lambda: residuals.runs_test([1.0, 0.0, -1.0]),
        "e must hold both signs and three entries that are not zero, got 1 positive and 1 negative; "
        "take the residuals of a fit with an intercept",
    ),
    Case(
        lambda: residuals.runs_test([1.0, 2.0, 3.0]),
        "e must hold both signs and three entries that are not zero, got 3 positive and 0 negative; ",
    ),
    Case(
        lambda: residuals.vif([[1.0, 3.0], [2.0, 3.0], [4.0, 3.0]]),
        "X must have no constant column, got one at position 1; drop it: the intercept stands for it",
    ),
    # -- least_squares
    Case(lambda: least_squares.ols([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: least_squares.ols([[NAN], [1.0]], TWO),
        "X must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: least_squares.ols(EYE, [1.0, 2.0, 3.0]),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(
        lambda: least_squares.ols(EYE, TWO, route="inverse"),  # type: ignore[arg-type]
        'route must be "svd", "qr" or "normal", got \'inverse\'; "svd" is the safe one',
    ),
    Case(
        lambda: least_squares.ols(EYE, TWO, weights=[1.0]),
        "weights must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: least_squares.weighted_ls(EYE, TWO, [1.0, -0.5]),
        "weights must be >= 0 and not all zero, got a smallest of -0.5 and a largest of 1; "
        "give each point one over its noise variance",
    ),
    Case(
        lambda: least_squares.weighted_ls(EYE, TWO, [0.0, 0.0]),
        "weights must be >= 0 and not all zero, got a smallest of 0 and a largest of 0; ",
    ),
    Case(lambda: least_squares.weighted_ls([1.0, 2.0], TWO, TWO), FLAT_MESSAGE),
    Case(lambda: least_squares.pseudo_inverse([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: least_squares.in_sample_error([1.0], EYE, TWO),
        "w must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: least_squares.squared_gradient([1.0, NAN], EYE, TWO),
        "w must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    # -- steps
    Case(
        lambda: descent.PowerStep(0.0, 1.0), "eta must be a number > 0, got 0; a descent must move downhill"
    ),
    Case(lambda: descent.PowerStep(1.0, -1.0), "power must be a number >= 0, got -1; steps may not grow"),
    Case(
        lambda: descent.exact_step([1.0], EYE),
        "g must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: descent.exact_step([1.0, 1.0], np.array(LOPSIDED)),
        "H must be symmetric, but H and its transpose differ by 1",
    ),
    Case(
        lambda: descent.exact_step([1.0, -1.0], INDEFINITE),
        "g'Hg must be > 0, got -2; the objective has no lowest point along this gradient",
    ),
    # -- stochastic
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 0, [1.0], step=ONE, rng=0),
        "n must be a whole number >= 1, got 0; there must be an example to learn from",
    ),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=0),
        "batch must be a whole number >= 1, got 0; take at least one example a step",
    ),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=3),
        "batch must be at most the number of examples 2, got 3; use all of them",
    ),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, order="sorted"),
        'order must be "random", "epochs" or "cyclic", got \'sorted\'',
    ),
    Case(lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE), SEED_MESSAGE),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [[1.0]], step=ONE, rng=0),
        "w0 must have shape (1,), got (1, 1); give one entry a point",
    ),
    Case(
        lambda: descent.sgd(lambda w, rows: w * NAN, 2, [1.0], step=ONE, rng=0, n_iter=1),
        "gradient must stay finite, got nan in step 1; take smaller steps",
        FloatingPointError,
    ),
    Case(
        lambda: descent.sgd(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, n_iter=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: descent.running_loss([[1.0]], 0.1, 1.0),
        "losses must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: descent.running_loss([1.0], 0.0, 1.0),
        "share must be a number > 0, got 0; a share of zero would never look at a loss",
    ),
    Case(
        lambda: descent.running_loss([1.0], 1.5, 1.0),
        "share must be at most 1, got 1.5; it is the weight of the newest loss",
    ),
    Case(lambda: descent.initial_weights([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: descent.initial_weights(EYE, [1.0]),
        "y must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: descent.initial_weights(EYE, TWO, "ones"),
        'how must be "zeros", "uniform" or "columns", got \'ones\'',
    ),
    Case(lambda: descent.initial_weights(EYE, TWO, "uniform"), SEED_MESSAGE),
    # -- newton
    Case(
        lambda: descent.newton(lambda w: w, lambda w: EYE, [NAN, 1.0]),
        "w0 must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: descent.newton(lambda w: w * NAN, lambda w: EYE, [1.0, 1.0]),
        "gradient must stay finite, got nan in step 1; start nearer to the minimum",
        FloatingPointError,
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: w, [1.0, 1.0]),
        "hessian must be a matrix of shape (n, d), got shape (2,); ",
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: np.eye(3), [1.0, 1.0]),
        "hessian must return shape (2, 2), got (3, 3); one row a component of w",
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: np.array(LOPSIDED), [1.0, 1.0]),
        "hessian must be symmetric, but hessian and its transpose differ by 1",
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: np.array(INDEFINITE), [1.0, 1.0]),
        "hessian must be positive definite, got a smallest eigenvalue of -1 in step 1; "
        "add a ridge, drop dependent columns, or follow the gradient",
        np.linalg.LinAlgError,
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: EYE, [1.0, 1.0], tol=0.0),
        "tol must be a number > 0, got 0; a gradient of exactly zero is not to be had in floating point",
    ),
    Case(
        lambda: descent.newton(lambda w: w, lambda w: EYE, [1.0, 1.0], max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    # -- losses
    Case(
        lambda: losses.logit([0.5, 1.0]),
        "p must lie strictly between 0 and 1, got 1; a sure event has no finite log-odds",
    ),
    Case(
        lambda: losses.Logistic(base=0.0), "base must be a number > 0, got 0; it is the base of a logarithm"
    ),
    Case(
        lambda: losses.Logistic(base=1.0), "base must be a number > 1, got 1; a smaller base rewards mistakes"
    ),
    Case(lambda: losses.margins([1.0, 1.0], [1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: losses.empirical_risk(losses.Hinge(), [1.0], EYE, TWO),
        "w must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: losses.risk_gradient(losses.Hinge(), [1.0, 1.0], EYE, [0, 1]),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(lambda: losses.BatchGradient(losses.Hinge(), np.ones(2), TWO), FLAT_MESSAGE),
    Case(
        lambda: losses.BatchGradient(losses.Hinge(), EYE, np.array([0.0, 1.0])),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    # -- batched
    Case(lambda: polynomial_fits([1.0, 2.0], [[1.0]], 1, [0.0]), FLAT_MESSAGE),
    Case(
        lambda: polynomial_fits([[2.0]], [[1.0]], 0, [0.0]),
        "X must lie in [-1, 1], got 2 in absolute value; shift and scale it",
    ),
    Case(lambda: polynomial_fits([[1.0]], [[NAN]], 0, [0.0]), "y must be finite, got 1 NaN"),
    Case(
        lambda: polynomial_fits([[1.0]], [[1.0, 2.0]], 0, [0.0]),
        "y must have the shape of X (1, 1), got (1, 2); give one target an input",
    ),
    Case(
        lambda: polynomial_fits([[1.0]], [[1.0]], -1, [0.0]),
        "degree must be a whole number >= 0, got -1; zero fits constants",
    ),
    Case(
        lambda: polynomial_fits([[1.0]], [[1.0]], 0, [[0.0]]),
        "at must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: polynomial_fits([[1.0]], [[1.0]], 0, [0.0], chunk=0),
        "chunk must be a whole number >= 1, got 0; fit at least one data set at a time",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 0, 1, n_sets=1, rng=0)),
        "n must be a whole number >= 1, got 0; a data set needs a point",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 1, -1, n_sets=1, rng=0)),
        "degree must be a whole number >= 0, got -1; zero fits constants",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=0, rng=0)),
        "n_sets must be a whole number >= 1, got 0; draw at least one data set",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=0, sigma=-1.0)),
        "sigma must be a number >= 0, got -1; it is a standard deviation",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=0, chunk=0)),
        "chunk must be a whole number >= 1, got 0; fit at least one data set at a time",
    ),
    Case(
        lambda: next(polynomial_draws(np.sin, 1, 1, n_sets=1, rng=None)),  # type: ignore[arg-type]
        SEED_MESSAGE,
    ),
    Case(lambda: ridge_smoother([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: ridge_smoother(EYE, -1.0),
        "lam must be a number >= 0, got -1; a negative penalty rewards large weights",
    ),
    Case(lambda: ridge_smoother(EYE, at=[[NAN, 1.0]]), "at must be finite, got 1 NaN"),
    Case(
        lambda: ridge_smoother(EYE, at=[[1.0]]),
        "X and Z must have the same number of columns, got 2 and 1; apply the same features to both",
    ),
    # -- sine
    Case(
        lambda: sine_experiment(2, -1),
        "degree must be a whole number >= 0, got -1; 0 is for constants, 1 for lines",
    ),
    Case(
        lambda: sine_experiment(2, 2),
        "degree must be 0 or 1, got 2; simulate others with polynomial_draws",
    ),
    Case(
        lambda: sine_experiment(1, 1),
        "n must be a whole number >= 2, got 1; a line needs two points, a constant one",
    ),
    Case(lambda: sine_experiment(13, 1), "n must be at most 12 for lines, got 13; use polynomial_draws"),
    Case(
        lambda: sine_experiment(2, 1, nodes=1),
        "nodes must be a whole number >= 2, got 1; a quadrature needs at least two nodes",
    ),
    # -- learning_curves
    Case(
        lambda: learning_curve(draw_zeros, mean_of, [0], n_sets=1, rng=0),
        "each size must be a whole number >= 1, got 0; a data set needs a point",
    ),
    Case(
        lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=0, rng=0),
        "n_sets must be a whole number >= 1, got 0; draw at least one data set",
    ),
    Case(
        lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=1, rng=0, n_test=0),
        "n_test must be a whole number >= 1, got 0; test on at least one point",
    ),
    Case(
        lambda: learning_curve(draw_zeros, mean_of, [1], n_sets=1, rng=None),  # type: ignore[arg-type]
        SEED_MESSAGE,
    ),
    Case(
        lambda: polynomial_curve(np.sin, 1, [3], n_sets=0, rng=0),
        "n_sets must be a whole number >= 1, got 0; draw at least one data set",
    ),
    Case(
        lambda: polynomial_curve(np.sin, 1, [3], n_sets=1, rng=None),  # type: ignore[arg-type]
        SEED_MESSAGE,
    ),
    Case(lambda: ols_errors(5, -1), "d must be a whole number >= 0, got -1; zero fits a constant"),
    Case(
        lambda: ols_errors(5, 1, sigma=0.0),
        "sigma must be a number > 0, got 0; without noise the fit is exact",
    ),
    Case(
        lambda: ols_errors([5, 3], 3),
        "n must be a whole number >= 4, got 3; with fewer points than weights the fit is not unique",
    ),
    # -- bias_variance
    Case(
        lambda: decompose([[1.0]], [[1.0]]),
        "f must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: decompose([[1.0]], [1.0], sigma=-1.0),
        "sigma must be a number >= 0, got -1; it is a standard deviation",
    ),
    Case(lambda: decompose([[NAN]], [1.0]), "fits must be finite, got 1 NaN"),
    Case(
        lambda: decompose([[1.0, 2.0]], [1.0]),
        "fits must have a column for each of the 1 points of f, got 2",
    ),
    Case(
        lambda: decompose(iter([]), [1.0]),
        "fits must hold at least one fit, got an empty iterator; draw data sets",
    ),
    Case(
        lambda: decompose([[1.0]], [1.0], weights=[1.0, 2.0]),
        "weights must have shape (1,), got (2,); give one entry a point",
    ),
    Case(
        lambda: decompose([[1.0, 1.0]], [1.0, 1.0], weights=[-1.0, 2.0]),
        "weights must be >= 0 with a positive sum, got a smallest of -1",
    ),
    Case(lambda: smoother_decomposition([1.0], [1.0], 1.0), "S must be a matrix of shape (n, d)"),
    Case(
        lambda: smoother_decomposition(EYE, [1.0], 1.0),
        "f must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: smoother_decomposition(EYE[:1], [1.0, 2.0], 1.0),
        "f_at must have shape (1,), got (2,); give one entry a point",
    ),
    Case(
        lambda: smoother_decomposition(EYE, [1.0, 2.0], -1.0),
        "sigma must be a number >= 0, got -1; it is a standard deviation",
    ),
    Case(lambda: vote_decomposition([1.0], [1.0]), "votes must be a matrix of shape (n, d)"),
    Case(
        lambda: vote_decomposition([[0, 1]], [1, 1]),
        "votes must contain only -1 and +1; map 0/1 votes with 2*votes - 1",
    ),
    Case(
        lambda: vote_decomposition([[1, 1]], [0, 1]),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(
        lambda: vote_decomposition([[1]], [1], flip=2.0),
        "flip must be a number from 0 to 1, got 2; it is a probability",
    ),
    Case(lambda: majority(2.0, 3), "p must be a number from 0 to 1, got 2; it is a probability"),
    Case(lambda: majority(0.5, 0), "m must be a whole number >= 1, got 0; there must be a vote"),
    Case(lambda: majority(0.5, 2), "m must be odd, got 2; an even number of votes may tie"),
    # -- svm_dual
    Case(lambda: svm_dual.costs([1.0], TWO), "C must have shape (2,), got (1,); give one entry a point"),
    Case(
        lambda: svm_dual.costs([1.0, NAN], TWO),
        "C must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(lambda: svm_dual.costs(0, TWO), "C must be > 0, got 0; a point without cost should be left out"),
    Case(
        lambda: svm_dual.costs(1.0, TWO, {0: 2.0}),
        'class_weight must be None, "balanced" or a mapping of -1 and +1 to weights, got {0: 2.0}',
    ),
    Case(
        lambda: svm_dual.costs(1.0, TWO, "equal"),
        "class_weight must be None, \"balanced\" or a mapping of -1 and +1 to weights, got 'equal'",
    ),
    Case(
        lambda: svm_dual.costs(1.0, TWO, {1: 0.0}),
        "class_weight[1] must be a number > 0, got 0; a class without weight should be left out",
    ),
    # -- smo
    Case(
        lambda: smo.GramRows(RBF()),
        "X must be given with a kernel, got None; pass the points, or their Gram matrix",
    ),
    Case(lambda: smo.GramRows(RBF(), [1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: smo.GramRows(RBF(), EYE, cache_mb=0.0),
        "cache_mb must be a number > 0, got 0; two rows are kept in any case",
    ),
    Case(
        lambda: smo.GramRows(np.ones((2, 3))),
        "K must be square, got shape (2, 3); pass the Gram matrix of one set",
    ),
    Case(lambda: smo.GramRows(LOPSIDED), LOPSIDED_MESSAGE),
    Case(
        lambda: smo.GramRows([[1.0, NAN], [NAN, 1.0]]),
        "K must be finite, got 2 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: smo.GramRows(-EYE),
        "the kernel must be positive definite, got k(x, x) = -1 for some x; "
        "its Gram matrix has a negative eigenvalue",
    ),
    Case(
        lambda: list(smo.smo_steps(EYE, [1, -1, 1], 1.0)),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(lambda: smo.smo(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: smo.smo(EYE, TWO, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: smo.smo(EYE, [0, 1], 1.0),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(
        lambda: smo.smo(EYE, [1, 1], 1.0),
        "y must contain both -1 and +1, got only +1; a margin needs two classes",
    ),
    Case(lambda: smo.smo(EYE, [], 1.0), "y must have shape (1,), got (0,); give one entry a point"),
    Case(lambda: smo.smo(EYE, TWO, -1.0), "C must be > 0, got -1; a point without cost should be left out"),
    # -- working_set
    Case(
        lambda: list(working_set.osuna_steps(EYE, TWO, 1.0, size=1)),
        "size must be a whole number >= 2, got 1; a working set needs a pair of points",
    ),
    Case(
        lambda: list(working_set.osuna_steps(EYE, [1, -1, 1], 1.0)),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(lambda: working_set.osuna(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: working_set.osuna(EYE, TWO, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one working set",
    ),
    Case(
        lambda: working_set.osuna(EYE, [-1, -1], 1.0),
        "y must contain both -1 and +1, got only -1; a margin needs two classes",
    ),
    # -- scda
    Case(
        lambda: next(scda.scda_kernel_steps(EYE, [1, -1, 1], 1.0)),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(lambda: next(scda.scda_kernel_steps(EYE, TWO, 1.0, rng=None)), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: scda.scda_kernel(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: scda.scda_kernel(EYE, TWO, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
    Case(
        lambda: scda.scda_kernel(EYE, [0, 1], 1.0),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(
        lambda: next(scda.scda_linear_steps(EYE, [1, -1, 1], 1.0)),
        "y must have shape (2,), got (3,); give one entry a point",
    ),
    Case(lambda: next(scda.scda_linear_steps(EYE, TWO, 1.0, rng=None)), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: scda.scda_linear([1.0, 2.0], TWO, 1.0), FLAT_MESSAGE),
    Case(
        lambda: scda.scda_linear(sparse.csr_array([[NAN], [1.0]]), TWO, 1.0),
        "X must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(lambda: scda.scda_linear(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: scda.scda_linear(EYE, TWO, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
    Case(
        lambda: scda.scda_linear(EYE, [0, 1], 1.0),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    # -- separability
    Case(lambda: separability.signed_points([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: separability.signed_points(EYE, [0, 1]),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(
        lambda: separability.column_basis([[1.0], [NAN]]),
        "A must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: separability.cover_count(0, 1),
        "n must be a whole number >= 1, got 0; count at least one point",
    ),
    Case(
        lambda: separability.cover_count(1, 0),
        "d must be a whole number >= 1, got 0; points need at least one coordinate",
    ),
    # -- perceptron
    Case(
        lambda: next(perceptron.pla_steps(EYE, TWO, w0=[0.0, 0.0])),
        "w0 must have shape (3,), got (2,); give one entry a weight, the bias in front",
    ),
    Case(
        lambda: next(perceptron.pla_steps(EYE, TWO, w0=[0.0, 0.0, NAN])),
        "w0 must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: next(perceptron.pla_steps(EYE, TWO, order="sorted")),
        "order must be 'cyclic' or 'random', got 'sorted'",
    ),
    Case(lambda: next(perceptron.pla_steps(EYE, TWO, order="random")), SEED_MESSAGE),
    Case(
        lambda: perceptron.pla(EYE, TWO, max_updates=0),
        "max_updates must be a whole number >= 1, got 0; allow at least one update",
    ),
    Case(
        lambda: perceptron.pocket(EYE, TWO, n_iter=0, rng=0),
        "n_iter must be a whole number >= 1, got 0; allow at least one update",
    ),
    Case(
        lambda: perceptron.mistake_bound([[1.0], [1.0]], TWO),
        "X and y must be separable by a hyperplane, but they are not; there is no bound",
    ),
    Case(
        lambda: perceptron.mistake_bound([[0.0], [0.0]], TWO, intercept=False),
        "X and y must be separable by a hyperplane, but they are not; there is no bound",
    ),
    Case(
        lambda: perceptron.vc_bound(0, 1, 0.1),
        "n must be a whole number >= 1, got 0; learn from at least one point",
    ),
    Case(
        lambda: perceptron.vc_bound(1, 0, 0.1),
        "d_vc must be a whole number >= 1, got 0; a class that shatters one point has dimension 1",
    ),
    Case(
        lambda: perceptron.vc_bound(1, 1, 0.0),
        "delta must be a number > 0, got 0; it is the probability that the bound fails",
    ),
    # -- logistic
    Case(lambda: logistic.logistic_risk([1.0], [1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: logistic.logistic_gradient([1.0], EYE, TWO),
        "w must have shape (2,), got (1,); give one entry a column of X",
    ),
    Case(
        lambda: logistic.logistic_hessian([1.0, 1.0], EYE, [0, 1]),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(lambda: logistic.logistic([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: logistic.logistic(EYE, [1, 1]),
        "y must contain both -1 and +1, got only +1; a margin needs two classes",
    ),
    Case(
        lambda: next(logistic.logistic_steps(EYE, TWO, lam=-1.0)),
        "lam must be a number >= 0, got -1; it is the strength of the penalty",
    ),
    Case(lambda: logistic.logistic(EYE, TWO, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: logistic.logistic(EYE, TWO, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: logistic.logistic(np.ones((3, 2)), [1, 1, -1], intercept=False),
        "the columns of X must be independent where lam = 0; ",
    ),
    Case(
        lambda: logistic.logistic(EYE, TWO),
        "X and y must overlap where lam = 0, but a hyperplane tells 2 of 2 points from the other class, so "
        "that larger weights are always better; take lam > 0",
    ),
    Case(
        lambda: logistic.logistic([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1]),
        "X and y must overlap where lam = 0, but a hyperplane tells 4 of 4 points from the other class",
    ),
    Case(
        lambda: logistic.logistic([[0.0], [0.0], [1.0]], [-1, 1, 1]),
        "X and y must overlap where lam = 0, but a hyperplane tells 1 of 3 points from the other class",
    ),
    # -- softmax
    Case(lambda: softmax.softmax([1.0, 2.0]), "S must be a matrix of shape (n, d), got shape (2,); "),
    Case(lambda: softmax.cross_entropy(EYE, [1.0, 2.0], EYE), FLAT_MESSAGE),
    Case(
        lambda: softmax.cross_entropy([1.0, 2.0], EYE, EYE),
        "W must be a matrix of shape (n, d), got shape (2,); ",
    ),
    Case(
        lambda: softmax.softmax_gradient(EYE, EYE, [0, 1]),
        "Y must be a matrix of shape (n, d), got shape (2,); ",
    ),
    Case(
        lambda: softmax.cross_entropy(np.ones((3, 2)), EYE, EYE),
        "W must have shape (K, 2) and Y (2, K), got (3, 2) and (2, 2); "
        "give one row of W and one column of Y a class",
    ),
    Case(
        lambda: softmax.softmax_gradient(EYE, EYE, [[1, 1], [0, 1]]),
        "Y must hold one-hot labels, got a row that is no distribution; see features.one_hot",
    ),
    Case(
        lambda: softmax.softmax_gradient(EYE, EYE, [[2, -1], [0, 1]]),
        "Y must hold one-hot labels, got a row that is no distribution; see features.one_hot",
    ),
    Case(lambda: softmax.softmax_regression([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: softmax.softmax_regression(EYE, TWO, lam=-1.0),
        "lam must be a number >= 0, got -1; it is the strength of the penalty",
    ),
    Case(lambda: softmax.softmax_regression(EYE, TWO, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: softmax.softmax_regression(EYE, TWO, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(
        lambda: softmax.softmax_regression(EYE, [[0], [1]]),
        "y must have shape (2,), got (2, 1); give one label a point",
    ),
    Case(
        lambda: softmax.softmax_regression(EYE, [0.0, NAN]),
        "y must not contain NaN; drop the points without a label",
    ),
    Case(
        lambda: softmax.softmax_regression(EYE, ["a", "a"]),
        "y must contain at least two classes, got one class: ",
    ),
    Case(
        lambda: softmax.softmax_regression(EYE, [0, 1], lam=0.0),
        "X and y must overlap where lam = 0, but some points can be told from another class by a hyperplane",
    ),
    # -- svm
    Case(
        lambda: svm.SVC().fit(EYE, ["a", "a"]),
        "y must contain at least two classes, got one class: ",
    ),
    Case(
        lambda: svm.SVC(C=0.0).fit(EYE, [0, 1]), "C must be a number > 0, got 0; it is the cost of an error"
    ),
    Case(
        lambda: svm.LinearSVC(intercept_scaling=0.0).fit(EYE, [0, 1]),
        "intercept_scaling must be a number > 0, got 0; it is the constant feature",
    ),
    # -- data
    Case(
        lambda: data.rings(1, rng=0), "n must be a whole number >= 2, got 1; draw at least one point a class"
    ),
    Case(lambda: data.rings(4, rng=0, noise=-0.1), "noise must be a number >= 0, got -0.1; it is a standard"),
    Case(lambda: data.rings(4, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: data.two_gaussians(1, rng=0),
        "n must be a whole number >= 2, got 1; draw at least one point a class",
    ),
    Case(
        lambda: data.two_gaussians(4, rng=0, gap=-1.0), "gap must be a number >= 0, got -1; it is a distance"
    ),
    Case(lambda: data.two_gaussians(4, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: data.histograms(0, 3, rng=0),
        "n must be a whole number >= 1, got 0; draw at least one histogram",
    ),
    Case(
        lambda: data.histograms(3, 0, rng=0),
        "bins must be a whole number >= 1, got 0; a histogram needs at least one bin",
    ),
    Case(
        lambda: data.histograms(3, 3, rng=0, empty=-0.5),
        "empty must be a number from 0 to 1, got -0.5; it is a probability",
    ),
    Case(lambda: data.histograms(3, 3, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: data.words("ab", -1), "longest must be a whole number >= 0, got -1; it is a length"),
    Case(lambda: data.digits(3, 10), "classes must be digits from 0 to 9, got 10; name the digits to keep"),
    Case(lambda: data.circle(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one point"),
    Case(
        lambda: data.circle(2, rng=0, noise=2.0), "noise must be a number from 0 to 1, got 2; it is a proba"
    ),
    Case(
        lambda: data.circle(2, rng=0, radius2=0.0),
        "radius2 must be a number > 0, got 0; it is the square of a radius",
    ),
    Case(lambda: data.circle(2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    # -- worlds
    Case(
        lambda: worlds.credit(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one applicant"
    ),
    Case(lambda: worlds.credit(2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: worlds.residence(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one appl"),
    Case(
        lambda: worlds.residence(2, rng=0, noise=-1.0), "noise must be a number >= 0, got -1; it is a stand"
    ),
    Case(lambda: worlds.residence(2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: worlds.line_data(1, 2, rng=0), "n must be a whole number >= 2, got 1; draw at least one poi"
    ),
    Case(
        lambda: worlds.line_data(2, 0, rng=0), "d must be a whole number >= 1, got 0; points need a feature"
    ),
    Case(
        lambda: worlds.line_data(2, 2, rng=0, flip=-0.5), "flip must be a number from 0 to 1, got -0.5; it i"
    ),
    Case(
        lambda: worlds.line_data(2, 2, rng=0, margin=-1.0), "margin must be a number >= 0, got -1; it is a d"
    ),
    Case(lambda: worlds.line_data(2, 2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: worlds.line_data(2, 2, rng=0, margin=0.5),
        "margin must be below 0.5, got 0.5; there may be no such points",
    ),
    Case(lambda: worlds.linear_noise(0, 2, rng=0), "n must be a whole number >= 1, got 0; draw at least one"),
    Case(
        lambda: worlds.linear_noise(2, 0, rng=0), "d must be a whole number >= 1, got 0; points need a feat"
    ),
    Case(
        lambda: worlds.linear_noise(2, 2, rng=0, sigma=-1.0), "sigma must be a number >= 0, got -1; it is a"
    ),
    Case(lambda: worlds.linear_noise(2, 2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: worlds.linear_noise(2, 2, rng=0, w=[1.0]), "w must have shape (2,), got (1,); give one ent"),
    Case(
        lambda: worlds.noisy_sine(0, rng=0), "n must be a whole number >= 1, got 0; draw at least one point"
    ),
    Case(
        lambda: worlds.noisy_sine(2, rng=0, noise=-1.0), "noise must be a number >= 0, got -1; it is a stan"
    ),
    Case(lambda: worlds.noisy_sine(2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: worlds.collinear_pair(2, 0.5, rng=0),
        "n must be a whole number >= 3, got 2; two uncorrelated features need three points",
    ),
    Case(lambda: worlds.collinear_pair(3, 0.5, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: worlds.collinear_pair(3, 1.5, rng=0),
        "r must be a number from -1 to 1, got 1.5; it is a correlation",
    ),
    Case(lambda: worlds.ar1(0, 0.5, rng=0), "n must be a whole number >= 1, got 0; draw at least one term"),
    Case(lambda: worlds.ar1(2, 0.5, rng=0, sigma=-1.0), "sigma must be a number >= 0, got -1; it is a stand"),
    Case(lambda: worlds.ar1(2, 0.5, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: worlds.ar1(2, 1.0, rng=0),
        "rho must be between -1 and 1, got 1.0; else the noise grows without end",
    ),
    # -- preprocessing
    Case(lambda: features.one_hot([]), "values and levels must not be empty, got none; a category needs a"),
    Case(
        lambda: features.one_hot(["c"], levels=["a", "b"]),
        "values must be among the levels ['a', 'b'], got 'c'; name all levels, or drop those rows",
    ),
    Case(lambda: features.impute_mean([1.0, NAN]), FLAT_MESSAGE),
    Case(
        lambda: features.impute_mean([[1.0, NAN]]),
        "each column of X must have an observed value, got none in column 1; drop the column",
    ),
    Case(lambda: features.impute_histogram([[1.0]], rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: features.impute_regression([[1.0]], sweeps=0),
        "sweeps must be a whole number >= 1, got 0; treat every column at least once",
    ),
    Case(lambda: features.Standardizer.fit([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: features.Standardizer.fit([[1.0], [1.0]]),
        "each column of X must vary, got a constant column 0; drop it, an intercept does its work",
    ),
    Case(lambda: features.Standardizer.fit([[1.0], [2.0]])([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: features.Standardizer.fit([[1.0], [2.0]])(EYE),
        "X must have 1 columns, got 2; standardise the features it was fitted on",
    ),
    # -- features
    Case(lambda: features.augment([1.0, 2.0]), FLAT_MESSAGE),
    Case(lambda: features.poly_dim(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    Case(lambda: features.poly_dim(2, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    Case(lambda: features.monomials(0, 2), "d must be a whole number >= 1, got 0; there must be a variable"),
    Case(lambda: features.monomials(2, 1.5), "Q must be a whole number >= 0, got 1.5; it is a degree"),  # type: ignore[arg-type]
    Case(lambda: features.polynomial([1.0, 2.0], 2), FLAT_MESSAGE),
    Case(lambda: features.polynomial(EYE, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    Case(
        lambda: features.vandermonde(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "
    ),
    Case(lambda: features.vandermonde(TWO, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    Case(lambda: features.legendre(EYE, 2), "x must be a vector of points on the line, got shape (2, 2); "),
    Case(lambda: features.legendre(TWO, -1), "Q must be a whole number >= 0, got -1; it is a degree"),
    Case(
        lambda: features.orthogonal_polynomials(EYE, 1), "x must be a vector of points on the line, got sha"
    ),
    Case(
        lambda: features.orthogonal_polynomials(TWO, -1), "Q must be a whole number >= 0, got -1; it is a d"
    ),
    Case(
        lambda: features.orthogonal_polynomials(TWO, 1, at=EYE),
        "at must be a vector of points on the line, got shape (2, 2); ravel it",
    ),
    Case(
        lambda: features.orthogonal_polynomials(TWO, 2),
        "x must have at least Q + 1 = 3 different values, got 2; lower the degree",
    ),
    Case(
        lambda: features.indicator(EYE), "x must be a vector of points on the line, got shape (2, 2); ravel"
    ),
    Case(
        lambda: features.indicator(TWO, 5, 1), "low must be below high, got 5 and 1; no x lies between them"
    ),
    Case(lambda: features.transcendental([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: features.transcendental(EYE, ["tan"]),
        "names must be among log, sqrt, sin, cos, exp, got 'tan'; compute others by hand",
    ),
    Case(
        lambda: features.transcendental(EYE, ["log"]),
        "log needs larger inputs, got 0; shift the feature, or choose another",
    ),
    Case(lambda: features.intensity_symmetry([1.0], 1), "images must be a matrix of shape (n, d), got shape"),
    Case(
        lambda: features.intensity_symmetry(EYE, 0), "side must be a whole number >= 1, got 0; it counts pi"
    ),
    Case(lambda: features.intensity_symmetry(EYE, 2), "images must have 4 columns, got 2; give their side"),
    # -- penalised least squares
    Case(
        lambda: centre([[NAN, 1.0], [0.0, 1.0]], TWO),
        "X must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(lambda: centre([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(lambda: centre(EYE, [1.0]), "y must have shape (2,), got (1,); give one entry a point"),
    Case(lambda: centre(EYE, [[NAN], [1.0]]), "Y must be finite, got 1 NaN or infinite entries; drop or"),
    Case(lambda: centre(EYE, np.ones((3, 2))), "Y must have 2 rows, got 3; give one row a point"),
    Case(lambda: lasso(EYE, TWO, -1.0), "lam must be a number >= 0, got -1; a penalty does not reward large"),
    Case(
        lambda: elastic_net(EYE, TWO, 1.0, -0.5),
        "l1_ratio must be a number >= 0, got -0.5; it is the share of the 1-norm",
    ),
    Case(
        lambda: elastic_net(EYE, TWO, 1.0, 1.5),
        "l1_ratio must be at most 1, got 1.5; it is the share of the 1-norm",
    ),
    Case(lambda: lasso_path(EYE, TWO, n=0), "n must be a whole number >= 1, got 0; a path has at least one"),
    Case(
        lambda: lasso_path(EYE, TWO, least=0.0),
        "least must be a number > 0, got 0; it is the smallest penalty as a share of the largest",
    ),
    Case(lambda: lasso_path(EYE, TWO, EYE), "lams must be a vector of points on the line, got shape (2, 2)"),
    Case(
        lambda: lasso_path(EYE, TWO, [1.0, 0.0]),
        "lams must be one or more numbers > 0, got [1. 0.]; for lam = 0 call ridge",
    ),
    Case(lambda: lasso_path(EYE, TWO, []), "lams must be one or more numbers > 0, got []; for lam = 0 call"),
    Case(
        lambda: penalized_objective([[1.0], [1.0]], EYE, TWO, 0.1),
        "w must have shape (2,), got (2, 1); give one entry a feature and task",
    ),
    Case(
        lambda: kkt_violation([1.0], EYE, TWO, 0.1),
        "w must have shape (2,), got (1,); give one entry a feature and task",
    ),
    Case(
        lambda: dual_point([NAN, 1.0], EYE, TWO, 0.1),
        "w must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: dual_value(1.0, EYE, TWO, 0.1),
        "u must have shape (2,), got (); give one entry a target",
    ),
    Case(
        lambda: lam_max(EYE, TWO, 0.0),
        "l1_ratio must be > 0, got 0; in ridge regression no penalty makes weights zero",
    ),
    Case(
        lambda: elastic_net_path(EYE, TWO, 0.0, n=3),
        "l1_ratio must be > 0, got 0; in ridge regression no penalty makes weights zero",
    ),
    Case(lambda: ridge(EYE, TWO, -1.0), "lam must be a number >= 0, got -1; a penalty does not reward large"),
    Case(lambda: ridge_path(EYE, TWO, n=0), "n must be a whole number >= 1, got 0; a path has at least one"),
    Case(lambda: ridge_path(EYE, TWO, EYE), "lams must be a vector of points on the line, got shape (2, 2)"),
    Case(lambda: ridge_path(EYE, TWO, [1.0, -1.0]), "lam must be a number >= 0, got -1; a penalty does not"),
    Case(
        lambda: lasso(EYE, EYE, 1.0), "y must be a vector of points on the line, got shape (2, 2); ravel it"
    ),
    Case(lambda: lasso(EYE, TWO, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: lasso(EYE, TWO, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
    Case(lambda: lasso_path(EYE, TWO, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: lasso_path(EYE, TWO, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
    Case(
        lambda: multitask_lasso(EYE, TWO, 1.0), "Y must be a matrix of shape (n, d), got shape (2,); reshape"
    ),
    Case(lambda: multitask_lasso(EYE, EYE, 1.0, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: multitask_lasso(EYE, EYE, 1.0, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
    Case(lambda: multitask_lasso_path(EYE, EYE, tol=0.0), TOL_MESSAGE),
    Case(
        lambda: multitask_lasso_path(EYE, EYE, max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one epoch",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.message[:50])
def test_message_is_raised(case: Case) -> None:
    with pytest.raises(case.kind, match="^" + re.escape(case.message)):
        case.call()


# -- no message is left out ----------------------------------------------------------------------------------


def refusals(path: pathlib.Path) -> Iterator[ast.stmt | ast.expr]:
    """Yield the places where a module refuses something: its raises and its calls of the validators."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_check = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_check.")
        if isinstance(node, ast.Raise | ast.Call) and (is_check or isinstance(node, ast.Raise)):
            yield node


def lines_behind(case: Case) -> set[tuple[str, int]]:
    """Return the lines of the package through which the error of a case came."""
    try:
        case.call()
    except case.kind as error:
        frames = traceback.extract_tb(error.__traceback__)
        return {(pathlib.Path(frame.filename).name, int(frame.lineno or 0)) for frame in frames}
    return set()


def test_every_raise_and_every_check_is_among_the_cases() -> None:
    seen: set[tuple[str, int]] = set().union(*map(lines_behind, CASES))
    missing = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)[:70]}"
        for path in sorted(PACKAGE.glob("*.py"))
        for node in refusals(path)
        if not any((path.name, n) in seen for n in range(node.lineno, int(node.end_lineno or 0) + 1))
    ]
    assert not missing


# -- what passes the border ----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [[[1, 2]], [[True, False]], np.ones((1, 2), dtype=np.float16)])
def test_numbers_become_double_precision(value: Any) -> None:
    clean = _check.matrix(value)
    assert clean.dtype == np.float64
    assert clean.tolist() == np.asarray(value).tolist()


def test_single_precision_stays() -> None:
    assert _check.matrix(np.ones((1, 2), dtype=np.float32)).dtype == np.float32


def test_large_finite_numbers_are_finite_even_if_their_sum_is_not() -> None:
    assert _check.matrix([[1e308, 1e308], [1e308, -1e308]]).shape == (2, 2)
    with pytest.raises(ValueError, match="got 2 NaN or infinite entries"):
        _check.matrix([[np.inf, 1e308], [1e308, -np.inf]])


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="X must hold real numbers"):
        _check.matrix([[1 + 2j]])


def test_symmetric_forgives_rounding_only() -> None:
    K = np.array([[1.0, 0.5], [0.5 + 1e-15, 1.0]])
    assert np.array_equal(_check.symmetric(K), K)
    K[1, 0] = 0.5 + 1e-12
    with pytest.raises(ValueError, match=r"K must be symmetric, but K and its transpose differ by 1e-12"):
        _check.symmetric(K)


def test_symmetric_accepts_zero() -> None:
    assert not _check.symmetric(np.zeros((2, 2))).any()


def test_strings_come_from_any_sequence() -> None:
    assert _check.strings(("a", "")) == _check.strings(np.array(["a", ""])) == ["a", ""]
    assert all(type(item) is str for item in _check.strings(np.array(["a", "b"])))


def test_long_values_are_cut() -> None:
    value = "x" * 58
    with pytest.raises(ValueError, match=f"got '{value}'; pass"):
        _check.positive(value, "a", WHY)
    with pytest.raises(ValueError, match=rf"got '{'x' * 56}\.\.\.; pass"):
        _check.positive(value + "x", "a", WHY)


def test_numbers_and_counts_are_plain_python() -> None:
    assert type(_check.positive(np.float32(2.0), "a", WHY)) is float
    assert type(_check.nonnegative(0, "a", WHY)) is float
    assert type(_check.count(np.int64(3), "n", WHY)) is int
    assert _check.count(1, "n", WHY) == 1


def test_a_seed_becomes_a_generator_and_a_generator_passes() -> None:
    rng = np.random.default_rng(5)
    assert _check.generator(rng) is rng
    assert _check.generator(5).random() == np.random.default_rng(5).random()


def test_points_that_are_no_matrix_are_refused_in_pairs_too() -> None:
    with pytest.raises(ValueError, match="X must be a matrix"):
        Linear()(3.0, [[1.0]])


def test_constant_kernel_leaves_points_to_its_partner() -> None:
    with pytest.raises(ValueError, match="X must be a matrix"):
        (Constant(1.0) + Linear())([1.0, 2.0])
    assert (Constant(1.0) + EditDistance())(["a"]) == [[2.0]]
