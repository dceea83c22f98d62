"""What the tests of the book's checks share: the head of a chapter to write small ones, and to break them."""

import pathlib

HEADER = """---
jupytext:
  formats: md:myst,ipynb
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
---
"""


def write_chapter(folder: pathlib.Path, body: str, name: str = "05-toys.md") -> pathlib.Path:
    """Write a chapter, or a page of one such as ``05-toys/trains.md``, of the given text."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEADER + body, encoding="utf-8")
    return path
