"""Bulk actions of moderators as jobs: request, selection, steps and undo."""
