"""Hypothesis here: no deadlines, because two cores serve many, and no files in the checkout."""

from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, print_blob=True)
settings.load_profile("table")
