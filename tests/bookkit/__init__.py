"""Tests of what makes and checks the book."""
