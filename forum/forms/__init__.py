"""The forum's forms."""
