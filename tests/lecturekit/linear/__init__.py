"""Tests of lecturekit.linear."""
