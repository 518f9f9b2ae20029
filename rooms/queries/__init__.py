"""Queries of the event."""
