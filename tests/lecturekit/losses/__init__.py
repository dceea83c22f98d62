"""Tests of lecturekit.losses."""
