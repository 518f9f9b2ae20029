"""A demo event."""
