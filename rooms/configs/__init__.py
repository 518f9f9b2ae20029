"""The event's configs: which domains are let in."""
