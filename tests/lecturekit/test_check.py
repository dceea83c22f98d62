"""The border: each message says argument, constraint and value, and each one is raised here."""

import ast
import copy
import pathlib
import re
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

import lecturekit
from lecturekit import (
    _check,
    boosting,
    bounded,
    bounds,
    calibration,
    chernoff,
    data,
    decision,
    descent,
    features,
    forests,
    isotonic,
    kernels,
    knn,
    least_squares,
    logistic,
    losses,
    mercer,
    metrics,
    neighbors,
    perceptron,
    platt,
    protocols,
    psd,
    residuals,
    scda,
    separability,
    significance,
    smo,
    softmax,
    svm,
    svm_dual,
    tails,
    working_set,
    worlds,
)
from lecturekit._typing import Array
from lecturekit.adaboost import adaboost
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
FAIL_MESSAGE = "{} must be a number between 0 and 1, got {}; it is the probability that the bound fails"
SAMPLE_MESSAGE = "m must be a whole number >= 1, got 0; a mean needs at least one value"
OFF_MESSAGE = "eps must be a number > 0, got 0; every mean is off by 0 or more"
EXACT_MESSAGE = "eps must be a number > 0, got 0; exactness takes infinitely many values"
SPREAD_MESSAGE = "variance must be a number >= 0, got -0.1; pass the square of the standard deviation"
EYE, TWO = np.eye(2), np.array([-1.0, 1.0])
BYTES = np.array([[0], [2]], dtype=np.uint8)
ONE = descent.ConstantStep(1.0)
HALVES = protocols.Split(train=np.array([0, 1]), test=np.array([2, 3]))
ROC = metrics.roc_curve([1, -1, 1], [0.9, 0.5, 0.2])


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


class OneClass:
    """What is left of a classifier that was trained on one class."""

    def predict_proba(self, X: Array) -> Array:
        """Be sure."""
        return np.ones((len(X), 1))


def used_vault() -> protocols.Vault:
    vault = protocols.Vault(EYE, TWO)
    vault.open("a first look")
    return vault


def section(kernel: kernels.Kernel) -> Expansion:
    return Expansion(kernel, np.zeros((1, 1)), np.ones(1))


