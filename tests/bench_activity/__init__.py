"""Benchmarks of activity: `make bench ARGS=activity`."""
