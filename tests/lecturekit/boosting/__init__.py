"""Tests of lecturekit.boosting."""
