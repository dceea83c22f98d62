"""The border: each message says argument, constraint and value, and each one is raised in some table."""

import ast
import importlib
import pathlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import lecturekit
from lecturekit import _check
from lecturekit.kernels import Constant, EditDistance, Linear
from tests.support.border import trials
from tests.support.refusals import FLAT_MESSAGE, Case, refused

PACKAGE = pathlib.Path(lecturekit.__file__).parent
NAN = float("nan")
WHY = "it is what it is"
NAMELESS_MESSAGE = "y must name the class of each observation, got NaN or None; drop or name those"

CASES: list[Case] = [
    (lambda: _check.matrix([[{}]]), "X must hold real numbers, got [[{}]]; "),
    (lambda: _check.matrix([[1.0, NAN, np.inf]]), "X must be finite, got 2 NaN or infinite entries; drop or"),
    (lambda: _check.matrix([[1j]]), "X must hold real numbers, got [[1j]]; take the real part"),
    (lambda: _check.matrix([["1"]]), "X must hold real numbers, got [['1']]; convert them with float()"),
    (lambda: _check.matrix([[1.0, "1"]]), "X must hold real numbers, got [[1.0, '1']]; convert them with"),
    (lambda: _check.matrix([[b"1"]]), "X must hold real numbers, got [[b'1']]; convert them with float()"),
    (lambda: _check.matrix(np.array([["2020"]], "M8[D]")), "X must hold real numbers, got array([['2020"),
    (lambda: _check.matrix(np.array([[1]], "m8[D]")), "X must hold real numbers, got array([[1]], dtype"),
    (lambda: _check.matrix(sparse.eye_array(2)), "X must be a dense array, got a sparse one; call its"),
    (lambda: _check.matrix(np.ma.MaskedArray([[1.0]], [[True]])), "X must have no masked entries, got some"),
    (lambda: _check.matrix([[1.0], [2.0, 3.0]]), "X must be an array, got [[1.0], [2.0, 3.0]]; setting an"),
    (lambda: _check.positive(np.timedelta64(1), "a", WHY), "a must be a number > 0, got np.timedelta64(1)"),
    (lambda: _check.count(np.timedelta64(1), "n", WHY), "n must be a whole number >= 1, got np.timedelta64"),
    (lambda: _check.matrix([1.0, 2.0]), FLAT_MESSAGE),
    (
        lambda: _check.matrix(np.zeros((2, 2, 1)), "Z"),
        "Z must be a matrix of shape (n, d), got shape (2, 2, 1); reshape one feature with Z[:, None]",
    ),
    (lambda: _check.matrix(np.zeros((0, 3))), "X must have at least one row and one column, got shape (0,"),
    (lambda: _check.matrix([[]]), "X must have at least one row and one column, got shape (1, 0)"),
    (lambda: _check.vector([1.0, 2.0], 3, "c"), "c must have shape (3,), got (2,); give one entry a point"),
    (lambda: _check.vector([[1.0]], 1, "c"), "c must have shape (1,), got (1, 1); give one entry a point"),
    (lambda: _check.symmetric(np.ones((2, 3))), "K must be square, got shape (2, 3); pass the Gram matrix"),
    (lambda: _check.symmetric([[1, 2], [3, 1]]), "K must be symmetric, but K and its transpose differ by 1"),
    (
        lambda: _check.same_width(np.ones((1, 2)), np.ones((1, 3))),
        "X and Z must have the same number of columns, got 2 and 3; apply the same features to both",
    ),
    (
        lambda: _check.bins([[0.0, -0.25]], "Z"),
        "Z must hold non-negative histogram bins, got a smallest entry of -0.25; shift or rescale",
    ),
    (lambda: _check.strings("ab"), "X must be a non-empty list of strings, got 'ab'; wrap one string in a"),
    (lambda: _check.strings([]), "X must be a non-empty list of strings, got []; wrap one string in a list"),
    (lambda: _check.strings(3), "X must be a non-empty list of strings, got 3; wrap one string in a list"),
    (lambda: _check.strings(["a", 1]), "X must hold strings only, got 1; convert it with str()"),
    (lambda: _check.positive("1", "a", WHY), "a must be a number > 0, got '1'; pass one real number"),
    (lambda: _check.positive(True, "a", WHY), "a must be a number > 0, got True; pass one real number"),
    (lambda: _check.positive(np.True_, "a", WHY), f"a must be a number > 0, got {np.True_!r}; pass one"),
    (lambda: _check.positive(NAN, "a", WHY), "a must be a number > 0, got nan; pass a finite number"),
    (lambda: _check.positive(0.0, "a", WHY), f"a must be a number > 0, got 0; {WHY}"),
    (lambda: _check.positive(-1.5, "a", WHY), f"a must be a number > 0, got -1.5; {WHY}"),
    (lambda: _check.nonnegative(-1e-9, "a", WHY), f"a must be a number >= 0, got -1e-09; {WHY}"),
    (lambda: _check.nonnegative(np.inf, "a", WHY), "a must be a number >= 0, got inf; pass a finite number"),
    (lambda: _check.nonnegative([1.0], "a", WHY), "a must be a number >= 0, got [1.0]; pass one real number"),
    (lambda: _check.count(0, "n", WHY), f"n must be a whole number >= 1, got 0; {WHY}"),
    (lambda: _check.count(2.0, "n", WHY), f"n must be a whole number >= 1, got 2.0; {WHY}"),
    (lambda: _check.count(True, "n", WHY), f"n must be a whole number >= 1, got True; {WHY}"),
    (lambda: _check.count(4, "n", WHY, least=5), f"n must be a whole number >= 5, got 4; {WHY}"),
    (
        lambda: _check.generator(-1),
        "rng must be a whole number >= 0, got -1; pass a seed or numpy.random.default_rng(seed)",
    ),
    (
        lambda: _check.labels([[1]], "y", "class"),
        "y must be a vector of numbers or strings, got shape (1, 1) and type int64; name the class of each",
    ),
    (lambda: _check.labels([1.0, NAN], "y", "class"), NAMELESS_MESSAGE),
    (lambda: _check.labels(np.array(["a", NAN], dtype=object), "y", "class"), NAMELESS_MESSAGE),
    (lambda: _check.labels([1, "1"], "y", "id"), "y must hold numbers or strings, got both; 1 and '1' would"),
    (lambda: _check.real("1", "t"), "t must be a real number, got '1'; pass one real number"),
    (lambda: _check.fraction(1.0, "q", WHY), "q must be a number between 0 and 1, got 1; it is what it"),
    (lambda: _check.fraction(None, "q", WHY), "q must be a number between 0 and 1, got None; pass one"),
    (lambda: _check.sample_size(NAN, bool), "eps must be larger, got one that takes nan values; allow"),
    (lambda: _check.chances([], "p"), "p must hold at least one probability, got none"),
    (lambda: _check.chances(np.eye(2), "p"), "p must be a vector of points on the line, got shape (2, 2);"),
    (lambda: _check.chances([0.5, 1.5], "p"), "p must hold numbers from 0 to 1, got 1.5; they are"),
    (lambda: _check.present([None], "y"), "y must be finite, got 1 NaN or infinite entries; drop those"),
    (lambda: _check.level(0.0), "level must be a number above 0 and at most 0.5, got 0; it is the"),
]

