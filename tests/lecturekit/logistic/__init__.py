"""Tests of lecturekit.logistic."""
