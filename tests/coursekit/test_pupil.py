"""The two sides of the pipe in one process: what is asked and answered, and what can go wrong between."""

import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from coursekit.isolation import pupil as pupils
from coursekit.isolation import student, wire
from coursekit.isolation.faults import InstructorError, StartError, StudentError
from coursekit.isolation.pupil import Cell, Declared, Pupil, RemoteFunction, RemoteObject, update
from coursekit.isolation.sandbox import Limits
from coursekit.isolation.student import Captured, Student, respond

LIMITS = Limits(memory_mb=512, cpu_s=20, call_s=2.0, wait_s=4.0, notebook_s=90)
Reply = Callable[[dict[str, Any]], Any]


class Near:
    """A student's process that is none: it answers here, or as a script says."""

    def __init__(self, scripted: list[Reply | None]) -> None:
        self.student, self.scripted = Student(), scripted
        self.unread, self.silent = b"", True
        self.requests: list[dict[str, Any]] = []
        self.waits: list[tuple[float, int]] = []
        self.closings: list[float] = []
        self.code = 0

    def exchange(self, line: bytes, seconds: float, largest: int) -> bytes:
        """Answer a request."""
        request = json.loads(line)
        self.requests.append(request)
        self.waits.append((seconds, largest))
        reply = self.scripted.pop(0) if self.scripted else None
        if reply is None:
            return respond(self.student, line)
        made = reply(request)
        if isinstance(made, Exception):
            raise made
        return made if isinstance(made, bytes) else json.dumps({"id": request["id"]} | made).encode("ascii")

    def is_silent(self) -> bool:
        """Whether nothing came that was not asked for."""
        return self.silent

    def close(self, seconds: float = 0) -> int:
        """End."""
        self.closings.append(seconds)
        return self.code


class Class:
    """A pupil whose processes are here; the script of each start is given."""

    def __init__(self, *scripts: list[Reply | None], declared: Declared | None = None, **more: Any) -> None:
        self.scripts, self.started = list(scripts), list[Near]()
        self.cells: list[Cell] = []
        deadline = time.monotonic() + more.pop("left", 60.0)
        files = more.pop("files", {})
        start: Any = self.start
        self.pupil = Pupil(start, LIMITS, deadline, self.cells, declared or Declared(), files)

    def start(self, limits: Limits) -> Near:
        """Start a process."""
        assert limits is LIMITS
        self.started.append(Near(self.scripts.pop(0) if self.scripts else []))
        return self.started[-1]

    def run(self, source: str, show: bool = True) -> dict[str, Any]:
        """Run a cell."""
        self.pupil.renew()
        self.cells.append(Cell(source))
        return self.pupil.catch_up(show)


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Put back what a student's process takes for itself."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.chdir(tmp_path)


def raising(error: Exception) -> Reply:
    """Return a reply that never comes."""
    return lambda request: error


# -- cells -------------------------------------------------------------------------------------------------
def test_a_cell_is_run_and_what_it_printed_is_kept() -> None:
    room = Class(files={"data/a.txt": b"seven"})
    assert room.run("import pathlib\npathlib.Path('data/a.txt').read_text()")["figures"] == []
    assert room.pupil.printed == ["'seven'\n"]
    room.run("print('a')\n3;")
    assert room.pupil.printed == ["a\n"], "of the last cell"
    assert (room.pupil.starts, len(room.started)) == (1, 1)
    begin, first, _ = room.started[0].requests
    assert (begin["do"], begin["id"], begin["seconds"], begin["wait"]) == ("begin", "0", 60.0, 60.0)
    assert (first["seconds"], first["wait"], first["show"]) == (2.0, 4.0, True)
    assert room.started[0].waits == [(60.0, wire.LARGEST), (5.0, wire.LARGEST), (5.0, wire.LARGEST)]


SHOWN = {"1 + 1": "2\n", "a = 1": "", "1;": "", "None": "", "1\n2": "2\n", "a = 1\na": "1\n", "": ""}
SHOWN |= {"%matplotlib inline\n  !ls\n5": f"{student.DROPPED}5\n", "display(4)": "4\n"}


