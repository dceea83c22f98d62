"""The shape of the package: imports point down, names are documented, typed and exported."""

import ast
import doctest
import pathlib
import re
import sys
import tomllib
from collections.abc import Iterator

import pytest

import lecturekit

PACKAGE = pathlib.Path(lecturekit.__file__).parent
PYPROJECT = PACKAGE.parent / "pyproject.toml"

# A module imports only from modules of a lower place: first the layer, then the order within it.
# Layers: 0 the tools of the package, 1 data and kernels, 2 solvers, 3 estimators, 5 figures.
PLACES = {
    "__init__": (0, 0),
    "_typing": (0, 0),
    "_jit": (0, 0),
    "errors": (0, 0),
    "_check": (0, 1),
    "losses": (1, 0),
    "preprocessing": (1, 0),
    "features": (1, 1),
    "worlds": (1, 2),
    "data": (1, 3),
    "psd": (1, 0),
    "composition": (1, 1),
    "kernels": (1, 2),
    "rkhs": (1, 3),
    "mercer": (1, 3),
    "confusion": (1, 0),
    "scoring": (1, 0),
    "thresholds": (1, 0),
    "operating": (1, 1),
    "decision": (1, 1),
    "metrics": (1, 2),
    "intervals": (1, 0),
    "posterior": (1, 0),
    "paired": (1, 1),
    "resampled": (1, 1),
    "rank_tests": (1, 2),
    "power": (1, 2),
    "auc_tests": (1, 3),
    "significance": (1, 4),
    "tails": (1, 0),
    "chernoff": (1, 1),
    "bounded": (1, 2),
    "bounds": (1, 3),
    "svm_dual": (2, 0),
    "pegasos": (2, 0),
    "steps": (2, 0),
    "stochastic": (2, 1),
    "newton": (2, 1),
    "descent": (2, 2),
    "residuals": (2, 0),
    "least_squares": (2, 1),
    "separability": (2, 0),
    "softmax": (2, 1),
    "perceptron": (2, 3),
    "logistic": (2, 3),
    "centring": (2, 0),
    "penalties": (2, 1),
    "batched": (2, 0),
    "penalty_duality": (2, 2),
    "ridge": (2, 3),
    "feature_sets": (2, 3),
    "lasso": (2, 4),
    "multitask": (2, 4),
    "penalized": (2, 5),
    "smo": (2, 1),
    "working_set": (2, 2),
    "scda": (2, 2),
    "isotonic": (2, 0),
    "neighbors": (2, 0),
    "stumps": (2, 0),
    "boosting_losses": (2, 0),
    "trees": (2, 1),
    "adaboost": (2, 1),
    "histogram": (2, 2),
    "stagewise": (2, 3),
    "multiclass": (2, 4),
    "platt": (2, 1),
    "_one_versus_rest": (3, 0),
    "_votes": (3, 0),
    "knn": (3, 1),
    "forests": (3, 1),
    "svm": (3, 1),
    "boosting": (3, 1),
    "linear_classifiers": (3, 1),
    "linear": (3, 2),
    "calibration": (3, 3),
    "splits": (4, 0),
    "smoothers": (4, 0),
    "folds": (4, 1),
    "validation": (4, 1),
    "vault": (4, 2),
    "selection": (4, 2),
    "protocols": (4, 3),
    "sine": (4, 0),
    "learning_curves": (4, 0),
    "bias_variance": (4, 1),
    "plotting": (5, 0),
}
PRIVATE_BUT_SHARED = {"_check", "_jit", "_one_versus_rest", "_typing", "_votes"}
ONLY_IN = {"matplotlib": "plotting", "matplotlib_inline": "plotting", "cycler": "plotting", "numba": "_jit"}
LONGEST_MODULE = 450
# Records, whose doctests are those of the functions that return them; and a base class shown by its methods.
NO_EXAMPLE_NEEDED = {"Sample", "Witness", "MercerExpansion", "Kernel", "Iterate", "SVMDual"}
NO_EXAMPLE_NEEDED |= {"Descent", "Pegasos", "PegasosIterate"}
NO_EXAMPLE_NEEDED |= {"LeastSquares", "RunsTest"}
NO_EXAMPLE_NEEDED |= {"Update", "PLA", "MistakeBound", "LogisticIterate", "Logistic", "Softmax"}
NO_EXAMPLE_NEEDED |= {"Decomposition", "VoteDecomposition", "SineExperiment", "LearningCurve"}
NO_EXAMPLE_NEEDED |= {"OLSErrors", "Draw", "Epochs"}
NO_EXAMPLE_NEEDED |= {"Table", "LinearWorld", "Credit"}
NO_EXAMPLE_NEEDED |= {"Tree", "AdaBoosted", "Additive", "Multiclass"}
NO_EXAMPLE_NEEDED |= {"ERM", "NeighborTree", "Neighbors", "Forest"}
NO_EXAMPLE_NEEDED |= {"Penalized", "PenalizedIterate", "Path", "Centred"}
NO_EXAMPLE_NEEDED |= {"Counts", "RocCurve", "RocHull", "PrCurve", "DetCurve", "CostCurve", "LcIndex"}
NO_EXAMPLE_NEEDED |= {"OperatingPoint", "ReliabilityCurve", "BrierDecomposition"}
NO_EXAMPLE_NEEDED |= {"BetaPosterior", "ZTest", "PairedTable", "PairedTest", "FiveByTwo", "ResampledT"}
NO_EXAMPLE_NEEDED |= {"MonotoneFit", "PlattFit", "PlattIterate"}
NO_EXAMPLE_NEEDED |= {"SignTest", "SignedRanks", "Friedman", "DeLong"}
NO_EXAMPLE_NEEDED |= {"Split", "ThreeParts", "Folds", "CrossValidation", "Selection", "Nested"}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
MODULES = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.glob("*.py"))}
PUBLIC = [name for name in MODULES if not name.startswith("_")]
each_module = pytest.mark.parametrize("name", MODULES)
each_public_module = pytest.mark.parametrize("name", PUBLIC)


