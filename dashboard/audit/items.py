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
        scope, at, entry = self.scope, self.at_time, self.id
        yield keys.AUDIT_BY_ACTOR.key(scope=scope, email=self.actor["email"], at=at, id=entry)
        yield keys.AUDIT_BY_TARGET.key(scope=scope, target=self.target["id"], at=at, id=entry)

    @property
    def changed(self) -> list[tuple[str, Any, Any]]:
        """What differs: name, before, after."""
        before, after = self.before or {}, self.after or {}
        names = dict.fromkeys([*before, *after])
        return [(n, before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)]
