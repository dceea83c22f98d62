"""Tests of lecturekit.trees."""
