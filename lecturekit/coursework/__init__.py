"""Coursework: problem sets are released, collected, marked and returned; their graders are tested.

A submission is *sanitised* (the instructor's notebook is the skeleton, the student's answers are put into
it), *executed* (notebook text in, notebook text out) and *recorded*. The student's code runs in a process of
its own, in a sandbox; the tests run in the marker and never enter that process. See
:mod:`~lecturekit.coursework.execute`.
"""
