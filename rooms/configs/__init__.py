"""Configs of the event."""
