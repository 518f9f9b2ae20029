"""Reminders of the next steps of leads: one for each lead, in the morning of the day."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, time

from content.items import LeadReminder, LeadState
from content.items.leads import LEAD
from content.lead_stages import LeadStage
from content.queries.leads import find_state, target_of
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.transactions import Transaction
from dashboard.web.locale import zone

# The hour of the day in the time zone of the business.
MORNING = time(8)


def set_reminder(
    transaction: Transaction, state: LeadState, reminder: LeadReminder | None, timezone: str | None
) -> None:
    """Add, move or remove the reminder. Whoever saves a step that is due already needs none."""
    at = reminder_time(state, timezone)
    if reminder is None:
        if at is not None:
            made = LeadReminder.new(**state.key_parts)
            made.due_at = at
            transaction.create(made, StaleRevision)
    elif at is None:
        transaction.delete(reminder, revision=reminder.revision, on_failure=StaleRevision)
    elif reminder.due_at != at:
        reminder.due_at = at
        transaction.save(reminder, revision=reminder.revision, on_failure=StaleRevision)


def reminder_time(state: LeadState, timezone: str | None) -> datetime | None:
    try:
        day = date.fromisoformat(state.next_step_on or "")
    except ValueError:
        return None
    at = datetime.combine(day, MORNING, zone(timezone))
    return at if at > now() else None


def remind(reminder: LeadReminder) -> str:
    """Record that the step is due, from which the mail follows, and remove the reminder: once, in one transaction."""
    business, lead = str(reminder.key_parts["tenant"]), reminder.lead
    state = find_state(business, lead)
    transaction = Transaction(Command(_command_id(reminder), SYSTEM))
    transaction.delete(reminder, revision=reminder.revision)
    is_needed = state is not None and state.stage != LeadStage.ARCHIVED and bool(state.next_step_on)
    if state is not None and is_needed:
        record(
            transaction,
            f"{LEAD}.step_due",
            target=target_of(lead),
            kind=LEAD,
            title=state.title,
            business=business,
        )
    try:
        transaction.commit(None)
    except Conflict:
        return "the step was changed meanwhile"
    return "a next step is due" if is_needed else "the step is not needed any more"


def _command_id(reminder: LeadReminder) -> str:
    identity = repr((reminder.pk, reminder.sk, reminder.due_at, reminder.revision))
    return f"lead-reminder-{hashlib.sha256(identity.encode()).hexdigest()[:32]}"
