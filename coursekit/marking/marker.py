"""Mark one submission, cell by cell: run the student's cells, try the tests, and put failures in words."""

import ast
import builtins
import contextlib
import functools
import io
import symtable
import time
import types
import warnings
from collections.abc import Mapping
from typing import Any

from coursekit.isolation.faults import ENDED, MEMORY, TIME, InstructorError, StartError, StudentError, clean
from coursekit.isolation.pupil import Cell, Declared, Pupil
from coursekit.isolation.sandbox import Limits, Starter

__all__ = [
    "BEGIN_HIDDEN",
    "END_HIDDEN",
    "Marking",
    "Output",
    "asserts",
    "compiled",
    "error_output",
    "fixed_words",
    "global_names",
    "visible_part",
]

Output = dict[str, Any]
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
MOST_TEXT = 20_000  # characters of output shown for one cell
BUILTIN_ERRORS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)} | {"LinAlgError"}
UNSTEADY = "a cell that ran the first time failed twice when it was run again for the hidden tests"
HIDDEN_WORDS = {
    "NotImplementedError": "a function that the hidden tests call is not written yet",
    ENDED: "your code ended the process in a hidden test",
    MEMORY: "your code used more memory than allowed in a hidden test",
}


class Marking:
    """One submission: the marker's names, and the two processes that run the student's cells.

    Parameters
    ----------
    limits : Limits
        what the student's processes may use
    files : mapping
        data files, by name
    settings : dict
        ``objects`` and ``returns_callable`` of the problem set
    start : callable
        starts a student's process
    """

    def __init__(
        self, limits: Limits, files: Mapping[str, bytes], settings: dict[str, Any], start: Starter
    ) -> None:
        objects = {name: tuple(allowed) for name, allowed in settings.get("objects", {}).items()}
        declared = Declared(objects, tuple(settings.get("returns_callable", ())))
        deadline, self.cells = time.monotonic() + limits.notebook_s, list[Cell]()
        self.open = Pupil(start, limits, deadline, self.cells, declared, files)
        self.closed = Pupil(start, limits, deadline, self.cells, declared, files)
        self.names: dict[str, Any] = {"__name__": "__marker__"}
        self.of_setup: set[str] = set()
        self.borrowed: dict[str, Any] = {}
        self.wanted: set[str] = set()
        self.sources: dict[str, str] = {}
        for pupil in (self.open, self.closed):
            pupil.shared = self._name_of

    def close(self) -> None:
        """End the student's processes."""
        self.open.close()
        self.closed.close()

    def run(self, cell: dict[str, str]) -> list[Output]:
        """Run one cell and return its outputs."""
        if cell["role"] == "test":
            return self._test(cell["source"], f"<test {cell['name']}>")
        outputs = self._show(cell["source"])
        return outputs + self._set_up(cell) if cell["role"] == "setup" else outputs

    # -- cells of the student -------------------------------------------------------------------------------

    def _show(self, source: str) -> list[Output]:
        """Run a cell in the open process; the closed one follows when it is needed."""
        self.open.active = True
        self.open.renew()
        self.cells.append(Cell(source))
        try:
            reply = self.open.catch_up(show=True)
        except StudentError as error:
            return [*_stream("".join(self.open.printed)), error_output(error.kind, error.text, error.trace)]
        self.cells[-1].passed = True
        figures = reply.get("figures", [])
        pictures = [str(figure) for figure in figures] if isinstance(figures, list) else []
        return _stream("".join(self.open.printed)) + [
            _picture(figure) for figure in pictures if _is_base64(figure)
        ]

    def _set_up(self, cell: dict[str, str]) -> list[Output]:
        """Run an instructor's cell in the marker as well."""
        before = dict(self.names)
        try:
            self._exec(cell["source"], f"<setup {cell['name']}>")
        except Exception as error:
            return [error_output(type(error).__name__, f"in the marker: {clean(error)}")]
        self.of_setup |= {name for name, value in self.names.items() if before.get(name) is not value}
        return []

    # -- tests ----------------------------------------------------------------------------------------------

    def _test(self, source: str, file: str) -> list[Output]:
        """Run a test cell: the visible part in the open process, then hidden tests in the closed one."""
        self._return_borrowed()
        if BEGIN_HIDDEN not in source or self.closed is self.open:  # nothing is to be hidden from it
            failure = self._attempt(source, file, self.open)
            return _stream("".join(self.open.printed)) + failure
        visible = visible_part(source)
        printed: list[Output] = []
        if visible is not None:
            before = dict(self.names)
            failure = self._attempt(visible, file, self.open)
            printed = _stream("".join(self.open.printed))
            if failure:
                return printed + failure
            self._return_borrowed()
            self.names.clear()
            self.names.update(before)
        failure = self._attempt(source, file, self.closed)
        if failure and self.closed.unsteady:
            kind = self.closed.unsteady
            return [
                *printed,
                error_output(kind if kind in BUILTIN_ERRORS | {TIME} else "Exception", UNSTEADY),
            ]
        return printed + failure

    def _attempt(self, source: str, file: str, pupil: Pupil) -> list[Output]:
        """Run a test against one of the processes; return the reason of its failure, or nothing."""
        secret = pupil is self.closed
        self.open.active, self.closed.active = not secret, secret
        pupil.renew()
        self.sources[file] = source
        try:
            self._borrow(source, file, pupil)
            printed = self._exec(source, file)
        except StudentError as error:
            kind, text, trace = error.kind, error.text, error.trace
            return [self._hidden_error(kind, text)] if secret else [error_output(kind, text, trace)]
        except StartError:
            raise
        except BaseException as error:
            return [self._explain(error, secret)]
        if not secret:
            pupil.printed.append(printed)
        return []

    def _borrow(self, source: str, file: str, pupil: Pupil) -> None:
        """Get the student's names that the instructor's cells use so far and did not make."""
        used, assigned = global_names(source, file)
        self.wanted |= used
        missing = [name for name in self.wanted if name not in self.names and not hasattr(builtins, name)]
        self.borrowed, refused = pupil.look(sorted(missing))
        self.names.update(self.borrowed)
        for name in sorted(refused.keys() & (used - assigned)):
            raise StudentError("TypeError", refused[name])

    def _return_borrowed(self) -> None:
        """Forget the student's names: the next test asks for them again."""
        for name, value in self.borrowed.items():
            if self.names.get(name) is value:
                del self.names[name]
        self.borrowed = {}

    def _exec(self, source: str, file: str) -> str:
        """Run an instructor's cell in the marker and return what it printed."""
        self.wanted |= global_names(source, file)[0]
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            exec(compiled(source, file), self.names)
        return out.getvalue()

    def _name_of(self, value: object) -> str | None:
        """Return the name by which a setup cell knows an object, and so does the student's process."""
        return next((name for name in self.of_setup if self.names.get(name) is value), None)

    # -- words ----------------------------------------------------------------------------------------------

    def _hidden_error(self, kind: str, text: str) -> Output:
        """Tell the kind of an error; its text, or a name of the student's own, could carry inputs out."""
        if kind == TIME:
            return error_output(kind, text)
        if kind not in BUILTIN_ERRORS | HIDDEN_WORDS.keys():
            kind = "Exception"
        return error_output(kind, HIDDEN_WORDS.get(kind, "your code raised this error in a hidden test"))

    def _explain(self, error: BaseException, secret: bool) -> Output:
        """Say why a test failed that raised an error of its own."""
        kind = type(error).__name__
        node = self._failed_assert(error) if isinstance(error, AssertionError) else None
        if isinstance(error, InstructorError):
            return error_output(kind, str(error))
        if secret:
            words = fixed_words(node.msg) if node is not None else ""
            if isinstance(error, AssertionError):
                return error_output(kind, words or "a hidden test failed")
            return error_output(kind, "a hidden test could not use what your code returned")
        text = clean(error)
        if not text and node is not None:
            text = f"this does not hold: {ast.unparse(node.test)}"
        return error_output(kind, text)

    def _failed_assert(self, error: BaseException) -> ast.Assert | None:
        """Find the ``assert`` of an instructor's cell that failed, if it was one."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None:
            return None
        source, line = self.sources.get(trace.tb_frame.f_code.co_filename, ""), trace.tb_lineno
        return next((node for node in asserts(source) if node.lineno <= line <= (node.end_lineno or 0)), None)


# -- the text of cells --------------------------------------------------------------------------------------
# An instructor's cell is read once for all the answers that it is tried on.


@functools.cache
def compiled(source: str, file: str) -> types.CodeType:
    """Compile an instructor's cell.

    Parameters
    ----------
    source : str
        the cell
    file : str
        its name, for error messages
    """
    return compile(source, file, "exec")


@functools.cache
def asserts(source: str) -> tuple[ast.Assert, ...]:
    """Return the ``assert`` statements of an instructor's cell.

    Parameters
    ----------
    source : str
        the cell
    """
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert))


@functools.cache
def visible_part(source: str) -> str | None:
    r"""Return a test cell without its hidden tests, line for line; None if that is no Python.

    Parameters
    ----------
    source : str
        the cell

    Examples
    --------
    >>> visible_part("a = 1\n### BEGIN HIDDEN TESTS\nb = 2\n### END HIDDEN TESTS")
    'a = 1\n\n\n'
    """
    lines, hidden = [], False
    for line in source.split("\n"):
        hidden = hidden or line.strip() == BEGIN_HIDDEN
        lines.append("" if hidden else line)
        hidden = hidden and line.strip() != END_HIDDEN
    text = "\n".join(lines)
    try:
        compile(text, "<visible>", "exec")
    except SyntaxError:
        return None
    return text


@functools.cache
def global_names(source: str, file: str) -> tuple[frozenset[str], frozenset[str]]:
    r"""Return the global names that a cell uses, and those that it assigns at its top level.

    Parameters
    ----------
    source : str
        the cell
    file : str
        its name, for error messages

    Examples
    --------
    >>> used, assigned = global_names("b = f(a)\ndef g(x):\n    return h(x)", "<cell>")
    >>> sorted(used), sorted(assigned)
    (['a', 'f', 'h'], ['b', 'g'])
    """
    top = symtable.symtable(source, file, "exec")
    used, assigned, tables = set[str](), set[str](), [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                used.add(symbol.get_name())
            if table is top and (symbol.is_assigned() or symbol.is_imported()):
                assigned.add(symbol.get_name())
    return frozenset(used), frozenset(assigned)


def fixed_words(message: ast.expr | None) -> str:
    """Return what an instructor wrote as the message of an assert, without what is computed.

    Parameters
    ----------
    message : ast.expr or None
        the message's expression

    Examples
    --------
    >>> fixed_words(ast.parse("f'expected 3, got {x}'", mode="eval").body)
    'expected 3, got …'
    """
    if isinstance(message, ast.Constant):
        return str(message.value)
    if isinstance(message, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in message.values]
        return "".join(parts)
    return ""


# -- outputs -------------------------------------------------------------------------------------------------


def error_output(kind: str, text: str, trace: str = "") -> Output:
    """Return an error output, as a notebook holds it.

    Parameters
    ----------
    kind, text, trace : str
        the name of the error, its message, and where it came from
    """
    lines = trace.splitlines() or [f"{kind}: {text}"]
    return {"output_type": "error", "ename": kind, "evalue": text, "traceback": lines}


def _stream(text: str) -> list[Output]:
    """Return what was printed as an output; to stdout, for stderr would cost marks in nbgrader."""
    text = clean(text, MOST_TEXT)
    return [{"output_type": "stream", "name": "stdout", "text": text}] if text.strip() else []


def _is_base64(text: str) -> bool:
    """Whether text is a picture as notebooks hold it."""
    return text.isascii() and text.replace("+", "").replace("/", "").rstrip("=").isalnum()


def _picture(data: str) -> Output:
    """Return a figure as an output."""
    return {"output_type": "display_data", "data": {"image/png": data}, "metadata": {}}