def inner_imports(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """Yield the modules of the package that a module imports, with the names it takes from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("lecturekit."):
                    yield alias.name.split(".")[1], None
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            parts = (node.module or "").split(".")
            if parts[0] == "lecturekit":
                for alias in node.names:
                    yield (parts[1], alias.name) if len(parts) > 1 else (alias.name, None)


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
    """Yield the functions and classes that a module defines at its top level."""
    for node in tree.body:
        if isinstance(node, Definition):
            yield node


def exported(tree: ast.Module) -> list[str] | None:
    """Read ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


def top_level_names(tree: ast.Module) -> set[str]:
    """Return every name bound at the top level of a module."""
    names = {node.name for node in definitions(tree)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def public_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the public functions and methods of a module with their names; operators are public too."""
    for node in definitions(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not re.match(r"_[^_]", item.name):
                    yield f"{node.name}.{item.name}", item


# -- imports -------------------------------------------------------------------------------------------------


def test_every_module_has_its_place() -> None:
    assert MODULES.keys() == PLACES.keys(), "give a new module its place in PLACES"


@each_module
def test_imports_point_down(name: str) -> None:
    upward = [
        f"{name} imports {other}"
        for other, _ in inner_imports(MODULES[name])
        if PLACES.get(other, (9, 9)) >= PLACES[name]
    ]
    assert not upward


@each_module
def test_private_names_stay_at_home(name: str) -> None:
    taken = [
        f"{other}.{what}"
        for other, what in inner_imports(MODULES[name])
        if (other.startswith("_") and other not in PRIVATE_BUT_SHARED) or (what or "").startswith("_")
    ]
    modules = {other for other, what in inner_imports(MODULES[name]) if what is None}
    taken += [
        ast.unparse(node)
        for node in ast.walk(MODULES[name])
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in modules
        and node.attr.startswith("_")
    ]
    assert not taken


@each_module
def test_drawing_and_compiling_have_one_home_each(name: str) -> None:
    assert all(ONLY_IN.get(other, name) == name for other in outer_imports(MODULES[name]))


def test_what_is_imported_is_a_declared_dependency() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=~! \[]", line)[0].replace("-", "_") for line in project["dependencies"]}
    # scikit-learn is imported by another name; cycler is a part of matplotlib's interface
    provided = declared | {"sklearn", "cycler"}
    missing = {
        f"{name} imports {other}"
        for name, tree in MODULES.items()
        for other in outer_imports(tree)
        if other not in provided
    }
    assert not missing


# -- names ---------------------------------------------------------------------------------------------------


@each_module
def test_exports_are_what_is_defined(name: str) -> None:
    tree = MODULES[name]
    public = {node.name for node in definitions(tree) if not node.name.startswith("_")}
    names = exported(tree)
    if names is None:
        assert not public, "a module that defines public names lists them in __all__"
        return
    assert len(names) == len(set(names))
    assert public <= set(names) <= top_level_names(tree)
    assert not [item for item in names if item.startswith("_")]


@each_module
def test_modules_are_short_and_described(name: str) -> None:
    text = (PACKAGE / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_MODULE
    assert ast.get_docstring(MODULES[name])


@each_module
def test_functions_and_classes_have_docstrings(name: str) -> None:
    bare = [node.name for node in definitions(MODULES[name]) if not ast.get_docstring(node)]
    bare += [
        title
        for title, node in public_functions(MODULES[name])
        if not node.name.startswith("__") and not ast.get_docstring(node)
    ]
    assert not bare


@each_public_module
def test_public_names_have_a_doctest(name: str) -> None:
    if name in ("plotting", "errors"):  # figures are looked at; errors are raised
        return
    parse = doctest.DocTestParser().get_examples
    bare = []
    for node in definitions(MODULES[name]):
        text = ast.get_docstring(node) or ""
        if not node.name.startswith("_") and node.name not in NO_EXAMPLE_NEEDED:
            bare += [] if "\nExamples\n--------\n" in text and parse(text) else [node.name]
    assert not bare


def test_kernel_shows_its_methods_by_doctest() -> None:
    methods = {title: ast.get_docstring(node) for title, node in public_functions(MODULES["composition"])}
    assert ">>>" in str(methods["Kernel.blocks"])
    assert ">>>" in str(methods["Kernel.features"])


def with_reference(text: str, tree: ast.Module) -> str:
    """Add the docstring of the function of the same module whose parameters a docstring refers to."""
    found = re.search(r"Parameters are those of :func:`(\w+)`", text)
    named = {node.name: ast.get_docstring(node) or "" for node in definitions(tree)}
    return text + named[found[1]] if found else text


@each_public_module
def test_public_functions_name_their_parameters(name: str) -> None:
    silent = []
    for node in definitions(MODULES[name]):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            text = with_reference(ast.get_docstring(node) or "", MODULES[name])
            given = [
                *node.args.args,
                *node.args.kwonlyargs,
                *filter(None, [node.args.vararg, node.args.kwarg]),
            ]
            silent += [f"{node.name}: {a.arg}" for a in given if not re.search(rf"\b{a.arg}\b", text)]
    assert not silent


@each_module
def test_signatures_are_typed(name: str) -> None:
    untyped = []
    for title, node in public_functions(MODULES[name]):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += filter(None, [node.args.vararg, node.args.kwarg])
        untyped += [
            f"{title}: {a.arg}" for a in arguments if a.annotation is None and a.arg not in ("self", "cls")
        ]
        untyped += [] if node.returns is not None else [title]
    assert not untyped


def test_package_says_that_it_is_typed_and_which_version_it_is() -> None:
    assert (PACKAGE / "py.typed").exists()
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    assert lecturekit.__version__ == project["version"]
