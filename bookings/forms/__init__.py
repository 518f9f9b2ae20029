"""Forms of the bookings app."""
