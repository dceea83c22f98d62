"""What must not pass the border of a public function, and the test that tries all of it."""

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy import sparse

NUMBER = re.compile(r"\w+: (float|int)( =|$)")  # a parameter that must be a number, as inspect writes it
Call = dict[str, Any]
"""A valid call: arguments by name; of a class those of the constructor, and of fit or of a call."""


def bad_arrays(value: Any, lengths: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield what may not stand in the place of an array of numbers; ``lengths`` are those of the others."""
    array = np.asarray(value, dtype=np.float64)
    spoilt = {kind: array.copy() for kind in ("nan", "inf")}
    for kind, copy in spoilt.items():
        copy.flat[0] = float(kind)
    yield from spoilt.items()
    mask = np.zeros(array.shape, dtype=bool)
    mask.flat[0] = True
    yield "masked", np.ma.MaskedArray(array, mask)
    yield "datetimes", array.astype(np.int64).astype("datetime64[D]")
    yield "timedeltas", array.astype(np.int64).astype("timedelta64[D]")
    yield "complex", array + 1j
    yield "strings", array.astype(str)
    yield "objects", np.where(mask, "a", array.astype(object))
    yield "sparse", sparse.csr_array(np.atleast_2d(array))
    yield "none", None
    yield "empty", array[:0]
    if array.ndim == 2:
        yield "flat", array[0]
    if array.ndim == 1 and len(array) in lengths:
        yield "short", array[:-1]


def bad_numbers(value: float, is_whole: bool) -> Iterator[tuple[str, Any]]:
    """Yield what may not stand in the place of a number."""
    yield "nan", float("nan")
    yield "inf", float("inf")
    yield "booleans", True
    yield "none", None
    yield "strings", str(value)
    yield "complex", complex(value, 1)
    yield "timedeltas", np.timedelta64(1)
    yield "masked", np.ma.masked
    yield "lists", [value, value]
    if is_whole:
        yield "fractions", value + 0.5


def is_array(value: object) -> bool:
    """Whether a value of a valid call is an array of numbers, or a list of them."""
    if not isinstance(value, np.ndarray | list | tuple):
        return False
    array = np.asarray(value)
    return array.size > 0 and array.dtype.kind in "biuf"


def bad_values(parameter: inspect.Parameter, call: Call) -> Iterator[tuple[str, Any]]:
    """Yield the kinds of bad input for one argument of a call, and the values."""
    value = call[parameter.name]
    optional = parameter.default is None
    if is_array(value):
        others = {len(v) for name, v in call.items() if name != parameter.name and is_array(v)}
        found = bad_arrays(value, others)
    elif isinstance(value, int | float | np.number) and not isinstance(value, bool):
        found = bad_numbers(float(value), parameter.annotation in (int, "int"))
    else:
        return
    yield from (bad for bad in found if not (optional and bad[0] == "none"))


def signature(thing: Any, call: Call) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function, or of a constructor and of what is done with the object."""
    known = dict(inspect.signature(thing).parameters)
    if inspect.isclass(thing) and call.keys() - known.keys():
        second = getattr(thing, "fit", thing.__call__)
        known = dict(inspect.signature(second).parameters) | known
    return {name: known[name] for name in call}


def perform(thing: Any, call: Call) -> None:
    """Make a call; a class is made and then fitted or called, a generator is asked for its first item."""
    result: Any
    if inspect.isclass(thing):
        first = {name: value for name, value in call.items() if name in inspect.signature(thing).parameters}
        rest = {name: value for name, value in call.items() if name not in first}
        made = thing(**first)
        then: Any = getattr(made, "fit", made)
        result = then(**rest) if rest else made
    else:
        given = inspect.signature(thing).parameters
        positional = [name for name in given if given[name].kind is inspect.Parameter.POSITIONAL_ONLY]
        keywords = {name: value for name, value in call.items() if name not in positional}
        result = thing(*(call[name] for name in positional if name in call), **keywords)
    if inspect.isgenerator(result):
        next(result, None)


def complaint(perform_it: Callable[[], None], argument: str) -> str:
    """Say what is wrong with the answer to a bad value; empty if it is refused by the argument's name."""
    try:
        perform_it()
    except (ValueError, TypeError) as error:
        named = any(re.search(rf"\b{part}\b", str(error)) for part in [argument, *argument.split("_or_")])
        return "" if named else f"does not name it: {type(error).__name__}: {str(error)[:90]}"
    except Exception as error:
        return f"raw: {type(error).__name__}: {str(error)[:90]}"
    return "accepted"


def trials(thing: Any, call: Call) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """Yield argument, kind and trial of every bad value; also of what a fitted estimator predicts."""
    for name, parameter in signature(thing, call).items():
        for kind, value in bad_values(parameter, call):
            yield name, kind, lambda call=call | {name: value}: perform(thing, call)  # type: ignore[misc]
    if hasattr(thing, "fit") and "X" in call:
        given = inspect.signature(thing).parameters
        data = {name: value for name, value in call.items() if name not in given}
        model = thing(**{name: call[name] for name in call if name in given}).fit(**data)
        X = inspect.Parameter("X", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for method in ("predict", "predict_proba", "decision_function", "transform"):
            if hasattr(model, method):
                for kind, value in bad_values(X, call):
                    yield f"{method}: X", kind, lambda m=method, v=value: getattr(model, m)(v)  # type: ignore[misc]


def public(module: ModuleType) -> set[str]:
    """Return the names that a table must have: functions and estimators."""
    found = {name: getattr(module, name) for name in module.__all__}
    is_estimator = {name for name, thing in found.items() if inspect.isclass(thing) and hasattr(thing, "fit")}
    return is_estimator | {name for name, thing in found.items() if inspect.isfunction(thing)}


def swept(
    module: ModuleType, calls: dict[str, Call], accepted: dict[str, set[str]] | None = None
) -> Callable[[str], None]:
    """Make the test that no public function of a noun lets a bad value pass.

    Parameters
    ----------
    module : module
        The noun.
    calls : dict
        For each public function and estimator, and where it helps for other classes, one valid call.
    accepted : dict
        For "function.argument", or "function" for all of them, the kinds of bad input that are right there.
    """
    exceptions = accepted or {}

    @pytest.mark.parametrize("name", sorted(calls.keys() | public(module)))
    def test(name: str) -> None:
        thing = getattr(module, name)
        assert name in calls, f"{name} needs a valid call in CALLS"
        numbers = {key for key, one in inspect.signature(thing).parameters.items() if NUMBER.match(str(one))}
        assert numbers <= calls[name].keys(), f"CALLS[{name!r}] needs {sorted(numbers - calls[name].keys())}"
        perform(thing, calls[name])
        problems = []
        for argument, kind, trial in trials(thing, calls[name]):
            bare = argument.rpartition(" ")[2]
            right = exceptions.get(name, set()) | exceptions.get(f"{name}.{bare}", set())
            said = complaint(trial, bare)
            if said and kind not in right:
                problems.append(f"{argument} {kind}: {said}")
        assert not problems, "\n".join([*problems, f"or list what is right: ACCEPTED['{name}.<argument>']"])

    return test
