"""What is done to bookings, one file for each thing."""
