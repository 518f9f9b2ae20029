"""Queries for leads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from content.items import Lead, LeadContact, LeadNote, LeadReminder, LeadState
from content.items.leads import LEAD
from content.lead_stages import LeadStage
from dashboard.core.errors import NotFound
from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 50
# How much of a lead its page shows.
MAX_ROWS, MAX_CONTACTS, MAX_NOTES, MAX_ENTRIES = 20, 30, 100, 30


@access_pattern("Which leads of this business are in this stage, the latest contact first?", keys.LEADS_BY_STAGE)
def leads_by_stage(business: str, stage: LeadStage, start_key: Any = None, limit: int = PAGE) -> read.Page[LeadState]:
    collection = keys.LEADS_BY_STAGE.collection(tenant=business, stage=stage)
    return read.page(collection, LeadState, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("Which leads of this business have a next step, the earliest first?", keys.LEADS_BY_NEXT_STEP)
def leads_with_next_step(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[LeadState]:
    collection = keys.LEADS_BY_NEXT_STEP.collection(tenant=business)
    return read.page(collection, LeadState, start_key=start_key, limit=limit)


@access_pattern("How many next steps of leads are due?", keys.LEADS_BY_NEXT_STEP)
def count_due_steps(business: str, today: date) -> int:
    """Up to the limit of counts."""
    collection = keys.LEADS_BY_NEXT_STEP.collection(tenant=business)
    page = read.page(
        collection, LeadState, since="", until=today.isoformat(), limit=read.COUNT_LIMIT, attributes=("nextStepOn",)
    )
    return len(page.items)


@access_pattern("Which leads have an address that begins like this?", keys.LEAD_STATE)
def leads_by_address(
    business: str, beginning: str = "", start_key: Any = None, limit: int = PAGE
) -> read.Page[LeadState]:
    collection = keys.LEAD_STATE.collection(tenant=business)
    return read.page(collection, LeadState, starts_with=beginning, start_key=start_key, limit=limit)


@access_pattern("What do people note about this lead?", keys.LEAD_STATE)
def find_state(business: str, lead: str) -> LeadState | None:
    return read.get(LeadState, state_key(business, lead))


@access_pattern("What do people note about this lead, and does its row still exist?", keys.LEAD_STATE, keys.LEAD)
def find_state_and_row(business: str, lead: str, row: Key) -> tuple[LeadState | None, bool]:
    state, found = read.get_many([state_key(business, lead), row])
    return state if isinstance(state, LeadState) else None, found is not None


@access_pattern("Does this row still exist?", keys.LEAD)
def find_row(key: Key) -> Lead | None:
    return read.get(Lead, key)


@access_pattern("Which rows do these spellings of an address have?", keys.LEAD)
def rows_at(business: str, addresses: Sequence[str]) -> list[Lead]:
    """Read consistently, for writes."""
    found = read.get_many([keys.LEAD.key(tenant=business, email=address) for address in addresses]) if addresses else []
    return [row for row in found if isinstance(row, Lead)]


@access_pattern("When is a person reminded of the next step of this lead?", keys.LEAD_REMINDER)
def find_reminder(business: str, lead: str) -> LeadReminder | None:
    return read.get(LeadReminder, keys.LEAD_REMINDER.key(tenant=business, lead=lead))


@access_pattern("Which rows does this lead have, the newest first?", keys.LEADS_OF_ADDRESS)
def rows_of(business: str, lead: str) -> list[Lead]:
    """The latest contact from each spelling of the address."""
    collection = keys.LEADS_OF_ADDRESS.collection(tenant=business, lead=_valid(business, lead))
    return read.page(collection, Lead, newest_first=True, limit=MAX_ROWS).items


@access_pattern("What did this lead send before, the newest first?", keys.LEAD_CONTACT)
def contacts_of(business: str, lead: str) -> list[LeadContact]:
    collection = keys.LEAD_CONTACT.collection(tenant=business, lead=_valid(business, lead))
    return read.page(collection, LeadContact, newest_first=True, limit=MAX_CONTACTS).items


@access_pattern("Which notes are there about this lead, the newest first?", keys.LEAD_NOTE)
def notes_of(business: str, lead: str) -> list[LeadNote]:
    collection = keys.LEAD_NOTE.collection(tenant=business, lead=_valid(business, lead))
    notes = read.page(collection, LeadNote, newest_first=True, limit=MAX_NOTES, consistent=True).items
    return [note for note in notes if not note.is_removed]


@access_pattern("Which notes about this lead are stored?", keys.LEAD_NOTE)
def note_keys(business: str, lead: str) -> list[Key]:
    """Removed ones included."""
    collection = keys.LEAD_NOTE.collection(tenant=business, lead=_valid(business, lead))
    return [note.key for note in read.page(collection, LeadNote, limit=MAX_NOTES, consistent=True).items]


@access_pattern("Which earlier contacts of this lead are stored?", keys.LEAD_CONTACT)
def contact_keys(business: str, lead: str) -> list[Key]:
    collection = keys.LEAD_CONTACT.collection(tenant=business, lead=_valid(business, lead))
    return [contact.key for contact in read.page(collection, LeadContact, limit=MAX_NOTES, consistent=True).items]


@access_pattern("Which note is this?", keys.LEAD_NOTE)
def load_note(business: str, lead: str, at: str, note: str) -> LeadNote:
    try:
        found = read.get(LeadNote, keys.LEAD_NOTE.key(tenant=business, lead=lead, at=at, id=note))
    except BadKey:
        raise NotFound from None
    if found is None:
        raise NotFound
    return found


def history_of(business: str, lead: str) -> list[AuditEntry]:
    return audit.history(target_of(lead), limit=MAX_ENTRIES, business=business)


def target_of(lead: str) -> str:
    """The target of its audit entries."""
    return f"{LEAD}:{lead}"


def state_key(business: str, lead: str) -> Key:
    try:
        return keys.LEAD_STATE.key(tenant=business, lead=lead)
    except BadKey:
        raise NotFound from None


def _valid(business: str, lead: str) -> str:
    state_key(business, lead)
    return lead