def test_the_value_of_a_cell_is_shown_and_an_error_says_where_it_came_from() -> None:
    room = Class()
    for source, printed in SHOWN.items():
        room.run(source)
        assert room.pupil.printed == [printed], source
    room = Class()
    room.run("def f():\n    return 1 / 0", show=False)
    with pytest.raises(ZeroDivisionError) as caught:
        room.run("f()")
    error: Any = caught.value
    assert (error.kind, error.text) == ("ZeroDivisionError", "division by zero")
    for part in ('<your cell 1>", line 2, in f', '<your cell 2>", line 1', "    return 1 / 0"):
        assert part in error.trace
    assert "student.py" not in error.trace
    assert room.pupil.lost is None
    with pytest.raises(StudentError) as no_python:
        room.run("a b")
    assert no_python.value.kind == "SyntaxError"


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (["MemoryError", "", ""], "MemoryError", r"more memory than allowed \(512 MB\)"),
        (["SystemExit", "3", ""], "SystemExit", r"asked Python to exit \(3\)"),
        (["TimeLimit", "", ""], "TimeLimit", "ran longer than 2 s"),
        (["TimeLimit", student.WAITED, ""], "TimeLimit", "did not answer within 4 s"),
        (["Mine", "text", "trace"], "Mine", "^text$"),
        ([1, 2, 3], "1", "^2$"),
    ],
)
def test_errors_that_a_reply_reports(reply: list[Any], kind: str, text: str) -> None:
    room = Class([None, lambda request: {"error": reply, "out": "before"}])
    with pytest.raises(StudentError, match=text) as caught:
        room.run("x")
    assert caught.value.kind == kind
    assert room.pupil.printed == ["before"]
    assert room.pupil.lost is None


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (raising(TimeoutError()), "TimeLimit", "did not answer within 4 s"),
        (raising(EOFError()), "ProcessEnded", "SIGKILL"),
        (raising(OverflowError()), "ChannelError", "sent more than the marker reads"),
        (lambda request: b"no message", "ChannelError", "wrote to the channel"),
        (lambda request: {"id": "wrong"}, "ChannelError", "wrote to the channel"),
        (lambda request: {"error": "text"}, "ChannelError", "wrote to the channel"),
        (lambda request: {"error": [1, 2]}, "ChannelError", "wrote to the channel"),
    ],
    ids=range(7),
)
def test_a_process_that_is_given_up(reply: Reply, kind: str, text: str) -> None:
    room = Class([None, reply])
    room.pupil.launch()
    room.started[0].code = -9
    with pytest.raises(StudentError, match=text) as caught:
        room.run("x")
    assert caught.value.kind == kind
    assert room.pupil.lost is caught.value
    assert room.pupil.child is None
    assert not room.pupil.ready
    assert room.started[0].closings == [1.0 if kind == "ProcessEnded" else 0]
    with pytest.raises(StudentError, match=text):
        room.pupil.look(["a"])
    assert room.cells[0].deadly
    room.run("y = 1")
    assert [request["source"] for request in room.started[1].requests[1:]] == ["y = 1"], "x is not run again"


@pytest.mark.parametrize("noise", ["unread", "silent"])
def test_what_was_not_asked_for_is_noticed(noise: str) -> None:
    room = Class()
    room.run("x = 1")
    setattr(room.started[0], noise, {"unread": b"forged", "silent": False}[noise])
    with pytest.raises(StudentError, match="wrote to the channel"):
        room.run("y = 1")
    assert len(room.started[0].requests) == (3 if noise == "unread" else 2)


@pytest.mark.parametrize(("left", "asked"), [(-1.0, False), (0.0, False), (0.5, True)])
def test_the_time_of_a_notebook_is_over(monkeypatch: pytest.MonkeyPatch, left: float, asked: bool) -> None:
    room = Class()
    monkeypatch.setattr(pupils, "time", types.SimpleNamespace(monotonic=lambda: 10.0))
    room.pupil.deadline = 10.0 + left
    if asked:
        room.run("x = 1")
    else:
        with pytest.raises(StudentError, match="notebook ran longer than 90 s"):
            room.run("x = 1")
    assert len(room.started[0].requests) == 1 + asked


