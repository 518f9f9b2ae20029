"""Pages of the activity."""
