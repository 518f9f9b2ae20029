"""Hundreds of small tests on two cores: nothing has a deadline."""

from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, print_blob=True)
settings.load_profile("table")
