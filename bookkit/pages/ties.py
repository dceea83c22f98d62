"""Sorting whose outcome depends on the processor: positions of equal values, in an order nobody promised.

``np.argsort`` and ``np.argpartition`` leave equal values in any order, another one with AVX-512 than without.
What follows from that order is not the same everywhere. So each call says ``kind="stable"``, or a comment
beside it says, with the word *ties*, why nobody can see them. ``np.sort`` is let alone: it returns the values
themselves, and equal numbers look alike.
"""

import ast
import re
from collections.abc import Iterator

from bookkit.pages.register import called_name

UNSTABLE = ("argsort", "argpartition", "sort_values", "sort_index", "nlargest", "nsmallest")
WORD = re.compile(r"#.*\bties\b")
REMEDY = 'write kind="stable", or beside it in a comment with the word ties why nobody can see their order'


def unstable_sorts(source: str, tree: ast.AST | None = None) -> Iterator[tuple[int, str]]:
    """Find the calls that may put equal values in any order.

    Parameters
    ----------
    source : str
        Python.
    tree : ast.AST, optional
        The source, parsed, where it holds more than Python.

    Yields
    ------
    int, str
        The line, counted from one, and the call.
    """
    lines = source.splitlines()
    for node in ast.walk(tree or ast.parse(source)):
        if isinstance(node, ast.Call) and called_name(node) in UNSTABLE and not _is_stable(node):
            last = node.end_lineno or node.lineno
            if not any(map(WORD.search, lines[max(node.lineno - 2, 0) : last])):
                yield node.lineno, ast.unparse(node)


def _is_stable(call: ast.Call) -> bool:
    """Whether a call asks for an order of equal values that is the same everywhere."""
    given = {keyword.arg: getattr(keyword.value, "value", None) for keyword in call.keywords}
    return given.get("kind") in ("stable", "mergesort") or given.get("stable") is True
