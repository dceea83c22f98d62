"""The making and checking of the book; not a part of what is installed."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