def test_the_end_of_the_notebook_shortens_the_last_wait() -> None:
    room = Class([None, raising(TimeoutError())], left=3.0)
    with pytest.raises(StudentError, match="notebook ran longer than 90 s"):
        room.run("x")
    assert 2.0 < room.started[0].requests[1]["wait"] <= 3.0


# -- a new start -------------------------------------------------------------------------------------------
def test_cells_are_run_again_in_a_new_process_but_no_deadly_one_and_not_for_ever() -> None:
    room = Class([None, None, raising(EOFError())])
    room.run("a = 1")
    with pytest.raises(StudentError):
        room.run("b = 2")
    room.run("c = a + 2\nprint(c)")
    asked = [(request.get("source"), request.get("show")) for request in room.started[1].requests]
    assert asked == [(None, None), ("a = 1", False), ("c = a + 2\nprint(c)", True)]
    assert "".join(room.pupil.printed) == "3\n"
    assert (room.pupil.starts, [cell.deadly for cell in room.cells]) == (2, [False, True, False])
    room = Class(*([None, raising(EOFError())] for _ in range(20)))
    for _ in range(12):
        with pytest.raises(StudentError):
            room.run("x")
    assert room.pupil.starts == len(room.started) == pupils.MOST_STARTS


@pytest.mark.parametrize(("times", "unsteady"), [(0, ""), (1, ""), (2, "ProcessEnded")])
def test_a_cell_that_ran_elsewhere_gets_a_second_chance(times: int, unsteady: str) -> None:
    room = Class(*([None, raising(EOFError())] for _ in range(times)))
    room.cells.append(Cell("a = 1", passed=True))
    room.pupil.catch_up()
    assert room.pupil.unsteady == unsteady
    assert room.pupil.starts == times + 1
    assert room.cells[0].repeated == (times > 0)
    assert room.pupil.look(["a"])[0] == ({"a": 1} if times < 2 else {})


def test_an_error_of_a_cell_that_ran_elsewhere_is_met_with_patience() -> None:
    room = Class([None, lambda request: {"error": ["ValueError", "", ""]}])
    room.cells += [Cell("a = 1", passed=True), Cell("b = 2", passed=True)]
    room.pupil.catch_up()
    assert (room.pupil.unsteady, room.pupil.starts) == ("", 1)
    assert [request.get("source") for request in room.started[0].requests[1:]] == ["a = 1", "a = 1", "b = 2"]


@pytest.mark.parametrize("error", [TimeoutError(), EOFError(), OverflowError()])
def test_a_process_that_cannot_begin_is_our_fault(error: Exception) -> None:
    room = Class([raising(error)])
    with pytest.raises(StartError, match=rf"could not be started \({type(error).__name__}\)"):
        room.run("x")
    assert room.started[0].closings == [0]
    assert room.pupil.child is None
    with pytest.raises(StartError, match="the files of the problem set could not be written"):
        Class(files={"": b""}).run("x")


def test_a_process_is_ended_once() -> None:
    room = Class()
    room.pupil.close()
    room.pupil.launch()
    room.pupil.launch()
    room.pupil.close()
    room.pupil.close()
    assert ([near.closings for near in room.started], room.pupil.starts) == ([[0]], 1)


# -- names, calls and objects ------------------------------------------------------------------------------

THINGS = """
import math
class Toy:
    def __init__(self): self.size = 3
    def grow(self, by=1):
        self.size += by
        return self
class Other: pass
def make(n): return lambda x: x + n
def same(x): x.append(1); return x
def change(x, *, y): x[0] = 9; y["b"] = 2
toy, other, number, bad = Toy(), Other(), 4, {1}
"""


def toys(**more: Any) -> Class:
    room = Class(declared=Declared({"Toy": ("grow", "size")}, ("make",)), **more)
    room.run(THINGS)
    return room


