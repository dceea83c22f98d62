"""The shape of the package: one noun, one path; imports point down; names are used, documented and typed."""

import ast
import doctest
import pathlib
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

import lecturekit
from bookkit import ROOT
from bookkit.checks.changed import sources

PACKAGE = pathlib.Path(lecturekit.__file__).parent
PYPROJECT = PACKAGE.parent / "pyproject.toml"

# A noun imports only nouns that stand before it. A new noun takes its place here, and nothing else.
ORDER = (
    *("_typing", "_jit", "_check", "_newton", "_estimators"),  # the tools of the package
    # arrays in and out
    *("losses", "features", "data", "kernels", "rkhs", "metrics", "significance", "bounds"),
    # solvers
    *("descent", "least_squares", "perceptron", "logistic", "penalized", "svm", "neighbors", "trees"),
    *("protocols", "boosting", "calibration", "linear", "bias_variance"),  # what is made of them
    "plotting",
)
MOST_FILES, MOST_NOUNS, MOST_NAMES = 60, 25, 470
MOST_CODE = 400  # lines of one file, without documentation
ONLY_IN = {"matplotlib": "plotting", "matplotlib_inline": "plotting", "cycler": "plotting", "numba": "_jit"}
ONE_SPELLING = {  # what the package does not call things, and what it calls them
    "intercept": "fit_intercept",
    "seed": "rng",
    "alpha_level": "level",
    "max_iters": "max_iter",
    "n_iter_max": "max_iter",
    "tolerance": "tol",
    "lambda_": "lam",
    "epsilon": "eps",
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Leaf:
    """A file of the package: the noun it belongs to, and its code."""

    def __init__(self, path: pathlib.Path, text: str | None = None) -> None:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        self.noun = parts[0]
        self.name = ".".join(parts)
        self.text = path.read_text(encoding="utf-8") if text is None else text
        self.tree = ast.parse(self.text)

    @property
    def is_front(self) -> bool:
        """Whether this is what the noun shows: the module, or the package's ``__init__``."""
        return self.name in (self.noun, f"{self.noun}.__init__")


LEAVES = {leaf.name: leaf for leaf in map(Leaf, sorted(PACKAGE.rglob("*.py")))}
FRONTS = {leaf.noun: leaf for leaf in LEAVES.values() if leaf.is_front and leaf.noun != "__init__"}
NOUNS = [noun for noun in FRONTS if not noun.startswith("_")]
each_leaf = pytest.mark.parametrize("name", LEAVES)
each_noun = pytest.mark.parametrize("noun", NOUNS)


def inner_imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the modules of the package that code imports from, and the names; ``*`` is the module itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("lecturekit."):
                    yield alias.name.removeprefix("lecturekit."), "*"
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            for alias in node.names:
                if module == "lecturekit":
                    yield alias.name, "*"
                elif module.startswith("lecturekit."):
                    yield module.removeprefix("lecturekit."), alias.name


def outer_imports(tree: ast.Module) -> set[str]:
    """Return the top-level packages of other projects that a module imports."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names - set(sys.stdlib_module_names) - {"lecturekit"}


def definitions(tree: ast.Module) -> Iterator[Definition]:
    for node in tree.body:
        if isinstance(node, Definition):
            yield node


def exported(tree: ast.Module) -> list[str]:
    """Read ``__all__``; nothing where there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return []


def top_level_names(tree: ast.Module) -> set[str]:
    """Return every name bound at the top level of a module."""
    names = {node.name for node in definitions(tree)} | constants(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def constants(tree: ast.Module) -> set[str]:
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def public_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the public functions and methods of a module with their names; operators are public too."""
    for node in definitions(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not re.match(r"_[^_]", item.name):
                    yield f"{node.name}.{item.name}", item


def public_definitions(noun: str) -> Iterator[Definition]:
    """Yield the definitions, in whichever leaf, of the names that a noun exports."""
    names = set(exported(FRONTS[noun].tree))
    for leaf in LEAVES.values():
        if leaf.noun == noun:
            yield from (node for node in definitions(leaf.tree) if node.name in names)


def arguments(node: ast.FunctionDef) -> list[ast.arg]:
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [*given, *filter(None, [node.args.vararg, node.args.kwarg])]


# -- imports -------------------------------------------------------------------------------------------------
def wrong_imports(leaf: Leaf) -> Iterator[str]:
    """Say which imports of a file do not point down, or reach behind another noun's front."""
    for module, name in inner_imports(leaf.tree):
        noun, _, rest = module.partition(".")
        if noun == leaf.noun:
            continue
        if noun not in ORDER or ORDER.index(noun) >= ORDER.index(leaf.noun):
            yield f"{leaf.name} imports {module}, which does not stand below it"
        if rest:
            yield f"{leaf.name} imports the leaf {module}; import {name} from {noun}"
        elif name.startswith("_"):
            yield f"{leaf.name} imports the private {module}.{name}"


def test_every_noun_has_its_place() -> None:
    assert sorted(FRONTS) == sorted(ORDER), "give a new noun its place in ORDER"


@each_leaf
def test_imports_point_down_and_end_at_fronts(name: str) -> None:
    if name != "__init__":
        assert not list(wrong_imports(LEAVES[name]))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("from lecturekit.svm import smo", 1),  # svm stands above kernels
        ("if TYPE_CHECKING:\n    from lecturekit import svm", 1),
        ("def f():\n    import lecturekit.svm", 1),
        ("from lecturekit.metrics._curves import roc_curve", 2),
        ("from lecturekit.losses import _shared", 1),
        ("from lecturekit.svm._smo import smo", 2),
        ("from lecturekit.losses import sigmoid\nfrom lecturekit import _check", 0),
    ],
)
def test_an_import_that_does_not_point_down_is_found(line: str, wrong: int) -> None:
    assert len(list(wrong_imports(Leaf(PACKAGE / "rkhs.py", line)))) == wrong


