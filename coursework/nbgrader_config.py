"""Settings of the course, which `coursekit` and nbgrader's formgrader read."""

c = get_config()  # noqa: F821  (nbgrader puts get_config in scope)

c.CourseDirectory.course_id = "statml"
# The marks are in gradebook.db, in this folder, unless you name another database:
# c.CourseDirectory.db_url = "sqlite:////home/me/marks/gradebook.db"

# Late policy. The due date is set by `coursekit release SET --due "2026-01-15 23:59"`, or in the
# formgrader. For no penalty remove these lines. For "late work earns nothing" write in their place:
# c.LateSubmissionPlugin.penalty_method = "zero"
c.AssignLatePenalties.plugin_class = "coursekit.course.late.PercentPerDay"
c.PercentPerDay.percent = 10  # percent of the marks, for each day that has begun
c.PercentPerDay.grace_minutes = 15  # how late a submission may be at no cost

# Students' code is run by `coursekit grade`, in a sandbox. `nbgrader autograde` has none.
