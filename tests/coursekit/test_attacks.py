"""Submissions, honest and not: each gets the mark that it deserves, and a reason where it gets none.

``WRONG`` answers deserve one mark of six; a trick on top of them must not add any.
"""

import dataclasses
import functools
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.support import coursework_sample
from tests.support.coursework_sample import ANSWERS, BLANK, LIMITS, SECRET, TESTS, WRONG, Marked, handed_in

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
    wait_s: float = LIMITS.wait_s


# -- ways to hand something in -----------------------------------------------------------------------------
def scale(*lines: str) -> str:
    """Return an answer to the first task, which is worth two marks of six."""
    return "def scale(x, factor):\n" + "\n".join(f"    {line}" for line in lines)


RIGHT = "return factor * x"


def answer(name: str, deserves: int, *lines: str, above: str = "", says: str = "", **more: Any) -> Attack:
    """Hand in right answers but for the first."""
    return Attack(name, deserves, handed_in(ANSWERS | {"scale": above + scale(*lines)}), says, **more)


def wrong(name: str, deserves: int, source: str) -> Attack:
    """Hand in wrong answers, and another wrong one to the first task."""
    return Attack(name, deserves, handed_in(WRONG | {"scale": source}))


def harmless(name: str, first: str, says: str = "", **more: Any) -> Attack:
    """Hand in right answers below a cell that costs no mark."""
    return Attack(name, 6, handed_in(first=first), says, **more)


def cheat(name: str, first: str, says: str = "", **more: Any) -> Attack:
    """Hand in wrong answers below a trick."""
    return Attack(name, 1, handed_in(WRONG, first=first), says, **more)


def changed(name: str, change: Callable[..., object], deserves: int = 1, answers: Any = WRONG) -> Attack:
    """Hand in a notebook whose cells were changed; the second list holds those with tests."""
    notebook = handed_in(answers)
    change(notebook["cells"], [item for item in notebook["cells"] if item["id"].startswith("test-")])
    return Attack(name, deserves, notebook)


# -- the rows of the comparison, in its order --------------------------------------------------------------

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
WARN = "import sys, warnings; warnings.warn('careful'); sys.stderr.write('!'); np.log(np.zeros(1))"
SWALLOW = ("while True:", "    try:", "        while True: sum(range(99))", "    except BaseException: pass")
DUG = "if dig(): raise MemoryError  # a kind that the verdict would show"
SLEEP = "import subprocess\nsubprocess.Popen(['sleep', '297'], start_new_session=True)"
ALL_EQUAL = WRONG | {"scale": EQUAL, "ridge": "", "kernel": ""}
LEAVE = {name: f"import os\nos._exit(0)\n{text}" for name, text in ANSWERS.items()}

TABLE = [
    Attack("correct", 6, handed_in()),
    Attack("blank", 0, handed_in(BLANK), "NotImplementedError"),
    Attack("wrong", 1, handed_in(WRONG), "every entry is multiplied"),
    answer("harmless warning", 6, WARN, RIGHT),
    changed("skip-execution tags", lambda _, to: [t["metadata"].update(tags=["skip-execution"]) for t in to]),
    cheat("AST transformer", STRIP),
    cheat("patches numpy, builtins", PATCH),
    Attack("equal to everything", 1, handed_in(ALL_EQUAL), "cannot be marked"),
    cheat("opens the gradebook", OPEN_GRADEBOOK, "nothing", never="FOUND", call_s=10),
    answer("reads hidden tests", 6, DUG, RIGHT, above=DIG, says="nothing", never="FOUND", call_s=10),
    changed("edits tests", lambda _, tests: [test.update(source="pass") for test in tests]),
    changed("deletes tests", lambda cells, tests: [cells.pop(cells.index(test)) for test in tests]),
    changed("points metadata", lambda own, _: [c["metadata"]["nbgrader"].update(points=1000) for c in own]),
    changed("tests turned into text", lambda _, tests: [test.update(cell_type="markdown") for test in tests]),
    changed("duplicates tests", lambda cells, tests: cells.extend(t | {"source": "pass"} for t in tests)),
    changed("moves tests up", lambda cells, _: cells.sort(key=lambda c: "test" not in c["id"]), 6, ANSWERS),
    answer("os._exit(0)", 4, "import os; os._exit(0)", says="your code ended the process (exit code 0)"),
    Attack("os._exit(0) in every cell", 0, handed_in(LEAVE)),
    answer("infinite loop", 4, "while True: pass", says="your code ran longer than 1 s"),
    answer("loop that swallows interrupts", 4, *SWALLOW, says="code did not answer within 2 s", wait_s=2),
    answer("6 GB", 4, "return np.ones(6 << 27) * x", says="your code used more memory than allowed (512 MB)"),
    cheat("opens the network", NETWORK, "refused", never="CONNECTED"),
    harmless("leaves a process", SLEEP),
    cheat("writes outside", OUTSIDE, "refused", never="WRITTEN"),
    cheat("patches showtraceback", SHOWTRACEBACK),
]

