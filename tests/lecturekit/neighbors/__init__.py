"""Tests of lecturekit.neighbors."""
