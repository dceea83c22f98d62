"""Tests of lecturekit.svm."""
