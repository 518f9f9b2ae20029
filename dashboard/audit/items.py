"""The audit trail's entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class AuditEntry(Item):
    """Who did what to what, and how it was before and after. Written once, in the change's transaction."""

    pattern = keys.SYSTEM_AUDIT
    editable = False

    id = UnicodeAttribute()
    at_time = TimestampAttribute(attr_name="timestamp")
    scope = UnicodeAttribute()
    action = UnicodeAttribute()
    actor = PlainMapAttribute()
    target = PlainMapAttribute()
    before = PlainMapAttribute(null=True)
    after = PlainMapAttribute(null=True)
    operation = UnicodeAttribute()

    def index_keys(self) -> Iterator[IndexKey]:
        when = {"at": self.at_time, "id": self.id}
        yield keys.AUDIT_BY_ACTOR.key(scope=self.scope, email=self.actor["email"], **when)
        yield keys.AUDIT_BY_TARGET.key(scope=self.scope, target=self.target["id"], **when)

    @property
    def changed(self) -> list[tuple[str, Any, Any]]:
        """What differs: name, before, after."""
        before, after = self.before or {}, self.after or {}
        names = dict.fromkeys([*before, *after])
        return [(n, before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)]