CASES = [
    # -- calibration
    Case(lambda: isotonic.pav([]), "y must have shape (1,), got (0,); give one entry a point"),
    Case(lambda: isotonic.pav([1.0, NAN]), "y must be finite, got 1 NaN or infinite entries; drop or impute"),
    Case(
        lambda: isotonic.pav([1.0, 2.0], weights=[1.0]),
        "weights must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: isotonic.pav([1.0, 2.0], weights=[1.0, 0.0]),
        "weights must be > 0 and within a factor of 1e+100, got 0 and 1; leave out points that "
        "count for nothing",
    ),
    Case(
        lambda: isotonic.isotonic([1, 2], [-1, 1], prior=1.0),
        "y must lie between 0 and 1 where prior > 0, got -1; the made-up outcomes are 0 and 1: code labels "
        "as 0 and 1, or take prior=0",
    ),
    Case(lambda: isotonic.isotonic([], []), "y must have shape (1,), got (0,); give one entry a point"),
    Case(
        lambda: isotonic.isotonic([0.1], [0, 1]),
        "score must have shape (2,), got (1,); give one entry a value of y",
    ),
    Case(
        lambda: isotonic.isotonic([0.1, NAN], [0, 1]),
        "score must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: isotonic.isotonic([0.1, 0.2], [0, 1], prior=-1.0),
        "prior must be a number >= 0, got -1; it is the weight of the made-up outcomes",
    ),
    Case(lambda: isotonic.isotonic([0.1, 0.2], [0, 1])([NAN]), "score must be finite, got 1 NaN"),
    Case(lambda: isotonic.isotonic([0.1, 0.2], [0, 1]).step([[0.1]]), "score must be a vector of points on"),
    Case(lambda: platt.platt_targets([1, 1]), "y must contain both classes, got only 1; a curve needs"),
    Case(
        lambda: platt.platt_loss([0.0], [0.1], [0.5]),
        "v must have shape (2,), got (1,); give one entry a parameter, A and B",
    ),
    Case(lambda: platt.platt_gradient([0.0, 1.0], [[0.1]], [0.5]), "score must be a vector of points on the"),
    Case(
        lambda: platt.platt_hessian([0.0, 1.0], [0.1], [1.5]),
        "targets must lie between 0 and 1, got 1.5; turn",
    ),
    Case(
        lambda: platt.platt([0.1, 0.2], [-1, -1]), "y must contain both classes, got only -1; a curve needs"
    ),
    Case(
        lambda: platt.platt([0.1, 0.2, 0.3], [-1, 1]),
        "score must have shape (2,), got (3,); give one entry a label",
    ),
    Case(
        lambda: platt.platt([-1.0, 1.0], [-1, 1], smooth=False),
        "scores of the two classes must overlap where smooth is False, but a threshold separates them, "
        "and a steeper curve is always better; take smooth=True",
    ),
    Case(
        lambda: platt.platt([0.0, 1e-310], [-1, 1]),
        "score must be at most 1e+300 in size, with a range of 1e-300 or more, got values from 0 to 1e-310; "
        "multiply the scores by a number",
    ),
    Case(lambda: platt.platt([-1.0, 1.0], [-1, 1], tol=0.0), TOL_MESSAGE),
    Case(
        lambda: platt.platt([-1.0, 1.0], [-1, 1], max_iter=0),
        "max_iter must be a whole number >= 1, got 0; allow at least one step",
    ),
    Case(lambda: platt.platt([-1.0, 1.0], [-1, 1])([NAN]), "score must be finite, got 1 NaN or infinite"),
    Case(
        lambda: calibration.Isotonic().fit([0.1, 0.2], ["a", "a"]),
        "y must contain two classes, got 1 class(es), ['a']; take a stratified sample, or one class against",
    ),
    Case(
        lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0, method="sigmoid"),
        "method must be 'platt', 'isotonic' or a calibrator, got 'sigmoid'; for example Isotonic(prior=1.0)",
    ),
    Case(lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0, folds=1),
        "folds must be a whole number >= 2, got 1; hold something out",
    ),
    Case(
        lambda: calibration.calibrate(svm.LinearSVC(), EYE, TWO, rng=0),
        "y must contain at least two classes with at least 2 observations each, got 2 class(es), the rarest "
        "with 1; each side of a split needs every class: get more data, or merge classes",
    ),
    Case(
        lambda: calibration.calibrate(svm.LinearSVC(), np.eye(4), [*TWO, *TWO], rng=0, share=1.0),
        "share must be a number between 0 and 1, got 1; both sides need observations",
    ),
    Case(
        lambda: calibration.calibrate(
            SVC(decision_function_shape="ovo"), np.eye(9), np.repeat([0, 1, 2], 3), rng=0
        ),
        "estimator must give one score a class, got 3 scores, perhaps of pairs, for 3 problem(s); an SVC "
        "needs decision_function_shape='ovr'",
    ),
    # -- decision
    Case(
        lambda: decision.cost_threshold(0.0, 1.0),
        "cost_fa must be a number > 0, got 0; if false accepts cost nothing, accept everyone",
    ),
    Case(
        lambda: decision.bayes_classifier([0.5], cost_fr=-1.0),
        "cost_fr must be a number > 0, got -1; if false rejects cost nothing, reject everyone",
    ),
    Case(
        lambda: decision.expected_cost(1.5, 1),
        "p must hold numbers from 0 to 1, got 1.5; they are probabilities",
    ),
    Case(
        lambda: decision.expected_cost([0.5, 0.5], [1, 0]),
        "decision must hold only -1 and +1, got 0; map 0/1 with 2*decision - 1",
    ),
    Case(
        lambda: decision.true_risk([0.5, -0.5], [0.5, 0.5], [1, 1]),
        "weights must hold numbers from 0 to 1, got -0.5; they are probabilities",
    ),
    Case(
        lambda: decision.true_risk([0.5, 0.4], [0.5, 0.5], [1, 1]),
        "weights must sum to 1, got 0.9; divide them by their sum",
    ),
    Case(
        lambda: decision.true_risk([0.5, 0.5], [0.5], [1, 1]),
        "p must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: decision.true_risk([0.5, 0.5], [0.5, 0.5], [1]),
        "decision must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: decision.mean_loss(decision.squared, np.negative, np.ones((2, 1)), [1.0, 2.0]),
        "loss must return shape (2,), got (2, 2); give one number a point",
    ),
    Case(
        lambda: decision.mean_loss(decision.squared, np.negative, [], []),
        "loss must return shape (1,), got (0,); give one number a point",
    ),
    Case(
        lambda: decision.erm(decision.squared, [], [1.0], [1.0]),
        "hypotheses must hold at least one, got none; there is nothing to choose from",
    ),
    # -- boosting
    Case(lambda: boosting.presort([1.0, 2.0]), FLAT_MESSAGE),
    Case(lambda: boosting.best_stump([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: boosting.best_stump(EYE, [0, 1]),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(
        lambda: boosting.best_stump(EYE, TWO, [1.0]),
        "weights must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: boosting.best_stump(EYE, TWO, [1.0, -0.5]),
        "weights must be >= 0 and not all zero, got a smallest of -0.5; a weight says how much",
    ),
    Case(
        lambda: boosting.best_stump(EYE, TWO, [0.0, 0.0]),
        "weights must be >= 0 and not all zero, got a smallest of 0; a weight says how much a point matters",
    ),
    Case(
        lambda: boosting.best_stump(EYE, TWO, order=[[0, 1]]),
        "order must list the rows by each feature, shape (2, 2), got shape (1, 2); use presort(X)",
    ),
    Case(
        lambda: boosting.best_stump(EYE, TWO, order=[[0, 7], [0, 1]]),
        "order must list the rows by each feature, shape (2, 2), got shape (2, 2); use presort(X)",
    ),
    Case(lambda: boosting.regression_tree([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: boosting.regression_tree(EYE, [1.0]),
        "z must have shape (2,), got (1,); give one entry a point",
    ),
    Case(lambda: boosting.regression_tree(EYE, [[1.0]]), "z must have 2 rows, got 1; give one row a point"),
    Case(
        lambda: boosting.regression_tree(EYE, TWO, depth=0),
        "depth must be a whole number >= 1, got 0; a tree of depth 1 makes one cut",
    ),
    Case(
        lambda: boosting.regression_tree(EYE, TWO, min_leaf=0),
        "min_leaf must be a whole number >= 1, got 0; a leaf has a mean, and so a row",
    ),
    Case(
        lambda: boosting.regression_tree(EYE, TWO, features=0),
        "features must be a whole number >= 1, got 0; look at one at least",
    ),
    Case(lambda: boosting.regression_tree(EYE, TWO, features=1, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: boosting.regression_tree(EYE, TWO, order=[[0, 2], [1, 0]]),
        "order must list rows by each of 2 features, got shape (2, 2); use presort(X)",
    ),
    Case(
        lambda: boosting.regression_tree(EYE, TWO, order=[0, 1]),
        "order must list rows by each of 2 features, got shape (2,); use presort(X)",
    ),
    Case(
        lambda: boosting.regression_tree([[0.0, 1.0], [0.0, 2.0]], TWO)([[1.0]]),
        "X must be a matrix with more than 1 columns, got shape (1, 1); "
        "give the features that the tree was grown on",
    ),
    Case(lambda: boosting.bin_edges([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: boosting.bin_edges(EYE, 1), "bins must be a whole number >= 2, got 1; one cut needs two bins"
    ),
    Case(
        lambda: boosting.bin_edges(EYE, 256),
        "bins must be at most 255, got 256; a bin's number is kept in a byte",
    ),
    Case(lambda: boosting.binned([1.0, 2.0], [TWO]), FLAT_MESSAGE),
    Case(
        lambda: boosting.binned(EYE, [TWO]),
        "edges must be 2 arrays of at most 255 numbers, got 1 of 2; use bin_edges(X)",
    ),
    Case(
        lambda: boosting.binned(EYE[:, :1], [np.arange(256.0)]),
        "edges must be 1 arrays of at most 255 numbers, got 1 of 256; use bin_edges(X)",
    ),
    Case(
        lambda: boosting.histogram_tree(EYE, TWO, [TWO, TWO]),
        "B must hold the bins of 2 features as bytes, got float64 of shape (2, 2); use binned(X, edges)",
    ),
    Case(
        lambda: boosting.histogram_tree(np.full((2, 1), 3, dtype=np.uint8), TWO, [TWO]),
        "B must hold bins of these edges, got one beyond the last; use binned(X, edges)",
    ),
    Case(
        lambda: boosting.histogram_tree(BYTES, [1.0], [TWO]),
        "z must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: boosting.histogram_tree(BYTES, TWO, [TWO], depth=0),
        "depth must be a whole number >= 1, got 0; a tree of depth 1 makes one cut",
    ),
    Case(
        lambda: boosting.histogram_tree(BYTES, TWO, [TWO], min_leaf=0),
        "min_leaf must be a whole number >= 1, got 0; a leaf has a mean, and so a row",
    ),
    Case(lambda: adaboost([1.0, 2.0], TWO, 1), FLAT_MESSAGE),
    Case(lambda: adaboost(EYE, TWO, 1).decision([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: adaboost(EYE, [0, 1], 1),
        "y must contain only -1 and +1, got [0.0, 1.0]; map 0/1 labels with 2*y - 1",
    ),
    Case(lambda: adaboost(EYE, TWO, 0), "rounds must be a whole number >= 1, got 0; each adds a stump"),
    Case(
        lambda: boosting.gradient_boosting(EYE, [1.0]),
        "y must have shape (2,), got (1,); give one entry a point",
    ),
    Case(
        lambda: boosting.gradient_boosting(EYE, [1, 1], loss=boosting.LogisticError()),
        "y must contain both -1 and +1, got only +1; a margin needs two classes",
    ),
    Case(lambda: boosting.gradient_boosting(EYE, TWO, rounds=1)([1.0, 2.0]), FLAT_MESSAGE),
    Case(lambda: boosting.gradient_boosting([1.0, 2.0], TWO), FLAT_MESSAGE),
    Case(
        lambda: boosting.gradient_boosting(EYE, TWO, depth=0),
        "depth must be a whole number >= 1, got 0; a tree of depth 1 makes one cut",
    ),
    Case(
        lambda: boosting.gradient_boosting(EYE, TWO, min_leaf=0),
        "min_leaf must be a whole number >= 1, got 0; a leaf has a mean, and so a row",
    ),
    Case(
        lambda: boosting.gradient_boosting(EYE, TWO, rounds=0),
        "rounds must be a whole number >= 1, got 0; each adds a function",
    ),
    Case(
        lambda: boosting.gradient_boosting(EYE, TWO, learning_rate=0.0),
        "learning_rate must be a number > 0, got 0; it is the share of a step that is made",
    ),
    Case(
        lambda: boosting.gradient_boosting(EYE, TWO, base=lambda X, z: lambda X: np.ones(3)),
        "base(X, z)(X) must have shape (2,), got (3,); give one entry a point",
    ),
    Case(
        lambda: boosting.best_steps(boosting.ExponentialError(), np.zeros(2), TWO[None], TWO),
        "H must leave each function a best coefficient, got none for row 0; "
        "it makes no error (or only errors), so that the loss falls for ever: no other function is needed",
    ),
    Case(lambda: boosting.forward_stagewise([1.0, 2.0], TWO, boosting.SquaredError(), [], 1), FLAT_MESSAGE),
    Case(
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [], 0),
        "rounds must be a whole number >= 1, got 0; each adds a function",
    ),
    Case(
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [], 1),
        "base must hold at least one function, got none; list those to choose from",
    ),
    Case(
        lambda: boosting.forward_stagewise(EYE, TWO, boosting.SquaredError(), [len], 1, start=NAN),  # type: ignore[list-item]
        "start must be a real number, got nan; pass a finite number",
    ),
    Case(lambda: boosting.link([1.0, 2.0]), FLAT_MESSAGE.replace("X", "F")),
    Case(lambda: boosting.multiclass_boosting(EYE, TWO, rounds=1).scores([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: boosting.multiclass_boosting(EYE, [NAN, 1.0]),
        "y must name the class of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: boosting.multiclass_boosting(EYE, ["a", "b", "a"]),
        "y must have shape (2,), got (3,); give one label a point",
    ),
    Case(
        lambda: boosting.multiclass_boosting(EYE, [3, 3]),
        "y must contain at least two classes, got one class: ",
    ),
    Case(
        lambda: boosting.multiclass_boosting(EYE, TWO, rounds=0),
        "rounds must be a whole number >= 1, got 0; each adds a tree to every function",
    ),
    Case(
        lambda: boosting.multiclass_boosting(EYE, TWO, learning_rate=-1.0),
        "learning_rate must be a number > 0, got -1; it is the share of a step that is made",
    ),
    Case(
        lambda: boosting.GradientBoosting("huber").fit(EYE, TWO),
        "loss must be 'squared' or 'absolute', got 'huber'; pass others to gradient_boosting",
    ),
    # -- neighbors
    Case(lambda: neighbors.kd_tree([1.0, 2.0]), FLAT_MESSAGE),
    Case(
        lambda: neighbors.ball_tree([[1.0], [-1e200]]),
        "X must be at most 1e+150 in size, got 1e+200; scale the features",
    ),
    Case(
        lambda: neighbors.kd_tree(EYE, leaf_size=0),
        "leaf_size must be a whole number >= 1, got 0; a leaf holds at least one point",
    ),
    Case(
        lambda: neighbors.brute(EYE, EYE, metric="cosine"),
        "metric must be one of euclidean, manhattan, chebyshev, got 'cosine'; scale X for others",
    ),
    Case(lambda: neighbors.brute(EYE, [[1.0]]), "Q must have 2 columns, got 1; measure the same features"),
    Case(
        lambda: neighbors.brute(EYE, EYE, 0),
        "k must be a whole number >= 1, got 0; ask for at least one neighbour",
    ),
    Case(
        lambda: neighbors.brute(EYE, EYE, 3),
        "k must be at most the number n = 2 of points, got 3; ask for fewer",
    ),
    Case(
        lambda: knn.KNN(search="hash").fit(EYE, TWO),
        "search must be 'brute', 'kd' or 'ball', got 'hash'; all agree",
    ),
    # -- forests
    Case(lambda: forests.grow_forest([1.0, 2.0], TWO, rng=0), FLAT_MESSAGE),
    Case(
        lambda: forests.grow_forest(EYE, TWO, n_trees=0, rng=0),
        "n_trees must be a whole number >= 1, got 0; a forest has at least one tree",
    ),
    Case(lambda: forests.grow_forest(EYE, TWO, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
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
        "n must be a whole number >= 1, got 0; there must be an observation to learn from",
    ),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=0),
        "batch must be a whole number >= 1, got 0; take at least one observation a step",
    ),
    Case(
        lambda: descent.sgd_steps(lambda w, rows: w, 2, [1.0], step=ONE, rng=0, batch=3),
        "batch must be at most the number of observations 2, got 3; use all",
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
        "w0 must have shape (3,), got (2,); give one entry a weight, the intercept in front",
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
    # -- protocols
    Case(
        lambda: _check.labels([[1]], "y", "class"),
        "y must be a vector of numbers or strings, got shape (1, 1) and type int64; name the class of each",
    ),
    Case(
        lambda: _check.labels([1.0, NAN], "y", "class"),
        "y must name the class of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: _check.labels(np.array(["a", NAN], dtype=object), "y", "class"),
        "y must name the class of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: protocols.group_kfold(["a", NAN, "b", NAN], 2),
        "groups must name the group of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: _check.labels([1, "1"], "y", "class"),
        "y must hold numbers or strings, got both; 1 and '1' would become one class",
    ),
    Case(
        lambda: protocols.stratified_kfold([None, "a"], 2, rng=0),
        "y must name the class of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: protocols.stratified_kfold([1, 2], 3, rng=0), "k must be at most the number of observations,"
    ),
    Case(lambda: protocols.stratified_kfold([1, 1, 2, 2], 2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: protocols.stratified_kfold(["a", "a", "b"], 2, rng=0),
        "y must have at least k=2 observations of every class, got 1 of 'b'; "
        "take fewer folds, or kfold where y is no class",
    ),
    Case(
        lambda: protocols.kfold(1, 2, rng=0),
        "n must be a whole number >= 2, got 1; there must be something to train on and something to test on",
    ),
    Case(
        lambda: protocols.kfold(5, 1, rng=0),
        "k must be a whole number >= 2, got 1; one part to train on and one to test on is the least",
    ),
    Case(
        lambda: protocols.kfold(5, 6, rng=0),
        "k must be at most the number of observations, got k=6 for 5; take fewer folds",
    ),
    Case(lambda: protocols.kfold(5, 2, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: protocols.leave_one_out(1), "n must be a whole number >= 2, got 1; there must be something"),
    Case(
        lambda: protocols.repeated_kfold(5, 2, 0, rng=0),
        "times must be a whole number >= 1, got 0; split at least once",
    ),
    Case(lambda: protocols.five_by_two(5, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(lambda: protocols.group_kfold([1.0, NAN], 2), "groups must name the group of each observation, got"),
    Case(
        lambda: protocols.group_kfold(["a", "b"], 3), "k must be at most the number of groups, got k=3 for 2;"
    ),
    Case(
        lambda: protocols.time_ordered(1, 2), "n must be a whole number >= 2, got 1; there must be something"
    ),
    Case(
        lambda: protocols.time_ordered(5, 0),
        "k must be a whole number >= 1, got 0; test on at least one block",
    ),
    Case(
        lambda: protocols.time_ordered(5, 2, gap=-1),
        "gap must be a whole number >= 0, got -1; it counts observations to leave out",
    ),
    Case(
        lambda: protocols.time_ordered(5, 5),
        "k and gap must leave something to train on and to test on, got k=5 and gap=0 for n=5; take fewer",
    ),
    Case(
        lambda: protocols.holdout(1, rng=0), "n must be a whole number >= 2, got 1; there must be something"
    ),
    Case(
        lambda: protocols.holdout(5, 1.0, rng=0),
        "test must be a number between 0 and 1, got 1; it is the share of the observations that go there",
    ),
    Case(
        lambda: protocols.holdout(5, 0.05, rng=0),
        "test must leave both parts non-empty, got 0 of 5 for testing; change the share",
    ),
    Case(lambda: protocols.holdout(5, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: protocols.train_val_test(2, rng=0),
        "n must be a whole number >= 3, got 2; each of the three parts needs an observation",
    ),
    Case(
        lambda: protocols.train_val_test(10, 0.5, 0.5, rng=0),
        "val and test must leave all three parts non-empty, got 5 and 5 of 10; change the shares",
    ),
    Case(lambda: protocols.train_val_test(10, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: protocols.check_splits([], 0), "n must be a whole number >= 1, got 0; count the observations"
    ),
    Case(lambda: protocols.check_splits([], 3), "splits must hold at least one split, got none"),
    Case(
        lambda: protocols.check_splits(protocols.kfold(6, 3, rng=0), 12),
        "splits must be of 12 observations, got folds of 6; make them for this data set",
    ),
    Case(
        lambda: protocols.ThreeParts(train=np.arange(6), val=np.arange(6, 9), test=np.arange(4, 12)),
        "the three parts must not share an observation, got 4 in two; take it out of one",
    ),
    Case(
        lambda: protocols.check_splits([HALVES], 4, groups=[1, 2]),
        "groups must have one entry an observation, got 2 for 4",
    ),
    Case(
        lambda: protocols.check_splits([HALVES], 4, groups=[[1, 2]]),
        "groups must be a vector of numbers or strings, got shape (1, 2)",
    ),
    Case(
        lambda: protocols.check_splits([HALVES], 4, groups=list("abbc")),
        "split 0 must not share a group, got 'b' on both sides; split with group_kfold",
    ),
    Case(
        lambda: protocols.check_splits([HALVES], 3),
        "test of split 0 must hold positions from 0 to 2, got 3; make the splits for this data set",
    ),
    Case(
        lambda: protocols.check_splits([([-1], [0])], 3),  # type: ignore[list-item]
        "train of split 0 must hold positions from 0 to 2, got -1; make the splits for this data set",
    ),
    Case(
        lambda: protocols.check_splits([([True, False], [1])], 2),  # type: ignore[list-item]
        "train of split 0 must be a vector of positions, got shape (2,) and type bool; "
        "turn a mask into positions with numpy.flatnonzero",
    ),
    Case(
        lambda: protocols.check_splits([HALVES, ([0, 1], [2, 1])], 4),  # type: ignore[list-item]
        "split 1 must not share an observation, got 1 on both sides; take it out of one",
    ),
    Case(
        lambda: protocols.check_splits([([0], [1, 1])], 4),  # type: ignore[list-item]
        "test of split 0 must hold each observation once, got one twice",
    ),
    Case(lambda: protocols.loo_residuals([1.0], [1.0]), "S must be a matrix of shape (n, d), got shape (1,)"),
    Case(
        lambda: protocols.loo_residuals([[0.5, 0.5]], [1.0]),
        "S must be square, got shape (1, 2); take the smoother at the training points",
    ),
    Case(
        lambda: protocols.loo_residuals(EYE / 2, [1.0]), "y must have shape (2,), got (1,); give one entry a"
    ),
    Case(
        lambda: protocols.loo_residuals(EYE, [1.0, 2.0]),
        "every observation must be predictable from the others, got a weight S_ii of 1 at 0; "
        "drop that observation, or penalise",
    ),
    Case(
        lambda: protocols.ols_loo([[0.0], [0.0], [1.0]], [1.0, 2.0, 3.0]),
        "every observation must be predictable from the others, got a weight S_ii of 1 at 2; drop that",
    ),
    Case(lambda: protocols.ols_loo([1.0], [1.0]), "X must be a matrix of shape (n, d), got shape (1,)"),
    Case(
        lambda: protocols.ols_loo([[1.0]], [1.0, 2.0]), "y must have shape (1,), got (2,); give one entry a"
    ),
    Case(
        lambda: protocols.ridge_loo([1.0], [1.0], [1.0]), "X must be a matrix of shape (n, d), got shape (1,)"
    ),
    Case(
        lambda: protocols.ridge_loo([[1.0]], [1.0, 2.0], [1.0]), "y must have shape (1,), got (2,); give one"
    ),
    Case(
        lambda: protocols.ridge_loo(EYE, [1.0, 2.0], 1.0),
        "lams must be a vector of points on the line, got shape (); ravel it",
    ),
    Case(lambda: protocols.ridge_loo(EYE, TWO, []), "lams must hold at least one penalty, got none"),
    Case(
        lambda: protocols.ridge_loo(EYE, [1.0, 2.0], [1.0, -1.0]),
        "lams must be numbers >= 0, got -1; a penalty does not reward weights",
    ),
    Case(
        lambda: protocols.cross_validate(mean_of, EYE, [1.0], [HALVES]),
        "X and y must have the same length, got 2 and 1; give one target an observation",
    ),
    Case(
        lambda: protocols.cross_validate(mean_of, 3.0, 1.0, [HALVES]),
        "X and y must have the same length, got one object and one target; give one target an observation",
    ),
    Case(
        lambda: protocols.cross_validate(mean_of, EYE, [1.0, NAN], [HALVES]),
        "y must be finite, got 1 NaN or infinite entries; drop those observations",
    ),
    Case(
        lambda: protocols.cross_validate(mean_of, np.eye(4), np.ones(4), [HALVES], lambda y, p: NAN),
        "metric must return one finite number, got nan on 2 observations; average losses, and see that the",
    ),
    Case(
        lambda: protocols.evaluate(mean_of(EYE, TWO), EYE, TWO, lambda y, p: y - p),
        "metric must return one finite number, got array([-1.,  1.]) on 2 observations; average losses",
    ),
    Case(
        lambda: protocols.cross_validate(mean_of, EYE, np.array(["a", None]), [HALVES]),
        "y must be finite, got 1 NaN or infinite entries; drop those observations",
    ),
    Case(
        lambda: protocols.mean_squared_error(TWO, TWO[:, None]),
        "y and predictions must be alike, got shapes (2,) and (2, 1) and types float64 and float64; predict",
    ),
    Case(
        lambda: protocols.error_rate([1, 1], ["1", "1"]),
        "y and predictions must be alike, got shapes (2,) and (2,) and types int64 and <U1; predict one",
    ),
    Case(
        lambda: protocols.evaluate(
            OneClass(), EYE, TWO, lambda y, p: float(np.mean((y - p) ** 2)), response="predict_proba"
        ),
        "predict_proba must tell two classes or more, got one column: all that was trained on was of one "
        "class; use stratified_kfold",
    ),
    Case(
        lambda: protocols.train("ridge", EYE, TWO),
        "learner must be an estimator with fit or a function of X and y, got 'ridge'",
        TypeError,
    ),
    Case(
        lambda: protocols.evaluate("ridge", EYE, TWO, protocols.error_rate),
        "model must have the method predict or be a function of X, got 'ridge'",
        TypeError,
    ),
    Case(
        lambda: protocols.select([], EYE, TWO, HALVES),
        "test of split 0 must hold positions from 0 to 1, got 3; make the splits for this data set",
    ),
    Case(
        lambda: protocols.select([], np.eye(4), np.ones(4), HALVES),
        "candidates must hold at least one learner, got none",
    ),
    Case(
        lambda: protocols.select({1: mean_of, "1": mean_of}, np.eye(4), np.ones(4), HALVES),  # type: ignore[dict-item]
        "candidates must have names that differ as strings, got [1, '1']",
    ),
    Case(
        lambda: protocols.grid(svm.LinearSVC(), C=[1, "1"]),
        "values must print differently, got 'C=1' twice; name the candidates yourself",
    ),
    Case(
        lambda: protocols.select([mean_of], np.eye(4), np.ones(4), [HALVES] * 2, retrain=False),
        "retrain must be True with several splits, got 2; each of them trained another model",
    ),
    Case(
        lambda: copy.copy(protocols.Vault(EYE, TWO)),
        "a Vault must not be copied or pickled, for each copy would open; pass it as it is",
        TypeError,
    ),
    Case(
        lambda: used_vault().open("a second look"),
        "the test set was used for 'a first look'; report that result, or test on new data: "
        "a model chosen after looking is not tested by looking again",
        protocols.VaultError,
    ),
    Case(
        lambda: protocols.Vault(EYE, TWO).evaluate(mean_of(EYE, TWO), lambda y, p: NAN),
        "metric must return one finite number on the test set, got ValueError, whose message may tell the "
        "result and is withheld; try model and metric on training data",
    ),
    # -- measures
    Case(
        lambda: metrics.auc([1, 2, 2], [0.1, 0.2, 0.3]),
        "y must hold labels -1/+1 or 0/1, got [1.0, 2.0]; name the positive class, as in y == 'spam'",
    ),
    Case(
        lambda: metrics.auc([-1, 0, 1], [0.1, 0.2, 0.3]), "y must hold labels -1/+1 or 0/1, got [-1.0, 0.0, "
    ),
    Case(lambda: metrics.auc([], []), "y must have shape (1,), got (0,); give one entry a point"),
    Case(
        lambda: metrics.roc_curve([1, 1], [0.1, 0.2]),
        "y must contain both classes, got only 1; a curve needs positives and negatives: take a larger or a",
    ),
    Case(lambda: metrics.pr_curve([-1, -1], [0.1, 0.2]), "y must contain both classes, got only -1; a curve"),
    Case(
        lambda: metrics.roc_curve([1, 0], [NAN, 0.2]),
        "score must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: metrics.roc_curve([1, 0], [0.1]), "score must have shape (2,), got (1,); give one entry a poi"
    ),
    Case(
        lambda: metrics.brier([1, 0], [0.5, 1.5]),
        "p must lie between 0 and 1, got 1.5; turn scores into probabilities by calibration",
    ),
    Case(
        lambda: metrics.brier([1, 0], [-0.5, 1.0]), "p must lie between 0 and 1, got -0.5; turn scores into"
    ),
    Case(
        lambda: metrics.brier([1, 0], EYE),
        "p must have shape (2,), got (2, 2); take the column of the positive class",
    ),
    Case(lambda: metrics.log_loss([1, 0], [0.5]), "p must have shape (2,), got (1,); give one entry a point"),
    Case(lambda: metrics.log_loss([3], [0.5]), "y must hold labels -1/+1 or 0/1, got [3.0]; name the positi"),
    Case(
        lambda: metrics.brier_classes([1, 0], [0.5, 0.5]), "P must be a matrix of shape (n, d), got shape (2"
    ),
    Case(
        lambda: metrics.brier_classes([1, 1], EYE),
        "P must have shape (2, 1), got (2, 2); give a row an observation and a column a class, and labels if",
    ),
    Case(
        lambda: metrics.brier_classes([1, 0], 2 * EYE),
        "rows of P must be >= 0 and sum to 1, got a smallest entry of 0 and a sum off by 1; pass",
    ),
    Case(
        lambda: metrics.brier_classes([1, 0], EYE, labels=[1, 2]),
        "y must hold only the labels [1, 2]; add the others to labels",
    ),
    Case(
        lambda: metrics.brier_classes([0, 0], EYE, labels=[0, 0]),
        "labels must differ, got [0, 0]; name each class once",
    ),
    Case(
        lambda: metrics.ece([1], [0.5], bins=0),
        "bins must be a whole number >= 1, got 0; a curve needs at least one bin",
    ),
    Case(
        lambda: metrics.ece([1], [0.5], strategy="equal"),
        "strategy must be 'uniform' or 'quantile', got 'equal'; name one of them",
    ),
    Case(
        lambda: metrics.confusion([1, 0], [1]),
        "y and yhat must have the same length, got 2 and 1; give one prediction an observation",
    ),
    Case(
        lambda: metrics.confusion(["a"], [1]),
        "y and yhat must both hold numbers or both strings, got one of each; convert one",
    ),
    Case(
        lambda: metrics.confusion([1], [1], labels=[1, 1]), "labels must differ, got [1, 1]; name each class"
    ),
    Case(
        lambda: metrics.confusion([[1]], [1]),
        "y must be a vector of numbers or of strings, got shape (1, 1) and type int64; name each observation",
    ),
    Case(
        lambda: metrics.confusion([1], [None]), "yhat must be a vector of numbers or of strings, got shape (1"
    ),
    Case(
        lambda: metrics.confusion([1], [NAN]),
        "yhat must name a class for each observation, got NaN; drop those",
    ),
    Case(
        lambda: metrics.confusion([1, 0], [0.9, 0.2]),
        "yhat must hold classes, got 0.9; compare scores with a threshold first",
    ),
    Case(
        lambda: metrics.confusion([True, False], [1, -1]),
        "y and yhat must have the same labels, got -1/+1 and 0/1; map 0/1 with 2*y - 1, or name all three",
    ),
    Case(
        lambda: metrics.confusion([1, 2], [1, 3], labels=[1, 2]),
        "yhat must hold only the labels [1, 2], got 3; add it to labels",
    ),
    Case(
        lambda: metrics.confusion([1, 0], [1, 0], labels=[1, 2]),
        "y must hold only the labels [1, 2], got 0; add it to labels",
    ),
    Case(
        lambda: metrics.confusion([1, 2], [2, 2]).one_versus_rest(3),
        "label must be one of [1, 2], got 3; name a class",
    ),
    Case(
        lambda: metrics.confusion([1, 2, 3], [1, 2, 3]).recall,
        "this measure needs two classes, got 3; use one_versus_rest(label)",
    ),
    Case(
        lambda: metrics.confusion([1], [1]).f_beta(0.0),
        "beta must be a number > 0, got 0; 0.5 favours precision, 2 recall",
    ),
    Case(
        lambda: metrics.confusion([1], [1]).measure("quality"),
        "name must be that of a measure, got 'quality'; ALIASES lists them",
    ),
    Case(
        lambda: metrics.confusion([1], [-1]).precision,
        "precision is 0/0 here; say what it shall be, as in zero_division=0.0",
        ZeroDivisionError,
    ),
    Case(
        lambda: metrics.confusion_of_counts(tp=1, fn=-1, fp=0, tn=0),
        "fn must be a whole number >= 0, got -1; it counts observations",
    ),
    Case(
        lambda: metrics.confusion_of_counts(tp=0, fn=0, fp=0, tn=0),
        "the four counts must not all be zero, got none; count at least one observation",
    ),
    Case(
        lambda: metrics.RocCurve(fpr=np.array([0.1]), tpr=np.array([0.8]), thresholds=np.array([0.5])),
        "fpr must be a vector with an entry a threshold, got shape (1,) and 1 thresholds; give at least the",
    ),
    Case(
        lambda: metrics.RocCurve(fpr=TWO, tpr=np.array([1.0, 0.0]), thresholds=-np.arange(2.0)),
        "fpr must go from 0 to 1, got -1 to 1; add the ends, where nothing and where everything is called",
    ),
    Case(
        lambda: metrics.RocCurve(fpr=np.arange(2.0), tpr=np.array([1.0, 0.0]), thresholds=-np.arange(2.0)),
        "tpr must not fall or be NaN; sort the points by falling threshold",
    ),
    Case(
        lambda: metrics.expected_loss([0.5, 2.0], [0.5, 0.5], 1.0, 1.0, 0.5),
        "fpr must lie between 0 and 1, got 2; it is a share",
    ),
    Case(
        lambda: metrics.expected_loss(0.5, -5.0, 1.0, 1.0, 0.5),
        "tpr must lie between 0 and 1, got -5; it is a share",
    ),
    Case(
        lambda: metrics.iso_loss(ROC, 0.0, 1.0, 0.5),
        "cost_fp must be a number > 0, got 0; if false alarms cost nothing, call everything positive",
    ),
    Case(
        lambda: metrics.iso_loss(ROC, 1.0, 0.0, 0.5),
        "cost_fn must be a number > 0, got 0; if misses cost nothing, call everything negative",
    ),
    Case(
        lambda: metrics.cost_curve(ROC, 1.5), "prevalence must be a number from 0 to 1, got 1.5; it is a pro"
    ),
    Case(
        lambda: metrics.cost_curve(ROC, 1.0),
        "prevalence must be above 0 and below 1, got 1; one class leaves no choice",
    ),
    Case(
        lambda: metrics.Triangular(0.5, 0.4, 1.0),
        "low, mode and high must rise within [0, 1], got 0.5, 0.4 and 1; they are shares of the cost",
    ),
    Case(
        lambda: metrics.lc_index(ROC, ROC, 0.5, weight=lambda lam: 0 * lam),
        "weight must rise by 1 from 0 to 1, got 0; pass a distribution function, no density",
    ),
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
    # -- tails and bounds
    Case(lambda: _check.real("1", "t"), "t must be a real number, got '1'; pass one real number"),
    Case(lambda: _check.fraction(1.0, "q", WHY), "q must be a number between 0 and 1, got 1; it is what it"),
    Case(lambda: _check.fraction(None, "q", WHY), "q must be a number between 0 and 1, got None; pass one"),
    Case(lambda: _check.sample_size(NAN, bool), "eps must be larger, got one that takes nan values; allow"),
    Case(
        lambda: bounded.hoeffding_n(1e-200, 0.1), "eps must be larger, got one that takes inf values; allow"
    ),
    Case(lambda: bounded.finite_class_n(1e-200, 3, 0.1), "eps must be larger, got one that takes inf values"),
    Case(lambda: bounded.bernstein_n(1e-200, 0.1, 0.1), "eps must be larger, got one that takes inf values"),
    Case(
        lambda: bounded.empirical_bernstein_n(1e-200, 0.1, 0.1), "eps must be larger, got one that takes inf"
    ),
    Case(lambda: bounds.chebyshev_n(1.0, 1e-200, 0.1), "eps must be larger, got one that takes inf values;"),
    Case(lambda: _check.chances([], "p"), "p must hold at least one probability, got none"),
    Case(lambda: _check.chances(EYE, "p"), "p must be a vector of points on the line, got shape (2, 2);"),
    Case(
        lambda: _check.chances([0.5, 1.5], "p"),
        "p must hold numbers from 0 to 1, got 1.5; they are probabilities",
    ),
    Case(
        lambda: tails.binomial_tail(1, 2, 0.5, side="both"),
        "side must be 'upper' or 'lower', got 'both'; name the tail to compute",
    ),
    Case(lambda: tails.binomial_tail(NAN, 2, 0.5), "t must be a real number, got nan; pass a finite number"),
    Case(lambda: tails.binomial_tail(1, 0, 0.5), "m must be a whole number >= 1, got 0; there is at least"),
    Case(lambda: tails.binomial_tail(1, 2, 2.0), "p must be a number from 0 to 1, got 2; it is a"),
    Case(lambda: tails.binomial_deviation(0, 0.5, 0.1), "m must be a whole number >= 1, got 0; there is at"),
    Case(lambda: tails.binomial_deviation(9, 1.1, 0.1), "p must be a number from 0 to 1, got 1.1; it is"),
    Case(
        lambda: tails.binomial_deviation(9, 0.5, 0.0),
        "eps must be a number > 0, got 0; every share is off by 0 or more",
    ),
    Case(
        lambda: tails.binomial_deviation(9, 0.5, 0.1, sides=3),
        "sides must be 1 or 2, got 3; 1 counts shares above p only",
    ),
    Case(lambda: tails.poisson_binomial_pmf([-0.1]), "p must hold numbers from 0 to 1, got -0.1; they are"),
    Case(lambda: tails.simulate_counts([2.0], 3, rng=0), "p must hold numbers from 0 to 1, got 2; they are"),
    Case(lambda: tails.simulate_counts([0.5], 3, rng=None), SEED_MESSAGE),  # type: ignore[arg-type]
    Case(
        lambda: tails.simulate_counts([0.5], 0, rng=0),
        "repetitions must be a whole number >= 1, got 0; simulate at least once",
    ),
    Case(
        lambda: tails.simulate_means(lambda rng, shape: rng.random(shape), 0, 3, rng=0),
        "m must be a whole number >= 1, got 0; a mean needs at least one value",
    ),
    Case(
        lambda: tails.simulate_means(lambda rng, shape: rng.random(shape), 2, 0, rng=0),
        "repetitions must be a whole number >= 1, got 0; simulate at least once",
    ),
    Case(
        lambda: tails.simulate_means(lambda rng, shape: rng.random(shape), 2, 3, rng=None),  # type: ignore[arg-type]
        SEED_MESSAGE,
    ),
    Case(
        lambda: tails.simulate_means(lambda rng, shape: rng.random(4), 2, 3, rng=0),
        "draw must return shape (3, 2), got (4,); use the shape it is given",
    ),
    Case(lambda: chernoff.chernoff_exponent("1"), "delta must be a real number, got '1'; pass one real"),  # type: ignore[arg-type]
    Case(
        lambda: chernoff.chernoff_exponent(-1.5),
        "delta must be a number >= -1, got -1.5; a count is never below 0",
    ),
    Case(
        lambda: chernoff.chernoff_exponent(1.0, "exact"),
        "form must be 'sharp' or 'simple', got 'exact'; 'sharp' is h, 'simple' its lower bound",
    ),
    Case(
        lambda: chernoff.chernoff_upper(-1.0, 0.5),
        "p must be a number >= 0, got -1; it is an expected count; pass the probabilities as a vector",
    ),
    Case(lambda: chernoff.chernoff_upper([2.0], 0.5), "p must hold numbers from 0 to 1, got 2; they are"),
    Case(
        lambda: chernoff.chernoff_upper([0.5], -0.5),
        "delta must be a number > 0, got -0.5; for fewer successes than expected use chernoff_lower",
    ),
    Case(
        lambda: chernoff.chernoff_lower([0.5], -0.5),
        "delta must be a number > 0, got -0.5; for more successes than expected use chernoff_upper",
    ),
    Case(
        lambda: chernoff.chernoff_lower([0.5], 1.5),
        "delta must be at most 1, got 1.5; a count is never below 0",
    ),
    Case(
        lambda: chernoff.chernoff_count(0.1, 0.1, side="both"),
        "side must be 'upper' or 'lower', got 'both'; name the tail to bound",
    ),
    Case(
        lambda: chernoff.chernoff_count(0.0, 0.1),
        "delta must be a number > 0, got 0; every count is off by 0 or more",
    ),
    Case(lambda: chernoff.chernoff_count(0.1, 1.0), FAIL_MESSAGE.format("fail", 1)),
    Case(
        lambda: chernoff.chernoff_delta([0.0], 0.1),
        "p must be a number > 0, got 0; where nothing is expected nothing deviates",
    ),
    Case(lambda: chernoff.chernoff_delta([0.5], 0.0), FAIL_MESSAGE.format("fail", 0)),
    Case(lambda: chernoff.chernoff_delta([0.5], 0.1, form="exact"), "form must be 'sharp' or 'simple', got"),
    Case(lambda: bounded.hoeffding_lemma(NAN), "lam must be a real number, got nan; pass a finite number"),
    Case(lambda: bounded.hoeffding(5, 0.1, NAN), "a must be a real number, got nan; pass a finite number"),
    Case(
        lambda: bounded.hoeffding(5, 0.1, 1.0, 1.0),
        "b must be above a, got a=1 and b=1; the values lie between a and b",
    ),
    Case(lambda: bounded.hoeffding(5, 0.1, -1e308, 1e308), "b - a must be a real number, got inf; pass a"),
    Case(lambda: bounded.hoeffding(5, 0.1, sides=0), "sides must be 1 or 2, got 0; 1 bounds means above mu"),
    Case(lambda: bounded.hoeffding(0, 0.1), SAMPLE_MESSAGE),
    Case(lambda: bounded.hoeffding(5, 0.0), OFF_MESSAGE),
    Case(lambda: bounded.hoeffding_n(0.1, 2.0), FAIL_MESSAGE.format("delta", 2)),
    Case(lambda: bounded.hoeffding_n(0.0, 0.1), EXACT_MESSAGE),
    Case(lambda: bounded.hoeffding_eps(0, 0.1), SAMPLE_MESSAGE),
    Case(
        lambda: bounded.finite_class(5, 0.1, 0),
        "n_hypotheses must be a whole number >= 1, got 0; there is at least one to judge",
    ),
    Case(lambda: bounded.finite_class(0, 0.1, 3), SAMPLE_MESSAGE),
    Case(lambda: bounded.finite_class_n(0.1, 0, 0.1), "n_hypotheses must be a whole number >= 1, got 0;"),
    Case(lambda: bounded.finite_class_n(0.0, 3, 0.1), EXACT_MESSAGE),
    Case(lambda: bounded.finite_class_eps(5, 0, 0.1), "n_hypotheses must be a whole number >= 1, got 0;"),
    Case(lambda: bounded.finite_class_eps(0, 3, 0.1), SAMPLE_MESSAGE),
    Case(lambda: bounded.bennett(0, 0.1, 0.1), SAMPLE_MESSAGE),
    Case(lambda: bounded.bennett(5, 0.0, 0.1), OFF_MESSAGE),
    Case(lambda: bounded.bernstein(0, 0.1, 0.1), SAMPLE_MESSAGE),
    Case(lambda: bounded.bernstein(5, 0.0, 0.1), OFF_MESSAGE),
    Case(lambda: bounded.bernstein(5, 0.1, -0.1), SPREAD_MESSAGE),
    Case(lambda: bounded.bernstein_n(0.0, 0.1, 0.1), EXACT_MESSAGE),
    Case(lambda: bounded.bernstein_eps(0, 0.1, 0.1), SAMPLE_MESSAGE),
    Case(
        lambda: bounded.empirical_bernstein_eps(1, 0.1, 0.1),
        "m must be a whole number >= 2, got 1; a sample variance needs two values",
    ),
    Case(lambda: bounded.empirical_bernstein(1, 0.1, 0.1), "m must be a whole number >= 2, got 1; a sample"),
    Case(lambda: bounded.empirical_bernstein(5, 0.0, 0.1), OFF_MESSAGE),
    Case(lambda: bounded.empirical_bernstein_n(0.0, 0.1, 0.1), EXACT_MESSAGE),
    Case(lambda: bounds.markov(-1.0, 1.0), "mean must be a number >= 0, got -1; the variable must not be"),
    Case(lambda: bounds.markov(1.0, 0.0), "a must be a number > 0, got 0; every non-negative variable"),
    Case(lambda: bounds.chebyshev(-0.1, 1.0), SPREAD_MESSAGE),
    Case(lambda: bounds.chebyshev(1.0, 0.0), "eps must be a number > 0, got 0; every variable is off by 0"),
    Case(lambda: bounds.chebyshev(1.0, 1.0, 0), SAMPLE_MESSAGE),
    Case(lambda: bounds.chebyshev_n(-0.1, 1.0, 0.1), SPREAD_MESSAGE),
    Case(lambda: bounds.chebyshev_n(1.0, 0.0, 0.1), EXACT_MESSAGE),
    Case(lambda: bounds.chebyshev_n(1.0, 1.0, 0.0), FAIL_MESSAGE.format("delta", 0)),
    Case(lambda: bounds.chebyshev_eps(-0.1, 1, 0.1), SPREAD_MESSAGE),
    Case(lambda: bounds.chebyshev_eps(1.0, 0, 0.1), SAMPLE_MESSAGE),
    Case(lambda: bounds.chebyshev_eps(1.0, 1, 1.0), FAIL_MESSAGE.format("delta", 1)),
    # -- significance
    Case(lambda: _check.level(0.0), "level must be a number above 0 and at most 0.5, got 0; it is the"),
    Case(
        lambda: significance.wilson(1, 10, 0.95),
        "level must be a number above 0 and at most 0.5, got 0.95; "
        "it is the significance level: 0.05 gives a 95 % interval",
    ),
    Case(
        lambda: significance.clopper_pearson(1, 10, "5 %"),  # type: ignore[arg-type]
        "level must be a number above 0 and at most 0.5, got '5 %'; pass one real number",
    ),
    Case(
        lambda: significance.standard_error(3, 2),
        "k must be at most n = 2, got 3; the errors come first, then the points",
    ),
    Case(
        lambda: significance.wilson(0.5, 10),  # type: ignore[arg-type]
        "k must be a whole number >= 0, got 0.5; count the errors",
    ),
    Case(
        lambda: significance.clopper_pearson(0, 0),
        "n must be a whole number >= 1, got 0; count the test points",
    ),
    Case(
        lambda: significance.standard_error(1, 1, unbiased=True),
        "n must be at least 2, got 1; one test point says nothing about the spread",
    ),
    Case(
        lambda: significance.error_posterior(5, 4),
        "k must be at most n = 4, got 5; the errors come first, then the points",
    ),
    Case(
        lambda: significance.error_posterior(1, 4, a=0.0),
        "a must be a number > 0, got 0; the density of the prior could not be integrated",
    ),
    Case(lambda: significance.error_posterior(1, 4).interval(0.9), "level must be a number above 0 and at"),
    Case(
        lambda: significance.two_sample_z(-1, 4, 0, 4),
        "k1 must be a whole number >= 0, got -1; count the errors",
    ),
    Case(
        lambda: significance.two_sample_z(1, 4, 5, 4),
        "k2 must be at most n2 = 4, got 5; the errors come first, then the points",
    ),
    Case(
        lambda: significance.mcnemar([1, 2], [[1, 2]], [1, 2]),
        "yhat_f must be a vector of numbers or strings, got shape (1, 2) and type int64; "
        "name the class of each observation",
    ),
    Case(lambda: significance.paired_table([], [], []), "y must be a vector of numbers or strings, got"),
    Case(
        lambda: significance.paired_table([1, np.nan], [1, np.nan], [1, 0]),
        "y must name the class of each observation, got NaN or None; drop or name those",
    ),
    Case(
        lambda: significance.mcnemar([1, 0, 1], ["1", "0", "1"], ["1", "0", "0"]),
        "y, yhat_f and yhat_g must hold labels of one kind, got numbers, strings and strings; "
        "let the classifiers predict labels as they are in y",
    ),
    Case(
        lambda: significance.paired_table([1, 2], [1, 2], [1]),
        "y, yhat_f and yhat_g must have one length, got 2, 2 and 1; "
        "let both classifiers predict the same points",
    ),
    Case(
        lambda: significance.paired_binomial(-1, 3),
        "b must be a whole number >= 0, got -1; count the points on which only the first classifier is right",
    ),
    Case(
        lambda: significance.paired_binomial(1, 2.5),  # type: ignore[arg-type]
        "c must be a whole number >= 0, got 2.5; count the points on which only the second classifier is",
    ),
    Case(
        lambda: significance.paired_binomial(1, 2, method="t"),
        'method must be "exact", "mid-p", "chi2" or "corrected", got \'t\'',
    ),
    Case(
        lambda: significance.five_by_two_cv([0.1, 0.2]),
        "differences must be a matrix of shape (n, d), got shape (2,)",
    ),
    Case(
        lambda: significance.five_by_two_cv(np.zeros((2, 5))),
        "differences must have shape (5, 2), got (2, 5); five repetitions of two folds, a row each",
    ),
    Case(
        lambda: significance.five_by_two_cv(np.ones((5, 2))),
        "differences must vary between the folds of at least one repetition, got none that does but for "
        "rounding; the noise cannot be estimated",
    ),
    Case(
        lambda: significance.corrected_resampled_t([[0.1]], 9, 1),
        "differences must be a vector of points on the line, got shape (1, 1); ravel it",
    ),
    Case(
        lambda: significance.corrected_resampled_t([0.1, 0.2], 0, 1),
        "n_train must be a whole number >= 1, got 0; a split needs points to train on",
    ),
    Case(
        lambda: significance.corrected_resampled_t([0.1, 0.2], 1, 0),
        "n_test must be a whole number >= 1, got 0; a split needs points to test on",
    ),
    Case(
        lambda: significance.corrected_resampled_t([0.1, 0.1], 9, 1),
        "differences must hold at least two different values, got [0.1 0.1], which vary by rounding only; "
        "the noise cannot be estimated",
    ),
    Case(lambda: significance.sign_test([[1.0]], [1.0]), "a must be a vector of points on the line, got"),
    Case(
        lambda: significance.wilcoxon_signed_rank([1.0, 2.0], [1.0]),
        "b must have shape (2,), got (1,); give one entry a data set",
    ),
    Case(lambda: significance.sign_test([], []), "a must hold at least one score, got none; give one entry"),
    Case(
        lambda: significance.wilcoxon_signed_rank([1.0], [2.0], method="guess"),
        'method must be "auto", "exact" or "normal", got \'guess\'',
    ),
    Case(
        lambda: significance.friedman([1.0, 2.0]),
        "scores must be a matrix of shape (n, d), got shape (2,)",
    ),
    Case(
        lambda: significance.friedman([[1.0, 2.0]]),
        "scores must have at least two rows and two columns, got shape (1, 2); "
        "a row is a data set, a column a method",
    ),
    Case(
        lambda: significance.friedman([[1.0, 1.0], [2.0, 2.0]]),
        "scores must differ between methods in at least one row, got ties only; there is nothing to rank",
    ),
    Case(
        lambda: significance.friedman(np.eye(3)).critical_difference(0.05, "tukey"),
        'test must be "nemenyi" or "bonferroni-dunn", got \'tukey\'',
    ),
    Case(lambda: significance.friedman([[1.0, 2.0], [2.0, 1.0]]).critical_difference(1.0), "level must be a"),
    Case(lambda: significance.holm([[0.1]]), "pvalues must be a vector of points on the line, got shape (1,"),
    Case(
        lambda: significance.holm([0.1, 1.5]),
        "pvalues must lie between 0 and 1, got a smallest of 0.1 and a largest of 1.5",
    ),
    Case(
        lambda: significance.hanley_mcneil(1.5, 10, 10),
        "auc must be a number from 0 to 1, got 1.5; it is a probability",
    ),
    Case(
        lambda: significance.hanley_mcneil(0.5, 0, 10),
        "n_pos must be a whole number >= 1, got 0; an area needs a positive point",
    ),
    Case(
        lambda: significance.hanley_mcneil(0.5, 10, 0),
        "n_neg must be a whole number >= 1, got 0; an area needs a negative point",
    ),
    Case(
        lambda: significance.delong_variance([0, 1, 2, 1], [1.0, 2.0, 3.0, 4.0]),
        "y must hold labels -1/+1 or 0/1, got [0.0, 1.0, 2.0]; name the positive class, as in y == 'spam'",
    ),
    Case(
        lambda: significance.delong_variance([-1, 1, 1], [1.0, 2.0, 3.0]),
        "y must hold at least two points of each class, got 2 positive and 1 negative; "
        "one point says nothing about the spread",
    ),
    Case(
        lambda: significance.delong_variance([-1, -1, 1, 1], [1.0]),
        "score must have shape (4,), got (1,); give one entry a point",
    ),
    Case(
        lambda: significance.delong([-1, -1, 1, 1], [1.0], [1.0]),
        "score_f must have shape (4,), got (1,); give one entry a point",
    ),
    Case(
        lambda: significance.delong([-1, -1, 1, 1], np.arange(4.0), [NAN, 1.0, 2.0, 3.0]),
        "score_g must be finite, got 1 NaN or infinite entries; drop or impute them",
    ),
    Case(
        lambda: significance.delong([-1, -1, 1, 1], np.arange(4.0), -np.arange(4.0)),
        "score_f and score_g must not differ alike on all points, got areas 1 and 0 and no variance; "
        "shuffle labels or collect more points: the normal law does not apply",
    ),
    Case(lambda: significance.delong([-1, 1, 1, -1], [0, 1, 0, 1], [1, 2, 3, 4]).interval(2.0), "level "),
    Case(
        lambda: significance.two_sample_power(1.5, 0.1, 10),
        "p1 must be a number from 0 to 1, got 1.5; it is a probability",
    ),
    Case(
        lambda: significance.two_sample_power(0.5, 0.1, 0),
        "n must be a whole number >= 1, got 0; test on at least one point",
    ),
    Case(
        lambda: significance.two_sample_n(0.1, -0.1),
        "p2 must be a number from 0 to 1, got -0.1; it is a probability",
    ),
    Case(
        lambda: significance.two_sample_n(0.1, 0.1),
        "p1 and p2 must differ, got 0.1 twice; no number of points tells them apart",
    ),
    Case(
        lambda: significance.two_sample_n(0.1, 0.2, power=1.0),
        "power must be above the level 0.05 and below 1, got 1",
    ),
    Case(
        lambda: significance.two_sample_n(0.1, 0.2, power=2.0),
        "power must be a number from 0 to 1, got 2; it is a probability",
    ),
    Case(lambda: significance.two_sample_n(0.1, 0.2, level=0.9), "level must be a number above 0 and at"),
    Case(
        lambda: significance.paired_power(0.1, 2.0, 10),
        "p_c must be a number from 0 to 1, got 2; it is a probability",
    ),
    Case(
        lambda: significance.paired_power(0.1, 0.2, 0),
        "n must be a whole number >= 1, got 0; test on at least one point",
    ),
    Case(
        lambda: significance.paired_power(0.7, 0.7, 10),
        "p_b + p_c must be at most 1, got 1.4; they are shares of one set of points",
    ),
    Case(
        lambda: significance.paired_n(-0.1, 0.1),
        "p_b must be a number from 0 to 1, got -0.1; it is a probability",
    ),
    Case(
        lambda: significance.paired_n(0.1, 0.1),
        "p_b and p_c must differ, got 0.1 twice; no number of points tells them apart",
    ),
    Case(lambda: significance.paired_n(0.1, 0.2, level=0.0), "level must be a number above 0 and at most"),
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


def test_sample_sizes_are_the_least_that_are_enough() -> None:
    assert _check.sample_size(29.3, lambda m: m >= 32) == 32
    assert _check.sample_size(33.2, lambda m: m >= 32) == 32
    assert _check.sample_size(0.0, lambda m: True) == 1
    assert _check.sample_size(1e20, lambda m: False) == 10**20  # not asked: rounding


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
