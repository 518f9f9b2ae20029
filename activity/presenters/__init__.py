"""Converts counts and events into what the pages of the activity show."""
