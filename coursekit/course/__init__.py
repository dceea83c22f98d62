"""A course: its folder, submissions, marks in the gradebook, feedback and lists of marks."""
