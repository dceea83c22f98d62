"""Submissions, honest and not: each gets the mark that it deserves, and a reason where it gets none.

``WRONG`` answers deserve one mark of six; a trick on top of them must not add any.
"""

import copy
import dataclasses
import functools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.coursework_sample import (
    ANSWERS,
    BLANK,
    LIMITS,
    SECRET,
    TESTS,
    WRONG,
    Marked,
    ends,
    handed_in,
    mark,
)

pytestmark = pytest.mark.usefixtures("sandbox")

Notebook = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Attack:
    """A submission, the mark that it deserves, words that students must see, or must not, and its seconds."""

    name: str
    deserves: int
    submission: Notebook | str | bytes
    says: str = ""
    never: str = SECRET
    call_s: float = LIMITS.call_s


def answer(**sources: str) -> Notebook:
    """Hand in right answers but for some."""
    return handed_in(ANSWERS | sources)


def cheat(first: str, last: str = "") -> Notebook:
    """Hand in wrong answers with a trick at the beginning, or at the end."""
    return handed_in(WRONG, first=first, last=last)


def changed(change: Callable[[list[Any]], object], answers: dict[str, str] = WRONG) -> Notebook:
    """Hand in wrong answers in a notebook whose cells were changed."""
    notebook = handed_in(answers)
    change(notebook["cells"])
    return notebook


def graded(cells: list[Any]) -> Iterator[Any]:
    """Yield the test cells of a submission."""
    return (item for item in cells if item["metadata"]["nbgrader"]["locked"] and item["id"] != "setup")


def each_test(**changes: Any) -> Callable[[list[Any]], None]:
    """Return what changes each test cell."""

    def change(cells: list[Any]) -> None:
        for item in graded(cells):
            item.update(changes)

    return change


def scale(*lines: str) -> str:
    """Return an answer to the first task that does something else."""
    return "def scale(x, factor):\n" + "\n".join(f"    {line}" for line in lines)


# -- the rows of the comparison, in its order ---------------------------------------------------------------

