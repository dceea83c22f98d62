"""Sanitising: what is read of a submission, where its cells go, and what is shown of them."""

import json
import re
from typing import Any

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from coursekit.marking.sanitise import LONGEST, NotebookError, read_notebook, sanitise
from tests.support.coursework_sample import cell


def handout() -> list[dict[str, Any]]:
    """Return a small problem set: text, two free cells, an answer in code and its test, one in words."""
    return [
        cell("# Toys", kind="markdown") | {"id": "head"},
        cell("x = 1") | {"id": "free"},
        cell("x = 1") | {"id": "again"},
        cell("def f(): return 1", "f", solution=True),
        cell("assert f() == 1", "test-f", grade=True, locked=True, points=1),
        cell("Because.", "why", "markdown", solution=True, grade=True, points=1),
    ]


PLAIN = [item["source"] for item in handout()]


def notebook(cells: list[Any], **metadata: Any) -> dict[str, Any]:
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def done(cells: list[Any], **metadata: Any) -> dict[str, Any]:
    text = sanitise(json.dumps(notebook(cells)), notebook(handout(), **metadata))
    result: dict[str, Any] = json.loads(text)
    return result


def sources(cells: list[Any]) -> list[str]:
    return [item["source"] for item in done(cells)["cells"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\xff\xfe{}", "the file is not text in UTF-8"),
        ("{", "the file is not JSON, which a notebook is"),
        ("[" * 10**5, "the file is not JSON, which a notebook is"),
        ("[]", "the file is not a notebook"),
        ('{"metadata": {}}', "the file is JSON but not a notebook: it has no list of cells"),
        ('{"cells": {}}', "the file is JSON but not a notebook: it has no list of cells"),
        ('{"worksheets": 3, "nbformat": 3}', r"it is an old notebook that cannot be upgraded \(\w+\)"),
    ],
    ids=range(9),
)
def test_what_is_no_notebook(text: str | bytes, message: str) -> None:
    with pytest.raises(NotebookError, match=f"^{message}$"):
        read_notebook(text)


def test_an_old_notebook_is_read_and_a_cell_is_reduced_to_what_is_used() -> None:
    old = {"cell_type": "code", "input": "x = 3", "outputs": [], "language": "python", "metadata": {}}
    text = {"worksheets": [{"cells": [old]}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}
    (item,) = read_notebook(json.dumps(text))
    assert (item["cell_type"], item["source"]) == ("code", "x = 3")
    cells = [
        {"cell_type": "code", "source": ["a = 1\n", 3, "b = 2"], "metadata": {"nbgrader": {"grade_id": "f"}}},
        {"cell_type": "raw", "source": 3, "id": 4},
        "no cell",
        {"id": "x", "cell_type": "markdown", "source": "t", "attachments": {"a.png": {"image/png": "A"}}},
        {"source": "a\x00\x0c\t\n\x1f \ud800" + "b" * LONGEST},
    ]
    first, second, third, long = read_notebook(("\ufeff" + json.dumps(notebook(cells))).encode("utf-8"))
    assert first == {"cell_type": "code", "source": "a = 1\nb = 2", "name": "f", "id": "", "attachments": {}}
    assert second == {"cell_type": "markdown", "source": "", "name": "", "id": "", "attachments": {}}
    assert (third["id"], third["attachments"]) == ("x", {"a.png": {"image/png": "A"}})
    assert long["source"] == "a\x0c\t\n \\ud800" + "b" * (LONGEST - 8)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (3, {}),
        ({"a.png": 3}, {}),
        ({"a.png": {"image/png": 3}}, {}),
        ({"a.png": {"image/png": "A<b>"}}, {}),
        ({"a.png": {"image/png": "AA", "text/html": "<b>"}}, {"a.png": {"image/png": "AA"}}),
        ({"a.svg": {"image/svg+xml": "AAAA"}}, {}),
        ({"a.gif": {"image/gif": "A A="}}, {"a.gif": {"image/gif": "A A="}}),
        ({"a\x00" + "b" * 100: {"image/jpeg": ""}}, {"a" + "b" * 98 + " (cut)": {"image/jpeg": ""}}),
    ],
    ids=range(8),
)
def test_pictures(given: Any, kept: dict[str, Any]) -> None:
    assert read_notebook(json.dumps(notebook([{"attachments": given}])))[0]["attachments"] == kept


def test_what_was_handed_out_comes_back_as_it_was_and_a_nameless_cell_is_known_by_its_text() -> None:
    result = done(handout(), kernelspec={"name": "python3"}, coursekit={"limits": {}}, other=1)
    assert [item["source"] for item in result["cells"]] == PLAIN
    assert [item["metadata"] for item in result["cells"]] == [item["metadata"] for item in handout()]
    assert [item["id"] for item in result["cells"]] == [f"m{number:03d}" for number in range(6)]
    assert result["metadata"] == {"kernelspec": {"name": "python3"}, "coursekit": {"limits": {}}}
    assert (result["nbformat"], result["nbformat_minor"]) == (4, 5)
    cells = handout()
    cells[1]["source"] = "x = 2"
    assert sources(cells)[1:5] == ["x = 1", "x = 2", *PLAIN[2:4]], "beside the one that was handed out"
    cells = handout()
    cells[1], cells[2] = cells[2] | {"id": "free"}, cells[1] | {"source": "x = 3", "id": "again"}
    assert sources(cells)[1:5] == ["x = 1", "x = 1", "x = 3", PLAIN[3]]


@pytest.mark.parametrize(("name", "place"), [("cell-002", 2), ("again", 2), ("head", 5)])
def test_a_cell_without_a_name_is_known_by_its_id_and_kind(name: str, place: int) -> None:
    """What has the id of a text, and is code, is the student's own, and stays where it was."""
    changed = cell("y = 7") | {"id": name}
    assert sources([*handout()[:2], *handout()[3:], changed])[place + 1] == "y = 7"


