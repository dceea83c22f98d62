"""The rules a chapter keeps, each a function that yields what breaks it; tests/book runs them."""

import ast
import dataclasses
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from bookkit.pages import ties as sorting
from bookkit.pages.chapters import Cell, Problem, in_folder, read_cells, read_notebook
from bookkit.pages.register import ID, assertions, called_name

CELL_LINES = 25
CODE_WIDTH = 72
WIDEST_OUTPUT = 78  # columns, at the width of a page on a laptop
ALT_LENGTHS = (40, 250)

# -- a chapter, read once ----------------------------------------------------------


@dataclasses.dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a chapter under one ``##``: its lines, with what is not prose blanked, and its code."""

    line: int
    raw: list[tuple[int, str]]
    prose: list[tuple[int, str]]
    code: list[Cell]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter's cells and, for each code cell, the outputs its notebook stores."""

    path: pathlib.Path
    cells: list[Cell]
    outputs: list[list[Any]]
    sections: list[Section]

    @property
    def code(self) -> list[Cell]:
        """The code cells."""
        return [cell for cell in self.cells if cell.is_code]

    def problem(self, line: int, rule: str, message: str, remedy: str) -> Problem:
        """Make a problem of this chapter."""
        return Problem(path=self.path, line=line, rule=rule, message=message, remedy=remedy)


def read_chapter(page: pathlib.Path) -> Chapter:
    """Read both halves of a chapter; without a notebook there are no outputs."""
    cells, twin = read_cells(page), page.with_suffix(".ipynb")
    outputs: list[list[Any]] = []
    if twin.exists():
        outputs = [list(cell.outputs) for cell in read_notebook(twin).cells if cell.cell_type == "code"]
    return Chapter(path=page, cells=cells, outputs=outputs, sections=_sections(cells))


def _sections(cells: list[Cell]) -> list[Section]:
    """Split a chapter at its headings of the first two levels."""
    sections = [Section(line=1, raw=[], prose=[], code=[])]
    for cell in cells:
        if cell.is_code:
            sections[-1].code.append(cell)
            continue
        lines = zip(cell.source.split("\n"), prose_of(cell.source).split("\n"), strict=True)
        for number, (raw, prose) in enumerate(lines, start=cell.line):
            if re.match(r"#{1,2}\s", prose):
                sections.append(Section(line=number, raw=[], prose=[], code=[]))
            sections[-1].raw.append((number, raw))
            sections[-1].prose.append((number, prose))
    return sections


# -- prose -------------------------------------------------------------------------

FENCE = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})(?:\{([\w:-]+)\})?(.*)$")
OPTION = re.compile(r"^\s*:[\w-]+:")
LITERAL = {
    "math",
    "code",
    "code-block",
    "literalinclude",
    "raw",
    "eval-rst",
    "image",
    "bibliography",
    "toctree",
}
NOT_PROSE = re.compile(
    r"\$\$.*?\$\$(?:\s*\([\w-]+\))?"  # displayed mathematics
    r"|\\begin\{(\w+\*?)\}.*?\\end\{\1\}"
    r"|(?<!\\)\$[^$]+?\$"  # mathematics in the line
    r"|\{[\w:+-]+\}`[^`]*`"  # roles: glue, references, citations
    r"|(`+).+?\2"  # code
    r"|\]\([^)\n]*\)|<[^>\n]+>|https?://\S+"  # where links lead
    r"|^\([\w-]+\)=[ \t]*$|^%[^\n]*$|<!--.*?-->",  # targets and comments
    re.S | re.M,
)


def prose_of(text: str) -> str:
    """Blank what is not prose, line for line: mathematics, code, roles, links, targets, options."""
    return NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), _without_fences(text))


def _without_fences(text: str) -> str:
    """Blank fences, the options after them, and the bodies of those that hold code or mathematics."""
    kept: list[str] = []
    open_fences: list[tuple[str, bool]] = []
    in_options = in_yaml = False
    for line in text.split("\n"):
        fence = FENCE.match(line)
        if fence and _closes(fence, open_fences):
            open_fences.pop()
        elif fence and not any(literal for _, literal in open_fences):
            literal = fence[2] in LITERAL or (fence[2] is None and not fence[1].startswith(":"))
            open_fences.append((fence[1], literal))
            in_options = True
            kept.append("")
            continue
        in_yaml = in_options and (line.strip() == "---") != in_yaml
        in_options = in_options and bool(in_yaml or OPTION.match(line) or line.strip() == "---")
        hidden = fence or in_options or any(literal for _, literal in open_fences)
        kept.append("" if hidden else line)
    return "\n".join(kept)


def _closes(fence: re.Match[str], open_fences: list[tuple[str, bool]]) -> bool:
    """Whether a fence ends the innermost open one."""
    bare = fence[2] is None and not fence[3].strip()
    return bool(open_fences) and bare and fence[1].startswith(open_fences[-1][0])


