"""The forms of sites."""
