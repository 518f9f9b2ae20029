"""The event's rooms: when they open and what is in them (seed 002)."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute
from dashboard.web.locale import ZONES
from rooms.state import Plan

# Words that stand in an address where a room's id would.
PATH_WORDS = frozenset({"new", "shift", "people", "domains"})


class Room(Item):
    """When a room opens, and whether someone holds it open or closed meanwhile."""

    pattern = keys.ROOM
    # The apps ask whether it is `null`.
    written_as_null = frozenset({"manual_override"})

    name = UnicodeAttribute(null=True)
    open_at = TimestampAttribute(null=True, attr_name="openAt")
    # Where the clock hangs by which the opening was set.
    open_zone = UnicodeAttribute(null=True, attr_name="openZone")
    manual_override = UnicodeAttribute(null=True, attr_name="manualOverride")
    override_by = UnicodeAttribute(null=True, attr_name="overrideBy")
    override_by_name = UnicodeAttribute(null=True, attr_name="overrideByName")
    override_at = TimestampAttribute(null=True, attr_name="overrideAt")
    # When the override ends by itself. With the flag it goes along when the opening is moved.
    override_until = TimestampAttribute(null=True, attr_name="overrideUntil")
    until_opening = BooleanAttribute(null=True, attr_name="overrideUntilOpening")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # The highest version of its content, the one that plays, and what a list shows of that.
    content_version = NumberAttribute(null=True, attr_name="contentVersion")
    active_version = NumberAttribute(null=True, attr_name="activeVersion")
    content_title = UnicodeAttribute(null=True, attr_name="contentTitle")
    content_type = UnicodeAttribute(null=True, attr_name="contentType")
    # The last shift that moved it: whose, by how much, and how far that shift was by then.
    shift = PlainMapAttribute(null=True)

    # What a list shows.
    CARD = (
        "name",
        "openAt",
        "openZone",
        "manualOverride",
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
        """What to call it."""
        return self.name or self.id

    @property
    def zone(self) -> str:
        """Where the clock hangs by which it was set; empty where nobody knows such a place."""
        return self.open_zone if self.open_zone in ZONES else ""

    @property
    def has_page(self) -> bool:
        """Whether an address can name it: another service's id may be one of ours, or one that browsers shorten."""
        return "/" not in self.id and self.id not in {".", "..", *PATH_WORDS}

    @property
    def is_playing(self) -> bool:
        """Whether a version of its content is shown in it."""
        return bool(self.active_version)

    @property
    def plan(self) -> Plan:
        return Plan(self.open_at, self.manual_override, self.override_until)

    def set_index_keys(self) -> None:
        self.due_at = self.plan.override_end
        super().set_index_keys()

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at is not None:
            yield from keys.DUE.place(due_at=self.due_at)


class RoomContent(Item):
    """One version of what a room shows. It never changes: an edit is another version."""

    pattern = keys.ROOM_CONTENT

    type = UnicodeAttribute(null=True)
    title = UnicodeAttribute(null=True)
    vimeo_url = UnicodeAttribute(null=True, attr_name="vimeoUrl")
    # When it was prepared for; the room opens when the room says.
    open_at = TimestampAttribute(null=True, attr_name="openAt")
    open_zone = UnicodeAttribute(null=True, attr_name="openZone")
    active = BooleanAttribute(null=True)
    # When it was last put on; none for one that visitors have not seen.
    shown_at = TimestampAttribute(null=True, attr_name="shownAt")
    made_from = NumberAttribute(null=True, attr_name="madeFrom")

    # All that the pages show of it.
    CARD = (
        "type",
        "title",
        "vimeoUrl",
        "openAt",
        "openZone",
        "active",
        "shownAt",
        "madeFrom",
        "GSI1PK",
        "GSI1SK",
        "createdAt",
        "revision",
        "updatedAt",
        "updatedBy",
        "updatedByName",
    )

    def index_keys(self) -> Iterator[IndexKey]:
        if self.is_active:
            yield from keys.ACTIVE_CONTENT.place(**self.key_parts)

    @property
    def is_active(self) -> bool:
        """Other services have no attribute for it: what they put into the index is the active one."""
        return bool(self.gsi1pk) if self.active is None else self.active

    @property
    def is_playing(self) -> bool:
        """Whether visitors get it: the apps ask the index, whatever the attribute says."""
        return self.gsi1pk == keys.ACTIVE_CONTENT.under().pk

    @property
    def number(self) -> int:
        return int(self.key_parts["version"])


class DomainCount(Item):
    """How many people each domain has, as far as they are counted. Due when it is time to count on."""

    pattern = keys.DOMAIN_COUNT

    counts = PlainMapAttribute(null=True)
    # The last person counted, by their place in the index of people by age; none before the first.
    up_to = PlainMapAttribute(null=True, attr_name="upTo")
    # Everyone who came until then is in it.
    through = TimestampAttribute(null=True)
    counted_at = TimestampAttribute(null=True, attr_name="countedAt")
    # A count from the start, made beside the one that is shown until this is as far.
    recount_counts = PlainMapAttribute(null=True, attr_name="fresh")
    recount_up_to = PlainMapAttribute(null=True, attr_name="freshUpTo")
    recount_since = TimestampAttribute(null=True, attr_name="freshSince")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    @property
    def is_recounting(self) -> bool:
        """Whether someone has asked for a count from the start that is not done yet."""
        return self.recount_since is not None

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at is not None:
            yield from keys.DUE.place(due_at=self.due_at)