# -- code ----------------------------------------------------------------------------


def syntax(chapter: Chapter) -> Iterator[Problem]:
    """Every code cell is Python."""
    for cell in chapter.code:
        try:
            cell.tree()
        except SyntaxError as error:
            line = cell.line + (error.lineno or 1) - 1
            yield chapter.problem(line, "syntax", f"{error.msg}", "write Python that runs by itself")


def size_and_width(chapter: Chapter) -> Iterator[Problem]:
    """Cells are short and narrow enough for the page."""
    for cell in chapter.code:
        lines = cell.source.splitlines()
        if len(lines) > CELL_LINES:
            message = f"a cell of {len(lines)} lines"
            yield chapter.problem(cell.line, "length", message, f"split it: {CELL_LINES} lines at most")
        for number, line in enumerate(lines, start=cell.line):
            if len(line) > CODE_WIDTH:
                message = f"a code line of {len(line)} characters"
                remedy = f"break it: beyond {CODE_WIDTH} it scrolls on the page"
                yield chapter.problem(number, "width", message, remedy)


REMOVED = {"remove-cell", "remove-input", "remove-output"}
UNCHECKED = {"nbval-skip", "nbval-ignore-output", "skip-execution", "raises-exception"}


def tags(chapter: Chapter) -> Iterator[Problem]:
    """No cell is kept from the reader or from the check of its output."""
    for cell in chapter.code:
        for tag in sorted(REMOVED & set(cell.tags)):
            yield chapter.problem(cell.line, "tag", f"the tag {tag}", "use hide-input or hide-output")
        for tag in sorted(UNCHECKED & set(cell.tags)):
            remedy = "make the output the same each time; catch an exception to show it"
            yield chapter.problem(cell.line, "tag", f"the tag {tag}", remedy)
        if re.search(r"^\s*#\s*(NBVAL_|PYTEST_VALIDATE)", cell.source, re.M):
            remedy = "make the output the same each time"
            yield chapter.problem(cell.line, "tag", "a comment that steers nbval", remedy)
        if cell.source.rstrip().endswith(";"):
            remedy = "end with plt.show() or assign to _: nbval prints it all the same"
            yield chapter.problem(cell.line, "semicolon", "a cell that ends with a semicolon", remedy)


SEEDED_NUMPY = {
    "default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM", "Philox", "SFC64",
}  # fmt: skip
NEEDS_STATE = re.compile(
    r"^(train_test_split|\w*ShuffleSplit|Repeated\w*KFold|RandomizedSearchCV|(MiniBatch)?KMeans|resample"
    r"|make_(moons|circles|blobs|classification|regression|gaussian_quantiles|swiss_roll|s_curve|friedman\d)"
    r"|(RandomForest|ExtraTrees|Bagging|MLP|SGD)\w*|permutation_importance|rvs)$"
)


def randomness(chapter: Chapter) -> Iterator[Problem]:
    """Every random number comes from a seed that is written down."""
    for cell in chapter.code:
        for node in ast.walk(cell.tree()):
            message = _unseeded(node)
            if message:
                line = cell.line + getattr(node, "lineno", 1) - 1
                remedy = "use rng = np.random.default_rng([chapter, section]) or pass random_state"
                yield chapter.problem(line, "seed", message, remedy)


def _unseeded(node: ast.AST) -> str | None:
    """Say what is random without a seed in one node of the code."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        return "the module random" if modules in (["", "random"],) or modules[0] == "random" else None
    if isinstance(node, ast.Attribute):
        legacy = ast.unparse(node.value) in ("np.random", "numpy.random") and node.attr not in SEEDED_NUMPY
        return f"{ast.unparse(node)}" if legacy else None
    return _unseeded_call(node) if isinstance(node, ast.Call) else None


def _unseeded_call(call: ast.Call) -> str | None:
    """Say what is random in a call that passes no seed."""
    name, given = called_name(call), {keyword.arg: keyword.value for keyword in call.keywords}
    if name == "default_rng":
        seeds = [*call.args, *given.values()]
        return None if seeds and not _is_none(seeds[0]) else "default_rng without a seed"
    if "random_state" in given and not _is_none(given["random_state"]):
        return None
    shuffles = isinstance(given.get("shuffle"), ast.Constant) and ast.unparse(given["shuffle"]) == "True"
    return f"{name} without random_state" if shuffles or NEEDS_STATE.match(name) else None


def _is_none(node: ast.expr) -> bool:
    """Whether an expression is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def ties(chapter: Chapter) -> Iterator[Problem]:
    """Nothing depends on the order in which a sort leaves equal values, which differs between processors."""
    for cell in chapter.code:
        for line, call in sorting.unstable_sorts(cell.source, cell.tree()):
            message = f"{call} leaves ties in any order"
            yield chapter.problem(cell.line + line - 1, "ties", message, sorting.REMEDY)


