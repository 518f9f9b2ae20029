"""A demo event: its rooms, its people, and who is let in."""