# -- more ways to crash, to flood and to forge -------------------------------------------------------------

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
FORGE = """
import sys
def scale(x, factor):
    frame = sys._getframe()
    while "request" not in frame.f_locals:
        frame = frame.f_back
    token = frame.f_locals["request"]["id"]
    shout(b'{"id": "%s", "out": "", "changed": [], "result": 6.0}\\n' % token.encode())
    while True: pass
"""
FORK_BOMB = (
    "import os, time",
    "children = 0",
    "try:",
    "    while children < 5000:",
    "        if os.fork() == 0: time.sleep(60)",
    "        children += 1",
    "except OSError: pass",
    "print('CHILDREN', children)",
    "if children > 100: raise SystemError",
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
ENDLESS = "class Endless(Exception):\n    def __{}__(self):\n        while True: pass\n"
SPIN = "import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"
KILL_PARENT = "import os\ntry:\n    os.kill(os.getppid(), 9)\n    os.kill(1, 9)\nexcept OSError: pass"
KILL_ALL = ("import os", "try: os.kill(-1, 9)", "except OSError: pass", "os.kill(os.getpid(), 9)")
TRACE = "import sys\nsys.settrace(lambda *args: (_ for _ in ()).throw(SystemExit))"
FILL = "for i in range(99):\n    with open(f'/tmp/{i}', 'wb') as file: file.write(bytes(7 << 20))"
NAMED = "if np.size(x) == 2 and x[0] > 99: raise type('Hidden%s' % np.ravel(x)[0], (Exception,), {})"
EXIT = "if np.ravel(x)[0] > 99: import os; os._exit(103)"
REMEMBER = ANSWERS | {"scale": "SEEN = []\n" + scale("SEEN.append(str(x))", RIGHT)}
KEY = "return {type('Key', (), {'__hash__': lambda _: 1})(): 1}"
NAMES = "before = given = got = np.zeros(2)\nassert_ = lambda *args: None"
DEEP_LIMIT = "import sys\nsys.setrecursionlimit(10**9)\n"
UNMARKED = "cannot be marked"

MORE = [
    answer("fork bomb", 6, *FORK_BOMB, RIGHT, never="SystemError"),
    answer("prints for ever", 4, "while True: print('flood' * 1000)"),
    harmless("prints for ever in a cell", "while True: print('flood' * 1000)"),
    answer("huge result", 4, "return np.zeros(10**7)", says="too large", call_s=10),
    answer("huge text", 4, "return 'a' * (40 << 20)", says="too much", call_s=10),
    answer("huge whole number", 4, "return 10**10000", says="digits"),
    answer("result nested deep", 4, "for _ in range(10**4): x = [x]", "return x", says="nested deeper"),
    answer("result that contains itself", 4, "x = []", "x.append(x)", "return x"),
    cheat("garbage in the channel", CHANNEL + "shout(b'\\xff\\x00 garbage\\n')", "channel"),
    answer("garbage in every call", 4, "shout(b'no json')", RIGHT, above=CHANNEL),
    answer("endless line in the channel", 4, "while True: shout(b'x' * 10**6)", above=CHANNEL),
    cheat("reply out of turn", CHANNEL + 'shout(b\'{"id": "1", "result": 6.0}\\n\')'),
    wrong("forged reply", 2, CHANNEL + FORGE),  # worth what `return 6.0` is worth
    wrong("guessed reply", 2, scale("return 6.0")),
    answer("deep JSON in the channel", 4, "shout(b'[' * 10**5 + b'\\n')", above=CHANNEL),
    wrong("NaN", 1, scale("return x * np.nan")),
    wrong("infinity", 1, scale("return x * np.inf")),
    wrong("subclass of ndarray", 1, HOSTILE_ARRAY),
    answer("array of objects", 4, "return np.array([print, x], dtype=object)", says=UNMARKED),
    answer("dict with hostile keys", 4, KEY, says=UNMARKED),
    answer("returns the type of everything", 4, "return type(x)", says=UNMARKED),
    answer("changes its argument", 5, "x *= factor", "return x", says="scale must not change its argument"),
    harmless("kills its parent", KILL_PARENT),
    answer("kills everything", 4, *KILL_ALL, says="your code ended the process (SIGKILL)"),
    cheat("sys.settrace", TRACE),
    answer("segmentation fault", 4, "import ctypes; ctypes.string_at(0)", says="the process (SIGSEGV)"),
    cheat("changes small numbers", "import ctypes\nctypes.memset(id(6) + 24, 2, 1)\n"),
    answer("closes all files", 4, "import os; os.closerange(0, 1000)", RIGHT),
    answer("long message with hidden inputs", 4, "raise ValueError(repr(x) * 10**5)"),
    answer("hidden inputs as the name of an error", 5, NAMED, RIGHT),
    answer("hidden inputs as an exit code", 5, EXIT, RIGHT, never="103"),
    answer("hidden inputs as the result", 5, f"{RIGHT} if np.ravel(x)[0] < 99 else 'text ' + str(x)"),
    Attack("hidden inputs printed later", 6, handed_in(REMEMBER, last="print('last', SEEN)"), "last"),
    answer("stack overflow", 4, "return scale(x, factor)", above=DEEP_LIMIT, wait_s=2),
    answer("recursion", 4, "return scale(x, factor)", says="RecursionError"),
    harmless("endless repr", ENDLESS.format("repr") + "Endless()"),
    answer("endless text of an error", 4, "raise Endless", above=ENDLESS.format("str")),
    answer("endless generator", 4, "import itertools", "return itertools.count()", says=UNMARKED),
    cheat("patches the package", PATCH_PACKAGE),
    harmless("output that is not UTF-8", "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00')"),
    harmless("lone surrogates", "print('\\ud800'); x = '\\udfff'; raise ValueError('\\ud800')"),
    harmless("surrogates in the source", "x = '\ud800'"),
    answer("sys.exit", 4, "import sys; sys.exit(3)", says="asked Python to exit"),
    answer("raises AssertionError itself", 4, "raise AssertionError(str(x))"),
    harmless("replaces stdout", "import sys\nsys.stdout = sys.stderr = None\ndel sys.stdout"),
    harmless("a thread that goes on", SPIN),
    harmless("fills the disk", FILL, "No space left", call_s=10),
    harmless("magic lines", "%matplotlib inline\n!rm -rf /\nx = 1", "left out"),
    cheat("a name of the tests", NAMES),
]


# -- files: which texts are no notebooks is tested with what reads them ------------------------------------
def version_3(notebook: Notebook) -> Notebook:
    """Write a notebook as IPython did before 2015."""
    code = {"outputs": [], "language": "python"}
    cells = [
        {"metadata": item["metadata"], "cell_type": item["cell_type"]}
        | (code | {"input": item["source"]} if "outputs" in item else {"source": item["source"]})
        for item in notebook["cells"]
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return {"worksheets": sheets, "metadata": {"name": "old"}, "nbformat": 3, "nbformat_minor": 0}


CELLS = handed_in()["cells"]
NAMELESS = [{key: item[key] for key in item.keys() - {"id"}} for item in CELLS]
LISTED = [item | {"source": item["source"].splitlines(keepends=True)} for item in CELLS]
NO_CELLS = '{"cells": [1, null, {"cell_type": 7, "source": {"a": 1}, "metadata": []}]}'
FILES = [
    Attack("empty", 0, ""),
    Attack("not JSON", 0, "print('hello')"),
    Attack("not text", 0, b"\x89PNG\xff\xfe"),
    Attack("cells are no cells", 0, NO_CELLS),
    Attack("nbformat 2000", 6, handed_in() | {"nbformat": 2000, "nbformat_minor": -1}),
    Attack("no ids, no metadata of the notebook", 6, {"cells": NAMELESS}),
    Attack("source as lists", 6, {"cells": LISTED}),
    Attack("nbformat 3", 6, version_3(handed_in())),
    Attack("worksheets of nonsense", 0, '{"worksheets": [3]}'),
]
ATTACKS = {attack.name: attack for attack in (*TABLE, *MORE, *FILES)}
assert len(ATTACKS) == len(TABLE) + len(MORE) + len(FILES), "names are different"


@functools.cache
def marked(name: str) -> Marked:
    """Mark one of them, when a test first asks for it."""
    attack = ATTACKS[name]
    limits = dataclasses.replace(LIMITS, call_s=attack.call_s, wait_s=attack.wait_s)
    return coursework_sample.mark(attack.submission, limits=limits)


@pytest.mark.parametrize("name", ATTACKS)
def test_submission_gets_the_mark_it_deserves(name: str) -> None:
    attack, result = ATTACKS[name], marked(name)
    assert result.points == attack.deserves, result.verdicts
    assert len(result.verdicts) == len(TESTS), "every test has a verdict"
    assert all(said is None or said for said in result.verdicts.values()), "every failure has a reason"
    assert attack.says in result.shown
    assert attack.never not in result.shown
    result.text.encode("utf-8")


# -- what else must hold after the attacks -----------------------------------------------------------------
def test_points_and_tests_are_the_instructors_no_process_is_left_and_the_unreadable_is_told() -> None:
    for name in ("points metadata", "edits tests", "tests turned into text", "deletes tests"):
        cell = marked(name).cells["test-ridge"]
        assert (cell["source"], cell["cell_type"]) == (TESTS["ridge"], "code")
        assert cell["metadata"]["nbgrader"]["points"] == 2
    marked("leaves a process")
    assert coursework_sample.ends("sleep 297")
    first = marked("not JSON").notebook["cells"][0]["source"]
    assert "cannot be read" in first
    assert "not JSON" in first


# -- the check can fail ------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("name", ["wrong", "AST transformer", "patches numpy, builtins", "points metadata"])
def test_the_same_trick_wins_where_tests_and_answers_share_a_process(name: str) -> None:
    """As in a notebook: the student's cells and the tests in one process, points as they stand."""
    given, command = json.dumps(ATTACKS[name].submission), [sys.executable, "-c", NAIVE]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    assert (int(done.stdout) > ATTACKS[name].deserves) == (name != "wrong")
