"""What the event's pages send."""
