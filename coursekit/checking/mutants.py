"""Wrong answers made by machine, to see whether the tests of a problem set notice them.

A *mutant* is the model answer of one cell with one small change, of the kind that students make: a wrong
operator, an off-by-one, a forgotten ``abs`` or ``axis``. Others replace what a function returns by something
plausible and wrong.
"""

import ast
import builtins
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

__all__ = ["ALWAYS", "Mutant", "always_on", "machine_made"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Mutant:
    """A changed answer: the cell, the change in words, the line it is on (0: none), and the new source."""

    cell: str
    change: str
    line: int
    source: str = dataclasses.field(repr=False)

    @property
    def name(self) -> str:
        """The mutant in one line."""
        return f"{self.cell}: {self.change}"


# -- every small change of an expression or a statement --------------------------------------------------

OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult, ast.Pow)
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
EXCHANGED = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("nanmin", "nanmax"),
    ("any", "all"),
    ("sum", "mean"),
    ("zeros", "ones"),
)
OTHER_NAME = {a: b for pair in EXCHANGED for a, b in (pair, pair[::-1])}
SYMMETRIC = {"min", "max", "minimum", "maximum", "isclose", "allclose", "array_equal", "add", "multiply"}
DROPPED_CALLS = ("abs", "absolute", "sqrt", "copy")
DROPPED_KEYWORDS = ("axis", "keepdims")
DROPPED_ATTRIBUTES = ("T",)
TOO_SMALL = (ast.Constant, ast.UnaryOp, ast.keyword, ast.Slice, ast.List, ast.Tuple)  # to be shown alone


def machine_made(cell: str, source: str, lines: Sequence[int] | None = None) -> Iterator[Mutant]:
    """Make every mutant of a source by one small change.

    Parameters
    ----------
    cell : str
        The name of the cell, for the mutants' names.
    source : str
        The model answer.
    lines : sequence of int, optional
        The lines, counted from one, that may be changed: those between the solution markers.

    Examples
    --------
    >>> for mutant in machine_made("toy", "a = b - 1"):
    ...     print(mutant.change)
    a = b - 1  ->  pass
    b - 1  ->  b + 1
    b - 1  ->  1 - b
    b - 1  ->  b - 2
    b - 1  ->  b - 0
    """
    tree = ast.parse(source)
    before, around = ast.unparse(tree), _surroundings(tree)
    seen: Counter[str] = Counter()
    for node in list(ast.walk(tree)):
        line = getattr(node, "lineno", 0)
        if line and (lines is None or line in lines):
            for new in _changes(node):
                after, change = _exchanged(tree, node, new, around.get(node, node))
                if after != before:
                    seen[change] += 1
                    number = f" ({seen[change]})" if seen[change] > 1 else ""
                    yield Mutant(cell=cell, change=change + number, line=line, source=after)


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    for change in CHANGES.get(type(node), ()):
        yield from change(node)


def _surroundings(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """Find for each number or sign the expression around it, without which it says little."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = {}
    for node in parents:
        wide = node
        while isinstance(wide, TOO_SMALL) and not isinstance(parents[wide], ast.Module):
            wide = parents[wide]
        found[node] = wide
    return found


def _exchanged(tree: ast.Module, old: ast.AST, new: ast.AST, shown: ast.AST) -> tuple[str, str]:
    """Exchange one node, write the tree and the change, and put the node back."""
    before = _brief(shown)
    _Exchange(old, new).visit(tree)
    text = ast.unparse(ast.fix_missing_locations(tree))
    change = f"{before}  ->  {_brief(new if shown is old else shown)}"
    _Exchange(new, old).visit(tree)
    return text, change


class _Exchange(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Exchange the node, or look further inside."""
        return self.new if node is self.old else self.generic_visit(node)


def _brief(node: ast.AST) -> str:
    """Write a node in one line."""
    first, *more = ast.unparse(node).splitlines()
    return f"{first} ..." if more else first


def _operators(node: ast.BinOp) -> Iterator[ast.AST]:
    """Another operator; the operands the other way round."""
    if type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    if isinstance(node.op, NOT_COMMUTATIVE):
        yield ast.BinOp(node.right, node.op, node.left)


def _updates(node: ast.AugAssign) -> Iterator[ast.AST]:
    """Another operator; no update; an assignment instead of an update."""
    if type(node.op) in OPERATORS:
        yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
    yield ast.Assign([node.target], node.value)
    yield ast.Pass()


def _signs(node: ast.UnaryOp) -> Iterator[ast.AST]:
    """Drop a minus, or a not."""
    if isinstance(node.op, ast.USub | ast.Not):
        yield node.operand


def _comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    """Take the opposite of a comparison; move its border."""
    for other in COMPARISONS.get(type(node.ops[0]), ()):
        yield ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators)


