"""Runs an engine on this machine, for `make run` and the tests. The app does not use this package."""