def test_each_cell_has_one_place_own_ones_stay_and_copies_of_tests_do_not() -> None:
    stranger = cell("x = 1", "stranger", locked=True) | {"id": "free"}
    assert sources([stranger, *handout()]) == ["x = 1", *PLAIN]
    cells = handout()
    cells[2] = cells[1]
    assert (sources(cells).count("x = 1"), sources([*cells, cells[1]]).count("x = 1")) == (2, 3)
    own, empty, text = cell("own = 1"), cell(" \n"), cell("<b>note</b>", kind="markdown")
    copied = handout()[4] | {"source": "pass"}
    result = done([own, *handout()[:5], copied, empty, text, handout()[5]])["cells"]
    assert [item["source"] for item in result[1:]] == ["own = 1", *PLAIN[:5], "< b>note< /b>", PLAIN[5]]
    assert result[1]["metadata"] == result[-2]["metadata"] == {}
    assert (result[1]["cell_type"], result[-2]["cell_type"]) == ("code", "markdown")


def test_tags_outputs_and_answers_of_the_instructor_do_not_get_through() -> None:
    instructor = handout()
    for item in instructor:
        item["metadata"]["tags"] = ["remove-cell"]
        item["outputs"] = [1]
    result = json.loads(sanitise("", notebook(instructor)))["cells"][1:]
    assert [item["metadata"].keys() - {"nbgrader"} for item in result] == [set()] * 6
    assert [item.get("outputs") for item in result] == [None, [], [], [], [], None]
    assert result[3]["source"] == "# this cell is missing from the submission"
    assert result[5]["source"] == "*(this answer is missing from the submission)*"


def written(source: str, **more: Any) -> dict[str, Any]:
    result: dict[str, Any] = done([*handout()[:5], handout()[5] | {"source": source} | more])["cells"][5]
    return result


@pytest.mark.parametrize(
    "evil",
    [
        "[c](java&#115;cript:alert(1))",
        "[c](jav&#x09;ascript:alert(1))",
        "[c](javascript&colon;alert(1))",
        "[c](javascript\\:alert(1))",
        "[c](<javascript:alert(1)>)",
        "[c](\x01javascript:alert(1))",
        "[c](\n javascript:alert(1))",
        "[c](data:text/html;base64,AAAA)",
        "[c][1]\n\n[1]: javascript:alert(1)",
        "<javascript:alert(1)>",
        "&amp;lt;script>alert(1)&lt;/script>",
        "![p](https://elsewhere.example/track.png)",
        "![a[b]c](https://elsewhere.example/track.png)",
        "![p][1]\n\n[1]: https://elsewhere.example/track.png",
        "![p](attachment:missing.png)",
        r"$\href{javascript:alert(1)}{x}$",
    ],
)
def test_the_page_that_an_instructor_sees_runs_and_loads_nothing(evil: str) -> None:
    page = markdown2html_mistune(written(evil)["source"])  # what nbgrader's pages are made with
    assert not re.search(r"<(script|img|iframe|object)|\\href", page)
    assert all(link.startswith(("http", "mailto:", "#")) for link in re.findall(r'href="([^"]*)"', page))


def test_links_and_own_pictures_stay_and_tags_do_not() -> None:
    picture = {"a.png": {"image/png": "AAAA"}}
    text = "[book](https://book.example) ![p](attachment:a.png) $f[1](x)$ ![q](attachment:b.png)"
    kept = "[book](https://book.example) ![p](attachment:a.png) $f[1] (x)$ ["
    own = cell(text, kind="markdown") | {"attachments": picture}
    for result in (done([own, *handout()])["cells"][0], written(text, attachments=picture)):
        assert (result["source"], result["attachments"]) == (kept, picture)
    assert "attachments" not in written("Because.")
    evil = "$a<b$ <script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    assert written(evil)["source"].startswith(
        "$a< b$ < script>alert(1)< /script> [x] (javascript :alert(1)) < i"
    )


@pytest.mark.parametrize(
    ("change", "notes"),
    [
        (lambda cells: cells, None),
        (lambda cells: cells[:4], ["Missing from the submission: why."]),
        (lambda cells: cells[:3] + cells[4:], ["Missing from the submission: f."]),
        (lambda cells: cells[:4] + cells[5:], None),
        (lambda c: c + c[3:4], ["More than once in the submission, the first counts as the answer: f."]),
    ],
    ids=["all", "written", "code", "test", "twice"],
)
def test_what_is_missing_or_twice_is_told(change: Any, notes: list[str] | None) -> None:
    result = done(change(handout()), coursekit={"limits": {"cpu_s": 3}})
    assert result["metadata"]["coursekit"].get("notes") == notes
    assert result["metadata"]["coursekit"]["limits"] == {"cpu_s": 3}
    first = result["cells"][0]["source"]
    assert first == ("# Toys" if notes is None else f"**From the marker**\n\n* {notes[0]}")


def test_the_first_answer_counts_and_a_file_that_cannot_be_read_is_told() -> None:
    cells = done([*handout(), handout()[3] | {"source": "def f(): return 0"}])["cells"]
    assert cells[4]["source"] == PLAIN[3]
    assert (cells[-1]["source"], cells[-1]["metadata"]) == ("def f(): return 0", {})
    result = json.loads(sanitise(b"[]", notebook(handout())))
    (note,) = result["metadata"]["coursekit"]["notes"]
    assert note == "The submission cannot be read, so no answer was marked: the file is not a notebook."
    assert len(result["cells"]) == 7
