"""Programs, people and visitors of a widget who book the same day at once, and a check of what they were told."""
