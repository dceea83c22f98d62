"""Tests of lecturekit.features."""
