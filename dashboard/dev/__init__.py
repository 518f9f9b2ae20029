"""Runs engines on this machine, for `make run` and the tests. The app does not import it."""
