"""Presenters of the event: they convert items into the data that templates show."""
