"""Forms of the event."""
