"""Tests of lecturekit.metrics."""
