"""Demo data: every app registers what it adds, from its own module `demo`.

Demos run in the order of INSTALLED_APPS: businesses need people, bookings need businesses.
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.module_loading import autodiscover_modules

# Adds what is missing, `size` times as much as usual, and returns what it added in words.
Seed = Callable[[int], str]

_seeds: list[Seed] = []


def demo(seed: Seed) -> Seed:
    """Register what `manage.py seed_demo` adds for an app."""
    _seeds.append(seed)
    return seed


def seed_all(size: int) -> list[str]:
    """Add what is missing of every demo."""
    autodiscover_modules("demo")
    return [seed(size) for seed in _seeds]
