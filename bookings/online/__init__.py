"""Booking by visitors: the booking page of a business, the widget on its website, and links to their bookings."""
