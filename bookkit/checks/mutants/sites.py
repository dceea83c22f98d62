"""Where code can be changed, and into what: one small change in one place is a *mutant*.

The changes are those of :mod:`coursekit.checking.mutants`, and a few for code that guards and loops: a
``raise``, a check or a result is dropped, a ``break`` goes on, a slice ends elsewhere. What is no behaviour
is left alone: docstrings, types, messages, ``assert`` (which is for mypy), decorators, ``__all__``.
"""

import ast
import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from coursekit.checking.mutants import CHANGES, TOO_SMALL

LEFT_ALONE = (ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
TYPES = ("annotation", "returns", "decorator_list", "type_params", "bases")
ATOMS = (ast.Constant, ast.Name, ast.Slice, ast.stmt)  # need no brackets


@dataclasses.dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change of one file.

    Attributes
    ----------
    file
        its path below the root
    line
        where the change is
    statement
        the line on which the statement around it begins
    function
        the function or method around it, empty outside
    old, new
        the text before and after, in one line
    text
        the whole file with the change
    """

    file: str
    line: int
    statement: int
    function: str
    old: str
    new: str
    text: bytes = dataclasses.field(repr=False)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is, whatever its line."""
        return self.file, self.function, self.old, self.new


@dataclasses.dataclass(frozen=True)
class Place:
    """A node that may be changed, and what is around it."""

    node: ast.AST
    shown: ast.AST
    function: str = ""
    statement: int = 0
    bound: Counter[str] = dataclasses.field(default_factory=Counter)


# -- every mutant of a file --------------------------------------------------------------------------------


def mutants(file: str, source: str) -> list[Mutant]:
    r"""Make every mutant of a file.

    Parameters
    ----------
    file : str
        its path, for the mutants' names
    source : str
        its code

    Examples
    --------
    >>> for mutant in mutants("toy.py", "def f(x: int = 3):\n    return x < 1"):
    ...     print(mutant.line, mutant.old, " to ", mutant.new)
    1 def f(x: int = 3):  to  def f(x: int = 4):
    1 def f(x: int = 3):  to  def f(x: int = 2):
    2 return x < 1  to  return None
    2 x < 1  to  x >= 1
    2 x < 1  to  x <= 1
    2 x < 1  to  x < 2
    2 x < 1  to  x < 0
    """
    data = source.encode("utf-8")
    starts = [0]
    for row in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    made: dict[bytes, Mutant] = {}
    for place in _places(Place(tree := ast.parse(source), tree)):
        for old, new in _changes(place):
            shown = place.shown if old is place.node and isinstance(old, TOO_SMALL) else old
            mutant = _mutant(file, data, starts, place, old, new, shown)
            if mutant.text != data:
                made.setdefault(mutant.text, mutant)
    return list(made.values())


def _mutant(
    file: str, data: bytes, starts: Sequence[int], place: Place, old: ast.AST, new: ast.AST, shown: ast.AST
) -> Mutant:
    """Write the file with one node in the place of another."""
    text = ast.unparse(ast.fix_missing_locations(new))
    placed = text if isinstance(new, ATOMS) else f"({text})"
    start, end = _span(old, starts)
    whole = starts[old.lineno - 1], starts[old.end_lineno]  # type: ignore[attr-defined]
    left, right = _span(shown, starts) if hasattr(shown, "lineno") else whole
    changed = data[:start] + placed.encode("utf-8") + data[end:]
    after = text.encode("utf-8") if shown is old else changed[left : right + len(changed) - len(data)]
    return Mutant(
        file=file,
        line=getattr(old, "lineno", 0),
        statement=place.statement,
        function=place.function,
        old=_line(data[left:right]),
        new=_line(after),
        text=changed,
    )


def _span(node: ast.AST, starts: Sequence[int]) -> tuple[int, int]:
    """Return where a node begins and ends, in bytes."""
    first, start, last, end = (
        getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
    )
    return starts[first - 1] + start, starts[last - 1] + end


def _line(text: bytes) -> str:
    """Write code in one line."""
    return " ".join(text.decode("utf-8").split())


# -- where -------------------------------------------------------------------------------------------------


def _places(place: Place) -> Iterator[Place]:
    """Yield a node and what is in it, without what is no behaviour."""
    node = place.node
    if isinstance(node, LEFT_ALONE) or _is_all(node):
        return
    if isinstance(node, ast.stmt):
        place = dataclasses.replace(place, statement=node.lineno)
    if hasattr(node, "lineno"):
        yield place
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        name = f"{place.function}.{node.name}".lstrip(".")
        place = dataclasses.replace(place, function=name, bound=_bound(node))
    for child in _children(node):
        shown = place.shown if isinstance(child, TOO_SMALL) else child
        yield from _places(dataclasses.replace(place, node=child, shown=shown))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that can be changed: no types, no messages, nothing that only mypy reads."""
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.If) and _is_no_question(node):
        yield from node.orelse
    elif isinstance(node, ast.Call) and _asks_for_type(node):
        yield node.args[ast.unparse(node.func) == "cast"]
    else:
        for name, value in ast.iter_fields(node):
            if name not in TYPES:
                yield from (part for part in _listed(value) if isinstance(part, ast.AST))


def _asks_for_type(node: ast.AST) -> bool:
    """Whether a call has a type among its arguments."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass", "cast")


