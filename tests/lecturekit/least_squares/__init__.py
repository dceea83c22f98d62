"""Tests of lecturekit.least_squares."""
