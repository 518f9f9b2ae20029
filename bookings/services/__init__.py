"""What people do with what can be booked, with whom it is booked, and with bookings."""
