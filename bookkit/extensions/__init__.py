"""Sphinx extensions of the book: every module here has a ``setup``."""
