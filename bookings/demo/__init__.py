"""A business that is booked, for the demo."""
