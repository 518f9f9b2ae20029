"""The entries of the audit trail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from dashboard.platform.outbox.records import OutboxRecord, RecordPlace
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute, from_wire


class AuditEntry(OutboxRecord, Item):
    """An action of a person with its target and the values before and after. Written in the change's transaction."""

    # The platform's trail; that of a business is in its own partition.
    key_pattern = keys.SYSTEM_AUDIT
    editable = False

    id = UnicodeAttribute()
    at_time = TimestampAttribute(attr_name="timestamp")
    # The trail that it belongs to: the partition of a business, or SYSTEM for the platform.
    scope = UnicodeAttribute()
    action = UnicodeAttribute()
    actor = PlainMapAttribute()
    target = PlainMapAttribute()
    before = PlainMapAttribute(null=True)
    after = PlainMapAttribute(null=True)
    operation = UnicodeAttribute()
    # The id of the request, as in the JSON lines and the security log. Entries of commands have none.
    request_id = UnicodeAttribute(null=True, attr_name="requestId")
    # How the website service stores the person and the target.
    actor_email = LenientUnicodeAttribute(null=True, attr_name="actorEmail")
    entity_id = LenientUnicodeAttribute(null=True, attr_name="entityId")
    entity_title = LenientUnicodeAttribute(null=True, attr_name="entityTitle")

    @property
    def person(self) -> dict[str, Any]:
        """The e-mail address and the name of the person; empty if an outside writer stored neither."""
        outside = self.actor_email or ""
        # The website service writes "System" for its own actions.
        return self.actor or ({"email" if "@" in outside else "name": outside} if outside else {})

    @property
    def target_data(self) -> dict[str, Any]:
        """The kind, the id and the title of the target; empty if an outside writer stored none."""
        outside = {"id": self.entity_id, "title": self.entity_title}
        return self.target or {name: value for name, value in outside.items() if value}

    @property
    def place(self) -> tuple[str, str] | None:
        """The time and the id in its key; None if an outside writer omitted one of them."""
        parts = keys.SYSTEM_AUDIT.read(*self.key) or keys.AUDIT.read(*self.key)
        return (str(parts["at"]), str(parts["id"])) if parts else None

    @property
    def change_name(self) -> str:
        return self.action or ""

    @property
    def record_place(self) -> RecordPlace:
        parts = keys.SYSTEM_AUDIT.read(*self.key) or keys.AUDIT.read(*self.key) or {}
        return RecordPlace(str(parts.get("tenant", "")), str(parts.get("at", "")), str(parts.get("id", "")))

    @property
    def moment(self) -> datetime | None:
        """The time of the action, from its attribute or else from its key."""
        if self.at_time or not self.place:
            return self.at_time
        try:
            return from_wire(self.place[0])
        except (ValueError, OverflowError):
            return None

    def index_keys(self) -> Iterator[IndexKey]:
        """An entry of an outside writer without actor or target is found by its time only."""
        parts = keys.SYSTEM_AUDIT.read(*self.key) or keys.AUDIT.read(*self.key) or {}
        inside = "tenant" in parts
        by_actor = keys.AUDIT_BY_ACTOR if inside else keys.SYSTEM_AUDIT_BY_ACTOR
        by_target = keys.AUDIT_BY_TARGET if inside else keys.SYSTEM_AUDIT_BY_TARGET
        yield from by_actor.optional_key(**parts, email=self.person.get("email"))
        yield from by_target.optional_key(**parts, target=self.target_data.get("id"))
        yield from self.outbox_keys()

    @property
    def changed(self) -> list[tuple[str, Any, Any]]:
        """The fields that differ: name, before, after."""
        before, after = self.before or {}, self.after or {}
        names = dict.fromkeys([*before, *after])
        return [(n, before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)]
