"""Wrong variants: every check refuses its own, and a check that does not is found."""

import pathlib

import pytest

from bookkit import ROOT
from bookkit.pages import register, variants
from bookkit.pages.chapters import read_cells
from tests.support.samples import HEADER

PAGE = """
```{code-cell} ipython3
%config nothing
import numpy as np
bound = 1 / 2
```

(TOY-01)=
A toy.

```{code-cell} ipython3
:tags: [check-TOY-01]

share = np.mean([0, 1])
assert share <= bound
assert share > bound / 3
```

```{code-cell} ipython3
:tags: [check-TOY-02]

raise SystemError("nobody gets here")
```
"""


def toy(name: str, replace: str, by: str) -> variants.Variant:
    return variants.Variant(claim="TOY-01", name=name, replace=replace, by=by)


@pytest.fixture
def page(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "05-toys.md"
    path.write_text(HEADER + PAGE, encoding="utf-8")
    return path


CASES = {
    "another constant above the check": ("bound = 1 / 2", "bound = 1 / 3", True, "refused"),
    "another law in the check": ("[0, 1]", "[1, 1]", True, "refused"),
    "a neighbour that passes": ("bound = 1 / 2", "bound = 1", False, "the check passes"),
    "a typing error": ("np.mean", "np.meen", False, "AttributeError in code cell 1"),
    "a failure elsewhere": ("bound = 1 / 2", "assert not np.pi", False, "code cell 0 failed"),
    "an end of the process": ("bound = 1 / 2", "import os; os._exit(0)", False, "the process was lost"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_becomes_of_a_variant(page: pathlib.Path, name: str) -> None:
    replace, by, refused, words = CASES[name]
    (outcome,) = variants.run_apart(page, [toy(name, replace, by)])
    assert (outcome.claim, outcome.name, outcome.refused) == ("TOY-01", name, refused)
    assert outcome.words.startswith(words)


def test_variants_do_not_see_each_other(page: pathlib.Path) -> None:
    rows = [toy("low", "1 / 2", "1 / 3"), toy("true", "bound / 3", "bound / 4"), toy("high", "[0, 1]", "[1]")]
    assert [outcome.refused for outcome in variants.run_apart(page, rows)] == [True, False, True]


def test_a_variant_that_loops_is_ended(page: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "PROCESSOR_S", 1)
    loop = toy("loop", "bound = 1 / 2", "while True: pass")
    (outcome,) = variants.run_page(page, [loop])
    assert not outcome.refused
    assert "ran too long" in outcome.words


def test_a_variant_that_waits_is_ended(page: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "PATIENCE_S", 1)
    (outcome,) = variants.run_page(page, [toy("wait", "bound = 1 / 2", "import time; time.sleep(600)")])
    assert not outcome.refused
    assert "ran too long" in outcome.words


def test_a_page_that_branches_has_one_thread(page: pathlib.Path) -> None:
    several = "any(pool['num_threads'] > 1 for pool in threadpoolctl.threadpool_info())"
    wrong_if_one = toy("threads", "bound = 1 / 2", f"import threadpoolctl; bound = 1 if {several} else 1 / 3")
    assert [outcome.refused for outcome in variants.run_apart(page, [wrong_if_one])] == [True]


@pytest.mark.parametrize(("text", "count"), [("bound", 3), ("nowhere", 0)])
def test_a_text_that_does_not_stand_once_is_an_error(page: pathlib.Path, text: str, count: int) -> None:
    cells = [cell for cell in read_cells(page) if cell.is_code]
    with pytest.raises(ValueError, match=f"stands {count - (count > 0)} times|stands {count} times"):
        variants.plan(toy("x", text, "y"), cells)


def test_a_claim_that_the_page_does_not_check_is_an_error(page: pathlib.Path) -> None:
    cells = [cell for cell in read_cells(page) if cell.is_code]
    with pytest.raises(ValueError, match="no cell of this page is tagged check-TOY-09"):
        variants.plan(variants.Variant(claim="TOY-09", name="x", replace="a", by="b"), cells)


def test_a_page_that_fails_by_itself_is_an_error(page: pathlib.Path) -> None:
    page.write_text(HEADER + PAGE.replace("bound = 1 / 2", "bound = 1 / 0"), encoding="utf-8")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        variants.run_apart(page, [toy("x", "[0, 1]", "[1]")])


def test_variants_are_read_and_odd_fields_refused(tmp_path: pathlib.Path) -> None:
    assert variants.read_variants(tmp_path) == {}
    path = tmp_path / "05-toys" / variants.FILE
    path.parent.mkdir()
    path.write_text("toy-01:\n- {name: a, replace: b, by: c}\n", encoding="utf-8")
    assert variants.read_variants(tmp_path) == {"TOY-01": [toy("a", "b", "c")]}
    path.write_text("TOY-01:\n- {name: a, replace: b, with: c}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"05-toys/variants\.yml, TOY-01"):
        variants.read_variants(tmp_path)


PAGES = variants.by_page(register.scan(ROOT), variants.read_variants(ROOT / "book"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_variant_is_refused(path: pathlib.Path) -> None:
    passed = [outcome for outcome in variants.run_apart(path, PAGES[path]) if not outcome.refused]
    assert not "\n".join(f"{one.claim}, {one.name!r}: {one.words}" for one in passed)
