"""Writes of the forum, a module for each kind of item."""
