"""A late policy for ``nbgrader_config.py``: some percent of the marks for each day that has begun."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

__all__ = ["PercentPerDay"]


class PercentPerDay(LateSubmissionPlugin):  # type: ignore[misc]
    """Subtract a share of what was earned for each day that has begun, after a time of grace.

    In ``nbgrader_config.py``::

        c.AssignLatePenalties.plugin_class = "coursekit.course.late.PercentPerDay"
        c.PercentPerDay.percent = 10
        c.PercentPerDay.grace_minutes = 15
    """

    percent = Float(10, help="percent of the marks, for each day that has begun").tag(config=True)
    grace_minutes = Float(0, help="how late a submission may be at no cost").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return what is subtracted from the score; nbgrader sees to it that no mark is below zero."""
        late = total_seconds_late - 60 * self.grace_minutes
        return score * self.percent / 100 * max(math.ceil(late / 86_400), 0)
