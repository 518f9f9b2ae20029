"""Queues what follows from a change, in one transaction with the record of the change."""

from __future__ import annotations

from typing import Any

from dashboard.core.errors import Conflict
from dashboard.platform.outbox.items import OutsideEvent
from dashboard.platform.outbox.registry import FOLLOW_UPS
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.transactions import Transaction


def process(record: Any) -> str:
    """Queue what follows next from this record, once. The record forgets it in the same transaction."""
    name = record.next_follow_up
    follow_up = FOLLOW_UPS.get(name)
    transaction = Transaction(Command(f"{name}-of-entry", SYSTEM).part(repr(record.key)))
    text = follow_up.write(record, transaction) if follow_up is not None else "nothing follows"
    is_unchanged = record.unchanged("dueAt")
    record.leave(name)
    if isinstance(record, OutsideEvent) and not record.outbox:
        transaction.remove(record.key, is_unchanged)
    else:
        transaction.save_unversioned(record, is_unchanged, Conflict)
    transaction.commit(None)
    return text
