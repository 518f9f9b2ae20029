"""Visitors who left an e-mail address, and what people note about them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pynamodb.attributes import UnicodeAttribute

from content.items.lists import by_type, folded_email
from content.lead_stages import LeadStage, stage_of
from dashboard.table import keys
from dashboard.table.attributes import (
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainMapAttribute,
    WordListAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import StoredMap, texts_in
from dashboard.table.timestamps import TimestampAttribute

# The kind of the audit entries of leads.
LEAD = "lead"
# How long a removed note can be restored.
REMOVED_FOR = timedelta(days=30)


class LeadContents:
    """A base class for items: what the website service stores with a contact."""

    row_id = LenientUnicodeAttribute(null=True, attr_name="id")
    email = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    source = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    stored_data = PlainMapAttribute(null=True, attr_name="data")

    @property
    def data(self) -> StoredMap:
        return StoredMap.of(self.stored_data)


class Lead(LeadContents, Item):
    """The latest contact from an address, as it was typed. The service overwrites it with each contact."""

    key_pattern = keys.LEAD
    editable = False
    needs_key_parts = True

    # Ours: the revision of `LeadState` whose stage the status shows. It tells our writes of the status from others.
    stage_revision = LenientNumberAttribute(null=True, attr_name="stageRevision")

    @property
    def address(self) -> str:
        """The address as it was typed."""
        return str(self.key_parts["email"])

    @property
    def lead(self) -> str:
        """The lead that it belongs to."""
        return folded_email(self.address)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "LEAD")
        parts = self.key_parts
        if "email" in parts:
            yield from keys.LEADS_OF_ADDRESS.optional_key(
                tenant=parts["tenant"], lead=self.lead or None, at=self.created_at
            )


class LeadContact(LeadContents, Item):
    """An earlier contact, which the service has overwritten."""

    key_pattern = keys.LEAD_CONTACT
    editable = False
    needs_key_parts = True

    # What else the service had stored, by its names.
    other = PlainMapAttribute(null=True, attr_name="otherAttributes")


class LeadState(Item):
    """What only this product writes about a lead. All rows whose addresses differ in letter case are one lead."""

    key_pattern = keys.LEAD_STATE
    needs_key_parts = True
    attributes_from_key = {"email": "lead"}

    email = UnicodeAttribute()
    name = LenientUnicodeAttribute(null=True)
    source = LenientUnicodeAttribute(null=True)
    # The addresses as they were typed.
    addresses = WordListAttribute(null=True)
    first_contact_at = TimestampAttribute(null=True, attr_name="firstContactAt")
    last_contact_at = TimestampAttribute(null=True, attr_name="lastContactAt")
    stored_stage = LenientUnicodeAttribute(null=True, attr_name="stage")
    stage_changed_at = TimestampAttribute(null=True, attr_name="stageChangedAt")
    next_step = LenientUnicodeAttribute(null=True, attr_name="nextStep")
    # A day in the time zone of the business: `2026-03-31`.
    next_step_on = LenientUnicodeAttribute(null=True, attr_name="nextStepOn")
    # The e-mail address of the person who takes it, and is reminded.
    step_for = LenientUnicodeAttribute(null=True, attr_name="nextStepFor")

    @property
    def id(self) -> str:
        return str(self.key_parts["lead"])

    @property
    def title(self) -> str:
        return self.name or self.email

    @property
    def stage(self) -> LeadStage:
        return stage_of(self.stored_stage)

    @property
    def other_addresses(self) -> list[str]:
        """How else the address was typed."""
        return [each for each in texts_in(self.addresses or []) if each != self.email]

    @property
    def has_new_contact(self) -> bool:
        """Whether the visitor wrote again after the last change of the stage."""
        return bool(self.last_contact_at and self.stage_changed_at and self.last_contact_at > self.stage_changed_at)

    def index_keys(self) -> Iterator[IndexKey]:
        parts = self.key_parts
        at = self.last_contact_at or self.created_at
        yield from keys.LEADS_BY_STAGE.optional_key(stage=self.stage, at=at, **parts)
        if self.stage != LeadStage.ARCHIVED:
            yield from keys.LEADS_BY_NEXT_STEP.optional_key(date=self.next_step_on, **parts)


class LeadReminder(Item):
    """When the person who takes the next step is reminded. An item of its own: an index lists the lead by its stage."""

    key_pattern = keys.LEAD_REMINDER
    needs_key_parts = True

    due_at = TimestampAttribute(attr_name="dueAt")

    @property
    def lead(self) -> str:
        return str(self.key_parts["lead"])

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)


class LeadNote(Item):
    """A note about a lead. A removed note is deleted after 30 days."""

    key_pattern = keys.LEAD_NOTE
    needs_key_parts = True

    text = UnicodeAttribute()
    written_by = UnicodeAttribute(attr_name="writtenBy")
    written_by_name = UnicodeAttribute(null=True, attr_name="writtenByName")
    removed_at = TimestampAttribute(null=True, attr_name="removedAt")

    @property
    def lead(self) -> str:
        return str(self.key_parts["lead"])

    @property
    def is_removed(self) -> bool:
        return self.removed_at is not None

    @property
    def ref(self) -> tuple[str, str]:
        """The time and the id in its key."""
        return str(self.key_parts["at"]), str(self.key_parts["id"])

    def expiry(self) -> int | None:
        return int((self.removed_at + REMOVED_FOR).timestamp()) if self.removed_at else None
