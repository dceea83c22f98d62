"""Tests of the mathematics, noun by noun."""
