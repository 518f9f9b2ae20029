"""Queries of the forum, a module for each kind of item or page."""
