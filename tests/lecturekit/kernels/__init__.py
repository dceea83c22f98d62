"""Tests of lecturekit.kernels."""
