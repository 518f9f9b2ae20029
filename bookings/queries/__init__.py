"""Queries of the bookings app, a module for each kind of item. The business is the first argument of each query."""
