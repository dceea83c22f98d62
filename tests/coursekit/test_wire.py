"""The wire: what crosses comes out as it went in, and nothing else crosses."""

import enum
import json
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coursekit.isolation import wire
from coursekit.isolation.wire import WireError, decode, encode

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.complex_numbers()
KEYS = st.booleans() | st.integers() | st.text() | st.tuples(st.integers(), st.text())
PLAIN = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
    max_leaves=10,
)
DTYPES = hnp.boolean_dtypes() | hnp.integer_dtypes() | hnp.floating_dtypes() | hnp.complex_number_dtypes()
ARRAYS = hnp.arrays(DTYPES | hnp.unicode_string_dtypes(), hnp.array_shapes(min_dims=0, min_side=0))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from([*wire.READERS, "reference", "other"]), inner, max_size=2)
    ),
    max_leaves=12,
)


def crossed(value: object) -> Any:
    return decode(wire.loads(wire.dumps({"value": encode(value)}))["value"])


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike to the last bit and of the same types."""
    return type(one) is type(other) and repr(one) == repr(other)


@given(PLAIN)
def test_plain_data_come_out_as_they_went_in(value: Any) -> None:
    assert same(crossed(value), value)


@given(ARRAYS)
def test_arrays_come_out_as_they_went_in(array: Any) -> None:
    other = crossed(array)
    assert type(other) is np.ndarray
    assert (other.dtype, other.shape) == (array.dtype, array.shape)
    assert other.tobytes() == np.ascontiguousarray(array).tobytes()
    assert other.flags.writeable


@given(JSON)
def test_reading_never_fails_in_another_way(form: Any) -> None:
    try:
        value = decode(form)
    except WireError:
        return
    encode(value)


@given(st.binary())
def test_a_line_is_a_message_or_refused(line: bytes) -> None:
    try:
        assert isinstance(wire.loads(line), dict)
    except WireError:
        return


class Colour(enum.IntEnum):
    """A subclass of int."""

    RED = 3


class Sneaky(float):
    """A number that is equal to all others."""

    __hash__ = float.__hash__

    def __eq__(self, other: object) -> bool:
        return True


Point = namedtuple("Point", "x y")


MASKED = np.ma.masked_array([1, 2], mask=[False, True])
SCALAR = [np.float64(0.1), np.float32(3), np.int8(-1), np.bool_(True), np.complex128(1j), np.str_("ä")]
BECOMES = [(Colour.RED, 3), (Sneaky(2.0), 2.0), (Point(1, 2), (1, 2)), (OrderedDict(a=1), {"a": 1})]


@pytest.mark.parametrize(
    ("value", "plain"), [*zip(SCALAR, SCALAR, strict=True), *BECOMES, (MASKED, np.array([1, 2]))]
)
def test_numpy_scalars_stay_and_subclasses_become_plain(value: Any, plain: Any) -> None:
    assert same(crossed(value), plain)


def test_a_random_generator_goes_on_where_it_was() -> None:
    rng = np.random.default_rng(3)
    rng.normal(size=5)
    assert crossed(rng).normal() == rng.normal()


def deep(levels: int, wrap: Callable[[Any], Any] = lambda value: [value]) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (print, "an object of type builtin_function_or_method cannot be marked: return numbers, text"),
        ({1, 2}, "an object of type set"),
        (b"bytes", "an object of type bytes"),
        ([object()], "an object of type object"),
        (np.array([None]), "an array of dtype object cannot be marked"),
        (np.array(["2000"], dtype="datetime64"), "an array of dtype datetime64"),
        (np.zeros(1, dtype=[("a", float)]), "an array of dtype"),
        (np.zeros(10**7), "an array of 76 MB is too large to be marked"),
        (deep(60), "lists nested deeper than 50 levels"),
        ({print: 1}, "an object of type builtin_function_or_method"),
        (np.random.Generator(np.random.MT19937()), "a random generator crosses only if"),
    ],
)
def test_the_rest_is_refused(value: Any, message: str) -> None:
    with pytest.raises(WireError, match=message):
        encode(value)


EIGHT = "AAAAAAAAAAA="  # eight bytes
BROKEN: dict[str, list[Any]] = {
    "array": [
        *(["<f8", shape, EIGHT] for shape in ([2], [-1], [1, -1], [True])),
        *([dtype, [1], EIGHT] for dtype in ("|O", "<f3", "<M8")),
        *(["<f8", [1], data] for data in ("not base64", "AAAA!AAAAAAA=")),
        [["<f8"], [1], ""],
        3,
    ],
    "scalar": [[]],
    "tuple": ["abc", {"tuple": []}],
    "complex": [["1", [2]]],
    "dict": [[1]],
    "generator": [{"dict": [["bit_generator", "PCG64"]]}, {"dict": [["bit_generator", "MT19937"]]}, 1],
}
FORMS = [({name: form}, f"a broken {name}") for name, forms in BROKEN.items() for form in forms]
KEYLIKE: list[Any] = [[1], {"tuple": [1, []]}, {"array": ["<f8", [1], EIGHT]}]
FORMS += [({"dict": [[key, 2]]}, "a broken key") for key in KEYLIKE]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        *FORMS,
        ({"reference": ["name", "print"]}, "an object of type list cannot be marked"),
        ({"pickle": "gASVAAAA"}, "a part of no known kind"),
        ({"array": 1, "tuple": 2}, "a part of no known form"),
        ({}, "a part of no known form"),
        (deep(60), "nested too deep"),
        (object(), "a part of no known form"),
    ],
)
def test_broken_forms_are_refused(form: Any, message: str) -> None:
    with pytest.raises(WireError, match=message):
        decode(form)


def test_a_reference_may_not_be_a_key() -> None:
    form = {"dict": [[{"reference": ["name", "print"]}, 1]]}
    with pytest.raises(WireError, match="cannot be marked"):
        decode(form, lambda note: "a")
    with pytest.raises(WireError, match="cannot be marked"):
        encode({print: 1}, lambda value: ["name", "print"])


WRAPS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "list": (lambda value: [value], lambda form: [form]),
    "tuple": (lambda value: (value,), lambda form: {"tuple": [form]}),
    "value": (lambda value: {"a": value}, lambda form: {"dict": [["a", form]]}),
}


@pytest.mark.parametrize("name", WRAPS)
def test_fifty_levels_cross_and_one_more_does_not(name: str) -> None:
    wrap, wrapped = WRAPS[name]
    fifty = deep(wire.DEEPEST, wrap)
    assert crossed(fifty) == fifty
    with pytest.raises(WireError, match="deeper than 50 levels"):
        encode(wrap(fifty))
    with pytest.raises(WireError, match="nested too deep"):
        decode(wrapped(encode(fifty)))


def test_keys_have_levels_too() -> None:
    key = deep(wire.DEEPEST - 1, lambda value: (value,))
    assert crossed({key: 0}) == {key: 0}
    with pytest.raises(WireError, match="deeper than 50 levels"):
        encode({(key,): 0})
    with pytest.raises(WireError, match="nested too deep"):
        decode({"dict": [[{"tuple": [encode(key)]}, 0]]})


def test_a_message_is_as_long_as_it_may_and_an_array_half_of_that(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WireError, match="more than 32 MB is too much"):
        wire.dumps({"text": "a" * wire.LARGEST})
    line = wire.dumps({"a": 1})
    monkeypatch.setattr(wire, "LARGEST", len(line))
    assert wire.dumps({"a": 1}) == line
    with pytest.raises(WireError, match="too much"):
        wire.dumps({"a": 10})
    monkeypatch.setattr(wire, "LARGEST", 16)
    assert encode(np.zeros(1)) == {"array": ["<f8", [1], "AAAAAAAAAAA="]}
    with pytest.raises(WireError, match="too large"):
        encode(np.zeros(9, dtype=np.int8))


def test_a_hook_is_asked_at_every_depth_and_a_generator_holds_no_references() -> None:
    form = encode({"a": [({1},)]}, lambda value: str(value))
    assert decode(form, lambda note: f"<{note}>") == {"a": [("<{1}>",)]}
    with pytest.raises(WireError, match="cannot be marked"):
        decode({"generator": {"reference": 1}}, lambda note: np.random.default_rng(0).bit_generator.state)


@pytest.mark.parametrize("line", [b"", b"3", b"[]", b"{", b"\xff", b"[" * 10**5, b"9" * 10**5], ids=len)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(WireError, match="what came is no message"):
        wire.loads(line)


def test_references_cross_by_the_hooks_only() -> None:
    things = {"print": print}
    form = json.loads(json.dumps(encode([print], lambda value: ["name", value.__name__])))  # type: ignore[attr-defined]
    assert decode(form, lambda note: things[note[1]]) == [print]
