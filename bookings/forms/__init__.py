"""What people type about what can be booked, with whom, when, and by whom."""
