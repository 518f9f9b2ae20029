"""The demo event: rooms, content, attendees and allowed domains."""

from __future__ import annotations

from rooms.demo import attendees, content, domains, rooms


def seed_demo(size: int) -> str:
    """Add what is missing, and return a summary."""
    added = f"{rooms.seed()} rooms, {content.seed()} content versions, {attendees.seed(size)} attendees"
    return f"{added}, {domains.seed()} domains"
