"""Put a student's answers into the instructor's notebook.

The instructor's notebook is the skeleton: the order of the cells, their metadata, the tests and the points
come from it, whatever the submission says. From the submission come the sources of solution cells, the
written answers, and cells that the student added. So it makes no difference if test cells were edited,
deleted, copied, moved, tagged or turned into text.
"""

import copy
import html
import json
import re
from collections.abc import Mapping
from typing import Any

import nbformat

from coursekit.isolation.faults import clean
from coursekit.sets.cells import name_of, settings_of

__all__ = ["NotebookError", "read_notebook", "sanitise"]

LONGEST = 200_000  # characters of one cell
UNREADABLE = "The submission cannot be read"  # how the remark begins, by which others know it
MISSING_CODE = "# this cell is missing from the submission"
MISSING_TEXT = "*(this answer is missing from the submission)*"
TAG = re.compile(r"<(?=[A-Za-z/!?])")
SCRIPT = re.compile(r"(?i)\b(javascript|vbscript|data)(?=\s*:)")
PICTURE = re.compile(r"(!\[[^\[\]]*\]\(attachment:([\w.%-]+)\))|!\[")
LINK = re.compile(r"\](?=[(:](?!\s*(?:https?://|mailto:|#)|attachment:))")
ACTIVE_TEX = re.compile(r"\\(?=(?:href|require|style|class|cssId|data)\b)")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufeff]")
IMAGES = ("image/png", "image/jpeg", "image/gif")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


class NotebookError(ValueError):
    """A submission cannot be read as a notebook; the message says why."""


