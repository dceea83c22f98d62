"""Checks of the text, and tests of these checks."""
