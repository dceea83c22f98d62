"""Tests of lecturekit.calibration."""
