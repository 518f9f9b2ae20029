"""Actions of staff on rooms, content, attendees and domains."""