def test_leaves_of_a_noun_do_not_import_each_other_in_circles() -> None:
    below = {
        leaf.name: {module for module, _ in inner_imports(leaf.tree) if module in LEAVES}
        for leaf in LEAVES.values()
        if not leaf.is_front
    }
    assert below
    while below:
        free = [name for name, needs in below.items() if not needs & below.keys()]
        assert free, f"a circle of imports: {sorted(below)}"
        for name in free:
            del below[name]


@each_noun
def test_a_package_shows_and_its_leaves_hide(noun: str) -> None:
    leaves = [leaf for leaf in LEAVES.values() if leaf.noun == noun and not leaf.is_front]
    if leaves:
        front = FRONTS[noun].tree.body
        assert all(isinstance(node, ast.Expr | ast.ImportFrom | ast.Assign) for node in front)
        assert all(leaf.name.partition(".")[2].startswith("_") for leaf in leaves)
        assert not any(exported(leaf.tree) for leaf in leaves)


def foreign_reach(code: str) -> list[str]:
    """List what code outside the package imports of it that is not a noun or a name of one."""
    found = []
    for module, name in inner_imports(ast.parse(code)):
        known = module in NOUNS and (name == "*" or name in exported(FRONTS[module].tree))
        found += [] if known else [f"{module}.{name}"]
    return found


def users() -> dict[str, str]:
    """Return the code of what uses the package: chapters, problem sets and benchmarks."""
    rooms = ("book/", "coursework/", "benchmarks/")
    return {path: plain(code) for path, code in sources().items() if path.startswith(rooms)}


def plain(code: str) -> str:
    """Leave out what only IPython understands."""
    return re.sub(r"^\s*[%!].*$", "", code, flags=re.M)


def test_chapters_sets_and_benchmarks_import_nouns_only() -> None:
    reach = {path: foreign_reach(code) for path, code in users().items()}
    assert len(reach) > 30
    assert not {path: names for path, names in reach.items() if names}


@pytest.mark.parametrize(
    "line", ["from lecturekit import smo", "from lecturekit.svm import _smo", "from lecturekit import _check"]
)
def test_a_reach_behind_a_noun_is_found(line: str) -> None:
    assert foreign_reach(line)


@each_leaf
def test_drawing_and_compiling_have_one_home_each(name: str) -> None:
    assert all(ONLY_IN.get(other, name) == name for other in outer_imports(LEAVES[name].tree))


def test_what_is_imported_is_a_declared_dependency() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=~! \[]", line)[0].replace("-", "_") for line in project["dependencies"]}
    # scikit-learn is imported by another name; cycler is a part of matplotlib's interface; IPython and its
    # matplotlib are there wherever a notebook runs
    provided = declared | {"sklearn", "cycler", "IPython", "matplotlib_inline"}
    missing = {
        f"{name} imports {other}"
        for name, leaf in LEAVES.items()
        for other in outer_imports(leaf.tree)
        if other not in provided
    }
    assert not missing


