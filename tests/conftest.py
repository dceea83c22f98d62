"""Settings of the package's tests: hypothesis draws the same examples in every run."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, max_examples=40)
settings.load_profile("repeatable")
