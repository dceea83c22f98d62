"""Tests of lecturekit.rkhs."""