def sanitise(submission: str | bytes, notebook: Mapping[str, Any]) -> str:
    """Return the instructor's notebook with the student's answers, as JSON to be executed.

    A submission that is no notebook gives one without answers, so that it gets a mark and a reason. What was
    noticed is listed in the notebook's metadata, ``coursekit: {notes: [...]}``, and in a first cell.

    Parameters
    ----------
    submission : str or bytes
        the file that the student handed in
    notebook : mapping
        the instructor's notebook, with hidden tests; answers in it do not get through
    """
    skeleton = [_bare(cell, number) for number, cell in enumerate(notebook["cells"])]
    notes: list[str] = []
    try:
        cells = read_notebook(submission)
    except NotebookError as problem:
        cells = []
        notes.append(f"{UNREADABLE}, so no answer was marked: {problem}.")
    else:
        notes += _compare(cells, skeleton)
    answers, added = _sort(cells, skeleton)
    merged: list[dict[str, Any]] = [*added[-1]]
    for number, cell in enumerate(skeleton):
        merged += [_answered(cell, answers.get(number)), *added[number]]
    if notes:
        merged.insert(0, _text_cell("\n".join(["**From the marker**", "", *(f"* {note}" for note in notes)])))
    for number, cell in enumerate(merged):
        cell["id"] = f"m{number:03d}"
    metadata = _metadata(notebook, notes)
    result = {"cells": merged, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


# -- reading what came --------------------------------------------------------------------------------------


def read_notebook(submission: str | bytes) -> list[dict[str, Any]]:
    """Read the cells of a submission, with as much patience as possible.

    Parameters
    ----------
    submission : str or bytes
        the file that the student handed in

    Returns
    -------
    list of dict
        cells with ``cell_type``, ``source``, ``metadata``, ``id`` and ``attachments``

    Examples
    --------
    >>> read_notebook("")
    Traceback (most recent call last):
    ...
    coursekit.marking.sanitise.NotebookError: the file is empty
    """
    try:
        text = submission if isinstance(submission, str) else submission.decode("utf-8-sig")
        if not text.strip():
            raise NotebookError("the file is empty")
        raw = json.loads(text)
    except NotebookError:
        raise
    except UnicodeDecodeError:
        raise NotebookError("the file is not text in UTF-8") from None
    except (ValueError, RecursionError):
        raise NotebookError("the file is not JSON, which a notebook is") from None
    if not isinstance(raw, dict):
        raise NotebookError("the file is not a notebook")
    if "worksheets" in raw:
        raw = _upgraded(raw)
    cells = raw.get("cells")
    if not isinstance(cells, list):
        raise NotebookError("the file is JSON but not a notebook: it has no list of cells")
    return [_tidy(cell) for cell in cells if isinstance(cell, dict)]


def _upgraded(raw: dict[str, Any]) -> dict[str, Any]:
    """Bring a notebook of version 3 into the form of version 4."""
    try:
        upgraded: dict[str, Any] = nbformat.convert(nbformat.from_dict(raw), 4)  # type: ignore[no-untyped-call]
    except Exception as problem:
        raise NotebookError(
            f"it is an old notebook that cannot be upgraded ({type(problem).__name__})"
        ) from None
    return upgraded


def _tidy(cell: dict[str, Any]) -> dict[str, Any]:
    """Reduce a cell to what is used, with the types that are expected."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return {
        "cell_type": "code" if cell.get("cell_type") == "code" else "markdown",
        "source": _readable(source if isinstance(source, str) else ""),
        "name": name_of(cell),
        "id": cell["id"] if isinstance(cell.get("id"), str) else "",
        "attachments": _pictures(cell.get("attachments")),
    }


def _readable(text: str) -> str:
    """Return text that can be written to a file, of bounded length."""
    kept = "".join(line for line in text[:LONGEST] if line in "\n\t\x0c" or line >= " ")
    return kept.encode("utf-8", "backslashreplace").decode("utf-8")


def _pictures(attachments: object) -> dict[str, Any]:
    """Keep pictures that were pasted into a written answer."""
    kept: dict[str, Any] = {}
    for name, forms in attachments.items() if isinstance(attachments, dict) else ():
        for kind in IMAGES if isinstance(forms, dict) else ():
            data = forms.get(kind)
            if isinstance(data, str) and BASE64.fullmatch(data):
                kept[clean(name, 100)] = {kind: data}
    return kept


# -- the skeleton -------------------------------------------------------------------------------------------


def _bare(cell: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return an instructor's cell without outputs, tags or an answer."""
    settings = copy.deepcopy(dict(settings_of(cell)))
    bare: dict[str, Any] = {
        "cell_type": cell["cell_type"],
        "metadata": {"nbgrader": settings} if settings else {},
        "source": cell["source"],
        "id": str(cell.get("id", f"cell-{number:03d}")),
    }
    if settings.get("solution"):
        bare["source"] = MISSING_CODE if cell["cell_type"] == "code" else MISSING_TEXT
    if cell["cell_type"] == "code":
        bare |= {"outputs": [], "execution_count": None}
    return bare


def _metadata(notebook: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the metadata of the instructor's notebook that matter, with notes."""
    kept = {
        key: notebook["metadata"][key] for key in ("kernelspec", "coursekit") if key in notebook["metadata"]
    }
    metadata: dict[str, Any] = json.loads(json.dumps(kept))
    if notes:
        metadata["coursekit"] = metadata.get("coursekit", {}) | {"notes": notes}
    return metadata


def _sort(
    cells: list[dict[str, Any]], skeleton: list[dict[str, Any]]
) -> tuple[dict[int, dict[str, Any]], dict[int, list[dict[str, Any]]]]:
    """Tell the answers from the cells that the student added; both by the place in the skeleton."""
    answers: dict[int, dict[str, Any]] = {}
    added: dict[int, list[dict[str, Any]]] = {number: [] for number in range(-1, len(skeleton))}
    seen: set[int] = set()
    place = -1
    for cell in cells:
        number = _place(cell, skeleton, seen)
        if number is None:
            added[place] += _own(cell, skeleton)
            continue
        seen.add(number)
        place = number
        if settings_of(skeleton[number]).get("solution"):
            answers[number] = cell
        elif not settings_of(skeleton[number]) and cell["source"] != skeleton[number]["source"]:
            added[place] += _own(cell, skeleton)  # something written into a cell of the handout
    return answers, added


def _place(cell: dict[str, Any], skeleton: list[dict[str, Any]], seen: set[int]) -> int | None:
    """Find the cell of the skeleton that a cell is: by its name; if it has none, by its text or its id."""
    free = [number for number in range(len(skeleton)) if number not in seen]
    names = {number: name_of(skeleton[number]) for number in free}
    if cell["name"]:
        return next((number for number in free if names[number] == cell["name"]), None)
    unnamed = [n for n in free if not names[n] and skeleton[n]["cell_type"] == cell["cell_type"]]
    by_id = [n for n in unnamed if cell["id"] in (skeleton[n]["id"], f"cell-{n:03d}")]
    by_text = [n for n in unnamed if skeleton[n]["source"] == cell["source"]]
    return next(iter(by_text or by_id), None)


def _own(cell: dict[str, Any], skeleton: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a cell that the student added, without metadata; copies of instructors' cells are dropped."""
    copied = [known for known in skeleton if name_of(known) == cell["name"] != ""]
    if not cell["source"].strip() or any(not settings_of(known).get("solution") for known in copied):
        return []
    if cell["cell_type"] == "code":
        return [_code_cell(cell["source"])]
    return [_text_cell(_harmless(cell["source"], cell["attachments"]), cell["attachments"])]


def _answered(cell: dict[str, Any], answer: dict[str, Any] | None) -> dict[str, Any]:
    """Put an answer into its cell."""
    if answer is None:
        return cell
    if cell["cell_type"] == "code":
        return cell | {"source": answer["source"]}
    pictures = {"attachments": answer["attachments"]} if answer["attachments"] else {}
    return cell | {"source": _harmless(answer["source"], answer["attachments"])} | pictures


def _harmless(text: str, pictures: Mapping[str, Any]) -> str:
    """Return Markdown to be shown in an instructor's browser.

    No tag opens, links lead to web pages only, pictures are those that were handed in, and TeX makes no
    links. Entities are decoded first, for Markdown would decode them last.
    """
    while (decoded := html.unescape(text)) != text:
        text = decoded
    text = TAG.sub("< ", CONTROL.sub("", text))
    text = PICTURE.sub(lambda found: found[1] if found[2] in pictures else "[", text)
    return SCRIPT.sub(r"\1 ", ACTIVE_TEX.sub(r"\\ ", LINK.sub("] ", text)))


def _code_cell(source: str) -> dict[str, Any]:
    """Return a code cell."""
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def _text_cell(source: str, attachments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a Markdown cell."""
    pictures = {"attachments": attachments} if attachments else {}
    return {"cell_type": "markdown", "metadata": {}, "source": source} | pictures


# -- what to tell -------------------------------------------------------------------------------------------


def _compare(cells: list[dict[str, Any]], skeleton: list[dict[str, Any]]) -> list[str]:
    """List what is missing from a submission, or occurs twice; neither costs more than the answers in it."""
    names = [cell["name"] for cell in cells]
    known = {name_of(cell): cell for cell in skeleton if name_of(cell)}
    missing = [
        name for name, cell in known.items() if name not in names and settings_of(cell).get("solution")
    ]
    twice = [name for name in known if names.count(name) > 1]
    notes = []
    if missing:
        notes.append(f"Missing from the submission: {', '.join(missing)}.")
    if twice:
        notes.append(f"More than once in the submission, the first counts as the answer: {', '.join(twice)}.")
    return notes