STRIP = """
import ast, builtins
class Strip(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
try:
    get_ipython().ast_transformers.append(Strip())
except NameError:
    pass
real = builtins.compile
def weak(source, name, mode, *args, **kwargs):
    tree = real(source, name, mode, ast.PyCF_ONLY_AST) if isinstance(source, str) else source
    return real(ast.fix_missing_locations(Strip().visit(tree)), name, mode, *args, **kwargs)
builtins.compile = weak
"""
PATCH = """
np.max = np.abs = lambda *args, **kwargs: 0.0
np.array_equal = np.allclose = lambda *args, **kwargs: True
builtins.abs = lambda value: 0.0
"""
EQUAL = """
class Equal:
    def __eq__(self, other): return True
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
    def __array__(self, *args, **kwargs): raise TypeError
    def __sub__(self, other): return 0.0
    def __abs__(self): return 0.0
    def __lt__(self, other): return True
    def __len__(self): return 2
    def __iter__(self): return iter([self, self])
    def __bool__(self): return True
def scale(x, factor): return Equal()
class Ridge:
    def __init__(self, lam): self.w_ = Equal()
    def fit(self, X, y): return Equal()
    def predict(self, X): return Equal()
def make_kernel(gamma, bend): return Equal()
"""
OPEN_GRADEBOOK = """
import os, sqlite3, sys
files = []
for folder in (".", "..", "/home", "/mnt", "/opt", "/srv", "/tmp", "/var"):
    for here, folders, names in os.walk(folder):
        files += names
        for python in {sys.prefix, sys.base_prefix}:  # may lie below /home, as may the course
            if os.path.dirname(python) == os.path.abspath(here):
                folders.remove(os.path.basename(python))
found = [file for file in files if file.endswith((".db", ".yml", ".md", ".ipynb"))]
for path in ("../../../gradebook.db", "../gradebook.db", "/gradebook.db"):
    try:
        sqlite3.connect(path).execute("create table grade (score)")
        print("OPENED", path)
    except Exception as error:
        print(type(error).__name__)
print(f"FOUND {found}" if found else "nothing")
"""
DIG = """
import gc, glob, os, re, sys
NEEDLE = re.compile("HIDDEN TEST[S]|given [=] before|half of it is wron[g]")  # does not find itself
def dig():
    texts = [str(dict(os.environ)), str(globals().get("In", ""))]
    for path in glob.glob("/proc/*/cmdline") + glob.glob("/proc/*/environ") + glob.glob("/proc/self/fd/*"):
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            texts.append(os.read(fd, 10**5).decode("utf-8", "replace"))
        except OSError:
            pass
    frame = sys._getframe()
    while frame is not None:
        texts += [value for value in frame.f_locals.values() if isinstance(value, str)]
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) in (dict, list, tuple):
            values = thing.values() if type(thing) is dict else thing
            texts += [value for value in values if type(value) is str]
    return [text for text in texts if NEEDLE.search(text)]
print("FO" + "UND" if dig() else "nothing")
def scale(x, factor):
    if dig():
        raise MemoryError  # a kind that the verdict would show
    return factor * x
"""
SHOWTRACEBACK = """
import sys, traceback
sys.excepthook = lambda *args: None
traceback.print_exc = traceback.format_exc = lambda *args, **kwargs: ""
try:
    from IPython.core.interactiveshell import InteractiveShell
    InteractiveShell.showtraceback = InteractiveShell.run_cell = lambda *args, **kwargs: None
except ImportError:
    pass
"""
NETWORK = """
import socket, urllib.request
for attempt in (lambda: urllib.request.urlopen("http://example.org", timeout=1),
                lambda: socket.create_connection(("1.1.1.1", 53), timeout=1),
                lambda: socket.create_connection(("127.0.0.1", 22), timeout=1)):
    try:
        attempt()
        print("CONNECTED")
    except OSError as error:
        print("refused")
"""
OUTSIDE = """
import pathlib
places = ("../../..", "", "/usr", "/opt/course", "/opt/course/lecturekit", "/dev")
for name in [f"{place}/PWNED" for place in places]:
    try:
        pathlib.Path(name).write_text("x")
        print("WRITTEN", name)
    except OSError as error:
        print("refused")
"""
SWALLOW = scale(
    "while True:",
    "    try:",
    "        while True: sum(range(99))",
    "    except BaseException: pass",
)

