"""Tests of lecturekit.descent."""
