"""Tests of lecturekit.penalized."""
