"""Configs: single items that the platform reads, edited with versions, merging and undo."""
