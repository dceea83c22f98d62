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
from lecturekit import _check, data, descent, kernels, mercer, psd, scda, smo, svm, svm_dual, working_set
from lecturekit.composition import Constant, FeatureMap
from lecturekit.errors import NoFiniteFeatures
from lecturekit.kernels import RBF, Chi2, EditDistance, ExpChi2, Linear, Polynomial
from lecturekit.rkhs import Expansion

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
