"""A demo event: rooms on a day, what plays in them, the people who come, and who is let in."""

from __future__ import annotations

from rooms.demo import attendees, content, domains, rooms


def seed_demo(size: int) -> str:
    """Add what is missing; says how much."""
    added = f"{rooms.seed()} rooms, {content.seed()} versions of what they show, {attendees.seed(size)} who come"
    return f"{added}, {domains.seed()} domains"