def apart(chapter: Chapter) -> Iterator[Problem]:
    """In a folder, where checks are folded away, no cell that is open reads what a check wrote last."""
    writers: dict[str, bool] = {}  # whether the last cell that wrote a name is a check
    for cell in chapter.code if in_folder(chapter.path) else ():
        tree, is_check = cell.tree(), any(re.match(r"check(-|$)", tag) for tag in cell.tags)
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _writes(node)}
        read = {n.id: n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name) and not _writes(n)}
        for name in () if is_check else sorted(read.keys() - own):
            if writers.get(name):
                message, remedy = f"{name} was last written by a check", "write it in a cell that is open"
                yield chapter.problem(cell.line + read[name] - 1, "apart", message, remedy)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                own.add(statement.name)
            if isinstance(statement, ast.Import | ast.ImportFrom):
                own |= {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
        writers |= dict.fromkeys(own, is_check)


def _writes(name: ast.Name) -> bool:
    """Whether a name is assigned here, and not read."""
    return isinstance(name.ctx, ast.Store)


# -- outputs -------------------------------------------------------------------------

FIGURE_NAME = re.compile(rf"^(F-[A-Z]+-\d+|fig-[a-z0-9-]+|{ID})$")


def figures(chapter: Chapter) -> Iterator[Problem]:
    """Every figure has a name, a caption, and words for those who cannot see it."""
    for cell, outputs in zip(chapter.code, chapter.outputs, strict=False):
        drawn = sum(mime == "image/svg+xml" for output in outputs for mime in output.get("data", {}))
        if drawn > 1:
            remedy = "draw one figure a cell, or panels of one figure"
            yield chapter.problem(cell.line, "figure", f"{drawn} figures in one cell", remedy)
        if drawn:
            options = cell.metadata.get("mystnb") or {}
            yield from _figure_problems(chapter, cell, options)


def _figure_problems(chapter: Chapter, cell: Cell, options: dict[str, Any]) -> Iterator[Problem]:
    """Check the options of a cell that draws."""
    figure, alt = options.get("figure") or {}, str((options.get("image") or {}).get("alt", ""))
    if not str(figure.get("caption", "")).strip():
        remedy = "state what it shows in mystnb.figure.caption"
        yield chapter.problem(cell.line, "figure", "a figure without a caption", remedy)
    if not FIGURE_NAME.match(str(figure.get("name", ""))):
        message, remedy = (
            f"a figure named {figure.get('name')!r}",
            "set mystnb.figure.name to F-KER-1 or fig-words",
        )
        yield chapter.problem(cell.line, "figure", message, remedy)
    if not ALT_LENGTHS[0] <= len(" ".join(alt.split())) <= ALT_LENGTHS[1]:
        message = f"an alt text of {len(' '.join(alt.split()))} characters"
        remedy = "say what is drawn and what it shows in mystnb.image.alt, in {} to {}".format(*ALT_LENGTHS)
        yield chapter.problem(cell.line, "figure", message, remedy)


def _printed(output: Any) -> str:
    """Return the text of an output that the page shows as text."""
    data = output.get("data", {})
    shown = not any(kind.startswith("image/") for kind in data)
    return str(output.get("text", "")) or (str(data.get("text/plain", "")) if shown else "")


def outputs(chapter: Chapter) -> Iterator[Problem]:
    """Figures are SVG, which is compared; text fits its box; nothing is printed to the error stream."""
    for cell, stored in zip(chapter.code, chapter.outputs, strict=False):
        for output in stored:
            for mime in output.get("data", {}):
                if mime.endswith(("image/png", "image/jpeg")):
                    remedy = "call lecturekit.plotting.use_book_style() in the first cell: it draws SVG"
                    yield chapter.problem(cell.line, "output", f"an output of type {mime}", remedy)
            if len(max(_printed(output).splitlines(), key=len, default="")) > WIDEST_OUTPUT:
                remedy = "print it on several lines: a reader should not have to scroll sideways"
                message = f"an output of more than {WIDEST_OUTPUT} columns"
                yield chapter.problem(cell.line, "output", message, remedy)
            if output.output_type == "error" or output.get("name") == "stderr":
                remedy = "mend what warns or fails; its text holds paths"
                yield chapter.problem(cell.line, "output", "an error or a warning in the output", remedy)


# -- text ----------------------------------------------------------------------------

DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d+(?:[eE][-+]?\d+)?)(?!\w|\.\d)(\s?\\?%)?|(?<![\w.])(\d+)\s?\\?%")


