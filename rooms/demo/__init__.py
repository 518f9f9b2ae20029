"""A demo event: rooms on a day, what plays in them, the people who come, and who is let in."""
