"""Coursework: problem sets are released, collected, marked and returned; their graders are tested.

A set (:mod:`~coursekit.sets`) is handed out. What comes back is *sanitised* (the instructor's notebook is the
skeleton, the student's answers are put into it) and *executed* (:mod:`~coursekit.marking`): the student's
code runs in a process of its own, in a sandbox (:mod:`~coursekit.isolation`); the tests run in the marker and
never enter that process. Marks, feedback and lists belong to the course (:mod:`~coursekit.course`). That the
tests of a set tell right from wrong is itself tested (:mod:`~coursekit.checking`).
"""
