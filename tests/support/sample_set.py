"""A small problem set, to test what reads, releases and checks problem sets, and to break it."""

import pathlib

SETUP = "{cell_type: code, grade: false, grade_id: setup, locked: true, schema_version: 3, solution: false}"
ANSWER = "{cell_type: code, grade: false, grade_id: spread, locked: false, schema_version: 3, solution: true}"
TEST = (
    "{cell_type: code, grade: true, grade_id: test-spread, locked: true, points: 2, schema_version: 3, "
    "solution: false}"
)
WORDS = (
    '{"nbgrader": {"cell_type": "markdown", "grade": true, "grade_id": "why", "locked": false, "points": 1, '
    '"schema_version": 3, "solution": true}}'
)

SET = f"""---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
coursekit:
  title: Toys
  chapter: 05-toys
  minutes: 15
  goals:
    - text: measure how far numbers spread
      claims: [KER-01]
---

# Toys

You will measure how far numbers spread.

```{{code-cell}} ipython3
---
nbgrader: {SETUP}
---
import numpy as np
```

## Task 1: Spread (3 marks, about 15 minutes)

Write `spread`.

```{{code-cell}} ipython3
---
nbgrader: {ANSWER}
---
def spread(x):
    "Return the largest distance from the mean."
    ### BEGIN SOLUTION
    centre = x.mean()
    return np.abs(x - centre).max()
    ### END SOLUTION
```

```{{code-cell}} ipython3
---
nbgrader: {TEST}
---
assert spread(np.array([0.0, 2.0])) == 1, "the mean of 0 and 2 is 1"
### BEGIN HIDDEN TESTS
assert spread(np.array([5.0, 1.0, 0.0])) == 3, "the mean, not the sum"
assert spread(np.array([-5.0, 1.0, 1.0])) == 4, "a distance is not negative"
### END HIDDEN TESTS
```

Why is it never negative?

+++ {WORDS}

**Model answer.** It is a maximum of absolute values.

**Marking guide.** One mark for "absolute values".
"""

MUTANTS = """
accept:
  - name: in one line
    cells: {spread: "def spread(x): return max(abs(x - np.mean(x)))"}
reject:
  - name: no absolute value
    cell: spread
    replace: ["np.abs(x - centre)", "(x - centre)"]
    killed_by: test-spread
    hint: a distance is not negative
equivalent:
  - cell: spread
    change: "x - centre  ->  centre - x"
    reason: It is within an absolute value.
"""


def write_set(folder: pathlib.Path, text: str = SET, mutants: str = MUTANTS) -> pathlib.Path:
    """Write a problem set called ``toys``; return its folder."""
    home = folder / "toys"
    home.mkdir(exist_ok=True)
    (home / "toys.md").write_text(text, encoding="utf-8")
    (home / "mutants.yml").write_text(mutants, encoding="utf-8")
    return home
