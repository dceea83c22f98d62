"""Tests of lecturekit.perceptron."""