def numbers(chapter: Chapter) -> Iterator[Problem]:
    """Decimals and percentages in the prose are asserted in the same section, so they cannot go stale."""
    for section in chapter.sections:
        asserted = {value for cell in section.code for value in _asserted(cell)}
        captions = [(cell.line, _caption(cell)) for cell in section.code]
        for line, text in section.prose + captions:
            for match in DECIMAL.finditer(text):
                value = float(match[1] or match[3])
                percent = bool(match[2] or match[3])
                if value not in asserted and not (percent and value / 100 in asserted):
                    message = f"{match[0]} in the prose is asserted in no cell of its section"
                    remedy = "glue it, assert this number, or write it as mathematics if it is given"
                    yield chapter.problem(line, "number", message, remedy)


def _caption(cell: Cell) -> str:
    """Read the prose of a figure's caption."""
    options = cell.metadata.get("mystnb") or {}
    return prose_of(str((options.get("figure") or {}).get("caption", ""))).replace("\n", " ")


def _asserted(cell: Cell) -> Iterator[float]:
    """List the numbers written in a cell's assertions and in its calls of approx, isclose and allclose."""
    tree = cell.tree()
    close = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    nodes = [*assertions(tree), *(c for c in close if called_name(c) in ("approx", "isclose", "allclose"))]
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, int | float):
                yield float(inner.value)


EXERCISE = re.compile(
    r"^[ \t]*(?:`{3,}|:{3,})\{exercise(?:-start)?\}[^\n]*\n((?:[ \t]*:[\w-]+:[^\n]*\n)*)", re.M
)
SOLUTION = re.compile(r"^[ \t]*(?:`{3,}|:{3,})\{solution(?:-start)?\}[ \t]*(\S*)", re.M)


def exercises(chapter: Chapter) -> Iterator[Problem]:
    """Every exercise has a label and a solution; every solution has an exercise, on a page of the chapter."""
    text = chapter.path.read_text(encoding="utf-8")
    asked, solved = _asked(text), _solved(text)
    folder = sorted(chapter.path.parent.glob("*.md")) if in_folder(chapter.path) else [chapter.path]
    texts = [page.read_text(encoding="utf-8") for page in folder]
    for label in asked.keys() - {label for other in texts for label in _solved(other)}:
        remedy = "add a {solution-start} with its label"
        yield chapter.problem(asked[label], "exercise", f"the exercise {label} has no solution", remedy)
    for label in solved.keys() - {label for other in texts for label in _asked(other)}:
        message, remedy = f"the solution of {label!r}, which is no exercise", "correct the label"
        yield chapter.problem(solved[label], "exercise", message, remedy)


def _asked(text: str) -> dict[str, int]:
    """Find the lines of the exercises of a page, by label."""
    asked: dict[str, int] = {}
    for match in EXERCISE.finditer(text):
        found = re.search(r":label:\s*(\S+)", match[1])
        asked[found[1] if found else "without a label"] = text.count("\n", 0, match.start()) + 1
    return asked


def _solved(text: str) -> dict[str, int]:
    """Find the lines of the solutions of a page, by the label of the exercise."""
    return {match[1]: text.count("\n", 0, match.start()) + 1 for match in SOLUTION.finditer(text)}


STATEMENT = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{prf:(?P<kind>theorem|lemma|proposition|corollary)\}(?P<title>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=fence)[ \t]*$\n*(?P<next>(?:[^\n]+\n?)*)",
    re.M | re.S,
)
ELSEWHERE = re.compile(r"\{(cite|prf:ref|ref|numref|doc)[\w:]*\}|\]\(")


def proofs(chapter: Chapter) -> Iterator[Problem]:
    """Theorems are followed by their proof in the same section, or say where it is."""
    for section in chapter.sections:
        text = "\n".join(line for _, line in section.raw)
        for match in STATEMENT.finditer(text):
            proved = "{prf:proof}" in text[match.end("body") :]
            if not proved and not ELSEWHERE.search(match["body"] + match["next"]):
                line = section.raw[text.count("\n", 0, match.start())][0]
                message = f"the {match['kind']}{match['title']} has no proof"
                remedy = "add a {prf:proof} in its section, or cite one in the statement or just after it"
                yield chapter.problem(line, "proof", message, remedy)


NO_FENCE = re.compile(r"^[ \t]*`{3,}\{[\w:-]+\}[^`\n]*`", re.M)


def fences(chapter: Chapter) -> Iterator[Problem]:
    """No title after a fence of backticks holds a backtick: Markdown then sees a fence only where it ends."""
    text = chapter.path.read_text(encoding="utf-8")
    for match in NO_FENCE.finditer(text):
        message = "a title with a backtick, so this is no fence, and what follows its end is lost"
        remedy = "put the reference into the text below it"
        yield chapter.problem(text.count("\n", 0, match.start()) + 1, "fence", message, remedy)


RULES = (
    syntax, size_and_width, tags, randomness, ties, apart,
    figures, outputs, numbers, exercises, proofs, fences,
)  # fmt: skip
