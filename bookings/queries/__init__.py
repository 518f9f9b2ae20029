"""What is asked about bookings: what can be booked, with whom, by whom, and what is."""
