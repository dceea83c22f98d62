"""Tests of lecturekit.significance."""
