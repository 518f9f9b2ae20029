"""Taking the list of the event's people along."""

from __future__ import annotations

from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

EVENT_PEOPLE = "event_people"


@idempotent
def record_export(country: str, *, command: Command) -> None:
    """Who takes whose data out."""
    transaction = Transaction(command)
    after = {"country": country} if country else None
    record(transaction, "event_people.export", target=EVENT_PEOPLE, kind=EVENT_PEOPLE, title=EVENT_PEOPLE, after=after)
    transaction.commit(None)
