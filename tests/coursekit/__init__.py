"""Tests of the marking, and attacks on it."""
