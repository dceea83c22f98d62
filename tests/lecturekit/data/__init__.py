"""Tests of lecturekit.data."""
