"""The environment: made from the lock, and the lock itself."""
