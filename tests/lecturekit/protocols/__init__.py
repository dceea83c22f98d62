"""Tests of lecturekit.protocols."""