TABLE = [
    Attack("correct", 6, handed_in()),
    Attack("blank", 0, handed_in(BLANK), says="NotImplementedError"),
    Attack("wrong", 1, handed_in(WRONG), says="every entry is multiplied"),
    Attack(
        "harmless warning",
        6,
        answer(
            scale=scale("import sys, warnings", "warnings.warn('careful')", "sys.stderr.write('!')")
            + "\n    np.log(np.zeros(1))\n    return factor * x"
        ),
    ),
    Attack(
        "skip-execution tags",
        1,
        changed(lambda cells: [item["metadata"].update(tags=["skip-execution"]) for item in graded(cells)]),
    ),
    Attack("AST transformer", 1, cheat(STRIP)),
    Attack("patches numpy and builtins", 1, cheat(PATCH)),
    Attack(
        "equal to everything",
        1,
        handed_in(WRONG | {"scale": EQUAL, "ridge": "", "kernel": ""}),
        says="cannot be marked",
    ),
    Attack("opens the gradebook", 1, cheat(OPEN_GRADEBOOK), says="nothing", never="FOUND", call_s=10),
    Attack(
        "reads hidden tests", 6, handed_in(ANSWERS | {"scale": DIG}), says="nothing", never="FOUND", call_s=10
    ),
    Attack("edits tests", 1, changed(each_test(source="pass"))),
    Attack(
        "deletes tests",
        1,
        changed(
            lambda cells: cells.__setitem__(
                slice(None), [item for item in cells if item not in list(graded(cells))]
            )
        ),
    ),
    Attack(
        "points metadata",
        1,
        changed(lambda cells: [item["metadata"]["nbgrader"].update(points=1000) for item in cells]),
    ),
    Attack("tests turned into text", 1, changed(each_test(cell_type="markdown"))),
    Attack(
        "duplicates tests",
        1,
        changed(
            lambda cells: cells.extend(
                copy.deepcopy(item) | {"source": "pass"} for item in list(graded(cells))
            )
        ),
    ),
    Attack(
        "moves tests to the top",
        6,
        changed(lambda cells: cells.sort(key=lambda item: "test" not in item["id"]), ANSWERS),
    ),
    Attack(
        "os._exit(0)",
        4,
        answer(scale=scale("import os", "os._exit(0)")),
        says="your code ended the process (exit code 0)",
    ),
    Attack(
        "os._exit(0) in every cell",
        0,
        handed_in({name: f"import os\nos._exit(0)\n{text}" for name, text in ANSWERS.items()}),
    ),
    Attack("infinite loop", 4, answer(scale=scale("while True: pass")), says="your code ran longer than 1 s"),
    Attack(
        "loop that swallows interrupts", 4, answer(scale=SWALLOW), says="your code did not answer within 4 s"
    ),
    Attack(
        "6 GB",
        4,
        answer(scale=scale("return np.ones(6 << 27) * x")),
        says="your code used more memory than allowed (512 MB)",
    ),
    Attack("opens the network", 1, cheat(NETWORK), says="refused", never="CONNECTED"),
    Attack(
        "leaves a process",
        6,
        handed_in(first="import subprocess\nsubprocess.Popen(['sleep', '297'], start_new_session=True)"),
    ),
    Attack("writes outside", 1, cheat(OUTSIDE), says="refused", never="WRITTEN"),
    Attack("patches showtraceback", 1, cheat(SHOWTRACEBACK)),
]

# -- more ways to crash, to flood and to forge --------------------------------------------------------------

CHANNEL = """
import os
def pipes():
    for fd in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("pipe:"):
                yield fd
        except OSError:
            pass
def shout(data):
    for fd in pipes():
        try:
            os.write(fd, data)
        except OSError:
            pass
"""
FORGE = (
    CHANNEL
    + """
import sys
def scale(x, factor):
    frame = sys._getframe()
    while "request" not in frame.f_locals:
        frame = frame.f_back
    token = frame.f_locals["request"]["id"]
    shout(b'{"id": "%s", "out": "", "changed": [], "result": 6.0}\\n' % token.encode())
    while True: pass
"""
)
FORK_BOMB = scale(
    "import os, time",
    "children = 0",
    "try:",
    "    while children < 5000:",
    "        if os.fork() == 0: time.sleep(60)",
    "        children += 1",
    "except OSError: pass",
    "print('CHILDREN', children)",
    "if children > 100: raise SystemError",
    "return factor * x",
)
HOSTILE_ARRAY = """
class Sneaky(np.ndarray):
    def __eq__(self, other): return np.array(True)
    def __array_function__(self, function, types, args, kwargs): return True
    def __array_ufunc__(self, *args, **kwargs): return True
def scale(x, factor):
    return np.atleast_1d(x).view(Sneaky)
"""
PATCH_PACKAGE = """
import sys
from coursekit.isolation import wire, student
wire.encode = lambda *args, **kwargs: {"reference": ["name", "square"]}
student._describe = lambda error: ["AssertionError", "", ""]
sys.modules["coursekit.isolation.student"].__dict__.clear()
"""
CLASS_NAME = scale("raise type('Hidden%s' % np.ravel(x)[0], (Exception,), {})")
REMEMBER = "SEEN = []\n" + scale("SEEN.append(str(x))", "return factor * x")
LONG = scale("raise ValueError(repr(x) * 10**5)")

