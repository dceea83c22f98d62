"""Tests of tests: right, wrong and machine-made answers to a problem set."""