def test_what_names_stand_for() -> None:
    found, refused = toys().pupil.look(["number", "make", "toy", "other", "bad", "math", "missing"])
    assert str(found) == "{'number': 4, 'make': <your make>, 'toy': <your Toy>}"
    assert refused.keys() == {"other", "bad"}
    assert refused["bad"].startswith("bad: an object of type set cannot be marked")


@pytest.mark.parametrize("found", [3, {"a": 3}, {"a": ["data"]}, {"a": ["data", {}]}, {"a": ["refused"]}, {}])
def test_names_that_come_as_nonsense(found: Any) -> None:
    room = Class([None, lambda request: {"found": found}])
    assert room.pupil.look(["a"]) == ({}, {"a": "a: what came is not plain data"})


def test_arguments_are_changed_here_and_a_function_may_return_one_if_that_was_declared() -> None:
    room = toys()
    functions = room.pupil.look(["change", "same"])[0]
    x, y, z = np.zeros(2), {"a": 1}, [0]
    assert functions["change"](x, y=y) is None
    assert (x.tolist(), y) == ([9, 0], {"a": 1, "b": 2})
    assert functions["same"](z) is z
    assert (z, room.started[0].requests[-1]["args"]) == ([0, 1], [[0]])
    make = toys().pupil.look(["make"])[0]["make"]
    assert make(2)(3) == 5
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(make(2))
    with pytest.raises(TypeError, match="make is a function: call it"):
        bool(make)


def test_objects_cross_with_what_was_declared_and_are_the_same_when_they_come_again() -> None:
    toy = toys().pupil.look(["toy"])[0]["toy"]
    assert (toy.size, toy.grow(by=2).size) == (3, 5)
    with pytest.raises(AttributeError, match=r"does not declare Toy\.colour"):
        _ = toy.colour
    with pytest.raises(TypeError, match="does not declare that a Toy can be called"):
        toy()
    room = toys()
    first, second = (room.pupil.look(["toy"])[0]["toy"] for _ in range(2))
    assert first.note(room.pupil) == second.note(room.pupil) == ["handle", 0]
    assert room.pupil.look(["Toy"])[0]["Toy"]().note(room.pupil) == ["handle", 1]


def test_own_things_and_things_of_setup_cells_cross_by_name() -> None:
    room = toys()
    room.run("def use(f, x): return f(x)\ndef size(toy): return toy.size")
    names = room.pupil.look(["use", "size", "toy"])[0]
    assert names["use"](names["size"], names["toy"]) == 3
    room.pupil.shared = lambda value: "abs" if value is abs else None
    with pytest.raises(KeyError):
        names["use"](abs, -1)  # the student's process has no name for it
    with pytest.raises(wire.WireError, match="an object of type builtin_function_or_method"):
        names["use"](print, 1)


def test_an_object_of_a_process_that_is_gone_and_hidden_tests_that_may_not_speak_to_the_open() -> None:
    room = toys()
    toy = room.pupil.look(["toy"])[0]["toy"]
    room.pupil.starts += 1
    with pytest.raises(StudentError, match="the process that held this Toy is gone"):
        _ = toy.size
    with pytest.raises(StudentError, match="gone"):
        toys().pupil.call(["name", "same"], None, (toy,), {})
    room = toys()
    names = room.pupil.look(["toy", "make"])[0]
    room.pupil.active = False
    get = room.pupil.get
    for use in (lambda: names["make"](1), lambda: names["toy"].size, lambda: get(["name", "toy"], "size")):
        with pytest.raises(InstructorError, match="make it again in the hidden part"):
            use()


MEANINGLESS = (["0", "Toy"], [True, "Toy"], [0, "Other"], [0])
NOTES = [["name", 0, "Toy"], *(["handle", *rest] for rest in MEANINGLESS), 3]


@pytest.mark.parametrize("note", NOTES, ids=str)
def test_references_that_mean_nothing(note: Any) -> None:
    room = toys()
    room.started[0].scripted = [lambda request: {"changed": [], "result": {"reference": note}}]
    with pytest.raises(StudentError, match="what came from your function is not plain data"):
        room.pupil.call(["name", "make"], None, (), {})


