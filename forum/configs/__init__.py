"""The forum's configs: which words are not wanted, and which reasons moderators give."""
