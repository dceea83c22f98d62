"""Tests; a folder is a stage of the checks."""