def test_a_function_that_was_not_declared_to_make_functions() -> None:
    pupil = Class([None], declared=Declared({"Toy": ("size",)})).pupil
    with pytest.raises(wire.WireError, match="not declared"):
        pupil._resolve(["handle", 0, "callable"])
    assert isinstance(pupil._resolve(["handle", 0, "Toy"]), RemoteObject)


@pytest.mark.parametrize("reply", [{}, {"changed": 3}, {"changed": [[5, 1]]}, {"changed": [], "same": 7}])
def test_replies_that_mean_nothing(reply: dict[str, Any]) -> None:
    room = Class([None, None, lambda request: reply])
    room.run("x = 1")
    with pytest.raises(StudentError, match="not plain data"):
        RemoteFunction(room.pupil, "f")(1)


def test_an_attribute_that_is_no_data() -> None:
    room = Class([None, None, lambda request: {"result": {}}])
    room.run("x = 1")
    with pytest.raises(StudentError, match="size is not plain data"):
        room.pupil.get(["handle", 0], "size")


# -- changes of arguments ----------------------------------------------------------------------------------
def test_changes_are_made_in_place_or_the_new_thing_stands_for_the_old() -> None:
    array, rng, inner = np.zeros(2), np.random.default_rng(0), [1]
    items, table = [array, 1, inner], {"a": inner, "b": 1}
    assert update(items, [np.ones(2), 2, [3, 4], 5]) is items
    assert (array.tolist(), items[1], inner, items[3]) == ([1, 1], 2, [3, 4], 5)
    assert items[2] is inner
    assert update(table, {"a": [7], "c": 2}) is table
    assert (table, inner) == ({"a": [7], "c": 2}, [7])
    later = np.random.default_rng(5)
    assert update(rng, later) is rng
    assert rng.random() == later.random()
    longer = [1, 2, 3]
    assert update(longer, [4]) == longer == [4]
    pairs: list[tuple[Any, Any]] = [
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), [1]),
        ([1], {"a": 1}),
        ({}, [1]),
    ]
    for mine, theirs in [*pairs, (np.random.default_rng(), 1), (1, 2)]:
        assert update(mine, theirs) is theirs


# -- output ------------------------------------------------------------------------------------------------
def test_output_is_kept_up_to_a_length() -> None:
    captured = Captured()
    assert captured.write(b"a" * 19_999) == 19_999
    assert captured.text() == "a" * 19_999
    assert captured.write(b"b") == 1
    assert captured.text() == "a" * 19_999 + "b"
    assert captured.write(b"cd") == 2
    captured.write(b"e")
    assert captured.text() == "a" * 19_999 + "b\n(output cut: 3 more bytes)\n"


def test_a_reply_that_is_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LARGEST", 400)
    room = Class()
    with pytest.raises(StudentError, match="too much to be marked"):
        room.run("print('a' * 1000)")


def test_figures_are_drawn_and_closed() -> None:
    room = Class()
    room.run("import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt", show=False)
    many = "for number in range(9): plt.figure(figsize=(1, 1)).text(0, 0, 'a')"
    assert len(room.run(many)["figures"]) == student.MOST_FIGURES
    assert room.run("1")["figures"] == []
    assert "figures" not in room.run("plt.figure();", show=False)


@pytest.mark.parametrize(
    ("source", "waited"), [("while True: pass", False), ("import time; time.sleep(9)", True)]
)
def test_time_limits_of_one_request(source: str, waited: bool) -> None:
    def ask(request: dict[str, Any]) -> bytes:
        limits = {"seconds": 9.0 if waited else 0.1, "wait": 0.1 if waited else 9.0}
        return respond(room.started[0].student, json.dumps(request | limits).encode("ascii"))

    room = Class([None, ask])
    with pytest.raises(StudentError) as caught:
        room.run(f"try:\n    {source}\nexcept Exception: pass")
    assert caught.value.kind == "TimeLimit"
    assert ("did not answer" in caught.value.text) == waited
