"""Views of the bookings app."""
