"""The demo's activity: several days of the event, and today until now."""

from __future__ import annotations

from activity.demo import history, today


def seed_demo(size: int) -> str:
    """Add what is missing, and return a summary."""
    return f"{history.seed(size) + today.seed(size)} events"
