"""What is asked about the forum, by what it is asked about."""
