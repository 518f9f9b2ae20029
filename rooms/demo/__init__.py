"""A demo event: rooms on a day, what plays in them, and the people who come."""
