"""Writes of the bookings app, a module for each kind of item."""
