"""Queries for stores."""