test_message_is_raised = refused(CASES)


def refusals(path: pathlib.Path) -> Iterator[ast.stmt | ast.expr]:
    """Yield the places where a module refuses something: its raises and its calls of the validators."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_check = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_check.")
        if isinstance(node, ast.Raise | ast.Call) and (is_check or isinstance(node, ast.Raise)):
            yield node


def lines_behind(calls: Iterable[Callable[[], object]]) -> set[tuple[str, int]]:
    """Return the lines of the package through which the errors of calls came."""
    found: set[tuple[str, int]] = set()
    for call in calls:
        try:
            call()
        except Exception as error:
            frames = traceback.walk_tb(error.__traceback__)
            found |= {(frame.f_code.co_filename, line) for frame, line in frames}
    return found


def test_sample_sizes_are_the_least_that_are_enough() -> None:
    assert _check.sample_size(29.3, lambda m: m >= 32) == 32
    assert _check.sample_size(33.2, lambda m: m >= 32) == 32
    assert _check.sample_size(0.0, lambda m: True) == 1
    assert _check.sample_size(1e20, lambda m: False) == 10**20  # not asked: rounding


def test_every_raise_is_among_the_cases_and_every_check_there_or_in_the_sweep() -> None:
    nouns = sorted(path.parent.name for path in pathlib.Path(__file__).parent.glob("*/test_refusals.py"))
    tables = {noun: importlib.import_module(f"tests.lecturekit.{noun}.test_refusals") for noun in nouns}
    told = lines_behind(one[0] for cases in [CASES, *(tables[noun].CASES for noun in nouns)] for one in cases)
    swept = lines_behind(
        trial
        for noun in nouns
        for name, call in tables[noun].CALLS.items()
        for _, _, trial in trials(getattr(importlib.import_module(f"lecturekit.{noun}"), name), call)
    )
    missing = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)[:70]}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in refusals(path)
        for seen in [told if isinstance(node, ast.Raise) else told | swept]
        if not any((str(path), n) in seen for n in range(node.lineno, int(node.end_lineno or 0) + 1))
    ]
    assert not missing


@pytest.mark.parametrize("value", [[[1, 2]], [[True, False]], np.ones((1, 2), dtype=np.float16)])
def test_numbers_become_double_precision_unless_they_are_single(value: Any) -> None:
    clean = _check.matrix(value)
    assert clean.dtype == np.float64
    assert clean.tolist() == np.asarray(value).tolist()
    assert _check.matrix(np.asarray(value, dtype=np.float32)).dtype == np.float32


def test_large_numbers_are_finite_even_if_their_sum_is_not_and_symmetry_forgives_rounding() -> None:
    assert _check.matrix([[1e308, 1e308], [1e308, -1e308]]).shape == (2, 2)
    with pytest.raises(ValueError, match="got 2 NaN or infinite entries"):
        _check.matrix([[np.inf, 1e308], [1e308, -np.inf]])
    assert not _check.symmetric(np.zeros((2, 2))).any()
    K = np.array([[1.0, 0.5], [0.5 + 1e-15, 1.0]])
    assert np.array_equal(_check.symmetric(K), K)
    K[1, 0] = 0.5 + 1e-12
    with pytest.raises(ValueError, match=r"K must be symmetric, but K and its transpose differ by 1e-12"):
        _check.symmetric(K)


def test_a_vector_is_a_copy_unless_nobody_changes_it() -> None:
    mine = np.ones(3)
    assert not np.shares_memory(_check.vector(mine, 3, "y"), mine)
    assert np.shares_memory(_check.vector(mine, 3, "y", copy=False), mine)


def test_strings_come_from_any_sequence_numbers_are_plain_and_a_seed_becomes_a_generator() -> None:
    assert _check.strings(("a", "")) == _check.strings(np.array(["a", ""])) == ["a", ""]
    assert all(type(item) is str for item in _check.strings(np.array(["a", "b"])))
    value = "x" * 58
    with pytest.raises(ValueError, match=f"got '{value}'; pass"):
        _check.positive(value, "a", WHY)
    with pytest.raises(ValueError, match=rf"got '{'x' * 56}\.\.\.; pass"):
        _check.positive(value + "x", "a", WHY)
    assert type(_check.positive(np.float32(2.0), "a", WHY)) is float
    assert type(_check.nonnegative(0, "a", WHY)) is float
    assert type(_check.count(np.int64(3), "n", WHY)) is int
    assert _check.count(1, "n", WHY) == 1
    rng = np.random.default_rng(5)
    assert _check.generator(rng) is rng
    assert _check.generator(5).random() == np.random.default_rng(5).random()


@pytest.mark.parametrize(
    ("kernel", "points"), [(Linear(), (3.0, [[1.0]])), (Constant(1.0) + Linear(), ([1.0, 2.0],))]
)
def test_points_that_are_no_matrix_are_refused_by_a_sum_too(kernel: Any, points: Any) -> None:
    with pytest.raises(ValueError, match="X must be a matrix"):
        kernel(*points)
    assert (Constant(1.0) + EditDistance())(["a"]) == [[2.0]]  # which leaves them to its partner
