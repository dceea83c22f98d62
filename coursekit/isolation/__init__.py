"""A student's process: what may cross the pipe, what it may use, and the walls around it."""