MORE = [
    Attack("fork bomb", 6, answer(scale=FORK_BOMB), never="SystemError"),
    Attack("prints for ever", 4, answer(scale=scale("while True: print('flood' * 1000)"))),
    Attack("prints for ever in a cell", 6, handed_in(first="while True: print('flood' * 1000)")),
    Attack("huge result", 4, answer(scale=scale("return np.zeros(10**7)")), says="too large", call_s=10),
    Attack("huge text", 4, answer(scale=scale("return 'a' * (40 << 20)")), says="too much", call_s=10),
    Attack("huge whole number", 4, answer(scale=scale("return 10**10000")), says="digits"),
    Attack(
        "result nested deep",
        4,
        answer(scale=scale("for _ in range(10**4): x = [x]", "return x")),
        says="nested deeper",
    ),
    Attack("result that contains itself", 4, answer(scale=scale("x = []", "x.append(x)", "return x"))),
    Attack("garbage in the channel", 1, cheat(CHANNEL + "shout(b'\\xff\\x00 garbage\\n')"), says="channel"),
    Attack(
        "garbage in every call", 4, answer(scale=CHANNEL + scale("shout(b'no json')", "return factor * x"))
    ),
    Attack(
        "endless line in the channel", 4, answer(scale=CHANNEL + scale("while True: shout(b'x' * 10**6)"))
    ),
    Attack("reply out of turn", 1, cheat(CHANNEL + 'shout(b\'{"id": "1", "result": 6.0}\\n\')')),
    Attack("forged reply", 2, handed_in(WRONG | {"scale": FORGE})),  # worth what `return 6.0` is worth
    Attack("guessed reply", 2, handed_in(WRONG | {"scale": scale("return 6.0")})),
    Attack("deep JSON in the channel", 4, answer(scale=CHANNEL + scale("shout(b'[' * 10**5 + b'\\n')"))),
    Attack("NaN", 1, handed_in(WRONG | {"scale": scale("return x * np.nan")})),
    Attack("infinity", 1, handed_in(WRONG | {"scale": scale("return x * np.inf")})),
    Attack("subclass of ndarray", 1, handed_in(WRONG | {"scale": HOSTILE_ARRAY})),
    Attack(
        "array of objects",
        4,
        answer(scale=scale("return np.array([print, x], dtype=object)")),
        says="cannot be marked",
    ),
    Attack(
        "dict with hostile keys",
        4,
        answer(scale="class Key:\n    def __hash__(self): return 1\n" + scale("return {Key(): 1}")),
        says="cannot be marked",
    ),
    Attack(
        "returns the type of everything", 4, answer(scale=scale("return type(x)")), says="cannot be marked"
    ),
    Attack(
        "changes its argument",
        5,
        answer(scale=scale("x *= factor", "return x")),
        says="scale must not change its argument",
    ),
    Attack(
        "kills its parent",
        6,
        handed_in(
            first="import os, signal\ntry:\n    os.kill(os.getppid(), 9)\n"
            "    os.kill(1, 9)\nexcept OSError: pass"
        ),
    ),
    Attack(
        "kills everything",
        4,
        answer(
            scale=scale("import os", "try: os.kill(-1, 9)", "except OSError: pass", "os.kill(os.getpid(), 9)")
        ),
        says="your code ended the process (SIGKILL)",
    ),
    Attack(
        "sys.settrace", 1, cheat("import sys\nsys.settrace(lambda *args: (_ for _ in ()).throw(SystemExit))")
    ),
    Attack(
        "segmentation fault",
        4,
        answer(scale=scale("import ctypes", "ctypes.string_at(0)")),
        says="your code ended the process (SIGSEGV)",
    ),
    Attack("changes small numbers", 1, cheat("import ctypes\nctypes.memset(id(6) + 24, 2, 1)\n")),
    Attack(
        "closes all files", 4, answer(scale=scale("import os", "os.closerange(0, 1000)", "return factor * x"))
    ),
    Attack("long message with hidden inputs", 4, answer(scale=LONG)),
    Attack(
        "hidden inputs as the name of an error",
        5,
        answer(
            scale=scale("if np.size(x) == 2 and x[0] > 99:")
            + "\n    "
            + CLASS_NAME.split("\n")[1]
            + "\n    return factor * x"
        ),
    ),
    Attack(
        "hidden inputs as an exit code",
        5,
        answer(
            scale=scale("if np.ravel(x)[0] > 99:", "    import os", "    os._exit(103)", "return factor * x")
        ),
        never="103",
    ),
    Attack(
        "hidden inputs as the result",
        5,
        answer(scale=scale("return factor * x if np.ravel(x)[0] < 99 else 'text ' + str(x)")),
    ),
    Attack(
        "hidden inputs printed later",
        6,
        handed_in(ANSWERS | {"scale": REMEMBER}, last="print('last', SEEN)"),
        says="last",
    ),
    Attack(
        "stack overflow",
        4,
        answer(scale="import sys\nsys.setrecursionlimit(10**9)\n" + scale("return scale(x, factor)")),
    ),
    Attack("recursion", 4, answer(scale=scale("return scale(x, factor)")), says="RecursionError"),
    Attack(
        "endless repr",
        6,
        handed_in(first="class Endless:\n    def __repr__(self):\n        while True: pass\nEndless()"),
    ),
    Attack(
        "endless text of an error",
        4,
        answer(
            scale="class Endless(Exception):\n    def __str__(self):\n        while True: pass\n"
            + scale("raise Endless")
        ),
    ),
    Attack(
        "endless generator",
        4,
        answer(scale=scale("import itertools", "return itertools.count()")),
        says="cannot be marked",
    ),
    Attack("patches the package", 1, cheat(PATCH_PACKAGE)),
    Attack(
        "output that is not UTF-8",
        6,
        handed_in(first="import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00')"),
    ),
    Attack(
        "lone surrogates", 6, handed_in(first="print('\\ud800'); x = '\\udfff'; raise ValueError('\\ud800')")
    ),
    Attack("surrogates in the source", 6, handed_in(first="x = '\ud800'")),
    Attack("sys.exit", 4, answer(scale=scale("import sys", "sys.exit(3)")), says="asked Python to exit"),
    Attack("raises AssertionError itself", 4, answer(scale=scale("raise AssertionError(str(x))"))),
    Attack(
        "replaces stdout", 6, handed_in(first="import sys\nsys.stdout = sys.stderr = None\ndel sys.stdout")
    ),
    Attack(
        "a thread that goes on",
        6,
        handed_in(
            first="import threading\nspin = lambda: [0 for _ in iter(int, 1)]\n"
            "threading.Thread(target=spin, daemon=True).start()"
        ),
    ),
    Attack(
        "fills the disk",
        6,
        handed_in(
            first="for i in range(99):\n    with open(f'/tmp/{i}', 'wb') as file: file.write(bytes(7 << 20))"
        ),
        says="No space left",
        call_s=10,
    ),
    Attack("magic lines", 6, handed_in(first="%matplotlib inline\n!rm -rf /\nx = 1"), says="left out"),
    Attack(
        "a name of the tests", 1, cheat("before = given = got = np.zeros(2)\nassert_ = lambda *args: None")
    ),
]

