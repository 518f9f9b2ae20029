"""What is asked about bookings, one file for each thing. The business comes first in every question."""
