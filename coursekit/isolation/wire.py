"""Plain data as JSON: what may cross between the marker and a student's process.

``None``, truth values, numbers, text, lists, tuples, dicts, numeric arrays and arrays of text, numpy
scalars, and the state of a numpy random generator. Nothing is pickled: reading a message never runs code of
the sender. What is read has exactly these types, so a value that a student returns cannot bring behaviour
along, such as an ``==`` that always holds.

Everything else crosses only as a *reference*, a short note such as ``["name", "rbf"]``, if the two hooks
allow it.
"""

import base64
import json
import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

__all__ = ["LARGEST", "WireError", "decode", "dumps", "encode", "loads", "refuse"]

LARGEST = 32 << 20
"""No message is longer than this many bytes."""
DEEPEST = 50  # levels of lists in lists
DTYPES = re.compile(r"[<>|][biufc]\d{1,2}|[<>]U\d{1,6}")
KEYS = bool | int | float | complex | str | np.generic | None
PLAIN = "return numbers, text, lists, tuples, dicts or numeric arrays"


class WireError(ValueError):
    """What should cross is not plain data, or what came is not a message."""


def refuse(value: object) -> Any:
    """Allow no references: what the two hooks do unless told otherwise.

    Parameters
    ----------
    value : object
        what is not plain data, or the note of a reference

    Examples
    --------
    >>> refuse(print)
    Traceback (most recent call last):
    ...
    coursekit.isolation.wire.WireError: an object of type builtin_function_or_method cannot be marked: ...
    """
    raise WireError(f"an object of type {type(value).__name__} cannot be marked: {PLAIN}")


# -- objects to JSON ----------------------------------------------------------------------------------------


def encode(value: object, refer: Callable[[object], Any] = refuse, depth: int = 0) -> Any:
    """Write a value in terms of what JSON knows; subclasses become what they are made of.

    Parameters
    ----------
    value : object
        plain data
    refer : callable
        gives the note of an object with behaviour, or raises :class:`WireError`
    depth : int
        how deep in lists the value stands

    Examples
    --------
    >>> encode((1, 2.5, "a"))
    {'tuple': [1, 2.5, 'a']}
    >>> encode(np.zeros(1, dtype=np.int8))
    {'array': ['|i1', [1], 'AA==']}
    """
    if depth > DEEPEST:
        raise WireError(f"lists nested deeper than {DEEPEST} levels cannot be marked")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.generic | np.ndarray):
        return _encode_array(value)
    if isinstance(value, np.random.Generator):
        return {"generator": encode(_state_of(value))}
    if isinstance(value, list | tuple | dict):
        return _encode_container(value, refer, depth)
    if isinstance(value, int | float | str):  # a subclass, such as an IntEnum
        base: Any = next(kind for kind in (int, float, str) if isinstance(value, kind))
        return base.__new__(base, value)
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    return {"reference": refer(value)}


def _encode_array(value: Any) -> Any:
    """Write an array or a numpy scalar: dtype, shape and bytes."""
    array = np.array(value, subok=False, order="C")
    if array.dtype.kind not in "biufcU":
        raise WireError(f"an array of dtype {array.dtype} cannot be marked: {PLAIN}")
    if array.nbytes > LARGEST // 2:
        raise WireError(f"an array of {array.nbytes >> 20} MB is too large to be marked")
    text = base64.b64encode(array.tobytes()).decode("ascii")
    return {
        "scalar" if isinstance(value, np.generic) else "array": [array.dtype.str, list(array.shape), text]
    }


def _encode_container(value: Any, refer: Callable[[object], Any], depth: int) -> Any:
    """Write a list, a tuple or a dict."""
    if isinstance(value, dict):
        pairs = [
            [encode(key, depth=depth + 1), encode(item, refer, depth + 1)] for key, item in value.items()
        ]
        return {"dict": pairs}
    items = [encode(item, refer, depth + 1) for item in value]
    return items if isinstance(value, list) else {"tuple": items}


def _state_of(generator: np.random.Generator) -> Any:
    """Return the state of numpy's usual generator."""
    state = generator.bit_generator.state
    if state["bit_generator"] != "PCG64":
        raise WireError("a random generator crosses only if it was made by numpy.random.default_rng")
    return state


# -- JSON to objects ----------------------------------------------------------------------------------------


