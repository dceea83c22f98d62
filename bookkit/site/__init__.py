"""The website: build, serve, bundle, photograph."""
