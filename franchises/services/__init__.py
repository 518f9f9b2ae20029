"""Writes of stores."""
