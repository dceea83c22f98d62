"""Marking: the instructor's notebook with the student's answers, run cell by cell."""
