"""Validation at the border: each function returns a clean value or says what is wrong and what to do."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lecturekit._typing import Array, Mask

__all__ = [
    "bins",
    "chances",
    "count",
    "fraction",
    "generator",
    "gradient",
    "labels",
    "level",
    "line",
    "matrix",
    "nonnegative",
    "numbers",
    "positive",
    "positives",
    "present",
    "probabilities",
    "probability",
    "real",
    "same_width",
    "sample_size",
    "shaped",
    "signs",
    "square",
    "start",
    "strings",
    "symmetric",
    "tally",
    "vector",
]


NO_NUMBERS = {
    "c": "take the real part",
    "M": "count the days, or another unit, since some date",
    "m": "divide by a unit, such as numpy.timedelta64(1, 'D')",
    "U": "convert them with float()",
    "S": "convert them with float()",
}  # by NumPy's letter of what an array holds


def _array(value: object, name: str) -> NDArray[Any]:
    """Turn a value into an array of any kind; nothing may be hidden by a mask, nor left out as zero."""
    if hasattr(value, "toarray"):
        raise ValueError(f"{name} must be a dense array, got a sparse one; call its method toarray()")
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries, got some; drop or impute them")
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array, got {_brief(value)}; {error}") from None


def numbers(value: object, name: str, *, copy: bool = True, finite: bool = True) -> Array:
    """Turn a value into a float array, finite unless that is looked at elsewhere; float32 stays float32."""
    array = _array(value, name)
    remedy = NO_NUMBERS.get(array.dtype.kind)
    if remedy or (array.dtype.kind == "O" and any(isinstance(item, str) for item in array.flat)):
        raise ValueError(f"{name} must hold real numbers, got {_brief(value)}; {remedy or NO_NUMBERS['U']}")
    try:
        array = array if array.dtype == np.float32 else array.astype(np.float64, copy=copy)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers, got {_brief(value)}; {error}") from None
    if not finite:
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        doubtful = not np.isfinite(array.sum())  # quick, and right unless the sum overflows
    if doubtful and not np.all(np.isfinite(array)):
        bad = int(np.size(array) - np.count_nonzero(np.isfinite(array)))
        raise ValueError(f"{name} must be finite, got {bad} NaN or infinite entries; drop or impute them")
    return array


def _brief(value: object) -> str:
    """Show a value in one short piece."""
    text = repr(value).replace("\n", " ")
    return text if len(text) <= 60 else text[:57] + "..."


def matrix(value: object, name: str = "X", *, copy: bool = True, finite: bool = True) -> Array:
    """Return an ``(n, d)`` array of floats with n, d >= 1, finite unless the caller looks at that itself."""
    array = numbers(value, name, copy=copy, finite=finite)
    if array.ndim != 2:
        raise ValueError(
            f"{name} must be a matrix of shape (n, d), got shape {array.shape}; "
            f"reshape one feature with {name}[:, None], one point with {name}[None, :]"
        )
    if array.size == 0:
        raise ValueError(f"{name} must have at least one row and one column, got shape {array.shape}")
    return array


def vector(value: object, length: int, name: str, each: str = "point", *, copy: bool = True) -> Array:
    """Return a float array of the given length; ``each`` says what there is an entry for."""
    array = numbers(value, name, copy=copy)
    if array.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},), got {array.shape}; give one entry a {each}")
    return array


def signs(value: object, length: int | None, *, both: bool = True) -> Array:
    """Return labels -1 and +1, of the given length; ``both`` asks for both classes."""
    labels = numbers(value, "y").astype(np.float64)
    array = vector(labels, max(labels.size, 1) if length is None else length, "y")
    if not np.all(np.abs(array) == 1):
        shown = [float(v) for v in np.unique(array)[:5]]
        raise ValueError(f"y must contain only -1 and +1, got {shown}; map 0/1 labels with 2*y - 1")
    if both and np.all(array == array[0]):
        raise ValueError(f"y must contain both -1 and +1, got only {array[0]:+g}; a margin needs two classes")
    return array


def positives(value: object, length: int | None, *, both: bool = True) -> Mask:
    """Return which labels are positive: +1 among -1/+1 or 0/1; ``both`` asks for both classes."""
    labels = numbers(value, "y", copy=False)
    array = vector(labels, max(labels.size, 1) if length is None else length, "y", copy=False)
    positive = array == 1
    if not np.all(positive | (array == (-1 if array.min() < 0 else 0))):
        shown = [float(v) for v in np.unique(array)[:5]]
        raise ValueError(
            f"y must hold labels -1/+1 or 0/1, got {shown}; name the positive class, as in y == 'spam'"
        )
    if both and np.count_nonzero(positive) in (0, array.size):
        raise ValueError(
            f"y must contain both classes, got only {array[0]:g}; "
            "a curve needs positives and negatives: take a larger or a stratified sample"
        )
    return np.asarray(positive)


def probabilities(value: object, length: int, name: str = "p") -> Array:
    """Return probabilities of the positive class, one a point, as doubles."""
    array: Array = numbers(value, name).astype(np.float64)
    if array.ndim == 2:
        raise ValueError(
            f"{name} must have shape ({length},), got {array.shape}; take the column of the positive class"
        )
    array = vector(array, length, name)
    if array.min() < 0 or array.max() > 1:
        worst = float(array[np.argmax(np.abs(array - 0.5))])
        raise ValueError(
            f"{name} must lie between 0 and 1, got {worst:g}; turn scores into probabilities by calibration"
        )
    return array


def labels(value: object, name: str, what: str) -> NDArray[Any]:
    """Return a class or a group for each observation: numbers or strings; ``what`` says which they are."""
    array = _array(value, name)
    if _missing(value):
        raise ValueError(
            f"{name} must name the {what} of each observation, got NaN or None; drop or name those"
        )
    if array.dtype.kind in "OUS" and not (isinstance(value, np.ndarray) and array.dtype.kind in "US"):
        kinds = {isinstance(item, str) for item in np.asarray(value, dtype=object).ravel()}
        if len(kinds) > 1:
            raise ValueError(
                f"{name} must hold numbers or strings, got both; 1 and '1' would become one {what}"
            )
        array = np.array(array.tolist())  # strings in a table come as objects
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "biufUSM":
        raise ValueError(
            f"{name} must be a vector of numbers or strings, got shape {array.shape} and type {array.dtype}; "
            f"name the {what} of each observation"
        )
    return array


def present(value: object, name: str) -> NDArray[Any]:
    """Return targets of any kind, none of them missing or infinite."""
    array = _array(value, name)
    bad = int(np.count_nonzero(~np.isfinite(array))) if array.dtype.kind == "f" else _missing(value)
    if bad:
        raise ValueError(f"{name} must be finite, got {bad} NaN or infinite entries; drop those observations")
    return array


def _missing(value: object) -> int:
    """Count the entries that are NaN or None, before numpy makes the string "nan" of them."""
    array = np.asarray(value)
    if array.dtype.kind in "biuc" or (isinstance(value, np.ndarray) and array.dtype.kind in "US"):
        return 0
    if array.dtype.kind in "fM":
        return int(np.count_nonzero(array != array))
    items = np.asarray(value, dtype=object).ravel()
    return sum(not isinstance(item, str) and str(item) in ("nan", "None", "NaT", "<NA>") for item in items)


def square(value: object, name: str = "K") -> Array:
    """Return a square matrix, found symmetric in 64 rows: comparing all costs more than a solver."""
    array = matrix(value, name, copy=False)  # it may be large, and nobody writes to it
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be square, got shape {array.shape}; pass the Gram matrix of one set")
    chosen = np.unique(np.linspace(0, len(array) - 1, 64).astype(np.intp))
    _require_symmetry(array[chosen], array[:, chosen].T, name)
    return array


def _require_symmetry(rows: Array, columns: Array, name: str) -> None:
    """Refuse rows and columns that differ by more than rounding."""
    gap = float(np.max(np.abs(rows - columns)))
    if gap > 100 * np.finfo(rows.dtype).eps * float(np.max(np.abs(rows))):
        raise ValueError(f"{name} must be symmetric, but {name} and its transpose differ by {gap:.3g}")


def line(value: object, name: str = "x") -> Array:
    """Return points on the line as a vector of float64."""
    array = numbers(value, name).astype(np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a vector of points on the line, got shape {array.shape}; ravel it")
    return array


def symmetric(value: object, name: str = "K") -> Array:
    """Return a symmetric matrix; asymmetry beyond rounding is an error."""
    array = square(value, name)
    _require_symmetry(array, array.T, name)
    return array


def same_width(X: Array, Z: Array) -> None:
    """Require that two sets of points have the same number of features."""
    if X.shape[1] != Z.shape[1]:
        raise ValueError(
            f"X and Z must have the same number of columns, got {X.shape[1]} and {Z.shape[1]}; "
            "apply the same features to both"
        )


def bins(value: object, name: str = "X") -> Array:
    """Return a matrix of histograms: no entry below zero."""
    array = matrix(value, name)
    if np.any(array < 0):
        raise ValueError(
            f"{name} must hold non-negative histogram bins, got a smallest entry of {array.min():.3g}; "
            "shift or rescale the features to be counts or shares"
        )
    return array


def strings(value: object, name: str = "X") -> list[str]:
    """Return a non-empty list of strings."""
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or len(value) == 0:
        raise ValueError(
            f"{name} must be a non-empty list of strings, got {_brief(value)}; wrap one string in a list"
        )
    items: list[Any] = list(value)
    for item in items:
        if not isinstance(item, str):
            raise ValueError(f"{name} must hold strings only, got {_brief(item)}; convert it with str()")
    return [str(item) for item in items]


NO_NUMBER = (bool, np.bool_, np.timedelta64)  # though Python or NumPy counts with them


def _number(value: object, name: str, constraint: str) -> float:
    """Return one finite real number."""
    if isinstance(value, NO_NUMBER) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{name} must be {constraint}, got {_brief(value)}; pass one real number")
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{name} must be {constraint}, got {number}; pass a finite number")
    return number


def real(value: object, name: str) -> float:
    """Return any finite number."""
    return _number(value, name, "a real number")


def positive(value: object, name: str, why: str) -> float:
    """Return a number above zero; ``why`` ends the message with the reason or the remedy."""
    number = _number(value, name, "a number > 0")
    if number <= 0:
        raise ValueError(f"{name} must be a number > 0, got {number:g}; {why}")
    return number


def nonnegative(value: object, name: str, why: str) -> float:
    """Return a number at or above zero; ``why`` ends the message with the reason or the remedy."""
    number = _number(value, name, "a number >= 0")
    if number < 0:
        raise ValueError(f"{name} must be a number >= 0, got {number:g}; {why}")
    return number


def probability(value: object, name: str) -> float:
    """Return a number from 0 to 1."""
    number = _number(value, name, "a number from 0 to 1")
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {number:g}; it is a probability")
    return number


def fraction(value: object, name: str, why: str) -> float:
    """Return a number strictly between 0 and 1; ``why`` ends the message with the reason or the remedy."""
    number = _number(value, name, "a number between 0 and 1")
    if not 0 < number < 1:
        raise ValueError(f"{name} must be a number between 0 and 1, got {number:g}; {why}")
    return number


def chances(value: object, name: str) -> Array:
    """Return a vector of at least one probability, of any length."""
    array = line(value, name)
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one probability, got none")
    if np.any((array < 0) | (array > 1)):
        bad = float(array[(array < 0) | (array > 1)][0])
        raise ValueError(f"{name} must hold numbers from 0 to 1, got {bad:g}; they are probabilities")
    return array


def count(value: object, name: str, why: str, *, least: int = 1) -> int:
    """Return a whole number of at least ``least``; ``why`` ends the message."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, NO_NUMBER)
    if not whole or int(value) < least:  # type: ignore[call-overload]
        raise ValueError(f"{name} must be a whole number >= {least}, got {_brief(value)}; {why}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def sample_size(guess: float, enough: Callable[[int], bool]) -> int:
    """Return the least number that is enough, from a formula for it that is right but for rounding."""
    if not guess < 1e300:
        raise ValueError(f"eps must be larger, got one that takes {guess:g} values; allow more deviation")
    m = max(math.ceil(guess), 1)
    if m < 10**12:  # beyond, the last digits of the answer are rounding, too
        while not enough(m):
            m += 1
        while m > 1 and enough(m - 1):
            m -= 1
    return m


def level(value: object) -> float:
    """Return a significance level: above 0 and at most one half."""
    number = _number(value, "level", "a number above 0 and at most 0.5")
    if not 0 < number <= 0.5:
        raise ValueError(
            f"level must be a number above 0 and at most 0.5, got {number:g}; "
            "it is the significance level: 0.05 gives a 95 % interval"
        )
    return number


def tally(k: object, n: object, *, names: tuple[str, str] = ("k", "n"), least: int = 1) -> tuple[int, int]:
    """Return a number k of errors among n points."""
    k = count(k, names[0], "count the errors", least=0)
    n = count(n, names[1], "count the test points", least=least)
    if k > n:
        raise ValueError(
            f"{names[0]} must be at most {names[1]} = {n}, got {k}; the errors come first, then the points"
        )
    return k, n


def generator(rng: np.random.Generator | int) -> np.random.Generator:
    """Return a random generator; a whole number is a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(count(rng, "rng", "pass a seed or numpy.random.default_rng(seed)", least=0))


def start(w0: object) -> Array:
    """Return a copy of the point where a descent starts, as a vector of doubles."""
    array = numbers(w0, "w0")
    return np.array(vector(array, max(array.size, 1), "w0"), dtype=np.float64)


def shaped(value: object, shape: tuple[int, ...], name: str, each: str) -> Array:
    """Return an array of doubles of a given shape; ``each`` says what an entry stands for."""
    array = numbers(value, name)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}; give one entry {each}")
    return array


def gradient(value: object, w: Array, t: int, why: str) -> Array:
    """Return the gradient at ``w`` in step ``t``, of the same shape and finite; ``why`` ends the message."""
    g = numbers(value, "gradient", finite=False)
    if g.shape != w.shape:
        raise ValueError(
            f"gradient must return shape {w.shape}, got {g.shape}; give one entry a component of w"
        )
    if not np.all(np.isfinite(g)):
        raise FloatingPointError(f"gradient must stay finite, got {g[~np.isfinite(g)][0]} in step {t}; {why}")
    return g
