"""Tests of lecturekit.bias_variance."""
