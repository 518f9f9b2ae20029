"""The event's rooms, their content, and the count of people by domain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import (
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainMapAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute
from dashboard.web.locale import ZONES
from rooms.state import CLOSED, RoomPlan

# Words in URLs in the position of a room's id.
PATH_WORDS = frozenset({"new", "shift", "people", "domains"})
# DynamoDB keeps the records of a stream for so long.
STREAM_RETENTION = timedelta(hours=24)


class Room(Item):
    """A room: its opening time, its override and copies of its active content."""

    key_pattern = keys.ROOM
    needs_key_parts = True
    # The apps check for `null`.
    written_as_null = frozenset({"manual_override"})

    name = LenientUnicodeAttribute(null=True)
    open_at = TimestampAttribute(null=True, attr_name="openAt")
    close_at = TimestampAttribute(null=True, attr_name="closeAt")
    # The time zone in which the opening was entered.
    open_zone = LenientUnicodeAttribute(null=True, attr_name="openZone")
    manual_override = LenientUnicodeAttribute(null=True, attr_name="manualOverride")
    # The closing time at which the schedule set the override, for readers that know only opening and override.
    closed_at = TimestampAttribute(null=True, attr_name="closedAt")
    override_by = LenientUnicodeAttribute(null=True, attr_name="overrideBy")
    override_by_name = LenientUnicodeAttribute(null=True, attr_name="overrideByName")
    override_at = TimestampAttribute(null=True, attr_name="overrideAt")
    # When the override ends. With the flag this is the opening, and moves with it.
    override_until = TimestampAttribute(null=True, attr_name="overrideUntil")
    until_opening = LenientBooleanAttribute(null=True, attr_name="overrideUntilOpening")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # The highest version number, the active version, and the copies that a list shows.
    content_version = LenientNumberAttribute(null=True, attr_name="contentVersion")
    active_version = LenientNumberAttribute(null=True, attr_name="activeVersion")
    content_title = LenientUnicodeAttribute(null=True, attr_name="contentTitle")
    content_type = LenientUnicodeAttribute(null=True, attr_name="contentType")
    # The last shift that moved it: id, minutes, and how far the shift was at that time.
    shift = PlainMapAttribute(null=True)

    # The attributes that a list reads.
    IN_LISTS = (
        "name",
        "openAt",
        "closeAt",
        "openZone",
        "manualOverride",
        "closedAt",
        "overrideBy",
        "overrideByName",
        "overrideAt",
        "overrideUntil",
        "overrideUntilOpening",
        "contentTitle",
        "shift",
        "revision",
    )

    @property
    def id(self) -> str:
        return str(self.key_parts["room"])

    @property
    def title(self) -> str:
        """The name, or the id if there is no name."""
        return self.name or self.id

    @property
    def zone(self) -> str:
        """The time zone of the opening; empty if it is unknown."""
        return self.open_zone if self.open_zone in ZONES else ""

    @property
    def has_page(self) -> bool:
        """Whether a URL can contain its id: ids of outside writers may contain `/` or be one of our words."""
        return "/" not in self.id and self.id not in {".", "..", *PATH_WORDS}

    @property
    def is_playing(self) -> bool:
        """Whether a version of its content is shown in it."""
        return bool(self.active_version)

    @property
    def plan(self) -> RoomPlan:
        return RoomPlan(self.open_at, self.override, self.override_until, self.close_at)

    @property
    def override(self) -> str | None:
        """The override that a person or an outside writer set; None if the schedule has closed the room."""
        return None if self.is_marked_closed else self.manual_override

    @property
    def is_marked_closed(self) -> bool:
        return self.closed_at is not None and self.manual_override == CLOSED

    def mark_schedule(self, moment: datetime) -> None:
        """Set the override after the closing time, and clear it before. An override of a person stays."""
        if self.override is not None:
            self.closed_at = None
            return
        self.closed_at = self.plan.closing if self.plan.is_past_closing(moment) else None
        self.manual_override = CLOSED if self.closed_at is not None else None

    @property
    def next_due(self) -> datetime | None:
        """When an override ends, else when the closing is to be marked or the mark of an earlier one to be cleared."""
        plan = self.plan
        if plan.override is not None:
            return plan.override_end
        if self.is_marked_closed:
            return None if plan.closing == self.closed_at else plan.open_at
        return plan.closing

    def set_index_keys(self) -> None:
        self.due_at = self.next_due
        super().set_index_keys()

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at is not None:
            yield from keys.DUE.optional_key(due_at=self.due_at)


class RoomContent(Item):
    """One version of a room's content. It never changes: an edit creates another version."""

    key_pattern = keys.ROOM_CONTENT

    type = LenientUnicodeAttribute(null=True)
    title = LenientUnicodeAttribute(null=True)
    vimeo_url = LenientUnicodeAttribute(null=True, attr_name="vimeoUrl")
    # The time it was prepared for; the room's own opening time decides when it opens.
    open_at = TimestampAttribute(null=True, attr_name="openAt")
    open_zone = LenientUnicodeAttribute(null=True, attr_name="openZone")
    active = LenientBooleanAttribute(null=True)
    # When it was last activated; None if visitors have not seen it.
    shown_at = TimestampAttribute(null=True, attr_name="shownAt")
    made_from = LenientNumberAttribute(null=True, attr_name="madeFrom")

    def index_keys(self) -> Iterator[IndexKey]:
        if self.is_active:
            yield from keys.ACTIVE_CONTENT.optional_key(**self.key_parts)

    @property
    def is_active(self) -> bool:
        """Outside writers do not set the attribute: for them the index entry counts."""
        return bool(self.gsi1pk) if self.active is None else self.active

    @property
    def is_playing(self) -> bool:
        """Whether visitors see it: the apps read the index, not the attribute."""
        return self.gsi1pk == keys.ACTIVE_CONTENT.collection().pk

    @property
    def number(self) -> int:
        return int(self.key_parts["version"])


class DomainCount(Item):
    """The number of people per domain so far. It is due when more people are to be counted."""

    key_pattern = keys.DOMAIN_COUNT

    counts = PlainMapAttribute(null=True)
    # The index position of the last person counted; None before the first.
    up_to = PlainMapAttribute(null=True, attr_name="upTo")
    # Everyone who registered until then is included.
    through = TimestampAttribute(null=True)
    counted_at = TimestampAttribute(null=True, attr_name="countedAt")
    # A recount from the start. The old counts are shown until it has caught up.
    recount_counts = PlainMapAttribute(null=True, attr_name="fresh")
    recount_up_to = PlainMapAttribute(null=True, attr_name="freshUpTo")
    recount_since = TimestampAttribute(null=True, attr_name="freshSince")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # How often people were added or removed outside of the order of the index (rooms/repairs.py).
    corrections = LenientNumberAttribute(null=True)

    @property
    def is_recounting(self) -> bool:
        """Whether a recount has been requested and is not finished."""
        return self.recount_since is not None

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at is not None:
            yield from keys.DUE.optional_key(due_at=self.due_at)


class SubtractedPerson(Item):
    """A deleted person who was subtracted from the count: the record of the deletion may be processed again."""

    key_pattern = keys.SUBTRACTED_PERSON
    editable = False

    @classmethod
    def until_stream_ends(cls, email: str, registered_at: str) -> SubtractedPerson:
        """It expires after the stream has deleted the record."""
        person = cls.new(registered_at=registered_at, email=email)
        person.ttl = int((now() + STREAM_RETENTION * 2).timestamp())
        return person
