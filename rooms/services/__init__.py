"""What staff do to the event's rooms and people."""
