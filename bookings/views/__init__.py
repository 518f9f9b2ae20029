"""The screens of a business that is booked."""