def _connectives(node: ast.BoolOp) -> Iterator[ast.AST]:
    """Exchange ``and`` and ``or``."""
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    """One more, one less; the other truth value."""
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def _dropped(node: ast.Assign) -> Iterator[ast.AST]:
    """Forget an assignment."""
    yield ast.Pass()


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """Change a call: the function's opposite, no function, arguments exchanged, keywords forgotten."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    other = OTHER_NAME.get(name, "")
    if other and (isinstance(node.func, ast.Attribute) or hasattr(builtins, other)):
        yield ast.Call(_renamed(node.func, other), node.args, node.keywords)
    if name in DROPPED_CALLS and len(node.args) == 1:
        yield node.args[0]
    if name in DROPPED_CALLS and not node.args and isinstance(node.func, ast.Attribute):
        yield node.func.value
    if len(node.args) > 1 and name not in SYMMETRIC:
        first, second, *rest = node.args
        yield ast.Call(node.func, [second, first, *rest], node.keywords)
    for keyword in node.keywords:
        if keyword.arg in DROPPED_KEYWORDS:
            yield ast.Call(node.func, node.args, [k for k in node.keywords if k is not keyword])
    if name == "range":
        yield from _ranges(node)


def _renamed(function: ast.expr, name: str) -> ast.expr:
    """Give a called function another name."""
    if isinstance(function, ast.Attribute):
        return ast.Attribute(function.value, name, ast.Load())
    return ast.Name(name, ast.Load())


def _ranges(node: ast.Call) -> Iterator[ast.AST]:
    """Start one later; end one earlier or later."""
    start = [] if len(node.args) == 1 else node.args[:1]
    stop, step = node.args[min(1, len(node.args) - 1)], node.args[2:]
    one, zero = ast.Constant(1), ast.Constant(0)
    later = ast.BinOp(start[0], ast.Add(), one) if start else one
    yield ast.Call(node.func, [later, stop, *step], [])
    for operator in (ast.Sub(), ast.Add()):
        beginning = start or ([zero] if step else [])
        yield ast.Call(node.func, [*beginning, ast.BinOp(stop, operator, one), *step], [])


def _branches(node: ast.If) -> Iterator[ast.AST]:
    """Negate a condition; forget it; forget the branch."""
    yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    yield ast.If(ast.Constant(True), node.body, node.orelse)
    yield ast.If(ast.Constant(False), node.body, node.orelse)


def _choices(node: ast.IfExp) -> Iterator[ast.AST]:
    """Take one alternative, the other, or each where the other belongs."""
    yield ast.IfExp(node.test, node.orelse, node.body)
    yield node.body
    yield node.orelse


def _filters(node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[ast.AST]:
    """Forget the conditions of a comprehension."""
    if any(loop.ifs for loop in node.generators):
        bare = [ast.comprehension(loop.target, loop.iter, [], loop.is_async) for loop in node.generators]
        yield type(node)(node.elt, bare)


def _attributes(node: ast.Attribute) -> Iterator[ast.AST]:
    """Forget a transposition."""
    if node.attr in DROPPED_ATTRIBUTES:
        yield node.value


CHANGES: dict[type[ast.AST], tuple[Callable[..., Iterator[ast.AST]], ...]] = {
    ast.BinOp: (_operators,),
    ast.AugAssign: (_updates,),
    ast.UnaryOp: (_signs,),
    ast.Compare: (_comparisons,),
    ast.BoolOp: (_connectives,),
    ast.Constant: (_constants,),
    ast.Assign: (_dropped,),
    ast.Call: (_calls,),
    ast.If: (_branches,),
    ast.IfExp: (_choices,),
    ast.ListComp: (_filters,),
    ast.GeneratorExp: (_filters,),
    ast.SetComp: (_filters,),
    ast.Attribute: (_attributes,),
}


# -- what a function returns, replaced -------------------------------------------------------------------

# A value is changed in all its parts; `right` is the model answer, `first` the position of the first input.
WRAPPER = """
def _mutated(right, first, change):
    import numpy as np

    def through(value):
        if isinstance(value, (tuple, list)):
            return type(value)(map(through, value))
        if isinstance(value, dict):
            return {{key: through(item) for key, item in value.items()}}
        if callable(value):
            return lambda *given, **named: through(value(*given, **named))
        return change(value, np)

    def wrong(*given, **named):
        {kept}
        result = right(*given, **named)
        return {result}

    return wrong


{function} = _mutated({function}, {first}, lambda value, np: {change})
"""
ALWAYS = {
    "returns None": ("None", "None"),
    "returns nan": ("through(result)", "np.full(np.shape(value), np.nan)[()]"),
    "returns zeros": ("through(result)", "np.zeros(np.shape(value))[()]"),
    "returns its first input": ("inputs[first]", "value"),
    "returns the wrong sign": (
        "through(result)",
        "not value if isinstance(value, (bool, np.bool_)) else value[::-1] if isinstance(value, str) else "
        "value if value is None else np.negative(value)",
    ),
}


def always_on(cell: str, source: str) -> Iterator[Mutant]:
    """Make the mutants that the tests of any function must notice.

    For each function and each public method they are: it returns nothing; nan, or zeros, in the shape of the
    right answer; its first input as it was; the right answer with the wrong sign.

    Parameters
    ----------
    cell : str
        The name of the cell.
    source : str
        The model answer.
    """
    for function, first, line in _functions(ast.parse(source)):
        for change, (result, part) in ALWAYS.items():
            if first is None and "inputs" in result:
                continue
            kept = "import copy; inputs = copy.deepcopy(given)" if "inputs" in result else "pass"
            wrapper = WRAPPER.format(function=function, first=first, change=part, result=result, kept=kept)
            yield Mutant(cell=cell, change=f"{function} {change}", line=line, source=source + "\n" + wrapper)


def _functions(tree: ast.Module) -> Iterator[tuple[str, int | None, int]]:
    """Yield each function or public method, the position of its first input, if any, and its line."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, 0 if node.args.args else None, node.lineno
        elif isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                    inputs = len(item.args.args) > 1
                    yield f"{node.name}.{item.name}", 1 if inputs else None, item.lineno
