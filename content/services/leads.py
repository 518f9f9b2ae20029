"""Changes of leads: the stage, the next step, and notes.

They are stored in items that the service never writes; the stage also as the status of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from content.items import Lead, LeadNote, LeadState
from content.items.leads import LEAD
from content.lead_fields import LEAD_FIELDS
from content.lead_repairs import describe, stage_in
from content.lead_stages import LeadStage
from content.queries.leads import find_reminder, find_state, load_note, rows_at, rows_of, target_of
from content.services.lead_reminders import set_reminder
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# A transaction has ten steps: rows of so many spellings of an address get the status at once.
MAX_ROWS = 6
NO_STEP = {"next_step": "", "next_step_on": "", "step_for": ""}


def load_state(business: str, lead: str) -> tuple[LeadState, bool]:
    """Our item about a lead, and whether it exists: the stream follower may be late."""
    state = find_state(business, lead)
    if state is not None:
        return state, True
    rows = rows_of(business, lead)
    if not rows:
        raise NotFound
    state = LeadState.new(tenant=business, lead=lead)
    state.email, state.stored_stage = lead, stage_in(rows[0]) or LeadStage.NEW
    for row in rows:
        describe(state, row)
    return state, False


@idempotent
def set_stage(business: str, lead: str, stage: LeadStage, *, revision: int, command: Command) -> LeadState:
    """Change the stage, and the status of the rows of the service, which other readers see."""

    def attempt() -> LeadState:
        state, exists = load_state(business, lead)
        before = state.stage
        if state.revision != revision:
            raise Conflict(state)
        values = {"before": {"stage": before}, "after": {"stage": stage}}
        if before == stage:
            return report_unchanged(state, values, command)
        state.stored_stage, state.stage_changed_at = stage, now()
        transaction = Transaction(command)
        _record(transaction, business, "stage", lead, state.title, values["before"], values["after"])
        _save(transaction, state, revision, exists=exists)
        for row in rows_at(business, [str(each) for each in state.addresses or []][:MAX_ROWS]):
            _write_status(transaction, row, stage, revision + 1)
        return transaction.commit(state, values | {"revision": revision + 1})

    return retry_on(StaleRevision, attempt)


def _write_status(transaction: Transaction, row: Lead, stage: LeadStage, revision: int) -> None:
    """Unless another service uses statuses of its own. Nothing else of the row changes."""
    if row.status in {None, *LeadStage} and row.status != stage:
        actions = [Lead.status.set(stage.value), Lead.stage_revision.set(revision)]
        transaction.update(row.key, actions, row.unchanged("id", "createdAt", "status"), StaleRevision)


@idempotent
def edit(
    business: str,
    lead: str,
    values: Mapping[str, Any],
    *,
    revision: int,
    timezone: str | None,
    command: Command,
    action: str = "edit",
) -> LeadState:
    """Change the next step, and when the person who takes it is reminded. The day is one of this time zone."""

    def attempt() -> LeadState:
        state, exists = load_state(business, lead)
        reminder = find_reminder(business, lead)
        if state.revision != revision:
            raise Conflict(state)
        before = LEAD_FIELDS.audit_values(state)
        LEAD_FIELDS.apply(state, values)
        has_step = bool(state.next_step or state.next_step_on)
        state.step_for = (state.step_for or command.by.email) if has_step else None
        after = LEAD_FIELDS.audit_values(state)
        if before == after:
            return report_unchanged(state, {"before": before, "after": after}, command)
        transaction = Transaction(command)
        _record(transaction, business, action, lead, state.title, before, after)
        _save(transaction, state, revision, exists=exists)
        set_reminder(transaction, state, reminder, timezone)
        return transaction.commit(state, {"before": before, "after": after, "revision": revision + 1})

    return retry_on(StaleRevision, attempt)


def complete_step(business: str, lead: str, *, revision: int, timezone: str | None, command: Command) -> LeadState:
    """The next step is done. Undo brings it back."""
    return edit(business, lead, NO_STEP, revision=revision, timezone=timezone, command=command, action="step_done")


def _save(transaction: Transaction, state: LeadState, revision: int, *, exists: bool) -> None:
    if exists:
        transaction.save(state, revision=revision)
    else:
        transaction.create(state)


@idempotent
def add_note(business: str, lead: str, text: str, *, command: Command) -> LeadNote:
    state, _exists = load_state(business, lead)
    if not text.strip():
        raise Refused(_("Write the note first."), "text")
    note = LeadNote.new(tenant=business, lead=lead, at=now(), id=new_id())
    note.text, note.written_by, note.written_by_name = text, command.by.email, command.by.name or None
    transaction = Transaction(command)
    _record(transaction, business, "note", lead, state.title, None, {"note": text})
    transaction.create(note)
    return transaction.commit(note)


@idempotent
def remove_note(business: str, lead: str, at: str, note: str, *, revision: int, command: Command) -> LeadNote:
    """Hide a note. It is deleted after 30 days; until then it can be restored."""
    found = load_note(business, lead, at, note)
    if found.revision != revision or found.is_removed:
        raise Conflict(found)
    found.removed_at = now()
    return _save_note(business, lead, found, "note_remove", {"note": found.text}, None, revision, command)


@idempotent
def restore_note(business: str, lead: str, at: str, note: str, *, revision: int, command: Command) -> LeadNote:
    found = load_note(business, lead, at, note)
    if found.revision != revision or not found.is_removed:
        raise Conflict(found)
    found.removed_at = None
    return _save_note(business, lead, found, "note_restore", None, {"note": found.text}, revision, command)


def _save_note(
    business: str,
    lead: str,
    note: LeadNote,
    action: str,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    revision: int,
    command: Command,
) -> LeadNote:
    note.ttl = note.expiry()
    transaction = Transaction(command)
    _record(transaction, business, action, lead, lead, before, after)
    transaction.save(note, revision=revision)
    return transaction.commit(note)


def _record(
    transaction: Transaction,
    business: str,
    action: str,
    lead: str,
    title: str,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    record(
        transaction,
        f"{LEAD}.{action}",
        target=target_of(lead),
        kind=LEAD,
        title=title,
        before=before,
        after=after,
        business=business,
    )