def decode(form: Any, resolve: Callable[[Any], Any] = refuse, depth: int = 0) -> Any:
    """Read a value; every way in which ``form`` can be wrong ends in :class:`WireError`.

    Parameters
    ----------
    form : object
        what :func:`encode` wrote, or anything else that JSON can hold
    resolve : callable
        gives the object of a reference's note, or raises :class:`WireError`
    depth : int
        how deep in lists the value stands

    Examples
    --------
    >>> decode(encode({"a": (1, np.float64(2.0))}))
    {'a': (1, np.float64(2.0))}
    """
    if depth > DEEPEST:
        raise WireError("the message is nested too deep")
    if form is None or isinstance(form, bool | int | float | str):
        return form
    if isinstance(form, list):
        return [decode(item, resolve, depth + 1) for item in form]
    if not isinstance(form, dict) or len(form) != 1:
        raise WireError("the message has a part of no known form")
    ((tag, body),) = form.items()
    if tag == "reference":
        return resolve(body)
    if tag not in READERS:
        raise WireError("the message has a part of no known kind")
    try:
        return READERS[tag](body, resolve, depth + 1)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError) as problem:
        raise problem if isinstance(problem, WireError) else WireError(f"a broken {tag}") from None


def _read_array(body: Any, resolve: Any, depth: int) -> Any:
    """Read an array: only dtypes without behaviour, and exactly as many bytes as the shape asks for."""
    dtype, shape, text = body
    if not DTYPES.fullmatch(dtype) or any(type(side) is not int or side < 0 for side in shape):
        raise WireError("a broken array")
    data = base64.b64decode(text, validate=True)
    kind = np.dtype(dtype)
    array: Any = np.frombuffer(data, dtype=kind) if data else np.empty(0, dtype=kind)
    return array.reshape(shape).copy()


def _read_scalar(body: Any, resolve: Any, depth: int) -> Any:
    """Read a numpy scalar."""
    return _read_array([body[0], [], body[2]], resolve, depth)[()]


def _read_dict(body: Any, resolve: Any, depth: int) -> Any:
    """Read a dict, whose keys are numbers, text or tuples of them."""
    keys = [decode(key, refuse, depth) for key, _ in body]
    if not all(_is_key(key) for key in keys):
        raise WireError("a broken key")
    return {key: decode(item, resolve, depth) for key, (_, item) in zip(keys, body, strict=True)}


def _is_key(key: object) -> bool:
    """Whether a decoded value may be a key."""
    return all(_is_key(part) for part in key) if isinstance(key, tuple) else isinstance(key, KEYS)


def _read_tuple(body: Any, resolve: Any, depth: int) -> Any:
    """Read a tuple."""
    if not isinstance(body, list):
        raise WireError("a broken tuple")
    return tuple(decode(item, resolve, depth) for item in body)


def _read_complex(body: Any, resolve: Any, depth: int) -> Any:
    """Read a complex number."""
    real, imaginary = body
    return complex(float(real), float(imaginary))


def _read_generator(body: Any, resolve: Any, depth: int) -> Any:
    """Read a random generator."""
    state: Any = decode(body, refuse, depth)
    if type(state) is not dict or state.get("bit_generator") != "PCG64":
        raise WireError("a broken generator")
    source = np.random.PCG64()
    source.state = cast(Any, state)  # numpy checks the numbers in it
    return np.random.Generator(source)


READERS: dict[str, Callable[[Any, Any, int], Any]] = {
    "array": _read_array,
    "scalar": _read_scalar,
    "dict": _read_dict,
    "tuple": _read_tuple,
    "complex": _read_complex,
    "generator": _read_generator,
}


# -- JSON to lines ------------------------------------------------------------------------------------------


def dumps(message: dict[str, Any]) -> bytes:
    r"""Write one message as one line of ASCII.

    Parameters
    ----------
    message : dict
        a dict that JSON can hold: its data went through :func:`encode`

    Examples
    --------
    >>> dumps({"id": "3"})
    b'{"id": "3"}\n'
    """
    line = json.dumps(message).encode("ascii") + b"\n"
    if len(line) > LARGEST:
        raise WireError(f"more than {LARGEST >> 20} MB is too much to be marked")
    return line


def loads(line: bytes) -> dict[str, Any]:
    """Read one line.

    Parameters
    ----------
    line : bytes
        what came from the other side

    Examples
    --------
    >>> loads(b"no message")
    Traceback (most recent call last):
    ...
    coursekit.isolation.wire.WireError: what came is no message
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise WireError("what came is no message") from None
    if not isinstance(message, dict):
        raise WireError("what came is no message")
    return message
