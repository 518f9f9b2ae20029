"""Answers questions about past activity, in SQL over the archive."""