def test_a_new_bound_needs_no_new_module_and_a_new_module_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    # the recipe of CONTRIBUTING.md: a function in bounds.py, its name in __all__, and a use
    doc = '"""Return n.\n\n    Examples\n    --------\n    >>> one_more(1)\n    1\n    """'
    front = FRONTS["bounds"].text.replace("__all__ = [", '__all__ = ["one_more", ', 1)
    more = Leaf(PACKAGE / "bounds.py", f"{front}\n\ndef one_more(n: int) -> int:\n    {doc}\n    return n\n")
    for known in (FRONTS, LEAVES):
        monkeypatch.setitem(known, "bounds", more)
    test_imports_point_down_and_end_at_fronts("bounds")
    test_exports_are_what_is_defined("bounds")
    test_public_names_have_a_doctest("bounds")
    test_every_noun_has_its_place()
    test_the_package_is_small_and_every_name_has_one_path()
    assert unused("bounds", ["one_more"], [("bounds", {"one_more"})]) == {"one_more"}
    assert not unused("bounds", ["one_more"], [("book/12-concentration.md", {"one_more"})])
    monkeypatch.setitem(FRONTS, "bennett", Leaf(PACKAGE / "bennett.py", "def one_more() -> None: ..."))
    with pytest.raises(AssertionError, match="its place in ORDER"):
        test_every_noun_has_its_place()


# -- names ---------------------------------------------------------------------------------------------------
def test_the_package_is_small_and_every_name_has_one_path() -> None:
    assert len(LEAVES) <= MOST_FILES
    assert len(NOUNS) <= MOST_NOUNS
    assert sum(len(exported(FRONTS[noun].tree)) for noun in NOUNS) <= MOST_NAMES
    paths = Counter(name for noun in NOUNS for name in exported(FRONTS[noun].tree))
    assert not [name for name, count in paths.items() if count > 1]


@each_noun
def test_exports_are_what_is_defined(noun: str) -> None:
    front = FRONTS[noun]
    names = exported(front.tree)
    assert len(names) == len(set(names)), "list each name once"
    assert set(names) <= top_level_names(front.tree)
    assert not [name for name in names if name.startswith("_")]
    public = {node.name for node in definitions(front.tree) if not node.name.startswith("_")}
    assert public <= set(names), "what is not exported starts with an underscore"


def words_of(node: ast.AST) -> set[str]:
    """Return the names and attributes that code mentions, and the strings that are names."""
    found = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    found |= {item.attr for item in ast.walk(node) if isinstance(item, ast.Attribute)}
    return found | {a.name for item in ast.walk(node) if isinstance(item, ast.ImportFrom) for a in item.names}


