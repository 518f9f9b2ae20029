"""What follows from a lead that the website service writes: our item about it, and the contacts that it overwrites."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from content.items import Lead, LeadContact, LeadState
from content.items.leads import LEAD
from content.lead_stages import LeadStage
from content.queries.leads import find_row, state_key
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.outbox.items import outside_event
from dashboard.platform.stream.changes import Change, Write
from dashboard.table import schema, write
from dashboard.table.attributes import from_attribute
from dashboard.table.items import Raw
from dashboard.table.timestamps import to_wire

CREATED = f"{LEAD}.created"
MAX_ADDRESSES = 20
_ROW_ID = re.compile(r"[A-Za-z0-9-]{1,80}")
# What a contact stores in attributes of its own, or not at all.
_KNOWN = {
    "PK",
    "SK",
    "id",
    "email",
    "name",
    "source",
    "status",
    "data",
    "createdAt",
    "tenantId",
    "Type",
    "revision",
} | {"stageRevision"}
_INDEX_KEYS = {name for index in schema.INDEXES for name in index.key_attributes}


def state_writes(change: Change, row: Lead, state: LeadState | None) -> Iterator[Write]:
    """Create or update our item. The stage changes only if another user of the service has changed it."""
    business, lead = str(row.key_parts["tenant"]), row.lead
    is_new = state is None
    if state is None:
        try:
            state_key(business, lead)
        except NotFound:
            return  # An address that cannot be part of our key.
        state = LeadState.new(tenant=business, lead=lead)
        state.email, state.stored_stage, state.created_at = lead, stage_in(row) or LeadStage.NEW, now()
    describe(state, row)
    stage = changed_stage(change, row)
    if stage is not None and not is_new and state.stage != stage:
        state.stored_stage, state.stage_changed_at = stage, now()
    if row.status == LeadStage.NEW and state.stage != LeadStage.NEW and change.is_from_stream:
        # A new contact has set the status of the row back.
        row.status, row.stage_revision = state.stage.value, state.revision
        yield Write.of_changed(row, computed_from=("id", "createdAt"))
    if is_new:
        yield Write.of_new(state)
        if change.old is None and change.is_from_stream:
            yield Write.of_new(outside_event(business, CREATED, f"{LEAD}:{row.row_id or ''}", event_data(row)))
    elif state.changes():
        yield Write.of_changed(state)


def describe(state: LeadState, row: Lead) -> None:
    """Copy what the service knows. Of several rows, the newest tells the name and the source."""
    at = row.created_at
    is_newest = state.last_contact_at is None or (at is not None and at >= state.last_contact_at)
    if at is not None:
        state.first_contact_at = min(at, state.first_contact_at or at)
        state.last_contact_at = max(at, state.last_contact_at or at)
    if is_newest:
        state.name, state.source = row.name or state.name, row.source or state.source
    addresses = sorted({*(state.addresses or []), row.address})
    if addresses != state.addresses and len(addresses) <= MAX_ADDRESSES:
        state.addresses = addresses


def stage_in(row: Lead) -> LeadStage | None:
    return LeadStage(row.status) if row.status in list(LeadStage) else None


def changed_stage(change: Change, row: Lead) -> LeadStage | None:
    """The stage that a user of the service has chosen; None for a new contact, which resets it."""
    before = change.old_item
    if not isinstance(before, Lead) or is_other_contact(before, row) or before.status == row.status:
        return None
    if row.stage_revision is not None and row.stage_revision != before.stage_revision:
        return None  # This product has written the stage, which may have changed again since.
    return stage_in(row)


def is_other_contact(one: Lead, other: Lead) -> bool:
    return (one.row_id, one.raw.get("createdAt")) != (other.row_id, other.raw.get("createdAt"))


def event_data(row: Lead) -> dict[str, str]:
    """Without the name and the address."""
    data = {"id": row.row_id, "source": row.source, "created_at": to_wire(row.created_at) if row.created_at else None}
    return {name: value for name, value in data.items() if value}


def store_overwritten_contacts(change: Change) -> None:
    """Keep each contact that the change has overwritten. Repeating it writes the same items."""
    row = change.new_item
    if not isinstance(row, Lead) or not row.key_parts:
        return
    earlier = [each for raw in (change.old, *change.between) if raw and is_other_contact(each := Lead.of(raw), row)]
    # Nothing is kept of a lead that was erased meanwhile.
    if earlier and find_row(row.key) is not None:
        for each in earlier:
            write.put(contact_of(each))


def contact_of(row: Lead) -> LeadContact:
    """The row as an item of its own. Its key follows from it."""
    is_id = bool(_ROW_ID.fullmatch(row.row_id or ""))
    contact_id = row.row_id if is_id else hashlib.sha256(repr(sorted(row.raw.items())).encode()).hexdigest()[:32]
    at = to_wire(row.created_at) if row.created_at else "unknown"
    contact = LeadContact.new(tenant=row.key_parts["tenant"], lead=row.lead, at=at, id=str(contact_id))
    contact.row_id, contact.email, contact.name = row.row_id, row.email or row.address, row.name
    contact.source, contact.status, contact.stored_data = row.source, row.status, row.stored_data
    contact.created_at = row.created_at
    contact.other = _others(dict(row.raw)) or None
    return contact


def _others(raw: Raw) -> dict[str, object]:
    return {name: from_attribute(value) for name, value in raw.items() if name not in _KNOWN | _INDEX_KEYS}
