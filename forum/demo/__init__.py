"""A demo forum: a word list in three versions, and ten days of posts that it was applied to."""

from __future__ import annotations

from dashboard.platform.demos.registry import demo
from forum.demo.seeding import seed

__all__ = ["seed"]


@demo
def seed_forum(size: int) -> str:
    return str(seed(size))