def claimed(path: pathlib.Path) -> Iterator[ast.AST]:
    """Yield the tests of a file that check a claim."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any("claim" in ast.unparse(d) for d in node.decorator_list):
            yield node


def uses() -> Iterator[tuple[str, set[str]]]:
    """Yield what uses names of the package, and the words in it; of the package, definition by definition."""
    for path, code in users().items():
        yield path, words_of(ast.parse(code))
    for file in sorted(ROOT.glob("tests/**/test_*.py")):
        for node in claimed(file):
            yield str(file), words_of(node)
    for leaf in LEAVES.values():
        for item in leaf.tree.body:
            if isinstance(item, Definition):
                yield leaf.noun, words_of(item) - {item.name}
            elif isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) != "__all__":
                yield leaf.noun, words_of(item)


def unused(noun: str, names: Iterable[str], known: list[tuple[str, set[str]]]) -> set[str]:
    """Return the names that nothing outside a noun needs, nor what the noun gives to the outside.

    A result is needed with the function that returns it, a class with its subclass or its operator.
    """
    outside = set().union(*(words for user, words in known if user != noun))
    needed = {name for name in names if name in outside}
    inside = {node.name: words_of(node) for node in public_definitions(noun)} | made_of(noun)
    grown = -1
    while grown != len(needed):
        grown = len(needed)
        needed |= {other for name in needed for other in inside.get(name, ()) if other in names}
    private = [words for user, words in known if user == noun]
    helped = {name for words in private for name in words} & {name for name in names if name.isupper()}
    return set(names) - needed - helped


def made_of(noun: str) -> dict[str, set[str]]:
    """Return the words of which a noun makes its constants."""
    nodes = [node for leaf in LEAVES.values() if leaf.noun == noun for node in leaf.tree.body]
    found = {ast.unparse(node.target): words_of(node) for node in nodes if isinstance(node, ast.AnnAssign)}
    return found | {ast.unparse(n.targets[0]): words_of(n) for n in nodes if isinstance(n, ast.Assign)}


def test_every_name_has_a_use_and_one_without_is_found() -> None:
    known = list(uses())
    idle = {noun: left for noun in NOUNS if (left := unused(noun, exported(FRONTS[noun].tree), known))}
    assert not idle, f"no chapter, set, claim, benchmark or noun uses {idle}; use it, or make it private"
    names = exported(FRONTS["losses"].tree)
    known = [(user, words - {"sigmoid"}) for user, words in uses()]
    assert unused("losses", names, known) == {"sigmoid"}


def test_a_constant_has_one_home() -> None:
    homes: dict[str, set[str]] = {}
    for leaf in LEAVES.values():
        for name in constants(leaf.tree):
            if re.fullmatch(r"[A-Z][A-Z_0-9]+", name):
                homes.setdefault(name, set()).add(leaf.name)
    assert not {name: sorted(where) for name, where in homes.items() if len(where) > 1}


@each_noun
def test_one_thing_has_one_spelling(noun: str) -> None:
    odd = []
    for node in public_definitions(noun):
        functions = [node] if isinstance(node, ast.FunctionDef) else [*ast.walk(node)]
        for function in functions:
            if isinstance(function, ast.FunctionDef) and not re.match(r"_[^_]", function.name):
                odd += [f"{node.name}: {a.arg}" for a in arguments(function) if a.arg in ONE_SPELLING]
    assert not odd, f"say {ONE_SPELLING}"


# -- files ---------------------------------------------------------------------------------------------------
def code_lines(leaf: Leaf) -> int:
    """Count the lines of a file that are neither documentation nor comment nor empty."""
    silent = set()
    for node in ast.walk(leaf.tree):
        if isinstance(node, ast.Module | Definition) and ast.get_docstring(node):
            text = node.body[0]
            silent |= set(range(text.lineno, int(text.end_lineno or 0) + 1))
    lines = enumerate(leaf.text.splitlines(), start=1)
    return sum(n not in silent and not re.match(r"\s*(#|$)", line) for n, line in lines)


def test_code_is_counted_without_its_documentation() -> None:
    text = '"""Title.\n\nMore.\n"""\n# why\nA = """x\ny"""\n\ndef f():\n    """One."""\n    return 1  # one\n'
    assert code_lines(Leaf(PACKAGE / "x.py", text)) == 4


@each_leaf
def test_files_are_short_and_described(name: str) -> None:
    assert code_lines(LEAVES[name]) <= MOST_CODE
    assert ast.get_docstring(LEAVES[name].tree)


# -- documentation -------------------------------------------------------------------------------------------
@each_leaf
def test_functions_and_classes_have_docstrings(name: str) -> None:
    tree = LEAVES[name].tree
    bare = [node.name for node in definitions(tree) if not ast.get_docstring(node)]
    bare += [
        title
        for title, node in public_functions(tree)
        if not node.name.startswith("__") and not ast.get_docstring(node)
    ]
    assert not bare


def is_record(node: Definition) -> bool:
    """Whether a class only holds what a function returns, or is an error: it is shown where it is made."""
    is_data = any("dataclass" in ast.unparse(item) for item in node.decorator_list)
    bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
    return is_data or any(base.endswith(("NamedTuple", "Error", "Warning", "Protocol")) for base in bases)


@each_noun
def test_public_names_have_a_doctest(noun: str) -> None:
    if noun == "plotting":  # figures are looked at
        return
    parse = doctest.DocTestParser().get_examples
    for node in public_definitions(noun):
        text = ast.get_docstring(node) or ""
        if not is_record(node) and node.name not in SHOWN_ELSEWHERE:
            assert "\nExamples\n--------\n" in text, node.name
            assert parse(text), node.name


# The base class of the kernels is shown by its methods; trees of points by what builds them.
SHOWN_ELSEWHERE = {"Kernel", "NeighborTree"}


def with_references(text: str, known: dict[str, str]) -> str:
    """Add the docstrings to which a docstring refers for its parameters."""
    names = re.findall(r"those\s+of\s+:(?:func|class):`~?(?:[\w.]*\.)?(\w+)`", text)
    return text + "".join(with_references(known[name], known) for name in names)


@each_noun
def test_public_functions_name_their_parameters(noun: str) -> None:
    known = {node.name: ast.get_docstring(node) or "" for one in NOUNS for node in public_definitions(one)}
    silent = []
    for node in public_definitions(noun):
        if isinstance(node, ast.FunctionDef):
            text = with_references(known[node.name], known)
            silent += [
                f"{node.name}: {a.arg}" for a in arguments(node) if not re.search(rf"\b{a.arg}\b", text)
            ]
    assert not silent


@each_leaf
def test_signatures_are_typed(name: str) -> None:
    untyped = []
    for title, node in public_functions(LEAVES[name].tree):
        given = [a for a in arguments(node) if a.arg not in ("self", "cls")]
        untyped += [f"{title}: {a.arg}" for a in given if a.annotation is None]
        untyped += [] if node.returns is not None else [title]
    assert not untyped


def test_package_says_that_it_is_typed_and_which_version_it_is() -> None:
    assert (PACKAGE / "py.typed").exists()
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    assert lecturekit.__version__ == project["version"]
