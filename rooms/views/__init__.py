"""Views of the event."""