FILES = [
    Attack("empty file", 0, ""),
    Attack("empty bytes", 0, b""),
    Attack("not JSON", 0, "print('hello')"),
    Attack("not text", 0, b"\x89PNG\xff\xfe"),
    Attack("JSON, but a list", 0, "[]"),
    Attack("JSON without cells", 0, '{"metadata": {}}'),
    Attack("cells are no list", 0, '{"cells": 3}'),
    Attack(
        "cells are no cells", 0, '{"cells": [1, null, {"cell_type": 7, "source": {"a": 1}, "metadata": []}]}'
    ),
    Attack("deep JSON", 0, "[" * 10**5),
    Attack("nbformat 2000", 6, handed_in() | {"nbformat": 2000, "nbformat_minor": -1}),
    Attack(
        "no ids, no metadata of the notebook",
        6,
        {
            "cells": [
                {key: value for key, value in item.items() if key != "id"} for item in handed_in()["cells"]
            ]
        },
    ),
    Attack(
        "source as lists",
        6,
        {
            "cells": [
                item | {"source": item["source"].splitlines(keepends=True)} for item in handed_in()["cells"]
            ]
        },
    ),
]


def version_3(notebook: Notebook) -> Notebook:
    """Write a notebook as IPython did before 2015."""
    cells = [
        {
            "cell_type": "code",
            "input": item["source"],
            "metadata": item["metadata"],
            "outputs": [],
            "language": "python",
        }
        if item["cell_type"] == "code"
        else {"cell_type": "markdown", "source": item["source"], "metadata": item["metadata"]}
        for item in notebook["cells"]
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return {"worksheets": sheets, "metadata": {"name": "old"}, "nbformat": 3, "nbformat_minor": 0}


FILES += [
    Attack("nbformat 3", 6, version_3(handed_in())),
    Attack("worksheets of nonsense", 0, '{"worksheets": [3]}'),
]
ATTACKS = {attack.name: attack for attack in (*TABLE, *MORE, *FILES)}


@functools.cache
def marked(name: str) -> Marked:
    """Mark one of them, when a test first asks for it."""
    attack = ATTACKS[name]
    return mark(attack.submission, limits=dataclasses.replace(LIMITS, call_s=attack.call_s))


@pytest.mark.parametrize("name", ATTACKS)
def test_submission_gets_the_mark_it_deserves(name: str) -> None:
    attack, result = ATTACKS[name], marked(name)
    assert result.points == attack.deserves, result.verdicts
    assert len(result.verdicts) == len(TESTS), "every test has a verdict"
    assert all(said is None or said for said in result.verdicts.values()), "every failure has a reason"
    assert attack.says in result.shown
    assert attack.never not in result.shown
    result.text.encode("utf-8")


def test_names_of_the_attacks_are_different() -> None:
    assert len(ATTACKS) == len(TABLE) + len(MORE) + len(FILES)


# -- what else must hold after the attacks ------------------------------------------------------------------


def test_points_and_tests_are_the_instructors() -> None:
    for name in ("points metadata", "edits tests", "tests turned into text", "deletes tests"):
        cells = marked(name).cells
        assert cells["test-ridge"]["metadata"]["nbgrader"]["points"] == 2
        assert cells["test-ridge"]["source"] == TESTS["ridge"]
        assert cells["test-ridge"]["cell_type"] == "code"


def test_no_process_is_left() -> None:
    marked("leaves a process")
    assert ends("sleep 297")


def test_an_unreadable_submission_is_told_why() -> None:
    first = marked("not JSON").notebook["cells"][0]
    assert "cannot be read" in first["source"]
    assert "not JSON" in first["source"]


# -- the check can fail -------------------------------------------------------------------------------------


NAIVE = """
import builtins, json, sys
names, points = {}, 0
for item in json.load(sys.stdin)["cells"]:
    if item["cell_type"] == "code":
        try:
            exec(builtins.compile(item["source"], "<cell>", "exec"), names)
            points += item["metadata"].get("nbgrader", {}).get("points", 0)
        except Exception:
            pass
sys.stdout.write(str(points))
"""


def naive_points(submission: Notebook) -> int:
    """Mark as a notebook does: the student's cells and the tests in one process, points as they stand."""
    given = json.dumps(submission)
    command = [sys.executable, "-c", NAIVE]
    return int(subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name", ["AST transformer", "patches numpy and builtins", "points metadata"])
def test_the_same_trick_wins_where_tests_and_answers_share_a_process(name: str) -> None:
    attack = ATTACKS[name]
    assert isinstance(attack.submission, dict)
    assert naive_points(handed_in(WRONG)) == 1
    assert naive_points(attack.submission) > attack.deserves