def _listed(value: object) -> Iterable[object]:
    """Return the parts of a field."""
    return value if isinstance(value, list) else [value]


def _is_all(node: ast.AST) -> bool:
    """Whether a statement lists what a module exports."""
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"


def _bound(function: ast.AST) -> Counter[str]:
    """Count how often a function binds each name: one that is bound once cannot be forgotten unnoticed."""
    stored = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return Counter([*stored, *(node.arg for node in ast.walk(function) if isinstance(node, ast.arg))])


# -- what --------------------------------------------------------------------------------------------------


def _changes(place: Place) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield which node is replaced by which."""
    node = place.node
    if isinstance(node, ast.If | ast.While):
        for new in _conditions(node):
            yield node.test, new
    elif isinstance(node, ast.Assign):
        if all(_can_be_forgotten(target, place.bound) for target in node.targets):
            yield node, ast.Pass()
    elif isinstance(node, ast.Slice):
        yield from ((node, other) for other in _slices(node))
    else:
        for change in CHANGES.get(type(node), ()) if not _asks_for_type(node) else ():
            yield from ((node, other) for other in change(node))
        if (other := _statement(node)) is not None:
            yield node, other


def _conditions(node: ast.If | ast.While) -> Iterator[ast.AST]:
    """Ask the opposite; of an ``if``, also take and leave the branch whatever the answer."""
    if not _is_no_question(node):
        yield ast.UnaryOp(ast.Not(), node.test)
        if isinstance(node, ast.If):
            yield ast.Constant(True)
            yield ast.Constant(False)


def _is_no_question(node: ast.If | ast.While) -> bool:
    """Whether a condition asks who reads the code: mypy, or Python as a script."""
    text = ast.unparse(node.test)
    return text.rpartition(".")[2] == "TYPE_CHECKING" or text.startswith("__name__ ==")


def _can_be_forgotten(target: ast.expr, bound: Counter[str]) -> bool:
    """Whether without an assignment something else is there: otherwise any test notices."""
    if isinstance(target, ast.Tuple | ast.List):
        return all(_can_be_forgotten(part, bound) for part in target.elts)
    return not isinstance(target, ast.Name) or bound[target.id] > 1


def _statement(node: ast.AST) -> ast.AST | None:
    """Return what stands for a whole statement: nothing, no result, the other way to leave a loop."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        return ast.Return(ast.Constant(None))
    if isinstance(node, ast.Break):
        return ast.Continue()
    return ast.Break() if isinstance(node, ast.Continue) else None


def _slices(node: ast.Slice) -> Iterator[ast.AST]:
    """Begin one later, end one earlier; numbers are changed as numbers."""
    one = ast.Constant(1)
    if node.lower is not None and not isinstance(node.lower, ast.Constant):
        yield ast.Slice(ast.BinOp(node.lower, ast.Add(), one), node.upper, node.step)
    if node.upper is not None and not isinstance(node.upper, ast.Constant):
        yield ast.Slice(node.lower, ast.BinOp(node.upper, ast.Sub(), one), node.step)


# -- a sample ----------------------------------------------------------------------------------------------


def sample(sources: dict[str, str], number: int, seed: int) -> list[Mutant]:
    """Draw mutants, from each file in proportion to its code; a file's draw does not depend on the others.

    Parameters
    ----------
    sources : dict
        the code of the files, by path
    number : int
        how many; fewer are drawn where there are fewer
    seed : int
        decides the draw
    """
    made = {file: mutants(file, source) for file, source in sorted(sources.items())}
    shares = _shares({file: len({one.statement for one in found}) for file, found in made.items()}, number)
    drawn: list[Mutant] = []
    for file, found in made.items():
        random.Random(f"{seed} {file}").shuffle(found)
        right = ast.dump(ast.parse(sources[file]))
        valid = (one for one in found if _differs(one.text, right))
        drawn += [one for _, one in zip(range(shares[file]), valid, strict=False)]
    return drawn


def _shares(weights: dict[str, int], number: int) -> dict[str, int]:
    """Divide a number in proportion to weights; each file that has code gets one."""
    total = max(sum(weights.values()), 1)
    exact = {file: number * weight / total for file, weight in weights.items()}
    shares = {file: max(int(part), min(weights[file], 1)) for file, part in exact.items()}
    rest = sorted(exact, key=lambda file: int(exact[file]) - exact[file])
    for file in rest[: max(0, number - sum(shares.values()))]:
        shares[file] += 1
    return shares


def _differs(text: bytes, right: str) -> bool:
    """Whether a changed file is Python, and other Python than before."""
    try:
        return ast.dump(ast.parse(text)) != right
    except (SyntaxError, ValueError):
        return False
