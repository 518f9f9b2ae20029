"""A demo forum: a word list in three versions, and ten days of posts that it was applied to."""

from __future__ import annotations

from forum.demo.posts import seed

__all__ = ["seed"]


def seed_demo(size: int) -> str:
    return str(seed(size))
