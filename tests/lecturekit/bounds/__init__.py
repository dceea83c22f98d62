"""Tests of lecturekit.bounds."""
