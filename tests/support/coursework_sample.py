"""A tiny problem set with six automatic marks, and ways to hand something in."""

import copy
import json
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any

from coursekit.marking.execute import Limits, Starter, execute, sandboxed, verdicts
from coursekit.marking.sanitise import sanitise

SECRET = "4711"  # occurs in hidden tests only
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
LIMITS = Limits(memory_mb=512, cpu_s=20, processes=32, file_mb=8, call_s=1.0, wait_s=4.0, notebook_s=90)

SETUP = "import numpy as np\n\n\ndef square(x):\n    return x * x"
ANSWERS = {
    "scale": "def scale(x, factor):\n    return factor * x",
    "ridge": (
        "class Ridge:\n"
        "    def __init__(self, lam):\n"
        "        self.lam = lam\n"
        "    def fit(self, X, y):\n"
        "        self.w_ = np.linalg.solve(X.T @ X + self.lam * np.eye(X.shape[1]), X.T @ y)\n"
        "        return self\n"
        "    def predict(self, X):\n"
        "        return X @ self.w_"
    ),
    "kernel": "def make_kernel(gamma, bend):\n    return lambda x, z: np.exp(-gamma * bend(x - z))",
    "clip": "def clip(x, bound):\n    x[x > bound] = bound",
}
BLANK = {
    name: source.split("):")[0] + "):\n        raise NotImplementedError('replace this line')"
    for name, source in ANSWERS.items()
}
WRONG = ANSWERS | {
    "scale": "def scale(x, factor):\n    return x",
    "ridge": ANSWERS["ridge"].replace("self.lam *", "0 *"),
    "kernel": "def make_kernel(gamma, bend):\n    return lambda x, z: np.exp(gamma * bend(x - z))",
}
TESTS = {
    "scale-visible": "assert scale(2.0, 3.0) == 6.0, f'2 times 3 is 6, but scale says {scale(2.0, 3.0)}'",
    "scale": (
        "x = np.array([1.0, 2.0])\n"
        "assert np.allclose(scale(x, 2.0), [2.0, 4.0]), 'every entry is multiplied'\n"
        + HIDDEN.format(
            f"before = np.array([{SECRET}.0, -{SECRET}.0])\n"
            "given = before.copy()\n"
            "got = scale(given, 0.5)\n"
            "assert np.array_equal(given, before), 'scale must not change its argument'\n"
            "assert np.array_equal(got, before / 2), f'half of it is wrong: {got}, not {before / 2}'"
        )
    ),
    "ridge": (
        "X, y = np.eye(2), np.array([1.0, 2.0])\n"
        "model = Ridge(lam=1.0).fit(X, y)\n"
        "assert np.allclose(model.w_, y / 2), 'for X = I and lam = 1, w is y / 2'\n"
        + HIDDEN.format(
            f"model = Ridge(lam={SECRET}.0).fit(X, y)\n"
            f"assert np.allclose(model.predict(X), y / (1 + {SECRET})), 'a large lam shrinks'"
        )
    ),
    "kernel": (
        "k = make_kernel(0.5, square)\n"
        "assert k(1.0, 1.0) == 1.0, 'a point is most like itself'\n"
        "assert abs(k(0.0, 2.0) - np.exp(-2.0)) < 1e-12, 'the kernel falls off with the distance'"
    ),
    "clip": (
        "z = np.array([1.0, 5.0])\n"
        "assert clip(z, 2.0) is None\n"
        "assert list(z) == [1.0, 2.0], 'z is changed in place'"
    ),
}
POINTS = {"scale-visible": 1, "scale": 1, "ridge": 2, "kernel": 1, "clip": 1}
ORDER = [
    "scale",
    "test scale-visible",
    "test scale",
    "ridge",
    "test ridge",
    "kernel",
    "test kernel",
    "clip",
    "test clip",
]


def cell(source: str, name: str | None = None, kind: str = "code", **settings: Any) -> dict[str, Any]:
    """Return a cell, with nbgrader's metadata if it has a name."""
    usual = {"grade": False, "solution": False, "locked": False, "schema_version": 3, "task": False}
    metadata = {"nbgrader": usual | {"grade_id": name} | settings} if name else {}
    code: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": metadata, "source": source, "id": name or "extra"} | code


def problem_set(**more: Any) -> dict[str, Any]:
    cells = [cell(SETUP, "setup", locked=True)]
    for item in ORDER:
        name = item.removeprefix("test ")
        if item == name:
            cells.append(cell(ANSWERS[name], name, solution=True))
        else:
            points = POINTS[name]
            cells.append(cell(TESTS[name], f"test-{name}", grade=True, locked=True, points=points))
    cells.append(cell("Because.", "why", "markdown", solution=True, grade=True, points=4))
    settings = {"objects": {"Ridge": ["fit", "predict", "w_"]}, "returns_callable": ["make_kernel"]}
    metadata = {"coursekit": settings | more}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def handed_in(answers: Mapping[str, str] = ANSWERS, first: str = "", last: str = "") -> dict[str, Any]:
    """Return a submission: the handout with some answers, and cells before and after everything."""
    notebook = copy.deepcopy(problem_set())
    for item in notebook["cells"]:
        name = item["metadata"]["nbgrader"]["grade_id"]
        if item["metadata"]["nbgrader"]["solution"]:
            item["source"] = (BLANK | {"why": "Mine."} | dict(answers))[name]
        if "### BEGIN" in item["source"]:
            item["source"] = item["source"].split("### BEGIN")[0]
    before, after = [cell(first)] if first else [], [cell(last)] if last else []
    notebook["cells"] = [*notebook["cells"][:1], *before, *notebook["cells"][1:], *after]
    return notebook


class Marked:
    """A marked submission: its points, the reasons, and all that a student is shown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.notebook = json.loads(text)
        self.verdicts = {name.removeprefix("test-"): said for name, said in verdicts(text).items()}
        self.points = sum(POINTS[name] for name, said in self.verdicts.items() if said is None)
        self.cells = {
            item["metadata"]["nbgrader"]["grade_id"]: item
            for item in self.notebook["cells"]
            if "nbgrader" in item["metadata"]
        }

    @property
    def shown(self) -> str:
        """What the outputs say."""
        return json.dumps([item.get("outputs", []) for item in self.notebook["cells"]], ensure_ascii=False)


def mark(
    submission: Mapping[str, Any] | str | bytes, *, start: Starter = sandboxed, limits: Limits = LIMITS
) -> Marked:
    text = submission if isinstance(submission, str | bytes) else json.dumps(submission)
    return Marked(execute(sanitise(text, problem_set()), limits=limits, start=start))


def is_running(command: str) -> bool:
    return command in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


def begins(command: str, seconds: float = 30) -> bool:
    """Whether there is such a process, once a busy machine has got round to starting it."""
    return _waits_until(lambda: is_running(command), seconds)


def ends(command: str, seconds: float = 30) -> bool:
    """Whether no such process is left, once a busy machine has got round to ending it."""
    return _waits_until(lambda: not is_running(command), seconds)


def _waits_until(holds: Callable[[], bool], seconds: float) -> bool:
    """Ask again and again until something holds or time is up."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.05)
    return True
