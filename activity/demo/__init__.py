"""The demo's activity: several days of the event, and today until now."""

from __future__ import annotations

from activity.demo import history, today
from activity.events import Event
from activity.items import Activity, new_item
from dashboard.core.clock import now
from dashboard.table import read
from dashboard.table.retries import MissingTable


def seed_demo(size: int) -> str:
    """Add what is missing, and return a summary. `create_table` has created the tables of this month and the next."""
    added = history.seed(size) + today.seed(size) if _has_tables() else 0
    return f"{added} events"


def _has_tables() -> bool:
    try:
        read.get(Activity, new_item(Event("demo", "demo", now(), "sign_in")).key)
    except MissingTable:
        return False
    return True
