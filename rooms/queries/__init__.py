"""What is asked about the event: its rooms, what plays in them, its people."""
